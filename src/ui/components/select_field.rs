//! One of many: a list to open, with its label.

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
    pub options: Box<dyn Fn() -> Options + Send>,
    /// The id of what is chosen.
    pub chosen: Box<dyn Fn() -> &'static str + Send>,
    /// Chooses by the id.
    pub choose: Box<dyn Fn(&str) + Send>,
}

/// The list with its label.
pub fn select_field(state: State, field: SelectField) -> AnyView {
    let SelectField { id, label, options, chosen, choose } = field;
    let shown = move || {
        let chosen = chosen();
        let one = |(id, name): (&'static str, String)| {
            view! {
                <option value=id prop:selected=id == chosen>
                    {name}
                </option>
            }
            .into_any()
        };
        let group = |(heading, options): (&'static str, Vec<(&'static str, String)>)| {
            let options: Vec<AnyView> = options.into_iter().map(one).collect();
            match heading {
                "" => options.into_any(),
                heading => {
                    let heading = state.texts.with(|texts| texts.text(heading));
                    view! { <optgroup label=heading>{options}</optgroup> }.into_any()
                }
            }
        };
        options().into_iter().map(group).collect::<Vec<_>>()
    };
    view! {
        <div class="number">
            <label for=id>{state.label(label)}</label>
            <select id=id on:change=move |event| choose(&event_target_value(&event))>
                {shown}
            </select>
        </div>
    }
    .into_any()
}
