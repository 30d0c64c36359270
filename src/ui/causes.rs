//! Why it failed: the causes, the likeliest first and open, the others on demand.

use super::State;
use super::components::{prose, runs};
use crate::diagnosis::Cause;
use crate::i18n;
use leptos::prelude::*;

/// The causes with the figures for and against each.
pub fn causes(state: State) -> AnyView {
    let shown = move || {
        let answer = state.answer.get();
        let causes = &answer.diagnosis.causes;
        causes.iter().enumerate().map(|(place, cause)| one(state, cause, place == 0)).collect::<Vec<_>>()
    };
    let none = move || state.answer.with(|answer| answer.diagnosis.causes.is_empty());
    view! {
        <section hidden=none>
            <h2>{state.label("ui-causes")}</h2>
            <ol class="causes">{shown}</ol>
        </section>
    }
    .into_any()
}

fn one(state: State, cause: &Cause, open: bool) -> AnyView {
    state.texts.with(|texts| {
        let name = texts.text(&["cause-", cause.id].concat());
        let means = ["cause-", cause.id, "-means"].concat();
        let means = texts.has(&means).then(|| view! { <p>{runs(i18n::runs(&texts.text(&means)))}</p> });
        let confidence = texts.text(&["confidence-", cause.confidence.id()].concat());
        let because = cause.because.iter().map(|reason| {
            let (class, side) = if reason.speaks_for { ("for", "ui-for") } else { ("against", "ui-against") };
            view! {
                <li class=class>
                    <span class="vh">{texts.text(side)}</span>
                    {prose(texts, &reason.message)}
                </li>
            }
            .into_any()
        });
        let because = because.collect::<Vec<_>>();
        view! {
            <li>
                <details open=open>
                    <summary>
                        <h3>{name}</h3>
                        <span class="sureness">{confidence}</span>
                    </summary>
                    {means}
                    <ul class="because">{because}</ul>
                </details>
            </li>
        }
        .into_any()
    })
}
