//! Why it failed: the causes, the likeliest first and open, the others on demand.

use super::State;
use super::components::{El, el, live, prose};
use crate::diagnosis::Cause;
use crate::i18n::Texts;
use leptos::prelude::*;

/// The causes with the figures for and against each.
pub fn causes(state: State) -> El {
    live("why", move || {
        let answer = state.answer.get();
        let causes = &answer.diagnosis.causes;
        if causes.is_empty() {
            return Vec::new();
        }
        state.texts.with(|texts| {
            let list = causes
                .iter()
                .enumerate()
                .fold(el("ol", "causes"), |list, (place, cause)| {
                    list.child(el("li", "").child(one(texts, cause, place == 0)))
                });
            vec![el("h2", "").text(&texts.text("ui-causes")), list]
        })
    })
}

fn one(texts: &Texts, cause: &Cause, open: bool) -> El {
    let name = texts.text(&["cause-", cause.id].concat());
    let confidence = texts.text(&["confidence-", cause.confidence.id()].concat());
    let [name, confidence] = [el("h3", "").text(&name), el("span", "sureness").text(&confidence)];
    if cause.because.is_empty() {
        return el("div", "alone").child(name).child(confidence);
    }
    let summary = el("summary", "").child(name).child(confidence);
    let because = cause.because.iter().fold(el("ul", "because"), |list, reason| {
        let (class, side) = if reason.speaks_for {
            ("for", "ui-for")
        } else {
            ("against", "ui-against")
        };
        let side = el("span", "vh").text(&texts.text(side)).text(" ");
        list.child(prose(el("li", class).child(side), texts, &reason.message))
    });
    let details = el("details", "").child(summary).child(because);
    if open { details.attr("open", "") } else { details }
}
