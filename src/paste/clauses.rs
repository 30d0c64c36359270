//! A text cut for reading line by line: each recognised stretch with the words around it, the lines next to it, gaps between.

use super::evidence::{Hit, Span};

/// How many lines are kept on each side of a recognised one.
const AROUND: usize = 1;

/// The longest stretch of unrecognised text that is kept in one piece, in bytes.
const MOST_UNREAD: usize = 600;

/// A row of the reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// So many lines are left out.
    Gap(usize),
    /// A line in which nothing was recognised.
    Unread(Span),
    /// A recognised stretch, with the words before it and the signs that close it; and which hit it is.
    Read(Span, usize),
}

/// Cuts a text at its first `most` hits. Nothing comes out of a text without hits.
pub fn clauses(text: &str, hits: &[Hit], most: usize) -> Vec<Clause> {
    let mut rows = Vec::new();
    // Everything before `at` is kept or left out already.
    let mut at = 0;
    for (number, hit) in hits.iter().enumerate().take(most) {
        let Span { start, end } = hit.span;
        if start < at || end <= start || text.get(start..end).is_none() {
            continue;
        }
        if let Some(newline) = text.get(at..start).and_then(|before| before.rfind('\n')) {
            let begin = at + newline + 1;
            between(text, at, begin, [usize::from(at > 0) * AROUND, AROUND], &mut rows);
            at = begin;
        }
        let later = hits.iter().skip(number + 1).take(most.saturating_sub(number + 1));
        let next = later
            .map(|hit| hit.span.start)
            .find(|next| *next >= end)
            .unwrap_or(text.len());
        let close = closing(text, end, next);
        // Of a line without end only what stands just before the clause is kept.
        let from = at.max(floor_char(text, start.saturating_sub(MOST_UNREAD)));
        rows.push(Clause::Read(
            Span {
                start: from,
                end: close,
            },
            number,
        ));
        at = close;
        // The rest of the line, where no other clause begins in it.
        let rest = text.get(at..next).unwrap_or_default();
        if let Some(end) = rest.find('\n').or((next == text.len()).then_some(rest.len())) {
            unread(text, at, at + end, &mut rows);
            at += end;
        }
    }
    if at > 0 {
        between(text, at, text.len(), [AROUND, 0], &mut rows);
    }
    rows
}

/// The lines between two clauses: so many behind the one and before the other, and how many are left out.
fn between(text: &str, from: usize, to: usize, [head, tail]: [usize; 2], rows: &mut Vec<Clause>) {
    let stretch = text.get(from..to).unwrap_or_default();
    let mut lines: Vec<(usize, usize)> = Vec::new();
    let mut at = from;
    for line in stretch.split('\n') {
        if !line.trim().is_empty() {
            lines.push((at, at + line.len()));
        }
        at += line.len() + 1;
    }
    let head = head.min(lines.len());
    let left_out = lines.len().saturating_sub(head + tail);
    for (number, (from, to)) in lines.into_iter().enumerate() {
        if number == head && left_out > 0 {
            rows.push(Clause::Gap(left_out));
        }
        if number < head || number >= head + left_out {
            unread(text, from, to, rows);
        }
    }
}

fn unread(text: &str, from: usize, to: usize, rows: &mut Vec<Clause>) {
    let end = floor_char(text, to.min(from.saturating_add(MOST_UNREAD)));
    if text.get(from..end).is_some_and(|text| !text.trim().is_empty()) {
        rows.push(Clause::Unread(Span { start: from, end }));
    }
}

/// Behind the punctuation that follows `end`, at most to `next`.
fn closing(text: &str, end: usize, next: usize) -> usize {
    let behind = text.as_bytes().get(end..next).unwrap_or_default();
    let signs = behind
        .iter()
        .take_while(|byte| matches!(byte, b'.' | b',' | b';' | b')' | b']' | b' '));
    end + signs.count()
}

/// The character boundary at or before `at`.
fn floor_char(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// A text without what a terminal obeys and a page must not show: colour codes, control characters, and marks that turn the
/// direction of writing.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\u{1b}' if signs.as_str().starts_with('[') => {
                signs.next();
                // Up to the letter that ends the code.
                signs.by_ref().find(|sign| ('@'..='~').contains(sign));
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
    use proptest::prelude::*;

    /// The rows as text, a recognised one behind a `>`.
    fn shown(text: &str) -> Vec<String> {
        let row = |row: Clause| match row {
            Clause::Gap(lines) => format!("… {lines}"),
            Clause::Unread(span) => span.of(text).to_owned(),
            Clause::Read(span, _) => format!("> {}", span.of(text)),
        };
        clauses(text, &read(text).hits, 80).into_iter().map(row).collect()
    }

    #[test]
    fn a_sentence_is_cut_into_its_clauses() {
        let text = "Traceback\n  one\n  two\n  three\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. \
            GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.\nafter\nlater\n";
        let expected = [
            "… 3",
            "  three",
            "> torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. ",
            "> GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.",
            "after",
            "… 1",
        ];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn between_two_errors_a_line_stands_on_each_side_of_the_gap() {
        let error = "RuntimeError: CUDA error: out of memory";
        let text = format!("{error}\na\nb\n\nc\nd\n{error}");
        let read = format!("> {error}");
        assert_eq!(shown(&text), [read.as_str(), "a", "… 2", "d", &read]);
        assert_eq!(shown(&format!("{error}\na\n{error}")), [read.as_str(), "a", &read]);
    }

    #[test]
    fn nothing_is_cut_from_a_text_without_hits() {
        assert!(shown("one\ntwo").is_empty());
        assert!(shown("").is_empty());
    }

    #[test]
    fn of_a_line_without_end_only_what_stands_near_is_kept() {
        let text = "é".repeat(100_000) + "CUDA out of memory. Tried to allocate 2.00 GiB" + &"é".repeat(100_000);
        let rows = shown(&text);
        assert_eq!(rows.len(), 2);
        assert!(rows.iter().all(|row| row.len() < 700), "{rows:?}");
    }

    #[test]
    fn terminal_codes_are_not_shown() {
        assert_eq!(
            printable("\u{1b}[1;31mError\u{1b}[0m:\u{7}\ta\u{202e}b\r\n"),
            "Error:\tab\n"
        );
        assert_eq!(printable("\u{1b}"), "");
        assert_eq!(printable("\u{1b}[1"), "");
    }

    proptest! {
        #[test]
        fn any_hits_in_any_text_are_cut_in_order(text in "(\\PC|\n){0,120}", spans in proptest::collection::vec((0usize..130, 0usize..40), 0..6)) {
            let hit = read("CUDA error: out of memory").hits.remove(0);
            let place = |(start, length): &(usize, usize)| Hit { span: Span { start: *start, end: start + length }, ..hit.clone() };
            let hits: Vec<Hit> = spans.iter().map(place).collect();
            let mut last = 0;
            for row in clauses(&text, &hits, 4) {
                if let Clause::Unread(span) | Clause::Read(span, _) = row {
                    prop_assert!(last <= span.start && span.start < span.end);
                    prop_assert!(text.get(span.start..span.end).is_some());
                    last = span.end;
                }
            }
        }
    }
}
