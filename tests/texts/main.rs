//! The texts of all languages: the same messages with the same arguments, each with a caller, each written as its language is.

mod ftl;
mod source;
mod typography;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ftl::Entry;
use vramfit::diagnosis::{CAUSES, PARTS};
use vramfit::i18n::{Language, PANELS, embedded};
use vramfit::paste::GROUPS;
use vramfit::paste::template::Role;

/// Ids that the code puts together or keeps in a table, instead of writing each out whole: what a table lists is asked from
/// the table, so that a new row is known here at once. Every other id stands in the source as one literal.
fn computed_ids() -> Vec<String> {
    let rows = GROUPS.iter().flat_map(|group| group.rows.all());
    let says = rows
        .filter(|row| row.role != Role::Hints)
        .map(|row| row.says.to_owned());
    let causes = CAUSES.iter().map(|id| format!("cause-{id}"));
    let confidences = ["sure", "likely", "possible"].map(|id| format!("confidence-{id}"));
    let parts = PARTS.iter().map(|id| format!("part-{id}"));
    says.chain(causes).chain(confidences).chain(parts).collect()
}

/// Arguments that the holes of the templates name.
fn hole_names() -> impl Iterator<Item = String> {
    let holes = GROUPS
        .iter()
        .flat_map(|group| group.rows.all())
        .flat_map(|row| row.text.split('{').skip(1));
    holes.filter_map(|hole| hole.split_once(':').map(|(name, _)| name.to_owned()))
}

/// Texts that are written before the part of the page that shows them; one that has its caller must leave this list.
const AWAITED: &[&str] = &[];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names in a folder that end so, without the ending, in order.
fn names(folder: &Path, ending: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = entries.map(|entry| {
        entry
            .expect("a folder's entry")
            .file_name()
            .to_string_lossy()
            .into_owned()
    });
    names
        .filter_map(|name| name.strip_suffix(ending).map(str::to_owned))
        .collect()
}

/// All messages, terms and attributes of a language.
fn entries(language: Language) -> Vec<Entry> {
    let folder = root().join("locales").join(language.code());
    let read = |name: String| {
        let file = format!("locales/{}/{name}.ftl", language.code());
        let text = fs::read_to_string(folder.join(format!("{name}.ftl"))).expect("a text file");
        ftl::entries(&file, &text)
    };
    names(&folder, ".ftl").into_iter().flat_map(read).collect()
}

/// Fails with all complaints at once.
fn none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn the_register_and_the_folders_agree() {
    let mut complaints = Vec::new();
    let registered: BTreeSet<String> = Language::all().map(|language| language.code().to_owned()).collect();
    let folders = names(&root().join("locales"), "");
    for folder in folders.symmetric_difference(&registered) {
        complaints.push(format!(
            "locales/{folder}/ and the register in src/i18n/language.rs: one has {folder}, the other not"
        ));
    }
    let listed: BTreeSet<String> = PANELS.iter().map(|name| (*name).to_owned()).collect();
    for folder in &folders {
        for name in names(&root().join("locales").join(folder), ".ftl").symmetric_difference(&listed) {
            complaints.push(format!(
                "locales/{folder}/{name}.ftl and panels! in src/i18n/language.rs: only one of them has it"
            ));
        }
    }
    none(complaints);
}

#[test]
fn every_file_can_be_parsed() {
    let mut complaints = Vec::new();
    for language in Language::all() {
        for (name, text) in language.0.files {
            if let Err((_, errors)) = fluent_bundle::FluentResource::try_new((*text).to_owned()) {
                complaints.push(format!("locales/{}/{name}.ftl: {errors:?}", language.code()));
            }
        }
    }
    none(complaints);
}

/// Plurals and choices go by words: the page leaves out what Fluent would read numbers and literals with (build/snip.mjs). And the arrow
/// stands only in choices, since `Texts::parse` writes them anew.
#[test]
fn no_number_stands_in_the_syntax() {
    let mut complaints = Vec::new();
    for language in Language::all() {
        for (name, text) in language.0.files {
            for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
                let variant = line.trim_start().trim_start_matches('*');
                let by_number =
                    variant.starts_with('[') && variant[1..].trim_start().starts_with(|c: char| c.is_ascii_digit());
                let literal = line.split('{').skip(1).any(|inner| {
                    inner
                        .trim_start()
                        .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '"'))
                });
                let call = line.contains("NUMBER(") || line.contains("DATETIME(");
                let choice = line
                    .trim_end()
                    .strip_suffix(" ->")
                    .is_some_and(|before| before.contains("{ $"));
                let arrow = line.contains(" ->") && !choice;
                if by_number || literal || call || arrow {
                    complaints.push(format!("{}/{name}.ftl:{}: {line}", language.code(), number + 1));
                }
            }
        }
    }
    none(complaints);
}

#[test]
fn the_checks_read_the_files_as_fluent_does() {
    for language in Language::all() {
        let texts = embedded(language);
        for entry in entries(language).iter().filter(|entry| !entry.is_term()) {
            let name = entry.name();
            let shown = texts.text(&name);
            assert_ne!(shown, format!("[{name}]"), "{}", entry.place());
            if entry.args.is_empty() && entry.references.is_empty() && entry.texts.len() == 1 {
                assert_eq!(shown, entry.texts[0], "{}", entry.place());
            }
        }
    }
}

#[test]
fn no_id_stands_twice() {
    let mut complaints = Vec::new();
    for language in Language::all() {
        let mut seen = BTreeMap::new();
        for entry in entries(language) {
            if let Some(first) = seen.insert(entry.name(), entry.place()) {
                complaints.push(format!("{} stands already at {first}", entry.place()));
            }
        }
    }
    none(complaints);
}

#[test]
fn every_language_has_the_same_messages_with_the_same_arguments() {
    let mut complaints = Vec::new();
    let tables: Vec<(Language, BTreeMap<String, Entry>)> = Language::all()
        .map(|language| {
            (
                language,
                entries(language)
                    .into_iter()
                    .map(|entry| (entry.name(), entry))
                    .collect(),
            )
        })
        .collect();
    for (language, table) in &tables {
        for reference in table
            .values()
            .flat_map(|entry| entry.references.iter().map(move |id| (entry, id)))
        {
            let (entry, id) = reference;
            if !table.contains_key(id) {
                complaints.push(format!("{} refers to {id}, which {language:?} lacks", entry.place()));
            }
        }
        for (other, others) in &tables {
            for entry in table.values().filter(|entry| !entry.is_term()) {
                let Some(twin) = others.get(&entry.name()) else {
                    complaints.push(format!("{} is missing in {other:?}: write it", entry.place()));
                    continue;
                };
                if entry.file_name() != twin.file_name() {
                    complaints.push(format!(
                        "{} and {} stand in different files",
                        entry.place(),
                        twin.place()
                    ));
                }
                let (args, theirs) = (ftl::all_args(entry, table), ftl::all_args(twin, others));
                for arg in args.difference(&theirs) {
                    complaints.push(format!(
                        "{} uses {{ ${arg} }}, {} does not",
                        entry.place(),
                        twin.place()
                    ));
                }
            }
        }
    }
    none(complaints);
}

#[test]
fn every_message_has_a_caller_and_every_caller_its_message() {
    let source = source::read(root());
    let mut used: BTreeSet<String> = source.literals.iter().map(|literal| literal.text.clone()).collect();
    used.extend(computed_ids());
    used.extend(hole_names());
    let table: BTreeMap<String, Entry> = entries(Language::ENGLISH)
        .into_iter()
        .map(|entry| (entry.name(), entry))
        .collect();
    let referred: BTreeSet<&String> = table.values().flat_map(|entry| &entry.references).collect();
    let mut complaints = Vec::new();
    for (name, entry) in &table {
        let called = used.contains(name) || referred.contains(name);
        match (called, AWAITED.contains(&name.as_str())) {
            (false, false) => complaints.push(format!("{} has no caller: delete it or use it", entry.place())),
            (true, true) => complaints.push(format!(
                "{name} has its caller now: delete it from AWAITED in tests/texts/main.rs"
            )),
            _ => {}
        }
        for arg in entry.args.iter().filter(|arg| !used.contains(*arg)) {
            complaints.push(format!("{} wants ${arg}, which nothing in src/ passes", entry.place()));
        }
    }
    for id in computed_ids().iter().filter(|id| !table.contains_key(*id)) {
        complaints.push(format!("{id} is put together in src/, and no message has it: write it"));
    }
    for call in source.literals.iter().filter(|literal| literal.is_message) {
        let Some(entry) = table.get(&call.text) else {
            complaints.push(format!("{}: no message {}", call.file, call.text));
            continue;
        };
        let args = ftl::all_args(entry, &table);
        for arg in call.with.iter().filter(|arg| !args.contains(*arg)) {
            complaints.push(format!(
                "{}: {} is given ${arg}, which it does not use",
                call.file, call.text
            ));
        }
    }
    for id in AWAITED.iter().filter(|id| !table.contains_key(**id)) {
        complaints.push(format!(
            "{id} stands in AWAITED, but no message has it: delete it there"
        ));
    }
    none(complaints);
}

#[test]
fn every_text_is_written_as_its_language_is() {
    let mut complaints = Vec::new();
    for language in Language::all() {
        for entry in entries(language) {
            for text in &entry.texts {
                let found = typography::complaints(language.code(), text);
                complaints.extend(
                    found
                        .into_iter()
                        .map(|complaint| format!("{}: {complaint}", entry.place())),
                );
            }
        }
    }
    none(complaints);
}
