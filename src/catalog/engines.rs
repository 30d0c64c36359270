//! What runs the model, and what it does if nothing is said.

use super::Family;

/// The program that runs a language model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// None chosen: weights, KV cache and the working overhead that all of them need.
    #[default]
    Any,
    /// llama.cpp and what is built on it.
    LlamaCpp,
    /// Ollama.
    Ollama,
    /// vLLM.
    Vllm,
    /// SGLang.
    Sglang,
    /// Hugging Face transformers.
    Transformers,
}

/// One engine's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineFacts {
    /// The engine.
    pub engine: Engine,
    /// The id of links.
    pub id: &'static str,
    /// Tenths of a percent of the card that it takes for weights and cache at start; 1000 where it takes what it needs.
    pub utilisation: i64,
    /// The families of files that it reads, besides plain floats.
    pub reads: &'static [Family],
}

/// Defaults as of vLLM 0.11 to 0.20 (0.9; 0.92 in later releases) and SGLang 0.4.9 (chosen by the card, 0.88 on most);
/// sources: their command-line references.
const ENGINES: [EngineFacts; 6] = [
    row(
        Engine::Any,
        "any",
        1000,
        &[Family::Gguf, Family::Safetensors, Family::Exl, Family::Mlx],
    ),
    row(Engine::LlamaCpp, "llama.cpp", 1000, &[Family::Gguf]),
    row(Engine::Ollama, "ollama", 1000, &[Family::Gguf]),
    row(Engine::Vllm, "vllm", 900, &[Family::Safetensors]),
    row(Engine::Sglang, "sglang", 880, &[Family::Safetensors]),
    row(Engine::Transformers, "transformers", 1000, &[Family::Safetensors]),
];

const fn row(engine: Engine, id: &'static str, utilisation: i64, reads: &'static [Family]) -> EngineFacts {
    EngineFacts {
        engine,
        id,
        utilisation,
        reads,
    }
}

impl Engine {
    /// All engines.
    pub fn all() -> impl Iterator<Item = Engine> {
        ENGINES.iter().map(|row| row.engine)
    }

    /// The engine of that id.
    pub fn by_id(id: &str) -> Option<Engine> {
        ENGINES.iter().find(|row| row.id == id).map(|row| row.engine)
    }

    /// Its row.
    pub fn facts(self) -> &'static EngineFacts {
        ENGINES.iter().find(|row| row.engine == self).unwrap_or(&ENGINES[0])
    }

    /// Whether it is llama.cpp, or runs it.
    pub fn is_llama_cpp(self) -> bool {
        matches!(self, Engine::LlamaCpp | Engine::Ollama)
    }

    /// Whether it fills a pool of KV cache at start and splits layers over cards.
    pub fn has_pool(self) -> bool {
        matches!(self, Engine::Vllm | Engine::Sglang)
    }

    /// Whether it reads files of that family.
    pub fn reads(self, family: Family) -> bool {
        family == Family::Any || self.facts().reads.contains(&family)
    }
}
