//! The page. A panel is a plain function from [`State`] to the element that shows it, kept up to date by Leptos' signals.
//!
//! | file | shows |
//! |---|---|
//! | `app` | the frame: header with its switches, panels, footer; takes over the static page |
//! | `paste_panel` | the box for the text, with examples |
//! | `files`, `attachments` | files and long texts: who reads them, and the list of them beside the box |
//! | `answer` | the headline, the card's bar, what may be corrected; then the panels below |
//! | `causes`, `fixes`, `reading` | why; what to do; the text line by line |
//! | `formats` | which tools and messages are read |
//! | `calculator/` | what a job needs, and what fits |
//! | `components/` | what panels share |
//! | `rest` | the part of the program that is brought when it is first needed |
//! | `state`, `texts`, `settings`, `promises` | the signals; texts fetched on request; what the browser keeps; callbacks |

mod answer;
mod app;
mod attachments;
mod calculator;
mod causes;
mod components;
mod corrections;
mod examples;
mod files;
mod fixes;
mod formats;
mod paste_panel;
mod promises;
mod reading;
mod rest;
mod settings;
mod state;
mod texts;

pub use app::{mount, start};
pub use state::State;
