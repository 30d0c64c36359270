//! Numbers, memory, percent and money as a language writes them: one implementation, a table per language, integers only.

use super::language::Language;
use crate::units::{Bytes, GIB, MIB};

/// How a language writes numbers, units and money (CLDR 42, but for the space before a unit: see [`Numbers::FRENCH`]).
pub struct Numbers {
    /// Between the units and the tenths.
    pub point: &'static str,
    /// Between thousands.
    pub group: &'static str,
    /// Behind a percentage.
    pub percent: &'static str,
    /// Before and behind an amount in euros.
    pub euro: (&'static str, &'static str),
    /// Between a number and its unit.
    pub unit_space: &'static str,
    /// Bytes, and 2^10, 2^20, 2^30 of them.
    pub binary: [&'static str; 4],
    /// Bytes, and 10^3, 10^6, 10^9 of them.
    pub decimal: [&'static str; 4],
}

impl Numbers {
    /// English: 1,234.5 GiB, 12.5%, €0.59.
    pub const ENGLISH: Numbers = Numbers {
        point: ".",
        group: ",",
        percent: "%",
        euro: ("€", ""),
        unit_space: " ",
        binary: ["B", "KiB", "MiB", "GiB"],
        decimal: ["B", "kB", "MB", "GB"],
    };
    /// French: 1 234,5 Gio, 12,5 %, 0,59 €. CLDR has a narrow no-break space before a unit; the usage kept here is the
    /// ordinary no-break space, as before % and €.
    pub const FRENCH: Numbers = Numbers {
        point: ",",
        group: "\u{202f}",
        percent: "\u{a0}%",
        euro: ("", "\u{a0}€"),
        unit_space: "\u{a0}",
        binary: ["o", "Kio", "Mio", "Gio"],
        decimal: ["o", "ko", "Mo", "Go"],
    };

    /// `magnitude / 10^decimals` with its sign, grouped, e.g. `-1,234.50`. Beyond nine decimals the last ones are cut.
    pub(super) fn write(&self, out: &mut String, negative: bool, magnitude: u64, decimals: u32) {
        let cut = decimals.saturating_sub(9).min(20);
        let mut rest = (0..cut).fold(magnitude, |rest, _| rest / 10);
        let decimals = decimals.min(9) as usize;
        if negative && rest > 0 {
            out.push('-');
        }
        let mut digits = [b'0'; 20];
        let mut count = decimals + 1;
        for (place, digit) in digits.iter_mut().enumerate() {
            if rest == 0 {
                break;
            }
            *digit += (rest % 10) as u8;
            rest /= 10;
            count = count.max(place + 1);
        }
        for (place, digit) in digits.iter().enumerate().take(count).rev() {
            out.push(char::from(*digit));
            if place == decimals && place > 0 {
                out.push_str(self.point);
            } else if place > decimals && (place - decimals).is_multiple_of(3) {
                out.push_str(self.group);
            }
        }
    }
}

/// Which units of memory the reader sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// KiB, MiB, GiB: powers of 1024, as GPU tools count.
    #[default]
    Binary,
    /// kB, MB, GB: powers of 1000.
    Decimal,
}

/// Bytes per unit, by the place of the unit in [`Numbers::binary`] and [`Numbers::decimal`].
const SIZES: [[u64; 4]; 2] = [[1, 1 << 10, 1 << 20, 1 << 30], [1, 1_000, 1_000_000, 1_000_000_000]];

/// A language with the reader's choice of units: prints every kind of figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Whose numbers.
    pub language: Language,
    /// Which units of memory.
    pub units: Units,
}

impl Format {
    fn numbers(self) -> &'static Numbers {
        self.language.0.numbers
    }

    /// A whole number: `32,768`.
    pub fn count(self, count: i64) -> String {
        self.number(count, 0)
    }

    /// `value / 10^decimals` with all its decimals: `4.50` of (450, 2).
    pub fn number(self, value: i64, decimals: u32) -> String {
        let mut out = String::new();
        self.numbers()
            .write(&mut out, value < 0, value.unsigned_abs(), decimals);
        out
    }

    /// A share given in tenths of a percent: `12.5%` of 125, `90%` of 900.
    pub fn percent(self, per_mille: i64) -> String {
        let (value, decimals) = trimmed(per_mille.unsigned_abs(), 1);
        let mut out = String::new();
        self.numbers().write(&mut out, per_mille < 0, value, decimals);
        out.push_str(self.numbers().percent);
        out
    }

    /// An amount of money in euro cents: `€0.59`.
    pub fn euro_cents(self, cents: i64) -> String {
        let (before, behind) = self.numbers().euro;
        let mut out = String::new();
        if cents < 0 {
            out.push('-');
        }
        out.push_str(before);
        self.numbers().write(&mut out, false, cents.unsigned_abs(), 2);
        out.push_str(behind);
        out
    }

    /// The class of a card, as its name has it: `24 GB`. Not an amount of memory: the switch of units does not touch it.
    pub fn card_gb(self, gigabytes: i64) -> String {
        let mut out = self.count(gigabytes);
        self.push_unit(&mut out, self.numbers().decimal[3]);
        out
    }

    /// An amount of memory: `23.65 GiB`, `432 MiB`, `62.44 MiB`, `512 B`. Giga always has two decimals, as the tools print it,
    /// so that a figure is found again in the paste; smaller units lose theirs when they are zeros. No unit stands above giga:
    /// PyTorch's 6080.27 GiB stays what it is.
    pub fn bytes(self, bytes: Bytes) -> String {
        let magnitude = bytes.0.unsigned_abs();
        let sizes = &SIZES[self.units as usize];
        let place = if known_to_a_hundredth_of_a_gib(magnitude) {
            3
        } else {
            place(magnitude, sizes)
        };
        let (value, decimals) = match place {
            0 => (magnitude, 0),
            3 => (scaled(magnitude, sizes[3], 100), 2),
            _ => match scaled(magnitude, sizes[place], 100) {
                whole if whole.is_multiple_of(100) => (whole / 100, 0),
                hundredths => (hundredths, 2),
            },
        };
        let mut out = String::new();
        self.numbers().write(&mut out, bytes.0 < 0, value, decimals);
        self.push_unit(&mut out, self.unit(place));
        out
    }

    /// An estimate's range in one unit: `5–6.2 GiB`, `98–120 MiB`; one figure where both ends print alike. Tenths below a
    /// hundred, none above: an estimate knows no more.
    pub fn range(self, one: Bytes, other: Bytes) -> String {
        let (low, high) = if one <= other { (one, other) } else { (other, one) };
        let largest = low.0.unsigned_abs().max(high.0.unsigned_abs());
        let sizes = &SIZES[self.units as usize];
        let place = place(largest, sizes);
        let decimals = u32::from(place > 0 && largest / sizes[place] < 100);
        let end = |bytes: Bytes| {
            let value = scaled(bytes.0.unsigned_abs(), sizes[place], 10u64.pow(decimals));
            let (value, decimals) = trimmed(value, decimals);
            let mut out = String::new();
            self.numbers().write(&mut out, bytes.0 < 0, value, decimals);
            out
        };
        let (low, high) = (end(low), end(high));
        let mut out = if low == high { low } else { low + "–" + &high };
        self.push_unit(&mut out, self.unit(place));
        out
    }

    fn unit(self, place: usize) -> &'static str {
        let table = match self.units {
            Units::Binary => &self.numbers().binary,
            Units::Decimal => &self.numbers().decimal,
        };
        table.get(place).copied().unwrap_or_default()
    }

    fn push_unit(self, out: &mut String, unit: &str) {
        out.push_str(self.numbers().unit_space);
        out.push_str(unit);
    }
}

/// `magnitude · factor / size`, to the nearest, without overflow for factors up to 100.
fn scaled(magnitude: u64, size: u64, factor: u64) -> u64 {
    let (whole, rest) = (magnitude / size, magnitude % size);
    whole
        .saturating_mul(factor)
        .saturating_add((rest * factor + size / 2) / size)
}

/// The largest unit that `magnitude` fills once rounded to hundredths of the unit below: 1023.999 MiB is 1.00 GiB.
fn place(magnitude: u64, sizes: &[u64; 4]) -> usize {
    let fills = |place: &usize| scaled(magnitude, sizes[place - 1], 100) >= sizes[*place] / sizes[place - 1] * 100;
    (1..4).rev().find(fills).unwrap_or(0)
}

/// Whether a figure below 1 GiB was given in hundredths of a GiB (vLLM's 0.66 GiB, 2.00 GiB less 1.12 GiB), so that it must
/// not be shown in MiB as if it were known to the hundredth of one. Whole MiB are MiB.
fn known_to_a_hundredth_of_a_gib(magnitude: u64) -> bool {
    let (gib, mib) = (GIB as u64, MIB as u64);
    if magnitude >= gib || magnitude.is_multiple_of(mib) {
        return false;
    }
    let hundredths = scaled(magnitude, gib, 100);
    let printed = (hundredths * gib + 50) / 100;
    hundredths > 0 && magnitude.abs_diff(printed) <= 4
}

/// `value / 10^decimals` without the zeros at its end.
fn trimmed(mut value: u64, mut decimals: u32) -> (u64, u32) {
    while decimals > 0 && value.is_multiple_of(10) {
        value /= 10;
        decimals -= 1;
    }
    (value, decimals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::KIB;
    use proptest::prelude::*;

    const EN: Format = Format {
        language: Language::ENGLISH,
        units: Units::Binary,
    };
    const FR: Format = Format {
        language: Language::FRENCH,
        units: Units::Binary,
    };

    fn gb(format: Format) -> Format {
        Format {
            units: Units::Decimal,
            ..format
        }
    }

    /// What Node 20's Intl.NumberFormat (ICU 74) prints for "en" and "fr": the number with all its decimals, the decimals, and both.
    const INTL_NUMBERS: &[(i64, u32, &str, &str)] = &[
        (0, 0, "0", "0"),
        (7, 0, "7", "7"),
        (999, 0, "999", "999"),
        (1234, 0, "1,234", "1\u{202f}234"),
        (32768, 0, "32,768", "32\u{202f}768"),
        (131072, 0, "131,072", "131\u{202f}072"),
        (-1234567, 0, "-1,234,567", "-1\u{202f}234\u{202f}567"),
        (
            i64::MAX,
            0,
            "9,223,372,036,854,775,807",
            "9\u{202f}223\u{202f}372\u{202f}036\u{202f}854\u{202f}775\u{202f}807",
        ),
        (5, 1, "0.5", "0,5"),
        (450, 2, "4.50", "4,50"),
        (-12345, 2, "-123.45", "-123,45"),
        (1234567, 2, "12,345.67", "12\u{202f}345,67"),
        (5, 3, "0.005", "0,005"),
    ];

    #[test]
    fn numbers_as_intl_prints_them() {
        for &(value, decimals, english, french) in INTL_NUMBERS {
            assert_eq!(EN.number(value, decimals), english);
            assert_eq!(FR.number(value, decimals), french);
        }
    }

    /// Tenths of a percent, and what Intl prints for `style: "percent"` with at most one decimal.
    const INTL_PERCENT: &[(i64, &str, &str)] = &[
        (125, "12.5%", "12,5\u{a0}%"),
        (900, "90%", "90\u{a0}%"),
        (1000, "100%", "100\u{a0}%"),
        (3, "0.3%", "0,3\u{a0}%"),
        (-25, "-2.5%", "-2,5\u{a0}%"),
        (12345, "1,234.5%", "1\u{202f}234,5\u{a0}%"),
    ];

    #[test]
    fn percent_as_intl_prints_it() {
        for &(per_mille, english, french) in INTL_PERCENT {
            assert_eq!(EN.percent(per_mille), english);
            assert_eq!(FR.percent(per_mille), french);
        }
    }

    /// Cents, and what Intl prints for `style: "currency", currency: "EUR"`.
    const INTL_EUROS: &[(i64, &str, &str)] = &[
        (59, "€0.59", "0,59\u{a0}€"),
        (390, "€3.90", "3,90\u{a0}€"),
        (123450, "€1,234.50", "1\u{202f}234,50\u{a0}€"),
        (-123450, "-€1,234.50", "-1\u{202f}234,50\u{a0}€"),
        (0, "€0.00", "0,00\u{a0}€"),
    ];

    #[test]
    fn euros_as_intl_prints_them() {
        for &(cents, english, french) in INTL_EUROS {
            assert_eq!(EN.euro_cents(cents), english);
            assert_eq!(FR.euro_cents(cents), french);
        }
    }

    /// A figure as PyTorch, vLLM or nvidia-smi printed it, to the nearest byte.
    fn printed(hundredths: i64, unit: i64) -> Bytes {
        crate::units::Decimal {
            mantissa: hundredths.into(),
            decimals: 2,
        }
        .times(unit)
        .expect("a size")
    }

    #[test]
    fn a_figure_of_the_paste_is_shown_as_it_was_printed() {
        let cases = [
            (printed(2365, GIB), "23.65 GiB"),
            (printed(112, GIB), "1.12 GiB"),
            (printed(200, GIB), "2.00 GiB"),
            (printed(13981, GIB), "139.81 GiB"),
            (printed(608_027, GIB), "6,080.27 GiB"),
            (printed(76_800, MIB), "768 MiB"),
            (printed(6_244, MIB), "62.44 MiB"),
            (printed(59_408, MIB), "594.08 MiB"),
            (printed(150, KIB), "1.50 KiB"),
            (printed(51_200, 1), "512 B"),
            (printed(66, GIB), "0.66 GiB"),
            (printed(5, GIB), "0.05 GiB"),
            (printed(200, GIB) - printed(112, GIB), "0.88 GiB"),
            (printed(112, GIB) - printed(200, GIB), "-0.88 GiB"),
            (Bytes::mib(21_540), "21.04 GiB"),
            (Bytes::ZERO, "0 B"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(EN.bytes(bytes), expected);
            let french = expected
                .replace(',', "\u{202f}")
                .replace('.', ",")
                .replace(' ', "\u{a0}")
                .replace("iB", "io");
            assert_eq!(FR.bytes(bytes), french.replace('B', "o"));
        }
    }

    proptest! {
        #[test]
        fn every_hundredth_of_a_gib_comes_back(hundredths in 100i64..1_000_000) {
            let shown = EN.bytes(printed(hundredths, GIB)).replace(',', "");
            prop_assert_eq!(shown, format!("{}.{:02} GiB", hundredths / 100, hundredths % 100));
        }

        #[test]
        fn every_hundredth_of_a_mib_comes_back(hundredths in 100i64..102_400) {
            // One in 1024 is a hundredth of a GiB as well.
            prop_assume!(hundredths % 1024 != 0);
            let shown = EN.bytes(printed(hundredths, MIB)).replace(',', "");
            let expected = match hundredths % 100 {
                0 => format!("{} MiB", hundredths / 100),
                rest => format!("{}.{rest:02} MiB", hundredths / 100),
            };
            prop_assert_eq!(shown, expected);
        }

        #[test]
        fn nothing_panics(value: i64, other: i64, decimals: u32) {
            for format in [EN, FR, gb(EN), gb(FR)] {
                format.bytes(Bytes(value));
                format.range(Bytes(value), Bytes(other));
                format.number(value, decimals);
                format.percent(value);
                format.euro_cents(value);
                format.card_gb(value);
            }
        }
    }

    #[test]
    fn the_other_units_are_never_labelled_as_these() {
        let full = Bytes::gib(24);
        assert_eq!(EN.bytes(full), "24.00 GiB");
        assert_eq!(gb(EN).bytes(full), "25.77 GB");
        assert_eq!(FR.bytes(full), "24,00\u{a0}Gio");
        assert_eq!(gb(FR).bytes(full), "25,77\u{a0}Go");
        assert_eq!(gb(EN).bytes(printed(88, GIB)), "0.94 GB");
        assert_eq!(gb(FR).bytes(Bytes(128_000)), "128\u{a0}ko");
        assert_eq!(gb(EN).card_gb(24), "24 GB");
        assert_eq!(EN.card_gb(24), "24 GB");
        assert_eq!(FR.card_gb(24), "24\u{a0}Go");
    }

    #[test]
    fn a_figure_that_rounds_up_to_the_next_unit_takes_it() {
        assert_eq!(EN.bytes(Bytes(GIB - 1)), "1.00 GiB");
        assert_eq!(EN.bytes(Bytes(MIB - 1)), "1 MiB");
        assert_eq!(EN.bytes(Bytes(KIB - 1)), "1,023 B");
        assert_eq!(EN.bytes(Bytes(GIB - 6_000)), "1,023.99 MiB");
    }

    #[test]
    fn ranges_have_one_unit() {
        let tenths = |tenths: i64| printed(tenths * 10, GIB);
        assert_eq!(EN.range(tenths(50), tenths(62)), "5–6.2 GiB");
        assert_eq!(FR.range(tenths(50), tenths(62)), "5–6,2\u{a0}Gio");
        assert_eq!(EN.range(tenths(62), tenths(50)), "5–6.2 GiB");
        assert_eq!(EN.range(Bytes::mib(980), Bytes::gib(2)), "1–2 GiB");
        assert_eq!(EN.range(Bytes::mib(100), Bytes::mib(120)), "100–120 MiB");
        assert_eq!(EN.range(Bytes::gib(24), Bytes::gib(24) + Bytes(5)), "24 GiB");
        assert_eq!(EN.range(Bytes::ZERO, Bytes::ZERO), "0 B");
        assert_eq!(EN.range(Bytes::ZERO, Bytes::gib(1)), "0–1 GiB");
        assert_eq!(EN.range(Bytes::gib(136), Bytes::gib(141)), "136–141 GiB");
        assert_eq!(
            gb(EN).range(Bytes(11_340_000_000), Bytes(13_800_000_000)),
            "11.3–13.8 GB"
        );
    }
}
