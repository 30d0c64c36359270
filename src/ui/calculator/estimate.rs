//! The result: the verdict in words, the bar against what the card gives, and each part with its range, basis and formula.

use super::card_picker::card_names;
use super::sizer::{Result, Sizer};
use crate::i18n::Texts;
use crate::message::Message;
use crate::scenario::Scenario;
use crate::sizing::{Fits, Part, PartId, Span};
use crate::ui::components::{label, line, part_of, prose, rect, swatch_of};
use crate::units::Bytes;
use leptos::prelude::*;
use std::time::Duration;

/// How long the inputs must rest before the verdict is spoken.
const REST: Duration = Duration::from_millis(700);

/// A part's class: its colour.
fn class(id: PartId) -> &'static str {
    match id {
        PartId::Weights => "part allocated",
        PartId::KvCache | PartId::Optimizer => "part own-outside",
        PartId::KvWindow | PartId::State | PartId::MasterWeights => "part reserved",
        PartId::Gradients | PartId::Adapters => "part others",
        PartId::Activations | PartId::Compute => "part at-work",
        PartId::Logits => "part logits",
        PartId::Overhead => "part unaccounted",
    }
}

/// A range in words; one figure where it is exact.
pub fn range(texts: &Texts, span: Span) -> String {
    if span.low == span.high { texts.format.bytes(span.mid) } else { texts.format.range(span.low, span.high) }
}

/// The verdict as one sentence with the figure that counts.
pub fn verdict(texts: &Texts, result: &Result) -> Message {
    let Some(estimate) = &result.estimate else { return Message::new("calc-none") };
    let total = estimate.total;
    let Some((usable, fits)) = result.usable.zip(result.fits) else {
        return Message::new("calc-need").with("need", range(texts, total));
    };
    match fits {
        Fits::Yes => Message::new("calc-yes").with("left", usable - total.high),
        Fits::Tight => Message::new("calc-tight").with("lack", total.high - usable),
        Fits::No => Message::new("calc-no").with("lack", total.low - usable),
    }
}

/// The verdict for those who hear the page: one sentence, once the inputs rest.
pub fn spoken(sizer: Sizer) -> AnyView {
    let said = RwSignal::new(String::new());
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move || {
        let result = sizer.result();
        let sentence = sizer.state.texts.with(|texts| texts.message(&verdict(texts, &result)));
        if let Some(earlier) = waiting.get_value() {
            earlier.clear();
        }
        waiting.set_value(set_timeout_with_handle(move || said.set(sentence), REST).ok());
    });
    view! {
        <p class="vh" role="status">
            {said}
        </p>
    }
    .into_any()
}

/// The result of the scenario that the inputs change.
pub fn estimate(sizer: Sizer) -> AnyView {
    let shown = move || {
        let result = sizer.result();
        let scenario = sizer.edited();
        scenario.with(|scenario| sizer.state.texts.with(|texts| whole(texts, scenario, &result)))
    };
    view! { <div>{shown}</div> }.into_any()
}

fn whole(texts: &Texts, scenario: &Scenario, result: &Result) -> AnyView {
    let sentence = texts.message(&verdict(texts, result));
    let Some(estimate) = &result.estimate else {
        return view! { <h2 class="headline quiet">{sentence}</h2> }.into_any();
    };
    let of = result.usable.map(|usable| {
        let message = Message::new("calc-of")
            .with("need", range(texts, estimate.total))
            .with("usable", usable)
            .with("cards", scenario.card_count())
            .with("name", card_names(texts, &scenario.cards));
        view! { <p class="quiet">{texts.message(&message)}</p> }
    });
    let per_token = result.per_token.map(|bytes| {
        let message = Message::new("calc-per-token").with("size", bytes);
        view! { <p class="small quiet">{texts.message(&message)}</p> }
    });
    let rows = estimate.parts.iter().map(|part| row(texts, part, result)).collect::<Vec<_>>();
    let total = texts.text("calc-total");
    view! {
        <h2 class="headline">{sign(result.fits)} {sentence}</h2>
        {of}
        {bar(texts, scenario, result)}
        <ul class="needs">
            {rows}
            <li class="total">
                <span class="name">{total}</span>
                <span class="figure">{range(texts, estimate.total)}</span>
            </li>
        </ul>
        {per_token}
    }
    .into_any()
}

/// The verdict's shape: a tick, a wave, a cross; nothing without one.
pub fn sign(fits: Option<Fits>) -> AnyView {
    let (class, path) = match fits {
        Some(Fits::Yes) => ("sign yes", "M4 10.5l4 4 8-9"),
        Some(Fits::Tight) => ("sign tight", "M3 11q3.5-5 7-1t7-1"),
        Some(Fits::No) => ("sign no", "M5 5l10 10M15 5L5 15"),
        None => return ().into_any(),
    };
    view! {
        <svg class=class viewBox="0 0 20 20" aria-hidden="true">
            <path d=path></path>
        </svg>
    }
    .into_any()
}

/// One part: its range and basis; on demand the formula with the scenario's numbers.
fn row(texts: &Texts, part: &Part, result: &Result) -> AnyView {
    let name = texts.message(&Message::new("size-part").with("part", part.id.id()));
    let basis = texts.message(&Message::new("calc-basis").with("basis", part.basis.id()));
    let bare = result.bare.as_ref().filter(|_| part.id == PartId::Weights);
    let bare = bare.map(|bare| view! { <p>{prose(texts, bare)}</p> });
    view! {
        <li>
            <details>
                <summary>
                    {swatch_of(class(part.id))} <span class="name">{name}</span>
                    <span class="sureness">{basis}</span> <span class="figure">{range(texts, part.span)}</span>
                </summary>
                <p>{prose(texts, &part.formula)}</p>
                {bare}
            </details>
        </li>
    }
    .into_any()
}

/// How far the bar reaches over the card, in hundredths of what can be used; a need beyond is cut off there.
const REACH: i64 = 180;

/// Where the parts end, drawn to scale against what can be used and what the card has. The need's end is soft: it fades
/// from the low end of the range to the high one.
pub fn bar(texts: &Texts, scenario: &Scenario, result: &Result) -> AnyView {
    const TOP: i64 = 24;
    const HEIGHT: i64 = 44;
    const END: i64 = TOP + HEIGHT;
    let Some(estimate) = &result.estimate else { return ().into_any() };
    let (total, usable) = (estimate.total, result.usable);
    let capacity = scenario.card().map_or(Bytes::ZERO, |card| card.total());
    let most = usable.map_or(total.high, |usable| capacity.max(total.high.min(usable.share(REACH, 100))));
    let at = |bytes: Bytes| part_of(bytes.min(most), most);
    let width = |from: Bytes, to: Bytes| part_of(to.min(most) - from.min(most), most);
    let mut shown = Vec::new();
    let mut from = Bytes::ZERO;
    for (place, part) in estimate.parts.iter().enumerate() {
        // The last part reaches to the high end, where it has faded.
        let to = if place + 1 == estimate.parts.len() { total.high } else { from + part.span.mid };
        shown.push(rect(class(part.id), at(from), width(from, to), TOP, HEIGHT));
        from = to;
    }
    shown.push(rect("soft", at(total.low), width(total.low, total.high), TOP - 1, HEIGHT + 2));
    if let Some(usable) = usable {
        if total.high > usable {
            shown.push(rect("part missing", at(usable), width(usable, total.high), TOP, HEIGHT));
        } else {
            shown.push(rect("part free", at(total.high), width(total.high, usable), TOP, HEIGHT));
        }
        if capacity > usable {
            shown.push(rect("part taken", at(usable), width(usable, capacity), END + 4, 6));
        }
        shown.push(line("edge", [at(usable), at(usable)], [8, END + 10]));
        let text = texts.message(&Message::new("calc-bar-usable").with("usable", usable));
        // The words stand on the side that has room.
        let left = usable.share(100, most.0).0 >= 45;
        shown.push(label("", at(usable), if left { -7 } else { 7 }, 16, text));
    }
    view! {
        <figure class="bar need">
            <svg role="img" aria-label=texts.text("calc-bar")>
                {shown}
            </svg>
        </figure>
    }
    .into_any()
}
