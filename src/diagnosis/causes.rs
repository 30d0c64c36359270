//! The rule set of each kind of finding.

use super::card::CardGuess;
use super::{
    Cause, Confidence, Corrections, Diagnosis, Verdict, engines, frameworks, ggml, host_memory, libraries, monitors,
    pytorch, start,
};
use crate::message::Message;
use crate::paste::{Evidence, Finding, Kind, Shape};
use crate::scenario::Scenario;

/// Diagnoses the finding that matters.
pub fn of(evidence: &Evidence, finding: &Finding, card: &CardGuess, corrections: &Corrections) -> Box<Diagnosis> {
    if finding.recovered {
        return engines::recovered(finding);
    }
    match finding.kind {
        Kind::AsyncOom if finding.bytes("requested").is_none() && monitors::summary_in(evidence).is_some() => {
            monitors::summary(evidence, monitors::summary_in(evidence).unwrap_or(finding))
        }
        Kind::TorchOom | Kind::AsyncOom => engines::in_warmup(
            evidence,
            pytorch::allocator(
                evidence,
                finding,
                card.is_unified(pytorch::vendor(finding)),
                corrections,
            ),
        ),
        Kind::MpsOom => pytorch::metal(finding),
        Kind::CudaBare if ggml::at_work(evidence) => ggml::pool(evidence, finding),
        Kind::CudaBare => engines::in_warmup(evidence, pytorch::bare(finding)),
        Kind::BlockLimit => pytorch::block_limit(finding),
        Kind::AllocatorAssert => pytorch::assertion(finding),
        Kind::Hints | Kind::Setting => nothing(evidence.shape),
        Kind::KvTooSmall => engines::kv_too_small(finding),
        Kind::KvNone => engines::kv_none(evidence, finding),
        Kind::StartupFree => engines::startup_free(evidence, finding),
        Kind::StartupHost => engines::startup_host(finding),
        Kind::ProfilingRace => engines::profiling_race(finding),
        Kind::Warmup => engines::warmup(evidence, finding),
        Kind::Wrapper => engines::wrapper(finding),
        Kind::EngineOom => engines::out_of_memory(finding),
        Kind::PlanRefused => engines::planned(finding),
        Kind::Handled => engines::recovered(finding),
        Kind::EngineHost => engines::host(finding),
        Kind::HostRefused => engines::host_refused(finding),
        Kind::Pinned => engines::pinned(finding),
        Kind::GgmlAlloc => ggml::alloc(evidence, finding),
        Kind::GgmlPool => ggml::pool(evidence, finding),
        Kind::GgmlMetal => ggml::metal(evidence),
        Kind::OtherHolder => ggml::other_holder(finding),
        Kind::EngineStart => start::healthy(evidence, finding, card),
        Kind::LayerPlan => start::layers(evidence, finding, card),
        Kind::OllamaPs => start::ps(evidence, finding),
        Kind::LibraryOom | Kind::LibraryFailed | Kind::NcclOom | Kind::DriverOom => {
            libraries::shortage(evidence, finding)
        }
        Kind::OnChip => libraries::on_chip(finding),
        Kind::PlacementRefused => libraries::placement(),
        Kind::FrameworkOom => frameworks::shortage(finding),
        Kind::StartRetry => frameworks::start(evidence),
        Kind::HostKilled => host_memory::killed(finding),
        Kind::HostAlloc => host_memory::allocation(finding),
        Kind::PagingFile => host_memory::paging(),
        Kind::PinnedHost => host_memory::pinned(finding),
        Kind::SharedMemory => host_memory::shared_memory(finding),
        Kind::Disk => host_memory::disk(finding),
        Kind::NotMemory => host_memory::not_memory(finding),
        Kind::Monitor => monitors::monitor(evidence, finding),
        Kind::MemorySummary => monitors::summary(evidence, finding),
        Kind::ImageLoad => monitors::image_load(finding),
        Kind::TrainingLog => monitors::training_log(),
    }
}

/// Diagnoses a text in which nothing was recognised.
pub fn nothing(shape: Shape) -> Box<Diagnosis> {
    let (verdict, headline, cause) = match shape {
        Shape::Empty => (Verdict::NoError, "shape-empty", None),
        Shape::Binary => (Verdict::Unknown, "shape-binary", None),
        Shape::Traceback => (Verdict::NotMemory, "shape-traceback", Some("not-an-error-of-memory")),
        Shape::OnlyTheWords => (Verdict::Unknown, "shape-only-words", Some("unknown-no-figures")),
        Shape::Prose => (Verdict::NoError, "shape-prose", Some("not-an-error")),
        Shape::Numbers => (Verdict::Unknown, "shape-numbers", None),
        Shape::Log => (Verdict::NoError, "shape-log", Some("not-an-error")),
    };
    let mut diagnosis = Diagnosis::plain(verdict, Message::new(headline));
    diagnosis
        .causes
        .extend(cause.map(|id| Cause::new(id, Confidence::Likely)));
    diagnosis
}

impl Diagnosis {
    /// A diagnosis with a verdict and a headline, all else open.
    pub(super) fn plain(verdict: Verdict, headline: Message) -> Box<Diagnosis> {
        Box::new(Diagnosis {
            verdict,
            primary: None,
            headline,
            caution: None,
            missing: None,
            causes: Vec::new(),
            picture: None,
            card: CardGuess::default(),
            scenario: Scenario::default(),
            told_at: Vec::new(),
            model_name: None,
            incomplete: Vec::new(),
        })
    }
}
