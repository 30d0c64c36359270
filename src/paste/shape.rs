//! What a text looks like in which no message was recognised, so that the answer can say what was seen.

use super::evidence::Shape;
use super::text::View;
use crate::letters::is_letter;

/// How much of the text is looked at.
pub const LOOK: usize = 64 * 1024;

/// What a shortage is called where no tool's line is left, without blanks.
const WORDS: [&str; 6] = [
    "outofmemory",
    "acceleratorerror",
    "显存不足",
    "内存不足",
    "メモリ不足",
    "émoireinsuffisante",
];

/// The shape of a text.
pub fn of(text: &str) -> Shape {
    let mut end = text.len().min(LOOK);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // Text in two bytes a sign, read as one.
    let plain = text[..end].replace('\0', "");
    let head = plain.as_str();
    if head.trim().is_empty() {
        return Shape::Empty;
    }
    if is_binary(head) {
        return Shape::Binary;
    }
    let view = View::of(head, 0, head.len());
    let has = |words: &[u8]| view.bytes.windows(words.len()).any(|window| window == words);
    if WORDS.iter().any(|word| has(word.as_bytes())) {
        return Shape::OnlyTheWords;
    }
    let quotes_code = |line: &str| line.trim_start().starts_with("File \"") && line.contains(", line ");
    if head.lines().any(|line| quotes_code(line) || names_error(line))
        || has(b"traceback(mostrecentcalllast)")
        || has(b"exceptioninthread")
        || has(b"panickedat")
        || has(b"terminatingduetouncaughtexception")
        || has(b"terminatecalledafterthrowing")
        || has(b"unhandledcudaerror")
        || has(b"segmentationfault")
    {
        return Shape::Traceback;
    }
    let letters = view
        .bytes
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
        .count();
    let digits = view.bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    if digits > letters {
        return Shape::Numbers;
    }
    if is_prose(head) { Shape::Prose } else { Shape::Log }
}

/// Whether a line names an error as programs do: `KeyError: 'nnunet'`, `java.io.IOException: …`, `Error: …` at its start.
fn names_error(line: &str) -> bool {
    ["Error:", "Exception:"].iter().any(|word| {
        let named = |at: usize| {
            let before =
                line[..at].trim_end_matches(|sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '_'));
            let name = &line[before.len()..at];
            let begins = !before.ends_with(|sign: char| sign.is_alphanumeric());
            begins && (!name.is_empty() || before.trim_start().is_empty())
        };
        line.match_indices(word).any(|(at, _)| named(at))
    })
}

/// Whether more than a twentieth of it are characters that no text has.
pub fn is_binary(text: &str) -> bool {
    let odd = |c: &char| *c == '\u{fffd}' || (c.is_control() && !c.is_whitespace() && *c != '\u{1b}');
    text.chars().filter(odd).count() * 20 > text.chars().count()
}

/// Prose has sentences: most of its words are plain, and it ends clauses with marks.
fn is_prose(text: &str) -> bool {
    let (mut words, mut plain) = (0usize, 0usize);
    for word in text.split_whitespace() {
        words += 1;
        let core =
            word.trim_matches(|c: char| matches!(c, '.' | ',' | '?' | '!' | ':' | ';' | '\'' | '’' | '"' | '(' | ')'));
        plain += usize::from(!core.is_empty() && core.chars().all(|c| is_letter(c) || matches!(c, '\'' | '’' | '-')));
    }
    plain * 4 >= words * 3
}
