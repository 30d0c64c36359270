//! A failure after hundreds of steps: the same work fitted before, so something grew.

use super::{Cause, Confidence};
use crate::message::Message;
use crate::paste::{Evidence, Kind};
use crate::units::Bytes;

/// So many steps went well before a failure counts as late.
const LATE: i64 = 200;

/// The suspicion, where the text speaks for it: memory readings that grow from step to step, or a late failure.
pub fn suspicion(evidence: &Evidence) -> Option<Box<Cause>> {
    let readings: Vec<Bytes> = evidence
        .findings
        .iter()
        .filter(|finding| finding.kind == Kind::TrainingLog)
        .filter_map(|finding| finding.bytes("allocated"))
        .collect();
    let grows = readings.len() >= 3 && readings.windows(2).all(|pair| pair[0] < pair[1]);
    let late = evidence.steps.filter(|steps| *steps >= LATE);
    let mut cause = Cause::new(
        "leak-suspected",
        if grows {
            Confidence::Likely
        } else {
            Confidence::Possible
        },
    );
    if let ([first, .., last], true) = (readings.as_slice(), grows) {
        cause = cause.because(
            Message::new("because-leak-grows")
                .with("first", *first)
                .with("last", *last),
        );
    }
    if let Some(steps) = late {
        cause = cause.because(Message::new("because-leak-late").with("steps", steps));
    }
    (grows || late.is_some()).then_some(cause)
}
