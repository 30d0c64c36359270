//! A language model's shape as a file tells it, layer by layer; its parameters and what it keeps follow from it.

use crate::catalog::{Keep, Model};
use crate::scenario::OWN;

/// What a layer keeps of earlier tokens, and how it mixes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mixer {
    /// It sees all tokens.
    #[default]
    Full,
    /// It sees the last tokens only.
    Window,
    /// It folds them into a state.
    State,
    /// It sees all tokens compressed, one vector for 4, beside a window (DeepSeek V4).
    Compressed,
    /// The same, one vector for 128.
    HeavilyCompressed,
    /// It uses keys and values of an earlier layer.
    Shared,
    /// It mixes nothing: a feed-forward layer alone.
    Nothing,
}

/// What stands behind the mixer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feed {
    /// A feed-forward layer.
    #[default]
    Dense,
    /// Experts.
    Experts,
    /// Nothing.
    Nothing,
}

/// The catalog's order of what layers keep.
const ORDER: [Mixer; 5] = [
    Mixer::Full,
    Mixer::Compressed,
    Mixer::HeavilyCompressed,
    Mixer::Window,
    Mixer::State,
];

/// One layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// How it mixes tokens.
    pub mixer: Mixer,
    /// What follows.
    pub feed: Feed,
}

/// Heads of attention: KV heads, elements of a key and of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heads {
    /// Key and value heads.
    pub kv: i64,
    /// Elements of a key.
    pub key: i64,
    /// Elements of a value.
    pub value: i64,
}

/// How a recurrent layer is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recurrent {
    /// Gated delta net (Qwen3-Next).
    #[default]
    DeltaNet,
    /// Kimi's delta attention.
    Kimi,
    /// Mamba with one step size for each channel.
    Mamba1,
    /// Mamba with heads.
    Mamba2,
    /// Linear attention without a convolution (MiniMax-01).
    Lightning,
    /// A short convolution (LFM2).
    Convolution,
}

/// Sizes of recurrent layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct States {
    /// How they are built.
    pub kind: Recurrent,
    /// Elements of the inner width: heads × elements of a value.
    pub inner: i64,
    /// Rows of the state: elements of a key.
    pub state: i64,
    /// Groups, or key heads, that the convolution's channels have beside the inner width.
    pub groups: i64,
    /// Heads, each with its step size; or the rank of the step size.
    pub heads: i64,
    /// Tokens under the convolution's kernel.
    pub kernel: i64,
}

/// Multi-head latent attention; none where `kv_rank` is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latent {
    /// `kv_lora_rank`.
    pub kv_rank: i64,
    /// `q_lora_rank`; zero where queries have none.
    pub query_rank: i64,
    /// `qk_rope_head_dim`.
    pub rope: i64,
    /// `qk_nope_head_dim`.
    pub nope: i64,
    /// `v_head_dim`.
    pub value: i64,
    /// Heads of the sparse indexer; zero where there is none.
    pub index_heads: i64,
    /// Elements of its keys.
    pub index_dim: i64,
    /// Whether its keys are counted with the cache, as the catalog does of DeepSeek's.
    pub index_cached: bool,
}

/// The shape. What a model has not is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Width of the residual stream.
    pub hidden: i64,
    /// Width of dense feed-forward layers.
    pub ffn: i64,
    /// Query heads.
    pub heads: i64,
    /// KV heads and head size as the file names them, for whichever layers.
    pub named: Heads,
    /// Heads of layers that see all tokens.
    pub full: Heads,
    /// Heads of layers with a window.
    pub windowed: Heads,
    /// Tokens in a window.
    pub window: i64,
    /// Latent attention, in place of `full`.
    pub latent: Latent,
    /// Recurrent layers.
    pub states: States,
    /// Rows of the embedding.
    pub vocab: i64,
    /// Whether the head is the embedding.
    pub tied: bool,
    /// Longest context, in tokens.
    pub context: i64,
    /// Experts of a layer.
    pub experts: i64,
    /// Experts for one token.
    pub per_token: i64,
    /// Width of an expert.
    pub expert_ffn: i64,
    /// What experts see, where it is not the residual stream but a narrower copy.
    pub expert_width: i64,
    /// Experts for all tokens.
    pub shared_experts: i64,
    /// Width of those together.
    pub shared_ffn: i64,
    /// Matrices of a feed-forward layer: 3 with a gate, else 2.
    pub matrices: i64,
    /// Whether queries, keys and values have biases.
    pub qkv_bias: bool,
    /// Whether the other linear layers have.
    pub bias: bool,
    /// Whether the attention's output has a gate as wide as the queries.
    pub gated: bool,
    /// Norms of a layer.
    pub norms: i64,
    /// Whether keys serve as values in layers that see all tokens, so that they have no value projection.
    pub keys_as_values: bool,
    /// Whether layers that share keys and values have feed-forward layers twice as wide.
    pub shared_twice: bool,
    /// Elements of embeddings of each layer of its own (Gemma's E models).
    pub layer_embedding: i64,
    /// Parameters besides.
    pub more: i64,
    /// The layers.
    pub layers: Vec<Layer>,
}

/// Products and sums of foreign numbers: as floats they cannot overflow, and models are far below 2^53.
fn f(count: i64) -> f64 {
    count as f64
}

impl Shape {
    /// Takes in what another file of the same model shows: each shows some of its tensors.
    pub(super) fn take_in(&mut self, other: Shape) {
        let larger = |one: &mut i64, other: i64| *one = (*one).max(other);
        larger(&mut self.hidden, other.hidden);
        larger(&mut self.vocab, other.vocab);
        larger(&mut self.ffn, other.ffn);
        if self.heads == 0 {
            (self.heads, self.named, self.full) = (other.heads, other.named, other.full);
        }
        larger(&mut self.latent.kv_rank, other.latent.kv_rank);
        self.tied &= other.tied;
        if other.layers.len() > self.layers.len() {
            self.layers = other.layers;
        }
    }

    /// Parameters of one layer's mixer.
    fn mixer(&self, mixer: Mixer) -> f64 {
        let h = f(self.hidden);
        match mixer {
            Mixer::Nothing => 0.0,
            Mixer::State => self.recurrent(),
            Mixer::Full if self.latent.kv_rank > 0 => self.latent(),
            Mixer::Compressed | Mixer::HeavilyCompressed => self.latent_of_one_head(mixer),
            Mixer::Shared => self.attention(self.windowed, false),
            Mixer::Window => self.attention(self.windowed, false),
            Mixer::Full => self.attention(self.full, self.keys_as_values),
        }
        .max(0.0)
            + if self.bias && mixer != Mixer::State { h } else { 0.0 }
    }

    fn attention(&self, heads: Heads, keys_as_values: bool) -> f64 {
        let h = f(self.hidden);
        let query = f(self.heads) * f(heads.key);
        let key = f(heads.kv) * f(heads.key);
        let value = f(heads.kv) * f(heads.value);
        let queries = if self.gated { 2.0 * query } else { query };
        let values = if keys_as_values { 0.0 } else { value };
        let biases = if self.qkv_bias { query + key + value } else { 0.0 };
        h * (queries + key + values + f(self.heads) * f(heads.value)) + biases
    }

    fn latent(&self) -> f64 {
        let (h, heads) = (f(self.hidden), f(self.heads));
        let latent = &self.latent;
        let key = f(latent.nope) + f(latent.rope);
        let query = match latent.query_rank {
            0 => h * heads * key,
            rank => f(rank) * (h + 1.0 + heads * key),
        };
        let cached = h * (f(latent.kv_rank) + f(latent.rope))
            + f(latent.kv_rank) * (1.0 + heads * (f(latent.nope) + f(latent.value)));
        let index = f(latent.index_heads) * (f(latent.query_rank) * f(latent.index_dim) + h)
            + if latent.index_heads > 0 {
                (h + 2.0) * f(latent.index_dim)
            } else {
                0.0
            };
        query + cached + index + heads * f(latent.value) * h
    }

    /// DeepSeek V4: one key head that serves as value; queries and outputs by low ranks; each compressor twice its width.
    fn latent_of_one_head(&self, mixer: Mixer) -> f64 {
        let (h, rank) = (f(self.hidden), f(self.latent.query_rank));
        let wide = f(self.heads) * f(self.full.key);
        let compressors = if mixer == Mixer::Compressed {
            4.0 * h * f(self.full.key)
                + 4.0 * h * f(self.latent.index_dim)
                + rank * f(self.latent.index_heads) * f(self.latent.index_dim)
        } else {
            2.0 * h * f(self.full.key)
        };
        h * rank + rank * wide + h * f(self.full.key) + wide * rank + 8.0 * rank * h + compressors
    }

    fn recurrent(&self) -> f64 {
        let h = f(self.hidden);
        let States {
            kind,
            inner,
            state,
            groups,
            heads,
            kernel,
        } = self.states;
        let (inner, state, groups, heads, kernel) = (f(inner), f(state), f(groups), f(heads), f(kernel));
        let sides = 2.0 * groups * state;
        match kind {
            Recurrent::DeltaNet => h * (2.0 * inner + sides + 2.0 * heads) + (inner + sides) * kernel + inner * h,
            Recurrent::Kimi => {
                let low_rank = 2.0 * state * (h + inner);
                h * (3.0 * inner + heads) + 3.0 * inner * kernel + low_rank + inner * h
            }
            Recurrent::Mamba1 => {
                2.0 * h * inner
                    + inner * (kernel + 1.0)
                    + inner * (heads + 2.0 * state)
                    + inner * (heads + 2.0 + state)
                    + inner * h
            }
            Recurrent::Mamba2 => {
                h * (2.0 * inner + sides + heads) + (inner + sides) * (kernel + 1.0) + 3.0 * heads + inner + inner * h
            }
            Recurrent::Lightning => h * 5.0 * inner + inner,
            Recurrent::Convolution => 4.0 * h * h + h * kernel,
        }
    }

    fn expert(&self) -> f64 {
        let width = if self.expert_width > 0 {
            self.expert_width
        } else {
            self.hidden
        };
        f(self.matrices) * f(width) * f(self.expert_ffn)
    }

    /// Parameters of all, and those that one token passes through.
    fn params(&self) -> (f64, f64) {
        let h = f(self.hidden);
        let embed = f(self.vocab) * h;
        let mut all = embed * if self.tied { 1.0 } else { 2.0 } + h + f(self.more);
        let mut idle = 0.0;
        for layer in &self.layers {
            let feed = match layer.feed {
                Feed::Nothing => 0.0,
                Feed::Dense => {
                    let biases = if self.bias { f(self.ffn) + h } else { 0.0 };
                    let twice = layer.mixer == Mixer::Shared && self.shared_twice;
                    f(self.matrices) * h * f(self.ffn) * if twice { 2.0 } else { 1.0 } + biases
                }
                Feed::Experts => {
                    let experts = f(self.experts);
                    idle += (experts - f(self.per_token)).max(0.0) * self.expert();
                    let biases = if self.bias {
                        2.0 * f(self.expert_ffn) + h + 1.0
                    } else {
                        0.0
                    };
                    experts * (self.expert() + h + biases) + f(self.matrices) * h * f(self.shared_ffn)
                }
            };
            all += self.mixer(layer.mixer) + feed + f(self.norms) * h;
        }
        all += f(self.layer_embedding) * f(self.layers.len() as i64) * (f(self.vocab) + 3.0 * h);
        (all, all - idle)
    }

    /// The cached heads of a layer's mixer, twice where it keeps two things.
    fn keeps(&self, mixer: Mixer) -> [Option<Keep>; 3] {
        let full = self.full;
        let windowed = Keep::Window {
            window: self.window,
            kv_heads: self.windowed.kv,
            key_dim: self.windowed.key,
            value_dim: self.windowed.value,
        };
        let vector = |width: i64, tokens: i64| Keep::Latent {
            width,
            tokens,
            extra_bytes: 0,
            query_rank: 0,
        };
        match mixer {
            Mixer::Nothing | Mixer::Shared => [None; 3],
            Mixer::Window => [Some(windowed), None, None],
            Mixer::State => [Some(self.state()), None, None],
            Mixer::Compressed => [
                Some(windowed),
                Some(vector(full.key, 4)),
                Some(vector(self.latent.index_dim, 4)),
            ],
            Mixer::HeavilyCompressed => [Some(windowed), None, Some(vector(full.key, 128))],
            Mixer::Full if self.latent.kv_rank > 0 => {
                // The indexer keeps its keys in 8 bits and a 32-bit scale.
                let extra = if self.latent.index_heads > 0 && self.latent.index_cached {
                    self.latent.index_dim.saturating_add(4)
                } else {
                    0
                };
                let keep = Keep::Latent {
                    width: self.latent.kv_rank.saturating_add(self.latent.rope),
                    tokens: 1,
                    extra_bytes: extra,
                    query_rank: self.latent.query_rank,
                };
                [Some(keep), None, None]
            }
            Mixer::Full => {
                let keep = Keep::Full {
                    kv_heads: full.kv,
                    key_dim: full.key,
                    value_dim: full.value,
                };
                [Some(keep), None, None]
            }
        }
    }

    fn state(&self) -> Keep {
        let States {
            kind,
            inner,
            state,
            groups,
            kernel,
            ..
        } = self.states;
        let past = (kernel - 1).max(0);
        let channels = match kind {
            Recurrent::Kimi => inner.saturating_mul(3),
            Recurrent::Lightning => 0,
            Recurrent::Convolution => self.hidden,
            _ => inner.saturating_add(groups.saturating_mul(state).saturating_mul(2)),
        };
        Keep::State {
            recurrent: if kind == Recurrent::Convolution {
                0
            } else {
                inner.saturating_mul(state)
            },
            convolution: past.saturating_mul(channels),
        }
    }

    /// The architecture as the catalog has it. `params` and `active` are counted from the shape.
    pub fn model(&self) -> Model {
        let mut groups = Model::full_attention(0, 0, 0);
        let mut used = 0;
        for mixer in ORDER {
            let layers = self.layers.iter().filter(|layer| layer.mixer == mixer).count() as i64;
            if layers == 0 {
                continue;
            }
            for keep in self.keeps(mixer).into_iter().flatten() {
                let known = groups[..used].iter().position(|group| group.keep == keep);
                let place = known.unwrap_or(used);
                if let Some(group) = groups.get_mut(place) {
                    group.keep = keep;
                    group.layers += layers;
                    used = used.max(place + 1);
                }
            }
        }
        let (params, active) = self.params();
        Model {
            id: OWN,
            repo: "",
            params: params as i64,
            active: active as i64,
            layers: self.layers.len() as i64,
            hidden: self.hidden,
            ffn: if self.experts > 0 && self.ffn == 0 {
                self.expert_ffn
            } else {
                self.ffn
            },
            heads: self.heads,
            kv_heads: self.named.kv,
            head_dim: self.named.key,
            vocab: self.vocab,
            tied: self.tied,
            context: self.context,
            groups,
            experts: self.experts,
            experts_per_token: self.per_token,
            expert_ffn: self.expert_ffn,
            shared_experts: self.shared_experts,
            vision: 0,
        }
    }
}
