//! The inputs of training: what is trained of the model, with which optimiser, on how much at once.

use super::fields::{Input, List};
use super::levers::{Names, count, format_options, list_of, named, switch_of, tokens};
use super::pictures::trains_pictures;
use crate::catalog::{Format, Framework, format, formats};
use crate::scenario::{
    Checkpointing, Loss, Method, Objective, Offload, Optimizer, Precision, Scenario, Sharding, Targets,
};

const METHODS: Names = &[
    ("full", "calc-method-full"),
    ("lora", "calc-method-lora"),
    ("qlora", "calc-method-qlora"),
];
const OPTIMIZERS: Names = &[
    ("adamw", "calc-optimizer-adamw"),
    ("adamw8bit", "calc-optimizer-adamw8bit"),
    ("adafactor", "calc-optimizer-adafactor"),
    ("sgd", "calc-optimizer-sgd"),
    ("lion", "calc-optimizer-lion"),
    ("muon", "calc-optimizer-muon"),
    ("galore", "calc-optimizer-galore"),
];
const PRECISIONS: Names = &[
    ("mixed", "calc-precision-mixed"),
    ("bf16", "calc-precision-bf16"),
    ("fp32", "calc-precision-fp32"),
    ("fp8", "calc-precision-fp8"),
];
const CHECKPOINTING: Names = &[
    ("full", "calc-checkpointing-full"),
    ("selective", "calc-checkpointing-selective"),
    ("none", "calc-checkpointing-none"),
];
const LOSSES: Names = &[
    ("plain", "calc-loss-plain"),
    ("chunked", "calc-loss-chunked"),
    ("fused", "calc-loss-fused"),
];
const SHARDING: Names = &[
    ("none", "calc-sharding-none"),
    ("zero1", "calc-sharding-zero1"),
    ("zero2", "calc-sharding-zero2"),
    ("zero3", "calc-sharding-zero3"),
    ("fsdp", "calc-sharding-fsdp"),
];
const FRAMEWORKS: Names = &[
    ("hf", "calc-framework-hf"),
    ("litgpt", "calc-framework-litgpt"),
    ("torchtune", "calc-framework-torchtune"),
    ("unsloth", "calc-framework-unsloth"),
];
const OBJECTIVES: Names = &[("sft", "calc-objective-sft"), ("dpo", "calc-objective-dpo")];
const OFFLOADS: Names = &[
    ("none", "calc-aside-none"),
    ("optimizer", "calc-aside-optimizer"),
    ("all", "calc-aside-all"),
];
const TARGETS: Names = &[
    ("all", "calc-targets-all"),
    ("attn", "calc-targets-attn"),
    ("qv", "calc-targets-qv"),
    ("mlp", "calc-targets-mlp"),
    ("head", "calc-targets-head"),
];

/// The framework, whose ids stand in the catalog.
const FRAMEWORK: List = List {
    id: "calc-framework",
    options: |texts, _| named(texts, FRAMEWORKS),
    changes: |_| 0,
    get: |s| s.framework.facts().id,
    set: |s, id| s.framework = Framework::by_id(id).unwrap_or(s.framework),
};

/// The formats in which a frozen base is kept for LoRA and for QLoRA; all else is 16-bit, or NF4 with double quantisation.
const BASES: [&[&str]; 2] = [&["bf16", "int8", "gptq", "fp8"], &["nf4-dq", "nf4"]];

fn bases(scenario: &Scenario) -> impl Iterator<Item = &'static Format> + Clone {
    let offered = BASES[usize::from(scenario.method == Method::Qlora)];
    formats().iter().filter(|format| offered.contains(&format.id))
}

/// The format of the frozen weights.
const BASE: List = List {
    id: "calc-base-format",
    options: |texts, scenario| format_options(texts, bases(scenario)),
    changes: |s| usize::from(s.method == Method::Qlora),
    get: |s| match bases(s).find(|format| format.id == s.format.id) {
        Some(format) => format.id,
        None => BASES[usize::from(s.method == Method::Qlora)][0],
    },
    set: |s, id| s.format = format(id).unwrap_or(s.format),
};

fn of_language(scenario: &Scenario) -> bool {
    !trains_pictures(scenario)
}

fn adapts(scenario: &Scenario) -> bool {
    super::levers::trains(scenario) && scenario.method != Method::Full
}

/// Whether matrices of a low rank are trained, or gradients projected to one.
pub fn projects(scenario: &Scenario) -> bool {
    adapts(scenario) || scenario.optimizer == Optimizer::GaLore
}

/// What is asked first.
pub static ESSENTIALS: [Input; 4] = [
    Input::list("tm", list_of!("calc-method", method, Method, METHODS)),
    Input::list("op", list_of!("calc-optimizer", optimizer, Optimizer, OPTIMIZERS)),
    Input::number("bs", count("calc-batch", |s| s.batch, |s, value| s.batch = value)),
    Input::number(
        "sl",
        tokens("calc-sequence", |s| s.sequence, |s, value| s.sequence = value),
    )
    .only(of_language),
];

/// What is often set besides.
pub static DETAILS: [Input; 10] = [
    Input::list(
        "gc",
        list_of!("calc-checkpointing", checkpointing, Checkpointing, CHECKPOINTING),
    ),
    Input::list("pr", list_of!("calc-precision", precision, Precision, PRECISIONS)),
    Input::list("q", BASE).only(adapts),
    Input::list("lt", list_of!("calc-targets", targets, Targets, TARGETS)).only(adapts),
    Input::list("lo", list_of!("calc-loss", loss, Loss, LOSSES)).only(of_language),
    Input::number(
        "ga",
        count(
            "calc-accumulation",
            |s| s.accumulation,
            |s, value| s.accumulation = value,
        ),
    ),
    Input::list("sh", list_of!("calc-sharding", sharding, Sharding, SHARDING))
        .only(|s| of_language(s) && s.card_count() > 1),
    Input::list("co", list_of!("calc-aside", offload, Offload, OFFLOADS)),
    Input::list("fw", FRAMEWORK).only(of_language),
    Input::list("obj", list_of!("calc-objective", objective, Objective, OBJECTIVES)).only(of_language),
];

/// What is seldom set.
pub static ADVANCED: [Input; 6] = [
    Input::list("ao", switch_of!("calc-aside-activations", offload_activations)).only(of_language),
    Input::list("tc", switch_of!("calc-compiled", compiled)).only(of_language),
    Input::list("ob", switch_of!("calc-step-in-backward", step_in_backward)).only(of_language),
    Input::list("ld", switch_of!("calc-dropout", dropout)).only(|s| of_language(s) && adapts(s)),
    Input::list("emb", switch_of!("calc-trains-embedding", trains_embedding)).only(|s| of_language(s) && adapts(s)),
    Input::list("up", switch_of!("calc-raises-rest", raises_rest))
        .only(|s| of_language(s) && s.method == Method::Qlora),
];
