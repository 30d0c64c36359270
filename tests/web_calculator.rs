//! The number field and the picker in a browser, in the calculator as it is mounted.
#![cfg(all(target_arch = "wasm32", feature = "web"))]

use leptos::prelude::document;
use vramfit::i18n::{Language, Texts};
use vramfit::ui::mount;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::*;
use web_sys::{Event, HtmlElement, HtmlInputElement};

wasm_bindgen_test_configure!(run_in_browser);

const ENGLISH: [&str; 5] = [
    include_str!("../locales/en/page.ftl"),
    include_str!("../locales/en/ui.ftl"),
    include_str!("../locales/en/units.ftl"),
    include_str!("../locales/en/sizing.ftl"),
    include_str!("../locales/en/calculator.ftl"),
];

/// The calculator with what a link says.
async fn open(link: &str) -> HtmlElement {
    let location = web_sys::window().expect("a window").location();
    location.set_hash(link).expect("a hash");
    let root: HtmlElement = document().create_element("div").expect("an element").unchecked_into();
    document()
        .body()
        .expect("a body")
        .append_child(&root)
        .expect("appended");
    mount(root.clone(), Texts::parse(Language::ENGLISH, ENGLISH), String::new());
    settle().await;
    root
}

async fn settle() {
    for _ in 0..4 {
        leptos::task::tick().await;
    }
}

fn find<T: JsCast>(root: &HtmlElement, selector: &str) -> T {
    root.query_selector(selector)
        .expect("a selector")
        .expect(selector)
        .unchecked_into()
}

async fn type_in(input: &HtmlInputElement, text: &str) {
    input.set_value(text);
    input
        .dispatch_event(&Event::new("input").expect("an event"))
        .expect("dispatched");
    settle().await;
}

async fn press(input: &HtmlInputElement, key: &str) {
    let make = js_sys::Function::new_with_args(
        "key",
        "return new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })",
    );
    let event: Event = make
        .call1(&JsValue::NULL, &key.into())
        .expect("an event")
        .unchecked_into();
    input.dispatch_event(&event).expect("dispatched");
    settle().await;
}

fn attribute(element: &HtmlElement, name: &str) -> String {
    element.get_attribute(name).unwrap_or_default()
}

#[wasm_bindgen_test]
async fn a_number_is_read_stepped_and_never_lost() {
    let root = open("v=1&m=qwen3-8b&g=rtx-4090").await;
    let context: HtmlInputElement = find(&root, "#calc-context");
    assert_eq!(context.value(), "8,192");
    press(&context, "ArrowUp").await;
    assert_eq!(context.value(), "9,216");
    press(&context, "PageUp").await;
    assert_eq!(context.value(), "18,432");
    press(&context, "ArrowDown").await;
    assert_eq!(context.value(), "16,384");
    for (key, value) in [
        ("ArrowDown", "15,360"),
        ("PageDown", "7,680"),
        ("ArrowUp", "8,192"),
        ("ArrowDown", "7,680"),
    ] {
        press(&context, key).await;
        assert_eq!(context.value(), value, "{key}");
    }
    let users: HtmlInputElement = find(&root, "#calc-users");
    press(&users, "ArrowDown").await;
    assert_eq!(users.value(), "1");
    press(&users, "PageUp").await;
    assert_eq!(users.value(), "2");
    let rank: HtmlInputElement = find(&root, "#calc-rank");
    for (key, value) in [
        ("ArrowUp", "32"),
        ("ArrowDown", "16"),
        ("ArrowDown", "8"),
        ("PageUp", "64"),
    ] {
        press(&rank, key).await;
        assert_eq!(rank.value(), value, "{key}");
    }
    let held: HtmlInputElement = find(&root, "#calc-held");
    press(&held, "ArrowUp").await;
    assert_eq!(held.value(), "512 MiB");
    press(&held, "ArrowDown").await;
    assert_eq!(held.value(), "");

    // The reader's own way of writing stays; what can't be read stays too, and the last value counts.
    type_in(&context, "32k").await;
    assert_eq!(
        (context.value().as_str(), attribute(&context, "aria-valuenow").as_str()),
        ("32k", "32768")
    );
    for bad in ["", "x", "-1", "NaN", "1.5", "0", "9999999999999999999999"] {
        type_in(&context, bad).await;
        assert_eq!(context.value(), bad);
        assert_eq!(attribute(&context, "aria-invalid"), "true", "{bad}");
        assert_eq!(attribute(&context, "aria-valuenow"), "32768", "{bad}");
        let note: HtmlElement = find(&root, "#calc-context-note");
        assert!(!note.text_content().unwrap_or_default().is_empty(), "{bad}");
    }
    press(&context, "ArrowUp").await;
    assert_eq!(
        (context.value().as_str(), attribute(&context, "aria-invalid").as_str()),
        ("36,864", "false")
    );
    root.remove();
}

#[wasm_bindgen_test]
async fn a_picker_finds_by_words_and_picks_by_keys() {
    let root = open("v=1&m=qwen3-8b").await;
    let model: HtmlInputElement = find(&root, "#calc-model");
    assert_eq!(
        (model.value().as_str(), attribute(&model, "aria-expanded").as_str()),
        ("Qwen3-8B", "false")
    );
    type_in(&model, "mixtral 8x7b").await;
    assert_eq!(attribute(&model, "aria-expanded"), "true");
    let active = attribute(&model, "aria-activedescendant");
    let option: HtmlElement = find(&root, &["#", &active].concat());
    assert_eq!(attribute(&option, "aria-selected"), "true");
    assert!(
        option.text_content().unwrap_or_default().contains("Mixtral"),
        "{:?}",
        option.text_content()
    );
    press(&model, "Enter").await;
    assert!(model.value().starts_with("Mixtral-8x7B"), "{}", model.value());
    assert_eq!(attribute(&model, "aria-expanded"), "false");

    // The arrows go round; Escape closes, and then brings the picked name back.
    type_in(&model, "qwen3 32b").await;
    press(&model, "ArrowUp").await;
    let last = attribute(&model, "aria-activedescendant");
    press(&model, "ArrowDown").await;
    assert_ne!((attribute(&model, "aria-activedescendant"), "calc-model-0"), (last, ""));
    press(&model, "Escape").await;
    assert_eq!(
        (model.value().as_str(), attribute(&model, "aria-expanded").as_str()),
        ("qwen3 32b", "false")
    );
    press(&model, "Escape").await;
    assert!(model.value().starts_with("Mixtral-8x7B"), "{}", model.value());

    type_in(&model, "7b").await;
    let first: HtmlElement = find(&root, "#calc-model-0");
    assert!(
        first
            .text_content()
            .unwrap_or_default()
            .contains("any model of this size")
    );
    root.remove();
}

/// Chooses from a list.
async fn choose(list: &HtmlInputElement, id: &str) {
    list.set_value(id);
    list.dispatch_event(&Event::new("change").expect("an event"))
        .expect("dispatched");
    settle().await;
}

#[wasm_bindgen_test]
async fn training_has_its_choices_and_names_the_moment_of_its_peak() {
    let root = open("v=1&t=train&m=llama-3.1-8b&tm=lora&lo=fused&sl=8192&g=h100-80gb").await;
    let total = || {
        let total: HtmlElement = find(&root, ".needs .total .figure");
        total.text_content().unwrap_or_default()
    };
    let shown = || root.text_content().unwrap_or_default();
    assert!(shown().contains("the beginning of the backward pass"), "{}", shown());
    let lists = [
        ("calc-method", "qlora"),
        ("calc-compiled", "1"),
        ("calc-targets", "qv"),
        ("calc-loss", "plain"),
        ("calc-checkpointing", "selective"),
        ("calc-framework", "torchtune"),
        ("calc-aside-activations", "1"),
        ("calc-objective", "dpo"),
    ];
    for (id, value) in lists {
        let list: HtmlInputElement = find(&root, &["#", id].concat());
        let before = total();
        choose(&list, value).await;
        assert_eq!(list.value(), value, "{id}");
        assert_ne!(total(), before, "{id}");
    }
    // What full fine-tuning alone has; with accumulation its gradients are there at the loss.
    choose(&find(&root, "#calc-method"), "full").await;
    let steps: HtmlInputElement = find(&root, "#calc-accumulation");
    type_in(&steps, "8").await;
    assert_eq!(steps.value(), "8");
    for (id, value) in [
        ("calc-optimizer", "muon"),
        ("calc-precision", "fp8"),
        ("calc-step-in-backward", "1"),
        ("calc-aside", "optimizer"),
    ] {
        let list: HtmlInputElement = find(&root, &["#", id].concat());
        let before = total();
        choose(&list, value).await;
        assert_ne!(total(), before, "{id}");
    }
    root.remove();
}

#[wasm_bindgen_test]
async fn image_models_are_picked_and_sized_by_stage() {
    let root = open("v=1&t=image&g=rtx-4090").await;
    let model: HtmlInputElement = find(&root, "#calc-model");
    type_in(&model, "flux dev").await;
    press(&model, "Enter").await;
    assert_eq!(model.value(), "FLUX.1 dev");
    let width: HtmlInputElement = find(&root, "#calc-width");
    assert_eq!(width.value(), "1,024");
    for (key, value) in [("ArrowUp", "1,040"), ("ArrowDown", "1,024"), ("PageUp", "2,048")] {
        press(&width, key).await;
        assert_eq!(width.value(), value, "{key}");
    }
    let outcome: HtmlElement = find(&root, ".outcome");
    let said = outcome.text_content().unwrap_or_default();
    assert!(said.contains("The fullest stage, shown here: VAE decoding"), "{said}");
    type_in(&model, "wan 2.2 ti2v").await;
    press(&model, "Enter").await;
    let frames: HtmlInputElement = find(&root, "#calc-frames");
    assert_eq!(frames.value(), "121");
    for (key, value) in [("ArrowUp", "125"), ("ArrowDown", "121"), ("ArrowDown", "117")] {
        press(&frames, key).await;
        assert_eq!(frames.value(), value, "{key}");
    }
    root.remove();
}

/// What is said beside a field.
fn beside(root: &HtmlElement, id: &str, end: &str) -> String {
    let note: HtmlElement = find(root, &["#", id, end].concat());
    note.text_content().unwrap_or_default()
}

/// Whether a field is in sight, its folded place aside.
fn is_offered(root: &HtmlElement, id: &str) -> bool {
    let field: HtmlElement = find(root, &["#", id].concat());
    field.closest("[hidden]").expect("a selector").is_none()
}

#[wasm_bindgen_test]
async fn an_engines_settings_have_its_defaults_of_that_version_beside_them() {
    let root = open("v=1&m=llama-3.1-8b&e=vllm&g=l40s").await;
    let share: HtmlInputElement = find(&root, "#calc-utilisation");
    assert_eq!((share.value().as_str(), share.placeholder().as_str()), ("", "0.92"));
    assert_eq!(
        beside(&root, "calc-utilisation", "-hint"),
        "Default: 0.92 (vLLM from 0.21 on; before, 0.90, the article’s 90%)"
    );
    let version: HtmlInputElement = find(&root, "#calc-version");
    type_in(&version, "0.11").await;
    assert_eq!(share.placeholder(), "0.90");
    assert_eq!(
        beside(&root, "calc-utilisation", "-hint"),
        "Default: 0.90, the article’s 90% (vLLM before 0.21; from there on, 0.92)"
    );
    for (key, value) in [("ArrowUp", "0.12"), ("ArrowDown", "0.11"), ("PageUp", "1")] {
        press(&version, key).await;
        assert_eq!(version.value(), value, "{key}");
    }
    type_in(&version, "main").await;
    assert_eq!(attribute(&version, "aria-invalid"), "true");
    assert!(beside(&root, "calc-version", "-note").contains("main"));
    type_in(&version, "").await;

    // One is a share, and so is what is typed in percent.
    for (typed, now) in [
        ("0.85", "850"),
        ("85", "850"),
        ("85 %", "850"),
        ("0,875", "875"),
        ("1", "1000"),
    ] {
        type_in(&share, typed).await;
        assert_eq!(
            (
                attribute(&share, "aria-valuenow").as_str(),
                attribute(&share, "aria-invalid").as_str()
            ),
            (now, "false"),
            "{typed}"
        );
    }
    type_in(&share, "0.9").await;
    for (key, value) in [
        ("ArrowUp", "0.91"),
        ("ArrowDown", "0.90"),
        ("PageDown", "0.80"),
        ("PageUp", "0.90"),
    ] {
        press(&share, key).await;
        assert_eq!(share.value(), value, "{key}");
    }
    for bad in ["0.05", "101", "x", "-1"] {
        type_in(&share, bad).await;
        assert_eq!(attribute(&share, "aria-invalid"), "true", "{bad}");
    }
    let steps: HtmlInputElement = find(&root, "#calc-step-tokens");
    assert_eq!(steps.placeholder(), "2,048");
    root.remove();
}

#[wasm_bindgen_test]
async fn each_engine_offers_what_it_has_and_what_was_set_stays_in_sight() {
    let root = open("v=1&m=qwen3-30b-a3b&q=q4_k_m&e=llama.cpp&ms=64&g=rtx-4070").await;
    for (id, there) in [
        ("calc-gpu-layers", true),
        ("calc-cpu-experts", true),
        ("calc-cache-on-host", true),
        ("calc-utilisation", false),
        ("calc-pool", false),
        ("calc-sequences", true),
        ("calc-other-cards", false),
        ("calc-compiled", false),
    ] {
        assert_eq!(is_offered(&root, id), there, "{id}");
    }
    let layers: HtmlInputElement = find(&root, "#calc-gpu-layers");
    assert_eq!((layers.value().as_str(), layers.placeholder().as_str()), ("", "49"));
    type_in(&layers, "0").await;
    assert_eq!(attribute(&layers, "aria-valuenow"), "0");
    type_in(&layers, "20").await;
    let placed: HtmlElement = find(&root, ".placed");
    assert!(
        placed
            .text_content()
            .unwrap_or_default()
            .contains("20 of 49 layers on the card"),
        "{:?}",
        placed.text_content()
    );
    // Another kind of card beside the first.
    let other: HtmlInputElement = find(&root, "#calc-other-card");
    type_in(&other, "3060 12").await;
    press(&other, "Enter").await;
    assert!(other.value().contains("3060"), "{}", other.value());
    let count: HtmlInputElement = find(&root, "#calc-other-cards");
    type_in(&count, "2").await;
    let card: HtmlInputElement = find(&root, "#calc-card");
    assert!(
        card.value().contains("RTX 4070, 2\u{a0}×\u{a0}RTX 3060"),
        "{}",
        card.value()
    );
    root.remove();
}

#[wasm_bindgen_test]
async fn all_levers_that_are_solved_are_shown() {
    let solved = |root: &HtmlElement| {
        let table: HtmlElement = find(root, ".solved tbody");
        table.text_content().unwrap_or_default()
    };
    let root = open("v=1&m=qwen3-30b-a3b&q=q4_k_m&e=llama.cpp&g=rtx-4070").await;
    for lever in [
        "Layers on the card",
        "Fewest layers with experts on the CPU",
        "Largest micro-batch",
        "Smallest card",
    ] {
        assert!(solved(&root).contains(lever), "{lever}");
    }
    choose(&find(&root, "#calc-engine"), "vllm").await;
    for lever in ["Fewest cards for each layer", "Least share of the card"] {
        assert!(solved(&root).contains(lever), "{lever}");
    }
    assert!(!solved(&root).contains("Layers on the card"));
    root.remove();
}

#[wasm_bindgen_test]
async fn a_model_that_makes_images_is_trained_too() {
    let root = open("v=1&t=train&tm=lora&g=rtx-4090").await;
    let model: HtmlInputElement = find(&root, "#calc-model");
    type_in(&model, "flux.1 dev").await;
    press(&model, "Enter").await;
    assert_eq!(model.value(), "FLUX.1 dev");
    for (id, there) in [
        ("calc-method", true),
        ("calc-width", true),
        ("calc-text-place", true),
        ("calc-rank", true),
        ("calc-sequence", false),
        ("calc-loss", false),
        ("calc-frames", false),
        ("calc-denoiser-format", false),
    ] {
        assert_eq!(is_offered(&root, id), there, "{id}");
    }
    let total = || {
        let total: HtmlElement = find(&root, ".needs .total .figure");
        total.text_content().unwrap_or_default()
    };
    let before = total();
    choose(&find(&root, "#calc-text-place"), "cpu").await;
    assert_ne!(total(), before);
    // A language model takes its place.
    type_in(&model, "qwen3 8b").await;
    press(&model, "Enter").await;
    assert!(is_offered(&root, "calc-sequence") && !is_offered(&root, "calc-width"));
    root.remove();
}
