//! The text line by line: every figure marked, and beside each recognised clause what it says.

use super::State;
use super::attachments::name_of;
use super::components::{El, el, live, prose};
use crate::i18n::Texts;
use crate::message::Message;
use crate::paste::{Clause, Figure, Hit, Skip, Span, clauses, printable};
use leptos::prelude::*;

/// The most clauses of a text that are shown; a log may hold thousands.
const MOST: usize = 80;

/// The panel; nothing where nothing was recognised.
pub fn reading(state: State) -> El {
    live("reading", move || {
        let evidence = state.evidence.get();
        if evidence.hits.is_empty() {
            return Vec::new();
        }
        let primary = state.answer.with_untracked(|answer| answer.diagnosis.primary);
        state.texts.with(|texts| {
            let mut shown = vec![el("h2", "").text(&texts.text("ui-reading"))];
            let kept: usize = evidence.findings.iter().map(|finding| finding.times).sum();
            if evidence.count > kept {
                let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
                let capped = Message::new("ui-findings-capped").with("count", count(evidence.count));
                let capped = texts.message(&capped.with("kept", count(kept)));
                shown.push(el("p", "small quiet").text(&capped));
            }
            state.files.all.with_untracked(|all| {
                let read = || all.iter().filter_map(|one| Some((one, one.reading()?)));
                // The text's own hits come first, then those of each file.
                let of_files: usize = read().map(|(_, reading)| reading.evidence.hits.len()).sum();
                let (mut hits, mut later) = evidence.hits.split_at(evidence.hits.len().saturating_sub(of_files));
                if !hits.is_empty() {
                    state
                        .text
                        .with_untracked(|text| shown.push(lines(texts, text, &[], hits, primary)));
                }
                for (one, reading) in read() {
                    (hits, later) = later.split_at(reading.evidence.hits.len().min(later.len()));
                    if !hits.is_empty() {
                        shown.push(el("h3", "").attr("translate", "no").text(&name_of(texts, one)));
                        shown.push(lines(texts, &reading.text, &reading.skips, hits, primary));
                    }
                }
            });
            shown
        })
    })
}

/// The recognised lines of one text; of very many those around what failed first.
fn lines(texts: &Texts, text: &str, skips: &[Skip], hits: &[Hit], primary: Option<usize>) -> El {
    let mut list = el("ol", "lines");
    let mut from = 0;
    if hits.len() > MOST {
        let first = hits
            .iter()
            .position(|hit| hit.finding.is_some() && hit.finding == primary);
        from = first.unwrap_or_default().saturating_sub(MOST / 4);
    }
    for row in clauses(text, skips, hits, from..from + MOST) {
        let item = match row {
            Clause::Gap(lines) => gap(texts, "ui-lines-between", lines),
            Clause::Unread(span) => el("li", "other").child(said().text(&printable(span.of(text)))),
            Clause::Read(span, hit) => match hits.get(hit) {
                Some(hit) => clause(texts, text, span, hit),
                None => continue,
            },
        };
        list = list.child(item);
    }
    match hits.len().saturating_sub(MOST) {
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
