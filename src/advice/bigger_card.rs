//! The smallest card on which the job would have got past this request, and the cheapest of those that have a price.

use super::{Fix, Job};
use crate::catalog::{self, PRICES};
use crate::message::{Arg, Message};
use crate::units::Bytes;

/// A card that holds what was in use and the request on top, the others' share left out.
pub fn fix(job: &Job) -> Option<Box<Fix>> {
    let amounts = &job.amounts;
    let (total, free, requested) = (amounts.total?, amounts.free?, amounts.requested?);
    // What spilled into system memory must lie on the card too.
    let in_use = (total - free - amounts.others).max(amounts.allocated.unwrap_or_default());
    let needed = (in_use + requested).floor_zero();
    // What was missing here may be little, but the next request is as large again: a card of the same size does not do.
    let next = total + total.share(1, 16);
    let enough = needed > next;
    let needed = needed.max(next);
    let cheapest = PRICES
        .iter()
        .filter_map(|price| Some((price.cents_per_hour, catalog::card(price.card)?)))
        .filter(|(_, card)| card.total() >= needed && card.total() > total)
        .min_by_key(|(cents, _)| *cents);
    let text = match cheapest {
        Some((cents, card)) => Message::new("fix-bigger-card-named")
            .with("needed", needed)
            .with("card", card.name)
            .with("price", Arg::EuroCents(cents)),
        None => Message::new("fix-bigger-card").with("needed", needed),
    };
    let why = if enough { "why-bigger-card" } else { "why-larger-card" };
    let gained = cheapest
        .map(|(_, card)| card.total() - total)
        .filter(|gained| *gained > Bytes::ZERO);
    Some(
        Fix::new("bigger-card", "bigger-card", text)
            .because(Message::new(why))
            .saving(None, gained.map(|_| true)),
    )
}
