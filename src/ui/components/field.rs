//! What fields have in common: something holds what they show and change.

use super::dom::El;
use crate::i18n::Texts;

/// What holds a `T`.
pub trait Holder<T>: Copy + 'static {
    /// Looks at it.
    fn look(self, look: &mut dyn FnMut(&T));

    /// Changes it, while something is typed or by a choice.
    fn change(self, typed: bool, change: &dyn Fn(&mut T));
}

/// What brings an element up to date with a `T`; it writes only what has changed.
pub type Update<T> = Box<dyn FnMut(&Texts, &T)>;

/// A field: its element, and what brings that up to date with a `T`.
pub struct Field<T> {
    /// The element.
    pub element: El,
    /// Brings it up to date.
    pub update: Update<T>,
}
