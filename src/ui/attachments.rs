//! The list of files and long texts beside the box: how far each is read, what is wrong with it, and its button.

use super::State;
use super::components::{El, el, follow, live, prose};
use super::files::{Attachment, Progress, take_files, take_transfer};
use super::paste_panel::focus;
use crate::i18n::Texts;
use crate::message::{Arg, Message};
use leptos::prelude::*;
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::{DataTransfer, DragEvent, Event};

/// The list.
pub fn attachments(state: State) -> El {
    let list = live("files", move || {
        let held = document().active_element().map(|held| held.id()).unwrap_or_default();
        if held.starts_with("file-") {
            // The button that is built anew keeps the focus.
            request_animation_frame(move || focus(&held));
        }
        state.texts.with(|texts| {
            state.files.all.with(|all| {
                if all.is_empty() {
                    return Vec::new();
                }
                let rows: Vec<El> = all.iter().map(|one| row(state, texts, one)).collect();
                vec![el("ul", "").attr("aria-label", &texts.text("files-list")).all(&rows)]
            })
        })
    });
    el("div", "").child(list).child(spoken(state))
}

/// The file's name, or what a pasted text is called.
pub fn name_of(texts: &Texts, one: &Attachment) -> String {
    match one.name.as_str() {
        "" => texts.text("files-pasted"),
        name => name.to_owned(),
    }
}

fn row(state: State, texts: &Texts, one: &Attachment) -> El {
    let name = name_of(texts, one);
    let size = |id, read| Message::new(id).with("size", one.size).with("read", read);
    let mut row = el("li", "").child(el("strong", "").attr("translate", "no").text(&name));
    match &one.progress {
        Progress::Waiting(_) => row = row.child(el("span", "small quiet").text(&texts.text("files-waiting"))),
        Progress::Underway | Progress::Stopping => row = row.child(bar(state, texts, one)),
        Progress::Read { read, whole, note, .. } => {
            let said = match whole {
                true if *read > one.size => size("files-unpacked", *read),
                true => size("files-read", *read),
                false => size("files-part", *read),
            };
            row = row.child(prose(el("span", "small quiet"), texts, &said));
            row = row.maybe(note.as_ref().map(|note| prose(el("p", "small"), texts, note)));
        }
        Progress::Held(_) => {
            row = row.child(prose(
                el("span", "small quiet"),
                texts,
                &size("files-model-held", one.size),
            ));
        }
        Progress::Model(_) => {
            row = row.child(prose(el("span", "small quiet"), texts, &size("files-model", one.size)));
        }
        Progress::Refused(why) | Progress::NoModel(why) => row = row.child(prose(el("p", "small"), texts, why)),
    }
    let (files, number) = (state.files, one.number);
    let is_underway = one.is_underway();
    let word = texts.text(if is_underway { "files-stop" } else { "files-remove" });
    let button = el("button", "")
        .attr("type", "button")
        .attr("id", &["file-", &number.to_string()].concat())
        .attr("aria-label", &[word.as_str(), " ", &name].concat())
        .text(&word);
    row.child(button.when("click", move |_| {
        if is_underway {
            return files.set(number, Progress::Stopping);
        }
        files.remove(number);
        focus("paste");
    }))
}

/// How far the one underway is, for the eye.
fn bar(state: State, texts: &Texts, one: &Attachment) -> El {
    let label = Message::new("files-underway").with("name", name_of(texts, one));
    let bar = el("progress", "").attr("aria-label", &texts.message(&label));
    let (shown, files, size) = (bar.clone(), state.files, one.size);
    shown.set("max", &size.0.to_string());
    follow(move || {
        let read = files.read.get();
        // More than the file's size: it is unpacked, and its end is not known.
        let known = read as i64 <= size.0;
        shown.set("value", &if known { read.to_string() } else { String::new() });
    });
    bar
}

/// How far the one underway is, for those who hear the page: its name, then each quarter.
fn spoken(state: State) -> El {
    let said = el("p", "vh").attr("role", "status");
    let status = said.clone();
    let mut before = None;
    follow(move || {
        let read = state.files.read.get() as i64;
        state.files.all.with(|all| {
            let underway = all.iter().find(|one| one.is_underway());
            let quarter = |one: &Attachment| (read.saturating_mul(4) / one.size.0.max(1)).min(3);
            let now = underway.map(|one| (one.number, quarter(one)));
            if now == before {
                return;
            }
            before = now;
            status.write(&underway.map_or_else(String::new, |one| {
                let part = quarter(one);
                let id = if part > 0 {
                    "files-underway-part"
                } else {
                    "files-underway"
                };
                let texts = state.texts.get_untracked();
                let message = Message::new(id).with("name", name_of(&texts, one));
                texts.message(&message.with("part", Arg::PerMille(part * 250)))
            }));
        });
    });
    said
}

/// The button that chooses files: an input, so that a keyboard and a phone can use it.
pub fn button(state: State, id: &'static str, label: &'static str) -> El {
    let input = el("input", "").attr("type", "file").attr("multiple", "").attr("id", id);
    let chosen = input.clone();
    let input = input.when("change", move |_| {
        if let Some(files) = chosen.input().files() {
            take_files(state, &files);
        }
        // The same file may be chosen again.
        chosen.input().set_value("");
    });
    el("label", "choose")
        .child(el("span", "").says(state.label(label)))
        .child(input)
}

/// How long after its last sign a drag is over.
const OVER: Duration = Duration::from_millis(400);

/// Lets files be dropped anywhere in the page, and shows it while they are above it.
pub fn drop_target(state: State) -> El {
    let above = RwSignal::new(false);
    let Some(root) = document().document_element().map(El::from) else {
        return el("p", "");
    };
    let mut pending = None::<TimeoutHandle>;
    let drag = move |event: Event| {
        if !carries_files(&event) {
            return;
        }
        event.prevent_default();
        if let Some(earlier) = pending.take() {
            earlier.clear();
        }
        above.set(true);
        pending = set_timeout_with_handle(move || above.set(false), OVER).ok();
    };
    let drop = move |event: Event| {
        if let Some(data) = transfer(&event)
            && take_transfer(state, &data)
        {
            event.prevent_default();
            above.set(false);
        }
    };
    root.when("dragover", drag).when("drop", drop);
    el("p", "drop")
        .says(state.label("files-drop"))
        .hidden_if(move || !above.get())
}

/// What a drag carries.
fn transfer(event: &Event) -> Option<DataTransfer> {
    event.unchecked_ref::<DragEvent>().data_transfer()
}

fn carries_files(event: &Event) -> bool {
    transfer(event).is_some_and(|data| data.types().includes(&"Files".into(), 0))
}
