//! A text with the code in it marked up.

use super::dom::{El, el};
use crate::i18n::{Run, Texts};
use crate::message::Message;

/// A message into an element, its code in `<code>`.
pub fn prose(into: El, texts: &Texts, message: &Message) -> El {
    runs(into, &texts.runs(message))
}

/// Stretches of prose and code into an element. Code is a tool's own words, so it is marked as English.
pub fn runs(into: El, runs: &[Run]) -> El {
    runs.iter().fold(into, |into, run| match run.code {
        true => into.child(el("code", "").attr("lang", "en").text(&run.text)),
        false => into.text(&run.text),
    })
}
