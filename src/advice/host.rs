//! Refusals that the card's capacity does not explain, and errors that are none of the card's.

use super::{Fix, Job, Place};
use crate::message::Message;
use crate::units::Bytes;

/// More is free than was asked for.
pub fn room(job: &Job) -> Vec<Box<Fix>> {
    let update = Fix::new("update-driver", "update-tool", Message::new("fix-update-driver"));
    if job.has("torch-oom-hip") {
        return vec![
            Fix::new("show-card", "ask-for-more", Message::new("fix-show-card-rocm"))
                .command(Place::Shell, "rocm-smi --showpids --showmeminfo vram"),
            update,
        ];
    }
    if job.amounts.free_inferred {
        return vec![
            update,
            Fix::new("show-card", "ask-for-more", Message::new("fix-show-card-other")),
        ];
    }
    vec![
        Fix::new("commit-limit", "host-resource", Message::new("fix-commit-limit"))
            .because(Message::new("why-commit-limit"))
            .command(Place::Shell, "# Windows: Settings > System > About > Advanced system settings > Performance > Advanced > Virtual memory\n# WSL 2: in %UserProfile%\\.wslconfig\n[wsl2]\nmemory=24GB\nswap=32GB"),
        update,
        Fix::new("pinned-off", "engine-setting", Message::new("fix-pinned-off"))
            .command(Place::Python, "DataLoader(dataset, pin_memory=False)"),
    ]
}

/// Page-locked host memory.
pub fn pinned() -> Vec<Box<Fix>> {
    vec![
        Fix::new("pinned-off", "engine-setting", Message::new("fix-pinned-off"))
            .command(Place::Python, "DataLoader(dataset, pin_memory=False)"),
    ]
}

/// The GPU shares the system's memory, and the system holds most of it.
pub fn unified(job: &Job) -> Vec<Box<Fix>> {
    let most = job.amounts.unaccounted;
    vec![
        Fix::new(
            "close-programs",
            "free-other",
            Message::new("fix-close-programs").with("bytes", most),
        )
        .saving(Some((Bytes::ZERO, most)), job.fits_between(Bytes::ZERO, most))
        .command(Place::Shell, "free -h\nps aux --sort=-rss | head"),
        Fix::new("no-mmap", "engine-setting", Message::new("fix-no-mmap")),
    ]
}

/// An error that has nothing to do with memory.
pub fn other_error() -> Vec<Box<Fix>> {
    vec![Fix::new("other-error", "fix-code", Message::new("fix-other-error"))]
}

/// No error in the text.
pub fn nothing_seen() -> Vec<Box<Fix>> {
    vec![Fix::new("paste-more", "ask-for-more", Message::new("fix-paste-more"))]
}
