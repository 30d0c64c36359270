//! What may have been read wrongly, put right in place: the card, and whose a process is.
//!
//! What is offered depends on the text alone, so that putting one thing right does not take the control away from under the hand.

use super::State;
use super::components::{El, el, live};
use crate::catalog::{self, Card};
use crate::diagnosis::{CardGuess, Corrections, diagnose, own_processes};
use crate::i18n::Texts;
use crate::message::{Arg, Message};
use crate::paste::{Evidence, Process};
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlSelectElement};

/// The card and the processes of the finding that matters.
pub fn corrections(state: State) -> El {
    live("corrections", move || {
        let evidence = state.evidence.get();
        let read = diagnose(&evidence, &Corrections::default());
        state.texts.with(|texts| {
            let mut shown = Vec::new();
            if read.card.total.is_some() || read.card.id.is_some() {
                shown.push(card(state, texts, &read.card));
                shown.extend(candidates(texts, &read.card));
            }
            let finding = read
                .primary
                .filter(|at| evidence.findings.get(*at).is_some_and(|it| !it.processes.is_empty()));
            if let Some(finding) = finding {
                shown.push(el("h3", "small").text(&texts.text("ui-processes")));
                shown.push(processes(state, texts, &evidence, finding));
            }
            shown
        })
    })
}

/// The control for the card: what was read stands first, then the cards of that capacity, then all others.
fn card(state: State, texts: &Texts, guess: &CardGuess) -> El {
    let read = match (guess.id.and_then(catalog::card), guess.class_gb) {
        (Some(card), _) => card.name.to_owned(),
        (None, Some(class)) => texts.message(&Message::new("ui-card-class").with("class", Arg::CardGb(class))),
        (None, None) => texts.text("ui-card-unknown"),
    };
    let chosen = state.corrections.with_untracked(|corrections| corrections.card);
    let group = |id: &str, likely: bool| {
        let cards = catalog::cards()
            .iter()
            .filter(|card| guess.candidates.contains(&card.id) == likely);
        cards.fold(el("optgroup", "").attr("label", &texts.text(id)), |group, card| {
            group.child(option(texts, card, chosen == Some(card.id)))
        })
    };
    let choose = move |event: Event| {
        let select = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        let card = select
            .and_then(|select| catalog::card(&select.value()))
            .map(|card| card.id);
        state.corrections.update(|corrections| corrections.card = card);
    };
    let likely = (!guess.candidates.is_empty()).then(|| group("ui-card-likely", true));
    let select = el("select", "")
        .attr("id", "card")
        .child(el("option", "").attr("value", "").text(&read))
        .maybe(likely)
        .child(group("ui-card-others", false))
        .on("change", Box::new(choose));
    el("div", "field")
        .child(el("label", "").attr("for", "card").text(&texts.text("ui-card")))
        .child(select)
}

fn option(texts: &Texts, card: &Card, chosen: bool) -> El {
    // Some names have their capacity in them.
    let capacity = texts.format.card_gb(card.gb);
    let option = el("option", "").attr("value", card.id).text(card.name);
    let option = if card.name.contains(&[&card.gb.to_string(), "GB"].concat()) {
        option
    } else {
        option.text(" · ").text(&capacity)
    };
    if chosen { option.attr("selected", "") } else { option }
}

/// Which cards it may be, by the capacity alone.
fn candidates(texts: &Texts, guess: &CardGuess) -> Option<El> {
    let (None, Some(class), Some(total)) = (guess.id, guess.class_gb, guess.total) else {
        return None;
    };
    let names: Vec<&str> = guess
        .candidates
        .iter()
        .filter_map(|id| Some(catalog::card(id)?.name))
        .collect();
    let message = Message::new("ui-card-candidates")
        .with("class", Arg::CardGb(class))
        .with("total", total)
        .with("names", names.join(", "));
    (!names.is_empty()).then(|| el("p", "small quiet").text(&texts.message(&message)))
}

fn processes(state: State, texts: &Texts, evidence: &Arc<Evidence>, finding: usize) -> El {
    let processes = evidence
        .findings
        .get(finding)
        .map(|finding| finding.processes.as_slice())
        .unwrap_or_default();
    processes
        .iter()
        .enumerate()
        .fold(el("ul", "processes small"), |list, (at, process)| {
            let size = process
                .bytes
                .map(|bytes| el("span", "figure").text(&texts.format.bytes(bytes)));
            let own = process
                .pid
                .map(|pid| own(state, texts, pid, (evidence.clone(), finding, at)));
            list.child(
                el("li", "")
                    .child(el("span", "").text(&name(texts, process)))
                    .maybe(size)
                    .maybe(own),
            )
        })
}

fn name(texts: &Texts, process: &Process) -> String {
    let pid = process.pid.map_or("?".to_owned(), |pid| pid.to_string());
    let message = Message::new("ui-process").with("pid", pid);
    match &process.name {
        Some(name) => [texts.message(&message).as_str(), " · ", name].concat(),
        None => texts.message(&message),
    }
}

/// Whether a process is the reader's own job: as the figures say, until the reader says it. `place` is the process's: its
/// evidence, its finding there, its index there.
fn own(state: State, texts: &Texts, pid: i64, place: (Arc<Evidence>, usize, usize)) -> El {
    let choose = move |event: Event| {
        let input = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let own = input.is_some_and(|input| input.checked());
        state.corrections.update(|corrections| {
            corrections.own.retain(|(known, _)| *known != pid);
            corrections.own.push((pid, own));
        });
    };
    let input = el("input", "").attr("type", "checkbox").on("change", Box::new(choose));
    let box_of_input = input.handle();
    Effect::new(move || {
        let (evidence, finding, at) = &place;
        let own = evidence.findings.get(*finding).and_then(|finding| {
            let own = state
                .corrections
                .with(|corrections| own_processes(finding, corrections));
            own.get(*at).copied().flatten()
        });
        box_of_input
            .unchecked_ref::<HtmlInputElement>()
            .set_checked(own == Some(true));
    });
    el("label", "").child(input).text(&texts.text("ui-process-own"))
}
