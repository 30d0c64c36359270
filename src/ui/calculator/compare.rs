//! Two scenarios side by side: their bars, parts, verdicts and what would fit of each.

use super::estimate::{PARTS, bar, part_name, range, reach, sign, verdict};
use super::model_picker::model_name;
use super::names::card_names;
use super::names::format_name;
use super::pictures::{makes_pictures, size_name};
use super::sizer::{Result, Sizer};
use super::solved::{lever_name, value_name};
use crate::i18n::Texts;
use crate::message::Message;
use crate::scenario::{Scenario, Task};
use crate::sizing::Lever;
use crate::ui::components::{Alternative, El, choice, el, follow};
use leptos::prelude::*;
use std::sync::Arc;

/// The names of the two.
const SIDES: [&str; 2] = ["calc-first", "calc-second"];

/// The levers that are compared.
const LEVERS: [Lever; 5] = [
    Lever::Context,
    Lever::Users,
    Lever::Resolution,
    Lever::Frames,
    Lever::Batch,
];

/// The button that begins and ends the comparison.
pub fn toggle(sizer: Sizer) -> El {
    let word = move || {
        let word = if sizer.comparing.get() {
            "calc-compare-end"
        } else {
            "calc-compare"
        };
        sizer.texts().text(word)
    };
    let button = el("button", "").attr("type", "button").says(word);
    button.when("click", move |_| sizer.compare(!sizer.comparing.get_untracked()))
}

/// Which of the two the inputs change.
pub fn sides(sizer: Sizer) -> El {
    let one = |side: usize| Alternative {
        label: Box::new(sizer.state.label(SIDES[side])),
        name: Box::new(sizer.state.label(SIDES[side])),
        lang: "",
        chosen: Box::new(move || sizer.side.get() == side),
        choose: Box::new(move || sizer.side.set(side)),
    };
    let choice = choice("side", Box::new(sizer.state.label("calc-sides")), vec![one(0), one(1)]);
    el("div", "").hidden_if(move || !sizer.comparing.get()).child(choice)
}

/// The comparison.
pub fn compare(sizer: Sizer) -> El {
    let section = el("section", "compared").hidden_if(move || !sizer.comparing.get());
    let place = section.clone();
    follow(move || {
        if sizer.comparing.get() {
            let results = sizer.results.map(|result| result.get());
            let scenarios = sizer.scenarios.map(|scenario| scenario.get());
            place.fill(&table(&sizer.texts(), &scenarios, &results));
        }
    });
    section
}

/// The scenario in a few words: model, format or method, context or sequence, cards.
fn summary(texts: &Texts, scenario: &Scenario) -> String {
    let (kind, tokens) = match scenario.task {
        Task::Train => (scenario.method.id().to_owned(), scenario.sequence),
        _ => (format_name(scenario.format), scenario.context),
    };
    let tokens = if scenario.image_model.is_some() || makes_pictures(scenario) {
        size_name(texts, scenario)
    } else {
        texts.message(&Message::new("calc-tokens").with("tokens", tokens))
    };
    let words = [
        model_name(texts, scenario),
        kind,
        tokens,
        card_names(texts, &scenario.cards),
    ];
    words
        .iter()
        .filter(|word| !word.is_empty())
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" · ")
}

fn written(tag: &str, words: &str) -> El {
    let element = el(tag, "");
    element.write(words);
    element
}

fn table(texts: &Texts, scenarios: &[Scenario; 2], results: &[Arc<Result>; 2]) -> [El; 2] {
    let mut body = el("tbody", "");
    let mut row = |name: &str, cell: &dyn Fn(usize) -> El| {
        let name = written("th", name).attr("scope", "row");
        body = body.clone().child(el("tr", "").all(&[name, cell(0), cell(1)]));
    };
    row(&texts.text("calc-compare-what"), &|side| {
        written("td", &summary(texts, &scenarios[side]))
    });
    row(&texts.text("calc-compare-verdict"), &|side| {
        let result = &results[side];
        let words = written("span", &verdict(texts, result));
        el("td", "fit").all(sign(result.shown()).as_slice()).child(words)
    });
    let most = reach(&scenarios[0], &results[0]).max(reach(&scenarios[1], &results[1]));
    row(&texts.text("calc-compare-bar"), &|side| {
        let figure = el("figure", "bar need");
        el("td", "").child(figure.all(bar(texts, &scenarios[side], &results[side], most).as_slice()))
    });
    let of_part = |side: usize, id| {
        let parts = &results[side].estimate.as_ref()?.parts;
        parts
            .iter()
            .find(|part| part.id == id)
            .map(|part| range(texts, part.span))
    };
    let or_none = |words: Option<String>| el("td", "figure").text(words.as_deref().unwrap_or("–"));
    for &(id, _) in PARTS {
        if of_part(0, id).or(of_part(1, id)).is_some() {
            row(&part_name(texts, id), &|side| or_none(of_part(side, id)));
        }
    }
    let total = |side: usize| {
        results[side]
            .estimate
            .as_ref()
            .map(|estimate| range(texts, estimate.total))
    };
    row(&texts.text("calc-total"), &|side| or_none(total(side)));
    for lever in LEVERS {
        let value = |side: usize| {
            let found = results[side].solved.iter().find(|found| found.lever == lever)?;
            Some(value_name(texts, found.high?.value))
        };
        if value(0).or(value(1)).is_some() {
            row(&lever_name(texts, Some(lever)), &|side| or_none(value(side)));
        }
    }
    let heads = SIDES.map(|side| written("th", &texts.text(side)).attr("scope", "col"));
    let head = el("thead", "").child(el("tr", "").child(el("td", "")).all(&heads));
    [
        written("h2", &texts.text("calc-compared")),
        el("table", "").child(head).child(body),
    ]
}
