//! What the reader describes: a job on a card, every part optional; its coding in a link.
