//! Reads what stands in a hole: numbers as tools and locales print them, units, words.

use super::evidence::Value;
use super::template::Hole;
use super::text::{Gap, View};
use crate::units::{Bytes, Decimal, Prefixes, unit_bytes};

/// Why a hole could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// Something else stands there.
    Other,
    /// The text ends there, or an ellipsis stands there.
    CutOff,
}

/// The smallest number that is read as a context.
const FEWEST_TOKENS: i64 = 256;

/// The most marks in a number: a separator after every three of its digits.
const MOST_MARKS: usize = 12;

/// The most bytes that a word or a run of words may take.
const LONGEST_TEXT: usize = 160;

/// Reads a hole at `start` of the view: its value (`None` for words, which the caller takes from the original) and
/// where it ends. `next` is the literal behind it, if one follows.
pub fn read(view: &View, start: usize, hole: Hole, next: Option<&[u8]>) -> Result<(Option<Value>, usize), Miss> {
    match hole {
        Hole::Size | Hole::Sizes => size(view, start, Prefixes::Binary),
        Hole::DecimalSize => size(view, start, Prefixes::Decimal),
        Hole::Units(unit) => {
            let (number, end) = number(view, start)?;
            Ok((Some(counted(number, unit)), end))
        }
        Hole::Int => {
            let (number, end) = number(view, start)?;
            if number.decimals > 0 {
                return Err(Miss::Other);
            }
            Ok((
                Some(i64::try_from(number.mantissa).map_or(Value::Unlimited, Value::Count)),
                end,
            ))
        }
        Hole::Tokens => {
            let (number, end) = number(view, start)?;
            match i64::try_from(number.mantissa) {
                Ok(count) if number.decimals == 0 && count >= FEWEST_TOKENS => Ok((Some(Value::Count(count)), end)),
                _ => Err(Miss::Other),
            }
        }
        Hole::Number => number(view, start).map(|(number, end)| (Some(Value::Number(number)), end)),
        Hole::Word => words(view, start, next, Gap::Space),
        Hole::Text => words(view, start, next, Gap::Line),
    }
}

fn words(view: &View, start: usize, next: Option<&[u8]>, stop: Gap) -> Result<(Option<Value>, usize), Miss> {
    let mut end = start;
    while end < view.bytes.len() && end - start < LONGEST_TEXT {
        // Words whose end is known may go on behind the terminal's line break.
        let ends = if next.is_some() {
            view.gaps[end] == stop && stop == Gap::Space
        } else {
            view.gaps[end] >= stop
        };
        if end > start && ends {
            break;
        }
        if end > start && next.is_some_and(|words| view.bytes[end..].starts_with(words)) {
            break;
        }
        end += 1;
    }
    if end > start { Ok((None, end)) } else { Err(Miss::Other) }
}

fn size(view: &View, start: usize, prefixes: Prefixes) -> Result<(Option<Value>, usize), Miss> {
    let (number, mut end) = number(view, start)?;
    // `273. GiB` of older numpy.
    let at = |index: usize| view.bytes.get(index).copied().unwrap_or(0);
    if number.decimals == 0 && at(end) == b'.' && at(end + 1).is_ascii_alphabetic() {
        end += 1;
    }
    let rest = &view.bytes[end.min(view.bytes.len())..];
    let letters = rest
        .iter()
        .take(5)
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let word = &rest[..letters];
    // The longest beginning that is a unit: behind a line break of the terminal the next word follows directly.
    for length in (1..=word.len()).rev() {
        let glued =
            view.bytes.get(end + length).is_some_and(u8::is_ascii_alphabetic) && view.gaps[end + length] == Gap::None;
        let Some(unit) = std::str::from_utf8(&word[..length])
            .ok()
            .and_then(|unit| unit_bytes(unit, prefixes))
        else {
            continue;
        };
        if glued && length < 2 {
            continue;
        }
        let value = number.times(unit).map_or(Value::Unlimited, Value::Bytes);
        return Ok((Some(value), end + length));
    }
    Err(if at_end(view, end) { Miss::CutOff } else { Miss::Other })
}

/// Whether nothing follows but an ellipsis, or a quotation mark and an ellipsis.
fn at_end(view: &View, at: usize) -> bool {
    let rest = &view.bytes[at.min(view.bytes.len())..];
    rest.starts_with(b"..") || matches!(rest, [] | [b'.'])
}

/// A number at `start`: digits with points or commas, a sign allowed. Digits may go on behind a line break (a terminal
/// wraps anywhere) but not behind a blank.
fn number(view: &View, start: usize) -> Result<(Decimal, usize), Miss> {
    let at = |index: usize| view.bytes.get(index).copied().unwrap_or(0);
    let joined = |index: usize| view.joins(index);
    if start >= view.bytes.len() || at_end(view, start) {
        return Err(Miss::CutOff);
    }
    let negative = at(start) == b'-';
    let first = start + usize::from(negative);
    let mut mantissa = 0i128;
    let mut digits = 0;
    // Where each mark stands: how many digits precede it, and which mark it is.
    let mut marks = [(0, 0); MOST_MARKS];
    let mut marked = 0;
    let mut end = first;
    while digits < 36 {
        let byte = at(end);
        if byte.is_ascii_digit() && (end == first || joined(end)) {
            mantissa = mantissa * 10 + i128::from(byte - b'0');
            digits += 1;
            end += 1;
        } else if matches!(byte, b'.' | b',')
            && digits > 0
            && joined(end)
            && at(end + 1).is_ascii_digit()
            && joined(end + 1)
            // A list may go on behind a line break: `(0.92,` and ` 72.85 GiB)`.
            && (byte == b'.' || view.gaps[end + 1] == Gap::None)
        {
            // More marks than any number has: a version, an address.
            *marks.get_mut(marked).ok_or(Miss::Other)? = (digits, byte);
            marked += 1;
            end += 1;
        } else {
            break;
        }
    }
    if digits == 0 {
        return Err(Miss::Other);
    }
    let decimals = decimals(&marks[..marked], digits).ok_or(Miss::Other)?;
    Ok((
        Decimal {
            mantissa: if negative { -mantissa } else { mantissa },
            decimals: decimals as u32,
        },
        end,
    ))
}

/// How many digits are decimals: points are decimal points; a comma before exactly three digits separates thousands,
/// otherwise it is a decimal comma (`1900,00 MiB` of some locales). `None` for what is no number, such as a version.
fn decimals(marks: &[(usize, u8)], digits: usize) -> Option<usize> {
    let behind = |mark: usize| digits - marks[mark].0;
    match marks {
        [] => Some(0),
        [(_, b'.')] => Some(behind(0)),
        [(_, b',')] => Some(if behind(0) == 3 { 0 } else { behind(0) }),
        [commas @ .., (_, b'.')] if commas.iter().all(|mark| mark.1 == b',') => Some(behind(marks.len() - 1)),
        commas if commas.iter().all(|mark| mark.1 == b',') && behind(commas.len() - 1) == 3 => Some(0),
        _ => None,
    }
}

/// A bare number of units. Tools that subtract unsigned numbers wrap: what stands just below 2^64 bytes is a negative
/// amount; 2^64 itself, and anything else past what a card could hold, is the driver's "unknown".
fn counted(number: Decimal, unit: i64) -> Value {
    if let Some(bytes) = number.times(unit) {
        return Value::Bytes(bytes);
    }
    let wrapped = number.mantissa.saturating_mul(i128::from(unit)) - (1i128 << 64);
    match i64::try_from(wrapped) {
        Ok(bytes) if number.decimals == 0 && (-(1 << 48)..=-2 * unit).contains(&bytes) => Value::Bytes(Bytes(bytes)),
        _ => Value::Unlimited,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::MIB;

    #[test]
    fn unsigned_differences_are_unwrapped() {
        let mib = |mantissa| counted(Decimal { mantissa, decimals: 0 }, MIB);
        assert_eq!(mib(24_124), Value::Bytes(Bytes::mib(24_124)));
        assert_eq!(mib(-15_681), Value::Bytes(Bytes::mib(-15_681)));
        assert_eq!(mib(17_592_186_029_324), Value::Bytes(Bytes::mib(-15_092)));
        assert_eq!(mib(17_592_186_044_416), Value::Unlimited);
        assert_eq!(mib(17_592_186_044_415), Value::Unlimited);
        assert_eq!(mib(i128::MAX), Value::Unlimited);
    }
}
