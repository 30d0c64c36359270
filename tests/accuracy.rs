//! What is computed against what was measured: exact kinds within a percent at the median, and five at the worst.
#![cfg(feature = "cli")]

use vramfit::cli::accuracy::compare;

#[test]
fn weights_caches_and_buffers_agree_with_logs() {
    let comparison = compare(include_str!("accuracy/measured.csv")).unwrap();
    println!("{}{}", comparison.table, comparison.summary());
    assert!(comparison.scored.len() >= 66, "{}", comparison.summary());
    assert!(comparison.median() <= 1.0, "{}", comparison.summary());
    assert!(comparison.worst() <= 5.0, "{}", comparison.summary());
    // A row is scored or says why it is not.
    for (line, reason) in &comparison.not_scored {
        assert_ne!(reason, "no scenario", "line {line}");
        assert!(
            !reason.starts_with("link-") && !reason.starts_with("no "),
            "line {line}: {reason}"
        );
    }
}
