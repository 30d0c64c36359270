//! The card: found by name or size, or an amount of memory typed; and how many of it.

use super::levers::{Lever, field};
use super::names::{card_names, kind_name};
use super::sizer::{How, Sizer};
use crate::catalog::{Card, card, cards};
use crate::i18n::{Texts, Units, parse_bytes};
use crate::message::{Arg, Message};
use crate::scenario::{CardKind, Cards, Scenario};
use crate::ui::components::{El, Kind, Pick, Picker, by_one, el, picker};
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
fn find(texts: &Texts, words: &str) -> Vec<Pick> {
    let lower = words.to_ascii_lowercase();
    let holds = |card: &Card| {
        let text = [
            card.vendor,
            card.name,
            &card.gb.to_string(),
            "gb",
            "go",
            card.architecture,
        ]
        .join(" ")
        .to_ascii_lowercase();
        lower.split_whitespace().all(|word| text.contains(word))
    };
    let bare = if texts.format.units == Units::Binary { GIB } else { GB };
    let amount = parse_bytes(texts.format.language, words, bare, Prefixes::Decimal).ok();
    let amount = amount
        .filter(|bytes| (1 << 20..1 << 50).contains(&bytes.0))
        .map(|bytes| Pick {
            value: bytes.0.to_string(),
            name: texts.format.bytes(bytes),
            note: texts.text("calc-card-amount"),
        });
    let known = cards().iter().filter(|card| holds(card)).map(|card| Pick {
        value: card.id.to_owned(),
        name: card.name.to_owned(),
        note: [&texts.format.card_gb(card.gb), " · ", card.vendor].concat(),
    });
    // 4090 alone is a card rather than so many gigabytes.
    let known: Vec<Pick> = known.collect();
    let is_number = !known.is_empty() && words.bytes().all(|letter| letter.is_ascii_digit());
    if is_number {
        known.into_iter().chain(amount).collect()
    } else {
        amount.into_iter().chain(known).collect()
    }
}

/// Puts a card in the place of those that are there; the count stays.
fn choose(scenario: &mut Scenario, value: &str) {
    let count = scenario.cards.first().map_or(1, |cards| cards.count);
    let amount = || value.parse().ok().map(|bytes| CardKind::Typed(Bytes(bytes)));
    let kind = card(value).map(CardKind::Known).or_else(amount);
    scenario.cards = kind.map(|kind| Cards { kind, count }).into_iter().collect();
}

/// The field of the card, and that of its count.
pub fn card_picker(sizer: Sizer) -> El {
    let state = sizer.state;
    let one = Picker {
        id: "calc-card",
        label: "calc-card",
        placeholder: "calc-card-placeholder",
        unknown: "calc-card-unknown",
        picked: Box::new(move || {
            let texts = sizer.texts();
            match sizer.scenario().cards.as_slice() {
                [one] => kind_name(&texts, one.kind),
                some => card_names(&texts, some),
            }
        }),
        find: Box::new(move |words| find(&untrack(|| sizer.texts()), words)),
        choose: Box::new(move |value| sizer.edit(How::Picked, &|scenario| choose(scenario, value))),
    };
    let count = Lever {
        id: "calc-cards",
        label: "calc-cards",
        kind: Kind::Count,
        least: 1,
        most: 10_000,
        optional: false,
        get: |scenario| scenario.cards.first().map_or(1, |cards| cards.count),
        set: |scenario, count| {
            if let Some(cards) = scenario.cards.first_mut() {
                cards.count = count;
            }
        },
        usual: |_| 0,
        step: by_one,
    };
    let none = move || sizer.scenario().cards.is_empty();
    let note = move || {
        let Some(CardKind::Known(card)) = sizer.scenario().card() else {
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
            .map(|one| state.sentence(one))
            .collect();
        words.join(" ")
    };
    let pair = el("div", "pair")
        .child(picker(state, one))
        .child(field(sizer, &count).hidden_if(none));
    el("div", "").child(pair).child(el("p", "note").says(note))
}
