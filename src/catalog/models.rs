//! The language models: what weights and KV cache follow from.

use std::sync::OnceLock;

use super::{lines, whole};

/// One language model. Widths count elements; what no model of the kind has is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The stable id of links: lower case, without the publisher and without `instruct`, `chat` or `it`.
    pub id: &'static str,
    /// The name of its repository, `Qwen/Qwen3-32B`.
    pub repo: &'static str,
    /// All parameters (of the language model alone, where it also sees).
    pub params: i64,
    /// Parameters that one token passes through; equal to `params` in a dense model.
    pub active: i64,
    /// Decoder layers.
    pub layers: i64,
    /// Width of the residual stream.
    pub hidden: i64,
    /// Width of the dense feed-forward layers.
    pub ffn: i64,
    /// Query heads.
    pub heads: i64,
    /// Key and value heads (GQA; equal to `heads` in MHA, 1 in MQA).
    pub kv_heads: i64,
    /// Elements of one head.
    pub head_dim: i64,
    /// Rows of the embedding.
    pub vocab: i64,
    /// Whether the output head is the embedding.
    pub tied: bool,
    /// Longest context that the model was made for, in tokens.
    pub context: i64,
    /// Layers by what they keep between tokens. Unused places have no layers; layers in no group keep nothing.
    pub groups: [Group; 4],
    /// Experts of each mixture-of-experts layer.
    pub experts: i64,
    /// Experts that one token passes through.
    pub experts_per_token: i64,
    /// Width of one expert.
    pub expert_ffn: i64,
    /// Experts that every token passes through.
    pub shared_experts: i64,
    /// Parameters of its image encoder with what projects its output, in 16-bit whatever the format; not among `params`.
    pub vision: i64,
}

/// Layers that keep the same between tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// How many layers.
    pub layers: i64,
    /// What each keeps.
    pub keep: Keep,
}

/// What one layer keeps between tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keep {
    /// Keys and values of all tokens.
    Full {
        /// Key and value heads.
        kv_heads: i64,
        /// Elements of one key.
        key_dim: i64,
        /// Elements of one value.
        value_dim: i64,
    },
    /// Keys and values of the last tokens only (sliding window), or of one chunk.
    Window {
        /// Tokens in the window.
        window: i64,
        /// Key and value heads.
        kv_heads: i64,
        /// Elements of one key.
        key_dim: i64,
        /// Elements of one value; zero where keys serve as values.
        value_dim: i64,
    },
    /// One vector that keys and values are computed from (MLA, compressed attention); whole on each tensor-parallel rank.
    Latent {
        /// Elements of the vector: `kv_lora_rank + qk_rope_head_dim`.
        width: i64,
        /// Tokens that share one vector.
        tokens: i64,
        /// Further bytes for each vector, whatever the cache's number format (the sparse indexer's keys).
        extra_bytes: i64,
        /// `q_lora_rank`: its down projection stands whole on each tensor-parallel rank; zero where there is none.
        query_rank: i64,
    },
    /// A state of fixed size for each sequence (gated delta net, Mamba, lightning attention, short convolution).
    State {
        /// Elements of the recurrent state.
        recurrent: i64,
        /// Elements of the convolution's state: `(kernel - 1) * channels`.
        convolution: i64,
    },
}

/// No layers.
pub(super) const NO_GROUP: Group = Group {
    layers: 0,
    keep: Keep::State {
        recurrent: 0,
        convolution: 0,
    },
};

impl Model {
    /// The name as its publisher writes it, without the publisher.
    pub fn name(&self) -> &'static str {
        self.repo.rsplit('/').next().unwrap_or(self.id)
    }

    /// The groups of one layer kind: every layer keeps the keys and values of all tokens.
    pub fn full_attention(layers: i64, kv_heads: i64, head_dim: i64) -> [Group; 4] {
        let keep = Keep::Full {
            kv_heads,
            key_dim: head_dim,
            value_dim: head_dim,
        };
        [Group { layers, keep }, NO_GROUP, NO_GROUP, NO_GROUP]
    }

    /// Whether every layer attends to all tokens with keys and values of its own.
    pub fn attends_fully(&self) -> bool {
        self.groups
            .iter()
            .all(|group| group.layers == 0 || matches!(group.keep, Keep::Full { .. } | Keep::Latent { .. }))
    }
}

/// All models, in the order of the table: by publisher, then by generation.
pub fn models() -> &'static [Model] {
    static MODELS: OnceLock<Vec<Model>> = OnceLock::new();
    MODELS.get_or_init(|| lines(include_str!("models.csv")).filter_map(row).collect())
}

/// The model of that id.
pub fn model(id: &str) -> Option<&'static Model> {
    models().iter().find(|model| model.id == id)
}

/// The models whose repository's name or id holds every word of `text`, in any case and order.
pub fn search(text: &str) -> impl Iterator<Item = &'static Model> {
    let words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
    models().iter().filter(move |model| {
        let repo = model.repo.to_ascii_lowercase();
        words
            .iter()
            .all(|word| repo.contains(word.as_str()) || model.id.contains(word.as_str()))
    })
}

fn row(line: &'static str) -> Option<Model> {
    let mut fields = line.split(',');
    let mut next = || fields.next();
    let (id, repo) = (next()?, next()?);
    let mut number = || next().map(whole);
    let (params, active, layers, hidden, ffn) = (number()?, number()?, number()?, number()?, number()?);
    let (heads, kv_heads, head_dim, vocab) = (number()?, number()?, number()?, number()?);
    let tied = next()? == "t";
    let context = next().map(whole)?;
    let groups = groups(next()?, layers, kv_heads, head_dim);
    let mut number = || next().map_or(0, whole);
    let (experts, experts_per_token, expert_ffn, shared_experts) = (number(), number(), number(), number());
    let vision = number();
    let active = if active == 0 { params } else { active };
    Some(Model {
        id,
        repo,
        params,
        active,
        layers,
        hidden,
        ffn,
        heads,
        kv_heads,
        head_dim,
        vocab,
        tied,
        context,
        groups,
        experts,
        experts_per_token,
        expert_ffn,
        shared_experts,
        vision,
    })
}

/// The column `cache`: groups between spaces, nothing where all layers attend fully with the model's own heads.
///
/// | group | means |
/// |---|---|
/// | `12` | 12 layers that attend fully |
/// | `10@4x512` | the same with 4 heads of 512 elements, `9@4x192/128` with values of 128 |
/// | `50w1024` | a window of 1024 tokens; `39w128@8x192/128` with heads of its own |
/// | `61m576` | one vector of 576 elements; `20m512/4` one for 4 tokens, `i132` and 132 bytes more, `q1536` its query rank |
/// | `48s786432+30720` | a state: recurrent and convolution elements |
fn groups(text: &str, layers: i64, kv_heads: i64, head_dim: i64) -> [Group; 4] {
    let mut groups = [NO_GROUP; 4];
    if text.is_empty() {
        return Model::full_attention(layers, kv_heads, head_dim);
    }
    for (place, word) in groups.iter_mut().zip(text.split(' ')) {
        let (layers, rest) = number_before(word);
        let keep = match rest.as_bytes().first() {
            None | Some(b'@') => {
                let (kv_heads, key_dim, value_dim) = heads(rest, kv_heads, head_dim);
                Keep::Full {
                    kv_heads,
                    key_dim,
                    value_dim,
                }
            }
            Some(b'w') => {
                let (window, rest) = number_before(&rest[1..]);
                let (kv_heads, key_dim, value_dim) = heads(rest, kv_heads, head_dim);
                Keep::Window {
                    window,
                    kv_heads,
                    key_dim,
                    value_dim,
                }
            }
            Some(b'm') => Keep::Latent {
                width: after(rest, 'm'),
                tokens: after(rest, '/').max(1),
                extra_bytes: after(rest, 'i'),
                query_rank: after(rest, 'q'),
            },
            Some(_) => Keep::State {
                recurrent: after(rest, 's'),
                convolution: after(rest, '+'),
            },
        };
        *place = Group { layers, keep };
    }
    groups
}

/// `@4x512/128`: heads, elements of a key, elements of a value.
fn heads(text: &str, kv_heads: i64, head_dim: i64) -> (i64, i64, i64) {
    if !text.starts_with('@') {
        return (kv_heads, head_dim, head_dim);
    }
    let key_dim = after(text, 'x');
    let value_dim = if text.contains('/') { after(text, '/') } else { key_dim };
    (after(text, '@'), key_dim, value_dim)
}

/// The number that follows `mark`, zero where there is none.
fn after(text: &str, mark: char) -> i64 {
    text.split_once(mark).map_or(0, |(_, rest)| number_before(rest).0)
}

/// The number that `text` begins with, and what follows it.
fn number_before(text: &str) -> (i64, &str) {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (whole(digits), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_reads_whole_under_an_id_of_its_own() {
        let rows = lines(include_str!("models.csv")).count();
        assert_eq!(models().len(), rows);
        assert!(rows >= 158);
        let columns = include_str!("models.csv")
            .lines()
            .next()
            .unwrap_or("")
            .split(',')
            .count();
        for (line, model) in lines(include_str!("models.csv")).zip(models()) {
            assert_eq!(line.split(',').count(), columns, "{line}");
            for (column, field) in line.split(',').enumerate().skip(2) {
                let number = field.is_empty() || field.parse::<i64>().is_ok();
                assert!(number || column == 11 || column == 13, "column {column} of {line}");
            }
            assert_eq!(
                models().iter().filter(|other| other.id == model.id).count(),
                1,
                "{}",
                model.id
            );
            assert!(
                model
                    .id
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b))
            );
            assert!(
                model.params > 0 && model.layers > 0 && model.hidden > 0 && model.vocab > 0,
                "{}",
                model.id
            );
            assert!(model.groups[0].layers > 0, "{}", model.id);
        }
    }

    #[test]
    fn every_row_names_its_source() {
        let sources = include_str!("models.sources.csv");
        for model in models() {
            let start = [model.id, ","].concat();
            assert!(sources.lines().any(|line| line.starts_with(&start)), "{}", model.id);
        }
    }

    #[test]
    fn the_cache_column_reads_every_kind() {
        let dense = model("qwen3-32b").unwrap();
        assert_eq!(dense.groups, Model::full_attention(64, 8, 128));
        let gemma = model("gemma-4-31b").unwrap();
        assert_eq!(
            gemma.groups[0].keep,
            Keep::Full {
                kv_heads: 4,
                key_dim: 512,
                value_dim: 512
            }
        );
        assert_eq!(gemma.groups[1].layers, 50);
        let window = Keep::Window {
            window: 1024,
            kv_heads: 16,
            key_dim: 256,
            value_dim: 256,
        };
        assert_eq!(gemma.groups[1].keep, window);
        let deepseek = model("deepseek-v3.2-exp").unwrap();
        let latent = Keep::Latent {
            width: 576,
            tokens: 1,
            extra_bytes: 132,
            query_rank: 1536,
        };
        assert_eq!(deepseek.groups[0].keep, latent);
        let hybrid = model("qwen3.6-27b").unwrap();
        let state = Keep::State {
            recurrent: 48 * 128 * 128,
            convolution: 3 * (2 * 16 * 128 + 48 * 128),
        };
        assert_eq!(
            hybrid.groups[1],
            Group {
                layers: 48,
                keep: state
            }
        );
        let mimo = model("mimo-v2-flash").unwrap();
        assert_eq!(
            mimo.groups[0].keep,
            Keep::Full {
                kv_heads: 4,
                key_dim: 192,
                value_dim: 128
            }
        );
    }

    #[test]
    fn models_are_found_by_words() {
        let found: Vec<&str> = search("qwen3 32b").map(|model| model.id).collect();
        assert_eq!(found, ["qwen3-32b"]);
        assert_eq!(search("Llama 3.1").count(), 4);
        assert_eq!(search("no such model").count(), 0);
        assert_eq!(search("").count(), models().len());
    }
}
