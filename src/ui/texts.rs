//! The texts of a language: fetched from the page's own files when they are first asked for.

use super::promises::fetch_text;
use super::settings::{self, LANGUAGE};
use super::state::State;
use crate::i18n::{Language, Texts};
use leptos::prelude::{GetUntracked, Set, UpdateValue, WithUntracked, WithValue, document};

/// Fetches the texts of a language, then hands them over; the page names the file in a `<meta>`. `None` where they can't be
/// had.
pub fn fetch(language: Language, then: impl FnOnce(Option<Texts>) + 'static) {
    let parse = move |text: Option<String>| then(text.map(|text| Texts::parse(language, [text])));
    fetch_text(&["vramfit:texts:", language.code()].concat(), Box::new(parse));
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
        if loaded.iter().all(|known| known.format.language != language) {
            loaded.push(texts.clone());
        }
    });
    LANGUAGE.write(language.code());
    settings::put_into_address(language);
    show(&texts);
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
