//! The calculator's frame: the inputs beside the result, the comparison and the reverse question below.

use super::levers::{BY_HAND, CONTEXT, ENGINE, FORMAT, HELD, K_CACHE, USERS, V_CACHE, field, list};
use super::sizer::{How, Sizer};
use super::{card_picker, compare, estimate, from_paste, model_picker, reverse, share, solved, training};
use crate::scenario::{Scenario, Task};
use crate::ui::components::{Alternative, choice};
use leptos::prelude::*;

/// Scenarios to begin with.
const EXAMPLES: [(&str, &str); 3] = [
    ("#v=1&m=qwen3-32b&q=q4_k_m&c=16384&g=rtx-4090", "calc-example-chat"),
    ("#v=1&m=llama-3.1-8b&q=fp8&c=32768&u=4&g=l40s", "calc-example-users"),
    ("#v=1&t=train&m=qwen3-8b&g=rtx-4090&tm=qlora", "calc-example-qlora"),
];

/// The switch between reading an error and sizing a job.
pub fn views(sizer: Sizer) -> AnyView {
    let state = sizer.state;
    let one = |size: bool, label: &'static str| Alternative {
        label: Box::new(state.label(label)),
        name: Box::new(state.label(label)),
        lang: None,
        chosen: Box::new(move || sizer.shown.get() == size),
        choose: Box::new(move || sizer.show(size)),
    };
    let both = vec![one(false, "calc-view-read"), one(true, "calc-view-size")];
    choice("view", Box::new(state.label("calc-views")), both)
}

/// The calculator; built when it first comes into sight.
pub fn calculator(sizer: Sizer) -> AnyView {
    let opened = Memo::new(move |before: Option<&bool>| before == Some(&true) || sizer.shown.get());
    view! {
        <section class="calculator" hidden=move || !sizer.shown.get()>
            {move || opened.get().then(|| body(sizer))}
        </section>
    }
    .into_any()
}

fn body(sizer: Sizer) -> AnyView {
    let state = sizer.state;
    let is_blank = move || sizer.with(|scenario| *scenario == Scenario::default());
    let example = |(link, name): &(&'static str, &'static str)| {
        view! {
            <li>
                <a href=*link>{state.label(name)}</a>
            </li>
        }
        .into_any()
    };
    let examples: Vec<AnyView> = EXAMPLES.iter().map(example).collect();
    view! {
        <h1>{state.label("calc-title")}</h1>
        <p class="lead">{state.label("calc-lead")}</p>
        {share::notes(sizer)}
        {from_paste::from_paste(sizer)}
        <div class="sizing">
            <div class="inputs">{inputs(sizer)}</div>
            <div class="outcome">
                {estimate::spoken(sizer)}
                <div class="begin" hidden=move || !is_blank()>
                    <p>{state.label("calc-begin")}</p>
                    <ul>{examples}</ul>
                </div>
                {estimate::estimate(sizer)}
                {solved::solved(sizer)}
                <div class="tools">{share::copy_link(sizer)} {compare::toggle(sizer)}</div>
            </div>
        </div>
        {compare::compare(sizer)}
        {reverse::reverse(sizer)}
    }
    .into_any()
}

fn inputs(sizer: Sizer) -> AnyView {
    let state = sizer.state;
    let trains = Memo::new(move |_| sizer.with(|scenario| scenario.task == Task::Train));
    let task = |train: bool, label: &'static str| Alternative {
        label: Box::new(state.label(label)),
        name: Box::new(state.label(label)),
        lang: None,
        chosen: Box::new(move || trains.get() == train),
        choose: Box::new(move || {
            let task = if train { Task::Train } else { Task::Llm };
            sizer.edit(How::Picked, &|scenario| scenario.task = task);
        }),
    };
    let tasks = choice(
        "task",
        Box::new(state.label("calc-task")),
        vec![task(false, "calc-task-llm"), task(true, "calc-task-train")],
    );
    let main = move || {
        if trains.get() {
            return training::essentials(sizer);
        }
        [list(sizer, FORMAT), field(sizer, CONTEXT), field(sizer, USERS)].into_any()
    };
    let more = move || {
        if trains.get() {
            return training::details(sizer);
        }
        [list(sizer, ENGINE), list(sizer, K_CACHE), list(sizer, V_CACHE)].into_any()
    };
    let by_hand = BY_HAND.map(|lever| field(sizer, lever));
    view! {
        <div class="tasks">{tasks} {compare::sides(sizer)}</div>
        {model_picker::model_picker(sizer)}
        <div class="fields">{main}</div>
        {card_picker::card_picker(sizer)}
        <details>
            <summary>{state.label("calc-more-settings")}</summary>
            <div class="fields">{more} {field(sizer, HELD)}</div>
        </details>
        <details>
            <summary>{state.label("calc-by-hand")}</summary>
            <p class="small quiet">{state.label("calc-by-hand-hint")}</p>
            <div class="fields">{by_hand}</div>
        </details>
    }
    .into_any()
}
