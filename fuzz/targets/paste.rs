//! Any bytes as a paste or a dropped log: read whole and piece by piece, diagnosed, advised on and told in every language.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use vramfit::advice::advise;
use vramfit::diagnosis::{Corrections, diagnose};
use vramfit::i18n::{Language, Texts, embedded};
use vramfit::message::Message;
use vramfit::paste::{Encoding, Evidence, Hit, Scan, read};

static TEXTS: LazyLock<Vec<Texts>> = LazyLock::new(|| Language::all().map(embedded).collect());

fn tell(evidence: &Evidence) {
    let corrections = Corrections::default();
    let diagnosis = diagnose(evidence, &corrections);
    let advice = advise(evidence, &diagnosis, &corrections);
    let reasons = diagnosis.causes.iter().flat_map(|cause| &cause.because);
    let fixes = advice
        .fixes
        .iter()
        .flat_map(|fix| [Some(&fix.text), fix.why.as_ref()])
        .flatten();
    let said = [Some(&diagnosis.headline), diagnosis.caution.as_ref()];
    let messages: Vec<Message> = said
        .into_iter()
        .flatten()
        .chain(reasons.map(|reason| &reason.message))
        .chain(&diagnosis.incomplete)
        .chain(fixes)
        .chain(advice.refused.iter().map(|refused| &refused.because))
        .cloned()
        .chain(evidence.hits.iter().map(Hit::says))
        .collect();
    for texts in TEXTS.iter() {
        for message in &messages {
            assert_eq!(texts.faults(message), Vec::<String>::new());
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let evidence = read(&text);
    for hit in &evidence.hits {
        assert!(
            text.get(hit.span.start..hit.span.end).is_some(),
            "a place that is none: {:?}",
            hit.span
        );
    }
    tell(&evidence);
    for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf16Big] {
        let mut scan = Scan::new(encoding);
        for piece in bytes.chunks(997) {
            scan.push(piece);
        }
        tell(&scan.finish().evidence);
    }
});
