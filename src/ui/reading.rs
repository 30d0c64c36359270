//! The text line by line: every figure marked, and beside each recognised clause what it says.

use super::State;
use super::components::{El, el, live, prose};
use crate::i18n::Texts;
use crate::message::Message;
use crate::paste::{Evidence, Figure, Hit};
use leptos::prelude::*;

/// The most clauses that are shown; a log may hold thousands.
const MOST_CLAUSES: usize = 80;

/// How many lines are shown around a recognised one.
const AROUND: usize = 1;

/// The longest stretch of unrecognised text that is shown, in bytes.
const MOST_UNREAD: usize = 600;

/// The panel; nothing where nothing was recognised.
pub fn reading(state: State) -> AnyView {
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

/// A stretch of the text for one row of the panel: whole lines without a hit, or a clause with its hit.
#[derive(Debug, PartialEq, Eq)]
enum Row {
    /// So many lines are left out.
    Gap(usize),
    /// Text that nothing was recognised in, from and to.
    Unread(usize, usize),
    /// A clause: from and to, and which hit it holds.
    Clause(usize, usize, usize),
}

fn lines(texts: &Texts, text: &str, evidence: &Evidence) -> El {
    let mut list = el("ol", "lines");
    for row in rows(text, &evidence.hits) {
        let item = match row {
            Row::Gap(lines) => gap(texts, "ui-lines-between", lines),
            Row::Unread(from, to) => {
                let to = floor_char(text, to.min(from.saturating_add(MOST_UNREAD)));
                el("li", "other").child(said().text(&printable(text.get(from..to).unwrap_or_default())))
            }
            Row::Clause(from, to, hit) => match evidence.hits.get(hit) {
                Some(hit) => clause(texts, text, from, to, hit),
                None => continue,
            },
        };
        list = list.child(item);
    }
    match evidence.hits.len().saturating_sub(MOST_CLAUSES) {
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

fn clause(texts: &Texts, text: &str, from: usize, to: usize, hit: &Hit) -> El {
    let says = texts.has(hit.row.says).then(|| prose(el("p", ""), texts, &hit.says()));
    el("li", "clause")
        .child(marked(texts, text, from, to, &hit.figures))
        .maybe(says)
}

/// The text from `from` to `to` with its figures marked, each named where it is pointed at.
fn marked(texts: &Texts, text: &str, from: usize, to: usize, figures: &[Figure]) -> El {
    let piece = |from: usize, to: usize| printable(text.get(from..to).unwrap_or_default());
    let mut shown = said();
    let mut at = from;
    // The figure that stands next, again and again: a clause has few.
    while let Some(figure) = figures
        .iter()
        .filter(|figure| figure.span.start >= at)
        .min_by_key(|figure| figure.span.start)
    {
        let span = figure.span;
        if span.end > to || span.start >= span.end {
            break;
        }
        let mark = el("mark", "").text(&piece(span.start, span.end));
        let name = ["figure-", figure.name].concat();
        let mark = if texts.has(&name) {
            mark.attr("title", &texts.text(&name))
        } else {
            mark
        };
        shown = shown.text(&piece(at, span.start)).child(mark);
        at = span.end;
    }
    shown.text(&piece(at, to))
}

/// Cuts the text into rows: clauses at the hits, a line around each group of them, gaps between.
fn rows(text: &str, hits: &[Hit]) -> Vec<Row> {
    let spans: Vec<(usize, usize)> = hits
        .iter()
        .take(MOST_CLAUSES)
        .map(|hit| (hit.span.start, hit.span.end))
        .collect();
    let mut rows = Vec::new();
    // Everything before `at` is shown or left out already.
    let mut at = 0;
    for (number, (start, end)) in spans.iter().copied().enumerate() {
        if start < at || end <= start || text.get(start..end).is_none() {
            continue;
        }
        let begin = start_of_line(text, start);
        if begin > at {
            between(text, at, begin, at > 0, true, &mut rows);
            at = begin;
        }
        // Closing signs belong to the clause before them.
        let next = spans
            .iter()
            .skip(number + 1)
            .map(|span| span.0)
            .find(|next| *next >= end)
            .unwrap_or(text.len());
        let close = closing(text, end, next);
        // Of a line without end only what stands just before the clause is shown.
        let from = at.max(floor_char(text, start.saturating_sub(MOST_UNREAD)));
        rows.push(Row::Clause(from, close, number));
        at = close;
        // The rest of the line, where no other clause begins in it.
        let line_end = end_of_line(text, at);
        if next >= line_end {
            push_unread(text, at, line_end, &mut rows);
            at = line_end;
        }
    }
    if at > 0 && at < text.len() {
        between(text, at, text.len(), true, false, &mut rows);
    }
    rows
}

/// The lines between two clauses: some after the one, some before the other, and how many are left out.
fn between(text: &str, from: usize, to: usize, after: bool, before: bool, rows: &mut Vec<Row>) {
    let lines: Vec<(usize, usize)> = lines_of(text, from, to);
    let head = if after { AROUND.min(lines.len()) } else { 0 };
    let tail = if before { AROUND.min(lines.len() - head) } else { 0 };
    let left_out = lines.len() - head - tail;
    for (from, to) in lines.iter().take(head) {
        push_unread(text, *from, *to, rows);
    }
    if left_out > 0 {
        rows.push(Row::Gap(left_out));
    }
    for (from, to) in lines.iter().skip(head + left_out) {
        push_unread(text, *from, *to, rows);
    }
}

/// The lines of a stretch that are not blank, from and to.
fn lines_of(text: &str, from: usize, to: usize) -> Vec<(usize, usize)> {
    let mut lines = Vec::new();
    let mut at = from;
    while at < to {
        let end = end_of_line(text, at).min(to);
        if text.get(at..end).is_some_and(|line| !line.trim().is_empty()) {
            lines.push((at, end));
        }
        at = end + 1;
    }
    lines
}

fn push_unread(text: &str, from: usize, to: usize, rows: &mut Vec<Row>) {
    if text.get(from..to).is_some_and(|text| !text.trim().is_empty()) {
        rows.push(Row::Unread(from, to));
    }
}

/// The start of the line in which `at` stands.
fn start_of_line(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |newline| newline + 1)
}

/// The end of the line in which `at` stands, before its newline.
fn end_of_line(text: &str, at: usize) -> usize {
    let behind = text.as_bytes().get(at..).unwrap_or_default();
    behind
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(text.len(), |newline| at + newline)
}

/// Behind the punctuation that follows `end`, at most to `next`.
fn closing(text: &str, end: usize, next: usize) -> usize {
    let behind = text.as_bytes().get(end..next).unwrap_or_default();
    end + behind
        .iter()
        .take_while(|byte| matches!(byte, b'.' | b',' | b';' | b')' | b']' | b' '))
        .count()
}

/// The character boundary at or before `at`.
fn floor_char(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The text without what a terminal obeys and a page must not show: colour codes, control characters, marks that turn the
/// direction of writing.
fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(sign) = chars.next() {
        match sign {
            '\u{1b}' => {
                if chars.as_str().starts_with('[') {
                    chars.next();
                    // Up to the letter that ends the code.
                    chars.by_ref().find(|sign| ('@'..='~').contains(sign));
                }
            }
            '\n' | '\t' => out.push(sign),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            sign if sign.is_control() => {}
            sign => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::read;

    fn shown(text: &str) -> Vec<(bool, String)> {
        let rows = rows(text, &read(text).hits);
        let row = |row: Row| match row {
            Row::Gap(lines) => (false, format!("… {lines}")),
            Row::Unread(from, to) => (false, text[from..to].to_owned()),
            Row::Clause(from, to, _) => (true, text[from..to].to_owned()),
        };
        rows.into_iter().map(row).collect()
    }

    #[test]
    fn a_sentence_is_cut_into_its_clauses() {
        let text = "Traceback\n  one\n  two\n  three\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. \
            GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.\nafter\nlater\n";
        let expected = [
            (false, "… 3"),
            (false, "  three"),
            (
                true,
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. ",
            ),
            (
                true,
                "GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.",
            ),
            (false, "after"),
            (false, "… 1"),
        ];
        let expected: Vec<_> = expected
            .iter()
            .map(|(read, text)| (*read, (*text).to_owned()))
            .collect();
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn nothing_is_cut_from_a_text_without_hits() {
        assert_eq!(shown("one\ntwo"), []);
        assert_eq!(shown(""), []);
    }

    #[test]
    fn terminal_codes_are_not_shown() {
        assert_eq!(
            printable("\u{1b}[1;31mError\u{1b}[0m:\u{7}\ta\u{202e}b\r\n"),
            "Error:\tab\n"
        );
        assert_eq!(printable("\u{1b}"), "");
        assert_eq!(printable("\u{1b}[1"), "");
        assert_eq!(floor_char("é", 1), 0);
    }
}
