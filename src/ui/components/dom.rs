//! Elements built directly; Leptos' signals say when. What is shown of a text is built when the text changes and thrown away with
//! it, so nothing is gained by views that can be patched, and a view compiles types of its own for each of its elements:
//! written as views, this page was 52 KB larger as brotli, a quarter of all.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Event};

/// An element, built up by chaining. Text is always put in as text.
pub struct El(Element);

/// An HTML element of a tag, with a class unless that is empty.
pub fn el(tag: &str, class: &str) -> El {
    El(document().create_element(tag).expect("a tag of HTML")).class(class)
}

/// An SVG element of a tag, with a class unless that is empty.
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
    pub fn attr(self, name: &str, value: &str) -> El {
        let _ = self.0.set_attribute(name, value);
        self
    }

    /// Sets an attribute to whole number, as SVG takes them.
    pub fn number(self, name: &str, value: i64) -> El {
        self.attr(name, &value.to_string())
    }

    /// Appends a text.
    pub fn text(self, text: &str) -> El {
        let _ = self.0.append_with_str_1(text);
        self
    }

    /// Appends an element.
    pub fn child(self, child: El) -> El {
        let _ = self.0.append_child(&child.0);
        self
    }

    /// Appends the element, if there is one.
    pub fn maybe(self, child: Option<El>) -> El {
        match child {
            Some(child) => self.child(child),
            None => self,
        }
    }

    /// Calls `handler` on an event. It lives as long as the browser needs it.
    pub fn on(self, event: &str, handler: Box<dyn FnMut(Event)>) -> El {
        let handler = Closure::wrap(handler).into_js_value();
        let _ = self.0.add_event_listener_with_callback(event, handler.unchecked_ref());
        self
    }

    /// Runs `change` on the element, now and whenever a signal changes that it read.
    pub fn live(self, change: Box<dyn Fn(&Element)>) -> El {
        let element = self.0.clone();
        Effect::new(move || change(&element));
        self
    }

    /// Has the text that `text` gives, now and later.
    pub fn live_text(self, text: impl Fn() -> String + 'static) -> El {
        self.live(Box::new(move |element| element.set_text_content(Some(&text()))))
    }

    /// Has what `content` gives as its children, built anew each time.
    pub fn live_children(self, content: Box<dyn Fn() -> Vec<El>>) -> El {
        self.live(Box::new(move |element| {
            element.set_text_content(None);
            for child in content() {
                let _ = element.append_child(&child.0);
            }
        }))
    }

    /// Is hidden while `hidden` says so.
    pub fn hidden_while(self, hidden: impl Fn() -> bool + 'static) -> El {
        self.live(Box::new(move |element| {
            let _ = element.toggle_attribute_with_force("hidden", hidden());
        }))
    }

    /// Another handle of the same element.
    pub fn handle(&self) -> Element {
        self.0.clone()
    }
}

/// A place whose content is built anew whenever one of the signals read by `content` changes.
pub fn live(class: &str, content: impl Fn() -> Vec<El> + 'static) -> El {
    el("div", class).live_children(Box::new(content))
}
