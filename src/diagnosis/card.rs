//! Which card it is: its class by the capacity, the cards that it may be, and the one that the text names.

use super::Corrections;
use crate::paste::{Evidence, Finding};
use crate::scenario::Scenario;
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
}

impl CardGuess {
    /// What this tells about the scenario.
    pub fn scenario(&self) -> Scenario {
        Scenario::default()
    }
}

/// Whether the card shares the system's memory.
pub fn is_unified(card: &CardGuess) -> bool {
    card.total.is_some_and(|total| total >= Bytes::gib(100))
}

/// Guesses the card.
pub fn guess(_evidence: &Evidence, finding: Option<&Finding>, _corrections: &Corrections) -> CardGuess {
    CardGuess {
        total: finding.and_then(|finding| finding.bytes("total")),
        ..CardGuess::default()
    }
}
