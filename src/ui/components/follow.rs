//! Elements that stay: what they say, and whether they are in sight, follows the signals, so that focus and what is
//! unfolded are not lost as with what is built anew.

use super::dom::{El, el};
use leptos::prelude::*;
use leptos::reactive::effect::RenderEffect;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlInputElement};

/// Runs at once, and again whenever a signal that it read has changed, as long as its owner lives.
pub fn follow(run: impl FnMut() + 'static) {
    follow_boxed(Box::new(run));
}

// What is boxed is compiled once, however many closures there are: so are all that end in `_boxed`.
#[inline(never)]
fn follow_boxed(mut run: Box<dyn FnMut()>) {
    StoredValue::new_local(RenderEffect::new(move |_| run()));
}

/// A place whose content is built anew whenever one of the signals read by `content` changes.
pub fn live(class: &str, content: impl Fn() -> Vec<El> + 'static) -> El {
    live_boxed(class, Box::new(content))
}

#[inline(never)]
fn live_boxed(class: &str, content: Box<dyn Fn() -> Vec<El>>) -> El {
    let place = el("div", class);
    let filled = place.clone();
    follow(move || filled.fill(&content()));
    place
}

impl El {
    /// With words that follow the language, or any signal.
    pub fn says(self, words: impl Fn() -> String + 'static) -> El {
        self.says_boxed(Box::new(words))
    }

    #[inline(never)]
    fn says_boxed(self, words: Box<dyn Fn() -> String>) -> El {
        let element = self.clone();
        let mut before = String::new();
        follow(move || {
            let words = words();
            if words != before {
                element.write(&words);
                before = words;
            }
        });
        self
    }

    /// With an attribute that follows signals; an empty value removes it.
    pub fn live_attr(self, name: &'static str, value: impl Fn() -> String + 'static) -> El {
        self.live_attr_boxed(name, Box::new(value))
    }

    #[inline(never)]
    fn live_attr_boxed(self, name: &'static str, value: Box<dyn Fn() -> String>) -> El {
        let element = self.clone();
        let mut before = String::new();
        follow(move || {
            let value = value();
            if value != before {
                element.set(name, &value);
                before = value;
            }
        });
        self
    }

    /// With a class while `there` says so.
    pub fn class_if(self, class: &'static str, there: impl Fn() -> bool + 'static) -> El {
        self.class_if_boxed(class, Box::new(there))
    }

    #[inline(never)]
    fn class_if_boxed(self, class: &'static str, there: Box<dyn Fn() -> bool>) -> El {
        let element = self.handle();
        follow(move || {
            let _ = element.class_list().toggle_with_force(class, there());
        });
        self
    }

    /// Out of sight while `hidden` says so.
    pub fn hidden_if(self, hidden: impl Fn() -> bool + 'static) -> El {
        self.hidden_if_boxed(Box::new(hidden))
    }

    #[inline(never)]
    fn hidden_if_boxed(self, hidden: Box<dyn Fn() -> bool>) -> El {
        let element = self.clone();
        let mut before = false;
        follow(move || {
            let now = hidden();
            if now != before {
                element.hide(now);
                before = now;
            }
        });
        self
    }

    /// With something to do on an event.
    pub fn when(self, event: &str, act: impl FnMut(Event) + 'static) -> El {
        self.on(event, Box::new(act))
    }

    /// With all these children.
    #[inline(never)]
    pub fn all(self, children: &[El]) -> El {
        children.iter().cloned().fold(self, El::child)
    }

    /// Puts these words in place of what it holds.
    #[inline(never)]
    pub fn write(&self, words: &str) {
        self.handle().set_text_content(Some(words));
    }

    /// Puts these children in place of what it holds.
    #[inline(never)]
    pub fn fill(&self, children: &[El]) {
        self.write("");
        self.clone().all(children);
    }

    /// Sets an attribute; an empty value removes it.
    #[inline(never)]
    pub fn set(&self, name: &str, value: &str) {
        let element = self.handle();
        let _ = if value.is_empty() {
            element.remove_attribute(name)
        } else {
            element.set_attribute(name, value)
        };
    }

    /// Sets an attribute that is `true` or `false`.
    #[inline(never)]
    pub fn set_flag(&self, name: &str, flag: bool) {
        self.set(name, if flag { "true" } else { "false" });
    }

    /// Takes it out of sight, or brings it back.
    #[inline(never)]
    pub fn hide(&self, hidden: bool) {
        self.handle().unchecked_into::<HtmlElement>().set_hidden(hidden);
    }

    /// As an input, which has a value; a list has one by the same name.
    #[inline(never)]
    pub fn input(&self) -> HtmlInputElement {
        self.handle().unchecked_into()
    }
}
