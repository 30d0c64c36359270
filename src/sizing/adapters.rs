//! LoRA's matrices, with their gradients and the optimiser's states.

use super::optimizer::adapter_state_bytes;
use super::shape::Shape;
use super::{Basis, Job, Need, PartId, Span};
use crate::message::{Arg, Message};
use crate::scenario::{Method, Precision, Targets};

/// Parameters of the two matrices beside each adapted layer, `rank · (inputs + outputs)`, and of embedding and head where
/// they are trained as a whole. Zero without LoRA.
pub(super) fn adapter_parameters(job: &Job, shape: &Shape) -> f64 {
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
    let rank = scenario.rank.max(0) as f64;
    let whole = if scenario.trains_embedding {
        shape.embed + shape.head
    } else {
        0.0
    };
    rank * (shape.layers * linears.iter().map(each).sum::<f64>() + head) + whole
}

/// Bytes of an adapter's weight: PEFT makes them 32-bit whatever the base, but in pure bf16; others take the base's.
pub(super) fn adapter_bytes(job: &Job) -> f64 {
    match job.scenario.precision {
        Precision::Fp32 => 4.0,
        Precision::Bf16 => 2.0,
        _ => job.scenario.framework.facts().adapter_bytes as f64,
    }
}

/// Bytes of a trained parameter: weight and states, and its gradient where there is one.
fn each(job: &Job, gradients: bool) -> f64 {
    let width = adapter_bytes(job);
    width + adapter_state_bytes(job.scenario, width) + if gradients { width } else { 0.0 }
}

/// All that is trained: with AdamW and gradients 16 bytes a parameter in 32-bit, 8 in bf16.
pub(super) fn need_adapters(job: &Job, shape: &Shape, gradients: bool) -> Need {
    let bytes = adapter_parameters(job, shape) * each(job, gradients);
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
    Message::new("size-adapters")
        .with("rank", job.scenario.rank)
        .with("params", adapter_parameters(job, &Shape::of(job)) as i64)
        .with("each", Arg::Number((each(job, gradients) * 10.0) as i64, 1))
        .with("targets", job.scenario.targets.id())
}
