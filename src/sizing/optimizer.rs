//! What training holds for each parameter: weights, gradients, master weights, the optimiser's states.

use super::shape::Shape;
use super::{Basis, Job, Need, PartId, Span, weights};
use crate::catalog::{Family, Format, Framework};
use crate::message::{Arg, Message};
use crate::scenario::{Method, Objective, Offload, Optimizer, Precision, Scenario, Sharding};

/// Bytes of the weights, the gradients and the master weights of one parameter.
///
/// | precision | weights | gradients | master weights |
/// |---|---|---|---|
/// | mixed | 2 | 2 | 4 |
/// | bf16 | 2 | 2 | 0 |
/// | fp32 | 4 | 4 | 0 |
/// | fp8 | 3: 16-bit and its 8-bit copy | 2 | 4 |
/// | mixed, with FSDP | 4, 2 where gathered | 4 | 0 |
///
/// With AdamW's 8 bytes mixed precision comes to 16 (the article's rule; ZeRO's paper, section 3.1), bf16 to 8, its
/// states being 16-bit too (torchtune). Where gradients are added up in 32-bit, mixed precision takes 18.
///
/// FSDP shares 32-bit weights and gathers them in 16-bit: they are their own master weights (torch's `MixedPrecision`;
/// Accelerate raises what a checkpoint brings in 16-bit). Measured by fms-acceleration: 20.0 bytes at AdamW's step.
fn widths(scenario: &Scenario) -> (f64, f64, f64) {
    match scenario.precision {
        Precision::Mixed if scenario.sharding == Sharding::Fsdp && scenario.method == Method::Full => (4.0, 4.0, 0.0),
        Precision::Mixed => (2.0, 2.0, 4.0),
        Precision::Bf16 => (2.0, 2.0, 0.0),
        Precision::Fp32 => (4.0, 4.0, 0.0),
        Precision::Fp8 => (3.0, 2.0, 4.0),
    }
}

/// What a trained weight of so many bytes is written in; three are a 16-bit one and its 8-bit copy.
pub(super) fn width_name(bytes: f64) -> &'static str {
    match bytes as u8 {
        0..=2 => "BF16",
        3 => "BF16 + FP8",
        _ => "FP32",
    }
}

/// Bytes of a gradient.
pub(super) fn gradient_bytes(job: &Job) -> f64 {
    widths(job.scenario).1
}

/// Bytes of a gradient before it is shared: in the format that FSDP gathers weights in.
pub(super) fn unshared_bytes(job: &Job) -> f64 {
    gradient_bytes(job).min(Shape::element(job))
}

/// Bytes of the states of one parameter, each state of `state` bytes: AdamW two, 8-bit AdamW 2 in all, one in SGD with
/// momentum, Lion and Muon; Adafactor's rows and columns are counted as 0.1.
pub(super) fn usual_states(optimizer: Optimizer, state: f64) -> f64 {
    match optimizer {
        Optimizer::AdamW | Optimizer::GaLore => 2.0 * state,
        Optimizer::AdamW8bit => 2.0,
        Optimizer::Adafactor => 0.1,
        Optimizer::Sgd | Optimizer::Lion | Optimizer::Muon => state,
    }
}

/// The same of LoRA's parameters, whose states are as wide as they are.
pub(super) fn adapter_state_bytes(scenario: &Scenario, width: f64) -> f64 {
    usual_states(scenario.optimizer, width)
}

/// Bytes of all states: the usual ones for each parameter, but
/// Muon's AdamW for embedding and head, and GaLore's two states of `rank` rows beside a projection for each matrix.
/// Sources: Muon (Keller Jordan's and Moonshot's code), GaLore's paper, table 1.
fn states(job: &Job, shape: &Shape) -> f64 {
    let scenario = job.scenario;
    let state = if scenario.precision == Precision::Bf16 {
        2.0
    } else {
        4.0
    };
    let outside = shape.embed + shape.head;
    let usual = usual_states(scenario.optimizer, state);
    match scenario.optimizer {
        Optimizer::Muon => shape.params * state + outside * state,
        Optimizer::GaLore => {
            let matrix = |linear: &super::shape::Linear| {
                let (short, long) = (linear.inputs.min(linear.outputs), linear.inputs.max(linear.outputs));
                let rank = (scenario.rank.max(0) as f64).min(short);
                linear.count * rank * (2.0 * long + short)
            };
            let inside: f64 = shape.linears(job).iter().map(matrix).sum();
            (shape.layers * inside * state).min((shape.params - outside).max(0.0) * usual) + outside * usual
        }
        _ => shape.params * usual,
    }
}

/// The cards that share what `sharding` and all stronger kinds spread.
pub(super) fn over(job: &Job, from: Sharding) -> f64 {
    let place = |wanted: Sharding| Sharding::ALL.iter().position(|kind| *kind == wanted);
    let shared = place(job.scenario.sharding) >= place(from);
    if shared { job.scenario.card_count() as f64 } else { 1.0 }
}

/// Parameters that are trained as a whole.
pub(super) fn trained(job: &Job, shape: &Shape) -> f64 {
    if job.scenario.method == Method::Full {
        shape.params
    } else {
        0.0
    }
}

/// The format of the frozen weights, if it is one that frameworks train beside; others are left from another job.
fn chosen(job: &Job) -> Option<&'static Format> {
    Some(job.scenario.format).filter(|format| matches!(format.family, Family::Any | Family::Safetensors))
}

/// Whether what is not quantised is raised to 32-bit, the residual stream with it; PEFT leaves it beside a GPTQ base.
/// FSDP and ZeRO 3 share a layer's tensors as one, which has one format: TRL does not prepare such a model.
/// Source: PEFT's `prepare_model_for_kbit_training`; TRL's `is_sharded_qlora`.
pub(super) fn raised(job: &Job) -> bool {
    let shared = over(job, Sharding::Zero3) > 1.0;
    quantised(job) && !shared && job.scenario.raises_rest && job.scenario.framework.facts().raises_rest
}

/// Whether the frozen weights are quantised as they are loaded.
pub(super) fn quantised(job: &Job) -> bool {
    match job.scenario.method {
        Method::Full => false,
        Method::Lora => chosen(job).is_some_and(|format| format.bare < 1600 && !format.id.starts_with("gptq")),
        Method::Qlora => true,
    }
}

/// Bytes of the weights in training: those that are trained, or the frozen ones beside LoRA, in the format that is
/// chosen for them. PEFT raises what QLoRA leaves unquantised to 32-bit.
fn weight_bytes(job: &Job, shape: &Shape) -> f64 {
    let (scenario, facts) = (job.scenario, job.scenario.framework.facts());
    let plain = shape.params * widths(scenario).0;
    let chosen = chosen(job);
    match (scenario.method, chosen) {
        (Method::Lora, Some(format)) if format.bare < 1600 => {
            let raised = if raised(job) {
                2.0 * (shape.embed + shape.head)
            } else {
                0.0
            };
            weights::checkpoint(&job.model, format).as_f64() + raised
        }
        // DPO's reference model; with LoRA it is the base without its adapters.
        (Method::Full, _) if scenario.objective == Objective::Dpo => plain + shape.params * Shape::element(job),
        (Method::Full | Method::Lora, _) => plain,
        (Method::Qlora, _) => {
            let bits = chosen
                .filter(|format| format.bare < 600)
                .and_then(weights::linear_bits)
                .unwrap_or(NF4_DOUBLE);
            let outside = shape.embed + shape.head;
            // torchtune quantises the layers that LoRA adapts, and no others.
            let rest = match scenario.framework {
                Framework::Torchtune => {
                    let rest = |linear: &super::shape::Linear| {
                        linear.inputs * linear.outputs * (linear.count - linear.adapted).max(0.0)
                    };
                    shape.layers * shape.linears(job).iter().map(rest).sum::<f64>()
                }
                _ => 0.0,
            };
            let outside = outside + rest.min((shape.params - outside).max(0.0));
            match facts.plain {
                // LitGPT quantises the head too, and puts a stable embedding beside the old one.
                true => (shape.params - shape.embed) * bits / 8.0 + 4.0 * shape.embed,
                false => (shape.params - outside) * bits / 8.0 + outside * if raised(job) { 4.0 } else { 2.0 },
            }
        }
    }
}

/// Bits of NF4 with double quantisation: 4, an 8-bit scale for 64 weights, a 32-bit one for 256 scales.
const NF4_DOUBLE: f64 = 4.127;

/// Bytes of a frozen or trained weight of a layer where it is gathered.
pub(super) fn gathered_bytes(job: &Job) -> f64 {
    let quantised = match job.scenario.method {
        Method::Full => None,
        Method::Lora => chosen(job)
            .filter(|format| format.bare < 1600)
            .and_then(weights::linear_bits),
        Method::Qlora => Some(
            chosen(job)
                .filter(|format| format.bare < 600)
                .and_then(weights::linear_bits)
                .unwrap_or(NF4_DOUBLE),
        ),
    };
    quantised.map_or(Shape::element(job), |bits| bits / 8.0)
}

/// The weights on each card; none where they are in the computer's memory.
pub(super) fn need_weights(job: &Job, shape: &Shape) -> Need {
    let bytes = if job.scenario.offload == Offload::All {
        0.0
    } else {
        weight_bytes(job, shape)
    };
    // Not every script prepares a quantised model as PEFT would.
    let less = if raised(job) {
        2.0 * (shape.embed + shape.head)
    } else {
        0.0
    };
    let cards = over(job, Sharding::Zero3);
    let span = Span::of((bytes - less) / cards, bytes / cards, bytes / cards * 1.02);
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
            match (job.scenario.method, chosen(job).filter(|format| format.bare < 1600)) {
                (Method::Lora, Some(format)) => format.name,
                (Method::Qlora, Some(format)) if format.bare < 600 => format.name,
                (Method::Qlora, _) => "NF4",
                _ => width_name(widths(job.scenario).0),
            },
        )
        .with("cards", cards as i64)
}

/// Gradients on each card after a backward pass: shared with ZeRO 2 and 3; FSDP keeps all of them on each card while they
/// are accumulated over several passes (`no_sync`). With the step in the backward pass those of the largest piece.
pub(super) fn gradients(job: &Job, shape: &Shape) -> f64 {
    let scenario = job.scenario;
    let bytes = trained(job, shape) * gradient_bytes(job);
    match () {
        () if scenario.step_in_backward => bytes.min(shape.embed.max(shape.layer) * gradient_bytes(job)),
        () if scenario.sharding == Sharding::Fsdp && scenario.accumulation > 1 => {
            (trained(job, shape) * unshared_bytes(job)).max(bytes / over(job, Sharding::Zero2))
        }
        () if scenario.offload == Offload::All => 0.0,
        () => bytes / over(job, Sharding::Zero2),
    }
}

pub(super) fn need_gradients(bytes: f64) -> Need {
    Need {
        id: PartId::Gradients,
        span: Span::about(bytes, 1.0, 1.05),
        basis: Basis::Exact,
        formula: formula_gradients,
    }
}

/// Of all parameters, shared or not; with the step in the backward pass of those of the largest piece.
fn formula_gradients(job: &Job, span: Span) -> Message {
    let scenario = job.scenario;
    let gathered = scenario.sharding == Sharding::Fsdp && scenario.accumulation > 1;
    let (bytes, cards) = match () {
        () if scenario.step_in_backward => (gradient_bytes(job), 1.0),
        () if gathered => (unshared_bytes(job), 1.0),
        () => (gradient_bytes(job), over(job, Sharding::Zero2)),
    };
    Message::new("size-gradients")
        .with("params", (span.mid.as_f64() * cards / bytes).round() as i64)
        .with("each", Arg::Number((bytes * 10.0).round() as i64, 1))
        .with("cards", cards as i64)
}

pub(super) fn need_master(job: &Job, shape: &Shape) -> Need {
    let bytes = match job.scenario.offload {
        Offload::None => trained(job, shape) * widths(job.scenario).2 / over(job, Sharding::Zero1),
        _ => 0.0,
    };
    Need {
        id: PartId::MasterWeights,
        span: Span::exact(bytes),
        basis: Basis::Exact,
        formula: formula_master,
    }
}

fn formula_master(job: &Job, _: Span) -> Message {
    each("size-master-weights", job, widths(job.scenario).2, Sharding::Zero1)
}

pub(super) fn need_states(job: &Job, shape: &Shape) -> Need {
    let bytes = match job.scenario.offload {
        Offload::None if job.scenario.method == Method::Full => states(job, shape) / over(job, Sharding::Zero1),
        _ => 0.0,
    };
    Need {
        id: PartId::Optimizer,
        span: Span::about(bytes, 1.0, 1.03),
        basis: Basis::Exact,
        formula: formula_states,
    }
}

fn formula_states(job: &Job, _: Span) -> Message {
    let shape = Shape::of(job);
    let average = states(job, &shape) / shape.params.max(1.0);
    each("size-optimizer", job, average, Sharding::Zero1).with("optimizer", job.scenario.optimizer.id())
}

/// `params` × `each` bytes, over `cards`.
fn each(id: &'static str, job: &Job, each: f64, from: Sharding) -> Message {
    Message::new(id)
        .with("params", job.model.params)
        .with("each", Arg::Number((each * 10.0).round() as i64, 1))
        .with("cards", over(job, from) as i64)
}
