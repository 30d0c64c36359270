//! Files chosen together make one model, and the estimate is for that very file.

use proptest::prelude::*;
use vramfit::catalog::{Engine, KvFormat, kv_format};
use vramfit::files::{FIRST, Kind, Piece, Reading, What, choose, sniff, together};
use vramfit::message::{Arg, Message};
use vramfit::scenario::{Link, Own, Scenario, decode, encode};
use vramfit::sizing::{PartId, estimate, total};
use vramfit::units::Bytes;

use crate::{gguf, safetensors, writer};

/// Reads a file of `size` bytes of which only the beginning is there.
fn piece(bytes: &[u8], size: u64) -> Result<Piece, Message> {
    let mut reading = Reading::new(&bytes[..bytes.len().min(FIRST)], size)?;
    let mut times = 0;
    while let Some((from, to)) = reading.need() {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
        let mut slice = bytes[place(from)..place(to)].to_vec();
        if matches!(sniff(bytes), Some(Kind::Gguf)) {
            slice.resize((to - from) as usize, 0);
        }
        reading.take(&slice)?;
        times += 1;
        assert!(times < 5000, "no end");
    }
    reading.finish()
}

fn json(text: &str) -> Result<Piece, Message> {
    piece(text.as_bytes(), text.len() as u64)
}

/// The model that files make, and what is said of them.
struct Found {
    own: std::sync::Arc<Own>,
    said: Vec<Message>,
}

fn found(pieces: &[(&str, Result<Piece, Message>)]) -> Found {
    let pieces = pieces
        .iter()
        .map(|(name, piece)| ((*name).to_owned(), piece.clone().unwrap()));
    let found = together(pieces.collect()).unwrap();
    match found.what {
        What::Model(own) => Found { own, said: found.said },
        What::Workflow(_) => panic!("a workflow"),
    }
}

const QWEN: &str = r#"{"model_type":"qwen3","hidden_size":1024,"intermediate_size":3072,"num_hidden_layers":28,"head_dim":128,
    "num_attention_heads":16,"num_key_value_heads":8,"vocab_size":151936,"tie_word_embeddings":true,
    "max_position_embeddings":40960,"torch_dtype":"bfloat16"}"#;

fn weights(scenario: &Scenario) -> [Bytes; 2] {
    let estimate = estimate(scenario).unwrap();
    let part = estimate.parts.iter().find(|part| part.id == PartId::Weights).unwrap();
    [part.span.low, part.span.high]
}

#[test]
fn kinds_are_told_by_the_first_bytes() {
    for (bytes, kind) in [
        (&b"GGUF\x03\0\0\0"[..], Some(Kind::Gguf)),
        (b"tjgg\x03\0\0\0", Some(Kind::OldGgml)),
        (b"\x40\x01\0\0\0\0\0\0{\"__metadata__\"", Some(Kind::Safetensors)),
        (b"\n  {\"model_type\"", Some(Kind::Json)),
        (b"\xEF\xBB\xBF{", Some(Kind::Json)),
        (b"PK\x03\x04", Some(Kind::Pickle)),
        (b"torch.OutOfMemoryError", None),
        (b"[1234] 2 ERROR {", None),
        (b"", None),
    ] {
        assert_eq!(sniff(bytes), kind, "{bytes:?}");
    }
}

#[test]
fn the_estimate_is_for_the_very_file() {
    let (header, size) = gguf::llama(3, false).header();
    let found = found(&[("llama.gguf", piece(&header, size))]);
    assert_eq!(found.said.len(), 1);
    let mut scenario = Scenario::default();
    choose(&mut scenario, What::Model(found.own));
    assert_eq!((scenario.engine, scenario.format.id), (Engine::LlamaCpp, "q4_k_m"));
    // llama.cpp's log of this file: CUDA0 model buffer 4403.49 MiB; the embedding stays on the CPU, 281.81 MiB.
    let [low, high] = weights(&scenario);
    assert_eq!(format!("{:.2}", low.as_f64() / 1048576.0), "4403.49");
    assert!(high >= low && high < low.share(1003, 1000));
    // Without the head and the first 12 layers.
    let all = scenario.tensors().unwrap().clone();
    scenario.gpu_layers = Some(20);
    assert_eq!(weights(&scenario)[0], all.layers[12..].iter().copied().sum());
    // Another format is computed from the architecture.
    scenario.gpu_layers = None;
    scenario.format = vramfit::catalog::format("q8_0").unwrap();
    let [low, high] = weights(&scenario);
    assert!(low > Bytes::gib(7) && high < Bytes::gib(9));
    // The cache of Llama 3.1 8B: 128 KiB a token.
    let f16: &KvFormat = kv_format("f16").unwrap();
    let model = &scenario.own.as_ref().unwrap().model;
    assert_eq!(
        vramfit::sizing::kv_cache::bytes_per_token(model, f16, f16, 1),
        Bytes(131_072)
    );
}

#[test]
fn a_link_says_what_it_can() {
    let (header, size) = gguf::llama(3, false).header();
    let found = found(&[("llama.gguf", piece(&header, size))]);
    assert!(!found.own.fits_in_a_link());
    let mut scenario = Scenario::default();
    choose(&mut scenario, What::Model(found.own));
    let link = encode(&Link {
        scenario: scenario.clone(),
        compare: None,
    });
    assert_eq!(link, "v=1&m=llama-3.1-8b&q=q4_k_m&e=llama.cpp");
    // No model of the list is like this one: its numbers are typed.
    let other = r#"{"model_type":"llama","hidden_size":1000,"num_hidden_layers":7,"num_attention_heads":10,"vocab_size":5000,
        "num_key_value_heads":5,"intermediate_size":3000,"max_position_embeddings":4096}"#;
    let found = self::found(&[("config.json", json(other))]);
    assert!(found.own.fits_in_a_link());
    let mut own = Scenario::default();
    choose(&mut own, What::Model(found.own));
    let link = encode(&Link {
        scenario: own.clone(),
        compare: None,
    });
    let read = decode(&link).0.scenario;
    assert_eq!(
        (read.own, read.typed.layers, read.typed.head_dim, read.context),
        (None, 7, 100, 4096)
    );
    let (read, own) = (total(&decode(&link).0.scenario).unwrap(), total(&own).unwrap());
    assert_eq!(read, own);
}

#[test]
fn config_and_weights_belong_together() {
    let config = || ("config.json", json(QWEN));
    let alone = found(&[config()]);
    assert_eq!(
        (alone.own.model.params, alone.own.tensors.is_some()),
        (596_042_752, false)
    );
    let (text, size) = safetensors::qwen("BF16");
    let file = writer::safetensors(&text);
    let both = found(&[("model.safetensors", piece(&file, size)), config()]);
    assert_eq!(both.own.tensors.as_ref().unwrap().all(), Bytes(1_192_099_840));
    assert_eq!(both.own.model.context, 40_960);
    let index = r#"{"metadata":{"total_size":1192099840},"weight_map":{"a":"model-00001-of-00002.safetensors",
        "b":"model-00002-of-00002.safetensors"}}"#;
    let indexed = found(&[config(), ("model.safetensors.index.json", json(index))]);
    assert_eq!(indexed.own.tensors.as_ref().unwrap().all(), Bytes(1_192_099_840));
    let some = found(&[config(), ("model-00001-of-00002.safetensors", piece(&file, size))]);
    assert_eq!(some.own.tensors, None);
    assert_eq!(
        some.said[1],
        Message::new("file-parts-missing").with("have", 1).with("of", 2)
    );
    let weights = found(&[("model.safetensors", piece(&file, size))]);
    assert_eq!((weights.own.model.params, weights.own.model.layers), (596_049_920, 28));
}

#[test]
fn parts_of_a_model_are_added_up() {
    let part = |number: u64, layers: std::ops::Range<u64>| {
        let mut file = writer::Gguf::new().number("split.no", number).number("split.count", 2);
        if number == 0 {
            file = file
                .word("general.architecture", "llama")
                .number("llama.block_count", 4)
                .number("llama.embedding_length", 256)
                .number("llama.attention.head_count", 4)
                .number("general.file_type", 7)
                .tensor("token_embd.weight", &[256, 1000], 8, (32, 34));
        }
        for layer in layers {
            file = file.tensor(&format!("blk.{layer}.ffn_up.weight"), &[256, 512], 8, (32, 34));
        }
        let (header, size) = file.header();
        piece(&header, size)
    };
    // Only the first part tells the architecture.
    let first = part(0, 0..2);
    assert!(first.is_ok());
    let both = found(&[("b.gguf", part(1, 2..4)), ("a.gguf", part(0, 0..2))]);
    let tensors = both.own.tensors.clone().unwrap();
    assert_eq!(
        (tensors.layers.len(), both.own.model.params),
        (4, 256 * 1000 + 4 * 256 * 512)
    );
    let one = found(&[("a.gguf", part(0, 0..2))]);
    assert_eq!(
        (one.own.tensors.clone(), one.said[1].args[1].1.clone()),
        (None, Arg::Count(2))
    );
}

#[test]
fn a_workflow_fills_the_scenario() {
    let workflow = json(crate::comfyui::WAN).unwrap();
    let found = together(vec![("wan.json".to_owned(), workflow)]).unwrap();
    assert_eq!(found.said.len(), 1);
    let mut scenario = decode("v=1&m=qwen3-8b&g=rtx-4090&held=1gib").0.scenario;
    choose(&mut scenario, found.what.clone());
    let link = encode(&Link {
        scenario: scenario.clone(),
        compare: None,
    });
    assert_eq!(
        link,
        "v=1&t=video&m=wan2.2-t2v-a14b&q=q4_k_s&g=rtx-4090&held=1gib&res=832x480&fr=81&tq=fp8&te=cpu&off=comfyui"
    );
    let estimate = estimate(&scenario).unwrap();
    // One of the experts at a time: 14.3 billion parameters at 4.6 bits.
    assert!(
        estimate.total.mid > Bytes::gib(8) && estimate.total.mid < Bytes::gib(20),
        "{:?}",
        estimate.total
    );
    // A model that nobody knows, and a size that an image gives.
    let other = r#"{"1": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "dreams_8.safetensors"}}}"#;
    let found = together(vec![("a.json".to_owned(), json(other).unwrap())]).unwrap();
    let ids: Vec<&str> = found.said.iter().map(|message| message.id).collect();
    assert_eq!(ids, ["file-workflow-read", "file-workflow-model", "file-workflow-size"]);
    choose(&mut scenario, found.what);
    assert_eq!((scenario.image_model, scenario.frames), (None, 1));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let refused = |pieces: Vec<(&str, Piece)>| {
        let pieces = pieces.into_iter().map(|(name, piece)| (name.to_owned(), piece));
        together(pieces.collect()).unwrap_err().id
    };
    let (header, size) = gguf::llama(3, false).header();
    let llama = piece(&header, size).unwrap();
    assert_eq!(refused(vec![]), "file-none");
    assert_eq!(refused(vec![("a", llama.clone()), ("b", llama.clone())]), "file-mixed");
    assert_eq!(refused(vec![("a", llama), ("c", json(QWEN).unwrap())]), "file-mixed");
    assert_eq!(
        refused(vec![("a", json(QWEN).unwrap()), ("b", json(QWEN).unwrap())]),
        "file-mixed"
    );
    let index = json(r#"{"metadata":{"total_size":12},"weight_map":{"a":"b"}}"#).unwrap();
    assert_eq!(refused(vec![("a", index)]), "file-index-alone");
    let (text, size) = safetensors::header(&[("double_blocks.0.qkv.weight", "BF16", &[64, 64], 16)]);
    let flux = piece(&writer::safetensors(&text), size).unwrap();
    assert_eq!(refused(vec![("flux.safetensors", flux)]), "file-weights");
    let error = |text: &str| json(text).unwrap_err().id;
    assert_eq!(error("{\"a\": 1}"), "file-json-other");
    assert_eq!(error("{\"weight_map\": {}}"), "file-index-size");
    assert_eq!(
        error("{\"model_type\": \"llama\", \"model_type\": \"llama\"}"),
        "json-twice"
    );
    assert_eq!(Reading::new(b"PK\x03\x04", 10).err().unwrap().id, "file-pickle");
    assert_eq!(Reading::new(b"tjgg", 10).err().unwrap().id, "file-old-ggml");
    assert_eq!(Reading::new(b"\x89PNG", 10).err().unwrap().id, "file-unknown");
    assert_eq!(Reading::new(b"{", 1 << 40).err().unwrap().id, "json-large");
}

proptest! {
    #[test]
    fn no_bytes_panic(start in 0usize..5, bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let begin: [&[u8]; 5] = [b"", b"GGUF\x02\0\0\0", b"\x40\0\0\0\0\0\0\0{", b"{\"model_type\":\"llama\",\"hidden_size\":", b"{"];
        let file = [begin[start], &bytes].concat();
        if let Ok(read) = piece(&file, file.len() as u64) {
            let _ = together(vec![("a".to_owned(), read)]);
        }
    }

    #[test]
    fn no_numbers_upset_the_estimate(numbers in prop::collection::vec(0u64..1 << 33, 9)) {
        let [a, b, c, d, e, f, g, h, i] = numbers[..] else { return Ok(()) };
        let text = format!(
            r#"{{"model_type":"qwen3_next","hidden_size":{a},"num_hidden_layers":{},"vocab_size":{b},"num_attention_heads":{c},
            "num_key_value_heads":{d},"head_dim":{e},"num_experts":{f},"moe_intermediate_size":{g},"intermediate_size":{h},
            "linear_num_value_heads":{i},"linear_value_head_dim":{a},"linear_key_head_dim":{b},"linear_num_key_heads":{c}}}"#,
            a % 200
        );
        if let Ok(read) = json(&text) {
            let mut scenario = Scenario::default();
            choose(&mut scenario, together(vec![("a".to_owned(), read)]).unwrap().what);
            let total = total(&scenario).unwrap();
            prop_assert!(total.low <= total.mid && total.mid <= total.high && total.low >= Bytes::ZERO);
        }
    }
}
