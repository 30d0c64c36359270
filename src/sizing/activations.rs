//! Intermediate results: llama.cpp's compute buffer, an engine's profiling peak, a prompt's. Training's are in kept.rs.

use super::kv_cache::window_cells;
use super::{Basis, Job, Need, PartId, Span};
use crate::catalog::{Keep, Model};
use crate::message::Message;

/// Width of the feed-forward layers that one token passes through.
fn active_ffn(model: &Model) -> f64 {
    if model.experts == 0 {
        return model.ffn as f64;
    }
    (model.experts_per_token.saturating_add(model.shared_experts)) as f64 * model.expert_ffn as f64
}

/// The moments at which llama.cpp's compute buffer may be fullest, in bytes; the buffer is as large as the largest.
struct Peaks {
    /// The first layer: the mask in 32-bit and its 16-bit copy, or the scores of all heads without flash attention.
    attention: f64,
    /// The feed-forward layer: gate, up and their product, beside the 16-bit mask.
    feed_forward: f64,
    /// The logits of all tokens of a micro-batch. Ollama's builds ask for those of the last one only.
    logits: f64,
}

/// With `n` tokens in a micro-batch and `c` cells, all in 32-bit:
/// attention `c·n·(4+2)` and 3 hidden rows (5 with gated attention), or without flash attention `c·n·4·(heads + masks)`
/// and 6 hidden rows; feed-forward `c·n·2` and 3 inner and 3 hidden rows; logits `n·4·(vocabulary + hidden)`.
/// A second card adds one hidden row, its copy of the other's output.
/// Sources: llama.cpp's and Ollama's logs (tests/accuracy/measured.csv), within 2.5 %.
fn peaks(job: &Job) -> Peaks {
    let (scenario, model) = (job.scenario, &job.model);
    let rows = scenario.ubatch.max(0) as f64;
    let hidden = rows * 4.0 * model.hidden as f64;
    let context = scenario.context.max(0) as f64;
    let windows = model.groups.iter().filter_map(|group| match group.keep {
        Keep::Window { window, .. } if group.layers > 0 => {
            Some(window_cells(job, window) / scenario.users.max(1) as f64)
        }
        _ => None,
    });
    let windowed = windows.fold(0.0, f64::max);
    let cells = context + windowed;
    let gated = model
        .groups
        .iter()
        .any(|group| group.layers > 0 && matches!(group.keep, Keep::State { .. }));
    let attention = if scenario.flash_attention {
        cells * rows * 6.0 + hidden * if gated { 5.0 } else { 3.0 }
    } else {
        (context * (model.heads as f64 + 1.0) + windowed) * rows * 4.0 + 6.0 * hidden
    };
    let mask = cells * rows * if scenario.flash_attention { 2.0 } else { 4.0 };
    let copy = if scenario.card_count() > 1 { hidden } else { 0.0 };
    let all_logits = scenario.engine == crate::catalog::Engine::LlamaCpp;
    Peaks {
        attention: attention + copy,
        feed_forward: mask + rows * 4.0 * 3.0 * (active_ffn(model) + model.hidden as f64) + copy,
        logits: if all_logits {
            rows * 4.0 * model.vocab as f64 + hidden + copy
        } else {
            0.0
        },
    }
}

/// llama.cpp's compute buffer.
pub(super) fn need_compute(job: &Job) -> Need {
    let peaks = peaks(job);
    let most = peaks.attention.max(peaks.feed_forward).max(peaks.logits);
    let none = if job.scenario.gpu_layers == Some(0) { 0.0 } else { most };
    Need {
        id: PartId::Compute,
        span: Span::about(none, 0.97, 1.1),
        basis: Basis::Measured,
        formula: formula_compute,
    }
}

/// The message of the largest peak, with what it is computed from.
fn formula_compute(job: &Job, span: Span) -> Message {
    let peaks = peaks(job);
    let (scenario, model) = (job.scenario, &job.model);
    let most = peaks.attention.max(peaks.feed_forward).max(peaks.logits);
    let (id, name, value) = match () {
        () if most <= peaks.logits => ("size-compute-logits", "vocab", model.vocab),
        () if most <= peaks.feed_forward => ("size-compute-feed-forward", "width", active_ffn(model) as i64),
        () if scenario.flash_attention => ("size-compute-mask", "context", scenario.context),
        () => ("size-compute-scores", "heads", model.heads),
    };
    let message = Message::new(id).with("ubatch", scenario.ubatch).with(name, value);
    let message = if id == "size-compute-scores" {
        message.with("context", scenario.context)
    } else {
        message
    };
    message.with("hidden", model.hidden).with("bytes", span.mid)
}

/// What vLLM and SGLang measure in their profiling step: one step of all its tokens through a layer, and the logits of
/// each request with their copies in sampling. Versions move it several-fold: 0.2 to 1.8 GiB up to vLLM 0.9, 5 to 7
/// from 0.11 on. Source: "PyTorch activation peak memory" of vLLM's logs.
pub(super) fn need_profile(job: &Job) -> Need {
    let (scenario, model) = (job.scenario, &job.model);
    let tokens = scenario.batched_tokens.max(0) as f64;
    let inner = 3.0 * active_ffn(model) + 4.0 * model.hidden as f64;
    let logits = scenario.users.max(256) as f64 * model.vocab as f64 * 10.0;
    let bytes = tokens * 2.0 * inner / scenario.split() as f64 + logits;
    Need {
        id: PartId::Activations,
        span: Span::about(bytes, 0.4, 3.0),
        basis: Basis::RuleOfThumb,
        formula: formula_profile,
    }
}

fn formula_profile(job: &Job, _: Span) -> Message {
    Message::new("size-activations-profile")
        .with("tokens", job.scenario.batched_tokens)
        .with("vocab", job.model.vocab)
}

/// A prompt through transformers: all its tokens through a layer, in 16-bit, and the last one's logits in 32-bit.
pub(super) fn need_prompt(job: &Job) -> Need {
    let (scenario, model) = (job.scenario, &job.model);
    let users = scenario.users.max(0) as f64;
    let inner = 3.0 * active_ffn(model) + 4.0 * model.hidden as f64;
    let scores = if scenario.flash_attention {
        0.0
    } else {
        6.0 * model.heads as f64 * scenario.context.max(0) as f64
    };
    let bytes = users * scenario.context.max(0) as f64 * (2.0 * inner + scores) + users * model.vocab as f64 * 4.0;
    Need {
        id: PartId::Activations,
        span: Span::about(bytes, 0.5, 1.5),
        basis: Basis::RuleOfThumb,
        formula: formula_prompt,
    }
}

fn formula_prompt(job: &Job, _: Span) -> Message {
    Message::new("size-activations-prompt")
        .with("tokens", job.scenario.context)
        .with("users", job.scenario.users)
}
