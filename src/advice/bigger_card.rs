//! The smallest card on which the job would have got past this request, and the cheapest of those.

use super::{Fix, Job};
use crate::message::Message;

/// A card that holds what was in use and the request on top, the others' share left out.
pub fn fix(job: &Job) -> Option<Fix> {
    let amounts = &job.amounts;
    let (total, free, requested) = (amounts.total?, amounts.free?, amounts.requested?);
    let needed = (total - free + requested - amounts.others).floor_zero();
    Some(
        Fix::new(
            "bigger-card",
            "bigger-card",
            Message::new("fix-bigger-card").with("needed", needed),
        )
        .because(Message::new("why-bigger-card")),
    )
}
