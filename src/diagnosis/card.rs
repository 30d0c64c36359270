//! Which card it is: its class by the capacity, the cards that it may be, and the one that the text names.

use super::{Corrections, pytorch};
use crate::catalog::{self, Card};
use crate::paste::{Evidence, Finding, Kind, Span};
use crate::scenario::{CardKind, Cards, Scenario};
use crate::units::Bytes;

/// What is known of the card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardGuess {
    /// The class by its name's gigabytes: 24 for a card with 23.65 GiB.
    pub class_gb: Option<i64>,
    /// The ids of the catalogue's cards with that capacity.
    pub candidates: Vec<&'static str>,
    /// The card, where the text names it or the reader said so.
    pub id: Option<&'static str>,
    /// The name as the text has it.
    pub name: Option<String>,
    /// The capacity that the tool sees.
    pub total: Option<Bytes>,
    /// Where the text tells so.
    pub place: Option<Span>,
}

impl CardGuess {
    /// The scenario with this card in it; a card that is not named goes by its capacity.
    pub fn scenario(&self) -> Scenario {
        let known = self.id.and_then(catalog::card).map(CardKind::Known);
        let kind = known.or(self.total.filter(|total| *total > Bytes::ZERO).map(CardKind::Typed));
        Scenario {
            cards: kind.map(|kind| Cards { kind, count: 1 }).into_iter().collect(),
            ..Scenario::default()
        }
    }

    /// Whether the card shares the system's memory: the catalogue says so of it, of every card that it may be, or of
    /// every card of the vendor with that capacity.
    pub fn is_unified(&self, vendor: Option<&str>) -> bool {
        let of_vendor = |card: &&Card| vendor.is_none_or(|vendor| card.vendor == vendor);
        let all = |cards: Vec<&Card>| !cards.is_empty() && cards.iter().all(|card| card.unified);
        match (self.id.and_then(catalog::card), self.class_gb) {
            (Some(card), _) => card.unified,
            (None, _) if !self.candidates.is_empty() => all(self
                .candidates
                .iter()
                .filter_map(|id| catalog::card(id))
                .filter(of_vendor)
                .collect()),
            (None, Some(gb)) => all(catalog::cards()
                .iter()
                .filter(|card| card.gb == gb)
                .filter(of_vendor)
                .collect()),
            (None, None) => false,
        }
    }
}

/// Guesses the card that the finding is about.
pub fn guess(evidence: &Evidence, finding: Option<&Finding>, corrections: &Corrections) -> CardGuess {
    let shown = shown(evidence, finding);
    // A total of the computer's memory, or of a plan, is no card's.
    let of_card = |finding: &&Finding| !matches!(finding.kind, Kind::HostRefused | Kind::StartupHost | Kind::LayerPlan);
    let total = finding
        .filter(of_card)
        .and_then(|finding| finding.bytes("total"))
        .or(shown.and_then(|card| card.total))
        .or_else(|| evidence.findings.iter().find_map(|finding| finding.bytes("total_vram")))
        .filter(|total| *total > Bytes::ZERO);
    let name = shown.and_then(|card| card.name.clone());
    let vendor = finding.and_then(pytorch::vendor);
    let named: Option<&Card> = name.as_deref().and_then(|name| catalog::by_name(name, total));
    let class = total.and_then(catalog::class_of);
    let id = corrections.card.or(named.map(|card| card.id));
    let by_id = id.and_then(catalog::card);
    CardGuess {
        class_gb: by_id.map(|card| card.gb).or(class.as_ref().map(|class| class.gb)),
        candidates: match class {
            Some(class) => {
                let made = class
                    .candidates
                    .iter()
                    .filter(|card| vendor.is_none_or(|vendor| card.vendor == vendor));
                made.map(|card| card.id).collect()
            }
            None => named.map(|card| card.id).into_iter().collect(),
        },
        id,
        name,
        total,
        place: shown.map(|card| card.span).or_else(|| {
            let capacity = finding
                .filter(of_card)?
                .figures
                .iter()
                .find(|figure| figure.name == "total")?;
            Some(capacity.span)
        }),
    }
}

/// The card that a monitor or a start-up line shows: of several, the one with the finding's index, else the only one by
/// its name.
fn shown<'a>(evidence: &'a Evidence, finding: Option<&'a Finding>) -> Option<&'a crate::paste::Card> {
    let own = finding.into_iter().flat_map(|finding| &finding.cards);
    let cards: Vec<&crate::paste::Card> = own
        .chain(evidence.findings.iter().flat_map(|finding| &finding.cards))
        .filter(|card| card.name.is_some() || card.total.is_some())
        .collect();
    let device = finding.and_then(|finding| finding.device);
    let by_index = cards.iter().find(|card| device.is_some() && card.index == device);
    let first = cards.first()?;
    let same = cards.iter().all(|card| card.name == first.name && card.name.is_some());
    by_index.or((cards.len() == 1 || same).then_some(first)).copied()
}
