//! A language model that answers: weights, what its layers keep, intermediate results, overhead.

use super::{Job, Need, activations, kv_cache, overhead, weights};
use crate::catalog::Engine;

pub(super) fn needs(job: &Job) -> Vec<Need> {
    let mut needs = Vec::with_capacity(6);
    needs.push(weights::need(job));
    needs.push(kv_cache::need(job));
    needs.push(kv_cache::need_window(job));
    needs.push(kv_cache::need_state(job));
    match job.scenario.engine {
        Engine::Any => {}
        Engine::LlamaCpp | Engine::Ollama => needs.push(activations::need_compute(job)),
        Engine::Vllm | Engine::Sglang => needs.push(activations::need_profile(job)),
        Engine::Transformers => needs.push(activations::need_prompt(job)),
    }
    needs.push(overhead::need(job));
    needs
}
