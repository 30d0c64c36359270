//! The calculator's frame: the inputs beside the result, the comparison and the reverse question below.

use super::inputs::inputs;
use super::sizer::{Sizer, usual};
use super::{accuracy, compare, estimate, from_paste, own, reverse, share, solved, table};
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
pub fn alternative(
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
    let coming = el("h1", "coming quiet").says(sizer.state.label("calc-coming"));
    let place = el("div", "").child(coming.hidden_if(move || sizer.there.get().is_some()));
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
