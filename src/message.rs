//! A message: its id and its typed arguments. The sentence stands in `locales/`, the numbers are printed by `i18n`.

use crate::units::Bytes;

/// One argument of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// An amount of memory, printed in the reader's units.
    Bytes(Bytes),
    /// A marketing capacity in GB, as card names have it ("24 GB"), printed "24 Go" in French.
    CardGb(i64),
    /// A whole number; Fluent chooses the plural by it.
    Count(i64),
    /// A number with the given decimals, as `(value · 10^decimals, decimals)`.
    Number(i64, u32),
    /// Tenths of a percent.
    PerMille(i64),
    /// An amount of money in euro cents.
    EuroCents(i64),
    /// A tool's own words, a name or a command: never translated.
    Text(String),
}

/// A message's id, as in `locales/*/*.ftl`, with its arguments by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The Fluent id.
    pub id: &'static str,
    /// The arguments, by the names that the message uses.
    pub args: Vec<(&'static str, Arg)>,
}

impl Message {
    /// A message without arguments; add them with [`Message::with`].
    #[inline(never)]
    pub fn new(id: &'static str) -> Message {
        Message { id, args: Vec::new() }
    }

    /// The message with one more argument.
    pub fn with(self, name: &'static str, arg: impl Into<Arg>) -> Message {
        self.and(name, arg.into())
    }

    /// The same, once for all kinds of arguments: hundreds of messages are made, and each call inlined would be a large
    /// part of the page.
    #[inline(never)]
    fn and(mut self, name: &'static str, arg: Arg) -> Message {
        self.args.push((name, arg));
        self
    }
}

impl From<Bytes> for Arg {
    fn from(bytes: Bytes) -> Arg {
        Arg::Bytes(bytes)
    }
}

impl From<i64> for Arg {
    fn from(count: i64) -> Arg {
        Arg::Count(count)
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Arg {
        Arg::Text(text.to_owned())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Arg {
        Arg::Text(text)
    }
}
