//! The calculator's frame: the inputs beside the result, the comparison and the reverse question below.

use super::levers::{BY_HAND, CONTEXT, ENGINE, FORMAT, HELD, K_CACHE, USERS, V_CACHE, field, list};
use super::sizer::{How, Sizer};
use super::{
    card_picker, compare, estimate, from_paste, model_picker, own, pictures, reverse, share, solved, training,
};
use crate::scenario::{Scenario, Task};
use crate::ui::components::{Alternative, El, choice, el};
use crate::ui::rest;
use leptos::prelude::*;

/// Scenarios to begin with.
const EXAMPLES: [(&str, &str); 4] = [
    ("#v=1&m=qwen3-32b&q=q4_k_m&c=16384&g=rtx-4090", "calc-example-chat"),
    ("#v=1&m=llama-3.1-8b&q=fp8&c=32768&u=4&g=l40s", "calc-example-users"),
    ("#v=1&t=train&m=qwen3-8b&g=rtx-4090&tm=qlora", "calc-example-qlora"),
    (
        "#v=1&t=video&m=wan2.2-t2v-a14b&q=fp8&g=rtx-4090&res=1280x720&fr=81&tq=fp8&off=comfyui",
        "calc-example-wan",
    ),
];

/// One of a choice of two, with its label.
fn alternative(
    sizer: Sizer,
    label: &'static str,
    chosen: impl Fn() -> bool + Send + 'static,
    choose: impl Fn() + 'static,
) -> Alternative {
    Alternative {
        label: Box::new(sizer.state.label(label)),
        name: Box::new(sizer.state.label(label)),
        lang: "",
        chosen: Box::new(chosen),
        choose: Box::new(choose),
    }
}

/// The switch between reading an error and sizing a job.
pub fn views(sizer: Sizer) -> El {
    let one = |size: bool, label| {
        alternative(
            sizer,
            label,
            move || sizer.shown.get() == size,
            move || sizer.show(size),
        )
    };
    let both = vec![one(false, "calc-view-read"), one(true, "calc-view-size")];
    choice("view", Box::new(sizer.state.label("calc-views")), both)
}

/// The calculator; brought and built when it first comes into sight.
pub fn calculator(sizer: Sizer) -> El {
    let section = el("section", "calculator").hidden_if(move || !sizer.shown.get());
    let again = el("button", "")
        .attr("type", "button")
        .says(sizer.state.label("calc-again"));
    let missing = el("p", "notice")
        .attr("role", "alert")
        .child(el("span", "").says(sizer.state.label("calc-missing")))
        .child(again.when("click", move |_| bring(sizer)))
        .hidden_if(move || sizer.there.get() != Some(false));
    let place = el("div", "");
    let built = place.clone();
    Effect::new(move |asked: Option<bool>| {
        let asked = asked.unwrap_or_default();
        if !asked && sizer.shown.get() {
            bring(sizer);
        }
        asked || sizer.shown.get()
    });
    Effect::new(move |done: Option<bool>| {
        let done = done.unwrap_or_default();
        if !done && sizer.there.get() == Some(true) {
            // What is built lives as long as the page, not as long as this run.
            sizer.owner.with_value(|owner| owner.with(|| built.fill(&body(sizer))));
        }
        done || sizer.there.get() == Some(true)
    });
    section.child(missing).child(place)
}

fn bring(sizer: Sizer) {
    rest::bring(sizer.state, move |there| sizer.there.set(Some(there)));
}

// Not to become a part of the calls that lead here: the rest of the program begins with it.
#[inline(never)]
fn body(sizer: Sizer) -> Vec<El> {
    let state = sizer.state;
    share::begin(sizer);
    from_paste::fill(sizer);
    own::fill(sizer);
    let example = |(link, name): &(&str, &'static str)| {
        el("li", "").child(el("a", "").attr("href", link).says(state.label(name)))
    };
    let examples: Vec<El> = EXAMPLES.iter().map(example).collect();
    let begin = el("div", "begin").hidden_if(move || sizer.scenario() != Scenario::default());
    let begin = begin
        .child(el("p", "").says(state.label("calc-begin")))
        .child(el("ul", "").all(&examples));
    let nothing = move || sizer.result().estimate.is_none();
    let tools = el("div", "tools")
        .hidden_if(nothing)
        .child(share::copy_link(sizer))
        .child(compare::toggle(sizer));
    let outcome = [
        estimate::spoken(sizer),
        estimate::estimate(sizer),
        begin,
        solved::solved(sizer),
        tools,
    ];
    let inputs = el("div", "inputs").all(&inputs(sizer));
    let both = el("div", "sizing")
        .child(inputs)
        .child(el("div", "outcome").all(&outcome));
    let head = [
        el("h1", "").says(state.label("calc-title")),
        el("p", "lead").says(state.label("calc-lead")),
    ];
    let below = [both, compare::compare(sizer), reverse::reverse(sizer)];
    head.into_iter()
        .chain([share::notes(sizer), from_paste::from_paste(sizer)])
        .chain(below)
        .collect()
}

/// Turns a scenario to a language model's task.
fn turn_to(scenario: &mut Scenario, task: Task) {
    scenario.task = task;
    scenario.image_model = None;
}

fn inputs(sizer: Sizer) -> [El; 7] {
    let state = sizer.state;
    let trains = move || sizer.scenario().task == Task::Train;
    let pictures = move || pictures::makes_pictures(&sizer.scenario());
    let answers = move || !trains() && !pictures();
    let task = |label, chosen: fn(&Scenario) -> bool, choose: fn(&mut Scenario)| {
        let choose = move || sizer.edit(How::Picked, &choose);
        alternative(sizer, label, move || chosen(&sizer.scenario()), choose)
    };
    let all = vec![
        task(
            "calc-task-llm",
            |s| s.task == Task::Llm && s.image_model.is_none(),
            |s| turn_to(s, Task::Llm),
        ),
        task(
            "calc-task-train",
            |s| s.task == Task::Train && s.image_model.is_none(),
            |s| turn_to(s, Task::Train),
        ),
        task("calc-task-pictures", pictures::makes_pictures, pictures::turn),
    ];
    let tasks = choice("task", Box::new(state.label("calc-task")), all);
    let tasks = el("div", "tasks").child(tasks).child(compare::sides(sizer));
    let fields = |fields: &[El]| el("div", "fields").all(fields);
    let answer = [list(sizer, &FORMAT), field(sizer, &CONTEXT), field(sizer, &USERS)];
    let more = [list(sizer, &ENGINE), list(sizer, &K_CACHE), list(sizer, &V_CACHE)];
    let essentials = el("div", "")
        .child(fields(&answer).hidden_if(move || !answers()))
        .child(fields(&training::essentials(sizer)).hidden_if(move || !trains()))
        .child(fields(&pictures::essentials(sizer)).hidden_if(move || !pictures()));
    let details = |summary: El| el("details", "").child(summary);
    let more_words = move || {
        sizer.texts().text(match () {
            () if trains() => "calc-more-training",
            () if pictures() => "calc-more-pictures",
            () => "calc-more-settings",
        })
    };
    let rest = details(el("summary", "").says(more_words))
        .child(fields(&more).hidden_if(move || !answers()))
        .child(fields(&training::details(sizer)).hidden_if(move || !trains()))
        .child(fields(&pictures::details(sizer)).hidden_if(move || !pictures()))
        .child(fields(&[field(sizer, &HELD)]));
    let by_hand = details(el("summary", "").says(state.label("calc-by-hand"))).hidden_if(pictures);
    let by_hand = by_hand
        .child(el("p", "small quiet").says(state.label("calc-by-hand-hint")))
        .child(fields(&BY_HAND.each_ref().map(|lever| field(sizer, lever))));
    [
        tasks,
        model_picker::model_picker(sizer),
        own::own(sizer),
        essentials,
        card_picker::card_picker(sizer),
        rest,
        by_hand,
    ]
}
