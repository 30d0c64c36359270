//! Where the memory went at an engine's start, by its own lines: healthy starts, plans of layers, `ollama ps`.

use super::card::CardGuess;
use super::picture::Picture;
use super::{Cause, Confidence, Diagnosis, Verdict};
use crate::catalog;
use crate::message::{Arg, Message};
use crate::paste::{Evidence, Figure, Finding, Hit, Kind, Value};
use crate::units::{Bytes, Decimal, GIB};

/// What an engine holds after its start, as far as its lines tell; amounts on the card, but for `host`.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Weights.
    pub weights: Option<Bytes>,
    /// The KV cache, recurrent state included; below zero where vLLM printed that.
    pub kv: Option<Bytes>,
    /// Activations at their measured peak.
    pub activations: Option<Bytes>,
    /// Compute buffers.
    pub compute: Option<Bytes>,
    /// CUDA graphs.
    pub graph: Option<Bytes>,
    /// The context and libraries.
    pub non_torch: Option<Bytes>,
    /// What lies in system memory.
    pub host: Option<Bytes>,
    /// What the engine may use of the card.
    pub budget: Option<Bytes>,
    /// What was free before it loaded.
    pub free_at_start: Option<Bytes>,
    /// What is free after it.
    pub free: Option<Bytes>,
    /// The card's capacity.
    pub total: Option<Bytes>,
    /// Tokens that the KV cache holds.
    pub tokens: Option<i64>,
    /// How many requests of the second number of tokens it holds at once.
    pub concurrency: Option<(Decimal, i64)>,
    /// The context that was set.
    pub context: Option<i64>,
    /// Layers on the card, of all.
    pub layers: Option<(i64, i64)>,
    /// What the whole model needs on the card, by a plan.
    pub required: Option<Bytes>,
    /// What is available for it, by a plan.
    pub available: Option<Bytes>,
    /// The table of one device each, which counts all parts anew: the device, weights, context, compute, total, free.
    devices: Vec<(String, [Bytes; 5])>,
    /// Whether it is all on one card.
    alone: bool,
    /// Whether a line of the context came after the last line of weights.
    past_weights: bool,
}

/// Devices of one table that are kept.
const MOST_DEVICES: usize = 64;

fn add(sum: &mut Option<Bytes>, bytes: Bytes) {
    *sum = Some(sum.unwrap_or_default() + bytes);
}

impl Held {
    /// Reads the start-up lines of a text, those of one rank where several print them.
    pub fn of(evidence: &Evidence, rank: Option<i64>) -> Held {
        Held::where_true(evidence, |hit| hit.rank.is_none() || rank.is_none() || hit.rank == rank)
    }

    /// Reads the start-up lines about one device, and those that name none.
    pub fn on_device(evidence: &Evidence, device: Option<i64>) -> Held {
        Held::where_true(evidence, |hit| {
            device.is_none() || named_device(hit).is_none_or(|named| Some(named) == device)
        })
    }

    fn where_true(evidence: &Evidence, wanted: impl Fn(&Hit) -> bool) -> Held {
        let mut held = Held::default();
        for hit in &evidence.hits {
            let Some(finding) = hit.finding.and_then(|number| evidence.findings.get(number)) else {
                continue;
            };
            if matches!(finding.kind, Kind::EngineStart | Kind::LayerPlan | Kind::Setting) && wanted(hit) {
                held.take(hit);
            }
        }
        if !held.devices.is_empty() {
            held.take_devices();
        }
        held
    }

    fn take(&mut self, hit: &Hit) {
        if hit.row.id.starts_with("ggml-breakdown") {
            self.take_breakdown(hit);
            return;
        }
        // The card's and the system's memory together.
        if hit.row.id == "ollama-total" {
            return;
        }
        let per_device = hit.figures.iter().any(|figure| figure.name == "buffer");
        let mut pair = [None; 2];
        for figure in &hit.figures {
            match figure.value {
                Value::Bytes(bytes) => self.take_bytes(figure.name, bytes, per_device),
                Value::Count(count) => match figure.name {
                    "kv_tokens" => self.tokens = Some(count),
                    "n_ctx" => self.context = Some(count),
                    "context_len" => self.context = Some(count),
                    "layers_offload" => pair[0] = Some(count),
                    "layers_model" => pair[1] = Some(count),
                    _ => {}
                },
                Value::Number(number) if figure.name == "concurrency" => {
                    let tokens = hit.figures.iter().find_map(tokens_of);
                    self.concurrency = tokens.map(|tokens| (number, tokens));
                }
                _ => {}
            }
        }
        if let [Some(offload), Some(model)] = pair {
            self.layers = Some((offload, model));
        }
        // A plan names what is available on each card.
        if hit.row.id == "ollama-available" {
            self.available = Some(hit.figures.iter().filter_map(bytes_of).sum());
        }
    }

    fn take_bytes(&mut self, name: &str, bytes: Bytes, per_device: bool) {
        match name {
            "weights" => self.weights = Some(bytes),
            "model" | "host_model" => {
                // Another load, or the real one after a dry run: the last set counts.
                if std::mem::take(&mut self.past_weights) {
                    (self.weights, self.kv, self.compute, self.host) = (None, None, None, None);
                }
                add(
                    if name == "model" {
                        &mut self.weights
                    } else {
                        &mut self.host
                    },
                    bytes,
                );
            }
            "host_kv" | "host_compute" => {
                self.past_weights = true;
                add(&mut self.host, bytes);
            }
            "kv_cache" | "recurrent" if per_device => {
                self.past_weights = true;
                add(&mut self.kv, bytes);
            }
            "compute" if per_device => {
                self.past_weights = true;
                add(&mut self.compute, bytes);
            }
            "k_size" => self.kv = Some(bytes),
            "v_size" | "conv_state" | "ssm_state" => add(&mut self.kv, bytes),
            "kv_cache" | "required_kv" => self.kv = Some(bytes),
            "kv_self" | "kv_total" if self.kv.is_none() => self.kv = Some(bytes),
            "compute" => self.compute = Some(bytes),
            "activation_peak" => self.activations = Some(bytes),
            "graph" => self.graph = Some(bytes),
            "non_torch" => self.non_torch = Some(bytes),
            "budget" => self.budget = Some(bytes),
            "free_at_start" => self.free_at_start = Some(bytes),
            "card_total" | "vram_total" => self.total = Some(bytes),
            "total" if self.total.is_none() => self.total = Some(bytes),
            "required_full" => self.required = Some(bytes),
            "available" => self.available = Some(bytes),
            "free" | "free_after_weights" | "free_after_pool" | "free_before_graph" => self.free = Some(bytes),
            _ => {}
        }
    }

    fn take_breakdown(&mut self, hit: &Hit) {
        let amount = |name: &str| {
            hit.figures
                .iter()
                .filter(|figure| figure.name == name)
                .find_map(bytes_of)
                .unwrap_or_default()
        };
        let Some(device) = hit.figures.iter().find_map(|figure| match &figure.value {
            Value::Word(word) if figure.name == "buffer" => Some(word),
            _ => None,
        }) else {
            self.host = Some(amount("host"));
            return;
        };
        // Below zero: nothing is loaded yet, and what is free will be taken.
        let own = amount("self");
        let later = if amount("unaccounted") < Bytes::ZERO {
            own
        } else {
            Bytes::ZERO
        };
        let row = [
            amount("model"),
            amount("context"),
            amount("compute"),
            amount("total"),
            (amount("free") - later).floor_zero(),
        ];
        let room = self.devices.len() < MOST_DEVICES;
        match self.devices.iter_mut().find(|(name, _)| name == device) {
            Some((_, old)) => *old = row,
            None if room => self.devices.push((device.clone(), row)),
            None => {}
        }
    }

    fn take_devices(&mut self) {
        let sum = |column: usize| Some(self.devices.iter().map(|(_, row)| row[column]).sum());
        let [weights, kv, compute, total, free] = [0, 1, 2, 3, 4].map(sum);
        (self.weights, self.kv, self.compute, self.total, self.free) = (weights, kv, compute, total, free);
    }

    /// The parts on the card, by the ids of their texts.
    fn parts(&self) -> [(&'static str, Bytes); 6] {
        [
            ("weights", self.weights),
            ("kv-cache", self.kv),
            ("activations", self.activations),
            ("compute", self.compute),
            ("graph", self.graph),
            ("engine-other", self.non_torch),
        ]
        .map(|(id, bytes)| (id, bytes.unwrap_or_default().floor_zero()))
    }

    /// What the engine holds on the card.
    pub fn sum(&self) -> Bytes {
        self.parts().iter().map(|part| part.1).sum()
    }

    /// The card with these parts. Where its capacity is not told, the bar ends with what the engine took.
    pub fn picture(&self) -> Option<Picture> {
        let mut parts = self.parts().to_vec();
        let sum = self.sum();
        let told = self.total.filter(|total| *total >= sum);
        let free = match (self.free, told) {
            (Some(free), _) => free,
            (None, Some(total)) => {
                let others = self.free_at_start.map_or(Bytes::ZERO, |free| total - free).floor_zero();
                parts.push(("unaccounted", others));
                (total - sum - others).floor_zero()
            }
            (None, None) => Bytes::ZERO,
        };
        if let (Some(_), Some(total)) = (self.free, told) {
            parts.push(("unaccounted", (total - sum - free).floor_zero()));
        }
        parts.push(("free", free));
        if sum == Bytes::ZERO {
            return None;
        }
        Picture::of(told.unwrap_or(sum + free), &parts, None)
    }

    /// A cause with the note that the bar does not end with the card, where its capacity is not told.
    fn with_its_limits(&self, cause: Box<Cause>) -> Box<Cause> {
        let sum = self.sum();
        if sum == Bytes::ZERO || self.total.is_some_and(|total| total >= sum) {
            return cause;
        }
        cause.because(Message::new("because-capacity-untold"))
    }

    /// How much context or concurrency that leaves.
    fn capacity(&self) -> Option<Message> {
        if let Some((times, tokens)) = self.concurrency {
            let times = Arg::Number(i64::try_from(times.mantissa).unwrap_or(i64::MAX), times.decimals);
            return Some(
                Message::new("start-concurrency")
                    .with("tokens", tokens)
                    .with("times", times),
            );
        }
        if let Some(tokens) = self.tokens {
            return Some(Message::new("start-tokens").with("tokens", tokens));
        }
        let tokens = self.context?;
        let told = Message::new("start-context").with("tokens", tokens);
        match self.more_tokens(tokens) {
            Some(more) => Some(
                Message::new("start-context-more")
                    .with("tokens", tokens)
                    .with("more", more),
            ),
            None => Some(told),
        }
    }

    /// What is free, a margin left out, in tokens of the cache: it grows evenly with them, or slower.
    fn more_tokens(&self, tokens: i64) -> Option<i64> {
        let kv = self.kv.filter(|kv| *kv > Bytes::ZERO)?;
        let free = self.free.or_else(|| Some(self.free_at_start? - self.sum()))?;
        let more = Bytes(tokens).share((free - MARGIN).floor_zero().0, kv.0).0 / 256 * 256;
        (more > 0 && self.alone).then_some(more)
    }

    /// The capacity of the card, where the lines do not tell it but name the only card.
    fn on_card(mut self, evidence: &Evidence, card: &CardGuess) -> Held {
        self.alone = devices(evidence) <= 1;
        let known = card.id.and_then(catalog::card).map(catalog::Card::total);
        if self.alone && self.total.is_none() {
            self.total = known;
        }
        self
    }
}

/// What is left free beside a longer context: compute buffers grow with it.
const MARGIN: Bytes = Bytes(GIB);

/// The device that a line is about: of a buffer named `CUDA1` the number 1, or the card's own index.
fn named_device(hit: &Hit) -> Option<i64> {
    hit.figures.iter().find_map(|figure| match &figure.value {
        Value::Word(word) if figure.name == "buffer" => {
            let digits = word.trim_start_matches(|letter: char| !letter.is_ascii_digit());
            digits.parse().ok()
        }
        Value::Count(index) if figure.name == "card_index" => Some(*index),
        _ => None,
    })
}

/// How many devices the load lines name.
pub fn devices(evidence: &Evidence) -> usize {
    let mut named: Vec<i64> = Vec::new();
    for device in evidence.hits.iter().filter_map(named_device) {
        if !named.contains(&device) {
            named.push(device);
        }
    }
    named.len()
}

fn bytes_of(figure: &Figure) -> Option<Bytes> {
    match figure.value {
        Value::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

fn tokens_of(figure: &Figure) -> Option<i64> {
    match figure.value {
        Value::Count(count) if figure.name == "concurrency_tokens" => Some(count),
        _ => None,
    }
}

/// Start-up lines: where the memory went, and what is left for requests.
pub fn healthy(evidence: &Evidence, finding: &Finding, card: &CardGuess) -> Box<Diagnosis> {
    let held = Held::of(evidence, finding.rank).on_card(evidence, card);
    if evidence.findings.iter().any(|finding| finding.has("fit-failed")) {
        let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-fit-failed"));
        let cause = Cause::new("does-not-fit-planned", Confidence::Likely).because(Message::new("because-fit-tried"));
        diagnosis.causes.push(cause);
        diagnosis.picture = held.picture();
        return diagnosis;
    }
    if held.layers.is_some_and(|(offload, model)| offload < model) {
        return partial(&held);
    }
    let headline = match (held.weights, held.kv) {
        (Some(weights), Some(kv)) => Message::new("headline-start-both")
            .with("weights", weights)
            .with("kv", kv),
        (Some(weights), None) => Message::new("headline-start-weights").with("weights", weights),
        (None, Some(kv)) => Message::new("headline-start-kv").with("kv", kv),
        (None, None) => Message::new("headline-start"),
    };
    let mut diagnosis = Diagnosis::plain(Verdict::NoError, headline);
    let mut cause = Cause::new("info-success", Confidence::Sure);
    if let Some(compute) = held.compute.filter(|compute| *compute > Bytes::ZERO) {
        cause = cause.because(Message::new("because-start-compute").with("compute", compute));
    }
    if let Some(graph) = held.graph.filter(|graph| *graph > Bytes::ZERO) {
        cause = cause.because(Message::new("because-start-graph").with("graph", graph));
    }
    if let Some(activations) = held.activations {
        cause = cause.because(Message::new("because-start-activations").with("activations", activations));
    }
    if let Some(free) = held.free {
        cause = cause.because(Message::new("because-start-free").with("free", free));
    }
    diagnosis.caution = held.capacity();
    diagnosis.picture = held.picture();
    diagnosis.causes.push(held.with_its_limits(cause));
    diagnosis
}

/// A plan of layers, or the layers as loaded.
pub fn layers(evidence: &Evidence, finding: &Finding, card: &CardGuess) -> Box<Diagnosis> {
    let held = Held::of(evidence, finding.rank).on_card(evidence, card);
    match held.layers {
        Some((offload, model)) if offload < model => partial(&held),
        _ => healthy(evidence, finding, card),
    }
}

/// Part of the model lies in system memory.
fn partial(held: &Held) -> Box<Diagnosis> {
    let (offload, model) = held.layers.unwrap_or_default();
    let headline = Message::new("headline-partial")
        .with("offload", offload)
        .with("model", model);
    let mut cause = Cause::new("partial-offload", Confidence::Sure);
    let mut diagnosis = Diagnosis::plain(Verdict::NoError, headline);
    if let (Some(required), Some(available)) = (held.required, held.available) {
        cause = cause.because(
            Message::new("because-required")
                .with("required", required)
                .with("available", available),
        );
        diagnosis.missing = Some(required - available).filter(|missing| *missing > Bytes::ZERO);
    }
    if let Some(host) = held.host {
        cause = cause.because(Message::new("because-on-host").with("host", host));
    }
    // A plan's amounts are those of the whole model, wherever it lies.
    if held.required.is_none() {
        diagnosis.picture = held.picture();
        cause = held.with_its_limits(cause);
    }
    diagnosis.causes.push(cause);
    diagnosis.caution = Some(Message::new("caution-partial"));
    diagnosis
}

/// The table of `ollama ps`, held against what a monitor beside it shows.
pub fn ps(evidence: &Evidence, finding: &Finding) -> Box<Diagnosis> {
    let name = finding.word("model_name").unwrap_or_default();
    let size = finding.bytes("size").unwrap_or_default();
    let on_cpu = finding.count("cpu_percent").unwrap_or_default();
    let of_model = |id| Message::new(id).with("name", name).with("size", size);
    let used = evidence
        .findings
        .iter()
        .flat_map(|finding| &finding.cards)
        .filter_map(|card| card.used);
    let used: Option<Bytes> = used.fold(None, |sum, used| Some(sum.unwrap_or_default() + used));
    if let Some(used) = used.filter(|used| on_cpu == 0 && used.share(2, 1) < size) {
        let mut diagnosis = Diagnosis::plain(Verdict::NotMemory, of_model("headline-ps-idle").with("used", used));
        let cause = Cause::new("contradictory-evidence", Confidence::Likely)
            .because(Message::new("because-ps-idle").with("used", used));
        diagnosis.causes.push(cause);
        return diagnosis;
    }
    if finding.word("model_name").is_none() {
        let mut diagnosis = Diagnosis::plain(Verdict::NoError, Message::new("headline-ps-empty"));
        diagnosis.causes.push(Cause::new("info-success", Confidence::Likely));
        return diagnosis;
    }
    if on_cpu == 0 {
        let mut diagnosis = Diagnosis::plain(Verdict::NoError, of_model("headline-ps-gpu"));
        diagnosis.causes.push(Cause::new("info-success", Confidence::Sure));
        return diagnosis;
    }
    let headline = match on_cpu {
        100 => of_model("headline-ps-cpu"),
        _ => of_model("headline-ps-split").with("percent", on_cpu),
    };
    let mut diagnosis = Diagnosis::plain(Verdict::NoError, headline);
    let on_host = size.share(on_cpu, 100);
    let cause =
        Cause::new("partial-offload", Confidence::Sure).because(Message::new("because-on-host").with("host", on_host));
    diagnosis.causes.push(cause);
    diagnosis.missing = Some(on_host);
    diagnosis.caution = Some(Message::new("caution-partial"));
    diagnosis
}
