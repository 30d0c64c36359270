//! One of very many, found by typing words of its name: a combobox with a list, as the ARIA practices describe it.

use super::dom::{El, el};
use super::field::{Field, Holder};
use crate::i18n::Texts;
use crate::message::Message;
use crate::ui::State;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};

/// One that can be picked.
pub struct Pick {
    /// What `choose` gets.
    pub value: String,
    /// Its name.
    pub name: String,
    /// What tells it apart from others.
    pub note: String,
}

/// Finds by words; everything for no words.
type Find = Box<dyn Fn(&str) -> Vec<Pick>>;

/// Whether every word stands in the text, whatever the case of either.
pub fn has_words(text: &str, words: &str) -> bool {
    let (text, words) = (text.to_lowercase(), words.to_lowercase());
    words.split_whitespace().all(|word| text.contains(word))
}

/// One of very many of a `T`.
#[derive(Clone, Copy)]
pub struct Picker<T: 'static> {
    /// The element's id, and the message of its label.
    pub id: &'static str,
    /// The message shown while it is empty.
    pub placeholder: &'static str,
    /// The message for what is not found; it gets `seen`.
    pub unknown: &'static str,
    /// The name of what is picked; nothing for none.
    pub picked: fn(&Texts, &T) -> String,
    /// What the words find; everything for no words.
    pub find: fn(&Texts, &T, &str) -> Vec<Pick>,
    /// Picks one by its value; nothing takes the choice back.
    pub choose: fn(&mut T, &str),
}

/// The picker with its label, its list and the note on what is not found.
pub fn picker<T>(state: State, picker: &'static Picker<T>, of: impl Holder<T>) -> Field<T> {
    let id = picker.id;
    let (list_id, note_id) = ([id, "-list"].concat(), [id, "-note"].concat());
    let input = el("input", "")
        .attr("id", id)
        .attr("role", "combobox")
        .attr("autocomplete", "off");
    let input = input
        .attr("spellcheck", "false")
        .attr("aria-autocomplete", "list")
        .attr("aria-controls", &list_id);
    let input = input
        .attr("aria-describedby", &note_id)
        .live_attr("placeholder", state.label(picker.placeholder));
    let options = el("ul", "")
        .attr("id", &list_id)
        .attr("role", "listbox")
        .live_attr("aria-label", state.label(id));
    let found = move |words: &str| {
        let mut found = Vec::new();
        untrack(|| of.look(&mut |of| found = (picker.find)(&state.shown_texts(), of, words)));
        found
    };
    let field = Rc::new(Combobox {
        id,
        input: input.clone(),
        options: options.clone(),
        picks: RefCell::default(),
        active: Cell::new(None),
        missed: RwSignal::new(false),
        picked: RefCell::default(),
        find: Box::new(found),
        choose: Box::new(move |value| of.change(false, &|of| (picker.choose)(of, value))),
    });
    field.close();
    // What is picked, here or elsewhere, stands in the box.
    let it = field.clone();
    let update = move |texts: &Texts, of: &T| {
        let now = (picker.picked)(texts, of);
        if now != *it.picked.borrow() {
            it.input.input().set_value(&now);
            it.missed.set(false);
            *it.picked.borrow_mut() = now;
        }
    };
    let note = el("p", "note").attr("id", &note_id).attr("role", "status");
    let it = field.clone();
    let note = note.says(move || {
        let missed = it.missed.get();
        it.input.set_flag("aria-invalid", missed);
        let seen = it.input.input().value();
        if missed {
            state.sentence(&Message::new(picker.unknown).with("seen", seen))
        } else {
            String::new()
        }
    });
    let (it, leaves, types, clicks, takes) = (field.clone(), field.clone(), field.clone(), field.clone(), field);
    let press = move |event: Event| {
        let key: &KeyboardEvent = event.unchecked_ref();
        if it.press(&key.key()) {
            event.prevent_default();
        }
    };
    let input = input.when("keydown", press).when("input", move |_| types.open(false));
    let input = input
        .when("click", move |_| clicks.click())
        .when("blur", move |_| leaves.leave());
    // The list must not take the focus from the box, or the box would close it before the click arrives.
    let options = options.when("mousedown", |event| event.prevent_default());
    let options = options.when("click", move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let option = target.and_then(|target| target.closest("[role=option]").ok().flatten());
        let at = option.and_then(|option| option.id().rsplit('-').next()?.parse().ok());
        takes.active.set(at);
        takes.take_active();
    });
    let label = el("label", "").attr("for", id).says(state.label(id));
    Field {
        element: el("div", "picker").all(&[label, input, options, note]),
        update: Box::new(update),
    }
}

/// The box with its list.
struct Combobox {
    id: &'static str,
    input: El,
    options: El,
    /// What the list shows.
    picks: RefCell<Vec<Pick>>,
    /// The one that Enter would take.
    active: Cell<Option<usize>>,
    /// Whether what was typed finds nothing, or was left without a choice.
    missed: RwSignal<bool>,
    /// The name of what is picked, as it was last shown.
    picked: RefCell<String>,
    find: Find,
    choose: Box<dyn Fn(&str)>,
}

impl Combobox {
    fn typed(&self) -> String {
        self.input.input().value().trim().to_owned()
    }

    fn picked(&self) -> String {
        self.picked.borrow().clone()
    }

    fn is_open(&self) -> bool {
        self.active.get().is_some() || !self.picks.borrow().is_empty()
    }

    /// Shows what the words find, or everything.
    fn open(&self, all: bool) {
        let words = if all { String::new() } else { self.typed() };
        let picks = (self.find)(&words);
        let row = |(at, pick): (usize, &Pick)| {
            let (name, note) = (
                el("span", "").text(&pick.name),
                el("span", "small quiet").text(&pick.note),
            );
            el("li", "")
                .attr("id", &self.option_id(at))
                .attr("role", "option")
                .child(name)
                .child(note)
        };
        self.options
            .fill(&picks.iter().enumerate().map(row).collect::<Vec<_>>());
        self.missed.set(picks.is_empty());
        self.options.hide(picks.is_empty());
        self.input.set_flag("aria-expanded", !picks.is_empty());
        let first = (!words.is_empty() && !picks.is_empty()).then_some(0);
        *self.picks.borrow_mut() = picks;
        self.mark(first);
    }

    fn close(&self) {
        self.picks.borrow_mut().clear();
        self.options.hide(true);
        self.input.set_flag("aria-expanded", false);
        self.mark(None);
    }

    fn option_id(&self, at: usize) -> String {
        [self.id, "-", &at.to_string()].concat()
    }

    /// Makes an option the active one, and scrolls the list to it; the page stays where it is.
    fn mark(&self, active: Option<usize>) {
        let option = |at: usize| document().get_element_by_id(&self.option_id(at));
        if let Some(before) = self.active.get().and_then(option) {
            let _ = before.remove_attribute("aria-selected");
        }
        self.active.set(active);
        self.input.set(
            "aria-activedescendant",
            &active.map(|at| self.option_id(at)).unwrap_or_default(),
        );
        let Some(option) = active.and_then(option) else { return };
        let _ = option.set_attribute("aria-selected", "true");
        let (option, list): (&HtmlElement, Element) = (option.unchecked_ref(), self.options.handle());
        let (top, height) = (option.offset_top(), option.offset_height());
        if top < list.scroll_top() {
            list.set_scroll_top(top);
        } else if top + height > list.scroll_top() + list.client_height() {
            list.set_scroll_top(top + height - list.client_height());
        }
    }

    fn take(&self, value: &str) {
        self.close();
        // What is picked is written once the choice is known; if it is the same as before, it stands here.
        self.input.input().set_value(&self.picked());
        self.missed.set(false);
        (self.choose)(value);
    }

    fn take_active(&self) {
        let value = self
            .active
            .get()
            .and_then(|at| Some(self.picks.borrow().get(at)?.value.clone()));
        if let Some(value) = value {
            self.take(&value);
        }
    }

    /// Goes to another option, and opens the list where it is closed.
    fn go(&self, to: impl Fn(Option<usize>, usize) -> usize) {
        if !self.is_open() {
            self.open(self.typed() == self.picked());
        }
        let count = self.picks.borrow().len();
        if count > 0 {
            self.mark(Some(to(self.active.get(), count - 1).min(count - 1)));
        }
    }

    /// Whether the key did something.
    fn press(&self, key: &str) -> bool {
        match (key, self.is_open()) {
            ("ArrowDown", _) => self.go(|active, last| active.filter(|at| *at < last).map_or(0, |at| at + 1)),
            ("ArrowUp", _) => self.go(|active, last| active.filter(|at| *at > 0).map_or(last, |at| at - 1)),
            ("PageDown", true) => self.go(|active, _| active.map_or(0, |at| at + 8)),
            ("PageUp", true) => self.go(|active, _| active.map_or(0, |at| at.saturating_sub(8))),
            ("Enter", true) => self.take_active(),
            ("Escape", true) => self.close(),
            ("Escape", false) => {
                self.input.input().set_value(&self.picked());
                self.missed.set(false);
            }
            _ => return false,
        }
        true
    }

    fn click(&self) {
        if self.is_open() {
            return self.close();
        }
        self.open(true);
        // Typing then takes the place of the old name.
        self.input.input().select();
    }

    /// Takes what was typed if it can be only one; else it stays and is said to be unknown.
    fn leave(&self) {
        self.close();
        let typed = self.typed();
        if typed == self.picked() {
            return self.missed.set(false);
        }
        if typed.is_empty() {
            return self.take("");
        }
        let found = (self.find)(&typed);
        let exact = found
            .iter()
            .find(|pick| bare(&pick.name).eq_ignore_ascii_case(&bare(&typed)));
        match exact.or(found.first().filter(|_| found.len() == 1)) {
            Some(pick) => self.take(&pick.value),
            None => self.missed.set(true),
        }
    }
}

/// The text without its spaces: `8 B` is `8B`.
fn bare(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}
