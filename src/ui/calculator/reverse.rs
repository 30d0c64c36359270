//! The reverse question: which models run on the card, in which format, with how much room and context.
//!
//! Answered on demand, and again once the inputs rest; rows are drawn as many as are asked to be seen.

use super::model_picker::billions;
use super::sizer::{How, Sizer};
use super::solved::value_name;
use crate::catalog::{Format, Model, models};
use crate::i18n::Texts;
use crate::message::Message;
use crate::scenario::{Scenario, Task, Typed};
use crate::sizing::{By, Lever, Value, models_on, solve, usable};
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
    model: &'static Model,
    /// The finest format that fits; in training that of the scenario.
    format: &'static Format,
    /// What is left by the high end.
    left: Bytes,
}

/// The models that surely run on the scenario's card with its other settings, the largest first.
fn runs(scenario: &Scenario) -> Vec<Runs> {
    let Some(usable) = usable(scenario) else { return Vec::new() };
    let mut trial = Scenario { typed: Typed::default(), ..scenario.clone() };
    let mut runs: Vec<Runs> = if scenario.task == Task::Train {
        let fits = models_on(scenario).into_iter().filter(|fit| fit.need.high <= usable);
        fits.map(|fit| Runs { model: fit.model, format: scenario.format, left: usable - fit.need.high }).collect()
    } else {
        let run = |model: &'static Model| {
            trial.model = Some(model);
            let solution = solve(&trial, Lever::Format, By::High)?;
            let Value::Format(format) = solution.value else { return None };
            Some(Runs { model, format, left: usable - solution.need.high })
        };
        models().iter().filter_map(run).collect()
    };
    runs.sort_by_key(|runs| -runs.model.params);
    runs
}

/// The question, and its answer once it is asked.
pub fn reverse(sizer: Sizer) -> AnyView {
    let state = sizer.state;
    let asked = RwSignal::new(false);
    let found = RwSignal::new(None::<(Scenario, Vec<Runs>)>);
    let limit = RwSignal::new(ROWS);
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move || {
        let scenario = sizer.edited().get();
        if !asked.get() || !sizer.shown.get() {
            return;
        }
        if let Some(earlier) = waiting.get_value() {
            earlier.clear();
        }
        let answer = move || {
            let runs = runs(&scenario);
            found.set(Some((scenario, runs)));
        };
        waiting.set_value(set_timeout_with_handle(answer, REST).ok());
    });
    let shown = move || {
        found.with(|found| {
            let (scenario, runs) = found.as_ref()?;
            Some(state.texts.with(|texts| table(sizer, texts, scenario, runs, limit.get())))
        })
    };
    let rest = move || found.with(|found| found.as_ref().map_or(0, |(_, runs)| runs.len())) > limit.get();
    let toggle = move |event: web_sys::Event| {
        let open = event.target().is_some_and(|target| {
            use wasm_bindgen::JsCast;
            target.dyn_ref::<web_sys::Element>().is_some_and(|element| element.has_attribute("open"))
        });
        asked.set(open);
    };
    view! {
        <details class="reverse" on:toggle=toggle>
            <summary>
                <h2>{state.label("calc-reverse")}</h2>
            </summary>
            <div>{shown}</div>
            <button type="button" hidden=move || !rest() on:click=move |_| limit.update(|limit| *limit += ROWS)>
                {state.label("calc-reverse-more")}
            </button>
        </details>
    }
    .into_any()
}

fn table(sizer: Sizer, texts: &Texts, scenario: &Scenario, runs: &[Runs], limit: usize) -> AnyView {
    if scenario.cards.is_empty() {
        return view! { <p class="quiet">{texts.text("calc-reverse-no-card")}</p> }.into_any();
    }
    let answers = scenario.task == Task::Llm;
    let lever = if answers { Lever::Context } else { Lever::Sequence };
    let row = |runs: &Runs| {
        let Runs { model, format, left } = *runs;
        let trial = Scenario { model: Some(model), typed: Typed::default(), format, ..scenario.clone() };
        let longest = solve(&trial, lever, By::High).map(|solution| value_name(texts, solution.value));
        let take = move |_| {
            sizer.edit(How::Picked, &|scenario| {
                (scenario.model, scenario.typed, scenario.format) = (Some(model), Typed::default(), format);
            });
        };
        let says = texts.message(&Message::new("calc-reverse-take").with("name", model.name()));
        view! {
            <tr>
                <th scope="row">
                    <button type="button" aria-label=says on:click=take>
                        {model.name()}
                    </button>
                </th>
                <td class="figure">{billions(texts, model.params)}</td>
                <td>{if answers { format.name } else { scenario.method.id() }}</td>
                <td class="figure">{texts.format.bytes(left)}</td>
                <td class="figure">{longest}</td>
            </tr>
        }
        .into_any()
    };
    let rows = runs.iter().take(limit).map(row).collect::<Vec<_>>();
    let count = i64::try_from(runs.len()).unwrap_or(i64::MAX);
    let says = Message::new("calc-reverse-count").with("count", count).with("all", models().len() as i64);
    let longest = texts.message(&Message::new("size-lever").with("lever", lever.id()));
    let heads = ["calc-model", "calc-params", if answers { "calc-format" } else { "calc-method" }, "calc-left"];
    let heads = heads.map(|head| texts.text(head)).into_iter().chain([longest]);
    let heads = heads.map(|head| view! { <th scope="col">{head}</th> }.into_any()).collect::<Vec<_>>();
    view! {
        <p class="quiet">{texts.message(&says)}</p>
        <div class="wide" tabindex="0" role="region" aria-label=texts.text("calc-reverse")>
            <table>
                <thead>
                    <tr>{heads}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
