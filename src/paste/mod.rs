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
mod excerpt;
mod file_kind;
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
mod origin;
mod prefix;
mod progress;
pub mod pytorch;
mod reader;
mod register;
mod scan;
mod search;
mod serving;
mod settings;
mod sglang;
mod shape;
mod stages;
pub mod template;
mod text;
pub mod training_logs;
mod vllm;

pub use clauses::{Clause, clauses, printable};
pub use evidence::{Card, Cut, Evidence, Figure, Finding, Hit, Kind, Process, Shape, Span, Value};
pub use excerpt::Skip;
pub use file_kind::{FileKind, HEAD};
pub use matcher::WHOLE;
pub use register::GROUPS;
pub use scan::{Encoding, Reading, Scan};

use matcher::Regions;
use reader::{Reader, matcher};

/// Reads a text that is there as a whole; [`Scan`] reads one that comes in pieces, and finds the same.
pub fn read(text: &str) -> Evidence {
    let mut reader = Reader::new();
    let mut read = |start, end| reader.read(text, 0, start, end);
    if text.len() <= WHOLE {
        read(0, text.len());
    } else {
        matcher().regions(&mut Regions::default(), text.as_bytes(), 0, true, &mut read);
    }
    reader.finish(text)
}
