//! The part of the program that comes when it is first needed: what only the opened calculator runs.
//!
//! `build/split.mjs` cuts it out of the release's module and `build/boot.js` knows how to bring it. In other builds it is there from
//! the start. None of it may run before `bring` has said that it is there.

use super::promises::settled;
use wasm_bindgen::{JsCast, JsValue};

/// The name of what `boot.js` leaves for this.
const BRING: &str = "vramfitRest";

/// Brings the rest, then tells whether it is there: it is not when the page's server can't be reached.
pub fn bring(then: impl FnOnce(bool) + 'static) {
    let bring = js_sys::Reflect::get(&js_sys::global(), &BRING.into()).ok();
    let Some(bring) = bring.and_then(|bring| bring.dyn_into::<js_sys::Function>().ok()) else {
        return then(true);
    };
    match bring.call0(&JsValue::NULL) {
        Ok(promise) => settled(promise.unchecked_ref(), move |there| then(there.is_some())),
        Err(_) => then(false),
    }
}
