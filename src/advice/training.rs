//! What a change of a training job frees, where the text tells the job: the difference of two estimates by the function
//! that sizes jobs. What the text does not tell changes nothing.

use super::{Fix, Job, Place};
use crate::message::Message;
use crate::scenario::{Checkpointing, Loss, Method, Optimizer, Scenario, Task};
use crate::sizing::{By, Fits, Lever, Value, fits, solve, total};
use crate::units::Bytes;

/// A change by a fix.
struct Change {
    /// The fix.
    fix: &'static str,
    /// Whether the job as told is one that it changes.
    applies: fn(&Scenario) -> bool,
    /// Makes of the told job the one before the change, where the text leaves it open, and then the one after it.
    steps: [fn(&mut Scenario); 2],
}

fn nothing(_: &mut Scenario) {}

/// Whether batch and sequence are told, on which activations and logits hang.
fn tells_work(told: &Scenario) -> bool {
    told.sequence != Scenario::default().sequence
}

const CHANGES: [Change; 5] = [
    Change {
        fix: "smaller-batch",
        applies: |told| tells_work(told) && told.batch > 1,
        steps: [nothing, |job| {
            let half = job.batch / 2;
            job.accumulation = job.accumulation.saturating_mul(job.batch / half.max(1));
            job.batch = half;
        }],
    },
    Change {
        fix: "checkpointing",
        applies: tells_work,
        steps: [
            |job| job.checkpointing = Checkpointing::None,
            |job| job.checkpointing = Checkpointing::Full,
        ],
    },
    Change {
        fix: "fused-loss",
        applies: |told| tells_work(told) && told.loss == Loss::Plain,
        steps: [nothing, |job| job.loss = Loss::Fused],
    },
    Change {
        fix: "optimizer-8bit",
        applies: |told| told.method == Method::Full && told.optimizer == Optimizer::AdamW,
        steps: [nothing, |job| job.optimizer = Optimizer::AdamW8bit],
    },
    Change {
        fix: "adapters",
        applies: |told| told.method == Method::Full,
        steps: [nothing, |job| job.method = Method::Lora],
    },
];

/// What a change frees, from at least to at most: the differences of the ranges' ends. `None` if nothing for sure.
fn saving(told: &Scenario, change: &Change) -> Option<(Bytes, Bytes)> {
    let mut job = told.clone();
    let [before, after] = change.steps;
    before(&mut job);
    let before = total(&job)?;
    after(&mut job);
    let after = total(&job)?;
    let (low, high) = (before.low - after.low, before.high - after.high);
    let (least, most) = (low.min(high).floor_zero(), low.max(high));
    (before.mid > after.mid && most > Bytes::ZERO).then_some((least, most))
}

/// Puts what they free on the fixes of a training job whose model is told, and adds those that its figures suggest: a
/// fused loss, where the logits are more than a tenth of the need, and the longest sequence that fits.
pub fn size(fixes: &mut Vec<Box<Fix>>, job: &Job, told: &Scenario) {
    if told.task != Task::Train || told.architecture().is_none() {
        return;
    }
    let at = fixes.iter().position(|fix| fix.id == "checkpointing");
    if let Some(at) = at {
        let more = [fused_loss(told), shorter_sequence(told)];
        for fix in more.into_iter().flatten().rev() {
            fixes.insert(at + 1, fix);
        }
    }
    for change in CHANGES.iter().filter(|change| (change.applies)(told)) {
        let found = fixes.iter_mut().find(|fix| fix.id == change.fix);
        if let Some((fix, (least, most))) = found.zip(saving(told, change)) {
            fix.saves = Some((least, most));
            fix.fits_after = job.fits_between(least, most);
        }
    }
}

fn fused_loss(told: &Scenario) -> Option<Box<Fix>> {
    let change = CHANGES.iter().find(|change| change.fix == "fused-loss")?;
    let (_, most) = saving(told, change).filter(|_| (change.applies)(told))?;
    (most > total(told)?.mid.share(1, 10)).then(|| {
        Fix::new("fused-loss", "reduce-work", Message::new("fix-fused-loss"))
            .because(Message::new("why-fused-loss"))
            .command(Place::Python, "TrainingArguments(use_liger_kernel=True)")
    })
}

/// Only where the told job does not fit by the same function.
fn shorter_sequence(told: &Scenario) -> Option<Box<Fix>> {
    if !tells_work(told) || fits(told)? == Fits::Yes {
        return None;
    }
    let Value::Count(tokens) = solve(told, Lever::Sequence, By::High)?.value else {
        return None;
    };
    (tokens < told.sequence).then(|| {
        Fix::new(
            "shorter-sequence",
            "reduce-work",
            Message::new("fix-shorter-sequence").with("tokens", tokens),
        )
        .because(Message::new("why-shorter-sequence"))
        .command(
            Place::Python,
            &["SFTConfig(max_length=", &tokens.to_string(), ")"].concat(),
        )
    })
}
