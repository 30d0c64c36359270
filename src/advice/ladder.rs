//! The order of the fixes for each cause: cheapest loss first, what cannot help here left out with its reason.

use super::{Advice, Fix, Job, engines, fragmentation, ggml, host, other_process, torch};
use crate::diagnosis::{Corrections, Diagnosis};
use crate::paste::Evidence;

/// Advises on a diagnosis.
pub fn of(evidence: &Evidence, diagnosis: &Diagnosis, corrections: &Corrections) -> Advice {
    let job = Job::of(evidence, diagnosis, corrections);
    let mut fixes: Vec<Fix> = Vec::new();
    for cause in &diagnosis.causes {
        for fix in fixes_for(cause.id, &job) {
            if !fixes.iter().any(|other| other.id == fix.id) {
                fixes.push(fix);
            }
        }
    }
    // A later cause may repeat what an earlier one offers; a last step that always helps stands last.
    if let Some(at) = fixes.iter().position(|fix| fix.id == "bigger-card")
        && diagnosis.causes.first().is_none_or(|cause| cause.id != "mig-slice")
    {
        let last = fixes.remove(at);
        fixes.push(last);
    }
    Advice {
        fixes,
        refused: fragmentation::refused(&job, diagnosis),
    }
}

/// The fixes for one cause, in order.
fn fixes_for(cause: &str, job: &Job) -> Vec<Fix> {
    if let Some(fixes) = engines::fixes(cause, job).or_else(|| ggml::fixes(cause, job)) {
        return fixes;
    }
    match cause {
        "card-full" => torch::full(job),
        "request-too-large" => torch::too_large(job),
        "fragmentation" => fragmentation::fixes(job),
        "other-process" | "orphan-process" => other_process::fixes(job),
        "memory-cap" => torch::cap(job),
        "not-capacity" => host::room(job),
        "unified-memory-shared" => host::unified(job),
        "other-allocations" => torch::metal_others(job),
        "per-allocation-limit" => torch::block(job),
        "allocator-bug" => torch::allocator_bug(job),
        "unknown-no-figures" => torch::no_figures(job),
        "pinned-host" => host::pinned(),
        "cuda-context" => torch::context(),
        "mig-slice" => torch::slice(),
        "not-an-error-of-memory" => host::other_error(),
        "not-an-error" => host::nothing_seen(),
        _ => Vec::new(),
    }
}
