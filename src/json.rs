//! Reads JSON that nobody vouches for: config.json, safetensors headers, workflows, prices.
//!
//! One pass makes a flat list of places in the text; strings and numbers stay slices of it until somebody asks. The work
//! is linear (names in an object are sorted once), the memory 16 bytes for each value; depth, size, number of values and
//! names that stand twice are checked. No text panics.

use std::borrow::Cow;

use crate::message::Message;
use crate::order;

/// How deep lists and objects may stand in each other.
pub const DEPTH: usize = 64;

/// The most bytes of a text: safetensors headers may have 100 MB.
pub const MOST_BYTES: usize = 100_000_000;

/// The most values of a text, names of objects included.
pub const MOST_VALUES: usize = 4_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Null,
    False,
    True,
    /// NaN and the infinities too, which Python writes.
    Number,
    /// Between the quotes, without an escape.
    Text,
    /// With escapes.
    Escaped,
    List,
    Object,
}

/// One value: where it stands, and the place of the node after it and all that it holds.
#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    end: u32,
    next: u32,
    kind: Kind,
}

/// A text that was read.
#[derive(Debug)]
pub struct Json<'a> {
    text: &'a str,
    nodes: Vec<Node>,
}

/// A value in a [`Json`].
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    json: &'a Json<'a>,
    at: usize,
}

/// Reads a text.
///
/// # Errors
/// `json-empty`; `json-large` (`most` bytes) and `json-many` (`most` values); `json-deep` (`line`, `most`);
/// `json-cut` (`line`), where it ends too early; `json-twice` (`line`, `name`), where an object has a name twice;
/// `json-wrong` (`line`, `found`), where something else stands than JSON has there.
pub fn parse(bytes: &[u8]) -> Result<Json<'_>, Message> {
    if bytes.len() > MOST_BYTES {
        return Err(Message::new("json-large").with("most", crate::units::Bytes(MOST_BYTES as i64)));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Err(wrong(bytes, error.valid_up_to())),
    };
    let mut reader = Reader {
        json: Json {
            text,
            nodes: Vec::new(),
        },
        at: 0,
    };
    reader.read()?;
    Ok(reader.json)
}

/// The line of a place, from 1.
fn line(bytes: &[u8], at: usize) -> i64 {
    1 + bytes.iter().take(at).filter(|byte| **byte == b'\n').count() as i64
}

fn wrong(bytes: &[u8], at: usize) -> Message {
    let rest = bytes.get(at..).unwrap_or_default();
    let shown = rest.get(..rest.len().min(24)).unwrap_or_default();
    let found: String = String::from_utf8_lossy(shown)
        .chars()
        .take_while(|letter| !letter.is_control())
        .take(16)
        .collect();
    Message::new("json-wrong")
        .with("line", line(bytes, at))
        .with("found", found)
}

struct Reader<'a> {
    json: Json<'a>,
    at: usize,
}

impl Reader<'_> {
    fn bytes(&self) -> &[u8] {
        self.json.text.as_bytes()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// What stands at the reader's place has no business there; or the text ended.
    fn unexpected(&self) -> Message {
        if self.at >= self.json.text.len() {
            return Message::new("json-cut").with("line", line(self.bytes(), self.at));
        }
        wrong(self.bytes(), self.at)
    }

    fn push(&mut self, start: usize, end: usize, kind: Kind) -> Result<usize, Message> {
        let place = self.json.nodes.len();
        if place >= MOST_VALUES {
            return Err(Message::new("json-many").with("most", MOST_VALUES as i64));
        }
        self.json.nodes.push(Node {
            start: start as u32,
            end: end as u32,
            next: place as u32 + 1,
            kind,
        });
        Ok(place)
    }

    fn read(&mut self) -> Result<(), Message> {
        // The lists and objects that are open, outermost first.
        let mut open: Vec<usize> = Vec::new();
        self.skip_space();
        if self.at >= self.json.text.len() {
            return Err(Message::new("json-empty"));
        }
        loop {
            self.skip_space();
            let begun = self.value()?;
            if let Some(place) = begun {
                open.push(place);
                if open.len() > DEPTH {
                    let message = Message::new("json-deep").with("line", line(self.bytes(), self.at));
                    return Err(message.with("most", DEPTH as i64));
                }
            }
            let mut first = begun.is_some();
            // After a value: close what ends here, then go on to the next value.
            loop {
                self.skip_space();
                let Some(&place) = open.last() else {
                    return if self.at == self.json.text.len() {
                        Ok(())
                    } else {
                        Err(self.unexpected())
                    };
                };
                let object = self.json.nodes[place].kind == Kind::Object;
                match self.peek() {
                    Some(b'}') if object => {}
                    Some(b']') if !object => {}
                    Some(b',') if !first => {
                        self.at += 1;
                        self.name(object)?;
                        break;
                    }
                    Some(_) if first => {
                        self.name(object)?;
                        break;
                    }
                    _ => return Err(self.unexpected()),
                }
                self.at += 1;
                open.pop();
                let (end, next) = (self.at as u32, self.json.nodes.len() as u32);
                (self.json.nodes[place].end, self.json.nodes[place].next) = (end, next);
                if object {
                    self.no_name_twice(place)?;
                }
                first = false;
            }
        }
    }

    /// In an object the name and its colon.
    fn name(&mut self, object: bool) -> Result<(), Message> {
        if !object {
            return Ok(());
        }
        self.skip_space();
        if self.peek() != Some(b'"') {
            return Err(self.unexpected());
        }
        self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected());
        }
        self.at += 1;
        Ok(())
    }

    /// A value, or the beginning of a list or an object, whose place is returned.
    fn value(&mut self) -> Result<Option<usize>, Message> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => return self.string().map(|()| None),
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::List,
            _ => return self.word().map(|()| None),
        };
        self.at += 1;
        self.push(start, self.at, kind).map(Some)
    }

    fn string(&mut self) -> Result<(), Message> {
        let start = self.at + 1;
        let mut kind = Kind::Text;
        self.at = start;
        loop {
            match self.peek() {
                None => return Err(self.unexpected()),
                Some(b'"') => break,
                Some(b'\\') => {
                    kind = Kind::Escaped;
                    match self.bytes().get(self.at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
                        Some(b'u') if hex(self.bytes(), self.at + 2).is_some() => self.at += 6,
                        _ => return Err(self.unexpected()),
                    }
                }
                Some(_) => self.at += 1,
            }
        }
        self.push(start, self.at, kind)?;
        self.at += 1;
        Ok(())
    }

    /// `null`, `true`, `false`, or a number.
    fn word(&mut self) -> Result<(), Message> {
        let start = self.at;
        let rest = &self.bytes()[start..];
        let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let word = &rest[..rest.iter().take_while(|byte| inside(byte)).count()];
        let kind = match word {
            b"null" => Kind::Null,
            b"true" => Kind::True,
            b"false" => Kind::False,
            b"NaN" | b"Infinity" | b"-Infinity" => Kind::Number,
            _ if decimal(word, 0).is_some() => Kind::Number,
            _ => return Err(self.unexpected()),
        };
        self.at += word.len();
        self.push(start, self.at, kind)?;
        Ok(())
    }

    fn no_name_twice(&self, place: usize) -> Result<(), Message> {
        let value = Value {
            json: &self.json,
            at: place,
        };
        let names: Vec<Value> = value.entries().map(|(name, _)| name).collect();
        if names.len() < 2 {
            return Ok(());
        }
        let names = order::by_key(names, |name| hash(&name.string()));
        for pair in names.windows(2) {
            if let [one, other] = pair
                && one.string() == other.string()
            {
                let later = one.node().start.max(other.node().start) as usize;
                let name: String = one.string().chars().take(40).collect();
                let message = Message::new("json-twice").with("line", line(self.bytes(), later));
                return Err(message.with("name", name));
            }
        }
        Ok(())
    }
}

/// FNV-1a, to sort and to count names by.
pub(crate) fn hash(text: &str) -> i64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step) as i64
}

fn hex(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits
        .iter()
        .try_fold(0, |value, digit| Some(value * 16 + (*digit as char).to_digit(16)?))
}

/// The number times 10^`scale`, cut to a whole one; past what 64 bits hold it stays at their end.
fn decimal(word: &[u8], scale: i64) -> Option<i64> {
    let negative = word.first() == Some(&b'-');
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let (mut digits, mut exponent) = (0i64, scale);
    let (mut value, mut point, mut seen) = (0i64, false, false);
    let mut at = 0;
    while let Some(&byte) = word.get(at) {
        match byte {
            b'0'..=b'9' => {
                seen = true;
                let next = value.saturating_mul(10).saturating_add(i64::from(byte - b'0'));
                // Digits beyond what fits only count by their number.
                if next == i64::MAX {
                    exponent += i64::from(!point);
                } else {
                    value = next;
                    digits += i64::from(point);
                }
            }
            b'.' if !point && seen => {
                point = true;
                seen = false;
            }
            b'e' | b'E' if seen => {
                let rest = word.get(at + 1..)?;
                let (minus, rest) = match rest.first()? {
                    b'-' => (true, rest.get(1..)?),
                    b'+' => (false, rest.get(1..)?),
                    _ => (false, rest),
                };
                if rest.is_empty() || !rest.iter().all(u8::is_ascii_digit) {
                    return None;
                }
                let power = rest
                    .iter()
                    .fold(0i64, |power, digit| (power * 10 + i64::from(digit - b'0')).min(9999));
                exponent += if minus { -power } else { power };
                break;
            }
            _ => return None,
        }
        at += 1;
    }
    if !seen {
        return None;
    }
    let shift = exponent - digits;
    for _ in 0..shift.abs().min(20) {
        value = if shift > 0 {
            value.saturating_mul(10)
        } else {
            value / 10
        };
    }
    Some(if negative { -value } else { value })
}

impl<'a> Json<'a> {
    /// The whole.
    pub fn root(&'a self) -> Value<'a> {
        Value { json: self, at: 0 }
    }
}

impl<'a> Value<'a> {
    fn node(self) -> Node {
        self.json.nodes.get(self.at).copied().unwrap_or(Node {
            start: 0,
            end: 0,
            next: u32::MAX,
            kind: Kind::Null,
        })
    }

    fn raw(self) -> &'a str {
        let node = self.node();
        self.json
            .text
            .get(node.start as usize..node.end as usize)
            .unwrap_or_default()
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.node().kind == Kind::Object
    }

    /// Whether it is a list.
    pub fn is_list(self) -> bool {
        self.node().kind == Kind::List
    }

    /// What a list holds, and names and values of an object by turns; nothing of all else.
    fn children(self) -> impl Iterator<Item = Value<'a>> {
        let node = self.node();
        let end = match node.kind {
            Kind::List | Kind::Object => node.next as usize,
            _ => 0,
        };
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            let child = Value { json: self.json, at };
            (at < end).then(|| {
                at = child.node().next as usize;
                child
            })
        })
    }

    /// The values of a list.
    pub fn items(self) -> impl Iterator<Item = Value<'a>> {
        let list = self.is_list();
        self.children().filter(move |_| list)
    }

    /// How many values a list has, or names an object.
    pub fn len(self) -> usize {
        if self.is_list() {
            self.children().count()
        } else {
            self.entries().count()
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.children().next().is_none()
    }

    /// The names and values of an object.
    pub fn entries(self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
        let mut children = self.children();
        let object = self.is_object();
        std::iter::from_fn(move || {
            if object {
                Some((children.next()?, children.next()?))
            } else {
                None
            }
        })
    }

    /// The value of that name in an object; `null` counts as none.
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        let found = self.entries().find(|(key, _)| key.is(name));
        found
            .map(|(_, value)| value)
            .filter(|value| value.node().kind != Kind::Null)
    }

    /// Whether it is that text.
    pub fn is(self, text: &str) -> bool {
        match self.node().kind {
            Kind::Text => self.raw() == text,
            Kind::Escaped => self.string() == text,
            _ => false,
        }
    }

    /// The text, if it is one.
    pub fn text(self) -> Option<Cow<'a, str>> {
        matches!(self.node().kind, Kind::Text | Kind::Escaped).then(|| self.string())
    }

    fn string(self) -> Cow<'a, str> {
        let raw = self.raw();
        if self.node().kind == Kind::Escaped {
            Cow::Owned(unescaped(raw))
        } else {
            Cow::Borrowed(raw)
        }
    }

    /// The whole number, if it is a number; what stands behind its point is cut off.
    pub fn whole(self) -> Option<i64> {
        self.scaled(0)
    }

    /// The number times 10^`scale`, cut to a whole one.
    pub fn scaled(self, scale: i64) -> Option<i64> {
        if self.node().kind != Kind::Number {
            return None;
        }
        decimal(self.raw().as_bytes(), scale)
    }

    /// Whether it is true or false.
    pub fn flag(self) -> Option<bool> {
        match self.node().kind {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }
}

/// The text with its escapes read; half a surrogate pair becomes the replacement character.
fn unescaped(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let bytes = rest.as_bytes();
        let mut used = at + 2;
        let letter = match bytes.get(at + 1) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => {
                used = at + 6;
                let unit = hex(bytes, at + 2).unwrap_or(0xFFFD);
                let low = match bytes.get(used..used + 2) {
                    Some(b"\\u") => hex(bytes, used + 2).filter(|low| (0xDC00..0xE000).contains(low)),
                    _ => None,
                };
                let code = match low {
                    Some(low) if (0xD800..0xDC00).contains(&unit) => {
                        used += 6;
                        0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)
                    }
                    _ => unit,
                };
                char::from_u32(code).unwrap_or('\u{FFFD}')
            }
            Some(other) => char::from(*other),
            None => break,
        };
        text.push(letter);
        rest = rest.get(used..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(text: &str) -> &'static str {
        parse(text.as_bytes()).map_or_else(|message| message.id, |_| "read")
    }

    #[test]
    fn values_read_as_they_are_written() {
        let json = parse(b"\xEF\xBB\xBF {\"a\": [1, -2.5, 1e3, NaN, true, null], \"b\": {\"c\": \"d\"}, \"e\": []}\n")
            .unwrap();
        let root = json.root();
        let list = root.get("a").unwrap();
        let numbers: Vec<Option<i64>> = list.items().map(Value::whole).collect();
        assert_eq!(numbers, [Some(1), Some(-2), Some(1000), None, None, None]);
        assert_eq!(list.items().nth(1).and_then(|value| value.scaled(1)), Some(-25));
        assert_eq!(list.items().nth(4).and_then(Value::flag), Some(true));
        assert_eq!((list.len(), root.len()), (6, 3));
        let inner = root.get("b").and_then(|b| b.get("c")).and_then(Value::text);
        assert_eq!(inner.as_deref(), Some("d"));
        assert!(root.get("e").is_some_and(|e| e.is_list() && e.is_empty()));
        assert!(root.get("f").is_none() && root.get("a").unwrap().get("a").is_none());
    }

    #[test]
    fn escapes_are_read() {
        let json = parse(br#"["a\n\"\\\/\u00e9\ud83d\ude00\ud83dx\u0000"]"#).unwrap();
        let text = json.root().items().next().and_then(Value::text);
        assert_eq!(text.as_deref(), Some("a\n\"\\/é😀\u{FFFD}x\0"));
    }

    #[test]
    fn numbers_are_exact_or_stay_at_the_end() {
        for (text, value) in [
            ("8030261248", 8_030_261_248),
            ("4096.0", 4096),
            ("1.5e3", 1500),
            ("0.4", 0),
            ("1e-30", 0),
            ("-1e400", -i64::MAX),
            ("99999999999999999999999", i64::MAX),
            ("0.1000000000000000055511151231257827", 0),
        ] {
            let json = parse(text.as_bytes()).unwrap();
            assert_eq!(json.root().whole(), Some(value), "{text}");
        }
        let json = parse(b"0.1000000000000000055511151231257827").unwrap();
        assert_eq!(json.root().scaled(3), Some(100));
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for (text, id) in [
            ("", "json-empty"),
            (" \n", "json-empty"),
            ("{", "json-cut"),
            ("[1,", "json-cut"),
            ("\"abc", "json-cut"),
            ("{\"a\":1", "json-cut"),
            ("{a: 1}", "json-wrong"),
            ("[1,]", "json-wrong"),
            ("{\"a\":1,}", "json-wrong"),
            ("[1 2]", "json-wrong"),
            ("[1] x", "json-wrong"),
            ("[}", "json-wrong"),
            ("{]", "json-wrong"),
            ("[,1]", "json-wrong"),
            ("1.", "json-wrong"),
            ("nul", "json-wrong"),
            ("\"\\x\"", "json-wrong"),
            ("Traceback (most recent call last):", "json-wrong"),
            ("{\"a\":1, \"b\":2, \"a\":3}", "json-twice"),
            ("{\"a\":1, \"\\u0061\":3}", "json-twice"),
            ("{\"a\":{\"b\":1}, \"b\":2}", "read"),
        ] {
            assert_eq!(refused(text), id, "{text}");
        }
        let error = parse(b"{\n\"a\": 1,\n\"b\" 2}").unwrap_err();
        assert_eq!(error, Message::new("json-wrong").with("line", 3).with("found", "2}"));
        assert_eq!(parse(b"\"\xFF\"").unwrap_err().id, "json-wrong");
    }

    #[test]
    fn depth_and_number_have_limits() {
        let deep = |depth: usize| ["[".repeat(depth), "]".repeat(depth)].concat();
        assert_eq!(refused(&deep(DEPTH)), "read");
        assert_eq!(refused(&deep(DEPTH + 1)), "json-deep");
        assert_eq!(refused(&"[".repeat(1_000_000)), "json-deep");
        let many = ["[", &"0,".repeat(MOST_VALUES), "0]"].concat();
        assert_eq!(refused(&many), "json-many");
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = parse(&bytes).map(|json| json.root().len());
        }

        #[test]
        fn nothing_like_json_panics(text in "[\\[\\]{}:,\"\\\\u0-9aeE.+\\- \n-]{0,60}") {
            let own = parse(text.as_bytes());
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            // Where the other reader reads it, ours does, but for names that stand twice.
            if theirs.is_ok() {
                prop_assert!(own.is_ok() || own.is_err_and(|error| error.id == "json-twice"), "{}", text);
            }
        }

        #[test]
        fn what_another_writes_reads_back(names in prop::collection::btree_map(".{0,6}", any::<i64>(), 0..20)) {
            let text = serde_json::to_string(&names).unwrap();
            let json = parse(text.as_bytes()).unwrap();
            for (name, value) in &names {
                let found = json.root().get(name).and_then(Value::whole);
                prop_assert_eq!(found, Some((*value).max(-i64::MAX)));
            }
        }
    }
}
