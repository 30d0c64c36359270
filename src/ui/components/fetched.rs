//! A folded panel whose content is a file of its own, fetched when the reader opens it, and again after a failure.

use super::{El, el, live};
use crate::i18n::Texts;
use crate::ui::State;
use crate::ui::promises::fetch_text;
use leptos::prelude::*;

/// What is behind a heading.
pub struct Fetched {
    /// The class of the panel.
    pub class: &'static str,
    /// The message of its heading.
    pub title: &'static str,
    /// The `<meta>` that names the file.
    pub file: &'static str,
    /// What the file's text looks like.
    pub drawn: fn(&Texts, &str) -> Vec<El>,
}

/// The panel, folded until it is asked for; `lead` stands above what is fetched.
pub fn fetched(state: State, panel: Fetched, lead: &[El]) -> El {
    let (text, failed) = (RwSignal::new(String::new()), RwSignal::new(false));
    let ask = move |_| {
        if text.with_untracked(String::is_empty) {
            let there = move |fetched: Option<String>| {
                failed.set(fetched.is_none());
                text.set(fetched.unwrap_or_default());
            };
            fetch_text(panel.file, Box::new(there));
        }
    };
    let body = live("", move || {
        let texts = state.shown_texts();
        text.with(|text| match (text.as_str(), failed.get()) {
            ("", false) => Vec::new(),
            ("", true) => {
                let failed = el("p", "notice").attr("role", "alert");
                vec![failed.text(&texts.text("formats-failed"))]
            }
            (text, _) => (panel.drawn)(&texts, text),
        })
    });
    let summary = el("summary", "").child(el("h2", "").says(state.label(panel.title)));
    // A key press makes a click, too.
    el("details", panel.class)
        .child(summary.when("click", ask))
        .all(lead)
        .child(body)
}
