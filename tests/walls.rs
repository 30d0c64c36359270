//! Who may use whom: reads the `use` lines and paths of src/ and says which wall was broken.

use std::fs;
use std::path::{Path, PathBuf};

/// Each room with the rooms that it may use, in the order in which data flows; nothing uses a room below itself.
const WALLS: [(&str, &[&str]); 13] = [
    ("units", &[]),
    ("message", &["units"]),
    ("json", &["units", "message"]),
    ("catalog", &["units"]),
    ("scenario", &["units", "message", "catalog"]),
    ("files", &["units", "message", "json", "catalog", "scenario"]),
    ("sizing", &["units", "message", "catalog", "scenario"]),
    ("paste", &["units", "message"]),
    (
        "diagnosis",
        &["units", "message", "catalog", "scenario", "sizing", "paste"],
    ),
    (
        "advice",
        &[
            "units",
            "message",
            "catalog",
            "scenario",
            "sizing",
            "paste",
            "diagnosis",
        ],
    ),
    ("i18n", &["units", "message"]),
    (
        "cli",
        &[
            "units",
            "message",
            "catalog",
            "scenario",
            "sizing",
            "paste",
            "diagnosis",
            "advice",
            "files",
            "i18n",
        ],
    ),
    (
        "ui",
        &[
            "units",
            "message",
            "catalog",
            "scenario",
            "sizing",
            "paste",
            "diagnosis",
            "advice",
            "files",
            "i18n",
        ],
    ),
];

/// Crates that only the page may name: nothing below it knows a browser.
const WEB: [&str; 4] = ["leptos", "web_sys", "js_sys", "wasm_bindgen"];

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src/").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(path);
        }
    }
}

/// The rooms that a file names as `crate::room`, also in braces: `crate::{units, paste}`.
fn rooms(text: &str) -> Vec<String> {
    let mut named = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let list = match rest.strip_prefix('{') {
            Some(braced) => braced.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![rest],
        };
        for item in list {
            let word: String = item
                .trim()
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            named.push(word);
        }
    }
    named
}

#[test]
fn no_wall_is_broken() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let mut broken = Vec::new();
    for file in all {
        let place = file
            .strip_prefix(&source)
            .expect("below src/")
            .to_string_lossy()
            .replace('\\', "/");
        let room = place.split(['/', '.']).next().unwrap_or_default().to_owned();
        let Some((_, allowed)) = WALLS.iter().find(|(name, _)| *name == room) else {
            continue;
        };
        let text = fs::read_to_string(&file).expect("a source file");
        // Tests may look further.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines: String = code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect::<Vec<_>>()
            .join("\n");
        for used in rooms(&lines) {
            let is_room = WALLS.iter().any(|(name, _)| *name == used);
            if is_room && used != room && !allowed.contains(&used.as_str()) {
                broken.push(format!("src/{place} uses {used}, which {room} may not"));
            }
        }
        if room != "ui" {
            broken.extend(
                WEB.iter()
                    .filter(|name| lines.contains(&format!("{name}::")))
                    .map(|name| format!("src/{place} names {name}: only ui/ knows a browser")),
            );
        }
    }
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}
