//! The allocator's settings: where they help, with the exact line; and why the hint that PyTorch prints does not, where
//! it does not.

use super::{Fix, Job, Place, Refused};
use crate::diagnosis::Diagnosis;
use crate::message::Message;
use crate::units::Bytes;

/// The settings, for a failure in which the reserve would have served the request.
pub fn fixes(job: &Job) -> Vec<Box<Fix>> {
    let reserved = job.amounts.reserved;
    let saves = Some((Bytes::ZERO, reserved));
    let fits_after = job.fits_with(reserved);
    if job.has("torch-oom-xpu") || job.has("torch-oom-dpcpp") {
        return vec![
            Fix::new(
                "empty-cache-xpu",
                "allocator-setting",
                Message::new("fix-empty-cache-xpu"),
            )
            .saving(saves, fits_after)
            .command(Place::Python, "torch.xpu.empty_cache()"),
        ];
    }
    let mut fixes = Vec::new();
    if expandable(job) {
        let setting = "expandable_segments:True";
        fixes.push(
            Fix::new(
                "expandable-segments",
                "allocator-setting",
                Message::new("fix-expandable-segments").with("reserved", reserved),
            )
            .saving(saves, fits_after)
            .because(Message::new("fix-expandable-segments-why"))
            .command(Place::Shell, &format!("export {}={setting}", variable(job)))
            .command(
                Place::Python,
                &format!(
                    "import os\nos.environ[\"{}\"] = \"{setting}\"  # before: import torch",
                    variable(job)
                ),
            ),
        );
    } else {
        let setting = "max_split_size_mb:128";
        let shell = if job.windows { Place::PowerShell } else { Place::Shell };
        let line = match shell {
            Place::PowerShell => format!("$env:{} = \"{setting}\"", variable(job)),
            _ => format!("export {}={setting}", variable(job)),
        };
        let id = if job.windows {
            "fix-max-split-windows"
        } else if job.has("torch-oom-hip") && job.has("torch-hint-expandable") {
            "fix-max-split-rocm"
        } else {
            "fix-max-split"
        };
        fixes.push(
            Fix::new(
                "max-split-size",
                "allocator-setting",
                Message::new(id).with("reserved", reserved),
            )
            .saving(saves, None)
            .because(Message::new("fix-max-split-why"))
            .command(shell, &line)
            .command(
                Place::Python,
                &format!(
                    "import os\nos.environ[\"{}\"] = \"{setting}\"  # before: import torch",
                    variable(job)
                ),
            ),
        );
    }
    fixes.push(
        Fix::new("steady-shapes", "reduce-work", Message::new("fix-steady-shapes"))
            .because(Message::new("fix-steady-shapes-why")),
    );
    fixes
}

/// Whether expandable segments can be had: from 2.1 on, on Linux, on NVIDIA cards. PyTorch before 2.1 does not know
/// them, on Windows they are not supported, and ROCm builds mostly ignore them.
fn expandable(job: &Job) -> bool {
    let old = matches!(job.format(), "PT-2" | "PT-3");
    job.is_cuda() && !old && !job.windows
}

/// The variable that every version of this build reads.
fn variable(job: &Job) -> &'static str {
    if job.has("torch-oom-hip") {
        "PYTORCH_HIP_ALLOC_CONF"
    } else {
        "PYTORCH_CUDA_ALLOC_CONF"
    }
}

/// The rows that print a hint, and whether it is about fragmentation.
const HINTS: [&str; 3] = [
    "torch-hint-expandable",
    "torch-hint-max-split",
    "torch-hint-max-split-new",
];

/// Why hints that the tool printed need not be tried.
pub fn refused(job: &Job, diagnosis: &Diagnosis) -> Vec<Refused> {
    let mut refused = Vec::new();
    let amounts = &job.amounts;
    let is_cause = |id: &str| diagnosis.causes.iter().any(|cause| cause.id == id);
    if let (true, Some(requested), Some(free)) = (HINTS.iter().any(|row| job.has(row)), amounts.requested, amounts.free)
        && !is_cause("fragmentation")
    {
        let because = if free >= requested {
            Message::new("refused-hint-room")
                .with("free", free)
                .with("requested", requested)
        } else {
            Message::new("refused-hint")
                .with("reserved", amounts.reserved)
                .with("free", free)
                .with("requested", requested)
                .with("still", requested - free - amounts.reserved)
        };
        refused.push(Refused {
            id: "allocator-setting",
            because,
        });
    }
    if job.has("torch-hint-empty-cache") && !is_cause("fragmentation") {
        let still = amounts.missing().unwrap_or_default() - amounts.reserved;
        if still > Bytes::ZERO {
            let because = Message::new("refused-empty-cache")
                .with("reserved", amounts.reserved)
                .with("still", still);
            refused.push(Refused {
                id: "empty-cache-xpu",
                because,
            });
        }
    }
    if job.has("mps-hint-watermark") {
        refused.push(Refused {
            id: "watermark",
            because: Message::new("refused-watermark"),
        });
    }
    refused
}
