//! Finds the string literals of the source, by which the checks know which messages have a caller.

use std::fs;
use std::path::Path;

/// A string literal outside comments and unit tests.
pub struct Literal {
    /// The file it stands in.
    pub file: String,
    /// What it holds, escapes left as they are.
    pub text: String,
    /// Whether it is handed to something that takes a message's id: `Message::new(`, `.text(`, `t(`.
    pub is_message: bool,
    /// The names given by the `.with("name", …)` that follow a `Message::new` in the same statement.
    pub with: Vec<String>,
}

/// All literals of the project's own code.
pub struct Source {
    /// In the order of the files.
    pub literals: Vec<Literal>,
}

/// Reads src/, build/ and the static page, whose `{{id}}` the build replaces.
pub fn read(root: &Path) -> Source {
    let mut literals = Vec::new();
    let mut folders = vec![root.join("src"), root.join("build")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let file = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if let (Some("rs" | "mjs" | "js"), Ok(text)) =
                (path.extension().and_then(|e| e.to_str()), fs::read_to_string(&path))
            {
                literals.extend(literals_of(&file, &text));
            }
        }
    }
    let page = fs::read_to_string(root.join("index.html")).unwrap_or_default();
    let ids = page.split("{{").skip(1).filter_map(|rest| rest.split_once("}}"));
    literals.extend(ids.map(|(id, _)| Literal {
        file: "index.html".to_owned(),
        text: id.trim().to_owned(),
        is_message: id.contains('-'),
        with: Vec::new(),
    }));
    Source { literals }
}

fn literals_of(file: &str, text: &str) -> Vec<Literal> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code: Vec<char> = code.chars().collect();
    let mut found: Vec<Literal> = Vec::new();
    // What stands before the literal, comments and spaces left out, since the last statement's end.
    let mut before = String::new();
    let mut at = 0;
    while let Some(&next) = code.get(at) {
        let rest = &code[at..];
        if rest.starts_with(&['/', '/']) {
            at += rest.iter().position(|&c| c == '\n').unwrap_or(rest.len());
        } else if rest.starts_with(&['/', '*']) {
            at += rest
                .windows(2)
                .position(|pair| pair == ['*', '/'])
                .map_or(rest.len(), |end| end + 2);
        } else if next == '"' {
            let hashes = before.chars().rev().take_while(|&c| c == '#').count();
            let raw = before[..before.len() - hashes].ends_with('r');
            let (text, length) = string(rest, raw.then_some(hashes));
            let is_message = takes_an_id(&before, &text);
            if before.ends_with(".with(") && is_chain(&before) {
                let message = found.iter_mut().rfind(|literal| literal.is_message);
                message.into_iter().for_each(|message| message.with.push(text.clone()));
            }
            found.push(Literal {
                file: file.to_owned(),
                text,
                is_message,
                with: Vec::new(),
            });
            before.push('"');
            at += length;
        } else if next == '\'' && (rest.get(1) == Some(&'\\') || rest.get(2) == Some(&'\'')) {
            // A character; a lone quote is a lifetime's, or starts a JavaScript string, of which none holds an id.
            at += 3 + rest
                .iter()
                .skip(3)
                .position(|&c| c == '\'')
                .filter(|_| rest.get(1) == Some(&'\\'))
                .map_or(0, |end| end + 1);
        } else {
            if next == ';' {
                before.clear();
            } else if !next.is_whitespace() {
                before.push(next);
            } else if before.ends_with(is_identifier) {
                before.push(' ');
            }
            at += 1;
        }
    }
    found
}

fn is_identifier(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether the call that `before` ends with takes a message's id.
fn takes_an_id(before: &str, literal: &str) -> bool {
    let Some(call) = before.strip_suffix('(') else {
        return false;
    };
    match call.rsplit(|c| !is_identifier(c)).next() {
        Some("t" | "text") => literal.contains('-') && !literal.contains(char::is_whitespace),
        Some("new") => call.ends_with("Message::new"),
        _ => false,
    }
}

/// Whether `before` ends inside a chain of calls on a `Message::new("…")`.
fn is_chain(before: &str) -> bool {
    let Some(chain) = before
        .rsplit_once("Message::new(")
        .and_then(|(_, chain)| chain.strip_prefix('"'))
    else {
        return false;
    };
    let mut depth = 1;
    for c in chain.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '.' | ' ' => {}
            _ if depth == 0 && !is_identifier(c) => return false,
            _ => {}
        }
    }
    true
}

/// A literal's content and its length with the quotes; `raw` is the number of its hashes.
fn string(rest: &[char], raw: Option<usize>) -> (String, usize) {
    let mut at = 1;
    while let Some(&next) = rest.get(at) {
        match (next, raw) {
            ('\\', None) => at += 1,
            ('"', None) => break,
            ('"', Some(hashes)) if rest[at + 1..].iter().take_while(|&&c| c == '#').count() >= hashes => break,
            _ => {}
        }
        at += 1;
    }
    (rest[1..at.min(rest.len())].iter().collect(), at + 1)
}

#[test]
fn literals_calls_and_arguments() {
    let code = r##"
//! "no"
fn a<'a>() { // "no"
    let quote = ('"', '\'', "yes");
    Message::new("short-by") // why
        .with("missing", x).with("card", "RTX");
    t("page-x");
    assert("not-a-call"); let r = (r#"a "b" c"#, "\"d");
    other.with("not-an-arg", 1)
    match x { A => Message::new("second"), B => other.with("neither", 1) }
    return text("page-y");
}
#[cfg(test)]
mod tests { "no" }
"##;
    let found = literals_of("src/a.rs", code);
    let shown: Vec<_> = found
        .iter()
        .map(|l| (l.text.as_str(), l.is_message, l.with.join(",")))
        .collect();
    let expected = [
        ("yes", false, ""),
        ("short-by", true, "missing,card"),
        ("missing", false, ""),
        ("card", false, ""),
        ("RTX", false, ""),
        ("page-x", true, ""),
        ("not-a-call", false, ""),
        (r#"a "b" c"#, false, ""),
        (r#"\"d"#, false, ""),
        ("not-an-arg", false, ""),
        ("second", true, ""),
        ("neither", false, ""),
        ("page-y", true, ""),
    ];
    assert_eq!(
        shown,
        expected.map(|(text, is_message, with)| (text, is_message, with.to_owned()))
    );
}
