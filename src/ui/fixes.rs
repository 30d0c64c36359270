//! What to do, in order; then what need not be tried.

use super::State;
use super::components::{El, command, el, live, prose};
use crate::advice::{Fix, Place, Refused};
use crate::i18n::Texts;
use crate::message::Message;
use crate::units::Bytes;
use leptos::prelude::*;

/// The fixes, each with why it helps here, what it frees, and the lines to copy.
pub fn fixes(state: State) -> El {
    live("what", move || {
        let answer = state.answer.get();
        let advice = &answer.advice;
        state.texts.with(|texts| {
            let mut shown = Vec::new();
            if !advice.fixes.is_empty() {
                shown.push(el("h2", "").text(&texts.text("ui-fixes")));
                shown.push(
                    advice
                        .fixes
                        .iter()
                        .fold(el("ol", "steps"), |list, fix| list.child(one(texts, fix))),
                );
            }
            if !advice.refused.is_empty() {
                shown.push(refused(texts, &advice.refused));
            }
            shown
        })
    })
}

fn one(texts: &Texts, fix: &Fix) -> El {
    let why = fix.why.as_ref().map(|why| prose(el("p", ""), texts, why));
    let fix_with_reasons = el("li", "")
        .child(prose(el("h3", ""), texts, &fix.text))
        .maybe(why)
        .maybe(effect(texts, fix));
    fix.commands.iter().fold(fix_with_reasons, |shown, lines| {
        shown.child(command(texts, place(lines.place), &lines.text))
    })
}

/// What a fix frees, and whether the request then fits.
fn effect(texts: &Texts, fix: &Fix) -> Option<El> {
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
    let saves = el("span", "").text(&saves);
    Some(
        el("p", "effect")
            .child(saves)
            .text(" ")
            .child(el("span", class).text(&texts.text(fits))),
    )
}

fn refused(texts: &Texts, refused: &[Refused]) -> El {
    let list = refused.iter().fold(el("ul", ""), |list, one| {
        list.child(prose(el("li", ""), texts, &one.because))
    });
    el("div", "aside")
        .child(el("h3", "").text(&texts.text("ui-refused")))
        .child(list)
}

fn place(place: Place) -> &'static str {
    match place {
        Place::Shell => "shell",
        Place::PowerShell => "powershell",
        Place::BatchScript => "batch",
        Place::Python => "python",
    }
}
