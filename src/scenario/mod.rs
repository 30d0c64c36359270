//! What the reader describes: a job on a card, every part optional; its coding in a link.

mod architecture;
mod choices;
mod doubts;
mod link;
mod own;
mod values;

pub use architecture::Typed;
pub use choices::{
    Checkpointing, Loss, Method, Objective, Offload, Optimizer, Precision, Sharding, Staging, Targets, Task, TextPlace,
};
pub use link::{KEYS, LINK_LIMIT, LINK_VERSION, Link, decode, encode};
pub use own::{OWN, Own, Tensors};

use std::sync::Arc;

use crate::catalog::{
    Card, Defaults, Engine, Format, Framework, ImageModel, KvFormat, Model, Version, format, formats, kv_format,
};
use crate::units::Bytes;

/// A job on a card. [`Scenario::default`] is what a link leaves out.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What is done with the model.
    pub task: Task,
    /// A model of the catalog.
    pub model: Option<&'static Model>,
    /// A model that makes images or videos, in the place of a language model.
    pub image_model: Option<&'static ImageModel>,
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
    /// Tokens of all requests in one step (vLLM's `--max-num-batched-tokens`); zero for the engine's default.
    pub batched_tokens: i64,
    /// Tenths of a percent of the card that the engine takes (`--gpu-memory-utilization`); zero for its default.
    pub utilisation: i64,
    /// The engine's version.
    pub version: Version,
    /// Requests that the engine is ready for at once (vLLM's `--max-num-seqs`); zero for its default.
    pub sequences: i64,
    /// Whether the engine records no CUDA graphs (vLLM's `--enforce-eager`).
    pub eager: bool,
    /// Whether an engine that loads image encoders loads the model's (without vLLM's `--language-model-only`).
    pub sees: bool,
    /// Adapters (LoRA) that are loaded beside the model, each of `rank`.
    pub adapters: i64,
    /// A small model that drafts tokens for the large one.
    pub draft: Option<&'static Model>,
    /// Tokens that are drafted ahead (speculative decoding).
    pub draft_tokens: i64,
    /// Layers on the card (llama.cpp's `-ngl`); `None` for all.
    pub gpu_layers: Option<i64>,
    /// Layers whose experts are in the computer's memory (llama.cpp's `--n-cpu-moe`).
    pub cpu_experts: i64,
    /// Whether keys and values are in the computer's memory (llama.cpp's `--no-kv-offload`).
    pub cache_on_host: bool,
    /// Memory of the KV cache pool, where it is known (vLLM's `--kv-cache-memory-bytes`).
    pub pool: Option<Bytes>,
    /// The cards, kind by kind.
    pub cards: Vec<Cards>,
    /// Cards that each layer is split over; zero for the engine's own choice.
    pub tensor_parallel: i64,
    /// Cards that whole layers are spread over; zero for all that `tensor_parallel` leaves.
    pub pipeline: i64,
    /// Memory of each card that something else holds.
    pub held: Bytes,
    /// What trains the model.
    pub framework: Framework,
    /// How the model is trained.
    pub method: Method,
    /// What it learns from.
    pub objective: Objective,
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
    /// Whether the optimiser's step is taken in the backward pass, layer by layer.
    pub step_in_backward: bool,
    /// What training keeps in the computer's memory.
    pub offload: Offload,
    /// Whether the kept activations are moved to the computer's memory.
    pub offload_activations: bool,
    /// Whether a compiler fuses the layers (torch.compile).
    pub compiled: bool,
    /// Rank of LoRA's matrices, and of GaLore's projections.
    pub rank: i64,
    /// Which layers LoRA adapts.
    pub targets: Targets,
    /// Whether LoRA's inputs pass through dropout.
    pub dropout: bool,
    /// Whether what a quantised base leaves unquantised is raised to 32-bit (PEFT's `prepare_model_for_kbit_training`).
    pub raises_rest: bool,
    /// Whether embedding and head are trained whole beside LoRA.
    pub trains_embedding: bool,
    /// Width of an image or a video in pixels.
    pub width: i64,
    /// Its height.
    pub height: i64,
    /// Frames of a video.
    pub frames: i64,
    /// Images that the model is given beside the text, of the size of the one that it makes.
    pub references: i64,
    /// Prompts computed in one go for each image; zero for the model's own way of guidance.
    pub prompts: i64,
    /// Number format of large text encoders.
    pub text_format: &'static Format,
    /// Number format of the VAE and of small text encoders.
    pub vae_format: &'static Format,
    /// Where the text encoders work.
    pub text_place: TextPlace,
    /// What keeps parts of the model off the card.
    pub staging: Staging,
    /// Blocks of the denoiser in the computer's memory, where they are swapped.
    pub swapped: i64,
    /// Side of the tiles that the VAE decodes, in pixels: zero for none, 1 for the VAE's own.
    pub tile: i64,
    /// ControlNets beside the denoiser.
    pub control_nets: i64,
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
        let plain = format("bf16").unwrap_or(&formats()[0]);
        Scenario {
            task: Task::default(),
            model: None,
            image_model: None,
            own: None,
            typed: Typed::default(),
            format: plain,
            engine: Engine::default(),
            context: 8192,
            users: 1,
            k_cache: cache,
            v_cache: cache,
            flash_attention: true,
            unified: false,
            ubatch: 512,
            batched_tokens: 0,
            utilisation: 0,
            version: Version::default(),
            sequences: 0,
            eager: false,
            sees: true,
            adapters: 0,
            draft: None,
            draft_tokens: 0,
            gpu_layers: None,
            cpu_experts: 0,
            cache_on_host: false,
            pool: None,
            cards: Vec::new(),
            tensor_parallel: 0,
            pipeline: 0,
            held: Bytes::ZERO,
            framework: Framework::default(),
            method: Method::default(),
            objective: Objective::default(),
            optimizer: Optimizer::default(),
            precision: Precision::default(),
            checkpointing: Checkpointing::default(),
            loss: Loss::default(),
            sharding: Sharding::default(),
            batch: 1,
            accumulation: 1,
            sequence: 2048,
            step_in_backward: false,
            offload: Offload::default(),
            offload_activations: false,
            compiled: false,
            rank: 16,
            targets: Targets::default(),
            dropout: false,
            raises_rest: true,
            trains_embedding: false,
            width: 1024,
            height: 1024,
            frames: 1,
            references: 0,
            prompts: 0,
            text_format: plain,
            vae_format: plain,
            text_place: TextPlace::default(),
            staging: Staging::default(),
            swapped: 0,
            tile: 0,
            control_nets: 0,
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

    /// How many cards each layer is split over: all of them (that a pipeline leaves) in engines that do so by themselves,
    /// else none.
    pub fn split(&self) -> i64 {
        match self.tensor_parallel {
            0 if self.engine.has_pool() => (self.card_count() / self.pipeline.clamp(1, 10_000)).max(1),
            0 => 1,
            ranks => ranks.clamp(1, 10_000),
        }
    }

    /// How many cards whole layers are spread over.
    pub fn spread(&self) -> i64 {
        match self.pipeline {
            0 => (self.card_count() / self.split()).max(1),
            stages => stages.clamp(1, 10_000),
        }
    }

    /// Of `layers` whole layers spread over cards those on the smallest card, which decides: an equal part of them, or by
    /// its memory where the cards differ, as llama.cpp and transformers spread them.
    pub fn part_of(&self, layers: i64) -> i64 {
        let (layers, cards) = (i128::from(layers.max(0)), i128::from(self.spread()));
        let kinds = self.cards.iter().map(|cards| cards.kind.total());
        let uneven = self.split() == 1 && kinds.clone().min() != kinds.max();
        let (part, whole) = match self.card() {
            Some(card) if uneven => (i128::from(card.total().0.max(1)), i128::from(self.memory().0.max(1))),
            _ => (1, cards),
        };
        i64::try_from((layers * part + whole - 1) / whole).unwrap_or(0)
    }

    /// What the engine does where nothing is set, on the smallest card. vLLM counts an A100 of 80 GB as a small card.
    pub fn defaults(&self) -> &'static Defaults {
        let total = self.card().map(|kind| match kind {
            CardKind::Known(card) if card.id.starts_with("a100") => card.total().min(Bytes::gib(64)),
            // Ollama goes by the memory of all cards.
            _ if self.engine == Engine::Ollama => self.memory(),
            kind => kind.total(),
        });
        self.engine.defaults(self.behaves_like(), total)
    }

    /// The version whose habits the engine has on the card: vLLM 0.8 to 0.10 kept its first engine (V0), that of 0.7, on
    /// cards before Ampere ("Compute Capability < 8.0 is not supported by the V1 Engine").
    pub fn behaves_like(&self) -> Version {
        let old = |kind: CardKind| matches!(kind, CardKind::Known(card) if matches!(card.architecture, "Turing" | "Volta" | "Pascal"));
        let (first, gone) = (Version::of(0, 8, 0), Version::of(0, 11, 0));
        let known = self.version != Version::default() && self.version.since(first) && !self.version.since(gone);
        match self.engine == Engine::Vllm && known && self.card().is_some_and(old) {
            true => Version::of(0, 7, 3),
            false => self.version,
        }
    }

    /// The memory of all cards.
    fn memory(&self) -> Bytes {
        self.cards
            .iter()
            .map(|cards| cards.kind.total().share(cards.count.clamp(0, 10_000), 1))
            .sum()
    }

    /// Tenths of a percent of the card that the engine takes.
    pub fn share(&self) -> i64 {
        match self.utilisation {
            0 => {
                let total = self.card().map(|kind| kind.total());
                self.engine.share(self.version, total, self.card_count())
            }
            set => set.clamp(0, 1000),
        }
    }

    /// Tokens of all requests in one step, those of the longest request where the engine does not cut them.
    pub fn step_tokens(&self) -> i64 {
        match (self.batched_tokens, self.defaults().step_tokens) {
            // vLLM before 0.8 cut only prompts of more than 32768 tokens.
            (0, 0) if self.engine == Engine::Vllm && self.context > 32_768 => 2048,
            (0, 0) => self.context.max(2048),
            (0, tokens) => tokens,
            (set, _) => set.max(0),
        }
    }

    /// Requests that the engine is ready for at once.
    pub fn ready_for(&self) -> i64 {
        match self.sequences {
            0 => self.defaults().sequences.max(self.users),
            set => set.max(0),
        }
    }

    /// The scenario on `count` cards of one kind.
    pub fn on(&self, kind: CardKind, count: i64) -> Scenario {
        Scenario {
            cards: vec![Cards { kind, count }],
            ..self.clone()
        }
    }
}
