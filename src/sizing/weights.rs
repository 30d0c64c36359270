//! Weights: the bare rule, and what the tensors of a file take.

use super::kv_cache::{layers_on, of_layers};
use super::{Basis, Job, Need, PartId, Span};
use crate::catalog::{Cell, Engine, Family, Format, GgufType, Group, Keep, Mix, Model, Share, Weights, gguf_type};
use crate::message::{Arg, Message};
use crate::scenario::{Scenario, Tensors};
use crate::units::{Bytes, MIB};

/// Parameters × bytes: the rule of every table of model sizes, decimal gigabytes for billions of parameters.
/// It leaves out that checkpoints keep some tensors in more bits: see [`checkpoint`].
pub fn bare(params: i64, format: &Format) -> Bytes {
    Bytes::from_f64(params as f64 * format.bare as f64 / 800.0).floor_zero()
}

/// Parameters by the tensors they stand in.
struct Shares {
    /// The embedding.
    embed: f64,
    /// The output head; zero where the embedding serves as head.
    head: f64,
    /// Query, key, value and output projections of attention.
    attention: [f64; 4],
    /// The experts of mixture-of-experts layers.
    experts: f64,
    /// Everything else, experts included: feed-forward layers, projections of other layers.
    rest: f64,
}

/// The tensors of a model. What the columns do not tell apart (latent and recurrent layers, routers, a vision tower)
/// counts with the feed-forward layers, so the sum is always `params`.
fn tensors(model: &Model) -> Shares {
    let width = |count: i64| count.max(0) as f64;
    let params = width(model.params);
    let embed = (width(model.vocab) * width(model.hidden)).min(params);
    let head = if model.tied { 0.0 } else { embed.min(params - embed) };
    // Queries, keys, values and outputs, of layers with heads of other sizes too.
    let mut attention = [0.0; 4];
    for group in &model.groups {
        let (Keep::Full {
            kv_heads,
            key_dim,
            value_dim,
        }
        | Keep::Window {
            kv_heads,
            key_dim,
            value_dim,
            ..
        }) = group.keep
        else {
            continue;
        };
        let layers = width(group.layers) * width(model.hidden);
        let out = if value_dim > 0 { value_dim } else { key_dim };
        for (sum, heads, dim) in [
            (0, model.heads, key_dim),
            (1, kv_heads, key_dim),
            (2, kv_heads, value_dim),
            (3, model.heads, out),
        ] {
            attention[sum] += layers * width(heads) * width(dim);
        }
    }
    let left = params - embed - head;
    // An architecture typed by hand may contradict its parameters: the parameters count.
    let sum: f64 = attention.iter().sum();
    if sum > left {
        attention = attention.map(|part| part * left / sum.max(1.0));
    }
    let rest = (left - attention.iter().sum::<f64>()).max(0.0);
    let experts = width(model.layers) * width(model.experts) * 3.0 * width(model.hidden) * width(model.expert_ffn);
    Shares {
        embed,
        head,
        attention,
        experts: experts.min(rest),
        rest,
    }
}

/// Bytes of a whole checkpoint, and of those its embedding and its head; as floats, for further arithmetic.
struct Checkpoint {
    all: f64,
    embed: f64,
    head: f64,
}

fn parts(model: &Model, format: &Format, in_gguf: bool) -> Checkpoint {
    let tensors = tensors(model);
    let linear = tensors.attention.iter().sum::<f64>() + tensors.rest;
    let (embed, head, linear) = match format.weights {
        Weights::Plain {
            linear: bits,
            embed,
            head,
        } => (embed, head, linear * bits),
        Weights::FeedForward { linear: bits } => {
            let inner = if model.experts > 0 {
                tensors.experts
            } else {
                tensors.rest
            };
            (16.0, 16.0, inner * bits + (linear - inner) * 16.0)
        }
        Weights::Experts { linear: bits } => {
            let experts = if model.experts > 0 { tensors.experts } else { linear };
            // ggml's files of such models keep all else in q8_0, others in 16-bit.
            let others = if in_gguf { 8.5 } else { 16.0 };
            (others, others, experts * bits + (linear - experts) * others)
        }
        Weights::Mix(mix) => {
            let embed = if model.tied { mix.output } else { mix.embed };
            let bits = mixture(model, &tensors, &mix);
            (embed.bits(model.hidden), mix.output.bits(model.hidden), bits)
        }
    };
    let (embed, head) = (tensors.embed * embed / 8.0, tensors.head * head / 8.0);
    Checkpoint {
        all: embed + head + linear / 8.0,
        embed,
        head,
    }
}

/// Bits of all linear layers in a mixture of llama.cpp's.
/// Source: llama.cpp, src/llama-quant.cpp, `llama_tensor_get_type_impl`.
fn mixture(model: &Model, tensors: &Shares, mix: &Mix) -> f64 {
    let layers = model.layers.max(0);
    let grouped = model.heads >= 4 * model.kv_heads.max(1);
    let out_row = model.heads.saturating_mul(model.head_dim);
    let bits = |cell: Cell, row: i64| {
        let some = share(cell.share, layers, grouped);
        cell.most.bits(row) * (1.0 - some) + cell.some.bits(row) * some
    };
    let mut cells = mix.attention;
    let few_bits = mix.base.bits(256) < 5.5;
    if model.experts == 8 {
        let q8_0 = gguf_type("q8_0");
        let keep = |kind: &'static GgufType| Cell {
            most: kind,
            some: kind,
            share: Share::None,
        };
        (cells[1], cells[2]) = (keep(q8_0), keep(q8_0));
        if few_bits {
            cells[3] = keep(gguf_type("q5_k"));
        }
    } else if layers == 80 && model.experts == 0 {
        // The 70B rule: eight query heads share one value head, so finer values cost little.
        let finer = |kind: &'static GgufType| {
            if ["q3_k", "q4_k"].contains(&kind.id) {
                gguf_type("q5_k")
            } else {
                kind
            }
        };
        cells[2] = Cell {
            most: finer(cells[2].most),
            some: finer(cells[2].some),
            share: cells[2].share,
        };
    }
    let rows = [model.hidden, model.hidden, model.hidden, out_row];
    let attention: f64 = (0..4).map(|at| tensors.attention[at] * bits(cells[at], rows[at])).sum();
    let down_row = if model.experts > 0 { model.expert_ffn } else { model.ffn };
    attention + tensors.rest * (2.0 * bits(mix.up, model.hidden) + bits(mix.down, down_row)) / 3.0
}

/// The share of `layers` layers that [`Share`] means.
fn share(share: Share, layers: i64, grouped: bool) -> f64 {
    let eighth = layers / 8;
    let count = match share {
        Share::None => 0,
        Share::MoreBits => {
            let last = 7 * layers / 8;
            eighth + (layers - last) + (last - eighth) / 3
        }
        Share::Eighth => eighth,
        Share::Sixteenth => layers / 16,
        Share::Middle => 7 * layers / 8 - eighth,
        Share::Two => layers.min(2),
        Share::Four => layers.min(4),
        Share::Grouped => return if grouped { 1.0 } else { 0.0 },
    };
    count as f64 / layers.max(1) as f64
}

/// Bytes of the model's checkpoint in a format: what a file of it takes, or what an engine loads on one card.
pub fn checkpoint(model: &Model, format: &Format) -> Bytes {
    Bytes::from_f64(parts(model, format, format.family == Family::Gguf).all).floor_zero()
}

/// Bytes of the embedding, which llama.cpp leaves in the computer's memory beside a head of its own.
pub fn embedding(model: &Model, format: &Format) -> Bytes {
    Bytes::from_f64(parts(model, format, true).embed).floor_zero()
}

/// Whether layers keep a recurrent state: of their projections uploaders of GGUF files keep some in finer types.
pub(super) fn recurrent(model: &Model) -> bool {
    model
        .groups
        .iter()
        .any(|group| group.layers > 0 && matches!(group.keep, Keep::State { .. }))
}

pub(super) fn need(job: &Job) -> Need {
    let scenario = job.scenario;
    let span = match scenario.tensors() {
        _ if scenario.engine.is_llama_cpp() => by_layers(job),
        Some(tensors) => split_file(job, tensors),
        _ => split(job, scenario.format),
    };
    Need {
        id: PartId::Weights,
        span,
        basis: Basis::Exact,
        formula,
    }
}

/// llama.cpp: the layers on the card, and the head with the last of them; several cards get whole layers each, by their
/// memory. Source: buffers of its logs, within 0.3 % where the file is llama.cpp's own mixture, and these bytes but for
/// padding where the file's tensors are known.
fn by_layers(job: &Job) -> Span {
    let cards = job.scenario.spread();
    let (first, last) = (on_llama_card(job, 0), on_llama_card(job, cards - 1));
    range(job, first.max(last))
}

/// The range around bytes that llama.cpp loads.
fn range(job: &Job, bytes: f64) -> Span {
    match job.scenario.tensors() {
        Some(_) => Span::about(bytes, 1.0, 1.002),
        None => in_gguf(job, job.scenario.format, bytes),
    }
}

/// The head as it stands on a card: a tied embedding is copied to serve as head. In a file also what is in no layer.
fn head_on_card(job: &Job) -> f64 {
    match job.scenario.tensors() {
        Some(file) if file.head == Bytes::ZERO => (file.embed + file.others).as_f64(),
        Some(file) => (file.head + file.others).as_f64(),
        None => {
            let Checkpoint { embed, head, .. } = parts(&job.model, job.scenario.format, true);
            if job.model.tied { embed } else { head }
        }
    }
}

/// What llama.cpp puts on the first card (`0`) or a later one, in bytes: whole layers, the model's last ones where not all
/// are on cards, without the experts of those that `nc` leaves to the computer (the first ones), and on the last card the
/// head.
fn on_llama_card(job: &Job, card: i64) -> f64 {
    let (scenario, model) = (job.scenario, &job.model);
    let layers = model.layers.max(1);
    let on_cards = scenario
        .gpu_layers
        .unwrap_or(i64::MAX)
        .clamp(0, layers.saturating_add(1));
    let whole = layers_on(job, card);
    let start = (layers - on_cards).max(0) + layers_on(job, 0).saturating_mul(card.max(0));
    let Checkpoint { all, embed, head } = parts(model, scenario.format, true);
    let repeating = (all - embed - if model.tied { 0.0 } else { head }).max(0.0);
    let bytes = match scenario.tensors() {
        Some(file) => {
            let from = usize::try_from(start).unwrap_or(usize::MAX);
            let these = file.layers.iter().skip(from).take(usize::try_from(whole).unwrap_or(0));
            these.copied().sum::<Bytes>().as_f64()
        }
        None => whole as f64 * repeating / layers as f64,
    };
    let bare = (scenario.cpu_experts.max(0) - start).clamp(0, whole);
    let experts = bare as f64 * expert_bytes(model, scenario.format).min(repeating) / layers as f64;
    let has_head = on_cards > layers && card == scenario.spread() - 1;
    (bytes - experts).max(0.0) + if has_head { head_on_card(job) } else { 0.0 }
}

/// Bytes of all experts of a model.
fn expert_bytes(model: &Model, format: &Format) -> f64 {
    let tensors = tensors(model);
    let bits = match format.weights {
        Weights::Plain { linear, .. } | Weights::Experts { linear } | Weights::FeedForward { linear } => linear,
        Weights::Mix(mix) => {
            let linear = tensors.attention.iter().sum::<f64>() + tensors.rest;
            mixture(model, &tensors, &mix) / linear.max(1.0)
        }
    };
    tensors.experts * bits / 8.0
}

/// What llama.cpp loads on one of several cards, the first being `0`.
pub fn on_card(scenario: &Scenario, card: i64) -> Option<Span> {
    let job = Job::new(scenario)?;
    Some(range(&job, on_llama_card(&job, card)))
}

/// What llama.cpp leaves in the computer's memory: the embedding, the layers that are on no card, the experts of those
/// that `nc` names.
pub fn on_host(scenario: &Scenario) -> Option<Span> {
    let job = Job::new(scenario)?;
    let (all, head_from_embed) = match scenario.tensors() {
        Some(file) => (
            file.all().as_f64(),
            if file.head == Bytes::ZERO {
                file.embed.as_f64()
            } else {
                0.0
            },
        ),
        None => {
            let Checkpoint { all, embed, .. } = parts(&job.model, scenario.format, true);
            (all, if job.model.tied { embed } else { 0.0 })
        }
    };
    let has_head = scenario.gpu_layers.is_none_or(|layers| layers > job.model.layers);
    let copied = if has_head { head_from_embed } else { 0.0 };
    let cards = (0..scenario.spread().min(64)).map(|card| on_llama_card(&job, card));
    Some(range(&job, (all + copied - cards.sum::<f64>()).max(0.0)))
}

/// The range around a file's bytes: rounding and norms; a file without an importance matrix has a few finer tensors;
/// with recurrent layers uploaders differ by up to 6 %.
fn in_gguf(job: &Job, format: &Format, bytes: f64) -> Span {
    match format.family {
        Family::Gguf if recurrent(&job.model) && format.bare < 800 => {
            Span::of(bytes * 0.995, bytes * 1.025, bytes * 1.06)
        }
        // Files of mixtures of experts from before 2024 have experts of fewer bits.
        Family::Gguf => Span::about(bytes, if job.model.experts > 0 { 0.96 } else { 0.995 }, 1.015),
        _ => Span::about(bytes, 0.998, 1.01),
    }
}

/// Other engines, of a file whose tensors are known.
fn split_file(job: &Job, file: &Tensors) -> Span {
    let ranks = job.scenario.split() as f64 / of_layers(job);
    Span::about(file.all().as_f64() / ranks, 0.998, 1.01)
}

/// Formats that weights are quantised to while they are loaded.
pub(super) const BITSANDBYTES: [&str; 3] = ["nf4", "nf4-dq", "int8"];

/// All other engines: the checkpoint in equal parts, latent down projections whole on each rank; of a pipeline a stage's
/// layers, and on the first the embedding, on the last the head.
/// Source: "Model loading took" of vLLM's logs, within 0 to 1.4 %; 4.26 GiB of Llama 3.1 8B in four stages.
fn split(job: &Job, format: &Format) -> Span {
    let ranks = job.scenario.split() as f64;
    let model = &job.model;
    let Checkpoint { all, embed, head } = parts(model, format, format.family == Family::Gguf);
    let ends = if job.scenario.spread() > 1 {
        embed.max(head)
    } else {
        embed + head
    };
    let whole = (all - embed - head) * of_layers(job) + ends;
    if format.family == Family::Gguf {
        return in_gguf(job, format, whole / ranks);
    }
    let repeated: f64 = model
        .groups
        .iter()
        .map(|group| match group.keep {
            Keep::Latent { width, query_rank, .. } => {
                group.layers as f64 * model.hidden as f64 * (width + query_rank) as f64
            }
            _ => 0.0,
        })
        .sum();
    let bits = match format.weights {
        Weights::Plain { linear, .. } => linear,
        _ => 16.0,
    };
    let repeated = repeated * bits / 8.0 * (1.0 - 1.0 / job.scenario.split() as f64) * of_layers(job);
    let padded = if job.scenario.engine.has_pool() {
        padding(model, format)
    } else {
        (0.0, 0.0)
    };
    let (encoder, rotary) = beside_layers(job);
    let low = whole / ranks + repeated + encoder;
    // Which layers a quantised checkpoint leaves in 16-bit is its maker's choice, but bitsandbytes quantises all linear ones;
    // what loading leaves beside them is seen where the engine goes by the card's free memory (SGLang).
    let (least, most) = match format.bare {
        1600.. => (0.999, 1.008),
        _ if BITSANDBYTES.contains(&format.id) => (0.998, 1.012),
        _ => (0.985, 1.03),
    };
    // Of models with recurrent layers makers leave more in 16-bit: their projections, a layer for predicting ahead. Rests on
    // three logs: 19.75 GiB of Qwen3.8 27B in NVFP4, pools of Qwen3.6 27B in AWQ and 35B in NVFP4.
    let (finer, most) = match format.id {
        "nvfp4" if recurrent(model) => (1.07, most * 1.08),
        "awq" if recurrent(model) => (1.15, most * 1.22),
        _ if recurrent(model) && format.bare < 1600 => (1.0, most * 1.05),
        _ => (1.0, most),
    };
    let left = if job.scenario.engine == Engine::Sglang {
        64.0
    } else {
        12.0
    } * MIB as f64;
    Span::of(
        low * least,
        low * finer + padded.0 / ranks + rotary + left / 3.0,
        (low + padded.1 / ranks) * most + rotary + left,
    )
}

/// Parameters of the image encoder, where the engine loads it with the model.
fn seen(job: &Job) -> i64 {
    let loads = job.scenario.engine.has_pool() || job.scenario.engine == Engine::Transformers;
    if loads && job.scenario.sees {
        job.model.vision.max(0)
    } else {
        0
    }
}

/// Models whose layers without a window have positions stretched by `rope_scaling` of the type `linear`, and by how much:
/// vLLM's table of them is as many times longer (`LinearScalingRotaryEmbedding`), beside the one of the windows' layers.
const STRETCHED: [&str; 3] = ["gemma-3-4b", "gemma-3-12b", "gemma-3-27b"];
const STRETCH: f64 = 8.0;

/// What engines that split layers load beside the language model's tensors: the image encoder in 16-bit, in equal parts, and
/// on each card the table of rotary positions, `longest context · rotated elements` in 16-bit, in SGLang in 32-bit.
///
/// Sources: vLLM's `RotaryEmbedding._compute_cos_sin_cache` (14.99 GiB loaded of Llama 3.1 8B's 14.96, 1.9028 of 1.870 on
/// each of eight cards; 53.12 of Llama 4 Scout on each of four, 2.5 of them its table of 10 485 760 positions); SGLang's
/// logs, 8.85 GiB of Qwen3.5 9B on each of two, 8.13 of Gemma 3 4B.
fn beside_layers(job: &Job) -> (f64, f64) {
    let model = &job.model;
    let encoder = 2.0 * seen(job) as f64 / job.scenario.split() as f64;
    if !job.scenario.engine.has_pool() || model.id.is_empty() {
        return (encoder, 0.0);
    }
    let latent = |group: &Group| group.layers > 0 && matches!(group.keep, Keep::Latent { .. });
    let larger = |group: &Group| match group.keep {
        Keep::Full { key_dim, .. } if group.layers > 0 && key_dim > model.head_dim => key_dim,
        _ => 0,
    };
    let rotated = match () {
        () if model.groups.iter().any(latent) => 64,
        // Gated attention rotates a quarter of each head.
        () if recurrent(model) => model.head_dim / 4,
        // Layers with larger heads have a table of their own, of all their elements (Gemma 4).
        () => model.head_dim + model.groups.iter().map(larger).max().unwrap_or(0),
    };
    let element = if job.scenario.engine == Engine::Sglang {
        4.0
    } else {
        2.0
    };
    let positions = model.context.clamp(0, 1 << 24) as f64;
    let tables = match job.scenario.engine {
        Engine::Vllm if STRETCHED.contains(&model.id) => 1.0 + STRETCH,
        _ => 1.0,
    };
    (encoder, element * positions * tables * rotated.clamp(0, 1024) as f64)
}

/// What vLLM's kernels for MXFP4 experts add by padding: the hidden width to 256, and in the Marlin kernel the experts'
/// width to 128 too. Source: 64.38 and 65.97 GiB loaded of gpt-oss-120b (vllm#33155, vllm#23278).
fn padding(model: &Model, format: &Format) -> (f64, f64) {
    let Weights::Experts { linear } = format.weights else {
        return (0.0, 0.0);
    };
    let grown = |width: i64, to: i64| (width + to - 1).div_euclid(to) as f64 * to as f64 / width.max(1) as f64;
    let bytes = tensors(model).experts * linear / 8.0;
    let hidden = grown(model.hidden, 256);
    (
        bytes * (hidden - 1.0),
        bytes * (hidden * grown(model.expert_ffn, 128) - 1.0),
    )
}

/// Bits of a linear layer in a format that has one for all of them.
pub(super) fn linear_bits(format: &Format) -> Option<f64> {
    match format.weights {
        Weights::Plain { linear, .. } => Some(linear),
        _ => None,
    }
}

/// `params` × `bits` / 8, over `cards`.
fn formula(job: &Job, span: Span) -> Message {
    let shared = job.scenario.split().saturating_mul(job.scenario.spread());
    let params = job.model.params.saturating_add(seen(job));
    let bits = span.mid.as_f64() * shared as f64 * 800.0 / (params as f64).max(1.0);
    Message::new("size-weights")
        .with("params", params)
        .with("bits", Arg::Number(bits.round() as i64, 2))
        .with("format", job.scenario.format.name)
        .with("cards", shared)
}

/// Why a file differs from the bare rule: `params` × `bits` / 8 = `bytes`, but the checkpoint takes `file`.
/// `None` where the two agree within a percent.
pub fn bare_differs(model: &Model, format: &Format) -> Option<Message> {
    let (bare, file) = (bare(model.params, format), checkpoint(model, format));
    let off = (file - bare).0.saturating_abs();
    (off > bare.0 / 100).then(|| {
        Message::new("size-weights-bare")
            .with("params", model.params)
            .with("bits", Arg::Number(format.bare, 2))
            .with("bytes", bare)
            .with("file", file)
    })
}
