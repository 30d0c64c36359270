//! A language model that answers: weights, what its layers keep, intermediate results, overhead.

use super::{Basis, Job, Need, PartId, Span, activations, adapters, kv_cache, overhead, weights};
use crate::catalog::Engine;
use crate::message::Message;
use crate::scenario::{Scenario, Typed};

pub(super) fn needs(job: &Job) -> Vec<Need> {
    let scenario = job.scenario;
    let mut needs = Vec::with_capacity(9);
    needs.push(weights::need(job));
    needs.push(kv_cache::need(job));
    needs.push(kv_cache::need_window(job));
    needs.push(kv_cache::need_state(job));
    if scenario.adapters > 0 {
        needs.push(adapters::need_loaded_adapters(job));
    }
    if scenario.draft.is_some() || scenario.draft_tokens > 0 {
        needs.push(need_draft(job));
    }
    match scenario.engine {
        // SGLang leaves activations and graphs to what its share does not take.
        Engine::Any | Engine::Sglang => {}
        Engine::LlamaCpp | Engine::Ollama => needs.push(activations::need_compute(job)),
        Engine::Vllm => {
            needs.push(activations::need_profile(job));
            needs.push(overhead::need_graphs(job));
        }
        Engine::TensorRtLlm => needs.push(activations::need_profile(job)),
        Engine::Transformers | Engine::ExLlama => needs.push(activations::need_prompt(job)),
    }
    needs.push(overhead::need(job));
    needs
}

/// The draft model: its weights in the large one's format, its cache for as long a context, its compute buffer. Without
/// one the model drafts by a layer of its own (MTP, EAGLE), as large as the others; n-grams take nothing.
fn need_draft(job: &Job) -> Need {
    if job.scenario.draft.is_none() {
        let weights = weights::need(job).span.mid.as_f64() / kv_cache::layers_on(job, 0).max(1) as f64;
        let bytes = weights + kv_cache::one_layer(job);
        return Need {
            id: PartId::Draft,
            span: Span::about(bytes, 0.0, 1.2),
            basis: Basis::RuleOfThumb,
            formula: formula_own_layer,
        };
    }
    let scenario = Scenario {
        own: None,
        model: job.scenario.draft,
        typed: Typed::default(),
        draft: None,
        draft_tokens: 0,
        adapters: 0,
        cpu_experts: 0,
        gpu_layers: None,
        ..job.scenario.clone()
    };
    let span = Job::new(&scenario).map_or(Span::default(), |draft| {
        let mut parts = vec![
            weights::need(&draft),
            kv_cache::need(&draft),
            kv_cache::need_window(&draft),
            kv_cache::need_state(&draft),
        ];
        if scenario.engine.is_llama_cpp() {
            parts.push(activations::need_compute(&draft));
        }
        super::sum(&parts)
    });
    Need {
        id: PartId::Draft,
        span,
        basis: Basis::Exact,
        formula: formula_draft,
    }
}

fn formula_draft(job: &Job, _: Span) -> Message {
    let name = job.scenario.draft.map_or("", |model| model.name());
    Message::new("size-draft").with("model", name)
}

fn formula_own_layer(_: &Job, _: Span) -> Message {
    Message::new("size-draft-layer")
}
