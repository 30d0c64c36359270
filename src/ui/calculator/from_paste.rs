//! What the pasted text tells of the job: filled in where the reader has not said otherwise, always told, and taken back at will.

use super::names::{card_names, engine_name, format_name};
use super::sizer::{How, Sizer, usual};
use crate::message::Message;
use crate::paste::{Evidence, Hit, Span, printable};
use crate::scenario::{KEYS, Scenario};
use crate::ui::State;
use crate::ui::components::{El, el, follow};
use crate::ui::files::{Attachment, Progress};
use crate::units::Bytes;
use leptos::prelude::*;

/// The places, in the table of a link's keys, of what a scenario sets.
fn set_keys(told: &Scenario) -> Vec<usize> {
    let sets = |at: &usize| (KEYS[*at].get)(told) != (KEYS[*at].get)(usual());
    (0..KEYS.len()).filter(sets).collect()
}

/// What the pasted text tells of one key of a link.
pub struct Source {
    /// The key.
    pub key: &'static str,
    /// The value, as in a link.
    pub value: String,
    /// The line that tells so.
    pub text: String,
}

/// The most characters of a line that are shown.
const MOST: usize = 120;

/// Where the text tells what it tells of the job.
pub fn sources(state: State) -> Vec<Source> {
    let evidence = state.evidence.get();
    let answer = state.answer.get();
    let place = |(key, place): &(&'static str, Span)| {
        let text = line(state, &evidence, *place)?;
        let get = KEYS.iter().find(|known| known.key == *key)?.get;
        Some(Source {
            key,
            value: get(&answer.diagnosis.scenario),
            text,
        })
    };
    answer.diagnosis.told_at.iter().filter_map(place).collect()
}

/// The line of a place that a hit of the text or of a file holds, cut to where the place is.
fn line(state: State, evidence: &Evidence, place: Span) -> Option<String> {
    let holds = |hit: &Hit| hit.span.start <= place.start && place.end <= hit.span.end;
    let at = evidence.hits.iter().position(holds)?;
    state.files.all.with_untracked(|all| {
        // The text's own hits come first, then those of each file.
        let read = || all.iter().filter_map(Attachment::reading);
        let of_files: usize = read().map(|reading| reading.evidence.hits.len()).sum();
        let mut before = evidence.hits.len().saturating_sub(of_files);
        if at < before {
            return Some(state.text.with_untracked(|text| around(text, place)));
        }
        for reading in read() {
            before += reading.evidence.hits.len();
            if at < before {
                return Some(around(&reading.text, place));
            }
        }
        None
    })
}

/// The line around a place; of a long one what is near.
fn around(text: &str, place: Span) -> String {
    let start = text
        .get(..place.start)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1);
    let end = text
        .get(place.end..)
        .and_then(|after| after.find('\n'))
        .map_or(text.len(), |at| place.end + at);
    let line = Span { start, end }.of(text);
    let length = line.chars().count();
    if length <= MOST {
        return printable(line.trim());
    }
    let ahead = Span {
        start,
        end: place.start,
    }
    .of(text)
    .chars()
    .count();
    let from = ahead.saturating_sub(MOST / 3);
    let cut: String = line.chars().skip(from).take(MOST).collect();
    ["… ", &printable(cut.trim()), " …"].concat()
}

/// Copies what `told` sets from `from`.
fn copy(told: &Scenario, from: &Scenario, to: &mut Scenario) {
    for at in set_keys(told) {
        (KEYS[at].set)(to, &(KEYS[at].get)(from));
    }
}

/// Whether two scenarios agree on all that `told` sets.
fn agree(told: &Scenario, one: &Scenario, other: &Scenario) -> bool {
    set_keys(told)
        .into_iter()
        .all(|at| (KEYS[at].get)(one) == (KEYS[at].get)(other))
}

/// Fills the first scenario in from each text that tells something, unless the reader has set the same things.
pub fn fill(sizer: Sizer) {
    let told = told(sizer);
    let usual = Scenario::default();
    Effect::new(move |before: Option<Scenario>| {
        let told = told.get();
        let filled = before.unwrap_or_default();
        let scenario = sizer.scenarios[0];
        // What an earlier text filled in is no choice of the reader's.
        let now = scenario.get_untracked();
        let free = agree(&told, &now, &usual) || agree(&told, &now, &filled);
        if told != usual && free {
            scenario.update(|now| copy(&told, &told, now));
        }
        told
    });
}

fn told(sizer: Sizer) -> Memo<Scenario> {
    Memo::new(move |_| sizer.state.answer.with(|answer| answer.diagnosis.scenario.clone()))
}

/// The line that says what the text told, with a way to take it over, or back.
pub fn from_paste(sizer: Sizer) -> El {
    let state = sizer.state;
    let told = told(sizer);
    let is_taken = move || {
        let told = told.get();
        agree(&told, &sizer.scenario(), &told)
    };
    let (words, button) = (el("span", ""), el("button", "").attr("type", "button"));
    let line = el("p", "told");
    let (says, word, shown) = (words.clone(), button.clone(), line.clone());
    follow(move || {
        let told = told.get();
        let none = told == Scenario::default();
        shown.hide(none);
        if none {
            return;
        }
        let (id, act) = match is_taken() {
            true => ("calc-paste-taken", "calc-paste-undo"),
            false => ("calc-paste-offered", "calc-paste-take"),
        };
        says.write(&state.sentence(&Message::new(id).with("what", what(sizer, &told))));
        word.write(&state.shown_texts().text(act));
    });
    let button = button.when("click", move |_| {
        let (told, usual) = (told.get_untracked(), Scenario::default());
        let from = if untrack(is_taken) { &usual } else { &told };
        sizer.edit(How::Picked, &|scenario| copy(&told, from, scenario));
    });
    line.child(words).child(button)
}

/// What a text told, in words.
fn what(sizer: Sizer, told: &Scenario) -> String {
    let state = sizer.state;
    let usual = Scenario::default();
    let mut words = Vec::new();
    words.extend(told.own.as_ref().map(|own| own.name.clone()));
    words.extend(told.model.map(|model| model.name().to_owned()));
    if told.format != usual.format {
        words.push(format_name(told.format));
    }
    if told.engine != usual.engine {
        words.push(engine_name(told.engine).to_owned());
    }
    if told.k_cache != usual.k_cache {
        words.push(["KV ", told.k_cache.id].concat());
    }
    if told.tensor_parallel > 1 {
        words.push(["TP ", &told.tensor_parallel.to_string()].concat());
    }
    if told.context != usual.context {
        words.push(state.sentence(&Message::new("calc-tokens").with("tokens", told.context)));
    }
    if !told.cards.is_empty() {
        words.push(card_names(&sizer.texts(), &told.cards));
    }
    if told.held > Bytes::ZERO {
        words.push(state.sentence(&Message::new("calc-paste-held").with("size", told.held)));
    }
    words.join(" · ")
}

/// Below the answer to a text, or where a model's file was read: the way to the calculator, which knows already what they told.
pub fn invitation(sizer: Sizer) -> El {
    let state = sizer.state;
    let told = told(sizer);
    // A model's file that waits for the calculator.
    let held = move || {
        let name = |one: &Attachment| matches!(one.progress, Progress::Held(_)).then(|| one.name.clone());
        state.files.all.with(|all| all.iter().find_map(name))
    };
    let words = el("p", "").says(move || {
        let what = held().unwrap_or_else(|| what(sizer, &told.get()));
        state.sentence(&Message::new("calc-invitation").with("what", what))
    });
    let go = el("button", "")
        .attr("type", "button")
        .says(state.label("calc-invitation-go"));
    let go = go.when("click", move |_| sizer.show(true));
    let none = move || held().is_none() && (!state.is_asked() || told.get() == Scenario::default());
    el("section", "told").hidden_if(none).child(words).child(go)
}
