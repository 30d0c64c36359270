//! The numbers and lists of a job that answers, a table each: a new one is a row.

use super::defaults;
use super::fields::{Input, List, Number, Pick};
use super::model_picker::{choose_draft, draft_name, find_language};
use super::names::{engine_name, format_name};
use super::pictures::makes_pictures;
use super::training::projects;
use crate::catalog::{Engine, Family, Format, KV_FORMATS, KvFormat, Model, Version, format, formats, kv_format};
use crate::i18n::Texts;
use crate::scenario::{Scenario, Task};
use crate::ui::components::{Kind, NumberField, Options, Step, by_eighths, by_one, by_powers};
use crate::units::{Bytes, GB, GIB};

/// The most of a count that a link can hold.
const MOST: i64 = 1_000_000_000_000_000;

/// The most cards that are counted.
pub const MOST_CARDS: i64 = 10_000;

/// A whole number from one up.
pub const fn count(id: &'static str, get: fn(&Scenario) -> i64, set: fn(&mut Scenario, i64)) -> Number {
    NumberField {
        id,
        kind: Kind::Count,
        least: 1,
        most: MOST,
        empty: None,
        get,
        set,
        usual: |_| 0,
        hint: |_, _| String::new(),
        step: by_one,
    }
}

/// Tokens from one up, in steps of 256 and more.
pub const fn tokens(id: &'static str, get: fn(&Scenario) -> i64, set: fn(&mut Scenario, i64)) -> Number {
    Number {
        kind: Kind::Tokens,
        step: by_256,
        ..count(id, get, set)
    }
}

/// How many of something that is mostly not there.
pub const fn few(id: &'static str, get: fn(&Scenario) -> i64, set: fn(&mut Scenario, i64)) -> Number {
    Number {
        least: 0,
        most: 1000,
        empty: Some(0),
        ..count(id, get, set)
    }
}

/// A number that the model or the engine has, unless it is typed.
const fn own(
    id: &'static str,
    get: fn(&Scenario) -> i64,
    set: fn(&mut Scenario, i64),
    usual: fn(&Scenario) -> i64,
) -> Number {
    Number {
        least: 0,
        empty: Some(0),
        usual,
        ..count(id, get, set)
    }
}

fn by_256(value: i64, step: Step) -> i64 {
    by_eighths(value, step, 256)
}

/// Steps of a quarter of a billion, and an eighth of the power of two below.
fn by_billions(value: i64, step: Step) -> i64 {
    by_eighths(value, step, 250_000_000)
}

/// Steps of half a gibibyte.
fn by_half_gib(value: i64, step: Step) -> i64 {
    by(value, step, GIB / 2)
}

/// Steps of a hundredth.
fn by_hundredth(value: i64, step: Step) -> i64 {
    match step {
        Step::FarUp => by(value, Step::Up, 100),
        Step::FarDown => by(value, Step::Down, 100),
        near => by(value, near, 10),
    }
}

/// Steps along a grid; the far ones double and halve.
pub fn by(value: i64, step: Step, grid: i64) -> i64 {
    match step {
        Step::Up => (value / grid).saturating_add(1).saturating_mul(grid),
        Step::Down => (value.saturating_sub(1) / grid).saturating_mul(grid),
        _ => by_one(value, step),
    }
}

/// Steps of the second number, of builds of a hundred; the far ones of the first, or of a thousand builds.
fn by_version(value: i64, step: Step) -> i64 {
    const BUILDS: i64 = 1_000_000_000;
    let (near, far) = if value >= BUILDS {
        (100_000_000, BUILDS)
    } else {
        (1000, 1_000_000)
    };
    match step {
        Step::Up | Step::Down => by(value, step, near),
        Step::FarUp => by(value, Step::Up, far),
        Step::FarDown => by(value, Step::Down, far),
    }
}

/// The choices of a list: their ids, each with the message of its name.
pub type Names = &'static [(&'static str, &'static str)];

/// The options of a list of choices; a name that is no message stands for itself.
pub fn named(texts: &Texts, names: Names) -> Options {
    let name = |name: &str| match name.starts_with("calc-") {
        true => texts.text(name),
        false => name.to_owned(),
    };
    vec![("", names.iter().map(|(id, words)| (*id, name(words))).collect())]
}

/// A list of one of the scenario's choices, which know their ids.
macro_rules! list_of {
    ($id:literal, $part:ident, $kind:ident, $names:ident) => {
        $crate::ui::calculator::fields::List {
            id: $id,
            options: |texts, _| $crate::ui::calculator::levers::named(texts, $names),
            changes: |_| 0,
            get: |s| s.$part.id(),
            set: |s, id| s.$part = $kind::by_id(id).unwrap_or(s.$part),
        }
    };
}

pub(super) use list_of;

/// On or off.
macro_rules! switch_of {
    ($id:literal, $part:ident) => {
        $crate::ui::calculator::fields::List {
            id: $id,
            options: |texts, _| $crate::ui::calculator::levers::named(texts, &[("0", "calc-off"), ("1", "calc-on")]),
            changes: |_| 0,
            get: |s| if s.$part { "1" } else { "0" },
            set: |s, id| s.$part = id == "1",
        }
    };
}

pub(super) use switch_of;

/// Whether a language model answers.
pub fn answers(scenario: &Scenario) -> bool {
    scenario.task == Task::Llm && !makes_pictures(scenario)
}

/// Whether a model is trained.
pub fn trains(scenario: &Scenario) -> bool {
    scenario.task == Task::Train
}

fn in_llama_cpp(scenario: &Scenario) -> bool {
    answers(scenario) && scenario.engine.is_llama_cpp()
}

fn in_pool(scenario: &Scenario) -> bool {
    answers(scenario) && scenario.engine.has_pool()
}

fn on_several(scenario: &Scenario) -> bool {
    answers(scenario) && scenario.card_count() > 1
}

/// What is asked first of a job that answers.
pub static ANSWER: [Input; 3] = [
    Input::list("q", FORMAT),
    Input::number(
        "c",
        Number {
            hint: defaults::context,
            ..tokens("calc-context", |s| s.context, |s, value| s.context = value)
        },
    ),
    Input::number("u", count("calc-users", |s| s.users, |s, value| s.users = value)),
];

/// The engine, with what is most often set of it.
pub static ENGINE: [Input; 8] = [
    Input::list("e", ENGINES),
    Input::number(
        "ev",
        Number {
            kind: Kind::Version,
            least: 0,
            empty: Some(0),
            step: by_version,
            ..count(
                "calc-version",
                |s| s.version.number(),
                |s, value| s.version = Version::of_number(value),
            )
        },
    )
    .only(|s| answers(s) && s.engine != Engine::Any),
    Input::number(
        "util",
        Number {
            kind: Kind::Share,
            least: 100,
            most: 1000,
            hint: defaults::utilisation,
            step: by_hundredth,
            ..own(
                "calc-utilisation",
                |s| s.utilisation,
                |s, value| s.utilisation = value,
                Scenario::share,
            )
        },
    )
    .only(in_pool),
    Input::number(
        "tp",
        Number {
            most: MOST_CARDS,
            step: by_powers,
            ..own(
                "calc-tensor-parallel",
                |s| s.tensor_parallel,
                |s, value| s.tensor_parallel = value,
                Scenario::split,
            )
        },
    )
    .only(|s| in_pool(s) && on_several(s)),
    Input::number(
        "ngl",
        Number {
            least: 0,
            most: 10_000,
            empty: Some(-1),
            usual: |s| part(s, |model| model.layers.saturating_add(1)),
            ..count(
                "calc-gpu-layers",
                |s| s.gpu_layers.unwrap_or(-1),
                |s, value| s.gpu_layers = (value >= 0).then_some(value),
            )
        },
    )
    .only(in_llama_cpp),
    Input::number(
        "nc",
        Number {
            most: 10_000,
            ..few("calc-cpu-experts", |s| s.cpu_experts, |s, value| s.cpu_experts = value)
        },
    )
    .only(|s| in_llama_cpp(s) && part(s, |model| model.experts) > 0),
    Input::list("ctk", K_CACHE).only(answers),
    Input::list("ctv", V_CACHE).only(answers),
];

/// What every kind of job has besides.
pub static SHARED: [Input; 3] = [
    Input::number("lora", few("calc-loras", |s| s.adapters, |s, value| s.adapters = value)).only(|s| !trains(s)),
    Input::number(
        "rank",
        Number {
            step: by_powers,
            most: 65_536,
            ..count("calc-rank", |s| s.rank, |s, value| s.rank = value)
        },
    )
    .only(|s| if trains(s) { projects(s) } else { s.adapters > 0 }),
    Input::number("held", HELD),
];

/// What every kind of job has, and is seldom set.
pub static SHARED_ADVANCED: [Input; 3] = [
    Input::list("fa", switch_of!("calc-flash-attention", flash_attention)).only(|s| in_llama_cpp(s) || !answers(s)),
    Input::pick("", super::card_picker::OTHER).only(|s| !s.cards.is_empty() && s.image_model.is_none()),
    Input::number("", super::card_picker::OTHER_COUNT).only(|s| s.cards.len() > 1),
];

/// What something else holds of each card.
const HELD: Number = Number {
    kind: Kind::Memory,
    most: 1_000_000 * GB,
    step: by_half_gib,
    ..few("calc-held", |s| s.held.0, |s, value| s.held = Bytes(value))
};

/// What is seldom set of a job that answers.
pub static ADVANCED: [Input; 11] = [
    Input::number(
        "bt",
        Number {
            kind: Kind::Tokens,
            hint: defaults::step_tokens,
            step: by_256,
            ..own(
                "calc-step-tokens",
                |s| s.batched_tokens,
                |s, value| s.batched_tokens = value,
                Scenario::step_tokens,
            )
        },
    )
    .only(in_pool),
    Input::number(
        "ms",
        Number {
            hint: defaults::sequences,
            step: by_powers,
            ..own(
                "calc-sequences",
                |s| s.sequences,
                |s, value| s.sequences = value,
                Scenario::ready_for,
            )
        },
    )
    .only(in_pool),
    Input::list("eg", switch_of!("calc-eager", eager)).only(in_pool),
    Input::list("vis", switch_of!("calc-sees", sees)).only(|s| in_pool(s) && part(s, |model| model.vision) > 0),
    Input::number(
        "pp",
        Number {
            most: MOST_CARDS,
            ..own(
                "calc-pipeline",
                |s| s.pipeline,
                |s, value| s.pipeline = value,
                Scenario::spread,
            )
        },
    )
    .only(on_several),
    Input::number(
        "pool",
        Number {
            kind: Kind::Memory,
            most: 1_000_000 * GB,
            step: by_half_gib,
            ..few(
                "calc-pool",
                |s| s.pool.unwrap_or_default().0,
                |s, value| s.pool = (value > 0).then_some(Bytes(value)),
            )
        },
    )
    .only(in_pool),
    Input::number(
        "ub",
        Number {
            step: by_powers,
            ..count("calc-ubatch", |s| s.ubatch, |s, value| s.ubatch = value)
        },
    )
    .only(in_llama_cpp),
    Input::list("un", switch_of!("calc-unified", unified)).only(in_llama_cpp),
    Input::list("nkvo", switch_of!("calc-cache-on-host", cache_on_host)).only(in_llama_cpp),
    Input::pick(
        "dm",
        Pick {
            id: "calc-draft",
            placeholder: "calc-draft-placeholder",
            unknown: "calc-model-unknown",
            picked: draft_name,
            find: find_language,
            choose: choose_draft,
        },
    )
    .only(answers),
    Input::number(
        "dt",
        few(
            "calc-draft-tokens",
            |s| s.draft_tokens,
            |s, value| s.draft_tokens = value,
        ),
    )
    .only(answers),
];

/// The architecture by hand: typed parameters alone are a model too, and typed parts stand in the place of the model's own.
pub static BY_HAND: [Input; 8] = [
    Input::number(
        "p",
        Number {
            kind: Kind::Parameters,
            step: by_billions,
            ..own(
                "calc-params",
                |s| s.typed.params,
                |s, value| s.typed.params = value,
                |s| s.base().map_or(0, |model| model.params),
            )
        },
    ),
    typed(
        "l",
        "calc-layers",
        |s| s.typed.layers,
        |s, value| s.typed.layers = value,
        |s| part(s, |model| model.layers),
    ),
    typed(
        "kh",
        "calc-kv-heads",
        |s| s.typed.kv_heads,
        |s, value| s.typed.kv_heads = value,
        |s| part(s, |model| model.kv_heads),
    ),
    typed(
        "hd",
        "calc-head-size",
        |s| s.typed.head_dim,
        |s, value| s.typed.head_dim = value,
        |s| part(s, |model| model.head_dim),
    ),
    typed(
        "nh",
        "calc-heads",
        |s| s.typed.heads,
        |s, value| s.typed.heads = value,
        |s| part(s, |model| model.heads),
    ),
    typed(
        "h",
        "calc-hidden",
        |s| s.typed.hidden,
        |s, value| s.typed.hidden = value,
        |s| part(s, |model| model.hidden),
    ),
    typed(
        "ff",
        "calc-ffn",
        |s| s.typed.ffn,
        |s, value| s.typed.ffn = value,
        |s| part(s, |model| model.ffn),
    ),
    typed(
        "vo",
        "calc-vocabulary",
        |s| s.typed.vocab,
        |s, value| s.typed.vocab = value,
        |s| part(s, |model| model.vocab),
    ),
];

const fn typed(
    key: &'static str,
    id: &'static str,
    get: fn(&Scenario) -> i64,
    set: fn(&mut Scenario, i64),
    usual: fn(&Scenario) -> i64,
) -> Input {
    Input::number(key, own(id, get, set, usual))
}

fn part(scenario: &Scenario, get: fn(&Model) -> i64) -> i64 {
    scenario.architecture().map_or(0, |(model, _)| get(&model))
}

/// The families of formats, with the messages of their headings.
const FAMILIES: [(Family, &str); 6] = [
    (Family::Any, "calc-family-any"),
    (Family::Gguf, "calc-family-gguf"),
    (Family::Safetensors, "calc-family-safetensors"),
    (Family::Exl, "calc-family-exl"),
    (Family::Mlx, "calc-family-mlx"),
    (Family::Diffusers, "calc-family-diffusers"),
];

/// Formats under the headings of their families, each with its bits.
pub fn format_options(texts: &Texts, offered: impl Iterator<Item = &'static Format> + Clone) -> Options {
    let of = |family: Family| {
        let option = |format: &'static Format| {
            (
                format.id,
                [&format_name(format), " · ", &bits(texts, format.bare)].concat(),
            )
        };
        let of_family = offered.clone().filter(|format| format.family == family);
        of_family.map(option).collect::<Vec<_>>()
    };
    let groups = FAMILIES.iter().map(|(family, heading)| (*heading, of(*family)));
    groups.filter(|group| !group.1.is_empty()).collect()
}

/// The number format of the weights.
pub const FORMAT: List = List {
    id: "calc-format",
    options: |texts, scenario| {
        let readable =
            |format: &&Format| scenario.engine.reads(format.family) || scenario.format.family == format.family;
        format_options(texts, formats().iter().filter(readable))
    },
    changes: |s| s.engine as usize * FAMILIES.len() + s.format.family as usize,
    get: |s| s.format.id,
    set: |s, id| {
        if let Some(format) = format(id) {
            s.format = format;
        }
    },
};

/// Hundredths of a bit for each weight, in words.
fn bits(texts: &Texts, hundredths: i64) -> String {
    let (value, decimals) = match hundredths % 100 {
        0 => (hundredths / 100, 0),
        rest if rest % 10 == 0 => (hundredths / 10, 1),
        _ => (hundredths, 2),
    };
    let bits = texts.format.number(value, decimals);
    texts.message(&crate::message::Message::new("calc-bits").with("bits", bits))
}

/// What runs the model.
const ENGINES: List = List {
    id: "calc-engine",
    options: |texts, _| {
        let name = |engine: Engine| match engine {
            Engine::Any => (engine.facts().id, texts.text("calc-engine-any")),
            engine => (engine.facts().id, engine_name(engine).to_owned()),
        };
        vec![("", Engine::all().map(name).collect())]
    },
    changes: |_| 0,
    get: |s| s.engine.facts().id,
    set: |s, id| {
        if let Some(engine) = Engine::by_id(id) {
            s.engine = engine;
        }
    },
};

fn caches(_: &Texts, _: &Scenario) -> Options {
    vec![(
        "",
        KV_FORMATS
            .iter()
            .map(|format| (format.id, format.id.to_owned()))
            .collect(),
    )]
}

/// The number format of cached keys.
const K_CACHE: List = List {
    id: "calc-k-cache",
    options: caches,
    changes: |_| 0,
    get: |s| s.k_cache.id,
    set: |s, id| set_cache(&mut s.k_cache, id),
};

/// The number format of cached values.
const V_CACHE: List = List {
    id: "calc-v-cache",
    options: caches,
    changes: |_| 0,
    get: |s| s.v_cache.id,
    set: |s, id| set_cache(&mut s.v_cache, id),
};

fn set_cache(place: &mut &'static KvFormat, id: &str) {
    if let Some(format) = kv_format(id) {
        *place = format;
    }
}
