//! What to change when an inference server does not start or runs out: its own settings, with the value solved from the
//! figures that it printed.

use super::{Fix, Job, Place, Program, bigger_card, command_line, solved};
use crate::diagnosis::{Held, context_that_fits, is_ollama};
use crate::message::{Arg, Message};
use crate::paste::{Finding, Kind};
use crate::units::Bytes;

/// vLLM's share may rise to this; the rest is for the driver and what grows later, in hundredths.
const HIGHEST_SHARE: i64 = 97;

/// The fixes of inference servers for a cause; `None` where the cause is another tool's.
pub fn fixes(cause: &str, job: &Job) -> Option<Vec<Box<Fix>>> {
    let finding = job.finding?;
    Some(match (cause, finding.kind) {
        ("kv-too-small", _) => kv_too_small(job, finding),
        ("kv-none", _) => kv_none(job, finding),
        ("startup-free", _) => startup_free(job, finding),
        ("other-process", Kind::StartupFree | Kind::OtherHolder) => vec![close_others()],
        ("other-process", Kind::ProfilingRace) => vec![alone()],
        ("warmup-head-room", _) => warmup(job, finding),
        ("host-ram", Kind::StartupHost) => vec![more_ram(), lower_share_host(job, finding)],
        ("host-ram", Kind::EngineHost | Kind::HostRefused) => host(job, finding),
        ("pinned-host", Kind::Pinned) => vec![more_ram()],
        ("does-not-fit-planned" | "estimator-bug", Kind::PlanRefused) => planned(finding),
        ("unknown-no-figures", Kind::Wrapper) => wrapper(finding),
        ("not-an-error-of-memory", Kind::Warmup) => vec![
            Fix::new("without-graphs", "engine-setting", Message::new("fix-without-graphs")).command(
                Place::Shell,
                "python -m sglang.launch_server --model-path MODEL --disable-cuda-graph",
            ),
        ],
        ("card-full" | "request-too-large" | "unknown-no-figures", Kind::EngineOom) => out_of_memory(job, finding),
        ("card-full", Kind::TorchOom) if job.program == Program::Vllm && loads(job) => {
            let offload = Fix::new("offload", "offload", Message::new("fix-offload"))
                .because(Message::new("why-offload"))
                .command(Place::Shell, &serve(job, "--cpu-offload-gb 8"));
            let mut fixes = vec![fewer_bits(job), more_cards(job)];
            if !job.unified {
                fixes.push(offload);
            }
            fixes.extend(bigger_card::fix(job));
            fixes
        }
        ("contradictory-evidence", Kind::OllamaPs) => vec![
            Fix::new("backend-log", "ask-for-more", Message::new("fix-backend-log")).command(
                Place::Shell,
                "journalctl -u ollama --no-pager | grep -iE 'inference compute|library|gpu'",
            ),
            Fix::new("update-ollama", "update-tool", Message::new("fix-update-ollama"))
                .command(Place::Shell, "curl -fsSL https://ollama.com/install.sh | sh"),
        ],
        _ => return None,
    })
}

/// Whether vLLM was loading the weights when it ran out: fewer requests would not help there.
fn loads(job: &Job) -> bool {
    let loaded = job
        .evidence
        .findings
        .iter()
        .any(|finding| finding.has("engine-weights"));
    !loaded && (job.evidence.hints_at("load-vllm") || solved::fails(job))
}

/// vLLM's command with these flags in the place of those that set the same.
fn serve(job: &Job, flags: &str) -> String {
    const SETTINGS: [(&str, &str); 7] = [
        ("--max-model-len", "setting-context"),
        ("--kv-cache-dtype", "setting-cache"),
        ("--gpu-memory-utilization", "setting-utilization"),
        ("--tensor-parallel-size", "setting-split"),
        ("--max-num-batched-tokens", "setting-tokens"),
        ("--max-num-seqs", "setting-requests"),
        ("--cpu-offload-gb", "setting-offload"),
    ];
    let changed = SETTINGS.iter().filter(|(flag, _)| flags.contains(flag));
    let changed: Vec<&str> = changed.map(|(_, id)| *id).collect();
    command_line::kept(job, "vllm serve MODEL", &changed, flags)
}

/// A share as vLLM takes it, from hundredths.
fn share(hundredths: i64) -> String {
    format!("0.{:02}", hundredths.clamp(0, 99))
}

/// The context that fits, a cache in fewer bits, a larger share, more cards.
fn kv_too_small(job: &Job, finding: &Finding) -> Vec<Box<Fix>> {
    let missing = finding
        .bytes("kv_needed")
        .zip(finding.bytes("kv_available"))
        .map(|(needed, available)| (needed - available).floor_zero());
    let vllm = finding.tool == "vllm";
    let mut fixes = Vec::new();
    if let Some(fits) = context_that_fits(finding) {
        fixes.push(
            Fix::new(
                "shorter-context",
                "reduce-work",
                Message::new("fix-max-model-len").with("tokens", fits),
            )
            .saving(missing.map(|missing| (missing, missing)), Some(true))
            .command(Place::Shell, &serve(job, &format!("--max-model-len {fits}"))),
        );
    } else {
        fixes.push(Fix::new(
            "shorter-context",
            "reduce-work",
            Message::new("fix-shorter-context"),
        ));
    }
    if !vllm {
        return fixes;
    }
    // 8 bits a value instead of 16 halve the cache.
    let half = finding.bytes("kv_needed").map(|needed| needed.share(1, 2));
    let fits = half
        .zip(finding.bytes("kv_available"))
        .map(|(half, available)| half <= available);
    let cache = job.scenario.k_cache;
    // Past 12 bits a value: not in 8 yet.
    if cache.bytes * 2 > cache.elements * 3 {
        fixes.push(
            Fix::new("kv-fp8", "lower-precision", Message::new("fix-kv-fp8"))
                .saving(half.map(|half| (half, half)), fits)
                .command(Place::Shell, &serve(job, "--kv-cache-dtype fp8")),
        );
    }
    if job.scenario.utilisation < 950 {
        fixes.push(
            Fix::new("higher-share", "engine-setting", Message::new("fix-higher-share"))
                .command(Place::Shell, &serve(job, "--gpu-memory-utilization 0.95")),
        );
    }
    fixes.push(more_cards(job));
    fixes
}

/// Twice the cards that a layer is split over now.
fn more_cards(job: &Job) -> Box<Fix> {
    let ranks = job.scenario.tensor_parallel.clamp(1, 512) * 2;
    Fix::new("more-cards", "bigger-card", Message::new("fix-more-cards"))
        .command(Place::Shell, &serve(job, &format!("--tensor-parallel-size {ranks}")))
}

/// The model in fewer bits: the finest that fits, where the text tells enough.
fn fewer_bits(job: &Job) -> Box<Fix> {
    let text = match solved::format(job) {
        Some(format) => Message::new("fix-quant-solved").with("format", format.name),
        None => Message::new("fix-quantised-model"),
    };
    Fix::new("fewer-bits-engine", "lower-precision", text)
}

/// A larger share where that can be enough, fewer bits, a smaller measured peak.
fn kv_none(job: &Job, finding: &Finding) -> Vec<Box<Fix>> {
    let fewer_bits = fewer_bits(job);
    if finding.tool == "sglang" {
        return vec![
            Fix::new("higher-share", "engine-setting", Message::new("fix-higher-static")).command(
                Place::Shell,
                "python -m sglang.launch_server --model-path MODEL --mem-fraction-static 0.95",
            ),
            fewer_bits,
        ];
    }
    if finding.tool == "lmdeploy" {
        return vec![
            Fix::new("higher-share", "engine-setting", Message::new("fix-lmdeploy-share")).command(
                Place::Shell,
                "lmdeploy serve api_server MODEL --cache-max-entry-count 0.9",
            ),
            fewer_bits,
        ];
    }
    let held = Held::of(job.evidence, finding.rank);
    // The least hundredth at which a twentieth of the weights is left for the cache.
    let needed = held.total.filter(|total| *total > Bytes::ZERO).map(|total| {
        let need = held.sum() + held.weights.unwrap_or_default().share(1, 20);
        need.share(100, total.0).0 + 1
    });
    let higher = |hundredths: i64| {
        let share = share(hundredths);
        Fix::new("higher-share", "engine-setting", Message::new("fix-higher-share"))
            .command(Place::Shell, &serve(job, &format!("--gpu-memory-utilization {share}")))
    };
    let smaller_peak = Fix::new("smaller-peak", "reduce-work", Message::new("fix-smaller-peak")).command(
        Place::Shell,
        &serve(job, "--max-num-batched-tokens 2048 --max-num-seqs 64"),
    );
    let eager = Fix::new("eager", "engine-setting", Message::new("fix-eager"))
        .command(Place::Shell, &serve(job, "--enforce-eager"));
    match needed {
        Some(hundredths) if hundredths > HIGHEST_SHARE => vec![fewer_bits, smaller_peak, more_cards(job)],
        Some(hundredths) => vec![higher(hundredths.max(90)), smaller_peak, fewer_bits],
        None => vec![higher(95), smaller_peak, eager, fewer_bits],
    }
}

/// What holds the card goes, or the engine wants less: whichever is the smaller step comes first.
fn startup_free(job: &Job, finding: &Finding) -> Vec<Box<Fix>> {
    let amount = |name| finding.bytes(name).unwrap_or_default();
    let (free, total) = (amount("free"), amount("total"));
    let hundredths = free.share(100, total.0.max(1)).0;
    let held = (total - free).floor_zero();
    let end = close_others().saving(Some((Bytes::ZERO, held)), None);
    let other_card = Fix::new("other-card", "free-other", Message::new("fix-other-gpu")).command(
        Place::Shell,
        "nvidia-smi --query-gpu=index,memory.used,memory.total --format=csv\nexport CUDA_VISIBLE_DEVICES=1",
    );
    let number = Arg::Number(hundredths.clamp(0, 99), 2);
    let share = share(hundredths);
    let lower = Fix::new(
        "lower-share",
        "engine-setting",
        Message::new("fix-lower-share").with("share", number),
    )
    .because(Message::new("why-lower-share").with("free", free).with("total", total))
    .saving(None, Some(true))
    .command(Place::Shell, &serve(job, &format!("--gpu-memory-utilization {share}")));
    match hundredths {
        // A few hundredths less are nothing beside ending somebody's program.
        80.. => vec![lower, end],
        30..80 => vec![end, other_card, lower],
        _ => vec![end, other_card],
    }
}

fn close_others() -> Box<Fix> {
    Fix::new("close-others", "free-other", Message::new("fix-close-others")).command(
        Place::Shell,
        "nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv\nps aux | grep -E 'vllm|VLLM|python'",
    )
}

fn alone() -> Box<Fix> {
    Fix::new("alone", "free-other", Message::new("fix-alone")).command(
        Place::Shell,
        "nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv",
    )
}

fn more_ram() -> Box<Fix> {
    Fix::new(
        "more-system-memory",
        "host-resource",
        Message::new("fix-more-system-memory"),
    )
    .command(Place::Shell, "free -h\nps aux --sort=-rss | head")
}

fn lower_share_host(job: &Job, finding: &Finding) -> Box<Fix> {
    let amount = |name| finding.bytes(name).unwrap_or_default();
    let hundredths = amount("free").share(100, amount("total").0.max(1)).0;
    let number = Arg::Number(hundredths.clamp(0, 99), 2);
    let share = share(hundredths);
    Fix::new(
        "lower-share",
        "engine-setting",
        Message::new("fix-lower-share").with("share", number),
    )
    .command(Place::Shell, &serve(job, &format!("--gpu-memory-utilization {share}")))
}

/// The largest power of two of requests whose share of the failed request fits into what is free.
fn requests_that_fit(job: &Job, requests: i64) -> Option<i64> {
    let (free, requested) = (job.amounts.free?, job.amounts.requested?);
    let fits = Bytes(requests).share(free.0, requested.0).0;
    (fits > 0).then(|| 1i64 << fits.min(requests).ilog2())
}

/// More head room for warm-up and graphs, by the engine that failed.
fn warmup(job: &Job, finding: &Finding) -> Vec<Box<Fix>> {
    let told = |name: &str| job.evidence.findings.iter().find_map(|finding| finding.count(name));
    let printed = |row: &str| job.evidence.findings.iter().any(|finding| finding.has(row));
    if printed("sglang-capture-failed") || job.evidence.hints_at("warmup-sglang-graphs") {
        let launch = |flags| format!("python -m sglang.launch_server --model-path MODEL {flags}");
        return vec![
            Fix::new("lower-static", "engine-setting", Message::new("fix-lower-static"))
                .command(Place::Shell, &launch("--mem-fraction-static 0.8")),
            Fix::new("fewer-graphs", "engine-setting", Message::new("fix-fewer-graphs"))
                .command(Place::Shell, &launch("--cuda-graph-max-bs 16")),
        ];
    }
    if printed("tgi-prefill") || printed("tgi-warmup") {
        let tokens = told("prefill_tokens").map_or(2048, |tokens| (tokens / 2).max(1));
        return vec![
            Fix::new(
                "fewer-prefill-tokens",
                "reduce-work",
                Message::new("fix-fewer-prefill-tokens").with("tokens", tokens),
            )
            .command(
                Place::Shell,
                &format!("text-generation-launcher --model-id MODEL --max-batch-prefill-tokens {tokens}"),
            ),
        ];
    }
    if finding.tool == "lmdeploy" {
        return vec![
            Fix::new(
                "lower-cache-share",
                "engine-setting",
                Message::new("fix-lmdeploy-lower"),
            )
            .command(
                Place::Shell,
                "lmdeploy serve api_server MODEL --cache-max-entry-count 0.5",
            ),
        ];
    }
    let lower = Fix::new(
        "lower-share-warmup",
        "engine-setting",
        Message::new("fix-more-head-room"),
    )
    .command(Place::Shell, &serve(job, "--gpu-memory-utilization 0.85"));
    let eager = Fix::new("eager", "engine-setting", Message::new("fix-eager"))
        .command(Place::Shell, &serve(job, "--enforce-eager"));
    let requests = told("dummy_requests").filter(|requests| *requests > 0);
    let sampler = printed("vllm-warmup-sampler") || printed("vllm-warmup-pooler");
    if sampler || job.evidence.hints_at("warmup-vllm-sampler") {
        let fits = requests
            .and_then(|requests| requests_that_fit(job, requests))
            .unwrap_or(64);
        let saved = requests.zip(job.amounts.requested).map(|(requests, requested)| {
            let saved = requested - requested.share(fits, requests);
            (saved, saved)
        });
        return vec![
            Fix::new(
                "fewer-requests",
                "reduce-work",
                Message::new("fix-fewer-requests").with("count", fits),
            )
            .saving(saved, saved.map(|_| true))
            .command(Place::Shell, &serve(job, &format!("--max-num-seqs {fits}"))),
            lower,
        ];
    }
    if job.evidence.hints_at("warmup-vllm-profile") {
        let smaller = Fix::new("smaller-peak", "reduce-work", Message::new("fix-smaller-peak")).command(
            Place::Shell,
            &serve(job, "--max-num-batched-tokens 2048 --max-num-seqs 64"),
        );
        return vec![smaller, fewer_bits(job), more_cards(job)];
    }
    vec![lower, eager]
}

/// System memory: more of it, or less of the model in it.
fn host(job: &Job, finding: &Finding) -> Vec<Box<Fix>> {
    let missing = finding
        .bytes("requested")
        .zip(finding.bytes("available"))
        .map(|(requested, available)| (requested - available).floor_zero());
    let mut ram = more_ram();
    if let Some(missing) = missing {
        ram = ram.because(Message::new("why-more-system-memory").with("missing", missing));
    }
    let mut fixes = vec![ram];
    if is_ollama(job.evidence) {
        fixes.push(
            Fix::new(
                "shorter-context-ollama",
                "reduce-work",
                Message::new("fix-shorter-context"),
            )
            .command(Place::Shell, "OLLAMA_CONTEXT_LENGTH=4096 ollama serve"),
        );
    }
    fixes.push(Fix::new(
        "smaller-model",
        "lower-precision",
        Message::new("fix-smaller-model"),
    ));
    fixes
}

/// What to change so that a plan works out.
fn planned(finding: &Finding) -> Vec<Box<Fix>> {
    let smaller = Fix::new("smaller-model", "lower-precision", Message::new("fix-smaller-model"));
    match finding.tool {
        "lmstudio" => vec![
            Fix::new("shorter-context", "reduce-work", Message::new("fix-context-lmstudio"))
                .command(Place::Shell, "lms load MODEL --context-length 8192"),
            Fix::new("update-lmstudio", "update-tool", Message::new("fix-update-lmstudio")),
            smaller,
        ],
        "ollama" if finding.has("ollama-mlx") => vec![
            Fix::new("shorter-context", "reduce-work", Message::new("fix-shorter-context"))
                .command(Place::Shell, "OLLAMA_CONTEXT_LENGTH=4096 ollama serve"),
            smaller,
        ],
        "ollama" => {
            vec![
            Fix::new("layers-by-itself", "engine-setting", Message::new("fix-layers-by-itself")).command(
                Place::Shell,
                "curl http://localhost:11434/api/generate -d '{\"model\": \"MODEL\", \"options\": {\"num_gpu\": -1}}'",
            ),
            Fix::new("shorter-context", "reduce-work", Message::new("fix-shorter-context"))
                .command(Place::Shell, "OLLAMA_CONTEXT_LENGTH=4096 ollama serve"),
        ]
        }
        _ => vec![
            Fix::new("smaller-peak", "reduce-work", Message::new("fix-smaller-chunk")).command(
                Place::Shell,
                "mlc_llm serve MODEL --overrides \"prefill_chunk_size=512\"",
            ),
            smaller,
            Fix::new("more-cards", "bigger-card", Message::new("fix-more-cards")).command(
                Place::Shell,
                "mlc_llm serve MODEL --overrides \"tensor_parallel_shards=2\"",
            ),
        ],
    }
}

/// Where the reason stands when a line only says that something ended.
fn wrapper(finding: &Finding) -> Vec<Box<Fix>> {
    match finding.tool {
        "lmstudio" => vec![
            Fix::new("off-the-card", "engine-setting", Message::new("fix-lmstudio-layers"))
                .command(Place::Shell, "lms load MODEL --gpu 0"),
            Fix::new("engine-log", "ask-for-more", Message::new("fix-engine-log"))
                .command(Place::Shell, "lms log stream"),
        ],
        "ollama" => vec![
            Fix::new("engine-log", "ask-for-more", Message::new("fix-engine-log"))
                .command(Place::Shell, "journalctl -u ollama --no-pager -n 200"),
            Fix::new("shorter-context", "reduce-work", Message::new("fix-shorter-context"))
                .command(Place::Shell, "OLLAMA_CONTEXT_LENGTH=4096 ollama serve"),
        ],
        _ => vec![Fix::new("lines-above", "ask-for-more", Message::new("fix-lines-above"))],
    }
}

/// A short error of a server or of CTranslate2.
fn out_of_memory(job: &Job, finding: &Finding) -> Vec<Box<Fix>> {
    let show = Fix::new("show-card", "ask-for-more", Message::new("fix-show-card")).command(Place::Shell, "nvidia-smi");
    match finding.tool {
        "ctranslate2" => vec![
            Fix::new("int8", "lower-precision", Message::new("fix-whisper-int8")).command(
                Place::Python,
                "WhisperModel(\"large-v3\", device=\"cuda\", compute_type=\"int8_float16\")",
            ),
            Fix::new(
                "smaller-batch-whisper",
                "reduce-work",
                Message::new("fix-whisper-batch"),
            )
            .command(
                Place::Python,
                "BatchedInferencePipeline(model).transcribe(audio, batch_size=4)",
            ),
            show,
        ],
        "lmdeploy" => vec![
            Fix::new(
                "lower-cache-share",
                "engine-setting",
                Message::new("fix-lmdeploy-lower"),
            )
            .command(
                Place::Shell,
                "lmdeploy serve api_server MODEL --cache-max-entry-count 0.5",
            ),
            show,
        ],
        "exllamav2" => vec![
            Fix::new("shorter-context", "reduce-work", Message::new("fix-shorter-context"))
                .command(Place::Python, "ExLlamaV2Cache_Q8(model, max_seq_len=8192, lazy=True)"),
            Fix::new("smaller-model", "lower-precision", Message::new("fix-smaller-model")),
        ],
        "tensorrt" if job.program != Program::Unknown || finding.has("trt-llm-oom") => vec![
            Fix::new("smaller-kv-share", "engine-setting", Message::new("fix-trt-kv-share"))
                .command(Place::Python, "KvCacheConfig(free_gpu_memory_fraction=0.8)"),
            show,
        ],
        "tensorrt" => vec![
            Fix::new("smaller-workspace", "reduce-work", Message::new("fix-trt-smaller")),
            show,
        ],
        _ => vec![
            Fix::new("shorter-context", "reduce-work", Message::new("fix-shorter-context")),
            show,
        ],
    }
}
