//! Lines to copy as they are, with a button that does it.

use crate::ui::State;
use leptos::prelude::*;
use std::time::Duration;

/// How long the button says that it has copied.
const THANKS: Duration = Duration::from_secs(2);

/// What the button says.
#[derive(Clone, Copy, PartialEq)]
enum Copied {
    NotYet,
    Yes,
    /// The clipboard was refused; the lines are selected instead.
    ByHand,
}

/// A command: where it goes, its lines, and a button to copy them.
pub fn command(state: State, place: &str, text: String) -> AnyView {
    let place = state.texts.with(|texts| texts.text(&["place-", place].concat()));
    let copied = RwSignal::new(Copied::NotYet);
    let code = NodeRef::new();
    let lines = text.clone();
    let say = move |what| {
        copied.set(what);
        set_timeout(move || copied.set(Copied::NotYet), THANKS);
    };
    let copy = move |_| {
        let text = text.clone();
        js_sys::futures::spawn_local(async move {
            if write(&text).await {
                return say(Copied::Yes);
            }
            if let (Some(code), Ok(Some(selection))) = (code.get_untracked(), window().get_selection()) {
                let code: &web_sys::HtmlElement = &code;
                let _ = selection.select_all_children(code);
                say(Copied::ByHand);
            }
        });
    };
    let label = move || {
        state.texts.with(|texts| {
            texts.text(match copied.get() {
                Copied::NotYet => "ui-copy",
                Copied::Yes => "ui-copied",
                Copied::ByHand => "ui-copy-by-hand",
            })
        })
    };
    view! {
        <div class="command">
            <span class="small quiet">{place}</span>
            <button type="button" on:click=copy aria-live="polite">{label}</button>
            <pre lang="en"><code node_ref=code>{lines}</code></pre>
        </div>
    }
    .into_any()
}

/// Writes to the clipboard; whether it was let.
async fn write(text: &str) -> bool {
    // Elsewhere there is no clipboard at all.
    window().is_secure_context() && window().navigator().clipboard().write_text(text).await.is_ok()
}
