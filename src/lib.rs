//! vramfit reads what a terminal showed when a GPU ran out of memory, and sizes jobs before they run.
//!
//! The modules stand in the order in which data flows; each may use those named beside it and nothing else
//! (`tests/walls.rs` reads the `use` lines and says which wall was broken).
//!
//! | module | turns | into | may use |
//! |---|---|---|---|
//! | [`units`] | numbers as tools print them | bytes | – |
//! | [`message`] | – | a message's id with typed arguments, no sentence | `units` |
//! | [`json`] | JSON that nobody vouches for | its values, as slices of the text | `units`, `message` |
//! | [`catalog`] | tables of facts | models, cards, number formats | `units` |
//! | [`scenario`] | a shared link, a reader's choices | a [`scenario::Scenario`] | `units`, `message`, `catalog` |
//! | [`files`] | a model's own files | its architecture, and what its tensors take | the above |
//! | [`sizing`] | a scenario | an [`sizing::Estimate`], part by part | `units`, `message`, `catalog`, `scenario` |
//! | [`paste`] | text | [`paste::Evidence`] | `units`, `message` |
//! | [`diagnosis`] | evidence | a [`diagnosis::Diagnosis`]: causes, ranked | the above |
//! | [`advice`] | a diagnosis | fixes, in order | the above |
//! | [`i18n`] | messages | sentences in the reader's language | `units`, `message` |
//! | `ui` | all of it | the page | all |

pub mod advice;
pub mod catalog;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diagnosis;
pub mod files;
pub mod i18n;
pub mod json;
pub mod letters;
pub mod message;
pub mod order;
pub mod paste;
pub mod scenario;
pub mod sizing;
#[cfg(feature = "web")]
pub mod ui;
pub mod units;
