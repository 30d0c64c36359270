//! LoRA's matrices: with their gradients and the optimiser's states in training, loaded beside a model that answers.

use super::optimizer::{adapter_state_bytes, over, raised};
use super::shape::Shape;
use super::{Basis, Job, Need, PartId, Span};
use crate::message::{Arg, Message};
use crate::scenario::{Method, Offload, Precision, Sharding, Targets};

/// Parameters of the two matrices beside each adapted layer, `rank · (inputs + outputs)`, and of embedding and head where
/// they are trained as a whole. Zero without LoRA.
pub(super) fn adapter_parameters(job: &Job, shape: &Shape) -> f64 {
    matrices(job, shape) + whole(job, shape)
}

/// Of the matrices alone.
fn matrices(job: &Job, shape: &Shape) -> f64 {
    let scenario = job.scenario;
    if scenario.method == Method::Full {
        return 0.0;
    }
    let linears = shape.linears(job);
    let each = |linear: &super::shape::Linear| linear.adapted * (linear.inputs + linear.outputs);
    let head = if scenario.targets == Targets::Head {
        shape.hidden + shape.vocab
    } else {
        0.0
    };
    scenario.rank.max(0) as f64 * (shape.layers * linears.iter().map(each).sum::<f64>() + head)
}

/// Of embedding and head, if they are trained.
fn whole(job: &Job, shape: &Shape) -> f64 {
    let scenario = job.scenario;
    if scenario.method != Method::Full && scenario.trains_embedding {
        shape.embed + shape.head
    } else {
        0.0
    }
}

/// Bytes of an adapter's weight: PEFT makes them 32-bit whatever the base, but in pure bf16; others take the base's.
pub(super) fn adapter_bytes(job: &Job) -> f64 {
    match job.scenario.precision {
        Precision::Fp32 => 4.0,
        Precision::Bf16 => 2.0,
        _ => job.scenario.framework.facts().adapter_bytes as f64,
    }
}

/// Bytes of a weight of an embedding that is trained as a whole: PEFT copies it as the base has it, Unsloth in 32-bit.
/// Source: PEFT's `cast_adapter_dtype`, which leaves `modules_to_save` alone; Qwen's table (9 bytes a parameter, all in).
fn whole_bytes(job: &Job) -> f64 {
    if raised(job) || job.scenario.framework.facts().fused {
        4.0
    } else {
        Shape::element(job)
    }
}

/// Bytes of a weight that is trained, on average.
fn width(job: &Job, shape: &Shape) -> f64 {
    let (matrices, whole) = (matrices(job, shape), whole(job, shape));
    let bytes = matrices * adapter_bytes(job) + whole * whole_bytes(job);
    bytes / (matrices + whole).max(1.0)
}

/// Bytes of the adapters' weights on each card.
pub(super) fn adapter_weights(job: &Job, shape: &Shape) -> f64 {
    adapter_parameters(job, shape) * width(job, shape) / over(job, Sharding::Zero3)
}

/// Bytes of a trained parameter on each card: weight and states, and its gradient where there is one, shared over the
/// cards and moved to the computer's memory as those of other parameters.
fn each(job: &Job, shape: &Shape, gradients: bool) -> f64 {
    let width = width(job, shape);
    let states = adapter_state_bytes(job.scenario, width) / over(job, Sharding::Zero1);
    let gradient = if gradients {
        width / over(job, Sharding::Zero2)
    } else {
        0.0
    };
    let weight = width / over(job, Sharding::Zero3);
    match job.scenario.offload {
        Offload::All => 0.0,
        Offload::Optimizer => weight + gradient,
        Offload::None => weight + gradient + states,
    }
}

/// All that is trained: with AdamW and gradients 16 bytes a parameter in 32-bit, 8 in bf16.
pub(super) fn need_adapters(job: &Job, shape: &Shape, gradients: bool) -> Need {
    let bytes = adapter_parameters(job, shape) * each(job, shape, gradients);
    Need {
        id: PartId::Adapters,
        span: Span::about(bytes, 0.7, 1.15),
        basis: Basis::Exact,
        formula: if gradients {
            |job, _| formula(job, true)
        } else {
            |job, _| formula(job, false)
        },
    }
}

fn formula(job: &Job, gradients: bool) -> Message {
    let shape = Shape::of(job);
    Message::new("size-adapters")
        .with("rank", job.scenario.rank)
        .with("params", adapter_parameters(job, &shape) as i64)
        .with("each", Arg::Number((each(job, &shape, gradients) * 10.0) as i64, 1))
        .with("targets", job.scenario.targets.id())
}

/// Parameters of one adapter beside every linear layer of a model that answers, experts aside.
fn loaded_parameters(job: &Job) -> f64 {
    let model = &job.model;
    let (hidden, head) = (model.hidden as f64, model.head_dim as f64);
    let (query, key) = (model.heads as f64 * head, model.kv_heads as f64 * head);
    let inner = if model.experts > 0 { 0.0 } else { model.ffn as f64 };
    let attention = 2.0 * (hidden + query) + 2.0 * (hidden + key);
    let feed_forward = if inner > 0.0 { 3.0 * (hidden + inner) } else { 0.0 };
    job.scenario.rank.max(0) as f64 * model.layers as f64 * (attention + feed_forward)
}

/// LoRA adapters beside a model that answers: an engine keeps places for all of them, in 16-bit.
/// Tensor parallel splits one of the two matrices.
pub(super) fn need_loaded_adapters(job: &Job) -> Need {
    let count = job.scenario.adapters.max(0) as f64;
    let bytes = count * loaded_parameters(job) * (1.0 + 1.0 / job.scenario.split() as f64);
    Need {
        id: PartId::Adapters,
        span: Span::about(bytes * super::kv_cache::of_layers(job), 0.3, 1.2),
        basis: Basis::RuleOfThumb,
        formula: formula_loaded_adapters,
    }
}

fn formula_loaded_adapters(job: &Job, _: Span) -> Message {
    Message::new("size-adapters-loaded")
        .with("count", job.scenario.adapters)
        .with("rank", job.scenario.rank)
        .with("params", loaded_parameters(job) as i64)
}
