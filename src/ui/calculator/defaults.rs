//! What an engine calls a setting, and what it does where it is not set, said beside the field with the version from which on
//! that holds.

use super::names::engine_name;
use crate::catalog::{Engine, Version};
use crate::i18n::Texts;
use crate::message::{Arg, Message};
use crate::scenario::Scenario;
use crate::ui::components::share;

/// A default: how it is read of a scenario in which nothing is set, and written.
struct Default {
    clear: fn(&mut Scenario),
    read: fn(&Scenario) -> i64,
    write: fn(&Texts, i64) -> Arg,
    /// Of the same in all versions; from a version on; up to a version.
    ids: [&'static str; 3],
}

const PLAIN: [&str; 3] = ["calc-default", "calc-default-from", "calc-default-until"];

/// The engine's share of the card: `Default: 0.92 (vLLM from 0.21 on; before, 0.9: the article’s 90%)`.
pub fn utilisation(texts: &Texts, scenario: &Scenario) -> String {
    let default = Default {
        clear: |s| s.utilisation = 0,
        read: Scenario::share,
        write: |texts, value| Arg::Text(share(texts.format, value)),
        ids: match scenario.engine {
            Engine::Vllm => ["calc-default", "calc-default-share-from", "calc-default-share-until"],
            _ => PLAIN,
        },
    };
    said(texts, scenario, &default)
}

/// Tokens of one step.
pub fn step_tokens(texts: &Texts, scenario: &Scenario) -> String {
    let default = Default {
        clear: |s| s.batched_tokens = 0,
        read: Scenario::step_tokens,
        write: |_, value| Arg::Count(value),
        ids: PLAIN,
    };
    said(texts, scenario, &default)
}

/// Requests that the engine is ready for.
pub fn sequences(texts: &Texts, scenario: &Scenario) -> String {
    let default = Default {
        clear: |s| s.sequences = 0,
        read: Scenario::ready_for,
        write: |_, value| Arg::Count(value),
        ids: PLAIN,
    };
    said(texts, scenario, &default)
}

/// The context that engines take by themselves: their own, or the model's.
pub fn context(texts: &Texts, scenario: &Scenario) -> String {
    if !scenario.engine.has_pool() && !scenario.engine.is_llama_cpp() {
        return String::new();
    }
    let default = Default {
        clear: |_| {},
        read: |s| match s.defaults().context {
            0 => s.base().map_or(0, |model| model.context),
            set => set,
        },
        write: |_, value| Arg::Count(value),
        ids: PLAIN,
    };
    said(texts, scenario, &default)
}

fn said(texts: &Texts, scenario: &Scenario, default: &Default) -> String {
    if scenario.engine == Engine::Any {
        return String::new();
    }
    let mut trial = scenario.clone();
    (default.clear)(&mut trial);
    let now = (default.read)(&trial);
    if now == 0 {
        return String::new();
    }
    let mut at = |version: Version| {
        trial.version = version;
        (default.read)(&trial)
    };
    // The versions at which it changes: the last one up to the scenario's, and the first one beyond.
    let (mut from, mut until) = (None, None);
    for row in Engine::all_defaults() {
        let first = row.since.number();
        if row.engine != scenario.engine || first == 0 {
            continue;
        }
        let (before, after) = (at(Version::of_number(first - 1)), at(row.since));
        match before != after {
            true if scenario.version.since(row.since) => from = Some((row.since, before)),
            true if until.is_none() => until = Some((row.since, after)),
            _ => {}
        }
    }
    let (id, since, other) = match (until, from) {
        (Some((since, after)), _) => (default.ids[2], since, after),
        (None, Some((since, before))) => (default.ids[1], since, before),
        (None, None) => (default.ids[0], Version::default(), 0),
    };
    let message = Message::new(id)
        .with("engine", engine_name(scenario.engine))
        .with("value", (default.write)(texts, now));
    texts.message(&match id == default.ids[0] {
        true => message,
        false => message
            .with("since", since.write())
            .with("other", (default.write)(texts, other)),
    })
}

/// What engines call the settings of a link's keys: options of the command line, fields of a request, variables.
///
/// Each was looked up in its engine's source: vLLM 0.30 (`vllm/engine/arg_utils.py`), SGLang of August 2026 (`ServerArgs`; for
/// `--cuda-graph-max-bs` and `--disable-cuda-graph`, as it had it until June 2026, it warns), llama.cpp of 2026
/// (`common/arg.cpp`; `-fa` takes `on`, `off` or `auto`), Ollama 0.33 (`envconfig/config.go`, `api/types.go`), TensorRT-LLM 1.x
/// (`trtllm-serve`, `KvCacheConfig`).
const NAMES: [(&str, Engine, &str); 42] = [
    ("c", Engine::Vllm, "--max-model-len"),
    ("c", Engine::Sglang, "--context-length"),
    ("c", Engine::LlamaCpp, "-c"),
    ("c", Engine::Ollama, "num_ctx"),
    ("u", Engine::LlamaCpp, "-np"),
    ("u", Engine::Ollama, "OLLAMA_NUM_PARALLEL"),
    ("util", Engine::Vllm, "--gpu-memory-utilization"),
    ("util", Engine::Sglang, "--mem-fraction-static"),
    ("util", Engine::TensorRtLlm, "free_gpu_memory_fraction"),
    ("tp", Engine::Vllm, "--tensor-parallel-size"),
    ("tp", Engine::Sglang, "--tp-size"),
    ("tp", Engine::TensorRtLlm, "tensor_parallel_size"),
    ("pp", Engine::Vllm, "--pipeline-parallel-size"),
    ("pp", Engine::Sglang, "--pp-size"),
    ("pp", Engine::TensorRtLlm, "pipeline_parallel_size"),
    ("bt", Engine::Vllm, "--max-num-batched-tokens"),
    ("bt", Engine::Sglang, "--chunked-prefill-size"),
    ("bt", Engine::TensorRtLlm, "max_num_tokens"),
    ("ms", Engine::Vllm, "--max-num-seqs"),
    ("ms", Engine::Sglang, "--cuda-graph-max-bs-decode"),
    ("ms", Engine::TensorRtLlm, "max_batch_size"),
    ("eg", Engine::Vllm, "--enforce-eager"),
    ("eg", Engine::Sglang, "--disable-decode-cuda-graph"),
    ("vis", Engine::Vllm, "--language-model-only"),
    ("pool", Engine::Vllm, "--kv-cache-memory-bytes"),
    ("ctk", Engine::Vllm, "--kv-cache-dtype"),
    ("ctk", Engine::Sglang, "--kv-cache-dtype"),
    ("ctk", Engine::LlamaCpp, "-ctk"),
    ("ctk", Engine::Ollama, "OLLAMA_KV_CACHE_TYPE"),
    ("ctv", Engine::LlamaCpp, "-ctv"),
    ("ngl", Engine::LlamaCpp, "-ngl"),
    ("ngl", Engine::Ollama, "num_gpu"),
    ("nc", Engine::LlamaCpp, "--n-cpu-moe"),
    ("nkvo", Engine::LlamaCpp, "--no-kv-offload"),
    ("ub", Engine::LlamaCpp, "-ub"),
    ("fa", Engine::LlamaCpp, "-fa"),
    ("fa", Engine::Ollama, "OLLAMA_FLASH_ATTENTION"),
    ("un", Engine::LlamaCpp, "--kv-unified"),
    ("lora", Engine::LlamaCpp, "--lora"),
    ("lora", Engine::Vllm, "--max-loras"),
    ("rank", Engine::Vllm, "--max-lora-rank"),
    ("dm", Engine::LlamaCpp, "-md"),
];

/// What the scenario's engine calls the setting of a link's key; nothing where it has no name for it.
pub fn name_of(key: &str, engine: Engine) -> &'static str {
    let names = NAMES.iter().find(|name| name.0 == key && name.1 == engine);
    names.map_or("", |name| name.2)
}
