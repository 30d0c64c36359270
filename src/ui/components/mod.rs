//! What panels share.

mod choice;
mod copy_button;
mod memory_bar;
mod prose;

pub use choice::{Alternative, choice};
pub use copy_button::command;
pub use memory_bar::{bar, miniature, parts, patterns};
pub use prose::{prose, runs};
