//! Any bytes as a model's own file: config.json, GGUF, safetensors, an index, a workflow, read in the slices it asks for.

#![no_main]

use libfuzzer_sys::fuzz_target;
use vramfit::files::{self, Reading};
use vramfit::scenario::Scenario;
use vramfit::sizing::estimate;

/// The file's first bytes, by which its kind is told.
const FIRST: usize = 64;

fuzz_target!(|bytes: &[u8]| {
    let size = bytes.len() as u64;
    let Ok(mut reading) = Reading::new(&bytes[..bytes.len().min(FIRST)], size) else {
        return;
    };
    let mut asked = 0;
    while let Some((from, to)) = reading.need() {
        asked += 1;
        assert!(from <= to && from <= size, "asks for {from} to {to} of {size}");
        assert!(asked < 10_000, "asks without end");
        let Some(slice) = bytes.get(from as usize..to.min(size) as usize) else {
            return;
        };
        if reading.take(slice).is_err() {
            return;
        }
    }
    let Ok(piece) = reading.finish() else { return };
    let Ok(found) = files::together(vec![("file".to_owned(), piece)]) else {
        return;
    };
    let mut scenario = Scenario::default();
    files::choose(&mut scenario, found.what);
    if let Some(estimate) = estimate(&scenario) {
        assert!(estimate.total.low <= estimate.total.mid && estimate.total.mid <= estimate.total.high);
    }
});
