//! What llama.cpp and Ollama leave to the computer's memory, and which share lands where.

use super::{By, Fits, Job, Lever, Span, Value, fits, kv_cache, solve, weights};
use crate::scenario::Scenario;

/// Where the layers of a model are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Layers on the cards, the head counted as one.
    pub layers: i64,
    /// Of how many: all and the head.
    pub of: i64,
    /// Weights and cache on the cards together.
    pub cards: Span,
    /// Weights and cache in the computer's memory: the embedding, layers and experts that are on no card, their cache.
    pub host: Span,
}

impl Placement {
    /// Percent of weights and cache that are on the cards, as `ollama ps` shows it.
    pub fn percent(&self) -> i64 {
        let (cards, host) = (self.cards.mid.as_f64(), self.host.mid.as_f64());
        (100.0 * cards / (cards + host).max(1.0)).round() as i64
    }
}

/// Where llama.cpp and Ollama put the layers: as many on the cards as are asked for, else as many as surely fit (both
/// do so by themselves), all of them without a card. `None` for other engines and without a model.
pub fn placement(scenario: &Scenario) -> Option<Placement> {
    if !scenario.engine.is_llama_cpp() {
        return None;
    }
    let model = Job::new(scenario)?.model;
    let of = model.layers.max(0).saturating_add(1);
    let layers = match scenario.gpu_layers {
        Some(layers) => layers.clamp(0, of),
        None if fits(scenario).is_none_or(|fits| fits == Fits::Yes) => of,
        None => match solve(scenario, Lever::GpuLayers, By::High).map(|solution| solution.value) {
            Some(Value::Count(layers)) => layers,
            _ => 0,
        },
    };
    let placed = Scenario {
        gpu_layers: Some(layers),
        ..scenario.clone()
    };
    let cards = (0..placed.spread().min(64)).filter_map(|card| weights::on_card(&placed, card));
    let on_cards = cards.fold(Span::default(), |sum, card| sum + card);
    let (cache, on_host) = kv_cache::all_and_on_host(&Job::new(&placed)?);
    Some(Placement {
        layers,
        of,
        cards: on_cards + Span::exact(cache - on_host),
        host: weights::on_host(&placed)? + Span::exact(on_host),
    })
}
