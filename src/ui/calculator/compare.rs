//! Two scenarios side by side: their bars, parts, verdicts and longest contexts.

use super::card_picker::card_names;
use super::estimate::{bar, range, sign, verdict};
use super::model_picker::model_name;
use super::sizer::{Result, Sizer};
use super::solved::value_name;
use crate::i18n::Texts;
use crate::message::Message;
use crate::scenario::{Scenario, Task};
use crate::sizing::{Lever, PartId};
use crate::ui::components::{Alternative, choice};
use leptos::prelude::*;
use std::sync::Arc;

/// The names of the two.
const SIDES: [&str; 2] = ["calc-first", "calc-second"];

/// The button that begins and ends the comparison.
pub fn toggle(sizer: Sizer) -> AnyView {
    let word = move || {
        let word = if sizer.comparing.get() { "calc-compare-end" } else { "calc-compare" };
        sizer.state.texts.with(|texts| texts.text(word))
    };
    view! {
        <button type="button" on:click=move |_| sizer.compare(!sizer.comparing.get_untracked())>
            {word}
        </button>
    }
    .into_any()
}

/// Which of the two the inputs change.
pub fn sides(sizer: Sizer) -> AnyView {
    let shown = move || {
        let one = |side: usize| Alternative {
            label: Box::new(sizer.state.label(SIDES[side])),
            name: Box::new(sizer.state.label(SIDES[side])),
            lang: None,
            chosen: Box::new(move || sizer.side.get() == side),
            choose: Box::new(move || sizer.side.set(side)),
        };
        let legend = Box::new(sizer.state.label("calc-sides"));
        sizer.comparing.get().then(|| choice("side", legend, vec![one(0), one(1)]))
    };
    view! { <div>{shown}</div> }.into_any()
}

/// The comparison.
pub fn compare(sizer: Sizer) -> AnyView {
    let shown = move || {
        sizer.comparing.get().then(|| {
            let results = sizer.results.map(|result| result.get());
            let scenarios = sizer.scenarios.map(|scenario| scenario.get());
            sizer.state.texts.with(|texts| table(texts, &scenarios, &results))
        })
    };
    view! { <div>{shown}</div> }.into_any()
}

/// The scenario in a few words: model, format or method, context or batch, cards.
fn summary(texts: &Texts, scenario: &Scenario) -> String {
    let tokens = |tokens: i64| texts.message(&Message::new("calc-tokens").with("tokens", tokens));
    let (kind, size) = match scenario.task {
        Task::Train => (scenario.method.id(), tokens(scenario.sequence)),
        _ => (scenario.format.name, tokens(scenario.context)),
    };
    let words = [model_name(texts, scenario), kind.to_owned(), size, card_names(texts, &scenario.cards)];
    words.iter().filter(|word| !word.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" · ")
}

fn table(texts: &Texts, scenarios: &[Scenario; 2], results: &[Arc<Result>; 2]) -> AnyView {
    let row = |name: String, cells: [AnyView; 2]| {
        let cells = cells.map(|cell| view! { <td>{cell}</td> }.into_any());
        view! {
            <tr>
                <th scope="row">{name}</th>
                {cells}
            </tr>
        }
        .into_any()
    };
    let both = |show: &dyn Fn(&Scenario, &Result) -> AnyView| {
        [show(&scenarios[0], &results[0]), show(&scenarios[1], &results[1])]
    };
    let mut rows = vec![
        row(texts.text("calc-compare-what"), both(&|scenario, _| summary(texts, scenario).into_any())),
        row(
            texts.text("calc-compare-verdict"),
            both(&|_, result| {
                let sentence = texts.message(&verdict(texts, result));
                view! { <span class="fit">{sign(result.fits)} {sentence}</span> }.into_any()
            }),
        ),
        row(texts.text("calc-compare-bar"), both(&|scenario, result| bar(texts, scenario, result))),
    ];
    let mut ids: Vec<PartId> = Vec::new();
    for part in results.iter().filter_map(|result| result.estimate.as_ref()).flat_map(|estimate| &estimate.parts) {
        if !ids.contains(&part.id) {
            ids.push(part.id);
        }
    }
    for id in ids {
        let name = texts.message(&Message::new("size-part").with("part", id.id()));
        let cell = |_: &Scenario, result: &Result| {
            let part = result.estimate.as_ref().and_then(|estimate| estimate.parts.iter().find(|part| part.id == id));
            part.map_or("–".to_owned(), |part| range(texts, part.span)).into_any()
        };
        rows.push(row(name, both(&cell)));
    }
    let total = |_: &Scenario, result: &Result| {
        let total = result.estimate.as_ref().map(|estimate| range(texts, estimate.total));
        total.unwrap_or_else(|| "–".to_owned()).into_any()
    };
    rows.push(row(texts.text("calc-total"), both(&total)));
    for lever in [Lever::Context, Lever::Users, Lever::Batch] {
        let value = |result: &Result| {
            let found = result.solved.iter().find(|found| found.lever == lever)?;
            found.high.map(|solution| value_name(texts, solution.value))
        };
        if results.iter().any(|result| value(result).is_some()) {
            let name = texts.message(&Message::new("size-lever").with("lever", lever.id()));
            let cell = |_: &Scenario, result: &Result| value(result).unwrap_or_else(|| "–".to_owned()).into_any();
            rows.push(row(name, both(&cell)));
        }
    }
    let heads = SIDES.map(|side| view! { <th scope="col">{texts.text(side)}</th> }.into_any());
    view! {
        <section class="compared">
            <h2>{texts.text("calc-compared")}</h2>
            <table>
                <thead>
                    <tr>
                        <td></td>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
    .into_any()
}
