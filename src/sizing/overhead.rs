//! What no other part counts: the CUDA context, libraries, CUDA graphs, the allocator's rounding.

use super::{Basis, Job, Need, PartId, Span};
use crate::catalog::{Engine, Keep, Version};
use crate::message::Message;
use crate::scenario::{CardKind, Scenario, Task};
use crate::units::{GB, GIB, MIB};

/// vLLM counts CUDA graphs in its share of the card from this version on, until its newer runner, which records them
/// after the pool is made.
const GRAPHS_COUNTED: Version = Version::of(0, 21, 0);
const NEWER_RUNNER: Version = Version::of(0, 29, 0);
/// From this version on the pool of graphs is as large on several cards as on one.
const PLAIN_POOL: Version = Version::of(0, 18, 0);

/// One engine's range in MiB.
struct Row {
    low: i64,
    mid: i64,
    high: i64,
    basis: Basis,
    formula: &'static str,
}

const fn rule(low: i64, mid: i64, high: i64, formula: &'static str) -> Row {
    Row {
        low,
        mid,
        high,
        basis: Basis::RuleOfThumb,
        formula,
    }
}

/// What a process holds on a card before it has asked for anything, in MiB: the CUDA context with kernels loaded as they
/// are needed (CUDA 11.7 and later). Source: free memory at start in vLLM's logs, by architecture.
///
/// | architecture | low | middle | high |
/// |---|---|---|---|
/// | Volta, Turing | 100 | 200 | 320 |
/// | Ampere, Ada, Blackwell of desktops | 230 | 300 | 420 |
/// | Hopper, Ampere and Ada of data centres | 400 | 480 | 620 |
/// | Blackwell of data centres | 600 | 1000 | 2500 |
/// | others | 250 | 320 | 500 |
fn context(scenario: &Scenario) -> (i64, i64, i64) {
    let Some(CardKind::Known(card)) = scenario.card() else {
        return (256, 320, 500);
    };
    match (card.architecture, card.gb) {
        ("Volta" | "Turing", _) => (100, 200, 320),
        ("Hopper", _) => (400, 480, 620),
        ("Blackwell" | "Blackwell Ultra", 128..) if !card.unified => (600, 1000, 2500),
        ("Ampere" | "Ada", 40..) => (300, 420, 560),
        ("Ampere" | "Ada" | "Blackwell", _) => (230, 300, 420),
        _ => (256, 320, 500),
    }
}

/// What of a scenario's card its need depends on: cards that agree in it need the same.
pub(super) fn kind_of_card(scenario: &Scenario) -> [i64; 4] {
    let (low, mid, _) = context(scenario);
    [scenario.defaults().from_gib, low, mid, i64::from(large(scenario))]
}

/// Whether the cards are those of a data centre, by their memory; so are cards that are not named.
fn large(scenario: &Scenario) -> bool {
    scenario.card().is_none_or(|card| card.total().0 >= 60 * GIB)
}

/// Whether the cards are named and older than Hopper, on which collectives are not fused.
fn older(scenario: &Scenario) -> bool {
    let old = |card: CardKind| matches!(card, CardKind::Known(card) if matches!(card.architecture, "Ampere" | "Ada" | "Volta" | "Turing"));
    scenario.card().is_some_and(old)
}

/// What vLLM finds outside PyTorch while it measures ("non_torch_memory", "non-torch forward increase"), in MiB.
///
/// | versions | one card | several |
/// |---|---|---|
/// | up to 0.6.4 | 300 to 500 | 350 to 600 |
/// | 0.6.5 | 200 to 1900 | 350 to 3700: a check before its release took all use of the card for the engine's (vllm#10511) |
/// | up to 0.17 | 5 to 215, in data centres 60 to 215 | 180 to 420 (NCCL), in data centres 480 to 780, to 1450 with recurrent layers (one log) |
/// | later | 70 to 480, in data centres 190 to 490 (0.24 to 0.27 GiB of 22 runs, 0.46 of 3), 60 to 270 of a pipeline | 200 to 570 on cards of desktops, in data centres 1550 to 2350 (symmetric memory and fused collectives on Hopper and Blackwell: 2.06 to 2.21 GiB of 14 runs), 480 to 2350 on older cards |
fn outside_torch(scenario: &Scenario) -> Row {
    let version = scenario.behaves_like();
    let (split, large) = (scenario.split() > 1, large(scenario));
    let id = "size-overhead-engine";
    let generations = [Version::of(0, 6, 5), Version::of(0, 6, 6), Version::of(0, 18, 0)].map(|of| version.since(of));
    match (generations[1], generations[2]) {
        (false, _) if generations[0] && split => rule(350, 420, 3700, id),
        (false, _) if generations[0] => rule(200, 340, 1900, id),
        (false, _) if split => rule(300, 400, 600, id),
        (false, _) => rule(250, 360, 500, id),
        (true, false) if split && large && recurrent(scenario) => rule(480, 900, 1450, id),
        (true, false) if split && large => rule(480, 570, 780, id),
        (true, false) if split => rule(180, 260, 420, id),
        (true, false) if large => rule(60, 135, 215, id),
        (true, false) => rule(5, 70, 215, id),
        (true, true) if split && large => rule(if older(scenario) { 480 } else { 1550 }, 2100, 2350, id),
        (true, true) if split => rule(190, 300, 700, id),
        (true, true) if scenario.spread() > 1 => rule(60, 80, 270, id),
        (true, true) if large => rule(190, 256, 490, id),
        (true, true) => rule(70, 256, 480, id),
    }
}

/// | where | range | source |
/// |---|---|---|
/// | any | 1 to 2 GB | the article: "1–2 GB of working overhead" beside weights and KV cache |
/// | llama.cpp, Ollama, ExLlama | the CUDA context | see [`context`] |
/// | vLLM | outside PyTorch | see [`outside_torch`]; its context is not counted in its share |
/// | SGLang, TensorRT-LLM | 0.25 to 1 GiB, on several cards 0.5 to 1.5, in data centres 0.9 to 2.6 | the context and NCCL, which SGLang takes off the card before its share (sglang's log of vllm#21348) |
/// | transformers | context, 0.1 to 1 GiB of workspaces and the allocator's cache | |
/// | training | 0.5 to 2 GiB | the same, larger workspaces |
fn row(job: &Job) -> Row {
    let scenario = job.scenario;
    let (low, mid, high) = context(scenario);
    if scenario.task == Task::Train {
        return rule(512, 1024, 2048, "size-overhead-training");
    }
    match scenario.engine {
        Engine::Any => rule(0, 0, 0, "size-overhead"),
        Engine::LlamaCpp | Engine::Ollama | Engine::ExLlama => Row {
            low,
            mid,
            high,
            basis: Basis::Measured,
            formula: "size-overhead-context",
        },
        Engine::Vllm => outside_torch(scenario),
        Engine::Sglang | Engine::TensorRtLlm if scenario.split() == 1 => rule(256, 512, 1024, "size-overhead-engine"),
        Engine::Sglang | Engine::TensorRtLlm if large(scenario) => rule(900, 1900, 2600, "size-overhead-engine"),
        Engine::Sglang | Engine::TensorRtLlm => rule(512, 800, 1500, "size-overhead-engine"),
        Engine::Transformers => rule(low + 100, mid + 400, high + 1024, "size-overhead-context"),
    }
}

pub(super) fn need(job: &Job) -> Need {
    let row = row(job);
    let span = match (job.scenario.task, job.scenario.engine) {
        (Task::Llm, Engine::Any) => Span::of(GB as f64, (3 * GB / 2) as f64, (2 * GB) as f64),
        _ => Span::of((row.low * MIB) as f64, (row.mid * MIB) as f64, (row.high * MIB) as f64),
    };
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

/// How many sizes up to `most` vLLM captures graphs for: 1, 2, 4, then steps of 8 up to 256 and of 16 beyond.
fn captured(most: i64) -> i64 {
    match most {
        ..=0 => 0,
        1..8 => most.ilog2() as i64 + 1,
        _ => 3 + most.min(256) / 8 + (most - 256).max(0) / 16,
    }
}

/// The graphs that vLLM records: before 0.8 one for each size up to 256; then pieces for steps of up to 512 tokens (1024 of gpt-oss), and
/// from 0.11 on (for models with recurrent layers from 0.10) whole ones for up to all requests beside them.
fn graphs(scenario: &Scenario) -> i64 {
    let requests = scenario.ready_for();
    // Its configuration asks for larger ones of gpt-oss.
    let most = match scenario.model {
        Some(model) if model.id.starts_with("gpt-oss") => 1024,
        _ => 512,
    };
    let pieces = captured(requests.saturating_mul(2).min(most));
    match (scenario.eager, scenario.behaves_like()) {
        (true, _) => 0,
        (_, version) if !version.since(Version::of(0, 8, 0)) => captured(requests.min(256)),
        (_, version) if !version.since(Version::of(0, 11, 0)) && !recurrent(scenario) => pieces,
        _ => pieces + captured(requests.min(most)),
    }
}

/// Whether the model has recurrent layers: vLLM 0.10's `MambaModelConfig` asks for whole graphs of them.
fn recurrent(scenario: &Scenario) -> bool {
    let found = scenario.architecture();
    found.is_some_and(|(model, _)| {
        model
            .groups
            .iter()
            .any(|group| group.layers > 0 && matches!(group.keep, Keep::State { .. }))
    })
}

/// CUDA graphs of vLLM: so many GiB, and so many MiB for each layer on the card and each graph.
///
/// | versions | GiB | MiB | range |
/// |---|---|---|---|
/// | up to 0.7 | 0.1 | 0.1 | 0.5 to 3.5 times; on several cards 0.5 to 3 GiB ("can take additional 1~3 GiB memory per GPU", as it said) |
/// | up to 0.17 | 0.2 | 0.14 | a seventh to four times, since they are measured by the card's free memory, and capturing frees some too (-0.9 to 1.0 GiB on an H100); where layers are split 2.2 times as much |
/// | up to 0.28 | 0.35 | 0.167 | on one card or several; 0.3 to 2 times in data centres, 0.09 to 2.9 elsewhere |
/// | later | 0.15 | 0.05 | 0.3 to 4 times |
///
/// The third row is a line through 42 runs of 0.19 on H100s, of 8 to 80 layers with 102 graphs each (llm-d-planner's
/// sweep): 0.51 GiB of 8 layers, 0.91 of 32, 1.61 of 80. Mixtures of experts and latent attention take up to twice as much,
/// models with windows a quarter less.
///
/// Sources: "Graph capturing finished …, took", "Estimated CUDA graph memory" and "CUDA graph pool memory" of logs: 0.26
/// to 0.34 with 5 to 9 graphs, 0.04 with 22, 0.53 to 2.44 with 86, 0.5 to 1.85 with 102; on several cards 1.92 with 102, 2.37 with 134,
/// 3.45 with 67 of 94 layers, 1.2 in the newer runner. Giants with sparse attention take 4 to 17.
pub fn graph_span(scenario: &Scenario) -> Option<Span> {
    let job = Job::new(scenario)?;
    let count = graphs(scenario) as f64;
    if scenario.engine != Engine::Vllm || count == 0.0 {
        return Some(Span::default());
    }
    let layers = job.model.layers as f64 * super::kv_cache::of_layers(&job);
    let (gib, mib) = (GIB as f64, MIB as f64);
    let several = scenario.split() > 1;
    let since = [Version::of(0, 8, 0), PLAIN_POOL, NEWER_RUNNER].map(|of| scenario.behaves_like().since(of));
    let ([base, each], times, [low, high]) = match since {
        [false, ..] if several => return Some(Span::of(0.5 * gib, 2.0 * gib, 3.0 * gib)),
        [false, ..] => ([0.1, 0.1], 1.0, [0.5, 3.5]),
        [_, false, _] if several => ([0.2, 0.14], 2.2, [0.1, 1.9]),
        [_, false, _] => ([0.2, 0.14], 1.0, [0.14, 4.0]),
        [.., false] if large(scenario) => ([0.35, 0.167], 1.0, [0.3, 2.0]),
        [.., false] => ([0.35, 0.167], 1.0, [0.09, 2.9]),
        _ => ([0.15, 0.05], 1.0, [0.3, 4.0]),
    };
    Some(Span::about(
        times * (base * gib + layers * count * each * mib),
        low,
        high,
    ))
}

/// CUDA graphs, as far as the engine's share of the card has to hold them.
pub(super) fn need_graphs(job: &Job) -> Need {
    let (version, graphs) = (job.scenario.version, graph_span(job.scenario).unwrap_or_default());
    let span = match (version.since(GRAPHS_COUNTED), version.since(NEWER_RUNNER)) {
        (true, false) => graphs,
        // Where the version is not known it may be one that counts them.
        (true, true) if version == Version::default() => Span::of(0.0, 0.0, graphs.mid.as_f64()),
        _ => Span::default(),
    };
    Need {
        id: PartId::Graphs,
        span,
        basis: Basis::RuleOfThumb,
        formula: formula_graphs,
    }
}

/// `graphs` of `layers` layers.
fn formula_graphs(job: &Job, _: Span) -> Message {
    Message::new("size-graphs")
        .with("graphs", graphs(job.scenario))
        .with("layers", job.model.layers)
}

/// What stands on the card beside the engine's share: its CUDA context, and graphs where the share does not count them.
pub fn beside_share(scenario: &Scenario) -> Span {
    let (low, mid, high) = context(scenario);
    let context = Span::of((low * MIB) as f64, (mid * MIB) as f64, (high * MIB) as f64);
    match graph_span(scenario) {
        Some(graphs) if !scenario.version.since(GRAPHS_COUNTED) || scenario.version.since(NEWER_RUNNER) => {
            context + graphs
        }
        _ => context,
    }
}
