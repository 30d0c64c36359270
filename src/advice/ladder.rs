//! The order of the fixes for each cause: cheapest loss first, what cannot help here left out with its reason.

use super::{
    Advice, Fix, Job, Program, engines, fragmentation, frameworks, ggml, host, host_memory, monitors, other_process,
    torch, training, windows,
};
use crate::diagnosis::{Corrections, Diagnosis};
use crate::paste::{Evidence, Kind};

/// Advises on a diagnosis.
pub fn of(evidence: &Evidence, diagnosis: &Diagnosis, corrections: &Corrections) -> Advice {
    let job = Job::of(evidence, diagnosis, corrections);
    let mut fixes: Vec<Box<Fix>> = Vec::new();
    for cause in &diagnosis.causes {
        for fix in fixes_for(cause.id, &job) {
            if !fixes.iter().any(|other| other.id == fix.id) {
                fixes.push(fix);
            }
        }
    }
    if job.program == Program::Training {
        training::size(&mut fixes, &job, &diagnosis.scenario);
    }
    // A later cause may repeat what an earlier one offers; a last step that always helps stands last.
    if let Some(at) = fixes.iter().position(|fix| fix.id == "bigger-card")
        && diagnosis.causes.first().is_none_or(|cause| cause.id != "mig-slice")
    {
        let last = fixes.remove(at);
        fixes.push(last);
    }
    if let Some(name) = &diagnosis.model_name {
        fixes.iter_mut().for_each(|fix| name_model(fix, name));
    }
    fixes.iter_mut().for_each(|fix| windows::translate(&job, fix));
    Advice {
        fixes,
        refused: fragmentation::refused(&job, diagnosis),
    }
}

/// Puts the job's model into the commands of a fix.
fn name_model(fix: &mut Fix, name: &str) {
    for command in &mut fix.commands {
        let file = if name.ends_with(".gguf") {
            name.to_owned()
        } else {
            [name, ".gguf"].concat()
        };
        command.text = command.text.replace("MODEL.gguf", &file).replace("MODEL", name);
    }
}

/// The fixes for one cause, in order.
fn fixes_for(cause: &str, job: &Job) -> Vec<Box<Fix>> {
    if let Some(fixes) = engines::fixes(cause, job).or_else(|| ggml::fixes(cause, job)) {
        return fixes;
    }
    match cause {
        "card-full" => frameworks::full(job).unwrap_or_else(|| torch::full(job)),
        "request-too-large" => frameworks::full(job).unwrap_or_else(|| torch::too_large(job)),
        "fragmentation" => fragmentation::fixes(job),
        "other-process" | "orphan-process" => monitors::holders(job).unwrap_or_else(|| other_process::fixes(job)),
        "memory-cap" => frameworks::cap(job).unwrap_or_else(|| torch::cap(job)),
        "not-capacity" => host::room(job),
        "unified-memory-shared" => frameworks::unified(job).unwrap_or_else(|| host::unified(job)),
        "other-allocations" => torch::metal_others(job),
        "per-allocation-limit" => torch::block(job),
        "allocator-bug" => torch::allocator_bug(job),
        "unknown-no-figures" => torch::no_figures(job),
        "pinned-host" if job.kind() == Some(Kind::PinnedHost) => host_memory::pinned(),
        "pinned-host" => host::pinned(),
        "cuda-context" => torch::context(),
        "mig-slice" => torch::slice(),
        "host-ram" => host_memory::ram(job),
        "paging-file" => host_memory::paging(),
        "shm" => host_memory::shared_memory(job),
        "disk" => host_memory::disk(),
        "on-chip-shared-memory" => frameworks::on_chip(job),
        "not-memory-index-error" => host_memory::index_error(),
        "kernel-bug" => host_memory::kernel_bug(),
        "preallocation" => frameworks::preallocation(job),
        "does-not-fit-planned" if job.kind() == Some(Kind::PlacementRefused) => frameworks::placement(job),
        "leak-suspected" => frameworks::leak(),
        "partial-offload" => monitors::image_part(job).unwrap_or_default(),
        "recovered" | "info-devices" | "info-success" | "card-idle" => monitors::nothing(job),
        "not-an-error-of-memory" => host_memory::other_fault(job).unwrap_or_else(host::other_error),
        "not-an-error" => host::nothing_seen(),
        _ => Vec::new(),
    }
}
