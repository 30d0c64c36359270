//! How fast pastes are read: a log of ordinary lines with one error in it, hostile texts, and twice as much of each.

#![allow(missing_docs)] // criterion_group! makes a public function without a text.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use vramfit::paste;

const ERROR: &str = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free. Of the allocated memory 20.10 GiB is allocated by PyTorch, and 1.31 GiB is reserved by PyTorch but unallocated.\n";

/// A training log of about `size` bytes with one error three quarters of the way down.
fn log(size: usize) -> String {
    let mut text = String::with_capacity(size + 1024);
    let mut step = 0u64;
    let mut failed = false;
    while text.len() < size {
        step += 1;
        text.push_str(&format!(
            "2026-11-30 08:{:02}:{:02},{:03} INFO trainer: step {step} loss {}.{:04} lr 1.99e-05 grad_norm 0.{:03} tokens/s 18234\n",
            step / 60 % 60,
            step % 60,
            step * 7 % 1000,
            2 + step % 3,
            step * 31 % 10_000,
            step * 17 % 1000
        ));
        if !failed && text.len() > size / 4 * 3 {
            text.push_str(ERROR);
            failed = true;
        }
    }
    text
}

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reading");
    group.sample_size(10);
    let hostile = |unit: &str, size: usize| unit.repeat(size / unit.len());
    let mut texts = vec![
        ("a paste", ERROR.to_owned()),
        ("log, 10 MB", log(10_000_000)),
        ("log, 20 MB", log(20_000_000)),
        ("log, 50 MB", log(50_000_000)),
        ("log, 100 MB", log(100_000_000)),
        ("one line, 10 MB", hostile("x", 10_000_000)),
        ("one line, 50 MB", hostile("x", 50_000_000)),
        ("a million markers", hostile("out of memory ", 14_000_000)),
        ("two million markers", hostile("out of memory ", 28_000_000)),
        ("a million open brackets", hostile("(", 1_000_000)),
        ("two million open brackets", hostile("(", 2_000_000)),
        ("a million file names", hostile("a.gguf ", 7_000_000)),
        ("a million cells", hostile("1MiB / 2MiB | 3% ", 17_000_000)),
        ("errors only, 2 MB", hostile(ERROR, 2_000_000)),
        ("errors only, 4 MB", hostile(ERROR, 4_000_000)),
    ];
    for (name, text) in texts.drain(..) {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| &text, |text| black_box(paste::read(text)), BatchSize::SmallInput);
        });
    }
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
