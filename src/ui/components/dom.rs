//! Elements built directly, for what is shown of a text: built when the text changes, thrown away with it, and never patched.
//! A Leptos view would compile a type of its own for each of them; that was a third of the page's download.

use leptos::html::Div;
use leptos::prelude::*;
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

/// A place whose content is built anew whenever one of the signals read by `content` changes.
pub fn live(class: &'static str, content: impl Fn() -> Vec<El> + 'static) -> AnyView {
    live_boxed(class, Box::new(content))
}

fn live_boxed(class: &'static str, content: Box<dyn Fn() -> Vec<El>>) -> AnyView {
    let place = NodeRef::<Div>::new();
    Effect::new(move || {
        let Some(place) = place.get() else { return };
        place.set_text_content(None);
        for element in content() {
            let _ = place.append_child(&element.0);
        }
    });
    view! { <div class=class node_ref=place></div> }.into_any()
}
