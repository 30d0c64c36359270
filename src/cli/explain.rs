//! `vramfit explain`: what a text says, why it failed, what fixes it; for a terminal or as JSON.

use super::{Options, Reader, json};
use crate::advice::{Advice, Place, advise};
use crate::diagnosis::{Corrections, Diagnosis, Verdict, diagnose};
use crate::i18n::{self, Texts};
use crate::message::Message;
use crate::paste::{self, Evidence};
use crate::units::Bytes;

/// Reads the file named in the options, or standard input, and explains it.
pub fn run(options: &Options, read: Reader) -> Result<String, String> {
    let name = options.rest.first().map_or("-", String::as_str);
    let text = read(name).map_err(|error| format!("vramfit: {name}: {error}\n"))?;
    let texts = i18n::embedded(options.language);
    let corrections = Corrections::default();
    let evidence = paste::read(&text);
    let diagnosis = diagnose(&evidence, &corrections);
    let advice = advise(&evidence, &diagnosis, &corrections);
    if options.json {
        let answer = json::answer(&text, &evidence, &diagnosis, &advice, &texts);
        return serde_json::to_string_pretty(&answer)
            .map(|json| json + "\n")
            .map_err(|error| format!("vramfit: {error}\n"));
    }
    Ok(Report {
        texts: &texts,
        colors: options.colors,
        out: String::new(),
    }
    .write(&text, &evidence, &diagnosis, &advice))
}

/// A report for a terminal.
struct Report<'a> {
    texts: &'a Texts,
    colors: bool,
    out: String,
}

const BOLD: &str = "1";
const DIM: &str = "2";
const GREEN: &str = "32";
const YELLOW: &str = "33";
const CYAN: &str = "36";

/// How wide the bar of the card is, in characters.
const BAR: i64 = 60;

/// The characters of the bar's parts, by their ids.
const FILLS: [(&str, char); 15] = [
    ("allocated", '█'),
    ("reserved", '▓'),
    ("own-outside", '▒'),
    ("others", '▚'),
    ("metal", '▚'),
    ("unaccounted", '░'),
    ("engine", '█'),
    ("weights", '█'),
    ("kv-cache", '▓'),
    ("activations", '▒'),
    ("compute", '▒'),
    ("graph", '▞'),
    ("engine-other", '░'),
    ("untold", '?'),
    ("free", '·'),
];

impl Report<'_> {
    fn write(mut self, text: &str, evidence: &Evidence, diagnosis: &Diagnosis, advice: &Advice) -> String {
        self.line(BOLD, &self.texts.message(&diagnosis.headline));
        if let Some(caution) = &diagnosis.caution {
            self.line("", &self.texts.message(caution));
        }
        self.bar(diagnosis);
        self.causes(diagnosis);
        self.fixes(advice);
        self.lines(text, evidence);
        for open in &diagnosis.incomplete {
            self.line(YELLOW, &self.texts.message(open));
        }
        self.out
    }

    fn paint(&self, color: &str, text: &str) -> String {
        if self.colors && !color.is_empty() {
            format!("\u{1b}[{color}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    fn line(&mut self, color: &str, text: &str) {
        let painted = self.paint(color, text);
        self.out.push_str(&painted);
        self.out.push('\n');
    }

    fn heading(&mut self, id: &'static str) {
        self.out.push('\n');
        let text = self.texts.text(id);
        self.line(CYAN, &text);
    }

    fn bytes(&self, bytes: Bytes) -> String {
        self.texts.format.bytes(bytes)
    }

    fn bar(&mut self, diagnosis: &Diagnosis) {
        let Some(picture) = &diagnosis.picture else { return };
        self.heading(match diagnosis.verdict {
            Verdict::NoError => "explain-memory",
            _ => "explain-card",
        });
        let sum: Bytes = picture.parts.iter().map(|part| part.bytes).sum();
        let scale = sum.0.max(picture.total.0).max(1);
        let mut bar = String::new();
        for part in &picture.parts {
            let fill = FILLS.iter().find(|(id, _)| *id == part.id).map_or(' ', |found| found.1);
            let width = part.bytes.share(BAR, scale).0.max(1);
            bar.extend(std::iter::repeat_n(fill, width as usize));
        }
        self.line("", &bar);
        for part in &picture.parts {
            let fill = FILLS.iter().find(|(id, _)| *id == part.id).map_or(' ', |found| found.1);
            let name = self.texts.text(&format!("part-{}", part.id));
            let row = format!("  {fill}  {:>12}  {name}", self.bytes(part.bytes));
            self.line("", &row);
        }
        let total = format!(
            "     {:>12}  {}",
            self.bytes(picture.total),
            self.texts.text("part-total")
        );
        self.line("", &total);
        if let Some(requested) = picture.requested {
            let row = format!(
                "  !  {:>12}  {}",
                self.bytes(requested),
                self.texts.text("part-requested")
            );
            self.line(YELLOW, &row);
        }
    }

    fn causes(&mut self, diagnosis: &Diagnosis) {
        if diagnosis.causes.is_empty() {
            return;
        }
        self.heading("explain-causes");
        for (number, cause) in diagnosis.causes.iter().enumerate() {
            let name = self.texts.text(&format!("cause-{}", cause.id));
            let confidence = self.texts.text(&format!("confidence-{}", cause.confidence.id()));
            let row = format!("{}. {} — {confidence}", number + 1, self.paint(BOLD, &name));
            self.line("", &row);
            for reason in &cause.because {
                let sign = if reason.speaks_for { '+' } else { '−' };
                let row = format!("   {sign} {}", self.texts.message(&reason.message));
                self.line("", &row);
            }
        }
    }

    fn fixes(&mut self, advice: &Advice) {
        if !advice.fixes.is_empty() {
            self.heading("explain-fixes");
        }
        for (number, fix) in advice.fixes.iter().enumerate() {
            let row = format!("{}. {}", number + 1, self.texts.message(&fix.text));
            self.line("", &row);
            if let Some(why) = &fix.why {
                let row = format!("   {}", self.texts.message(why));
                self.line(DIM, &row);
            }
            if let Some(saves) = self.saves(fix.saves, fix.fits_after) {
                let row = format!("   {saves}");
                self.line(GREEN, &row);
            }
            for command in &fix.commands {
                let place = match command.place {
                    Place::Shell => "place-shell",
                    Place::PowerShell => "place-powershell",
                    Place::WebUiUser => "place-webui-user",
                    Place::BatchScript => "place-batch",
                    Place::Python => "place-python",
                };
                let row = format!("   {}", self.texts.text(place));
                self.line(DIM, &row);
                for line in command.text.lines() {
                    let row = format!("     {line}");
                    self.line(BOLD, &row);
                }
            }
        }
        if !advice.refused.is_empty() {
            self.heading("explain-refused");
            for refused in &advice.refused {
                let row = format!("- {}", self.texts.message(&refused.because));
                self.line("", &row);
            }
        }
    }

    /// What a fix frees and whether the request then fits, in one line.
    fn saves(&self, saves: Option<(Bytes, Bytes)>, fits: Option<bool>) -> Option<String> {
        let (low, high) = saves?;
        let id = match (low == high, low > Bytes::ZERO) {
            (true, _) => "saves-exactly",
            (false, true) => "saves-between",
            (false, false) => "saves-up-to",
        };
        let saved = self
            .texts
            .message(&Message::new(id).with("low", low).with("high", high));
        let fits = self.texts.text(match fits {
            Some(true) => "fits-yes",
            Some(false) => "fits-no",
            None => "fits-open",
        });
        Some(format!("{saved} {fits}"))
    }

    /// The recognised lines with what they say.
    fn lines(&mut self, text: &str, evidence: &Evidence) {
        if evidence.hits.is_empty() {
            return;
        }
        self.heading("explain-lines");
        for hit in evidence.hits.iter().take(60) {
            let quoted: String = hit.span.of(text).split_whitespace().collect::<Vec<_>>().join(" ");
            let row = format!("  {quoted}");
            self.line(DIM, &row);
            let row = format!("    {}", self.texts.message(&hit.says()));
            self.line("", &row);
        }
    }
}
