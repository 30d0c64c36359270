//! Text into evidence: what it says, each figure with its unit and its place in the text.
//!
//! ```text
//! text ─ search ─▶ stretches around known words ─ text ─▶ squeezed view ─ matcher ─▶ hits ─ assemble ─▶ findings
//! ```
//!
//! Everything is one linear pass in bounded memory, whatever the text; nothing panics, and what breaks off is told.

mod assemble;
mod clauses;
pub mod cuda_libraries;
mod desktop;
mod evidence;
pub mod frameworks;
pub mod hints;
mod holes;
pub mod host;
pub mod image_tools;
mod lines;
mod llama_cpp;
mod matcher;
pub mod memory_summary;
pub mod monitors;
pub mod nvidia_smi;
mod ollama;
pub mod on_chip;
mod prefix;
mod progress;
pub mod pytorch;
mod register;
mod search;
mod serving;
mod settings;
mod sglang;
mod shape;
pub mod template;
mod text;
pub mod training_logs;
mod vllm;

pub use clauses::{Clause, clauses, printable};
pub use evidence::{Card, Cut, Evidence, Figure, Finding, Hit, Kind, Process, Shape, Span, Value};
pub use register::GROUPS;

use assemble::Assembler;
use matcher::Matcher;
use std::sync::OnceLock;
use text::View;

/// The compiled register; built once, in about a millisecond.
fn matcher() -> &'static Matcher {
    static MATCHER: OnceLock<Matcher> = OnceLock::new();
    MATCHER.get_or_init(|| Matcher::new(GROUPS))
}

/// The most cells of monitors' tables that are read, each with the lines around it, so that a text of nothing else stays
/// linear.
const MOST_CELLS: usize = 4000;

/// Reads a text.
pub fn read(text: &str) -> Evidence {
    let matcher = matcher();
    let mut assembler = Assembler::new(GROUPS);
    let mut hits = Vec::new();
    let mut cuts = Vec::new();
    let mut tables = 0;
    matcher.regions(text, |start, end| {
        let view = View::of(text, start, end);
        matcher.read(text, &view, &mut hits, &mut cuts);
        // What a table's reader has taken along with its header.
        let mut taken = Span::default();
        for (group, mut hit) in hits.drain(..) {
            let mut more = Vec::new();
            let again = (taken.start..taken.end).contains(&hit.span.start);
            let is_table = GROUPS[group].kind == Kind::Monitor;
            tables += usize::from(is_table);
            let is_said = match GROUPS[group].kind {
                Kind::Setting => settings::is_setting(text, &mut hit),
                // `ollama_gguf/` in a path is another name.
                Kind::Hints if hit.span.of(text).eq_ignore_ascii_case("ollama") => {
                    let goes_on = text.as_bytes().get(hit.span.end).is_some_and(lines::in_name);
                    lines::begins_name(text, hit.span.start) && !goes_on
                }
                _ => true,
            };
            if !is_said {
                continue;
            }
            if again || (is_table && (tables > MOST_CELLS || !complete(text, &mut hit, &mut more))) {
                continue;
            }
            // Hits of several ranks do not stand in the order of the text.
            if let Some(last) = more.last() {
                taken = hit.span.and(last.span);
            }
            assembler.take(group, hit);
            for hit in more {
                assembler.take(group, hit);
            }
        }
    });
    let mut evidence = assembler.finish();
    cuts.truncate(Evidence::MOST);
    evidence.cuts = cuts;
    let failed = evidence.findings.iter().find(|finding| finding.kind.is_failure());
    evidence.steps = failed.and_then(|finding| progress::before(text, finding.span.start));
    if evidence.findings.iter().all(|finding| finding.kind == Kind::Setting) {
        evidence.shape = shape::of(text);
    }
    evidence
}

/// Lets the readers of tables add to a hit what stands on other lines, and the lines that follow it as hits of their own;
/// `false` where the hit is no part of a table after all.
fn complete(text: &str, hit: &mut Hit, more: &mut Vec<Hit>) -> bool {
    nvidia_smi::complete(text, hit, more) && monitors::complete(text, hit, more)
}
