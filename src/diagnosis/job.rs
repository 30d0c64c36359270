//! What the text tells about the job: the model, the engine and its settings, each with the place that says so. What two
//! places tell differently is left open.

use super::ggml;
use crate::catalog::{Engine, Format, Model, Named, format, format_by_name, kv_format, named, named_by_ollama};
use crate::paste::{Evidence, Figure, Finding, Hit, Kind, Span, Value};
use crate::scenario::{KEYS, Method, Optimizer, Scenario, Task};
use crate::units::Bytes;

/// What was told, and where.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// What it sets in a scenario.
    pub scenario: Scenario,
    /// For each key of a link that it sets the place that tells so.
    pub from: Vec<(&'static str, Span)>,
    /// The model as the text names it, where that is safe on a command line.
    pub name: Option<String>,
}

/// Numbers that stand for a key of a link as they are, by the names of their figures. Of several the last counts.
const NUMBERS: [(&str, &str); 9] = [
    ("cpu_experts", "nc"),
    ("tensor_parallel", "tp"),
    ("ubatch", "ub"),
    ("batched_tokens", "bt"),
    ("batch", "bs"),
    ("accumulation", "ga"),
    ("sequence", "sl"),
    ("rank", "rank"),
    ("gpu_memory_utilization", "util"),
];

/// Figures that tell the context of one request, the most telling last.
const CONTEXTS: [&str; 6] = [
    "n_ctx",
    "context",
    "context_len",
    "concurrency_tokens",
    "max_model_len",
    "max_seq_len",
];

/// The number formats of caches by the names of their figures.
const CACHES: [(&str, &[&str]); 3] = [
    ("cache_type", &["ctk", "ctv"]),
    ("cache_type_k", &["ctk"]),
    ("cache_type_v", &["ctv"]),
];

/// The engines by the tools that print for them.
const ENGINES: [(&str, Engine); 5] = [
    ("vllm", Engine::Vllm),
    ("sglang", Engine::Sglang),
    ("llama.cpp", Engine::LlamaCpp),
    ("ollama", Engine::Ollama),
    ("transformers", Engine::Transformers),
];

/// The beginnings of the names of optimisers.
const OPTIMIZERS: [(&str, Optimizer); 8] = [
    ("paged_adamw_8bit", Optimizer::AdamW8bit),
    ("adamw_8bit", Optimizer::AdamW8bit),
    ("adamw_bnb_8bit", Optimizer::AdamW8bit),
    ("adamw8bit", Optimizer::AdamW8bit),
    ("adamw", Optimizer::AdamW),
    ("adafactor", Optimizer::Adafactor),
    ("sgd", Optimizer::Sgd),
    ("lion", Optimizer::Lion),
];

/// Reads what the text tells about the job.
pub fn told(evidence: &Evidence) -> Told {
    let mut told = Told::default();
    let one = told.model(evidence);
    told.engine(evidence);
    // With two models named, nobody knows which of them a setting is for.
    if !one {
        return told;
    }
    told.format(evidence);
    told.numbers(evidence);
    told.context(evidence);
    told.layers(evidence);
    told.training(evidence);
    told
}

/// Every figure of the text.
fn figures(evidence: &Evidence) -> impl Iterator<Item = &Figure> {
    evidence.hits.iter().flat_map(|hit| &hit.figures)
}

/// The figures of this name, in the order of the text.
fn all<'a>(evidence: &'a Evidence, name: &'a str) -> impl Iterator<Item = &'a Figure> {
    figures(evidence).filter(move |figure| figure.name == name)
}

fn word(figure: &Figure) -> Option<&str> {
    match &figure.value {
        Value::Word(word) => Some(word),
        _ => None,
    }
}

fn count(figure: &Figure) -> Option<i64> {
    match figure.value {
        Value::Count(count) => Some(count),
        _ => None,
    }
}

/// The last of a name that is a count above zero, and where it stands.
fn last_count(evidence: &Evidence, name: &str) -> Option<(i64, Span)> {
    let counts = all(evidence, name).filter_map(|figure| Some((count(figure)?, figure.span)));
    counts.filter(|(count, _)| *count > 0).last()
}

/// Whether a name may stand in a command as it is.
fn is_safe(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:/+@~\\".contains(&byte);
    !name.is_empty() && name.len() <= 160 && !name.starts_with('-') && name.bytes().all(plain)
}

/// A model as a figure names it.
fn model_named(hit: &Hit, figure: &Figure) -> Option<Named> {
    let word = word(figure)?;
    match figure.name {
        "model_name" if hit.row.id.starts_with("ollama") => Some(named_by_ollama(word)),
        "ollama_name" => Some(named_by_ollama(word)),
        "model_name" if word.contains("mmproj") => None,
        "model_name" => Some(named(word)),
        _ => None,
    }
}

impl Told {
    /// Notes that a key is told there.
    fn note(&mut self, key: &'static str, span: Span) {
        self.from.retain(|(other, _)| *other != key);
        self.from.push((key, span));
    }

    /// Sets a key of a link to what is told there.
    fn set(&mut self, key: &'static str, value: &str, span: Span) {
        let known = KEYS.iter().find(|known| known.key == key);
        if known.is_some_and(|known| (known.set)(&mut self.scenario, value)) {
            self.note(key, span);
        }
    }

    /// The one model that all names mean; `false` where they mean several. A name with a size that the catalog does not have
    /// may be the one that matters.
    fn model(&mut self, evidence: &Evidence) -> bool {
        let mut model: Option<&'static Model> = None;
        let mut format: Option<&'static Format> = None;
        let (mut place, mut format_place) = (Span::default(), Span::default());
        let mut spoken: Option<&Figure> = None;
        let mut unknown = None;
        for (hit, figure) in evidence
            .hits
            .iter()
            .flat_map(|hit| hit.figures.iter().map(move |figure| (hit, figure)))
        {
            let Some(named) = model_named(hit, figure) else {
                continue;
            };
            match (named.model, model) {
                (Some(this), Some(other)) if this.id != other.id => return false,
                (None, _) if named.sized => unknown = Some(figure),
                (Some(this), None) => (model, place) = (Some(this), figure.span),
                _ => {}
            }
            if let Some(this) = named.format {
                if format.is_some_and(|other| other.id != this.id) {
                    return false;
                }
                (format, format_place) = (Some(this), figure.span);
            }
            // A path or a repository's name serves on a command line, a title does not.
            let apart = |figure: &Figure| word(figure).is_some_and(|word| word.contains(['/', ':']));
            let better = named.model.is_some() && spoken.is_none_or(|other| !apart(other) && apart(figure));
            if better {
                spoken = Some(figure);
            }
        }
        if unknown.is_some() {
            return model.is_none();
        }
        if let Some(model) = model {
            self.set("m", model.id, place);
            self.name = spoken.and_then(word).filter(|name| is_safe(name)).map(str::to_owned);
        }
        if let (Some(_), Some(format)) = (model, format) {
            self.set("q", format.id, format_place);
        }
        true
    }

    /// The number format, where the name does not tell it and all words agree.
    fn format(&mut self, evidence: &Evidence) {
        let is_true = |figure: &&Figure| word(figure).is_some_and(|word| word.eq_ignore_ascii_case("true"));
        let by_flag = |name: &'static str, id: &'static str| {
            let flag = all(evidence, name).find(is_true);
            flag.and_then(|flag| Some((format(id)?, flag.span)))
        };
        let words =
            all(evidence, "job_format").filter_map(|figure| Some((format_by_name(word(figure)?)?, figure.span)));
        let flags = [by_flag("load_in_4bit", "nf4"), by_flag("load_in_8bit", "int8")];
        let all: Vec<(&'static Format, Span)> = words.chain(flags.into_iter().flatten()).collect();
        let Some((first, place)) = all.first() else { return };
        let agreed = all.iter().all(|(format, _)| format.id == first.id);
        let told = self.from.iter().any(|(key, _)| *key == "q");
        if agreed && !told {
            self.set("q", first.id, *place);
        }
    }

    /// The engine, where only one is at work.
    fn engine(&mut self, evidence: &Evidence) {
        let of_tool = |finding: &Finding| ENGINES.iter().find(|(tool, _)| *tool == finding.tool);
        let mut engine: Option<(Engine, Span)> = None;
        let told = evidence
            .findings
            .iter()
            .filter_map(|finding| Some((of_tool(finding)?.1, finding.span)));
        for (this, span) in told {
            match engine {
                // Ollama runs llama.cpp.
                Some((other, _)) if this.is_llama_cpp() && other.is_llama_cpp() => {}
                Some((other, _)) if other != this => return,
                _ => engine = Some((this, span)),
            }
        }
        let ollama = ggml::is_ollama(evidence);
        if let Some((this, span)) = engine {
            let this = if this.is_llama_cpp() && ollama {
                Engine::Ollama
            } else {
                this
            };
            self.set("e", this.facts().id, span);
            return;
        }
        let hints = [
            ("job-vllm", Engine::Vllm),
            ("job-sglang", Engine::Sglang),
            ("job-ollama", Engine::Ollama),
            ("job-lmstudio", Engine::LlamaCpp),
            ("job-koboldcpp", Engine::LlamaCpp),
            ("job-generate", Engine::Transformers),
            ("job-transformers", Engine::Transformers),
        ];
        let mut hinted = hints.iter().filter(|(hint, _)| evidence.hints_at(hint));
        if let (Some((_, engine)), false) = (hinted.next(), evidence.hints_at("job-training"))
            && hinted.all(|(_, other)| other == engine)
        {
            self.scenario.engine = *engine;
        }
    }

    fn numbers(&mut self, evidence: &Evidence) {
        for (name, key) in NUMBERS {
            let told = all(evidence, name).filter_map(|figure| Some((number(figure)?, figure.span)));
            // A layer that is split over one card is not split.
            let told = told.filter(|(value, _)| key != "tp" || value != "1");
            if let Some((value, span)) = told.last() {
                self.set(key, &value, span);
            }
        }
        for (name, keys) in CACHES {
            let types =
                all(evidence, name).filter_map(|figure| Some((word(figure)?.to_ascii_lowercase(), figure.span)));
            for (id, span) in types {
                for key in keys.iter().filter(|_| kv_format(&id).is_some()) {
                    self.set(key, &id, span);
                }
            }
        }
        let pools = evidence
            .hits
            .iter()
            .filter(|hit| hit.row.id == "engine-kv")
            .flat_map(|hit| &hit.figures);
        let mut pool = pools.filter_map(|figure| match figure.value {
            Value::Bytes(bytes) if bytes > Bytes::ZERO => Some((bytes, figure.span)),
            _ => None,
        });
        if let (Some((bytes, span)), true) = (pool.next_back(), self.scenario.engine.has_pool()) {
            self.scenario.pool = Some(bytes);
            self.note("pool", span);
        }
    }

    /// The context of one request: what an error or a log calls so before what a command line asks for; llama.cpp shares
    /// its context out among the requests.
    fn context(&mut self, evidence: &Evidence) {
        let told = CONTEXTS.iter().rev().find_map(|name| last_count(evidence, name));
        let users = last_count(evidence, "users").filter(|_| self.scenario.engine.is_llama_cpp());
        let Some((tokens, span)) = told else { return };
        let shared = users.map_or(1, |(users, _)| users).max(1);
        self.set("c", &(tokens / shared).to_string(), span);
        if let Some((users, span)) = users {
            self.set("u", &users.to_string(), span);
        }
    }

    /// Layers on the card, where they are not all.
    fn layers(&mut self, evidence: &Evidence) {
        let Some(model) = self.scenario.model.filter(|_| self.scenario.engine.is_llama_cpp()) else {
            return;
        };
        let asked = last_count(evidence, "n_gpu_layers").or_else(|| last_count(evidence, "layers_offload"));
        if let Some((layers, span)) = asked.filter(|(layers, _)| *layers <= model.layers) {
            self.set("ngl", &layers.to_string(), span);
        }
    }

    /// A training run: what of the model is trained, and by which optimiser.
    fn training(&mut self, evidence: &Evidence) {
        let settings: Vec<&Hit> = evidence.hits.iter().filter(|hit| is_setting(evidence, hit)).collect();
        let of_row = |id: &str| settings.iter().find(|hit| hit.row.id == id);
        let tells = [
            "setting-batch",
            "setting-accumulation",
            "setting-adapter",
            "setting-optimizer",
        ];
        let Some(first) = tells.iter().find_map(|id| of_row(id)) else {
            return;
        };
        self.scenario.task = Task::Train;
        self.note("t", first.span);
        let methods: Vec<&str> = all(evidence, "method").filter_map(word).collect();
        if let Some(adapter) = of_row("setting-adapter").filter(|_| !methods.contains(&"full")) {
            let low = methods.contains(&"qlora") || self.scenario.format.id == "nf4";
            self.scenario.method = if low { Method::Qlora } else { Method::Lora };
            self.note("tm", adapter.span);
        }
        let named =
            all(evidence, "optimizer").filter_map(|figure| Some((word(figure)?.to_ascii_lowercase(), figure.span)));
        if let Some((name, span)) = named.last()
            && let Some((_, optimizer)) = OPTIMIZERS.iter().find(|(start, _)| name.starts_with(start))
        {
            self.scenario.optimizer = *optimizer;
            self.note("op", span);
        }
    }
}

/// Whether a hit is a setting rather than a message.
fn is_setting(evidence: &Evidence, hit: &Hit) -> bool {
    let finding = hit.finding.and_then(|number| evidence.findings.get(number));
    finding.is_some_and(|finding| finding.kind == Kind::Setting)
}

/// A number as a link has it.
fn number(figure: &Figure) -> Option<String> {
    match figure.value {
        Value::Count(count) if count > 0 => Some(count.to_string()),
        // A share of the card, with three decimals at most.
        Value::Number(share) if share.decimals > 0 => {
            let thousandths = share.times(1000)?.0;
            (1..=1000).contains(&thousandths).then(|| {
                let padded = (1000 + thousandths).to_string();
                if thousandths == 1000 {
                    "1".to_owned()
                } else {
                    ["0.", &padded[1..]].concat()
                }
            })
        }
        _ => None,
    }
}
