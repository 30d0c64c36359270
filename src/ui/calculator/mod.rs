//! The calculator: what a job needs, whether it fits, and what would.
//!
//! | file | shows |
//! |---|---|
//! | `sizer` | the signals: one scenario, a second to compare it with, and what follows from each |
//! | `share` | the scenarios in the address: back and forward, notes on a link, the button that copies it |
//! | `panel` | the frame: inputs beside the result |
//! | `model_picker`, `card_picker`, `levers`, `pictures`, `training` | the inputs |
//! | `names` | the names of cards and formats |
//! | `own` | a model from the reader's own files |
//! | `from_paste` | what the pasted text tells, and taking it over |
//! | `estimate`, `solved` | the result: verdict, bar and parts; what would fit |
//! | `compare`, `reverse` | two scenarios side by side; which models run on the card |

mod card_picker;
mod compare;
mod estimate;
mod from_paste;
mod levers;
mod model_picker;
mod names;
mod own;
mod panel;
mod pictures;
mod reverse;
mod share;
mod sizer;
mod solved;
mod training;

pub use from_paste::invitation;
pub use panel::{calculator, views};
pub use sizer::Sizer;
