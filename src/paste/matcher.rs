//! Matches every row of the register in one pass: finds the rows' longest words, then reads the holes around them.

use super::evidence::{Cut, Figure, Hit, Span, Value};
use super::holes::{Miss, read};
use super::search::Search;
use super::template::{Compiled, Group, Hole, Role, Segment};
use super::text::{Gap, View};
use crate::order;
use std::sync::OnceLock;

/// How many words before its longest words a row may begin, if it begins with a word.
const MOST_WORDS: usize = 8;
/// How many signs of assignment may stand before a hole: `':'`.
const MOST_SIGNS: usize = 3;
/// The names of a path mark a place in a long text when they have so many letters.
const LONG_NAME: usize = 8;
/// A flag of so many letters marks a place in a long text.
const LONG_FLAG: usize = 9;
/// Text up to this size, in bytes, is matched whole; of longer text only the surroundings of recognised words.
pub const WHOLE: usize = 256 * 1024;
/// The longest stretch of a longer text that is read in one go, where recognised words follow each other closely: a page
/// must not stand still over it.
const LONGEST: usize = 64 * 1024;
/// How much of the text around recognised words is looked at, at most, on either side.
const AROUND: usize = 4096;

/// How far the search for stretches worth reading has come in a long text. All places are those of the whole text.
#[derive(Debug, Default)]
pub struct Regions {
    /// Where the search goes on.
    searched: usize,
    /// The open stretch, and the last recognised words in it, by which it is extended when it would end.
    open: Option<(usize, usize, usize)>,
}

impl Regions {
    /// From here on the text is still needed.
    pub fn needed(&self) -> usize {
        self.open.map_or(self.searched, |(first, ..)| first.min(self.searched))
    }
}

/// The compiled register.
pub struct Matcher {
    rows: Vec<Compiled>,
    search: Search,
    /// The rows for which a long text is searched: without the short flags of command lines, which stand in any text.
    marks: OnceLock<Search>,
}

impl Matcher {
    /// Compiles the register.
    pub fn new(groups: &'static [&'static Group]) -> Matcher {
        let rows: Vec<Compiled> = groups
            .iter()
            .enumerate()
            .flat_map(|(number, group)| group.rows.all().filter_map(move |row| Compiled::new(row, number)))
            .collect();
        let search = Search::new(rows.iter().map(Compiled::anchor_words));
        Matcher {
            rows,
            search,
            marks: OnceLock::new(),
        }
    }

    fn marks(&self) -> &Search {
        self.marks.get_or_init(|| {
            let telling = |row: &&Compiled| !row.assigns || row.anchor_words().len() >= LONG_FLAG;
            let words = self.rows.iter().filter(telling).map(Compiled::anchor_words);
            // The search steps over the backslashes of a Windows path.
            let names = |words: &[u8]| -> Vec<u8> { words.iter().copied().filter(|byte| *byte != b'/').collect() };
            let paths = self
                .rows
                .iter()
                .map(Compiled::anchor_words)
                .filter(|words| words.contains(&b'/'));
            let paths: Vec<Vec<u8>> = paths.map(names).filter(|names| names.len() >= LONG_NAME).collect();
            Search::new(words.chain(paths.iter().map(Vec::as_slice)))
        })
    }

    /// Calls `region(start, end)` for each stretch of a text that is worth reading, in order; they do not overlap. The text
    /// may come in pieces: `window` is what is there of it from `base` on; after the `last` piece nothing follows.
    pub fn regions(
        &self,
        so_far: &mut Regions,
        window: &[u8],
        base: usize,
        last: bool,
        region: &mut dyn FnMut(usize, usize),
    ) {
        let around = |at: usize| {
            let (start, end) = surroundings(window, at - base);
            (start + base, end + base)
        };
        let Regions { searched, open } = so_far;
        let from = *searched;
        // Behind a place its surroundings must be there.
        *searched += self
            .marks()
            .places(&window[from - base..], 2 * AROUND, last, &mut |at| {
                let at = at + from;
                if let Some((first, end, last)) = open {
                    if at >= *end {
                        *end = around(*last).1.max(*end);
                    }
                    if at < *end && *end - *first < LONGEST {
                        *last = at;
                        return;
                    }
                    region(*first, *end);
                }
                let behind = open.map_or(0, |(_, end, _)| end);
                let (start, end) = around(at);
                *open = Some((start.max(behind), end.max(behind), at));
            });
        if last && let Some((start, end, at)) = open.take() {
            region(start, around(at).1.max(end));
        }
    }

    /// Matches one stretch: its hits in order, none inside another, and the messages that break off.
    pub fn read(&self, text: &str, view: &View, hits: &mut Vec<(usize, Hit)>, cuts: &mut Vec<Cut>) {
        let mut found: Vec<(usize, usize, usize, Vec<Figure>)> = Vec::new();
        let mut broken: Vec<(usize, Cut)> = Vec::new();
        self.search.each(&view.bytes, |last, number| {
            let compiled = &self.rows[number];
            let anchor = last + 1 - compiled.anchor_words().len();
            match self.around(text, view, compiled, anchor) {
                Ok((start, end, figures)) => found.push((start, end, number, figures)),
                Err(Some(cut)) => broken.push((anchor, cut)),
                Err(None) => {}
            }
        });
        // The longest of those that begin together; of equals the first in the register.
        // Places in one stretch are below 2^23, rows below 2^16.
        let found = order::by_key(found, |(start, end, number, _)| {
            ((*start as i64) << 40) - ((*end as i64) << 16) + *number as i64
        });
        let mut covered = 0;
        for (start, end, number, figures) in found {
            let compiled = &self.rows[number];
            // What hints at the job does so inside another message too.
            if start < covered && compiled.row.role != Role::Hints {
                continue;
            }
            if compiled.row.role != Role::Hints {
                covered = covered.max(end);
            }
            let hit = Hit {
                row: compiled.row,
                span: span(text, view, start, end),
                figures,
                rank: view.rank(start),
                finding: None,
            };
            hits.push((compiled.group, hit));
        }
        cuts.extend(
            broken
                .into_iter()
                .filter(|(anchor, _)| *anchor >= covered)
                .map(|(_, cut)| cut),
        );
    }

    /// Reads a row whose longest words stand at `anchor`: where it begins and ends in the view, and its figures.
    fn around(
        &self,
        text: &str,
        view: &View,
        compiled: &Compiled,
        anchor: usize,
    ) -> Result<(usize, usize, Vec<Figure>), Option<Cut>> {
        let attempt = |start: usize| self.forward(text, view, compiled, start, anchor);
        if compiled.anchor == 0 {
            return attempt(anchor).map(|(end, figures)| (anchor, end, figures));
        }
        let first = compiled.words(0);
        let mut latest = anchor;
        let earliest = anchor.saturating_sub(compiled.reach);
        // Most of these words stand in other messages too: without the ones before them it is none of this row's.
        if let Some(before) = compiled.before {
            match last_of(compiled.words(before), &view.bytes[earliest..anchor]) {
                Some(found) => latest = earliest + found + 1,
                None => return Err(None),
            }
        }
        let begins_with_word = matches!(compiled.segments[0], Segment::Hole(_, Hole::Word | Hole::Text));
        let mut cut = None;
        // A number right before the longest words begins close to them.
        let next_to = compiled.anchor == 1 && first.is_empty();
        let mut words_left = MOST_WORDS;
        for start in (earliest..latest).rev() {
            let may_begin = match first.first() {
                Some(byte) => view.bytes[start] == *byte && view.bytes[start..].starts_with(first),
                None if begins_with_word => view.begins_word(start),
                None => begins_token(view, start),
            };
            if may_begin {
                if (begins_with_word || next_to) && words_left == 0 {
                    break;
                }
                words_left = words_left.saturating_sub(1);
                match attempt(start) {
                    Ok((end, figures)) => return Ok((start, end, figures)),
                    Err(Some(found)) => cut = Some(found),
                    Err(None) => {}
                }
            }
        }
        Err(cut)
    }

    /// Matches all parts from `start`; the row's longest words must stand at `anchor`.
    fn forward(
        &self,
        text: &str,
        view: &View,
        compiled: &Compiled,
        start: usize,
        anchor: usize,
    ) -> Result<(usize, Vec<Figure>), Option<Cut>> {
        if compiled.begins_line && !view.begins_line(start) {
            return Err(None);
        }
        let mut at = start;
        let mut figures = Vec::new();
        for (number, segment) in compiled.segments.iter().enumerate() {
            if number == compiled.anchor && at != anchor {
                return Err(None);
            }
            match segment {
                Segment::Literal(words) => {
                    if !view.bytes[at.min(view.bytes.len())..].starts_with(words) {
                        return Err(None);
                    }
                    at += words.len();
                }
                Segment::Hole(name, hole) => {
                    let signs = if compiled.assigns { MOST_SIGNS } else { 0 };
                    let signs = view.bytes.iter().skip(at).take(signs);
                    let signs = signs
                        .take_while(|byte| matches!(byte, b'\'' | b'=' | b':' | b'('))
                        .count();
                    // `--model` is another flag than `--model_name`.
                    if compiled.assigns && signs == 0 && view.gaps.get(at) == Some(&Gap::None) {
                        let name = at.checked_sub(1).and_then(|last| view.bytes.get(last));
                        if name.is_some_and(u8::is_ascii_alphanumeric) {
                            return Err(None);
                        }
                    }
                    at += signs;
                    // The bar between a table's cells.
                    while is_figure(*hole) && view.bytes.get(at) == Some(&b'|') {
                        at += 1;
                    }
                    let next = match compiled.segments.get(number + 1) {
                        Some(Segment::Literal(words)) => Some(words.as_slice()),
                        _ => None,
                    };
                    match read(view, at, *hole, next) {
                        Ok((value, end)) => {
                            let span = span(text, view, at, end);
                            let value =
                                value.unwrap_or_else(|| Value::Word(span.of(text).trim().replace(['\r', '\n'], "")));
                            figures.push(Figure { name, value, span });
                            at = end;
                            if *hole == Hole::Sizes {
                                at = self.more_sizes(text, view, name, at, &mut figures);
                            }
                        }
                        // A break behind the longest words is a message cut off; before them it is another text.
                        Err(Miss::CutOff) if number > compiled.anchor && is_figure(*hole) => {
                            let place = span(text, view, start, at);
                            return Err(Some(Cut {
                                row: compiled.row.id,
                                figure: name,
                                span: place,
                            }));
                        }
                        Err(_) => return Err(None),
                    }
                }
            }
        }
        if compiled.ends_line && at < view.bytes.len() && view.gaps[at] != Gap::Line {
            return Err(None);
        }
        figures.retain(|figure| !figure.name.starts_with('_'));
        Ok((at, figures))
    }

    /// Reads the sizes that follow another one; returns where they end.
    fn more_sizes(
        &self,
        text: &str,
        view: &View,
        name: &'static str,
        mut at: usize,
        figures: &mut Vec<Figure>,
    ) -> usize {
        while let Ok((Some(value), end)) = read(view, at, Hole::Size, None) {
            let span = span(text, view, at, end);
            figures.push(Figure { name, value, span });
            at = end;
        }
        at
    }
}

/// Where `words` stand last in `text`.
fn last_of(words: &[u8], text: &[u8]) -> Option<usize> {
    let first = words.first()?;
    let mut end = text.len();
    loop {
        end = text[..end].iter().rposition(|byte| byte == first)?;
        if text[end..].starts_with(words) {
            return Some(end);
        }
    }
}

fn is_figure(hole: Hole) -> bool {
    !matches!(hole, Hole::Word | Hole::Text)
}

/// Whether a number or word may begin here: not in the middle of one.
fn begins_token(view: &View, at: usize) -> bool {
    at == 0
        || (view.gaps[at] != Gap::None && !view.is_broken(at))
        || !(view.bytes[at - 1].is_ascii_alphanumeric() || matches!(view.bytes[at - 1], b'.' | b','))
}

/// The place in the original of `view[start..end]`.
fn span(text: &str, view: &View, start: usize, end: usize) -> Span {
    let (Some(first), Some(last)) = (
        view.at.get(start),
        end.checked_sub(1).and_then(|last| view.at.get(last)),
    ) else {
        return Span::default();
    };
    let mut behind = last + 1;
    while !text.is_char_boundary(behind) && behind < text.len() {
        behind += 1;
    }
    Span {
        start: *first,
        end: behind,
    }
}

/// The lines around a byte: two before it, three behind it, and no more than [`AROUND`] bytes on either side.
fn surroundings(text: &[u8], at: usize) -> (usize, usize) {
    let lines = |bytes: &mut dyn Iterator<Item = (usize, &u8)>, most: usize| {
        let mut breaks = 0;
        let mut length = 0;
        for (distance, byte) in bytes.take(AROUND) {
            length = distance + 1;
            if *byte == b'\n' {
                breaks += 1;
                if breaks == most {
                    break;
                }
            }
        }
        length
    };
    let before = lines(&mut text[..at].iter().rev().enumerate(), 3);
    let behind = lines(&mut text[at..].iter().enumerate(), 4);
    let mut start = at - before;
    while start < at && !is_boundary(text, start) {
        start += 1;
    }
    if text.get(start) == Some(&b'\n') {
        start += 1;
    }
    let mut end = at + behind;
    while end < text.len() && !is_boundary(text, end) {
        end += 1;
    }
    (start.min(at), end)
}

fn is_boundary(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| byte & 0xc0 != 0x80)
}
