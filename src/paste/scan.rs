//! Reads a text that comes in pieces, as a file does, in bounded memory: what was searched and read is let go but for the
//! lines around what was recognised.
//!
//! Any pieces give what the whole text gives: the search goes in blocks that are counted from the start of the text, and a
//! stretch is read once everything that its readers may look at is there.

use super::evidence::{Evidence, Span};
use super::excerpt::{Excerpt, Skip};
use super::lines::FAR;
use super::matcher::{Regions, WHOLE};
use super::reader::{Reader, matcher};
use super::{progress, shape};
use std::collections::VecDeque;

/// How much of the text before a stretch its readers may look at.
const BEHIND: usize = 2 * progress::LOOK;
/// How much of a piece is taken in one go.
const STEP: usize = 256 * 1024;

/// How a file writes its characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As everything but Windows does.
    #[default]
    Utf8,
    /// As PowerShell's `>` does: two bytes each, the lower one first.
    Utf16,
    /// The same, the higher one first.
    Utf16Big,
}

/// What was read of a text.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// What it says; places are those in [`Reading::text`], and empty for what is left out there.
    pub evidence: Evidence,
    /// The text, of a long one (above [`WHOLE`]) the lines around what was recognised.
    pub text: String,
    /// Where lines are left out.
    pub skips: Vec<Skip>,
}

impl Reading {
    /// Reads a text that is there as a whole, and keeps all of it.
    pub fn whole(text: String) -> Reading {
        Reading {
            evidence: super::read(&text),
            text,
            skips: Vec::new(),
        }
    }
}

/// A text on its way.
pub struct Scan {
    encoding: Encoding,
    /// The bytes of a character that is cut by the end of the last piece.
    cut: Vec<u8>,
    /// What is needed of the text.
    window: String,
    /// The place of the window in the text.
    base: usize,
    /// The beginning of the text.
    head: String,
    regions: Regions,
    /// Stretches worth reading whose surroundings are not there yet.
    waiting: VecDeque<(usize, usize)>,
    /// Whether the text has ended.
    is_closed: bool,
    reader: Reader,
    excerpt: Excerpt,
}

impl Scan {
    /// A text of which nothing is there yet.
    pub fn new(encoding: Encoding) -> Scan {
        Scan {
            encoding,
            cut: Vec::new(),
            window: String::new(),
            base: 0,
            head: String::new(),
            regions: Regions::default(),
            waiting: VecDeque::new(),
            is_closed: false,
            reader: Reader::new(),
            excerpt: Excerpt::default(),
        }
    }

    /// Takes the next bytes. What is no character becomes U+FFFD.
    pub fn push(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(STEP) {
            let joined;
            let bytes = if self.cut.is_empty() {
                bytes
            } else {
                joined = [std::mem::take(&mut self.cut).as_slice(), bytes].concat();
                joined.as_slice()
            };
            match self.encoding {
                Encoding::Utf8 => self.decode_utf8(bytes),
                Encoding::Utf16 => self.decode_utf16(bytes, u16::from_le_bytes),
                Encoding::Utf16Big => self.decode_utf16(bytes, u16::from_be_bytes),
            }
            // Of a text that may yet be short nothing is searched.
            if !self.is_short() {
                self.search();
                while self.read_next() {}
                self.let_go();
            }
        }
    }

    /// Ends the text, and does a part of what is left to be read; whether more is.
    pub fn close(&mut self) -> bool {
        if !self.is_closed {
            self.is_closed = true;
            if !self.cut.is_empty() {
                self.window.push(char::REPLACEMENT_CHARACTER);
            }
            if !self.is_short() {
                self.search();
            }
        }
        self.read_next()
    }

    /// What the text says, up to here.
    pub fn finish(mut self) -> Reading {
        while self.close() {}
        if self.is_short() {
            return Reading::whole(self.window);
        }
        self.excerpt
            .count_to(&self.window, self.base, self.base + self.window.len());
        self.excerpt.finish();
        let mut evidence = self.reader.finish(&self.head);
        let excerpt = self.excerpt;
        let moved = |span: &mut Span| *span = excerpt.place(*span);
        for hit in &mut evidence.hits {
            moved(&mut hit.span);
            hit.figures.iter_mut().for_each(|figure| moved(&mut figure.span));
        }
        for finding in &mut evidence.findings {
            moved(&mut finding.span);
            finding.figures.iter_mut().for_each(|figure| moved(&mut figure.span));
            finding
                .processes
                .iter_mut()
                .for_each(|process| moved(&mut process.span));
            finding.cards.iter_mut().for_each(|card| moved(&mut card.span));
        }
        evidence.cuts.iter_mut().for_each(|cut| moved(&mut cut.span));
        Reading {
            evidence,
            text: excerpt.text,
            skips: excerpt.skips,
        }
    }

    fn decode_utf8(&mut self, mut bytes: &[u8]) {
        loop {
            let error = match std::str::from_utf8(bytes) {
                Ok(text) => return self.push_text(text),
                Err(error) => error,
            };
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            self.push_text(std::str::from_utf8(valid).unwrap_or_default());
            let Some(wrong) = error.error_len() else {
                self.cut.extend(rest);
                return;
            };
            self.window.push(char::REPLACEMENT_CHARACTER);
            bytes = &rest[wrong..];
        }
    }

    /// Takes a text over; without the empty halves of one that has two bytes a character and was not declared so.
    fn push_text(&mut self, text: &str) {
        text.split('\0').for_each(|part| self.window.push_str(part));
    }

    fn decode_utf16(&mut self, bytes: &[u8], unit: fn([u8; 2]) -> u16) {
        let last = bytes.len() - bytes.len() % 2;
        // The first half of a pair waits for the second one.
        let is_half = |at: usize| {
            bytes
                .get(at..at + 2)
                .is_some_and(|two| (0xd800..0xdc00).contains(&unit([two[0], two[1]])))
        };
        let end = if last >= 2 && is_half(last - 2) { last - 2 } else { last };
        let units = bytes[..end].chunks_exact(2).map(|two| unit([two[0], two[1]]));
        let signs = char::decode_utf16(units).map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER));
        self.window.extend(signs);
        self.cut.extend(&bytes[end..]);
    }

    /// Whether the text is short enough to be read and kept whole, as far as is known.
    fn is_short(&self) -> bool {
        self.base == 0 && self.window.len() <= WHOLE
    }

    /// Searches as far as the text allows.
    fn search(&mut self) {
        if self.head.is_empty() {
            let end = (shape::LOOK..shape::LOOK + 4).find(|at| self.window.is_char_boundary(*at));
            self.head
                .push_str(end.and_then(|end| self.window.get(..end)).unwrap_or_default());
        }
        let (waiting, window) = (&mut self.waiting, self.window.as_bytes());
        matcher().regions(
            &mut self.regions,
            window,
            self.base,
            self.is_closed,
            &mut |start, end| {
                waiting.push_back((start, end));
            },
        );
    }

    /// Reads the next stretch, if all that its readers may look at is there; whether it was.
    fn read_next(&mut self) -> bool {
        let there = self.base + self.window.len();
        let Some((start, end)) = self.waiting.front().copied() else {
            return false;
        };
        if !self.is_closed && end + FAR > there {
            return false;
        }
        self.waiting.pop_front();
        let known = self.reader.hits().len();
        self.reader.read(&self.window, self.base, start, end);
        let hits = self.reader.hits()[known..].iter();
        let failed = |number: Option<usize>| {
            let finding = number.and_then(|number| self.reader.findings().nth(number));
            finding.is_some_and(|finding| finding.kind.is_failure())
        };
        let hits = hits.map(|hit| (hit, failed(hit.finding)));
        self.excerpt.keep(&self.window, self.base, hits);
        true
    }

    fn let_go(&mut self) {
        let needed = self.waiting.front().map_or(usize::MAX, |(start, _)| *start);
        let needed = needed.min(self.regions.needed());
        let mut gone = needed.saturating_sub(self.base + BEHIND);
        // In large strides: each moves what stays.
        if gone < STEP {
            return;
        }
        while !self.window.is_char_boundary(gone) {
            gone -= 1;
        }
        self.excerpt.count_to(&self.window, self.base, self.base + gone);
        self.window.drain(..gone);
        self.base += gone;
    }
}
