//! The answer: the headline and the bar of the card, what may be put right, why, what to do, and the text line by line.

use super::State;
use super::causes::causes;
use super::components::{El, bar, el, follow, live, parts, prose, spilled};
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
pub fn answer(state: State) -> El {
    el("div", "")
        .attr("id", "answer")
        .attr("tabindex", "-1")
        .hidden_if(move || !state.is_asked())
        .child(headline(state))
        .child(el("div", "facts").child(table(state)).child(corrections(state)))
        .child(
            el("div", "columns")
                .child(causes(state))
                .child(fixes(state))
                .child(reading(state)),
        )
        .child(incomplete(state))
}

/// The headline for those who hear the page: one sentence, once the text rests.
pub fn spoken(state: State) -> El {
    let said = el("p", "vh").attr("role", "status");
    let status = said.clone();
    let mut pending = None::<TimeoutHandle>;
    follow(move || {
        let sentence = match state.is_asked() {
            true => state.answer.with(|answer| state.sentence(&answer.diagnosis.headline)),
            false => String::new(),
        };
        if let Some(earlier) = pending.take() {
            earlier.clear();
        }
        let status = status.clone();
        pending = set_timeout_with_handle(move || status.write(&sentence.replace('`', "")), REST).ok();
    });
    said
}

fn headline(state: State) -> El {
    live("verdict", move || {
        let answer = state.answer.get();
        let evidence = state.evidence.get();
        let diagnosis = &answer.diagnosis;
        state.texts.with(|texts| {
            let mut kicker = el("p", "kicker");
            if let Some((_, id)) = VERDICTS.iter().find(|(verdict, _)| *verdict == diagnosis.verdict) {
                kicker = kicker.child(el("span", "").text(&texts.text(id)));
            }
            // Where nothing was recognised, the headline tells what to paste instead: two or three sentences.
            let size = if diagnosis.primary.is_some() {
                "headline"
            } else {
                "headline long"
            };
            let finding = diagnosis.primary.and_then(|at| evidence.findings.get(at));
            for message in finding.map(place).unwrap_or_default() {
                kicker = kicker.child(el("span", "").text(&texts.message(&message)));
            }
            let mut shown = vec![kicker, prose(el("h2", size), texts, &diagnosis.headline)];
            shown.extend(
                diagnosis
                    .caution
                    .iter()
                    .map(|caution| prose(el("p", "caution"), texts, caution)),
            );
            shown.extend(diagnosis.picture.iter().map(|picture| bar(texts, picture)));
            shown
        })
    })
}

fn table(state: State) -> El {
    live("held", move || {
        let answer = state.answer.get();
        let Some(picture) = &answer.diagnosis.picture else {
            return Vec::new();
        };
        state.texts.with(|texts| {
            let mut shown = vec![parts(texts, picture)];
            shown.extend(spilled(texts, picture));
            shown
        })
    })
}

/// Where it happened, and how often it was printed.
fn place(finding: &Finding) -> Vec<Message> {
    let named =
        |id, number: Option<i64>| number.map(|number| Message::new(id).with("number", Arg::Text(number.to_string())));
    let times = i64::try_from(finding.times).unwrap_or(i64::MAX);
    let times = (times > 1).then(|| Message::new("ui-times").with("times", times));
    [
        named("ui-device", finding.device),
        named("ui-rank", finding.rank),
        times,
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn incomplete(state: State) -> El {
    live("aside", move || {
        let answer = state.answer.get();
        let open = &answer.diagnosis.incomplete;
        if open.is_empty() {
            return Vec::new();
        }
        state.texts.with(|texts| {
            let list = open.iter().fold(el("ul", ""), |list, message| {
                list.child(prose(el("li", ""), texts, message))
            });
            vec![el("h2", "").text(&texts.text("ui-incomplete")), list]
        })
    })
}
