//! A number to type, with steps: read in any language's way, and never lost when it can't be read.

use super::dom::el;
use super::field::{Field, Holder};
use crate::catalog::Version;
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
    /// A share, counted in tenths of a percent: `0.92`, `92 %` and `92` are the same.
    Share,
    /// A program's version, by its number.
    Version,
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

/// A number of a `T`.
#[derive(Clone, Copy)]
pub struct NumberField<T: 'static> {
    /// The element's id, and the message of its label; its notes have `-note` and `-hint` behind it.
    pub id: &'static str,
    /// What is typed.
    pub kind: Kind,
    /// The least that counts.
    pub least: i64,
    /// The most that counts.
    pub most: i64,
    /// The value that an empty field stands for, if it may be empty.
    pub empty: Option<i64>,
    /// Reads it.
    pub get: fn(&T) -> i64,
    /// Sets it.
    pub set: fn(&mut T, i64),
    /// What is meant where it is empty; as little as `empty` for nothing to show.
    pub usual: fn(&T) -> i64,
    /// What is said beside it.
    pub hint: fn(&Texts, &T) -> String,
    /// The grid: the next value from one that need not lie on it.
    pub step: fn(i64, Step) -> i64,
}

impl<T> NumberField<T> {
    /// The number as it stands in the field; nothing for what is not typed.
    fn print(&self, texts: &Texts, value: i64) -> String {
        let format = texts.format;
        match (self.kind, value) {
            (_, value) if self.empty == Some(value) => String::new(),
            (Kind::Memory, _) => format.bytes(Bytes(value)),
            (Kind::Parameters, 1_000_000..) if value % 1_000_000 == 0 => {
                let (mut value, mut decimals) = (value / 1_000_000, 3);
                while decimals > 0 && value % 10 == 0 {
                    (value, decimals) = (value / 10, decimals - 1);
                }
                format.number(value, decimals) + "\u{a0}" + &texts.text("calc-billion")
            }
            (Kind::Share, _) => share(format, value),
            (Kind::Version, _) => Version::of_number(value).write(),
            _ => format.count(value),
        }
    }

    /// The number that a text means.
    fn read(&self, texts: &Texts, text: &str) -> Result<i64, Message> {
        let format = texts.format;
        if let Some(empty) = self.empty.filter(|_| text.trim().is_empty()) {
            return Ok(empty);
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
            Kind::Share => {
                let bare = text.trim().trim_end_matches('%');
                let number = parse_number(language, bare, KILO_DECIMAL)?;
                let of = |scale| number.times(scale).map_or(i64::MAX, |Bytes(count)| count);
                // A share is at most one; what is more is in percent.
                if bare.len() < text.trim().len() || of(1000) > 1000 {
                    of(10)
                } else {
                    of(1000)
                }
            }
            Kind::Version => {
                let seen: String = text.trim().chars().take(40).collect();
                let unreadable = || Message::new("calc-version-unreadable").with("seen", seen);
                Version::read(text.trim()).ok_or_else(unreadable)?.number()
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

/// A share of so many tenths of a percent: `0.92`, `0.925`.
pub fn share(format: Format, thousandths: i64) -> String {
    if thousandths % 10 == 0 {
        format.number(thousandths / 10, 2)
    } else {
        format.number(thousandths, 3)
    }
}

/// The field with its label, its steps, what is said beside it, and the note that says what can't be read.
pub fn number_field<T>(state: State, field: &'static NumberField<T>, of: impl Holder<T>) -> Field<T> {
    let id = field.id;
    let wrong = RwSignal::new(None::<Message>);
    let [note_id, hint_id] = ["-note", "-hint"].map(|end| [id, end].concat());
    let input = el("input", "")
        .attr("id", id)
        .attr(
            "inputmode",
            if field.kind == Kind::Version { "text" } else { "decimal" },
        )
        .attr("autocomplete", "off");
    let input = input
        .attr("role", "spinbutton")
        .attr("aria-describedby", &[&note_id, " ", &hint_id].concat());
    let hint = el("p", "hint").attr("id", &hint_id);

    // A value from elsewhere takes the place of the text; the reader's own way of writing the same value stays.
    let (shown, said) = (input.clone(), hint.clone());
    let mut before: Option<(i64, i64, Format)> = None;
    let mut hinted = String::new();
    let update = move |texts: &Texts, of: &T| {
        let hint = (field.hint)(texts, of);
        if hint != hinted {
            said.write(&hint);
            hinted = hint;
        }
        let now = ((field.get)(of), (field.usual)(of), texts.format);
        if before == Some(now) {
            return;
        }
        let stays = match field.read(texts, &shown.input().value()) {
            Ok(value) => value == now.0 && before.is_some_and(|before| before.2 == now.2),
            Err(_) => before.is_some_and(|before| before.0 == now.0),
        };
        if !stays {
            shown.input().set_value(&field.print(texts, now.0));
            wrong.set(None);
        }
        let usual = match field.kind {
            Kind::Version => texts.text("calc-newest"),
            // Rounded, or there is no room for it.
            Kind::Parameters => field.print(texts, now.1 / 1_000_000 * 1_000_000),
            _ => field.print(texts, now.1),
        };
        shown.set("placeholder", &usual);
        shown.set("aria-valuenow", &now.0.to_string());
        let typed = shown.input().value();
        shown.set("aria-valuetext", if typed.is_empty() { &usual } else { &typed });
        before = Some(now);
    };
    let shown = input.clone();
    let take = move || {
        let typed = shown.input().value();
        shown.set("aria-valuetext", &typed);
        let read = field.read(&untrack(|| state.shown_texts()), &typed);
        match read {
            Ok(value) => {
                wrong.set(None);
                of.change(true, &|of| (field.set)(of, value));
            }
            Err(message) => wrong.set(Some(message)),
        }
    };
    let shown = input.clone();
    let step = Rc::new(move |step: Step| {
        let mut now = 0;
        untrack(|| {
            of.look(&mut |of| {
                now = match (field.get)(of) {
                    now if field.empty == Some(now) => (field.usual)(of),
                    now => now,
                }
            })
        });
        let next = (field.step)(now, step).clamp(field.least, field.most);
        shown
            .input()
            .set_value(&field.print(&untrack(|| state.shown_texts()), next));
        wrong.set(None);
        of.change(true, &|of| (field.set)(of, next));
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
            let field = state.shown_texts().text(id);
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
    let label = el("label", "").attr("for", id).says(state.label(id));
    Field {
        element: el("div", "number").all(&[label, stepper, note, hint]),
        update: Box::new(update),
    }
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
