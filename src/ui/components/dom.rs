//! Elements made by hand, for what is large and changes little: each costs a call, where a view costs a type of its own.
//!
//! What is made here stays; [`live`] changes its words and attributes when a signal does.

use crate::i18n::Run;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::reactive::effect::RenderEffect;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, UnwrapThrowExt};
use web_sys::{Element, Event, HtmlElement};

/// An element. Cloning copies the handle.
#[derive(Clone)]
pub struct El(pub Element);

/// A new HTML element.
pub fn el(tag: &str) -> El {
    El(document().create_element(tag).unwrap_throw())
}

/// A new SVG element.
pub fn svg(tag: &str) -> El {
    El(document().create_element_ns(Some("http://www.w3.org/2000/svg"), tag).unwrap_throw())
}

impl El {
    /// With an attribute.
    pub fn attr(self, name: &str, value: &str) -> El {
        self.set(name, value);
        self
    }

    /// With a class, or several.
    pub fn class(self, class: &str) -> El {
        self.attr("class", class)
    }

    /// With a child behind those that it has.
    pub fn add(self, child: &El) -> El {
        let _ = self.0.append_child(&child.0);
        self
    }

    /// With children.
    pub fn all(self, children: &[El]) -> El {
        children.iter().fold(self, El::add)
    }

    /// With a text of prose and code in place of what it holds. Code is a tool's own words, so it is marked as English.
    pub fn runs(self, runs: Vec<Run>) -> El {
        self.0.set_text_content(None);
        for run in runs {
            let part = if run.code { el("code").attr("lang", "en") } else { el("span") };
            part.write(&run.text);
            let _ = self.0.append_child(&part.0);
        }
        self
    }

    /// With words that follow the language, or any signal.
    pub fn says(self, words: impl Fn() -> String + 'static) -> El {
        let element = self.clone();
        live(move || element.write(&words()));
        self
    }

    /// With an attribute that follows signals; an empty value removes it.
    pub fn live_attr(self, name: &'static str, value: impl Fn() -> String + 'static) -> El {
        let element = self.clone();
        live(move || element.set(name, &value()));
        self
    }

    /// Out of sight while `hidden` says so.
    pub fn hidden_if(self, hidden: impl Fn() -> bool + 'static) -> El {
        let element = self.clone();
        live(move || element.hide(hidden()));
        self
    }

    /// With something to do on an event. The listener lives as long as what owns the element.
    pub fn on(self, event: &str, act: impl FnMut(Event) + 'static) -> El {
        let act: Box<dyn FnMut(Event)> = Box::new(act);
        let act = Closure::wrap(act);
        let _ = self.0.add_event_listener_with_callback(event, act.as_ref().unchecked_ref());
        StoredValue::new_local(act);
        self
    }

    /// With a view inside.
    pub fn view(self, view: AnyView) -> El {
        let mut state = view.build();
        state.mount(&self.0, None);
        StoredValue::new_local(state);
        self
    }

    /// Puts these words in place of what it holds.
    pub fn write(&self, words: &str) {
        self.0.set_text_content(Some(words));
    }

    /// Puts these children in place of what it holds.
    pub fn fill(&self, children: &[El]) {
        self.0.set_text_content(None);
        for child in children {
            let _ = self.0.append_child(&child.0);
        }
    }

    /// Sets an attribute; an empty value removes it.
    pub fn set(&self, name: &str, value: &str) {
        let _ = if value.is_empty() { self.0.remove_attribute(name) } else { self.0.set_attribute(name, value) };
    }

    /// Sets an attribute that is `true` or `false`.
    pub fn set_flag(&self, name: &str, flag: bool) {
        self.set(name, if flag { "true" } else { "false" });
    }

    /// Takes it out of sight, or brings it back.
    pub fn hide(&self, hidden: bool) {
        let element: &HtmlElement = self.0.unchecked_ref();
        element.set_hidden(hidden);
    }

    /// As an input, which has a value.
    pub fn input(&self) -> &web_sys::HtmlInputElement {
        self.0.unchecked_ref()
    }
}

/// Runs at once, and again whenever a signal that it read has changed, as long as its owner lives.
pub fn live(run: impl FnMut() + 'static) {
    let run: Box<dyn FnMut()> = Box::new(run);
    StoredValue::new_local(effect(run));
}

fn effect(mut run: Box<dyn FnMut()>) -> RenderEffect<()> {
    RenderEffect::new(move |_| run())
}

/// A view that shows elements made by hand, once it stands in the page.
pub fn stand_in(make: impl Fn() -> El + 'static) -> AnyView {
    let make: Box<dyn Fn() -> El> = Box::new(make);
    let place = NodeRef::<Div>::new();
    Effect::new(move |made: Option<bool>| {
        let made = made.unwrap_or_default();
        match place.get() {
            Some(place) if !made => place.append_child(&make().0).is_ok(),
            _ => made,
        }
    });
    view! { <div node_ref=place></div> }.into_any()
}
