//! The page. A panel is a plain function from [`State`] to the element that shows it, kept up to date by Leptos' signals.
//!
//! | file | shows |
//! |---|---|
//! | `app` | the frame: header with its switches, panels, footer; takes over the static page |
//! | `paste_panel` | the box for the text, with examples |
//! | `answer` | the headline, the card's bar, what may be corrected; then the panels below |
//! | `causes`, `fixes`, `reading` | why; what to do; the text line by line |
//! | `calculator/` | what a job needs, and what fits |
//! | `components/` | what panels share |
//! | `rest` | the part of the program that is brought when it is first needed |
//! | `state`, `texts`, `settings` | the signals; texts fetched on request; what the browser keeps |

mod answer;
mod app;
mod calculator;
mod causes;
mod components;
mod corrections;
mod examples;
mod fixes;
mod paste_panel;
mod reading;
mod rest;
mod settings;
mod state;
mod texts;

pub use app::{mount, start};
pub use state::State;
