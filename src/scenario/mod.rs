//! What the reader describes: a job on a card, every part optional; its coding in a link.

/// A job on a card.
#[derive(Clone, Debug, Default)]
pub struct Scenario {}
