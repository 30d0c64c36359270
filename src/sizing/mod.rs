//! What a job needs, part by part, each a range with its basis.
//!
//! One file for each part of the memory, one for each job that adds them up, one solver over both. Amounts are those of
//! one card: the one that holds most. docs/method.md explains the method in the order of these files.

pub mod activations;
mod adapters;
mod components;
mod denoiser;
pub mod image_video;
mod kept;
pub mod kv_cache;
mod llm;
pub mod optimizer;
pub mod overhead;
mod picture_training;
mod placement;
mod shape;
mod solver;
mod streamed;
mod survey;
mod training;
mod vae;
pub mod weights;

pub use image_video::Stage;
pub use placement::{Placement, placement};
pub use solver::{By, Lever, Solution, Solved, Value, solve, solve_all};
pub use streamed::streamed;
pub use survey::{CardFit, Cell, ModelFit, cards_for, models_on, table};
pub use training::Moment;

use crate::catalog::{Engine, Model};
use crate::message::Message;
use crate::scenario::{Scenario, Task};
use crate::units::Bytes;

/// How sure a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It follows from the architecture and the format.
    Exact,
    /// It agrees with what public logs show.
    Measured,
    /// Settings and versions that are not known move it.
    RuleOfThumb,
}

impl Basis {
    /// The basis of an amount with this range: what varies is not told to be exact. The range of a format's files, say, is
    /// a measured one.
    fn of(self, span: Span) -> Basis {
        match self {
            Basis::Exact if !span.is_one() => Basis::Measured,
            basis => basis,
        }
    }

    /// The id of the JSON.
    pub fn id(self) -> &'static str {
        match self {
            Basis::Exact => "exact",
            Basis::Measured => "measured",
            Basis::RuleOfThumb => "rule-of-thumb",
        }
    }
}

/// A range of bytes, `low <= mid <= high`, none below zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The least that is likely.
    pub low: Bytes,
    /// The likeliest.
    pub mid: Bytes,
    /// The most that is likely.
    pub high: Bytes,
}

impl Span {
    /// The range of three computed amounts; what is no number counts as zero.
    pub fn of(low: f64, mid: f64, high: f64) -> Span {
        let whole = |bytes| Bytes::from_f64(bytes).floor_zero();
        let mid = whole(mid);
        Span {
            low: whole(low).min(mid),
            mid,
            high: whole(high).max(mid),
        }
    }

    /// One amount, known exactly.
    pub fn exact(bytes: f64) -> Span {
        Span::of(bytes, bytes, bytes)
    }

    /// An amount between `low` and `high` times itself.
    pub fn about(bytes: f64, low: f64, high: f64) -> Span {
        Span::of(bytes * low, bytes, bytes * high)
    }

    /// Whether it is one amount, give or take a percent from end to end.
    pub fn is_one(self) -> bool {
        (self.high - self.low).0 <= self.mid.0 / 100
    }

    /// The range `factor` times as large.
    fn times(self, factor: f64) -> Span {
        let [low, mid, high] = [self.low, self.mid, self.high].map(|end| end.as_f64() * factor);
        Span::of(low, mid, high)
    }

    /// At each end the larger of two.
    fn most(self, other: Span) -> Span {
        Span {
            low: self.low.max(other.low),
            mid: self.mid.max(other.mid),
            high: self.high.max(other.high),
        }
    }

    /// At each end the smaller of two.
    fn least(self, other: Span) -> Span {
        Span {
            low: self.low.min(other.low),
            mid: self.mid.min(other.mid),
            high: self.high.min(other.high),
        }
    }
}

impl std::ops::Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span {
            low: self.low + other.low,
            mid: self.mid + other.mid,
            high: self.high + other.high,
        }
    }
}

/// The parts of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartId {
    /// The model's weights.
    Weights,
    /// Keys and values that grow with the context.
    KvCache,
    /// Keys and values of sliding windows.
    KvWindow,
    /// Fixed states of recurrent layers.
    State,
    /// Intermediate results of inference, or of the forward pass in training.
    Activations,
    /// llama.cpp's compute buffer.
    Compute,
    /// 32-bit master weights.
    MasterWeights,
    /// Gradients.
    Gradients,
    /// The optimiser's states.
    Optimizer,
    /// LoRA's matrices with their gradients and states.
    Adapters,
    /// The logits and their gradients in training.
    Logits,
    /// Text encoders of a model that makes images.
    TextEncoders,
    /// Its VAE.
    Vae,
    /// ControlNets beside its denoiser.
    ControlNets,
    /// What PyTorch's allocator holds beyond what is allocated.
    Cache,
    /// The small model that drafts tokens.
    Draft,
    /// CUDA graphs.
    Graphs,
    /// What a moment of training needs only for itself: gathered layers, gradients on their way, dequantised weights.
    Temporary,
    /// CUDA context, libraries and what no other part counts.
    Overhead,
}

impl PartId {
    /// The id of the JSON.
    pub fn id(self) -> &'static str {
        match self {
            PartId::Weights => "weights",
            PartId::KvCache => "kv_cache",
            PartId::KvWindow => "kv_window",
            PartId::State => "state",
            PartId::Activations => "activations",
            PartId::Compute => "compute",
            PartId::MasterWeights => "master_weights",
            PartId::Gradients => "gradients",
            PartId::Optimizer => "optimizer",
            PartId::Adapters => "adapters",
            PartId::Logits => "logits",
            PartId::TextEncoders => "text_encoders",
            PartId::Vae => "vae",
            PartId::ControlNets => "control_nets",
            PartId::Cache => "cache",
            PartId::Draft => "draft",
            PartId::Graphs => "graphs",
            PartId::Temporary => "temporary",
            PartId::Overhead => "overhead",
        }
    }
}

/// One part of an estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Which.
    pub id: PartId,
    /// How much.
    pub span: Span,
    /// How sure.
    pub basis: Basis,
    /// The formula with the scenario's numbers.
    pub formula: Message,
}

/// What a job needs of its fullest card.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Its parts; those that need nothing are left out.
    pub parts: Vec<Part>,
    /// Their sum. In training low and high are those of the moment at which they are largest; where there are stages, each
    /// end is that of the fullest one.
    pub total: Span,
    /// The moment of a training step at which the most is needed, and that the parts are those of.
    pub moment: Option<Moment>,
    /// The need of each stage of making an image, in the order of time; empty for other jobs.
    pub stages: Vec<(Stage, Span)>,
    /// The stage that is fullest, whose parts these are.
    pub fullest: Option<Stage>,
}

/// Whether a job fits on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fits {
    /// Even the high end does.
    Yes,
    /// It may.
    Tight,
    /// Not even the low end does.
    No,
}

impl Fits {
    /// The verdict on a need against what can be used.
    pub fn of(need: Span, usable: Bytes) -> Fits {
        match () {
            () if need.high <= usable => Fits::Yes,
            () if need.low > usable => Fits::No,
            () => Fits::Tight,
        }
    }

    /// The id of the JSON.
    pub fn id(self) -> &'static str {
        match self {
            Fits::Yes => "yes",
            Fits::Tight => "tight",
            Fits::No => "no",
        }
    }
}

/// A scenario with its architecture looked up: what the parts compute from.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub scenario: &'a Scenario,
    pub model: Model,
    /// Whether the KV cache follows from the architecture, and not from a model of about this size.
    pub cache_known: bool,
}

impl<'a> Job<'a> {
    pub fn new(scenario: &'a Scenario) -> Option<Job<'a>> {
        let (model, cache_known) = scenario.architecture()?;
        Some(Job {
            scenario,
            model,
            cache_known,
        })
    }
}

/// One part computed, without its formula: what the solver adds up.
#[derive(Clone, Copy)]
pub(crate) struct Need {
    pub id: PartId,
    pub span: Span,
    pub basis: Basis,
    formula: fn(&Job, Span) -> Message,
}

fn needs(job: &Job) -> Vec<Need> {
    match job.scenario.task {
        Task::Llm => llm::needs(job),
        Task::Train => training::peak(job).needs,
        Task::Image | Task::Video => Vec::new(),
    }
}

/// What the scenario needs of each card; `None` if it names no model or a task that is not sized yet.
pub fn estimate(scenario: &Scenario) -> Option<Estimate> {
    let mut estimate = parts_and_total(scenario)?;
    for part in &mut estimate.parts {
        part.basis = part.basis.of(part.span);
    }
    Some(estimate)
}

fn parts_and_total(scenario: &Scenario) -> Option<Estimate> {
    if let Some(job) = image_video::Job::new(scenario) {
        if let Some(training) = job.training() {
            return Some(Estimate {
                parts: training.parts(),
                total: training.peak(image_video::Measure::Total),
                moment: None,
                stages: Vec::new(),
                fullest: None,
            });
        }
        let (fullest, parts) = job.parts();
        return Some(Estimate {
            parts,
            total: job.peak(image_video::Measure::Total),
            moment: None,
            stages: job.stages(),
            fullest: Some(fullest),
        });
    }
    let job = Job::new(scenario)?;
    let (needs, total, moment) = match scenario.task {
        Task::Train => {
            let peak = training::peak(&job);
            (peak.needs, peak.total, Some(peak.moment))
        }
        _ => {
            let needs = needs(&job);
            let total = sum(&needs);
            (needs, total, None)
        }
    };
    if needs.is_empty() {
        return None;
    }
    let some = needs.into_iter().filter(|need| need.span.high > Bytes::ZERO);
    let parts = some.map(|need| Part {
        id: need.id,
        span: need.span,
        basis: need.basis,
        formula: (need.formula)(&job, need.span),
    });
    Some(Estimate {
        parts: parts.collect(),
        total,
        stages: Vec::new(),
        fullest: None,
        moment,
    })
}

/// The total of [`estimate`], without its parts.
pub fn total(scenario: &Scenario) -> Option<Span> {
    if let Some(need) = image_video::peak(scenario, image_video::Measure::Total) {
        return Some(need);
    }
    let job = Job::new(scenario)?;
    if scenario.task == Task::Train {
        return Some(training::peak(&job).total);
    }
    let needs = needs(&job);
    (!needs.is_empty()).then(|| sum(&needs))
}

/// What a training job holds on each card once its model is loaded; `None` without a model, or for other tasks.
pub fn loaded(scenario: &Scenario) -> Option<Span> {
    let job = Job::new(scenario)?;
    (scenario.task == Task::Train).then(|| training::loaded(&job))
}

fn sum(needs: &[Need]) -> Span {
    needs.iter().fold(Span::default(), |total, need| total + need.span)
}

/// What the job can use of each card: what CUDA gives out, less what something else holds; engines that take a share
/// of the card at start (vLLM, SGLang) stay within it, TensorRT-LLM within what it needs and a share of the rest.
/// `None` without a card.
pub fn usable(scenario: &Scenario) -> Option<Bytes> {
    let total = scenario.card()?.total();
    let free = (total - scenario.held).floor_zero();
    Some(match scenario.engine {
        Engine::TensorRtLlm => {
            let others = without_caches(scenario).unwrap_or_default().mid.min(free);
            others + (free - others).share(scenario.share(), 1000)
        }
        engine if engine.has_pool() => free.min(total.share(scenario.share(), 1000)),
        _ => free,
    })
}

/// All that is no cache.
fn without_caches(scenario: &Scenario) -> Option<Span> {
    let caches = [PartId::KvCache, PartId::KvWindow, PartId::State];
    let mut needs = needs(&Job::new(scenario)?);
    needs.retain(|need| !caches.contains(&need.id));
    Some(sum(&needs))
}

/// The pool of KV cache on each card: the one that is stated, or what an engine that fills a pool has left after weights
/// and working memory, by the middle of their ranges. `None` for engines without a pool, or without a card.
pub fn pool(scenario: &Scenario) -> Option<Bytes> {
    if scenario.pool.is_some() {
        return scenario.pool;
    }
    Some(pool_span(scenario)?.mid.floor_zero())
}

/// The range of the pool, below zero where not even weights and working memory fit in the engine's share.
/// `None` for engines without a pool, or without a card.
pub fn pool_span(scenario: &Scenario) -> Option<Span> {
    if !scenario.engine.has_pool() {
        return None;
    }
    let (usable, others) = (usable(scenario)?, without_caches(scenario)?);
    Some(Span {
        low: usable - others.high,
        mid: usable - others.mid,
        high: usable - others.low,
    })
}

/// The verdict on the scenario; `None` without a model or a card.
pub fn fits(scenario: &Scenario) -> Option<Fits> {
    Some(Fits::of(total(scenario)?, usable(scenario)?))
}
