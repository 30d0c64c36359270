//! The model: found by words of its name, or only its parameters typed.

use super::fields::{Input, Pick};
use super::pictures::{makes_pictures, take};
use crate::catalog::{Model, image_model, image_models, model, models, search};
use crate::i18n::{KILO_DECIMAL, Texts, parse_number};
use crate::letters::is_letter;
use crate::message::{Arg, Message};
use crate::scenario::{Scenario, Task, Typed};
use crate::ui::components::{Pick as Found, has_words};

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
fn find_pictures(texts: &Texts, words: &str) -> Vec<Found> {
    let found = image_models()
        .iter()
        .filter(|model| has_words(&[model.name, " ", model.id].concat(), words));
    let pick = found.map(|model| Found {
        value: model.id.to_owned(),
        name: model.name.to_owned(),
        note: billions(texts, model.params),
    });
    pick.collect()
}

/// The language models that the words find.
pub fn find_language(texts: &Texts, _: &Scenario, words: &str) -> Vec<Found> {
    let found: Vec<&Model> = match words {
        "" => models().iter().collect(),
        words => search(words).collect(),
    };
    let pick = found.into_iter().map(|model| Found {
        value: model.id.to_owned(),
        name: model.name().to_owned(),
        note: note(texts, model),
    });
    pick.collect()
}

/// What the words find, and first the number of parameters that they may be.
fn find(texts: &Texts, scenario: &Scenario, words: &str) -> Vec<Found> {
    if makes_pictures(scenario) {
        return find_pictures(texts, words);
    }
    let number = words.contains(is_letter);
    let params = parse_number(texts.format.language, words, KILO_DECIMAL)
        .ok()
        .filter(|_| number);
    let params = params
        .and_then(|number| number.times(1))
        .filter(|params| params.0 >= FEWEST)
        .map(|params| Found {
            value: params.0.to_string(),
            name: billions(texts, params.0),
            note: texts.text("calc-model-any"),
        });
    let mut found: Vec<Found> = params
        .into_iter()
        .chain(find_language(texts, scenario, words))
        .collect();
    if scenario.task == Task::Train {
        found.extend(find_pictures(texts, words));
    }
    found
}

fn choose(scenario: &mut Scenario, value: &str) {
    if let Some(model) = image_model(value) {
        return take(scenario, model);
    }
    (scenario.model, scenario.image_model) = (model(value), None);
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

/// The name of the draft model; nothing without one.
pub fn draft_name(_: &Texts, scenario: &Scenario) -> String {
    scenario.draft.map_or(String::new(), |model| model.name().to_owned())
}

/// Sets the draft model, or takes it out.
pub fn choose_draft(scenario: &mut Scenario, value: &str) {
    scenario.draft = model(value);
}

/// The field.
pub static MODEL: [Input; 1] = [Input::pick(
    "m",
    Pick {
        id: "calc-model",
        placeholder: "calc-model-placeholder",
        unknown: "calc-model-unknown",
        picked: model_name,
        find,
        choose,
    },
)];
