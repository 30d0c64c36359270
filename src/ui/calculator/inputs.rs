//! All inputs, in their order: the task, the model, the card, and what is set of each kind of job.

use super::fields::{Table, fields, folded};
use super::levers::{answers, trains};
use super::panel::alternative;
use super::pictures::{makes_pictures, trains_pictures};
use super::sizer::{How, Sizer};
use super::{card_picker, compare, estimate, levers, model_picker, own, pictures, training};
use crate::scenario::{Scenario, Task};
use crate::ui::components::{El, choice, el};
use leptos::prelude::*;

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

/// The inputs.
pub fn inputs(sizer: Sizer) -> Vec<El> {
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
