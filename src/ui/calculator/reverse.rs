//! The reverse question: which models run on the card, in which format, with how much room and context.
//!
//! Answered on demand, and again once the inputs rest; rows are drawn as many as are asked to be seen.

use super::any_model::{Any, longest};
use super::estimate::about;
use super::model_picker::billions;
use super::names::format_name;
use super::sizer::{How, Sizer};
use super::solved::{lever_name, value_name};
use crate::catalog::Format;
use crate::i18n::Texts;
use crate::message::Message;
use crate::scenario::{Scenario, Task, Typed};
use crate::sizing::{By, Lever, Value, models_on, solve, usable};
use crate::ui::components::{El, el, follow};
use crate::units::Bytes;
use leptos::prelude::*;
use std::time::Duration;

/// How long the inputs must rest before the table is made again.
const REST: Duration = Duration::from_millis(250);

/// Rows shown at first, and more at a time.
const ROWS: usize = 15;

/// A model that runs.
#[derive(Clone, Copy, PartialEq)]
struct Runs {
    model: Any,
    /// The finest format that fits; in training that of the scenario.
    format: &'static Format,
    /// What is left by the high end.
    left: Bytes,
}

/// The models that surely run on the scenario's card with its other settings, the largest first.
fn runs(scenario: &Scenario) -> Vec<Runs> {
    let Some(usable) = usable(scenario) else {
        return Vec::new();
    };
    let mut trial = Scenario {
        typed: Typed::default(),
        ..scenario.clone()
    };
    let runs: Vec<Runs> = if scenario.task == Task::Train {
        trial.image_model = None;
        let fits = models_on(&trial).into_iter().filter(|fit| fit.need.high <= usable);
        fits.map(|fit| Runs {
            model: Any::Language(fit.model),
            format: scenario.format,
            left: usable - fit.need.high,
        })
        .collect()
    } else {
        let run = |model: Any| {
            model.put(&mut trial);
            let solution = solve(&trial, Lever::Format, By::High)?;
            let Value::Format(format) = solution.value else {
                return None;
            };
            Some(Runs {
                model,
                format,
                left: usable - solution.need.high,
            })
        };
        Any::all(scenario).into_iter().filter_map(run).collect()
    };
    largest_first(runs)
}

/// Sorted by insertion: a general sort would be thrice the code for a list this short.
fn largest_first(runs: Vec<Runs>) -> Vec<Runs> {
    let mut sorted: Vec<Runs> = Vec::with_capacity(runs.len());
    for one in runs {
        let place = sorted.partition_point(|other| other.model.params() >= one.model.params());
        sorted.insert(place, one);
    }
    sorted
}

/// The question, and its answer once it is asked.
pub fn reverse(sizer: Sizer) -> El {
    let state = sizer.state;
    let asked = RwSignal::new(false);
    let found = RwSignal::new(None::<(Scenario, Vec<Runs>)>);
    let limit = RwSignal::new(ROWS);
    let mut waiting = None::<TimeoutHandle>;
    follow(move || {
        let scenario = sizer.edited().get();
        if !asked.get() || !sizer.shown.get() {
            return;
        }
        if let Some(earlier) = waiting.take() {
            earlier.clear();
        }
        let answer = move || {
            let runs = runs(&scenario);
            found.set(Some((scenario, runs)));
        };
        waiting = set_timeout_with_handle(answer, REST).ok();
    });
    let summary = el("summary", "").child(el("h2", "").says(state.label("calc-reverse")));
    let (count, body) = (el("p", "quiet"), el("tbody", ""));
    let more = el("button", "")
        .attr("type", "button")
        .says(state.label("calc-reverse-more"));
    let more = more.when("click", move |_| limit.update(|limit| *limit += ROWS));
    let head = |id: &'static str| el("th", "").attr("scope", "col").says(state.label(id));
    let last = el("th", "").attr("scope", "col");
    let heads = [
        head("calc-model"),
        head("calc-params"),
        head("calc-format"),
        head("calc-left"),
        last.clone(),
    ];
    let table = el("table", "")
        .child(el("thead", "").child(el("tr", "").all(&heads)))
        .child(body.clone());
    let wide = el("div", "wide").attr("tabindex", "0").attr("role", "region");
    let wide = wide.live_attr("aria-label", state.label("calc-reverse")).child(table);
    let (words, rest, place) = (count.clone(), more.clone(), wide.clone());
    follow(move || {
        found.with(|found| {
            let (scenario, runs) = match found {
                Some((scenario, runs)) => (scenario, runs.as_slice()),
                None => return place.hide(true),
            };
            let texts = &sizer.texts();
            let count = Message::new("calc-reverse-count").with("count", runs.len() as i64);
            words.write(&match scenario.cards.is_empty() {
                true => texts.text("calc-reverse-no-card"),
                false => texts.message(&count.with("all", Any::all(scenario).len() as i64)),
            });
            last.write(&lever_name(texts, Some(longest(scenario))));
            let rows = runs
                .iter()
                .take(limit.get())
                .map(|runs| row(sizer, texts, scenario, *runs));
            body.fill(&rows.collect::<Vec<_>>());
            place.hide(runs.is_empty());
            rest.hide(runs.len() <= limit.get());
        });
    });
    more.hide(true);
    let details = el("details", "below reverse").all(&[summary, count, wide, more]);
    let element = details.handle();
    details.when("toggle", move |_| asked.set(element.has_attribute("open")))
}

fn row(sizer: Sizer, texts: &Texts, scenario: &Scenario, runs: Runs) -> El {
    let Runs { model, format, left } = runs;
    let mut trial = Scenario {
        format,
        ..scenario.clone()
    };
    model.put(&mut trial);
    let most = solve(&trial, longest(scenario), By::High).map(|solution| value_name(texts, solution.value));
    let says = texts.message(&Message::new("calc-reverse-take").with("name", model.name()));
    let take = el("button", "").attr("type", "button").attr("aria-label", &says);
    take.write(model.name());
    let take = take.when("click", move |_| {
        sizer.edit(How::Picked, &|scenario| {
            model.put(scenario);
            scenario.format = format;
        });
    });
    let kind = if scenario.task == Task::Train {
        scenario.method.id().to_owned()
    } else {
        format_name(format)
    };
    let cells = [
        &billions(texts, model.params()),
        &kind,
        &about(texts, left),
        most.as_deref().unwrap_or("–"),
    ];
    let cells = cells.map(|words| {
        let cell = el("td", "figure");
        cell.write(words);
        cell
    });
    el("tr", "")
        .child(el("th", "").attr("scope", "row").child(take))
        .all(&cells)
}
