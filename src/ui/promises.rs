//! The browser's promises by callbacks: Rust's futures would make the page 12 KB larger.

use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::{document, window};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Response;

/// Calls `then` with what the promise gives, or with nothing if it fails.
pub fn settled(promise: &Promise, then: impl FnOnce(Option<JsValue>) + 'static) {
    settled_boxed(promise, Box::new(then));
}

#[inline(never)]
fn settled_boxed(promise: &Promise, then: Box<dyn FnOnce(Option<JsValue>)>) {
    let then = Rc::new(Cell::new(Some(then)));
    let [done, failed] = [true, false].map(|done| {
        let then = then.clone();
        Closure::once_into_js(move |value: JsValue| {
            if let Some(then) = then.take() {
                then(done.then_some(value));
            }
        })
    });
    call(promise, "then", &Array::of2(&done, &failed));
}

/// What an object has under a name; `undefined` where it has nothing.
#[inline(never)]
pub fn property(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or_default()
}

/// Calls a method by its name; nothing where there is none, or where it fails.
#[inline(never)]
pub fn call(object: &JsValue, method: &str, arguments: &Array) -> Option<JsValue> {
    let method: Function = property(object, method).dyn_into().ok()?;
    method.apply(object, arguments).ok()
}

/// Makes an object of a kind that not every browser has.
#[inline(never)]
pub fn made(kind: &str, arguments: &Array) -> Option<JsValue> {
    let kind: Function = property(&window(), kind).dyn_into().ok()?;
    Reflect::construct(&kind, arguments).ok()
}

/// Fetches a text of the page's own whose address stands in the `<meta>` of this name; nothing where it can't be had.
pub fn fetch_text(meta: &str, then: Box<dyn FnOnce(Option<String>)>) {
    let selector = ["meta[name='", meta, "']"].concat();
    let meta = document().query_selector(&selector).ok().flatten();
    let Some(address) = meta.and_then(|meta| meta.get_attribute("content")) else {
        return then(None);
    };
    settled(window().fetch_with_str(&address).unchecked_ref(), move |response| {
        let response = response.and_then(|response| response.dyn_into::<Response>().ok());
        match response.filter(Response::ok).and_then(|response| response.text().ok()) {
            Some(text) => settled(text.unchecked_ref(), |text| {
                then(text.and_then(|text| text.as_string()))
            }),
            None => then(None),
        }
    });
}
