//! What would fit: each lever's best value, sure by the high end and likely by the middle, each to be applied.

use super::sizer::{How, Sizer};
use crate::catalog::Card;
use crate::i18n::Texts;
use crate::message::Message;
use crate::scenario::{CardKind, Cards, Scenario};
use crate::sizing::{By, Lever, Solution, Value, cards_for};
use leptos::prelude::*;

/// A value in words.
pub fn value_name(texts: &Texts, value: Value) -> String {
    match value {
        Value::Count(count) => texts.format.count(count),
        Value::Format(format) => format.name.to_owned(),
        Value::Cache(format) => format.id.to_owned(),
    }
}

/// What a button sets.
#[derive(Clone, Copy)]
enum Set {
    Lever(Lever, Value),
    Card(&'static Card),
}

impl Set {
    fn apply(self, scenario: &mut Scenario) {
        match self {
            Set::Lever(lever, value) => lever.set(scenario, value),
            Set::Card(card) => {
                let count = scenario.card_count();
                scenario.cards = vec![Cards { kind: CardKind::Known(card), count }];
            }
        }
    }

    fn name(self, texts: &Texts) -> String {
        match self {
            Set::Lever(_, value) => value_name(texts, value),
            Set::Card(card) => [card.name, " · ", &texts.format.card_gb(card.gb)].concat(),
        }
    }
}

/// The table; nothing without a card.
pub fn solved(sizer: Sizer) -> AnyView {
    let shown = move || {
        let result = sizer.result();
        let scenario = sizer.edited().get();
        let found = result.solved.iter().map(|found| {
            let set = |solution: Option<Solution>| Some(Set::Lever(found.lever, solution?.value));
            (found.lever.id(), [set(found.high), set(found.mid)])
        });
        let mut rows: Vec<_> = found.collect();
        if !rows.is_empty() {
            rows.push(("card", [By::High, By::Mid].map(|by| smallest(&scenario, by).map(Set::Card))));
        }
        let row = |row: &(&'static str, [Option<Set>; 2])| {
            let lever = sizer.state.sentence(&Message::new("size-lever").with("lever", row.0));
            let cells = row.1.map(|set| cell(sizer, &scenario, &lever, set));
            view! {
                <tr>
                    <th scope="row">{lever.clone()}</th>
                    {cells}
                </tr>
            }
            .into_any()
        };
        rows.iter().map(row).collect::<Vec<_>>()
    };
    let none = move || sizer.result().solved.is_empty();
    let state = sizer.state;
    view! {
        <section class="solved" hidden=none>
            <h3>{state.label("calc-solved")}</h3>
            <table>
                <thead>
                    <tr>
                        <td></td>
                        <th scope="col">{state.label("calc-solved-high")}</th>
                        <th scope="col">{state.label("calc-solved-mid")}</th>
                    </tr>
                </thead>
                <tbody>{shown}</tbody>
            </table>
        </section>
    }
    .into_any()
}

/// The card with the least memory that the job fits on.
fn smallest(scenario: &Scenario, by: By) -> Option<&'static Card> {
    let fits = |fit: &crate::sizing::CardFit| {
        !fit.card.unified && if by == By::High { fit.need.high <= fit.usable } else { fit.need.mid <= fit.usable }
    };
    cards_for(scenario).into_iter().filter(fits).min_by_key(|fit| fit.usable).map(|fit| fit.card)
}

fn cell(sizer: Sizer, scenario: &Scenario, lever: &str, set: Option<Set>) -> AnyView {
    let state = sizer.state;
    let Some(set) = set else {
        return view! { <td class="quiet">{state.label("calc-nothing-fits")}</td> }.into_any();
    };
    let mut after = scenario.clone();
    set.apply(&mut after);
    let name = state.texts.with(|texts| set.name(texts));
    let applied = after == *scenario;
    let says = Message::new("calc-apply-what").with("lever", lever).with("value", name.as_str());
    let says = state.sentence(&says);
    let word = if applied { "calc-applied" } else { "calc-apply" };
    view! {
        <td>
            <button
                type="button"
                aria-label=says
                aria-pressed=if applied { "true" } else { "false" }
                on:click=move |_| sizer.edit(How::Picked, &|scenario| set.apply(scenario))
            >
                <span class="figure">{name}</span>
                <span class="apply">{state.label(word)}</span>
            </button>
        </td>
    }
    .into_any()
}
