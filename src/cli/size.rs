//! `vramfit size [--json] [--lang LANG] [--file FILE]… LINK`: what the job of a link needs, and what fits.

use serde::Serialize;

use super::own;
use crate::catalog;
use crate::files::{What, choose};
use crate::message::{Arg, Message};
use crate::scenario::{CardKind, KEYS, Scenario, decode};
use crate::sizing::{
    By, Fits, Moment, Solution, Span, Value, estimate, fits, kv_cache, placement, pool, solve_all, streamed, usable,
};
use crate::units::Bytes;

/// The answer as JSON, documented in docs/json.md.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The parts of the memory of the fullest card.
    pub parts: Vec<PartJson>,
    /// Their sum: low, mid, high.
    pub total: [i64; 3],
    /// The stages of making an image or a video, in the order of time; nothing for other jobs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageJson>,
    /// In training the moment of a step that the parts are those of: `loss`, `backward`, `gradients` or `step`.
    pub moment: Option<&'static str>,
    /// The card, if one is named.
    pub card: Option<CardJson>,
    /// `yes`, `tight` or `no`; nothing without a card.
    pub fits: Option<&'static str>,
    /// Each lever's best value that fits.
    pub solved: serde_json::Map<String, serde_json::Value>,
    /// Tokens of the KV cache pool, for engines that fill one.
    pub kv_pool_tokens: Option<i64>,
    /// Where the layers are, for llama.cpp and Ollama.
    pub placement: Option<PlacementJson>,
    /// The model that was read from files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<OwnJson>,
    /// What was read of files and what is missing, by the ids of the messages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<&'static str>,
    /// What of the link could not be used.
    pub notes: Vec<NoteJson>,
}

/// One part.
#[derive(Debug, Serialize)]
pub struct PartJson {
    /// Its id.
    pub id: &'static str,
    /// Low, mid, high.
    pub bytes: [i64; 3],
    /// `exact`, `measured` or `rule-of-thumb`.
    pub basis: &'static str,
}

/// One stage.
#[derive(Debug, Serialize)]
pub struct StageJson {
    /// Its id.
    pub id: &'static str,
    /// Low, mid, high.
    pub bytes: [i64; 3],
    /// Whether it is the fullest, whose parts are given.
    pub fullest: bool,
}

/// Where the layers are.
#[derive(Debug, Serialize)]
pub struct PlacementJson {
    /// Layers on the cards, the head counted as one.
    pub layers: i64,
    /// Of how many.
    pub of: i64,
    /// Percent of weights and cache on the cards.
    pub percent: i64,
    /// Weights and cache in the computer's memory: low, mid, high.
    pub host_bytes: [i64; 3],
}

/// The card.
#[derive(Debug, Serialize)]
pub struct CardJson {
    /// Its id; nothing for a typed amount.
    pub id: Option<&'static str>,
    /// How many.
    pub count: i64,
    /// What the job can use of each.
    pub usable_bytes: i64,
}

/// A model from files.
#[derive(Debug, Serialize)]
pub struct OwnJson {
    /// What it calls itself, or the file's name.
    pub name: String,
    /// Parameters, all of them.
    pub params: i64,
    /// Those that one token passes through.
    pub active: i64,
    /// Layers.
    pub layers: i64,
    /// Longest context; 0 where the files don't say it.
    pub context: i64,
    /// The weights' format: an id of src/catalog/formats.csv or mixes.csv.
    pub format: &'static str,
    /// Bytes of all tensors; nothing where the files only tell the architecture.
    pub weights_bytes: Option<i64>,
}

/// A note on the link.
#[derive(Debug, Serialize)]
pub struct NoteJson {
    /// Its id.
    pub id: &'static str,
    /// The key that it is about.
    pub key: String,
}

/// Runs the command; `say` turns a message into a sentence of the language asked for, `files` are a model's.
///
/// # Errors
/// If the arguments are wrong, a file can't be read, or neither link nor files name a model.
pub fn run(args: &[String], files: &[String], say: impl Fn(&Message) -> String) -> Result<String, String> {
    let json = args.iter().any(|arg| arg == "--json");
    let links: Vec<&String> = args
        .iter()
        .filter(|arg| arg.contains('=') && !arg.starts_with("--"))
        .collect();
    let link = match links.as_slice() {
        [link] => link.as_str(),
        [] if !files.is_empty() => "",
        _ => return Err(say(&Message::new("size-usage"))),
    };
    let (read, notes) = decode(link);
    let mut scenario = read.scenario;
    let mut said = Vec::new();
    if !files.is_empty() {
        let found = own::model(files, &say)?;
        said = found.said;
        with_files(&mut scenario, link, found.what);
    }
    let mut answer = answer(&scenario, &notes).ok_or_else(|| say(&Message::new("size-no-model")))?;
    answer.said = said.iter().map(|message| message.id).collect();
    if json {
        let text = serde_json::to_string_pretty(&answer).map_err(|error| error.to_string())?;
        return Ok(text + "\n");
    }
    let said: String = said.iter().map(|message| say(message) + "\n").collect();
    Ok(said + &text(&scenario, &answer, &notes, say))
}

/// What files tell in the link's scenario; whatever the link names stays as it says.
fn with_files(scenario: &mut Scenario, link: &str, what: What) {
    let linked = scenario.clone();
    choose(scenario, what);
    let named = |key: &str| {
        link.split(['&', '#', '?'])
            .any(|pair| pair.split('=').next() == Some(key))
    };
    for key in KEYS.iter().filter(|key| key.key != "m" && named(key.key)) {
        (key.set)(scenario, &(key.get)(&linked));
    }
}

/// The answer on a scenario; `None` if it names no model, or a task that is not sized.
pub fn answer(scenario: &Scenario, notes: &[Message]) -> Option<Answer> {
    let estimate = estimate(scenario)?;
    let parts = estimate.parts.iter().map(|part| PartJson {
        id: part.id.id(),
        bytes: bytes(part.span),
        basis: part.basis.id(),
    });
    let stages = estimate.stages.iter().map(|(stage, span)| StageJson {
        id: stage.id(),
        bytes: bytes(*span),
        fullest: estimate.fullest == Some(*stage),
    });
    let card = scenario.card().zip(usable(scenario)).map(|(kind, usable)| CardJson {
        id: match kind {
            CardKind::Known(card) => Some(card.id),
            CardKind::Typed(_) => None,
        },
        count: scenario.card_count(),
        usable_bytes: usable.0,
    });
    Some(Answer {
        parts: parts.collect(),
        total: bytes(estimate.total),
        stages: stages.collect(),
        moment: estimate.moment.map(Moment::id),
        card,
        fits: fits(scenario).map(Fits::id),
        solved: solved(scenario),
        kv_pool_tokens: pool(scenario).and_then(|pool| kv_cache::pool_tokens(scenario, pool)),
        placement: placement(scenario).map(|placed| PlacementJson {
            layers: placed.layers,
            of: placed.of,
            percent: placed.percent(),
            host_bytes: bytes(placed.host),
        }),
        own: scenario.own.as_ref().map(|own| OwnJson {
            name: own.name.clone(),
            params: own.model.params,
            active: own.model.active,
            layers: own.model.layers,
            context: own.model.context,
            format: own.format.id,
            weights_bytes: own.tensors.as_ref().map(|tensors| tensors.all().0),
        }),
        said: Vec::new(),
        notes: notes
            .iter()
            .map(|note| NoteJson {
                id: note.id,
                key: key(note),
            })
            .collect(),
    })
}

fn bytes(span: Span) -> [i64; 3] {
    [span.low.0, span.mid.0, span.high.0]
}

fn key(note: &Message) -> String {
    match note.args.first() {
        Some((_, Arg::Text(text))) => text.clone(),
        _ => String::new(),
    }
}

/// `{"context": 12288, "context_mid": 40960, …}`: by the high end, and by the middle; null where nothing fits.
fn solved(scenario: &Scenario) -> serde_json::Map<String, serde_json::Value> {
    let mut map = serde_json::Map::new();
    if scenario.card().is_none() {
        return map;
    }
    let value = |solution: Option<Solution>| match solution.map(|solution| solution.value) {
        Some(Value::Count(count)) => count.into(),
        Some(Value::Format(format)) => format.id.into(),
        Some(Value::Cache(format)) => format.id.into(),
        Some(Value::Size(width, height)) => format!("{width}x{height}").into(),
        None => serde_json::Value::Null,
    };
    for found in solve_all(scenario) {
        for (by, solution) in [(By::High, found.high), (By::Mid, found.mid)] {
            let suffix = if by == By::High { "" } else { "_mid" };
            map.insert([found.lever.id(), suffix].concat(), value(solution));
        }
    }
    map
}

/// The lines for people: each part with its range and formula, the total, the verdict, what fits, the notes.
fn text(scenario: &Scenario, answer: &Answer, notes: &[Message], say: impl Fn(&Message) -> String) -> String {
    let mut lines = Vec::new();
    let range = |message: Message, [low, mid, high]: [i64; 3]| {
        let [low, mid, high] = [low, mid, high].map(Bytes);
        let spread = if (Span { low, mid, high }).is_one() {
            "none"
        } else {
            "some"
        };
        message
            .with("spread", spread)
            .with("low", low)
            .with("mid", mid)
            .with("high", high)
    };
    for part in estimate(scenario).map(|estimate| estimate.parts).unwrap_or_default() {
        let name = say(&Message::new("size-part").with("part", part.id.id()));
        let line = range(Message::new("size-line").with("name", name), bytes(part.span));
        lines.push(say(&line));
        lines.push(["  ", &say(&part.formula)].concat());
    }
    for stage in &answer.stages {
        let line = Message::new("size-stage")
            .with("stage", stage.id)
            .with("fullest", if stage.fullest { "yes" } else { "no" });
        lines.push(say(&range(line, stage.bytes)));
    }
    lines.push(say(&range(Message::new("size-total"), answer.total)));
    if let Some(moment) = answer.moment {
        lines.push(say(&Message::new("size-moment").with("moment", moment)));
    }
    if let (Some(card), Some(fits)) = (&answer.card, answer.fits) {
        let verdict = Message::new("size-verdict")
            .with("fits", fits)
            .with("usable", Bytes(card.usable_bytes));
        lines.push(say(&verdict
            .with(
                "card",
                card.id.and_then(catalog::card).map_or("GPU", |named| named.name),
            )
            .with("count", card.count)));
    }
    let streams = estimate(scenario)
        .zip(usable(scenario))
        .and_then(|(estimate, usable)| streamed(scenario, &estimate, usable));
    lines.extend(streams.map(|host| say(&Message::new("calc-streams").with("host", host))));
    if let Some(placed) = &answer.placement {
        let line = Message::new("size-placement")
            .with("layers", placed.layers)
            .with("of", placed.of)
            .with("percent", placed.percent);
        lines.push(say(&line.with("host", Bytes(placed.host_bytes[1]))));
    }
    for found in solve_all(scenario).iter().filter(|_| answer.card.is_some()) {
        let value = |solution: Option<Solution>| match solution.map(|solution| solution.value) {
            Some(Value::Count(count)) => Arg::Count(count),
            Some(Value::Format(format)) => format.name.into(),
            Some(Value::Cache(format)) => format.id.into(),
            Some(Value::Size(width, height)) => format!("{width}×{height}").as_str().into(),
            None => "–".into(),
        };
        let line = Message::new("size-solved").with("lever", found.lever.id());
        lines.push(say(&line.with("high", value(found.high)).with("mid", value(found.mid))));
    }
    lines.extend(scenario.doubts().iter().chain(notes).map(say));
    lines.push(String::new());
    lines.join("\n")
}
