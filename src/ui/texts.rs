//! The texts of a language: fetched from the page's own files when they are first asked for.

use super::settings::{self, LANGUAGE};
use super::state::State;
use crate::i18n::{Language, Texts};
use js_sys::futures::spawn_local;
use leptos::prelude::{GetUntracked, Set, UpdateValue, WithUntracked, WithValue, document, window};
use wasm_bindgen::JsCast;
use web_sys::Response;

/// Fetches the texts of a language; the page names the file in a `<meta>`. `None` where they can't be had.
pub async fn fetch(language: Language) -> Option<Texts> {
    let selector = ["meta[name='vramfit:texts:", language.code(), "']"].concat();
    let address = document().query_selector(&selector).ok()??.get_attribute("content")?;
    let response = window()
        .fetch_with_str(&address)
        .await
        .ok()?
        .dyn_into::<Response>()
        .ok()?;
    if !response.ok() {
        return None;
    }
    let text = response.text().ok()?.await.ok()?.as_string()?;
    Some(Texts::parse(language, [text]))
}

/// Switches to a language; nothing else changes. The last wish counts, however the files arrive.
pub fn switch(state: State, language: Language) {
    state.wanted.set(language);
    state.language_failed.set(false);
    spawn_local(async move {
        let known = state
            .loaded
            .with_value(|loaded| loaded.iter().find(|texts| texts.format.language == language).cloned());
        let texts = match known {
            Some(texts) => Some(texts),
            None => fetch(language).await,
        };
        if state.wanted.get_untracked() != language {
            return;
        }
        let Some(texts) = texts else {
            state.language_failed.set(true);
            state
                .wanted
                .set(state.texts.with_untracked(|texts| texts.format.language));
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
    });
}

/// Tells the page itself its language and title.
pub fn show(texts: &Texts) {
    let language = texts.format.language;
    settings::set_on_root("lang", language.code());
    settings::set_on_root("dir", language.direction().html());
    document().set_title(&texts.text("page-title"));
}
