//! Number formats of the KV cache.

/// A number format of keys or values: `bytes` for each block of `elements`, scales included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KvFormat {
    /// The id of links, as engines write it.
    pub id: &'static str,
    /// Elements of one block.
    pub elements: i64,
    /// Bytes of one block.
    pub bytes: i64,
}

const fn row(id: &'static str, elements: i64, bytes: i64) -> KvFormat {
    KvFormat { id, elements, bytes }
}

/// All formats, finest first. Sources: ggml's block layouts; vLLM's caches with one scale for a tensor (fp8), one for
/// a token and head (int8: 4 bytes for a key of 512 or less), one for 16 elements (nvfp4).
pub const KV_FORMATS: [KvFormat; 11] = [
    row("f32", 1, 4),
    row("f16", 1, 2),
    row("bf16", 1, 2),
    row("q8_0", 32, 34),
    row("int8", 128, 130),
    row("fp8", 1, 1),
    row("q5_1", 32, 24),
    row("q5_0", 32, 22),
    row("q4_1", 32, 20),
    row("q4_0", 32, 18),
    row("nvfp4", 16, 9),
];

/// The format of that id; vLLM's names of the kinds of fp8, `auto` and ggml's `iq4_nl` are understood.
pub fn kv_format(id: &str) -> Option<&'static KvFormat> {
    let id = match id {
        "fp8_e4m3" | "fp8_e5m2" => "fp8",
        "auto" => "f16",
        "iq4_nl" => "q4_0",
        "int8_per_token_head" => "int8",
        id => id,
    };
    KV_FORMATS.iter().find(|format| format.id == id)
}
