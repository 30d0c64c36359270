//! A number to type, with steps: read in any language's way, and never lost when it can't be read.

use super::dom::{El, el};
use super::follow::follow;
use crate::i18n::{Format, KILO_CONTEXT, KILO_DECIMAL, Texts, Units, parse_bytes, parse_number, parse_whole};
use crate::message::Message;
use crate::ui::State;
use crate::units::{Bytes, GB, GIB, Prefixes};
use leptos::prelude::*;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

/// What is typed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Count,
    /// Tokens: `32k` is 32,768.
    Tokens,
    /// Parameters: `8.03 B`.
    Parameters,
    /// Memory, counted in bytes; a bare number is in the reader's gigabytes.
    Memory,
}

/// How far a step goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To the next value of the grid.
    Up,
    /// To the one before.
    Down,
    /// Far up: Page Up.
    FarUp,
    /// Far down: Page Down.
    FarDown,
}

/// A field.
pub struct NumberField {
    /// The element's id; its note has `-note` behind it.
    pub id: &'static str,
    /// The message of the label.
    pub label: &'static str,
    /// What is typed.
    pub kind: Kind,
    /// The least that counts. Zero also stands for what is not typed, if the field is `optional`.
    pub least: i64,
    /// The most that counts.
    pub most: i64,
    /// Whether it may be empty; that counts as zero.
    pub optional: bool,
    /// What an empty field stands for, as a number; zero for nothing to show.
    pub usual: Box<dyn Fn() -> i64>,
    /// The value of now.
    pub get: Box<dyn Fn() -> i64>,
    /// Takes another value.
    pub set: Box<dyn Fn(i64)>,
    /// The grid: the next value from one that need not lie on it.
    pub step: fn(i64, Step) -> i64,
}

impl NumberField {
    /// The number as it stands in the field; nothing for what is not typed.
    fn print(&self, texts: &Texts, value: i64) -> String {
        let format = texts.format;
        match (self.kind, value) {
            (_, 0) if self.optional => String::new(),
            (Kind::Memory, _) => format.bytes(Bytes(value)),
            (Kind::Parameters, 1_000_000..) if value % 1_000_000 == 0 => {
                let (mut value, mut decimals) = (value / 1_000_000, 3);
                while decimals > 0 && value % 10 == 0 {
                    (value, decimals) = (value / 10, decimals - 1);
                }
                format.number(value, decimals) + "\u{a0}" + &texts.text("calc-billion")
            }
            _ => format.count(value),
        }
    }

    /// The number that a text means.
    fn read(&self, texts: &Texts, text: &str) -> Result<i64, Message> {
        let format = texts.format;
        if self.optional && text.trim().is_empty() {
            return Ok(0);
        }
        let language = format.language;
        let value = match self.kind {
            Kind::Count => parse_whole(language, text, KILO_DECIMAL)?,
            Kind::Tokens => parse_whole(language, text, KILO_CONTEXT)?,
            Kind::Parameters => parse_number(language, text, KILO_DECIMAL)?
                .times(1)
                .map_or(i64::MAX, |count| count.0),
            Kind::Memory => {
                let bare = if format.units == Units::Binary { GIB } else { GB };
                parse_bytes(language, text, bare, Prefixes::Decimal)?.0
            }
        };
        if (self.least..=self.most).contains(&value) {
            return Ok(value);
        }
        let end = |value| self.print(texts, value);
        Err(Message::new("number-out-of-range")
            .with("least", end(self.least))
            .with("most", end(self.most)))
    }
}

/// The field with its label, its steps and the note that says what can't be read.
pub fn number_field(state: State, field: NumberField) -> El {
    let NumberField { id, label, .. } = field;
    let field = Rc::new(field);
    let wrong = RwSignal::new(None::<Message>);
    let note_id = [id, "-note"].concat();
    let input = el("input", "")
        .attr("id", id)
        .attr("inputmode", "decimal")
        .attr("autocomplete", "off");
    let input = input.attr("role", "spinbutton").attr("aria-describedby", &note_id);

    // A value from elsewhere takes the place of the text; the reader's own way of writing the same value stays.
    let (shown, of) = (input.clone(), field.clone());
    let mut before: Option<(i64, Format)> = None;
    follow(move || {
        let now = (of.get)();
        {
            let texts = &state.shown_texts();
            shown.set("placeholder", &of.print(texts, (of.usual)()));
            let stays = match of.read(texts, &shown.input().value()) {
                Ok(value) => value == now && before.is_some_and(|before| before.1 == texts.format),
                Err(_) => before.is_some_and(|before| before.0 == now),
            };
            if !stays {
                shown.input().set_value(&of.print(texts, now));
                wrong.set(None);
            }
            shown.set("aria-valuenow", &now.to_string());
            shown.set("aria-valuetext", &shown.input().value());
            before = Some((now, texts.format));
        }
    });
    let (of, shown) = (field.clone(), input.clone());
    let take = move || {
        let read = of.read(&untrack(|| state.shown_texts()), &shown.input().value());
        match read {
            Ok(value) => {
                wrong.set(None);
                (of.set)(value);
            }
            Err(message) => wrong.set(Some(message)),
        }
    };
    let (of, shown) = (field, input.clone());
    let step = Rc::new(move |step: Step| {
        let now = match untrack(|| (of.get)()) {
            0 if of.optional => untrack(|| (of.usual)()),
            now => now,
        };
        let next = (of.step)(now, step).clamp(of.least, of.most);
        shown
            .input()
            .set_value(&of.print(&untrack(|| state.shown_texts()), next));
        wrong.set(None);
        (of.set)(next);
    });
    let by_key = step.clone();
    let press = move |event: Event| {
        let event: KeyboardEvent = event.unchecked_into();
        let to = match event.key().as_str() {
            "ArrowUp" => Step::Up,
            "ArrowDown" => Step::Down,
            "PageUp" => Step::FarUp,
            "PageDown" => Step::FarDown,
            _ => return,
        };
        event.prevent_default();
        by_key(to);
    };
    let button = |to: Step, sign: &str, says: &'static str| {
        let step = step.clone();
        let name = move || {
            let field = state.shown_texts().text(label);
            state.sentence(&Message::new(says).with("field", field))
        };
        let button = el("button", "")
            .attr("type", "button")
            .attr("tabindex", "-1")
            .live_attr("aria-label", name);
        button.write(sign);
        button.when("click", move |_| step(to))
    };
    let (stepper, shown) = (el("div", "stepper"), input.clone());
    let row = stepper.clone();
    let note = el("p", "note").attr("id", &note_id).says(move || {
        let wrong = wrong.get();
        row.set("class", if wrong.is_some() { "stepper wrong" } else { "stepper" });
        shown.set_flag("aria-invalid", wrong.is_some());
        wrong.map(|message| state.sentence(&message)).unwrap_or_default()
    });
    let input = input.when("input", move |_| take()).when("keydown", press);
    let stepper = stepper
        .child(input)
        .child(button(Step::Down, "−", "calc-less"))
        .child(button(Step::Up, "+", "calc-more"));
    let label = el("label", "").attr("for", id).says(state.label(label));
    el("div", "number").all(&[label, stepper, note])
}

/// Steps by one; the far ones double and halve.
pub fn by_one(value: i64, step: Step) -> i64 {
    match step {
        Step::Up => value.saturating_add(1),
        Step::Down => value.saturating_sub(1),
        Step::FarUp => value.saturating_mul(2),
        Step::FarDown => value / 2,
    }
}

/// Steps along `grid`, an eighth of the power of two below the value where that is more; the far ones double and halve.
pub fn by_eighths(value: i64, step: Step, grid: i64) -> i64 {
    let of = |value: i64| {
        let power = 1i64 << (63 - value.max(1).leading_zeros()).min(62);
        (power / 8 / grid * grid).max(grid)
    };
    match step {
        Step::Up => (value / of(value)).saturating_add(1).saturating_mul(of(value)),
        Step::Down => {
            let grid = of(value.saturating_sub(1));
            (value.saturating_sub(1) / grid).saturating_mul(grid)
        }
        Step::FarUp => value.saturating_mul(2),
        Step::FarDown => value / 2 / grid * grid,
    }
}

/// Steps along the powers of two.
pub fn by_powers(value: i64, step: Step) -> i64 {
    let below = |value: i64| 1i64 << (63 - value.max(1).leading_zeros()).min(61);
    match step {
        Step::Up => below(value).saturating_mul(2),
        Step::Down => below(value.saturating_sub(1)),
        Step::FarUp => below(value).saturating_mul(8),
        Step::FarDown => below(value / 8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stay_on_their_grid() {
        for (value, step, next) in [
            (8192, Step::Up, 9216),
            (8192, Step::Down, 7680),
            (9216, Step::Down, 8192),
            (8000, Step::Up, 8192),
            (256, Step::Down, 0),
            (0, Step::Up, 256),
            (8192, Step::FarUp, 16384),
            (8192, Step::FarDown, 4096),
            (i64::MAX, Step::Up, i64::MAX),
        ] {
            assert_eq!(by_eighths(value, step, 256), next, "{value}");
        }
        for (value, step, next) in [
            (16, Step::Up, 32),
            (16, Step::Down, 8),
            (20, Step::Down, 16),
            (0, Step::Up, 2),
        ] {
            assert_eq!(by_powers(value, step), next, "{value}");
        }
    }
}
