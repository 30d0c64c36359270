//! Why llama.cpp, and what is built on it, ran out: by the stage that failed and what its load lines told before.

use super::picture::Picture;
use super::start::Held;
use super::{Cause, Confidence, Diagnosis, Verdict};
use crate::message::Message;
use crate::paste::{Evidence, Finding, Kind};
use crate::units::{Bytes, GIB};

/// A KV cache or compute buffer past this size is too large by itself, where the card's capacity is not known.
const LARGE_BUFFER: Bytes = Bytes(8 * GIB);

/// What was being allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The weights.
    Weights,
    /// The KV cache.
    KvCache,
    /// The compute buffers, which grow with the batch.
    Compute,
    /// Scratch memory at work.
    Pool,
    /// Not told.
    Unknown,
}

/// The rows that tell the stage.
const STAGES: [(&str, Stage); 5] = [
    ("ggml-compute-failed", Stage::Compute),
    ("ggml-compute-buffer", Stage::Compute),
    ("ggml-kv-failed", Stage::KvCache),
    ("ggml-weights-failed", Stage::Weights),
    ("ggml-load-failed", Stage::Weights),
];

/// The stage of a failed allocation.
pub fn stage(finding: &Finding) -> Stage {
    if matches!(finding.kind, Kind::GgmlPool | Kind::CudaBare) {
        return Stage::Pool;
    }
    STAGES
        .iter()
        .find(|(row, _)| finding.has(row))
        .map_or(Stage::Unknown, |found| found.1)
}

/// Whether Ollama was at work, by its own messages or the words around.
pub fn is_ollama(evidence: &Evidence) -> bool {
    evidence.hints_at("job-ollama") || evidence.findings.iter().any(|finding| finding.tool == "ollama")
}

/// Whether ggml was at work, by the words around an error that does not say so itself.
pub fn at_work(evidence: &Evidence) -> bool {
    evidence.hints_at("job-ggml") || evidence.hints_at("job-koboldcpp") || is_ollama(evidence)
}

fn cause(id: &'static str, confidence: Confidence) -> Box<Cause> {
    Cause::new(id, confidence)
}

/// A figure of a tool's note on what else holds the card.
fn noted(evidence: &Evidence, name: &str) -> Option<Bytes> {
    let mut notes = evidence
        .findings
        .iter()
        .filter(|finding| finding.kind == Kind::OtherHolder);
    notes.find_map(|finding| finding.bytes(name))
}

/// A buffer on the card could not be allocated.
pub fn alloc(evidence: &Evidence, finding: &Finding) -> Box<Diagnosis> {
    let stage = stage(finding);
    let requested = finding.bytes("requested");
    if finding.has("ggml-buffer-limit") {
        return limit(finding, requested);
    }
    let held = Held::on_device(evidence, finding.device);
    let total = held
        .total
        .or_else(|| noted(evidence, "total"))
        .filter(|total| *total > Bytes::ZERO);
    let others = noted(evidence, "used_by_others");
    let at_start = held.free_at_start.or_else(|| Some(total? - others?));
    // Weights are printed after they are loaded: before that, all that was free is left.
    let loaded = if stage == Stage::Weights {
        Bytes::ZERO
    } else {
        held.sum()
    };
    let left = at_start.map(|free| (free - loaded).floor_zero());
    let Some(requested) = requested else {
        return no_figures(evidence);
    };
    let short = left
        .map(|left| requested - left)
        .filter(|missing| *missing > Bytes::ZERO);
    let headline = match (left, short) {
        (Some(left), Some(missing)) => Message::new("headline-missing")
            .with("missing", missing)
            .with("requested", requested)
            .with("free", left),
        _ => Message::new(match stage {
            Stage::Weights => "headline-ggml-weights",
            Stage::KvCache => "headline-ggml-kv",
            Stage::Compute => "headline-ggml-compute",
            Stage::Pool | Stage::Unknown => "headline-requested",
        })
        .with("requested", requested),
    };
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, headline);
    diagnosis.missing = short;
    if let (Some(others), Some(total)) = (others, total) {
        let enough = requested <= total;
        let holder = cause(
            "other-process",
            if enough {
                Confidence::Likely
            } else {
                Confidence::Possible
            },
        );
        diagnosis.causes.push(
            holder.because(
                Message::new("because-others")
                    .with("others", others)
                    .with("total", total),
            ),
        );
    }
    if is_ollama(evidence) {
        let estimate = cause("estimate-too-optimistic", Confidence::Likely);
        diagnosis
            .causes
            .push(estimate.because(Message::new("because-planned-to-fit")));
    }
    let large = match (total, stage) {
        (Some(total), _) => requested.share(2, 1) >= total,
        (None, Stage::Weights) => requested >= Bytes(GIB),
        (None, _) => requested >= LARGE_BUFFER,
    };
    let mut main = cause(
        if large { "request-too-large" } else { "card-full" },
        Confidence::Likely,
    );
    main = match total.filter(|total| requested > *total) {
        Some(total) => main.because(
            Message::new("because-larger-than-card")
                .with("requested", requested)
                .with("total", total),
        ),
        None => main.because(Message::new("because-one-request").with("requested", requested)),
    };
    if loaded > Bytes::ZERO {
        main = main.because(Message::new("because-loaded").with("loaded", loaded));
    }
    diagnosis.causes.push(main);
    diagnosis.picture = total.and_then(|total| {
        let taken = others
            .or(at_start.map(|free| total - free))
            .unwrap_or_default()
            .floor_zero();
        let free = (total - taken - loaded).floor_zero();
        Picture::of(
            total,
            &[("engine", loaded), ("others", taken), ("free", free)],
            Some(requested),
        )
    });
    diagnosis
}

/// One buffer may not be that large on this device.
fn limit(finding: &Finding, requested: Option<Bytes>) -> Box<Diagnosis> {
    let headline = match requested {
        Some(requested) => Message::new("headline-block").with("requested", requested),
        None => Message::new("headline-buffer-limit"),
    };
    let mut diagnosis = Diagnosis::plain(Verdict::OtherLimit, headline);
    let id = if stage(finding) == Stage::Compute {
        "because-compute-one-buffer"
    } else {
        "because-buffer-limit"
    };
    let reason = Message::new(id);
    diagnosis
        .causes
        .push(cause("per-allocation-limit", Confidence::Sure).because(reason));
    diagnosis
}

fn no_figures(evidence: &Evidence) -> Box<Diagnosis> {
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-no-figures"));
    let unknown = cause("unknown-no-figures", Confidence::Likely).because(Message::new("because-no-request"));
    diagnosis.causes.push(unknown);
    if is_ollama(evidence) {
        let estimate = cause("estimate-too-optimistic", Confidence::Possible);
        diagnosis
            .causes
            .push(estimate.because(Message::new("because-planned-to-fit")));
    }
    diagnosis
}

/// The pool ran out at work, after a load that fitted.
pub fn pool(evidence: &Evidence, finding: &Finding) -> Box<Diagnosis> {
    if finding.has("ggml-address-space") {
        let mut diagnosis = Diagnosis::plain(Verdict::OtherLimit, Message::new("headline-address-space"));
        let reason = Message::new("because-address-space");
        diagnosis
            .causes
            .push(cause("not-capacity", Confidence::Likely).because(reason));
        return diagnosis;
    }
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-pool"));
    let reason = Message::new("because-pool-late");
    if is_ollama(evidence) {
        diagnosis
            .causes
            .push(cause("estimate-too-optimistic", Confidence::Likely).because(reason));
        diagnosis.causes.push(cause("card-full", Confidence::Possible));
    } else {
        diagnosis
            .causes
            .push(cause("card-full", Confidence::Likely).because(reason));
    }
    diagnosis.causes.push(cause("unknown-no-figures", Confidence::Possible));
    diagnosis.picture = Held::of(evidence, None).picture();
    diagnosis
}

/// Metal gave back a command buffer: what is allocated is past the share that macOS grants, or close to it.
pub fn metal(evidence: &Evidence) -> Box<Diagnosis> {
    let figures = || evidence.findings.iter().flat_map(|finding| &finding.figures).rev();
    let last = |name: &str| {
        figures().find_map(|figure| match figure.value {
            crate::paste::Value::Bytes(bytes) if figure.name == name => Some(bytes),
            _ => None,
        })
    };
    let mut main = cause("card-full", Confidence::Likely);
    let (Some(allocated), Some(limit)) = (last("allocated"), last("working_set")) else {
        let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-metal"));
        diagnosis
            .causes
            .push(main.because(Message::new("because-metal-shared")));
        return diagnosis;
    };
    let over = allocated - limit;
    let headline = if over > Bytes::ZERO {
        Message::new("headline-metal-over").with("over", over)
    } else {
        Message::new("headline-metal-near")
    };
    main = main.because(
        Message::new("because-metal-limit")
            .with("allocated", allocated)
            .with("limit", limit),
    );
    let mut diagnosis = Diagnosis::plain(
        Verdict::GpuMemory,
        headline.with("allocated", allocated).with("limit", limit),
    );
    diagnosis.missing = Some(over).filter(|over| *over > Bytes::ZERO);
    diagnosis.causes.push(main);
    diagnosis.caution = Some(Message::new("caution-metal-limit"));
    diagnosis.picture = Picture::of(
        limit,
        &[("engine", allocated), ("free", (limit - allocated).floor_zero())],
        None,
    );
    diagnosis
}

/// A tool's note that another program holds the card, without a failure.
pub fn other_holder(finding: &Finding) -> Box<Diagnosis> {
    let Some(others) = finding.bytes("used_by_others") else {
        let mut diagnosis = Diagnosis::plain(Verdict::NoError, Message::new("headline-start"));
        diagnosis.causes.push(cause("info-success", Confidence::Likely));
        return diagnosis;
    };
    let headline = Message::new("headline-others-hold").with("others", others);
    let mut diagnosis = Diagnosis::plain(Verdict::NoError, headline);
    diagnosis.causes.push(cause("other-process", Confidence::Likely));
    diagnosis
}
