//! A text with the code in it marked up.

use crate::i18n::{Run, Texts};
use crate::message::Message;
use leptos::prelude::*;

/// A message, its code in `<code>`.
pub fn prose(texts: &Texts, message: &Message) -> AnyView {
    runs(texts.runs(message))
}

/// Stretches of prose and code. Code is a tool's own words, so it is marked as English.
pub fn runs(runs: Vec<Run>) -> AnyView {
    let shown = |run: Run| {
        if run.code { view! { <code lang="en">{run.text}</code> }.into_any() } else { run.text.into_any() }
    };
    runs.into_iter().map(shown).collect::<Vec<_>>().into_any()
}
