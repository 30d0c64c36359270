//! What to do, in order; then what need not be tried.

use super::State;
use super::components::{command, prose};
use crate::advice::{Fix, Place};
use crate::i18n::Texts;
use crate::message::Message;
use crate::units::Bytes;
use leptos::prelude::*;

/// The fixes, each with why it helps here, what it frees, and the lines to copy.
pub fn fixes(state: State) -> AnyView {
    let shown = move || {
        let answer = state.answer.get();
        answer.advice.fixes.iter().map(|fix| one(state, fix)).collect::<Vec<_>>()
    };
    let refused = move || {
        let answer = state.answer.get();
        let refused = &answer.advice.refused;
        (!refused.is_empty()).then(|| {
            state.texts.with(|texts| {
                let shown = refused.iter().map(|one| view! { <li>{prose(texts, &one.because)}</li> }.into_any());
                view! {
                    <div class="aside">
                        <h3>{texts.text("ui-refused")}</h3>
                        <ul>{shown.collect::<Vec<_>>()}</ul>
                    </div>
                }
                .into_any()
            })
        })
    };
    let none = move || state.answer.with(|answer| answer.advice.fixes.is_empty());
    view! {
        <section hidden=none>
            <h2>{state.label("ui-fixes")}</h2>
            <ol class="steps">{shown}</ol>
            {refused}
        </section>
    }
    .into_any()
}

fn one(state: State, fix: &Fix) -> AnyView {
    state.texts.with(|texts| {
        let why = fix.why.as_ref().map(|why| view! { <p>{prose(texts, why)}</p> }.into_any());
        let commands: Vec<AnyView> =
            fix.commands.iter().map(|lines| command(state, place(lines.place), lines.text.clone())).collect();
        view! {
            <li>
                <h3>{prose(texts, &fix.text)}</h3>
                {why}
                {effect(texts, fix)}
                {commands}
            </li>
        }
        .into_any()
    })
}

/// What a fix frees, and whether the request then fits.
fn effect(texts: &Texts, fix: &Fix) -> Option<AnyView> {
    let (low, high) = fix.saves?;
    let id = match (low == high, low > Bytes::ZERO) {
        (true, _) => "saves-exactly",
        (false, true) => "saves-between",
        (false, false) => "saves-up-to",
    };
    let saves = texts.message(&Message::new(id).with("low", low).with("high", high));
    let (class, fits) = match fix.fits_after {
        Some(true) => ("fits", "fits-yes"),
        Some(false) => ("", "fits-no"),
        None => ("", "fits-open"),
    };
    let fits = texts.text(fits);
    Some(view! { <p class="effect"><span>{saves}</span> <span class=class>{fits}</span></p> }.into_any())
}

fn place(place: Place) -> &'static str {
    match place {
        Place::Shell => "shell",
        Place::PowerShell => "powershell",
        Place::Python => "python",
    }
}
