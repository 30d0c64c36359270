//! What panels share.

mod choice;
mod command;
mod dom;
mod memory_bar;
mod prose;

pub use choice::{Alternative, choice};
pub use command::command;
pub use dom::{El, el, live};
pub use memory_bar::{bar, miniature, parts, patterns, sign, spilled};
pub use prose::prose;
