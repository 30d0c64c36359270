//! `vramfit accuracy FILE`: what was measured against what is computed, row by row.
//!
//! FILE is any table of comma-separated values with the columns `metric`, `value`, `unit`, `scenario` (a link's
//! fragment) and `part`; `model` and `note` are shown. A part is one of the estimate's ids, or
//!
//! | part | means |
//! |---|---|
//! | `total` | the sum of all parts |
//! | `kv` | KV cache, windows and states together (llama.cpp's "context") |
//! | `cpu_weights` | the embedding that llama.cpp leaves in the computer's memory |
//! | `kv_per_token` | bytes for each token of context |
//! | `kv_pool_tokens` | tokens that the scenario's pool holds |
//!
//! and, of a model that makes images or videos,
//!
//! | part | means |
//! |---|---|
//! | `total` | the peak of a run with the CUDA context: what nvidia-smi shows, "needs x GB of VRAM" |
//! | `reserved` | the peak that PyTorch's allocator holds: `max_memory_reserved()` |
//! | `allocated` | the peak of tensors: `max_memory_allocated()`, "peak memory" without more |
//! | `text`, `denoise`, `decode` | the peak of tensors in that stage alone |
//! | `loaded` | the weights of denoisers, text encoders and VAE: "memory after loading" |
//! | `loaded_decoder` | the same with the VAE's decoder only (stable-diffusion.cpp) |
//! | `denoiser`, `text_encoders`, `vae`, `vae_decoder` | the weights of one denoiser, of all text encoders, of the VAE, of its decoder |
//! | `encoder.ID` | the weights of that text encoder, an id of src/catalog/encoders.csv |

use std::fmt::Write;

use crate::scenario::{Scenario, decode};
use crate::sizing::image_video::{self, Measure};
use crate::sizing::{Span, Stage, estimate, kv_cache, pool, weights};
use crate::units::{Bytes, Prefixes, unit_bytes};

/// One row that was compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The line of the file, its heading being the first.
    pub line: usize,
    /// What is compared.
    pub part: String,
    /// What was measured, in bytes or tokens.
    pub measured: f64,
    /// What is computed.
    pub span: Span,
}

impl Scored {
    /// How far the middle is from what was measured, in percent of it.
    pub fn error(&self) -> f64 {
        (self.span.mid.as_f64() / self.measured - 1.0) * 100.0
    }

    /// Whether what was measured lies in the range, to half a percent (figures are rounded).
    pub fn inside(&self) -> bool {
        self.span.low.as_f64() <= self.measured * 1.005 && self.span.high.as_f64() >= self.measured * 0.995
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
    /// Errors without their sign, smallest first.
    fn errors(&self) -> Vec<f64> {
        let mut errors: Vec<f64> = self.scored.iter().map(|row| row.error().abs()).collect();
        errors.sort_by(f64::total_cmp);
        errors
    }

    /// The median error in percent.
    pub fn median(&self) -> f64 {
        let errors = self.errors();
        let middle = errors.len() / 2;
        match errors.len() {
            0 => 0.0,
            count if count % 2 == 0 => (errors[middle - 1] + errors[middle]) / 2.0,
            _ => errors[middle],
        }
    }

    /// The largest error in percent.
    pub fn worst(&self) -> f64 {
        self.errors().last().copied().unwrap_or(0.0)
    }

    /// The last line: how many rows, the median and the worst error, the share inside the range.
    pub fn summary(&self) -> String {
        let inside = self.scored.iter().filter(|row| row.inside()).count();
        let count = self.scored.len();
        let share = if count == 0 {
            0.0
        } else {
            100.0 * inside as f64 / count as f64
        };
        let (median, worst, skipped) = (self.median(), self.worst(), self.not_scored.len());
        format!(
            "{count} scored, median error {median:.2} %, worst {worst:.2} %, {share:.1} % inside the range, {skipped} not scored"
        )
    }
}

/// Runs the command.
///
/// # Errors
/// Without a file's name, or if it can't be read or lacks a column.
pub fn run(args: &[String]) -> Result<String, String> {
    let [file] = args else {
        return Err("vramfit accuracy FILE".to_owned());
    };
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let comparison = compare(&text)?;
    Ok(format!("{}{}\n", comparison.table, comparison.summary()))
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
    let (model, note) = (column("model"), column("note"));
    let mut comparison = Comparison::default();
    for (at, record) in records.enumerate() {
        let line = at + 2;
        let field = |column: usize| record.get(column).map_or("", String::as_str);
        let named = format!("{} {}", model.map_or("", field), field(metric));
        match score(field(link), field(part), field(value), field(unit)) {
            Ok((measured, span)) => {
                let scored = Scored {
                    line,
                    part: field(part).to_owned(),
                    measured,
                    span,
                };
                let [low, mid, high] = [span.low, span.mid, span.high].map(|Bytes(bytes)| bytes);
                let mark = if scored.inside() { ' ' } else { '!' };
                let error = scored.error();
                let _ = writeln!(
                    comparison.table,
                    "{line:4} {:14} {measured:16.0} {low:16} {mid:16} {high:16} {error:+7.2} %{mark} {named}",
                    scored.part
                );
                comparison.scored.push(scored);
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

/// What was measured and what is computed, or why they can't be compared.
fn score(link: &str, part: &str, value: &str, unit: &str) -> Result<(f64, Span), String> {
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
    Ok((value * scale, span))
}

/// What a unit of the table stands for: bytes, or tokens. Logs that print GB or MB and count in powers of 1024 have
/// the binary unit in brackets.
fn scale(unit: &str) -> Option<f64> {
    let unit = unit
        .split_once('(')
        .map_or(unit, |(_, binary)| binary.trim_end_matches(')'));
    match unit {
        "tokens" => Some(1.0),
        "blocks of 16 tokens" => Some(16.0),
        _ => unit_bytes(unit.trim(), Prefixes::Decimal).map(|bytes| bytes as f64),
    }
}

/// A part of a model that makes images or videos; `None` for other models.
fn of_image(scenario: &Scenario, part: &str) -> Option<Span> {
    let measure = |measure| image_video::peak(scenario, measure);
    match part {
        "total" => measure(Measure::Total),
        "reserved" => measure(Measure::Reserved),
        "allocated" => measure(Measure::Allocated),
        _ => match Stage::ALL.iter().find(|stage| stage.id() == part) {
            Some(stage) => image_video::stage_peak(scenario, *stage),
            None => image_video::loaded(scenario, part),
        },
    }
}

fn computed(scenario: &Scenario, part: &str) -> Option<Span> {
    if scenario.image_model.is_some() {
        return of_image(scenario, part);
    }
    let exact = |Bytes(bytes): Bytes| Span::exact(bytes as f64);
    let model = || scenario.architecture().map(|found| found.0);
    match part {
        "cpu_weights" => Some(exact(weights::embedding(&model()?, scenario.format))),
        "kv_per_token" => {
            let bytes = kv_cache::bytes_per_token(&model()?, scenario.k_cache, scenario.v_cache, scenario.split());
            Some(exact(bytes))
        }
        "kv_pool_tokens" => kv_cache::pool_tokens(scenario, pool(scenario)?).map(|tokens| exact(Bytes(tokens))),
        "total" => estimate(scenario).map(|estimate| estimate.total),
        _ => {
            let wanted: &[&str] = if part == "kv" {
                &["kv_cache", "kv_window", "state"]
            } else {
                &[part]
            };
            let estimate = estimate(scenario)?;
            let parts = estimate.parts.iter().filter(|found| wanted.contains(&found.id.id()));
            parts.map(|part| part.span).reduce(|sum, span| sum + span)
        }
    }
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
        assert_eq!(scale("seconds"), None);
    }

    #[test]
    fn a_table_without_its_columns_is_refused() {
        assert_eq!(compare("metric,value,unit\n").unwrap_err(), "no column scenario");
        assert!(run(&[]).is_err());
        assert!(run(&["/no/such/file".to_owned()]).is_err());
    }
}
