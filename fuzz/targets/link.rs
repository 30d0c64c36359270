//! Any text as a shared link: it decodes, comes back from its own link as it was, and is sized without nonsense.

#![no_main]

use libfuzzer_sys::fuzz_target;
use vramfit::scenario::{decode, encode};
use vramfit::sizing::{Span, estimate, solve_all, usable};
use vramfit::units::Bytes;

fn ordered(span: Span) -> bool {
    Bytes::ZERO <= span.low && span.low <= span.mid && span.mid <= span.high
}

fuzz_target!(|text: &str| {
    let (link, _) = decode(text);
    let (again, _) = decode(&encode(&link));
    assert_eq!(encode(&again), encode(&link));
    for scenario in [Some(&link.scenario), link.compare.as_ref()].into_iter().flatten() {
        if let Some(estimate) = estimate(scenario) {
            assert!(ordered(estimate.total), "{:?}", estimate.total);
            assert!(estimate.parts.iter().all(|part| ordered(part.span)));
        }
        assert!(usable(scenario).is_none_or(|usable| usable >= Bytes::ZERO));
        for solved in solve_all(scenario) {
            assert!(solved.high.is_none_or(|found| ordered(found.need)));
        }
    }
});
