//! Facts: models, cards, number formats, engines and their defaults. Tables, no logic.
