//! What a monitor's table shows: who holds the card, whether anybody is named, whether the card is idle. And PyTorch's
//! own table, image programs' and training programs' memory lines.

use super::picture::{Part, Picture};
use super::{Cause, Confidence, Diagnosis, Verdict};
use crate::message::Message;
use crate::paste::{Card, Evidence, Finding, Kind, Process};
use crate::units::{Bytes, GIB};

/// A card of which less is in use holds a desktop or nothing.
const IDLE: Bytes = Bytes(4 * GIB);

/// The fullest card of all monitors in a text.
pub struct State<'a> {
    /// The card.
    pub card: &'a Card,
    /// Memory in use on it.
    pub used: Bytes,
    /// Its capacity.
    pub total: Bytes,
    /// The processes on it, where the table has a list.
    pub processes: Vec<&'a Process>,
}

fn tables(evidence: &Evidence) -> impl Iterator<Item = &Finding> {
    let is_table = |finding: &&Finding| {
        finding.kind == Kind::Monitor || (finding.kind == Kind::ImageLoad && finding.has("webui-footer"))
    };
    evidence.findings.iter().filter(is_table)
}

/// The fullest card, with who is on it; `None` without a table that gives both use and capacity.
pub fn state(evidence: &Evidence) -> Option<State<'_>> {
    let cards = tables(evidence).flat_map(|table| table.cards.iter().map(move |card| (table, card)));
    let known = cards.filter_map(|(table, card)| Some((table, card, card.used?, card.total?)));
    let (table, card, used, total) = known
        .filter(|(.., total)| *total > Bytes::ZERO)
        .max_by_key(|(.., used, total)| used.share(1000, total.0).0)?;
    let alone = table.cards.len() == 1;
    let here = |process: &&Process| alone || process.gpu.is_none() || process.gpu == card.index;
    Some(State {
        card,
        used,
        total,
        processes: table.processes.iter().filter(here).collect(),
    })
}

impl State<'_> {
    /// How full the card is.
    pub fn percent(&self) -> i64 {
        self.used.percent_of(self.total)
    }

    /// What the listed processes hold; `None` where none is listed with an amount.
    pub fn holders(&self) -> Option<Bytes> {
        let held: Bytes = self.processes.iter().filter_map(|process| process.bytes).sum();
        (held > Bytes::ZERO).then_some(held)
    }

    /// The card as a bar: processes, memory that none of them accounts for, free memory.
    pub fn picture(&self) -> Picture {
        let others = self.holders().unwrap_or_default();
        let parts = [
            ("others", others),
            ("unaccounted", (self.used - others).floor_zero()),
            ("free", (self.total - self.used).floor_zero()),
        ];
        let parts = parts.into_iter().filter(|(_, bytes)| *bytes > Bytes::ZERO);
        Picture {
            total: self.total,
            parts: parts.map(|(id, bytes)| Part { id, bytes }).collect(),
            requested: None,
            spilled: Bytes::ZERO,
        }
    }
}

/// What nvidia-smi calls a process whose parent is dead.
fn is_dead(process: &&Process) -> bool {
    let name = process.name.as_deref().unwrap_or_default();
    process.bytes.is_some() && matches!(name, "Unknown Error" | "[Unknown Error]" | "No data" | "[No data]")
}

/// A monitor's table without any error beside it.
pub fn monitor(evidence: &Evidence, finding: &Finding) -> Box<Diagnosis> {
    let count: usize = tables(evidence).map(|table| table.cards.len()).sum();
    let said = |row: &str| tables(evidence).any(|table| table.has(row));
    let dead: Bytes = tables(evidence)
        .flat_map(|table| &table.processes)
        .filter(is_dead)
        .filter_map(|p| p.bytes)
        .sum();
    let state = state(evidence);
    let listed = tables(evidence).any(|table| !table.processes.is_empty());
    let slice = finding
        .cards
        .iter()
        .any(|card| card.name.as_deref().is_some_and(|name| name.starts_with("MIG ")));
    let percent = finding.count("vram_percent");
    let processes = tables(evidence).map(|table| table.processes.len()).sum::<usize>();
    let headline = match (count, processes) {
        (0, 1..) => Message::new("headline-monitor-processes").with("count", processes as i64),
        (0, 0) => Message::new("headline-monitor-list"),
        _ => Message::new("headline-monitor-devices").with("count", count as i64),
    };
    let mut diagnosis = Diagnosis::plain(Verdict::NoError, headline);
    let devices = || Cause::new("info-devices", Confidence::Likely).because(Message::new("because-monitor-no-error"));
    let mut causes = Vec::new();
    if let Some(state) = &state {
        diagnosis.picture = Some(state.picture());
    }
    if dead > Bytes::ZERO {
        diagnosis.headline = Message::new("headline-monitor-orphans").with("held", dead);
        causes.push(Cause::new("orphan-process", Confidence::Likely).because(Message::new("because-monitor-dead")));
    } else if slice && state.is_some() {
        diagnosis.headline = Message::new("headline-monitor-slice");
        causes.push(Cause::new("mig-slice", Confidence::Likely).because(Message::new("because-monitor-slice")));
        causes.push(devices());
    } else if said("smi-unified") {
        diagnosis.headline = Message::new("headline-monitor-unified");
        let because = Message::new("because-monitor-unified");
        causes.push(Cause::new("unified-memory-shared", Confidence::Likely).because(because));
        causes.push(devices());
    } else if let Some(state) = state {
        let told = |id| Message::new(id).with("used", state.used).with("total", state.total);
        let empty = said("smi-no-processes") || (said("smi-processes") && !listed);
        if empty && state.percent() >= 20 {
            diagnosis.headline = told("headline-monitor-hidden");
            let because = Message::new("because-monitor-hidden");
            causes.push(Cause::new("other-process", Confidence::Likely).because(because));
            causes.push(Cause::new("orphan-process", Confidence::Possible));
        } else if count == 1 && state.percent() >= 85 {
            diagnosis.headline = told("headline-monitor-full");
            causes.push(holder(&state));
            causes.push(devices());
        } else if count == 1 && state.percent() < 15 && state.used < IDLE && state.card.utilization < Some(50) {
            diagnosis.headline = told("headline-monitor-idle");
            let because = told("because-monitor-idle");
            causes.push(Cause::new("card-idle", Confidence::Likely).because(because));
        } else {
            causes.push(devices());
        }
    } else if percent.is_some_and(|percent| percent >= 85) && count == 1 {
        causes.push(Cause::new("other-process", Confidence::Possible).because(Message::new("because-monitor-share")));
        causes.push(devices());
    } else {
        causes.push(devices());
    }
    diagnosis.causes = causes;
    diagnosis
}

/// Names of programs that hold the card on purpose, and the message that says so.
const HOLDERS: [(&str, &str); 4] = [
    ("vllm", "because-holder-vllm"),
    ("ollama", "because-holder-ollama"),
    ("llama", "because-holder-ollama"),
    ("python", "because-holder-python"),
];

/// The program that holds a full card, by the name of its largest process.
fn holder(state: &State) -> Box<Cause> {
    let largest = state
        .processes
        .iter()
        .max_by_key(|process| process.bytes.unwrap_or_default());
    let name = largest.and_then(|process| process.name.as_deref()).unwrap_or_default();
    let lower = name.to_ascii_lowercase();
    let because = HOLDERS
        .iter()
        .find(|(word, _)| lower.contains(word))
        .map_or("because-holder", |found| found.1);
    let held = state.holders().unwrap_or(state.used);
    Cause::new("other-process", Confidence::Likely).because(Message::new(because).with("held", held))
}

/// PyTorch's own table: alone, or beside a message that broke off before its figures.
pub fn summary(evidence: &Evidence, summary: &Finding) -> Box<Diagnosis> {
    let allocated = summary.bytes("allocated").unwrap_or_default();
    let reserved = summary.bytes("reserved").unwrap_or_default().0.max(allocated.0);
    let reserved = Bytes(reserved);
    let failed = summary.count("failures").is_some_and(|count| count > 0)
        || evidence
            .findings
            .iter()
            .any(|finding| finding.kind.is_failure() && !finding.recovered);
    let total = evidence.findings.iter().find_map(|finding| {
        finding
            .bytes("total_vram")
            .or_else(|| finding.cards.iter().find_map(|card| card.total))
    });
    let headline = Message::new("headline-summary")
        .with("allocated", allocated)
        .with("reserved", reserved);
    let verdict = if failed { Verdict::GpuMemory } else { Verdict::NoError };
    let mut diagnosis = Diagnosis::plain(verdict, headline);
    let cache = reserved - allocated;
    if let Some(total) = total.filter(|total| *total >= reserved) {
        let parts = [
            ("allocated", allocated),
            ("reserved", cache),
            ("free", total - reserved),
        ];
        let parts = parts.into_iter().filter(|(_, bytes)| *bytes > Bytes::ZERO);
        diagnosis.picture = Some(Picture {
            total,
            parts: parts.map(|(id, bytes)| Part { id, bytes }).collect(),
            requested: None,
            spilled: Bytes::ZERO,
        });
    }
    if !failed {
        diagnosis.causes.push(Cause::new("info-success", Confidence::Likely));
        return diagnosis;
    }
    let because = Message::new("because-summary")
        .with("allocated", allocated)
        .with("reserved", reserved);
    let full = Cause::new("card-full", Confidence::Likely).because(because.clone());
    let fragments = Cause::new("fragmentation", Confidence::Possible).because(because);
    // A reserve of a quarter beside the live tensors might have served the request, had it been in one piece.
    diagnosis.causes = if cache.share(4, 1) >= reserved {
        vec![full, fragments]
    } else {
        vec![full]
    };
    diagnosis
        .causes
        .push(Cause::new("unknown-no-figures", Confidence::Possible));
    diagnosis
}

/// PyTorch's table in the text, if there is one.
pub fn summary_in(evidence: &Evidence) -> Option<&Finding> {
    evidence
        .findings
        .iter()
        .find(|finding| finding.kind == Kind::MemorySummary && finding.bytes("allocated").is_some())
}

/// Where an image program put its models.
pub fn image_load(finding: &Finding) -> Box<Diagnosis> {
    let short = finding
        .bytes("remaining")
        .is_some_and(|remaining| remaining < Bytes::ZERO);
    let part = ["image-part", "image-part-short", "forge-swap"]
        .iter()
        .any(|row| finding.has(row))
        || short;
    let (headline, cause) = match part {
        true => (
            match finding.bytes("offloaded") {
                Some(offloaded) => Message::new("headline-image-part-size").with("offloaded", offloaded),
                None => Message::new("headline-image-part"),
            },
            Cause::new("partial-offload", Confidence::Sure).because(Message::new("because-image-part")),
        ),
        false => (
            Message::new("headline-image-load"),
            Cause::new("info-success", Confidence::Likely),
        ),
    };
    let mut diagnosis = Diagnosis::plain(Verdict::NoError, headline);
    diagnosis.causes.push(cause);
    diagnosis
}

/// A training program's memory figures.
pub fn training_log() -> Box<Diagnosis> {
    let mut diagnosis = Diagnosis::plain(Verdict::NoError, Message::new("headline-training-log"));
    diagnosis.causes.push(Cause::new("info-success", Confidence::Likely));
    diagnosis
}
