//! A message: its id and its typed arguments. The sentence stands in `locales/`, the numbers are printed by `i18n`.

use std::ops::{Deref, DerefMut};

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

/// A message's id, as in `locales/*/*.ftl`, with its arguments by name. Behind one pointer: hundreds are made and handed on,
/// and each that moved by its fields would be a part of the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Message(Box<Parts>);

/// What a [`Message`] holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// The Fluent id.
    pub id: &'static str,
    /// The arguments, by the names that the message uses.
    pub args: Vec<(&'static str, Arg)>,
}

impl Deref for Message {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl DerefMut for Message {
    fn deref_mut(&mut self) -> &mut Parts {
        &mut self.0
    }
}

impl Message {
    /// A message without arguments; add them with [`Message::with`].
    #[inline(never)]
    pub fn new(id: &'static str) -> Message {
        Message(Box::new(Parts { id, args: Vec::new() }))
    }

    /// The message with one more argument.
    #[inline(always)]
    pub fn with(self, name: &'static str, value: impl Argument) -> Message {
        value.put(self, name)
    }

    #[inline(never)]
    fn and(mut self, name: &'static str, arg: Arg) -> Message {
        self.args.push((name, arg));
        self
    }
}

/// What can be an argument. Each kind is put into a message by a call of its own that takes it as it is, the smallest code.
pub trait Argument {
    /// Puts it into a message, under a name.
    fn put(self, message: Message, name: &'static str) -> Message;
}

impl Argument for Arg {
    fn put(self, message: Message, name: &'static str) -> Message {
        message.and(name, self)
    }
}

impl Argument for Bytes {
    #[inline(never)]
    fn put(self, message: Message, name: &'static str) -> Message {
        message.and(name, Arg::Bytes(self))
    }
}

impl Argument for i64 {
    #[inline(never)]
    fn put(self, message: Message, name: &'static str) -> Message {
        message.and(name, Arg::Count(self))
    }
}

impl Argument for &str {
    #[inline(never)]
    fn put(self, message: Message, name: &'static str) -> Message {
        message.and(name, Arg::from(self))
    }
}

impl Argument for String {
    #[inline(never)]
    fn put(self, message: Message, name: &'static str) -> Message {
        message.and(name, Arg::Text(self))
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Arg {
        Arg::Text(text.to_owned())
    }
}
