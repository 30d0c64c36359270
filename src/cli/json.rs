//! The JSON of `vramfit explain --json`, as docs/json.md has it: a stable face over the core's types.

use crate::advice::Advice;
use crate::diagnosis::{Corrections, Diagnosis, own_processes};
use crate::i18n::Texts;
use crate::paste::{Evidence, Figure, Finding, Value};
use crate::scenario::{KEYS, Scenario};
use serde::Serialize;

/// The whole answer.
#[derive(Serialize)]
pub struct Answer<'a> {
    version: u32,
    verdict: &'static str,
    findings: Vec<FindingJson<'a>>,
    findings_count: usize,
    primary: Option<usize>,
    headline: String,
    missing_bytes: Option<i64>,
    causes: Vec<CauseJson>,
    fixes: Vec<FixJson>,
    not_needed: Vec<RefusedJson>,
    card: CardGuessJson,
    scenario: serde_json::Map<String, serde_json::Value>,
    scenario_from: Vec<PlaceJson<'a>>,
    incomplete: Vec<String>,
}

#[derive(Serialize)]
struct PlaceJson<'a> {
    key: &'static str,
    text: &'a str,
    span: [usize; 2],
}

#[derive(Serialize)]
struct FindingJson<'a> {
    id: String,
    tool: &'static str,
    format: &'static str,
    device: Option<i64>,
    rank: Option<i64>,
    figures: Vec<FigureJson<'a>>,
    processes: Vec<ProcessJson<'a>>,
    cards: Vec<CardJson<'a>>,
    span: [usize; 2],
    recovered: bool,
    times: usize,
}

#[derive(Serialize)]
struct FigureJson<'a> {
    name: &'static str,
    bytes: Option<i64>,
    value: Option<f64>,
    text: &'a str,
    span: [usize; 2],
}

#[derive(Serialize)]
struct ProcessJson<'a> {
    pid: Option<i64>,
    name: Option<&'a str>,
    bytes: Option<i64>,
    own: Option<bool>,
}

#[derive(Serialize)]
struct CardJson<'a> {
    index: Option<i64>,
    name: Option<&'a str>,
    total_bytes: Option<i64>,
    used_bytes: Option<i64>,
    utilization_percent: Option<i64>,
}

#[derive(Serialize)]
struct CauseJson {
    id: &'static str,
    confidence: &'static str,
    because: Vec<ReasonJson>,
}

#[derive(Serialize)]
struct ReasonJson {
    r#for: bool,
    text: String,
}

#[derive(Serialize)]
struct FixJson {
    id: &'static str,
    family: &'static str,
    saves_bytes: Option<[i64; 2]>,
    fits_after: Option<bool>,
    command: Option<String>,
    text: String,
}

#[derive(Serialize)]
struct RefusedJson {
    id: &'static str,
    because: String,
}

#[derive(Serialize)]
struct CardGuessJson {
    class_gb: Option<i64>,
    candidates: Vec<&'static str>,
    id: Option<&'static str>,
}

/// The answer about a text.
pub fn answer<'a>(
    text: &'a str,
    evidence: &'a Evidence,
    diagnosis: &Diagnosis,
    advice: &Advice,
    texts: &Texts,
) -> Answer<'a> {
    let findings = evidence
        .findings
        .iter()
        .enumerate()
        .map(|(number, finding)| self::finding(text, number, finding));
    let causes = diagnosis.causes.iter().map(|cause| CauseJson {
        id: cause.id,
        confidence: cause.confidence.id(),
        because: cause
            .because
            .iter()
            .map(|reason| ReasonJson {
                r#for: reason.speaks_for,
                text: texts.message(&reason.message),
            })
            .collect(),
    });
    let fixes = advice.fixes.iter().map(|fix| FixJson {
        id: fix.id,
        family: fix.family,
        saves_bytes: fix.saves.map(|(low, high)| [low.0, high.0]),
        fits_after: fix.fits_after,
        command: fix.commands.first().map(|command| command.text.clone()),
        text: texts.message(&fix.text),
    });
    let refused = advice.refused.iter().map(|refused| RefusedJson {
        id: refused.id,
        because: texts.message(&refused.because),
    });
    Answer {
        version: 1,
        verdict: diagnosis.verdict.id(),
        findings: findings.collect(),
        findings_count: evidence.count,
        primary: diagnosis.primary,
        headline: texts.message(&diagnosis.headline),
        missing_bytes: diagnosis.missing.map(|missing| missing.0),
        causes: causes.collect(),
        fixes: fixes.collect(),
        not_needed: refused.collect(),
        card: CardGuessJson {
            class_gb: diagnosis.card.class_gb,
            candidates: diagnosis.card.candidates.clone(),
            id: diagnosis.card.id,
        },
        scenario: scenario(&diagnosis.scenario),
        scenario_from: diagnosis
            .told_at
            .iter()
            .map(|(key, place)| PlaceJson {
                key,
                text: place.of(text),
                span: [place.start, place.end],
            })
            .collect(),
        incomplete: diagnosis
            .incomplete
            .iter()
            .map(|message| texts.message(message))
            .collect(),
    }
}

/// What differs from a link's defaults, by the link's keys.
fn scenario(told: &Scenario) -> serde_json::Map<String, serde_json::Value> {
    let default = Scenario::default();
    let pairs = KEYS.iter().map(|key| (key.key, (key.get)(told), (key.get)(&default)));
    pairs
        .filter(|(_, value, default)| value != default)
        .map(|(key, value, _)| (key.to_owned(), value.into()))
        .collect()
}

fn finding<'a>(text: &'a str, number: usize, finding: &'a Finding) -> FindingJson<'a> {
    let own = own_processes(finding, &Corrections::default());
    let processes = finding.processes.iter().zip(own).map(|(process, own)| ProcessJson {
        pid: process.pid,
        name: process.name.as_deref(),
        bytes: process.bytes.map(|bytes| bytes.0),
        own,
    });
    let cards = finding.cards.iter().map(|card| CardJson {
        index: card.index,
        name: card.name.as_deref(),
        total_bytes: card.total.map(|bytes| bytes.0),
        used_bytes: card.used.map(|bytes| bytes.0),
        utilization_percent: card.utilization,
    });
    FindingJson {
        id: format!("{}-{number}", finding.rows.first().copied().unwrap_or("finding")),
        tool: finding.tool,
        format: finding.format,
        device: finding.device,
        rank: finding.rank,
        figures: finding
            .figures
            .iter()
            .map(|figure| self::figure(text, figure))
            .collect(),
        processes: processes.collect(),
        cards: cards.collect(),
        span: [finding.span.start, finding.span.end],
        recovered: finding.recovered,
        times: finding.times,
    }
}

/// What is told apart only by when it was printed has one name outside.
fn public_name(name: &'static str) -> &'static str {
    match name {
        "free_at_start" => "free",
        "total_vram" | "vram_total" => "total",
        name => name,
    }
}

fn figure<'a>(text: &'a str, figure: &Figure) -> FigureJson<'a> {
    let (bytes, value) = match &figure.value {
        Value::Bytes(bytes) => (Some(bytes.0), None),
        Value::Count(count) => (None, Some(*count as f64)),
        Value::Number(number) => (None, Some(number.as_f64())),
        Value::Unlimited | Value::Word(_) => (None, None),
    };
    FigureJson {
        name: public_name(figure.name),
        bytes,
        value,
        text: figure.span.of(text),
        span: [figure.span.start, figure.span.end],
    }
}
