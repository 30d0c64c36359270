//! One of very many, found by typing words of its name: a combobox with a list, as the ARIA practices describe it.

use crate::message::Message;
use crate::ui::State;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent, MouseEvent};

/// One that can be picked.
#[derive(Clone, PartialEq)]
pub struct Pick {
    /// What `choose` gets.
    pub value: String,
    /// Its name.
    pub name: String,
    /// What tells it apart from others.
    pub note: String,
}

/// A picker.
pub struct Picker {
    /// The element's id.
    pub id: &'static str,
    /// The message of the label.
    pub label: &'static str,
    /// The message shown while it is empty.
    pub placeholder: &'static str,
    /// The message for what is not found; it gets `seen`.
    pub unknown: &'static str,
    /// The name of what is picked; nothing for none.
    pub picked: Box<dyn Fn() -> String + Send + Sync>,
    /// What the words find; everything for no words.
    pub find: Box<dyn Fn(&str) -> Vec<Pick> + Send + Sync>,
    /// Picks one by its value; nothing takes the choice back.
    pub choose: Box<dyn Fn(&str) + Send + Sync>,
}

/// What the list shows.
#[derive(Clone, Default, PartialEq)]
struct List {
    open: bool,
    picks: Vec<Pick>,
    /// The one that Enter would take.
    active: Option<usize>,
}

/// The picker with its label, its list and the note on what is not found.
pub fn picker(state: State, picker: Picker) -> AnyView {
    let Picker { id, label, placeholder, unknown, .. } = picker;
    let picker = StoredValue::new(picker);
    let text = RwSignal::new(String::new());
    let list = RwSignal::new(List::default());
    let wrong = RwSignal::new(false);
    let picked = move || picker.with_value(|picker| (picker.picked)());
    // What is picked, here or elsewhere, stands in the box.
    Effect::new(move || {
        text.set(picked());
        wrong.set(false);
    });
    let open = move |words: &str| {
        let picks = picker.with_value(|picker| (picker.find)(words));
        let active = (!words.is_empty() && !picks.is_empty()).then_some(0);
        list.set(List { open: true, picks, active });
    };
    let close = move || list.update(|list| list.open = false);
    let take = move |value: &str| {
        close();
        picker.with_value(|picker| (picker.choose)(value));
        text.set(untrack(picked));
        wrong.set(false);
    };
    let take_active = move || {
        let active = list.with_untracked(|list| list.picks.get(list.active?).map(|pick| pick.value.clone()));
        if let Some(value) = active {
            take(&value);
        }
    };
    let leave = move |_| {
        close();
        let typed = text.get_untracked();
        let typed = typed.trim();
        if typed == untrack(picked) {
            return wrong.set(false);
        }
        if typed.is_empty() {
            return take("");
        }
        let found = picker.with_value(|picker| (picker.find)(typed));
        let exact = found.iter().find(|pick| pick.name.eq_ignore_ascii_case(typed));
        match exact.or(found.first().filter(|_| found.len() == 1)) {
            Some(pick) => take(&pick.value),
            None => wrong.set(true),
        }
    };
    let go = move |to: fn(Option<usize>, usize) -> usize| {
        if !list.with_untracked(|list| list.open) {
            let words = text.with_untracked(|text| if *text == untrack(picked) { String::new() } else { text.clone() });
            open(&words);
        }
        list.update(|list| {
            let last = list.picks.len().saturating_sub(1);
            list.active = (!list.picks.is_empty()).then(|| to(list.active, last).min(last));
        });
        reveal(id, list.with_untracked(|list| list.active));
    };
    let press = move |event: KeyboardEvent| {
        let is_open = list.with_untracked(|list| list.open);
        match event.key().as_str() {
            "ArrowDown" => go(|active, last| active.map_or(0, |at| if at >= last { 0 } else { at + 1 })),
            "ArrowUp" => go(|active, last| match active {
                None | Some(0) => last,
                Some(at) => at - 1,
            }),
            "PageDown" if is_open => go(|active, _| active.map_or(0, |at| at + 8)),
            "PageUp" if is_open => go(|active, _| active.map_or(0, |at| at.saturating_sub(8))),
            "Enter" if is_open => take_active(),
            "Escape" if is_open => close(),
            "Escape" => {
                text.set(untrack(picked));
                wrong.set(false);
            }
            _ => return,
        }
        event.prevent_default();
    };
    let typed = move |event| {
        let now = event_target_value(&event);
        open(now.trim());
        text.set(now);
        wrong.set(false);
    };
    let click = move |event: MouseEvent| {
        if list.with_untracked(|list| list.open) {
            return close();
        }
        open("");
        // Typing then takes the place of the old name.
        if let Some(input) = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok()) {
            input.select();
        }
    };
    let shown = move || {
        list.with(|list| {
            let options = if list.open { list.picks.as_slice() } else { &[] };
            let row = |(at, pick): (usize, &Pick)| {
                let value = pick.value.clone();
                view! {
                    <li
                        id=option_id(id, at)
                        role="option"
                        aria-selected=if list.active == Some(at) { "true" } else { "false" }
                        on:click=move |_| take(&value)
                    >
                        <span>{pick.name.clone()}</span>
                        <span class="small quiet">{pick.note.clone()}</span>
                    </li>
                }
                .into_any()
            };
            options.iter().enumerate().map(row).collect::<Vec<_>>()
        })
    };
    let note = move || {
        let empty = list.with(|list| list.open && list.picks.is_empty());
        if wrong.get() || empty {
            state.sentence(&Message::new(unknown).with("seen", text.get()))
        } else {
            String::new()
        }
    };
    let none = move || list.with(|list| !list.open || list.picks.is_empty());
    let (list_id, note_id) = ([id, "-list"].concat(), [id, "-note"].concat());
    let active = move || list.with(|list| list.active.filter(|_| list.open).map(|at| option_id(id, at)));
    let truth = |value: bool| if value { "true" } else { "false" };
    view! {
        <div class="picker">
            <label for=id>{state.label(label)}</label>
            <input
                id=id
                type="text"
                role="combobox"
                autocomplete="off"
                spellcheck="false"
                aria-autocomplete="list"
                aria-controls=list_id.clone()
                aria-expanded=move || truth(!none())
                aria-activedescendant=active
                aria-describedby=note_id.clone()
                aria-invalid=move || truth(wrong.get())
                placeholder=state.label(placeholder)
                prop:value=text
                on:input=typed
                on:keydown=press
                on:click=click
                on:blur=leave
            />
            <ul
                id=list_id
                role="listbox"
                aria-label=state.label(label)
                hidden=none
                on:mousedown=|event: MouseEvent| event.prevent_default()
            >
                {shown}
            </ul>
            <p class="note" id=note_id role="status">
                {note}
            </p>
        </div>
    }
    .into_any()
}

fn option_id(id: &str, at: usize) -> String {
    [id, "-", &at.to_string()].concat()
}

/// Scrolls the list so that the active option is in sight; the page stays where it is.
fn reveal(id: &'static str, active: Option<usize>) {
    let Some(at) = active else { return };
    request_animation_frame(move || {
        let element = |id: &str| document().get_element_by_id(id)?.dyn_into::<HtmlElement>().ok();
        let (Some(list), Some(option)) = (element(&[id, "-list"].concat()), element(&option_id(id, at))) else { return };
        let (top, height) = (option.offset_top(), option.offset_height());
        if top < list.scroll_top() {
            list.set_scroll_top(top);
        } else if top + height > list.scroll_top() + list.client_height() {
            list.set_scroll_top(top + height - list.client_height());
        }
    });
}
