//! What would fit: each lever's best value, sure by the high end and likely by the middle, each to be applied.

use super::card_picker::sold_as;
use super::names::format_name;
use super::sizer::{How, Result, Sizer};
use crate::catalog::Card;
use crate::i18n::Texts;
use crate::message::Message;
use crate::scenario::{CardKind, Cards, Scenario};
use crate::sizing::{By, Lever, Value};
use crate::ui::components::{El, el, follow};
use leptos::prelude::*;

/// The levers that any scenario has, in the order in which they are shown; the card comes last.
const LEVERS: [Option<Lever>; 13] = [
    Some(Lever::Context),
    Some(Lever::Users),
    Some(Lever::Resolution),
    Some(Lever::Frames),
    Some(Lever::Format),
    Some(Lever::TextFormat),
    Some(Lever::Cache),
    Some(Lever::GpuLayers),
    Some(Lever::Batch),
    Some(Lever::Sequence),
    Some(Lever::Rank),
    Some(Lever::Cards),
    None,
];

/// A value in words.
pub fn value_name(texts: &Texts, value: Value) -> String {
    match value {
        Value::Count(count) => texts.format.count(count),
        Value::Format(format) => format_name(format),
        Value::Cache(format) => format.id.to_owned(),
        Value::Size(width, height) => [width, height].map(|side| side.to_string()).join("×"),
    }
}

/// The name of a lever, or of the card.
pub fn lever_name(texts: &Texts, lever: Option<Lever>) -> String {
    texts.message(&Message::new("size-lever").with("lever", lever.map_or("card", Lever::id)))
}

/// What a button sets.
#[derive(Clone, Copy, PartialEq)]
enum Set {
    Lever(Lever, Value),
    Card(&'static Card),
}

impl Set {
    /// What was found for a lever, or for the card, by an end of the range.
    fn of(result: &Result, lever: Option<Lever>, by: By) -> Option<Set> {
        let Some(lever) = lever else {
            return result.smallest[usize::from(by == By::Mid)].map(Set::Card);
        };
        let found = result.solved.iter().find(|found| found.lever == lever)?;
        let solution = if by == By::High { found.high } else { found.mid };
        Some(Set::Lever(lever, solution?.value))
    }

    fn apply(self, scenario: &mut Scenario) {
        match self {
            Set::Lever(lever, value) => lever.set(scenario, value),
            Set::Card(card) => {
                let count = scenario.card_count();
                scenario.cards = vec![Cards {
                    kind: CardKind::Known(card),
                    count,
                }];
            }
        }
    }

    fn name(self, texts: &Texts) -> String {
        match self {
            Set::Lever(_, value) => value_name(texts, value),
            Set::Card(card) => sold_as(texts, card),
        }
    }
}

/// The table; nothing without a card.
pub fn solved(sizer: Sizer) -> El {
    let state = sizer.state;
    let head = |id| el("th", "").attr("scope", "col").says(state.label(id));
    let heads = [el("td", ""), head("calc-solved-high"), head("calc-solved-mid")];
    let rows: Vec<El> = LEVERS.iter().map(|lever| row(sizer, *lever)).collect();
    let table = el("table", "")
        .child(el("thead", "").child(el("tr", "").all(&heads)))
        .child(el("tbody", "").all(&rows));
    let section = el("section", "solved").hidden_if(move || sizer.result().solved.is_empty());
    section
        .child(el("h3", "").says(state.label("calc-solved")))
        .child(table)
}

fn row(sizer: Sizer, lever: Option<Lever>) -> El {
    let known = move || {
        let result = sizer.result();
        lever.is_none() || result.solved.iter().any(|found| Some(found.lever) == lever)
    };
    let name = el("th", "")
        .attr("scope", "row")
        .says(move || lever_name(&sizer.texts(), lever));
    let cells = [name, cell(sizer, lever, By::High), cell(sizer, lever, By::Mid)];
    el("tr", "").hidden_if(move || !known()).all(&cells)
}

/// A value as a button that applies it; a word where none fits.
fn cell(sizer: Sizer, lever: Option<Lever>, by: By) -> El {
    let (button, value, word) = (
        el("button", "").attr("type", "button"),
        el("span", "figure"),
        el("span", "apply"),
    );
    let (what, none) = (el("span", "vh"), el("span", "quiet"));
    let (shown, figure, act, said, nothing) = (button.clone(), value.clone(), word.clone(), what.clone(), none.clone());
    let mut before = None;
    follow(move || {
        let set = Set::of(&sizer.result(), lever, by);
        let (texts, scenario) = (sizer.texts(), sizer.scenario());
        let applied = set.is_some_and(|set| {
            let mut after = scenario.clone();
            set.apply(&mut after);
            after == scenario
        });
        let now = Some((set, applied, texts.format));
        if now == before {
            return;
        }
        before = now;
        shown.hide(set.is_none());
        nothing.hide(set.is_some());
        let Some(set) = set else {
            return nothing.write(&texts.text("calc-nothing-fits"));
        };
        shown.set_flag("aria-pressed", applied);
        figure.write(&set.name(&texts));
        act.write(&texts.text(if applied { "calc-applied" } else { "calc-apply" }));
        said.write(&texts.message(&Message::new("calc-apply-what").with("lever", lever_name(&texts, lever))));
    });
    let button = button.when("click", move |_| {
        if let Some(set) = untrack(|| Set::of(&sizer.result(), lever, by)) {
            sizer.edit(How::Picked, &|scenario| set.apply(scenario));
        }
    });
    el("td", "")
        .child(button.child(value).text(" ").child(word).child(what))
        .child(none)
}
