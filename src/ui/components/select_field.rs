//! One of many: a list to open, with its label.

use super::dom::{El, el};
use super::follow::follow;
use crate::ui::State;
use leptos::prelude::*;

/// What can be chosen: under the message of a heading, or of none, ids with their names.
pub type Options = Vec<(&'static str, Vec<(&'static str, String)>)>;

/// A list.
pub struct SelectField {
    /// The element's id.
    pub id: &'static str,
    /// The message of the label.
    pub label: &'static str,
    /// What can be chosen now.
    pub options: Box<dyn Fn() -> Options>,
    /// A number that changes when these do, but for the language.
    pub changes: Box<dyn Fn() -> usize>,
    /// The id of what is chosen.
    pub chosen: Box<dyn Fn() -> &'static str>,
    /// Chooses by the id.
    pub choose: Box<dyn Fn(&str)>,
}

/// The list with its label.
pub fn select_field(state: State, field: SelectField) -> El {
    let SelectField {
        id,
        label,
        options,
        changes,
        chosen,
        choose,
    } = field;
    let select = el("select", "").attr("id", id);
    let list = select.clone();
    let mut before = None;
    follow(move || {
        let now = Some((changes(), state.shown_texts().format));
        if now != before {
            list.write("");
            for (heading, options) in &untrack(&options) {
                let options = options
                    .iter()
                    .map(|(id, name)| el("option", "").attr("value", id).text(name));
                let options: Vec<El> = options.collect();
                if heading.is_empty() {
                    list.clone().all(&options);
                } else {
                    let heading = state.shown_texts().text(heading);
                    list.clone()
                        .child(el("optgroup", "").attr("label", &heading).all(&options));
                }
            }
            before = now;
        }
        list.input().set_value(chosen());
    });
    let select = select.when("change", move |event| choose(&event_target_value(&event)));
    let label = el("label", "").attr("for", id).says(state.label(label));
    el("div", "number").child(label).child(select)
}
