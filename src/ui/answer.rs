//! The answer: the headline and the bar of the card, what may be put right, why, what to do, and the text line by line.

use super::State;
use super::causes::causes;
use super::components::{bar, parts, prose};
use super::corrections::corrections;
use super::fixes::fixes;
use super::reading::reading;
use crate::diagnosis::Verdict;
use crate::message::{Arg, Message};
use crate::paste::Finding;
use leptos::prelude::*;
use std::time::Duration;

/// How long the text must rest before the answer is spoken.
const REST: Duration = Duration::from_millis(700);

/// What is said of each verdict.
const VERDICTS: [(Verdict, &str); 7] = [
    (Verdict::GpuMemory, "ui-verdict-gpu-memory"),
    (Verdict::HostMemory, "ui-verdict-host-memory"),
    (Verdict::SharedMemory, "ui-verdict-shared-memory"),
    (Verdict::OtherLimit, "ui-verdict-other-limit"),
    (Verdict::NotMemory, "ui-verdict-not-memory"),
    (Verdict::NoError, "ui-verdict-no-error"),
    (Verdict::Unknown, "ui-verdict-unknown"),
];

/// The whole answer; hidden until there is a text.
pub fn answer(state: State) -> AnyView {
    let table = move || {
        let answer = state.answer.get();
        answer.diagnosis.picture.as_ref().map(|picture| state.texts.with(|texts| parts(texts, picture)))
    };
    view! {
        {spoken(state)}
        <div id="answer" tabindex="-1" hidden=move || !state.is_asked()>
            <section class="verdict">
                {move || headline(state)}
                <div class="facts">
                    <div>{table}</div>
                    {corrections(state)}
                </div>
            </section>
            <div class="columns">{causes(state)} {fixes(state)}</div>
            {move || incomplete(state)}
            {reading(state)}
        </div>
    }
    .into_any()
}

/// The headline for those who hear the page: one sentence, once the text rests.
fn spoken(state: State) -> AnyView {
    let said = RwSignal::new(String::new());
    let pending = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move || {
        let sentence = match state.is_asked() {
            true => state.answer.with(|answer| state.sentence(&answer.diagnosis.headline)),
            false => String::new(),
        };
        if let Some(earlier) = pending.get_value() {
            earlier.clear();
        }
        let say = move || said.set(sentence.replace('`', ""));
        pending.set_value(set_timeout_with_handle(say, REST).ok());
    });
    view! { <p class="vh" role="status">{said}</p> }.into_any()
}

fn headline(state: State) -> AnyView {
    let answer = state.answer.get();
    let evidence = state.evidence.get();
    let diagnosis = &answer.diagnosis;
    let finding = diagnosis.primary.and_then(|at| evidence.findings.get(at));
    state.texts.with(|texts| {
        let verdict = VERDICTS.iter().find(|(verdict, _)| *verdict == diagnosis.verdict).map(|(_, id)| texts.text(id));
        let place = finding.map(place).unwrap_or_default();
        let place = place.into_iter().map(|message| view! { <span>{texts.message(&message)}</span> }.into_any());
        let caution = diagnosis.caution.as_ref().map(|caution| view! { <p class="caution">{prose(texts, caution)}</p> });
        let bar = diagnosis.picture.as_ref().map(|picture| bar(texts, picture));
        view! {
            <p class="kicker"><span>{verdict}</span> {place.collect::<Vec<_>>()}</p>
            <h2 class="headline">{prose(texts, &diagnosis.headline)}</h2>
            {caution}
            {bar}
        }
        .into_any()
    })
}

/// Where it happened, and how often it was printed.
fn place(finding: &Finding) -> Vec<Message> {
    let named = |id, number: Option<i64>| {
        number.map(|number| Message::new(id).with("number", Arg::Text(number.to_string())))
    };
    let times = i64::try_from(finding.times).unwrap_or(i64::MAX);
    let times = (times > 1).then(|| Message::new("ui-times").with("times", times));
    [named("ui-device", finding.device), named("ui-rank", finding.rank), times].into_iter().flatten().collect()
}

fn incomplete(state: State) -> Option<AnyView> {
    let answer = state.answer.get();
    let open = &answer.diagnosis.incomplete;
    if open.is_empty() {
        return None;
    }
    state.texts.with(|texts| {
        let shown = open.iter().map(|message| view! { <li>{prose(texts, message)}</li> }.into_any());
        let shown = view! {
            <section class="aside">
                <h2>{texts.text("ui-incomplete")}</h2>
                <ul>{shown.collect::<Vec<_>>()}</ul>
            </section>
        };
        Some(shown.into_any())
    })
}
