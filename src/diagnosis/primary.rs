//! Which of several findings is the failure that matters.

use crate::paste::{Evidence, Finding, Kind};

/// The weight of what is no message at all.
const SETTING: u8 = 6;

/// Failures first; then the lines around a failure, if that is all there is; then what was handled; then what the
/// engines tell, before the tables of monitors.
fn weight(finding: &Finding) -> u8 {
    match (finding.kind, finding.recovered) {
        (_, true) => 2,
        (kind, _) if kind.is_wrapper() => 1,
        (kind, _) if kind.is_failure() => 0,
        (Kind::Handled, _) => 2,
        (Kind::LayerPlan | Kind::OllamaPs | Kind::StartRetry, _) => 3,
        (Kind::EngineStart | Kind::OtherHolder | Kind::Pinned, _) => 4,
        (Kind::Setting | Kind::Hints, _) => SETTING,
        _ => 5,
    }
}

/// The finding that matters: the first failure in the text that the tool did not recover from, the one with figures
/// before one without where both stand for the same event; without a failure, the first thing told.
pub fn choose(evidence: &Evidence) -> Option<usize> {
    let findings = &evidence.findings;
    let best = findings.iter().map(weight).min().filter(|best| *best < SETTING)?;
    let first = findings.iter().position(|finding| weight(finding) == best)?;
    if best > 0 {
        return Some(first);
    }
    // The first out-of-memory in time is the cause; but an error without figures in the same chain, such as the
    // driver's echo of it, gives way to the one that has them.
    let told = |finding: &Finding| finding.figures.len();
    // A signal or an exit code is what remains of a failure that another line tells.
    if super::host_memory::is_only_a_signal(&findings[first]) {
        let told = (0..findings.len()).find(|number| {
            weight(&findings[*number]) == 0 && !super::host_memory::is_only_a_signal(&findings[*number])
        });
        if told.is_some() {
            return told;
        }
    }
    if told(&findings[first]) == 0 {
        let with_figures = findings
            .iter()
            .enumerate()
            .skip(first + 1)
            .find(|(_, finding)| weight(finding) == 0 && told(finding) > 0 && is_allocator(finding.kind));
        let is_system = !is_gpu(findings[first].kind);
        let with_figures = with_figures.filter(|_| !is_system);
        if let Some((number, _)) = with_figures {
            return Some(number);
        }
    }
    // Ranks fail together: the one that lacks most speaks for all.
    let lack =
        |finding: &Finding| finding.bytes("requested").unwrap_or_default() - finding.bytes("free").unwrap_or_default();
    let ranked = findings[first].rank.is_some();
    (first..findings.len())
        .filter(|number| {
            let finding = &findings[*number];
            *number == first
                || (ranked
                    && weight(finding) == 0
                    && finding.kind == findings[first].kind
                    && finding.rank.is_some()
                    && finding.rank != findings[first].rank)
        })
        .max_by_key(|number| (lack(&findings[*number]), findings.len() - number))
}

/// Whether a failure is one of the GPU's: one of the system's stands for itself, with figures or without.
fn is_gpu(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::HostKilled
            | Kind::HostAlloc
            | Kind::PagingFile
            | Kind::PinnedHost
            | Kind::SharedMemory
            | Kind::Disk
            | Kind::NotMemory
            | Kind::OnChip
    )
}

fn is_allocator(kind: Kind) -> bool {
    matches!(kind, Kind::TorchOom | Kind::AsyncOom | Kind::MpsOom)
}
