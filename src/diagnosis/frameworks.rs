//! Why a framework other than PyTorch ran out: from whichever amounts its message has.

use super::picture::{Part, Picture};
use super::{Cause, Confidence, Diagnosis, Verdict};
use crate::message::Message;
use crate::paste::{Evidence, Finding};
use crate::units::{Bytes, GIB, MIB};

/// A request of this size is large on most cards, whatever else lives there.
const LARGE: Bytes = Bytes(8 * GIB);

/// A framework's shortage.
pub fn shortage(finding: &Finding) -> Box<Diagnosis> {
    if let Some(diagnosis) = tensor(finding).or_else(|| special(finding)) {
        return diagnosis;
    }
    let Some(requested) = finding.bytes("requested") else {
        return without_request(finding);
    };
    let amount = |name| finding.bytes(name);
    let live = amount("in_use").or(amount("in_use_exact")).or(amount("allocated"));
    // Paddle prints zeros for both where it could not ask the card.
    let told = live.unwrap_or_default() + amount("free").unwrap_or_default() > Bytes::ZERO;
    let live = live.filter(|_| told);
    let free = amount("free").filter(|_| told);
    let headline = match free {
        Some(free) if free < requested => Message::new("headline-missing")
            .with("requested", requested)
            .with("free", free)
            .with("missing", requested - free),
        _ => Message::new("headline-framework-requested").with("requested", requested),
    };
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, headline);
    diagnosis.missing = free
        .map(|free| requested - free)
        .filter(|missing| *missing > Bytes::ZERO);
    diagnosis.picture = picture(finding, live, requested);
    let mut causes = Vec::new();
    if let Some(limit) = amount("limit").filter(|_| finding.has("cupy-limit")) {
        causes.push(cap(Message::new("because-framework-cap").with("limit", limit)));
    } else if ["rmm-pool", "rmm-pool-requested", "onnx-limit"]
        .iter()
        .any(|row| finding.has(row))
    {
        causes.push(cap(Message::new("because-framework-pool")));
    }
    if let Some(program) = amount("program_total").filter(|program| *program >= Bytes(GIB)) {
        let because = Message::new("because-program-total")
            .with("program", program)
            .with("requested", requested);
        causes.push(Cause::new("request-too-large", Confidence::Likely).because(because));
    }
    let because = Message::new("because-framework-request").with("requested", requested);
    let large = match (amount("limit"), live) {
        (Some(limit), _) if requested > limit => true,
        (_, Some(live)) => requested > live && requested >= Bytes(GIB),
        _ => requested >= LARGE,
    };
    let too_large = Cause::new("request-too-large", Confidence::Likely).because(because.clone());
    let full = match live {
        Some(live) => Cause::new("card-full", Confidence::Likely)
            .because(Message::new("because-framework-live").with("live", live)),
        None => Cause::new("card-full", Confidence::Possible).because(because),
    };
    // Statistics of nothing at all: the card was taken before this program came.
    let nothing = live == Some(Bytes::ZERO);
    if nothing {
        let because = Message::new("because-framework-first").with("free", free.unwrap_or_default());
        causes.push(Cause::new("other-process", Confidence::Likely).because(because));
    } else if large {
        causes.push(too_large);
        causes.push(full);
    } else {
        causes.push(full);
    }
    if finding.has("paddle-oom") && !nothing {
        let because = Message::new("because-framework-others");
        causes.push(Cause::new("other-process", Confidence::Possible).because(because));
    }
    if matches!(finding.tool, "jax" | "tensorflow") {
        let because = Message::new("because-preallocation");
        causes.push(Cause::new("preallocation", Confidence::Possible).because(because));
    }
    dedup(&mut causes);
    diagnosis.causes = causes;
    diagnosis
}

fn dedup(causes: &mut Vec<Box<Cause>>) {
    let mut at = 0;
    while at < causes.len() {
        let again = causes[..at].iter().any(|cause| cause.id == causes[at].id);
        if again {
            causes.remove(at);
        } else {
            at += 1;
        }
    }
}

fn cap(because: Message) -> Box<Cause> {
    Cause::new("memory-cap", Confidence::Likely).because(because)
}

fn picture(finding: &Finding, live: Option<Bytes>, requested: Bytes) -> Option<Picture> {
    let (limit, live) = (finding.bytes("limit")?, live?);
    let parts = [("allocated", live), ("free", (limit - live).floor_zero())];
    let parts = parts.into_iter().filter(|(_, bytes)| *bytes > Bytes::ZERO);
    Some(Picture {
        total: limit,
        parts: parts.map(|(id, bytes)| Part { id, bytes }).collect(),
        requested: Some(requested),
        spilled: Bytes::ZERO,
    })
}

/// The size of TensorFlow's types, by their names.
const TYPES: [(&str, i64); 13] = [
    ("float", 4),
    ("half", 2),
    ("bfloat16", 2),
    ("double", 8),
    ("int32", 4),
    ("uint32", 4),
    ("int64", 8),
    ("uint64", 8),
    ("int16", 2),
    ("uint16", 2),
    ("complex64", 8),
    ("complex128", 16),
    ("resource", 8),
];

/// The size of the tensor of TensorFlow's message, which gives only its shape: the product times the type's size.
pub fn tensor_bytes(finding: &Finding) -> Option<Bytes> {
    let shape = finding.word("shape")?;
    let size = finding.word("dtype").map_or(Some(4), |dtype| {
        let known = TYPES.iter().find(|(name, _)| *name == dtype);
        Some(known.map_or(1, |(_, size)| *size))
    })?;
    let mut bytes = Bytes(size);
    for extent in shape.split(',') {
        bytes = bytes * extent.trim().parse().ok()?;
    }
    Some(bytes)
}

/// TensorFlow's message with a shape instead of a size; the device may be the CPU.
fn tensor(finding: &Finding) -> Option<Box<Diagnosis>> {
    finding.word("shape")?;
    let bytes = tensor_bytes(finding).unwrap_or_default();
    let allocator = finding.word("allocator").unwrap_or_default();
    if allocator.contains("host") {
        let mut diagnosis = Diagnosis::plain(
            Verdict::HostMemory,
            Message::new("headline-pinned-requested").with("requested", bytes),
        );
        let because = Message::new("because-pinned-said");
        diagnosis
            .causes
            .push(Cause::new("pinned-host", Confidence::Sure).because(because));
        return Some(diagnosis);
    }
    if finding.word("place").is_some_and(|place| place.contains("CPU")) || allocator.contains("cpu") {
        let mut diagnosis = Diagnosis::plain(
            Verdict::HostMemory,
            Message::new("headline-host-requested").with("requested", bytes),
        );
        let because = Message::new("because-host-memory");
        diagnosis
            .causes
            .push(Cause::new("host-ram", Confidence::Sure).because(because));
        return Some(diagnosis);
    }
    let headline = Message::new("headline-tensor").with("tensor", bytes);
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, headline);
    let because = Message::new("because-tensor").with("tensor", bytes);
    let large = bytes >= Bytes(4 * GIB);
    let too_large = Cause::new("request-too-large", Confidence::Likely).because(because.clone());
    let full = Cause::new(
        "card-full",
        if large {
            Confidence::Possible
        } else {
            Confidence::Likely
        },
    )
    .because(because);
    diagnosis.causes = if large { vec![too_large, full] } else { vec![full] };
    let because = Message::new("because-preallocation");
    diagnosis
        .causes
        .push(Cause::new("preallocation", Confidence::Possible).because(because));
    Some(diagnosis)
}

/// Messages that tell their cause by themselves.
fn special(finding: &Finding) -> Option<Box<Diagnosis>> {
    let amount = |name| finding.bytes(name);
    if let (Some(used), Some(limit)) = (amount("used"), amount("limit")) {
        let headline = Message::new("headline-hbm").with("used", used).with("limit", limit);
        let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, headline);
        diagnosis.missing = Some((used - limit).floor_zero());
        let because = Message::new("because-hbm").with("over", (used - limit).floor_zero());
        diagnosis.causes = vec![
            Cause::new("request-too-large", Confidence::Sure).because(because),
            Cause::new("card-full", Confidence::Possible),
        ];
        return Some(diagnosis);
    }
    if finding.has("webui-guard") {
        let (requested, free) = (amount("requested")?, amount("free")?);
        let headline = Message::new("headline-missing")
            .with("requested", requested)
            .with("free", free)
            .with("missing", requested - free);
        let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, headline);
        diagnosis.missing = Some(requested - free);
        let because = Message::new("because-guard")
            .with("requested", requested)
            .with("free", free);
        diagnosis.causes = vec![
            Cause::new("request-too-large", Confidence::Sure).because(because),
            Cause::new("card-full", Confidence::Possible),
        ];
        return Some(diagnosis);
    }
    if finding.has("mlx-metal") || finding.has("mlx-malloc") {
        let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-mlx"));
        let shared = Cause::new("unified-memory-shared", Confidence::Likely).because(Message::new("because-mlx"));
        diagnosis.causes = vec![shared, Cause::new("card-full", Confidence::Possible)];
        if let Some(requested) = amount("requested").filter(|requested| *requested >= LARGE) {
            let because = Message::new("because-framework-request").with("requested", requested);
            diagnosis
                .causes
                .insert(0, Cause::new("request-too-large", Confidence::Likely).because(because));
        }
        return Some(diagnosis);
    }
    None
}

fn without_request(finding: &Finding) -> Box<Diagnosis> {
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-framework"));
    if finding.has("rmm-pool") {
        diagnosis.causes.push(cap(Message::new("because-framework-pool")));
    }
    if let Some(program) = finding.bytes("program_total") {
        let because = Message::new("because-program-needs").with("program", program);
        diagnosis
            .causes
            .push(Cause::new("request-too-large", Confidence::Possible).because(because));
    }
    let because = Message::new("because-framework-no-figures");
    diagnosis
        .causes
        .push(Cause::new("unknown-no-figures", Confidence::Likely).because(because));
    diagnosis.causes.push(Cause::new("card-full", Confidence::Possible));
    diagnosis
}

/// TensorFlow's attempts at start, each for less: a failure only where even little was refused.
pub fn start(evidence: &Evidence) -> Box<Diagnosis> {
    let least = evidence
        .findings
        .iter()
        .filter(|finding| finding.has("tf-retry"))
        .filter_map(|finding| finding.bytes("requested"))
        .min()
        .unwrap_or_default();
    if least < Bytes(512 * MIB) {
        let mut diagnosis = Diagnosis::plain(
            Verdict::GpuMemory,
            Message::new("headline-start-taken").with("least", least),
        );
        let because = Message::new("because-start-taken").with("least", least);
        diagnosis.causes = vec![
            Cause::new("other-process", Confidence::Likely).because(because),
            Cause::new("preallocation", Confidence::Possible).because(Message::new("because-preallocation")),
        ];
        return diagnosis;
    }
    let mut diagnosis = Diagnosis::plain(Verdict::NoError, Message::new("headline-start-retry"));
    diagnosis.causes = vec![
        Cause::new("recovered", Confidence::Likely).because(Message::new("because-start-retry")),
        Cause::new("preallocation", Confidence::Possible).because(Message::new("because-preallocation")),
        Cause::new("other-process", Confidence::Possible),
    ];
    diagnosis
}
