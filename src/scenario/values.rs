//! The values of a link: read tolerantly, written in one way only.

use super::{CardKind, Cards};
use crate::catalog::card;
use crate::units::{Bytes, Decimal, GIB, MIB, Prefixes, unit_bytes};

/// The most that any count in a link may be: 10^15.
pub(super) const MOST: i64 = 1_000_000_000_000_000;

/// `8.03` and `8,03` as an exact decimal, and what follows it. At most 18 digits.
fn decimal(text: &str) -> Option<(Decimal, &str)> {
    let (mut mantissa, mut decimals, mut digits) = (0i128, 0u32, 0);
    let mut point = false;
    let mut end = text.len();
    for (at, letter) in text.char_indices() {
        match letter {
            '0'..='9' if digits < 18 => {
                mantissa = mantissa * 10 + i128::from(letter as u32 - '0' as u32);
                decimals += u32::from(point);
                digits += 1;
            }
            '_' => {}
            '.' | ',' if !point => point = true,
            _ => {
                end = at;
                break;
            }
        }
    }
    (digits > 0).then_some((Decimal { mantissa, decimals }, &text[end..]))
}

/// A count from 0 to [`MOST`]; `k`, `m`, `b` and `t` stand for thousands, millions, 10^9 and 10^12.
pub(super) fn count(text: &str) -> Option<i64> {
    let (number, unit) = decimal(text)?;
    let scale = match unit.to_ascii_lowercase().as_str() {
        "" => 1,
        "k" => 1_000,
        "m" => 1_000_000,
        "b" | "g" => 1_000_000_000,
        "t" => 1_000_000_000_000,
        _ => return None,
    };
    if unit.is_empty() && number.decimals > 0 && number.mantissa % 10i128.pow(number.decimals) != 0 {
        return None;
    }
    number
        .times(scale)
        .map(|Bytes(count)| count)
        .filter(|count| *count <= MOST)
}

/// A count, with `b` where it is at least 10^9 and divides by 10^6: `8030000000` is `8.03b`.
pub(super) fn write_count(count: i64) -> String {
    if count < 1_000_000_000 || count % 1_000_000 != 0 {
        return count.to_string();
    }
    let (whole, millions) = (count / 1_000_000_000, count / 1_000_000 % 1000);
    let mut text = whole.to_string();
    if millions != 0 {
        let thousandths = (1000 + millions).to_string();
        text.push('.');
        text.push_str(thousandths[1..].trim_end_matches('0'));
    }
    text.push('b');
    text
}

/// An amount of memory with its unit, binary (`24gib`, `24564mib`) or decimal (`8gb`); a number alone is bytes.
pub(super) fn bytes(text: &str) -> Option<Bytes> {
    let (number, unit) = decimal(text)?;
    let unit = if unit.is_empty() {
        1
    } else {
        unit_bytes(unit, Prefixes::Decimal)?
    };
    number.times(unit)
}

/// An amount in the largest binary unit that it is a whole number of.
pub(super) fn write_bytes(Bytes(bytes): Bytes) -> String {
    let (count, unit) = match bytes {
        _ if bytes > 0 && bytes % GIB == 0 => (bytes / GIB, "gib"),
        _ if bytes > 0 && bytes % MIB == 0 => (bytes / MIB, "mib"),
        _ => (bytes, "b"),
    };
    count.to_string() + unit
}

/// A share from 0 to 1, in tenths of a percent.
pub(super) fn share(text: &str) -> Option<i64> {
    let (number, rest) = decimal(text)?;
    let Bytes(thousandths) = number.times(1000)?;
    (rest.is_empty() && thousandths <= 1000).then_some(thousandths)
}

/// `0.92` for 920 tenths of a percent.
pub(super) fn write_share(thousandths: i64) -> String {
    let text = (1000 + thousandths.clamp(0, 999)).to_string();
    match thousandths {
        1000.. => "1".to_owned(),
        _ => ["0.", text[1..].trim_end_matches('0')].concat(),
    }
}

/// `1` or `0`.
pub(super) fn flag(text: &str) -> Option<bool> {
    match text {
        "1" | "true" | "on" | "yes" => Some(true),
        "0" | "false" | "off" | "no" => Some(false),
        _ => None,
    }
}

/// The longest side of an image that is taken for one, in pixels.
const MOST_SIDE: i64 = 65_536;

/// `1024x768`.
pub(super) fn size(text: &str) -> Option<(i64, i64)> {
    let (width, height) = text.split_once(['x', 'X', '×'])?;
    let side = |text| count(text).filter(|side| (1..=MOST_SIDE).contains(side));
    Some((side(width)?, side(height)?))
}

/// `rtx-4090*2,24gib`: ids or amounts between commas, each with how many there are.
pub(super) fn cards(text: &str) -> Option<Vec<Cards>> {
    text.split(',').map(cards_of_a_kind).collect()
}

fn cards_of_a_kind(text: &str) -> Option<Cards> {
    let (name, count) = match text.split_once('*') {
        Some((name, times)) => (name, count(times).filter(|times| (1..=10_000).contains(times))?),
        None => (text, 1),
    };
    let known = card(name).map(CardKind::Known);
    let kind = known.or_else(|| bytes(name).filter(|bytes| bytes.0 > 0).map(CardKind::Typed))?;
    Some(Cards { kind, count })
}

/// The cards as [`cards`] reads them.
pub(super) fn write_cards(cards: &[Cards]) -> String {
    let mut text = String::new();
    for Cards { kind, count } in cards {
        if !text.is_empty() {
            text.push(',');
        }
        match kind {
            CardKind::Known(card) => text.push_str(card.id),
            CardKind::Typed(bytes) => text.push_str(&write_bytes(*bytes)),
        }
        if *count != 1 {
            text.push('*');
            text.push_str(&count.to_string());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_back() {
        for (text, value) in [
            ("32768", 32768),
            ("8.03b", 8_030_000_000),
            ("8,03B", 8_030_000_000),
            ("1t", 1_000_000_000_000),
            ("32k", 32000),
        ] {
            assert_eq!(count(text), Some(value), "{text}");
            assert_eq!(count(&write_count(value)), Some(value), "{text}");
        }
        assert_eq!(write_count(8_030_000_000), "8.03b");
        for text in [
            "",
            "x",
            "-1",
            "1.5",
            "1e9",
            "NaN",
            "9999999999999999999999",
            "2000t",
            "8 b",
        ] {
            assert_eq!(count(text), None, "{text}");
        }
    }

    #[test]
    fn amounts_and_shares_read_back() {
        for (text, value) in [
            ("24gib", 24 * GIB),
            ("24564mib", 24564 * MIB),
            ("8gb", 8_000_000_000),
            ("1,5GiB", 3 * GIB / 2),
            ("17", 17),
        ] {
            assert_eq!(bytes(text), Some(Bytes(value)), "{text}");
            assert_eq!(bytes(&write_bytes(Bytes(value))), Some(Bytes(value)), "{text}");
        }
        for (text, value) in [("0.92", 920), ("1", 1000), ("0.9", 900), ("0", 0), (".855", 855)] {
            assert_eq!(share(text), Some(value), "{text}");
            assert_eq!(share(&write_share(value)), Some(value), "{text}");
        }
        assert_eq!(share("1.2"), None);
        assert_eq!(bytes("3 parsecs"), None);
    }
}
