//! Lines to copy as they are, with a button that does it.

use super::dom::{El, el};
use crate::i18n::Texts;
use crate::ui::promises::settled;
use leptos::prelude::{set_timeout, window};
use std::time::Duration;
use web_sys::Element;

/// How long the button says that it has copied.
const THANKS: Duration = Duration::from_secs(2);

/// A command: where it goes, its lines, and a button to copy them.
pub fn command(texts: &Texts, place: &str, lines: &str) -> El {
    let [copy, copied, by_hand] = ["ui-copy", "ui-copied", "ui-copy-by-hand"].map(|id| texts.text(id));
    let code = el("code", "").text(lines);
    let button = el("button", "")
        .attr("type", "button")
        .attr("aria-live", "polite")
        .text(&copy);
    let (place_of_lines, face, lines) = (code.handle(), button.handle(), lines.to_owned());
    let button = button.on(
        "click",
        Box::new(move |_| {
            let (lines, code, face) = (lines.clone(), place_of_lines.clone(), face.clone());
            let (copy, copied, by_hand) = (copy.clone(), copied.clone(), by_hand.clone());
            write(&lines, move |written| {
                if !written {
                    select(&code);
                }
                face.set_text_content(Some(if written { &copied } else { &by_hand }));
                set_timeout(move || face.set_text_content(Some(&copy)), THANKS);
            });
        }),
    );
    el("div", "command")
        .child(el("span", "small quiet").text(&texts.text(&["place-", place].concat())))
        .child(button)
        .child(el("pre", "").attr("lang", "en").child(code))
}

/// Writes to the clipboard, then tells whether it was let.
pub fn write(text: &str, then: impl FnOnce(bool) + 'static) {
    // Elsewhere there is no clipboard at all.
    if window().is_secure_context() {
        let promise = window().navigator().clipboard().write_text(text);
        settled(&promise, move |written| then(written.is_some()));
    } else {
        then(false);
    }
}

/// Selects the lines, for the reader to copy.
fn select(code: &Element) {
    if let Ok(Some(selection)) = window().get_selection() {
        let _ = selection.select_all_children(code);
    }
}
