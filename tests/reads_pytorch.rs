//! PyTorch's messages in the shapes in which people paste them: figures, verdict, first cause, first fix.

use vramfit::advice::advise;
use vramfit::diagnosis::{Corrections, diagnose};
use vramfit::paste::{self, Value};
use vramfit::units::Bytes;

struct Case {
    name: &'static str,
    text: &'static str,
    /// Some of the figures, of the finding that matters: name and hundredths of a MiB.
    figures: &'static [(&'static str, i64)],
    verdict: &'static str,
    cause: &'static str,
    family: &'static str,
}

const GIB: i64 = 102_400;

const CASES: &[Case] = &[
    Case {
        name: "NVML knows no process sizes on WSL",
        text: "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 896.00 MiB. GPU 0 has a total capacity of 15.99 GiB of which 0 bytes is free. Process 31 has 17179869184.00 GiB memory in use. Including non-PyTorch memory, this process has 17179869184.00 GiB memory in use. Of the allocated memory 14.91 GiB is allocated by PyTorch, and 303.33 MiB is reserved by PyTorch but unallocated.",
        figures: &[("requested", 89_600), ("free", 0), ("reserved_unallocated", 30_333)],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "reduce-work",
    },
    Case {
        name: "two ranks alternate in the middle of their messages; the one that lacks more speaks",
        text: "[rank1]: Traceback (most recent call last):\n[rank0]: Traceback (most recent call last):\n[rank1]:   File \"/opt/app/train.py\", line 88, in <module>\n[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 79.15 GiB of which 1.02 GiB is free. Including\n[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 512.00 MiB is free. Including\n[rank1]:  non-PyTorch memory, this process has 78.12 GiB memory in use. Of the allocated memory 75.00 GiB is allocated by PyTorch, and 2.11 GiB is reserved by PyTorch but unallocated.\n[rank0]:  non-PyTorch memory, this process has 78.62 GiB memory in use. Of the allocated memory 75.50 GiB is allocated by PyTorch, and 2.11 GiB is reserved by PyTorch but unallocated.\n",
        figures: &[("free", 51_200), ("allocated", 7550 * GIB / 100)],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "reduce-work",
    },
    Case {
        name: "three processes in a container: two are others",
        text: "OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total capacity of 23.64 GiB of which 1.19 GiB is free. Process 1234 has 3.10 GiB memory in use. Process 2345 has 9.80 GiB memory in use. Process 777 has 9.52 GiB memory in use. Of the allocated memory 8.92 GiB is allocated by PyTorch, and 120.10 MiB is reserved by PyTorch but unallocated.",
        figures: &[("requested", 3 * GIB), ("free", 119 * GIB / 100)],
        verdict: "gpu-memory",
        cause: "other-process",
        family: "free-other",
    },
    Case {
        name: "a log in JSON with escaped line breaks; the typo of 2.1; the process is the job itself",
        text: r#"{"level":"error","msg":"Traceback (most recent call last):\n  File \"/app/run.py\", line 3, in <module>\n    main()\ntorch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacty of 14.75 GiB of which 823.06 MiB is free. Process 9 has 13.94 GiB memory in use. Of the allocated memory 12.98 GiB is allocated by PyTorch, and 520.63 MiB is reserved by PyTorch but unallocated.\n"}"#,
        figures: &[("total", 1475 * GIB / 100), ("free", 82_306)],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "reduce-work",
    },
    Case {
        name: "cut off in the middle of a figure: that one is left out",
        text: "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 500.00 MiB. GPU 0 has a total capacity of 44.53 GiB of which 200.00 MiB is free. Including non-PyTorch memory, this process has 44.",
        figures: &[("requested", 50_000), ("free", 20_000)],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "reduce-work",
    },
    Case {
        name: "typed by hand, in GB",
        text: "RuntimeError: CUDA out of memory. Tried to allocate 2 GB (GPU 0; 24564 MiB total capacity; 21.5 GB already allocated; 1.1 GB free; 22 GB reserved in total by PyTorch)",
        figures: &[("requested", 2 * GIB), ("total", 2_456_400)],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "reduce-work",
    },
    Case {
        name: "an absurd request is a fault of shapes",
        text: "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 6080.27 GiB. GPU 0 has a total capacity of 79.15 GiB of which 76.97 GiB is free. Process 4 has 2.17 GiB memory in use. Of the allocated memory 1.64 GiB is allocated by PyTorch, and 28.11 MiB is reserved by PyTorch but unallocated.",
        figures: &[("requested", 608_027 * GIB / 100)],
        verdict: "gpu-memory",
        cause: "request-too-large",
        family: "fix-code",
    },
    Case {
        name: "only the class name",
        text: "torch.cuda.OutOfMemoryError: CUDA out of memory.",
        figures: &[],
        verdict: "unknown",
        cause: "unknown-no-figures",
        family: "ask-for-more",
    },
    Case {
        name: "nothing allocated yet: somebody else holds the card",
        text: "RuntimeError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 0; 11.17 GiB total capacity; 0 bytes already allocated; 300.00 MiB free; 0 bytes reserved in total by PyTorch)",
        figures: &[("allocated", 0), ("free", 30_000)],
        verdict: "gpu-memory",
        cause: "other-process",
        family: "free-other",
    },
    Case {
        name: "the driver's error without a space in its note",
        text: "RuntimeError: CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported at some other API call,so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1.\n",
        figures: &[],
        verdict: "unknown",
        cause: "unknown-no-figures",
        family: "ask-for-more",
    },
    Case {
        name: "Metal, whose GB are GiB",
        text: "RuntimeError: MPS backend out of memory (MPS allocated: 17.19 GB, other allocations: 384.00 KB, max allowed: 18.13 GB). Tried to allocate 1.25 GB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause system failure).",
        figures: &[("requested", 125 * GIB / 100), ("max_allowed", 1813 * GIB / 100)],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "reduce-work",
    },
    Case {
        name: "the truncated message of the asynchronous backend, with its NUL byte",
        text: "torch.OutOfMemoryError: Allocation on device \0\n\nGot an OOM, unloading all loaded models.\n",
        figures: &[],
        verdict: "gpu-memory",
        cause: "unknown-no-figures",
        family: "ask-for-more",
    },
    Case {
        name: "no device prefix at all (other accelerators, 2.9 and later)",
        text: "torch.OutOfMemoryError: Out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of 32.00 GiB of which 1.50 GiB is free. Of the allocated memory 24.00 GiB is allocated by PyTorch, and 6.00 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_ALLOC_CONF=expandable_segments:True to avoid fragmentation.",
        figures: &[("reserved_unallocated", 6 * GIB)],
        verdict: "gpu-memory",
        cause: "fragmentation",
        family: "allocator-setting",
    },
];

#[test]
fn pytorch_is_read_as_people_paste_it() {
    let mut wrong = Vec::new();
    for case in CASES {
        let corrections = Corrections::default();
        let evidence = paste::read(case.text);
        let diagnosis = diagnose(&evidence, &corrections);
        let advice = advise(&evidence, &diagnosis, &corrections);
        let finding = diagnosis.primary.map(|number| &evidence.findings[number]);
        for (name, hundredths) in case.figures {
            let want = Bytes(hundredths * 1024 * 1024 / 100);
            let has = |figure: &paste::Figure| {
                figure.name == *name && matches!(figure.value, Value::Bytes(bytes) if (bytes - want).0.abs() <= 11_000)
            };
            if !finding.is_some_and(|finding| finding.figures.iter().any(has)) {
                wrong.push(format!("{}: {name} is not {want:?}", case.name));
            }
        }
        let cause = diagnosis.causes.first().map_or("none", |cause| cause.id);
        let family = advice.fixes.first().map_or("none", |fix| fix.family);
        let got = (diagnosis.verdict.id(), cause, family);
        let wanted = (case.verdict, case.cause, case.family);
        if got != wanted {
            wrong.push(format!("{}: {got:?} instead of {wanted:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn texts_without_a_message_are_told_apart() {
    let cases: [(&str, &str, &str); 9] = [
        ("", "no-error", "shape-empty"),
        (" \n\t\r\n", "no-error", "shape-empty"),
        (
            "\u{fffd}\u{1}\u{2}\u{fffd}PNG\u{fffd}\u{fffd}\u{3}\u{4}\u{fffd}",
            "unknown",
            "shape-binary",
        ),
        (
            "Hello, does a 4090 run this model? I have one at home and would like to know.",
            "no-error",
            "shape-prose",
        ),
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'memory'\n",
            "not-memory",
            "shape-traceback",
        ),
        ("2.00 1.12 23.65 20.10 1.31", "unknown", "shape-numbers"),
        ("CUDA out of memory", "unknown", "shape-only-words"),
        (
            "if \"cuda\" in name:\n    print(name)\nstep 3 ok\n[info] done 4/5\n",
            "no-error",
            "shape-log",
        ),
        (
            "  File \"/opt/vllm/utils.py\", line 3, in f\n    if \"out of memory\" in str(e):\nValueError: bad\n",
            "not-memory",
            "shape-traceback",
        ),
    ];
    let mut wrong = Vec::new();
    for (text, verdict, headline) in cases {
        let diagnosis = diagnose(&paste::read(text), &Corrections::default());
        if (diagnosis.verdict.id(), diagnosis.headline.id) != (verdict, headline) {
            wrong.push(format!(
                "{text:?}: {} {}",
                diagnosis.verdict.id(),
                diagnosis.headline.id
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn what_is_cut_off_proves_nothing() {
    let old = "RuntimeError: CUDA out of memory. Tried to allocate 392.00 MiB (GPU 0; 7.79 GiB total capacity;";
    let torn = "RuntimeError: CUDA out of memory. Tried to allocate\n 392.00 MiB (GPU 0; 7.79 GiB total\n capacity; 5.77 GiB already";
    let new = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 392.00 MiB. GPU 0 has a total capacity of 7.79 GiB";
    let live = [old, " 5.77 GiB already allocated;"].concat();
    let full = [old, " 7.40 GiB already allocated;"].concat();
    let held = [new, " of which 31.12 MiB is free."].concat();
    for (text, headline, cause, figure, parts) in [
        (old, "headline-requested", "unknown-no-figures", "free", [].as_slice()),
        (torn, "headline-requested", "unknown-no-figures", "free", &[]),
        (new, "headline-requested", "unknown-no-figures", "free", &[]),
        (
            &live,
            "headline-allocated",
            "card-full",
            "free",
            &["allocated", "untold"],
        ),
        (
            &full,
            "headline-allocated",
            "card-full",
            "free",
            &["allocated", "untold"],
        ),
        (
            &held,
            "headline-missing",
            "card-full",
            "allocated",
            &["unaccounted", "free"],
        ),
    ] {
        let diagnosis = diagnose(&paste::read(text), &Corrections::default());
        let told = diagnosis.picture.map_or(Vec::new(), |picture| picture.parts);
        let told: Vec<&str> = told.iter().map(|part| part.id).collect();
        assert_eq!(told, parts, "{text}");
        assert_eq!(
            (diagnosis.headline.id, diagnosis.causes[0].id),
            (headline, cause),
            "{text}"
        );
        assert_eq!(diagnosis.verdict.id(), "gpu-memory", "{text}");
        assert!(
            diagnosis.causes.iter().all(|cause| cause.id != "not-capacity"),
            "{text}"
        );
        let cut = vramfit::message::Message::new("incomplete-cut").with("figure", figure);
        assert_eq!(diagnosis.incomplete, [cut], "{text}");
    }
    // Intel's builds print no such figure, and go on with the reserve: nothing is cut off.
    let intel = "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 15.11 GiB. Of the allocated memory 14.30 GiB is allocated by PyTorch, and 120.00 MiB is reserved by PyTorch but unallocated.";
    let diagnosis = diagnose(&paste::read(intel), &Corrections::default());
    assert_eq!(diagnosis.headline.id, "headline-missing-inferred");
    assert!(diagnosis.incomplete.is_empty());
}

#[test]
fn no_sentence_contradicts_its_figures() {
    let of = |text: &str| diagnose(&paste::read(text), &Corrections::default());
    // 76% of the card was free: a reserve of 32 MiB is not what lacked.
    let tight = of(
        "RuntimeError: CUDA out of memory. Tried to allocate 8.13 GiB (GPU 0; 10.76 GiB total capacity; 643.57 MiB already allocated; 8.20 GiB free; 32.43 MiB cached)",
    );
    assert_eq!(tight.headline.id, "headline-barely");
    let causes: Vec<&str> = tight.causes.iter().map(|cause| cause.id).collect();
    assert_eq!(causes, ["request-too-large"]);
    // A fifth of the card in live tensors does not fill it where another process holds the rest.
    let other = of(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 148.00 MiB. GPU 0 has a total capacity of 79.25 GiB of which 11.19 MiB is free. Process 2635308 has 62.69 GiB memory in use. Including non-PyTorch memory, this process has 16.54 GiB memory in use. Of the allocated memory 15.94 GiB is allocated by PyTorch, and 205.65 MiB is reserved by PyTorch but unallocated.",
    );
    let causes: Vec<&str> = other.causes.iter().map(|cause| cause.id).collect();
    assert_eq!(causes, ["other-process", "fragmentation"]);
    // A reserve of nothing neither lies in pieces nor fails to help.
    let none = of(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 23.65 GiB of which 30.00 MiB is free. Including non-PyTorch memory, this process has 23.60 GiB memory in use. Of the allocated memory 23.10 GiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated.",
    );
    let reasons = none
        .causes
        .iter()
        .flat_map(|cause| &cause.because)
        .map(|reason| reason.message.id);
    assert_eq!(reasons.collect::<Vec<_>>(), ["because-live", "because-little-free"]);
}

#[test]
fn a_windows_path_tells_the_same_job() {
    let names = [
        ("job-diffusers", "diffusers/pipelines/flux/pipeline_flux.py"),
        ("job-training", "torch/autograd/__init__.py"),
        ("job-training", "transformers/trainer.py"),
        ("job-training", "app/train.py"),
        ("job-training", "torch/optim/adamw.py"),
        ("job-generate", "transformers/generation/utils.py"),
        ("job-vllm", "vllm/worker/worker.py"),
        ("job-comfyui", "comfy/model_management.py"),
    ];
    for (hint, path) in names {
        let written = [
            ["  File \"/opt/venv/", path].concat(),
            ["  File \"D:\\venv\\", &path.replace('/', "\\")].concat(),
            // As a text in JSON has it.
            ["  File \\\"D:\\\\venv\\\\", &path.replace('/', "\\\\")].concat(),
        ];
        for (number, path) in written.iter().enumerate() {
            let text = [
                path,
                "\", line 3, in f\ntorch.cuda.OutOfMemoryError: CUDA out of memory.",
            ]
            .concat();
            let evidence = paste::read(&text);
            assert!(evidence.hints_at(hint), "{hint}: {text}");
            assert_eq!(evidence.hints_at("os-windows"), number > 0, "{text}");
            // In a long text only what stands around known words is read.
            let long = ["-\n".repeat(200_000), text].concat();
            assert!(
                number == 2 || hint == "job-vllm" || paste::read(&long).hints_at(hint),
                "{hint}"
            );
        }
    }
}

#[test]
fn a_process_that_the_reader_owns_is_no_other() {
    let text = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free. Process 1234 has 9.80 GiB memory in use. Including non-PyTorch memory, this process has 12.71 GiB memory in use. Of the allocated memory 12.10 GiB is allocated by PyTorch, and 210.00 MiB is reserved by PyTorch but unallocated.";
    let evidence = paste::read(text);
    let first = |corrections: &Corrections| diagnose(&evidence, corrections).causes.first().map(|cause| cause.id);
    assert_eq!(first(&Corrections::default()), Some("other-process"));
    let own = Corrections {
        own: vec![(1234, true)],
        ..Corrections::default()
    };
    assert_eq!(first(&own), Some("card-full"));
    let card = Corrections {
        card: Some("rtx-3090"),
        ..Corrections::default()
    };
    let guess = diagnose(&evidence, &card).card;
    assert_eq!((guess.id, guess.class_gb), (Some("rtx-3090"), Some(24)));
}

/// A full card in training.
const TRAINING: &str = "  File \"/opt/app/train.py\", line 142, in <module>\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.91 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.05 GiB is free. Of the allocated memory 76.10 GiB is allocated by PyTorch, and 0.40 GiB is reserved by PyTorch but unallocated.";

/// The fixes for it when the text tells this job.
fn fixes_of(link: &str) -> Vec<vramfit::advice::Fix> {
    let (corrections, evidence) = (Corrections::default(), paste::read(TRAINING));
    let mut diagnosis = diagnose(&evidence, &corrections);
    diagnosis.scenario = vramfit::scenario::decode(link).0.scenario;
    let fixes = advise(&evidence, &diagnosis, &corrections).fixes;
    fixes.into_iter().map(|fix| *fix).collect()
}

#[test]
fn a_training_fix_saves_what_two_estimates_differ_by() {
    let need = |link: &str| vramfit::sizing::total(&vramfit::scenario::decode(link).0.scenario).unwrap();
    let told = "t=train&m=llama-3.1-8b&g=h100-80gb&bs=8&sl=4096";
    let fixes = fixes_of(told);
    let saves = |id: &str| fixes.iter().find(|fix| fix.id == id).and_then(|fix| fix.saves);
    for (id, before, after) in [
        (
            "smaller-batch",
            told,
            "t=train&m=llama-3.1-8b&g=h100-80gb&bs=4&ga=2&sl=4096",
        ),
        (
            "optimizer-8bit",
            told,
            "t=train&m=llama-3.1-8b&g=h100-80gb&bs=8&sl=4096&op=adamw8bit",
        ),
        (
            "adapters",
            told,
            "t=train&m=llama-3.1-8b&g=h100-80gb&bs=8&sl=4096&tm=lora",
        ),
        (
            "fused-loss",
            told,
            "t=train&m=llama-3.1-8b&g=h100-80gb&bs=8&sl=4096&lo=fused",
        ),
        (
            "checkpointing",
            "t=train&m=llama-3.1-8b&g=h100-80gb&bs=8&sl=4096&gc=none",
            told,
        ),
    ] {
        let (before, after) = (need(before), need(after));
        let ends = [before.low - after.low, before.high - after.high];
        let (least, most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        assert_eq!(saves(id), Some((least.max(Bytes(0)), most)), "{id}");
    }
    // 8-bit states spare 6 bytes for each of 8.03 billion parameters.
    let (least, most) = saves("optimizer-8bit").unwrap();
    assert!(
        least <= Bytes(48_200_000_000) && most >= Bytes(48_100_000_000),
        "{least:?} {most:?}"
    );
}

#[test]
fn what_the_text_does_not_tell_saves_nothing_computed() {
    // Without a model nothing is computed, and without a sequence nothing that hangs on it.
    let plain = fixes_of("");
    let saves = |fixes: &[vramfit::advice::Fix], id: &str| fixes.iter().find(|fix| fix.id == id).unwrap().saves;
    assert_eq!(
        (saves(&plain, "checkpointing"), saves(&plain, "optimizer-8bit")),
        (None, None)
    );
    let model = fixes_of("t=train&m=llama-3.1-8b");
    assert_eq!(saves(&model, "checkpointing"), None);
    assert_eq!(saves(&model, "smaller-batch"), saves(&plain, "smaller-batch"));
    assert!(saves(&model, "optimizer-8bit").is_some());
    assert!(
        plain
            .iter()
            .chain(&model)
            .all(|fix| !["fused-loss", "shorter-sequence"].contains(&fix.id))
    );
    // LoRA's states are small already.
    assert_eq!(
        saves(&fixes_of("t=train&m=llama-3.1-8b&tm=lora"), "optimizer-8bit"),
        None
    );
}

#[test]
fn the_longest_sequence_that_fits_is_offered() {
    let fixes = fixes_of("t=train&m=llama-3.1-8b&tm=lora&g=h100-80gb&bs=8&sl=8192");
    let place = |id: &str| fixes.iter().position(|fix| fix.id == id);
    let shorter = place("shorter-sequence").unwrap();
    assert!(place("checkpointing") < Some(shorter) && Some(shorter) < place("optimizer-8bit"));
    let command = &fixes[shorter].commands[0].text;
    let tokens: i64 = command
        .trim_start_matches("SFTConfig(max_length=")
        .trim_end_matches(')')
        .parse()
        .unwrap();
    let fits = |tokens: i64| {
        let link = format!("t=train&m=llama-3.1-8b&tm=lora&g=h100-80gb&bs=8&sl={tokens}");
        vramfit::sizing::fits(&vramfit::scenario::decode(&link).0.scenario)
    };
    assert_eq!(fits(tokens), Some(vramfit::sizing::Fits::Yes));
    assert_ne!(fits(tokens + 256), Some(vramfit::sizing::Fits::Yes));
    assert!(
        fixes_of("t=train&m=llama-3.1-8b&tm=lora&g=h100-80gb&bs=1&sl=1024")
            .iter()
            .all(|fix| fix.id != "shorter-sequence")
    );
}
