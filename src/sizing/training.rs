//! Training a language model: what it holds all the time, and the moment of a step at which it needs most beside that.

use super::kept::{LAST, Pass, activations, need_activations, need_logits};
use super::optimizer::{gathered_bytes, gradient_bytes, gradients, need_gradients, over, trained, unshared_bytes};
use super::shape::Shape;
use super::{Basis, Job, Need, PartId, Span, adapters, optimizer, overhead};
use crate::catalog::{Framework, Version};
use crate::message::Message;
use crate::scenario::{Loss, Method, Offload, Optimizer, Precision, Sharding};

/// A moment of a training step. The peak is the largest of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The forward pass has ended: all activations are there, and the logits with what the loss makes of them.
    Loss,
    /// The backward pass begins: its last layer is computed again, or its gradients pass through it.
    Backward,
    /// The backward pass ends: all gradients are there, and the first layer's activations.
    Gradients,
    /// The optimiser's step: gradients, and what it needs for itself.
    Step,
}

impl Moment {
    /// In the order of a step.
    pub const ALL: [Moment; 4] = [Moment::Loss, Moment::Backward, Moment::Gradients, Moment::Step];

    /// The id of messages and of the JSON.
    pub fn id(self) -> &'static str {
        match self {
            Moment::Loss => "loss",
            Moment::Backward => "backward",
            Moment::Gradients => "gradients",
            Moment::Step => "step",
        }
    }
}

/// The largest moment, with what is needed then.
pub(super) struct Peak {
    /// Which.
    pub moment: Moment,
    /// All parts at that moment.
    pub needs: Vec<Need>,
    /// The low, middle and high of the peak: each that of the moment at which it is largest.
    pub total: Span,
}

/// What is held from the first step on.
fn held(job: &Job, shape: &Shape) -> [Need; 4] {
    [
        optimizer::need_weights(job, shape),
        optimizer::need_master(job, shape),
        optimizer::need_states(job, shape),
        overhead::need(job),
    ]
}

/// Gradients of earlier passes, where they are accumulated; else they come in the backward pass.
fn earlier(job: &Job, shape: &Shape) -> f64 {
    if job.scenario.accumulation > 1 && !job.scenario.step_in_backward {
        gradients(job, shape)
    } else {
        0.0
    }
}

/// What a moment needs beside it: gradients, adapters, activations, logits, temporaries.
fn at(job: &Job, shape: &Shape, moment: Moment) -> [Need; 5] {
    let all = gradients(job, shape);
    let earlier = earlier(job, shape);
    let accumulated = job.scenario.accumulation > 1 || matches!(moment, Moment::Gradients | Moment::Step);
    let (gradients, pass) = match moment {
        Moment::Loss => (earlier, Pass::Forward),
        Moment::Backward => (earlier, Pass::First),
        Moment::Gradients | Moment::Step => (all, Pass::Last),
    };
    let span = match moment {
        Moment::Step => Span::default(),
        _ => activations(job, shape, pass),
    };
    let logits = Need {
        span: if moment == Moment::Loss {
            need_logits(job, shape).span
        } else {
            Span::default()
        },
        ..need_logits(job, shape)
    };
    [
        need_gradients(gradients),
        adapters::need_adapters(job, shape, accumulated),
        need_activations(span, pass),
        logits,
        need_temporary(job, shape, moment, span),
    ]
}

/// DeepSpeed's buckets in ZeRO 1 and 2, of 500 million elements for reducing and for gathering: between one of each, and
/// 4.5 of each where communication overlaps (Hugging Face's documentation: 9 GB).
const BUCKETS: f64 = 6.5e9;

/// What a moment needs only for itself, in bytes:
///
/// - weights gathered from the other cards or from the computer's memory: the layer at work and the next one; at the loss
///   embedding and head, which FSDP's outermost unit keeps until the backward pass ends;
/// - gradients before they are shared: a layer's; DDP's buckets, a copy of all; ZeRO 1's and 2's,
///   2 GB as they come, 9 GB with communication at the same time as computing;
/// - the gradient of a trained head while a loss in pieces adds it up;
/// - with 4-bit weights the largest matrix in 16-bit;
/// - in the optimiser's step a temporary of all parameters, if it handles them at once (torch's foreach AdamW).
///
/// Sources: torch's FSDP (`_post_forward_reshard`), DeepSpeed's configuration, bitsandbytes' `MatMul4Bit`; torchtune's
/// table, litgpt's full fine-tuning, fms-acceleration's of Mistral 7B (10.0 bytes a parameter; 20.0 in mixed precision).
fn temporary(job: &Job, shape: &Shape, moment: Moment) -> f64 {
    let (scenario, facts) = (job.scenario, job.scenario.framework.facts());
    let cards = scenario.card_count();
    let full = scenario.method == Method::Full;
    let gradient = if full { gradient_bytes(job) } else { 0.0 };
    let unshared = if full { unshared_bytes(job) } else { 0.0 };
    let outside = shape.embed + shape.head;
    let sharded = over(job, Sharding::Zero3) > 1.0;
    let at_step = moment == Moment::Step;
    let mut bytes = 0.0;
    if (sharded || scenario.offload == Offload::All) && !at_step {
        bytes += 2.0 * shape.layer.min(shape.params) * gathered_bytes(job);
        let outer = scenario.sharding == Sharding::Fsdp && facts.keeps_outer;
        bytes += Shape::element(job)
            * match moment {
                _ if outer => outside,
                Moment::Loss => shape.embed.max(shape.head),
                _ => 0.0,
            };
    }
    if over(job, Sharding::Zero2) > 1.0 || scenario.offload == Offload::All {
        bytes += match moment {
            Moment::Loss if facts.keeps_outer => outside * unshared,
            Moment::Loss if scenario.loss == Loss::Plain => shape.embed.max(shape.head) * unshared,
            Moment::Loss => 0.0,
            Moment::Backward | Moment::Gradients => shape.layer * unshared,
            Moment::Step => 0.0,
        };
    }
    if cards > 1 && !at_step {
        bytes += match scenario.sharding {
            Sharding::None => shape.params * gradient,
            Sharding::Zero1 | Sharding::Zero2 => BUCKETS,
            Sharding::Zero3 | Sharding::Fsdp => 0.0,
        };
    }
    match moment {
        // A piece of it; the sum of all pieces is in `summed`.
        Moment::Loss if scenario.loss != Loss::Plain => bytes += shape.embed.max(shape.head) * gradient,
        Moment::Step if facts.whole_step && !fused(job) && scenario.optimizer == Optimizer::AdamW => {
            let each = match (scenario.precision, scenario.sharding) {
                (Precision::Mixed, Sharding::Fsdp) => gradient,
                // Other optimisers of mixed precision update their master weights piece by piece.
                (Precision::Mixed, _) => 0.0,
                _ => Shape::element(job),
            };
            bytes += trained(job, shape) * each / over(job, Sharding::Zero1);
        }
        _ => {}
    }
    if scenario.method == Method::Qlora && !at_step {
        let head = if facts.plain { 2.0 * shape.head } else { 0.0 };
        // LitGPT's head is put back into 16-bit for each piece of the logits, whose loss comes after it.
        let loss = if moment == Moment::Loss {
            3.0 * shape.tokens * shape.vocab
        } else {
            0.0
        };
        bytes += (2.0 * shape.hidden * shape.inner).max(head - loss);
    }
    if !at_step {
        bytes += experts(job, shape);
    }
    bytes
}

/// A layer's experts taken out of their format, in bytes: transformers 5 keeps them as two tensors, each of which is put
/// back into 16-bit as a whole, and both are kept for the backward pass of the layer computed again.
///
/// Source: Axolotl's `quantize_moe_experts` (moe_quant.py) over bitsandbytes' `replace_parameter_4bit`.
fn experts(job: &Job, shape: &Shape) -> f64 {
    let (scenario, model) = (job.scenario, job.model);
    let newer = scenario.version == Version::default() || scenario.version.since(Version::of(5, 0, 0));
    match scenario.framework == Framework::HuggingFace && newer && optimizer::quantised(job) {
        true => 2.0 * 3.0 * shape.hidden * model.expert_ffn.max(0) as f64 * model.experts.max(0) as f64,
        false => 0.0,
    }
}

/// Whether the default AdamW is the fused one: transformers' with torch 2.8 (transformers#37358), which its version 5 of
/// `ev` comes with.
fn fused(job: &Job) -> bool {
    let (scenario, version) = (job.scenario, job.scenario.version);
    let newer = version != Version::default() && version.since(Version::of(5, 0, 0));
    scenario.framework == Framework::HuggingFace && newer
}

/// How sure a moment's own need is, but in the optimiser's step.
const ABOUT: (f64, f64) = (0.5, 1.4);

/// By how much `wanted` is more than `there`, which it takes the place of, at each end: both together are the larger one,
/// so that they never fall as either grows.
fn beyond(wanted: Span, there: Span) -> Span {
    Span {
        low: (wanted.low - there.low).floor_zero(),
        mid: (wanted.mid - there.mid).floor_zero(),
        high: (wanted.high - there.high).floor_zero(),
    }
}

/// The gradient of a tied embedding, which comes twice, by as much as it is more than the first layer's activations, which
/// are gone by then; as sure as those.
fn tied(job: &Job, shape: &Shape, moment: Moment, activations: Span) -> Span {
    if moment != Moment::Gradients || shape.head > 0.0 || job.scenario.method != Method::Full {
        return Span::default();
    }
    beyond(
        Span::about(shape.embed * gradient_bytes(job), LAST.0, LAST.1),
        activations,
    )
}

/// The gradient of a trained head that a loss in pieces adds up, where it is not among the gradients of earlier passes.
fn summed(job: &Job, shape: &Shape, moment: Moment) -> Span {
    let in_pieces = moment == Moment::Loss && job.scenario.loss != Loss::Plain;
    if !in_pieces || job.scenario.method != Method::Full {
        return Span::default();
    }
    let head = Span::about(shape.embed.max(shape.head) * gradient_bytes(job), ABOUT.0, ABOUT.1);
    beyond(head, need_gradients(earlier(job, shape)).span)
}

fn need_temporary(job: &Job, shape: &Shape, moment: Moment, activations: Span) -> Need {
    let bytes = temporary(job, shape, moment);
    let shared = tied(job, shape, moment, activations) + summed(job, shape, moment);
    Need {
        id: PartId::Temporary,
        span: match moment {
            // Recent frameworks take the fused form; shares of several cards are padded (LitGPT, Phi-2).
            Moment::Step => Span::about(bytes, 0.0, 1.2),
            _ => Span::about(bytes, ABOUT.0, ABOUT.1) + shared,
        },
        basis: Basis::RuleOfThumb,
        formula: match moment {
            Moment::Loss => |_, span| formula_temporary("loss", span),
            Moment::Backward => |_, span| formula_temporary("backward", span),
            Moment::Gradients => |_, span| formula_temporary("gradients", span),
            Moment::Step => |_, span| formula_temporary("step", span),
        },
    }
}

fn formula_temporary(moment: &'static str, span: Span) -> Message {
    Message::new("size-temporary")
        .with("moment", moment)
        .with("bytes", span.mid)
}

/// The largest moment of a step.
pub(super) fn peak(job: &Job) -> Peak {
    let shape = Shape::of(job);
    let held = held(job, &shape);
    let sum = |needs: &[Need]| needs.iter().fold(Span::default(), |total, need| total + need.span);
    let always = sum(&held);
    let mut most = (Moment::Loss, at(job, &shape, Moment::Loss));
    let mut total = always + sum(&most.1);
    for moment in &Moment::ALL[1..] {
        let needs = at(job, &shape, *moment);
        let span = always + sum(&needs);
        if span.mid > total.mid {
            most = (*moment, needs);
        }
        total = Span {
            low: total.low.max(span.low),
            mid: total.mid.max(span.mid),
            high: total.high.max(span.high),
        };
    }
    let [weights, master, states, overhead] = held;
    let [gradients, adapters, activations, logits, temporary] = most.1;
    Peak {
        moment: most.0,
        needs: vec![
            weights,
            gradients,
            master,
            states,
            adapters,
            activations,
            logits,
            temporary,
            overhead,
        ],
        total,
    }
}

/// What stands on each card once the model is loaded: weights, and the adapters' weights; at the high end the largest
/// tensor is there twice as it is loaded.
///
/// torchtune quantises a matrix on the card: sixteen distances of each weight, twice, of all of it (torchao 0.1's
/// `quantize_tensor_nearest`; 9.13 GB of Llama 2 7B) or of a piece (6.19 GiB of Llama 3.1 8B, torchtune#1398).
pub(super) fn loaded(job: &Job) -> Span {
    let shape = Shape::of(job);
    let weights = optimizer::need_weights(job, &shape).span;
    let copy = weights.mid.as_f64() * 0.01 + shape.embed * Shape::element(job);
    let matrix = match job.scenario.framework == Framework::Torchtune && job.scenario.method == Method::Qlora {
        true => shape.hidden * shape.inner,
        false => 0.0,
    };
    weights
        + Span::exact(adapters::adapter_weights(job, &shape))
        + Span::of(0.0, 16.0 * matrix, copy.max(128.0 * matrix))
}
