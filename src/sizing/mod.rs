//! What a job needs, part by part, each a range with its basis.
