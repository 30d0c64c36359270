//! What the layers keep between tokens: keys and values, windows of them, latent vectors, recurrent states.

use super::{Basis, Job, Need, PartId, Span};
use crate::catalog::{Engine, Group, Keep, KvFormat, Model, Version};
use crate::message::Message;
use crate::scenario::Scenario;
use crate::units::Bytes;

/// Tokens of one block of vLLM's cache.
pub(super) const BLOCK: i64 = 16;

/// Bytes of `elements` elements in a format.
fn stored(elements: f64, format: &KvFormat) -> f64 {
    elements * format.bytes as f64 / format.elements as f64
}

/// Heads on each of `ranks` ranks: at least one, which is then repeated.
fn heads_on_rank(kv_heads: i64, ranks: i64) -> f64 {
    let ranks = ranks.max(1);
    (kv_heads.max(0) / ranks + i64::from(kv_heads.max(0) % ranks != 0)).max(i64::from(kv_heads > 0)) as f64
}

/// Bytes that one cell of one layer takes on a rank; zero for states.
pub(super) fn cell(keep: &Keep, k: &KvFormat, v: &KvFormat, ranks: i64) -> f64 {
    match *keep {
        Keep::Full {
            kv_heads,
            key_dim,
            value_dim,
        }
        | Keep::Window {
            kv_heads,
            key_dim,
            value_dim,
            ..
        } => {
            let heads = heads_on_rank(kv_heads, ranks);
            stored(heads * key_dim as f64, k) + stored(heads * value_dim as f64, v)
        }
        Keep::Latent {
            width,
            tokens,
            extra_bytes,
            ..
        } => (stored(width as f64, k) + extra_bytes as f64) / tokens.max(1) as f64,
        Keep::State { .. } => 0.0,
    }
}

/// Bytes for each token of context, summed over the layers whose cache grows with it; exact.
///
/// MHA, GQA, MQA: 2 · layers · KV heads · head size · bytes; MLA: layers · (kv_lora_rank + rope) · bytes, whole on each
/// rank. Sources: llama.cpp's buffers (exactly), pools of vLLM and SGLang (within 0.1 %).
pub fn bytes_per_token(model: &Model, k: &KvFormat, v: &KvFormat, ranks: i64) -> Bytes {
    Bytes::from_f64(growing(model, k, v, ranks))
}

pub(super) fn growing(model: &Model, k: &KvFormat, v: &KvFormat, ranks: i64) -> f64 {
    let grows = |group: &&Group| !matches!(group.keep, Keep::Window { .. });
    model
        .groups
        .iter()
        .filter(grows)
        .map(|group| group.layers as f64 * cell(&group.keep, k, v, ranks))
        .sum()
}

/// The cache of one more layer of the kind that grows: a layer of the model's own that drafts tokens (MTP).
pub(super) fn one_layer(job: &Job) -> f64 {
    let scenario = job.scenario;
    let grows = |group: &&Group| matches!(group.keep, Keep::Full { .. } | Keep::Latent { .. }) && group.layers > 0;
    let first = job.model.groups.iter().find(grows);
    first.map_or(0.0, |group| {
        cell(&group.keep, scenario.k_cache, scenario.v_cache, scenario.split()) * full_cells(job) * on_card(job)
    })
}

fn padded(tokens: i64, to: i64) -> i64 {
    (tokens.max(0).saturating_add(to - 1) / to).saturating_mul(to)
}

/// The multiple of tokens that a cache is made in: llama.cpp 256 with flash attention and 32 without, vLLM its block.
fn step(job: &Job) -> i64 {
    match job.scenario.engine {
        Engine::LlamaCpp | Engine::Ollama if job.scenario.flash_attention => 256,
        Engine::LlamaCpp | Engine::Ollama => 32,
        Engine::Vllm => BLOCK,
        _ => 1,
    }
}

/// Cells of all requests together in layers that attend fully.
fn full_cells(job: &Job) -> f64 {
    let each = padded(job.scenario.context, step(job)) as f64;
    if job.scenario.unified {
        each
    } else {
        each * job.scenario.users.max(0) as f64
    }
}

/// Cells of all requests together in layers with a window of `window` tokens, never more than in full layers.
/// llama.cpp: the window and one micro-batch, to 256, for each sequence; a shared cache has one window for each.
/// vLLM: the window and one step's tokens, in blocks, and one block more. Others: the window.
pub(super) fn window_cells(job: &Job, window: i64) -> f64 {
    let scenario = job.scenario;
    let users = scenario.users.max(0);
    let cells = match scenario.engine {
        Engine::LlamaCpp | Engine::Ollama if scenario.unified => {
            return (padded(window.saturating_mul(users).saturating_add(scenario.ubatch), 256) as f64)
                .min(full_cells(job));
        }
        Engine::LlamaCpp | Engine::Ollama => padded(window.saturating_add(scenario.ubatch), 256),
        Engine::Vllm if keeps_all(scenario) => scenario.context,
        Engine::Vllm => vllm_window(window, scenario.step_tokens()),
        _ => window,
    };
    (cells as f64 * users as f64).min(full_cells(job))
}

/// Whether vLLM keeps all tokens in layers with a window too, as it did before its manager of hybrid caches (0.9.2).
pub(super) fn keeps_all(scenario: &Scenario) -> bool {
    scenario.version != Version::default() && !scenario.version.since(Version::of(0, 9, 2))
}

/// Source: the hybrid cache manager of vLLM 0.21 and later; Gemma 4's pools within 0.05 % (vllm#40388).
pub(super) fn vllm_window(window: i64, batched_tokens: i64) -> i64 {
    padded((window - 1).max(0).saturating_add(batched_tokens), BLOCK).saturating_add(BLOCK)
}

/// The share of the layers that the fullest card holds: all, or whole layers where they are spread over cards.
/// llama.cpp counts the head as one more layer.
pub(super) fn of_layers(job: &Job) -> f64 {
    layers_on(job, 0) as f64 / job.model.layers.max(1) as f64
}

/// Whole layers that the first card (`0`) or a later one holds, the head not counted among them.
pub(super) fn layers_on(job: &Job, card: i64) -> i64 {
    let (layers, cards) = (job.model.layers.max(1), job.scenario.spread());
    let counted = layers.saturating_add(i64::from(job.scenario.engine.is_llama_cpp() && cards > 1));
    let on_cards = job
        .scenario
        .gpu_layers
        .filter(|_| job.scenario.engine.is_llama_cpp())
        .unwrap_or(counted)
        .clamp(0, counted);
    let first = job.scenario.part_of(on_cards);
    let before = first.saturating_mul(card.max(0));
    first.min(on_cards - before).min(layers - before).max(0)
}

/// One, or zero where llama.cpp keeps the cache in the computer's memory.
fn on_card(job: &Job) -> f64 {
    let host = job.scenario.cache_on_host && job.scenario.engine.is_llama_cpp();
    if host { 0.0 } else { 1.0 }
}

pub(super) fn need(job: &Job) -> Need {
    let scenario = job.scenario;
    let per_token = growing(&job.model, scenario.k_cache, scenario.v_cache, scenario.split());
    let bytes = per_token * full_cells(job) * of_layers(job) * on_card(job);
    match job.cache_known {
        true => Need {
            id: PartId::KvCache,
            span: Span::exact(bytes),
            basis: Basis::Exact,
            formula,
        },
        // Models of one size differ in their KV heads by a factor of two and more.
        false => Need {
            id: PartId::KvCache,
            span: Span::about(bytes, 0.5, 2.0),
            basis: Basis::RuleOfThumb,
            formula: formula_unsure,
        },
    }
}

pub(super) fn need_window(job: &Job) -> Need {
    let scenario = job.scenario;
    let bytes: f64 = job
        .model
        .groups
        .iter()
        .map(|group| match group.keep {
            Keep::Window { window, .. } => {
                let cell = cell(&group.keep, scenario.k_cache, scenario.v_cache, scenario.split());
                group.layers as f64 * cell * window_cells(job, window)
            }
            _ => 0.0,
        })
        .sum();
    let span = Span::exact(bytes * of_layers(job) * on_card(job));
    Need {
        id: PartId::KvWindow,
        span,
        basis: Basis::Exact,
        formula: formula_window,
    }
}

/// Recurrent states, one for each sequence, and one more for each drafted token.
/// llama.cpp keeps both parts in 32-bit (exactly its buffers); vLLM and others the convolution's in 16-bit.
pub(super) fn need_state(job: &Job) -> Need {
    let scenario = job.scenario;
    let each: f64 = job
        .model
        .groups
        .iter()
        .map(|group| group.layers as f64 * state(job, &group.keep))
        .sum();
    let copies = states_each(scenario) + scenario.draft_tokens.max(0) as f64;
    let bytes = each * scenario.users.max(0) as f64 * copies * of_layers(job);
    Need {
        id: PartId::State,
        span: Span::exact(bytes),
        basis: Basis::Exact,
        formula: formula_state,
    }
}

/// States that an engine keeps of each request and layer: with prefix caching the last whole block's beside the one in use.
/// vLLM has it for hybrid models where it is asked for, as recipes do since about 0.20, and by default in newer releases.
/// Source: `MambaSpec.max_memory_usage_bytes`, `is_prefix_caching_supported`.
pub(super) fn states_each(scenario: &Scenario) -> f64 {
    match scenario.engine {
        Engine::Vllm if !scenario.version.since(Version::of(0, 20, 0)) => 1.0,
        engine if engine.has_pool() => 2.0,
        _ => 1.0,
    }
}

/// Bytes of one layer's state on a rank.
pub(super) fn state(job: &Job, keep: &Keep) -> f64 {
    let Keep::State { recurrent, convolution } = *keep else {
        return 0.0;
    };
    let small = if job.scenario.engine.is_llama_cpp() { 4.0 } else { 2.0 };
    let drafted = if job.scenario.engine.has_pool() {
        1.0 + job.scenario.draft_tokens.max(0) as f64 / 3.0
    } else {
        1.0
    };
    (recurrent as f64 * 4.0 + convolution as f64 * small * drafted) / job.scenario.split() as f64
}

/// The whole cache, windows and states included, and how much of it llama.cpp keeps in the computer's memory: that of
/// layers on no card, or all of it. Recurrent states follow their layers.
pub(super) fn all_and_on_host(job: &Job) -> (f64, f64) {
    let scenario = Scenario {
        gpu_layers: None,
        cache_on_host: false,
        cards: Vec::new(),
        pipeline: 0,
        ..job.scenario.clone()
    };
    let whole = Job {
        scenario: &scenario,
        ..*job
    };
    let grows = need(&whole).span.mid.as_f64() + need_window(&whole).span.mid.as_f64();
    let states = need_state(&whole).span.mid.as_f64();
    let cards = job.scenario.spread();
    let placed: i64 = (0..cards.min(64)).map(|card| layers_on(job, card)).sum();
    let left = 1.0 - placed as f64 / job.model.layers.max(1) as f64;
    let kept = if on_card(job) > 0.0 { left } else { 1.0 };
    (grows + states, (grows * kept + states * left).max(0.0))
}

/// `per_token` × `tokens` × `users`.
fn formula(job: &Job, _: Span) -> Message {
    with_numbers(Message::new("size-kv-cache"), job)
}

/// The same, of a model of about this size.
fn formula_unsure(job: &Job, _: Span) -> Message {
    with_numbers(Message::new("size-kv-cache-unsure"), job)
}

fn with_numbers(message: Message, job: &Job) -> Message {
    let scenario = job.scenario;
    let users = if scenario.unified { 1 } else { scenario.users };
    message
        .with(
            "per_token",
            bytes_per_token(&job.model, scenario.k_cache, scenario.v_cache, scenario.split()),
        )
        .with("tokens", padded(scenario.context, step(job)))
        .with("users", users)
}

/// `layers` layers, each with `cells` tokens of all requests, `window` of them the window.
fn formula_window(job: &Job, span: Span) -> Message {
    let windows = job.model.groups.iter().filter_map(|group| match group.keep {
        Keep::Window { window, .. } => Some((group.layers, window)),
        _ => None,
    });
    let (layers, window) = windows.fold((0, 0), |sum, next| (sum.0 + next.0, next.1));
    Message::new("size-kv-window")
        .with("layers", layers)
        .with("window", window)
        .with("cells", window_cells(job, window) as i64)
        .with("bytes", span.mid)
}

/// `layers` states for each of `users` requests.
fn formula_state(job: &Job, span: Span) -> Message {
    let states = job
        .model
        .groups
        .iter()
        .filter(|group| matches!(group.keep, Keep::State { .. }));
    Message::new("size-state")
        .with("layers", states.map(|group| group.layers).sum::<i64>())
        .with("users", job.scenario.users)
        .with("bytes", span.mid)
}
