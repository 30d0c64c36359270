//! The calculator: what a job needs, whether it fits, and what would.
//!
//! | file | shows |
//! |---|---|
//! | `sizer` | the signals: one scenario, a second to compare it with, and what follows from each |
//! | `share` | the scenarios in the address: back and forward, notes on a link, the button that copies it |
//! | `panel` | the frame: inputs beside the result |
//! | `inputs`, `model_picker`, `card_picker`, `levers`, `pictures`, `training` | the inputs |
//! | `fields`, `defaults` | inputs as tables; what the engine does where one is empty |
//! | `names` | the names of cards, formats and engines |
//! | `own` | a model from the reader's own files |
//! | `from_paste` | what the pasted text tells, and taking it over |
//! | `estimate`, `solved` | the result: verdict, bar and parts; what would fit |
//! | `compare`, `reverse`, `table` | two scenarios side by side; which models run on the card; every model on every card |
//! | `accuracy` | how sure the numbers are |
//! | `any_model` | a model of either kind |

mod accuracy;
mod any_model;
mod card_picker;
mod compare;
mod defaults;
mod estimate;
mod fields;
mod from_paste;
mod inputs;
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
mod table;
mod training;

pub use from_paste::invitation;
pub use panel::{calculator, views};
pub use sizer::Sizer;
