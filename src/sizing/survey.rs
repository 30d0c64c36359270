//! The reverse questions: which cards a job fits on, which models run on a card, and the table of both.

use super::{Fits, Span, overhead, total, usable};
use crate::catalog::{Card, Model, cards, cents_per_hour, models};
use crate::scenario::{CardKind, Scenario, Task, Typed};
use crate::units::Bytes;

/// A card with the job on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardFit {
    /// The card.
    pub card: &'static Card,
    /// Whether it is one to propose for the job: it can be bought or rented, and it computes in what the job does.
    pub to_be_had: bool,
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
/// The smallest and the cheapest to propose are the minimum by `usable` and by `cents_per_hour` of those `to_be_had`.
pub fn cards_for(scenario: &Scenario) -> Vec<CardFit> {
    let mut trial = scenario.clone();
    let row = row(&mut trial);
    // Training and engines that split layers compute in bf16, which cards before Ampere cannot.
    let in_bf16 = scenario.task == Task::Train || scenario.task == Task::Llm && scenario.engine.has_pool();
    let fit = |(card, cell): (&'static Card, Option<Cell>)| {
        let Cell { fits, usable, need } = cell?;
        Some(CardFit {
            card,
            to_be_had: card.sold && (card.bf16 || !in_bf16),
            fits,
            usable,
            need,
            cents_per_hour: cents_per_hour(card.id),
        })
    };
    cards().iter().zip(row).filter_map(fit).collect()
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
    let mut trial = Scenario {
        typed: Typed::default(),
        own: None,
        ..scenario.clone()
    };
    let fit = |model: &'static Model| {
        trial.model = Some(model);
        let (need, usable) = (total(&trial)?, usable(&trial)?);
        Some(ModelFit {
            model,
            fits: Fits::of(need, usable),
            need,
        })
    };
    models().iter().filter_map(fit).collect()
}

/// One model on one card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The verdict.
    pub fits: Fits,
    /// What the job can use of the card.
    pub usable: Bytes,
    /// What it needs of it.
    pub need: Span,
}

impl Cell {
    /// What is left by the middle of the range; below zero what is missing.
    pub fn head_room(&self) -> Bytes {
        self.usable - self.need.mid
    }
}

/// Every model on every card, as many of them as the scenario has, with its settings: a row for each model, in it a cell
/// for each card, both in the catalog's order. A cell is `None` where the task is not sized.
pub fn table(scenario: &Scenario) -> Vec<Vec<Option<Cell>>> {
    let mut trial = Scenario {
        typed: Typed::default(),
        own: None,
        ..scenario.clone()
    };
    let row = |model: &'static Model| {
        trial.model = Some(model);
        row(&mut trial)
    };
    models().iter().map(row).collect()
}

/// The scenario on every card. Cards of one kind need the same: it is computed once for each kind.
fn row(trial: &mut Scenario) -> Vec<Option<Cell>> {
    let count = trial.card_count();
    let mut known: Vec<([i64; 4], Option<Span>)> = Vec::new();
    let cell = |card: &'static Card| {
        trial.cards = vec![crate::scenario::Cards {
            kind: CardKind::Known(card),
            count,
        }];
        let kind = overhead::kind_of_card(trial);
        let need = match known.iter().find(|(other, _)| *other == kind) {
            Some((_, need)) => *need,
            None => {
                let need = total(trial);
                known.push((kind, need));
                need
            }
        }?;
        let usable = usable(trial)?;
        Some(Cell {
            fits: Fits::of(need, usable),
            usable,
            need,
        })
    };
    cards().iter().map(cell).collect()
}
