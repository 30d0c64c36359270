//! The texts of one language: Fluent's bundle, fed with figures that are already printed.

use std::sync::Arc;

use fluent_bundle::{FluentArgs, FluentMessage, FluentResource, FluentValue, concurrent::FluentBundle};

use super::format::{Format, Units};
use super::language::{Direction, Language};
use super::runs::{Run, runs};
use crate::message::{Arg, Message};

/// Fluent's bundle, in the kind that may be shared between threads: the page's view closures ask for it.
pub(super) type Bundle = FluentBundle<FluentResource>;

/// Stands for a backtick in an argument while a sentence is split at its own: a code point that is no character.
const ARGUMENTS_BACKTICK: &str = "\u{fdd0}";

/// The texts of one language in the reader's units. Cheap to clone.
#[derive(Clone)]
pub struct Texts {
    bundle: Arc<Bundle>,
    /// Texts that came later.
    more: Option<Arc<Bundle>>,
    /// The language and the units in which figures are printed; to be changed at will.
    pub format: Format,
}

impl Texts {
    /// The texts of a language from its Fluent files, one after another in one string or several. A part that can't be parsed
    /// is left out, the rest stands. Of two messages with one id the first stands.
    pub fn parse<I>(language: Language, files: I) -> Texts
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        Texts {
            bundle: bundle(language, files),
            more: None,
            format: Format {
                language,
                units: Units::default(),
            },
        }
    }

    /// The same texts and those of one file more.
    pub fn and(mut self, file: String) -> Texts {
        self.more = Some(bundle(self.format.language, [file]));
        self
    }

    /// The same texts with memory in other units.
    pub fn with_units(mut self, units: Units) -> Texts {
        self.format.units = units;
        self
    }

    /// Whether there is a text of this id.
    pub fn has(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    /// A message and the bundle that holds it.
    fn find<'a>(&'a self, id: &str) -> Option<(&'a Bundle, FluentMessage<'a>)> {
        let found = |bundle: &'a Bundle| Some((bundle, bundle.get_message(id)?));
        found(&self.bundle).or_else(|| found(self.more.as_deref()?))
    }

    /// The text of an id without arguments; `id.attribute` for one of its attributes. A missing one shows its id in brackets.
    pub fn text(&self, id: &str) -> String {
        self.pattern(id, None)
    }

    /// The sentence of a message, its figures printed in the reader's language and units. Backticks stand around what is code;
    /// where they must not, take [`Texts::runs`].
    pub fn message(&self, message: &Message) -> String {
        self.pattern(message.id, Some(&self.args(message)))
    }

    /// The sentence of a message in stretches of prose and code. Backticks inside an argument are its own.
    pub fn runs(&self, message: &Message) -> Vec<Run> {
        let mut message = message.clone();
        for (_, arg) in &mut message.args {
            if let Arg::Text(text) = arg {
                *text = text.replace('`', ARGUMENTS_BACKTICK);
            }
        }
        let mut runs = runs(&self.message(&message));
        for run in &mut runs {
            run.text = run.text.replace(ARGUMENTS_BACKTICK, "`");
        }
        runs
    }

    /// What is wrong with a message, for tests: an id or an argument that is not there. Empty when all is well.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn faults(&self, message: &Message) -> Vec<String> {
        let Some((bundle, pattern)) = self
            .find(message.id)
            .and_then(|(bundle, found)| Some((bundle, found.value()?)))
        else {
            return vec![format!("{:?} has no message {}", self.format.language, message.id)];
        };
        let mut errors = Vec::new();
        let args = self.args(message);
        bundle.format_pattern(pattern, Some(&args), &mut errors);
        errors
            .iter()
            .map(|error| format!("{:?} {}: {error}", self.format.language, message.id))
            .collect()
    }

    fn args<'a>(&self, message: &'a Message) -> FluentArgs<'a> {
        let mut args = FluentArgs::with_capacity(message.args.len());
        for (name, arg) in &message.args {
            args.set([name, FORM].concat(), self.form(arg));
            args.set(*name, self.value(arg));
        }
        args
    }

    /// What Fluent gets to show: figures already printed.
    fn value<'a>(&self, arg: &'a Arg) -> FluentValue<'a> {
        let printed = match arg {
            Arg::Bytes(bytes) => self.format.bytes(*bytes),
            Arg::CardGb(gigabytes) => self.format.card_gb(*gigabytes),
            Arg::Count(count) => self.format.number(*count, 0),
            Arg::Number(value, decimals) => self.format.number(*value, *decimals),
            Arg::PerMille(share) => self.format.percent(*share),
            Arg::EuroCents(cents) => self.format.euro_cents(*cents),
            Arg::Text(text) => return FluentValue::from(text.as_str()),
        };
        FluentValue::from(printed)
    }

    /// What Fluent gets to choose by: the plural of a number, a text itself.
    fn form<'a>(&self, arg: &'a Arg) -> FluentValue<'a> {
        let plural = |value: i64, decimals| (self.format.language.0.plural)(value.unsigned_abs(), decimals);
        FluentValue::from(match arg {
            Arg::Count(count) => plural(*count, 0),
            Arg::Number(value, decimals) => plural(*value, *decimals),
            Arg::Text(text) => text,
            _ => "",
        })
    }

    fn pattern(&self, id: &str, args: Option<&FluentArgs>) -> String {
        let (message, attribute) = match id.split_once('.') {
            Some((message, attribute)) => (message, Some(attribute)),
            None => (id, None),
        };
        let pattern = self.find(message).and_then(|(bundle, message)| {
            let pattern = match attribute {
                Some(attribute) => message.get_attribute(attribute).map(|attribute| attribute.value()),
                None => message.value(),
            };
            Some((bundle, pattern?))
        });
        match pattern {
            Some((bundle, pattern)) => bundle.format_pattern(pattern, args, &mut Vec::new()).into_owned(),
            None => ["[", id, "]"].concat(),
        }
    }
}

fn bundle<I>(language: Language, files: I) -> Arc<Bundle>
where
    I: IntoIterator,
    I::Item: Into<String>,
{
    // Of a language Fluent would need to know the plural alone, which is chosen here.
    let mut bundle = Bundle::new_concurrent(Vec::new());
    // Marks around each figure would be copied along with it; only between two directions of writing are they needed.
    bundle.set_use_isolating(language.direction() == Direction::RightToLeft);
    for file in files {
        let resource = FluentResource::try_new(by_form(&file.into())).unwrap_or_else(|(resource, _)| resource);
        // An id told twice: the files' test names it.
        let _ = bundle.add_resource(resource);
    }
    Arc::new(bundle)
}

/// Behind the name of an argument: what a sentence is chosen by.
const FORM: &str = "-form";

/// A file's texts with every choice made by the argument's form: `{ $count ->` becomes `{ $count-form ->`. The arrow stands
/// nowhere else in Fluent; a test keeps it out of the sentences.
fn by_form(file: &str) -> String {
    file.replace(" ->", "-form ->")
}

/// The texts that are built into this program; the page fetches them instead.
#[cfg(not(target_arch = "wasm32"))]
pub fn embedded(language: Language) -> Texts {
    Texts::parse(language, language.0.files.iter().map(|(_, text)| *text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Locale;
    use crate::i18n::Numbers;
    use crate::units::Bytes;
    use proptest::prelude::*;

    const SAMPLE: &str = "
greeting = Hello
    .hint = A hint
short = { $free } is free, { $asked } was asked for.
cards = { $n ->
    [one] { $n } card
   *[other] { $n } cards
}
tuned = Add `{ $flag }` or `--lowvram`.
all = { $a } { $b } { $c } { $d } { $e }
";

    fn english() -> Texts {
        Texts::parse(Language::ENGLISH, [SAMPLE])
    }

    fn french(ftl: &str) -> Texts {
        Texts::parse(Language::FRENCH, [ftl])
    }

    #[test]
    fn texts_attributes_and_figures() {
        let texts = english();
        assert_eq!(texts.text("greeting"), "Hello");
        assert_eq!(texts.text("greeting.hint"), "A hint");
        let message = Message::new("short")
            .with("free", Bytes(1_202_590_843))
            .with("asked", Bytes::gib(2));
        assert_eq!(texts.message(&message), "1.12 GiB is free, 2.00 GiB was asked for.");
        assert_eq!(
            texts.with_units(Units::Decimal).message(&message),
            "1.20 GB is free, 2.15 GB was asked for."
        );
    }

    #[test]
    fn every_kind_of_argument() {
        let message = Message::new("all")
            .with("a", Arg::CardGb(24))
            .with("b", Arg::Number(-450, 2))
            .with("c", Arg::PerMille(125))
            .with("d", Arg::EuroCents(59))
            .with("e", "torch 2.1");
        assert_eq!(english().message(&message), "24 GB -4.50 12.5% €0.59 torch 2.1");
        let french = french("all = { $a } { $b } { $c } { $d } { $e }");
        assert_eq!(
            french.message(&message),
            "24\u{a0}Go -4,50 12,5\u{a0}% 0,59\u{a0}€ torch 2.1"
        );
    }

    #[test]
    fn plurals_by_count_and_grouped() {
        let texts = french("cartes = { $n ->\n    [one] { $n } carte\n   *[other] { $n } cartes\n}");
        let cases = [
            (0, "0 cards", "0 carte"),
            (1, "1 card", "1 carte"),
            (2, "2 cards", "2 cartes"),
            (32_768, "32,768 cards", "32\u{202f}768 cartes"),
            (1_000_000, "1,000,000 cards", "1\u{202f}000\u{202f}000 cartes"),
            (
                i64::MAX,
                "9,223,372,036,854,775,807 cards",
                "9\u{202f}223\u{202f}372\u{202f}036\u{202f}854\u{202f}775\u{202f}807 cartes",
            ),
        ];
        for (count, in_english, in_french) in cases {
            assert_eq!(english().message(&Message::new("cards").with("n", count)), in_english);
            assert_eq!(texts.message(&Message::new("cartes").with("n", count)), in_french);
        }
        let half_more = Message::new("cartes").with("n", Arg::Number(15, 1));
        assert_eq!(texts.message(&half_more), "1,5 carte");
    }

    #[test]
    fn what_is_missing_is_shown_and_never_panics() {
        let texts = english();
        assert_eq!(texts.text("nowhere"), "[nowhere]");
        assert_eq!(texts.text("greeting.nowhere"), "[greeting.nowhere]");
        assert_eq!(texts.text(""), "[]");
        assert_eq!(
            texts.message(&Message::new("short")),
            "{$free} is free, {$asked} was asked for."
        );
        assert_eq!(texts.message(&Message::new("cards")), "{$n} cards");
        assert!(texts.has("short") && !texts.has("nowhere"));
        let half = Message::new("short").with("free", Bytes::ZERO);
        assert_eq!(
            texts.faults(&half),
            ["en short: Resolver error: Unknown variable: $asked"]
        );
        assert_eq!(texts.faults(&half.with("asked", Bytes::ZERO)), [""; 0]);
        assert_eq!(texts.faults(&Message::new("nowhere")), ["en has no message nowhere"]);
    }

    #[test]
    fn one_broken_message_loses_no_other() {
        let texts = Texts::parse(
            Language::ENGLISH,
            ["a = A\nbroken = { $x\nb = B\n= nothing\nc = C", "a = again\nd = D"],
        );
        for (id, text) in [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")] {
            assert_eq!(texts.text(id), text);
        }
    }

    #[test]
    fn code_in_a_sentence_and_backticks_in_an_argument() {
        let runs = english().runs(&Message::new("tuned").with("flag", "a`b"));
        let shown: Vec<_> = runs.iter().map(|run| (run.code, run.text.as_str())).collect();
        assert_eq!(
            shown,
            [
                (false, "Add "),
                (true, "a`b"),
                (false, " or "),
                (true, "--lowvram"),
                (false, ".")
            ]
        );
    }

    static MADE_UP_NUMBERS: Numbers = Numbers {
        point: "·",
        group: "’",
        unit_space: "",
        ..Numbers::ENGLISH
    };
    static MADE_UP: Locale = Locale {
        code: "qps",
        name: "[!!! Mádé úp !!!]",
        direction: Direction::RightToLeft,
        numbers: &MADE_UP_NUMBERS,
        plural: crate::i18n::plural::english,
        files: &[],
    };

    /// English files with accents on what is text, and none on ids and what stands in braces.
    fn accented(ftl: &str) -> String {
        let mut depth = 0;
        let mut is_text = false;
        let accent = |c| {
            match c {
                '\n' => is_text = false,
                '=' | ' ' if depth == 0 => is_text = true,
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            match "aeiouáéíóú".chars().position(|vowel| vowel == c) {
                Some(place) if is_text && depth == 0 && place < 5 => "áéíóú".chars().nth(place).unwrap_or(c),
                _ => c,
            }
        };
        ftl.chars().map(accent).collect()
    }

    #[test]
    fn a_language_is_its_files_and_a_line_of_the_register() {
        let language = Language(&MADE_UP);
        let texts = Texts::parse(
            language,
            Language::ENGLISH.0.files.iter().map(|(_, text)| accented(text)),
        );
        assert_eq!(texts.text("page-skip"), "Skíp tó thé cóntént");
        assert_eq!(language.direction().html(), "rtl");
        assert_eq!(texts.format.bytes(Bytes::gib(1234)), "1’234·00GiB");
        // Between two directions of writing each figure is set apart.
        let shown = texts.message(&Message::new("number-too-large").with("seen", 12_345));
        assert!(shown.starts_with("“\u{2068}12’345\u{2069}” ís tóó lárgé"), "{shown}");
    }

    proptest! {
        #[test]
        fn no_text_and_no_figure_panics(ftl in ".{0,200}", id in ".{0,20}", value: i64, decimals: u32) {
            let texts = Texts::parse(Language::FRENCH, [ftl]);
            texts.text(&id);
            let message = Message::new("cards").with("n", Arg::Number(value, decimals));
            english().message(&message);
            english().message(&Message::new("cards").with("n", value));
        }

        #[test]
        fn numbers_in_a_sentence_print_as_elsewhere(value: i64, decimals in 0u32..8) {
            let texts = french("n = { $n }");
            let shown = texts.message(&Message::new("n").with("n", Arg::Number(value, decimals)));
            prop_assert_eq!(shown, texts.format.number(value, decimals));
        }
    }
}
