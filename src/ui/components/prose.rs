//! A text with the code in it marked up.

use super::dom::{El, el};
use crate::i18n::Texts;
use crate::message::Message;

/// A message into an element, its code in `<code>`. Code is a tool's own words, so it is marked as English.
pub fn prose(into: El, texts: &Texts, message: &Message) -> El {
    texts.runs(message).iter().fold(into, |into, run| match run.code {
        true => into.child(el("code", "").attr("lang", "en").text(&run.text)),
        false => into.text(&run.text),
    })
}
