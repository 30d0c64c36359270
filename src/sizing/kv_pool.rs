//! What a pool of keys and values holds: in how many blocks an engine parts it, and how many requests and tokens they serve.

use super::Job;
use super::kv_cache::{BLOCK, cell, growing, keeps_all, need_window, of_layers, state, states_each, vllm_window};
use crate::catalog::{Engine, Group, Keep, Version};
use crate::scenario::Scenario;
use crate::units::Bytes;

/// Up to this version vLLM reported the pool's tokens as its blocks over the groups of layers, times the smallest block;
/// then the requests of full length that fit, times that length (vllm#40694).
const BY_REQUESTS: Version = Version::of(0, 21, 0);

/// What a pool holds.
struct Pool {
    /// Requests of the whole context.
    requests: f64,
    /// Tokens, as the engine reports them.
    tokens: f64,
}

/// Tokens that a pool of `pool` bytes on each card holds, as vLLM reports it ("GPU KV cache size"): where all layers
/// attend fully the pool over the bytes of a token, in blocks. `None` without a cache that grows.
pub fn pool_tokens(scenario: &Scenario, pool: Bytes) -> Option<i64> {
    let tokens = held(scenario, pool)?.tokens;
    Some((tokens / BLOCK as f64).floor() as i64 * BLOCK)
}

/// How many requests of the whole context a pool of `pool` bytes on each card holds at once ("Maximum concurrency").
/// `None` without a cache that grows.
pub fn pool_requests(scenario: &Scenario, pool: Bytes) -> Option<f64> {
    Some(held(scenario, pool)?.requests)
}

fn held(scenario: &Scenario, pool: Bytes) -> Option<Pool> {
    let job = Job::new(scenario)?;
    let grows = growing(&job.model, scenario.k_cache, scenario.v_cache, scenario.split()) * of_layers(&job);
    if grows <= 0.0 || pool <= Bytes::ZERO {
        return None;
    }
    let context = scenario.context.max(1) as f64;
    let groups = scenario.engine == Engine::Vllm && !keeps_all(scenario);
    if let Some(held) = groups.then(|| in_groups(&job, pool)).flatten() {
        return Some(held);
    }
    let request = Scenario {
        users: 1,
        unified: false,
        ..scenario.clone()
    };
    let windows = need_window(&Job {
        scenario: &request,
        ..job
    });
    let tokens = pool.as_f64() / (grows + windows.span.mid.as_f64() / context);
    let blocks = (tokens / BLOCK as f64).floor();
    let requests = match windows.span.mid {
        // Each request has whole blocks.
        Bytes::ZERO if scenario.engine == Engine::Vllm => blocks / (context / BLOCK as f64).ceil(),
        _ => tokens / context,
    };
    Some(Pool { requests, tokens })
}

/// vLLM's pool that layers of unlike kinds share: those of a kind are put in groups of equal size, as many layers as the
/// rarest kind has (or the commonest, if that is less than one and a half times as many), the last group of a kind filled
/// up. A block serves one group; blocks take equal memory, so where a layer's tokens take less it has more of them, and
/// beside states, which are one block each, keys and values have as many tokens as fill one. `None` where all layers are of
/// one kind.
/// Sources: `_get_kv_cache_groups_uniform_page_size`, `SlidingWindowSpec.max_memory_usage_bytes`; pools of Gemma 3 4B, 12B
/// and 27B in 0.19 and of Qwen3.6-35B-A3B in 0.24, exactly (club-3090#612, #652).
fn in_groups(job: &Job, pool: Bytes) -> Option<Pool> {
    let scenario = job.scenario;
    // A layer of the model's own that drafts is one more of those that attend fully.
    let drafts = i64::from(scenario.draft_tokens > 0 && scenario.draft.is_none());
    let kinds = job
        .model
        .groups
        .iter()
        .filter(|group| group.layers > 0)
        .map(|group| match group.keep {
            Keep::Full { .. } | Keep::Latent { .. } => Group {
                layers: group.layers.saturating_add(drafts),
                keep: group.keep,
            },
            _ => *group,
        });
    let kinds: Vec<Group> = kinds.collect();
    let compressed = |group: &Group| matches!(group.keep, Keep::Latent { tokens: 2.., .. });
    if kinds.len() < 2 || kinds.iter().any(compressed) {
        return None;
    }
    let token = |keep: &Keep| cell(keep, scenario.k_cache, scenario.v_cache, scenario.split());
    let largest = |bytes: f64, group: &Group| bytes.max(state(job, &group.keep));
    let states = kinds.iter().fold(0.0, largest);
    // The tokens of a block of the kind whose tokens take most.
    let step = match kinds.iter().any(|group| matches!(group.keep, Keep::Latent { .. })) {
        true => 8 * BLOCK,
        false => BLOCK,
    } as f64;
    let widest = kinds.iter().map(|group| token(&group.keep)).fold(0.0, f64::max);
    let block = ((states / widest / step).ceil() * step).max(BLOCK as f64);
    let layers = kinds.iter().map(|group| group.layers);
    let (fewest, most) = (layers.clone().min()?, layers.max()?);
    let size = if most < fewest + fewest / 2 { most } else { fewest };
    let blocks = (pool.as_f64() / (widest * block * size as f64 * of_layers(job))).floor();
    let context = scenario.context.max(1);
    let (mut groups, mut request, mut smallest) = (0.0, 0.0, f64::INFINITY);
    for group in kinds {
        let parts = ((group.layers + size - 1) / size) as f64;
        let tokens = match token(&group.keep) {
            0.0 => block,
            bytes => block * (widest / bytes).floor(),
        };
        let each = match group.keep {
            Keep::State { .. } => states_each(scenario) + scenario.draft_tokens.max(0) as f64,
            Keep::Window { window, .. } => {
                let kept = vllm_window(window, scenario.step_tokens()) - BLOCK;
                (kept.min(context) as f64 / tokens).ceil() + 1.0
            }
            _ => (context as f64 / tokens).ceil(),
        };
        groups += parts;
        request += parts * each;
        smallest = tokens.min(smallest);
    }
    let requests = blocks / request;
    let tokens = match scenario.version.since(BY_REQUESTS) {
        true => requests * context as f64,
        false => (blocks / groups).floor() * smallest,
    };
    Some(Pool { requests, tokens })
}
