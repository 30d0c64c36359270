//! `vramfit size`: the JSON that docs/json.md promises, and clear refusals.
#![cfg(feature = "cli")]

use serde_json::Value;
use vramfit::cli::size::run;
use vramfit::message::Message;

fn json(link: &str) -> Value {
    let args = ["--json", link].map(str::to_owned);
    serde_json::from_str(&run(&args, |message: &Message| message.id.to_owned()).unwrap()).unwrap()
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
    assert_eq!(run(&[], say), Err("size-usage".to_owned()));
    assert_eq!(run(&["g=rtx-4090".to_owned()], say), Err("size-no-model".to_owned()));
    let text = run(&["m=qwen3-8b&g=rtx-4090".to_owned()], say).unwrap();
    assert!(text.contains("size-verdict") && text.contains("size-weights"), "{text}");
}
