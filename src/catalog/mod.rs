//! Facts: models, cards, number formats, engines and their defaults. Tables, no logic.
//!
//! Each table is a file of comma-separated lines whose first line names the columns; no field holds a comma or a quote.
//! A new model, card or format is one line and needs no code. `models.sources.csv`, `image_models.sources.csv` (with
//! `encoders.csv` and `vaes.csv`) and `cards.sources.csv` hold the source and the confidence of each line, by its id; they stand in the repository only.

mod cards;
mod engines;
mod formats;
mod frameworks;
mod image_models;
mod kv_formats;
mod models;
mod names;
mod prices;

pub use cards::{Card, CardClass, by_name, card, cards, class_of};
pub use engines::{Defaults, Engine, EngineFacts, Version};
pub(crate) use formats::gguf_type;
pub use formats::{Cell, Family, Format, GGUF_TYPES, GgufType, Mix, Share, Weights, format, formats};
pub use frameworks::{Framework, FrameworkFacts};
pub use image_models::{Encoder, ImageModel, Vae, encoder, image_model, image_models, vae};
pub use kv_formats::{KV_FORMATS, KvFormat, kv_format};
pub use models::{Group, Keep, Model, model, models, search};
pub use names::{Named, format_by_name, named, named_by_ollama};
pub use prices::{PRICES, PRICES_DATE, Price, cents_per_hour};

/// The lines of a table below its heading.
fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().skip(1).filter(|line| !line.is_empty())
}

/// A whole number in a table; an empty field counts as zero. That every field reads is tested, not checked at run time.
fn whole(field: &str) -> i64 {
    field.parse().unwrap_or(0)
}
