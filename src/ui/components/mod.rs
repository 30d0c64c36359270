//! What panels share.

mod choice;
mod command;
mod dom;
mod fetched;
mod field;
mod follow;
mod memory_bar;
mod number_field;
mod picker;
mod prose;
mod select_field;

pub use choice::{Alternative, choice};
pub use command::{command, write};
pub use dom::{El, el, svg};
pub use fetched::{Fetched, fetched};
pub use field::{Field, Holder};
pub use follow::{follow, live};
pub use memory_bar::{bar, miniature, part_of, parts, patterns, sign, spilled};
pub use number_field::{Kind, NumberField, Step, by_eighths, by_one, by_powers, number_field, share};
pub use picker::{Pick, Picker, has_words, picker};
pub use prose::prose;
pub use select_field::{Options, SelectField, select_field};
