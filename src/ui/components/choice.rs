//! One of a few: a row of radio buttons that look like one control.

use leptos::prelude::*;

/// One of a choice.
pub struct Alternative {
    /// What is shown.
    pub label: Box<dyn Fn() -> String + Send>,
    /// What it means, for those who hear it or point at it.
    pub name: Box<dyn Fn() -> String + Send>,
    /// The language of both, where it is another than the page's.
    pub lang: Option<&'static str>,
    /// Whether it is the one chosen.
    pub chosen: Box<dyn Fn() -> bool + Send>,
    /// Chooses it.
    pub choose: Box<dyn Fn()>,
}

/// The choice, with its name for those who hear it.
pub fn choice(id: &'static str, legend: Box<dyn Fn() -> String + Send>, alternatives: Vec<Alternative>) -> AnyView {
    let shown = |one: Alternative| {
        let Alternative {
            label,
            name,
            lang,
            chosen,
            choose,
        } = one;
        view! {
            <label>
                <input type="radio" name=id lang=lang aria-label=name prop:checked=chosen on:change=move |_| choose() />
                {label}
            </label>
        }
        .into_any()
    };
    let alternatives = alternatives.into_iter().map(shown).collect::<Vec<_>>();
    view! {
        <fieldset class="choice">
            <legend class="vh">{legend}</legend>
            {alternatives}
        </fieldset>
    }
    .into_any()
}
