//! A text cut for reading line by line: each recognised stretch with the words around it, the lines next to it, gaps between.

use super::evidence::{Hit, Span};
use super::excerpt::Skip;
use std::ops::Range;

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

/// The rows so far.
struct Rows<'a> {
    text: &'a str,
    rows: Vec<Clause>,
    /// Where lines are left out of the text already, and not yet told.
    skips: &'a [Skip],
    /// The lines left out since the last row.
    left_out: usize,
}

impl Rows<'_> {
    /// Tells what is left out up to `at`, then `row`.
    fn push(&mut self, at: usize, row: Option<Clause>) {
        while let Some((skip, later)) = self.skips.split_first().filter(|(skip, _)| skip.at <= at) {
            self.left_out += skip.lines;
            self.skips = later;
        }
        if self.left_out > 0 {
            self.rows.push(Clause::Gap(std::mem::take(&mut self.left_out)));
        }
        self.rows.extend(row);
    }

    fn unread(&mut self, from: usize, to: usize) {
        let end = floor_char(self.text, to.min(from.saturating_add(MOST_UNREAD)));
        if self.text.get(from..end).is_some_and(|text| !text.trim().is_empty()) {
            self.push(from, Some(Clause::Unread(Span { start: from, end })));
        }
    }

    /// The lines between two clauses: so many behind the one and before the other, and how many are left out.
    fn between(&mut self, from: usize, to: usize, [head, tail]: [usize; 2]) {
        let stretch = self.text.get(from..to).unwrap_or_default();
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
            if number < head || number >= head + left_out {
                self.unread(from, to);
            } else {
                self.left_out += 1;
            }
        }
    }
}

/// Cuts a text at these of its hits. Nothing comes out of a text without hits. `skips` are the places where lines are left
/// out of the text already.
pub fn clauses(text: &str, skips: &[Skip], hits: &[Hit], chosen: Range<usize>) -> Vec<Clause> {
    let mut rows = Rows {
        text,
        rows: Vec::new(),
        skips,
        left_out: 0,
    };
    // Everything before `at` is kept or left out already.
    let mut at = 0;
    let hits = hits.get(..chosen.end.min(hits.len())).unwrap_or_default();
    for (number, hit) in hits.iter().enumerate().skip(chosen.start) {
        let Span { start, end } = hit.span;
        if start < at || end <= start || text.get(start..end).is_none() {
            continue;
        }
        if let Some(newline) = text.get(at..start).and_then(|before| before.rfind('\n')) {
            let begin = at + newline + 1;
            rows.between(at, begin, [usize::from(at > 0) * AROUND, AROUND]);
            at = begin;
        }
        let later = hits.iter().skip(number + 1);
        let next = later
            .map(|hit| hit.span.start)
            .find(|next| *next >= end)
            .unwrap_or(text.len());
        let close = closing(text, end, next);
        // Of a line without end only what stands just before the clause is kept.
        let from = at.max(floor_char(text, start.saturating_sub(MOST_UNREAD)));
        let span = Span {
            start: from,
            end: close,
        };
        rows.push(from, Some(Clause::Read(span, number)));
        at = close;
        // The rest of the line, where no other clause begins in it.
        let rest = text.get(at..next).unwrap_or_default();
        if let Some(end) = rest.find('\n').or((next == text.len()).then_some(rest.len())) {
            rows.unread(at, at + end);
            at += end;
        }
    }
    if at > 0 {
        rows.between(at, text.len(), [AROUND, 0]);
        rows.push(text.len(), None);
    }
    rows.rows
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
        clauses(text, &[], &read(text).hits, 0..80)
            .into_iter()
            .map(row)
            .collect()
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
    fn lines_left_out_before_count_in_the_gaps() {
        let error = "RuntimeError: CUDA error: out of memory\n";
        let text = ["a\n", error, "b\nc\n", error, "d\n"].concat();
        let skip = |at: usize, lines: usize| Skip { at, lines };
        let skips = [skip(0, 100), skip(2 + error.len() + 2, 20), skip(text.len(), 3)];
        let rows = clauses(&text, &skips, &read(&text).hits, 0..80);
        let gaps = |rows: &[Clause]| -> Vec<(usize, usize)> {
            let gap = |(at, row): (usize, &Clause)| match row {
                Clause::Gap(lines) => Some((at, *lines)),
                _ => None,
            };
            rows.iter().enumerate().filter_map(gap).collect()
        };
        assert_eq!(gaps(&rows), [(0, 100), (4, 20), (8, 3)]);
        // From the second one on, all before it is left out.
        let rows = clauses(&text, &skips, &read(&text).hits, 1..80);
        assert_eq!(gaps(&rows), [(0, 123), (4, 3)]);
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
            for row in clauses(&text, &[], &hits, 0..4) {
                if let Clause::Unread(span) | Clause::Read(span, _) = row {
                    prop_assert!(last <= span.start && span.start < span.end);
                    prop_assert!(text.get(span.start..span.end).is_some());
                    last = span.end;
                }
            }
        }
    }
}
