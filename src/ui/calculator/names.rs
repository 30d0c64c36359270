//! Names of what was chosen, for the calculator and for what leads to it.

use crate::catalog::{Engine, Family, Format};
use crate::i18n::Texts;
use crate::scenario::{CardKind, Cards};

/// The names of cards: `RTX 4090`, `2 × RTX 4090, 22.50 GiB`.
pub fn card_names(texts: &Texts, cards: &[Cards]) -> String {
    let name = |cards: &Cards| {
        let name = kind_name(texts, cards.kind);
        match cards.count {
            1 => name,
            count => [&texts.format.count(count), "\u{a0}×\u{a0}", &name].concat(),
        }
    };
    cards.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The name of one kind of card.
pub fn kind_name(texts: &Texts, kind: CardKind) -> String {
    match kind {
        CardKind::Known(card) => card.name.to_owned(),
        CardKind::Typed(bytes) => texts.format.bytes(bytes),
    }
}

/// A format's name; llama.cpp's as its files are named.
pub fn format_name(format: &Format) -> String {
    if format.family == Family::Gguf {
        format.name.to_ascii_uppercase()
    } else {
        format.name.to_owned()
    }
}

/// The name of an engine; nothing where none is chosen.
pub fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Any => "",
        Engine::Ollama => "Ollama",
        Engine::Vllm => "vLLM",
        Engine::Sglang => "SGLang",
        Engine::TensorRtLlm => "TensorRT-LLM",
        Engine::ExLlama => "ExLlama",
        named => named.facts().id,
    }
}
