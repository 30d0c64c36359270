//! Memory in bytes: one newtype, exact, read as tools print it.

/// An amount of memory in bytes. Signed, since tools print shortages and differences below zero.
/// All arithmetic saturates: no input, however absurd, overflows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub i64);

/// 2^10 bytes.
pub const KIB: i64 = 1 << 10;
/// 2^20 bytes.
pub const MIB: i64 = 1 << 20;
/// 2^30 bytes.
pub const GIB: i64 = 1 << 30;
/// 2^40 bytes.
pub const TIB: i64 = 1 << 40;
/// 10^9 bytes.
pub const GB: i64 = 1_000_000_000;

impl Bytes {
    /// No memory at all.
    pub const ZERO: Bytes = Bytes(0);

    /// `count` mebibytes.
    pub const fn mib(count: i64) -> Bytes {
        Bytes(count.saturating_mul(MIB))
    }

    /// `count` gibibytes.
    pub const fn gib(count: i64) -> Bytes {
        Bytes(count.saturating_mul(GIB))
    }

    /// The nearest whole byte of a computed amount; not-a-number is zero, the infinite saturates.
    pub fn from_f64(bytes: f64) -> Bytes {
        Bytes(bytes.round() as i64)
    }

    /// The amount as a float, for ratios.
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }

    /// This amount, or zero if it is below zero.
    pub fn floor_zero(self) -> Bytes {
        Bytes(self.0.max(0))
    }

    /// How many hundredths of `whole` this is, to the nearest; zero if `whole` is zero.
    pub fn percent_of(self, whole: Bytes) -> i64 {
        let half = whole.share(1, 200);
        (self + half).share(100, whole.0).0
    }

    /// `self · times / over`, exactly, rounded towards zero; zero if `over` is zero.
    pub fn share(self, times: i64, over: i64) -> Bytes {
        if over == 0 {
            return Bytes::ZERO;
        }
        Bytes(clamp(i128::from(self.0) * i128::from(times) / i128::from(over)))
    }
}

fn clamp(value: i128) -> i64 {
    value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

impl std::ops::Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Bytes {
    type Output = Bytes;
    fn sub(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_sub(other.0))
    }
}

impl std::ops::Mul<i64> for Bytes {
    type Output = Bytes;
    fn mul(self, times: i64) -> Bytes {
        Bytes(self.0.saturating_mul(times))
    }
}

impl std::ops::AddAssign for Bytes {
    fn add_assign(&mut self, other: Bytes) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(parts: I) -> Bytes {
        parts.fold(Bytes::ZERO, |total, part| total + part)
    }
}

/// What a tool means by `KB`, `MB` and `GB`: most say them and count in powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefixes {
    /// `GB` is 2^30 bytes (nearly every GPU tool).
    Binary,
    /// `GB` is 10^9 bytes (`ollama ps`, TGI). `GiB` stays 2^30.
    Decimal,
}

/// A decimal number as printed: `mantissa / 10^decimals`, exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// All digits as one integer, with its sign.
    pub mantissa: i128,
    /// How many of the digits stand behind the point.
    pub decimals: u32,
}

impl Decimal {
    /// The number times `unit` bytes, to the nearest byte; `None` where it is past what a card could ever hold (2^62).
    pub fn times(self, unit: i64) -> Option<Bytes> {
        let scale = 10i128.pow(self.decimals);
        let product = self.mantissa.checked_mul(i128::from(unit))?;
        let half = if product < 0 { -scale / 2 } else { scale / 2 };
        let bytes = (product + half) / scale;
        (bytes.unsigned_abs() < 1 << 62).then_some(Bytes(bytes as i64))
    }

    /// The number as a float, for ratios and percentages.
    pub fn as_f64(self) -> f64 {
        self.mantissa as f64 / 10f64.powi(self.decimals as i32)
    }
}

/// Bytes in one of the units that tools print, `None` for a word that is no unit. Any case; `G` alone counts as `GB`.
pub fn unit_bytes(word: &str, prefixes: Prefixes) -> Option<i64> {
    let mut letters = word.bytes().map(|letter| letter.to_ascii_lowercase());
    let first = letters.next()?;
    let rest: Vec<u8> = letters.collect();
    let power = match (first, rest.as_slice()) {
        (b'b', b"" | b"ytes" | b"yte") => return Some(1),
        (b'k', _) => 1,
        (b'm', _) => 2,
        (b'g', _) => 3,
        (b't', _) => 4,
        _ => return None,
    };
    match (rest.as_slice(), prefixes) {
        (b"ib" | b"i", _) | (b"b" | b"", Prefixes::Binary) => Some(1 << (10 * power)),
        (b"b" | b"", Prefixes::Decimal) => Some(1000i64.pow(power)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_exact_to_the_byte() {
        let two_gib = Decimal {
            mantissa: 200,
            decimals: 2,
        };
        assert_eq!(two_gib.times(GIB), Some(Bytes(2_147_483_648)));
        let printed = Decimal {
            mantissa: 813,
            decimals: 2,
        };
        assert_eq!(printed.times(GIB), Some(Bytes(8_729_521_029)));
        let negative = Decimal {
            mantissa: -15,
            decimals: 1,
        };
        assert_eq!(negative.times(GIB), Some(Bytes(-1_610_612_736)));
    }

    #[test]
    fn the_drivers_no_limit_is_no_size() {
        let sentinel = Decimal {
            mantissa: 1_717_986_918_400,
            decimals: 2,
        };
        assert_eq!(sentinel.times(GIB), None);
    }

    #[test]
    fn units_as_tools_print_them() {
        assert_eq!(unit_bytes("GiB", Prefixes::Decimal), Some(GIB));
        assert_eq!(unit_bytes("GB", Prefixes::Decimal), Some(GB));
        assert_eq!(unit_bytes("GB", Prefixes::Binary), Some(GIB));
        assert_eq!(unit_bytes("bytes", Prefixes::Binary), Some(1));
        assert_eq!(unit_bytes("M", Prefixes::Binary), Some(MIB));
        assert_eq!(unit_bytes("seconds", Prefixes::Binary), None);
    }

    #[test]
    fn extremes_saturate() {
        assert_eq!(Bytes(i64::MAX) + Bytes(1), Bytes(i64::MAX));
        assert_eq!(Bytes::from_f64(f64::NAN), Bytes::ZERO);
        assert_eq!(Bytes::from_f64(f64::INFINITY), Bytes(i64::MAX));
        assert_eq!(Bytes(10).share(1, 0), Bytes::ZERO);
        assert_eq!(Bytes(10).percent_of(Bytes::ZERO), 0);
        assert_eq!(Bytes(2010).percent_of(Bytes(2365)), 85);
    }
}
