//! The page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlTextAreaElement};

/// What was typed into the static page before the program ran.
#[derive(Default)]
struct Typed {
    text: String,
    selection: (u32, u32),
    focused: bool,
}

/// Takes over the static page: mounts the app in `#app` with what was already typed.
pub fn start() {
    let Some(root) = document()
        .get_element_by_id("app")
        .and_then(|root| root.dyn_into::<HtmlElement>().ok())
    else {
        return;
    };
    let typed = typed_so_far();
    root.set_inner_html("");
    mount(root, typed.text.clone());
    if let Some(paste) = paste_box() {
        // Leptos writes the value only later; a new value would move the caret then.
        paste.set_value(&typed.text);
        if typed.focused {
            let _ = paste.focus();
        }
        // After the focus, which moves the caret too.
        let _ = paste.set_selection_range(typed.selection.0, typed.selection.1);
    }
}

/// Mounts the app in `root`, with `text` in its box, for as long as the page lives.
pub fn mount(root: HtmlElement, text: String) {
    leptos::mount::mount_to(root, move || view! { <App text/> }).forget();
}

fn paste_box() -> Option<HtmlTextAreaElement> {
    document().get_element_by_id("paste")?.dyn_into().ok()
}

fn typed_so_far() -> Typed {
    let Some(paste) = paste_box() else {
        return Typed::default();
    };
    let end = |edge: Result<Option<u32>, _>| edge.ok().flatten().unwrap_or(0);
    Typed {
        text: paste.value(),
        selection: (end(paste.selection_start()), end(paste.selection_end())),
        focused: document().active_element().is_some_and(|active| active.id() == "paste"),
    }
}

#[component]
fn App(text: String) -> impl IntoView {
    let text = RwSignal::new(text);
    view! {
        <main>
            <h1>{document().title()}</h1>
            <textarea id="paste" rows="12" spellcheck="false" aria-label="paste" prop:value=move || text.get()
                on:input:target=move |event| text.set(event.target().value())></textarea>
            <output id="answer" for="paste">{move || text.with(|text| text.chars().count())}</output>
        </main>
    }
}
