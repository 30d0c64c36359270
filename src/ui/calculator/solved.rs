//! What would fit: each lever's best value, sure by the high end and likely by the middle, each to be applied.

use super::card_picker::sold_as;
use super::names::format_name;
use super::sizer::{How, Result, Sizer};
use crate::catalog::Card;
use crate::i18n::{Format, Texts};
use crate::message::Message;
use crate::scenario::{CardKind, Cards, Scenario};
use crate::sizing::{By, Lever, Value};
use crate::ui::components::{El, el, follow};
use leptos::prelude::*;

/// A value in words.
pub fn value_name(texts: &Texts, value: Value) -> String {
    match value {
        Value::Count(count) => texts.format.count(count),
        Value::Format(format) => format_name(format),
        Value::Cache(format) => format.id.to_owned(),
        Value::Size(width, height) => [width, height].map(|side| side.to_string()).join("×"),
    }
}

/// The name of a lever, or of the card.
pub fn lever_name(texts: &Texts, lever: Option<Lever>) -> String {
    texts.message(&Message::new("size-lever").with("lever", lever.map_or("card", Lever::id)))
}

/// What a button sets.
#[derive(Clone, Copy, PartialEq)]
enum Set {
    Lever(Lever, Value),
    Card(&'static Card),
}

impl Set {
    /// What was found for a lever, or for the card, by an end of the range.
    fn of(result: &Result, lever: Option<Lever>, by: By) -> Option<Set> {
        let Some(lever) = lever else {
            return result.smallest[usize::from(by == By::Mid)].map(Set::Card);
        };
        let found = result.solved.iter().find(|found| found.lever == lever)?;
        let solution = if by == By::High { found.high } else { found.mid };
        Some(Set::Lever(lever, solution?.value))
    }

    fn apply(self, scenario: &mut Scenario) {
        match self {
            Set::Lever(lever, value) => lever.set(scenario, value),
            Set::Card(card) => {
                let count = scenario.card_count();
                scenario.cards = vec![Cards {
                    kind: CardKind::Known(card),
                    count,
                }];
            }
        }
    }

    /// Whether the scenario has it already.
    fn is_applied(self, scenario: &Scenario) -> bool {
        let mut after = scenario.clone();
        self.apply(&mut after);
        after == *scenario
    }

    fn name(self, texts: &Texts) -> String {
        match self {
            Set::Lever(_, value) => value_name(texts, value),
            Set::Card(card) => sold_as(texts, card),
        }
    }
}

/// The table, a row for each lever that the job has, and last the card; nothing without a card.
pub fn solved(sizer: Sizer) -> El {
    let state = sizer.state;
    let head = |id| el("th", "").attr("scope", "col").says(state.label(id));
    let heads = [el("td", ""), head("calc-solved-high"), head("calc-solved-mid")];
    let body = el("tbody", "");
    let table = el("table", "")
        .child(el("thead", "").child(el("tr", "").all(&heads)))
        .child(body.clone());
    let section = el("section", "solved");
    let shown = section.clone();
    let mut rows: Vec<Row> = Vec::new();
    let mut hidden = None;
    follow(move || {
        let result = sizer.result();
        let none = result.solved.is_empty();
        if hidden != Some(none) {
            hidden = Some(none);
            shown.hide(none);
        }
        if none {
            return;
        }
        let texts = sizer.texts();
        let levers = || result.solved.iter().map(|found| Some(found.lever)).chain([None]);
        if !rows.iter().map(|row| row.lever).eq(levers()) {
            rows = levers().map(|lever| Row::new(sizer, lever)).collect();
            body.fill(&rows.iter().map(|row| row.element.clone()).collect::<Vec<_>>());
        }
        sizer.edited().with(|scenario| {
            rows.iter_mut().for_each(|row| row.update(&texts, scenario, &result));
        });
    });
    section
        .child(el("h3", "").says(state.label("calc-solved")))
        .child(table)
}

/// A lever in the table.
struct Row {
    lever: Option<Lever>,
    element: El,
    name: El,
    cells: [Cell; 2],
    language: Option<Format>,
}

impl Row {
    fn new(sizer: Sizer, lever: Option<Lever>) -> Row {
        let name = el("th", "").attr("scope", "row");
        let cells = [By::High, By::Mid].map(|by| Cell::new(sizer, lever, by));
        Row {
            lever,
            element: el("tr", "")
                .child(name.clone())
                .all(&cells.each_ref().map(|cell| cell.element.clone())),
            name,
            cells,
            language: None,
        }
    }

    fn update(&mut self, texts: &Texts, scenario: &Scenario, result: &Result) {
        if self.language != Some(texts.format) {
            self.language = Some(texts.format);
            self.name.write(&lever_name(texts, self.lever));
        }
        let [surely, likely] = [By::High, By::Mid].map(|by| Set::of(result, self.lever, by));
        let [first, second] = &mut self.cells;
        first.update(texts, scenario, surely);
        second.update(texts, scenario, likely);
        // What is as good either way is offered once, across both columns.
        if second.hidden != Some(surely == likely) {
            second.hidden = Some(surely == likely);
            second.element.hide(surely == likely);
            first.element.set("colspan", if surely == likely { "2" } else { "" });
        }
    }
}

/// A value as a button that applies it; a word where none fits.
struct Cell {
    lever: Option<Lever>,
    element: El,
    button: El,
    /// The value, what the button does, and to which lever.
    words: [El; 3],
    none: El,
    shown: Option<(Option<Set>, bool, Format)>,
    hidden: Option<bool>,
}

impl Cell {
    fn new(sizer: Sizer, lever: Option<Lever>, by: By) -> Cell {
        let words = [el("span", "figure"), el("span", "apply"), el("span", "vh")];
        let [value, word, what] = words.clone();
        let none = el("span", "quiet");
        let button = el("button", "")
            .attr("type", "button")
            .child(value)
            .text(" ")
            .child(word)
            .child(what);
        let button = button.when("click", move |_| {
            if let Some(set) = untrack(|| Set::of(&sizer.result(), lever, by)) {
                sizer.edit(How::Picked, &|scenario| set.apply(scenario));
            }
        });
        Cell {
            lever,
            element: el("td", "").child(button.clone()).child(none.clone()),
            button,
            words,
            none,
            shown: None,
            hidden: None,
        }
    }

    fn update(&mut self, texts: &Texts, scenario: &Scenario, set: Option<Set>) {
        let applied = set.is_some_and(|set| set.is_applied(scenario));
        let now = Some((set, applied, texts.format));
        if now == self.shown {
            return;
        }
        self.shown = now;
        self.button.hide(set.is_none());
        self.none.hide(set.is_some());
        let Some(set) = set else {
            return self.none.write(&texts.text("calc-nothing-fits"));
        };
        self.button.set_flag("aria-pressed", applied);
        let lever = Message::new("calc-apply-what").with("lever", lever_name(texts, self.lever));
        let words = [
            set.name(texts),
            texts.text(if applied { "calc-applied" } else { "calc-apply" }),
            texts.message(&lever),
        ];
        for (place, words) in self.words.iter().zip(&words) {
            place.write(words);
        }
    }
}
