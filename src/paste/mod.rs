//! Text into evidence: what it says, each figure with its unit and its place in the text.
