//! Safetensors headers and indexes.

use proptest::prelude::*;
use vramfit::catalog::Model;
use vramfit::files::safetensors::{Safetensors, header_length, read};
use vramfit::message::Message;
use vramfit::units::Bytes;

use crate::writer;

/// A header with tensors one after the other, and the size of their file.
pub fn header(tensors: &[(&str, &str, &[i64], i64)]) -> (String, u64) {
    let mut offset = 0;
    let entries: Vec<String> = tensors
        .iter()
        .map(|(name, dtype, shape, bits)| {
            let from = offset;
            offset += shape.iter().product::<i64>() * bits / 8;
            format!(r#""{name}":{{"dtype":"{dtype}","shape":{shape:?},"data_offsets":[{from},{offset}]}}"#)
        })
        .collect();
    let text = format!(r#"{{"__metadata__":{{"format":"pt"}},{}}}"#, entries.join(","));
    let size = text.len() as u64 + 8 + offset as u64;
    (text, size)
}

/// Qwen3 0.6B: 28 layers of 16 and 8 heads of 128, the head tied.
pub fn qwen(dtype: &str) -> (String, u64) {
    let mut tensors: Vec<(String, Vec<i64>)> = vec![
        ("model.embed_tokens.weight".into(), vec![151_936, 1024]),
        ("model.norm.weight".into(), vec![1024]),
    ];
    for layer in 0..28 {
        let parts: [(&str, &[i64]); 11] = [
            ("input_layernorm", &[1024]),
            ("self_attn.q_proj", &[2048, 1024]),
            ("self_attn.k_proj", &[1024, 1024]),
            ("self_attn.v_proj", &[1024, 1024]),
            ("self_attn.o_proj", &[1024, 2048]),
            ("self_attn.q_norm", &[128]),
            ("self_attn.k_norm", &[128]),
            ("post_attention_layernorm", &[1024]),
            ("mlp.gate_proj", &[3072, 1024]),
            ("mlp.up_proj", &[3072, 1024]),
            ("mlp.down_proj", &[1024, 3072]),
        ];
        for (part, shape) in parts {
            tensors.push((format!("model.layers.{layer}.{part}.weight"), shape.to_vec()));
        }
    }
    let rows: Vec<(&str, &str, &[i64], i64)> = tensors
        .iter()
        .map(|(name, shape)| (name.as_str(), dtype, shape.as_slice(), 16))
        .collect();
    header(&rows)
}

fn whole(text: &str, size: u64) -> Safetensors {
    let file = writer::safetensors(text);
    let length = header_length(&file, size).unwrap();
    read(&file[8..8 + length as usize], size).unwrap_or_else(|error| panic!("{error:?}"))
}

#[test]
fn tensors_are_counted_by_type_and_layer() {
    let (text, size) = qwen("BF16");
    let read = whole(&text, size);
    // 596,049,920 parameters, as the catalog has them.
    assert_eq!(
        (read.elements, read.tensors.all()),
        (596_049_920, Bytes(2 * 596_049_920))
    );
    assert_eq!(
        (read.types.as_slice(), read.format.id, read.missing),
        (&[("BF16", Bytes(1_192_099_840))][..], "bf16", Bytes::ZERO)
    );
    assert_eq!((read.tensors.layers.len(), read.tensors.head), (28, Bytes::ZERO));
    let model = read.shape.model();
    assert_eq!(model.groups, Model::full_attention(28, 8, 128));
    assert_eq!(
        (model.hidden, model.ffn, model.heads, model.vocab, model.tied),
        (1024, 3072, 16, 151_936, true)
    );
}

#[test]
fn components_of_a_checkpoint_are_told_apart() {
    let (text, size) = header(&[
        ("model.diffusion_model.input_blocks.0.weight", "F16", &[1000, 10], 16),
        ("first_stage_model.decoder.conv.weight", "F32", &[100, 10], 32),
        ("conditioner.embedders.0.weight", "F16", &[500, 10], 16),
    ]);
    let read = whole(&text, size);
    assert_eq!(
        read.components,
        [
            ("denoiser", Bytes(20_000)),
            ("text", Bytes(10_000)),
            ("vae", Bytes(4000))
        ]
    );
    assert!(read.shape.layers.is_empty());
    let (text, size) = header(&[("double_blocks.0.img_attn.qkv.weight", "F8_E4M3", &[64, 64], 8)]);
    let read = whole(&text, size);
    assert_eq!((read.format.id, read.components[0].0), ("fp8", "denoiser"));
}

#[test]
fn packed_weights_tell_their_format() {
    let (text, size) = header(&[
        ("model.embed_tokens.weight", "F16", &[32000, 4096], 16),
        ("model.layers.0.self_attn.q_proj.qweight", "I32", &[512, 4096], 32),
        ("model.layers.0.self_attn.k_proj.qweight", "I32", &[512, 1024], 32),
        ("lm_head.weight", "F16", &[32000, 4096], 16),
    ]);
    let read = whole(&text, size);
    assert_eq!(read.format.id, "gptq");
    assert_eq!(read.shape.model().groups, Model::full_attention(1, 8, 128));
    let (text, size) = header(&[
        ("model.embed_tokens.weight", "F16", &[32000, 4096], 16),
        ("model.layers.0.self_attn.q_proj.qweight", "I32", &[4096, 512], 32),
        ("model.layers.0.self_attn.k_proj.qweight", "I32", &[4096, 128], 32),
    ]);
    let read = whole(&text, size);
    assert_eq!(
        (read.format.id, read.shape.model().groups),
        ("awq", Model::full_attention(1, 8, 128))
    );
}

#[test]
fn damaged_files_are_refused() {
    let (text, size) = qwen("BF16");
    assert_eq!(whole(&text, size - 500).missing, Bytes(500));
    let length = |length: u64, size: u64| header_length(&length.to_le_bytes(), size).map_err(|error| error.id);
    assert_eq!(length(100, 1000), Ok(100));
    assert_eq!(length(993, 1000), Err("file-safetensors-header"));
    assert_eq!(length(u64::MAX, u64::MAX), Err("file-safetensors-header"));
    assert_eq!(length(200_000_000, 1 << 40), Err("file-safetensors-header"));
    assert_eq!(header_length(b"abc", 3).unwrap_err().id, "file-cut");
    let refused = |tensor: &str| read(format!(r#"{{"a":{tensor}}}"#).as_bytes(), 1 << 40).unwrap_err();
    let message = Message::new("file-safetensors-tensor").with("name", "a");
    for tensor in [
        "1",
        "{}",
        r#"{"dtype":"X8","shape":[2],"data_offsets":[0,2]}"#,
        r#"{"dtype":"F32","shape":[2],"data_offsets":[0,2]}"#,
        r#"{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}"#,
        r#"{"dtype":"F32","shape":[2],"data_offsets":[8,0]}"#,
        r#"{"dtype":"F32","shape":[2],"data_offsets":[0]}"#,
        r#"{"dtype":"F32","shape":[1099511627776,1099511627776],"data_offsets":[0,8]}"#,
        r#"{"dtype":"F32","shape":2,"data_offsets":[0,8]}"#,
    ] {
        assert_eq!(refused(tensor), message, "{tensor}");
    }
    let twice =
        r#"{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#;
    assert_eq!(read(twice.as_bytes(), 1000).unwrap_err().id, "json-twice");
    let deep = format!(r#"{{"a":{}"#, "[".repeat(100));
    assert_eq!(read(deep.as_bytes(), 1000).unwrap_err().id, "json-deep");
}

proptest! {
    #[test]
    fn no_change_of_a_header_panics(at in 0usize..4000, to in any::<u8>()) {
        let (text, size) = qwen("F16");
        let mut bytes = text.into_bytes();
        let at = at % bytes.len();
        bytes[at] = to;
        if let Ok(read) = read(&bytes, size) {
            prop_assert!(read.shape.model().params >= 0);
        }
    }
}
