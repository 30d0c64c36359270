//! The inputs of training: what is trained of the model, with which optimiser, on how much at once.

use super::levers::{Lever, List, field, list};
use super::sizer::Sizer;
use crate::scenario::{Checkpointing, Loss, Method, Optimizer, Precision, Sharding};
use crate::ui::components::{El, Options, by_powers};

/// The choices of a list: their ids, each with the message of its name.
pub type Names = &'static [(&'static str, &'static str)];

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
];
const PRECISIONS: Names = &[
    ("mixed", "calc-precision-mixed"),
    ("bf16", "calc-precision-bf16"),
    ("fp32", "calc-precision-fp32"),
];
const CHECKPOINTING: Names = &[("full", "calc-checkpointing-full"), ("none", "calc-checkpointing-none")];
const LOSSES: Names = &[("plain", "calc-loss-plain"), ("chunked", "calc-loss-chunked")];
const SHARDING: Names = &[
    ("none", "calc-sharding-none"),
    ("zero1", "calc-sharding-zero1"),
    ("zero2", "calc-sharding-zero2"),
    ("zero3", "calc-sharding-zero3"),
];

/// The options of a list of choices; a name that is no message stands for itself.
pub fn named(sizer: Sizer, names: Names) -> Options {
    let texts = sizer.texts();
    vec![(
        "",
        names.iter().map(|(id, name)| (*id, name_of(&texts, name))).collect(),
    )]
}

fn name_of(texts: &crate::i18n::Texts, name: &str) -> String {
    if name.starts_with("calc-") {
        texts.text(name)
    } else {
        name.to_owned()
    }
}

macro_rules! list_of {
    ($id:literal, $part:ident, $kind:ident, $names:ident) => {
        List {
            id: $id,
            options: |sizer| named(sizer, $names),
            changes: |_| 0,
            get: |s| s.$part.id(),
            set: |s, id| s.$part = $kind::by_id(id).unwrap_or(s.$part),
        }
    };
}

pub(super) use list_of;

/// What is asked first.
pub fn essentials(sizer: Sizer) -> [El; 4] {
    [
        list(sizer, &list_of!("calc-method", method, Method, METHODS)),
        list(sizer, &list_of!("calc-optimizer", optimizer, Optimizer, OPTIMIZERS)),
        field(
            sizer,
            &Lever::count("calc-batch", |s| s.batch, |s, value| s.batch = value),
        ),
        field(
            sizer,
            &Lever::tokens("calc-sequence", |s| s.sequence, |s, value| s.sequence = value),
        ),
    ]
}

/// The rest.
pub fn details(sizer: Sizer) -> [El; 5] {
    let rank = Lever {
        step: by_powers,
        most: 65_536,
        ..Lever::count("calc-rank", |s| s.rank, |s, value| s.rank = value)
    };
    [
        list(
            sizer,
            &list_of!("calc-checkpointing", checkpointing, Checkpointing, CHECKPOINTING),
        ),
        list(sizer, &list_of!("calc-precision", precision, Precision, PRECISIONS)),
        list(sizer, &list_of!("calc-loss", loss, Loss, LOSSES)),
        list(sizer, &list_of!("calc-sharding", sharding, Sharding, SHARDING)),
        field(sizer, &rank),
    ]
}
