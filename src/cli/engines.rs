//! The parts of a language model's engine that `vramfit accuracy` compares beside those of the estimate:
//!
//! | part | means |
//! |---|---|
//! | `cpu_weights` | the embedding that llama.cpp leaves in the computer's memory |
//! | `host_weights` | all weights that it leaves there, layers and experts included |
//! | `host` | weights and cache that it and Ollama leave in the computer's memory |
//! | `host_compute` | its compute buffer there ("CUDA_Host compute buffer"), where all layers are on cards |
//! | `weights@N`, `compute@N` | the buffer of one of its cards, counted from 0 |
//! | `activations@N` | the peak of one of vLLM's cards: before 0.8 only the first one samples |
//! | `torch` | weights, cache and activations: what PyTorch allocates |
//! | `peak_torch` | weights and activations: PyTorch's peak before there is a cache |
//! | `outside_torch` | what vLLM finds outside PyTorch |
//! | `graphs` | CUDA graphs, whether the engine's share counts them or not |
//! | `kv_pool` | the pool that is left for keys and values; below zero where nothing is |
//! | `kv_pool@N` | that of one of vLLM's cards, as above |
//! | `max_concurrency` | how many requests of the whole context the pool holds (unit `x`) |
//! | `card_use` | what the card's monitor shows: all of it, with what stands beside the engine's share |
//! | `all_cards` | that of all cards together |

use crate::catalog::Engine;
use crate::scenario::Scenario;
use crate::sizing::{
    PartId, Span, activations, estimate, kv_pool, overhead, placement, pool, pool_span, total, usable, weights,
};
use crate::units::Bytes;

/// Ratios are compared in thousandths.
pub(super) const THOUSAND: f64 = 1000.0;

/// What is computed for a part of this table; `None` for other parts.
pub(super) fn computed(scenario: &Scenario, part: &str) -> Option<Span> {
    let (name, card) = match part.split_once('@') {
        Some((name, card)) => (name, card.parse::<i64>().ok()),
        None => (part, None),
    };
    match (name, card) {
        ("cpu_weights", None) => {
            let (model, _) = scenario.architecture()?;
            let Bytes(bytes) = weights::embedding(&model, scenario.format);
            Some(Span::exact(bytes as f64))
        }
        ("host_weights", None) => weights::on_host(scenario),
        ("host", None) => Some(placement(scenario)?.host),
        ("host_compute", None) => activations::compute_on_host(scenario),
        ("max_concurrency", None) => {
            let requests = kv_pool::pool_requests(scenario, pool(scenario)?)?;
            Some(Span::exact(requests * THOUSAND))
        }
        ("weights", Some(card)) => weights::on_card(scenario, card),
        ("compute", Some(card)) => activations::compute_on(scenario, card),
        ("activations", Some(card)) => activations::profile_on(scenario, card),
        ("torch", None) => without(scenario, &[PartId::Overhead, PartId::Graphs]),
        ("peak_torch", None) => {
            let caches = [PartId::KvCache, PartId::KvWindow, PartId::State];
            without(scenario, &[&caches[..], &[PartId::Overhead, PartId::Graphs]].concat())
        }
        ("outside_torch", None) => only(scenario, PartId::Overhead),
        ("graphs", None) => overhead::graph_span(scenario),
        ("kv_pool", None) => pool_span(scenario),
        ("kv_pool", Some(card)) => {
            let (pool, first) = (pool_span(scenario)?, only(scenario, PartId::Activations)?);
            let this = activations::profile_on(scenario, card)?;
            Some(Span {
                low: pool.low + first.high - this.high,
                mid: pool.mid + first.mid - this.mid,
                high: pool.high + first.low - this.low,
            })
        }
        ("card_use", None) => card_use(scenario),
        ("all_cards", None) => {
            let one = card_use(scenario)?;
            let times = |bytes: Bytes| bytes.share(scenario.card_count(), 1);
            Some(Span {
                low: times(one.low),
                mid: times(one.mid),
                high: times(one.high),
            })
        }
        _ => None,
    }
}

/// The sum of an estimate's parts but those of `left_out`.
fn without(scenario: &Scenario, left_out: &[PartId]) -> Option<Span> {
    let estimate = estimate(scenario)?;
    let parts = estimate.parts.iter().filter(|part| !left_out.contains(&part.id));
    Some(parts.fold(Span::default(), |sum, part| sum + part.span))
}

fn only(scenario: &Scenario, id: PartId) -> Option<Span> {
    let estimate = estimate(scenario)?;
    let part = estimate.parts.iter().find(|part| part.id == id);
    part.map(|part| part.span)
}

/// An engine with a pool fills its share; others take what they need.
fn card_use(scenario: &Scenario) -> Option<Span> {
    if scenario.engine != Engine::Vllm {
        return total(scenario);
    }
    let Bytes(share) = usable(scenario)?;
    // What comes after the start (workspaces, fragmentation) is beside the share.
    Some(Span::about(share as f64, 0.99, 1.03) + overhead::beside_share(scenario))
}
