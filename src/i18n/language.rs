//! The register of languages, one line each, and which of them a reader gets.

use super::format::Numbers;
use super::plural::{self, Plural};

/// Hands the names of the text files to another macro; the one place that lists them. `locales/LANG/NAME.ftl` must exist in
/// every language.
macro_rules! panels {
    ($then:ident $($before:tt)*) => { $then!($($before)* "page" "ui" "files" "units" "pytorch" "diagnosis" "advice" "explain" "link" "vllm" "serving" "llama_cpp" "ollama" "libraries" "frameworks" "host" "monitors" "image_tools" "sizing" "calculator" "own") };
}

/// The names given, as a slice.
macro_rules! names {
    ($($name:literal)*) => { &[$($name),*] };
}

/// The texts of one language's files, as a slice of name and text.
#[cfg(not(target_arch = "wasm32"))]
macro_rules! files {
    ($code:literal $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../locales/", $code, "/", $name, ".ftl")))),*]
    };
}

/// One language of the register: its code (the folder in `locales/`), its name in itself, its direction, its numbers, its plural.
macro_rules! locale {
    ($code:literal, $name:literal, $direction:ident, $numbers:path, $plural:path) => {
        Locale {
            code: $code,
            name: $name,
            direction: Direction::$direction,
            numbers: &$numbers,
            plural: $plural,
            #[cfg(not(target_arch = "wasm32"))]
            files: panels!(files $code),
        }
    };
}

/// The register. The first is the language of those who ask for none that is here.
static LOCALES: [Locale; 2] = [
    locale!("en", "English", LeftToRight, Numbers::ENGLISH, plural::english),
    locale!("fr", "Français", LeftToRight, Numbers::FRENCH, plural::french),
];

/// The names of the files in `locales/LANG/`, without `.ftl`, in the order in which they are read.
pub const PANELS: &[&str] = panels!(names);

/// The way a language is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// As English; HTML's `ltr`.
    LeftToRight,
    /// As Arabic; HTML's `rtl`.
    RightToLeft,
}

impl Direction {
    /// The value of HTML's `dir`.
    pub fn html(self) -> &'static str {
        match self {
            Direction::LeftToRight => "ltr",
            Direction::RightToLeft => "rtl",
        }
    }
}

/// What the register holds about a language. A test may make one up.
pub struct Locale {
    /// The primary language subtag (BCP 47), the folder in `locales/` and in the address.
    pub code: &'static str,
    /// The language's name in itself.
    pub name: &'static str,
    /// The way it is written.
    pub direction: Direction,
    /// Its numbers, units and money.
    pub numbers: &'static Numbers,
    /// Which form of a sentence goes with a number.
    pub plural: Plural,
    /// The texts, by the names of [`PANELS`]; the page fetches them instead.
    #[cfg(not(target_arch = "wasm32"))]
    pub files: &'static [(&'static str, &'static str)],
}

/// A language, as small as a pointer.
#[derive(Clone, Copy)]
pub struct Language(pub &'static Locale);

impl Language {
    /// English, the language of those who ask for none that is here.
    pub const ENGLISH: Language = Language(&LOCALES[0]);
    /// French.
    pub const FRENCH: Language = Language(&LOCALES[1]);

    /// Every language of the register, in its order.
    pub fn all() -> impl Iterator<Item = Language> {
        LOCALES.iter().map(Language)
    }

    /// The language of a tag such as `fr`, `fr-CA` (BCP 47) or `fr_FR.UTF-8` (POSIX): its first part decides, in any case.
    pub fn from_tag(tag: &str) -> Option<Language> {
        let primary = tag.trim().split(['-', '_', '.', '@']).next().unwrap_or_default();
        Language::all().find(|language| language.code().eq_ignore_ascii_case(primary))
    }

    /// The primary language subtag, as HTML's `lang` takes it.
    pub fn code(self) -> &'static str {
        self.0.code
    }

    /// The language's name in itself.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The way the language is written.
    pub fn direction(self) -> Direction {
        self.0.direction
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.code() == other.code()
    }
}

impl Eq for Language {}

impl std::fmt::Debug for Language {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.code())
    }
}

/// The language a reader gets: the one asked for, else that of the page's own folder, else the choice saved before, else the
/// first of the browser's list that is here, else English. A tag of no language here counts as none.
///
/// - `asked`: the address's `?lang=` ([`asked_in`]), or the command line's `--lang`
/// - `folder`: the folder of the page, `fr` where it was opened as `/fr/`
/// - `saved`: the code kept from an earlier choice
/// - `browser`: the browser's languages, best first
pub fn choose<S: AsRef<str>>(
    asked: Option<&str>,
    folder: Option<&str>,
    saved: Option<&str>,
    browser: &[S],
) -> Language {
    let wishes = [asked, folder, saved].into_iter().flatten();
    let mut wishes = wishes.chain(browser.iter().map(AsRef::as_ref));
    wishes.find_map(Language::from_tag).unwrap_or(Language::ENGLISH)
}

/// The value of `lang` in an address's query, with or without its `?`.
pub fn asked_in(query: &str) -> Option<&str> {
    query
        .trim_start_matches('?')
        .split('&')
        .find_map(|pair| pair.strip_prefix("lang="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tags_first_part_decides() {
        for tag in ["fr", "FR", "fr-CA", "fr_FR.UTF-8", "fr@euro", " fr "] {
            assert_eq!(Language::from_tag(tag), Some(Language::FRENCH), "{tag}");
        }
        for tag in ["", "-", "fra", "frr-DE", "f", "C.UTF-8", "中文"] {
            assert_eq!(Language::from_tag(tag), None, "{tag}");
        }
        assert_eq!(Language::from_tag("en-GB"), Some(Language::ENGLISH));
    }

    #[test]
    fn the_address_then_the_folder_then_the_choice_then_the_browser() {
        let french = ["de-DE", "fr-FR", "en"];
        let cases = [
            (Some("en"), Some("fr"), Some("fr"), &french[..], "en"),
            (Some("fr"), None, Some("en"), &[], "fr"),
            (Some("tlh"), Some("fr"), Some("en"), &[], "fr"),
            (None, Some("fr"), Some("en"), &[], "fr"),
            (None, None, Some("fr"), &["en"], "fr"),
            (None, None, None, &french, "fr"),
            (None, None, Some(""), &["de"], "en"),
            (None, None, None, &[], "en"),
        ];
        for (asked, folder, saved, browser, expected) in cases {
            let chosen = choose(asked, folder, saved, browser);
            assert_eq!(chosen.code(), expected, "{asked:?} {folder:?} {saved:?} {browser:?}");
        }
    }

    #[test]
    fn the_query_asks_by_lang() {
        assert_eq!(asked_in("?lang=fr"), Some("fr"));
        assert_eq!(asked_in("theme=dark&lang=fr-CA&x"), Some("fr-CA"));
        assert_eq!(asked_in("?language=fr"), None);
        assert_eq!(asked_in(""), None);
    }

    #[test]
    fn codes_are_unique_and_lower_case() {
        let mut codes: Vec<_> = Language::all().map(Language::code).collect();
        assert!(
            codes
                .iter()
                .all(|code| code.bytes().all(|letter| letter.is_ascii_lowercase()))
        );
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Language::all().count());
    }
}
