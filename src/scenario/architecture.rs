//! The architecture that a scenario means: the model's, with what was typed by hand in its place.

use super::Scenario;
use crate::catalog::{Model, models};

/// The most of anything typed: far above every model, far below what could overflow.
const MOST: i64 = 1 << 50;

/// Parts of an architecture typed by hand; zero for what was not typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// Parameters.
    pub params: i64,
    /// Layers.
    pub layers: i64,
    /// Width of the residual stream.
    pub hidden: i64,
    /// Width of the feed-forward layers.
    pub ffn: i64,
    /// Query heads.
    pub heads: i64,
    /// Key and value heads.
    pub kv_heads: i64,
    /// Elements of one head.
    pub head_dim: i64,
    /// Rows of the embedding.
    pub vocab: i64,
}

impl Scenario {
    /// The model with what was typed in its place; `None` if neither a model nor parameters or a cache are given.
    /// The flag says whether its KV cache is known, and not only taken from a model of about that size.
    ///
    /// Typed parameters alone borrow the shape of the dense grouped-query model nearest in size.
    pub fn architecture(&self) -> Option<(Model, bool)> {
        let typed = &self.typed;
        let cache_typed = typed.layers > 0 && typed.kv_heads > 0 && typed.head_dim > 0;
        let (mut model, mut known) = match self.base() {
            Some(model) => (*model, true),
            None if typed.params > 0 || cache_typed => (
                Model {
                    id: "",
                    repo: "",
                    tied: false,
                    vision: 0,
                    ..*like(typed.params)?
                },
                cache_typed,
            ),
            None => return None,
        };
        let set = |part: &mut i64, value: i64| {
            if value > 0 {
                *part = value.min(MOST);
            }
        };
        let untyped = model;
        set(&mut model.params, typed.params);
        set(&mut model.layers, typed.layers);
        set(&mut model.hidden, typed.hidden);
        set(&mut model.ffn, typed.ffn);
        set(&mut model.heads, typed.heads);
        set(&mut model.kv_heads, typed.kv_heads);
        set(&mut model.head_dim, typed.head_dim);
        set(&mut model.vocab, typed.vocab);
        if typed.params > 0 {
            model.active = model.active.min(model.params);
            if untyped.active == untyped.params {
                model.active = model.params;
            }
        }
        let cache = |model: &Model| (model.layers, model.kv_heads, model.head_dim);
        if cache(&model) != cache(&untyped) || model.id.is_empty() {
            model.groups = Model::full_attention(model.layers, model.kv_heads, model.head_dim);
            known = known && (self.base().is_none() || cache_typed || typed.params == 0);
        }
        if model.id.is_empty() && typed.params == 0 {
            model.params = 0;
            model.active = 0;
        }
        Some((model, known))
    }
}

/// The dense model with grouped queries that is nearest in size.
fn like(params: i64) -> Option<&'static Model> {
    let dense = models()
        .iter()
        .filter(|model| model.experts == 0 && model.attends_fully() && model.kv_heads < model.heads);
    let ratio = |model: &Model| model.params.max(params) as f64 / model.params.min(params).max(1) as f64;
    dense.min_by(|a, b| ratio(a).total_cmp(&ratio(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Keep, model};

    #[test]
    fn typed_parts_stand_in_the_models_place() {
        let mut scenario = Scenario {
            model: model("deepseek-v3"),
            ..Scenario::default()
        };
        assert_eq!(
            scenario.architecture().map(|found| found.0),
            model("deepseek-v3").copied()
        );
        scenario.typed = Typed {
            kv_heads: 128,
            head_dim: 160,
            ..Typed::default()
        };
        let (plain, known) = scenario.architecture().unwrap();
        assert_eq!(
            plain.groups[0].keep,
            Keep::Full {
                kv_heads: 128,
                key_dim: 160,
                value_dim: 160
            }
        );
        assert_eq!(
            (plain.groups[0].layers, plain.params, known),
            (61, 671_026_419_200, true)
        );
    }

    #[test]
    fn parameters_alone_are_a_model_of_unsure_cache() {
        let mut scenario = Scenario::default();
        assert_eq!(scenario.architecture(), None);
        scenario.typed.params = 8_000_000_000;
        let (model, known) = scenario.architecture().unwrap();
        assert_eq!(
            (model.params, model.active, model.id, known),
            (8_000_000_000, 8_000_000_000, "", false)
        );
        scenario.typed = Typed {
            params: 8_000_000_000,
            layers: 32,
            kv_heads: 8,
            head_dim: 128,
            ..Typed::default()
        };
        let (model, known) = scenario.architecture().unwrap();
        assert_eq!((model.groups, known), (Model::full_attention(32, 8, 128), true));
    }
}
