//! Why an inference server did not start or ran out: from the amounts that it prints itself.

use super::picture::{Part, Picture};
use super::start::Held;
use super::{Cause, Confidence, Diagnosis, Verdict};
use crate::message::Message;
use crate::paste::{Evidence, Finding, Kind};
use crate::units::{Bytes, GB, GIB};

/// A guess past this size says more about the guess than about the model.
const ABSURD_GUESS: Bytes = Bytes(100 * GB);

/// A single request past this size is too large by itself, where the card's capacity is not known.
const LARGE_REQUEST: Bytes = Bytes(4 * GIB);

/// vLLM counts its cache in blocks of so many tokens.
const BLOCK: i64 = 16;

fn plain(verdict: Verdict, headline: Message, cause: Box<Cause>) -> Box<Diagnosis> {
    let mut diagnosis = Diagnosis::plain(verdict, headline);
    diagnosis.causes.push(cause);
    diagnosis
}

fn sure(id: &'static str) -> Box<Cause> {
    Cause::new(id, Confidence::Sure)
}

fn likely(id: &'static str) -> Box<Cause> {
    Cause::new(id, Confidence::Likely)
}

fn possible(id: &'static str) -> Box<Cause> {
    Cause::new(id, Confidence::Possible)
}

/// The longest context that fits into the KV cache, in tokens: the engine's own estimate, or the tokens that the cache
/// holds, or `max · available / needed` in whole blocks, since a request's cache grows evenly with its tokens.
pub fn context_that_fits(finding: &Finding) -> Option<i64> {
    let by_share = || {
        let (needed, available) = (finding.bytes("kv_needed")?, finding.bytes("kv_available")?);
        let tokens = Bytes(finding.count("max_seq_len")?).share(available.0, needed.0).0;
        Some(tokens / BLOCK * BLOCK)
    };
    finding
        .count("estimated_max_len")
        .or_else(|| Some(finding.count("kv_tokens")? / BLOCK * BLOCK))
        .or_else(by_share)
        .filter(|tokens| *tokens > 0)
}

/// The weights fit, one request of the maximum length does not.
pub fn kv_too_small(finding: &Finding) -> Box<Diagnosis> {
    let max = finding.count("max_seq_len").unwrap_or_default();
    let fits = context_that_fits(finding);
    let mut cause = sure("kv-too-small");
    let headline = match (finding.bytes("kv_needed"), finding.bytes("kv_available"), fits) {
        (Some(needed), Some(available), _) => {
            cause = cause.because(
                Message::new("because-kv-needed")
                    .with("needed", needed)
                    .with("available", available),
            );
            Message::new("headline-kv-needed")
                .with("max", max)
                .with("missing", (needed - available).floor_zero())
        }
        (_, _, Some(fits)) => Message::new("headline-kv-tokens").with("max", max).with("fits", fits),
        _ if max == 0 => Message::new("says-trt-kv-small"),
        _ => Message::new("headline-kv-unknown").with("max", max),
    };
    if let Some(fits) = fits {
        cause = cause.because(Message::new("because-kv-fits").with("fits", fits));
    }
    let mut diagnosis = plain(Verdict::GpuMemory, headline, cause);
    diagnosis.missing = finding
        .bytes("kv_needed")
        .zip(finding.bytes("kv_available"))
        .map(|(needed, available)| needed - available)
        .filter(|missing| *missing > Bytes::ZERO);
    diagnosis.caution = Some(Message::new("caution-kv-computed"));
    diagnosis
}

/// Nothing is left for a KV cache after the weights and the measured peak.
pub fn kv_none(evidence: &Evidence, finding: &Finding) -> Box<Diagnosis> {
    let held = Held::of(evidence, finding.rank);
    let mut cause = sure("kv-none");
    if let Some(weights) = held.weights {
        cause = cause.because(Message::new("because-kv-none-weights").with("weights", weights));
    }
    if let (Some(budget), Some(left)) = (held.budget, held.kv) {
        cause = cause.because(
            Message::new("because-kv-none-budget")
                .with("budget", budget)
                .with("left", left),
        );
    }
    if let Some(free) = held.free.filter(|_| finding.has("sglang-kv-none")) {
        cause = cause.because(Message::new("because-sglang-share").with("free", free));
    }
    let mut diagnosis = plain(Verdict::GpuMemory, Message::new("headline-kv-none"), cause);
    diagnosis.missing = held
        .kv
        .filter(|kv| *kv < Bytes::ZERO)
        .map(|kv| Bytes(kv.0.saturating_neg()));
    diagnosis.picture = held.picture();
    diagnosis
}

/// Less is free at start than the share that the engine wants: something holds the card already.
pub fn startup_free(evidence: &Evidence, finding: &Finding) -> Box<Diagnosis> {
    let amount = |name| finding.bytes(name).unwrap_or_default();
    let (free, total) = (amount("free"), amount("total"));
    let held = (total - free).floor_zero();
    let mut cause = sure("startup-free").because(
        Message::new("because-held-at-start")
            .with("held", held)
            .with("total", total),
    );
    let desired = finding.bytes("desired");
    let headline = match desired {
        Some(desired) => {
            let asked = Message::new("because-desired")
                .with("desired", desired)
                .with("free", free);
            cause = cause.because(asked);
            Message::new("headline-startup-free")
                .with("missing", (desired - free).floor_zero())
                .with("desired", desired)
                .with("free", free)
        }
        None => Message::new("headline-startup-free-cut")
            .with("free", free)
            .with("total", total),
    };
    let mut diagnosis = plain(Verdict::GpuMemory, headline, cause);
    let others = if held.share(4, 1) > total {
        likely("other-process")
    } else {
        possible("other-process")
    };
    // A monitor's rows beside it name who held it.
    let device = finding.device.unwrap_or_default();
    let tables = evidence.findings.iter().filter(|other| other.kind == Kind::Monitor);
    let rows = tables.flat_map(|table| &table.processes);
    let named = rows.filter(|row| row.gpu.is_none_or(|gpu| gpu == device));
    let named = named.filter_map(|row| row.bytes).sum::<Bytes>().min(held);
    let holders = if named > Bytes::ZERO {
        Message::new("because-others").with("others", named)
    } else {
        Message::new("because-held-at-start").with("held", held)
    };
    diagnosis.causes.push(others.because(holders.with("total", total)));
    diagnosis.missing = desired
        .map(|desired| desired - free)
        .filter(|missing| *missing > Bytes::ZERO);
    diagnosis.caution = Some(Message::new("caution-nothing-allocated"));
    let parts = [("others", named), ("unaccounted", held - named), ("free", free)];
    diagnosis.picture = Picture::of(total, &parts, desired);
    diagnosis
}

/// The same on the CPU backend: system memory.
pub fn startup_host(finding: &Finding) -> Box<Diagnosis> {
    let amount = |name| finding.bytes(name).unwrap_or_default();
    let cause = sure("host-ram").because(
        Message::new("because-desired")
            .with("desired", amount("desired"))
            .with("free", amount("free")),
    );
    let headline = Message::new("headline-startup-host")
        .with("free", amount("free"))
        .with("total", amount("total"));
    plain(Verdict::HostMemory, headline, cause)
}

/// Free memory grew while the engine measured: no shortage, another process let go at the wrong moment.
pub fn profiling_race(finding: &Finding) -> Box<Diagnosis> {
    let amount = |name| finding.bytes(name).unwrap_or_default();
    let (before, after) = (amount("initial_free"), amount("current_free"));
    let cause = likely("other-process").because(
        Message::new("because-freed-meanwhile")
            .with("before", before)
            .with("after", after),
    );
    let headline = Message::new("headline-profiling").with("freed", (after - before).floor_zero());
    plain(Verdict::NotMemory, headline, cause)
}

/// What tells of a warm-up: a row of the line around it, or a hint of the traceback, with its reason.
const WARMUPS: [(&str, &str); 9] = [
    ("vllm-warmup-sampler", "because-warmup-requests"),
    ("vllm-warmup-pooler", "because-warmup-requests"),
    ("sglang-capture-failed", "because-warmup-graphs"),
    ("tgi-prefill", "because-warmup-prefill"),
    ("tgi-warmup", "because-warmup"),
    ("warmup-vllm-graphs", "because-warmup-graphs"),
    ("warmup-sglang-graphs", "because-warmup-graphs"),
    ("warmup-vllm-sampler", "because-warmup-sampler"),
    ("warmup-vllm-profile", "because-warmup-profile"),
];

/// Why a warm-up is at work here, if one is.
fn warmup_reason(evidence: &Evidence) -> Option<Message> {
    let (row, reason) = WARMUPS
        .iter()
        .find(|(row, _)| evidence.hints_at(row) || evidence.findings.iter().any(|finding| finding.has(row)))?;
    let count = evidence
        .findings
        .iter()
        .filter(|finding| finding.has(row))
        .find_map(|finding| {
            finding
                .count("dummy_requests")
                .or_else(|| finding.count("prefill_tokens"))
        });
    let message = Message::new(reason);
    Some(match count {
        Some(count) => message.with("count", count),
        None => message,
    })
}

/// The diagnosis of an allocation error, in the light of the warm-up in which it happened: there the shares that the
/// engine keeps decide, rather than the job.
pub fn in_warmup(evidence: &Evidence, mut diagnosis: Box<Diagnosis>) -> Box<Diagnosis> {
    let others = |cause: &Cause| cause.id == "other-process" && cause.confidence == Confidence::Sure;
    let Some(reason) = warmup_reason(evidence).filter(|_| !diagnosis.causes.first().is_some_and(|first| others(first)))
    else {
        return diagnosis;
    };
    diagnosis.causes.insert(0, likely("warmup-head-room").because(reason));
    diagnosis.verdict = Verdict::GpuMemory;
    diagnosis
}

/// The line around a warm-up's error, without that error. SGLang's may be about anything.
pub fn warmup(evidence: &Evidence, finding: &Finding) -> Box<Diagnosis> {
    if finding.has("sglang-capture-failed") {
        let headline = Message::new("headline-capture-other");
        return plain(Verdict::NotMemory, headline, likely("not-an-error-of-memory"));
    }
    let mut cause = likely("warmup-head-room");
    if let Some(reason) = warmup_reason(evidence) {
        cause = cause.because(reason);
    }
    plain(Verdict::GpuMemory, Message::new("headline-warmup"), cause)
}

/// A line that only says that an engine ended.
pub fn wrapper(finding: &Finding) -> Box<Diagnosis> {
    let headline = match finding.tool {
        "vllm" => "headline-engine-failed",
        "lmstudio" => "headline-model-crashed",
        _ => "headline-runner-ended",
    };
    let cause = likely("unknown-no-figures").because(Message::new("because-wrapper"));
    plain(Verdict::Unknown, Message::new(headline), cause)
}

/// What an engine's short error stands for, by its row.
const SHORT_ERRORS: [(&str, &str); 5] = [
    ("sglang-prefill-oom", "kv-too-small"),
    ("lmdeploy-blocks", "kv-too-small"),
    ("lmdeploy-runtime", "warmup-head-room"),
    ("exllama-split", "card-full"),
    ("trt-size", "card-full"),
];

/// An engine ran out on the card, with one request's size at most.
pub fn out_of_memory(finding: &Finding) -> Box<Diagnosis> {
    let requested = finding.bytes("requested");
    let known = SHORT_ERRORS
        .iter()
        .find(|(row, _)| finding.has(row))
        .map(|found| found.1);
    let (headline, cause) = match (requested, known) {
        (Some(requested), _) => (
            Message::new("headline-requested").with("requested", requested),
            likely(if requested >= LARGE_REQUEST {
                "request-too-large"
            } else {
                "card-full"
            })
            .because(Message::new("because-one-request").with("requested", requested)),
        ),
        (None, Some(known)) => (Message::new("headline-no-figures"), likely(known)),
        (None, None) => (
            Message::new("headline-no-figures"),
            likely("unknown-no-figures").because(Message::new("because-engine-bare")),
        ),
    };
    plain(Verdict::GpuMemory, headline, cause)
}

/// A plan or a guess says that it will not fit.
pub fn planned(finding: &Finding) -> Box<Diagnosis> {
    let cause = sure("does-not-fit-planned");
    let amount = |name| finding.bytes(name);
    if finding.tool == "lmstudio" {
        let Some(estimate) = amount("estimate") else {
            return plain(
                Verdict::Unknown,
                Message::new("headline-guard"),
                likely("does-not-fit-planned"),
            );
        };
        let headline = Message::new("headline-guard-estimate").with("estimate", estimate);
        let mut diagnosis = plain(Verdict::Unknown, headline, likely("does-not-fit-planned"));
        if estimate >= ABSURD_GUESS {
            let bug = likely("estimator-bug").because(Message::new("because-guess-absurd").with("estimate", estimate));
            diagnosis.causes.insert(0, bug);
        }
        return diagnosis;
    }
    let needed = amount("requested").or_else(|| Some(amount("weights")? + amount("temporary").unwrap_or_default()));
    let (Some(needed), Some(available)) = (needed, amount("available")) else {
        return plain(Verdict::GpuMemory, Message::new("headline-planned"), cause);
    };
    let headline = Message::new("headline-planned-missing")
        .with("missing", (needed - available).floor_zero())
        .with("needed", needed)
        .with("available", available);
    let mut diagnosis = plain(Verdict::GpuMemory, headline, cause);
    diagnosis.missing = Some(needed - available).filter(|missing| *missing > Bytes::ZERO);
    diagnosis.caution = Some(Message::new("caution-nothing-allocated"));
    diagnosis
}

/// A shortage that the tool got over by itself.
pub fn recovered(finding: &Finding) -> Box<Diagnosis> {
    let headline = match finding.kind {
        Kind::Handled if finding.has("vllm-preempted") || finding.has("sglang-retracted") => "headline-requests-wait",
        _ => "headline-went-on",
    };
    let cause = sure("recovered").because(Message::new("because-went-on"));
    plain(Verdict::NoError, Message::new(headline), cause)
}

/// System memory ran out in an engine.
pub fn host(finding: &Finding) -> Box<Diagnosis> {
    let headline = match finding.bytes("requested") {
        Some(requested) => Message::new("headline-engine-host").with("requested", requested),
        None if finding.has("runner-killed") => Message::new("headline-runner-killed"),
        None => Message::new("headline-host"),
    };
    plain(
        Verdict::HostMemory,
        headline,
        likely("host-ram").because(Message::new("because-host-not-card")),
    )
}

/// Ollama refuses a model whose share outside the card is larger than system memory and swap.
pub fn host_refused(finding: &Finding) -> Box<Diagnosis> {
    let amount = |name| finding.bytes(name).unwrap_or_default();
    let (requested, available) = (amount("requested"), amount("available"));
    let missing = (requested - available).floor_zero();
    let headline = Message::new("headline-host-refused")
        .with("missing", missing)
        .with("requested", requested)
        .with("available", available);
    let cause = sure("host-ram").because(Message::new("because-host-not-card"));
    let mut diagnosis = plain(Verdict::HostMemory, headline, cause);
    diagnosis.missing = Some(missing).filter(|missing| *missing > Bytes::ZERO);
    diagnosis
}

/// Page-locked host memory could not be had; the engine went on.
pub fn pinned(finding: &Finding) -> Box<Diagnosis> {
    let headline = match finding.bytes("requested") {
        Some(requested) => Message::new("headline-pinned-goes-on").with("requested", requested),
        None => Message::new("headline-pinned-bare"),
    };
    let cause = sure("pinned-host").because(Message::new("because-pinned-goes-on"));
    plain(Verdict::HostMemory, headline, cause)
}

impl Picture {
    /// A picture of these parts; those of no size are left out. `None` where the capacity is not known.
    pub(super) fn of(total: Bytes, parts: &[(&'static str, Bytes)], requested: Option<Bytes>) -> Option<Picture> {
        let parts: Vec<Part> = parts
            .iter()
            .filter(|(_, bytes)| *bytes > Bytes::ZERO)
            .map(|(id, bytes)| Part { id, bytes: *bytes })
            .collect();
        let sum: Bytes = parts.iter().map(|part| part.bytes).sum();
        let over = sum - total;
        (total > Bytes::ZERO).then_some(Picture {
            total,
            parts,
            requested,
            spilled: if over > Bytes::mib(64) { over } else { Bytes::ZERO },
        })
    }
}
