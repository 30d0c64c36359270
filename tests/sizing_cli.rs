//! `vramfit size`: the JSON that docs/json.md promises, and clear refusals.
#![cfg(feature = "cli")]

use serde_json::Value;
use vramfit::cli::size::run;
use vramfit::message::Message;

fn json(link: &str) -> Value {
    let args = ["--json", link].map(str::to_owned);
    serde_json::from_str(&run(&args, &[], |message: &Message| message.id.to_owned()).unwrap()).unwrap()
}

/// What the program prints in a language.
fn said(link: &str, lang: &str) -> String {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_vramfit"))
        .args(["size", "--lang", lang, link])
        .output()
        .expect("the program");
    String::from_utf8(out.stdout).expect("text")
}

#[test]
fn the_json_has_parts_total_card_verdict_and_solutions() {
    let answer = json("v=1&m=qwen3-32b&q=q4_k_m&c=32000&g=rtx-4090");
    let parts = answer["parts"].as_array().unwrap();
    let ids: Vec<&str> = parts.iter().filter_map(|part| part["id"].as_str()).collect();
    assert_eq!(ids, ["weights", "kv_cache", "overhead"]);
    assert_eq!(
        parts[1]["bytes"],
        serde_json::json!([8_388_608_000i64, 8_388_608_000i64, 8_388_608_000i64])
    );
    assert_eq!(parts[1]["basis"], "exact");
    for at in 0..3 {
        let sum: i64 = parts.iter().filter_map(|part| part["bytes"][at].as_i64()).sum();
        assert_eq!(answer["total"][at].as_i64(), Some(sum));
    }
    assert_eq!(answer["card"]["id"], "rtx-4090");
    assert_eq!(answer["card"]["usable_bytes"], 24207i64 << 20);
    assert_eq!(answer["fits"], "no");
    let context = answer["solved"]["context"].as_i64().unwrap();
    assert!(context % 256 == 0 && context < 32000 && answer["solved"]["context_mid"].as_i64().unwrap() >= context);
    assert_eq!(answer["solved"]["users"], Value::Null);
    assert_eq!(answer["notes"], serde_json::json!([]));
}

#[test]
fn without_a_card_nothing_is_solved() {
    let answer = json("m=qwen3-8b&c=nonsense");
    assert_eq!((&answer["card"], &answer["fits"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["solved"], serde_json::json!({}));
    assert_eq!(answer["notes"][0]["key"], "c");
}

#[test]
fn what_cannot_be_sized_is_refused() {
    let say = |message: &Message| message.id.to_owned();
    assert_eq!(run(&[], &[], say), Err("size-usage".to_owned()));
    assert_eq!(
        run(&["g=rtx-4090".to_owned()], &[], say),
        Err("size-no-model".to_owned())
    );
    let text = run(&["m=qwen3-8b&g=rtx-4090".to_owned()], &[], say).unwrap();
    assert!(text.contains("size-verdict") && text.contains("size-weights"), "{text}");
}

#[test]
fn a_file_takes_the_models_place_and_the_link_keeps_the_last_word() {
    let path = std::env::temp_dir().join(format!("vramfit-{}-config.json", std::process::id()));
    let config = r#"{"model_type":"qwen3","hidden_size":1024,"intermediate_size":3072,"num_hidden_layers":28,"head_dim":128,
        "num_attention_heads":16,"num_key_value_heads":8,"vocab_size":151936,"tie_word_embeddings":true,
        "max_position_embeddings":40960,"torch_dtype":"bfloat16"}"#;
    std::fs::write(&path, config).unwrap();
    let files = [path.to_string_lossy().into_owned()];
    let say = |message: &Message| message.id.to_owned();
    let size = |link: &str| -> Value {
        let args = ["--json", link].map(str::to_owned);
        serde_json::from_str(&run(&args, &files, say).unwrap()).unwrap()
    };
    let answer = size("c=1024&g=rtx-4090");
    assert_eq!(
        (&answer["own"]["params"], &answer["own"]["context"]),
        (&596_042_752.into(), &40960.into())
    );
    assert_eq!(
        (&answer["own"]["format"], &answer["said"]),
        (&"bf16".into(), &serde_json::json!(["file-config-read"]))
    );
    assert_eq!(answer["parts"][1]["bytes"][1], 2 * 28 * 8 * 128 * 2 * 1024);
    assert_eq!(size("q=q8_0")["parts"][0]["id"], "weights");
    assert!(size("q=q8_0")["total"][1].as_i64() < size("q=bf16")["total"][1].as_i64());
    // Without a link the defaults hold.
    assert!(run(&[], &files, say).unwrap().starts_with("file-config-read\n"));
    std::fs::write(&path, "{").unwrap();
    let error = run(&[], &files, say).unwrap_err();
    assert!(error.ends_with("config.json: json-cut"), "{error}");
    std::fs::remove_file(&path).unwrap();
    assert!(run(&[], &files, say).unwrap_err().starts_with("vramfit: "));
}

#[test]
fn what_an_engine_would_refuse_is_told() {
    let french = said("v=1&m=falcon-40b&c=32768&g=h200", "fr");
    assert!(french.contains("prévu pour 2\u{202f}048 tokens"), "{french}");
    assert!(!said("v=1&m=falcon-40b&c=2048&g=h200", "en").contains("is made for"));
    let more = said("v=1&m=llama-3.1-8b&g=rtx-4090*2&e=vllm&tp=16", "en");
    assert!(more.contains("ask for 16 cards; there are 2"), "{more}");
    let uneven = said("v=1&m=llama-3.1-8b&g=rtx-4090*3&e=vllm", "en");
    assert!(uneven.contains("split 32 attention heads over 3 cards"), "{uneven}");
    let even = said("v=1&m=llama-3.1-8b&g=rtx-4090*4&e=vllm", "en");
    assert!(!even.contains("refuses"), "{even}");
}

/// Optimisers and number formats are told by their names, never by what the link calls them.
#[test]
fn formulas_name_optimisers_and_formats() {
    for (id, name) in [
        ("adamw", "AdamW"),
        ("adamw8bit", "AdamW, 8-bit"),
        ("adafactor", "Adafactor"),
        ("sgd", "SGD with momentum"),
        ("lion", "Lion"),
        ("muon", "Muon"),
        ("galore", "GaLore"),
    ] {
        for model in ["qwen3-8b", "flux.1-dev"] {
            let text = said(&format!("m={model}&t=train&op={id}"), "en");
            assert!(text.contains(&format!("bytes, by {name}.\n")), "{model} {id}: {text}");
        }
    }
    // A mixed job of a language model has 16-bit weights beside 32-bit ones; one of an image model casts 32-bit ones.
    for (model, id, name) in [
        ("qwen3-8b", "mixed", "16.00 bits ÷ 8, in BF16."),
        ("qwen3-8b", "bf16", "16.00 bits ÷ 8, in BF16."),
        ("qwen3-8b", "fp32", "32.00 bits ÷ 8, in FP32."),
        ("qwen3-8b", "fp8", "24.00 bits ÷ 8, in BF16 + FP8."),
        ("flux.1-dev", "mixed", "32.00 bits ÷ 8, in FP32."),
        ("flux.1-dev", "bf16", "16.00 bits ÷ 8, in BF16."),
    ] {
        let text = said(&format!("m={model}&t=train&pr={id}&tm=full"), "en");
        assert!(text.contains(name), "{model} {id}: {text}");
    }
}
