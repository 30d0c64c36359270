//! The result: the verdict in words, the bar against what the card gives, and each part with its range, basis and formula.

use super::names::card_names;
use super::sizer::{Result, Sizer};
use crate::i18n::{Format, Texts};
use crate::message::Message;
use crate::scenario::Scenario;
use crate::sizing::{Fits, Part, PartId, Span, Stage};
use crate::ui::components::{El, el, follow, part_of, svg};
use crate::units::Bytes;
use leptos::prelude::*;
use std::time::Duration;

/// How long the inputs must rest before the verdict is spoken.
const REST: Duration = Duration::from_millis(700);

/// All parts in the order in which they are shown, each with its class: its colour.
pub const PARTS: &[(PartId, &str)] = &[
    (PartId::Weights, "part allocated"),
    (PartId::TextEncoders, "part others"),
    (PartId::Vae, "part reserved"),
    (PartId::Gradients, "part others"),
    (PartId::MasterWeights, "part reserved"),
    (PartId::Optimizer, "part own-outside"),
    (PartId::Adapters, "part others"),
    (PartId::ControlNets, "part own-outside"),
    (PartId::KvCache, "part own-outside"),
    (PartId::KvWindow, "part reserved"),
    (PartId::State, "part others"),
    (PartId::Activations, "part at-work"),
    (PartId::Compute, "part at-work"),
    (PartId::Logits, "part logits"),
    (PartId::Cache, "part logits"),
    (PartId::Draft, "part others"),
    (PartId::Graphs, "part reserved"),
    (PartId::Temporary, "part reserved"),
    (PartId::Overhead, "part unaccounted"),
];

/// The name of a part.
pub fn part_name(texts: &Texts, id: PartId) -> String {
    texts.message(&Message::new("size-part").with("part", id.id()))
}

/// A range in words; one figure where it is exact.
pub fn range(texts: &Texts, span: Span) -> String {
    if span.low == span.high {
        texts.format.bytes(span.mid)
    } else {
        texts.format.range(span.low, span.high)
    }
}

/// An amount as exact as an estimate is.
pub fn about(texts: &Texts, bytes: Bytes) -> String {
    texts.format.range(bytes, bytes)
}

/// The verdict as one sentence with the figure that counts.
pub fn verdict(texts: &Texts, result: &Result) -> String {
    let Some(estimate) = &result.estimate else {
        return texts.text("calc-none");
    };
    let total = estimate.total;
    if let Some(placed) = result.spilled() {
        // What surely fits does so once it is asked for: by itself the engine keeps more free than it needs.
        let message = match result.fits {
            Some(Fits::Yes) => Message::new("calc-yes-asked").with("option", result.all_layers),
            _ => Message::new("calc-spills"),
        };
        return texts.message(&message.with("host", about(texts, placed.host.mid)));
    }
    if let Some(host) = result.streams {
        return texts.message(&Message::new("calc-streams").with("host", about(texts, host)));
    }
    texts.message(&match result.usable.zip(result.fits) {
        None => Message::new("calc-need").with("need", range(texts, total)),
        Some((usable, Fits::Yes)) => Message::new("calc-yes").with("left", about(texts, usable - total.high)),
        Some((usable, Fits::Tight)) => Message::new("calc-tight").with("lack", about(texts, total.high - usable)),
        Some((usable, Fits::No)) => Message::new("calc-no").with("lack", about(texts, total.low - usable)),
    })
}

/// The verdict for those who hear the page: one sentence, once the inputs rest.
pub fn spoken(sizer: Sizer) -> El {
    let said = el("p", "vh").attr("role", "status");
    let place = said.clone();
    let mut waiting = None::<TimeoutHandle>;
    follow(move || {
        let result = sizer.result();
        let sentence = verdict(&sizer.texts(), &result);
        if let Some(earlier) = waiting.take() {
            earlier.clear();
        }
        let place = place.clone();
        waiting = set_timeout_with_handle(move || place.write(&sentence), REST).ok();
    });
    said
}

/// The verdict at the foot of a narrow screen, as long as the inputs fill it; others see or hear it elsewhere.
pub fn peek(sizer: Sizer) -> El {
    let (line, sign_of, words) = (
        el("p", "peek").attr("aria-hidden", "true"),
        el("span", ""),
        el("span", ""),
    );
    let (shown, place) = (sign_of.clone(), line.clone());
    let mut before = None;
    follow(move || {
        let result = sizer.result();
        let now = Some((result.shown(), result.estimate.is_none()));
        if now != before {
            before = now;
            shown.fill(sign(result.shown()).as_slice());
            place.hide(result.estimate.is_none());
        }
    });
    let words = words.says(move || verdict(&sizer.texts(), &sizer.result()));
    line.child(sign_of).child(words)
}

/// The result of the scenario that the inputs change.
pub fn estimate(sizer: Sizer) -> El {
    let (headline, sentence, of) = (el("h2", "headline"), el("span", ""), el("p", "quiet"));
    let (sign_place, figure, per_token) = (el("span", ""), el("figure", "bar need"), el("p", "small quiet"));
    let doubted = el("p", "small");
    let (total, totals) = (el("span", "figure"), el("li", "total"));
    let whole = totals
        .child(el("span", "name").says(sizer.state.label("calc-total")))
        .child(total.clone());
    let mut rows: Vec<Row> = PARTS.iter().map(Row::new).collect();
    let items: Vec<El> = rows.iter().map(|row| row.item.clone()).collect();
    let list = el("ul", "needs").all(&items).child(whole);
    let shown = el("div", "")
        .child(headline.child(sign_place.clone()).child(sentence.clone()))
        .all(&[
            of.clone(),
            doubted.clone(),
            figure.clone(),
            list.clone(),
            per_token.clone(),
        ]);
    follow(move || {
        let result = sizer.result();
        let (scenario, texts) = (sizer.scenario(), &sizer.texts());
        rows.iter_mut().for_each(|row| row.update(texts, &result));
        sentence.write(&verdict(texts, &result));
        sign_place.fill(sign(result.shown()).as_slice());
        figure.fill(bar(texts, &scenario, &result, reach(&scenario, &result)).as_slice());
        of.write(
            &result
                .usable
                .map_or(String::new(), |usable| need_of(texts, &scenario, &result, usable)),
        );
        let doubts: Vec<String> = scenario.doubts().iter().map(|doubt| texts.message(doubt)).collect();
        doubted.hide(doubts.is_empty());
        doubted.write(&doubts.join(" "));
        let quiet = match &result.per_token {
            Some(message) => [texts.message(message), pool_of(texts, &result)].join(" "),
            None => stages(texts, &result),
        };
        per_token.write(quiet.trim_end());
        list.hide(result.estimate.is_none());
        if let Some(estimate) = &result.estimate {
            total.write(&range(texts, estimate.total));
        }
    });
    shown
}

/// From so many percent on the GPU a job does not run several times slower: a memory of a tenth of the card's speed that is
/// read for a tenth of the weights takes as long as the card does for the rest.
const NEARLY_ALL: i64 = 90;

/// Where llama.cpp and Ollama put the model's layers: a bar of what is on the cards and in the computer's memory, and in words.
pub fn placed(sizer: Sizer) -> El {
    let (drawing, words, quiet) = (el("div", ""), el("p", ""), el("p", "small quiet"));
    let section = el("section", "placed").all(&[
        el("h3", "").says(sizer.state.label("calc-placed")),
        drawing.clone(),
        words.clone(),
        quiet.clone(),
    ]);
    let place = section.clone();
    let mut before = None;
    follow(move || {
        let result = sizer.result();
        let texts = sizer.texts();
        let now = Some((result.placed, texts.format));
        if now == before {
            return;
        }
        before = now;
        place.hide(result.placed.is_none());
        let Some(placed) = result.placed else { return };
        let whole = placed.cards.mid + placed.host.mid;
        let block = |class: &str, from: Bytes, to: Bytes| {
            rect(class, [&part_of(from, whole), &part_of(to - from, whole)], 0, 28)
        };
        let bar = svg("svg", "")
            .attr("role", "img")
            .attr("aria-label", &texts.text("calc-placed-bar"))
            .child(block("part allocated", Bytes::ZERO, placed.cards.mid))
            .child(block("part reserved", placed.cards.mid, whole));
        drawing.fill(&[el("figure", "bar").child(bar)]);
        let message = Message::new("calc-placed-layers")
            .with("layers", placed.layers)
            .with("of", placed.of)
            .with("cards", range(&texts, placed.cards))
            .with("host", range(&texts, placed.host));
        words.write(&texts.message(&message));
        let id = match placed.layers == placed.of {
            true => "calc-placed-whole",
            false => "calc-placed-part",
        };
        let percent = texts.format.percent(placed.percent().saturating_mul(10));
        let nearly = if placed.percent() >= NEARLY_ALL { "yes" } else { "no" };
        quiet.write(&texts.message(&Message::new(id).with("percent", percent).with("nearly", nearly)));
    });
    section
}

/// The need against what the cards give.
fn need_of(texts: &Texts, scenario: &Scenario, result: &Result, usable: Bytes) -> String {
    let Some(estimate) = &result.estimate else {
        return String::new();
    };
    let message = Message::new("calc-of")
        .with("need", range(texts, estimate.total))
        .with("usable", usable)
        .with("cards", scenario.card_count())
        .with("name", card_names(texts, &scenario.cards));
    texts.message(&message)
}

fn pool_of(texts: &Texts, result: &Result) -> String {
    let told = result.pool.as_ref();
    told.map_or(String::new(), |message| texts.message(message))
}

/// The stages of making an image with the need of each, the fullest one named first; nothing for other jobs.
fn stages(texts: &Texts, result: &Result) -> String {
    let Some((estimate, fullest)) = result.estimate.as_ref().and_then(|all| Some((all, all.fullest?))) else {
        return String::new();
    };
    let name = |stage: Stage| texts.message(&Message::new("size-stage-name").with("stage", stage.id()));
    let needs = estimate.stages.iter().map(|(stage, need)| {
        let need = Message::new("calc-stage").with("need", range(texts, *need));
        texts.message(&need.with("stage", name(*stage)))
    });
    let all = needs.collect::<Vec<_>>().join(" · ");
    texts.message(
        &Message::new("calc-fullest")
            .with("stage", name(fullest))
            .with("all", all),
    )
}

/// The verdict as one letter, where there is room for no more.
pub fn mark(fits: Fits) -> &'static str {
    match fits {
        Fits::Yes => "✓",
        Fits::Tight => "~",
        Fits::No => "✗",
    }
}

/// The verdict's shape: a tick, a wave, a cross; nothing without one.
pub fn sign(fits: Option<Fits>) -> Option<El> {
    let (class, path) = match fits? {
        Fits::Yes => ("sign yes", "M4 10.5l4 4 8-9"),
        Fits::Tight => ("sign tight", "M3 11q3.5-5 7-1t7-1"),
        Fits::No => ("sign no", "M5 5l10 10M15 5L5 15"),
    };
    let sign = svg("svg", class)
        .attr("viewBox", "0 0 20 20")
        .attr("aria-hidden", "true");
    Some(sign.child(svg("path", "").attr("d", path)))
}

/// One part: its range and basis; on demand the formula with the scenario's numbers, and of weights why a file differs.
struct Row {
    id: PartId,
    item: El,
    /// Name, basis and figure; formula, and why a file differs.
    words: [El; 5],
    shown: Option<(Part, Format)>,
}

impl Row {
    fn new((id, class): &(PartId, &'static str)) -> Row {
        let swatch = svg("svg", "swatch")
            .attr("aria-hidden", "true")
            .child(rect(class, ["0", "100%"], 0, 14));
        let words = [
            el("span", "name"),
            el("span", "sureness"),
            el("span", "figure"),
            el("p", ""),
            el("p", ""),
        ];
        let [name, basis, figure, formula, differs] = words.clone();
        let summary = el("summary", "").all(&[swatch, name, basis, figure]);
        let item = el("li", "").child(el("details", "").all(&[summary, formula, differs]));
        item.hide(true);
        Row {
            id: *id,
            item,
            words,
            shown: None,
        }
    }

    fn update(&mut self, texts: &Texts, result: &Result) {
        let mut parts = result.estimate.iter().flat_map(|estimate| &estimate.parts);
        let part = parts.find(|part| part.id == self.id);
        let now = part.map(|part| (part.clone(), texts.format));
        if now == self.shown {
            return;
        }
        self.item.hide(now.is_none());
        self.shown = now;
        let Some(part) = part else { return };
        let differs = result.bare.as_ref().filter(|_| self.id == PartId::Weights);
        let words = [
            part_name(texts, self.id),
            texts.message(&Message::new("calc-basis").with("basis", part.basis.id())),
            range(texts, part.span),
            texts.message(&part.formula),
            differs.map_or(String::new(), |message| texts.message(message)),
        ];
        for (place, words) in self.words.iter().zip(&words) {
            place.write(words);
        }
    }
}

/// A block: from where and how wide as SVG takes it, from which pixel and how high.
fn rect(class: &str, [x, width]: [&str; 2], y: i64, height: i64) -> El {
    let block = svg("rect", class).attr("x", x).attr("width", width);
    block.attr("y", &y.to_string()).attr("height", &height.to_string())
}

/// How far the bar reaches over the card, in hundredths of what can be used; a need beyond is cut off there.
const REACH: i64 = 180;

/// The width of a bar in bytes.
pub fn reach(scenario: &Scenario, result: &Result) -> Bytes {
    let high = result
        .estimate
        .as_ref()
        .map_or(Bytes::ZERO, |estimate| estimate.total.high);
    let capacity = scenario.card().map_or(Bytes::ZERO, |card| card.total());
    result
        .usable
        .map_or(high, |usable| capacity.max(high.min(usable.share(REACH, 100))))
}

/// Where the parts end, drawn to scale against what can be used and what the card has. The need's end is soft: it fades
/// from the low end of the range to the high one. `most` is the width.
pub fn bar(texts: &Texts, scenario: &Scenario, result: &Result, most: Bytes) -> Option<El> {
    const TOP: i64 = 24;
    const HEIGHT: i64 = 44;
    const END: i64 = TOP + HEIGHT;
    let estimate = result.estimate.as_ref()?;
    let total = estimate.total;
    let capacity = scenario.card().map_or(Bytes::ZERO, |card| card.total());
    let at = |bytes: Bytes| part_of(bytes.min(most), most);
    let block = |class: &str, from: Bytes, to: Bytes, y: i64, height: i64| {
        rect(
            class,
            [&at(from), &part_of(to.min(most) - from.min(most), most)],
            y,
            height,
        )
    };
    let mut shown = svg("svg", "")
        .attr("role", "img")
        .attr("aria-label", &texts.text("calc-bar"));
    if let Some(usable) = result.usable.filter(|usable| *usable < capacity) {
        shown = shown.child(block("part taken", usable, capacity, TOP, HEIGHT));
    }
    let mut from = Bytes::ZERO;
    for (place, part) in estimate.parts.iter().enumerate() {
        // The last part reaches to the high end, where it has faded.
        let to = if place + 1 == estimate.parts.len() {
            total.high
        } else {
            from + part.span.mid
        };
        let class = PARTS
            .iter()
            .find(|known| known.0 == part.id)
            .map_or("", |known| known.1);
        shown = shown.child(block(class, from, to, TOP, HEIGHT));
        from = to;
    }
    shown = shown.child(block("soft", total.low, total.high, TOP - 1, HEIGHT + 2));
    if let Some(usable) = result.usable {
        let (class, from, to) = match total.high > usable {
            true => ("part missing", usable, total.high),
            false => ("part free", total.high, usable),
        };
        shown = shown.child(block(class, from, to, TOP, HEIGHT));
        let place = at(usable);
        let line = svg("line", "edge")
            .attr("x1", &place)
            .attr("x2", &place)
            .attr("y1", "8");
        // The words stand on the side that has room.
        let (anchor, dx) = if usable.share(100, most.0).0 >= 45 {
            ("end", "-7")
        } else {
            ("start", "7")
        };
        let label = svg("text", "")
            .attr("x", &place)
            .attr("dx", dx)
            .attr("y", "16")
            .attr("text-anchor", anchor);
        label.write(&texts.message(&Message::new("calc-bar-usable").with("usable", usable)));
        shown = shown.child(line.attr("y2", &(END + 10).to_string())).child(label);
    }
    Some(shown)
}
