//! What the reader describes: a job on a card, every part optional; its coding in a link.

mod architecture;
mod choices;
mod link;
mod own;
mod values;

pub use architecture::Typed;
pub use choices::{Checkpointing, Loss, Method, Optimizer, Precision, Sharding, Task};
pub use link::{KEYS, LINK_LIMIT, LINK_VERSION, Link, decode, encode};
pub use own::{OWN, Own, Tensors};

use std::sync::Arc;

use crate::catalog::{Card, Engine, Format, KvFormat, Model, format, formats, kv_format};
use crate::units::Bytes;

/// A job on a card. [`Scenario::default`] is what a link leaves out.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What is done with the model.
    pub task: Task,
    /// A model of the catalog.
    pub model: Option<&'static Model>,
    /// A model read from a file, in the catalog's place. No link carries it.
    pub own: Option<Arc<Own>>,
    /// Parts of the architecture typed by hand: they stand for a model, or instead of the model's own.
    pub typed: Typed,
    /// Number format of the weights.
    pub format: &'static Format,
    /// What runs the model.
    pub engine: Engine,
    /// Tokens of each request, prompt and answer together.
    pub context: i64,
    /// Requests at the same time.
    pub users: i64,
    /// Number format of cached keys.
    pub k_cache: &'static KvFormat,
    /// Number format of cached values.
    pub v_cache: &'static KvFormat,
    /// Whether attention is computed without a matrix of scores (llama.cpp's `-fa`).
    pub flash_attention: bool,
    /// Whether all requests share one cache of `context` tokens (llama.cpp's `--kv-unified`).
    pub unified: bool,
    /// Tokens computed in one go (llama.cpp's `-ub`).
    pub ubatch: i64,
    /// Tokens of all requests in one step (vLLM's `--max-num-batched-tokens`).
    pub batched_tokens: i64,
    /// Tenths of a percent of the card that the engine takes (`--gpu-memory-utilization`); zero for its default.
    pub utilisation: i64,
    /// Tokens that are drafted ahead (speculative decoding).
    pub draft_tokens: i64,
    /// Layers on the card (llama.cpp's `-ngl`); `None` for all.
    pub gpu_layers: Option<i64>,
    /// Memory of the KV cache pool, where it is known (vLLM's `--kv-cache-memory-bytes`).
    pub pool: Option<Bytes>,
    /// The cards, kind by kind.
    pub cards: Vec<Cards>,
    /// Cards that each layer is split over; zero for the engine's own choice.
    pub tensor_parallel: i64,
    /// Memory of each card that something else holds.
    pub held: Bytes,
    /// How the model is trained.
    pub method: Method,
    /// The optimiser.
    pub optimizer: Optimizer,
    /// The number formats of training.
    pub precision: Precision,
    /// Whether activations are kept or computed again.
    pub checkpointing: Checkpointing,
    /// How the loss is computed.
    pub loss: Loss,
    /// What is spread over the cards in training.
    pub sharding: Sharding,
    /// Sequences or images computed together.
    pub batch: i64,
    /// Steps whose gradients are added up before the optimiser's.
    pub accumulation: i64,
    /// Tokens of a training sequence.
    pub sequence: i64,
    /// Rank of LoRA's matrices.
    pub rank: i64,
    /// Width of an image or a video in pixels.
    pub width: i64,
    /// Its height.
    pub height: i64,
    /// Frames of a video.
    pub frames: i64,
    /// Keys of a link that this version does not know, kept to be passed on.
    pub others: Vec<(String, String)>,
}

/// Cards of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cards {
    /// Which.
    pub kind: CardKind,
    /// How many.
    pub count: i64,
}

/// One kind of card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardKind {
    /// A card of the catalog.
    Known(&'static Card),
    /// A card by its memory alone, as CUDA reports it.
    Typed(Bytes),
}

impl CardKind {
    /// What the card can give out in all.
    pub fn total(&self) -> Bytes {
        match self {
            CardKind::Known(card) => card.total(),
            CardKind::Typed(bytes) => *bytes,
        }
    }
}

impl Default for Scenario {
    fn default() -> Scenario {
        let cache = kv_format("f16").unwrap_or(&crate::catalog::KV_FORMATS[0]);
        Scenario {
            task: Task::default(),
            model: None,
            own: None,
            typed: Typed::default(),
            format: format("bf16").unwrap_or(&formats()[0]),
            engine: Engine::default(),
            context: 8192,
            users: 1,
            k_cache: cache,
            v_cache: cache,
            flash_attention: true,
            unified: false,
            ubatch: 512,
            batched_tokens: 8192,
            utilisation: 0,
            draft_tokens: 0,
            gpu_layers: None,
            pool: None,
            cards: Vec::new(),
            tensor_parallel: 0,
            held: Bytes::ZERO,
            method: Method::default(),
            optimizer: Optimizer::default(),
            precision: Precision::default(),
            checkpointing: Checkpointing::default(),
            loss: Loss::default(),
            sharding: Sharding::default(),
            batch: 1,
            accumulation: 1,
            sequence: 2048,
            rank: 16,
            width: 1024,
            height: 1024,
            frames: 1,
            others: Vec::new(),
        }
    }
}

impl Scenario {
    /// The smallest card, which decides: all cards take the same share.
    pub fn card(&self) -> Option<CardKind> {
        self.cards.iter().map(|cards| cards.kind).min_by_key(CardKind::total)
    }

    /// How many cards there are; one if none is named.
    pub fn card_count(&self) -> i64 {
        self.cards
            .iter()
            .fold(0i64, |sum, cards| sum.saturating_add(cards.count.max(0)))
            .clamp(1, 10_000)
    }

    /// How many cards each layer is split over: all of them in engines that do so by themselves, else none.
    pub fn split(&self) -> i64 {
        match self.tensor_parallel {
            0 if self.engine.has_pool() => self.card_count(),
            0 => 1,
            ranks => ranks.clamp(1, 10_000),
        }
    }

    /// How many cards whole layers are spread over.
    pub fn spread(&self) -> i64 {
        (self.card_count() / self.split()).max(1)
    }

    /// The scenario on `count` cards of one kind.
    pub fn on(&self, kind: CardKind, count: i64) -> Scenario {
        Scenario {
            cards: vec![Cards { kind, count }],
            ..self.clone()
        }
    }
}
