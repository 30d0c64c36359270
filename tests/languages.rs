//! Every text of an answer in every language: over all samples of the register and all collected pastes no message is
//! missing, and no English sentence of ours stands in another language's answer.

use std::fs;
use std::path::Path;

use vramfit::advice::advise;
use vramfit::diagnosis::{Corrections, diagnose};
use vramfit::i18n::{Language, Texts, embedded};
use vramfit::message::Message;
use vramfit::paste::{self, GROUPS};

/// Every message of the answer to a text, and the ids of texts without arguments.
fn messages(text: &str) -> (Vec<Message>, Vec<String>) {
    let corrections = Corrections::default();
    let evidence = paste::read(text);
    let diagnosis = diagnose(&evidence, &corrections);
    let advice = advise(&evidence, &diagnosis, &corrections);
    let mut messages: Vec<Message> = vec![diagnosis.headline.clone()];
    messages.extend(diagnosis.caution.clone());
    messages.extend(diagnosis.incomplete.iter().cloned());
    messages.extend(evidence.hits.iter().map(paste::Hit::says));
    let mut ids = Vec::new();
    for cause in &diagnosis.causes {
        ids.push(format!("cause-{}", cause.id));
        messages.extend(cause.because.iter().map(|reason| reason.message.clone()));
    }
    for part in diagnosis.picture.iter().flat_map(|picture| &picture.parts) {
        ids.push(format!("part-{}", part.id));
    }
    for fix in &advice.fixes {
        messages.push(fix.text.clone());
        messages.extend(fix.why.clone());
    }
    messages.extend(advice.refused.iter().map(|refused| refused.because.clone()));
    (messages, ids)
}

/// What is wrong with the answer to a text: a fault of a message, or the same sentence in two languages.
fn complaints(text: &str, english: &Texts, others: &[Texts]) -> Vec<String> {
    let (messages, ids) = messages(text);
    let mut complaints: Vec<String> = messages.iter().flat_map(|message| english.faults(message)).collect();
    let is_sentence = |text: &str| text.split(' ').filter(|word| word.len() > 2).count() > 2;
    for other in others {
        complaints.extend(messages.iter().flat_map(|message| other.faults(message)));
        let pairs = messages
            .iter()
            .map(|message| (english.message(message), other.message(message)));
        let named = ids.iter().map(|id| (english.text(id), other.text(id)));
        let same = pairs
            .chain(named)
            .filter(|(one, other)| one == other && is_sentence(one));
        complaints.extend(same.map(|(sentence, _)| sentence));
    }
    complaints
}

#[test]
fn no_answer_lacks_a_text_or_speaks_english_in_another_language() {
    let english = embedded(
        Language::all()
            .find(|language| language.code() == "en")
            .expect("English"),
    );
    let others: Vec<Texts> = Language::all()
        .filter(|language| language.code() != "en")
        .map(embedded)
        .collect();
    let samples = GROUPS
        .iter()
        .flat_map(|group| group.rows.all())
        .map(|row| row.sample.to_owned());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = fs::read_dir(folder)
        .expect("tests/cases")
        .filter_map(|entry| Some(entry.ok()?.path()));
    let texts = files.filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
    let texts = texts.filter_map(|path| Some(String::from_utf8_lossy(&fs::read(path).ok()?).into_owned()));
    let mut all: Vec<String> = samples
        .chain(texts)
        .flat_map(|text| complaints(&text, &english, &others))
        .collect();
    all.sort();
    all.dedup();
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}
