//! The card: found by name or size, or an amount of memory typed; and how many of it.

use super::fields::{Input, Number, Pick, fields};
use super::levers::{MOST_CARDS, count};
use super::names::{card_names, kind_name};
use super::sizer::Sizer;
use crate::catalog::{Card, card, cards};
use crate::i18n::{Texts, Units, parse_bytes};
use crate::message::{Arg, Message};
use crate::scenario::{CardKind, Cards, Scenario};
use crate::ui::components::{El, Pick as Found, el, has_words};
use crate::units::{Bytes, GB, GIB, Prefixes};
use leptos::prelude::*;

/// The name of a card, with its capacity unless that is in the name.
pub fn sold_as(texts: &Texts, card: &Card) -> String {
    if card.name.contains("GB") {
        return card.name.to_owned();
    }
    [card.name, " · ", &texts.format.card_gb(card.gb)].concat()
}

/// What the words find: cards that have each of them in maker, name or size, and first the amount that they may be.
fn find(texts: &Texts, _: &Scenario, words: &str) -> Vec<Found> {
    let holds = |card: &Card| {
        let size = card.gb.to_string();
        let text = [card.vendor, card.name, &size, "gb", "go", card.architecture];
        has_words(&text.join(" "), words)
    };
    let bare = if texts.format.units == Units::Binary { GIB } else { GB };
    let amount = parse_bytes(texts.format.language, words, bare, Prefixes::Decimal).ok();
    let amount = amount
        .filter(|bytes| (1 << 20..1 << 50).contains(&bytes.0))
        .map(|bytes| Found {
            value: bytes.0.to_string(),
            name: texts.format.bytes(bytes),
            note: texts.text("calc-card-amount"),
        });
    let known = cards().iter().filter(|card| holds(card)).map(|card| Found {
        value: card.id.to_owned(),
        name: card.name.to_owned(),
        note: [&texts.format.card_gb(card.gb), " · ", card.vendor].concat(),
    });
    // 4090 alone is a card rather than so many gigabytes.
    let known: Vec<Found> = known.collect();
    let is_number = !known.is_empty() && words.bytes().all(|letter| letter.is_ascii_digit());
    if is_number {
        known.into_iter().chain(amount).collect()
    } else {
        amount.into_iter().chain(known).collect()
    }
}

fn kind_of(value: &str) -> Option<CardKind> {
    let amount = || value.parse().ok().map(|bytes| CardKind::Typed(Bytes(bytes)));
    card(value).map(CardKind::Known).or_else(amount)
}

/// Puts a card in the place of those that are there; the count stays.
fn choose(scenario: &mut Scenario, value: &str) {
    let count = count_at::<0>(scenario);
    scenario.cards = kind_of(value).map(|kind| Cards { kind, count }).into_iter().collect();
}

/// Puts a card beside the first kind, in the place of the second; others stay.
fn choose_other(scenario: &mut Scenario, value: &str) {
    let count = count_at::<1>(scenario);
    let end = scenario.cards.len().min(2);
    let other = kind_of(value).map(|kind| Cards { kind, count });
    scenario.cards.splice(1.min(end)..end, other);
}

/// The kind of card at a place, in words; at the first one all kinds.
fn picked<const AT: usize>(texts: &Texts, scenario: &Scenario) -> String {
    match (AT, scenario.cards.as_slice()) {
        (0, [one]) => kind_name(texts, one.kind),
        (0, some) => card_names(texts, some),
        (_, some) => some.get(AT).map_or(String::new(), |cards| kind_name(texts, cards.kind)),
    }
}

fn count_at<const AT: usize>(scenario: &Scenario) -> i64 {
    scenario.cards.get(AT).map_or(1, |cards| cards.count)
}

fn set_count<const AT: usize>(scenario: &mut Scenario, count: i64) {
    if let Some(cards) = scenario.cards.get_mut(AT) {
        cards.count = count;
    }
}

const CARD: Pick = Pick {
    id: "calc-card",
    placeholder: "calc-card-placeholder",
    unknown: "calc-card-unknown",
    picked: picked::<0>,
    find,
    choose,
};

const COUNT: Number = Number {
    most: MOST_CARDS,
    ..count("calc-cards", count_at::<0>, set_count::<0>)
};

/// Cards of another kind beside the first.
pub const OTHER: Pick = Pick {
    id: "calc-other-card",
    picked: picked::<1>,
    choose: choose_other,
    ..CARD
};

/// How many of those.
pub const OTHER_COUNT: Number = Number {
    id: "calc-other-cards",
    get: count_at::<1>,
    set: set_count::<1>,
    ..COUNT
};

static INPUTS: [Input; 2] = [
    Input::pick("g", CARD),
    Input::number("", COUNT).only(|s| !s.cards.is_empty()),
];

/// The field of the card, and that of its count.
pub fn card_picker(sizer: Sizer) -> El {
    let note = move || {
        let Some(CardKind::Known(card)) = sizer.edited().with(Scenario::card) else {
            return String::new();
        };
        let message = Message::new("calc-card-total")
            .with("total", card.total())
            .with("class", Arg::CardGb(card.gb));
        let usable = sizer.result().usable.filter(|usable| *usable < card.total());
        let usable = usable.map(|usable| Message::new("calc-card-usable").with("usable", usable));
        let words: Vec<String> = [Some(message), usable]
            .iter()
            .flatten()
            .map(|one| sizer.state.sentence(one))
            .collect();
        words.join(" ")
    };
    let pair = fields(sizer, &[(&INPUTS, |_| true)]).attr("class", "pair");
    el("div", "").child(pair).child(el("p", "note").says(note))
}
