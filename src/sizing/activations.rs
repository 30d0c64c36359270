//! Intermediate results: llama.cpp's compute buffer, an engine's profiling peak, a prompt's. Training's are in kept.rs.

use super::kv_cache::window_cells;
use super::{Basis, Job, Need, PartId, Span};
use crate::catalog::{Engine, Keep, Model, Version};
use crate::message::Message;
use crate::scenario::Scenario;
use crate::units::MIB;

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
    /// The feed-forward layer: gate, up and their product, beside the 16-bit mask; of experts their outputs, twice.
    feed_forward: f64,
    /// The logits of all tokens of a micro-batch; those of the last one alone take nothing.
    logits: f64,
}

impl Peaks {
    /// The fullest.
    fn most(&self) -> f64 {
        self.attention.max(self.feed_forward).max(self.logits)
    }
}

/// From this build on llama-server reserves logits for the last token of each request alone, and its mask is in 16-bit
/// where attention is fused (llama.cpp#23764, #23861). Its projections (`-fit`) still print all logits.
const LEAN: Version = Version::of(9440, 0, 0);

/// Whether a known build is one of those.
fn is_lean(scenario: &Scenario) -> bool {
    let known = scenario.version != Version::default();
    scenario.engine == Engine::LlamaCpp && known && scenario.version.since(LEAN)
}

/// From this build on, at the latest, layers with a gated delta rule are one operation that keeps no states between.
const FUSED: Version = Version::of(10_000, 0, 0);

/// Whether a known build is one of those.
fn is_fused(scenario: &Scenario) -> bool {
    is_lean(scenario) && scenario.version.since(FUSED)
}

/// The moments of a build from [`LEAN`] on, with fused attention: `c·n·2` and 3 hidden rows; `c·n·2`, 3 inner and 4 hidden
/// rows (85.01 MiB of Qwen3 4B with 8192 cells), 2 hidden ones with recurrent layers (154.02 MiB of Qwen3.6 27B at 32 768,
/// 38.50 at 128 tokens); of those, up to [`FUSED`], 8 rows as wide as their values and 30 of their states (444 MiB at 512
/// tokens of 262 144 cells and 1.5 GB at 2048, llama.cpp#23764), which other back ends than CUDA double.
fn lean_peaks(job: &Job) -> Peaks {
    let (scenario, model) = (job.scenario, &job.model);
    let rows = scenario.ubatch.max(0) as f64 * 4.0;
    let mask = (scenario.context.max(0) as f64 + widest_window(job)) * rows / 2.0;
    let hidden = model.hidden as f64;
    let recurrent = model.groups.iter().filter_map(|group| match group.keep {
        Keep::State { recurrent, .. } if group.layers > 0 => Some(recurrent.max(0) as f64),
        _ => None,
    });
    let states = recurrent.fold(0.0, f64::max);
    let experts = 2.0 * model.experts_per_token as f64 * hidden;
    let beside = if states > 0.0 { 2.0 } else { 4.0 };
    Peaks {
        attention: mask + 3.0 * rows * hidden,
        feed_forward: mask + rows * (3.0 * active_ffn(model) + beside * hidden).max(experts),
        logits: if states > 0.0 && !is_fused(scenario) {
            mask + rows * states / 16.0 + 120.0 * states
        } else {
            0.0
        },
    }
}

/// With `n` tokens in a micro-batch and `c` cells, all in 32-bit:
/// attention `c·n·(4+2)` and 3 hidden rows (5 with gated attention), or without flash attention `c·n·4·(heads + masks)`
/// and 6 hidden rows; feed-forward `c·n·2` and 3 inner and 3 hidden rows, or 2 hidden rows of each expert of a token;
/// logits `n·4·(vocabulary + hidden)`, where the head is on the card.
/// A second card adds one hidden row, its copy of the other's output.
/// Sources: llama.cpp's and Ollama's logs (tests/accuracy/measured.csv), within 2.5 %.
fn peaks(job: &Job, head: bool) -> Peaks {
    let (scenario, model) = (job.scenario, &job.model);
    if is_lean(scenario) && scenario.flash_attention {
        return lean_peaks(job);
    }
    let rows = scenario.ubatch.max(0) as f64;
    let hidden = rows * 4.0 * model.hidden as f64;
    let context = scenario.context.max(0) as f64;
    let windowed = widest_window(job);
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
    // Ollama has asked for all of them until it ran llama-server: 254.5 MiB of Llama 3.2 1B at the end of 2025.
    let known = scenario.version != Version::default();
    let all_logits = match scenario.engine {
        Engine::LlamaCpp => head,
        _ => head && known && !scenario.version.since(Version::of(0, 30, 0)),
    };
    let dense = rows * 4.0 * 3.0 * (active_ffn(model) + model.hidden as f64) + copy;
    let experts = 2.0 * model.experts_per_token as f64 * hidden;
    Peaks {
        attention: attention + copy,
        feed_forward: mask + dense.max(experts),
        logits: if all_logits { logits(job) + copy } else { 0.0 },
    }
}

/// The logits of a whole micro-batch in 32-bit, beside its hidden row.
fn logits(job: &Job) -> f64 {
    let (rows, model) = (job.scenario.ubatch.max(0) as f64, &job.model);
    rows * 4.0 * (model.vocab as f64 + model.hidden as f64)
}

/// llama.cpp's compute buffer on a card, with the model's head or without it.
pub(super) fn compute(job: &Job, head: bool) -> Span {
    let scenario = job.scenario;
    if scenario.gpu_layers == Some(0) {
        return Span::default();
    }
    let most = peaks(job, head).most();
    let unknown = scenario.engine == Engine::LlamaCpp && scenario.version == Version::default();
    match () {
        // Of builds that are not named the newest take less.
        () if unknown && scenario.flash_attention => {
            Span::of(lean_peaks(job).most().min(most) * 0.97, most, most * 1.1)
        }
        () if scenario.engine == Engine::Ollama && head && scenario.version == Version::default() => {
            Span::of(most * 0.97, most, most.max(logits(job)) * 1.1)
        }
        () if is_fused(scenario) && super::weights::recurrent(&job.model) => Span::about(most, 0.95, 1.6),
        () if is_lean(scenario) && super::weights::recurrent(&job.model) => Span::about(most, 0.9, 2.0),
        () => Span::about(most, 0.97, 1.1),
    }
}

/// llama.cpp's compute buffer on one of its cards, the first being `0`: the last one has the head.
pub fn compute_on(scenario: &Scenario, card: i64) -> Option<Span> {
    Some(compute(&Job::new(scenario)?, card == scenario.spread() - 1))
}

/// llama.cpp's compute buffer in the computer's memory, where all layers are on cards: the mask of a micro-batch in 32-bit
/// and its tokens' rows of the embedding, `n·4·(c + hidden)`; two of those with recurrent layers, and in builds from
/// [`LEAN`] on `n·2·c` and at least 20 MiB of them at 512 tokens.
/// Sources: 24.01 MiB of Llama 3 8B at 8192 tokens, 411.29 of Qwen3.6 27B at 200 192, 28.02 of Qwen3 4B at 8192 and 276.02
/// of a 27B at 262 144 in newer builds.
pub fn compute_on_host(scenario: &Scenario) -> Option<Span> {
    let job = Job::new(scenario)?;
    let rows = scenario.ubatch.max(0) as f64 * 4.0;
    let cells = scenario.context.max(0) as f64 + widest_window(&job);
    let hidden = job.model.hidden as f64
        * if super::weights::recurrent(&job.model) {
            2.0
        } else {
            1.0
        };
    Some(match is_lean(scenario) && scenario.flash_attention {
        true => Span::about(rows * (cells / 2.0 + hidden.max(10_240.0)), 0.95, 1.1),
        false => Span::about(rows * (cells + hidden), 0.98, 1.1),
    })
}

/// Cells of the widest sliding window for one request, zero without windows.
fn widest_window(job: &Job) -> f64 {
    let windows = job.model.groups.iter().filter_map(|group| match group.keep {
        Keep::Window { window, .. } if group.layers > 0 => {
            Some(window_cells(job, window) / job.scenario.users.max(1) as f64)
        }
        _ => None,
    });
    windows.fold(0.0, f64::max)
}

/// llama.cpp's compute buffer.
pub(super) fn need_compute(job: &Job) -> Need {
    Need {
        id: PartId::Compute,
        span: compute(job, true),
        basis: Basis::Measured,
        formula: formula_compute,
    }
}

/// The message of the largest peak, with what it is computed from.
fn formula_compute(job: &Job, span: Span) -> Message {
    let peaks = peaks(job, true);
    let (scenario, model) = (job.scenario, &job.model);
    let most = peaks.most();
    let (id, name, value) = match () {
        () if most <= peaks.logits && !is_lean(scenario) => ("size-compute-logits", "vocab", model.vocab),
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

/// Bytes that vLLM's sampler holds for each request that it is ready for and each word of the vocabulary.
///
/// | versions | bytes | what |
/// |---|---|---|
/// | up to 0.16 | 38.4 | logits in 16-bit and 32-bit, copies, and the sort of them with its 64-bit places |
/// | 0.17 to 0.28 | 14.4 | no sort any more |
/// | later | 10.8 | the logits are changed in place |
///
/// Sources: "torch peak memory increase" of logs of 20 models with vocabularies from 49 155 to 262 144 (within 4 %):
/// 1.26 GiB of Llama 3 8B with 256 requests in 0.6.5, 4.76 with 1024 in 0.11, 1.89 in 0.19, 1.44 in 0.29.
fn sampler_bytes(version: Version) -> f64 {
    match (
        version.since(Version::of(0, 17, 0)),
        version.since(Version::of(0, 29, 0)),
    ) {
        (false, _) => 38.4,
        (true, false) => 14.4,
        (true, true) => 10.8,
    }
}

/// What an engine finds in its first step of `t` tokens, `r` requests: the fuller one of two moments.
///
/// - The feed-forward layer: `2·t·(3·inner / cards + 3·hidden)`, 4 hidden rows where the model is compiled (vLLM from 0.8).
/// - Sampling: `r · vocabulary · ` [`sampler_bytes`] and one or two hidden rows; not divided by the cards, and before
///   0.8 on the first card alone (`samples`).
///
/// Experts write all their parts of a step at once, `2·t·k·(3·inner / cards + hidden)` for `k` experts of a token; from
/// 0.17 on in memory that stays, so that it adds to either moment. Does not hold for models that see: an image encoder's
/// step can take several times more (36 GiB of Llama 3.2 11B Vision).
pub(super) fn profile(job: &Job, samples: bool) -> Span {
    let (scenario, model) = (job.scenario, &job.model);
    let (tokens, cards) = (scenario.step_tokens() as f64, scenario.split() as f64);
    let (hidden, requests) = (model.hidden as f64, scenario.ready_for() as f64);
    let version = scenario.behaves_like();
    let compiled = version.since(Version::of(0, 8, 0)) && !scenario.eager;
    let dense = match model.experts {
        0 => model.ffn as f64,
        _ => model.shared_experts as f64 * model.expert_ffn as f64,
    };
    let experts = 2.0 * tokens * model.experts_per_token as f64 * (3.0 * model.expert_ffn as f64 / cards + hidden);
    let stays = version.since(Version::of(0, 17, 0));
    // A stage of a pipeline that does not sample hands two rows of each token on.
    let handed_on = if scenario.spread() > 1 && !samples { 2.0 } else { 0.0 };
    let layer = 2.0 * tokens * (3.0 * dense / cards + (handed_on + if compiled { 4.2 } else { 3.0 }) * hidden);
    let rows = if stays { 4.0 } else { 2.0 } * tokens * hidden;
    let each = match scenario.engine {
        Engine::Vllm => sampler_bytes(version),
        // Others are known by their 32-bit logits alone.
        _ => 4.0,
    };
    let sampling = match samples {
        true => requests * model.vocab as f64 * each + rows,
        // The other cards hold their share of the logits.
        false => requests * model.vocab as f64 / cards * 2.0 + rows,
    };
    let experts = if model.experts > 0 { experts } else { 0.0 };
    let bytes = match stays {
        true => layer.max(sampling) + experts,
        false => (layer + experts).max(sampling),
    };
    // Not all kernels need all of the experts' memory, small layers need more beside them; of an unknown version the
    // sampler may still be the larger one.
    let unsure = if stays { 0.9 * experts } else { 0.0 };
    let older = match scenario.version == Version::default() && samples && scenario.engine == Engine::Vllm {
        true => requests * model.vocab as f64 * (sampler_bytes(Version::of(0, 17, 0)) - sampler_bytes(version)),
        false => 0.0,
    };
    let span = match layer > sampling {
        // Inputs, tables and libraries' workspaces beside a layer.
        true => Span::of((bytes - unsure) * 0.95, bytes, bytes * 1.05 + 64.0 * MIB as f64 + older),
        false => Span::of((bytes - unsure) * 0.96, bytes, bytes * 1.055 + older),
    };
    match model.vision > 0 && scenario.sees {
        // The encoder's results of as many tokens stay, and its pixels: 28 x 28 of each token, in Gemma 3 56 x 56. Not every
        // model that sees samples in that step (2.12 GiB of Mistral Small 3.2, its layer alone).
        true => {
            let seen = |pixels: f64| 2.0 * tokens * (hidden + 3.0 * pixels);
            Span::of(
                layer.min(bytes) * 0.95,
                bytes + seen(784.0),
                (span.high.as_f64() + seen(3136.0)).max(encoder_step(cards)),
            )
        }
        false => span,
    }
}

/// An image encoder's step for the largest image, 65 536 patches: 13 KiB of each on every card (pixels, residual stream), 24
/// more over the cards, for encoders 1152 wide.
fn encoder_step(cards: f64) -> f64 {
    65_536.0 * 1024.0 * (13.0 + 24.0 / cards)
}

/// What vLLM finds on one of its cards, the first being `0`: of a pipeline only the last stage samples, and before 0.8 of
/// each stage's cards only the first.
pub fn profile_on(scenario: &Scenario, card: i64) -> Option<Span> {
    let all_sample = scenario.behaves_like().since(Version::of(0, 8, 0));
    let last_stage = card.max(0) / scenario.split() == scenario.spread() - 1;
    let samples = last_stage && (all_sample || card.max(0) % scenario.split() == 0);
    Some(profile(&Job::new(scenario)?, samples))
}

/// The step that vLLM and TensorRT-LLM measure at start, on the card that holds most; only vLLM's is known from logs.
pub(super) fn need_profile(job: &Job) -> Need {
    let span = profile(job, true);
    let (span, basis) = match job.scenario.engine {
        Engine::Vllm => (span, Basis::Measured),
        _ => (Span::about(span.mid.as_f64(), 0.5, 2.0), Basis::RuleOfThumb),
    };
    Need {
        id: PartId::Activations,
        span,
        basis,
        formula: formula_profile,
    }
}

fn formula_profile(job: &Job, _: Span) -> Message {
    Message::new("size-activations-profile")
        .with("tokens", job.scenario.step_tokens())
        .with("requests", job.scenario.ready_for())
        .with("vocab", job.model.vocab)
}

/// A prompt through transformers: all its tokens through a layer, in 16-bit, and the last one's logits in 32-bit; ExLlama
/// computes 2048 tokens at a time. Where bitsandbytes quantises weights as they come, the head may stand in 16-bit or 32-bit
/// for a moment, which stays reserved (litgpt's table); with AutoGPTQ a second one is there too, why is not known (Qwen's table of
/// its Int4 models, 0.84 to 0.9 heads of three sizes).
pub(super) fn need_prompt(job: &Job) -> Need {
    let (scenario, model) = (job.scenario, &job.model);
    let users = scenario.users.max(0) as f64;
    let inner = 3.0 * active_ffn(model) + 4.0 * model.hidden as f64;
    let scores = if scenario.flash_attention {
        0.0
    } else {
        6.0 * model.heads as f64 * scenario.context.max(0) as f64
    };
    let tokens = match scenario.engine {
        Engine::ExLlama => scenario.context.clamp(0, 2048),
        _ => scenario.context.max(0),
    };
    let head = 2.0 * model.hidden as f64 * model.vocab as f64;
    let format = scenario.format.id;
    let (back, most) = if super::weights::BITSANDBYTES.contains(&format) {
        (head, 2.0 * head)
    } else if scenario.engine == Engine::Transformers && format.starts_with("gptq") {
        (head, head)
    } else {
        (0.0, 0.0)
    };
    let bytes = users * tokens as f64 * (2.0 * inner + scores) + users * model.vocab as f64 * 4.0;
    Need {
        id: PartId::Activations,
        span: Span::of(bytes * 0.5, bytes + back, bytes * 1.5 + most),
        basis: Basis::RuleOfThumb,
        formula: formula_prompt,
    }
}

fn formula_prompt(job: &Job, _: Span) -> Message {
    Message::new("size-activations-prompt")
        .with("tokens", job.scenario.context)
        .with("users", job.scenario.users)
}
