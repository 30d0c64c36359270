//! The text line by line: every figure marked, and beside each recognised clause what it says.

use super::State;
use super::components::{El, el, live, prose};
use crate::i18n::Texts;
use crate::message::Message;
use crate::paste::{Clause, Evidence, Figure, Hit, Span, clauses, printable};
use leptos::prelude::*;

/// The most clauses that are shown; a log may hold thousands.
const MOST: usize = 80;

/// The panel; nothing where nothing was recognised.
pub fn reading(state: State) -> El {
    live("reading", move || {
        let evidence = state.evidence.get();
        if evidence.hits.is_empty() {
            return Vec::new();
        }
        state.texts.with(|texts| {
            let list = state.text.with(|text| lines(texts, text, &evidence));
            vec![el("h2", "").text(&texts.text("ui-reading")), list]
        })
    })
}

fn lines(texts: &Texts, text: &str, evidence: &Evidence) -> El {
    let mut list = el("ol", "lines");
    for row in clauses(text, &evidence.hits, MOST) {
        let item = match row {
            Clause::Gap(lines) => gap(texts, "ui-lines-between", lines),
            Clause::Unread(span) => el("li", "other").child(said().text(&printable(span.of(text)))),
            Clause::Read(span, hit) => match evidence.hits.get(hit) {
                Some(hit) => clause(texts, text, span, hit),
                None => continue,
            },
        };
        list = list.child(item);
    }
    match evidence.hits.len().saturating_sub(MOST) {
        0 => list,
        more => list.child(gap(texts, "ui-clauses-more", more)),
    }
}

/// The reader's own text: English as a rule, and never translated.
fn said() -> El {
    el("p", "said").attr("lang", "en").attr("translate", "no")
}

fn gap(texts: &Texts, id: &'static str, count: usize) -> El {
    let message = Message::new(id).with("count", i64::try_from(count).unwrap_or(i64::MAX));
    el("li", "gap").text(&texts.message(&message))
}

fn clause(texts: &Texts, text: &str, span: Span, hit: &Hit) -> El {
    let says = texts.has(hit.row.says).then(|| prose(el("p", ""), texts, &hit.says()));
    el("li", "clause").child(marked(text, span, &hit.figures)).maybe(says)
}

/// A stretch of the text with its figures marked.
fn marked(text: &str, span: Span, figures: &[Figure]) -> El {
    let piece = |start: usize, end: usize| printable(Span { start, end }.of(text));
    let mut shown = said();
    let mut at = span.start;
    let next = |at: usize| {
        let later = figures
            .iter()
            .map(|figure| figure.span)
            .filter(move |figure| figure.start >= at);
        later
            .filter(|figure| figure.start < figure.end && figure.end <= span.end)
            .min_by_key(|figure| figure.start)
    };
    while let Some(figure) = next(at) {
        shown = shown
            .text(&piece(at, figure.start))
            .child(el("mark", "").text(&piece(figure.start, figure.end)));
        at = figure.end;
    }
    shown.text(&piece(at, span.end))
}
