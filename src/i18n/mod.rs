//! Message ids and arguments into sentences, numbers, units and money of each language.
//!
//! The texts stand in `locales/LANG/*.ftl` (Fluent), the conventions of numbers in the register of languages. How to add a
//! language: `docs/languages.md`.

mod format;
mod language;
mod plural;
mod runs;
mod texts;
mod typed;

pub use format::{Format, Numbers, Units};
pub use language::{Direction, Language, Locale, PANELS, asked_in, choose};
pub use runs::{Run, runs};
pub use texts::Texts;
#[cfg(not(target_arch = "wasm32"))]
pub use texts::embedded;
pub use typed::{KILO_CONTEXT, KILO_DECIMAL, parse_bytes, parse_number, parse_whole};
