//! What a monitor's table asks for: find who holds the card, end what is left over, or nothing.

use super::{Fix, Job, Place, other_process};
use crate::message::Message;
use crate::paste::Kind;

/// Who holds the card, where the text is a monitor's table; `None` for a failure.
pub fn holders(job: &Job) -> Option<Vec<Box<Fix>>> {
    if !matches!(job.kind(), Some(Kind::Monitor | Kind::StartRetry | Kind::FrameworkOom)) {
        return None;
    }
    let dead = job.has("smi-process")
        && job.finding.is_some_and(|finding| {
            finding
                .processes
                .iter()
                .any(|process| process.name.as_deref() == Some("Unknown Error"))
        });
    let largest = job.others.iter().max_by_key(|(_, bytes)| bytes.unwrap_or_default());
    let end = match (dead, largest) {
        (true, _) => {
            let pid = job.finding.and_then(|finding| {
                let dead = |process: &&crate::paste::Process| process.name.as_deref() == Some("Unknown Error");
                finding.processes.iter().find(dead)?.pid
            });
            let pid = pid.unwrap_or_default();
            Fix::new(
                "end-children",
                "free-other",
                Message::new("fix-end-children").with("pid", pid.to_string()),
            )
            .command(Place::Shell, &format!("ps --ppid {pid} -o pid,cmd\npkill -P {pid}"))
        }
        (false, Some((pid, Some(bytes)))) => other_process::end(*pid, *bytes),
        // Windows names the programs, but not what each holds.
        _ if job.has("smi-process-unknown") => {
            Fix::new("close-listed", "free-other", Message::new("fix-close-listed")).command(
                Place::PowerShell,
                "Get-Counter '\\GPU Process Memory(*)\\Dedicated Usage' | Select-Object -ExpandProperty CounterSamples | Sort-Object CookedValue -Descending | Select-Object -First 8",
            )
        }
        _ => Fix::new("find-hidden", "free-other", Message::new("fix-find-hidden"))
            .because(Message::new("why-find-hidden"))
            .command(
                Place::Shell,
                match job.monitor() {
                    "nvidia-smi" => "ps aux | grep python\nsudo fuser -v /dev/nvidia*",
                    _ => "ps aux | grep python\nsudo fuser -v /dev/kfd",
                },
            ),
    };
    let mut fixes = vec![end];
    if job.finding.is_some_and(|finding| finding.cards.len() > 1) {
        fixes.push(
            Fix::new("other-gpu", "free-other", Message::new("fix-other-gpu"))
                .command(Place::Shell, "export CUDA_VISIBLE_DEVICES=1"),
        );
    }
    Some(fixes)
}

/// Nothing is wrong in a monitor's table; other healthy texts need no advice at all.
pub fn nothing(job: &Job) -> Vec<Box<Fix>> {
    match job.kind() {
        Some(Kind::Monitor) => vec![Fix::new(
            "nothing",
            "nothing-to-fix",
            Message::new("fix-nothing-monitor"),
        )],
        _ => Vec::new(),
    }
}

/// Part of an image model lies in system memory; `None` for other programs.
pub fn image_part(job: &Job) -> Option<Vec<Box<Fix>>> {
    (job.kind() == Some(Kind::ImageLoad)).then(|| {
        vec![
            Fix::new("nothing", "nothing-to-fix", Message::new("fix-image-part")),
            Fix::new("fewer-bits", "lower-precision", Message::new("fix-image-part-bits")),
        ]
    })
}
