//! Messages as data: a row holds a tool's own words with typed holes, and compiles to what the matcher compares.
//!
//! `Tried to allocate {requested:size}` matches that sentence in any wrapping, case or colour, and reads one size.
//! A hole is `{name:kind}`; `^` at the start and `$` at the end ask for the ends of a line; `~` at the start lets signs of
//! assignment stand before a hole: `max_model_len=8192`, `'max_model_len': 8192`. A name that begins with `_` is read but not
//! kept. The kinds are in [`Hole`].

use super::evidence::Kind;
use super::text::squeeze;

/// What a row does to the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Begins a finding.
    Opens,
    /// Belongs to the finding of its group that is open for its rank; begins one where none is.
    Joins,
    /// Belongs to that finding, but is nothing without one.
    Adds,
    /// Belongs to that finding whatever it holds already: a line of a start-up log, printed once per device or part;
    /// begins one where none is.
    Lists,
    /// Says that the failure just before it was handled.
    Recovers,
    /// Tells about the job or the system, and is no message: kept in [`super::Evidence::hints`].
    Hints,
}

impl Role {
    /// The role of this name.
    fn of(name: &str) -> Role {
        match name.as_bytes().first() {
            Some(b'O') => Role::Opens,
            Some(b'J') => Role::Joins,
            Some(b'A') => Role::Adds,
            Some(b'L') => Role::Lists,
            Some(b'R') => Role::Recovers,
            _ => Role::Hints,
        }
    }
}

/// One message, or one clause of a message.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its id.
    pub id: &'static str,
    /// The message that tells what it says: `says-{id}`.
    pub says: &'static str,
    /// What it does to the findings.
    pub role: Role,
    /// The generation of the message that it tells, `""` where several have it.
    pub format: &'static str,
    /// The words and holes.
    pub text: &'static str,
    /// The tool's versions that print it.
    #[cfg(not(target_arch = "wasm32"))]
    pub versions: &'static str,
    /// A line as the tool prints it.
    #[cfg(not(target_arch = "wasm32"))]
    pub sample: &'static str,
}

/// The rows of one kind of message of one tool.
#[derive(Debug)]
pub struct Group {
    /// The tool.
    pub tool: &'static str,
    /// What a finding made of these rows is about.
    pub kind: Kind,
    /// The rows.
    pub rows: Rows,
}

/// Rows as one text, a line each: the page carries no pointers to their words, which would weigh more than the words do.
/// Made by [`rows!`](crate::rows), read by [`Rows::all`].
#[derive(Debug)]
pub struct Rows {
    /// `says-{id}`, role, format and text of each, between tabs.
    pub lines: &'static str,
    /// Versions and sample of each.
    #[cfg(not(target_arch = "wasm32"))]
    pub samples: &'static [(&'static str, &'static str)],
}

impl Rows {
    /// The rows, in order. A line that is none fails the test `every_row_is_read`, not a reader's page.
    pub fn all(&self) -> impl Iterator<Item = Row> + '_ {
        (0..)
            .zip(self.lines.lines())
            .filter_map(|(number, line)| self.row(number, line))
    }

    fn row(&self, _number: usize, line: &'static str) -> Option<Row> {
        let mut fields = line.splitn(4, '\t');
        let says = fields.next()?;
        Some(Row {
            id: says.get(SAYS.len()..)?,
            says,
            role: Role::of(fields.next()?),
            format: fields.next()?,
            text: fields.next()?,
            #[cfg(not(target_arch = "wasm32"))]
            versions: self.samples.get(_number)?.0,
            #[cfg(not(target_arch = "wasm32"))]
            sample: self.samples.get(_number)?.1,
        })
    }

    /// The row of an id.
    pub fn find(&self, id: &str) -> Option<Row> {
        self.all().find(|row| row.id == id)
    }
}

/// What stands before a row's id in the id of its message.
const SAYS: &str = "says-";

/// Writes the rows of a group; versions and samples stay out of the page.
#[macro_export]
macro_rules! rows {
    ($($id:literal $role:ident $format:literal $text:literal, $versions:literal, $sample:literal;)*) => {
        $crate::paste::template::Rows {
            lines: concat!($("says-", $id, "\t", stringify!($role), "\t", $format, "\t", $text, "\n",)*),
            #[cfg(not(target_arch = "wasm32"))]
            samples: &[$(($versions, $sample)),*],
        }
    };
}

/// What may stand in a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hole {
    /// A number with a unit; `KB`, `MB`, `GB` count in powers of 1024, as nearly every tool means them.
    Size,
    /// A number with a unit; `KB`, `MB`, `GB` count in powers of 1000.
    DecimalSize,
    /// A bare number that counts this many bytes each.
    Units(i64),
    /// Sizes one behind the other, one figure each: `10.9 GiB 23.1 GiB`.
    Sizes,
    /// A whole number, thousands separators allowed.
    Int,
    /// A whole number of at least 256, thousands separators allowed: a context, not a count of minutes.
    Tokens,
    /// A number with decimals.
    Number,
    /// One word.
    Word,
    /// Words up to what follows in the template, on one line.
    Text,
}

/// The kinds of holes by the names that templates use.
const HOLES: [(&str, Hole); 13] = [
    ("size", Hole::Size),
    ("dec", Hole::DecimalSize),
    ("bytes", Hole::Units(1)),
    ("kib", Hole::Units(1 << 10)),
    ("mib", Hole::Units(1 << 20)),
    ("gib", Hole::Units(1 << 30)),
    ("mb10", Hole::Units(1_000_000)),
    ("sizes", Hole::Sizes),
    ("int", Hole::Int),
    ("tokens", Hole::Tokens),
    ("num", Hole::Number),
    ("word", Hole::Word),
    ("text", Hole::Text),
];

/// A part of a compiled row.
#[derive(Debug)]
pub enum Segment {
    /// Squeezed words.
    Literal(Vec<u8>),
    /// A typed hole.
    Hole(&'static str, Hole),
}

/// How far before its longest words a row may begin.
const MOST_REACH: usize = 240;
/// The most bytes that a number and its unit take.
const LONGEST_FIGURE: usize = 48;

/// A row as the matcher compares it.
#[derive(Debug)]
pub struct Compiled {
    /// The row.
    pub row: Row,
    /// Its group's index in the register.
    pub group: usize,
    /// Its parts.
    pub segments: Vec<Segment>,
    /// Which part is its longest literal, by which it is found.
    pub anchor: usize,
    /// How far before that part it may begin, in bytes of the view.
    pub reach: usize,
    /// The nearest words before that part, if there are any.
    pub before: Option<usize>,
    /// Whether it begins a line.
    pub begins_line: bool,
    /// Whether it ends one.
    pub ends_line: bool,
    /// Whether signs of assignment may stand before a hole.
    pub assigns: bool,
}

impl Compiled {
    /// Compiles a row. A template that is wrong in itself fails the test `every_template_compiles`, not a reader's page.
    pub fn new(row: Row, group: usize) -> Option<Compiled> {
        let (begins_line, text) = match row.text.strip_prefix('^') {
            Some(rest) => (true, rest),
            None => (false, row.text),
        };
        let (assigns, text) = match text.strip_prefix('~') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (ends_line, mut text) = match text.strip_suffix('$') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut segments = Vec::new();
        while !text.is_empty() {
            let open = text.find('{').unwrap_or(text.len());
            let literal = squeeze(&text[..open]);
            if !literal.is_empty() {
                segments.push(Segment::Literal(literal));
            }
            text = &text[open..];
            if let Some(inner) = text.strip_prefix('{') {
                let (hole, rest) = inner.split_once('}')?;
                let (name, kind) = hole.split_once(':')?;
                let (_, kind) = HOLES.iter().find(|(word, _)| *word == kind)?;
                segments.push(Segment::Hole(name, *kind));
                text = rest;
            }
        }
        let length = |segment: &Segment| match segment {
            Segment::Literal(words) => words.len(),
            Segment::Hole(..) => 0,
        };
        let anchor = (0..segments.len()).max_by_key(|at| (length(&segments[*at]), usize::MAX - at))?;
        let reach = |segment: &Segment| match segment {
            Segment::Literal(words) => words.len(),
            Segment::Hole(_, Hole::Word | Hole::Text | Hole::Sizes) => MOST_REACH,
            Segment::Hole(..) => LONGEST_FIGURE,
        };
        let reach = segments[..anchor].iter().map(reach).sum::<usize>().min(MOST_REACH);
        let before = segments[..anchor].iter().rposition(|segment| length(segment) > 0);
        (length(&segments[anchor]) > 0).then_some(Compiled {
            row,
            group,
            segments,
            anchor,
            reach,
            before,
            begins_line,
            ends_line,
            assigns,
        })
    }

    /// The words of a part; none of a hole.
    pub fn words(&self, part: usize) -> &[u8] {
        match self.segments.get(part) {
            Some(Segment::Literal(words)) => words,
            _ => &[],
        }
    }

    /// The longest literal.
    pub fn anchor_words(&self) -> &[u8] {
        self.words(self.anchor)
    }
}
