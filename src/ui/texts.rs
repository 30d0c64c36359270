//! The texts of a language: fetched from the page's own files when they are first asked for.

use super::promises::fetch_text;
use super::settings::{self, LANGUAGE};
use super::state::State;
use crate::i18n::{Language, Texts};
use leptos::prelude::{GetUntracked, GetValue, Set, SetValue, UpdateValue, WithUntracked, WithValue, document};

/// Fetches the texts of a language, then hands them over; the page names the file in a `<meta>`. `None` where they can't be
/// had.
pub fn fetch(language: Language, then: impl FnOnce(Option<Texts>) + 'static) {
    let parse = move |text: Option<String>| then(text.map(|text| Texts::parse(language, [text])));
    fetch_text(&["vramfit:texts:", language.code()].concat(), Box::new(parse));
}

/// Whether a language's texts hold those of the opened calculator too.
fn is_complete(texts: &Texts) -> bool {
    texts.has("calc-title")
}

/// Adds the texts of the opened calculator, which are a file of their own.
fn complete(texts: Texts, then: Box<dyn FnOnce(Option<Texts>)>) {
    if is_complete(&texts) {
        return then(Some(texts));
    }
    let name = ["vramfit:rest:", texts.format.language.code()].concat();
    fetch_text(&name, Box::new(move |text| then(text.map(|text| texts.and(text)))));
}

/// Brings the texts of the opened calculator, in this language and from now on in every other; then tells whether they are there.
pub fn bring_rest(state: State, then: impl FnOnce(bool) + 'static) {
    state.opened.set_value(true);
    let added = move |texts: Option<Texts>| {
        let there = texts.is_some();
        if let Some(texts) = texts {
            arrived(state, texts.format.language, Some(texts));
        }
        then(there);
    };
    complete(state.texts.get_untracked(), Box::new(added));
}

/// Switches to a language; nothing else changes. The last wish counts, however the files arrive.
pub fn switch(state: State, language: Language) {
    state.wanted.set(language);
    state.language_failed.set(false);
    let known = |loaded: &Vec<Texts>| loaded.iter().find(|texts| texts.format.language == language).cloned();
    match state.loaded.with_value(known) {
        Some(texts) => arrived(state, language, Some(texts)),
        None => fetch(language, move |texts| arrived(state, language, texts)),
    }
}

fn arrived(state: State, language: Language, texts: Option<Texts>) {
    match texts {
        Some(texts) if state.opened.get_value() && !is_complete(&texts) => {
            complete(texts, Box::new(move |texts| take(state, language, texts)));
        }
        texts => take(state, language, texts),
    }
}

fn take(state: State, language: Language, texts: Option<Texts>) {
    if state.wanted.get_untracked() != language {
        return;
    }
    let Some(texts) = texts else {
        state.language_failed.set(true);
        let shown = state.texts.with_untracked(|texts| texts.format.language);
        state.wanted.set(shown);
        return;
    };
    state.loaded.update_value(|loaded| {
        loaded.retain(|known| known.format.language != language);
        loaded.push(texts.clone());
    });
    if state.texts.with_untracked(|shown| shown.format.language) != language {
        LANGUAGE.write(language.code());
        settings::put_into_address(language);
        show(&texts);
    }
    let units = state.texts.with_untracked(|texts| texts.format.units);
    state.texts.set(texts.with_units(units));
}

/// Tells the page itself its language and title.
pub fn show(texts: &Texts) {
    let language = texts.format.language;
    settings::set_on_root("lang", language.code());
    settings::set_on_root("dir", language.direction().html());
    document().set_title(&texts.text("page-title"));
}
