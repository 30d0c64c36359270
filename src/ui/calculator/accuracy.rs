//! How sure the numbers are: computed against measured memory, as a plot and as a table. The dots are a file of its own, made
//! from docs/accuracy.svg and fetched when the reader opens it.

use super::sizer::Sizer;
use crate::i18n::Texts;
use crate::message::Message;
use crate::ui::components::{El, Fetched, el, fetched, svg};

/// The kinds of figures, each with the message of its name and its class: its colour.
const KINDS: [(&str, &str, &str); 4] = [
    ("exact", "calc-accuracy-exact", "dots exact"),
    ("engine", "calc-accuracy-engine", "dots engine"),
    ("training", "calc-accuracy-training", "dots training"),
    ("picture", "calc-accuracy-picture", "dots picture"),
];

/// The drawing's square in units of the picture, and the margins for the words on its left and below.
const SIDE: i64 = 1000;
const LEFT: i64 = 150;
const BELOW: i64 = 110;

/// From 1 MB to 10 TB in powers of ten: how many, and of which decimal unit.
const TICKS: [(i64, usize); 8] = [
    (1, 2),
    (10, 2),
    (100, 2),
    (1, 3),
    (10, 3),
    (100, 3),
    (1000, 3),
    (10_000, 3),
];

/// The panel, folded until it is asked for.
pub fn accuracy(sizer: Sizer) -> El {
    let words = ["calc-accuracy-lead", "calc-accuracy-fits", "calc-accuracy-basis"];
    let lead = words.map(|id| el("p", "").says(sizer.state.label(id)));
    let panel = Fetched {
        class: "below accuracy",
        title: "calc-accuracy",
        file: "vramfit:accuracy",
        drawn,
    };
    fetched(sizer.state, panel, &lead)
}

/// The decades that the dots lie in, and how they lie on the drawing.
struct Scale {
    first: i64,
    last: i64,
}

impl Scale {
    /// Of dots in thousandths of all decades.
    fn of(dots: &str) -> Scale {
        let all = TICKS.len() as i64 - 1;
        let numbers = dots
            .lines()
            .filter(|line| !line.contains('\t'))
            .flat_map(|line| line.split(' '));
        let mut scale = Scale {
            first: all - 1,
            last: 1,
        };
        for number in numbers.filter_map(|number| number.parse::<i64>().ok()) {
            let at = number.clamp(0, SIDE) * all;
            scale.first = scale.first.min(at / SIDE);
            scale.last = scale.last.max((at + SIDE - 1) / SIDE);
        }
        scale.last = scale.last.max(scale.first + 1);
        scale
    }

    /// Along the drawing's side, for so many thousandths of all decades.
    fn at(&self, thousandths: i64) -> i64 {
        (thousandths * (TICKS.len() as i64 - 1) - self.first * SIDE) / (self.last - self.first)
    }
}

/// The plot, and the table that says the same.
fn drawn(texts: &Texts, text: &str) -> Vec<El> {
    let scale = Scale::of(text);
    let mut plot = axes(texts, &scale);
    let mut body = el("tbody", "");
    let mut group = svg("g", "");
    let mut all = 0i64;
    for line in text.lines() {
        let mut kind = line.split('\t');
        let id = kind.next();
        let known = KINDS.iter().find(|known| line.contains('\t') && Some(known.0) == id);
        if let Some((_, name, class)) = known {
            let mut number = || {
                kind.next()
                    .and_then(|text| text.replace('.', "").parse::<i64>().ok())
                    .unwrap_or(0)
            };
            let (rows, tenths) = (number(), number());
            all = all.saturating_add(rows);
            group = svg("g", class);
            plot = plot.child(group.clone());
            let swatch = svg("svg", class)
                .attr("viewBox", "0 0 10 10")
                .attr("aria-hidden", "true")
                .child(dot(5, 5, 5));
            let name = el("th", "").attr("scope", "row").child(swatch).text(&texts.text(name));
            let row = el("tr", "")
                .child(name)
                .child(el("td", "figure").text(&texts.format.count(rows)))
                .child(el("td", "figure").text(&texts.format.percent(tenths)));
            body = body.child(row);
        } else {
            let mut at = line
                .split(' ')
                .map(|number| number.parse::<i64>().unwrap_or(0).clamp(0, SIDE));
            let mut next = || scale.at(at.next().unwrap_or(0));
            let (x, low, high, mid) = (LEFT + next(), SIDE - next(), SIDE - next(), SIDE - next());
            let whisker = svg("path", "").attr("d", &path(&[("M", x), (" ", low), ("V", high)]));
            group = group.child(whisker).child(dot(x, mid, 6));
        }
    }
    let head = |id| el("th", "").attr("scope", "col").text(&texts.text(id));
    let heads = ["calc-accuracy-kind", "calc-accuracy-rows", "calc-accuracy-median"].map(head);
    let table = el("table", "")
        .child(el("thead", "").child(el("tr", "").all(&heads)))
        .child(body);
    let label = texts.message(&Message::new("calc-accuracy-plot").with("count", all));
    let plot = el("figure", "").child(plot.attr("aria-label", &label));
    vec![el("div", "columns").child(el("div", "").child(table)).child(plot)]
}

fn dot(x: i64, y: i64, radius: i64) -> El {
    svg("circle", "").number("cx", x).number("cy", y).number("r", radius)
}

fn path(steps: &[(&str, i64)]) -> String {
    steps
        .iter()
        .map(|(step, at)| [step, at.to_string().as_str()].concat())
        .collect()
}

/// The square with its lines at the powers of ten, their names, and the diagonal on which computed and measured agree.
fn axes(texts: &Texts, scale: &Scale) -> El {
    let (right, bottom) = (LEFT + SIDE, SIDE + BELOW);
    let mut plot = svg("svg", "plot").attr("role", "img").attr(
        "viewBox",
        &["0 -20", &(right + 40).to_string(), &(bottom + 20).to_string()].join(" "),
    );
    let words = |x: i64, y: i64, anchor: &str, words: &str| {
        svg("text", "")
            .number("x", x)
            .number("y", y)
            .attr("text-anchor", anchor)
            .text(words)
    };
    let numbers = texts.format.language.0.numbers;
    for at in scale.first..=scale.last {
        let Some((count, unit)) = usize::try_from(at).ok().and_then(|at| TICKS.get(at).copied()) else {
            continue;
        };
        let along = (at - scale.first) * SIDE / (scale.last - scale.first);
        let (x, y) = (LEFT + along, SIDE - along);
        let lines = [("M", x), (" ", 0), ("V", SIDE), ("M", LEFT), (" ", y), ("H", right)];
        let name = [&texts.format.count(count), numbers.unit_space, numbers.decimal[unit]].concat();
        plot = plot
            .child(svg("path", "grid").attr("d", &path(&lines)))
            .child(words(LEFT - 12, y + 8, "end", &name));
        // The last but one would run into the last.
        if at == scale.last {
            plot = plot.child(words(x, SIDE + 40, "end", &name));
        } else if at + 1 < scale.last {
            plot = plot.child(words(x, SIDE + 40, "middle", &name));
        }
    }
    let equal = [("M", LEFT), (" ", SIDE), ("L", right), (" ", 0)];
    plot.child(svg("path", "equal").attr("d", &path(&equal)))
        .child(words(right, bottom - 20, "end", &texts.text("calc-accuracy-measured")))
        .child(words(LEFT + 14, 32, "start", &texts.text("calc-accuracy-computed")))
}
