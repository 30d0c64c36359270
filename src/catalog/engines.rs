//! What runs the model, and what it does if nothing is said.

use super::Family;
use crate::units::{Bytes, GIB};

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
    /// TensorRT-LLM.
    TensorRtLlm,
    /// ExLlama (version 2 or 3, TabbyAPI).
    ExLlama,
}

/// An engine's version, `0.19.1` or a build number such as llama.cpp's `b9603`; zero where it is not known, which stands
/// for the newest that this catalog knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(i64);

impl Version {
    /// The version of these three numbers; the last two are less than a thousand.
    pub const fn of(major: i64, minor: i64, patch: i64) -> Version {
        Version(major * 1_000_000 + minor * 1000 + patch)
    }

    /// The version of that [`Version::number`].
    pub const fn of_number(number: i64) -> Version {
        Version(number)
    }

    /// A number that grows with the version: a million for each of the first number, a thousand of the second.
    pub const fn number(self) -> i64 {
        self.0
    }

    /// Reads `0.19`, `v0.6.4.post1` (what follows the third number does not count) or `b9603`; nothing for other texts.
    pub fn read(text: &str) -> Option<Version> {
        let numbers = text.trim_start_matches(['v', 'b']);
        let mut parts = [0; 3];
        for (place, part) in numbers.split('.').take(3).enumerate() {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            let most = if place == 0 { 9 } else { 3 };
            if digits == 0 || digits > most {
                return None;
            }
            parts[place] = part[..digits].parse().ok()?;
        }
        Some(Version::of(parts[0], parts[1], parts[2]))
    }

    /// The version as [`Version::read`] reads it, without numbers that are zero at its end; nothing for the unknown.
    pub fn write(self) -> String {
        let Version(all) = self;
        let (major, minor, patch) = (all / 1_000_000, all / 1000 % 1000, all % 1000);
        match (all, minor, patch) {
            (0, ..) => String::new(),
            (_, 0, 0) => major.to_string(),
            (_, _, 0) => [major.to_string(), minor.to_string()].join("."),
            _ => [major.to_string(), minor.to_string(), patch.to_string()].join("."),
        }
    }

    /// Whether it is `other` or later; the unknown one is later than all.
    pub fn since(self, other: Version) -> bool {
        self == Version(0) || self >= other
    }
}

/// One engine's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineFacts {
    /// The engine.
    pub engine: Engine,
    /// The id of links.
    pub id: &'static str,
    /// The families of files that it reads, besides plain floats.
    pub reads: &'static [Family],
}

const ENGINES: [EngineFacts; 8] = [
    row(
        Engine::Any,
        "any",
        &[Family::Gguf, Family::Safetensors, Family::Exl, Family::Mlx],
    ),
    row(Engine::LlamaCpp, "llama.cpp", &[Family::Gguf]),
    row(Engine::Ollama, "ollama", &[Family::Gguf]),
    row(Engine::Vllm, "vllm", &[Family::Safetensors]),
    row(Engine::Sglang, "sglang", &[Family::Safetensors]),
    row(Engine::Transformers, "transformers", &[Family::Safetensors]),
    row(Engine::TensorRtLlm, "tensorrt-llm", &[Family::Safetensors]),
    row(Engine::ExLlama, "exllama", &[Family::Exl]),
];

const fn row(engine: Engine, id: &'static str, reads: &'static [Family]) -> EngineFacts {
    EngineFacts { engine, id, reads }
}

/// What an engine does from a version on, on cards of some size, where nothing is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// The engine.
    pub engine: Engine,
    /// The first version that it holds for.
    pub since: Version,
    /// The least memory of a card that it holds for, in GiB as CUDA reports it.
    pub from_gib: i64,
    /// Tenths of a percent of the card that it takes for weights and cache at start; 1000 where it takes what it needs.
    pub utilisation: i64,
    /// Tokens computed in one step; zero for those of the longest request.
    pub step_tokens: i64,
    /// Requests that it is ready for at once.
    pub sequences: i64,
    /// Tokens of context, zero for what the model was made for.
    pub context: i64,
}

/// Of an engine's rows the last one counts whose version and size are reached.
///
/// | engine | source |
/// |---|---|
/// | vLLM | `EngineArgs.get_batch_defaults`: 70 GiB and more, but the A100, get 8192 tokens and 1024 requests in a server; `CacheConfig.gpu_memory_utilization` 0.92 since CUDA graphs are counted in it (0.21); before 0.8 a step was as long as the longest request |
/// | SGLang | `ServerArgs._handle_gpu_memory_settings`: by the card's size; its share is computed, see [`Engine::share`] |
/// | Ollama | `server/routes.go`: 4k, 32k, 256k by the memory of all cards; 2048 and later 4096 before 0.15 |
/// | TensorRT-LLM | `free_gpu_memory_fraction` 0.9, `max_num_tokens` 8192, `max_batch_size` 2048 |
/// | llama.cpp | `-c 0`: what the model was made for; 4096 before build 7000 |
const DEFAULTS: [Defaults; 22] = [
    defaults(Engine::Any, (0, 0), 0, [1000, 8192, 1, 0]),
    defaults(Engine::LlamaCpp, (0, 0), 0, [1000, 2048, 1, 4096]),
    defaults(Engine::LlamaCpp, (7000, 0), 0, [1000, 2048, 1, 0]),
    defaults(Engine::Ollama, (0, 0), 0, [1000, 512, 1, 2048]),
    defaults(Engine::Ollama, (0, 6), 0, [1000, 512, 1, 4096]),
    defaults(Engine::Ollama, (0, 15), 23, [1000, 512, 1, 32768]),
    defaults(Engine::Ollama, (0, 15), 47, [1000, 512, 1, 262_144]),
    defaults(Engine::Vllm, (0, 0), 0, [900, 0, 256, 0]),
    defaults(Engine::Vllm, (0, 8), 0, [900, 2048, 1024, 0]),
    defaults(Engine::Vllm, (0, 8), 70, [900, 8192, 1024, 0]),
    defaults(Engine::Vllm, (0, 9), 0, [900, 2048, 256, 0]),
    defaults(Engine::Vllm, (0, 9), 70, [900, 8192, 1024, 0]),
    defaults(Engine::Vllm, (0, 21), 0, [920, 2048, 256, 0]),
    defaults(Engine::Vllm, (0, 21), 70, [920, 8192, 1024, 0]),
    defaults(Engine::Sglang, (0, 0), 0, [880, 2048, 8, 0]),
    defaults(Engine::Sglang, (0, 0), 20, [880, 2048, 24, 0]),
    defaults(Engine::Sglang, (0, 0), 35, [880, 4096, 32, 0]),
    defaults(Engine::Sglang, (0, 0), 60, [880, 8192, 256, 0]),
    defaults(Engine::Sglang, (0, 0), 160, [880, 16384, 512, 0]),
    defaults(Engine::Transformers, (0, 0), 0, [1000, 0, 1, 0]),
    defaults(Engine::TensorRtLlm, (0, 0), 0, [900, 8192, 2048, 0]),
    defaults(Engine::ExLlama, (0, 0), 0, [1000, 2048, 1, 0]),
];

const fn defaults(engine: Engine, since: (i64, i64), from_gib: i64, numbers: [i64; 4]) -> Defaults {
    Defaults {
        engine,
        since: Version::of(since.0, since.1, 0),
        from_gib,
        utilisation: numbers[0],
        step_tokens: numbers[1],
        sequences: numbers[2],
        context: numbers[3],
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

    /// All rows of what engines do where nothing is set.
    pub fn all_defaults() -> &'static [Defaults] {
        &DEFAULTS
    }

    /// What it does on a card where nothing is set; without a card as on a large one.
    pub fn defaults(self, version: Version, card: Option<Bytes>) -> &'static Defaults {
        let holds = |row: &&Defaults| {
            let large = card.is_none_or(|total| total.0 / GIB >= row.from_gib);
            row.engine == self && version.since(row.since) && large
        };
        DEFAULTS.iter().rev().find(holds).unwrap_or(&DEFAULTS[0])
    }

    /// The share of a card that it takes where nothing is set, in tenths of a percent. SGLang leaves 512 MiB, 1.5 MiB for
    /// each token of a step, 2 MiB for each request that graphs are captured for, an eighth of a GiB for each card, and on
    /// cards of more than 60 GiB 10 GiB at least (its `_handle_gpu_memory_settings`, since 0.5.3); without a card 0.88.
    pub fn share(self, version: Version, card: Option<Bytes>, cards: i64) -> i64 {
        let defaults = self.defaults(version, card);
        let (Engine::Sglang, Some(Bytes(total))) = (self, card) else {
            return defaults.utilisation;
        };
        let mib = total >> 20;
        let graphs = match cards {
            4.. if (20..60).contains(&(mib >> 10)) => defaults.sequences * 4,
            _ => defaults.sequences,
        };
        let left = 512 + defaults.step_tokens.max(2048) * 3 / 2 + graphs * 2 + cards.clamp(1, 1000) * 128;
        let left = if mib > 60 << 10 { left.max(10 << 10) } else { left };
        ((mib - left) * 1000 / mib.max(1)).clamp(100, 1000)
    }

    /// Whether it is llama.cpp, or runs it.
    pub fn is_llama_cpp(self) -> bool {
        matches!(self, Engine::LlamaCpp | Engine::Ollama)
    }

    /// Whether it fills a pool of KV cache at start and splits layers over cards.
    pub fn has_pool(self) -> bool {
        matches!(self, Engine::Vllm | Engine::Sglang | Engine::TensorRtLlm)
    }

    /// Whether it reads files of that family.
    pub fn reads(self, family: Family) -> bool {
        family == Family::Any || self.facts().reads.contains(&family)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_read_back() {
        for (text, again) in [
            ("0.19.1", "0.19.1"),
            ("v0.6.4.post1", "0.6.4"),
            ("0.20", "0.20"),
            ("b9603", "9603"),
        ] {
            assert_eq!(
                Version::read(text).map(Version::write).as_deref(),
                Some(again),
                "{text}"
            );
        }
        assert!(Version::read("0.9") < Version::read("0.10.1"));
        for text in ["", "§", "main", "1.", "99999999999", "0.1234"] {
            assert_eq!(Version::read(text), None, "{text}");
        }
        assert!(Version::default().since(Version::of(9999, 0, 0)));
    }

    #[test]
    fn defaults_follow_version_and_card() {
        let vllm = |version: &str, gib| {
            let row = Engine::Vllm.defaults(Version::read(version).unwrap(), Some(Bytes::gib(gib)));
            (row.utilisation, row.step_tokens, row.sequences)
        };
        assert_eq!(vllm("0.6.5", 79), (900, 0, 256));
        assert_eq!(vllm("0.11.0", 79), (900, 8192, 1024));
        assert_eq!(vllm("0.11.0", 23), (900, 2048, 256));
        assert_eq!(vllm("0.24.0", 31), (920, 2048, 256));
        let newest = |gib| {
            Engine::Ollama
                .defaults(Version::default(), Some(Bytes::gib(gib)))
                .context
        };
        assert_eq!([8, 24, 80].map(newest), [4096, 32768, 262_144]);
    }

    #[test]
    fn sglangs_share_is_what_its_rule_gives() {
        let share = |gib| Engine::Sglang.share(Version::default(), Some(Bytes::gib(gib)), 1);
        // 24 GiB less 512 MiB, 2048 tokens, 24 requests and one card.
        assert_eq!(share(24), (24576 - 512 - 3072 - 48 - 128) * 1000 / 24576);
        // An H100: 8192 tokens' 12 GiB, 256 requests; sglang#29092 saw 0.828 of it in a version of its own.
        assert_eq!(share(79), (80896 - 512 - 12288 - 512 - 128) * 1000 / 80896);
        assert_eq!(Engine::Sglang.share(Version::default(), None, 1), 880);
        assert_eq!(Engine::Sglang.share(Version::default(), Some(Bytes(1)), i64::MAX), 100);
    }
}
