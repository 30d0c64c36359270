//! The bar of a card: its parts to scale, the line of its capacity, and the request that did not fit reaching over it.
//!
//! Positions are shares of the bar's width, so that it fits any width without being drawn again; heights are in pixels.

use crate::diagnosis::Picture;
use crate::i18n::Texts;
use crate::message::{Arg, Message};
use crate::units::Bytes;
use leptos::prelude::*;

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
        let used: Bytes = picture.parts.iter().filter(|part| part.id != "free").map(|part| part.bytes).sum();
        let sum = picture.parts.iter().map(|part| part.bytes).sum::<Bytes>().max(picture.total);
        let most = sum + picture.total.share(REACH, 100);
        let end = picture.requested.map(|requested| used + requested);
        let cut = end.is_some_and(|end| end > most);
        let end = end.map(|end| end.min(most));
        Scale { whole: end.unwrap_or_default().max(sum), used, end, cut }
    }

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
    [whole.to_string().as_str(), ".", if rest < 10 { "0" } else { "" }, rest.to_string().as_str(), "%"].concat()
}

fn rect(class: &'static str, x: String, width: String, y: i64, height: i64) -> AnyView {
    view! { <rect class=class x=x width=width y=y height=height></rect> }.into_any()
}

fn line(class: &'static str, x: [String; 2], y: [i64; 2]) -> AnyView {
    let ([x1, x2], [y1, y2]) = (x, y);
    view! { <line class=class x1=x1 x2=x2 y1=y1 y2=y2></line> }.into_any()
}

fn label(class: &'static str, x: String, dx: i64, y: i64, text: String) -> AnyView {
    let anchor = if dx > 0 { "start" } else { "end" };
    view! { <text class=class x=x dx=dx y=y text-anchor=anchor>{text}</text> }.into_any()
}

/// The class of a part on the bar; its colour is the class of its id.
fn part_class(id: &'static str) -> &'static str {
    match id {
        "allocated" => "part allocated",
        "reserved" => "part reserved",
        "own-outside" => "part own-outside",
        "others" => "part others",
        "free" => "part free",
        _ => "part unaccounted",
    }
}

/// The parts and what lacks, side by side.
fn blocks(picture: &Picture, scale: &Scale, y: i64, height: i64) -> Vec<AnyView> {
    let mut shown = Vec::new();
    let mut from = Bytes::ZERO;
    for part in &picture.parts {
        shown.push(rect(part_class(part.id), scale.at(from), scale.at(part.bytes), y, height));
        from += part.bytes;
    }
    if let Some(end) = scale.end.filter(|end| *end > picture.total) {
        let from = scale.used.max(picture.total);
        shown.push(rect("part missing", scale.at(from), scale.at(end - from), y, height));
    }
    shown
}

/// The bar with its labels. What it shows stands in the table of [`parts`] too.
pub fn bar(texts: &Texts, picture: &Picture) -> AnyView {
    const TOP: i64 = 26;
    const HEIGHT: i64 = 56;
    const BELOW: i64 = TOP + HEIGHT + 13;
    let scale = Scale::of(picture);
    let mut shown = blocks(picture, &scale, TOP, HEIGHT);
    let mut from = Bytes::ZERO;
    for part in &picture.parts {
        let share = scale.hundredths(part.bytes);
        if share >= FIGURE_FITS[0] {
            let class = match (part.id, share < FIGURE_FITS[1]) {
                ("reserved" | "unaccounted", _) => continue,
                ("free", false) => "",
                ("free", true) => "narrow",
                (_, false) => "inside",
                (_, true) => "inside narrow",
            };
            let figure = texts.format.bytes(part.bytes);
            shown.push(label(class, scale.at(from), 10, TOP + HEIGHT / 2 + 5, figure));
        }
        from += part.bytes;
    }
    let sentence = |id, bytes: Bytes| texts.message(&Message::new(id).with("size", bytes));
    let capacity = scale.at(picture.total);
    shown.push(line("edge", [capacity.clone(), capacity.clone()], [6, TOP + HEIGHT + 5]));
    shown.push(label("", capacity, -7, 16, sentence("ui-bar-capacity", picture.total)));
    if let (Some(end), Some(requested)) = (scale.end, picture.requested) {
        let (begin, end_at) = (scale.at(scale.used), scale.at(end));
        shown.push(line("span", [begin.clone(), end_at.clone()], [BELOW, BELOW]));
        shown.push(line("span", [begin.clone(), begin.clone()], [BELOW - 5, BELOW + 5]));
        if !scale.cut {
            shown.push(line("span", [end_at.clone(), end_at.clone()], [BELOW - 5, BELOW + 5]));
        }
        let text = sentence(if scale.cut { "ui-bar-requested-cut" } else { "ui-bar-requested" }, requested);
        // The text needs room on one side: behind where it begins, or before where it ends.
        shown.push(if scale.hundredths(scale.used) < 50 {
            label("asked", begin, 1, BELOW + 21, text)
        } else {
            label("asked", end_at, 0, BELOW + 21, text)
        });
    }
    let name = texts.text("ui-bar");
    view! {
        <figure class="bar">
            <svg role="img" aria-label=name>
                {shown}
            </svg>
        </figure>
    }
    .into_any()
}

/// The bar without words, for a button that has its own; an outline where the text has no figures.
pub fn miniature(picture: Option<&Picture>) -> AnyView {
    let shown = match picture {
        Some(picture) => {
            let scale = Scale::of(picture);
            let mut shown = blocks(picture, &scale, 3, 12);
            let capacity = scale.at(picture.total);
            shown.push(line("edge", [capacity.clone(), capacity], [0, 18]));
            shown
        }
        None => vec![rect("part unknown", "0.5%".to_owned(), "99%".to_owned(), 3, 12)],
    };
    view! {
        <svg class="miniature" aria-hidden="true">
            {shown}
        </svg>
    }
    .into_any()
}

/// The table of the parts: colour, name, size, share of the card. It is the bar's legend as well.
pub fn parts(texts: &Texts, picture: &Picture) -> AnyView {
    let share = |bytes: Bytes| texts.format.percent(bytes.share(1000, picture.total.0).0);
    let row = |class: &'static str, swatch: &'static str, name: String, bytes: Bytes, share: String| {
        view! {
            <tr class=class>
                <th scope="row">{swatch_of(swatch)} <span class="name">{name}</span></th>
                <td class="figure">{texts.format.bytes(bytes)}</td>
                <td class="figure quiet">{share}</td>
            </tr>
        }
        .into_any()
    };
    let mut rows: Vec<AnyView> = Vec::new();
    for part in &picture.parts {
        let name = texts.text(&["part-", part.id].concat());
        rows.push(row("", part_class(part.id), name, part.bytes, share(part.bytes)));
    }
    rows.push(row("total", "", texts.text("part-total"), picture.total, String::new()));
    if let Some(requested) = picture.requested {
        rows.push(row("asked", "part missing", texts.text("part-requested"), requested, share(requested)));
    }
    let spilled = (picture.spilled > Bytes::ZERO).then(|| {
        let message = Message::new("ui-bar-spilled").with("size", Arg::Bytes(picture.spilled));
        view! { <p class="small quiet">{texts.message(&message)}</p> }
    });
    let [caption, part, size, of_card] =
        ["ui-parts", "ui-parts-part", "ui-parts-size", "ui-parts-share"].map(|id| texts.text(id));
    view! {
        <table class="parts">
            <caption class="vh">{caption}</caption>
            <thead class="vh">
                <tr>
                    <th scope="col">{part}</th>
                    <th scope="col">{size}</th>
                    <th scope="col">{of_card}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        {spilled}
    }
    .into_any()
}

fn swatch_of(class: &'static str) -> AnyView {
    let swatch = (!class.is_empty()).then(|| rect(class, "0".to_owned(), "100%".to_owned(), 0, 14));
    view! { <svg class="swatch" aria-hidden="true">{swatch}</svg> }.into_any()
}

/// The patterns that tell parts apart without their colours; once in the page, for all its bars.
pub fn patterns() -> AnyView {
    view! {
        <svg class="vh" aria-hidden="true">
            <defs>
                <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <rect class="on-hatch" width="7" height="7"></rect>
                    <rect class="grain" width="2" height="7"></rect>
                </pattern>
                <pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse">
                    <rect class="on-dots" width="6" height="6"></rect>
                    <rect class="grain" x="2" y="2" width="2" height="2"></rect>
                </pattern>
                <pattern id="lack" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
                    <rect class="on-lack" width="4" height="7"></rect>
                </pattern>
                <linearGradient id="fade">
                    <stop class="fade-to" stop-opacity="0"></stop>
                    <stop class="fade-to" offset="1" stop-opacity="0.92"></stop>
                </linearGradient>
            </defs>
        </svg>
    }
    .into_any()
}
