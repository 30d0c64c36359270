//! The reverse questions: which cards a job fits on, and which models run on a card.

use super::{Fits, Span, total, usable};
use crate::catalog::{Card, Model, cards, cents_per_hour, models};
use crate::scenario::{CardKind, Scenario, Typed};
use crate::units::Bytes;

/// A card with the job on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardFit {
    /// The card.
    pub card: &'static Card,
    /// The verdict.
    pub fits: Fits,
    /// What the job can use of it.
    pub usable: Bytes,
    /// What the job needs of it.
    pub need: Span,
    /// Euro cents for an hour, where there is a price.
    pub cents_per_hour: Option<i64>,
}

/// Every card with the scenario's job on as many of them, in the catalog's order; empty without a model.
/// The smallest and the cheapest that fit are the minimum by `usable` and by `cents_per_hour`.
pub fn cards_for(scenario: &Scenario) -> Vec<CardFit> {
    let count = scenario.card_count();
    let Some(need) = total(scenario) else { return Vec::new() };
    let mut trial = scenario.clone();
    let fit = |card: &'static Card| {
        trial.cards = vec![crate::scenario::Cards {
            kind: CardKind::Known(card),
            count,
        }];
        let usable = usable(&trial).unwrap_or(Bytes::ZERO);
        CardFit {
            card,
            fits: Fits::of(need, usable),
            usable,
            need,
            cents_per_hour: cents_per_hour(card.id),
        }
    };
    cards().iter().map(fit).collect()
}

/// A model on the scenario's card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelFit {
    /// The model.
    pub model: &'static Model,
    /// The verdict.
    pub fits: Fits,
    /// What it needs.
    pub need: Span,
}

/// Every model with the scenario's settings on its card, in the catalog's order; empty without a card.
pub fn models_on(scenario: &Scenario) -> Vec<ModelFit> {
    let Some(usable) = usable(scenario) else {
        return Vec::new();
    };
    let mut trial = Scenario {
        typed: Typed::default(),
        own: None,
        ..scenario.clone()
    };
    let fit = |model: &'static Model| {
        trial.model = Some(model);
        let need = total(&trial)?;
        Some(ModelFit {
            model,
            fits: Fits::of(need, usable),
            need,
        })
    };
    models().iter().filter_map(fit).collect()
}
