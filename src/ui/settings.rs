//! What the reader chose and the browser keeps. Storage may be refused; then a choice lasts as long as the page is open.

use crate::i18n::{self, Language};
use leptos::prelude::{document, window};
use wasm_bindgen::JsValue;

/// A setting that the browser keeps, by its key.
#[derive(Clone, Copy)]
pub struct Setting(&'static str);

/// The language, by its code.
pub const LANGUAGE: Setting = Setting("vramfit-language");
/// The colours: `light` or `dark`; nothing for the system's.
pub const THEME: Setting = Setting("vramfit-theme");
/// The units: `decimal`; nothing for binary ones.
pub const UNITS: Setting = Setting("vramfit-units");

impl Setting {
    /// The value kept.
    pub fn read(self) -> Option<String> {
        window().local_storage().ok()??.get_item(self.0).ok()?
    }

    /// Keeps a value; an empty one is forgotten.
    pub fn write(self, value: &str) {
        let Ok(Some(storage)) = window().local_storage() else {
            return;
        };
        // Full or refused: the choice still holds for this page.
        let _ = match value {
            "" => storage.remove_item(self.0),
            value => storage.set_item(self.0, value),
        };
    }
}

/// The language that the reader gets: by the address, the page's folder, the saved choice, the browser.
pub fn language() -> Language {
    let search = window().location().search().unwrap_or_default();
    let folder = document().query_selector("meta[name='vramfit:folder']").ok().flatten();
    let folder = folder.and_then(|folder| folder.get_attribute("content"));
    let browser: Vec<String> = window()
        .navigator()
        .languages()
        .iter()
        .filter_map(|tag| tag.as_string())
        .collect();
    i18n::choose(
        i18n::asked_in(&search),
        folder.as_deref(),
        LANGUAGE.read().as_deref(),
        &browser,
    )
}

/// Puts a chosen language into the address, where it stands above the page's folder: reloading keeps it.
pub fn put_into_address(language: Language) {
    let location = window().location();
    let mut search = String::new();
    for pair in location.search().unwrap_or_default().trim_start_matches('?').split('&') {
        if !pair.is_empty() && !pair.starts_with("lang=") {
            search.push_str(pair);
            search.push('&');
        }
    }
    let address = [
        "?",
        &search,
        "lang=",
        language.code(),
        &location.hash().unwrap_or_default(),
    ]
    .concat();
    if let Ok(history) = window().history() {
        let state = history.state().unwrap_or(JsValue::NULL);
        // Refused where the page stands in no address of its own (a sandboxed frame): nothing is lost.
        let _ = history.replace_state_with_url(&state, "", Some(&address));
    }
}

/// Sets an attribute of the page's root element; an empty value removes it.
pub fn set_on_root(name: &str, value: &str) {
    if let Some(root) = document().document_element() {
        let _ = match value {
            "" => root.remove_attribute(name),
            value => root.set_attribute(name, value),
        };
    }
}
