//! Every row of the register: it compiles, its sample reads back, and messages made from it at random read back.

use proptest::prelude::*;
use std::sync::LazyLock;
use vramfit::paste::template::{Compiled, Group, Hole, Role, Row, Segment};
use vramfit::paste::{self, GROUPS, Value};
use vramfit::units::Bytes;

fn rows() -> impl Iterator<Item = (&'static Group, Row)> {
    GROUPS
        .iter()
        .flat_map(|group| group.rows.all().map(move |row| (*group, row)))
}

#[test]
fn every_row_is_read() {
    for group in GROUPS {
        let rows = group.rows.all().count();
        assert_eq!(rows, group.rows.samples.len(), "{}", group.rows.lines);
        assert_eq!(rows, group.rows.lines.lines().count(), "{}", group.rows.lines);
        assert!(
            group.rows.all().all(|row| !row.text.contains('\t')),
            "{}",
            group.rows.lines
        );
    }
}

#[test]
fn every_template_compiles() {
    let broken: Vec<&str> = rows()
        .filter(|(_, row)| Compiled::new(*row, 0).is_none())
        .map(|(_, row)| row.text)
        .collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Whether a text is read as this row, as its finding or beside another one.
fn reads_as(row: &Row, text: &str) -> bool {
    let evidence = paste::read(text);
    match row.role {
        Role::Hints => evidence.hints.contains(&row.id),
        _ => evidence.hits.iter().any(|hit| hit.row.id == row.id),
    }
}

#[test]
fn every_sample_is_read_as_its_row() {
    let missed: Vec<(&str, &str)> = rows()
        .filter(|(_, row)| !reads_as(row, row.sample))
        .map(|(_, row)| (row.id, row.sample))
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn samples_are_read_in_any_wrapping_colour_and_line_ending() {
    let mut missed = Vec::new();
    for (_, row) in rows().filter(|(_, row)| !row.text.starts_with('^') && !row.text.ends_with('$')) {
        let wrapped: String = row.sample.char_indices().fold(String::new(), |mut text, (at, letter)| {
            if at > 0 && at % 20 == 0 && row.sample.len() > 30 {
                text.push_str("\r\n");
            }
            text.push(letter);
            text
        });
        let coloured = format!("\u{1b}[31m{}\u{1b}[0m", row.sample);
        let quoted = format!("> {}", row.sample.replace('\n', "\n> "));
        let html = row.sample.replace('>', "&gt;").replace(' ', "&nbsp;");
        for (how, text) in [
            ("wrapped", wrapped),
            ("coloured", coloured),
            ("quoted", quoted),
            ("html", html),
        ] {
            // Of a name that a terminal breaks nothing tells where it ends.
            let name = row.id == "setting-model";
            if how == "wrapped" && (row.sample.contains('\n') || name) {
                continue;
            }
            if !reads_as(&row, &text) {
                missed.push(format!("{}, {how}: {text:?}", row.id));
            }
        }
    }
    assert!(missed.len() * 50 <= rows().count(), "{missed:#?}");
}

/// A size as PyTorch prints it: the text and its bytes.
fn printed_size() -> impl Strategy<Value = (String, i64)> {
    (1i64..99_999, 0usize..3).prop_map(|(hundredths, unit)| {
        let (name, bytes) = [("KiB", 1i64 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)][unit];
        let exact = (i128::from(hundredths) * i128::from(bytes) + 50) / 100;
        (
            format!("{}.{:02} {name}", hundredths / 100, hundredths % 100),
            exact as i64,
        )
    })
}

/// The rows of sizes and whole numbers alone; those of other kinds are tested by their samples.
static PRINTABLE: LazyLock<Vec<(Row, Compiled)>> = LazyLock::new(|| {
    let rows = rows().filter(|(_, row)| row.role != Role::Hints && row.role != Role::Recovers);
    let compiled = rows.map(|(_, row)| (row, Compiled::new(row, 0).expect("every template compiles")));
    let of_sizes =
        |segment: &Segment| matches!(segment, Segment::Literal(_) | Segment::Hole(_, Hole::Size | Hole::Int));
    compiled
        .filter(|(_, compiled)| compiled.segments.iter().all(of_sizes))
        .collect()
});

proptest! {
    #[test]
    fn messages_made_from_the_templates_read_back(
        pick in any::<prop::sample::Index>(),
        sizes in prop::collection::vec(printed_size(), 12),
        numbers in prop::collection::vec(0i64..999, 12),
    ) {
        let (row, compiled) = &PRINTABLE[pick.index(PRINTABLE.len())];
        let mut text = String::new();
        let mut expected = Vec::new();
        let mut rest = row.text.trim_start_matches('^').trim_end_matches('$');
        let mut holes = compiled.segments.iter().filter_map(|segment| match segment {
            Segment::Hole(name, hole) => Some((*name, *hole)),
            Segment::Literal(_) => None,
        });
        let mut at = 0;
        while let Some((before, behind)) = rest.split_once('{') {
            text.push_str(before);
            let (_, after) = behind.split_once('}').expect("a closed hole");
            let (name, hole) = holes.next().expect("a hole for each brace");
            match hole {
                Hole::Size => {
                    text.push_str(&sizes[at].0);
                    expected.push((name, Value::Bytes(Bytes(sizes[at].1))));
                }
                Hole::Int => {
                    text.push_str(&numbers[at].to_string());
                    expected.push((name, Value::Count(numbers[at])));
                }
                _ => unreachable!("rows of other kinds are left out"),
            }
            at += 1;
            rest = after;
        }
        text.push_str(rest);
        let evidence = paste::read(&text);
        let hit = evidence.hits.iter().find(|hit| hit.row.id == row.id);
        prop_assert!(hit.is_some(), "{} was not read in {text:?}", row.id);
        for (name, value) in expected.into_iter().filter(|(name, _)| !name.starts_with('_')) {
            let figures = &hit.expect("asserted above").figures;
            prop_assert!(
                figures.iter().any(|figure| figure.name == name && figure.value == value),
                "{name} is not {value:?} in {text:?}: {figures:?}"
            );
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,400}") {
        explain(&text);
    }

    #[test]
    fn samples_of_all_tools_in_one_paste_are_read_without_panic(
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
        between in "[ \n>│|\r\t0-9:-]{0,6}",
    ) {
        let samples: Vec<&str> = rows().map(|(_, row)| row.sample).collect();
        let text: Vec<&str> = picks.iter().map(|pick| samples[pick.index(samples.len())]).collect();
        explain(&text.join(&format!("\n{between}")));
    }

    #[test]
    fn no_name_makes_the_catalog_panic(name in "[\\PC\\-_.:/ ]{0,60}") {
        vramfit::catalog::named(&name);
        vramfit::catalog::named_by_ollama(&name);
        vramfit::catalog::format_by_name(&name);
    }

    #[test]
    fn no_mutilated_message_makes_the_reader_panic(
        pick in any::<prop::sample::Index>(),
        from in any::<prop::sample::Index>(),
        until in any::<prop::sample::Index>(),
        noise in "[0-9.,GiMB \\[\\]|\\\\\"\u{1b}\n\r\u{202f}é-]{0,40}",
        at in any::<prop::sample::Index>(),
    ) {
        let samples: Vec<&str> = rows().map(|(_, row)| row.sample).collect();
        let sample: Vec<char> = samples[pick.index(samples.len())].chars().collect();
        let (one, other) = (from.index(sample.len() + 1), until.index(sample.len() + 1));
        let mut text: Vec<char> = sample[one.min(other)..one.max(other)].to_vec();
        let place = at.index(text.len() + 1);
        text.splice(place..place, noise.chars());
        explain(&text.into_iter().collect::<String>());
    }
}

/// The whole way from a text to its advice; places must lie in the text.
fn explain(text: &str) {
    let corrections = vramfit::diagnosis::Corrections::default();
    let evidence = paste::read(text);
    for hit in &evidence.hits {
        assert!(text.get(hit.span.start..hit.span.end).is_some(), "{:?}", hit.span);
        assert!(
            hit.figures
                .iter()
                .all(|figure| text.get(figure.span.start..figure.span.end).is_some())
        );
    }
    let diagnosis = vramfit::diagnosis::diagnose(&evidence, &corrections);
    vramfit::advice::advise(&evidence, &diagnosis, &corrections);
}

#[test]
fn findings_are_capped_and_counted() {
    let text: String = (0..3000)
        .map(|number| {
            format!(
                "RuntimeError: CUDA out of memory. Tried to allocate {}.00 MiB\n\n",
                number + 3
            )
        })
        .collect();
    let evidence = paste::read(&text);
    assert_eq!(evidence.findings.len(), paste::Evidence::MOST);
    assert_eq!(evidence.count, 3000);
}

/// docs/formats.md as the register has it: each tool's messages with their generation, versions and a sample line.
fn formats_page() -> String {
    let mut page = String::from(
        "# What is read\n\nMade from the templates in src/paste/ by `VRAMFIT_WRITE=1 cargo test --no-default-features --test formats`.\n\
         A format's name is that of the JSON's `format`; where none stands, the row is a clause that several generations share.\n",
    );
    let mut tools: Vec<&str> = GROUPS
        .iter()
        .map(|group| group.tool)
        .filter(|tool| !tool.is_empty())
        .collect();
    tools.sort_unstable();
    tools.dedup();
    for tool in tools {
        page.push_str(&format!(
            "\n## {tool}\n\n| format | versions | for example |\n|---|---|---|\n"
        ));
        for row in GROUPS
            .iter()
            .filter(|group| group.tool == tool)
            .flat_map(|group| group.rows.all())
        {
            if row.role == Role::Hints {
                continue;
            }
            let cell = |text: &str| {
                text.replace('|', "\\|")
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            let sample = cell(row.sample).replace('`', "'");
            page.push_str(&format!("| {} | {} | `{sample}` |\n", row.format, cell(row.versions)));
        }
    }
    page
}

#[test]
fn the_page_of_formats_is_current() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md");
    let page = formats_page();
    if std::env::var_os("VRAMFIT_WRITE").is_some() {
        std::fs::write(&file, &page).expect("docs/formats.md can be written");
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == page,
        "docs/formats.md is not what the register has: run its first line"
    );
}
