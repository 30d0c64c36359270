//! What is kept of a long text: the lines around what was recognised, in one short text with the rest left out.

use super::evidence::{Hit, Span};

/// How many bytes are kept around what failed, and as many around everything else.
const MOST: usize = 96 * 1024;
/// How much of a line is kept on either side of a recognised stretch; of one without end no more than that.
const AROUND: usize = 600;

/// A place where lines of the text are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    /// Where, in what was kept.
    pub at: usize,
    /// How many lines.
    pub lines: usize,
}

/// A stretch of the text that is kept.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Its place in the whole text.
    span: Span,
    /// Where it begins in what is kept.
    at: usize,
}

/// What is kept so far.
#[derive(Debug, Default)]
pub struct Excerpt {
    /// The kept stretches, one behind the other.
    pub text: String,
    /// Where lines are left out.
    pub skips: Vec<Skip>,
    pieces: Vec<Piece>,
    /// Up to here the lines of the text are kept or counted.
    counted: usize,
    /// The lines left out since the last piece.
    lines: usize,
    /// How much is kept around failures, and around other things.
    spent: [usize; 2],
}

impl Excerpt {
    /// Keeps the lines around these hits, with whether each belongs to a failure. `window` is what is there of the text
    /// from `base` on.
    pub fn keep<'a>(&mut self, window: &str, base: usize, hits: impl Iterator<Item = (&'a Hit, bool)>) {
        let mut spans = Vec::new();
        for (hit, failed) in hits {
            let span = with_lines(window, hit.span.start - base, hit.span.end - base);
            let spent = &mut self.spent[usize::from(failed)];
            if *spent < MOST {
                *spent += span.end.saturating_sub(span.start);
                spans.push(span);
            }
        }
        for span in crate::order::by_key(spans, |span| span.start as i64) {
            // Lines that two hits share are kept once.
            let start = span.start.max(self.kept_to().saturating_sub(base));
            if start < span.end {
                self.append(window, base, Span { start, ..span });
            }
        }
    }

    /// Where the last piece ends.
    fn kept_to(&self) -> usize {
        self.pieces.last().map_or(0, |piece| piece.span.end)
    }

    fn append(&mut self, window: &str, base: usize, span: Span) {
        let whole = Span {
            start: span.start + base,
            end: span.end + base,
        };
        self.count_to(window, base, whole.start);
        self.counted = whole.end;
        match self.pieces.last_mut() {
            Some(piece) if piece.span.end == whole.start => piece.span.end = whole.end,
            _ => {
                if !self.text.is_empty() && !self.text.ends_with('\n') {
                    self.text.push('\n');
                }
                self.skip();
                let at = self.text.len();
                self.pieces.push(Piece { span: whole, at });
            }
        }
        self.text.push_str(span.of(window));
    }

    /// Writes down what was left out.
    fn skip(&mut self) {
        if self.lines > 0 {
            let (at, lines) = (self.text.len(), std::mem::take(&mut self.lines));
            self.skips.push(Skip { at, lines });
        }
    }

    /// Counts the lines up to `end` that are not kept: that part of the window will not be there again.
    pub fn count_to(&mut self, window: &str, base: usize, end: usize) {
        let left_out = window
            .as_bytes()
            .get(self.counted.saturating_sub(base)..end.saturating_sub(base));
        self.lines += left_out
            .unwrap_or_default()
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        self.counted = self.counted.max(end);
    }

    /// Tells what was left out behind the last piece.
    pub fn finish(&mut self) {
        self.skip();
    }

    /// The place in what is kept of a place in the whole text; empty where not all of that is kept.
    pub fn place(&self, span: Span) -> Span {
        let number = self.pieces.partition_point(|piece| piece.span.start <= span.start);
        let Some(piece) = number.checked_sub(1).and_then(|number| self.pieces.get(number)) else {
            return Span::default();
        };
        let start = piece.at + span.start.min(piece.span.end) - piece.span.start;
        let kept = span.start <= span.end && span.end <= piece.span.end;
        let end = start + if kept { span.end - span.start } else { 0 };
        Span { start, end }
    }
}

/// The stretch with the rest of its lines, and a line on either side; no more than [`AROUND`] bytes before and behind it.
fn with_lines(text: &str, start: usize, end: usize) -> Span {
    let bytes = text.as_bytes();
    let to_break = |bytes: &mut dyn Iterator<Item = &u8>| {
        let mut breaks = 0;
        let within = bytes.take(AROUND).take_while(|byte| {
            breaks += usize::from(**byte == b'\n');
            breaks < 2
        });
        within.count()
    };
    let mut from = start - to_break(&mut bytes.get(..start).unwrap_or_default().iter().rev());
    let mut to = end + to_break(&mut bytes.get(end..).unwrap_or_default().iter());
    // With its line break.
    to += usize::from(bytes.get(to) == Some(&b'\n'));
    while !text.is_char_boundary(from) {
        from += 1;
    }
    while !text.is_char_boundary(to) {
        to += 1;
    }
    Span { start: from, end: to }
}
