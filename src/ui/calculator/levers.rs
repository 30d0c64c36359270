//! The numbers and lists of a job that answers, a table each: a new one is a row.

use super::names::format_name;
use super::sizer::{How, Sizer};
use crate::catalog::{Engine, Family, Format, KV_FORMATS, KvFormat, format, formats, kv_format};
use crate::i18n::Texts;
use crate::scenario::Scenario;
use crate::ui::components::{
    El, Kind, NumberField, Options, SelectField, Step, by_eighths, by_one, number_field, select_field,
};
use crate::units::{Bytes, GB, GIB};

/// The most of a count that a link can hold.
const MOST: i64 = 1_000_000_000_000_000;

/// A number of the scenario.
#[derive(Clone, Copy)]
pub struct Lever {
    /// The element's id.
    pub id: &'static str,
    /// The message of the label.
    pub label: &'static str,
    /// What is typed.
    pub kind: Kind,
    /// The least that counts.
    pub least: i64,
    /// The most.
    pub most: i64,
    /// Whether it may be empty, for zero.
    pub optional: bool,
    /// Reads it.
    pub get: fn(&Scenario) -> i64,
    /// Sets it.
    pub set: fn(&mut Scenario, i64),
    /// What an empty field stands for.
    pub usual: fn(&Scenario) -> i64,
    /// Its grid.
    pub step: fn(i64, Step) -> i64,
}

impl Lever {
    /// A whole number from one up.
    pub const fn count(id: &'static str, get: fn(&Scenario) -> i64, set: fn(&mut Scenario, i64)) -> Lever {
        Lever {
            id,
            label: id,
            kind: Kind::Count,
            least: 1,
            most: MOST,
            optional: false,
            get,
            set,
            usual: |_| 0,
            step: by_one,
        }
    }

    /// Tokens from one up, in steps of 256 and more.
    pub const fn tokens(id: &'static str, get: fn(&Scenario) -> i64, set: fn(&mut Scenario, i64)) -> Lever {
        Lever {
            kind: Kind::Tokens,
            step: by_256,
            ..Lever::count(id, get, set)
        }
    }

    /// A part of the architecture, which the model has unless it is typed.
    const fn part(
        id: &'static str,
        get: fn(&Scenario) -> i64,
        set: fn(&mut Scenario, i64),
        usual: fn(&Scenario) -> i64,
    ) -> Lever {
        Lever {
            least: 0,
            optional: true,
            usual,
            ..Lever::count(id, get, set)
        }
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
    let half = GIB / 2;
    match step {
        Step::Up => (value / half).saturating_add(1).saturating_mul(half),
        Step::Down => (value.saturating_sub(1) / half).saturating_mul(half),
        _ => by_one(value, step),
    }
}

/// The longest context of each request.
pub static CONTEXT: Lever = Lever::tokens("calc-context", |s| s.context, |s, value| s.context = value);

/// Requests at the same time.
pub static USERS: Lever = Lever::count("calc-users", |s| s.users, |s, value| s.users = value);

/// What something else holds of each card.
pub static HELD: Lever = Lever {
    kind: Kind::Memory,
    least: 0,
    most: 1_000_000 * GB,
    optional: true,
    step: by_half_gib,
    ..Lever::count("calc-held", |s| s.held.0, |s, value| s.held = Bytes(value))
};

/// The architecture by hand: typed parameters alone are a model too, and typed parts stand in the place of the model's own.
pub static BY_HAND: [Lever; 4] = [
    Lever {
        kind: Kind::Parameters,
        step: by_billions,
        ..Lever::part(
            "calc-params",
            |s| s.typed.params,
            |s, value| s.typed.params = value,
            |s| s.base().map_or(0, |model| model.params),
        )
    },
    Lever::part(
        "calc-layers",
        |s| s.typed.layers,
        |s, value| s.typed.layers = value,
        |s| part(s, |model| model.layers),
    ),
    Lever::part(
        "calc-kv-heads",
        |s| s.typed.kv_heads,
        |s, value| s.typed.kv_heads = value,
        |s| part(s, |model| model.kv_heads),
    ),
    Lever::part(
        "calc-head-size",
        |s| s.typed.head_dim,
        |s, value| s.typed.head_dim = value,
        |s| part(s, |model| model.head_dim),
    ),
];

fn part(scenario: &Scenario, get: fn(&crate::catalog::Model) -> i64) -> i64 {
    scenario.architecture().map_or(0, |(model, _)| get(&model))
}

/// The field of a number.
#[inline(never)]
pub fn field(sizer: Sizer, lever: &Lever) -> El {
    let Lever {
        id,
        label,
        kind,
        least,
        most,
        optional,
        get,
        set,
        usual,
        step,
    } = *lever;
    let field = NumberField {
        id,
        label,
        kind,
        least,
        most,
        optional,
        usual: Box::new(move || if optional { usual(&sizer.scenario()) } else { 0 }),
        get: Box::new(move || get(&sizer.scenario())),
        set: Box::new(move |value| sizer.edit(How::Typed, &|scenario| set(scenario, value))),
        step,
    };
    number_field(sizer.state, field)
}

/// A list of the scenario.
#[derive(Clone, Copy)]
pub struct List {
    /// The element's id, and the message of its label.
    pub id: &'static str,
    /// What can be chosen.
    pub options: fn(Sizer) -> Options,
    /// A number that changes when these do, but for the language.
    pub changes: fn(&Scenario) -> usize,
    /// The id of what is chosen.
    pub get: fn(&Scenario) -> &'static str,
    /// Chooses by the id.
    pub set: fn(&mut Scenario, &str),
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
    options: |sizer| {
        let scenario = sizer.scenario();
        let readable =
            |format: &&Format| scenario.engine.reads(format.family) || scenario.format.family == format.family;
        format_options(&sizer.texts(), formats().iter().filter(readable))
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
pub static ENGINE: List = List {
    id: "calc-engine",
    options: |sizer| {
        let name = |engine: Engine| {
            let id = engine.facts().id;
            let any = || sizer.texts().text("calc-engine-any");
            (id, if engine == Engine::Any { any() } else { id.to_owned() })
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

fn caches(_: Sizer) -> Options {
    vec![(
        "",
        KV_FORMATS
            .iter()
            .map(|format| (format.id, format.id.to_owned()))
            .collect(),
    )]
}

/// The number format of cached keys.
pub static K_CACHE: List = List {
    id: "calc-k-cache",
    options: caches,
    changes: |_| 0,
    get: |s| s.k_cache.id,
    set: |s, id| set_cache(&mut s.k_cache, id),
};

/// The number format of cached values.
pub static V_CACHE: List = List {
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

/// The field of a list.
#[inline(never)]
pub fn list(sizer: Sizer, list: &List) -> El {
    let List {
        id,
        options,
        changes,
        get,
        set,
    } = *list;
    let field = SelectField {
        id,
        label: id,
        options: Box::new(move || options(sizer)),
        changes: Box::new(move || changes(&sizer.scenario())),
        chosen: Box::new(move || get(&sizer.scenario())),
        choose: Box::new(move |value| sizer.edit(How::Picked, &|scenario| set(scenario, value))),
    };
    select_field(sizer.state, field)
}
