//! Elements built directly; Leptos' signals say when (`follow`). A Leptos view compiles a type of its own for each of its elements:
//! written as views, the paste panel and the answer alone made the page 52 KB larger as brotli, a quarter of all.

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Event};

/// An element, built up by chaining. Text is always put in as text. A clone is another handle of the same element.
#[derive(Clone)]
pub struct El(Element);

/// An HTML element of a tag, with a class unless that is empty.
#[inline(never)]
pub fn el(tag: &str, class: &str) -> El {
    El(document().create_element(tag).expect("a tag of HTML")).class(class)
}

/// An SVG element of a tag, with a class unless that is empty.
#[inline(never)]
pub fn svg(tag: &str, class: &str) -> El {
    let element = document().create_element_ns(Some("http://www.w3.org/2000/svg"), tag);
    El(element.expect("a tag of SVG")).class(class)
}

impl From<Element> for El {
    fn from(element: Element) -> El {
        El(element)
    }
}

impl El {
    fn class(self, class: &str) -> El {
        if class.is_empty() {
            self
        } else {
            self.attr("class", class)
        }
    }

    /// Sets an attribute.
    #[inline(never)]
    pub fn attr(self, name: &str, value: &str) -> El {
        let _ = self.0.set_attribute(name, value);
        self
    }

    /// Sets an attribute to a whole number, as SVG takes them.
    #[inline(never)]
    pub fn number(self, name: &str, value: i64) -> El {
        self.attr(name, &value.to_string())
    }

    /// Appends a text.
    #[inline(never)]
    pub fn text(self, text: &str) -> El {
        let _ = self.0.append_with_str_1(text);
        self
    }

    /// Appends an element.
    #[inline(never)]
    pub fn child(self, child: El) -> El {
        let _ = self.0.append_child(&child.0);
        self
    }

    /// Appends the element, if there is one.
    #[inline(never)]
    pub fn maybe(self, child: Option<El>) -> El {
        match child {
            Some(child) => self.child(child),
            None => self,
        }
    }

    /// Calls `handler` on an event. It lives as long as the browser needs it.
    #[inline(never)]
    pub fn on(self, event: &str, handler: Box<dyn FnMut(Event)>) -> El {
        let handler = Closure::wrap(handler).into_js_value();
        let _ = self.0.add_event_listener_with_callback(event, handler.unchecked_ref());
        self
    }

    /// Another handle of the same element.
    pub fn handle(&self) -> Element {
        self.0.clone()
    }
}
