//! Components in a real browser: `./dev test web`.
#![cfg(target_arch = "wasm32")]

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Event, HtmlElement, HtmlTextAreaElement};

wasm_bindgen_test_configure!(run_in_browser);

/// An empty element in the page to mount into.
fn root() -> HtmlElement {
    let root: HtmlElement = document().create_element("div").expect("an element").unchecked_into();
    document()
        .body()
        .expect("a body")
        .append_child(&root)
        .expect("appended");
    root
}

fn find<T: JsCast>(root: &HtmlElement, selector: &str) -> T {
    root.query_selector(selector)
        .expect("a selector")
        .expect(selector)
        .unchecked_into()
}

#[wasm_bindgen_test]
async fn the_app_takes_text_and_answers() {
    let root = root();
    vramfit::ui::mount(root.clone(), "out of".to_owned());
    let paste: HtmlTextAreaElement = find(&root, "#paste");
    leptos::task::tick().await;
    assert_eq!(paste.value(), "out of");

    paste.set_value("out of memory");
    paste
        .dispatch_event(&Event::new("input").expect("an event"))
        .expect("dispatched");
    leptos::task::tick().await;
    assert_eq!(
        find::<HtmlElement>(&root, "#answer").text_content().as_deref(),
        Some("13")
    );
    root.remove();
}
