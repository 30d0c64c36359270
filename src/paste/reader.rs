//! Reads one stretch of a text after another, and puts together what they say.

use super::assemble::Assembler;
use super::evidence::{Cut, Evidence, Hit, Kind, Span};
use super::matcher::Matcher;
use super::origin::Origin;
use super::register::GROUPS;
use super::text::View;
use super::{lines, monitors, nvidia_smi, progress, settings, shape};
use std::sync::OnceLock;

/// The compiled register; built once, in about a millisecond.
pub fn matcher() -> &'static Matcher {
    static MATCHER: OnceLock<Matcher> = OnceLock::new();
    MATCHER.get_or_init(|| Matcher::new(GROUPS))
}

/// The most cells of monitors' tables that are read, each with the lines around it, so that a text of nothing else stays
/// linear.
const MOST_CELLS: usize = 4000;

/// What the stretches read so far say.
pub struct Reader {
    assembler: Assembler,
    cuts: Vec<Cut>,
    tables: usize,
    /// What prompts, paths and prefixes give away.
    origin: Origin,
    /// The count of steps before the first failure, once that is found.
    steps: Option<Option<i64>>,
}

impl Reader {
    /// Nothing read yet.
    pub fn new() -> Reader {
        Reader {
            assembler: Assembler::new(GROUPS),
            cuts: Vec::new(),
            tables: 0,
            origin: Origin::default(),
            steps: None,
        }
    }

    /// Reads the stretch `start..end` of a text; `window` is what is there of the text from `base` on, and reaches
    /// [`super::lines::FAR`] behind the stretch and [`progress::LOOK`] before it, unless the text ends there.
    pub fn read(&mut self, window: &str, base: usize, start: usize, end: usize) {
        let view = View::of(window, start - base, end - base);
        let mut hits = Vec::new();
        let mut cuts = Vec::new();
        matcher().read(window, &view, &mut hits, &mut cuts);
        self.origin
            .see(window.get(start - base..end - base).unwrap_or_default());
        for mut cut in cuts {
            shift(&mut cut.span, base);
            self.cuts.push(cut);
        }
        self.cuts.truncate(Evidence::MOST);
        // What a table's reader has taken along with its header.
        let mut taken = Span::default();
        for (group, mut hit) in hits {
            if !is_said(window, group, &mut hit) {
                continue;
            }
            let mut more = Vec::new();
            let again = (taken.start..taken.end).contains(&hit.span.start);
            let is_table = GROUPS[group].kind == Kind::Monitor;
            self.tables += usize::from(is_table);
            if again || (is_table && (self.tables > MOST_CELLS || !complete(window, &mut hit, &mut more))) {
                continue;
            }
            // Hits of several ranks do not stand in the order of the text.
            if let Some(last) = more.last() {
                taken = hit.span.and(last.span);
            }
            for mut hit in std::iter::once(hit).chain(more) {
                shift(&mut hit.span, base);
                hit.figures.iter_mut().for_each(|figure| shift(&mut figure.span, base));
                self.assembler.take(group, hit);
            }
        }
        if self.steps.is_none() {
            let failures = self.findings().filter(|finding| finding.kind.is_failure());
            let first = failures.map(|finding| finding.span.start).min();
            self.steps = first.map(|first| progress::before(window, first - base));
        }
    }

    /// The hits kept so far.
    pub fn hits(&self) -> &[Hit] {
        &self.assembler.evidence.hits
    }

    /// The findings so far.
    pub fn findings(&self) -> std::slice::Iter<'_, super::Finding> {
        self.assembler.evidence.findings.iter()
    }

    /// What all stretches say; `head` is the beginning of the text, at least [`shape::LOOK`] bytes of a longer one.
    pub fn finish(self, head: &str) -> Evidence {
        let mut evidence = self.assembler.finish();
        evidence.cuts = self.cuts;
        self.origin.tell(&mut evidence.hints);
        evidence.steps = self.steps.flatten();
        if evidence.findings.iter().all(|finding| finding.kind == Kind::Setting) {
            evidence.shape = shape::of(head);
        }
        evidence
    }
}

fn shift(span: &mut Span, by: usize) {
    span.start += by;
    span.end += by;
}

/// Whether a hit is what it looks like: a flag, a name that stands for itself (`ollama_gguf/` in a path is another one).
fn is_said(text: &str, group: usize, hit: &mut Hit) -> bool {
    match GROUPS[group].kind {
        Kind::Setting => settings::is_setting(text, hit),
        // In the view all paths are alike; what is told of Windows' ones is not of others.
        Kind::Hints if hit.row.text.contains('\\') => hit.span.of(text).contains('\\'),
        Kind::Hints if hit.span.of(text).eq_ignore_ascii_case("ollama") => {
            let goes_on = text.as_bytes().get(hit.span.end).is_some_and(lines::in_name);
            lines::begins_name(text, hit.span.start) && !goes_on
        }
        _ => true,
    }
}

/// Lets the readers of tables add to a hit what stands on other lines, and the lines that follow it as hits of their own;
/// `false` where the hit is no part of a table after all.
fn complete(text: &str, hit: &mut Hit, more: &mut Vec<Hit>) -> bool {
    nvidia_smi::complete(text, hit, more) && monitors::complete(text, hit, more)
}
