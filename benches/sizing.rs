//! How long sizing takes natively: one estimate, all levers of a card, the tables.
// The macros of criterion make undocumented functions.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use vramfit::scenario::decode;
use vramfit::sizing::{cards_for, estimate, models_on, solve_all, table, total};

fn sizing(criterion: &mut Criterion) {
    for (name, link) in [
        ("llama.cpp", "m=qwen3-32b&q=q4_k_m&c=32768&e=llama.cpp&g=rtx-4090"),
        ("vllm", "m=gemma-4-31b&q=fp8&c=32768&u=8&e=vllm&g=h100-80gb*2"),
        ("training", "t=train&m=llama-3.1-8b&tm=qlora&g=rtx-4090"),
        ("typed", "p=13b&q=q4_k_m&g=rtx-3090"),
    ] {
        let scenario = decode(link).0.scenario;
        criterion.bench_function(&format!("total/{name}"), |bencher| {
            bencher.iter(|| total(black_box(&scenario)))
        });
        criterion.bench_function(&format!("estimate/{name}"), |bencher| {
            bencher.iter(|| estimate(black_box(&scenario)))
        });
        criterion.bench_function(&format!("all levers/{name}"), |bencher| {
            bencher.iter(|| solve_all(black_box(&scenario)))
        });
    }
    let scenario = decode("m=qwen3-32b&q=q4_k_m&c=32768&g=rtx-4090").0.scenario;
    criterion.bench_function("every card", |bencher| bencher.iter(|| cards_for(black_box(&scenario))));
    criterion.bench_function("every model", |bencher| {
        bencher.iter(|| models_on(black_box(&scenario)))
    });
    for (name, link) in [
        ("any", "q=q4_k_m"),
        ("llama.cpp", "q=q4_k_m&e=llama.cpp"),
        ("vllm", "q=fp8&e=vllm"),
    ] {
        let scenario = decode(link).0.scenario;
        criterion.bench_function(&format!("models × cards/{name}"), |bencher| {
            bencher.iter(|| table(black_box(&scenario)))
        });
    }
    let link = "v=1&m=qwen3-32b&q=q4_k_m&c=32768&g=rtx-4090";
    criterion.bench_function("decode", |bencher| bencher.iter(|| decode(black_box(link))));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = sizing
}
criterion_main!(benches);
