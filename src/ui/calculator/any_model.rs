//! A model of either kind, for the panels that go through all of them.

use super::pictures::makes_pictures;
use crate::catalog::{ImageModel, Model, image_models, models};
use crate::scenario::{Scenario, Task, Typed};
use crate::sizing::Lever;

/// A model of either kind.
#[derive(Clone, Copy, PartialEq)]
pub enum Any {
    /// A language model.
    Language(&'static Model),
    /// One that makes images or videos.
    Pictures(&'static ImageModel),
}

impl Any {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Any::Language(model) => model.name(),
            Any::Pictures(model) => model.name,
        }
    }

    /// Its parameters.
    pub fn params(self) -> i64 {
        match self {
            Any::Language(model) => model.params,
            Any::Pictures(model) => model.params,
        }
    }

    /// Puts it into a scenario.
    pub fn put(self, scenario: &mut Scenario) {
        (scenario.typed, scenario.own) = (Typed::default(), None);
        (scenario.model, scenario.image_model) = match self {
            Any::Language(model) => (Some(model), None),
            Any::Pictures(model) => (None, Some(model)),
        };
    }

    /// All models of the scenario's kind.
    pub fn all(scenario: &Scenario) -> Vec<Any> {
        if makes_pictures(scenario) {
            let video = scenario.task == Task::Video;
            let of_kind = image_models().iter().filter(|model| model.video == video);
            of_kind.map(Any::Pictures).collect()
        } else {
            models().iter().map(Any::Language).collect()
        }
    }
}

/// The lever whose largest value tells most of a job.
pub fn longest(scenario: &Scenario) -> Lever {
    match scenario.task {
        _ if makes_pictures(scenario) => Lever::Resolution,
        Task::Train => Lever::Sequence,
        _ => Lever::Context,
    }
}
