//! The lines and words around a hit, for the readers of tables.

use super::evidence::Span;
use super::text::{Gap, View, is_escaped_break};
use crate::letters::is_letter;

/// A word of a line, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// The word.
    pub text: &'a str,
    /// Its place in the whole text.
    pub span: Span,
}

/// The longest colour code of a terminal that is looked for before a word.
const LONGEST_COLOUR: usize = 12;

/// Whether a byte goes on with a name.
pub fn in_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Whether a name begins there: nothing but a colour code stands right before it.
pub fn begins_name(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at.min(text.len())];
    let before = &before[before.len().saturating_sub(LONGEST_COLOUR)..];
    let coloured = before.last() == Some(&b'm') && before.contains(&0x1b);
    coloured || !before.last().is_some_and(in_name)
}

/// The longest line that is read as a row of a table.
const LONGEST: usize = 600;
/// The most lines of a table.
pub const MOST_LINES: usize = 800;
/// How far from a hit a table's readers look, in bytes.
pub const FAR: usize = (MOST_LINES + 2) * (LONGEST + 2);

/// The length of the line break there, 0 where none is: a real one, or the `\n` of an escaped text.
fn break_at(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'\n' | b'\r') => 1,
        Some(b'\\') if is_escaped_break(&bytes[at..]) => 2,
        _ => 0,
    }
}

/// The length of the line break that ends there.
fn break_before(bytes: &[u8], at: usize) -> usize {
    match at.checked_sub(2).map_or(0, |before| break_at(bytes, before)) {
        2 => 2,
        _ => usize::from(matches!(bytes[..at].last(), Some(b'\n' | b'\r'))),
    }
}

/// The line around a byte, without its line break; of a very long line only the part around the byte.
pub fn line_at(text: &str, at: usize) -> Span {
    let bytes = text.as_bytes();
    let at = at.min(bytes.len());
    let mut start = at;
    while start > 0 && at - start < LONGEST && break_before(bytes, start) == 0 {
        start -= 1;
    }
    let mut end = at;
    while end < bytes.len() && end - at < LONGEST && break_at(bytes, end) == 0 {
        end += 1;
    }
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Span {
        start: start.min(end),
        end,
    }
}

/// The words of a line, without the bars and quotation signs that frame them, colour codes and loggers' prefixes.
pub fn tokens(text: &str, line: Span) -> Vec<Token<'_>> {
    pieces(text, line, |byte| matches!(byte, b'|' | b'>'), true)
}

/// The fields of a comma-separated line.
pub fn fields(text: &str, line: Span) -> Vec<Token<'_>> {
    pieces(text, line, |byte| byte == b',', false)
}

/// A line in pieces, at the bytes that separate them and, where asked for, at blanks. Empty pieces count between fields.
fn pieces(text: &str, line: Span, separates: impl Fn(u8) -> bool, at_blanks: bool) -> Vec<Token<'_>> {
    let view = View::of(text, line.start, line.end);
    let mut pieces = Vec::new();
    let mut piece: Option<Span> = None;
    let end_of = |at: usize| {
        let mut end = at + 1;
        while !text.is_char_boundary(end) {
            end += 1;
        }
        end
    };
    let mut close = |piece: &mut Option<Span>| {
        let span = piece.take();
        if span.is_some() || !at_blanks {
            let span = span.unwrap_or_default();
            pieces.push(Token {
                text: span.of(text),
                span,
            });
        }
    };
    for (number, (byte, at)) in view.bytes.iter().zip(&view.at).enumerate() {
        if separates(*byte) {
            close(&mut piece);
            continue;
        }
        // The view leaves out backslashes as it does blanks; in a path they are part of the word.
        let apart = piece.is_some_and(|piece| {
            let between = text.get(piece.end..*at).unwrap_or_default();
            !between.bytes().all(|byte| byte == b'\\')
        });
        if at_blanks && apart && view.gaps[number] != Gap::None {
            close(&mut piece);
        }
        let start = piece.map_or(*at, |piece| piece.start);
        piece = Some(Span {
            start,
            end: end_of(*at),
        });
    }
    close(&mut piece);
    pieces
}

/// The lines behind the one around `at` that hold words, one after another, at most `most`; empty lines and rules of a
/// box are stepped over, three in a row at most.
pub fn following(text: &str, at: usize, most: usize) -> impl Iterator<Item = Span> {
    let mut end = line_at(text, at).end;
    let mut left = most.min(MOST_LINES);
    std::iter::from_fn(move || {
        for _ in 0..4 {
            let bytes = text.as_bytes();
            // Windows' breaks are two.
            let gap = break_at(bytes, end);
            let gap = gap + break_at(bytes, end + gap);
            if gap == 0 || left == 0 {
                return None;
            }
            let line = line_at(text, end + gap);
            end = line.end;
            left -= 1;
            if line
                .of(text)
                .contains(|sign: char| sign.is_ascii_digit() || is_letter(sign))
            {
                return Some(line);
            }
        }
        None
    })
}

/// The lines before the one around `at` that hold words, the nearest first, at most `most`.
pub fn before(text: &str, at: usize, most: usize) -> impl Iterator<Item = Span> {
    let mut start = line_at(text, at).start;
    let mut left = most * 3;
    let lines = std::iter::from_fn(move || {
        left = left.checked_sub(1)?;
        let gap = break_before(text.as_bytes(), start).max(1);
        let line = line_at(text, start.checked_sub(gap)?);
        start = line.start;
        Some(line)
    });
    lines
        .filter(|line| {
            line.of(text)
                .contains(|sign: char| sign.is_ascii_digit() || is_letter(sign))
        })
        .take(most)
}
