//! `vramfit accuracy [--svg PICTURE] FILE`: what was measured against what is computed, row by row, and a summary for each
//! kind of figure; with `--svg` the scatter plot of all of them is written too (plot.rs).
//!
//! FILE is any table of comma-separated values with the columns `metric`, `value`, `unit`, `scenario` (a link's
//! fragment) and `part`; `model` and `note` are shown. A part is one of the estimate's ids, or
//!
//! | part | means |
//! |---|---|
//! | `total` | the sum of all parts |
//! | `allocated` | the sum of all parts but the overhead: torch's peak of allocated (or active) memory |
//! | `reserved` | torch's peak of reserved memory: what is allocated, and blocks that its allocator keeps |
//! | `smi` | what nvidia-smi shows: what is reserved, and the CUDA context and libraries |
//! | `loaded` | training: weights and adapters, once the model is loaded |
//! | `kv` | KV cache, windows and states together (llama.cpp's "context") |
//! | `kv_per_token` | bytes for each token of context |
//! | `kv_pool_tokens` | tokens that the scenario's pool holds |
//!
//! and those of engines.rs and pictures.rs. With a column `quality` rows that are claims or other tools' estimates are shown,
//! not scored.

use std::fmt::Write;

use super::{engines, pictures, plot};
use crate::catalog::Framework;
use crate::scenario::{Method, Scenario, Task, decode};
use crate::sizing::{Estimate, PartId, Span, estimate, kv_cache, loaded, pool};
use crate::units::{Bytes, Prefixes, unit_bytes};

/// One gibibyte.
const GIB: f64 = crate::units::GIB as f64;

/// The kinds of figures that are summed up by themselves: each has a bar of its own to clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What follows from architecture and format: weights, caches, llama.cpp's buffers, pools in tokens.
    Exact,
    /// What a language model's engine takes in all, and its overheads.
    Engine,
    /// Training.
    Training,
    /// Images and video.
    Picture,
}

impl Kind {
    /// All of them, in the order of the summary.
    pub const ALL: [Kind; 4] = [Kind::Exact, Kind::Engine, Kind::Training, Kind::Picture];

    /// Its name in the summary and the plot.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Exact => "exact quantities",
            Kind::Engine => "engine totals and overheads",
            Kind::Training => "training",
            Kind::Picture => "image and video",
        }
    }

    /// The kind of a part of a task.
    fn of(task: Task, part: &str) -> Kind {
        match task {
            Task::Train => Kind::Training,
            Task::Image | Task::Video => Kind::Picture,
            // A card of several, `weights@1`, holds what is exact of it.
            Task::Llm if EXACT.contains(&part.split('@').next().unwrap_or_default()) => Kind::Exact,
            Task::Llm => Kind::Engine,
        }
    }
}

/// The parts of a language model that are exact.
const EXACT: [&str; 9] = [
    "weights",
    "cpu_weights",
    "kv",
    "kv_cache",
    "kv_window",
    "state",
    "kv_per_token",
    "kv_pool_tokens",
    "compute",
];

/// The qualities of rows that are shown, not scored.
const SHOWN: [&str; 6] = [
    "claim",
    "doc claim",
    "self-reported",
    "log (estimate by tool)",
    "maintainer statement",
    "sample in test",
];

/// One row that was compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The line of the file, its heading being the first.
    pub line: usize,
    /// Its kind.
    pub kind: Kind,
    /// What is compared.
    pub part: String,
    /// Whether it is counted in tokens or in requests, not in bytes.
    pub tokens: bool,
    /// What was measured, in bytes or tokens.
    pub measured: f64,
    /// What is computed.
    pub span: Span,
    /// Whether it was sized before its figure was read, so that no constant was made with it.
    pub held_out: bool,
}

/// How the note of such a row begins.
const HELD_OUT: &str = "sized before its figure was read";

impl Scored {
    /// How far the middle is from what was measured, in percent of it.
    pub fn error(&self) -> f64 {
        (self.span.mid.as_f64() / self.measured - 1.0) * 100.0
    }

    /// Whether what was measured lies in the range, to half a percent (figures are rounded).
    pub fn inside(&self) -> bool {
        let slack = self.measured.abs() * 0.005;
        self.span.low.as_f64() <= self.measured + slack && self.span.high.as_f64() >= self.measured - slack
    }

    /// How many times its low end the range's high end is; infinite where the low end is not above zero.
    pub fn width(&self) -> f64 {
        let Span { low, high, .. } = self.span;
        match low {
            Bytes(..=0) if high > low => f64::INFINITY,
            Bytes(..=0) => 1.0,
            _ => high.as_f64() / low.as_f64(),
        }
    }
}

/// What the rows of one kind come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many rows.
    pub rows: usize,
    /// The median error without its sign, in percent.
    pub median: f64,
    /// The largest.
    pub worst: f64,
    /// The share of rows inside the stated range, in percent.
    pub inside: f64,
    /// The median of the ranges' widths, high over low.
    pub width: f64,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Summary {
            rows,
            median,
            worst,
            inside,
            width,
        } = self;
        write!(
            out,
            "{rows} scored, median error {median:.2} %, worst {worst:.2} %, {inside:.1} % inside the range, median width {width:.2}"
        )
    }
}

/// The middle of numbers, or zero without any.
fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => 0.0,
        count if count % 2 == 0 => (numbers[middle - 1] + numbers[middle]) / 2.0,
        _ => numbers[middle],
    }
}

/// A file compared.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The rows that were.
    pub scored: Vec<Scored>,
    /// Lines that could not be, with the reason.
    pub not_scored: Vec<(usize, String)>,
    /// The table, a line for each row.
    pub table: String,
}

impl Comparison {
    /// The rows of a kind, or of all kinds, summed up.
    pub fn summary(&self, kind: Option<Kind>) -> Summary {
        self.summed(|row| kind.is_none_or(|kind| row.kind == kind))
    }

    /// The same of the rows that no constant was made with.
    pub fn held_out(&self, kind: Option<Kind>) -> Summary {
        self.summed(|row| row.held_out && kind.is_none_or(|kind| row.kind == kind))
    }

    fn summed(&self, counts: impl Fn(&Scored) -> bool) -> Summary {
        let rows: Vec<&Scored> = self.scored.iter().filter(|row| counts(row)).collect();
        let errors = || rows.iter().map(|row| row.error().abs());
        let inside = rows.iter().filter(|row| row.inside()).count();
        Summary {
            rows: rows.len(),
            median: median(errors()),
            worst: errors().fold(0.0, f64::max),
            inside: 100.0 * inside as f64 / rows.len().max(1) as f64,
            width: median(rows.iter().map(|row| row.width())),
        }
    }

    /// The last lines: each kind that has rows, then all, and how many were not scored.
    pub fn summaries(&self) -> String {
        let mut text = String::new();
        for kind in Kind::ALL {
            let summary = self.summary(Some(kind));
            if summary.rows > 0 {
                let _ = writeln!(text, "{:28} {summary}", kind.name());
            }
            let held_out = self.held_out(Some(kind));
            if held_out.rows > 0 {
                let _ = writeln!(text, "{:28} {held_out}", "  of them held out");
            }
        }
        let _ = writeln!(
            text,
            "{:28} {}, {} not scored",
            "all",
            self.summary(None),
            self.not_scored.len()
        );
        text
    }
}

/// Runs the command.
///
/// # Errors
/// Without a file's name, or if it can't be read or lacks a column, or the picture can't be written.
pub fn run(args: &[String], picture: Option<&str>) -> Result<String, String> {
    let [file] = args else {
        return Err("vramfit accuracy [--svg PICTURE] FILE".to_owned());
    };
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let comparison = compare(&text)?;
    if let Some(picture) = picture {
        std::fs::write(picture, plot::svg(&comparison)).map_err(|error| format!("{picture}: {error}"))?;
    }
    Ok(comparison.table.clone() + &comparison.summaries())
}

/// Compares every row of a table.
///
/// # Errors
/// If a column is missing.
pub fn compare(text: &str) -> Result<Comparison, String> {
    let mut records = records(text).into_iter();
    let heading = records.next().unwrap_or_default();
    let column = |name: &str| heading.iter().position(|field| field == name);
    let needed = |name: &str| column(name).ok_or_else(|| format!("no column {name}"));
    let (metric, value, unit) = (needed("metric")?, needed("value")?, needed("unit")?);
    let (link, part) = (needed("scenario")?, needed("part")?);
    let (model, note, quality) = (column("model"), column("note"), column("quality"));
    let mut comparison = Comparison::default();
    for (at, record) in records.enumerate() {
        let line = at + 2;
        let field = |column: usize| record.get(column).map_or("", String::as_str);
        let named = format!("{} {}", model.map_or("", field), field(metric));
        match score(field(link), field(part), field(value), field(unit)) {
            Ok((task, measured, span)) => {
                let scored = Scored {
                    line,
                    kind: Kind::of(task, field(part)),
                    tokens: field(unit).contains("tokens") || field(unit) == "x",
                    part: field(part).to_owned(),
                    measured,
                    span,
                    held_out: note.map_or("", field).starts_with(HELD_OUT),
                };
                let [low, mid, high] = [span.low, span.mid, span.high].map(|Bytes(bytes)| bytes);
                let quality = quality.map_or("", field);
                let shown = SHOWN.contains(&quality);
                let mark = match () {
                    () if shown => '-',
                    () if scored.inside() => ' ',
                    () => '!',
                };
                let error = scored.error();
                let _ = writeln!(
                    comparison.table,
                    "{line:4} {:14} {measured:16.0} {low:16} {mid:16} {high:16} {error:+7.2} %{mark} {named}",
                    scored.part
                );
                if shown {
                    comparison.not_scored.push((line, ["quality: ", quality].concat()));
                } else {
                    comparison.scored.push(scored);
                }
            }
            Err(reason) => {
                let said = note.map_or("", field);
                let reason = if said.is_empty() || !field(link).is_empty() {
                    reason
                } else {
                    said.to_owned()
                };
                let _ = writeln!(comparison.table, "{line:4} not scored: {reason} ({named})");
                comparison.not_scored.push((line, reason));
            }
        }
    }
    Ok(comparison)
}

/// The task, what was measured and what is computed, or why they can't be compared.
fn score(link: &str, part: &str, value: &str, unit: &str) -> Result<(Task, f64, Span), String> {
    if link.is_empty() {
        return Err("no scenario".to_owned());
    }
    let (link, notes) = decode(link);
    if let Some(note) = notes.first() {
        return Err(format!("{} {:?}", note.id, note.args));
    }
    let value: f64 = value
        .replace(',', "")
        .parse()
        .map_err(|_| format!("no number: {value}"))?;
    let scale = scale(unit).ok_or_else(|| format!("no unit: {unit}"))?;
    let span = computed(&link.scenario, part).ok_or_else(|| format!("no such part: {part}"))?;
    Ok((link.scenario.task, value * scale, span))
}

/// What a unit of the table stands for: bytes, or tokens. Logs that print GB or MB and count in powers of 1024 have
/// the binary unit in brackets.
fn scale(unit: &str) -> Option<f64> {
    let unit = unit
        .split_once('(')
        .map_or(unit, |(_, binary)| binary.trim_end_matches(')'));
    match unit {
        "tokens" => Some(1.0),
        "x" => Some(engines::THOUSAND),
        "blocks of 16 tokens" => Some(16.0),
        _ => unit_bytes(unit.trim(), Prefixes::Decimal).map(|bytes| bytes as f64),
    }
}

fn computed(scenario: &Scenario, part: &str) -> Option<Span> {
    if scenario.image_model.is_some() {
        return pictures::computed(scenario, part);
    }
    let exact = |Bytes(bytes): Bytes| Span::exact(bytes as f64);
    let model = || scenario.architecture().map(|found| found.0);
    match part {
        "kv_per_token" => {
            let bytes = kv_cache::bytes_per_token(&model()?, scenario.k_cache, scenario.v_cache, scenario.split());
            Some(exact(bytes))
        }
        "kv_pool_tokens" => kv_cache::pool_tokens(scenario, pool(scenario)?).map(|tokens| exact(Bytes(tokens))),
        "total" => estimate(scenario).map(|estimate| estimate.total),
        "allocated" => estimate(scenario).map(|estimate| allocated(&estimate)),
        "reserved" => estimate(scenario).map(|estimate| reserved(scenario, &estimate)),
        "smi" => estimate(scenario).map(|estimate| reserved(scenario, &estimate) + outside(scenario)),
        "loaded" => loaded(scenario),
        _ => {
            let wanted: &[&str] = if part == "kv" {
                &["kv_cache", "kv_window", "state"]
            } else {
                &[part]
            };
            if let Some(span) = engines::computed(scenario, part) {
                return Some(span);
            }
            let estimate = estimate(scenario)?;
            let parts = estimate.parts.iter().filter(|found| wanted.contains(&found.id.id()));
            parts.map(|part| part.span).reduce(|sum, span| sum + span)
        }
    }
}

/// All but the overhead.
fn allocated(estimate: &Estimate) -> Span {
    let outside = estimate.parts.iter().filter(|part| part.id == PartId::Overhead);
    let outside = outside.fold(Span::default(), |sum, part| sum + part.span);
    Span {
        low: estimate.total.low - outside.low,
        mid: estimate.total.mid - outside.mid,
        high: estimate.total.high - outside.high,
    }
}

/// With the blocks that torch's allocator keeps of what comes and goes in a step: 3 to 45 %, a fifth mostly; with several
/// cards, whose streams share no blocks, a third; where all parameters are trained on several, blocks of the passes stay
/// beside those of the optimiser's step. torchtune's FSDP 2, which frees what it gathered in its own order, is as one card.
/// Sources: 26.11 GiB allocated and 29.03 shown, 15.86 and 19.46, of about 11 that come and go (fms-acceleration#14);
/// 15.22 GB active and 19.36 reserved with FSDP (llama-cookbook#41); 33.74 GiB allocated and 43.3 to 52.3 shown on two
/// cards, 46.6 on four (fms-acceleration's tables).
fn reserved(scenario: &Scenario, estimate: &Estimate) -> Span {
    let moving = [
        PartId::Activations,
        PartId::Logits,
        PartId::Temporary,
        PartId::Gradients,
    ];
    let moving = estimate.parts.iter().filter(|part| moving.contains(&part.id));
    let moving = moving.map(|part| part.span.mid.as_f64()).sum::<f64>();
    let full = scenario.method == Method::Full;
    let streams = scenario.card_count() > 1 && scenario.framework != Framework::Torchtune;
    let [low, mid, high] = match streams {
        true if full => [0.05, 0.6, 1.4],
        true => [0.05, 0.35, 0.6],
        false => [0.03, 0.2, 0.45],
    };
    // Logits are the largest blocks: where texts are not of one length, one that was cut for a shorter text does not serve
    // a longer one, and both stay (ms-swift's table: up to three times of them).
    let logits = estimate.parts.iter().filter(|part| part.id == PartId::Logits);
    let logits = logits.map(|part| part.span.mid.as_f64()).sum::<f64>();
    let span = allocated(estimate) + Span::of(low * moving, mid * moving, high * moving + 0.5 * logits);
    // What loading took stays reserved.
    let high = loaded(scenario).map_or(span.high, |loaded| loaded.high.max(span.high));
    Span { high, ..span }
}

/// What nvidia-smi shows beside that: the CUDA context and libraries, NCCL's buffers with several cards.
fn outside(scenario: &Scenario) -> Span {
    let cards = if scenario.card_count() > 1 { 2.0 } else { 1.0 };
    Span::of(0.3 * GIB, 0.6 * GIB * cards, 1.2 * GIB * cards)
}

/// The records of comma-separated values: fields in double quotes may hold commas, line ends and doubled quotes.
fn records(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => field.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            '\r' if !quoted => {}
            _ => field.push(letter),
        }
    }
    if !field.is_empty() || !record.is_empty() {
        record.push(field);
        records.push(record);
    }
    records.retain(|record| record.iter().any(|field| !field.is_empty()));
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_fields_are_read() {
        let text = "a,\"b, \"\"c\"\"\"\r\n1,2\n\n";
        assert_eq!(records(text), [["a", "b, \"c\""], ["1", "2"]]);
    }

    #[test]
    fn units_of_the_table() {
        assert_eq!(scale("GiB"), Some(1073741824.0));
        assert_eq!(scale("GB"), Some(1e9));
        assert_eq!(scale("GB(GiB)"), Some(1073741824.0));
        assert_eq!(scale("blocks of 16 tokens"), Some(16.0));
        assert_eq!(scale("x"), Some(1000.0));
        assert_eq!(scale("seconds"), None);
    }

    #[test]
    fn a_table_without_its_columns_is_refused() {
        assert_eq!(compare("metric,value,unit\n").unwrap_err(), "no column scenario");
        assert!(run(&[], None).is_err());
        assert!(run(&["/no/such/file".to_owned()], None).is_err());
    }
}
