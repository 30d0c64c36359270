//! Models and number formats by the names that people, files and engines give them.

use super::{Format, Model, format, formats, model, models};

/// A model by a name, and the number format that the name tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Named {
    /// The model; `None` for a name that the catalog does not have.
    pub model: Option<&'static Model>,
    /// The format, where the name ends with one.
    pub format: Option<&'static Format>,
    /// Whether the name tells a size (`32B`), as names of models do.
    pub sized: bool,
}

/// Words that do not tell models apart.
const PLAIN: [&str; 12] = [
    "instruct", "chat", "it", "hf", "gguf", "unsloth", "mlx", "dynamic", "ud", "i1", "latest", "meta",
];

/// Endings of names and words of engines, by the format that they stand for; nothing for a format that has no row.
const FORMATS: [(&str, &str); 33] = [
    ("awq", "awq"),
    ("awq_marlin", "awq"),
    ("awq-int4", "awq"),
    ("awq-4bit", "awq"),
    ("gptq", "gptq"),
    ("gptq_marlin", "gptq"),
    ("gptq-int4", "gptq"),
    ("gptq-4bit", "gptq"),
    ("gptq-int8", "gptq-int8"),
    ("fp8", "fp8"),
    ("fp8-dynamic", "fp8"),
    ("w8a8", "w8a8"),
    ("quantized.w8a8", "w8a8"),
    ("w4a16", "w4a16"),
    ("quantized.w4a16", "w4a16"),
    ("nvfp4", "nvfp4"),
    ("modelopt_fp4", "nvfp4"),
    ("mxfp4", "mxfp4"),
    ("mxfp4 moe", "mxfp4"),
    ("bnb-4bit", "nf4"),
    ("unsloth-bnb-4bit", "nf4"),
    ("bitsandbytes", "nf4"),
    ("bitsandbytes-nf4", "nf4"),
    ("nf4", "nf4"),
    ("bf16", "bf16"),
    ("f16", "f16"),
    ("fp16", "f16"),
    ("f32", "f32"),
    ("mlx-4bit", "mlx-4"),
    ("mlx-8bit", "mlx-8"),
    ("q4_k_xl", ""),
    ("q5_k_xl", ""),
    ("q6_k_xl", ""),
];

/// What Ollama's library means by a name without a size, and names of its own.
const OLLAMA: [(&str, &str); 20] = [
    ("llama3", "llama-3-8b"),
    ("llama3.1", "llama-3.1-8b"),
    ("llama3.2", "llama-3.2-3b"),
    ("llama3.3", "llama-3.3-70b"),
    ("qwen3", "qwen3-8b"),
    ("qwen2.5", "qwen2.5-7b"),
    ("qwq", "qwq-32b"),
    ("gemma2", "gemma-2-9b"),
    ("gemma3", "gemma-3-4b"),
    ("gpt-oss", "gpt-oss-20b"),
    ("mistral", "mistral-7b-v0.3"),
    ("mistral:7b", "mistral-7b-v0.3"),
    ("mixtral", "mixtral-8x7b-v0.1"),
    ("mixtral:8x7b", "mixtral-8x7b-v0.1"),
    ("phi4", "phi-4"),
    ("deepseek-r1:1.5b", "deepseek-r1-distill-qwen-1.5b"),
    ("deepseek-r1:7b", "deepseek-r1-distill-qwen-7b"),
    ("deepseek-r1:14b", "deepseek-r1-distill-qwen-14b"),
    ("deepseek-r1:32b", "deepseek-r1-distill-qwen-32b"),
    ("deepseek-r1:70b", "deepseek-r1-distill-llama-70b"),
];

/// Whether a byte stands between the words of a name.
fn parts(sign: char) -> bool {
    matches!(sign, '-' | '_' | '.' | ':' | ' ')
}

/// The model and format that a name or a path tells: `Qwen/Qwen3-32B-AWQ`, `/models/Qwen_Qwen3-32B-Q4_K_M.gguf`,
/// `models--Qwen--Qwen3-32B`, `Qwen3 32B`.
pub fn named(text: &str) -> Named {
    let last = text.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(text);
    let last = last.split("--").last().unwrap_or(last);
    let lower = last.trim().to_ascii_lowercase();
    let name = lower.strip_suffix(".gguf").unwrap_or(&lower);
    let mut name = name.strip_suffix(".safetensors").unwrap_or(name);
    // Searches from a text's end would be a searcher of their own in the page.
    let shard = name.split("-of-").last().unwrap_or_default();
    if shard.len() < name.len() && shard.bytes().all(|byte| byte.is_ascii_digit()) {
        name = name[..name.len() - shard.len() - "-of-".len()]
            .trim_end_matches(|sign: char| sign.is_ascii_digit())
            .trim_end_matches('-');
    }
    let (name, found) = stem(name);
    let sized = name.split(parts).any(is_size);
    // Collections of quantised files put the publisher before an underscore.
    let plain = name.split_once('_').map(|(_, name)| name);
    let model = by_key(name).or_else(|| by_key(plain?));
    Named {
        model,
        format: found,
        sized,
    }
}

/// The model and format of a name in Ollama's library, whose files are Q4_K_M where the tag says nothing else.
pub fn named_by_ollama(text: &str) -> Named {
    let lower = text.to_ascii_lowercase();
    let bare = lower.strip_suffix(":latest").unwrap_or(&lower);
    let own = OLLAMA
        .iter()
        .find(|(name, _)| *name == bare)
        .and_then(|(_, id)| model(id));
    let named = named(bare);
    let model = own.or(named.model);
    let usual = match model {
        Some(model) if model.id.starts_with("gpt-oss") => "mxfp4",
        _ => "q4_k_m",
    };
    Named {
        model,
        format: named.format.or_else(|| format(usual)),
        sized: named.sized || own.is_some(),
    }
}

/// The format by an engine's word or the end of a name: `awq_marlin`, `Q4_K - Medium`, `nvfp4`.
pub fn format_by_name(text: &str) -> Option<&'static Format> {
    let lower = text.trim().to_ascii_lowercase();
    let plain = lower.split(" - ").collect::<Vec<_>>();
    let joined = match plain.as_slice() {
        [base, size @ ("small" | "medium" | "large"), ..] => [base, "_", &size[..1]].concat(),
        [base, ..] => (*base).to_owned(),
        [] => return None,
    };
    ending(&joined).flatten()
}

/// The format that a word stands for: `Some(None)` for one that has no row.
fn ending(word: &str) -> Option<Option<&'static Format>> {
    let known = FORMATS.iter().find(|(name, _)| *name == word).map(|(_, id)| format(id));
    known.or_else(|| {
        let gguf = formats().iter().find(|format| format.id == word);
        gguf.map(Some)
    })
}

/// The name without formats and plain words at its end, and the format.
fn stem(mut name: &str) -> (&str, Option<&'static Format>) {
    let mut found = None;
    while let Some((rest, ending)) = without_ending(name) {
        name = rest;
        found = found.or(ending);
    }
    (name, found)
}

/// The name without a format or a plain word at its end, and that format.
fn without_ending(name: &str) -> Option<(&str, Option<&'static Format>)> {
    let cuts = name.char_indices().filter(|(at, sign)| *at > 0 && parts(*sign));
    for (at, _) in cuts {
        let word = &name[at + 1..];
        if let Some(format) = ending(word) {
            return Some((&name[..at], format));
        }
        if PLAIN.contains(&word) {
            return Some((&name[..at], None));
        }
    }
    None
}

/// `32b`, `1.5b`, `30b`, `8x7b`.
fn is_size(word: &str) -> bool {
    let number = word.strip_suffix('b').unwrap_or("");
    number.starts_with(|sign: char| sign.is_ascii_digit())
        && number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'x'))
}

fn by_key(name: &str) -> Option<&'static Model> {
    let wanted = key(name);
    if wanted.len() < 3 {
        return None;
    }
    models()
        .iter()
        .find(|model| key(model.id) == wanted || key(stem(&model.name().to_ascii_lowercase()).0) == wanted)
}

/// A name's letters and digits without the words that tell nothing.
fn key(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words = lower.split(['-', '_', ':', ' ']).filter(|word| !PLAIN.contains(word));
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> (Option<&'static str>, Option<&'static str>) {
        let named = named(name);
        (named.model.map(|model| model.id), named.format.map(|format| format.id))
    }

    #[test]
    fn names_of_files_and_repositories() {
        let cases = [
            ("Qwen/Qwen3-32B", Some("qwen3-32b"), None),
            ("Qwen/Qwen3-32B-AWQ", Some("qwen3-32b"), Some("awq")),
            ("/models/Qwen3-32B-Q4_K_M.gguf", Some("qwen3-32b"), Some("q4_k_m")),
            (
                "bartowski/Qwen_Qwen3-32B-IQ4_XS.gguf",
                Some("qwen3-32b"),
                Some("iq4_xs"),
            ),
            ("models--Qwen--Qwen3-8B", Some("qwen3-8b"), None),
            ("Qwen2.5 14B Instruct", Some("qwen2.5-14b"), None),
            (
                "Meta-Llama-3.1-8B-Instruct-Q5_K_M",
                Some("llama-3.1-8b"),
                Some("q5_k_m"),
            ),
            ("meta-llama/Llama-3.1-8B-Instruct", Some("llama-3.1-8b"), None),
            ("unsloth/llama-3-8b-bnb-4bit", Some("llama-3-8b"), Some("nf4")),
            (
                "MiniMax-M3-IQ4_XS-00001-of-00006.gguf",
                Some("minimax-m3"),
                Some("iq4_xs"),
            ),
            ("Qwen3-30B-A3B-UD-Q4_K_XL.gguf", Some("qwen3-30b-a3b"), None),
            (
                "D:\\models\\Mistral-Nemo-Instruct-2407-Q4_K_M.gguf",
                Some("mistral-nemo"),
                Some("q4_k_m"),
            ),
            ("27b.q4_k_m.gguf", None, Some("q4_k_m")),
            ("Qwen3-VL-8B-Instruct", Some("qwen3-vl-8b"), None),
            ("Qwen3-VL-32B-Instruct", None, None),
            ("checkpoint-500", None, None),
            ("gpt-oss-20b", Some("gpt-oss-20b"), None),
            ("", None, None),
            ("é-é", None, None),
        ];
        for (name, model, format) in cases {
            assert_eq!(read(name), (model, format), "{name}");
        }
        let tag = |name| {
            let named = named_by_ollama(name);
            (named.model.map(|model| model.id), named.format.map(|format| format.id))
        };
        assert_eq!(tag("qwen3:32b"), (Some("qwen3-32b"), Some("q4_k_m")));
        assert_eq!(tag("llama3.3:70b-instruct-q8_0"), (Some("llama-3.3-70b"), Some("q8_0")));
        assert_eq!(tag("gpt-oss:20b"), (Some("gpt-oss-20b"), Some("mxfp4")));
        assert_eq!(tag("llama3.1:latest"), (Some("llama-3.1-8b"), Some("q4_k_m")));
        assert_eq!(tag("deepseek-r1:70b").0, Some("deepseek-r1-distill-llama-70b"));
        assert_eq!(tag("my-own-model").0, None);
    }

    #[test]
    fn every_model_is_found_by_its_id_and_repository() {
        for model in models() {
            assert_eq!(read(model.repo).0, Some(model.id), "{}", model.repo);
            assert_eq!(read(model.id).0, Some(model.id), "{}", model.id);
        }
    }

    #[test]
    fn formats_by_the_words_of_engines() {
        let cases = [
            ("Q4_K - Medium", Some("q4_k_m")),
            ("Q6_K", Some("q6_k")),
            ("IQ4_XS - 4.25 bpw", Some("iq4_xs")),
            ("MXFP4 MoE", Some("mxfp4")),
            ("awq_marlin", Some("awq")),
            ("compressed-tensors", None),
            ("None", None),
        ];
        for (word, format) in cases {
            assert_eq!(format_by_name(word).map(|format| format.id), format, "{word}");
        }
    }
}
