//! The bar of a card: its parts to scale, the line of its capacity, and the request that did not fit reaching over it.
//!
//! Positions are shares of the bar's width, so that it fits any width without being drawn again; heights are in pixels.

use super::dom::{El, el, svg};
use crate::diagnosis::Picture;
use crate::i18n::Texts;
use crate::message::Message;
use crate::units::Bytes;

/// How far a request may reach over the capacity, in hundredths of it; beyond, the bar is cut off there.
const REACH: i64 = 60;

/// A part narrower than this share of the bar (in hundredths) has no room for its figure; between the two, only on a wide screen.
const FIGURE_FITS: [i64; 2] = [9, 24];

/// Where the parts of a picture stand.
struct Scale {
    /// The whole width.
    whole: Bytes,
    /// Where the free part begins, and with it the request.
    used: Bytes,
    /// Where the request ends, if it is drawn.
    end: Option<Bytes>,
    /// Whether the request reaches further than it is drawn.
    cut: bool,
}

impl Scale {
    fn of(picture: &Picture) -> Scale {
        let used: Bytes = picture
            .parts
            .iter()
            .filter(|part| part.id != "free")
            .map(|part| part.bytes)
            .sum();
        let sum = picture
            .parts
            .iter()
            .map(|part| part.bytes)
            .sum::<Bytes>()
            .max(picture.total);
        let most = sum + picture.total.share(REACH, 100);
        let end = picture.requested.map(|requested| used + requested);
        let cut = end.is_some_and(|end| end > most);
        let end = end.map(|end| end.min(most));
        Scale {
            whole: end.unwrap_or_default().max(sum),
            used,
            end,
            cut,
        }
    }

    /// A position or a width as SVG takes it: `12.34%`.
    fn at(&self, bytes: Bytes) -> String {
        part_of(bytes, self.whole)
    }

    fn hundredths(&self, bytes: Bytes) -> i64 {
        bytes.share(100, self.whole.0).0
    }
}

/// A position or a width on a bar of `whole` bytes as SVG takes it: `12.34%`.
pub fn part_of(bytes: Bytes, whole: Bytes) -> String {
    let hundredths = bytes.floor_zero().share(10_000, whole.0).0;
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    [
        whole.to_string().as_str(),
        ".",
        if rest < 10 { "0" } else { "" },
        rest.to_string().as_str(),
        "%",
    ]
    .concat()
}

fn rect(class: &str, x: &str, width: &str, y: i64, height: i64) -> El {
    svg("rect", class)
        .attr("x", x)
        .attr("width", width)
        .number("y", y)
        .number("height", height)
}

fn line(class: &str, x: [&str; 2], y: [i64; 2]) -> El {
    svg("line", class)
        .attr("x1", x[0])
        .attr("x2", x[1])
        .number("y1", y[0])
        .number("y2", y[1])
}

/// A text that begins `dx` behind `x`, or ends so far before it.
fn label(class: &str, x: &str, dx: i64, y: i64, text: &str) -> El {
    let anchor = if dx > 0 { "start" } else { "end" };
    svg("text", class)
        .attr("x", x)
        .attr("text-anchor", anchor)
        .number("dx", dx)
        .number("y", y)
        .text(text)
}

/// The class of a part on the bar; its colour is the class of its id.
fn part_class(id: &'static str) -> &'static str {
    match id {
        "allocated" => "part allocated",
        "reserved" => "part reserved",
        "own-outside" => "part own-outside",
        "others" | "metal" => "part others",
        "free" => "part free",
        _ => "part unaccounted",
    }
}

/// The parts and what lacks, side by side.
fn blocks(into: El, picture: &Picture, scale: &Scale, y: i64, height: i64) -> El {
    let mut into = into;
    let mut from = Bytes::ZERO;
    for part in &picture.parts {
        into = into.child(rect(
            part_class(part.id),
            &scale.at(from),
            &scale.at(part.bytes),
            y,
            height,
        ));
        from += part.bytes;
    }
    if let Some(end) = scale.end.filter(|end| *end > picture.total) {
        let from = scale.used.max(picture.total);
        into = into.child(rect("part missing", &scale.at(from), &scale.at(end - from), y, height));
    }
    into
}

/// The bar with its labels. What it shows stands in the table of [`parts`] too.
pub fn bar(texts: &Texts, picture: &Picture) -> El {
    const TOP: i64 = 26;
    const HEIGHT: i64 = 56;
    const BELOW: i64 = TOP + HEIGHT + 13;
    let scale = Scale::of(picture);
    let drawing = svg("svg", "")
        .attr("role", "img")
        .attr("aria-label", &texts.text("ui-bar"));
    let mut drawing = blocks(drawing, picture, &scale, TOP, HEIGHT);
    let mut from = Bytes::ZERO;
    for part in &picture.parts {
        let share = scale.hundredths(part.bytes);
        // A figure can't be read on a pattern.
        if share >= FIGURE_FITS[0] && !matches!(part.id, "reserved" | "unaccounted") {
            let class = match (part.id, share < FIGURE_FITS[1]) {
                ("free", false) => "",
                ("free", true) => "narrow",
                (_, false) => "inside",
                (_, true) => "inside narrow",
            };
            let figure = texts.format.bytes(part.bytes);
            drawing = drawing.child(label(class, &scale.at(from), 10, TOP + HEIGHT / 2 + 5, &figure));
        }
        from += part.bytes;
    }
    let sentence = |id, bytes: Bytes| texts.message(&Message::new(id).with("size", bytes));
    let capacity = scale.at(picture.total);
    drawing = drawing
        .child(line("edge", [&capacity, &capacity], [6, TOP + HEIGHT + 5]))
        .child(label(
            "",
            &capacity,
            -7,
            16,
            &sentence("ui-bar-capacity", picture.total),
        ));
    if let (Some(end), Some(requested)) = (scale.end, picture.requested) {
        let (begin, end) = (scale.at(scale.used), scale.at(end));
        let tick = |at: &str| line("span", [at, at], [BELOW - 5, BELOW + 5]);
        drawing = drawing
            .child(line("span", [&begin, &end], [BELOW, BELOW]))
            .child(tick(&begin));
        if !scale.cut {
            drawing = drawing.child(tick(&end));
        }
        let text = sentence(
            if scale.cut {
                "ui-bar-requested-cut"
            } else {
                "ui-bar-requested"
            },
            requested,
        );
        // The text needs room on one side: behind where the request begins, or before where it ends.
        let (at, dx) = if scale.hundredths(scale.used) < 50 {
            (&begin, 1)
        } else {
            (&end, 0)
        };
        drawing = drawing.child(label("asked", at, dx, BELOW + 21, &text));
    }
    el("figure", "bar").child(drawing)
}

/// The bar without words, for a button that has its own; an outline where the text has no figures.
pub fn miniature(picture: Option<&Picture>) -> El {
    let drawing = svg("svg", "miniature").attr("aria-hidden", "true");
    match picture {
        Some(picture) => {
            let scale = Scale::of(picture);
            let capacity = scale.at(picture.total);
            blocks(drawing, picture, &scale, 3, 12).child(line("edge", [&capacity, &capacity], [0, 18]))
        }
        None => drawing.child(rect("part unknown", "0.5%", "99%", 3, 12)),
    }
}

/// The table of the parts: colour, name, size, share of the card. It is the bar's legend as well.
pub fn parts(texts: &Texts, picture: &Picture) -> El {
    let head = ["ui-parts-part", "ui-parts-size", "ui-parts-share"].into_iter();
    let head = head.fold(el("tr", ""), |row, id| {
        row.child(el("th", "").attr("scope", "col").text(&texts.text(id)))
    });
    let row = |class: &str, swatch: &str, id: &str, bytes: Bytes| {
        let swatch = (!swatch.is_empty()).then(|| {
            let block = rect(swatch, "0", "100%", 0, 14);
            svg("svg", "swatch").attr("aria-hidden", "true").child(block)
        });
        let name = el("span", "name").text(&texts.text(&["part-", id].concat()));
        // Half a per mille up, so that it is rounded.
        let share = (bytes.share(2000, picture.total.0).0 + 1) / 2;
        el("tr", class)
            .child(el("th", "").attr("scope", "row").maybe(swatch).child(name))
            .child(el("td", "figure").text(&texts.format.bytes(bytes)))
            .child(el("td", "figure quiet").text(&texts.format.percent(share)))
    };
    let mut body = el("tbody", "");
    for part in &picture.parts {
        body = body.child(row("", part_class(part.id), part.id, part.bytes));
    }
    body = body.child(row("total", "", "total", picture.total));
    if let Some(requested) = picture.requested {
        body = body.child(row("asked", "part missing", "requested", requested));
    }
    el("table", "parts")
        .child(el("caption", "vh").text(&texts.text("ui-parts")))
        .child(el("thead", "vh").child(head))
        .child(body)
}

/// What the table's parts are more than the card has.
pub fn spilled(texts: &Texts, picture: &Picture) -> Option<El> {
    let message = Message::new("ui-bar-spilled").with("size", picture.spilled);
    (picture.spilled > Bytes::ZERO).then(|| el("p", "small quiet").text(&texts.message(&message)))
}

/// The patterns that tell parts apart without their colours, and the soft edge of a range; once in the page, for all its bars.
pub fn patterns() -> El {
    let block = |class: &str, x: &str, y: i64, width: &str, height: i64| rect(class, x, width, y, height);
    let pattern = |id: &str, side: i64, turn: &str| {
        let pattern = svg("pattern", "").attr("id", id).attr("patternUnits", "userSpaceOnUse");
        pattern
            .attr("patternTransform", turn)
            .number("width", side)
            .number("height", side)
    };
    let hatch = pattern("hatch", 7, "rotate(45)")
        .child(block("on-hatch", "0", 0, "7", 7))
        .child(block("grain", "0", 0, "2", 7));
    let dots = pattern("dots", 6, "")
        .child(block("on-dots", "0", 0, "6", 6))
        .child(block("grain", "2", 2, "2", 2));
    let lack = pattern("lack", 7, "rotate(-45)").child(block("on-lack", "0", 0, "4", 7));
    let stop = |offset: &str, opacity: &str| {
        svg("stop", "fade-to")
            .attr("offset", offset)
            .attr("stop-opacity", opacity)
    };
    let fade = svg("linearGradient", "")
        .attr("id", "fade")
        .child(stop("0", "0"))
        .child(stop("1", "0.92"));
    let all = svg("svg", "vh").attr("aria-hidden", "true");
    all.child(hatch).child(dots).child(lack).child(fade)
}

/// The page's sign: a bar, filled beyond its end.
pub fn sign() -> El {
    let parts = [
        ("allocated", "0", "50%"),
        ("on-hatch", "57%", "14%"),
        ("on-lack", "82%", "18%"),
    ];
    parts
        .iter()
        .fold(svg("svg", "").attr("aria-hidden", "true"), |sign, (class, x, width)| {
            sign.child(rect(class, x, width, 0, 16))
        })
}
