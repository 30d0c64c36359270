//! CUDA's libraries, NCCL and the driver: shortages without figures, which a monitor's table in the same text may
//! supply; and the chip's own limits, which no memory lifts.

use super::monitors::{self, State};
use super::{Cause, Confidence, Diagnosis, Verdict, host_memory};
use crate::message::Message;
use crate::paste::{Evidence, Finding, Kind};

/// A library or the driver was refused memory, or failed as if it had been.
pub fn shortage(evidence: &Evidence, finding: &Finding) -> Box<Diagnosis> {
    // An index error poisons the context: every later call fails, with whatever text.
    let fault = evidence
        .findings
        .iter()
        .find(|other| other.kind == Kind::NotMemory && other.has("fault-index"));
    if let Some(fault) = fault {
        return host_memory::not_memory(fault);
    }
    if finding.has("driver-jetson") {
        let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-jetson"));
        diagnosis
            .causes
            .push(Cause::new("unified-memory-shared", Confidence::Likely).because(Message::new("because-jetson")));
        return diagnosis;
    }
    if is_intel(finding) {
        let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-xpu"));
        let unknown = Cause::new("unknown-no-figures", Confidence::Likely).because(Message::new("because-xpu"));
        diagnosis.causes = vec![
            unknown,
            Cause::new("card-full", Confidence::Possible),
            Cause::new("per-allocation-limit", Confidence::Possible),
        ];
        return diagnosis;
    }
    let (headline, verdict) = match finding.kind {
        Kind::LibraryOom => ("headline-library", Verdict::GpuMemory),
        Kind::LibraryFailed => ("headline-library-likely", Verdict::Unknown),
        Kind::NcclOom => ("headline-nccl", Verdict::GpuMemory),
        _ => ("headline-driver", Verdict::GpuMemory),
    };
    let mut diagnosis = Diagnosis::plain(verdict, Message::new(headline));
    diagnosis.causes = causes(evidence, finding);
    if let Some(state) = monitors::state(evidence) {
        with_table(&mut diagnosis, &state);
    }
    diagnosis
}

/// Whether the error is that of Intel's runtime.
fn is_intel(finding: &Finding) -> bool {
    finding.has("driver-xpu") || finding.has("library-resources")
}

/// What the text allows without a table.
fn causes(evidence: &Evidence, finding: &Finding) -> Vec<Box<Cause>> {
    let because = match finding.kind {
        Kind::LibraryOom => "because-library",
        Kind::LibraryFailed => "because-library-likely",
        Kind::NcclOom => "because-nccl",
        _ => "because-driver",
    };
    let unknown = Cause::new("unknown-no-figures", Confidence::Likely).because(Message::new(because));
    let full = Cause::new("card-full", Confidence::Possible).because(Message::new("because-library-full"));
    if evidence.hints_at("job-jax") {
        let taken = Cause::new("preallocation", Confidence::Likely).because(Message::new("because-preallocation"));
        return vec![taken, full];
    }
    match finding.kind {
        // Its buffers are small: when they do not fit, the frameworks hold the rest.
        Kind::NcclOom => vec![
            Box::new(Cause {
                confidence: Confidence::Likely,
                ..*full
            }),
            unknown,
        ],
        _ => vec![unknown, full],
    }
}

/// A monitor's table in the same text tells how full the card is.
fn with_table(diagnosis: &mut Diagnosis, state: &State) {
    diagnosis.picture = Some(state.picture());
    let message = |id| Message::new(id).with("used", state.used).with("total", state.total);
    if state.percent() >= 85 {
        diagnosis.verdict = Verdict::GpuMemory;
        let full = Cause::new("card-full", Confidence::Likely).because(message("because-table-full"));
        diagnosis
            .causes
            .retain(|cause| cause.id != "card-full" && cause.id != "unknown-no-figures");
        diagnosis.causes.insert(0, full);
        if let Some(holders) = state.holders() {
            diagnosis.causes.push(
                Cause::new("other-process", Confidence::Possible)
                    .because(Message::new("because-table-holders").with("held", holders)),
            );
        }
    } else if state.percent() < 50 {
        // Taken after the failure, mostly: what the job held is back by then.
        diagnosis.caution = Some(message("caution-table-later"));
        diagnosis
            .causes
            .push(Cause::new("contradictory-evidence", Confidence::Possible).because(message("because-table-room")));
    }
}

/// A kernel wants more of the chip's shared memory or registers than one block may have.
pub fn on_chip(finding: &Finding) -> Box<Diagnosis> {
    let headline = match (
        finding.bytes("required").or(finding.bytes("used")),
        finding.bytes("limit"),
    ) {
        (Some(required), Some(limit)) => Message::new("headline-chip-shared")
            .with("required", required)
            .with("limit", limit),
        _ => Message::new("headline-chip"),
    };
    let mut diagnosis = Diagnosis::plain(Verdict::OtherLimit, headline);
    diagnosis
        .causes
        .push(Cause::new("on-chip-shared-memory", Confidence::Sure).because(Message::new("because-chip")));
    diagnosis
}

/// A loader that would have to put parts of the model into system memory.
pub fn placement() -> Box<Diagnosis> {
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-placement"));
    diagnosis
        .causes
        .push(Cause::new("does-not-fit-planned", Confidence::Likely).because(Message::new("because-placement")));
    diagnosis
}
