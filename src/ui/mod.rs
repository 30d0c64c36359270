//! The page. A view is a plain function from [`State`] to what is shown; every view ends as `AnyView`, so that the types of
//! one panel are not compiled again into those around it.
//!
//! | file | shows |
//! |---|---|
//! | `app` | the frame: header with its switches, panels, footer; takes over the static page |
//! | `paste_panel` | the box for the text, with examples |
//! | `answer` | the headline, the card's bar, what may be corrected; then the panels below |
//! | `causes`, `fixes`, `reading` | why; what to do; the text line by line |
//! | `components/` | what panels share |
//! | `state`, `texts`, `settings` | the signals; texts fetched on request; what the browser keeps |

mod answer;
mod app;
mod causes;
mod components;
mod corrections;
mod examples;
mod fixes;
mod paste_panel;
mod reading;
mod settings;
mod state;
mod texts;

pub use app::{start, view};
pub use state::State;
