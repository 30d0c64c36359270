//! One of many: a list to open, with its label.

use super::dom::el;
use super::field::{Field, Holder};
use crate::i18n::Texts;
use crate::ui::State;
use crate::ui::components::El;
use leptos::prelude::*;

/// What can be chosen: under the message of a heading, or of none, ids with their names.
pub type Options = Vec<(&'static str, Vec<(&'static str, String)>)>;

/// A choice of a `T`.
#[derive(Clone, Copy)]
pub struct SelectField<T: 'static> {
    /// The element's id, and the message of its label.
    pub id: &'static str,
    /// What can be chosen now.
    pub options: fn(&Texts, &T) -> Options,
    /// A number that changes when these do, but for the language.
    pub changes: fn(&T) -> usize,
    /// The id of what is chosen.
    pub get: fn(&T) -> &'static str,
    /// Chooses by the id.
    pub set: fn(&mut T, &str),
}

/// The list with its label.
pub fn select_field<T>(state: State, field: &'static SelectField<T>, of: impl Holder<T>) -> Field<T> {
    let select = el("select", "").attr("id", field.id);
    let list = select.clone();
    let mut listed = None;
    let mut before = None;
    let update = move |texts: &Texts, of: &T| {
        let now = Some(((field.changes)(of), texts.format.language));
        let renewed = now != listed;
        if renewed {
            list.write("");
            for (heading, options) in &(field.options)(texts, of) {
                let options = options
                    .iter()
                    .map(|(id, name)| el("option", "").attr("value", id).text(name));
                let options: Vec<El> = options.collect();
                if heading.is_empty() {
                    list.clone().all(&options);
                } else {
                    let heading = texts.text(heading);
                    list.clone()
                        .child(el("optgroup", "").attr("label", &heading).all(&options));
                }
            }
            listed = now;
        }
        let chosen = (field.get)(of);
        if renewed || before != Some(chosen) {
            list.input().set_value(chosen);
            before = Some(chosen);
        }
    };
    let shown = select.clone();
    let select = select.when("change", move |event| {
        let chosen = event_target_value(&event);
        of.change(false, &|of| (field.set)(of, &chosen));
        // What could not be chosen is shown no longer.
        untrack(|| of.look(&mut |of| shown.input().set_value((field.get)(of))));
    });
    let label = el("label", "").attr("for", field.id).says(state.label(field.id));
    Field {
        element: el("div", "number").child(label).child(select),
        update: Box::new(update),
    }
}
