//! Text into evidence: what it says, each figure with its unit and its place in the text.
//!
//! ```text
//! text ─ search ─▶ stretches around known words ─ text ─▶ squeezed view ─ matcher ─▶ hits ─ assemble ─▶ findings
//! ```
//!
//! Everything is one linear pass in bounded memory, whatever the text; nothing panics, and what breaks off is told.

mod assemble;
mod desktop;
mod evidence;
pub mod hints;
mod holes;
mod llama_cpp;
mod matcher;
mod ollama;
mod prefix;
pub mod pytorch;
mod register;
mod search;
mod serving;
mod sglang;
mod shape;
pub mod template;
mod text;
mod vllm;

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

/// Reads a text.
pub fn read(text: &str) -> Evidence {
    let matcher = matcher();
    let mut assembler = Assembler::new(GROUPS);
    let mut hits = Vec::new();
    let mut cuts = Vec::new();
    matcher.regions(text, |start, end| {
        let view = View::of(text, start, end);
        matcher.read(text, &view, &mut hits, &mut cuts);
        for (group, hit) in hits.drain(..) {
            assembler.take(group, hit);
        }
    });
    let mut evidence = assembler.finish();
    cuts.truncate(Evidence::MOST);
    evidence.cuts = cuts;
    if evidence.findings.iter().all(|finding| finding.kind == Kind::Setting) {
        evidence.shape = shape::of(text);
    }
    evidence
}
