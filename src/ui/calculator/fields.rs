//! Inputs as tables: a new one is a row. What matters to the job is in sight, and so is what was set, by hand or by a link.

use super::defaults::name_of;
use super::from_paste::{Source, sources};
use super::levers::answers;
use super::sizer::{How, Sizer, usual};
use crate::i18n::Texts;
use crate::message::Message;
use crate::scenario::{KEYS, Scenario};
use crate::ui::components::{
    El, Field, Holder, NumberField, Picker, SelectField, el, follow, number_field, picker, select_field,
};
use leptos::prelude::*;
use std::sync::Arc;

/// A number of the scenario.
pub type Number = NumberField<Scenario>;
/// A list of the scenario.
pub type List = SelectField<Scenario>;
/// A model or a card of the scenario.
pub type Pick = Picker<Scenario>;

/// What is turned, typed or picked.
pub enum Control {
    /// A number to type.
    Number(Number),
    /// A list to choose from.
    List(List),
    /// A name to find.
    Pick(Pick),
}

/// One input.
pub struct Input {
    /// The link's key that it sets.
    pub key: &'static str,
    /// How.
    pub control: Control,
    /// The jobs to which it matters.
    pub when: fn(&Scenario) -> bool,
}

impl Input {
    /// A number that always matters.
    pub const fn number(key: &'static str, number: Number) -> Input {
        Input {
            key,
            control: Control::Number(number),
            when: |_| true,
        }
    }

    /// A list that always matters.
    pub const fn list(key: &'static str, list: List) -> Input {
        Input {
            key,
            control: Control::List(list),
            when: |_| true,
        }
    }

    /// A name to find that always matters.
    pub const fn pick(key: &'static str, pick: Pick) -> Input {
        Input {
            key,
            control: Control::Pick(pick),
            when: |_| true,
        }
    }

    /// Matters only to these jobs.
    pub const fn only(self, when: fn(&Scenario) -> bool) -> Input {
        Input { when, ..self }
    }
}

impl Holder<Scenario> for Sizer {
    fn look(self, look: &mut dyn FnMut(&Scenario)) {
        self.edited().with(|scenario| look(scenario));
    }

    fn change(self, typed: bool, change: &dyn Fn(&mut Scenario)) {
        self.edit(if typed { How::Typed } else { How::Picked }, change);
    }
}

/// Inputs, and the jobs that have them at all.
pub type Table = (&'static [Input], fn(&Scenario) -> bool);

/// An input in the page.
struct Row {
    input: &'static Input,
    of: fn(&Scenario) -> bool,
    /// The value of its key, and what that is unless it is set.
    get: fn(&Scenario) -> String,
    usual: String,
    field: Field<Scenario>,
    /// What the engine calls it.
    name: El,
    named: &'static str,
    /// Where the text that was pasted says so.
    source: El,
    said: String,
    hidden: Option<bool>,
}

impl Row {
    fn new(sizer: Sizer, input: &'static Input, of: fn(&Scenario) -> bool) -> Row {
        let Field { element, update } = match &input.control {
            Control::Number(number) => number_field(sizer.state, number, sizer),
            Control::List(list) => select_field(sizer.state, list, sizer),
            Control::Pick(pick) => picker(sizer.state, pick, sizer),
        };
        let get = KEYS
            .iter()
            .find(|key| key.key == input.key)
            .map_or((|_| String::new()) as fn(&Scenario) -> String, |key| key.get);
        let (name, source) = (el("code", "option"), el("p", "source"));
        source.hide(true);
        name.hide(true);
        Row {
            input,
            of,
            get,
            usual: get(usual()),
            field: Field {
                element: element.child(name.clone()).child(source.clone()),
                update,
            },
            name,
            named: "",
            source,
            said: String::new(),
            hidden: None,
        }
    }

    fn is_set(&self, scenario: &Scenario) -> bool {
        (self.of)(scenario) && (self.get)(scenario) != self.usual
    }

    /// Brings it up to date; tells whether it is in sight.
    fn update(&mut self, texts: &Texts, scenario: &Scenario, told: &[Source]) -> bool {
        let shown = (self.of)(scenario) && ((self.input.when)(scenario) || self.is_set(scenario));
        if self.hidden != Some(!shown) {
            self.field.element.hide(!shown);
            self.hidden = Some(!shown);
        }
        if shown {
            (self.field.update)(texts, scenario);
            self.name_source(texts, scenario, told);
            let named = match answers(scenario) {
                true => name_of(self.input.key, scenario.engine),
                false => "",
            };
            if named != self.named {
                self.named = named;
                self.name.write(named);
                self.name.hide(named.is_empty());
            }
        }
        shown
    }

    fn name_source(&mut self, texts: &Texts, scenario: &Scenario, told: &[Source]) {
        let said = told
            .iter()
            .find(|told| told.key == self.input.key)
            .map_or(String::new(), |told| {
                let id = match (self.get)(scenario) == told.value {
                    true => "calc-source",
                    false => "calc-source-other",
                };
                texts.message(&Message::new(id).with("text", told.text.clone()))
            });
        if said != self.said {
            self.source.write(&said);
            self.source.hide(said.is_empty());
            self.said = said;
        }
    }
}

/// Inputs side by side.
pub fn fields(sizer: Sizer, tables: &[Table]) -> El {
    group(sizer, tables, None)
}

/// Where it is told how many inputs of a folded place are set.
struct Count {
    details: El,
    set: El,
}

fn group(sizer: Sizer, tables: &[Table], count: Option<Count>) -> El {
    let rows = tables
        .iter()
        .flat_map(|(inputs, of)| inputs.iter().map(|input| Row::new(sizer, input, *of)));
    let mut rows: Vec<Row> = rows.collect();
    let elements: Vec<El> = rows.iter().map(|row| row.field.element.clone()).collect();
    let element = el("div", "fields").all(&elements);
    let folded = count.as_ref().map(|count| count.details.clone());
    let place = folded.unwrap_or_else(|| element.clone());
    let mut hidden = None;
    let mut counted = None;
    // Not a memo: each kind of those is code of the first view.
    let mut told = Vec::new();
    let mut asked = None;
    follow(move || {
        sizer.edited().with(|scenario| {
            let texts = sizer.texts();
            let answer = sizer.state.answer.get();
            if !asked.as_ref().is_some_and(|before| Arc::ptr_eq(before, &answer)) {
                told = sources(sizer.state);
                asked = Some(answer);
            }
            let mut any = false;
            for row in &mut rows {
                any |= row.update(&texts, scenario, &told);
            }
            if hidden != Some(!any) {
                hidden = Some(!any);
                place.hide(!any);
            }
            let Some(count) = &count else { return };
            let set = rows.iter().filter(|row| row.is_set(scenario)).count() as i64;
            let now = Some((set, texts.format.language));
            if now != counted {
                counted = now;
                count.set.write(&match set {
                    0 => String::new(),
                    set => texts.message(&Message::new("calc-set").with("count", set)),
                });
            }
        });
    });
    element
}

/// Inputs folded under a heading, which tells how many are set, with a sentence before them or none; out of sight where none
/// matters.
pub fn folded(sizer: Sizer, label: fn(&Scenario) -> &'static str, hint: Option<&'static str>, tables: &[Table]) -> El {
    let (details, set) = (el("details", ""), el("span", "sureness"));
    let words = move || sizer.texts().text(sizer.edited().with(label));
    let summary = el("summary", "").child(el("span", "").says(words)).child(set.clone());
    let count = Count {
        details: details.clone(),
        set,
    };
    let inputs = group(sizer, tables, Some(count));
    let hint = hint.map(|hint| el("p", "small quiet").says(sizer.state.label(hint)));
    details.child(summary).maybe(hint).child(inputs)
}
