//! The scenarios in the address: written while they change, read when it changes. The pasted text never comes near it.

use super::sizer::{How, Sizer};
use crate::scenario::{Link, decode, encode};
use crate::ui::components::{El, el, follow, prose, write};
use leptos::prelude::*;
use std::time::Duration;
use wasm_bindgen::JsValue;

/// How long typing must rest before the address follows.
const REST: Duration = Duration::from_millis(400);

/// What the address said last, and the change that waits to be written.
#[derive(Default)]
pub struct Address {
    fragment: String,
    waiting: Option<TimeoutHandle>,
}

/// Reads the address now and whenever the reader goes back, forward, or changes it.
pub fn listen(sizer: Sizer) {
    let listened = move || {
        if sizer.is_there() {
            read(sizer);
        } else {
            // The program that reads links is on its way, or comes now.
            sizer.shown.set(is_scenario(&hash()));
        }
    };
    listened();
    for event in ["popstate", "hashchange"] {
        // The page lives as long as its window.
        std::mem::forget(window_event_listener_untyped(event, move |_| listened()));
    }
}

fn hash() -> String {
    window().location().hash().unwrap_or_default()
}

/// Whether it has a value: a fragment without one is a place in the page.
fn is_scenario(fragment: &str) -> bool {
    fragment.contains('=')
}

/// Once the calculator can be built: takes what the address says, or says there that the calculator is open.
pub fn begin(sizer: Sizer) {
    if is_scenario(&hash()) {
        read(sizer)
    } else {
        put(sizer, true)
    }
}

// A beginning of the program's rest (build/split.mjs).
#[inline(never)]
fn read(sizer: Sizer) {
    let hash = hash();
    let fragment = hash.trim_start_matches('#');
    if sizer.address.with_value(|address| address.fragment == fragment) {
        return;
    }
    cancel(sizer);
    sizer
        .address
        .update_value(|address| address.fragment = fragment.to_owned());
    if !is_scenario(fragment) {
        return sizer.shown.set(false);
    }
    let (mut link, notes) = decode(fragment);
    // No link carries a file, but the way back to it leads to the same model.
    link.scenario = sizer.scenarios[0].with_untracked(|now| link.scenario.with_own(now));
    let comparing = link.compare.is_some();
    sizer.scenarios[1].set(link.compare.unwrap_or_else(|| link.scenario.clone()));
    sizer.scenarios[0].set(link.scenario);
    if !comparing {
        sizer.side.set(0);
    }
    sizer.comparing.set(comparing);
    sizer.notes.set(notes);
    sizer.shown.set(true);
}

fn cancel(sizer: Sizer) -> bool {
    let waiting = sizer
        .address
        .try_update_value(|address| address.waiting.take())
        .flatten();
    if let Some(waiting) = waiting {
        waiting.clear();
        return true;
    }
    false
}

/// Before a choice, what was typed gets its place in the history.
// A beginning of the program's rest.
#[inline(never)]
pub fn before_change(sizer: Sizer, how: How) {
    if how == How::Picked && cancel(sizer) {
        put(sizer, false);
    }
}

/// After a change the address follows: at once with a step of its own, or once typing rests.
// A beginning of the program's rest.
#[inline(never)]
pub fn after_change(sizer: Sizer, how: How) {
    sizer.notes.set(Vec::new());
    if how == How::Picked {
        return put(sizer, true);
    }
    cancel(sizer);
    let write = move || {
        sizer.address.update_value(|address| address.waiting = None);
        put(sizer, false);
    };
    let waiting = set_timeout_with_handle(write, REST).ok();
    sizer.address.update_value(|address| address.waiting = waiting);
}

/// The fragment of now; nothing while the calculator is out of sight.
fn fragment(sizer: Sizer) -> String {
    if !sizer.shown.get_untracked() {
        return String::new();
    }
    let second = sizer
        .comparing
        .get_untracked()
        .then(|| sizer.scenarios[1].get_untracked());
    encode(&Link {
        scenario: sizer.scenarios[0].get_untracked(),
        compare: second,
    })
}

/// The address of the page with a fragment.
fn address(fragment: &str, search: &str) -> String {
    let path = window().location().pathname().unwrap_or_default();
    match fragment {
        "" => [path.as_str(), search].concat(),
        fragment => [&path, search, "#", fragment].concat(),
    }
}

fn put(sizer: Sizer, step: bool) {
    let now = fragment(sizer);
    if sizer.address.with_value(|address| address.fragment == now) {
        return;
    }
    let address = address(&now, &window().location().search().unwrap_or_default());
    sizer.address.update_value(|address| address.fragment = now);
    let Ok(history) = window().history() else { return };
    // Refused where the page stands in no address of its own, or where it is asked too often: nothing is lost.
    let _ = if step {
        history.push_state_with_url(&JsValue::NULL, "", Some(&address))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&address))
    };
}

/// What of the link could not be used.
pub fn notes(sizer: Sizer) -> El {
    let list = el("ul", "notes notice").attr("role", "status");
    let shown = list.clone();
    follow(move || {
        sizer.notes.with(|notes| {
            let texts = sizer.texts();
            let one = |note| prose(el("li", ""), &texts, note);
            shown.fill(&notes.iter().map(one).collect::<Vec<_>>());
            shown.hide(notes.is_empty());
        });
    });
    list
}

/// The button that copies the link; where the clipboard is refused, the link stands there to be copied by hand.
pub fn copy_link(sizer: Sizer) -> El {
    let said = RwSignal::new("calc-copy-link");
    let words = move || sizer.texts().text(said.get());
    let button = el("button", "")
        .attr("type", "button")
        .attr("aria-live", "polite")
        .says(words);
    let by_hand = el("input", "link")
        .attr("readonly", "")
        .live_attr("aria-label", sizer.state.label("calc-link"));
    by_hand.hide(true);
    let shown = by_hand.clone();
    let button = button.when("click", move |_| {
        let origin = window().location().origin().unwrap_or_default();
        // The language is the receiver's own.
        let link = origin + &address(&fragment(sizer), "");
        let shown = shown.clone();
        let copied = link.clone();
        write(&copied, move |written| {
            if written {
                said.set("calc-link-copied");
                set_timeout(move || said.set("calc-copy-link"), Duration::from_secs(2));
            } else {
                shown.input().set_value(&link);
                shown.hide(false);
                shown.input().select();
            }
        });
    });
    el("div", "").child(button).child(by_hand)
}
