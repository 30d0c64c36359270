//! A model that the reader has as a file: its architecture, and what its tensors take.

use super::{Scenario, Typed};
use crate::catalog::{Format, Model, models};
use crate::units::Bytes;

/// The id of the architecture that a file describes; no model of the catalog has it.
pub const OWN: &str = "own";

/// A model read from a file. It stays on the reader's machine: a link says of it what its keys can, see
/// [`Scenario::shared`].
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// What the file calls itself, or its own name.
    pub name: String,
    /// The architecture; its id is [`OWN`].
    pub model: Model,
    /// The format of the weights, or the nearest that the catalog has.
    pub format: &'static Format,
    /// What the tensors take; nothing where the file only tells the architecture.
    pub tensors: Option<Tensors>,
}

/// Bytes of a file's tensors, by what engines place together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tensors {
    /// The embedding.
    pub embed: Bytes,
    /// The output head; nothing where the embedding serves as head.
    pub head: Bytes,
    /// Each layer, the first one first.
    pub layers: Vec<Bytes>,
    /// All else: the last norm, rope factors, a vision tower.
    pub others: Bytes,
}

impl Tensors {
    /// All of them.
    pub fn all(&self) -> Bytes {
        self.embed + self.head + self.others + self.layers.iter().copied().sum::<Bytes>()
    }
}

impl Scenario {
    /// The model that a file or the catalog gives, before anything typed; `None` if there is neither.
    pub fn base(&self) -> Option<&Model> {
        match &self.own {
            Some(own) => Some(&own.model),
            None => self.model,
        }
    }

    /// What the file's tensors take, as long as the weights are in the file's own format.
    pub fn tensors(&self) -> Option<&Tensors> {
        let own = self.own.as_ref()?;
        own.tensors.as_ref().filter(|_| own.format.id == self.format.id)
    }

    /// The scenario with the file of `other` in its model's place, if it says of its model what a link says of that file.
    pub fn with_own(self, other: &Scenario) -> Scenario {
        let with = Scenario {
            own: other.own.clone(),
            model: None,
            typed: Typed::default(),
            ..self.clone()
        };
        if with.own.is_some() && with.shared() == self {
            with
        } else {
            self
        }
    }

    /// The scenario without the file, as a link can say it: the catalog's model of the same shape, else the typed keys,
    /// which know one kind of layer only.
    pub fn shared(&self) -> Scenario {
        let Some(own) = &self.own else { return self.clone() };
        let mut shared = Scenario {
            own: None,
            ..self.clone()
        };
        let model = &own.model;
        let put = |typed: &mut i64, value: i64| {
            if *typed == 0 {
                *typed = value;
            }
        };
        let twin = own.twin();
        shared.model = twin;
        let typed = &mut shared.typed;
        if twin.is_none_or(|twin| (twin.params - model.params).saturating_abs() > model.params / 100) {
            put(&mut typed.params, model.params);
        }
        if twin.is_none() {
            let Typed {
                layers,
                hidden,
                ffn,
                heads,
                kv_heads,
                head_dim,
                vocab,
                ..
            } = typed;
            put(layers, model.layers);
            put(hidden, model.hidden);
            put(ffn, model.ffn);
            put(heads, model.heads);
            put(kv_heads, model.kv_heads);
            put(head_dim, model.head_dim);
            put(vocab, model.vocab);
        }
        shared
    }
}

impl Own {
    /// The catalog's model of the same layers, widths and cache.
    pub fn twin(&self) -> Option<&'static Model> {
        let shape = |model: &Model| {
            let widths = (model.layers, model.hidden, model.heads, model.kv_heads, model.head_dim);
            (widths, model.experts, model.groups)
        };
        let near = |model: &&Model| (model.params - self.model.params).saturating_abs() <= self.model.params / 20;
        models()
            .iter()
            .filter(|model| near(model) && shape(model) == shape(&self.model))
            .min_by_key(|model| (model.context - self.model.context).saturating_abs())
    }

    /// Whether a link says all of it, so that whoever opens it sees the same.
    pub fn fits_in_a_link(&self) -> bool {
        self.tensors.is_none()
            && (self.twin().is_some()
                || self.model.groups
                    == Model::full_attention(self.model.layers, self.model.kv_heads, self.model.head_dim)
                    && self.model.experts == 0)
    }
}
