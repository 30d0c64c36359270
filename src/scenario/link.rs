//! A scenario as the fragment of a link: `v=1&m=qwen3-32b&q=q4_k_m&c=32768&g=rtx-4090`.
//!
//! Keys come in the order of [`KEYS`], what equals the default of the version is left out, and what this version does
//! not know is kept and written again. A second scenario, to compare, has the same keys after `b.`, where they differ
//! from the first. docs/link.md holds the table for readers.

use super::values::{bytes, cards, count, flag, share, size, write_bytes, write_cards, write_count, write_share};
use super::{
    Checkpointing, Loss, Method, Objective, Offload, Optimizer, Precision, Scenario, Sharding, Staging, Targets, Task,
    TextPlace,
};
use crate::catalog::{Engine, Framework, Version, format, image_model, kv_format, model};
use crate::message::Message;

/// The version that [`encode`] writes.
pub const LINK_VERSION: i64 = 1;

/// The most bytes of a link's fragment, written or read.
pub const LINK_LIMIT: usize = 2000;

/// What comes before the keys of the second scenario.
const SECOND: &str = "b.";

/// Kinds of cards that a link may name.
const MOST_KINDS: usize = 8;

/// What a link holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// The scenario.
    pub scenario: Scenario,
    /// Another to compare it with.
    pub compare: Option<Scenario>,
}

/// One key: how its value is written (nothing for what is not set), and read.
pub struct Key {
    /// The key.
    pub key: &'static str,
    /// The scenario's value as text.
    pub get: fn(&Scenario) -> String,
    /// Sets the value, or answers false and leaves it if the text is none.
    pub set: fn(&mut Scenario, &str) -> bool,
}

macro_rules! counts {
    ($key:literal, $($part:ident).+) => {
        Key { key: $key, get: |s| write_count(s.$($part).+), set: |s, text| put(&mut s.$($part).+, count(text)) }
    };
}
macro_rules! counts_or_none {
    ($key:literal, $($part:ident).+) => {
        Key {
            key: $key,
            get: |s| if s.$($part).+ == 0 { String::new() } else { write_count(s.$($part).+) },
            set: |s, text| put(&mut s.$($part).+, if text.is_empty() { Some(0) } else { count(text) }),
        }
    };
}
macro_rules! flags {
    ($key:literal, $part:ident) => {
        Key {
            key: $key,
            get: |s| i64::from(s.$part).to_string(),
            set: |s, text| put(&mut s.$part, flag(text)),
        }
    };
}
macro_rules! choices {
    ($key:literal, $part:ident, $kind:ident) => {
        Key {
            key: $key,
            get: |s| s.$part.id().to_owned(),
            set: |s, text| put(&mut s.$part, $kind::by_id(text)),
        }
    };
}
macro_rules! rows {
    ($key:literal, $part:ident, $find:ident) => {
        Key {
            key: $key,
            get: |s| s.$part.id.to_owned(),
            set: |s, text| put(&mut s.$part, $find(text)),
        }
    };
}

macro_rules! models {
    ($key:literal, $part:ident) => {
        Key {
            key: $key,
            get: |s| s.$part.map_or(String::new(), |model| model.id.to_owned()),
            set: |s, text| put(&mut s.$part, optional(text, model)),
        }
    };
}

/// All keys, in the order in which they are written.
pub const KEYS: &[Key] = &[
    choices!("t", task, Task),
    Key {
        key: "m",
        get: |s| model_id(s).to_owned(),
        set: |s, text| {
            let (model, image) = (model(text), image_model(text));
            let known = text.is_empty() || model.is_some() || image.is_some();
            if known {
                (s.model, s.image_model, s.own) = (model, image, None);
            }
            known
        },
    },
    counts_or_none!("p", typed.params),
    counts_or_none!("l", typed.layers),
    counts_or_none!("h", typed.hidden),
    counts_or_none!("ff", typed.ffn),
    counts_or_none!("nh", typed.heads),
    counts_or_none!("kh", typed.kv_heads),
    counts_or_none!("hd", typed.head_dim),
    counts_or_none!("vo", typed.vocab),
    rows!("q", format, format),
    Key {
        key: "e",
        get: |s| s.engine.facts().id.to_owned(),
        set: |s, text| put(&mut s.engine, Engine::by_id(text)),
    },
    counts!("c", context),
    counts!("u", users),
    rows!("ctk", k_cache, kv_format),
    rows!("ctv", v_cache, kv_format),
    flags!("fa", flash_attention),
    flags!("un", unified),
    counts!("ub", ubatch),
    counts_or_none!("bt", batched_tokens),
    Key {
        key: "util",
        get: |s| {
            if s.utilisation == 0 {
                String::new()
            } else {
                write_share(s.utilisation)
            }
        },
        set: |s, text| put(&mut s.utilisation, if text.is_empty() { Some(0) } else { share(text) }),
    },
    Key {
        key: "ev",
        get: |s| s.version.write(),
        set: |s, text| {
            let read = if text.is_empty() {
                Some(Version::default())
            } else {
                Version::read(text)
            };
            put(&mut s.version, read)
        },
    },
    counts_or_none!("ms", sequences),
    flags!("eg", eager),
    flags!("vis", sees),
    counts!("lora", adapters),
    models!("dm", draft),
    counts!("dt", draft_tokens),
    Key {
        key: "ngl",
        get: |s| s.gpu_layers.map_or(String::new(), write_count),
        set: |s, text| put(&mut s.gpu_layers, optional(text, count)),
    },
    counts!("nc", cpu_experts),
    flags!("nkvo", cache_on_host),
    Key {
        key: "pool",
        get: |s| s.pool.map_or(String::new(), write_bytes),
        set: |s, text| put(&mut s.pool, optional(text, bytes)),
    },
    Key {
        key: "g",
        get: |s| write_cards(&s.cards),
        set: |s, text| {
            let read = if text.is_empty() { Some(Vec::new()) } else { cards(text) };
            put(&mut s.cards, read.filter(|cards| cards.len() <= MOST_KINDS))
        },
    },
    counts_or_none!("tp", tensor_parallel),
    counts_or_none!("pp", pipeline),
    Key {
        key: "held",
        get: |s| write_bytes(s.held),
        set: |s, text| put(&mut s.held, bytes(text)),
    },
    Key {
        key: "fw",
        get: |s| s.framework.facts().id.to_owned(),
        set: |s, text| put(&mut s.framework, Framework::by_id(text)),
    },
    choices!("tm", method, Method),
    choices!("obj", objective, Objective),
    choices!("op", optimizer, Optimizer),
    choices!("pr", precision, Precision),
    choices!("gc", checkpointing, Checkpointing),
    choices!("lo", loss, Loss),
    choices!("sh", sharding, Sharding),
    counts!("bs", batch),
    counts!("ga", accumulation),
    counts!("sl", sequence),
    flags!("ob", step_in_backward),
    choices!("co", offload, Offload),
    flags!("ao", offload_activations),
    flags!("tc", compiled),
    counts!("rank", rank),
    choices!("lt", targets, Targets),
    flags!("ld", dropout),
    flags!("up", raises_rest),
    flags!("emb", trains_embedding),
    Key {
        key: "res",
        get: |s| [s.width.to_string(), s.height.to_string()].join("x"),
        set: |s, text| match size(text) {
            Some((width, height)) => {
                (s.width, s.height) = (width, height);
                true
            }
            None => false,
        },
    },
    counts!("fr", frames),
    counts!("ref", references),
    counts_or_none!("cfg", prompts),
    rows!("tq", text_format, format),
    rows!("vq", vae_format, format),
    choices!("te", text_place, TextPlace),
    choices!("off", staging, Staging),
    counts!("bsw", swapped),
    counts!("tile", tile),
    counts!("cn", control_nets),
];

/// The id of the scenario's model, of either kind.
fn model_id(scenario: &Scenario) -> &'static str {
    match (scenario.model, scenario.image_model) {
        (Some(model), _) => model.id,
        (None, Some(model)) => model.id,
        (None, None) => "",
    }
}

fn put<T>(place: &mut T, value: Option<T>) -> bool {
    match value {
        Some(value) => {
            *place = value;
            true
        }
        None => false,
    }
}

/// Nothing for no text; `None` for a text that cannot be read.
fn optional<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    if text.is_empty() {
        Some(None)
    } else {
        read(text).map(Some)
    }
}

/// The keys and values that differ from `base`, in order, then the unknown ones.
pub(super) fn pairs(scenario: &Scenario, base: &Scenario) -> Vec<(String, String)> {
    let known = KEYS.iter().filter_map(|key| {
        let value = (key.get)(scenario);
        (value != (key.get)(base)).then(|| (key.key.to_owned(), value))
    });
    known.chain(scenario.others.iter().cloned()).collect()
}

/// The link's fragment, without `#`. Unknown keys that would make it longer than [`LINK_LIMIT`] are left out.
pub fn encode(link: &Link) -> String {
    let mut text = ["v=", &LINK_VERSION.to_string()].concat();
    let mut write = |prefix: &str, pairs: Vec<(String, String)>| {
        for (key, value) in pairs {
            let mut pair = String::from("&");
            pair.push_str(prefix);
            escape(&key, &mut pair);
            pair.push('=');
            escape(&value, &mut pair);
            if text.len() + pair.len() <= LINK_LIMIT {
                text.push_str(&pair);
            }
        }
    };
    // A model from a file stays with its reader: a link says what it can of it.
    let shared = link.scenario.shared();
    write("", pairs(&shared, &Scenario::default()));
    if let Some(compare) = link.compare.as_ref().map(Scenario::shared) {
        let differing = pairs(&compare, &shared);
        // A second scenario like the first still has to be there.
        let same = differing
            .is_empty()
            .then(|| ("m".to_owned(), model_id(&compare).to_owned()));
        write(SECOND, differing.into_iter().chain(same).collect());
    }
    text
}

/// What a fragment says, `#` before it or not, and a note on each thing in it that could not be used:
/// `link-version` (`version`), `link-value` (`key`, `value`), `link-repeated` (`key`), `link-long` (`limit`).
pub fn decode(text: &str) -> (Link, Vec<Message>) {
    let mut notes = Vec::new();
    let text = text.trim().trim_start_matches(['#', '?']);
    let text = shortened(text, &mut notes);
    let mut seen: Vec<String> = Vec::new();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for part in text.split('&').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let (key, value) = (unescape(key), unescape(value));
        if key.is_empty() || key == SECOND {
            notes.push(bad_value(&key, &value));
        } else if seen.contains(&key) {
            let note = Message::new("link-repeated").with("key", excerpt(&key));
            if !notes.contains(&note) {
                notes.push(note);
            }
        } else {
            match key.strip_prefix(SECOND) {
                Some(key) => second.push((key.to_owned(), value)),
                None => first.push((key.clone(), value)),
            }
            seen.push(key);
        }
    }
    let mut scenario = Scenario::default();
    read(&mut scenario, first, &mut notes);
    let compare = (!second.is_empty()).then(|| {
        let mut compare = Scenario {
            others: Vec::new(),
            ..scenario.clone()
        };
        read(&mut compare, second, &mut notes);
        compare
    });
    (Link { scenario, compare }, notes)
}

fn read(scenario: &mut Scenario, pairs: Vec<(String, String)>, notes: &mut Vec<Message>) {
    for (key, value) in pairs {
        if key == "v" {
            if value != LINK_VERSION.to_string() {
                notes.push(Message::new("link-version").with("version", excerpt(&value)));
            }
        } else if let Some(known) = KEYS.iter().find(|known| known.key == key) {
            if !(known.set)(scenario, &value) {
                notes.push(bad_value(&key, &value));
            }
        } else {
            scenario.others.push((key, value));
        }
    }
}

fn bad_value(key: &str, value: &str) -> Message {
    Message::new("link-value")
        .with("key", excerpt(key))
        .with("value", excerpt(value))
}

/// At most 40 characters of a foreign text.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The text up to the last whole pair within [`LINK_LIMIT`].
fn shortened<'a>(text: &'a str, notes: &mut Vec<Message>) -> &'a str {
    if text.len() <= LINK_LIMIT {
        return text;
    }
    notes.push(Message::new("link-long").with("limit", LINK_LIMIT as i64));
    let mut end = LINK_LIMIT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = &text[..end];
    &text[..text.rfind('&').unwrap_or(0)]
}

/// Appends `text`, with all but letters, digits and a few harmless signs as `%XX`.
fn escape(text: &str, to: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~*,:/".contains(&byte) {
            to.push(byte as char);
        } else {
            let digit = |value: u8| {
                char::from_digit(u32::from(value), 16)
                    .unwrap_or('0')
                    .to_ascii_uppercase()
            };
            to.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
}

/// The text with `%XX` and `+` read; what is no pair of digits stays, what is no UTF-8 is replaced.
fn unescape(text: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| (*byte as char).to_digit(16));
    let input = text.as_bytes();
    let mut output = Vec::with_capacity(input.len());
    let mut at = 0;
    while let Some(&byte) = input.get(at) {
        let pair = (digit(input.get(at + 1)), digit(input.get(at + 2)));
        match (byte, pair) {
            (b'%', (Some(high), Some(low))) => {
                output.push((high * 16 + low) as u8);
                at += 2;
            }
            (b'+', _) => output.push(b' '),
            _ => output.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&output).into_owned()
}
