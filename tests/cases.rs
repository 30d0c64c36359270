//! The collected pastes with what must be found in them, scored as one table: `./dev cases` prints it.
//!
//! What a truth file holds is told in tests/cases/README.md. A figure counts when it is found within its tolerance,
//! under its name where the name is a common one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use vramfit::advice::{Advice, advise};
use vramfit::diagnosis::{Corrections, Diagnosis, diagnose};
use vramfit::i18n::{Language, Texts, embedded};
use vramfit::paste::{self, Evidence, Value};
use vramfit::scenario::KEYS;

/// Cases that fall short of their truth, each with why that is accepted. The test fails when one of them no longer does.
const SHORT: &[(&str, &str)] = &[];

/// The names under which a truth's figure may be found.
const NAMES: [(&str, &[&str]); 11] = [
    ("tried", &["requested"]),
    ("tried_exact", &["requested"]),
    ("total", &["total", "total_bytes", "limit", "total_vram", "vram_total"]),
    ("free", &["free", "available", "free_at_start"]),
    ("allocated", &["allocated"]),
    ("reserved_unallocated", &["reserved_unallocated"]),
    ("reserved_total", &["reserved"]),
    ("private_pools", &["private_pools"]),
    ("allowed", &["allowed"]),
    ("this_process", &["this_process", "bytes"]),
    ("used", &["used", "used_bytes"]),
];

/// A figure of a truth file: its name, bytes, and how far off it may be.
type Expected = (String, i64, i64);

/// Every figure below a node of `expected`; `derived` holds arithmetic, nothing printed.
fn expected(node: &Json, name: &str, into: &mut Vec<Expected>) {
    match node {
        Json::Object(fields) if fields.contains_key("bytes") && fields.contains_key("text") => {
            if let Some(bytes) = fields["bytes"].as_i64() {
                let tolerance = fields.get("tolerance_bytes").and_then(Json::as_i64).unwrap_or(0);
                into.push((name.to_owned(), bytes, tolerance));
            }
        }
        Json::Object(fields) => {
            for (key, value) in fields.iter().filter(|(key, _)| *key != "derived") {
                expected(value, key, into);
            }
        }
        Json::Array(items) => items.iter().for_each(|item| expected(item, name, into)),
        _ => {}
    }
}

/// Every size in the answer, by its name.
fn found(evidence: &Evidence) -> Vec<(&'static str, i64)> {
    let mut sizes = Vec::new();
    for finding in &evidence.findings {
        for figure in &finding.figures {
            if let Value::Bytes(bytes) = figure.value {
                sizes.push((figure.name, bytes.0));
            }
        }
        sizes.extend(
            finding
                .processes
                .iter()
                .filter_map(|process| Some(("bytes", process.bytes?.0))),
        );
        for card in &finding.cards {
            sizes.extend(card.total.map(|total| ("total_bytes", total.0)));
            sizes.extend(card.used.map(|used| ("used_bytes", used.0)));
        }
    }
    sizes
}

fn slack(bytes: i64, tolerance: i64) -> i64 {
    tolerance.max(bytes.abs() / 10_000) + 1
}

/// What a case lacks, in words; and how many figures it has and were found.
struct Score {
    complaints: Vec<String>,
    wanted: usize,
    had: usize,
}

/// What the text tells of the job, by the keys of a link, that differs from the truth.
fn told(truth: &Json, diagnosis: &Diagnosis) -> Vec<String> {
    let get = |key: &str| {
        let key = KEYS.iter().find(|known| known.key == key).expect("a key of a link");
        (key.get)(&diagnosis.scenario)
    };
    let wanted = truth["scenario"].as_object().into_iter().flatten();
    let told = wanted.filter(|(key, value)| get(key) != value.as_str().unwrap_or_default());
    let told = told.map(|(key, value)| format!("{key} is {} instead of {value}", get(key)));
    let open = truth["not_told"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Json::as_str);
    let invented = open.filter(|key| !get(key).is_empty());
    told.chain(invented.map(|key| format!("{key} is invented"))).collect()
}

fn score(truth: &Json, evidence: &Evidence, diagnosis: &Diagnosis, advice: &Advice) -> Score {
    let mut figures = Vec::new();
    expected(&truth["expected"], "", &mut figures);
    let sizes = found(evidence);
    let mut complaints = Vec::new();
    let mut had = 0;
    for (name, bytes, tolerance) in &figures {
        let allowed = NAMES.iter().find(|(truth, _)| truth == name).map(|(_, names)| *names);
        let is_it = |(label, size): &(&str, i64)| {
            (size - bytes).abs() <= slack(*bytes, *tolerance)
                && allowed.is_none_or(|names| names.contains(label) || label == name)
        };
        if sizes.iter().any(is_it) {
            had += 1;
        } else {
            complaints.push(format!("{name} = {bytes} was not found"));
        }
    }
    let mut surplus: Vec<i64> = sizes
        .iter()
        .map(|(_, size)| *size)
        .filter(|size| {
            !figures
                .iter()
                .any(|(_, bytes, tolerance)| (size - bytes).abs() <= slack(*bytes, *tolerance))
        })
        .collect();
    surplus.sort_unstable();
    surplus.dedup();
    if truth["complete"] != false && surplus.len() > 3.max(figures.len() / 2) {
        complaints.push(format!(
            "{} sizes that the text does not have: {surplus:?}",
            surplus.len()
        ));
    }
    let listed = |key: &str, also: &str, id: &str| {
        truth[key] == id
            || truth[also]
                .as_array()
                .is_some_and(|ids| ids.iter().any(|other| other == id))
    };
    let cause = diagnosis.causes.first().map_or("none", |cause| cause.id);
    if !listed("cause_class", "also_acceptable", cause) {
        complaints.push(format!("cause {cause} instead of {}", truth["cause_class"]));
    }
    let verdict = diagnosis.verdict.id();
    if !listed("verdict", "also_verdicts", verdict) {
        complaints.push(format!("verdict {verdict} instead of {}", truth["verdict"]));
    }
    let family = advice.fixes.first().map_or("nothing-to-fix", |fix| fix.family);
    if !listed("", "first_fix_families", family) {
        complaints.push(format!("first fix {family} instead of {}", truth["first_fix_families"]));
    }
    complaints.extend(told(truth, diagnosis));
    let listed: Vec<(Option<i64>, Option<i64>)> = evidence
        .findings
        .iter()
        .flat_map(|finding| &finding.processes)
        .map(|process| (process.pid, process.bytes.map(|bytes| bytes.0)))
        .collect();
    for process in truth["processes"].as_array().into_iter().flatten() {
        let wanted = (process["pid"].as_i64(), process["bytes"].as_i64());
        if !listed.contains(&wanted) {
            complaints.push(format!("process {wanted:?} is not in {listed:?}"));
        }
    }
    Score {
        complaints,
        wanted: figures.len(),
        had,
    }
}

/// What is wrong with the texts of an answer, in any language: a missing message or argument.
fn faults(texts: &[Texts], evidence: &Evidence, diagnosis: &Diagnosis, advice: &Advice) -> Vec<String> {
    let reasons = diagnosis
        .causes
        .iter()
        .flat_map(|cause| &cause.because)
        .map(|reason| reason.message.clone());
    let fixes = advice
        .fixes
        .iter()
        .flat_map(|fix| [Some(fix.text.clone()), fix.why.clone()])
        .flatten();
    let refused = advice.refused.iter().map(|refused| refused.because.clone());
    let messages: Vec<_> = std::iter::once(diagnosis.headline.clone())
        .chain(diagnosis.caution.clone())
        .chain(diagnosis.incomplete.clone())
        .chain(reasons)
        .chain(fixes)
        .chain(refused)
        .chain(evidence.hits.iter().map(paste::Hit::says))
        .collect();
    texts
        .iter()
        .flat_map(|texts| messages.iter().flat_map(|message| texts.faults(message)))
        .collect()
}

fn truths() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("tests/cases")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    files
}

/// What is put before every line of a paste; `##` stands for its number.
const PREFIXES: [&str; 9] = [
    "2026-05-01T10:00:##.123456789Z stderr F ",
    "app-1  | 2026-05-01T10:00:##.123456789Z ",
    "> ",
    "May 01 10:00:## host1 app[123]: ",
    "node-1 app[1]: ",
    "trainer-0 main ",
    "[1,0]<stderr>:",
    "[rank3]: ",
    "\u{1b}[31m",
];
/// A case with a prefix behind which it may be read otherwise: of two lines nothing tells that the names are none of theirs.
const NOT_TOLD: (&str, &str) = ("480", "trainer-0 main ");

#[test]
fn prefixes_change_no_reading() {
    let mut complaints = Vec::new();
    for file in truths() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let truth: Json = serde_json::from_str(&fs::read_to_string(&file).expect("a truth file")).expect("JSON");
        let text = String::from_utf8_lossy(&fs::read(file.with_extension("txt")).expect("a paste")).replace('\0', "");
        for prefix in PREFIXES {
            let prefixed =
                |(number, line): (usize, &str)| prefix.replace("##", &format!("{:02}", number % 60)) + line + "\n";
            let text: String = text.lines().enumerate().map(prefixed).collect();
            let corrections = Corrections::default();
            let evidence = paste::read(&text);
            let diagnosis = diagnose(&evidence, &corrections);
            let advice = advise(&evidence, &diagnosis, &corrections);
            let score = score(&truth, &evidence, &diagnosis, &advice);
            let told = !(name.starts_with(NOT_TOLD.0) && prefix == NOT_TOLD.1);
            if told && !score.complaints.is_empty() {
                complaints.push(format!("{name} behind {prefix:?}: {}", score.complaints.join("; ")));
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn every_case_is_read_as_it_must_be() {
    let texts: Vec<Texts> = Language::all().map(embedded).collect();
    let mut by_tool: BTreeMap<String, (usize, usize, usize, usize)> = BTreeMap::new();
    let mut complaints = Vec::new();
    for file in truths() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let truth: Json = serde_json::from_str(&fs::read_to_string(&file).expect("a truth file")).expect("JSON");
        let text = String::from_utf8_lossy(&fs::read(file.with_extension("txt")).expect("a paste")).replace('\0', "");
        let corrections = Corrections::default();
        let evidence = paste::read(&text);
        let diagnosis = diagnose(&evidence, &corrections);
        let advice = advise(&evidence, &diagnosis, &corrections);
        let mut score = score(&truth, &evidence, &diagnosis, &advice);
        score.complaints.extend(faults(&texts, &evidence, &diagnosis, &advice));
        let row = by_tool
            .entry(truth["kind"].as_str().unwrap_or("?").to_owned())
            .or_default();
        row.0 += 1;
        row.1 += usize::from(score.complaints.is_empty());
        row.2 += score.wanted;
        row.3 += score.had;
        let excused = SHORT.iter().any(|(case, _)| name.starts_with(case));
        match (score.complaints.is_empty(), excused) {
            (false, false) => complaints.push(format!("{name}: {}", score.complaints.join("; "))),
            (true, true) => complaints.push(format!("{name} is read whole now: take it out of SHORT")),
            _ => {}
        }
    }
    println!("{:<28} {:>7} {:>7} {:>12}", "kind", "cases", "whole", "figures");
    let mut sum = (0, 0, 0, 0);
    for (tool, row) in &by_tool {
        println!(
            "{tool:<28} {:>7} {:>7} {:>12}",
            row.0,
            row.1,
            format!("{}/{}", row.3, row.2)
        );
        sum = (sum.0 + row.0, sum.1 + row.1, sum.2 + row.2, sum.3 + row.3);
    }
    println!(
        "{:<28} {:>7} {:>7} {:>12}",
        "all",
        sum.0,
        sum.1,
        format!("{}/{}", sum.3, sum.2)
    );
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
