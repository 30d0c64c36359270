//! The one markup that a text may have: backticks around what is typed or copied as it stands.

/// A stretch of a text, either prose or code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Whether it is code: a command, a setting, a tool's own words.
    pub code: bool,
    /// The text, without the backticks.
    pub text: String,
}

/// Splits a text at its backticks: `` Add `--lowvram` `` is the prose "Add " and the code "--lowvram". Empty stretches are left
/// out; a backtick without its second one is an ordinary character.
pub fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut push = |code, text: &str| {
        if !text.is_empty() {
            runs.push(Run {
                code,
                text: text.to_owned(),
            });
        }
    };
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`') else {
            break;
        };
        push(false, before);
        push(true, code);
        rest = after;
    }
    push(false, rest);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        let shown = |run: Run| if run.code { format!("<{}>", run.text) } else { run.text };
        runs(text).into_iter().map(shown).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn code_stands_between_backticks() {
        assert_eq!(
            joined("Add `--lowvram`, then restart."),
            "Add |<--lowvram>|, then restart."
        );
        assert_eq!(joined("`a` or `b`"), "<a>| or |<b>");
        assert_eq!(joined("no code"), "no code");
    }

    #[test]
    fn lone_and_empty_backticks() {
        assert_eq!(joined("a ` b"), "a ` b");
        assert_eq!(joined("`a` ` b"), "<a>| ` b");
        assert_eq!(joined("a `` b"), "a | b");
        assert_eq!(joined(""), "");
    }
}
