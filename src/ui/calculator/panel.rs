//! The calculator's frame: the inputs beside the result, the comparison and the reverse question below.

use super::fields::{Table, fields, folded};
use super::levers::{answers, trains};
use super::pictures::{makes_pictures, trains_pictures};
use super::sizer::{How, Sizer, usual};
use super::{
    accuracy, card_picker, compare, estimate, from_paste, levers, model_picker, own, pictures, reverse, share, solved,
    table, training,
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
    let example = |(link, name): &(&str, &'static str)| {
        el("li", "").child(el("a", "").attr("href", link).says(state.label(name)))
    };
    let examples: Vec<El> = EXAMPLES.iter().map(example).collect();
    let begin = el("div", "begin").hidden_if(move || sizer.edited().with(|scenario| scenario != usual()));
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
        estimate::placed(sizer),
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
    let below = [
        both,
        compare::compare(sizer),
        reverse::reverse(sizer),
        table::table(sizer),
        accuracy::accuracy(sizer),
    ];
    head.into_iter()
        .chain([share::notes(sizer), from_paste::from_paste(sizer)])
        .chain(below)
        .collect()
}

/// Turns a scenario to a language model's answers.
fn turn_to_answers(scenario: &mut Scenario) {
    (scenario.task, scenario.image_model) = (Task::Llm, None);
}

/// What is asked first.
const ESSENTIALS: [Table; 5] = [
    (&levers::ANSWER, answers),
    (&training::ESSENTIALS, trains),
    (&pictures::FORMATS, makes_pictures),
    (&pictures::SIZE, sizes_pictures),
    (&pictures::COUNTS, makes_pictures),
];

fn sizes_pictures(scenario: &Scenario) -> bool {
    makes_pictures(scenario) || trains_pictures(scenario)
}

/// What is folded: often set, seldom set, and the architecture by hand.
const MORE: [Table; 5] = [
    (&levers::ENGINE, answers),
    (&training::DETAILS, trains),
    (&pictures::DETAILS, makes_pictures),
    (&pictures::PLACE, sizes_pictures),
    (&levers::SHARED, |_| true),
];
const ADVANCED: [Table; 4] = [
    (&levers::ADVANCED, answers),
    (&training::ADVANCED, trains),
    (&pictures::ADVANCED, makes_pictures),
    (&levers::SHARED_ADVANCED, |_| true),
];
const BY_HAND: [Table; 1] = [(&levers::BY_HAND, |s| !sizes_pictures(s))];

fn more(scenario: &Scenario) -> &'static str {
    match () {
        () if trains(scenario) => "calc-more-training",
        () if makes_pictures(scenario) => "calc-more-pictures",
        () => "calc-more-settings",
    }
}

fn inputs(sizer: Sizer) -> Vec<El> {
    let state = sizer.state;
    let task = |label, chosen: fn(&Scenario) -> bool, choose: fn(&mut Scenario)| {
        let choose = move || sizer.edit(How::Picked, &choose);
        alternative(sizer, label, move || sizer.edited().with(chosen), choose)
    };
    let all = vec![
        task("calc-task-llm", answers, turn_to_answers),
        task("calc-task-train", trains, |s| s.task = Task::Train),
        task("calc-task-pictures", makes_pictures, pictures::turn),
    ];
    let tasks = choice("task", Box::new(state.label("calc-task")), all);
    let tasks = el("div", "tasks").child(tasks).child(compare::sides(sizer));
    vec![
        tasks,
        fields(sizer, &[(&model_picker::MODEL, |_| true)]),
        own::own(sizer),
        fields(sizer, &ESSENTIALS),
        card_picker::card_picker(sizer),
        folded(sizer, more, None, &MORE),
        folded(sizer, |_| "calc-advanced", None, &ADVANCED),
        folded(sizer, |_| "calc-by-hand", Some("calc-by-hand-hint"), &BY_HAND),
        estimate::peek(sizer),
    ]
}
