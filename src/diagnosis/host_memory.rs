//! Failures that are none of the GPU's memory: RAM, paging file, page-locked memory, /dev/shm, disks; and CUDA's errors
//! that are no shortage at all.

use super::{Cause, Confidence, Diagnosis, Verdict};
use crate::message::Message;
use crate::paste::{Finding, Kind};
use crate::units::{Bytes, GIB};

/// An allocation of system memory larger than this is a mistake in a shape as often as a shortage.
const HUGE: Bytes = Bytes(64 * GIB);

fn one(verdict: Verdict, headline: Message, cause: Box<Cause>) -> Box<Diagnosis> {
    let mut diagnosis = Diagnosis::plain(verdict, headline);
    diagnosis.causes.push(cause);
    diagnosis
}

/// The rows by which the system itself says that memory was the reason, with what follows from each.
const SAID: [(&str, &str); 12] = [
    ("killed-cgroup", "because-killed-limit"),
    ("killed-cgroup-constraint", "because-killed-limit"),
    ("killed-cgroup-limit", "because-killed-limit"),
    ("killed-kubernetes", "because-killed-limit"),
    ("killed-slurm", "because-killed-slurm"),
    ("killed-slurm-task", "because-killed-slurm"),
    ("killed-slurm-limit", "because-killed-slurm"),
    ("killed-systemd", "because-killed-systemd"),
    ("killed-kernel", "because-killed-kernel"),
    ("killed-constraint", "because-killed-kernel"),
    ("killed-invoked", "because-killed-kernel"),
    ("killed-build", "because-killed-build"),
];

/// Whether a finding is no more than a signal or an exit code, which many things can send.
pub fn is_only_a_signal(finding: &Finding) -> bool {
    finding.kind == Kind::HostKilled && !SAID.iter().any(|(row, _)| finding.has(row))
}

/// The system ended the process.
pub fn killed(finding: &Finding) -> Box<Diagnosis> {
    let said = SAID.iter().find(|(row, _)| finding.has(row));
    let headline = match (finding.bytes("anon_rss"), said) {
        (Some(held), _) => Message::new("headline-killed-held").with("held", held),
        (None, Some(_)) => Message::new("headline-killed"),
        (None, None) => Message::new("headline-killed-signal"),
    };
    let mut cause = Cause::new(
        "host-ram",
        if said.is_some() {
            Confidence::Sure
        } else {
            Confidence::Likely
        },
    );
    cause = match said {
        Some((_, because)) => cause.because(Message::new(because)),
        None => cause
            .because(Message::new("because-killed-signal"))
            .although(Message::new("because-killed-by-hand")),
    };
    if let Some(limit) = finding.bytes("limit") {
        cause = cause.because(Message::new("because-killed-at").with("limit", limit));
    }
    one(Verdict::HostMemory, headline, cause)
}

/// An allocation of system memory failed.
pub fn allocation(finding: &Finding) -> Box<Diagnosis> {
    let requested = finding.bytes("requested");
    let headline = match requested {
        Some(requested) => Message::new("headline-host-requested").with("requested", requested),
        None => Message::new("headline-host-memory"),
    };
    let mut cause = Cause::new("host-ram", Confidence::Sure).because(Message::new("because-host-memory"));
    if let Some(requested) = requested.filter(|requested| *requested >= HUGE) {
        cause = cause.because(Message::new("because-host-huge").with("requested", requested));
    }
    let mut diagnosis = one(Verdict::HostMemory, headline, cause);
    if finding.has("host-cpu-allocator-windows") {
        diagnosis
            .causes
            .push(Cause::new("paging-file", Confidence::Possible).because(Message::new("because-windows-commit")));
    }
    diagnosis
}

/// Windows' commit limit.
pub fn paging() -> Box<Diagnosis> {
    let cause = Cause::new("paging-file", Confidence::Sure).because(Message::new("because-windows-commit"));
    one(Verdict::HostMemory, Message::new("headline-paging-file"), cause)
}

/// Page-locked memory of the host.
pub fn pinned(finding: &Finding) -> Box<Diagnosis> {
    let headline = match finding.bytes("requested") {
        Some(requested) => Message::new("headline-pinned-requested").with("requested", requested),
        None => Message::new("headline-pinned"),
    };
    let cause = Cause::new("pinned-host", Confidence::Sure).because(Message::new("because-pinned-said"));
    one(Verdict::HostMemory, headline, cause)
}

/// Shared memory between processes.
pub fn shared_memory(finding: &Finding) -> Box<Diagnosis> {
    let guessed = finding.rows.iter().all(|row| *row == "shm-bus");
    let confidence = if guessed { Confidence::Likely } else { Confidence::Sure };
    let cause = Cause::new("shm", confidence).because(Message::new("because-shm"));
    one(Verdict::SharedMemory, Message::new("headline-shm"), cause)
}

/// A full disk.
pub fn disk(finding: &Finding) -> Box<Diagnosis> {
    let sure = finding.has("disk-full");
    let cause = Cause::new("disk", if sure { Confidence::Sure } else { Confidence::Likely })
        .because(Message::new(if sure { "because-disk" } else { "because-disk-archive" }));
    one(Verdict::OtherLimit, Message::new("headline-disk"), cause)
}

/// What CUDA's other errors are: the row, the cause, the headline and the reason.
const FAULTS: [(&str, &str, &str, &str); 7] = [
    (
        "fault-index",
        "not-memory-index-error",
        "headline-fault-index",
        "because-fault-index",
    ),
    (
        "fault-illegal",
        "kernel-bug",
        "headline-fault-illegal",
        "because-fault-illegal",
    ),
    (
        "fault-ecc",
        "not-an-error-of-memory",
        "headline-fault-ecc",
        "because-fault-ecc",
    ),
    (
        "fault-ordinal",
        "not-an-error-of-memory",
        "headline-fault-other",
        "because-fault-ordinal",
    ),
    (
        "fault-build",
        "not-an-error-of-memory",
        "headline-fault-other",
        "because-fault-build",
    ),
    (
        "fault-driver",
        "not-an-error-of-memory",
        "headline-fault-other",
        "because-fault-driver",
    ),
    (
        "fault-launch",
        "not-an-error-of-memory",
        "headline-fault-other",
        "because-fault-launch",
    ),
];

/// An error of CUDA that is no shortage.
pub fn not_memory(finding: &Finding) -> Box<Diagnosis> {
    let fault = FAULTS.iter().find(|fault| finding.has(fault.0)).unwrap_or(&FAULTS[1]);
    let cause = Cause::new(fault.1, Confidence::Likely).because(Message::new(fault.3));
    one(Verdict::NotMemory, Message::new(fault.2), cause)
}
