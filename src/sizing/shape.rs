//! The widths of a model that training's amounts follow from.

use super::Job;
use crate::scenario::{Method, Objective, Precision, Targets};

/// Widths in elements, counts in parameters; all of them at least zero.
pub(super) struct Shape {
    /// Tokens computed together: sequences × their tokens; DPO computes two answers for each.
    pub tokens: f64,
    /// Tokens of one sequence.
    pub sequence: f64,
    /// Layers, at least one.
    pub layers: f64,
    /// The residual stream.
    pub hidden: f64,
    /// All query heads together.
    pub query: f64,
    /// All key heads together; the values are as wide.
    pub key: f64,
    /// The feed-forward layers that one token passes through.
    pub inner: f64,
    /// Whether they have a gate, so three matrices instead of two. Models with one have RMSNorm and two norms in each
    /// layer, those without a LayerNorm that attention and feed-forward layer share (GPT-NeoX, Falcon, Phi-2).
    pub gated: bool,
    /// Rows of the embedding.
    pub vocab: f64,
    /// Parameters in all, with the head of its own that some frameworks give a tied embedding.
    pub params: f64,
    /// Parameters of the embedding.
    pub embed: f64,
    /// Those of the head; zero where the embedding serves as head.
    pub head: f64,
    /// Those of one layer, on average.
    pub layer: f64,
}

/// One kind of linear layers of a block.
pub(super) struct Linear {
    /// Elements that go in.
    pub inputs: f64,
    /// Elements that come out.
    pub outputs: f64,
    /// How many of them in a block.
    pub count: f64,
    /// How many of them LoRA adapts.
    pub adapted: f64,
}

impl Shape {
    pub fn of(job: &Job) -> Shape {
        let (scenario, model) = (job.scenario, &job.model);
        let width = |count: i64| count.max(0) as f64;
        let pairs = if scenario.objective == Objective::Dpo { 2.0 } else { 1.0 };
        let (hidden, head_dim) = (width(model.hidden), width(model.head_dim));
        let (query, key) = (width(model.heads) * head_dim, width(model.kv_heads) * head_dim);
        let layers = width(model.layers).max(1.0);
        let embed = (width(model.vocab) * hidden).min(width(model.params));
        let untied = !model.tied;
        let own_head = if untied {
            embed.min(width(model.params) - embed)
        } else {
            0.0
        };
        let inside = (width(model.params) - embed - own_head).max(0.0);
        let attention = 2.0 * hidden * (query + key);
        let matrices = (inside / layers - attention) / (hidden * width(model.ffn)).max(1.0);
        let added = if scenario.framework.facts().plain && !untied {
            embed
        } else {
            0.0
        };
        let inner = if model.experts == 0 {
            width(model.ffn)
        } else {
            width(model.experts_per_token.saturating_add(model.shared_experts)) * width(model.expert_ffn)
        };
        Shape {
            tokens: width(scenario.sequence) * width(scenario.batch) * pairs,
            sequence: width(scenario.sequence),
            layers,
            hidden,
            query,
            key,
            inner,
            gated: model.experts > 0 || matrices > 2.5,
            vocab: width(model.vocab),
            params: width(model.params) + added,
            embed,
            head: own_head + added,
            layer: inside / layers,
        }
    }

    /// The linear layers of a block: queries, keys and values, attention's output, the feed-forward layers' first and
    /// last. Experts get no LoRA, as in the usual settings.
    pub fn linears(&self, job: &Job) -> [Linear; 5] {
        let targets = job.scenario.targets;
        let lora = job.scenario.method != Method::Full;
        let some = |wanted: &[Targets], count: f64| if lora && wanted.contains(&targets) { count } else { 0.0 };
        let everywhere = |other| [Targets::All, Targets::Head, other];
        let query = [Targets::All, Targets::Head, Targets::Attention, Targets::QueryValue];
        let values = some(&everywhere(Targets::Attention), 2.0) + some(&[Targets::QueryValue], 1.0);
        let dense = if job.model.experts > 0 { 0.0 } else { 1.0 };
        let ups = if self.gated { 2.0 } else { 1.0 };
        let linear = |inputs, outputs, count, adapted| Linear {
            inputs,
            outputs,
            count,
            adapted,
        };
        [
            linear(self.hidden, self.query, 1.0, some(&query, 1.0)),
            linear(self.hidden, self.key, 2.0, values),
            linear(self.query, self.hidden, 1.0, some(&everywhere(Targets::Attention), 1.0)),
            linear(
                self.hidden,
                self.inner,
                ups,
                some(&everywhere(Targets::FeedForward), ups) * dense,
            ),
            linear(
                self.inner,
                self.hidden,
                1.0,
                some(&everywhere(Targets::FeedForward), 1.0) * dense,
            ),
        ]
    }

    /// Bytes of an element that the layers compute with.
    pub fn element(job: &Job) -> f64 {
        if job.scenario.precision == Precision::Fp32 {
            4.0
        } else {
            2.0
        }
    }
}
