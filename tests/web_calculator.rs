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
