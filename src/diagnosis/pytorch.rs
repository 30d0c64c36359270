//! Why PyTorch ran out: from the amounts of its message, ranked.

use super::picture::{Amounts, own_processes};
use super::{Cause, Confidence, Corrections, Diagnosis, Verdict};
use crate::message::Message;
use crate::order;
use crate::paste::{Evidence, Finding, Kind};
use crate::units::{Bytes, GIB};

/// Fragmentation comes first only when the unused reserve is at least this share of the card.
const NOTABLE: i64 = 10;
/// From this size on, Intel's runtime refuses one buffer unless asked to relax its limit.
const INTEL_BUFFER: Bytes = Bytes(4 * GIB);

/// PyTorch's caching allocator, and its `cudaMallocAsync` backend.
pub fn allocator(evidence: &Evidence, finding: &Finding, unified: bool, corrections: &Corrections) -> Box<Diagnosis> {
    let own = own_processes(finding, corrections);
    let amounts = Amounts::of(finding, &own);
    if finding.has("torch-requested-absurd") {
        let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-absurd"));
        diagnosis.causes.push(Cause::new("request-too-large", Confidence::Sure));
        return diagnosis;
    }
    let Some(requested) = amounts.requested else {
        return without_request(finding, &amounts);
    };
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, headline(finding, &amounts, requested));
    diagnosis.missing = amounts.missing();
    diagnosis.picture = amounts.picture();
    diagnosis.causes = rank(evidence, finding, &amounts, requested, unified);
    let first = diagnosis.causes.first().map_or("", |cause| cause.id);
    diagnosis.verdict = match first {
        "per-allocation-limit" => Verdict::OtherLimit,
        "not-capacity" if amounts.free_inferred || vendor(finding).is_some_and(|vendor| vendor != "NVIDIA") => {
            Verdict::Unknown
        }
        // On NVIDIA cards, room on the card and yet a refusal: Windows' commit limit or page-locked host memory.
        "not-capacity" => Verdict::HostMemory,
        _ => Verdict::GpuMemory,
    };
    diagnosis.caution = match (first, diagnosis.missing) {
        ("not-capacity", _) => Some(Message::new("caution-room")),
        (_, Some(_)) => Some(Message::new("caution-more-later").with("requested", requested)),
        _ => None,
    };
    diagnosis
}

/// Whose card it is, where the message's build tells.
pub fn vendor(finding: &Finding) -> Option<&'static str> {
    let builds = [
        ("torch-oom-npu", "Huawei"),
        ("torch-oom-musa", "Moore Threads"),
        ("torch-oom-hip", "AMD"),
        ("torch-oom-xpu", "Intel"),
        ("torch-oom-cuda", "NVIDIA"),
    ];
    builds
        .iter()
        .find(|(row, _)| finding.has(row))
        .map(|(_, vendor)| *vendor)
}

fn is_radeon(finding: &Finding) -> bool {
    finding.has("torch-oom-hip")
}

/// The figure that counts: what is missing.
fn headline(finding: &Finding, amounts: &Amounts, requested: Bytes) -> Message {
    let base = |id| Message::new(id).with("requested", requested);
    let total = amounts.total.unwrap_or_default();
    match (amounts.free, amounts.missing()) {
        _ if amounts.total.is_some_and(|total| requested > total) => base("headline-impossible").with("total", total),
        (Some(free), _) if capped(amounts, requested) && free >= requested => base("headline-capped")
            .with("free", free)
            .with("allowed", amounts.allowed.unwrap_or_default()),
        (Some(free), None) if amounts.free_inferred => base("headline-room-inferred").with("free", free),
        (Some(free), None) if amounts.is_short(requested) => base("headline-barely").with("free", free),
        (Some(free), None) => base("headline-room").with("free", free),
        (Some(free), Some(missing)) if amounts.free_inferred => base("headline-missing-inferred")
            .with("free", free)
            .with("missing", missing),
        (Some(free), Some(missing)) => base("headline-missing").with("free", free).with("missing", missing),
        (None, _) => base(if finding.bytes("allocated").is_some() {
            "headline-allocated"
        } else {
            "headline-requested"
        })
        .with("allocated", finding.bytes("allocated").unwrap_or_default()),
    }
}

/// Whether a limit that somebody set, rather than the card, refused the request. The limit counts what the allocator
/// holds, not the CUDA context.
fn capped(amounts: &Amounts, requested: Bytes) -> bool {
    let held = amounts.allocated.unwrap_or_default() + amounts.reserved;
    amounts.allowed.is_some_and(|allowed| {
        amounts.total.is_none_or(|total| allowed < total) && held + requested > allowed - Bytes::mib(8)
    })
}

/// The message without its request: cut off, or the truncated form of the asynchronous backend.
fn without_request(finding: &Finding, amounts: &Amounts) -> Box<Diagnosis> {
    let id = if finding.kind == Kind::AsyncOom {
        "headline-async-cut"
    } else {
        "headline-no-figures"
    };
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new(id));
    diagnosis.picture = amounts.picture();
    let cause = Cause::new("unknown-no-figures", Confidence::Likely).because(Message::new("because-no-request"));
    diagnosis.causes.push(cause);
    if let (Some(free), Some(total)) = (amounts.free.filter(|_| !amounts.free_inferred), amounts.total)
        && free.share(20, 1) < total
    {
        let full = Cause::new("card-full", Confidence::Possible).because(
            Message::new("because-little-free")
                .with("free", free)
                .with("total", total),
        );
        diagnosis.causes.insert(0, full);
    }
    diagnosis
}

/// All causes that the figures allow, the likeliest first.
fn rank(evidence: &Evidence, finding: &Finding, amounts: &Amounts, requested: Bytes, unified: bool) -> Vec<Box<Cause>> {
    let mut causes: Vec<(i32, Box<Cause>)> = Vec::new();
    causes.extend(cap(amounts, requested));
    causes.extend(too_large(amounts, requested));
    causes.extend(room(finding, amounts, requested));
    causes.extend(others(finding, amounts, requested));
    causes.extend(shared(amounts, requested, unified));
    causes.extend(fragmented(amounts, requested));
    // What takes less than half of the card fills it only where nothing else does.
    let total = amounts.total.unwrap_or_default();
    let half = amounts.allocated.is_none_or(|held| held.share(2, 1) >= total);
    let full = full(finding, amounts, requested);
    causes.extend(full.filter(|_| half || causes.is_empty()));
    causes.extend(slice(evidence));
    if causes.is_empty() {
        let untold = Message::new(if amounts.total.is_some() {
            "because-no-free"
        } else {
            "because-no-capacity"
        });
        causes.push((0, Cause::new("unknown-no-figures", Confidence::Likely).because(untold)));
    }
    by_score(causes)
}

/// The causes, those of the highest score first.
fn by_score(causes: Vec<(i32, Box<Cause>)>) -> Vec<Box<Cause>> {
    let ranked = order::by_key(causes, |(score, _)| i64::from(-score));
    ranked.into_iter().map(|(_, cause)| cause).collect()
}

/// The job's own live tensors fill `total`: a cause that is likely where they take most of it.
fn filled(held: Bytes, total: Bytes) -> Box<Cause> {
    let percent = held.percent_of(total);
    let confidence = if percent >= 70 {
        Confidence::Likely
    } else {
        Confidence::Possible
    };
    Cause::new("card-full", confidence).because(
        Message::new("because-live")
            .with("allocated", held)
            .with("total", total)
            .with("percent", percent),
    )
}

fn cap(amounts: &Amounts, requested: Bytes) -> Option<(i32, Box<Cause>)> {
    let allowed = amounts.allowed.filter(|_| capped(amounts, requested))?;
    let held = amounts.allocated.unwrap_or_default() + amounts.reserved;
    let sure = amounts.free.is_some_and(|free| free >= requested);
    let mut cause = Cause::new("memory-cap", if sure { Confidence::Sure } else { Confidence::Likely }).because(
        Message::new("because-cap")
            .with("allowed", allowed)
            .with("held", held)
            .with("requested", requested),
    );
    if let Some(free) = amounts.free.filter(|_| sure) {
        cause = cause.because(Message::new("because-cap-free").with("free", free));
    }
    Some((if sure { 100 } else { 70 }, cause))
}

/// One request that is larger than the card, or than what would be left with only the live tensors on it, or that
/// takes most of the card by itself.
fn too_large(amounts: &Amounts, requested: Bytes) -> Option<(i32, Box<Cause>)> {
    let total = amounts.total?;
    if requested > total {
        let cause = Cause::new("request-too-large", Confidence::Sure).because(
            Message::new("because-larger-than-card")
                .with("requested", requested)
                .with("total", total),
        );
        return Some((95, cause));
    }
    let left = (total - amounts.allocated.unwrap_or_default()).floor_zero();
    let share = requested.percent_of(total);
    let of_card = Message::new("because-share-of-card").with("percent", share);
    if requested > left {
        // With most of the card in live tensors, any request is larger than the rest: that is a full card, unless the
        // request alone takes half of it.
        let small = amounts.allocated.unwrap_or_default().share(2, 1) < total || share >= 50;
        let confidence = if small {
            Confidence::Likely
        } else {
            Confidence::Possible
        };
        let mut cause = Cause::new("request-too-large", confidence).because(
            Message::new("because-larger-than-left")
                .with("requested", requested)
                .with("left", left),
        );
        if small {
            cause = cause.because(of_card);
        }
        return Some((if small { 85 } else { 35 }, cause));
    }
    if share >= 50 {
        return Some((62, Cause::new("request-too-large", Confidence::Likely).because(of_card)));
    }
    if share >= 25 {
        return Some((
            20,
            Cause::new("request-too-large", Confidence::Possible).because(of_card),
        ));
    }
    None
}

/// More is free than was asked for: something other than the capacity refused.
fn room(finding: &Finding, amounts: &Amounts, requested: Bytes) -> Option<(i32, Box<Cause>)> {
    let free = amounts
        .free
        .filter(|_| !amounts.is_short(requested) && !capped(amounts, requested))?;
    let mut cause = Cause::new("not-capacity", Confidence::Likely).because(
        Message::new("because-room")
            .with("free", free)
            .with("requested", requested),
    );
    if finding.has("torch-oom-xpu") && requested >= INTEL_BUFFER {
        let because = Message::new("because-block").with("requested", requested);
        let limit = Cause::new("per-allocation-limit", Confidence::Likely).because(because);
        return Some((63, limit));
    }
    if amounts.free_inferred {
        cause = cause.although(Message::new("because-free-inferred"));
    } else if is_radeon(finding) {
        cause = cause.because(Message::new("because-rocm-free"));
    } else {
        cause = cause.because(Message::new("because-commit-limit"));
    }
    // With a fifth to spare even a request of half the card is not what was too large.
    let ample = !amounts.free_inferred && free.share(4, 5) >= requested;
    Some((if ample { 64 } else { 60 }, cause))
}

fn others(finding: &Finding, amounts: &Amounts, requested: Bytes) -> Option<(i32, Box<Cause>)> {
    let total = amounts.total?;
    let free = amounts.free.filter(|_| amounts.is_short(requested))?;
    if whose_is_open(finding) {
        // In a container the job itself is listed so; what would tell is cut off.
        let held = Message::new("because-others")
            .with("others", amounts.others)
            .with("total", total);
        let cause = Cause::new("other-process", Confidence::Possible).because(held);
        return (amounts.others > Bytes::ZERO).then(|| (8, cause.although(Message::new("because-maybe-own"))));
    }
    let unaccounted = amounts.unaccounted;
    let third = unaccounted.share(3, 1) >= total && free + unaccounted >= requested;
    if amounts.others > Bytes::ZERO && !(third && unaccounted > amounts.others) {
        let enough = free + amounts.others >= requested;
        let notable = amounts.others.share(NOTABLE, 1) >= total;
        let mut cause = Cause::new(
            "other-process",
            if enough && notable {
                Confidence::Sure
            } else {
                Confidence::Possible
            },
        );
        cause = cause.because(
            Message::new("because-others")
                .with("others", amounts.others)
                .with("total", total),
        );
        cause = if enough {
            cause.because(Message::new("because-others-enough").with("requested", requested))
        } else {
            cause.although(
                Message::new("because-others-not-enough")
                    .with("others", amounts.others)
                    .with("requested", requested),
            )
        };
        return Some((
            if enough && notable {
                90
            } else if enough {
                40
            } else {
                30
            },
            cause,
        ));
    }
    // Without process lines nobody is named, but memory that the job does not hold is held all the same.
    let nobody_named = finding.processes.is_empty() && finding.bytes("this_process").is_none();
    let quarter = unaccounted.share(4, 1) >= total && free + unaccounted >= requested;
    if unaccounted >= Bytes(2 * GIB) && (third || nobody_named && quarter) {
        let most = unaccounted > amounts.allocated.unwrap_or_default() + amounts.reserved;
        let cause = Cause::new(
            "other-process",
            if most || third {
                Confidence::Likely
            } else {
                Confidence::Possible
            },
        )
        .because(
            Message::new("because-unaccounted")
                .with("unaccounted", unaccounted)
                .with("total", total),
        );
        let score = match (most, third) {
            (true, _) => 80,
            (_, true) => 66,
            _ => 45,
        };
        return Some((score, cause));
    }
    None
}

fn shared(amounts: &Amounts, requested: Bytes, unified: bool) -> Option<(i32, Box<Cause>)> {
    let total = amounts.total.filter(|_| unified)?;
    if !amounts.is_short(requested) || amounts.unaccounted.share(5, 1) < total {
        return None;
    }
    let cause = Cause::new("unified-memory-shared", Confidence::Likely).because(
        Message::new("because-unified")
            .with("unaccounted", amounts.unaccounted)
            .with("total", total),
    );
    Some((88, cause))
}

fn fragmented(amounts: &Amounts, requested: Bytes) -> Option<(i32, Box<Cause>)> {
    let free = amounts.free?;
    let reserved = amounts.reserved;
    // A reserve of nothing is in no pieces, and beside enough that was free a smaller one is not what lacked.
    let counts = reserved > Bytes::ZERO && (free < requested || reserved >= requested);
    if !amounts.is_short(requested) || free + reserved < requested || !counts {
        return None;
    }
    let alone = reserved >= requested;
    let notable = amounts.total.is_none_or(|total| reserved.share(NOTABLE, 1) >= total);
    let mut cause = Cause::new(
        "fragmentation",
        if alone && notable {
            Confidence::Likely
        } else {
            Confidence::Possible
        },
    );
    cause = if alone {
        cause.because(
            Message::new("because-reserve-alone")
                .with("reserved", reserved)
                .with("requested", requested),
        )
    } else {
        cause.because(
            Message::new("because-reserve-with-free")
                .with("reserved", reserved)
                .with("free", free)
                .with("requested", requested),
        )
    };
    if !notable {
        let total = amounts.total.unwrap_or_default();
        let id = if free.share(NOTABLE, 1) < total {
            "because-reserve-small"
        } else {
            "because-reserve-minor"
        };
        cause = cause.although(Message::new(id).with("reserved", reserved).with("total", total));
    }
    Some((if alone && notable { 92 } else { 55 }, cause))
}

/// Whether a message breaks off behind its one process, which may be the job itself: nothing tells what the job holds.
pub fn whose_is_open(finding: &Finding) -> bool {
    let untold = |name| finding.bytes(name).is_none();
    finding.kind == Kind::TorchOom && finding.processes.len() == 1 && untold("allocated") && untold("this_process")
}

fn full(finding: &Finding, amounts: &Amounts, requested: Bytes) -> Option<(i32, Box<Cause>)> {
    let total = amounts.total?;
    let held = amounts.allocated.unwrap_or_default();
    let percent = held.percent_of(total);
    if amounts.cut {
        // Only what the job held is told, not what was left.
        let cause = filled(held, total).although(Message::new("because-no-free"));
        return (percent >= 50).then_some((65, cause));
    }
    let free = amounts.free.filter(|_| amounts.is_short(requested))?;
    if amounts.allocated.is_none() {
        // The message breaks off before what PyTorch held: only that little was left is known.
        let little = free.share(20, 1) < total && (amounts.others == Bytes::ZERO || whose_is_open(finding));
        let left = Message::new("because-little-free")
            .with("free", free)
            .with("total", total);
        return little.then(|| (10, Cause::new("card-full", Confidence::Possible).because(left)));
    }
    if percent < 20 {
        return None;
    }
    let mut cause = filled(held, total);
    if held > total {
        cause = cause.because(Message::new("because-spilled").with("spilled", held - total));
    } else {
        cause = cause.because(
            Message::new("because-little-free")
                .with("free", free)
                .with("total", total),
        );
    }
    if amounts.reserved > Bytes::ZERO && amounts.reserved.share(NOTABLE, 1) < total && amounts.reserved < requested {
        cause = cause.because(Message::new("because-reserve-no-help").with("reserved", amounts.reserved));
    }
    Some((if percent >= 50 { 65 } else { 50 }, cause))
}

fn slice(evidence: &Evidence) -> Option<(i32, Box<Cause>)> {
    let named = evidence
        .findings
        .iter()
        .flat_map(|finding| &finding.cards)
        .find_map(|card| card.name.as_deref().filter(|name| name.contains("MIG")))?;
    Some((
        75,
        Cause::new("mig-slice", Confidence::Likely).because(Message::new("because-mig").with("name", named)),
    ))
}

/// PyTorch on Apple's Metal: the limit is a share of the machine's memory.
pub fn metal(finding: &Finding) -> Box<Diagnosis> {
    let amount = |name| finding.bytes(name);
    let allocated = amount("mps_allocated").unwrap_or_default();
    let other = amount("other_allocations").unwrap_or_default();
    // Cut off before the request, it was at least more than was left.
    let requested = amount("requested").unwrap_or_default();
    let Some(limit) = amount("max_allowed") else {
        if requested == Bytes::ZERO {
            return without_request(finding, &Amounts::default());
        }
        let headline = Message::new("headline-allocated")
            .with("requested", requested)
            .with("allocated", allocated);
        let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, headline);
        diagnosis
            .causes
            .push(Cause::new("card-full", Confidence::Possible).because(Message::new("because-metal-no-limit")));
        return diagnosis;
    };
    let amounts = Amounts::of(finding, &[]);
    let free = amounts.free.unwrap_or_default();
    let headline = match amounts.missing() {
        _ if requested == Bytes::ZERO => Message::new("headline-no-figures"),
        _ if requested > limit => Message::new("headline-metal-impossible").with("total", limit),
        Some(missing) => Message::new("headline-metal-missing")
            .with("missing", missing)
            .with("limit", limit),
        None => Message::new("headline-metal-room")
            .with("free", free)
            .with("limit", limit),
    };
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, headline.with("requested", requested));
    diagnosis.missing = amounts.missing();
    diagnosis.picture = amounts.picture();
    diagnosis.caution = Some(Message::new("caution-metal-limit"));
    let mut causes: Vec<(i32, Box<Cause>)> = Vec::new();
    if requested > limit {
        let cause = Cause::new("request-too-large", Confidence::Sure).because(
            Message::new("because-larger-than-card")
                .with("requested", requested)
                .with("total", limit),
        );
        causes.push((95, cause));
    } else if requested.share(4, 1) >= limit {
        let percent = requested.percent_of(limit);
        let cause = Cause::new("request-too-large", Confidence::Possible)
            .because(Message::new("because-share-of-card").with("percent", percent));
        causes.push((
            if requested > limit - allocated && allocated.share(2, 1) < limit {
                75
            } else {
                30
            },
            cause,
        ));
    }
    if other > Bytes::ZERO {
        let most = other > allocated && other.share(3, 1) >= limit;
        let cause = Cause::new(
            "other-allocations",
            if most { Confidence::Likely } else { Confidence::Possible },
        )
        .because(
            Message::new("because-metal-others")
                .with("others", other)
                .with("limit", limit),
        );
        if most || other.share(NOTABLE, 1) >= limit {
            causes.push((if most { 80 } else { 25 }, cause));
        }
    }
    // What takes less than half of the limit fills it only where others do not.
    if causes.is_empty() || allocated.share(2, 1) >= limit {
        causes.push((60, filled(allocated, limit)));
    }
    diagnosis.causes = by_score(causes);
    diagnosis
}

/// The driver's error without figures: an allocation outside PyTorch's allocator failed.
pub fn bare(finding: &Finding) -> Box<Diagnosis> {
    let mut diagnosis = Diagnosis::plain(Verdict::Unknown, Message::new("headline-bare"));
    diagnosis.caution = finding.has("bare-async-note").then(|| Message::new("caution-async"));
    diagnosis.causes = vec![
        Cause::new("unknown-no-figures", Confidence::Likely).because(Message::new("because-outside-allocator")),
        Cause::new("cuda-context", Confidence::Possible).because(Message::new("because-context")),
        Cause::new("pinned-host", Confidence::Possible).because(Message::new("because-pinned")),
    ];
    diagnosis
}

/// One buffer is larger than the platform allows, whatever is free.
pub fn block_limit(finding: &Finding) -> Box<Diagnosis> {
    let requested = finding.bytes("requested").unwrap_or_default();
    let headline = match finding.bytes("limit") {
        Some(limit) => Message::new("headline-block-limit").with("limit", limit),
        None => Message::new("headline-block"),
    };
    let mut diagnosis = Diagnosis::plain(Verdict::OtherLimit, headline.with("requested", requested));
    diagnosis.picture = Amounts::of(finding, &[]).picture();
    diagnosis.causes.push(
        Cause::new("per-allocation-limit", Confidence::Sure)
            .because(Message::new("because-block").with("requested", requested)),
    );
    diagnosis
}

/// An assertion in the allocator that stands for an out-of-memory.
pub fn assertion(finding: &Finding) -> Box<Diagnosis> {
    if finding.has("assert-async") {
        let mut diagnosis = Diagnosis::plain(Verdict::OtherLimit, Message::new("headline-allocator-bug"));
        diagnosis
            .causes
            .push(Cause::new("allocator-bug", Confidence::Likely).because(Message::new("because-assert-async")));
        return diagnosis;
    }
    let mut diagnosis = Diagnosis::plain(Verdict::GpuMemory, Message::new("headline-nvml-assert"));
    diagnosis.causes = vec![
        Cause::new("unknown-no-figures", Confidence::Likely).because(Message::new("because-assert-nvml")),
        Cause::new("card-full", Confidence::Possible).because(Message::new("because-assert-nvml-full")),
    ];
    diagnosis
}
