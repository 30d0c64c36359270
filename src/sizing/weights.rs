//! Weights: the bare rule, and what the tensors of a file take.

use super::kv_cache::of_layers;
use super::{Basis, Job, Need, PartId, Span};
use crate::catalog::{Cell, Family, Format, GgufType, Keep, Mix, Model, Share, Weights, format, gguf_type};
use crate::message::{Arg, Message};
use crate::scenario::Tensors;
use crate::units::Bytes;

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
    let attention_layers = |keep: &Keep| matches!(keep, Keep::Full { .. } | Keep::Window { .. });
    let layers = model
        .groups
        .iter()
        .filter(|group| attention_layers(&group.keep))
        .map(|group| width(group.layers))
        .sum();
    let layers = f64::min(layers, width(model.layers));
    let query = layers * width(model.hidden) * width(model.heads) * width(model.head_dim);
    let key = layers * width(model.hidden) * width(model.kv_heads) * width(model.head_dim);
    let left = params - embed - head;
    // An architecture typed by hand may contradict its parameters: the parameters count.
    let scale = if 2.0 * query + 2.0 * key > left {
        left / (2.0 * query + 2.0 * key).max(1.0)
    } else {
        1.0
    };
    let attention = [query * scale, key * scale, key * scale, query * scale];
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
fn recurrent(model: &Model) -> bool {
    model
        .groups
        .iter()
        .any(|group| group.layers > 0 && matches!(group.keep, Keep::State { .. }))
}

pub(super) fn need(job: &Job) -> Need {
    let scenario = job.scenario;
    let span = match scenario.tensors() {
        Some(tensors) if scenario.engine.is_llama_cpp() => layers_of_file(job, tensors),
        Some(tensors) => split_file(job, tensors),
        _ if scenario.engine.is_llama_cpp() => by_layers(job, scenario.format),
        _ => split(job, scenario.format),
    };
    Need {
        id: PartId::Weights,
        span,
        basis: Basis::Exact,
        formula,
    }
}

/// llama.cpp: the layers on the card, and the head with the last of them; several cards get whole layers each.
/// Source: buffers of its logs, within 0.3 % where the file is llama.cpp's own mixture.
fn by_layers(job: &Job, format: &Format) -> Span {
    let Checkpoint { all, embed, head } = parts(&job.model, format, true);
    let layers = job.model.layers.max(1);
    // A tied embedding is copied to the card to serve as head.
    let head = if job.model.tied { embed } else { head };
    let repeating = (all - embed - if job.model.tied { 0.0 } else { head }).max(0.0);
    let each = repeating / layers as f64;
    let on_cards = job.scenario.gpu_layers.unwrap_or(i64::MAX).clamp(0, layers + 1);
    let cards = job.scenario.spread();
    let first = (on_cards + cards - 1) / cards;
    let head = if on_cards > layers { head } else { 0.0 };
    let last = (on_cards.min(layers) - first.saturating_mul(cards - 1)).max(0) as f64;
    let most = if cards == 1 {
        on_cards.min(layers) as f64 * each + head
    } else {
        (first as f64 * each).max(last * each + head)
    };
    in_gguf(job, format, most)
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

/// The same of a file whose tensors are known: the last layers come to the card first. Padding of each tensor aside, the
/// buffers of llama.cpp's logs are these bytes.
fn layers_of_file(job: &Job, file: &Tensors) -> Span {
    let layers = file.layers.len() as i64;
    let on_cards = job.scenario.gpu_layers.unwrap_or(i64::MAX).clamp(0, layers + 1);
    let head = if file.head == Bytes::ZERO {
        file.embed
    } else {
        file.head
    };
    let last = if on_cards > layers {
        head + file.others
    } else {
        Bytes::ZERO
    };
    let from = (layers - on_cards).max(0) as usize;
    let on_cards = file.layers.get(from..).unwrap_or_default();
    // Each card gets as many; the head counts as one more, and stands on the last.
    let cards = job.scenario.spread();
    let each = ((on_cards.len() as i64 + i64::from(last > Bytes::ZERO) + cards - 1) / cards).max(1) as usize;
    let pieces = on_cards.chunks(each);
    let (count, mut most) = (pieces.len() as i64, Bytes::ZERO);
    for (at, piece) in pieces.enumerate() {
        let with_head = at as i64 + 1 == cards.min(count);
        let bytes = piece.iter().copied().sum::<Bytes>() + if with_head { last } else { Bytes::ZERO };
        most = most.max(bytes);
    }
    Span::about(most.max(last).as_f64(), 1.0, 1.002)
}

/// Other engines, of a file whose tensors are known.
fn split_file(job: &Job, file: &Tensors) -> Span {
    let ranks = job.scenario.split() as f64 / of_layers(job);
    Span::about(file.all().as_f64() / ranks, 0.998, 1.01)
}

/// All other engines: the checkpoint in equal parts, latent down projections whole on each rank.
/// Source: "Model loading took" of vLLM's logs, within 0 to 1.4 %.
fn split(job: &Job, format: &Format) -> Span {
    let ranks = job.scenario.split() as f64 / of_layers(job);
    let model = &job.model;
    let whole = parts(model, format, format.family == Family::Gguf).all;
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
    let low = whole / ranks + repeated;
    Span::of(low * 0.985, low + padded.0 / ranks, (low + padded.1 / ranks) * 1.03)
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

/// The frozen weights of QLoRA: NF4 with double quantisation, embedding and head in 16-bit.
pub(super) fn four_bit(model: &Model) -> f64 {
    format("nf4-dq").map_or(0.0, |format| parts(model, format, false).all)
}

/// `params` × `bits` / 8, over `cards`.
fn formula(job: &Job, span: Span) -> Message {
    let shared = job.scenario.split().saturating_mul(job.scenario.spread());
    let bits = span.mid.as_f64() * shared as f64 * 800.0 / (job.model.params as f64).max(1.0);
    Message::new("size-weights")
        .with("params", job.model.params)
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
