//! What training's forward pass leaves for the backward pass: each layer's tensors, and the logits.

use super::shape::Shape;
use super::{Basis, Job, Need, PartId, Span};
use crate::catalog::{Framework, Version};
use crate::message::{Arg, Message};
use crate::scenario::{Checkpointing, Loss, Method, Precision, Sharding};

/// Bytes of one layer for one token.
struct Layer {
    /// All that autograd keeps.
    kept: f64,
    /// What checkpoints by operation keep: the layer's input, attention's result and that of every other matrix product, from
    /// the first on. Source: torchtitan's `SelectiveAC` ("save every other mm").
    products: f64,
    /// Gradients on their way through the layer.
    passing: f64,
    /// The inputs of 4-bit layers, where bitsandbytes keeps them, but attention's output, which is kept anyway.
    inputs: f64,
    /// Those that the step before has left, with attention's output.
    earlier: f64,
}

/// What autograd keeps of one layer, tensor by tensor, `e` bytes an element (2 in 16-bit), `h` hidden, `q` query, `k` key
/// and `i` inner width:
///
/// | tensor | bytes a token | where it falls away |
/// |---|---|---|
/// | RMSNorm's input, raised to 32-bit | 4h each of two | `e`h with a compiler or fused kernels; LayerNorm: `e`h once |
/// | its normed result | `e`h each | with frozen weights, a compiler or fused kernels |
/// | inputs of linear layers that are trained or adapted | `e`h, `e`h, `e`i; attention's output is kept anyway | frozen ones without LoRA keep none |
/// | queries, and keys and values repeated for each query head, attention's output | 4·`e`q | |
/// | gate, its activation, up | 3·`e`i; without gate `e`i | the activation, with a compiler or fused kernels |
/// | LoRA's dropout: mask and dropped input | (1 + `e`) for each input | |
/// | scores of all heads without flash attention: 32-bit and 16-bit | 6·heads·s | |
///
/// Sources: torch's derivatives.yaml (a product keeps an input only if the other side is trained), the layers' code in
/// transformers, litgpt and torchtune. Measured: litgpt's LoRA of Llama 2 7B within 1 %, torchtune's table within 5 %.
fn layer(job: &Job, shape: &Shape) -> Layer {
    let (scenario, facts) = (job.scenario, job.scenario.framework.facts());
    let Shape {
        hidden,
        query,
        key,
        inner,
        gated,
        ..
    } = *shape;
    let element = Shape::element(job);
    let full = scenario.method == Method::Full;
    let fused = scenario.compiled || facts.fused;
    let input = if scenario.precision == Precision::Fp8 {
        1.0
    } else {
        element
    };
    let norm = match () {
        () if !gated => element * hidden,
        () if fused => 2.0 * element * hidden,
        () => 2.0 * 4.0 * hidden + if full { 2.0 * element * hidden } else { 0.0 },
    };
    let linears = shape.linears(job);
    let own = facts.casts_inputs || scenario.dropout;
    let mask = if scenario.dropout { 1.0 } else { 0.0 };
    // The input of `modules` adapted layers side by side, and one kept by something else anyway.
    let adapted = |modules: f64, width: f64, kept_anyway: bool| match () {
        () if full => {
            if kept_anyway {
                0.0
            } else {
                input * width
            }
        }
        () if modules == 0.0 => 0.0,
        () if own => modules * (element + mask) * width,
        () if kept_anyway => 0.0,
        () => element * width,
    };
    let query_key_value = linears[0].adapted + linears[1].adapted;
    // LitGPT adapts queries, keys and values as one layer, and puts what is adapted back into it.
    let one = facts.plain && query_key_value > 0.0;
    let back = if one && query_key_value < 3.0 {
        element * (query + key)
    } else {
        0.0
    };
    // Without grouped heads its values stay a part of that layer's result, which is kept as a whole for them.
    let whole = if facts.plain && query == key {
        2.0 * element * query
    } else {
        0.0
    };
    let inputs = adapted(if one { 1.0 } else { query_key_value }, hidden, false)
        + adapted(linears[2].adapted, query, true)
        + adapted(
            linears[3].adapted,
            hidden,
            !full && !gated && query_key_value > 0.0 && !own,
        )
        + if fused && !full {
            0.0
        } else {
            adapted(linears[4].adapted, inner, false)
        };
    let between = match (gated, fused) {
        (true, false) => 3.0,
        (true, true) => 2.0,
        (false, _) => 1.0,
    };
    let ranks = 2.0 * element * scenario.rank.max(0) as f64;
    let low_rank: f64 = linears.iter().map(|linear| linear.adapted * ranks / 2.0).sum();
    let scores = if scenario.flash_attention {
        0.0
    } else {
        job.model.heads.max(0) as f64 * shape.sequence
    };
    let attention = 4.0 * element * query + 6.0 * scores;
    let experts = 2.0
        * element
        * hidden
        * if job.model.experts > 0 {
            job.model.experts_per_token.max(0) as f64
        } else {
            0.0
        };
    let inputs_4bit = if facts.plain && scenario.method == Method::Qlora {
        element * (hidden + if gated { hidden } else { 0.0 } + inner)
    } else {
        0.0
    };
    Layer {
        kept: norm + inputs + back + whole + attention + between * element * inner + low_rank + experts,
        // Of queries, keys, values, output, gate, up, down; or, without a gate, up and down.
        products: element * (if gated { 2.0 } else { 1.0 } * hidden + 2.0 * query + key + inner) + experts,
        passing: element * (4.0 * hidden + 2.0 * inner) + 4.0 * scores,
        inputs: inputs_4bit,
        earlier: if inputs_4bit > 0.0 {
            inputs_4bit + element * query
        } else {
            0.0
        },
    }
}

/// Bytes of an element of the residual stream: 32-bit where a quantised base's embedding and norms are.
/// Source: fms-acceleration's QLoRA of Mistral 7B, which keeps exactly 2 bytes of it more with PEFT's preparation.
fn stream(job: &Job) -> f64 {
    if super::optimizer::raised(job) {
        4.0
    } else {
        Shape::element(job)
    }
}

/// When during a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// At the end of the forward pass.
    Forward,
    /// At the beginning of the backward pass, in the last layer.
    First,
    /// At its end, in the first layer.
    Last,
}

/// What the step before has left, of what it is by the longest sequence: its low end, middle, high end. Source: LitGPT's
/// tables: 1.0 to 1.3 where texts are cut to a length that many reach, 0.1 to 0.3 where one is the longest.
const EARLIER: (f64, f64, f64) = (0.1, 1.0, 1.25);

/// The range around what is alive at the end of the backward pass.
pub(super) const LAST: (f64, f64) = (0.65, 1.1);

/// Activations alive at a moment, in bytes of one card.
///
/// With checkpoints `e·h` for each layer and token, and one layer computed again; by operation its products; else all.
pub(super) fn activations(job: &Job, shape: &Shape, pass: Pass) -> Span {
    let scenario = job.scenario;
    let layer = layer(job, shape);
    let stream = stream(job) * shape.hidden;
    let stored = match scenario.checkpointing {
        Checkpointing::Full => stream,
        Checkpointing::Selective => layer.products.min(layer.kept),
        Checkpointing::None => layer.kept,
    };
    // Two layers are on their way while the others are in the computer's memory.
    let layers = if scenario.offload_activations {
        shape.layers.min(2.0)
    } else {
        shape.layers
    };
    let again = (layer.kept - stored).max(0.0) + layer.passing;
    let (stored, again) = (stored * layers * shape.tokens, again * shape.tokens);
    let eager = scenario.checkpointing == Checkpointing::None;
    let around = match () {
        // Not every script prepares a quantised model as PEFT would.
        () if !eager && super::optimizer::raised(job) => (0.5, 1.05),
        () if !eager => (0.97, 1.05),
        () if scenario.compiled => (0.85, 1.12),
        () => (0.93, 1.08),
    };
    // bitsandbytes up to 0.43.1 kept the inputs of 4-bit layers, until the next step's loss took the place of the last:
    // those of both steps are there at the end of the forward pass.
    let tokens = if eager { shape.layers * shape.tokens } else { 0.0 };
    let stored = Span::about(stored, around.0, around.1) + Span::exact(layer.inputs * tokens);
    match pass {
        Pass::Forward => {
            stored
                + Span::about(layer.earlier * tokens, EARLIER.0, EARLIER.2)
                + Span::about(stream * shape.tokens, 0.5, 2.0)
        }
        Pass::First => stored + Span::about(again, 0.7, 1.25),
        Pass::Last => {
            // The first layer's own input is among what it keeps, and its gradient is on its way.
            let held = holds_inputs(job) * 2.0 * stream * (shape.layers - 1.0).max(0.0) * shape.tokens;
            let always = if job.scenario.version == Version::default() {
                0.0
            } else {
                held
            };
            Span::about((layer.kept + layer.passing) * shape.tokens, LAST.0, LAST.1)
                + Span::of(always, held, held * 1.03)
        }
    }
}

/// 1 if layers' inputs and their gradients stay until the backward pass ends: FSDP 1 waits for the gradient of a frozen
/// layer's input, and what waits holds that input, which reentrant checkpoints put a copy without history in place of.
///
/// Sources: torch's `_register_post_backward_reshard_only_hook` and `register_multi_grad_hook`; fms-acceleration's LoRA on
/// two and four cards. transformers' checkpoints are no longer reentrant since 5.0 (transformers#43203), but scripts may
/// ask for either: of an unknown version the low end has none.
fn holds_inputs(job: &Job) -> f64 {
    let (scenario, facts) = (job.scenario, job.scenario.framework.facts());
    let newer = scenario.version != Version::default() && scenario.version.since(Version::of(5, 0, 0));
    let holds = facts.reentrant
        && !newer
        && scenario.method != Method::Full
        && scenario.sharding == Sharding::Fsdp
        && scenario.card_count() > 1
        && scenario.checkpointing == Checkpointing::Full
        && !scenario.offload_activations;
    if holds { 1.0 } else { 0.0 }
}

pub(super) fn need_activations(span: Span, pass: Pass) -> Need {
    Need {
        id: PartId::Activations,
        span,
        basis: Basis::Measured,
        formula: match pass {
            Pass::Last => |job, _| formula_activations(job, 1.0 + holds_inputs(job)),
            _ => |job, _| formula_activations(job, 1.0),
        },
    }
}

/// `times` as much for each layer: its input, and that one's gradient.
fn formula_activations(job: &Job, times: f64) -> Message {
    let scenario = job.scenario;
    let message = match scenario.checkpointing {
        Checkpointing::Full => Message::new("size-activations-checkpointed").with("each", (times * stream(job)) as i64),
        Checkpointing::Selective => Message::new("size-activations-selective"),
        Checkpointing::None => Message::new("size-activations-kept"),
    };
    message
        .with("batch", scenario.batch)
        .with("sequence", scenario.sequence)
        .with("hidden", job.model.hidden)
        .with("layers", job.model.layers)
}

/// From this version on transformers' loss shifts the labels, not a copy of the logits.
const SHIFTS_LABELS: Version = Version::of(4, 50, 0);

/// Bytes of each logit at the loss.
///
/// At once: the framework's (14 in transformers 4.46 to 4.49: 16-bit logits, their 32-bit copy, that without the last token,
/// log-probabilities; measured 14.0 by fms-acceleration. Before, the 32-bit copy took the place of the 16-bit logits, and since,
/// there is one copy: 12, which the backward pass takes too; measured 12 with 4.45). In pieces: the
/// 16-bit logits, and without a compiler 8 bytes of an eighth of them. Fused with the head: an eighth of all.
/// torchtune before 0.2 kept the 32-bit logits through the backward pass, with a copy without the last token and gradients of
/// both: 20 (20.2 GB of its table, torchtune#961; torchtune#1046).
/// LitGPT computes LoRA's logits in pieces of 128 tokens, and keeps 32-bit logits and log-probabilities.
/// Sources: torchtune's table (chunks save 8.1 GiB, here 7.8), litgpt's tables.
fn logit_bytes(job: &Job) -> f64 {
    let (scenario, facts) = (job.scenario, job.scenario.framework.facts());
    let known = scenario.version != Version::default();
    let since = |minor| scenario.version.since(minor);
    let at_once = match scenario.framework {
        Framework::Torchtune if known && !since(Version::of(0, 2, 0)) => 20.0,
        Framework::HuggingFace if known && (!since(Version::of(4, 46, 0)) || since(SHIFTS_LABELS)) => 12.0,
        _ => facts.logit_bytes as f64,
    };
    match scenario.loss {
        Loss::Plain if facts.plain && scenario.method != Method::Full => 9.0,
        Loss::Plain => at_once,
        Loss::Chunked if scenario.compiled || facts.fused => 2.0,
        Loss::Chunked => 3.0,
        Loss::Fused => (at_once / 8.0).min(1.5),
    }
}

/// Logits of all tokens of the batch: `tokens · vocabulary · bytes`.
pub(super) fn need_logits(job: &Job, shape: &Shape) -> Need {
    let bytes = shape.tokens * shape.vocab * logit_bytes(job);
    Need {
        id: PartId::Logits,
        span: match job.scenario.loss {
            // A compiled loss may need no 32-bit copy (torchtitan).
            Loss::Plain if job.scenario.compiled => Span::about(bytes, 0.4, 1.3),
            // A model's own code may take it in 16-bit (Qwen's, with GPTQ); of a known version the copies are counted.
            Loss::Plain if job.scenario.framework == Framework::HuggingFace => {
                let (low, high) = match job.scenario.version == Version::default() {
                    true => (0.6, 1.3),
                    false => (0.85, 1.2),
                };
                Span::about(bytes, low, high)
            }
            Loss::Plain => Span::about(bytes, 0.8, 1.3),
            Loss::Chunked => Span::about(bytes, 0.85, 1.2),
            Loss::Fused => Span::about(bytes, 0.3, 1.5),
        },
        basis: Basis::Measured,
        formula: formula_logits,
    }
}

fn formula_logits(job: &Job, _: Span) -> Message {
    let scenario = job.scenario;
    Message::new("size-logits")
        .with("batch", scenario.batch)
        .with("sequence", scenario.sequence)
        .with("vocab", job.model.vocab)
        .with("each", Arg::Number((logit_bytes(job) * 10.0).round() as i64, 1))
        .with("loss", scenario.loss.id())
}
