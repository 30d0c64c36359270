//! What no other part counts: the CUDA context, libraries, graphs, the allocator's rounding.

use super::{Basis, Job, Need, PartId, Span};
use crate::catalog::Engine;
use crate::message::Message;
use crate::scenario::Task;
use crate::units::{GB, GIB, MIB};

/// One engine's range in bytes.
struct Row {
    low: i64,
    mid: i64,
    high: i64,
    basis: Basis,
    formula: &'static str,
}

/// | where | range | source |
/// |---|---|---|
/// | any | 1 to 2 GB | the article: "1–2 GB of working overhead" beside weights and KV cache |
/// | llama.cpp, Ollama | 256 to 500 MiB | CUDA context since 11.7 with its kernels loaded as needed, pools of kernels |
/// | vLLM, SGLang | 0.25 to 3 GiB | outside torch 0.13 to 0.16 GiB, CUDA graphs 0.13 to 2.5 GiB (logs) |
/// | the same, several cards | 0.6 to 3.5 GiB | outside torch 0.25 to 0.55 GiB with NCCL (logs) |
/// | transformers | 0.4 to 1.5 GiB | CUDA context, cuBLAS workspaces, the allocator's cache |
/// | training | 0.5 to 2 GiB | the same, larger workspaces |
fn row(job: &Job) -> Row {
    let rule = |low, mid, high, formula| Row {
        low,
        mid,
        high,
        basis: Basis::RuleOfThumb,
        formula,
    };
    if job.scenario.task == Task::Train {
        return rule(GIB / 2, GIB, 2 * GIB, "size-overhead-training");
    }
    match job.scenario.engine {
        Engine::Any => rule(GB, 3 * GB / 2, 2 * GB, "size-overhead"),
        Engine::LlamaCpp | Engine::Ollama => Row {
            low: 256 * MIB,
            mid: 320 * MIB,
            high: 500 * MIB,
            basis: Basis::Measured,
            formula: "size-overhead-context",
        },
        Engine::Vllm | Engine::Sglang if job.scenario.split() > 1 => {
            rule(6 * GIB / 10, GIB, 7 * GIB / 2, "size-overhead-engine")
        }
        Engine::Vllm | Engine::Sglang => rule(GIB / 4, 6 * GIB / 10, 3 * GIB, "size-overhead-engine"),
        Engine::Transformers => rule(4 * GIB / 10, 8 * GIB / 10, 3 * GIB / 2, "size-overhead-context"),
    }
}

pub(super) fn need(job: &Job) -> Need {
    let row = row(job);
    let span = Span::of(row.low as f64, row.mid as f64, row.high as f64);
    Need {
        id: PartId::Overhead,
        span,
        basis: row.basis,
        formula,
    }
}

/// From `low` to `high`.
fn formula(job: &Job, span: Span) -> Message {
    Message::new(row(job).formula)
        .with("low", span.low)
        .with("high", span.high)
}
