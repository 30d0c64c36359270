//! The squeezed view of a text, in which messages are matched: no white space, colour codes, quotes or line prefixes,
//! lower case, every byte with its place in the original.
//!
//! Terminals wrap messages anywhere, loggers repeat their prefix in the middle of a word, chats add quotes and
//! backticks. In the squeezed view all of these copies of a message are the same bytes.

use super::prefix;
use crate::order;

/// What [`fold`] returns for a byte that is stepped over.
pub const SKIP: u8 = b' ';

/// The byte as the matcher sees it: lower case, or [`SKIP`] for white space, quotes and backticks.
pub const fn fold(byte: u8) -> u8 {
    match byte {
        b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c | 0 | b'`' | b'*' | b'"' | b'\\' => SKIP,
        _ => byte.to_ascii_lowercase(),
    }
}

/// A literal as the matcher compares it; the backslashes of a path are slashes there.
pub fn squeeze(literal: &str) -> Vec<u8> {
    let slashed = literal.bytes().map(|byte| if byte == b'\\' { b'/' } else { byte });
    slashed.map(fold).filter(|byte| *byte != SKIP).collect()
}

/// What stood before a byte of the view in the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Nothing: it follows directly.
    None,
    /// White space or another byte that is stepped over.
    Space,
    /// A line break.
    Line,
}

/// One line of the original that has something in the view.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Index in the view of its first byte.
    pub start: usize,
    /// The rank in its prefix, or that of the line before.
    pub rank: Option<i64>,
}

/// The squeezed view of a stretch of text.
#[derive(Debug, Default)]
pub struct View {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The offset of each byte in the original.
    pub at: Vec<usize>,
    /// What stood before each byte.
    pub gaps: Vec<Gap>,
    /// The lines.
    pub lines: Vec<Line>,
}

impl View {
    /// The view of `text[start..end]`, with offsets of the whole text. `start` should be the start of a line.
    pub fn of(text: &str, start: usize, end: usize) -> View {
        let stretch = text.as_bytes().get(start..end).unwrap_or_default();
        let mut view = View::default();
        view.bytes.reserve(stretch.len());
        view.at.reserve(stretch.len());
        view.gaps.reserve(stretch.len());
        // The line before tells whether this one goes on with a list.
        let before = text.as_bytes().get(..start).unwrap_or_default();
        let before = before.strip_suffix(b"\n").unwrap_or_default();
        let before = &before[before.len().saturating_sub(FULL_LINE * 10)..];
        let before = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let listing = bullet(before).map(|mark| mark.0);
        let behind = text.as_bytes().get(end..).unwrap_or_default();
        for line in lines(stretch, behind, listing, running(text.as_bytes(), start)) {
            view.lines.push(Line {
                start: view.bytes.len(),
                rank: line.rank,
            });
            view.push_line(&stretch[line.start..line.end], start + line.start);
        }
        view
    }

    /// The rank of the line in which this byte of the view stands.
    pub fn rank(&self, index: usize) -> Option<i64> {
        let line = self.lines.partition_point(|line| line.start <= index);
        self.lines.get(line.wrapping_sub(1)).and_then(|line| line.rank)
    }

    /// Whether a line begins at this byte of the view.
    pub fn begins_line(&self, index: usize) -> bool {
        index == 0 || self.gaps.get(index).is_none_or(|gap| *gap == Gap::Line)
    }

    /// Whether a word begins at this byte of the view.
    pub fn begins_word(&self, index: usize) -> bool {
        index == 0 || self.gaps.get(index).is_none_or(|gap| *gap != Gap::None)
    }

    /// Whether a number may go on with this digit: what follows a line break is no time stamp.
    pub fn joins(&self, index: usize) -> bool {
        match self.gaps.get(index) {
            Some(Gap::None) => true,
            Some(Gap::Line) => {
                let digits = self.bytes[index..].iter().take_while(|byte| byte.is_ascii_digit());
                !matches!(self.bytes.get(index + digits.count()), Some(b'-' | b':' | b'/'))
            }
            _ => false,
        }
    }

    /// Whether a terminal broke a number before this byte: digits on both sides, and a full line before.
    pub fn is_broken(&self, index: usize) -> bool {
        let digit = |at: usize| self.bytes.get(at).is_some_and(u8::is_ascii_digit);
        if index == 0 || self.gaps.get(index) != Some(&Gap::Line) || !digit(index) || !digit(index - 1) {
            return false;
        }
        let line = self.lines.partition_point(|line| line.start < index);
        let start = self.lines.get(line.wrapping_sub(1)).map_or(index, |line| line.start);
        let full = |start: &usize| self.at[index - 1] - start >= FULL_LINE;
        self.joins(index) && self.at.get(start).is_some_and(full)
    }

    fn push_line(&mut self, line: &[u8], offset: usize) {
        let mut gap = Gap::Line;
        let mut at = 0;
        while at < line.len() {
            // Letters and digits go on as they are, most of the text.
            let run = line[at..]
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count();
            if run > 0 {
                let first = self.gaps.len();
                self.bytes.extend(line[at..at + run].iter().map(u8::to_ascii_lowercase));
                self.at.extend(offset + at..offset + at + run);
                self.gaps.resize(first + run, Gap::None);
                self.gaps[first] = gap;
                gap = Gap::None;
                at += run;
                continue;
            }
            let (step, pushed) = self.step(&line[at..], offset + at, gap);
            at += step;
            gap = match pushed {
                None => Gap::None,
                Some(space) => gap.max(space),
            };
        }
    }

    /// Reads one character, entity or escape at the start of `rest`: how many bytes it takes, and the gap that it
    /// leaves (`None` if it went into the view).
    fn step(&mut self, rest: &[u8], offset: usize, gap: Gap) -> (usize, Option<Gap>) {
        let byte = rest[0];
        match byte {
            0x1b => return (1 + escape_length(&rest[1..]), Some(Gap::None)),
            // The same as `cat -v` and some web pages show it.
            b'^' if rest.starts_with(b"^[[") => return (2 + escape_length(&rest[2..]), Some(Gap::None)),
            b'[' if naked_colour(rest) > 0 => return (naked_colour(rest), Some(Gap::None)),
            b'\r' => return (1, Some(Gap::Line)),
            b'\\' => {
                return match coded(rest) {
                    Some(sign @ 0x21..=0x7e) if fold(sign) != SKIP => self.put(fold(sign), offset, gap, 6),
                    // Windows' paths read as all others do.
                    _ if gap == Gap::None && self.bytes.last().is_some_and(ends_name) && path_mark(rest) > 0 => {
                        self.put(b'/', offset, gap, path_mark(rest))
                    }
                    _ => escaped(rest),
                };
            }
            // An index of a device, printed as a character.
            0..=8 => return (1, Some(Gap::None)),
            b'<' if tag(rest) > 0 => return (tag(rest), Some(Gap::None)),
            b'&' | b'<' => {
                if let Some((_, length, meaning)) = ENTITIES.iter().find(|entity| starts_folded(rest, entity.0)) {
                    return match meaning {
                        0 => (*length, Some(Gap::Space)),
                        b'\n' => (*length, Some(Gap::Line)),
                        meaning => self.put(*meaning, offset, gap, *length),
                    };
                }
            }
            0xc2 if rest.get(1) == Some(&0xa0) => return (2, Some(Gap::Space)),
            0xe3 if rest.starts_with("\u{3000}".as_bytes()) => return (3, Some(Gap::Space)),
            0xe2 | 0xef => {
                let three = rest.get(..3).unwrap_or_default();
                match three {
                    // Zero-width characters and the byte-order mark leave nothing behind.
                    [0xe2, 0x80, 0x8b..=0x8f] | [0xe2, 0x80, 0xaa..=0xae] | [0xef, 0xbb, 0xbf] => {
                        return (3, Some(Gap::None));
                    }
                    // Thin and narrow spaces, curly quotes, the frames that loggers draw.
                    [0xe2, 0x80, 0x80..=0x8a]
                    | [0xe2, 0x80, 0xaf]
                    | [0xe2, 0x80, 0x9a..=0x9f]
                    | [0xe2, 0x94 | 0x95, _] => return (3, Some(Gap::Space)),
                    [0xe2, 0x80, 0x98 | 0x99] => return self.put(b'\'', offset, gap, 3),
                    [0xe2, 0x80, 0x90..=0x94] | [0xe2, 0x88, 0x92] => return self.put(b'-', offset, gap, 3),
                    [0xe2, 0x80, 0xa6] => return self.put(b'.', offset, gap, 3),
                    // Full-width forms of ASCII, which Chinese and Japanese keyboards type: `；`, `（`, `：`.
                    [0xef, 0xbc, low @ 0x81..=0xbf] => return self.put_wide(low - 0x60, offset, gap),
                    [0xef, 0xbd, low @ 0x80..=0x9e] => return self.put_wide(low - 0x20, offset, gap),
                    _ => {}
                }
            }
            _ => {}
        }
        match fold(byte) {
            // Quotes and backticks inside a word leave no gap: `me``mory` is one word, `"11.0 GiB"` ends one.
            SKIP if !byte.is_ascii_whitespace() => (1, Some(Gap::Space)),
            SKIP if byte == b'\n' => (1, Some(Gap::Line)),
            SKIP => (1, Some(Gap::Space)),
            folded => self.put(folded, offset, gap, 1),
        }
    }

    fn put_wide(&mut self, byte: u8, offset: usize, gap: Gap) -> (usize, Option<Gap>) {
        match fold(byte) {
            SKIP => (3, Some(Gap::Space)),
            folded => self.put(folded, offset, gap, 3),
        }
    }

    fn put(&mut self, byte: u8, offset: usize, gap: Gap, length: usize) -> (usize, Option<Gap>) {
        self.bytes.push(byte);
        self.at.push(offset);
        self.gaps.push(gap);
        (length, None)
    }
}

/// What chats and web pages put in place of a character: the entity, its length, and its meaning (0: a space).
const ENTITIES: [(&[u8], usize, u8); 10] = [
    (b"&nbsp;", 6, 0),
    (b"&quot;", 6, 0),
    (b"&amp;", 5, b'&'),
    (b"&gt;", 4, b'>'),
    (b"&lt;", 4, b'<'),
    (b"&#39;", 5, b'\''),
    (b"<br>", 4, b'\n'),
    (b"<br/>", 5, b'\n'),
    (b"<br />", 6, b'\n'),
    (b"&#x27;", 6, b'\''),
];

/// Tags of web pages that stand around text, and leave nothing behind.
const TAGS: [&[u8]; 12] = [
    b"span", b"code", b"pre", b"div", b"font", b"strong", b"samp", b"td", b"tr", b"b", b"p", b"em",
];

/// The length of such a tag; 0 if it is none.
fn tag(rest: &[u8]) -> usize {
    let slash = usize::from(rest.get(1) == Some(&b'/'));
    let inner = &rest[1 + slash..rest.len().min(200)];
    let name = inner.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    if !TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(&inner[..name])) {
        return 0;
    }
    match inner[name..].first() {
        Some(b'>' | b' ') => inner
            .iter()
            .position(|byte| *byte == b'>')
            .map_or(0, |end| end + 2 + slash),
        _ => 0,
    }
}

/// A line without its prefix, by its place in the stretch.
struct Rest {
    start: usize,
    end: usize,
    rank: Option<i64>,
}

/// The lines of a stretch without their prefixes, and without those that a traceback quotes from the program. Lines of
/// several ranks alternate in a log, even in the middle of a message: those of one rank follow each other here. `listing`
/// is the mark of the list that the line before belongs to, `names` the names that it repeats, `behind` what follows.
fn lines<'a>(stretch: &'a [u8], behind: &[u8], mut listing: Option<u8>, mut names: Option<&'a [u8]>) -> Vec<Rest> {
    let mut lines = Vec::new();
    let mut ranks: Vec<Option<i64>> = Vec::new();
    let mut rank = None;
    // The indent that the program's own lines have at least, behind a line that names its file.
    let mut code_next = None;
    let mut listed = None;
    let mut at = 0;
    // The end of the message of a structured line, and of that line.
    let mut record = None;
    while at < stretch.len() {
        let begins = at == 0 || stretch[at - 1] == b'\n';
        if begins
            && record.is_none()
            && let Some((start, end, next)) = message_of(&stretch[at..])
        {
            record = Some((at + end, at + next));
            at += start;
        }
        let (stop, next) = record.unwrap_or((stretch.len(), stretch.len()));
        let line = &stretch[at..stop];
        let line = &line[..line_length(line, record.is_some())];
        let mut prefix = prefix::of(line);
        if record.is_none() {
            let rest = &line[prefix.length..];
            if !names.is_some_and(|names| begins_with(rest, names)) {
                let next = [&stretch[at + line.len()..], behind];
                names = named(rest).find(|names| repeats(next, names, 2));
            }
            if let Some(names) = names {
                let length = names.len().min(rest.len());
                let inner = prefix::of(&rest[length..]);
                prefix.length += length + inner.length;
                prefix.rank = prefix.rank.or(inner.rank);
            }
        }
        rank = prefix.rank.or(rank);
        let mark = bullet(&line[prefix.length..]);
        // One line alone may begin with a sign of its own: `# GPU blocks: 2`.
        let next_mark = || {
            let next = stretch.get(at + line.len()..stop).unwrap_or_default();
            let next = &next[prefix::of(next).length..];
            bullet(names.and_then(|names| next.strip_prefix(names)).unwrap_or(next))
        };
        if let Some((sign, length)) = mark
            && (listing == Some(sign) || next_mark().is_some_and(|next| next.0 == sign))
        {
            prefix.length += length;
        }
        listing = mark.map(|mark| mark.0);
        let rest = &line[prefix.length..];
        let indent = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let told = rest.strip_suffix(b"\\n").unwrap_or(rest);
        let is_blank = told.trim_ascii().is_empty();
        // A traceback quotes the program's own lines, which may talk of memory: `if "out of memory" in str(e):`. A
        // statement may take several.
        // An escaped line break before a small letter is none that can be told from a Windows path.
        let is_code = code_next.is_some_and(|least| indent >= least) && !told.windows(2).any(|two| two == b"\\n");
        if !is_code {
            lines.push(Rest {
                start: at + prefix.length,
                end: at + line.len(),
                rank,
            });
            listed = leave_out_listing(stretch, &mut lines, listed);
            if !ranks.contains(&rank) && ranks.len() < MOST_RANKS {
                ranks.push(rank);
            }
        }
        if rest[indent..].starts_with(b"File \"") || rest[indent..].starts_with(b"File \\\"") {
            code_next = Some(indent + 2);
        } else if !is_code && !is_blank {
            code_next = None;
        }
        at += line.len();
        if at >= stop {
            (at, record) = (next, None);
        }
    }
    if ranks.len() > 1 {
        let place = |rank: Option<i64>| ranks.iter().position(|known| *known == rank).map_or(-1, |at| at as i64);
        return order::by_key(lines, |line| place(line.rank));
    }
    lines
}

/// What a launcher may have put before every line, the longer one first: the names of a pod and its container
/// (`trainer-0 main `), of a machine (`node-1: `), of a logger's source.
fn named(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let part = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let word = |from: usize, signs: &[u8]| {
        let word = line.get(from..).unwrap_or_default().iter().take(60);
        let length = word.take_while(|byte| part(byte) || signs.contains(byte)).count();
        (length > 0 && line.get(from + length) == Some(&b' ')).then_some(from + length + 1)
    };
    let first = word(0, b"-./:[]{}").filter(|end| {
        let word = &line[..end - 1];
        let points = word.iter().filter(|byte| **byte == b'.').count();
        let told = word.iter().any(u8::is_ascii_lowercase) || points == 3;
        told && word.iter().any(|byte| !byte.is_ascii_lowercase() && *byte != b':')
    });
    let closed = |end: usize| matches!(line[end - 2], b':' | b'}' | b']');
    let second = first.filter(|end| !closed(*end)).and_then(|end| word(end, b"-"));
    [second, first].into_iter().flatten().map(|end| &line[..end])
}

/// Whether a line begins with the names; an empty one may have lost the blank behind them.
fn begins_with(line: &[u8], names: &[u8]) -> bool {
    line.starts_with(names) || line.trim_ascii_end() == names.trim_ascii_end()
}

/// Whether the first `count` lines begin with the names, behind prefixes of a known kind.
fn repeats(texts: [&[u8]; 2], names: &[u8], count: usize) -> bool {
    let lines = texts
        .into_iter()
        .flat_map(|text| text.split_inclusive(|byte| *byte == b'\n'));
    let repeating = lines
        .take(count)
        .filter(|line| begins_with(&line[prefix::of(line).length..], names));
    repeating.count() == count
}

/// The names that the lines around the one at `start` repeat before their messages.
fn running(text: &[u8], start: usize) -> Option<&[u8]> {
    let (before, line) = text.split_at_checked(start)?;
    let line = &line[prefix::of(line).length..];
    let mut names = named(line).peekable();
    names.peek()?;
    let mut before = before.strip_suffix(b"\n")?.rsplit(|byte| *byte == b'\n');
    let last = before.next()?;
    let other = before.next().unwrap_or_default();
    let next = line.split(|byte| *byte == b'\n').nth(1).unwrap_or_default();
    names.find(|names| {
        repeats([last, b""], names, 1) && (repeats([other, b""], names, 1) || repeats([next, b""], names, 1))
    })
}

/// The mark of a quoted list or of a difference that a line begins with, and the length of it: `- `, `+ `, ` # `. An item
/// that names something (`- CUDA0 (RTX 4090): …`, `- Free memory: …`) is a tool's own list, whose mark belongs to it.
fn bullet(line: &[u8]) -> Option<(u8, usize)> {
    let blanks = line.iter().take(8).take_while(|byte| **byte == b' ').count();
    let [sign @ (b'-' | b'+' | b'#'), b' ', item @ ..] = line.get(blanks..)? else {
        return None;
    };
    let item = &item[..item.len().min(40)];
    let name = item
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b' ');
    let name = item.get(..name.unwrap_or(0)).unwrap_or_default();
    let is_named = match item.get(name.len()) {
        Some(b':') => true,
        Some(b'(') => name.iter().any(u8::is_ascii_digit),
        _ => false,
    };
    let is_item = is_named && name.first().is_some_and(u8::is_ascii_uppercase);
    (!is_item).then_some((*sign, blanks + 1))
}

/// The length of the first line, its break included: a real one, or the `\\n` of an escaped text.
fn line_length(text: &[u8], in_json: bool) -> usize {
    let mut at = 0;
    loop {
        let Some(found) = text[at..].iter().position(|byte| matches!(byte, b'\n' | b'\\')) else {
            return text.len();
        };
        at += found;
        if text[at] == b'\n' {
            return at + 1;
        }
        let is_break = is_escaped_break(&text[at..]) || (in_json && matches!(text.get(at + 1), Some(b'n')));
        if is_break {
            return at + 2;
        }
        // A string's own backslash is doubled there.
        at += if in_json { 2.min(text.len() - at) } else { 1 };
    }
}

/// The keys under which structured logs have a line's message.
const MESSAGE_KEYS: [&[u8]; 8] = [
    b"\"message\":",
    b"\"msg\":",
    b"\"log\":",
    b"\"textPayload\":",
    b"\"stderr\":",
    b"\"stdout\":",
    b"\"output\":",
    b"\"text\":",
];
/// The keys behind the message under which such logs have what went wrong.
const ERROR_KEYS: [&[u8]; 6] = [
    b"\"error\":",
    b"\"err\":",
    b"\"exc_info\":",
    b"\"exception\":",
    b"\"stack",
    b"\"traceback",
];
/// How far behind the message they are looked for.
const TAIL: usize = 64 * 1024;
/// How far into a structured line its message may begin.
const MESSAGE_WITHIN: usize = 400;

/// Where the message stands in a line of a structured log, `{"level":"error","message":"…"}`, and where the next line begins.
fn message_of(text: &[u8]) -> Option<(usize, usize, usize)> {
    if !text.starts_with(b"{\"") {
        return None;
    }
    let length = text
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(text.len(), |at| at + 1);
    let line = &text[..length];
    let head = &line[..line.len().min(MESSAGE_WITHIN)];
    let start = MESSAGE_KEYS.iter().find_map(|key| {
        let at = head.windows(key.len()).position(|window| window == *key)? + key.len();
        let blanks = line[at..].iter().take(2).take_while(|byte| **byte == b' ').count();
        (line.get(at + blanks) == Some(&b'"')).then_some(at + blanks + 1)
    })?;
    // Loggers that sort their keys have what went wrong before the message.
    let is_letter = |byte: u8| byte.is_ascii_alphabetic();
    let words = line[..start]
        .windows(3)
        .filter(|three| is_letter(three[0]) && three[1] == b' ' && is_letter(three[2]));
    if words.count() > 3 {
        return Some((1, line.len(), length));
    }
    let mut end = start;
    while end < line.len() && line[end] != b'"' {
        end += if line[end] == b'\\' { 2 } else { 1 };
    }
    let tail = line.get(end..).unwrap_or_default();
    let tail = &tail[..tail.len().min(TAIL)];
    let tells = |key: &&[u8]| tail.windows(key.len()).any(|window| window == *key);
    // What breaks off within the message is message to its end.
    let end = if ERROR_KEYS.iter().any(tells) {
        line.len()
    } else {
        end.min(line.len())
    };
    (start < end).then_some((start, end, length))
}

/// Takes the last line back, and those before it that belong to it, where a notebook's traceback lists the program with
/// numbered lines around an arrow (`---> 55     if "out of memory" in str(e):`). `next` is the number that would go on
/// with the listing; so is what it returns.
fn leave_out_listing(stretch: &[u8], lines: &mut Vec<Rest>, next: Option<i64>) -> Option<i64> {
    let number_of = |line: &Rest| line_number(&stretch[line.start..line.end]);
    let (arrow, number) = number_of(lines.last()?)?;
    if !arrow && next != Some(number) {
        return None;
    }
    lines.pop();
    let mut before = number;
    while arrow && lines.last().and_then(number_of) == Some((false, before - 1)) {
        before -= 1;
        lines.pop();
    }
    Some(number + 1)
}

/// The number that a line of a listing begins with, and whether an arrow points at it.
fn line_number(line: &[u8]) -> Option<(bool, i64)> {
    let line = line.trim_ascii_start();
    let dashes = line.iter().take_while(|byte| **byte == b'-').count();
    let arrow = dashes > 0 && line.get(dashes) == Some(&b'>');
    let line = if arrow {
        line[dashes + 1..].trim_ascii_start()
    } else {
        line
    };
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let ends = line.get(digits).is_none_or(u8::is_ascii_whitespace);
    let number = std::str::from_utf8(&line[..digits.min(7)]).ok()?.parse().ok()?;
    (ends && digits < 7).then_some((arrow, number))
}

/// From so many bytes on a line may have been broken by a terminal.
const FULL_LINE: usize = 60;

/// How many ranks are told apart in one stretch.
const MOST_RANKS: usize = 64;

fn starts_folded(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word)
}

/// The length of a terminal's escape sequence behind the escape character.
fn escape_length(rest: &[u8]) -> usize {
    match rest.first() {
        Some(b'[') => {
            let body = rest[1..]
                .iter()
                .take(24)
                .take_while(|byte| matches!(byte, b'0'..=b'?' | b' '..=b'/'))
                .count();
            1 + body + usize::from(rest.get(1 + body).is_some_and(u8::is_ascii))
        }
        Some(b']') => rest
            .iter()
            .take(200)
            .position(|byte| *byte == 7)
            .map_or(1, |end| end + 1),
        Some(byte) => usize::from(byte.is_ascii()),
        None => 0,
    }
}

/// The length of a colour code whose escape character was lost, such as `[31m`; 0 if it is none.
fn naked_colour(rest: &[u8]) -> usize {
    let body = rest[1..]
        .iter()
        .take(12)
        .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
        .count();
    match rest.get(1 + body) {
        // `[m` alone resets a colour; `[malloc]` is a word.
        Some(b'm') if body > 0 || !rest.get(2).is_some_and(u8::is_ascii_alphabetic) => body + 2,
        _ => 0,
    }
}

/// The sign that `\u003e` stands for, those of full width as the plain ones, 0 for any other; `None` where it is no code.
fn coded(rest: &[u8]) -> Option<u8> {
    let digits = rest.strip_prefix(b"\\u")?.get(..4)?;
    let mut code = 0u32;
    for digit in digits {
        code = code * 16 + char::from(*digit).to_digit(16)?;
    }
    let plain = if (0xff01..=0xff5e).contains(&code) {
        code - 0xfee0
    } else {
        code
    };
    Some(u8::try_from(plain).unwrap_or(0))
}

/// Whether what stands before a backslash may be a name of a path, a drive or a dot.
fn ends_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b':' | b'.' | b'_' | b'-' | b')')
}

/// The length of the backslash between two names of a Windows path, of both where the text is escaped; 0 if it is none:
/// `max\_split` is how chats write an underscore.
pub fn path_mark(rest: &[u8]) -> usize {
    let length = rest.iter().take(2).take_while(|byte| **byte == b'\\').count();
    let last = rest.get(length.saturating_sub(1)..).unwrap_or_default();
    let names = match last {
        [b'\\', b'_', b'_', ..] => true,
        [b'\\', byte, ..] => byte.is_ascii_alphanumeric(),
        _ => false,
    };
    if names && coded(last).is_none() && escaped(last) == (1, Some(Gap::Space)) {
        length
    } else {
        0
    }
}

/// Whether the backslash that `rest` begins with stands for a line break.
pub fn is_escaped_break(rest: &[u8]) -> bool {
    matches!(escaped(rest), (2, Some(Gap::Line)))
}

/// What a backslash begins: `\n` and `\r` of JSON are line breaks, `\u001b` and `\x1b` an escape character. In a
/// Windows path (`C:\nodes`) a small letter follows, in escaped text hardly ever.
fn escaped(rest: &[u8]) -> (usize, Option<Gap>) {
    let followed = |at: usize| rest.get(at).is_some_and(u8::is_ascii_lowercase);
    match rest.get(1) {
        Some(b'n' | b'r') if !followed(2) => (2, Some(Gap::Line)),
        Some(b't') if !followed(2) => (2, Some(Gap::Space)),
        Some(b'u') if rest.len() >= 6 && starts_folded(&rest[2..], b"001b") => (6, Some(Gap::None)),
        // Other signs that JSON writes as numbers; no message has any but those of ASCII.
        Some(b'u') if coded(rest).is_some() => (6, Some(Gap::Space)),
        Some(b'x') if rest.len() >= 4 && starts_folded(&rest[2..], b"1b") => (4, Some(Gap::None)),
        _ => (1, Some(Gap::Space)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squeezed(text: &str) -> String {
        String::from_utf8_lossy(&View::of(text, 0, text.len()).bytes).into_owned()
    }

    #[test]
    fn every_copy_of_a_message_is_the_same() {
        let copies = [
            "Tried to allocate 2.00 GiB",
            "Tried to allo\ncate 2.00\r\n GiB",
            "\u{1b}[31mTried to allocate\u{1b}[0m 2.00\u{a0}GiB",
            "[31mTried to allocate 2.00 GiB[0m",
            "> Tried to allocate **2.00 GiB**",
            "│ Tried to allocate      │\n│ 2.00 GiB               │",
            "Tried&nbsp;to allocate<br>2.00 `GiB`",
            "\\u001b[31mTried to allocate\\n 2.00 GiB",
            "[rank0]: Tried to\n[rank0]: allocate 2.00 GiB",
            "app-0 main Tried to\napp-0 main allocate\napp-0 main 2.00 GiB",
            "10.0.0.3: Tried to\n10.0.0.3: allocate\n10.0.0.3: 2.00 GiB",
            "Tried　to allocate ２.００ ＧｉＢ",
        ];
        for copy in copies {
            assert_eq!(squeezed(copy), "triedtoallocate2.00gib", "{copy:?}");
        }
    }

    #[test]
    fn records_of_a_log_are_their_messages_and_errors() {
        for (record, told) in [
            (
                r#"{"level":"error","ts":1,"msg":"Tried to\nallocate 2.00 GiB"}"#,
                "triedtoallocate2.00gib",
            ),
            (
                r#"{"log":"\u001b[31mTried to","stream":"stderr"}
{"log":" allocate 2.00\u00a0GiB\n","stream":"stderr"}"#,
                "triedtoallocate2.00gib",
            ),
            (
                r#"{"msg":"failed","error":"out of \"memory\""}"#,
                "failed,error:outofmemory",
            ),
            (
                r#"{"error":"CUDA out of memory. Tried to","msg":"failed"}"#,
                "error:cudaoutofmemory.triedto,msg:failed",
            ),
        ] {
            let read = squeezed(record).replace(['"', '{', '}'], "");
            assert_eq!(read, told, "{record}");
        }
    }

    #[test]
    fn marks_of_a_list_are_left_out_where_neighbours_share_them() {
        assert_eq!(squeezed("- Tried to\n- allocate 2.00 GiB\n"), "triedtoallocate2.00gib");
        assert_eq!(squeezed("+ Tried to\n+ allocate 2.00 GiB\n"), "triedtoallocate2.00gib");
        assert_eq!(squeezed("# GPU blocks: 2"), "#gpublocks:2");
        assert_eq!(
            squeezed("- CUDA0 (A10): 2\n- CUDA1 (A10): 3"),
            "-cuda0(a10):2-cuda1(a10):3"
        );
    }

    #[test]
    fn lines_that_a_traceback_quotes_are_left_out() {
        let text = "  File \"/opt/app/run.py\", line 3, in main\n    if \"out of memory\" in str(e):\nValueError: no\n";
        assert!(!squeezed(text).contains("outofmemory"));
        assert!(squeezed(text).contains("valueerror:no"));
        let long = text.replace("    if", "    raise E(\n        \"x\"\n        if");
        assert!(!squeezed(&long).contains("outofmemory"));
        let cell = "<cell line: 3>()\n      1 try:\n      2     f()\n----> 3 except E as e: # out of memory\n      4     pass\n9 lives";
        assert_eq!(squeezed(cell), "<cellline:3>()9lives");
    }

    #[test]
    fn places_are_those_of_the_original() {
        let text = "ab\u{1b}[1m c";
        let view = View::of(text, 0, text.len());
        assert_eq!(view.at, [0, 1, 7]);
        assert_eq!(view.gaps, [Gap::Line, Gap::None, Gap::Space]);
    }
}
