//! Every model on every card with the settings of now: whether it fits, what is left, and of what is in sight how far the
//! context goes.
//!
//! Only what is in sight is in the page: the table is a window that moves over the whole, and what it has not shown is not
//! computed. What takes long, the longest context, is computed in slices between which the page is free.

use super::any_model::{Any, longest};
use super::estimate::{about, mark};
use super::names::kind_name;
use super::sizer::{How, Sizer};
use super::solved::value_name;
use crate::catalog::{Card, cards};
use crate::i18n::{Format, Texts};
use crate::message::Message;
use crate::scenario::{CardKind, Cards, Scenario, Typed};
use crate::sizing::{By, CardFit, Fits, Value, cards_for, solve};
use crate::ui::components::{El, el, follow, has_words};
use crate::units::Bytes;
use js_sys::Date;
use leptos::prelude::*;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

/// How long the inputs must rest before the table follows.
const REST: Duration = Duration::from_millis(250);

/// How long the longest contexts are computed without a pause, in milliseconds.
const SLICE: f64 = 8.0;

/// The height of a row and the width of a column in pixels, as in style/table.css; how many of them are drawn beyond what is
/// in sight.
const ROW: i32 = 48;
const COLUMN: i32 = 112;
const BEYOND: i32 = 2;

/// A model's row.
struct Row {
    model: Any,
    /// The model on each card; nothing while it was not in sight.
    fits: Option<Vec<CardFit>>,
    /// The longest context on each card; nothing while that is not known.
    longest: Vec<Option<Option<Value>>>,
}

/// All of it.
#[derive(Default)]
struct Whole {
    scenario: Option<Scenario>,
    rows: Vec<Row>,
    /// Which rows and which cards the words leave.
    models: Vec<usize>,
    cards: Vec<usize>,
    /// What is drawn: from which row and column on, and every cell.
    drawn: Drawn,
    /// Cells whose longest context is not yet known, by their place in `drawn`; the first one comes last.
    waiting: Vec<usize>,
    /// Which drawing is the last one.
    drawing: usize,
}

#[derive(Default)]
struct Drawn {
    rows: Vec<usize>,
    cards: Vec<usize>,
    format: Option<Format>,
    cells: Vec<Cell>,
}

/// A cell that is drawn: its verdict and its longest context, each with what it says.
struct Cell {
    row: usize,
    card: usize,
    figure: El,
    verdict: Option<(Fits, String)>,
    far: El,
    reaches: String,
}

impl Cell {
    fn new(row: usize, card: usize) -> Cell {
        Cell {
            row,
            card,
            figure: el("span", ""),
            verdict: None,
            far: el("span", "small quiet"),
            reaches: String::new(),
        }
    }

    /// The verdict's sign, its word for those who hear the page, and what is left or lacks.
    fn judge(&mut self, texts: &Texts, fit: Option<&CardFit>) {
        let verdict = fit.map(|fit| {
            let left = fit.usable - fit.need.mid;
            let figure = match left < Bytes::ZERO {
                true => ["−", &about(texts, Bytes::ZERO - left)].concat(),
                false => about(texts, left),
            };
            (fit.fits, figure)
        });
        if verdict == self.verdict {
            return;
        }
        if let Some((fits, figure)) = &verdict {
            let (class, word) = match fits {
                Fits::Yes => ("figure yes", "calc-table-yes"),
                Fits::Tight => ("figure tight", "calc-table-tight"),
                Fits::No => ("figure no", "calc-table-no"),
            };
            self.figure.set("class", class);
            self.figure.write(mark(*fits));
            let word = el("span", "vh").text(&texts.text(word));
            self.figure.clone().child(word).text(" ").text(figure);
        }
        self.verdict = verdict;
    }

    fn reach(&mut self, words: String) {
        if words != self.reaches {
            self.far.write(&words);
            self.reaches = words;
        }
    }
}

impl Whole {
    /// Begins anew with a scenario.
    fn begin(&mut self, scenario: Scenario) {
        let row = |model: Any| Row {
            model,
            fits: None,
            longest: vec![None; cards().len()],
        };
        self.rows = Any::all(&scenario).into_iter().map(row).collect();
        self.scenario = Some(scenario);
    }

    /// The scenario of a row's model.
    fn of(&self, row: usize) -> Option<Scenario> {
        let mut scenario = Scenario {
            typed: Typed::default(),
            ..self.scenario.clone()?
        };
        self.rows.get(row)?.model.put(&mut scenario);
        Some(scenario)
    }

    /// A row's cells, computed when they are first asked for.
    fn fits(&mut self, row: usize) -> &[CardFit] {
        if self.rows.get(row).is_some_and(|row| row.fits.is_none()) {
            let fits = self.of(row).map(|scenario| cards_for(&scenario)).unwrap_or_default();
            self.rows[row].fits = Some(fits);
        }
        let fits = self.rows.get(row).and_then(|row| row.fits.as_deref());
        fits.unwrap_or_default()
    }

    /// The longest context of a row's model on a card.
    fn longest(&mut self, row: usize, card: usize) -> Option<Value> {
        if let Some(known) = self.rows.get(row)?.longest.get(card)? {
            return *known;
        }
        let scenario = self.of(row)?;
        let on = scenario.on(CardKind::Known(&cards()[card]), scenario.card_count());
        let found = solve(&on, longest(&on), By::High).map(|solution| solution.value);
        self.rows[row].longest[card] = Some(found);
        found
    }
}

/// What is in sight of the table: the first row and column, and how many of each.
#[derive(Clone, Copy, PartialEq, Default)]
struct Sight {
    rows: (i32, i32),
    columns: (i32, i32),
}

impl Sight {
    fn of(region: &El) -> Sight {
        let region = region.handle();
        let window = |from: i32, long: i32, one: i32| ((from / one - BEYOND).max(0), long / one + 1 + 2 * BEYOND);
        Sight {
            rows: window(region.scroll_top(), region.client_height(), ROW),
            columns: window(region.scroll_left(), region.client_width(), COLUMN),
        }
    }
}

/// Sees what is in sight now.
fn look(sight: RwSignal<Sight>, region: &El) {
    let now = Sight::of(region);
    if sight.with_untracked(|sight| *sight != now) {
        sight.set(now);
    }
}

/// The places of a list that a window shows.
fn shown((from, count): (i32, i32), all: usize) -> Range<usize> {
    let from = usize::try_from(from).unwrap_or(0).min(all);
    from..(from + usize::try_from(count).unwrap_or(0)).min(all)
}

/// The panel, folded until it is asked for.
pub fn table(sizer: Sizer) -> El {
    let state = sizer.state;
    let asked = RwSignal::new(false);
    let words = [RwSignal::new(String::new()), RwSignal::new(String::new())];
    let sight = RwSignal::new(Sight::default());
    let whole = Rc::new(RefCell::new(Whole::default()));
    // Which scenario the table shows: it follows once the inputs rest.
    let rested = RwSignal::new(0);
    let mut waiting = None::<TimeoutHandle>;
    let begun = whole.clone();
    follow(move || {
        let edited = sizer.edited();
        edited.track();
        if !asked.get() || !sizer.shown.get() {
            return;
        }
        if let Some(earlier) = waiting.take() {
            earlier.clear();
        }
        let begun = begun.clone();
        let begin = move || {
            begun.borrow_mut().begin(edited.get_untracked());
            rested.update(|times| *times += 1);
        };
        waiting = set_timeout_with_handle(begin, REST).ok();
    });

    let search = |at: usize, id: &'static str| {
        let input = el("input", "")
            .attr("id", id)
            .attr("type", "search")
            .attr("autocomplete", "off");
        let shown = input.clone();
        let input = input.when("input", move |_| words[at].set(shown.input().value()));
        let label = el("label", "").attr("for", id).says(state.label(id));
        el("div", "number").child(label).child(input)
    };
    let filters = el("div", "fields")
        .child(search(0, "calc-table-models"))
        .child(search(1, "calc-table-cards"));
    let count = el("p", "quiet").attr("role", "status");
    let (head, body) = (el("thead", ""), el("tbody", ""));
    let grid = el("table", "").child(head.clone()).child(body.clone());
    let region = el("div", "window").attr("tabindex", "0").attr("role", "region");
    let region = region
        .live_attr("aria-label", state.label("calc-table"))
        .child(grid.clone());
    let scrolled = region.clone();
    let region = region.when("scroll", move |_| look(sight, &scrolled));
    let (place, told, all) = (region.clone(), count.clone(), whole);
    let mut before = None;
    follow(move || {
        if rested.get() == 0 {
            return place.hide(true);
        }
        let texts = sizer.texts();
        let sought = words.map(|words| words.get());
        let mut whole = all.borrow_mut();
        let now = Some((rested.get(), sought, texts.format));
        if now != before {
            let sought = now.as_ref().map(|now| now.1.clone()).unwrap_or_default();
            let has = |text: &str, at: usize| has_words(text, &sought[at]);
            whole.models = (0..whole.rows.len())
                .filter(|at| has(whole.rows[*at].model.name(), 0))
                .collect();
            let text = |card: &Card| [card.vendor, card.name, &texts.format.card_gb(card.gb)].join(" ");
            whole.cards = (0..cards().len()).filter(|at| has(&text(&cards()[*at]), 1)).collect();
            let count = Message::new("calc-table-count")
                .with("models", whole.models.len() as i64)
                .with("cards", whole.cards.len() as i64);
            told.write(&texts.message(&count));
            place.hide(whole.models.is_empty() || whole.cards.is_empty());
            before = now;
            // How high it is shows once it is drawn.
            let place = place.clone();
            request_animation_frame(move || look(sight, &place));
        }
        let sight = sight.get();
        draw(sizer, &texts, &mut whole, sight, [&grid, &head, &body]);
        drop(whole);
        go_on(&all, &texts);
    });
    let summary = el("summary", "").child(el("h2", "").says(state.label("calc-table")));
    let lead = el("p", "").says(state.label("calc-table-lead"));
    let details = el("details", "below matrix").all(&[summary, lead, filters, count, region]);
    let element = details.handle();
    details.when("toggle", move |_| asked.set(element.has_attribute("open")))
}

/// A cell that keeps the place of what is out of sight.
fn gap(side: &str, pixels: i32) -> El {
    el("td", "gap").attr(side, &pixels.to_string())
}

/// Draws what is in sight; where that is drawn already, only what has changed is written.
fn draw(sizer: Sizer, texts: &Texts, whole: &mut Whole, sight: Sight, place: [&El; 3]) {
    let (rows, columns) = (
        shown(sight.rows, whole.models.len()),
        shown(sight.columns, whole.cards.len()),
    );
    let drawn = &whole.drawn;
    let same = drawn.rows == whole.models[rows.clone()] && drawn.cards == whole.cards[columns.clone()];
    if !same || drawn.format != Some(texts.format) {
        frame(sizer, texts, whole, rows, columns, place);
    }
    let mut cells = std::mem::take(&mut whole.drawn.cells);
    whole.waiting.clear();
    for (at, cell) in cells.iter_mut().enumerate().rev() {
        let fit = whole.fits(cell.row).get(cell.card);
        let fits = fit.is_some_and(|fit| fit.fits == Fits::Yes);
        cell.judge(texts, fit);
        if fits {
            whole.waiting.push(at);
        } else {
            cell.reach(String::new());
        }
    }
    whole.drawn.cells = cells;
    whole.drawing += 1;
}

/// Draws the names of what is in sight, with empty cells.
fn frame(
    sizer: Sizer,
    texts: &Texts,
    whole: &mut Whole,
    rows: Range<usize>,
    columns: Range<usize>,
    [grid, head, body]: [&El; 3],
) {
    let mut drawn = Drawn {
        rows: whole.models[rows.clone()].to_vec(),
        cards: whole.cards[columns.clone()].to_vec(),
        format: Some(texts.format),
        cells: Vec::new(),
    };
    let index = |at: usize| (at + 1).to_string();
    grid.set("aria-rowcount", &index(whole.models.len()));
    grid.set("aria-colcount", &index(whole.cards.len()));
    let beyond = |cells: usize, one: i32| i32::try_from(cells).unwrap_or(0) * one;

    let mut heads = vec![
        el("th", "corner").attr("scope", "col").text(&texts.text("calc-model")),
        gap("width", beyond(columns.start, COLUMN)),
    ];
    for (at, card) in drawn.cards.iter().enumerate() {
        let card = &cards()[*card];
        let name = kind_name(texts, CardKind::Known(card));
        let take = el("button", "").attr("type", "button").text(&name);
        let take = take.when("click", move |_| {
            sizer.edit(How::Picked, &|scenario| {
                let count = scenario.card_count();
                let kind = CardKind::Known(card);
                scenario.cards = vec![Cards { kind, count }];
            });
        });
        let head = el("th", "")
            .attr("scope", "col")
            .attr("aria-colindex", &index(columns.start + at + 1))
            .child(take)
            .child(el("span", "quiet").text(&texts.format.card_gb(card.gb)));
        heads.push(head);
    }
    heads.push(gap("width", beyond(whole.cards.len() - columns.end, COLUMN)));
    head.fill(&[el("tr", "").attr("aria-rowindex", "1").all(&heads)]);

    let mut lines = vec![el("tr", "").child(gap("height", beyond(rows.start, ROW)))];
    for (at, row) in drawn.rows.iter().enumerate() {
        let model = whole.rows[*row].model;
        let says = texts.message(&Message::new("calc-reverse-take").with("name", model.name()));
        let take = el("button", "")
            .attr("type", "button")
            .attr("aria-label", &says)
            .text(model.name());
        let take = take.when("click", move |_| {
            sizer.edit(How::Picked, &|scenario| model.put(scenario));
        });
        let name = el("th", "").attr("scope", "row").child(take);
        let mut line = el("tr", "")
            .attr("aria-rowindex", &index(rows.start + at + 1))
            .child(name)
            .child(el("td", "gap"));
        for (at, card) in drawn.cards.iter().enumerate() {
            let cell = Cell::new(*row, *card);
            let place = el("td", "").attr("aria-colindex", &index(columns.start + at + 1));
            line = line.child(place.child(cell.figure.clone()).child(cell.far.clone()));
            drawn.cells.push(cell);
        }
        lines.push(line.child(el("td", "gap")));
    }
    lines.push(el("tr", "").child(gap("height", beyond(whole.models.len() - rows.end, ROW))));
    body.fill(&lines);
    whole.drawn = drawn;
}

/// Computes the longest contexts of what is in sight, slice by slice, as long as no other drawing has begun.
fn go_on(whole: &Rc<RefCell<Whole>>, texts: &Texts) {
    let (whole, texts) = (whole.clone(), texts.clone());
    let drawing = whole.borrow().drawing;
    let slice = move || {
        let begun = Date::now();
        let mut all = whole.borrow_mut();
        if all.drawing != drawing {
            return;
        }
        while Date::now() - begun < SLICE {
            let Some(at) = all.waiting.pop() else { return };
            let Some((row, card)) = all.drawn.cells.get(at).map(|cell| (cell.row, cell.card)) else {
                return;
            };
            let words = all.longest(row, card).map_or(String::new(), |value| {
                let message = Message::new("calc-table-longest");
                texts.message(&message.with("value", value_name(&texts, value)))
            });
            all.drawn.cells[at].reach(words);
        }
        drop(all);
        go_on(&whole, &texts);
    };
    set_timeout(slice, Duration::ZERO);
}
