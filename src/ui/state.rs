//! The page's signals: what the reader typed and chose, and what follows from it.

use std::sync::Arc;

use super::files::{Attachment, Files};
use super::settings::{self, THEME, UNITS};
use crate::advice::{Advice, advise};
use crate::diagnosis::{Corrections, Diagnosis, diagnose};
use crate::i18n::{Language, Texts, Units};
use crate::message::Message;
use crate::paste::{Evidence, read};
use leptos::prelude::*;

/// The colours of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// As the system has them.
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    const NAMES: [(Theme, &'static str); 3] = [(Theme::System, ""), (Theme::Light, "light"), (Theme::Dark, "dark")];

    fn saved() -> Theme {
        let name = THEME.read().unwrap_or_default();
        Theme::NAMES
            .iter()
            .find(|theme| theme.1 == name)
            .map_or(Theme::System, |theme| theme.0)
    }

    /// The value of the root's `data-theme`, and of the setting.
    pub fn name(self) -> &'static str {
        Theme::NAMES
            .iter()
            .find(|theme| theme.0 == self)
            .map_or("", |theme| theme.1)
    }
}

/// What follows from a text and its corrections.
pub struct Answer {
    /// Why it failed.
    pub diagnosis: Box<Diagnosis>,
    /// What to do.
    pub advice: Advice,
}

/// Every signal of the page. Copied freely: it holds only their handles.
#[derive(Clone, Copy)]
pub struct State {
    /// The texts shown, with the reader's language and units.
    pub texts: RwSignal<Texts>,
    /// The language asked for, which may still be on its way.
    pub wanted: RwSignal<Language>,
    /// Whether the last language asked for could not be had.
    pub language_failed: RwSignal<bool>,
    /// The texts fetched so far.
    pub loaded: StoredValue<Vec<Texts>>,
    /// Whether the calculator has been opened: its texts are fetched with every language from then on.
    pub opened: StoredValue<bool>,
    /// The colours.
    pub theme: RwSignal<Theme>,
    /// What the reader pasted or typed.
    pub text: RwSignal<String>,
    /// Files and long texts, read beside it.
    pub files: Files,
    /// Whether the box is small, since the answer has the place.
    pub small_box: RwSignal<bool>,
    /// What the reader put right.
    pub corrections: RwSignal<Corrections>,
    /// What the text says, and then the files, in their order.
    pub evidence: Memo<Arc<Evidence>>,
    /// What follows from it.
    pub answer: Memo<Arc<Answer>>,
}

impl State {
    /// The state of a page that opens: with these texts, the saved settings, and what was typed already.
    pub fn new(texts: Texts, typed: String) -> State {
        let units = if UNITS.read().as_deref() == Some("decimal") {
            Units::Decimal
        } else {
            Units::Binary
        };
        let language = texts.format.language;
        let text = RwSignal::new(typed);
        let corrections = RwSignal::new(Corrections::default());
        // Neither is ever compared: they are computed only when what they stand on has changed.
        let files = Files::new();
        let evidence = Memo::new_with_compare(
            move |_| {
                let mut evidence = text.with(|text| read(text));
                files.all.with(|all| {
                    let readings = all.iter().filter_map(Attachment::reading);
                    readings.for_each(|reading| evidence.join(&reading.evidence));
                });
                Arc::new(evidence)
            },
            |_, _| true,
        );
        let answer = Memo::new_with_compare(
            move |_| {
                let evidence = evidence.get();
                corrections.with(|corrections| {
                    let diagnosis = diagnose(&evidence, corrections);
                    let advice = advise(&evidence, &diagnosis, corrections);
                    Arc::new(Answer { diagnosis, advice })
                })
            },
            |_, _| true,
        );
        State {
            loaded: StoredValue::new(vec![texts.clone()]),
            opened: StoredValue::new(false),
            texts: RwSignal::new(texts.with_units(units)),
            wanted: RwSignal::new(language),
            language_failed: RwSignal::new(false),
            theme: RwSignal::new(Theme::saved()),
            text,
            files,
            small_box: RwSignal::new(false),
            corrections,
            evidence,
            answer,
        }
    }

    /// The texts of now; a copy is as good and compiled once.
    #[inline(never)]
    pub fn shown_texts(self) -> Texts {
        self.texts.get()
    }

    /// A label: follows the language.
    pub fn label(self, id: &'static str) -> impl Fn() -> String + Copy + Send + 'static {
        move || self.shown_texts().text(id)
    }

    /// The sentence of a message, in the language of now.
    pub fn sentence(self, message: &Message) -> String {
        self.shown_texts().message(message)
    }

    /// Whether something was typed or read.
    pub fn is_asked(self) -> bool {
        self.text.with(|text| !text.trim().is_empty())
            || self.files.all.with(|all| all.iter().any(|one| one.reading().is_some()))
    }

    /// Takes another text to be read: nothing that was put right holds for it.
    pub fn ask(self, text: String) {
        self.corrections.set(Corrections::default());
        self.text.set(text);
    }

    /// Chooses colours, for now and later.
    pub fn choose_theme(self, theme: Theme) {
        THEME.write(theme.name());
        settings::set_on_root("data-theme", theme.name());
        self.theme.set(theme);
    }

    /// Chooses units, for now and later.
    pub fn choose_units(self, units: Units) {
        UNITS.write(if units == Units::Decimal { "decimal" } else { "" });
        self.texts.update(|texts| texts.format.units = units);
    }
}
