//! The register: every group of rows that is read. A new tool is one file and one line here.

use super::template::Group;
use super::{hints, pytorch};

/// All groups.
pub const GROUPS: &[&Group] = &[
    &pytorch::CACHING,
    &pytorch::ASYNC,
    &pytorch::MPS,
    &pytorch::BARE,
    &pytorch::BLOCK,
    &pytorch::ASSERTS,
    &hints::HINTS,
];
