//! How each language is written: marks, spaces, quotes, units. Code between backticks is left alone.

use crate::ftl::PLACEABLE;

const NO_BREAK: char = '\u{a0}';
const NARROW: char = '\u{202f}';

/// English words that are no French ones: a sentence that has them was not translated.
const ENGLISH_WORDS: &[&str] = &[
    "the", "and", "your", "you", "of", "with", "this", "that", "is", "was", "from", "which", "for", "to", "it", "not",
    "or",
];
/// What an error is called in every language.
const KEPT: &str = "out of memory";
/// English units and words, and what French writes.
const FRENCH_TERMS: &[(&str, &str)] = &[
    ("GB", "Go"),
    ("MB", "Mo"),
    ("KB", "ko"),
    ("kB", "ko"),
    ("GiB", "Gio"),
    ("MiB", "Mio"),
    ("KiB", "Kio"),
    ("bytes", "octets"),
    ("crash", "plantage"),
    ("offload", "décharger"),
    ("offloading", "déchargement"),
    ("traceback", "trace d’appels"),
];
/// Units with a no-break space before them.
const FRENCH_UNITS: &[&str] = &["Go", "Mo", "ko", "Gio", "Mio", "Kio", "%", "€"];

/// What is wrong with a text, and what to write instead.
pub fn complaints(language: &str, text: &str) -> Vec<String> {
    let prose = without_code(text);
    let mut found = in_every_language(&prose);
    match language {
        "fr" => found.extend(french(&prose)),
        "en" => found.extend(english(&prose)),
        _ => {}
    }
    found
}

/// The text with a placeable instead of each stretch between backticks.
fn without_code(text: &str) -> String {
    let mut pieces = text.split('`');
    let mut prose = pieces.next().unwrap_or_default().to_owned();
    for (index, piece) in pieces.enumerate() {
        match index % 2 {
            0 => prose.push(PLACEABLE),
            _ => prose.push_str(piece),
        }
    }
    prose
}

fn in_every_language(prose: &str) -> Vec<String> {
    let rules = [
        ("...", "three dots: write …"),
        ("'", "an ASCII apostrophe: write ’"),
        ("  ", "two spaces: write one"),
        (" - ", "a hyphen as a dash: write – or another sentence"),
        ("\t", "a tab: write a space"),
        ("<", "a sign of HTML: texts have no markup but backticks"),
    ];
    rules
        .iter()
        .filter(|(wrong, _)| prose.contains(wrong))
        .map(|(_, advice)| (*advice).to_owned())
        .collect()
}

fn english(prose: &str) -> Vec<String> {
    let mut found = Vec::new();
    if prose.contains('"') {
        found.push("straight quotes: write “ ”".to_owned());
    }
    if prose.contains(['«', '»']) {
        found.push("French quotes: write “ ”".to_owned());
    }
    found
}

fn french(prose: &str) -> Vec<String> {
    let mut found = Vec::new();
    if prose.contains(['"', '“', '”']) {
        found.push("English quotes: write « », with U+00A0 inside".to_owned());
    }
    let chars: Vec<char> = prose.chars().collect();
    for (at, &mark) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1).copied();
        let near: String = chars[at.saturating_sub(12)..(at + 2).min(chars.len())].iter().collect();
        // 12:30, https://, ?lang=, max_split_size_mb:128.
        let inside_a_word = after.is_some_and(|c| !c.is_whitespace() && !";:!?»)".contains(c));
        let wrong = match mark {
            ';' | '!' | '?' => !inside_a_word && before != Some(NARROW) && !before.is_some_and(|c| "!?".contains(c)),
            ':' => !inside_a_word && before != Some(NO_BREAK),
            '«' => after != Some(NO_BREAK),
            '»' => before != Some(NO_BREAK),
            _ => false,
        };
        if wrong {
            let advice = match mark {
                ';' | '!' | '?' => "U+202F before",
                ':' | '»' => "U+00A0 before",
                _ => "U+00A0 behind",
            };
            found.push(format!("{near:?}: write {advice} {mark}"));
        }
        if mark == ' ' && before.is_some_and(|c| c.is_ascii_digit() || c == PLACEABLE) {
            let next: String = chars[at + 1..]
                .iter()
                .take_while(|c| c.is_alphabetic() || "%€".contains(**c))
                .collect();
            let digits = chars[at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
            if FRENCH_UNITS.contains(&next.as_str()) {
                found.push(format!("{near:?}: write U+00A0 before {next}"));
            } else if digits == 3 && before != Some(PLACEABLE) {
                found.push(format!("{near:?}: write U+202F between thousands"));
            }
        }
    }
    let kept = prose.replace(KEPT, "");
    for word in kept.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_') {
        if ENGLISH_WORDS.contains(&word.to_lowercase().as_str()) {
            found.push(format!(
                "{word:?} is English: translate, or put a tool's own words between backticks"
            ));
        }
        if let Some((_, french)) = FRENCH_TERMS.iter().find(|(english, _)| *english == word) {
            found.push(format!("{word:?} is English: write {french}"));
        }
    }
    found
}

#[test]
fn good_french_passes() {
    let texts = [
        "Il manque \u{fffc}\u{202f}; la carte n’a que \u{fffc}\u{a0}: c’est normal\u{202f}!",
        "Ajoutez `PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; \"x\"`, puis relancez…",
        "Voir https://example.org/?lang=fr à 12:30, «\u{a0}CUDA out of memory\u{a0}» sur 24\u{a0}Go, 32\u{202f}768 tokens",
        "Vraiment\u{202f}?!",
        "Quoi\u{202f}? (non\u{202f}!)",
    ];
    for text in texts {
        assert_eq!(complaints("fr", text), [""; 0], "{text}");
    }
}

#[test]
fn bad_french_is_told() {
    let texts = [
        "Il manque ; trop",
        "Trop!",
        "Trop\u{a0}!",
        "Ceci : cela",
        "Ceci: cela",
        "« mot »",
        "«\u{a0}mot »",
        "\"mot\"",
        "l'erreur",
        "et...",
        "32 768 tokens",
        "24 Go",
        "\u{fffc} %",
        "24\u{a0}GB",
        "un  mot",
        "Paste the text",
        "un crash",
    ];
    for text in texts {
        assert_ne!(complaints("fr", text), [""; 0], "{text}");
    }
}

#[test]
fn english_has_its_own_quotes() {
    assert_eq!(complaints("en", "It’s “free”: 24 GB… `\"x\"`?"), [""; 0]);
    for text in ["It's", "\"free\"", "« free »", "wait..."] {
        assert_ne!(complaints("en", text), [""; 0], "{text}");
    }
}
