//! One of a few: a row of radio buttons that look like one control.

use super::dom::{El, el};
use super::follow::follow;

/// One of a choice.
pub struct Alternative {
    /// What is shown.
    pub label: Box<dyn Fn() -> String>,
    /// What it means, for those who hear it.
    pub name: Box<dyn Fn() -> String>,
    /// The language of both, where it is another than the page's; else empty.
    pub lang: &'static str,
    /// Whether it is the one chosen.
    pub chosen: Box<dyn Fn() -> bool>,
    /// Chooses it.
    pub choose: Box<dyn Fn()>,
}

/// The choice, with its name for those who hear it.
pub fn choice(id: &str, legend: Box<dyn Fn() -> String>, alternatives: Vec<Alternative>) -> El {
    let start = el("fieldset", "choice").child(el("legend", "vh").says(legend));
    alternatives.into_iter().fold(start, |choice, one| {
        let Alternative {
            label,
            name,
            lang,
            chosen,
            choose,
        } = one;
        let input = el("input", "")
            .attr("type", "radio")
            .attr("name", id)
            .live_attr("aria-label", name)
            .when("change", move |_| choose());
        input.set("lang", lang);
        let radio = input.input();
        follow(move || radio.set_checked(chosen()));
        choice.child(el("label", "").child(input).child(el("span", "").says(label)))
    })
}
