//! What llama.cpp and Ollama leave to the computer's memory, and which share lands where.

use super::{Job, Span, kv_cache, overhead, total, usable, weights};
use crate::scenario::Scenario;
use crate::units::{Bytes, MIB};

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

/// What llama.cpp, and Ollama with it, leave free on a card when they choose the layers themselves (`--fit-target`); the CUDA
/// context comes out of it.
const LEFT_FREE: i64 = 1024 * MIB;

/// Whether they put that many layers on the cards by themselves: by what they compute that they need, and not by what is
/// sure. Source: "will leave 1670 >= 1024 MiB of free device memory, no changes needed"; Ollama's older estimator left a
/// little more (30 of 81 layers of Llama 3 70B in Q4_0 on 16 GB, here 31, and 43 of Q4_K_M on 24 GB, here 46).
fn chosen(placed: &Scenario) -> Option<bool> {
    let (need, usable) = (total(placed)?, usable(placed)?);
    let context = overhead::need(&Job::new(placed)?).span.mid;
    Some(need.mid - context + Bytes(LEFT_FREE) <= usable)
}

/// Where llama.cpp and Ollama put the layers: as many on the cards as are asked for, else as many as they choose, all of
/// them without a card. `None` for other engines and without a model.
pub fn placement(scenario: &Scenario) -> Option<Placement> {
    if !scenario.engine.is_llama_cpp() {
        return None;
    }
    let model = Job::new(scenario)?.model;
    let of = model.layers.max(0).saturating_add(1);
    let mut placed = scenario.clone();
    let layers = match scenario.gpu_layers {
        Some(layers) => layers.clamp(0, of),
        None if chosen(scenario).unwrap_or(true) => of,
        None => {
            // `fits` do, `not` do not.
            let (mut fits, mut not) = (0, of);
            while not - fits > 1 {
                let middle = fits + (not - fits) / 2;
                placed.gpu_layers = Some(middle);
                match chosen(&placed) {
                    Some(true) => fits = middle,
                    _ => not = middle,
                }
            }
            fits
        }
    };
    placed.gpu_layers = Some(layers);
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
