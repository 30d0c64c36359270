//! Values that make the told job fit, by the same function that sizes jobs: only where the text tells the model and the
//! card, and where the job as told does not fit by that function either.

use super::Job;
use crate::catalog::{self, Family, Format};
use crate::scenario::{Scenario, Task};
use crate::sizing::{By, Fits, Lever, Value, fits, solve};

/// Whether the job as told does not fit, by the same function.
pub fn fails(job: &Job) -> bool {
    job.scenario.model.is_some() && fits(job.scenario) == Some(Fits::No)
}

/// The lever's value that fits, where the job as told does not.
fn solved(job: &Job, lever: Lever, told: Scenario) -> Option<Value> {
    let known = told.task == Task::Llm && told.model.is_some() && !told.cards.is_empty();
    if !known || fits(&told)? == Fits::Yes {
        return None;
    }
    let solution = solve(&told, lever, By::High).filter(|solution| !solution.at_end)?;
    (job.scenario.model == told.model).then_some(solution.value)
}

/// In what models are published for engines that load checkpoints, the finest first.
const PUBLISHED: [&str; 2] = ["fp8", "awq"];

/// The finest number format of the weights that fits, of those in which files are to be had.
pub fn format(job: &Job) -> Option<&'static Format> {
    let Value::Format(finest) = solved(job, Lever::Format, job.scenario.clone())? else {
        return None;
    };
    let fits = |format: &&'static Format| {
        let told = Scenario {
            format,
            ..job.scenario.clone()
        };
        fits(&told) == Some(Fits::Yes)
    };
    let found = match finest.family {
        Family::Safetensors => PUBLISHED.into_iter().filter_map(catalog::format).find(fits)?,
        _ => finest,
    };
    (found.id != job.scenario.format.id).then_some(found)
}

/// The longest context that fits.
pub fn context(job: &Job) -> Option<i64> {
    match solved(job, Lever::Context, job.scenario.clone())? {
        Value::Count(tokens) if tokens < job.scenario.context => Some(tokens),
        _ => None,
    }
}

/// The most layers on the card that fit.
pub fn layers(job: &Job) -> Option<i64> {
    let told = Scenario {
        gpu_layers: None,
        ..job.scenario.clone()
    };
    match solved(job, Lever::GpuLayers, told)? {
        Value::Count(layers) => Some(layers),
        _ => None,
    }
}
