//! The command line: `vramfit explain` and `vramfit size`.

fn main() {}
