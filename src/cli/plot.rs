//! The plot of `vramfit accuracy`: measured bytes along, computed bytes up, both in powers of ten, each row a dot with its
//! range as a whisker. Colours follow the reader's light or dark setting; no font is fetched. Tokens are left out.

use std::fmt::Write;

use super::accuracy::{Comparison, Kind, Scored};

/// The drawing's side and the margins of its square, in units of the picture.
const SIDE: f64 = 640.0;
const LEFT: f64 = 76.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 64.0;
const RIGHT: f64 = 32.0;

/// The least and the most that are drawn: 1 MB to 10 TB.
const LEAST: f64 = 6.0;
const MOST: f64 = 13.0;

/// What stands at the powers of ten from [`LEAST`] on.
const TICKS: [&str; 8] = ["1 MB", "10 MB", "100 MB", "1 GB", "10 GB", "100 GB", "1 TB", "10 TB"];

/// Paul Tol's bright colours, told apart by the colour-blind, for light and for dark ground.
const STYLE: &str = "\
.ground{fill:#fff}.grid{stroke:#e3e3e3}.equal{stroke:#888}text{fill:#333;font:13px system-ui,sans-serif}
.exact{--c:#4477aa}.engine{--c:#ee6677}.training{--c:#228833}.picture{--c:#aa3377}
circle{fill:var(--c)}path{stroke:var(--c);stroke-opacity:.45}
@media(prefers-color-scheme:dark){.ground{fill:#16181d}.grid{stroke:#2c3038}.equal{stroke:#8a8f98}text{fill:#d5d8dd}
.exact{--c:#77aadd}.engine{--c:#ee8866}.training{--c:#bbcc33}.picture{--c:#ffaabb}}";

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Exact => "exact",
        Kind::Engine => "engine",
        Kind::Training => "training",
        Kind::Picture => "picture",
    }
}

/// Where a number of bytes stands between the ends of an axis, from 0 to 1.
fn place(bytes: f64) -> f64 {
    ((bytes.max(1.0).log10() - LEAST) / (MOST - LEAST)).clamp(0.0, 1.0)
}

fn along(bytes: f64) -> f64 {
    LEFT + place(bytes) * (SIDE - LEFT - RIGHT)
}

fn up(bytes: f64) -> f64 {
    SIDE - BOTTOM - place(bytes) * (SIDE - TOP - BOTTOM)
}

/// The picture as SVG.
pub fn svg(comparison: &Comparison) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\" role=\"img\" \
         aria-label=\"Computed against measured memory\">\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{SIDE}\" height=\"{SIDE}\"/>\n"
    );
    axes(&mut out);
    for kind in Kind::ALL {
        let drawn = |row: &&Scored| row.kind == kind && !row.tokens && row.measured > 0.0;
        let rows: Vec<&Scored> = comparison.scored.iter().filter(drawn).collect();
        if !rows.is_empty() {
            let _ = writeln!(out, "<g class=\"{}\">", class(kind));
            rows.iter().for_each(|row| dot(&mut out, row));
            out.push_str("</g>\n");
        }
    }
    legend(&mut out, comparison);
    out.push_str("</svg>\n");
    out
}

/// The lines of the powers of ten with their names, and the diagonal on which computed and measured agree.
fn axes(out: &mut String) {
    let (right, bottom) = (SIDE - RIGHT, SIDE - BOTTOM);
    for (power, name) in TICKS.iter().enumerate() {
        let bytes = 10f64.powf(LEAST + power as f64);
        let (x, y) = (along(bytes), up(bytes));
        let _ = writeln!(
            out,
            "<path class=\"grid\" style=\"stroke-opacity:1\" d=\"M{x:.1} {TOP}V{bottom}M{LEFT} {y:.1}H{right}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
            bottom + 18.0,
            LEFT - 8.0,
            y + 4.0
        );
    }
    let _ = writeln!(
        out,
        "<path class=\"equal\" style=\"stroke-opacity:1\" d=\"M{LEFT} {bottom}L{right} {TOP}\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">measured</text>\
         <text transform=\"translate(14 {:.1})rotate(-90)\" text-anchor=\"middle\">computed</text>",
        (LEFT + right) / 2.0,
        bottom + 40.0,
        (TOP + bottom) / 2.0
    );
}

/// A row's dot at its middle, and its range.
fn dot(out: &mut String, row: &Scored) {
    let x = along(row.measured);
    let [low, mid, high] = [row.span.low, row.span.mid, row.span.high].map(|bytes| up(bytes.as_f64()));
    let _ = writeln!(
        out,
        "<path d=\"M{x:.1} {low:.1}V{high:.1}\"/><circle cx=\"{x:.1}\" cy=\"{mid:.1}\" r=\"2.6\"/>"
    );
}

/// Each kind that has rows: its colour, how many rows, the median error.
fn legend(out: &mut String, comparison: &Comparison) {
    let mut y = TOP + 22.0;
    for kind in Kind::ALL {
        let summary = comparison.summary(Some(kind));
        if summary.rows == 0 {
            continue;
        }
        let (x, rows, median) = (LEFT + 16.0, summary.rows, summary.median);
        let _ = writeln!(
            out,
            "<g class=\"{}\"><circle cx=\"{x}\" cy=\"{:.1}\" r=\"5\"/></g>\
             <text x=\"{}\" y=\"{y}\">{}: {rows} rows, median error {median:.1} %</text>",
            class(kind),
            y - 4.5,
            x + 12.0,
            kind.name()
        );
        y += 20.0;
    }
}
