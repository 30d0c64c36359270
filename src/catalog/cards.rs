//! The cards: what their name says, what the driver reports, what CUDA can give out.

use std::sync::OnceLock;

use super::{lines, whole};
use crate::units::{Bytes, GIB};

/// One card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// The stable id of links.
    pub id: &'static str,
    /// The name, without its maker's.
    pub name: &'static str,
    /// Its maker.
    pub vendor: &'static str,
    /// The capacity that the name says, in GB.
    pub gb: i64,
    /// The total that the driver reports (nvidia-smi), in MiB.
    pub driver_mib: i64,
    /// The total that CUDA, HIP or Metal gives out, in MiB; of unified memory the share granted by default.
    pub cuda_mib: i64,
    /// Memory bandwidth in GB/s.
    pub bandwidth: i64,
    /// The architecture's name.
    pub architecture: &'static str,
    /// Whether it computes in bf16.
    pub bf16: bool,
    /// Whether it multiplies in FP8.
    pub fp8: bool,
    /// Whether it multiplies in FP4.
    pub fp4: bool,
    /// Whether the memory is the computer's own.
    pub unified: bool,
    /// Whether one can buy or rent it: slices of a card (MIG) and cards that are no longer sold are for who has them.
    pub sold: bool,
    /// Names that tools print, in lower case, between bars; nothing where the id says it.
    names: &'static str,
    /// Further totals that drivers and tools have reported, in MiB, between spaces.
    also: &'static str,
}

impl Card {
    /// What CUDA gives out.
    pub fn total(&self) -> Bytes {
        Bytes::mib(self.cuda_mib)
    }

    /// How far `total` is from a total that this card reports, in tenths of a percent; `None` if it is not this card's.
    fn distance(&self, total: Bytes) -> Option<i64> {
        let near = |mib: i64, slack: i64| {
            let off = (total - Bytes::mib(mib)).0.saturating_abs().saturating_mul(1000) / Bytes::mib(mib).0.max(1);
            (off <= slack).then_some(off)
        };
        let also = self
            .also
            .split(' ')
            .filter(|field| !field.is_empty())
            .filter_map(|field| near(whole(field), 3));
        let totals = [near(self.cuda_mib, 10), near(self.driver_mib, 2)];
        totals.into_iter().flatten().chain(also).min()
    }
}

/// All cards: NVIDIA's newest first, then AMD's, Intel's and Apple's.
pub fn cards() -> &'static [Card] {
    static CARDS: OnceLock<Vec<Card>> = OnceLock::new();
    CARDS.get_or_init(|| lines(include_str!("cards.csv")).filter_map(row).collect())
}

/// The card of that id.
pub fn card(id: &str) -> Option<&'static Card> {
    cards().iter().find(|card| card.id == id)
}

fn row(line: &'static str) -> Option<Card> {
    let mut fields = line.split(',');
    let mut next = || fields.next();
    let (id, name, names, vendor) = (next()?, next()?, next()?, next()?);
    let (gb, driver_mib, cuda_mib) = (whole(next()?), whole(next()?), whole(next()?));
    let (also, bandwidth, architecture, native) = (next()?, whole(next()?), next()?, next()?);
    let has = |letter| native.contains(letter);
    Some(Card {
        id,
        name,
        vendor,
        gb,
        driver_mib,
        cuda_mib,
        bandwidth,
        architecture,
        bf16: has('b'),
        fp8: has('8'),
        fp4: has('4'),
        unified: has('u'),
        sold: !has('x'),
        names,
        also,
    })
}

/// The class of card that a capacity belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardClass {
    /// The capacity that such cards are sold by, in GB.
    pub gb: i64,
    /// The cards that report this capacity, in the table's order; empty where only the size is known.
    pub candidates: Vec<&'static Card>,
}

/// Capacities that cards are sold with, in GB.
const SIZES: [i64; 25] = [
    2, 3, 4, 6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 80, 94, 96, 128, 141, 180, 192, 256, 288, 512,
];

/// The class of the card whose total capacity a tool printed; `None` where no card is near it.
/// CUDA's total lies up to a tenth under the name's gigabytes, which are binary (24 GB: 23.5 to 23.7 GiB, 22.05 with
/// error correction).
pub fn class_of(total: Bytes) -> Option<CardClass> {
    let candidates: Vec<&Card> = cards().iter().filter(|card| card.distance(total).is_some()).collect();
    let sold = candidates.iter().filter(|card| !card.unified);
    let nearest = sold.min_by_key(|card| card.distance(total)).map(|card| card.gb);
    let by_size = || {
        let fits = |gb: i64| total <= Bytes::gib(gb).share(101, 100) && total >= Bytes::gib(gb).share(9, 10);
        SIZES
            .into_iter()
            .filter(|gb| fits(*gb))
            .min_by_key(|gb| (total - Bytes::gib(*gb)).0.saturating_abs() / GIB)
    };
    let gb = nearest.or_else(by_size)?;
    Some(CardClass { gb, candidates })
}

/// Words that make another card of the same name: without them in the table's name it is not that card.
const OTHER_CARD: [&str; 19] = [
    "ti", "super", "xt", "xtx", "gre", "laptop", "mobile", "max", "pro", "ultra", "d", "nvl", "ada", "sff", "q", "se",
    "x", "m", "vgpu",
];

/// The card that a text names, `NVIDIA GeForce RTX 3090` or `Tesla V100-SXM2-32GB`, in any case. A name cut off with
/// points counts (`GeForce RTX 208...`) if the capacity tells which one it is. Of cards of one name the capacity in the
/// text, else `total`, decides; a `total` that contradicts all of them gives none.
pub fn by_name(text: &str, total: Option<Bytes>) -> Option<&'static Card> {
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect();
    let cut = lower.contains("...") || lower.contains('…');
    let mut best = 0;
    let mut in_part = false;
    let mut found: Vec<&'static Card> = Vec::new();
    for card in cards() {
        let id_as_name = card.id.replace('-', " ");
        let names = if card.names.is_empty() {
            id_as_name.as_str()
        } else {
            card.names
        };
        let (length, whole) = names
            .split('|')
            .map(|name| matched(&words, name, cut))
            .max()
            .unwrap_or((0, false));
        if length > best {
            (best, in_part) = (length, !whole);
            found.clear();
        }
        if length > 0 && length == best {
            found.push(card);
        }
    }
    let printed = words
        .iter()
        .filter_map(|word| word.strip_suffix("gb")?.parse::<i64>().ok())
        .next();
    let by_size = |gb: i64| found.iter().copied().find(|card| (card.gb - gb).abs() * 20 <= card.gb);
    let by_total = |total| {
        found
            .iter()
            .copied()
            .filter(|card| plausible(card, total))
            .min_by_key(|card| (card.total() - total).0.abs())
    };
    match (printed.and_then(by_size), total) {
        (Some(card), _) => Some(card),
        (None, Some(total)) => by_total(total),
        (None, None) if in_part => None,
        (None, None) => found.first().copied(),
    }
}

/// Whether a card could report `total`: within a tenth, or within what its name says where the memory is the computer's.
fn plausible(card: &Card, total: Bytes) -> bool {
    if card.unified {
        return total <= Bytes::gib(card.gb) && total >= card.total().share(3, 4);
    }
    total <= Bytes::mib(card.driver_mib).share(102, 100) && total >= card.total().share(9, 10)
}

/// The letters of `name` found as whole words in a row, or of its beginning if the text is `cut`, and whether all of it
/// was found; zero where it was not.
fn matched(words: &[&str], name: &str, cut: bool) -> (usize, bool) {
    let name: Vec<&str> = name.split(' ').collect();
    for start in 0..words.len() {
        let mut length = 0;
        let mut rest = words[start..].iter();
        let whole = name.iter().all(|part| {
            length += part.len();
            rest.next() == Some(part)
        });
        if whole {
            let next = rest.next().copied().unwrap_or("");
            return if OTHER_CARD.contains(&next) {
                (0, false)
            } else {
                (length, true)
            };
        }
        // A cut name ends the text's words: all of them begin the table's name, the last perhaps in part.
        let tail = &words[start..];
        let begins = cut && tail.len() >= 2 && tail.len() <= name.len() && {
            let last = tail.len() - 1;
            tail[..last] == name[..last] && name[last].starts_with(tail[last]) && tail[last].len() >= 2
        };
        if begins {
            return (tail.iter().map(|word| word.len()).sum(), false);
        }
    }
    (0, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Decimal;

    fn gib(hundredths: i128) -> Bytes {
        Decimal {
            mantissa: hundredths,
            decimals: 2,
        }
        .times(GIB)
        .unwrap_or(Bytes::ZERO)
    }

    #[test]
    fn every_row_reads_whole_under_an_id_of_its_own() {
        assert_eq!(cards().len(), lines(include_str!("cards.csv")).count());
        assert!(cards().len() >= 95);
        let sources = include_str!("cards.sources.csv");
        for card in cards() {
            assert_eq!(
                cards().iter().filter(|other| other.id == card.id).count(),
                1,
                "{}",
                card.id
            );
            assert!(
                card.gb > 0 && card.cuda_mib > 0 && card.bandwidth > 0 && card.cuda_mib <= card.driver_mib + 1,
                "{}",
                card.id
            );
            assert!(
                sources.lines().any(|line| line.starts_with(&[card.id, ","].concat())),
                "{}",
                card.id
            );
        }
    }

    #[test]
    fn capacities_belong_to_classes() {
        let class = |hundredths| class_of(gib(hundredths)).unwrap();
        let named = |hundredths| {
            class(hundredths)
                .candidates
                .iter()
                .map(|card| card.id)
                .collect::<Vec<_>>()
        };
        for (hundredths, gb, some) in [
            (2365, 24, vec!["rtx-4090", "rtx-3090", "rtx-a5000"]),
            (2399, 24, vec!["rtx-4090"]),
            (2205, 24, vec!["l4", "a10g"]),
            (2219, 24, vec!["a10g"]),
            (1475, 16, vec!["t4"]),
            (4443, 48, vec!["a40", "rtx-6000-ada"]),
            (4452, 48, vec!["l40s", "l20"]),
            (4753, 48, vec!["rtx-a6000"]),
            (3940, 40, vec!["a100-40gb"]),
            (7925, 80, vec!["h100-80gb", "a100-80gb"]),
            (3137, 32, vec!["rtx-5090"]),
            (9497, 96, vec!["rtx-pro-6000"]),
            (1092, 11, vec!["gtx-1080-ti"]),
            (779, 8, vec!["rtx-3070"]),
            (381, 4, vec!["rtx-3050-ti-laptop"]),
            (19198, 192, vec!["mi300x"]),
            (13980, 141, vec!["h200"]),
        ] {
            assert_eq!(class(hundredths).gb, gb, "{hundredths}");
            for id in some {
                assert!(
                    named(hundredths).contains(&id),
                    "{id} at {hundredths}: {:?}",
                    named(hundredths)
                );
            }
        }
        assert_eq!(class_of(gib(2365)).unwrap().candidates[0].id, "rtx-4090");
    }

    #[test]
    fn unknown_capacities_give_a_size_and_absurd_ones_none() {
        assert_eq!(class_of(gib(2340)).map(|class| class.gb), Some(24));
        assert_eq!(class_of(gib(6247)).map(|class| class.gb), Some(64));
        for bytes in [
            Bytes::ZERO,
            Bytes(-1),
            Bytes(i64::MIN),
            Bytes(i64::MAX),
            Bytes::mib(100),
            Bytes::gib(6080),
            Bytes::gib(28),
        ] {
            assert_eq!(class_of(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn cards_are_found_in_what_tools_print() {
        let named = |text| by_name(text, None).map(|card| card.id);
        for (text, id) in [
            ("NVIDIA GeForce RTX 3090", "rtx-3090"),
            ("NVIDIA GeForce RTX 4070 Ti SUPER", "rtx-4070-ti-super"),
            ("NVIDIA GeForce RTX 4070 Ti", "rtx-4070-ti"),
            ("Tesla V100-SXM2-32GB", "v100-32gb"),
            ("Tesla V100-SXM2-16GB", "v100-16gb"),
            ("NVIDIA A100-SXM4-80GB", "a100-80gb"),
            ("NVIDIA A100-PCIE-40GB", "a100-40gb"),
            ("NVIDIA H100 80GB HBM3", "h100-80gb"),
            ("NVIDIA H100 NVL", "h100-nvl"),
            ("NVIDIA GH200 480GB", "gh200"),
            ("Tesla T4", "t4"),
            ("NVIDIA A10G", "a10g"),
            ("NVIDIA L40S", "l40s"),
            ("NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"),
            ("NVIDIA RTX A6000", "rtx-a6000"),
            ("Quadro RTX 6000", "titan-rtx"),
            ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000"),
            ("NVIDIA A100-SXM4-80GB MIG 3g.40gb", "mig-3g.40gb"),
            ("NVIDIA H100 80GB HBM3 MIG 1g.10gb", "mig-1g.10gb"),
            ("AMD Radeon RX 7900 XTX", "rx-7900-xtx"),
            ("AMD Instinct MI300X", "mi300x"),
            ("Intel(R) Arc(TM) A770 Graphics", "arc-a770"),
            ("NVIDIA GB10", "gb10"),
            ("Apple M4 Max", "m4-max-128gb"),
            ("i have a 4090? no: rtx 4090", "rtx-4090"),
        ] {
            assert_eq!(named(text), Some(id), "{text}");
        }
    }

    #[test]
    fn another_card_of_the_name_is_not_taken_for_it() {
        for text in [
            "NVIDIA GeForce RTX 4090 Laptop GPU",
            "NVIDIA GeForce RTX 3070 Ti",
            "GeForce RTX 208...",
            "no card",
            "",
            "RTX",
        ] {
            assert_eq!(by_name(text, None), None, "{text}");
        }
    }

    #[test]
    fn the_capacity_decides_between_cards_of_one_name() {
        let named = |text, hundredths| by_name(text, Some(gib(hundredths))).map(|card| card.id);
        assert_eq!(named("GeForce RTX 208...", 1075), Some("rtx-2080-ti"));
        assert_eq!(named("Tesla V100", 3174), Some("v100-32gb"));
        assert_eq!(named("NVIDIA A100", 3939), Some("a100-40gb"));
        assert_eq!(named("Apple M3 Max", 7200), Some("m3-max-96gb"));
        assert_eq!(named("NVIDIA GeForce RTX 4090", 4750), None);
    }
}
