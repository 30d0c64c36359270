//! What training holds for each parameter: gradients, master weights, the optimiser's states.

use super::{Basis, Job, Need, PartId, Span, weights};
use crate::message::{Arg, Message};
use crate::scenario::{Method, Optimizer, Precision, Scenario, Sharding};

/// Bytes of the weights, the gradients and the master weights of one parameter.
///
/// | precision | weights | gradients | master weights |
/// |---|---|---|---|
/// | mixed | 2 | 2 | 4 |
/// | bf16 | 2 | 2 | 0 |
/// | fp32 | 4 | 4 | 0 |
///
/// With AdamW's 8 bytes mixed precision comes to 16 (the article's rule; ZeRO's paper, section 3.1), bf16 to 8, its
/// states being 16-bit too (torchtune).
fn widths(precision: Precision) -> (f64, f64, f64) {
    match precision {
        Precision::Mixed => (2.0, 2.0, 4.0),
        Precision::Bf16 => (2.0, 2.0, 0.0),
        Precision::Fp32 => (4.0, 4.0, 0.0),
    }
}

/// Bytes of the optimiser's states for one parameter: AdamW 2 · 4 (2 · 2 in pure bf16), 8-bit AdamW 2 and its scales,
/// one state of 4 (2) in SGD with momentum and Lion; Adafactor's rows and columns are counted as 0.1.
pub(super) fn state_bytes(scenario: &Scenario) -> f64 {
    let state = if scenario.precision == Precision::Bf16 {
        2.0
    } else {
        4.0
    };
    match scenario.optimizer {
        Optimizer::AdamW => 2.0 * state,
        Optimizer::AdamW8bit => 2.0,
        Optimizer::Adafactor => 0.1,
        Optimizer::Sgd | Optimizer::Lion => state,
    }
}

/// The cards that share what `sharding` and all stronger kinds spread.
fn over(job: &Job, from: Sharding) -> f64 {
    let place = |wanted: Sharding| Sharding::ALL.iter().position(|kind| *kind == wanted);
    let shared = place(job.scenario.sharding) >= place(from);
    if shared { job.scenario.card_count() as f64 } else { 1.0 }
}

fn trained(job: &Job) -> f64 {
    if job.scenario.method == Method::Full {
        job.model.params.max(0) as f64
    } else {
        0.0
    }
}

/// The weights in training: those that are trained, or the frozen ones beside LoRA.
pub(super) fn need_weights(job: &Job) -> Need {
    let params = job.model.params.max(0) as f64;
    let bytes = match job.scenario.method {
        Method::Full => params * widths(job.scenario.precision).0,
        Method::Lora => params * widths(job.scenario.precision).0,
        Method::Qlora => weights::four_bit(&job.model),
    };
    let span = Span::about(bytes / over(job, Sharding::Zero3), 1.0, 1.02);
    Need {
        id: PartId::Weights,
        span,
        basis: Basis::Exact,
        formula: formula_weights,
    }
}

fn formula_weights(job: &Job, span: Span) -> Message {
    let cards = over(job, Sharding::Zero3);
    let bits = span.mid.as_f64() * cards * 800.0 / (job.model.params as f64).max(1.0);
    Message::new("size-weights")
        .with("params", job.model.params)
        .with("bits", Arg::Number(bits.round() as i64, 2))
        .with(
            "format",
            if job.scenario.method == Method::Qlora {
                "NF4"
            } else {
                job.scenario.precision.id()
            },
        )
        .with("cards", cards as i64)
}

pub(super) fn need_gradients(job: &Job) -> Need {
    let bytes = trained(job) * widths(job.scenario.precision).1 / over(job, Sharding::Zero2);
    // Accumulating in 32-bit takes twice as much.
    Need {
        id: PartId::Gradients,
        span: Span::about(bytes, 1.0, 1.05),
        basis: Basis::Exact,
        formula: formula_gradients,
    }
}

fn formula_gradients(job: &Job, _: Span) -> Message {
    each("size-gradients", job, widths(job.scenario.precision).1, Sharding::Zero2)
}

pub(super) fn need_master(job: &Job) -> Need {
    let bytes = trained(job) * widths(job.scenario.precision).2 / over(job, Sharding::Zero1);
    Need {
        id: PartId::MasterWeights,
        span: Span::exact(bytes),
        basis: Basis::Exact,
        formula: formula_master,
    }
}

fn formula_master(job: &Job, _: Span) -> Message {
    each(
        "size-master-weights",
        job,
        widths(job.scenario.precision).2,
        Sharding::Zero1,
    )
}

pub(super) fn need_states(job: &Job) -> Need {
    let bytes = trained(job) * state_bytes(job.scenario) / over(job, Sharding::Zero1);
    Need {
        id: PartId::Optimizer,
        span: Span::about(bytes, 1.0, 1.05),
        basis: Basis::Exact,
        formula: formula_states,
    }
}

fn formula_states(job: &Job, _: Span) -> Message {
    each("size-optimizer", job, state_bytes(job.scenario), Sharding::Zero1)
        .with("optimizer", job.scenario.optimizer.id())
}

/// `params` × `each` bytes, over `cards`.
fn each(id: &'static str, job: &Job, each: f64, from: Sharding) -> Message {
    Message::new(id)
        .with("params", job.model.params)
        .with("each", Arg::Number((each * 10.0) as i64, 1))
        .with("cards", over(job, from) as i64)
}
