//! The part of the program that comes when it is first needed: what only the opened calculator runs.
//!
//! `build/split.mjs` cuts it out of the release's module and `build/boot.js` knows how to bring it. In other builds it is there from
//! the start. None of it may run before `bring` has said that it is there.

use super::promises::settled;
use super::state::State;
use super::texts;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

/// The name of what `boot.js` leaves for this.
const BRING: &str = "vramfitRest";

/// Brings the rest and its texts, then tells whether they are there: they are not when the page's server can't be reached.
pub fn bring(state: State, then: impl FnOnce(bool) + 'static) {
    let waits = Rc::new((Cell::new(2u8), Cell::new(Some(then))));
    let one = waits.clone();
    program(Box::new(move |there| ready(&one, there)));
    texts::bring_rest(state, move |there| ready(&waits, there));
}

/// Of two things that are waited for, one is there, or can't be had.
fn ready(waits: &(Cell<u8>, Cell<Option<impl FnOnce(bool)>>), there: bool) {
    let left = waits.0.get() - 1;
    waits.0.set(left);
    if (left == 0 || !there)
        && let Some(then) = waits.1.take()
    {
        then(there);
    }
}

fn program(then: Box<dyn FnOnce(bool)>) {
    let bring = js_sys::Reflect::get(&js_sys::global(), &BRING.into()).ok();
    let Some(bring) = bring.and_then(|bring| bring.dyn_into::<js_sys::Function>().ok()) else {
        return then(true);
    };
    match bring.call0(&JsValue::NULL) {
        Ok(promise) => settled(promise.unchecked_ref(), move |there| then(there.is_some())),
        Err(_) => then(false),
    }
}
