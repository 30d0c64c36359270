//! The model: found by words of its name, or only its parameters typed.

use super::pictures::{makes_pictures, take};
use super::sizer::{How, Sizer};
use crate::catalog::{Model, image_model, image_models, model, models, search};
use crate::i18n::{KILO_DECIMAL, Texts, parse_number};
use crate::letters::is_letter;
use crate::message::{Arg, Message};
use crate::scenario::{Scenario, Typed};
use crate::ui::components::{El, Pick, Picker, picker};
use leptos::prelude::*;

/// The fewest parameters that are taken for a model.
const FEWEST: i64 = 1_000_000;

/// Billions of parameters with at most one decimal: `8 B`, `0.6 B`.
pub fn billions(texts: &Texts, params: i64) -> String {
    let tenths = (params.saturating_add(50_000_000)) / 100_000_000;
    let arg = if tenths % 10 == 0 {
        Arg::Count(tenths / 10)
    } else {
        Arg::Number(tenths, 1)
    };
    texts.message(&Message::new("calc-billions").with("count", arg))
}

fn note(texts: &Texts, model: &Model) -> String {
    let size = billions(texts, model.params);
    if model.active < model.params {
        let active = Message::new("calc-active").with("active", billions(texts, model.active));
        return [&size, " · ", &texts.message(&active)].concat();
    }
    size
}

/// The models that make images or videos whose names hold every word.
fn find_pictures(texts: &Texts, words: &str) -> Vec<Pick> {
    let words: Vec<String> = words.split_whitespace().map(str::to_ascii_lowercase).collect();
    let found = image_models().iter().filter(|model| {
        let name = model.name.to_ascii_lowercase();
        words
            .iter()
            .all(|word| name.contains(word.as_str()) || model.id.contains(word.as_str()))
    });
    let pick = found.map(|model| Pick {
        value: model.id.to_owned(),
        name: model.name.to_owned(),
        note: billions(texts, model.params),
    });
    pick.collect()
}

/// What the words find, and first the number of parameters that they may be.
fn find(texts: &Texts, words: &str) -> Vec<Pick> {
    let number = words.contains(is_letter);
    let params = parse_number(texts.format.language, words, KILO_DECIMAL)
        .ok()
        .filter(|_| number);
    let params = params
        .and_then(|number| number.times(1))
        .filter(|params| params.0 >= FEWEST)
        .map(|params| Pick {
            value: params.0.to_string(),
            name: billions(texts, params.0),
            note: texts.text("calc-model-any"),
        });
    let known = if words.is_empty() {
        models().iter().collect()
    } else {
        search(words).collect::<Vec<_>>()
    };
    let known = known.into_iter().map(|model| Pick {
        value: model.id.to_owned(),
        name: model.name().to_owned(),
        note: note(texts, model),
    });
    params.into_iter().chain(known).collect()
}

fn choose(scenario: &mut Scenario, value: &str) {
    if let Some(model) = image_model(value) {
        return take(scenario, model);
    }
    scenario.model = model(value);
    scenario.own = None;
    scenario.typed = Typed {
        params: value.parse().unwrap_or(0),
        ..Typed::default()
    };
}

/// The name of a scenario's model; nothing without one.
pub fn model_name(texts: &Texts, scenario: &Scenario) -> String {
    if let Some(own) = &scenario.own {
        return own.name.clone();
    }
    if let Some(model) = scenario.image_model {
        return model.name.to_owned();
    }
    match (scenario.model, scenario.typed.params) {
        (Some(model), _) => model.name().to_owned(),
        (None, 0) => String::new(),
        (None, params) => billions(texts, params),
    }
}

/// The field.
pub fn model_picker(sizer: Sizer) -> El {
    let state = sizer.state;
    let one = Picker {
        id: "calc-model",
        label: "calc-model",
        placeholder: "calc-model-placeholder",
        unknown: "calc-model-unknown",
        picked: Box::new(move || model_name(&sizer.texts(), &sizer.scenario())),
        find: Box::new(move |words| {
            let find = if untrack(|| makes_pictures(&sizer.scenario())) {
                find_pictures
            } else {
                find
            };
            find(&untrack(|| sizer.texts()), words)
        }),
        choose: Box::new(move |value| sizer.edit(How::Picked, &|scenario| choose(scenario, value))),
    };
    picker(state, one)
}
