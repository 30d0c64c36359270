//! The largest, or finest, value of each lever that fits.
//!
//! Each lever declares its grid and its direction. On a grid on which the need never falls the last value that fits is
//! found by bisection; a list is tried from its finest value on. Both ask [`total`], the one sizing function.

use super::{Fits, Span, total, usable};
use crate::catalog::{Engine, Family, Format, KV_FORMATS, KvFormat, formats};
use crate::order;
use crate::scenario::{Method, Optimizer, Scenario, Task};
use crate::units::Bytes;

/// What can be turned to make a job fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lever {
    /// Tokens of each request, in steps of 256, up to what the model was made for.
    Context,
    /// Requests at the same time, 1 to 4096.
    Users,
    /// Number format of the weights: those that the engine reads, finest first.
    Format,
    /// Number format of keys and values, finest first.
    Cache,
    /// Layers on the card (llama.cpp), 0 to all and the head.
    GpuLayers,
    /// Layers whose experts stay in the computer's memory (llama.cpp), 0 to all: the fewest that fit.
    CpuExperts,
    /// Tokens computed in one go (llama.cpp), in powers of two up to 8192.
    Ubatch,
    /// Cards that each layer is split over, in divisors of the query heads up to 64: the fewest that fit.
    Tensor,
    /// The engine's share of the card in percent, 10 to 98: the least that fits.
    Utilisation,
    /// Training sequences or images in a batch, 1 to 4096.
    Batch,
    /// Width and height in pixels, of the scenario's shape: both in steps of 16, the longer one up to 8192.
    Resolution,
    /// Frames of a video, one more than a multiple of the VAE's (4n+1 for Wan), up to 1025.
    Frames,
    /// Number format of large text encoders, finest first.
    TextFormat,
    /// Tokens of a training sequence, in steps of 256.
    Sequence,
    /// LoRA's rank, in powers of two up to 1024.
    Rank,
    /// Cards of this kind, in powers of two up to 64: the fewest that fit.
    Cards,
}

/// How a need goes along a grid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// It never falls: bisected, the last that fits.
    Grows,
    /// It falls, or goes its own way: tried one by one, the first that fits.
    Listed,
}

/// A value of a lever.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A count.
    Count(i64),
    /// A number format of weights.
    Format(&'static Format),
    /// A number format of the cache.
    Cache(&'static KvFormat),
    /// Width and height in pixels.
    Size(i64, i64),
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// The value.
    pub value: Value,
    /// Whether it is the grid's last (or finest): no better value was tried.
    pub at_end: bool,
    /// Its need.
    pub need: Span,
}

/// Which end of the range has to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The high end: sure to fit.
    High,
    /// The middle: as likely as not.
    Mid,
}

impl By {
    fn fits(self, need: Span, usable: Bytes) -> bool {
        match self {
            By::High => Fits::of(need, usable) == Fits::Yes,
            By::Mid => need.mid <= usable,
        }
    }
}

/// Longest context and sequence tried where the model sets no limit.
const LONGEST: i64 = 1 << 27;

/// The step of width and height in pixels, and the most of either.
const SIDE: i64 = 16;
const LONGEST_SIDE: i64 = 8192;

impl Lever {
    /// The levers of a scenario.
    pub fn of(scenario: &Scenario) -> &'static [Lever] {
        if let Some(model) = scenario.image_model {
            let levers = &[
                Lever::Resolution,
                Lever::Batch,
                Lever::Format,
                Lever::TextFormat,
                Lever::Frames,
            ];
            return match scenario.task {
                Task::Train if scenario.method == Method::Full => &[Lever::Resolution, Lever::Batch],
                Task::Train => &[Lever::Resolution, Lever::Batch, Lever::Rank],
                _ if model.video => levers,
                _ => &levers[..4],
            };
        }
        match scenario.task {
            Task::Llm if scenario.engine.is_llama_cpp() => &[
                Lever::Context,
                Lever::Users,
                Lever::Format,
                Lever::Cache,
                Lever::GpuLayers,
                Lever::CpuExperts,
                Lever::Ubatch,
                Lever::Cards,
            ],
            Task::Llm if scenario.engine.has_pool() => &[
                Lever::Context,
                Lever::Users,
                Lever::Format,
                Lever::Cache,
                Lever::Tensor,
                Lever::Utilisation,
                Lever::Cards,
            ],
            Task::Llm => &[Lever::Context, Lever::Users, Lever::Format, Lever::Cache, Lever::Cards],
            Task::Train if scenario.method == Method::Full && scenario.optimizer != Optimizer::GaLore => {
                &[Lever::Batch, Lever::Sequence, Lever::Cards]
            }
            Task::Train => &[Lever::Batch, Lever::Sequence, Lever::Rank, Lever::Cards],
            Task::Image | Task::Video => &[],
        }
    }

    /// The id of the JSON.
    pub fn id(self) -> &'static str {
        match self {
            Lever::Context => "context",
            Lever::Users => "users",
            Lever::Format => "format",
            Lever::Cache => "cache",
            Lever::GpuLayers => "gpu_layers",
            Lever::CpuExperts => "cpu_experts",
            Lever::Ubatch => "ubatch",
            Lever::Tensor => "tensor_parallel",
            Lever::Utilisation => "utilisation",
            Lever::Batch => "batch",
            Lever::Sequence => "sequence",
            Lever::Rank => "rank",
            Lever::Cards => "cards",
            Lever::Resolution => "resolution",
            Lever::Frames => "frames",
            Lever::TextFormat => "text_format",
        }
    }

    fn direction(self) -> Direction {
        match self {
            Lever::Format
            | Lever::TextFormat
            | Lever::Cache
            | Lever::CpuExperts
            | Lever::Tensor
            | Lever::Utilisation
            | Lever::Cards => Direction::Listed,
            _ => Direction::Grows,
        }
    }

    /// The value at a place of the grid, or `None` past its end.
    pub fn value(self, scenario: &Scenario, place: i64) -> Option<Value> {
        let model = scenario.base();
        let upto = |count: i64, most: i64| (count <= most).then_some(Value::Count(count));
        match self {
            Lever::Context | Lever::Sequence => {
                let most = model
                    .map(|model| model.context)
                    .filter(|most| *most > 0)
                    .unwrap_or(LONGEST);
                upto(place.saturating_add(1).saturating_mul(256), most.max(256))
            }
            Lever::Users | Lever::Batch => upto(place.saturating_add(1), 4096),
            Lever::Rank => upto(1i64.checked_shl(u32::try_from(place).ok()?)?, 1024),
            Lever::Ubatch => upto(1i64.checked_shl(u32::try_from(place).ok()?)?, 8192),
            Lever::Utilisation => upto(place.saturating_add(10), 98),
            Lever::Tensor => {
                let heads = scenario.architecture()?.0.heads.max(1);
                let divisors = (1..=64).filter(|count| heads % count == 0);
                divisors.skip(usize::try_from(place).ok()?).map(Value::Count).next()
            }
            // A model without experts has nothing to leave.
            Lever::CpuExperts => {
                let model = scenario.architecture()?.0;
                upto(
                    place,
                    if model.experts > 0 {
                        model.layers.clamp(0, 10_000)
                    } else {
                        0
                    },
                )
            }
            Lever::Cards => upto(1i64.checked_shl(u32::try_from(place).ok()?)?, 64),
            Lever::GpuLayers => {
                let layers = if scenario.typed.layers > 0 {
                    scenario.typed.layers
                } else {
                    model?.layers
                };
                upto(place, layers.clamp(0, 10_000) + 1)
            }
            Lever::Resolution => {
                let longer = place.saturating_add(1).checked_mul(SIDE)?;
                (longer <= LONGEST_SIDE).then(|| shaped(scenario, longer))
            }
            Lever::Frames => {
                let step = scenario.image_model?.vae.temporal.max(1);
                upto(place.saturating_mul(step).saturating_add(1), 1025)
            }
            Lever::Format | Lever::TextFormat => finest(scenario.engine)
                .nth(usize::try_from(place).ok()?)
                .map(Value::Format),
            Lever::Cache => caches(scenario.engine)
                .nth(usize::try_from(place).ok()?)
                .map(Value::Cache),
        }
    }

    /// Sets the lever.
    pub fn set(self, scenario: &mut Scenario, value: Value) {
        match (self, value) {
            (Lever::Context, Value::Count(count)) => scenario.context = count,
            (Lever::Users, Value::Count(count)) => scenario.users = count,
            (Lever::GpuLayers, Value::Count(count)) => scenario.gpu_layers = Some(count),
            (Lever::CpuExperts, Value::Count(count)) => scenario.cpu_experts = count,
            (Lever::Ubatch, Value::Count(count)) => scenario.ubatch = count,
            (Lever::Utilisation, Value::Count(percent)) => scenario.utilisation = percent.clamp(0, 100) * 10,
            (Lever::Batch, Value::Count(count)) => scenario.batch = count,
            (Lever::Sequence, Value::Count(count)) => scenario.sequence = count,
            (Lever::Rank, Value::Count(count)) => scenario.rank = count,
            (Lever::Cards | Lever::Tensor, Value::Count(count)) => {
                if self == Lever::Tensor {
                    scenario.tensor_parallel = count;
                }
                if let Some(kind) = scenario.card() {
                    scenario.cards = vec![crate::scenario::Cards { kind, count }];
                }
            }
            (Lever::Format, Value::Format(format)) => scenario.format = format,
            (Lever::TextFormat, Value::Format(format)) => scenario.text_format = format,
            (Lever::Resolution, Value::Size(width, height)) => (scenario.width, scenario.height) = (width, height),
            (Lever::Frames, Value::Count(count)) => scenario.frames = count,
            (Lever::Cache, Value::Cache(format)) => (scenario.k_cache, scenario.v_cache) = (format, format),
            _ => {}
        }
    }
}

/// A size of the scenario's shape whose longer side is `longer` pixels; the shorter one is rounded to [`SIDE`].
fn shaped(scenario: &Scenario, longer: i64) -> Value {
    let (width, height) = (scenario.width.max(1) as f64, scenario.height.max(1) as f64);
    let ratio = width.min(height) / width.max(height);
    let shorter = (longer as f64 * ratio / SIDE as f64).round().max(1.0) as i64 * SIDE;
    if width >= height {
        Value::Size(longer, shorter)
    } else {
        Value::Size(shorter, longer)
    }
}

/// The formats that an engine reads, finest first; of two that take the same the first of the table.
fn finest(engine: Engine) -> impl Iterator<Item = &'static Format> {
    static ORDER: std::sync::OnceLock<Vec<&'static Format>> = std::sync::OnceLock::new();
    let order = ORDER.get_or_init(|| {
        let plain: Vec<&Format> = formats().iter().filter(|format| format.bare <= 1600).collect();
        let mut order = order::by_key(plain, |format| -format.bare);
        order.dedup_by_key(|format| (format.bare, format.family));
        order
    });
    // Without an engine the formats that everyone meets: floats, FP8, and llama.cpp's.
    let common = |format: &Format| format.family == Family::Gguf || ["bf16", "fp8"].contains(&format.id);
    let reads = move |format: &&&Format| {
        if engine == Engine::Any {
            common(format)
        } else {
            engine.reads(format.family)
        }
    };
    order.iter().filter(reads).copied()
}

/// The cache's formats that an engine has, finest first.
fn caches(engine: Engine) -> impl Iterator<Item = &'static KvFormat> {
    let few = ["f16", "fp8"];
    let ggml = ["f16", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0"];
    KV_FORMATS.iter().filter(move |format| match engine {
        Engine::Vllm | Engine::Sglang => few.contains(&format.id),
        Engine::Transformers => format.id == "f16",
        Engine::TensorRtLlm => few.contains(&format.id),
        Engine::ExLlama => ["f16", "q8_0", "q4_0"].contains(&format.id),
        Engine::Any | Engine::LlamaCpp | Engine::Ollama => ggml.contains(&format.id),
    })
}

/// The lever's best value that fits on the scenario's card, all else kept; `None` if none does, or without a model or
/// a card.
pub fn solve(scenario: &Scenario, lever: Lever, by: By) -> Option<Solution> {
    let mut trial = scenario.clone();
    let mut need_at = |place: i64| -> Option<(Value, Span, bool)> {
        let value = lever.value(scenario, place)?;
        lever.set(&mut trial, value);
        let need = total(&trial)?;
        Some((value, need, by.fits(need, usable(&trial)?)))
    };
    if lever.direction() == Direction::Listed {
        let mut place = 0;
        loop {
            let (value, need, fits) = need_at(place)?;
            if fits {
                return Some(Solution {
                    value,
                    at_end: place == 0,
                    need,
                });
            }
            place += 1;
        }
    }
    let (value, need, fits) = need_at(0)?;
    if !fits {
        return None;
    }
    // `fits` does, `not` does not or is past the end: first doubling, then halving.
    let (mut fits, mut best) = (0, (value, need));
    let mut not = 1;
    while let Some((value, need, true)) = need_at(not) {
        (fits, best) = (not, (value, need));
        not *= 2;
    }
    while not - fits > 1 {
        let place = fits + (not - fits) / 2;
        match need_at(place) {
            Some((value, need, true)) => (fits, best) = (place, (value, need)),
            _ => not = place,
        }
    }
    let at_end = lever.value(scenario, fits + 1).is_none();
    Some(Solution {
        value: best.0,
        at_end,
        need: best.1,
    })
}

/// All levers of a scenario, by the high end and by the middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// Which.
    pub lever: Lever,
    /// What surely fits.
    pub high: Option<Solution>,
    /// What fits by the middle of the range.
    pub mid: Option<Solution>,
}

/// Each lever of the scenario solved, all else kept.
pub fn solve_all(scenario: &Scenario) -> Vec<Solved> {
    let solved = |lever: &Lever| Solved {
        lever: *lever,
        high: solve(scenario, *lever, By::High),
        mid: solve(scenario, *lever, By::Mid),
    };
    Lever::of(scenario).iter().map(solved).collect()
}
