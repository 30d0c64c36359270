//! Reads Fluent files as the checks need them: texts without their figures, and what each text asks for. The files' syntax is
//! Fluent's own to judge; another test has it do so.

use std::collections::{BTreeMap, BTreeSet};

/// Stands in a text for a figure or another message put in.
pub const PLACEABLE: char = '\u{fffc}';

/// A message, a term or an attribute of one.
#[derive(Debug, Default)]
pub struct Entry {
    file: String,
    line: usize,
    id: String,
    attribute: Option<String>,
    /// The text, and the text of each variant, with [`PLACEABLE`]s.
    pub texts: Vec<String>,
    /// The arguments it uses itself.
    pub args: BTreeSet<String>,
    /// The messages and terms it refers to.
    pub references: BTreeSet<String>,
}

impl Entry {
    /// `id`, or `id.attribute`.
    pub fn name(&self) -> String {
        match &self.attribute {
            Some(attribute) => format!("{}.{attribute}", self.id),
            None => self.id.clone(),
        }
    }

    /// Whether only other texts can show it.
    pub fn is_term(&self) -> bool {
        self.id.starts_with('-')
    }

    /// Where it stands, for people.
    pub fn place(&self) -> String {
        format!("{}:{}: {}", self.file, self.line, self.name())
    }

    /// The file's own name.
    pub fn file_name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or_default()
    }
}

/// The arguments of a text and of all it refers to.
pub fn all_args(entry: &Entry, table: &BTreeMap<String, Entry>) -> BTreeSet<String> {
    let mut args = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![entry];
    while let Some(entry) = open.pop() {
        if seen.insert(entry.name()) {
            args.extend(entry.args.iter().cloned());
            open.extend(entry.references.iter().filter_map(|id| table.get(id)));
        }
    }
    args
}

/// The entries of a file in their order. A message that has attributes only is no entry, its attributes are.
pub fn entries(file: &str, text: &str) -> Vec<Entry> {
    let mut entries: Vec<(Entry, String)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let starts = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-');
        let head = |head: &str| {
            head.split_once('=')
                .map(|(id, rest)| (id.trim().to_owned(), rest.trim_start().to_owned()))
        };
        if line.starts_with('#') {
            continue;
        } else if let (true, Some((id, rest))) = (starts, head(line)) {
            entries.push((
                Entry {
                    file: file.to_owned(),
                    line: number + 1,
                    id,
                    ..Entry::default()
                },
                rest,
            ));
        } else if let Some((attribute, rest)) = trimmed.strip_prefix('.').and_then(head) {
            let id = entries.last().map(|(entry, _)| entry.id.clone()).unwrap_or_default();
            let attribute = Some(attribute);
            entries.push((
                Entry {
                    file: file.to_owned(),
                    line: number + 1,
                    id,
                    attribute,
                    ..Entry::default()
                },
                rest,
            ));
        } else if let Some((_, raw)) = entries.last_mut() {
            raw.push('\n');
            raw.push_str(trimmed);
        }
    }
    let read = |(mut entry, raw): (Entry, String)| {
        let raw: Vec<char> = raw.trim().chars().collect();
        let mut reader = Reader {
            raw: &raw,
            at: 0,
            entry: &mut entry,
        };
        let text = reader.pattern(false);
        entry.texts.insert(0, text);
        entry
    };
    entries
        .into_iter()
        .filter(|(_, raw)| !raw.trim().is_empty())
        .map(read)
        .collect()
}

struct Reader<'a> {
    raw: &'a [char],
    at: usize,
    entry: &'a mut Entry,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.raw.get(self.at).copied()
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let from = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.raw[from..self.at].iter().collect()
    }

    /// A text up to its end; a variant's ends where the next one starts or the placeable closes.
    fn pattern(&mut self, variant: bool) -> String {
        let mut text = String::new();
        while let Some(next) = self.peek() {
            let line_start = text.ends_with('\n');
            if next == '{' {
                self.at += 1;
                text.push_str(&self.placeable());
            } else if variant && (next == '}' || line_start && (next == '[' || next == '*')) {
                break;
            } else {
                self.at += 1;
                text.push(next);
            }
        }
        text.trim_end_matches('\n').to_owned()
    }

    /// What a placeable, its brace already read, leaves in the text around it.
    fn placeable(&mut self) -> String {
        let mut literal = None;
        while let Some(next) = self.peek() {
            self.at += 1;
            match next {
                '}' => break,
                '{' => {
                    self.placeable();
                }
                '"' => {
                    literal = Some(self.skip(|c| c != '"'));
                    self.at += 1;
                }
                '$' => {
                    let arg = self.skip(is_name);
                    self.entry.args.insert(arg);
                }
                '-' if self.peek() == Some('>') => {
                    self.at += 1;
                    self.variants();
                }
                first if first.is_ascii_lowercase() || first == '-' => {
                    let id = first.to_string() + &self.skip(|c| is_name(c) || c == '.');
                    self.entry.references.insert(id);
                }
                _ => {}
            }
        }
        literal.unwrap_or_else(|| PLACEABLE.to_string())
    }

    /// The variants of a choice, up to the brace that ends it.
    fn variants(&mut self) {
        loop {
            self.skip(|c| c.is_whitespace() || c == '*');
            if self.peek() != Some('[') {
                break;
            }
            self.skip(|c| c != ']');
            self.at += 1;
            self.skip(|c| c == ' ');
            let text = self.pattern(true);
            self.entry.texts.push(text);
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

#[test]
fn texts_arguments_and_references() {
    let file = "
# note = no
a = { $free } of { -gpu } is { $n ->
    [one] one { $unit } piece
   *[other] { $n } { page-pieces }
}.
    .hint = Say { \"{\" }
b =
    Two
    lines
";
    let found = entries("locales/en/x.ftl", file);
    let shown: Vec<_> = found
        .iter()
        .map(|entry| (entry.place(), entry.texts.join("|")))
        .collect();
    let expected = [
        (
            "locales/en/x.ftl:3: a",
            "\u{fffc} of \u{fffc} is \u{fffc}.|one \u{fffc} piece|\u{fffc} \u{fffc}",
        ),
        ("locales/en/x.ftl:7: a.hint", "Say {"),
        ("locales/en/x.ftl:8: b", "Two\nlines"),
    ];
    assert_eq!(shown, expected.map(|(place, text)| (place.to_owned(), text.to_owned())));
    assert_eq!(found[0].args, ["free", "n", "unit"].map(str::to_owned).into());
    assert_eq!(found[0].references, ["-gpu", "page-pieces"].map(str::to_owned).into());
}
