//! Evidence into causes, ranked, each with the figures that speak for and against it.

pub mod card;
mod causes;
mod engines;
mod frameworks;
mod ggml;
mod host_memory;
mod job;
mod leak;
mod libraries;
pub mod monitors;
mod picture;
mod primary;
mod pytorch;
mod start;

pub use card::CardGuess;
pub use engines::context_that_fits;
pub use ggml::{Stage, at_work as ggml_at_work, is_ollama, stage};
pub use picture::{Amounts, Part, Picture, own_processes};
pub use start::{Held, devices};

use crate::message::Message;
use crate::paste::{Evidence, Finding, Shape, Span};
use crate::scenario::Scenario;
use crate::units::Bytes;

/// The ids of the causes, as docs/json.md explains them.
pub const CAUSES: &[&str] = &[
    "card-full",
    "request-too-large",
    "fragmentation",
    "other-process",
    "orphan-process",
    "memory-cap",
    "mig-slice",
    "per-allocation-limit",
    "not-capacity",
    "unified-memory-shared",
    "pinned-host",
    "cuda-context",
    "other-allocations",
    "preallocation",
    "kv-too-small",
    "kv-none",
    "startup-free",
    "warmup-head-room",
    "partial-offload",
    "does-not-fit-planned",
    "estimate-too-optimistic",
    "estimator-bug",
    "smallest-device",
    "host-ram",
    "paging-file",
    "shm",
    "disk",
    "on-chip-shared-memory",
    "kernel-bug",
    "allocator-bug",
    "not-memory-index-error",
    "recovered",
    "contradictory-evidence",
    "card-idle",
    "info-success",
    "info-devices",
    "not-an-error",
    "not-an-error-of-memory",
    "leak-suspected",
    "unknown-no-figures",
];

/// The ids of the parts of a picture.
pub const PARTS: &[&str] = &[
    "allocated",
    "reserved",
    "own-outside",
    "others",
    "metal",
    "unaccounted",
    "engine",
    "weights",
    "kv-cache",
    "activations",
    "compute",
    "graph",
    "engine-other",
    "untold",
    "free",
];

/// What kind of thing happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The GPU's memory ran out.
    GpuMemory,
    /// The computer's memory ran out.
    HostMemory,
    /// Shared memory (/dev/shm) ran out.
    SharedMemory,
    /// Another limit was hit: one buffer's size, on-chip memory, disk.
    OtherLimit,
    /// An error that has nothing to do with memory.
    NotMemory,
    /// No error at all.
    NoError,
    /// The text does not say.
    Unknown,
}

impl Verdict {
    /// Its name in the JSON.
    pub fn id(self) -> &'static str {
        match self {
            Verdict::GpuMemory => "gpu-memory",
            Verdict::HostMemory => "host-memory",
            Verdict::SharedMemory => "shared-memory",
            Verdict::OtherLimit => "other-limit",
            Verdict::NotMemory => "not-memory",
            Verdict::NoError => "no-error",
            Verdict::Unknown => "unknown",
        }
    }
}

/// How sure a cause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The figures leave it open.
    Possible,
    /// The figures speak for it.
    Likely,
    /// The figures prove it.
    Sure,
}

impl Confidence {
    /// Its name in the JSON; the message is `confidence-{id}`.
    pub fn id(self) -> &'static str {
        match self {
            Confidence::Possible => "possible",
            Confidence::Likely => "likely",
            Confidence::Sure => "sure",
        }
    }
}

/// A figure that speaks for or against a cause, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Whether it speaks for the cause.
    pub speaks_for: bool,
    /// The figure and what follows from it.
    pub message: Message,
}

/// One possible cause. Its name is the message `cause-{id}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// Its id, of the list in docs/json.md.
    pub id: &'static str,
    /// How sure it is.
    pub confidence: Confidence,
    /// The figures for and against it.
    pub because: Vec<Reason>,
}

impl Cause {
    #[inline(never)]
    fn new(id: &'static str, confidence: Confidence) -> Box<Cause> {
        Box::new(Cause {
            id,
            confidence,
            because: Vec::new(),
        })
    }

    #[inline(never)]
    fn because(mut self: Box<Self>, message: Message) -> Box<Cause> {
        self.because.push(Reason {
            speaks_for: true,
            message,
        });
        self
    }

    #[inline(never)]
    fn although(mut self: Box<Self>, message: Message) -> Box<Cause> {
        self.because.push(Reason {
            speaks_for: false,
            message,
        });
        self
    }
}

/// What the reader put right by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corrections {
    /// The card, by its catalogue id.
    pub card: Option<&'static str>,
    /// Processes, by their pid, that are (or are not) the reader's own job.
    pub own: Vec<(i64, bool)>,
}

/// Why it failed.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// What kind of thing happened.
    pub verdict: Verdict,
    /// The finding that matters, by its index in the evidence.
    pub primary: Option<usize>,
    /// One sentence with the figure that counts.
    pub headline: Message,
    /// A second sentence under it: what the figure does not tell.
    pub caution: Option<Message>,
    /// At least so much is missing.
    pub missing: Option<Bytes>,
    /// The causes, the likeliest first.
    pub causes: Vec<Box<Cause>>,
    /// How the card was filled when it failed.
    pub picture: Option<Picture>,
    /// Which card it is.
    pub card: CardGuess,
    /// What the text tells about the job.
    pub scenario: Scenario,
    /// Where it tells so, by the keys of a link.
    pub told_at: Vec<(&'static str, Span)>,
    /// The model as the text names it, where that is safe on a command line.
    pub model_name: Option<String>,
    /// What was cut off, was not understood, or cannot be right.
    pub incomplete: Vec<Message>,
}

/// Diagnoses what a text said, with what the reader put right.
pub fn diagnose(evidence: &Evidence, corrections: &Corrections) -> Box<Diagnosis> {
    let primary = primary::choose(evidence);
    let finding: Option<&Finding> = primary.and_then(|number| evidence.findings.get(number));
    let card = card::guess(evidence, finding, corrections);
    let mut diagnosis = match finding {
        Some(finding) => causes::of(evidence, finding, &card, corrections),
        None => causes::nothing(evidence.shape),
    };
    if diagnosis.verdict == Verdict::GpuMemory {
        diagnosis.causes.extend(leak::suspicion(evidence));
        later_table(evidence, finding, &mut diagnosis);
    }
    diagnosis.primary = primary;
    let told = job::told(evidence);
    let split = told.scenario.tensor_parallel.max(1);
    let mut cards = card.scenario().cards;
    cards.iter_mut().for_each(|cards| cards.count = split);
    diagnosis.scenario = Scenario {
        held: held(finding, corrections),
        cards,
        ..told.scenario
    };
    diagnosis.told_at = told.from;
    diagnosis.told_at.extend(card.place.map(|place| ("g", place)));
    diagnosis.model_name = told.name;
    diagnosis.card = card;
    diagnosis.incomplete = incomplete(evidence, finding);
    diagnosis
}

/// A monitor's table that shows room was taken after the failure: it does not speak against it.
fn later_table(evidence: &Evidence, finding: Option<&Finding>, diagnosis: &mut Diagnosis) {
    if let Some(state) = monitors::state(evidence)
        && finding.is_some_and(|finding| finding.kind.is_failure())
        && state.percent() < 50
        && diagnosis.caution.is_none()
    {
        let caution = Message::new("caution-table-later");
        diagnosis.caution = Some(caution.with("used", state.used).with("total", state.total));
    }
}

/// What others hold of the card, for the calculator.
fn held(finding: Option<&Finding>, corrections: &Corrections) -> Bytes {
    let Some(finding) = finding.filter(|finding| !pytorch::whose_is_open(finding)) else {
        return Bytes::ZERO;
    };
    Amounts::of(finding, &own_processes(finding, corrections)).others
}

/// What the text left open: messages that break off, figures that the driver does not give.
fn incomplete(evidence: &Evidence, finding: Option<&Finding>) -> Vec<Message> {
    let cuts = evidence.cuts.iter().take(8).map(|cut| cut.figure);
    let broken = finding
        .filter(|_| evidence.cuts.is_empty())
        .and_then(picture::breaks_off_before);
    let mut open: Vec<Message> = cuts
        .chain(broken)
        .map(|figure| Message::new("incomplete-cut").with("figure", figure))
        .collect();
    open.dedup();
    if evidence.findings.iter().any(|finding| finding.has("async-cut")) {
        open.push(Message::new("incomplete-async"));
    }
    if evidence.findings.is_empty() && evidence.shape == Shape::OnlyTheWords {
        open.push(Message::new("incomplete-only-words"));
    }
    open
}
