//! What the browser promises, by a callback: Rust's futures on top of its promises would be 12 KB of the program.

use js_sys::Promise;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// Calls `act` with what the promise brings, or with `None` when it fails.
pub fn settled(promise: &JsValue, act: impl FnOnce(Option<JsValue>) + 'static) {
    settled_boxed(promise.unchecked_ref(), Box::new(act));
}

#[inline(never)]
fn settled_boxed(promise: &Promise, act: Box<dyn FnOnce(Option<JsValue>)>) {
    let act = Rc::new(Cell::new(Some(act)));
    let same = act.clone();
    let came = Closure::<dyn FnMut(JsValue)>::new(move |value| call(&act, Some(value)));
    let failed = Closure::<dyn FnMut(JsValue)>::new(move |_| call(&same, None));
    let _ = promise.then(&came).catch(&failed);
    // Both stay, some bytes for each promise: there is one for a language or for a copied line.
    came.forget();
    failed.forget();
}

fn call(act: &Cell<Option<Box<dyn FnOnce(Option<JsValue>)>>>, value: Option<JsValue>) {
    if let Some(act) = act.take() {
        act(value);
    }
}
