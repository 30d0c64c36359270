//! Something else holds the card: how to see it, and how to end it safely.

use super::{Fix, Job, Place};
use crate::message::Message;
use crate::units::Bytes;

/// The query that names the holders.
const QUERY: &str = "nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv";

/// Ending or moving what else holds the card.
pub fn fixes(job: &Job) -> Vec<Box<Fix>> {
    let held = job.amounts.others;
    let nobody_named = held == Bytes::ZERO;
    let amount = if nobody_named { job.amounts.unaccounted } else { held };
    let saves = (amount > Bytes::ZERO).then_some((if nobody_named { Bytes::ZERO } else { amount }, amount));
    let fits_after = if nobody_named { None } else { job.fits_with(amount) };
    let mut fixes = Vec::new();
    let largest = job.others.iter().max_by_key(|(_, bytes)| bytes.unwrap_or_default());
    let mut first = match largest {
        Some((pid, bytes)) => end(*pid, bytes.unwrap_or_default()),
        None => Fix::new(
            "find-holder",
            "free-other",
            Message::new("fix-find-holder").with("bytes", amount),
        ),
    };
    first = first
        .saving(saves, fits_after)
        .because(Message::new("fix-end-process-why"));
    if largest.is_none() {
        first = match job.monitor() {
            "nvidia-smi" => first
                .command(Place::Shell, QUERY)
                .command(Place::Shell, "ps aux | grep python"),
            other => first.command(Place::Shell, other),
        };
    }
    fixes.push(first);
    if job.is_cuda() {
        fixes.push(
            Fix::new("other-gpu", "free-other", Message::new("fix-other-gpu")).command(
                Place::Shell,
                "nvidia-smi --query-gpu=index,memory.used,memory.total --format=csv\nexport CUDA_VISIBLE_DEVICES=1",
            ),
        );
    }
    fixes
}

/// Looking at one process that holds memory, and ending it.
pub fn end(pid: i64, bytes: Bytes) -> Box<Fix> {
    let text = Message::new("fix-end-process")
        .with("pid", pid.to_string())
        .with("bytes", bytes);
    Fix::new("end-process", "free-other", text)
        .because(Message::new("fix-end-process-why"))
        .command(Place::Shell, &format!("ps -o pid,user,lstart,cmd -p {pid}\nkill {pid}"))
}
