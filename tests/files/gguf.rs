//! GGUF files of all versions, read in slices of any size; damaged and hostile ones.

use proptest::prelude::*;
use vramfit::catalog::{Keep, Model, model};
use vramfit::files::gguf::{Gguf, Reader};
use vramfit::message::Message;
use vramfit::units::Bytes;

use crate::writer;

const F32: (u64, (u64, u64)) = (0, (1, 4));
const Q4_K: (u64, (u64, u64)) = (12, (256, 144));
const Q6_K: (u64, (u64, u64)) = (14, (256, 210));

/// Reads a file of which only the header is there, never more than `most` bytes at a time.
pub fn read(header: &[u8], size: u64, most: usize) -> Result<Gguf, Message> {
    let mut reader = Reader::new(size);
    let mut slices = 0;
    while let Some((from, to)) = reader.need() {
        let to = to.min(from + most as u64);
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(header.len());
        let mut bytes = header[place(from)..place(to)].to_vec();
        bytes.resize((to - from).min(2 << 20) as usize, 0);
        reader.take(&bytes)?;
        slices += 1;
        assert!(slices < 5000, "no end");
    }
    reader.finish()
}

fn whole(file: &writer::Gguf) -> Gguf {
    let (header, size) = file.header();
    read(&header, size, 1 << 20).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Llama 3.1 8B in Q4_K_M, as llama-quantize makes it.
pub fn llama(version: u32, big_endian: bool) -> writer::Gguf {
    let mut file = writer::Gguf::of(version, big_endian)
        .word("general.architecture", "llama")
        .word("general.type", "model")
        .word("general.name", "Meta Llama 3.1 8B Instruct")
        .number("llama.block_count", 32)
        .number("llama.context_length", 131_072)
        .number("llama.embedding_length", 4096)
        .number("llama.feed_forward_length", 14336)
        .number("llama.attention.head_count", 32)
        .number("llama.attention.head_count_kv", 8)
        .number("general.file_type", 15)
        .number("llama.vocab_size", 128_256)
        .vocabulary(128_256)
        .word("tokenizer.chat_template", &"{% for message in messages %}".repeat(200))
        .tensor("token_embd.weight", &[4096, 128_256], Q4_K.0, Q4_K.1);
    for layer in 0..32 {
        // The first and last eighth, and every third between.
        let finer = !(4..28).contains(&layer) || (layer - 4) % 3 == 2;
        let down = if finer { Q6_K } else { Q4_K };
        let name = |part: &str| format!("blk.{layer}.{part}.weight");
        for (part, shape, kind) in [
            ("attn_norm", &[4096][..], F32),
            ("attn_q", &[4096, 4096], Q4_K),
            ("attn_k", &[4096, 1024], Q4_K),
            ("attn_v", &[4096, 1024], down),
            ("attn_output", &[4096, 4096], Q4_K),
            ("ffn_norm", &[4096], F32),
            ("ffn_gate", &[4096, 14336], Q4_K),
            ("ffn_up", &[4096, 14336], Q4_K),
            ("ffn_down", &[14336, 4096], down),
        ] {
            file = file.tensor(&name(part), shape, kind.0, kind.1);
        }
    }
    file.tensor("output_norm.weight", &[4096], F32.0, F32.1)
        .tensor("output.weight", &[4096, 128_256], Q6_K.0, Q6_K.1)
        .tensor("rope_freqs.weight", &[64], F32.0, F32.1)
}

#[test]
fn a_file_is_counted_tensor_by_tensor() {
    let file = whole(&llama(3, false));
    assert_eq!(
        (file.architecture.as_str(), file.name.as_str()),
        ("llama", "Meta Llama 3.1 8B Instruct")
    );
    assert_eq!(
        (file.params, file.format.id, file.split),
        (8_030_261_312, "q4_k_m", (1, 1))
    );
    // 4.58 GiB in llama.cpp's own table.
    let all = file.tensors.all();
    assert_eq!(all, Bytes(4_912_898_304));
    assert_eq!(file.tensors.embed, Bytes(128_256 * 4096 / 256 * 144));
    assert_eq!(file.tensors.head, Bytes(128_256 * 4096 / 256 * 210));
    assert_eq!(
        (file.tensors.layers.len(), file.tensors.others),
        (32, Bytes(4 * 4096 + 256))
    );
    assert_eq!(file.missing, Bytes::ZERO);
    assert_eq!(
        file.types.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(),
        [12, 14, 0]
    );
    let (found, expected) = (file.shape.model(), model("llama-3.1-8b").unwrap());
    let widths = |model: &Model| {
        (
            model.layers,
            model.hidden,
            model.ffn,
            model.heads,
            model.kv_heads,
            model.head_dim,
            model.vocab,
        )
    };
    assert_eq!(widths(&found), widths(expected));
    assert_eq!(
        (found.groups, found.context, found.tied),
        (expected.groups, 131_072, false)
    );
}

#[test]
fn all_versions_and_both_orders_of_bytes_read_the_same() {
    let expected = whole(&llama(3, false));
    for (version, big_endian) in [(1, false), (2, false), (3, true)] {
        assert_eq!(whole(&llama(version, big_endian)), expected, "version {version}");
    }
}

#[test]
fn slices_of_any_size_read_the_same() {
    let (header, size) = llama(3, false).header();
    let expected = read(&header, size, 1 << 20);
    for most in [70_000, 99_991, 262_144] {
        assert_eq!(read(&header, size, most), expected, "{most}");
    }
}

#[test]
fn a_broken_download_is_told_by_what_is_missing() {
    let (header, size) = llama(3, false).header();
    let short = read(&header, size - 1_000_000, 1 << 20).unwrap();
    assert_eq!(short.missing, Bytes(1_000_000));
    // Cut within the header.
    for size in [0, 3, 20, 100, 5000, header.len() as u64 - 1] {
        let error = read(&header[..size as usize], size, 1 << 20).unwrap_err();
        assert!(
            ["file-cut", "file-gguf-absurd"].contains(&error.id),
            "{size}: {error:?}"
        );
    }
}

/// A header without tensors that says so much of an architecture.
fn described(architecture: &str, numbers: &[(&str, u64)], lists: &[(&str, &[u64])]) -> Model {
    let mut file = writer::Gguf::new().word("general.architecture", architecture);
    for (name, value) in numbers {
        file = file.number(&format!("{architecture}.{name}"), *value);
    }
    for (name, values) in lists {
        file = file.numbers(&format!("{architecture}.{name}"), values);
    }
    whole(&file.vocabulary(1000)).shape.model()
}

#[test]
fn architectures_keep_what_the_catalog_says() {
    let gemma = described(
        "gemma3",
        &[
            ("block_count", 62),
            ("embedding_length", 5376),
            ("attention.head_count", 32),
            ("attention.head_count_kv", 16),
            ("attention.key_length", 128),
            ("attention.value_length", 128),
            ("attention.sliding_window", 1024),
        ],
        &[],
    );
    assert_eq!(gemma.groups, model("gemma-3-27b").unwrap().groups);
    let gpt = described(
        "gpt-oss",
        &[
            ("block_count", 24),
            ("embedding_length", 2880),
            ("attention.head_count", 64),
            ("attention.head_count_kv", 8),
            ("attention.key_length", 64),
            ("attention.value_length", 64),
            ("attention.sliding_window", 128),
            ("expert_count", 32),
            ("expert_used_count", 4),
            ("expert_feed_forward_length", 2880),
        ],
        &[],
    );
    let expected = model("gpt-oss-20b").unwrap();
    assert_eq!(gpt.groups, expected.groups);
    assert_eq!(
        (gpt.experts, gpt.experts_per_token, gpt.expert_ffn),
        (expected.experts, expected.experts_per_token, expected.expert_ffn)
    );
    let deepseek = described(
        "deepseek2",
        &[
            ("block_count", 61),
            ("embedding_length", 7168),
            ("attention.head_count", 128),
            ("attention.head_count_kv", 1),
            ("attention.q_lora_rank", 1536),
            ("attention.kv_lora_rank", 512),
            ("attention.key_length", 576),
            ("attention.value_length", 512),
            ("attention.key_length_mla", 192),
            ("attention.value_length_mla", 128),
            ("rope.dimension_count", 64),
            ("feed_forward_length", 18432),
            ("expert_feed_forward_length", 2048),
            ("expert_count", 256),
            ("expert_used_count", 8),
            ("expert_shared_count", 1),
            ("leading_dense_block_count", 3),
        ],
        &[],
    );
    assert_eq!(deepseek.groups, model("deepseek-v3").unwrap().groups);
    let next = described(
        "qwen3next",
        &[
            ("block_count", 48),
            ("embedding_length", 2048),
            ("attention.head_count", 16),
            ("attention.head_count_kv", 2),
            ("attention.key_length", 256),
            ("attention.value_length", 256),
            ("ssm.conv_kernel", 4),
            ("ssm.state_size", 128),
            ("ssm.group_count", 16),
            ("ssm.time_step_rank", 32),
            ("ssm.inner_size", 4096),
        ],
        &[],
    );
    assert_eq!(next.groups, model("qwen3-next-80b-a3b").unwrap().groups);
    let kv: Vec<u64> = (0..16)
        .map(|at| if [2, 5, 8, 10, 12, 14].contains(&at) { 8 } else { 0 })
        .collect();
    let lfm = described(
        "lfm2",
        &[
            ("block_count", 16),
            ("embedding_length", 2048),
            ("attention.head_count", 32),
            ("shortconv.l_cache", 3),
        ],
        &[("attention.head_count_kv", &kv)],
    );
    assert_eq!(lfm.groups, model("lfm2-1.2b").unwrap().groups);
    let pattern = "M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-";
    let kv: Vec<u64> = pattern.chars().map(|kind| if kind == '*' { 8 } else { 0 }).collect();
    let widths: Vec<u64> = pattern
        .chars()
        .map(|kind| if kind == '-' { 15680 } else { 0 })
        .collect();
    let nemotron = described(
        "nemotron_h",
        &[
            ("block_count", 56),
            ("embedding_length", 4480),
            ("attention.head_count", 40),
            ("attention.key_length", 128),
            ("attention.value_length", 128),
            ("ssm.conv_kernel", 4),
            ("ssm.state_size", 128),
            ("ssm.group_count", 8),
            ("ssm.time_step_rank", 128),
            ("ssm.inner_size", 10240),
        ],
        &[("attention.head_count_kv", &kv), ("feed_forward_length", &widths)],
    );
    assert_eq!(nemotron.groups, model("nemotron-nano-9b-v2").unwrap().groups);
}

#[test]
fn a_layers_own_pattern_counts() {
    let flags: Vec<u8> = (1..=30).map(|at| u8::from(at % 6 != 0)).collect();
    let kv: Vec<u64> = (1..=30).map(|at| if at % 6 == 0 { 2 } else { 8 }).collect();
    let file = writer::Gguf::new()
        .word("general.architecture", "gemma4")
        .number("gemma4.block_count", 30)
        .number("gemma4.embedding_length", 2816)
        .number("gemma4.attention.head_count", 16)
        .numbers("gemma4.attention.head_count_kv", &kv)
        .number("gemma4.attention.key_length", 512)
        .number("gemma4.attention.value_length", 512)
        .number("gemma4.attention.key_length_swa", 256)
        .number("gemma4.attention.value_length_swa", 256)
        .number("gemma4.attention.sliding_window", 1024)
        .flags("gemma4.attention.sliding_window_pattern", &flags);
    assert_eq!(
        whole(&file).shape.model().groups,
        model("gemma-4-26b-a4b").unwrap().groups
    );
}

#[test]
fn layers_for_predicting_ahead_are_not_loaded() {
    let file = writer::Gguf::new()
        .word("general.architecture", "glm4moe")
        .number("glm4moe.block_count", 47)
        .number("glm4moe.nextn_predict_layers", 1)
        .number("glm4moe.embedding_length", 4096)
        .number("glm4moe.attention.head_count", 96)
        .number("glm4moe.attention.head_count_kv", 8)
        .number("glm4moe.attention.key_length", 128)
        .number("glm4moe.attention.value_length", 128);
    let read = whole(&file);
    assert_eq!((read.shape.model().layers, read.extra_layers), (46, 1));
    assert!(matches!(
        read.shape.model().groups[0].keep,
        Keep::Full { kv_heads: 8, .. }
    ));
}

#[test]
fn hostile_headers_are_refused() {
    let header = |tensors: u64, pairs: u64, rest: &[u8]| {
        [
            &b"GGUF"[..],
            &3u32.to_le_bytes(),
            &tensors.to_le_bytes(),
            &pairs.to_le_bytes(),
            rest,
        ]
        .concat()
    };
    let refused = |bytes: &[u8], size: u64| read(bytes, size, 1 << 20).unwrap_err().id;
    let huge = 1u64 << 40;
    assert_eq!(refused(&header(u64::MAX, 0, &[]), huge), "file-gguf-absurd");
    assert_eq!(refused(&header(0, u64::MAX, &[]), huge), "file-gguf-absurd");
    assert_eq!(refused(&header(5000, 0, &[]), 1000), "file-gguf-absurd");
    // A name longer than any, a list longer than the file, a type that there is not.
    let long = u64::MAX.to_le_bytes();
    assert_eq!(refused(&header(0, 1, &long), huge), "file-gguf-absurd");
    let list = [
        &1u64.to_le_bytes()[..],
        b"a",
        &9u32.to_le_bytes(),
        &8u32.to_le_bytes(),
        &long,
    ]
    .concat();
    assert_eq!(refused(&header(0, 1, &list), huge), "file-gguf-absurd");
    let unknown = [&1u64.to_le_bytes()[..], b"a", &99u32.to_le_bytes()].concat();
    assert_eq!(refused(&header(0, 1, &unknown), huge), "file-gguf-type");
    let tensor = |widths: &[u64], kind: u32| {
        let mut bytes = [&1u64.to_le_bytes()[..], b"a", &(widths.len() as u32).to_le_bytes()].concat();
        bytes.extend(widths.iter().flat_map(|width| width.to_le_bytes()));
        [bytes, kind.to_le_bytes().to_vec(), 0u64.to_le_bytes().to_vec()].concat()
    };
    assert_eq!(
        refused(&header(1, 0, &tensor(&[1 << 40, 1 << 40], 0)), huge),
        "file-gguf-absurd"
    );
    assert_eq!(refused(&header(1, 0, &tensor(&[32], 4)), huge), "file-gguf-type");
    assert_eq!(
        refused(&header(1, 0, &tensor(&[32], 4_000_000)), huge),
        "file-gguf-type"
    );
    assert_eq!(refused(&header(0, 0, &[]), huge), "file-gguf-other");
    let old = [&b"GGUF"[..], &77u32.to_le_bytes(), &[0; 16]].concat();
    assert_eq!(refused(&old, huge), "file-gguf-version");
    let layers = writer::Gguf::new()
        .word("general.architecture", "llama")
        .number("llama.block_count", 4_000_000_000)
        .number("llama.embedding_length", 4096)
        .number("llama.attention.head_count", 32);
    let (header, size) = layers.header();
    assert_eq!(refused(&header, size), "file-gguf-other");
}

#[test]
fn an_image_encoder_is_no_language_model() {
    let file = writer::Gguf::new()
        .word("general.architecture", "clip")
        .word("general.type", "mmproj")
        .number("clip.vision.block_count", 27);
    let (header, size) = file.header();
    let error = read(&header, size, 1 << 20).unwrap_err();
    assert_eq!(error, Message::new("file-gguf-other").with("kind", "clip"));
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), size in 0u64..1 << 42) {
        let mut file = b"GGUF\x03\0\0\0".to_vec();
        file.extend(&bytes);
        let _ = read(&file, size.max(file.len() as u64), 1 << 20);
        let _ = read(&file, file.len() as u64, 1 << 20);
    }

    #[test]
    fn no_change_of_a_header_panics(at in 0usize..3000, to in any::<u8>(), cut in 0usize..40_000) {
        let file = described_file();
        let (mut header, size) = file.header();
        let at = at % header.len();
        header[at] = to;
        if let Ok(read) = read(&header, size, 1 << 20) {
            let model = read.shape.model();
            prop_assert!(model.layers <= 4096 && model.params >= 0);
        }
        header.truncate(cut);
        let _ = read(&header, header.len() as u64, 1 << 20);
    }
}

fn described_file() -> writer::Gguf {
    writer::Gguf::new()
        .word("general.architecture", "qwen35moe")
        .number("qwen35moe.block_count", 8)
        .number("qwen35moe.embedding_length", 2048)
        .number("qwen35moe.attention.head_count", 16)
        .numbers("qwen35moe.attention.head_count_kv", &[0, 0, 0, 2, 0, 0, 0, 2])
        .number("qwen35moe.attention.sliding_window", 512)
        .number("qwen35moe.expert_count", 256)
        .number("qwen35moe.ssm.inner_size", 4096)
        .number("qwen35moe.ssm.state_size", 128)
        .number("general.file_type", 17)
        .vocabulary(40)
        .tensor("token_embd.weight", &[2048, 40], 0, (1, 4))
        .tensor("blk.0.ffn_down_exps.weight", &[512, 2048, 256], 12, (256, 144))
        .tensor("blk.7.attn_q.bias", &[256], 0, (1, 4))
}
