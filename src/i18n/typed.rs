//! Numbers and sizes as people type them, in any language's way.

use super::language::Language;
use crate::letters::is_letter;
use crate::message::Message;
use crate::units::{Bytes, Decimal, Prefixes, unit_bytes};

/// `k` of a count of parameters, images or steps: 10^3, `M` 10^6, `B` 10^9.
pub const KILO_DECIMAL: i64 = 1000;
/// `k` of a context in tokens: 32k is 32,768, 1M is 1,048,576.
pub const KILO_CONTEXT: i64 = 1024;

/// The largest number that is read; no card, context or model comes near it.
const LARGEST: i128 = 1_000_000_000_000_000_000;
/// Digits behind the point beyond these change nothing and are dropped.
const MOST_DECIMALS: usize = 12;
/// How much of what was typed an error repeats, in characters.
const MOST_SEEN: usize = 40;

/// A number that is not negative: `1.5`, `1,5`, `32 000`, `32,768`, `1 234,5`, `8k`. Point and comma are read in every
/// language; where one of them could be either (`1,234`), the language decides.
///
/// `kilo` is what `k` means, [`KILO_DECIMAL`] or [`KILO_CONTEXT`]; `M` is its square, `G` or `B` its cube, `T` the fourth power.
///
/// # Errors
///
/// `number-empty`, `number-unreadable`, `number-negative`, `number-too-large`, the last three with `seen`.
pub fn parse_number(language: Language, text: &str, kilo: i64) -> Result<Decimal, Message> {
    let typed = Typed::split(text)?;
    let number = typed.number(if typed.unit.is_empty() {
        Single::ByLanguage(language)
    } else {
        Single::Point
    })?;
    typed.times_suffix(number, kilo)
}

/// A whole number that is not negative: as [`parse_number`], but a lone `1,234` or `1.234` is grouped in every language, since
/// it has no decimals. `1.5k` is whole enough.
///
/// # Errors
///
/// Those of [`parse_number`], and `number-not-whole` with `seen`.
pub fn parse_whole(language: Language, text: &str, kilo: i64) -> Result<i64, Message> {
    let typed = Typed::split(text)?;
    let number = typed.number(if typed.unit.is_empty() {
        Single::Group
    } else {
        Single::ByLanguage(language)
    })?;
    let number = typed.times_suffix(number, kilo)?;
    let scale = 10i128.pow(number.decimals);
    if number.mantissa % scale != 0 {
        return Err(typed.error("number-not-whole"));
    }
    i64::try_from(number.mantissa / scale).map_err(|_| typed.error("number-too-large"))
}

/// An amount of memory that is not negative: `24 GB`, `24 Go`, `1.5 GiB`, `1,5 Gio`, `512Mio`; without a unit it is counted in
/// `bare` bytes. `prefixes` says what GB means here.
///
/// # Errors
///
/// Those of [`parse_number`].
pub fn parse_bytes(language: Language, text: &str, bare: i64, prefixes: Prefixes) -> Result<Bytes, Message> {
    let typed = Typed::split(text)?;
    let number = typed.number(Single::ByLanguage(language))?;
    let unit = match typed.unit {
        "" => Some(bare),
        word => unit_bytes(&in_english(word), prefixes),
    };
    let unit = unit.ok_or_else(|| typed.error("number-unreadable"))?;
    number.times(unit).ok_or_else(|| typed.error("number-too-large"))
}

/// French writes o and octet where English has B and byte.
fn in_english(unit: &str) -> String {
    let lower = unit.to_ascii_lowercase();
    match lower
        .strip_suffix("octets")
        .or(lower.strip_suffix("octet"))
        .or(lower.strip_suffix('o'))
    {
        Some(prefix) => prefix.to_owned() + "b",
        None => lower,
    }
}

/// How a lone point or comma with three digits behind it is read.
#[derive(Clone, Copy)]
enum Single {
    /// As between thousands if that is the language's mark there, else as the decimal point.
    ByLanguage(Language),
    /// As the decimal point: nobody writes 1,234k for a million.
    Point,
    /// As between thousands.
    Group,
}

/// What was typed, cut into number and unit.
struct Typed<'a> {
    seen: &'a str,
    digits: &'a str,
    unit: &'a str,
}

impl<'a> Typed<'a> {
    fn split(text: &'a str) -> Result<Typed<'a>, Message> {
        let seen = text.trim();
        if seen.is_empty() {
            return Err(Message::new("number-empty"));
        }
        let signless = seen.trim_start_matches(['+', '-', '−']);
        let end = signless.find(is_letter).unwrap_or(signless.len());
        let (digits, unit) = signless.split_at(end);
        let typed = Typed {
            seen,
            digits: digits.trim(),
            unit,
        };
        let signs = seen.chars().count() - signless.chars().count();
        match signs {
            0 => Ok(typed),
            1 if seen.starts_with('+') => Ok(typed),
            1 if typed.digits.contains(|c: char| c.is_ascii_digit()) => Err(typed.error("number-negative")),
            _ => Err(typed.error("number-unreadable")),
        }
    }

    fn number(&self, single: Single) -> Result<Decimal, Message> {
        read(self.digits, single).map_err(|id| self.error(id))
    }

    fn times_suffix(&self, number: Decimal, kilo: i64) -> Result<Decimal, Message> {
        let power = match self.unit {
            "" => 0,
            "k" | "K" => 1,
            "m" | "M" => 2,
            "g" | "G" | "b" | "B" | "md" | "Md" => 3,
            "t" | "T" => 4,
            _ => return Err(self.error("number-unreadable")),
        };
        let product = i128::from(kilo)
            .checked_pow(power)
            .and_then(|factor| number.mantissa.checked_mul(factor));
        match product {
            Some(mantissa) if mantissa / 10i128.pow(number.decimals) <= LARGEST => Ok(Decimal { mantissa, ..number }),
            _ => Err(self.error("number-too-large")),
        }
    }

    fn error(&self, id: &'static str) -> Message {
        let mut seen: String = self.seen.chars().take(MOST_SEEN).collect();
        if seen.len() < self.seen.len() {
            seen.push('…');
        }
        Message::new(id).with("seen", seen)
    }
}

/// Reads digits with points, commas and spaces between them; the error is a message's id.
fn read(text: &str, single: Single) -> Result<Decimal, &'static str> {
    let marks = |mark: char| text.matches(mark).count();
    let (points, commas) = (marks('.'), marks(','));
    let last = text.rfind(['.', ',']);
    let point = match (points, commas) {
        (0, 0) => None,
        // Both: the last one is the point, and there is one of it.
        (1.., 1..) => match last {
            Some(at) if marks(char::from(text.as_bytes()[at])) == 1 => last,
            _ => return Err("number-unreadable"),
        },
        (1, 0) | (0, 1) => last.filter(|&at| !is_group(text, at, single)),
        _ => None,
    };
    let (whole, fraction) = match point {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    };
    if !fraction.bytes().all(|digit| digit.is_ascii_digit()) || (whole.is_empty() && fraction.is_empty()) {
        return Err("number-unreadable");
    }
    let fraction = fraction.get(..MOST_DECIMALS).unwrap_or(fraction);
    let mut mantissa = whole_part(whole)?;
    for digit in fraction.bytes() {
        mantissa = mantissa * 10 + i128::from(digit - b'0');
    }
    Ok(Decimal {
        mantissa,
        decimals: fraction.len() as u32,
    })
}

/// Whether the lone mark at `at` stands between thousands.
fn is_group(text: &str, at: usize, single: Single) -> bool {
    let (before, behind) = (&text[..at], &text[at + 1..]);
    let digits = |part: &str| part.bytes().all(|digit| digit.is_ascii_digit());
    let three = behind.len() == 3 && digits(behind) && (1..=3).contains(&before.len()) && digits(before);
    three
        && !before.starts_with('0')
        && match single {
            Single::ByLanguage(language) => language.0.numbers.group == &text[at..=at],
            Single::Point => false,
            Single::Group => true,
        }
}

/// The digits before the point: any number of them, or groups of three behind a first one of one to three.
fn whole_part(text: &str) -> Result<i128, &'static str> {
    let mut groups = text.split(|c: char| c.is_whitespace() || ['.', ',', '_', '\'', '’'].contains(&c));
    let first = groups.next().unwrap_or_default();
    let mut value = 0;
    let mut add = |group: &str| {
        for digit in group.bytes() {
            if !digit.is_ascii_digit() {
                return Err("number-unreadable");
            }
            value = value * 10 + i128::from(digit - b'0');
            if value > LARGEST {
                return Err("number-too-large");
            }
        }
        Ok(())
    };
    add(first)?;
    for group in groups {
        if group.len() != 3 || !(1..=3).contains(&first.len()) {
            return Err("number-unreadable");
        }
        add(group)?;
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Arg;
    use crate::units::{GB, GIB, MIB};
    use proptest::prelude::*;

    const EN: Language = Language::ENGLISH;
    const FR: Language = Language::FRENCH;

    fn number(language: Language, text: &str) -> Result<(i128, u32), &'static str> {
        parse_number(language, text, KILO_DECIMAL)
            .map(|number| (number.mantissa, number.decimals))
            .map_err(|message| message.id)
    }

    #[test]
    fn point_and_comma_in_every_language() {
        let cases = [
            ("1.5", (15, 1)),
            ("1,5", (15, 1)),
            ("0.125", (125, 3)),
            ("0,125", (125, 3)),
            (" 24 ", (24, 0)),
            ("+3", (3, 0)),
            (".5", (5, 1)),
            ("5.", (5, 0)),
            ("32 000", (32_000, 0)),
            ("32\u{202f}768", (32_768, 0)),
            ("1\u{a0}234,5", (12_345, 1)),
            ("1,234.5", (12_345, 1)),
            ("1.234,5", (12_345, 1)),
            ("1,234,567", (1_234_567, 0)),
            ("1.234.567", (1_234_567, 0)),
            ("1'234'567.25", (123_456_725, 2)),
            ("32_768", (32_768, 0)),
            ("1.2345", (12_345, 4)),
            ("1234,567", (1_234_567, 3)),
            ("8B", (8_000_000_000, 0)),
            ("8,03 B", (803_000_000_000, 2)),
            ("70 Md", (70_000_000_000, 0)),
            ("1.234k", (1_234_000, 3)),
            ("1.5T", (15_000_000_000_000, 1)),
        ];
        for (text, expected) in cases {
            for language in [EN, FR] {
                assert_eq!(number(language, text), Ok(expected), "{text} in {language:?}");
            }
        }
    }

    #[test]
    fn the_language_decides_where_both_would_do() {
        assert_eq!(number(EN, "32,768"), Ok((32_768, 0)));
        assert_eq!(number(FR, "32,768"), Ok((32_768, 3)));
        assert_eq!(number(EN, "1.234"), Ok((1_234, 3)));
        assert_eq!(number(FR, "1.234"), Ok((1_234, 3)));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let cases = [
            ("", "number-empty"),
            (" \u{202f}\t", "number-empty"),
            ("abc", "number-unreadable"),
            ("12 potatoes", "number-unreadable"),
            ("1,2,3", "number-unreadable"),
            ("1.2,3.4", "number-unreadable"),
            ("1,234,5", "number-unreadable"),
            ("1234,567,890", "number-unreadable"),
            ("1 2", "number-unreadable"),
            (",", "number-unreadable"),
            ("k", "number-unreadable"),
            ("--5", "number-unreadable"),
            ("-", "number-unreadable"),
            ("1e9", "number-unreadable"),
            ("٣", "number-unreadable"),
            ("NaN", "number-unreadable"),
            ("-5", "number-negative"),
            ("−1,5", "number-negative"),
            ("99999999999999999999999999999999999999999999", "number-too-large"),
            ("1000000000T", "number-too-large"),
        ];
        for (text, expected) in cases {
            assert_eq!(number(EN, text), Err(expected), "{text}");
            assert_eq!(number(FR, text), Err(expected), "{text}");
        }
        let long = parse_number(EN, &"x".repeat(1000), KILO_DECIMAL).map_err(|error| error.args.clone());
        assert_eq!(long, Err(vec![("seen", Arg::Text("x".repeat(40) + "…"))]));
    }

    #[test]
    fn whole_numbers_and_contexts() {
        let whole = |language, text| parse_whole(language, text, KILO_CONTEXT).map_err(|message| message.id);
        for language in [EN, FR] {
            assert_eq!(whole(language, "32k"), Ok(32_768));
            assert_eq!(whole(language, "128 K"), Ok(131_072));
            assert_eq!(whole(language, "1M"), Ok(1_048_576));
            assert_eq!(whole(language, "1.5k"), Ok(1_536));
            assert_eq!(whole(language, "32,768"), Ok(32_768));
            assert_eq!(whole(language, "32.768"), Ok(32_768));
            assert_eq!(whole(language, "32 768"), Ok(32_768));
            assert_eq!(whole(language, "8.0"), Ok(8));
            assert_eq!(whole(language, "1.5"), Err("number-not-whole"));
            assert_eq!(whole(language, "1,3k"), Err("number-not-whole"));
        }
    }

    #[test]
    fn memory_in_the_units_of_both_languages() {
        let bytes = |text| parse_bytes(FR, text, GIB, Prefixes::Decimal).map_err(|message| message.id);
        let cases = [
            ("24", Bytes::gib(24)),
            ("24 GB", Bytes(24 * GB)),
            ("24 Go", Bytes(24 * GB)),
            ("24G", Bytes(24 * GB)),
            ("1.5 GiB", Bytes(3 * GIB / 2)),
            ("1,5\u{a0}Gio", Bytes(3 * GIB / 2)),
            ("512Mio", Bytes(512 * MIB)),
            ("512 mib", Bytes(512 * MIB)),
            ("100 octets", Bytes(100)),
            ("100 o", Bytes(100)),
            ("100 Ko", Bytes(100_000)),
        ];
        for (text, expected) in cases {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        assert_eq!(parse_bytes(EN, "24 Go", GIB, Prefixes::Binary), Ok(Bytes::gib(24)));
        assert_eq!(bytes("24 parsecs"), Err("number-unreadable"));
        assert_eq!(bytes("17179869184 GiB"), Err("number-too-large"));
        assert_eq!(bytes("-3 Go"), Err("number-negative"));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,60}", digits in "[-+0-9., kKmMgGbBoO']{0,60}") {
            for text in [text, digits] {
                for language in [EN, FR] {
                    let _ = parse_number(language, &text, KILO_DECIMAL);
                    let _ = parse_whole(language, &text, KILO_CONTEXT);
                    let _ = parse_bytes(language, &text, i64::MAX, Prefixes::Binary);
                }
            }
        }

        #[test]
        fn what_is_printed_is_read_back(value in 0i64..1_000_000_000_000, decimals in 0u32..9) {
            for language in [EN, FR] {
                let format = super::super::Format { language, units: Default::default() };
                let read = parse_number(language, &format.number(value, decimals), KILO_DECIMAL);
                prop_assert_eq!(read, Ok(Decimal { mantissa: value.into(), decimals }));
            }
        }
    }
}
