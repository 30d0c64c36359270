//! What may have been read wrongly, put right in place: the card, and whose a process is.
//!
//! What is offered depends on the text alone, so that putting one thing right does not take the control away from under the hand.

use super::State;
use crate::catalog;
use crate::diagnosis::{CardGuess, Corrections, diagnose, own_processes};
use crate::i18n::Texts;
use crate::message::{Arg, Message};
use crate::paste::{Finding, Process};
use leptos::prelude::*;

/// The card and the processes of the finding that matters.
pub fn corrections(state: State) -> AnyView {
    let card = move || {
        let evidence = state.evidence.get();
        let read = diagnose(&evidence, &Corrections::default());
        let known = read.card.total.is_some() || read.card.id.is_some();
        known.then(|| state.texts.with(|texts| card(state, texts, &read.card)))
    };
    let processes = move || {
        let evidence = state.evidence.get();
        let read = diagnose(&evidence, &Corrections::default());
        let finding = read.primary.and_then(|at| evidence.findings.get(at))?;
        (!finding.processes.is_empty()).then(|| state.texts.with(|texts| processes(state, texts, finding)))
    };
    view! { <div>{card} {processes}</div> }.into_any()
}

fn card(state: State, texts: &Texts, guess: &CardGuess) -> AnyView {
    let guessed = match (guess.id.and_then(catalog::card), guess.class_gb) {
        (Some(card), _) => card.name.to_owned(),
        (None, Some(class)) => texts.message(&Message::new("ui-card-class").with("class", Arg::CardGb(class))),
        (None, None) => texts.text("ui-card-unknown"),
    };
    let option = |id: &'static str| {
        let card = catalog::card(id)?;
        let name = [card.name, " · ", &texts.format.card_gb(card.gb)].concat();
        let chosen = move || state.corrections.with(|corrections| corrections.card == Some(id));
        Some(view! { <option value=id selected=chosen>{name}</option> }.into_any())
    };
    let likely: Vec<AnyView> = guess.candidates.iter().filter_map(|id| option(id)).collect();
    let others = catalog::cards().iter().filter(|card| !guess.candidates.contains(&card.id));
    let others: Vec<AnyView> = others.filter_map(|card| option(card.id)).collect();
    let choose = move |event| {
        let value = event_target_value(&event);
        let card = catalog::card(&value).map(|card| card.id);
        state.corrections.update(|corrections| corrections.card = card);
    };
    let names = guess.candidates.iter().filter_map(|id| Some(catalog::card(id)?.name)).collect::<Vec<_>>();
    let note = match (guess.id, guess.class_gb, guess.total) {
        (None, Some(class), Some(total)) if !names.is_empty() => Some(
            Message::new("ui-card-candidates")
                .with("class", Arg::CardGb(class))
                .with("total", total)
                .with("names", names.join(", ")),
        ),
        _ => None,
    };
    let note = note.map(|note| view! { <p class="small quiet">{texts.message(&note)}</p> });
    let group = |id, options: Vec<AnyView>| {
        (!options.is_empty()).then(|| view! { <optgroup label=texts.text(id)>{options}</optgroup> }.into_any())
    };
    let (likely, others) = (group("ui-card-likely", likely), group("ui-card-others", others));
    view! {
        <div class="field">
            <label for="card">{texts.text("ui-card")}</label>
            <select id="card" on:change=choose>
                <option value="">{guessed}</option>
                {likely}
                {others}
            </select>
        </div>
        {note}
    }
    .into_any()
}

fn processes(state: State, texts: &Texts, finding: &Finding) -> AnyView {
    let finding = std::sync::Arc::new(finding.clone());
    let rows = finding.processes.iter().enumerate().map(|(at, process)| {
        let size = process.bytes.map(|bytes| texts.format.bytes(bytes));
        let finding = finding.clone();
        let own = move || {
            let own = state.corrections.with(|corrections| own_processes(&finding, corrections));
            own.get(at).copied().flatten() == Some(true)
        };
        let choice = process.pid.map(|pid| own_choice(state, texts, pid, own));
        view! {
            <li>
                <span>{name(texts, process)}</span>
                <span class="figure">{size}</span>
                {choice}
            </li>
        }
        .into_any()
    });
    view! {
        <h3 class="small">{texts.text("ui-processes")}</h3>
        <ul class="processes small">{rows.collect::<Vec<_>>()}</ul>
    }
    .into_any()
}

fn name(texts: &Texts, process: &Process) -> String {
    let pid = process.pid.map_or("?".to_owned(), |pid| pid.to_string());
    let message = Message::new("ui-process").with("pid", pid);
    match &process.name {
        Some(name) => [texts.message(&message).as_str(), " · ", name].concat(),
        None => texts.message(&message),
    }
}

fn own_choice(state: State, texts: &Texts, pid: i64, own: impl Fn() -> bool + Send + 'static) -> AnyView {
    let choose = move |event| {
        let own = event_target_checked(&event);
        state.corrections.update(|corrections| {
            corrections.own.retain(|(known, _)| *known != pid);
            corrections.own.push((pid, own));
        });
    };
    view! {
        <label>
            <input type="checkbox" prop:checked=own on:change=choose />
            {texts.text("ui-process-own")}
        </label>
    }
    .into_any()
}
