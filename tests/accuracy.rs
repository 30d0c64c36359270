//! What is computed against what was measured: exact kinds within a percent at the median, and five at the worst; and the
//! plot of all of them as docs/ has it.
#![cfg(feature = "cli")]

use vramfit::cli::accuracy::{Comparison, Kind, compare};
use vramfit::cli::plot;

fn measured() -> Comparison {
    compare(include_str!("accuracy/measured.csv")).unwrap()
}

#[test]
fn weights_caches_and_buffers_agree_with_logs() {
    let comparison = measured();
    println!("{}{}", comparison.table, comparison.summaries());
    let summary = comparison.summary(Some(Kind::Exact));
    assert!(summary.rows >= 66, "{summary}");
    assert!(summary.median <= 1.0, "{summary}");
    assert!(summary.worst <= 5.0, "{summary}");
}

#[test]
fn images_and_videos_agree_with_what_was_measured() {
    let summary = measured().summary(Some(Kind::Picture));
    assert!(summary.rows >= 78, "{summary}");
    assert!(summary.median <= 3.0, "{summary}");
    assert!(summary.inside >= 90.0, "{summary}");
    assert!(summary.width <= 1.3, "{summary}");
}

#[test]
fn what_engines_take_agrees_with_logs() {
    let summary = measured().summary(Some(Kind::Engine));
    assert!(summary.rows >= 38, "{summary}");
    assert!(summary.median <= 8.0, "{summary}");
    assert!(summary.inside >= 90.0, "{summary}");
    assert!(summary.width <= 1.4, "{summary}");
}

#[test]
fn training_peaks_agree_with_tables_and_logs() {
    let summary = measured().summary(Some(Kind::Training));
    assert!(summary.rows >= 64, "{summary}");
    assert!(summary.median <= 5.0 && summary.worst <= 30.0, "{summary}");
    assert!(summary.inside >= 90.0 && summary.width <= 1.3, "{summary}");
}

#[test]
fn a_row_is_scored_or_says_why_it_is_not() {
    for (line, reason) in &measured().not_scored {
        assert_ne!(reason, "no scenario", "line {line}");
        assert!(
            !reason.starts_with("link-") && !reason.starts_with("no "),
            "line {line}: {reason}"
        );
    }
}

#[test]
fn the_plot_shows_what_is_computed_now() {
    let drawn = plot::svg(&measured());
    assert!(drawn.starts_with("<svg") && drawn.matches("<circle").count() > 50);
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/accuracy.svg");
    let written = std::fs::read_to_string(file).unwrap_or_default();
    assert!(
        written == drawn,
        "docs/accuracy.svg is not what is computed: run ./dev accuracy"
    );
}
