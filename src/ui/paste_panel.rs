//! The box for the text: large while it is empty, two lines high once the answer has the place; with examples to try.

use super::State;
use super::attachments::{attachments, button as file_button};
use super::components::{El, el, follow, live, miniature};
use super::examples::{EXAMPLES, Example};
use super::files::{Source, take as take_long, take_transfer};
use crate::diagnosis::{Corrections, diagnose};
use crate::i18n::Texts;
use crate::paste::{WHOLE, read};
use js_sys::{JsString, Reflect};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Event, FileList, HtmlElement, HtmlInputElement, HtmlTextAreaElement, InputEvent};

/// What the reader had done in the static page when the program took over.
#[derive(Clone, Default)]
pub struct Typed {
    /// The text.
    pub text: String,
    /// A text too long for the box.
    pub long: Option<JsString>,
    /// Files that were chosen.
    pub files: Option<FileList>,
    /// Whether the calculator was chosen.
    pub sizes: bool,
    /// The selection's ends, and whether the box had the focus.
    pub focus: Option<(u32, u32)>,
}

impl Typed {
    /// Reads the box of the static page.
    pub fn take() -> Typed {
        let Some(there) = paste_box() else {
            return Typed::default();
        };
        let focused = document().active_element().is_some_and(|active| active.id() == "paste");
        let end = |end: Result<Option<u32>, _>| end.ok().flatten().unwrap_or_default();
        let focus = focused.then(|| (end(there.selection_start()), end(there.selection_end())));
        let long = long_text(&there);
        let input = |id: &str| document().get_element_by_id(id)?.dyn_into::<HtmlInputElement>().ok();
        Typed {
            text: if long.is_some() { String::new() } else { there.value() },
            long,
            files: input("choose").and_then(|input| input.files()),
            sizes: input("view-size").is_some_and(|input| input.checked()),
            focus,
        }
    }

    /// Gives text, focus and selection to the box that stands there now, in this order: each of them moves the next.
    pub fn give_back(&self) {
        let Some(there) = paste_box() else { return };
        there.set_value(&self.text);
        if let Some((start, end)) = self.focus {
            let _ = there.focus();
            let _ = there.set_selection_range(start, end);
        }
    }
}

/// What stands in the box, if it is too long for it: it stays on the browser's side.
fn long_text(there: &HtmlTextAreaElement) -> Option<JsString> {
    let value = Reflect::get(there, &"value".into()).ok()?;
    let text = value.dyn_into::<JsString>().ok()?;
    (text.length() as usize > WHOLE).then_some(text)
}

fn paste_box() -> Option<HtmlTextAreaElement> {
    document().get_element_by_id("paste")?.dyn_into().ok()
}

/// The panel.
pub fn paste_panel(state: State) -> El {
    let button = |label: &'static str, click: Box<dyn FnMut(Event)>| {
        el("button", "")
            .attr("type", "button")
            .says(state.label(label))
            .on("click", click)
    };
    let edit = Box::new(move |_| {
        state.small_box.set(false);
        focus_box();
    });
    let clear = Box::new(move |_| {
        state.small_box.set(false);
        state.files.clear();
        state.ask(String::new());
        focus_box();
    });
    let intro = el("div", "intro")
        .child(el("h1", "").says(state.label("ui-promise")))
        .child(el("p", "lead").says(state.label("ui-lead")))
        .class_if("vh", move || state.is_asked());
    let tools = el("div", "tools")
        .child(file_button(state, "choose", "files-choose"))
        .child(button("ui-edit", edit).hidden_if(move || !state.small_box.get() || state.text.with(String::is_empty)))
        .child(button("ui-clear", clear).hidden_if(move || !state.is_asked()))
        .child(el("p", "privacy small quiet").says(state.label("ui-private")));
    el("section", "paste")
        .class_if("answered", move || state.small_box.get())
        .child(intro)
        .child(
            el("label", "")
                .attr("for", "paste")
                .says(state.label("page-paste-label")),
        )
        .child(input(state))
        .child(attachments(state))
        .child(tools)
        .child(examples(state))
}

fn input(state: State) -> El {
    let take = move |event: Event| {
        let Some(there) = event.target().and_then(|it| it.dyn_into::<HtmlTextAreaElement>().ok()) else {
            return;
        };
        // A program may fill the box without a paste.
        if let Some(long) = long_text(&there) {
            // Emptied out of sight, which spares the browser a quarter of what it takes to forget so much text.
            there.set_hidden(true);
            there.set_value("");
            there.set_hidden(false);
            state.text.set(String::new());
            return take_long(state, Source::Text(long));
        }
        let now = there.value();
        let pasted = event
            .dyn_ref::<InputEvent>()
            .is_some_and(|event| event.input_type().starts_with("insertFrom"));
        if !pasted {
            return state.text.set(now);
        }
        // A paste beside what is there adds to the case; one that replaces it is another case.
        let adds = state
            .text
            .with_untracked(|before| !before.is_empty() && now.contains(before.as_str()));
        if adds {
            state.text.set(now);
        } else {
            state.ask(now);
        }
        state
            .small_box
            .set(state.evidence.with_untracked(|evidence| !evidence.hits.is_empty()));
    };
    let paste = move |event: Event| {
        let Some(data) = event.unchecked_ref::<ClipboardEvent>().clipboard_data() else {
            return;
        };
        if take_transfer(state, &data) {
            event.prevent_default();
            // A long text takes the place of what is selected, as a short one does.
            let there = paste_box().filter(|there| there.selection_start() != there.selection_end());
            if let Some(there) = there {
                let _ = there.set_range_text("");
                state.text.set(there.value());
            }
        }
    };
    let input = el("textarea", "")
        .attr("id", "paste")
        .attr("spellcheck", "false")
        .attr("autocomplete", "off")
        .attr("autocapitalize", "off")
        .live_attr("placeholder", state.label("page-paste-placeholder"))
        .when("input", take)
        .when("paste", paste);
    let shown: HtmlTextAreaElement = input.handle().unchecked_into();
    follow(move || {
        state.text.with(|text| {
            // Setting the same text would move the caret.
            if *text != shown.value() {
                shown.set_value(text);
            }
        });
    });
    input
}

/// The examples' buttons, each with the bar that its text gives.
fn examples(state: State) -> El {
    live("examples", move || {
        if state.is_asked() {
            return Vec::new();
        }
        state.texts.with(|texts| {
            let list = EXAMPLES
                .iter()
                .fold(el("ul", ""), |list, example| list.child(button(state, texts, example)));
            vec![el("h2", "small").text(&texts.text("ui-examples")), list]
        })
    })
}

fn button(state: State, texts: &Texts, example: &'static Example) -> El {
    let read = diagnose(&read(example.text), &Corrections::default());
    let show = move |_| {
        state.ask(example.text.to_owned());
        state.small_box.set(true);
        // The button goes away: the answer takes the focus.
        request_animation_frame(|| focus("answer"));
    };
    let button = el("button", "").attr("type", "button").on("click", Box::new(show));
    el("li", "").child(
        button
            .child(miniature(read.picture.as_ref()))
            .text(&texts.text(example.name)),
    )
}

fn focus_box() {
    request_animation_frame(|| focus("paste"));
}

/// Moves the focus.
pub fn focus(id: &str) {
    if let Some(there) = document()
        .get_element_by_id(id)
        .and_then(|there| there.dyn_into::<HtmlElement>().ok())
    {
        let _ = there.focus();
    }
}
