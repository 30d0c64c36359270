//! Links: those of every version decode for ever, every scenario comes back, and no text whatever is too much.

use proptest::prelude::*;
use vramfit::catalog::{Engine, Framework, KV_FORMATS, Version, cards, formats, image_models, models};
use vramfit::message::{Arg, Message};
use vramfit::scenario::{
    CardKind, Cards, Checkpointing, KEYS, LINK_LIMIT, Link, Loss, Method, Objective, Offload, Optimizer, Precision,
    Scenario, Sharding, Staging, Targets, Task, TextPlace, Typed, decode, encode,
};
use vramfit::units::Bytes;

fn text(note: &Message, name: &str) -> String {
    match note.args.iter().find(|(key, _)| *key == name) {
        Some((_, Arg::Text(text))) => text.clone(),
        _ => String::new(),
    }
}

#[test]
fn the_links_of_version_1_mean_what_they_meant() {
    let golden = include_str!("links/v1.txt");
    let blocks = golden.split("\n\n").skip(1);
    let mut count = 0;
    for block in blocks {
        let mut lines = block.lines().filter(|line| !line.is_empty());
        let Some(link) = lines.next() else { continue };
        let (decoded, notes) = decode(link);
        let mut expected = Vec::new();
        let mut expected_notes = Vec::new();
        let mut again = "";
        for line in lines {
            if let Some(text) = line.strip_prefix("again ") {
                again = text;
            } else if let Some(note) = line.strip_prefix("note ") {
                expected_notes.push(note.trim_end().to_owned());
            } else {
                let (path, value) = line.split_once(" =").expect(line);
                expected.push((path.to_owned(), value.trim().to_owned()));
            }
        }
        let mut found = Vec::new();
        for (prefix, scenario, base) in [
            ("", Some(&decoded.scenario), &Scenario::default()),
            ("b.", decoded.compare.as_ref(), &decoded.scenario),
        ] {
            for key in KEYS.iter().filter(|_| scenario.is_some()) {
                let value = (key.get)(scenario.unwrap());
                if value != (key.get)(base) {
                    found.push(([prefix, key.key].concat(), value));
                }
            }
        }
        let named: Vec<String> = notes
            .iter()
            .map(|note| {
                let key = text(note, "key");
                if note.id == "link-version" {
                    note.id.to_owned()
                } else {
                    format!("{} {key}", note.id).trim_end().to_owned()
                }
            })
            .collect();
        assert_eq!(found, expected, "{link}");
        assert_eq!(named, expected_notes, "{link}");
        assert_eq!(encode(&decoded), again, "{link}");
        count += 1;
    }
    assert_eq!(count, 16);
}

/// The table is a copy, so that a default changed in the code is noticed: version 1 means these for ever.
#[test]
fn what_a_link_of_version_1_leaves_out_never_changes() {
    let table = include_str!("links/v1-defaults.txt");
    let fixed = table.lines().filter(|line| !line.starts_with('#'));
    let fixed: Vec<(&str, &str)> = fixed.filter_map(|line| line.split_once(" =")).collect();
    let written = KEYS.iter().map(|key| (key.key, (key.get)(&Scenario::default())));
    for (key, now) in written {
        let then = fixed
            .iter()
            .find(|(name, _)| *name == key)
            .map(|(_, value)| value.trim());
        assert_eq!(then, Some(now.as_str()), "{key}");
    }
    assert_eq!(fixed.len(), KEYS.len());
}

/// What is the engine's is no number of the link. Without an engine it stays what it was: 8192 tokens in a step, one
/// request at once, all of the card; with one it follows its version and the card, and both can be said.
#[test]
fn what_a_link_leaves_to_the_engine() {
    let of = |link: &str| {
        let (link, notes) = decode(link);
        assert_eq!(notes, [], "{link:?}");
        let scenario = link.scenario;
        (
            scenario.step_tokens(),
            scenario.ready_for(),
            scenario.share(),
            scenario.split(),
        )
    };
    for link in [
        "v=1",
        "v=1&m=gemma-3-27b&c=32768",
        "v=1&m=gemma-3-27b&g=rtx-4090*2",
        "v=1&m=qwen3-8b&ev=0.6.5",
    ] {
        assert_eq!(of(link), (8192, 1, 1000, 1), "{link}");
    }
    assert_eq!(of("v=1&m=gemma-3-27b&e=vllm&ev=0.11&g=rtx-4090"), (2048, 256, 900, 1));
    assert_eq!(
        of("v=1&m=gemma-3-27b&e=vllm&ev=0.11&g=h100-80gb*2"),
        (8192, 1024, 900, 2)
    );
    assert_eq!(
        of("v=1&m=gemma-3-27b&e=vllm&ev=0.24&g=rtx-4090&bt=8192&ms=64"),
        (8192, 64, 920, 1)
    );
}

#[test]
fn every_key_reads_what_it_writes_and_refuses_nonsense() {
    let scenario = Scenario::default();
    for (place, key) in KEYS.iter().enumerate() {
        assert!(KEYS[..place].iter().all(|other| other.key != key.key), "{}", key.key);
        let mut other = Scenario::default();
        assert!((key.set)(&mut other, &(key.get)(&scenario)), "{}", key.key);
        assert_eq!(other, scenario, "{}", key.key);
        assert!(!(key.set)(&mut other, "§"), "{}", key.key);
        assert_eq!(other, scenario, "{}", key.key);
    }
}

#[test]
fn the_table_in_docs_has_every_key() {
    let docs = include_str!("../docs/link.md");
    for key in KEYS {
        assert!(docs.contains(&format!("\n| `{}` |", key.key)), "{}", key.key);
    }
}

#[test]
fn a_long_link_is_read_as_far_as_it_may_go() {
    let long = format!("v=1&m=qwen3-8b&x={}&c=9", "ü".repeat(2000));
    let (link, notes) = decode(&long);
    assert_eq!(link.scenario.model.map(|model| model.id), Some("qwen3-8b"));
    assert_eq!(link.scenario.context, Scenario::default().context);
    assert_eq!(notes.iter().map(|note| note.id).collect::<Vec<_>>(), ["link-long"]);
}

fn cards_strategy() -> impl Strategy<Value = Vec<Cards>> {
    let known = (0..cards().len()).prop_map(|at| CardKind::Known(&cards()[at]));
    let typed = (1i64..1 << 50).prop_map(|bytes| CardKind::Typed(Bytes(bytes)));
    proptest::collection::vec(
        (prop_oneof![known, typed], 1i64..10_000).prop_map(|(kind, count)| Cards { kind, count }),
        0..4,
    )
}

fn scenario_strategy() -> impl Strategy<Value = Scenario> {
    let count = || prop_oneof![Just(0i64), 0i64..100_000, 0i64..1_000_000_000_000_000];
    let typed = proptest::collection::vec(count(), 8);
    let counts = proptest::collection::vec(count(), 25);
    let choices = (
        proptest::sample::select(Task::ALL),
        proptest::sample::select(Method::ALL),
        proptest::sample::select(Optimizer::ALL),
        proptest::sample::select(Precision::ALL),
        proptest::sample::select(Checkpointing::ALL),
        proptest::sample::select(Loss::ALL),
        proptest::sample::select(Sharding::ALL),
        0..Engine::all().count(),
    );
    let training = (
        0..Framework::all().count(),
        proptest::sample::select(Objective::ALL),
        proptest::sample::select(Offload::ALL),
        proptest::sample::select(Targets::ALL),
        proptest::collection::vec(any::<bool>(), 6),
    );
    let rows = (
        proptest::option::of(0..models().len()),
        0..formats().len(),
        0..KV_FORMATS.len(),
        0..KV_FORMATS.len(),
        any::<[bool; 5]>(),
        0i64..=1000,
        proptest::option::of(0i64..1000),
        proptest::option::of(0i64..1 << 50),
        0i64..1 << 50,
    );
    let pictures = (
        proptest::option::of(0..image_models().len()),
        0..formats().len(),
        0..formats().len(),
        proptest::sample::select(TextPlace::ALL),
        proptest::sample::select(Staging::ALL),
    );
    let others = proptest::collection::vec(("x[a-zA-Z0-9 %&=+#é.]{0,8}", ".{0,20}"), 0..3);
    (
        choices,
        training,
        rows,
        pictures,
        typed,
        counts,
        cards_strategy(),
        others,
    )
        .prop_map(
            |(choices, training, rows, pictures, typed, counts, cards, mut others)| {
                others.sort();
                others.dedup_by(|a, b| a.0 == b.0);
                let (task, method, optimizer, precision, checkpointing, loss, sharding, engine) = choices;
                let (framework, objective, offload, targets, training_flags) = training;
                let (model, format, k_cache, v_cache, flags, utilisation, gpu_layers, pool, held) = rows;
                let [flash_attention, unified, eager, cache_on_host, sees] = flags;
                let (image_model, text_format, vae_format, text_place, staging) = pictures;
                Scenario {
                    task,
                    model: model.map(|at| &models()[at]),
                    // A scenario has a model of one kind.
                    image_model: image_model.filter(|_| model.is_none()).map(|at| &image_models()[at]),
                    references: counts[20],
                    prompts: counts[21],
                    text_format: &formats()[text_format],
                    vae_format: &formats()[vae_format],
                    text_place,
                    staging,
                    swapped: counts[22],
                    tile: counts[23],
                    control_nets: counts[24],
                    own: None,
                    typed: Typed {
                        params: typed[0],
                        layers: typed[1],
                        hidden: typed[2],
                        ffn: typed[3],
                        heads: typed[4],
                        kv_heads: typed[5],
                        head_dim: typed[6],
                        vocab: typed[7],
                    },
                    format: &formats()[format],
                    engine: Engine::all().nth(engine).unwrap(),
                    context: counts[0],
                    users: counts[1],
                    k_cache: &KV_FORMATS[k_cache],
                    v_cache: &KV_FORMATS[v_cache],
                    flash_attention,
                    unified,
                    ubatch: counts[2],
                    batched_tokens: counts[3],
                    utilisation,
                    version: Version::of(counts[13] % 10_000, counts[14] % 1000, counts[15] % 1000),
                    sequences: counts[16],
                    eager,
                    sees,
                    adapters: counts[17],
                    draft: model.map(|at| &models()[at]),
                    draft_tokens: counts[4],
                    gpu_layers,
                    cpu_experts: counts[18],
                    cache_on_host,
                    pool: pool.map(Bytes),
                    cards,
                    tensor_parallel: counts[5],
                    pipeline: counts[19],
                    held: Bytes(held),
                    framework: Framework::all().nth(framework).unwrap(),
                    method,
                    objective,
                    optimizer,
                    precision,
                    checkpointing,
                    loss,
                    sharding,
                    batch: counts[6],
                    accumulation: counts[7],
                    sequence: counts[8],
                    step_in_backward: training_flags[0],
                    offload,
                    offload_activations: training_flags[1],
                    compiled: training_flags[2],
                    rank: counts[9],
                    targets,
                    dropout: training_flags[3],
                    raises_rest: training_flags[4],
                    trains_embedding: training_flags[5],
                    width: 1 + counts[10] % 65_536,
                    height: 1 + counts[11] % 65_536,
                    frames: counts[12],
                    others,
                }
            },
        )
}

proptest! {
    #[test]
    fn every_scenario_comes_back(scenario in scenario_strategy(), compare in proptest::option::of(scenario_strategy())) {
        let link = Link { scenario, compare };
        let written = encode(&link);
        prop_assert!(written.len() <= LINK_LIMIT);
        let (read, notes) = decode(&written);
        prop_assert_eq!(&notes, &Vec::new());
        prop_assert_eq!(&read, &link, "{}", written);
        prop_assert_eq!(encode(&read), written);
    }

    #[test]
    fn no_text_is_too_much(text in ".{0,300}") {
        let (link, _) = decode(&text);
        let written = encode(&link);
        prop_assert!(written.len() <= LINK_LIMIT);
        prop_assert_eq!(decode(&written).0, link);
    }

    #[test]
    fn no_pairs_are_too_much(pairs in proptest::collection::vec(("(b\\.)?(v|t|m|p|l|q|e|c|u|ctk|fa|util|ngl|pool|g|held|res|fr|zz)", "[0-9a-z.,*%x-]{0,12}"), 0..20)) {
        let text: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let (link, _) = decode(&text.join("&"));
        prop_assert_eq!(decode(&encode(&link)).0, link);
    }

    #[test]
    fn no_bytes_are_too_much(bytes in proptest::collection::vec(any::<u8>(), 0..3000)) {
        decode(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn what_is_repeated_is_told_once_and_no_image_is_endless() {
    let (_, notes) = decode(&"m=qwen3-8b&".repeat(100));
    assert_eq!(notes.len(), 1, "{notes:?}");
    for size in ["0x0", "1024x0", "99999999x99999999"] {
        let (link, notes) = decode(&format!("v=1&t=image&m=flux.1-dev&res={size}"));
        assert_eq!(notes.len(), 1, "{size}");
        assert_eq!((link.scenario.width, link.scenario.height), (1024, 1024));
    }
}
