//! What inference engines print: from a text to its figures, the verdict, the first cause and the family of the first fix.

use vramfit::advice::advise;
use vramfit::diagnosis::{Corrections, diagnose};
use vramfit::i18n::{Language, embedded};
use vramfit::paste::{self, Value};

const MIB: i64 = 1 << 20;
const GIB: i64 = 1 << 30;

/// Hundredths of a GiB, to the nearest byte.
const fn gib(hundredths: i64) -> i64 {
    (hundredths * GIB + 50) / 100
}

/// Hundredths of a MiB, to the nearest byte.
const fn mib(hundredths: i64) -> i64 {
    (hundredths * MIB + 50) / 100
}

struct Case {
    name: &'static str,
    text: &'static str,
    bytes: &'static [(&'static str, i64)],
    counts: &'static [(&'static str, i64)],
    verdict: &'static str,
    cause: &'static str,
    family: &'static str,
    /// A part of the first fix's command.
    command: &'static str,
}

#[test]
fn a_prefix_tells_the_engine() {
    use vramfit::catalog::Engine;
    let oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 270.00 MiB.";
    for (prefix, engine) in [
        ("INFO 11-30 10:00:00 [__init__.py:239] ", Engine::Vllm),
        ("(EngineCore_DP0 pid=2211) ", Engine::Vllm),
        ("ERROR 04-01 23:46:56 [engine.py:160] ", Engine::Vllm),
        ("[2025-03-08 12:29:21 TP7] ", Engine::Sglang),
    ] {
        let diagnosis = diagnose(&paste::read(&[prefix, oom].concat()), &Corrections::default());
        assert_eq!(diagnosis.scenario.engine, engine, "{prefix}");
    }
}

#[test]
fn a_row_of_nvidia_smi_without_its_header_names_the_holder() {
    let text = "ValueError: Free memory on device cuda:0 (9.4/23.53 GiB) on startup is less than desired GPU memory utilization (0.9, 21.18 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n| 0   N/A  N/A            3412      C   ...ollama/bin/ollama        13890MiB |\n";
    let diagnosis = diagnose(&paste::read(text), &Corrections::default());
    let other = diagnosis
        .causes
        .iter()
        .find(|cause| cause.id == "other-process")
        .unwrap();
    let named = vramfit::units::Bytes::mib(13_890);
    let told = &other.because[0].message;
    assert_eq!(told.id, "because-others");
    assert_eq!(told.args[0], ("others", vramfit::message::Arg::Bytes(named)));
    let parts = diagnosis.picture.unwrap().parts;
    let part = |id: &str| parts.iter().find(|part| part.id == id).map(|part| part.bytes.0);
    assert_eq!(part("others"), Some(named.0));
    // 23.53 GiB less 9.4 free and what is named.
    assert!((part("unaccounted").unwrap() - (gib(1413) - named.0)).abs() <= 2);
}

#[test]
fn engines_are_read_and_explained() {
    let mut complaints: Vec<String> = Vec::new();
    for case in CASES.iter().chain(GGML).chain(OLLAMA).chain(DESKTOP) {
        let mut complain = |what: String| complaints.push(format!("{}: {what}", case.name));
        let evidence = paste::read(case.text);
        let diagnosis = diagnose(&evidence, &Corrections::default());
        let advice = advise(&evidence, &diagnosis, &Corrections::default());
        let figures = || evidence.findings.iter().flat_map(|finding| &finding.figures);
        for (name, bytes) in case.bytes {
            let found = figures().any(|figure| {
                figure.name == *name && matches!(figure.value, Value::Bytes(have) if (have.0 - bytes).abs() <= 1)
            });
            if !found {
                let have: Vec<_> = figures().map(|figure| (figure.name, &figure.value)).collect();
                complain(format!("{name} is not {bytes}: {have:?}"));
            }
        }
        for (name, count) in case.counts {
            let found = figures()
                .any(|figure| figure.name == *name && matches!(figure.value, Value::Count(have) if have == *count));
            if !found {
                let have: Vec<_> = figures().map(|figure| (figure.name, &figure.value)).collect();
                complain(format!("{name} is not {count}: {have:?}"));
            }
        }
        if diagnosis.verdict.id() != case.verdict {
            complain(format!("verdict {}, wanted {}", diagnosis.verdict.id(), case.verdict));
        }
        let cause = diagnosis.causes.first().map_or("", |cause| cause.id);
        if cause != case.cause {
            complain(format!("cause {cause}, wanted {}", case.cause));
        }
        let fix = advice.fixes.first();
        let family = fix.map_or("nothing-to-fix", |fix| fix.family);
        if family != case.family {
            complain(format!("first fix {family}, wanted {}", case.family));
        }
        let command = fix
            .and_then(|fix| fix.commands.first())
            .map_or("", |command| &command.text);
        if !command.contains(case.command) {
            complain(format!("command {command:?} lacks {:?}", case.command));
        }
        for language in Language::all() {
            let texts = embedded(language);
            let mut told = vec![texts.message(&diagnosis.headline)];
            told.extend(diagnosis.caution.iter().map(|message| texts.message(message)));
            told.extend(evidence.hits.iter().map(|hit| texts.message(&hit.says())));
            for cause in &diagnosis.causes {
                told.extend(cause.because.iter().map(|reason| texts.message(&reason.message)));
            }
            for fix in &advice.fixes {
                told.push(texts.message(&fix.text));
                told.extend(fix.why.iter().map(|message| texts.message(message)));
            }
            for sentence in told
                .iter()
                .filter(|sentence| sentence.contains("{$") || sentence.starts_with('['))
            {
                complain(format!("{language:?}: {sentence}"));
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

const CASES: &[Case] = &[
    Case {
        name: "an engine known by its loggers' prefixes alone",
        text: "INFO 11-20 09:12:01 [gpu_model_runner.py:1770] Starting to load model Qwen/Qwen2.5-32B-Instruct...\n(EngineCore_0 pid=2211) ERROR 11-20 09:12:44 [core.py:700] EngineCore failed to start.\n(EngineCore_0 pid=2211) ERROR 11-20 09:12:44 [core.py:700] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 270.00 MiB. GPU 0 has a total capacity of 44.39 GiB of which 123.31 MiB is free. Including non-PyTorch memory, this process has 44.26 GiB memory in use. Of the allocated memory 43.80 GiB is allocated by PyTorch, and 21.22 MiB is reserved by PyTorch but unallocated.",
        bytes: &[("requested", mib(27_000))],
        counts: &[],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "lower-precision",
        command: "",
    },
    Case {
        name: "V0: more tokens than the cache holds",
        text: "ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (56,416). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.",
        bytes: &[],
        counts: &[("max_seq_len", 131_072), ("kv_tokens", 56_416)],
        verdict: "gpu-memory",
        cause: "kv-too-small",
        family: "reduce-work",
        command: "--max-model-len 56416",
    },
    Case {
        name: "V1 without the bracket, one decimal, with the documentation's address",
        text: "(EngineCore_DP0 pid=6880) ValueError: To serve at least one request with the model's max seq len (40960), 6.0 GiB KV cache is needed, which is larger than the available KV cache memory (4.5 GiB). Based on the available memory, the estimated maximum model length is 30720. Try increasing `gpu_memory_utilization` (which also controls CPU memory on the CPU backend) or decreasing `max_model_len` when initializing the engine. See https://docs.vllm.ai/en/latest/configuration/conserving_memory/ for more details.",
        bytes: &[("kv_needed", 6 * GIB), ("kv_available", gib(450))],
        counts: &[("estimated_max_len", 30_720)],
        verdict: "gpu-memory",
        cause: "kv-too-small",
        family: "reduce-work",
        command: "--max-model-len 30720",
    },
    Case {
        name: "V1 without an estimate: by the share, in whole blocks of 16 tokens",
        text: "ValueError: To serve at least one request with the models's max seq len (32768), (4.00 GiB KV cache is needed, which is larger than the available KV cache memory (1.37 GiB). Try increasing `gpu_memory_utilization`",
        bytes: &[("kv_needed", 4 * GIB), ("kv_available", gib(137))],
        counts: &[],
        verdict: "gpu-memory",
        cause: "kv-too-small",
        family: "reduce-work",
        // 32768 · 1.37 / 4.00 = 11223.04, in blocks of 16: 11216
        command: "--max-model-len 11216",
    },
    Case {
        name: "nothing left, with the lines that tell why",
        text: "INFO 04-01 10:00:01 [worker.py:267] the current vLLM instance can use total_gpu_memory (23.65GiB) x gpu_memory_utilization (0.90) = 21.28GiB\nINFO 04-01 10:00:01 [worker.py:267] model weights take 20.14GiB; non_torch_memory takes 0.12GiB; PyTorch activation peak memory takes 1.39GiB; the rest of the memory reserved for KV Cache is -0.37GiB.\nValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.",
        bytes: &[("kv_cache", -gib(37)), ("weights", gib(2014)), ("budget", gib(2128))],
        counts: &[],
        verdict: "gpu-memory",
        cause: "kv-none",
        // 20.14 + 0.12 + 1.39 + a twentieth of the weights = 22.66 of 23.65: 0.96
        family: "engine-setting",
        command: "--gpu-memory-utilization 0.96",
    },
    Case {
        name: "nothing left, and no share would be enough",
        text: "total_gpu_memory (23.65GiB) x gpu_memory_utilization (0.95) = 22.47GiB\nmodel weights take 22.40GiB; non_torch_memory takes 0.12GiB; PyTorch activation peak memory takes 1.39GiB; the rest of the memory reserved for KV Cache is -1.44GiB.\nValueError: No available memory for the cache blocks.",
        bytes: &[("kv_cache", -gib(144))],
        counts: &[],
        verdict: "gpu-memory",
        cause: "kv-none",
        family: "lower-precision",
        command: "",
    },
    Case {
        name: "the card is half full at start",
        text: "(EngineCore_DP0 pid=272) ValueError: Free memory on device cuda:0 (12.10/23.65 GiB) on startup is less than desired GPU memory utilization (0.92, 21.76 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\nRuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore_DP0': 1}",
        bytes: &[("free", gib(1210)), ("total", gib(2365)), ("desired", gib(2176))],
        counts: &[],
        verdict: "gpu-memory",
        cause: "startup-free",
        family: "free-other",
        command: "nvidia-smi",
    },
    Case {
        name: "a desktop takes a little at start",
        text: "ValueError: Free memory on device (21.38/23.65 GiB) on startup is less than desired GPU memory utilization (0.95, 22.47 GiB).",
        bytes: &[("free", gib(2138))],
        counts: &[],
        verdict: "gpu-memory",
        cause: "startup-free",
        family: "engine-setting",
        command: "--gpu-memory-utilization 0.90",
    },
    Case {
        name: "the CPU backend speaks of system memory",
        text: "ValueError: Available memory on node 0 (11.20/62.70 GiB) on startup is less than desired CPU memory utilization (0.9, 56.43 GiB). Decrease --gpu-memory-utilization or reduce CPU memory used by other processes.",
        bytes: &[("free", gib(1120)), ("desired", gib(5643))],
        counts: &[("node", 0)],
        verdict: "host-memory",
        cause: "host-ram",
        family: "host-resource",
        command: "free -h",
    },
    Case {
        name: "memory became free while vLLM measured",
        text: "AssertionError: Error in memory profiling. Initial free memory 20937965568, current free memory 24803409920. This happens when the GPU memory was not properly cleaned up before initializing the vLLM instance.",
        bytes: &[("initial_free", 20_937_965_568), ("current_free", 24_803_409_920)],
        counts: &[],
        verdict: "not-memory",
        cause: "other-process",
        family: "free-other",
        command: "nvidia-smi",
    },
    Case {
        name: "a pooler's warm-up, its error above",
        text: "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 300.00 MiB is free. Of the allocated memory 22.00 GiB is allocated by PyTorch, and 200.00 MiB is reserved by PyTorch but unallocated.\nThe above exception was the direct cause of the following exception:\nRuntimeError: CUDA out of memory occurred when warming up pooler (embed) with 256 dummy requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization` when initializing the engine.",
        bytes: &[("requested", GIB), ("free", 300 * MIB)],
        counts: &[("dummy_requests", 256)],
        verdict: "gpu-memory",
        cause: "warmup-head-room",
        family: "reduce-work",
        // 256 · 300 / 1024 = 75: 64 at once
        command: "--max-num-seqs 64",
    },
    Case {
        name: "the wrapper alone",
        text: "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}",
        bytes: &[],
        counts: &[],
        verdict: "unknown",
        cause: "unknown-no-figures",
        family: "ask-for-more",
        command: "",
    },
    Case {
        name: "a healthy start of vLLM's second engine",
        text: "(EngineCore_DP0 pid=272) INFO 10-02 11:20:01 [gpu_model_runner.py:2392] Model loading took 15.2683 GiB and 4.21 seconds\n(EngineCore_DP0 pid=272) INFO 10-02 11:20:31 [gpu_worker.py:298] Available KV cache memory: 52.87 GiB\n(EngineCore_DP0 pid=272) INFO 10-02 11:20:31 [kv_cache_utils.py:1087] GPU KV cache size: 385,008 tokens\n(EngineCore_DP0 pid=272) INFO 10-02 11:20:31 [kv_cache_utils.py:1091] Maximum concurrency for 40,960 tokens per request: 9.40x\n(EngineCore_DP0 pid=272) INFO 10-02 11:20:51 [gpu_model_runner.py:3118] Graph capturing finished in 17 secs, took 0.52 GiB\n",
        bytes: &[("weights", 16_394_212_291), ("kv_cache", gib(5287)), ("graph", gib(52))],
        counts: &[("kv_tokens", 385_008), ("concurrency_tokens", 40_960)],
        verdict: "no-error",
        cause: "info-success",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "vLLM's line of advice begins as the error does",
        text: "Free memory on device (78.62/79.19 GiB) on startup. Desired GPU memory utilization is (0.9, 71.27 GiB). Actual usage is 15.27 GiB for weight, 1.12 GiB for peak activation, 0.10 GiB for non-torch memory, and 0.51 GiB for CUDAGraph memory. Replace gpu_memory_utilization config with `--kv-cache-memory=58250000000` (54.25 GiB) to fit into requested memory, or `--kv-cache-memory=66140000000` (61.60 GiB) to fully utilize gpu memory. Current kv cache memory in use is 54.25 GiB.",
        bytes: &[
            ("free", gib(7862)),
            ("total", gib(7919)),
            ("budget", gib(7127)),
            ("weights", gib(1527)),
            ("activation_peak", gib(112)),
            ("non_torch", gib(10)),
            ("graph", gib(51)),
            ("kv_cache", gib(5425)),
        ],
        counts: &[],
        verdict: "no-error",
        cause: "info-success",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "requests that wait",
        text: "WARNING 08-12 10:00:00 [scheduler.py:1754] Sequence group 17 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space. This can affect the end-to-end performance.",
        bytes: &[],
        counts: &[],
        verdict: "no-error",
        cause: "recovered",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "SGLang puts requests back",
        text: "[2025-03-08 12:29:21 TP0] Decode out of memory happened. #retracted_reqs: 3, #new_token_ratio: 0.5821 -> 0.9121",
        bytes: &[],
        counts: &[("retracted", 3)],
        verdict: "no-error",
        cause: "recovered",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "SGLang's newer words, with the share",
        text: "[2026-01-10 09:00:00] Load weight begin. avail mem=23.18 GB\n[2026-01-10 09:00:09] Load weight end. elapsed=8.31 s, type=Qwen3ForCausalLM, avail mem=3.88 GB, mem usage=19.30 GB.\nRuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: mem_fraction_static=0.83",
        bytes: &[
            ("weights", gib(1930)),
            ("free_after_weights", gib(388)),
            ("free_at_start", gib(2318)),
        ],
        counts: &[],
        verdict: "gpu-memory",
        cause: "kv-none",
        family: "engine-setting",
        command: "--mem-fraction-static 0.95",
    },
    Case {
        name: "a graph capture that failed for another reason",
        text: "Exception: Capture cuda graph failed: type fp8e4nv not supported in this architecture. The supported fp8 dtypes are ('fp8e4b15', 'fp8e5')\nPossible solutions:\n1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)\n2. set --cuda-graph-max-bs to a smaller value (e.g., 16)",
        bytes: &[],
        counts: &[],
        verdict: "not-memory",
        cause: "not-an-error-of-memory",
        family: "engine-setting",
        command: "--disable-cuda-graph",
    },
    Case {
        name: "SGLang's healthy start with MLA",
        text: "[2025-08-01 10:00:00 TP0] Load weight end. type=DeepseekV3ForCausalLM, dtype=torch.bfloat16, avail mem=54.30 GB, mem usage=85.12 GB.\n[2025-08-01 10:00:01 TP0] KV Cache is allocated. #tokens: 512345, KV size: 33.52 GB\n[2025-08-01 10:00:01 TP0] Memory pool end. avail mem=19.88 GB\n[2025-08-01 10:00:30 TP0] Capture cuda graph end. Time elapsed: 28.31 s. mem usage=1.74 GB. avail mem=18.10 GB.\n[2025-08-01 10:00:31 TP0] max_total_num_tokens=512345, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=163840, available_gpu_mem=18.10 GB",
        bytes: &[
            ("weights", gib(8512)),
            ("kv_cache", gib(3352)),
            ("graph", gib(174)),
            ("free", gib(1810)),
        ],
        counts: &[("kv_tokens", 512_345), ("context_len", 163_840)],
        verdict: "no-error",
        cause: "info-success",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "TGI's warm-up",
        text: "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 22.06 GiB of which 1.10 GiB is free. Of the allocated memory 20.00 GiB is allocated by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated.\nRuntimeError: Not enough memory to handle 4096 prefill tokens. You need to decrease `--max-batch-prefill-tokens`",
        bytes: &[("requested", 2 * GIB)],
        counts: &[("prefill_tokens", 4096)],
        verdict: "gpu-memory",
        cause: "warmup-head-room",
        family: "reduce-work",
        command: "--max-batch-prefill-tokens 2048",
    },
    Case {
        name: "TGI's decimal GB",
        text: "Free memory 22.51GB , (real: 23.80GB\nKV-cache blocks: 133568, size: 1",
        bytes: &[("free", 22_510_000_000), ("free_real", 23_800_000_000)],
        counts: &[("gpu_blocks", 133_568)],
        verdict: "no-error",
        cause: "info-success",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "TensorRT-LLM",
        text: "[TensorRT-LLM][ERROR] CUDA runtime error in ::cudaMallocAsync(ptr, n, mMemPool->getPool(), mCudaStream->get()): out of memory (/src/tensorrt_llm/runtime/tllmBuffers.h:112)",
        bytes: &[],
        counts: &[],
        verdict: "gpu-memory",
        cause: "unknown-no-figures",
        family: "engine-setting",
        command: "free_gpu_memory_fraction",
    },
    Case {
        name: "a tactic that TensorRT leaves out",
        text: "[TRT] [W] Skipping tactic 3 due to insufficient memory on requested size of 4831838208 detected for tactic 0x00000000000003e8.",
        bytes: &[("requested", 4_831_838_208)],
        counts: &[],
        verdict: "no-error",
        cause: "recovered",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "TensorRT could not allocate",
        text: "[TRT] [W] Requested amount of GPU memory (8589934592 bytes) could not be allocated. There may not be enough free memory for allocation to succeed.\n[TRT] [E] 2: [virtualMemoryBuffer.cpp::resizePhysical::145] Error Code 2: OutOfMemory (no further information)",
        bytes: &[("requested", 8 * GIB)],
        counts: &[],
        verdict: "gpu-memory",
        cause: "request-too-large",
        family: "reduce-work",
        command: "",
    },
    Case {
        name: "LMDeploy's slip of grammar",
        text: "RuntimeError: No enough gpu memory for kv cache.",
        bytes: &[],
        counts: &[],
        verdict: "gpu-memory",
        cause: "kv-none",
        family: "engine-setting",
        command: "--cache-max-entry-count",
    },
    Case {
        name: "MLC's check",
        text: "InternalError: Check failed: (output_res.IsOk()) is false: Insufficient GPU memory error: The available single GPU memory is 6963.200 MB, which is less than the sum of model weight size (7646.391 MB) and temporary buffer size (820.123 MB).",
        bytes: &[
            ("available", 7_301_444_403),
            ("weights", 8_017_822_089),
            ("temporary", 859_961_295),
        ],
        counts: &[],
        verdict: "gpu-memory",
        cause: "does-not-fit-planned",
        family: "reduce-work",
        command: "prefill_chunk_size",
    },
];

const GGML: &[Case] = &[
    Case {
        name: "weights: as many layers as fit",
        text: "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3060) (0000:01:00.0) - 11874 MiB free\nprint_info: n_layer          = 48\nggml_backend_cuda_buffer_type_alloc_buffer: allocating 21700.00 MiB on device 0: cudaMalloc failed: out of memory\nalloc_tensor_range: failed to allocate CUDA0 buffer of size 22754099200\nllama_model_load: error loading model: unable to allocate CUDA0 buffer\nllama_model_load_from_file_impl: failed to load model",
        bytes: &[("requested", 21_700 * MIB), ("free_at_start", 11_874 * MIB)],
        counts: &[("layers", 48)],
        verdict: "gpu-memory",
        cause: "request-too-large",
        family: "engine-setting",
        // 49 layers · (11874 − 1024) / 21700 = 24.5
        command: "-ngl 24",
    },
    Case {
        name: "a locale with decimal commas",
        text: "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1900,50 MiB on device 1: cudaMalloc failed: out of memory\nllama_kv_cache_init: failed to allocate buffer for kv cache\nllama_new_context_with_model: llama_kv_cache_init() failed for self-attention cache",
        bytes: &[("requested", mib(190_050))],
        counts: &[],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "reduce-work",
        command: "llama-server -m MODEL.gguf -c",
    },
    Case {
        name: "a KV cache of tens of GiB: the context that fits",
        text: "device_info:\n  - CUDA0   : NVIDIA GeForce RTX 4090 (24080 MiB, 23600 MiB free)\nload_tensors: offloaded 65/65 layers to GPU\nload_tensors:        CUDA0 model buffer size = 18432.00 MiB\nllama_context: n_ctx         = 131072\nggml_backend_cuda_buffer_type_alloc_buffer: allocating 32768.00 MiB on device 0: cudaMalloc failed: out of memory\nalloc_tensor_range: failed to allocate CUDA0 buffer of size 34359738368\nllama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache",
        bytes: &[("requested", 34_359_738_368), ("model", 18_432 * MIB)],
        counts: &[("n_ctx", 131_072)],
        verdict: "gpu-memory",
        cause: "request-too-large",
        family: "reduce-work",
        // 131072 · (23600 − 18432 − 1024) / 32768 = 16576, in steps of 256: 16384
        command: "-c 16384",
    },
    Case {
        name: "compute buffers",
        text: "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1664.00 MiB on device 0: cudaMalloc failed: out of memory\nggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 1744830464\nllama_init_from_model: failed to initialize the context: failed to allocate compute pp buffers",
        bytes: &[("requested", 1_744_830_464)],
        counts: &[],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "engine-setting",
        command: "-ub 256",
    },
    Case {
        name: "a failure that was got over",
        text: "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1664.00 MiB on device 0: cudaMalloc failed: out of memory\nggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 1744830464\nsched_reserve: compute buffer allocation failed, retrying without pipeline parallelism\n",
        bytes: &[("requested", 1664 * MIB)],
        counts: &[],
        verdict: "no-error",
        cause: "recovered",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "Vulkan: the card is full",
        text: "ggml_vulkan: Device memory allocation of size 5368709120 failed.\nggml_vulkan: vk::Device::allocateMemory: ErrorOutOfDeviceMemory\nllama_model_load: error loading model: unable to allocate Vulkan0 buffer",
        bytes: &[("requested", 5 * GIB)],
        counts: &[],
        verdict: "gpu-memory",
        cause: "request-too-large",
        family: "engine-setting",
        command: "llama-server",
    },
    Case {
        name: "Vulkan: one buffer may not be that large",
        text: "ggml_vulkan: Device memory allocation of size 4831838208 failed.\nggml_vulkan: Requested buffer size exceeds device memory allocation limit: ErrorOutOfDeviceMemory\nggml_gallocr_reserve_n: failed to allocate Vulkan0 buffer of size 4831838208",
        bytes: &[("requested", 4_831_838_208)],
        counts: &[],
        verdict: "other-limit",
        cause: "per-allocation-limit",
        family: "engine-setting",
        command: "-ub 256",
    },
    Case {
        name: "a HIP build at work",
        text: "ROCm error: out of memory\n  current device: 0, in function alloc at /src/ggml/src/ggml-cuda/ggml-cuda.cu:447\n  ggml_cuda_device_malloc(&ptr, look_ahead_size, device)\n/src/ggml/src/ggml-cuda/ggml-cuda.cu:83: ROCm error",
        bytes: &[],
        counts: &[],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "engine-setting",
        command: "llama-server",
    },
    Case {
        name: "address space, not memory of the card",
        text: "CUDA error: out of memory\n  current device: 0, in function alloc at /src/ggml-cuda.cu:503\n  cuMemAddressReserve(&pool_addr, CUDA_POOL_VMM_MAX_SIZE, 0, 0, 0)\n/src/ggml-cuda.cu:83: CUDA error",
        bytes: &[],
        counts: &[],
        verdict: "other-limit",
        cause: "not-capacity",
        family: "host-resource",
        command: "ulimit",
    },
    Case {
        name: "Metal without its load lines",
        text: "ggml_metal_graph_compute: command buffer 1 failed with status 5\nerror: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)",
        bytes: &[],
        counts: &[],
        verdict: "gpu-memory",
        cause: "card-full",
        family: "reduce-work",
        command: "-c 4096",
    },
    Case {
        name: "system memory in binary MB",
        text: "ggml_aligned_malloc: insufficient memory (attempted to allocate 36000.00 MB)\nggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 37748736000\nllama_kv_cache_init: failed to allocate buffer for kv cache",
        bytes: &[("requested", 37_748_736_000)],
        counts: &[],
        verdict: "host-memory",
        cause: "host-ram",
        family: "host-resource",
        command: "free -h",
    },
    Case {
        name: "page-locked memory is no failure",
        text: "ggml_cuda_host_malloc: failed to allocate 1900,00 MiB of pinned memory: out of memory",
        bytes: &[("requested", 1900 * MIB)],
        counts: &[],
        verdict: "host-memory",
        cause: "pinned-host",
        family: "host-resource",
        command: "",
    },
    Case {
        name: "a healthy load, in part on the processor's side",
        text: "load_tensors: offloading output layer to GPU\nload_tensors: offloaded 33/33 layers to GPU\nload_tensors:   CPU_Mapped model buffer size =   281.81 MiB\nload_tensors:        CUDA0 model buffer size =  4403.49 MiB\nllama_context: n_ctx         = 8192\nllama_kv_cache:      CUDA0 KV buffer size =  1024.00 MiB\nllama_kv_cache: size = 1024.00 MiB (  8192 cells,  32 layers,  1/1 seqs), K (f16):  512.00 MiB, V (f16):  512.00 MiB\nllama_context:      CUDA0 compute buffer size =   560.00 MiB\nllama_context:  CUDA_Host compute buffer size =    24.01 MiB",
        bytes: &[
            ("host_model", mib(28_181)),
            ("model", mib(440_349)),
            ("kv_cache", GIB),
            ("compute", 560 * MIB),
            ("host_compute", mib(2401)),
        ],
        counts: &[("layers_offload", 33), ("layers_model", 33), ("n_ctx", 8192)],
        verdict: "no-error",
        cause: "info-success",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "the words of 2024",
        text: "llm_load_tensors: offloaded 20/33 layers to GPU\nllm_load_tensors:        CPU buffer size =  4685.30 MiB\nllm_load_tensors:      CUDA0 buffer size =  2564.31 MiB\nllama_kv_cache_init:  CUDA_Host KV buffer size =   384.00 MiB\nllama_kv_cache_init:      CUDA0 KV buffer size =   640.00 MiB\nllama_new_context_with_model: KV self size  = 1024.00 MiB, K (f16):  512.00 MiB, V (f16):  512.00 MiB",
        bytes: &[
            ("model", mib(256_431)),
            ("host_model", mib(468_530)),
            ("host_kv", 384 * MIB),
            ("kv_self", GIB),
        ],
        counts: &[("layers_offload", 20)],
        verdict: "no-error",
        cause: "partial-offload",
        family: "reduce-work",
        command: "-c",
    },
    Case {
        name: "the table with a wrapped negative",
        text: "llama_memory_breakdown_print: | memory breakdown [MiB] | total   free    self   model   context   compute    unaccounted |\nllama_memory_breakdown_print: |   - CUDA0 (RTX 4090)   | 24080 = 23100 + (16072 = 14800 +     960 +     312) + 17592186029324 |\nllama_memory_breakdown_print: |   - Host               |                  1024 =   900 +       0 +     124                |",
        bytes: &[
            ("total", 24_080 * MIB),
            ("free", 23_100 * MIB),
            ("self", 16_072 * MIB),
            ("model", 14_800 * MIB),
            ("context", 960 * MIB),
            ("compute", 312 * MIB),
            ("unaccounted", -15_092 * MIB),
            ("host", 1024 * MIB),
        ],
        counts: &[],
        verdict: "no-error",
        cause: "info-success",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "a plan that fits",
        text: "common_params_fit_impl: projected to use 17885 MiB of device memory vs. 21755 MiB of free device memory\ncommon_params_fit_impl: will leave 3870 >= 1576 MiB of free device memory, no changes needed\ncommon_fit_params: successfully fit params to free device memory",
        bytes: &[
            ("projected", 17_885 * MIB),
            ("free_at_start", 21_755 * MIB),
            ("left", 3870 * MIB),
            ("target", 1576 * MIB),
        ],
        counts: &[],
        verdict: "no-error",
        cause: "info-success",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "a plan that does not",
        text: "common_params_fit_impl: projected to use 38421 MiB of device memory vs. 23871 MiB of free device memory\ncommon_params_fit_impl: cannot meet free memory target of 1024 MiB, need to reduce device memory by 15574 MiB\ncommon_fit_params: failed to fit params to free device memory: n_gpu_layers already set by user to 99, abort",
        bytes: &[("projected", 38_421 * MIB), ("reduce_by", 15_574 * MIB)],
        counts: &[],
        verdict: "gpu-memory",
        cause: "does-not-fit-planned",
        family: "engine-setting",
        command: "llama-server",
    },
];

const OLLAMA: &[Case] = &[
    Case {
        name: "system memory, though the card is large",
        text: "Error: 500 Internal Server Error: model requires more system memory (21.6 GiB) than is available (14.9 GiB)",
        bytes: &[("requested", gib(2160)), ("available", gib(1490))],
        counts: &[],
        verdict: "host-memory",
        cause: "host-ram",
        family: "host-resource",
        command: "free -h",
    },
    Case {
        name: "the server's side of it, with raw bytes",
        text: "level=WARN source=server.go:170 msg=\"model request too large for system\" requested=\"21.6 GiB\" available=16000102400 total=\"15.6 GiB\" free=\"12.9 GiB\" swap=\"2.0 GiB\"",
        bytes: &[
            ("requested", gib(2160)),
            ("available", 16_000_102_400),
            ("swap", 2 * GIB),
        ],
        counts: &[],
        verdict: "host-memory",
        cause: "host-ram",
        family: "host-resource",
        command: "free -h",
    },
    Case {
        name: "too many layers forced",
        text: "Error: 500 Internal Server Error: memory layout cannot be allocated with num_gpu = 99",
        bytes: &[],
        counts: &[("num_gpu", 99)],
        verdict: "gpu-memory",
        cause: "does-not-fit-planned",
        family: "engine-setting",
        command: "num_gpu",
    },
    Case {
        name: "ended by the operating system",
        text: "Error: llama runner process has terminated: signal: killed",
        bytes: &[],
        counts: &[],
        verdict: "host-memory",
        cause: "host-ram",
        family: "host-resource",
        command: "free -h",
    },
    Case {
        name: "ended with a code",
        text: "Error: 500 Internal Server Error: llama runner process has terminated: exit status 2",
        bytes: &[],
        counts: &[],
        verdict: "unknown",
        cause: "unknown-no-figures",
        family: "ask-for-more",
        command: "journalctl -u ollama",
    },
    Case {
        name: "ended for lack of memory on the card, without figures",
        text: "Error: llama runner process has terminated: cudaMalloc failed: out of memory",
        bytes: &[],
        counts: &[],
        verdict: "gpu-memory",
        cause: "unknown-no-figures",
        family: "engine-setting",
        command: "ollama serve",
    },
    Case {
        name: "the plan was too optimistic",
        text: "Apr 17 23:09:42 host ollama[2840147]: ggml_backend_cuda_buffer_type_alloc_buffer: allocating 5679.33 MiB on device 0: cudaMalloc failed: out of memory\nApr 17 23:09:42 host ollama[2840147]: alloc_tensor_range: failed to allocate CUDA0 buffer of size 5955212800\nApr 17 23:09:42 host ollama[2840147]: llama_model_load: error loading model: unable to allocate CUDA0 buffer\nApr 17 23:09:43 host ollama[2840147]: time=2025-04-17T23:09:43.001+02:00 level=ERROR source=sched.go:457 msg=\"error loading llama server\" error=\"llama runner process has terminated: error loading model: unable to allocate CUDA0 buffer\"",
        bytes: &[("requested", mib(567_933))],
        counts: &[],
        verdict: "gpu-memory",
        cause: "estimate-too-optimistic",
        family: "engine-setting",
        command: "ollama serve",
    },
    Case {
        name: "the plan of 2024, over two cards, split by the logger in a word",
        text: "Feb 03 10:00:00 host ollama[99]: time=2025-02-03T10:00:00.000Z level=INFO source=memory.go:356 msg=\"offload to cuda\" layers.requested=-1 layers.model=81 layers.offload=63 layers.split=\"32,31\" memory.available=\"[23.3 GiB 23.1 GiB]\" memory.gpu_o\nFeb 03 10:00:00 host ollama[99]: verhead=\"0 B\" memory.required.full=\"55.3 GiB\" memory.required.partial=\"45.9 GiB\" memory.required.kv=\"2.5 GiB\" memory.required.allocations=\"[23.0 GiB 22.9 GiB]\" memory.weights.total=\"49.1 GiB\" memory.weights.repeating=\"48.3 GiB\" memory.weights.nonrepeating=\"822.0 MiB\" memory.graph.full=\"1.1 GiB\" memory.graph.partial=\"1.1 GiB\"",
        bytes: &[
            ("available", gib(2330)),
            ("available", gib(2310)),
            ("required_full", gib(5530)),
            ("required_partial", gib(4590)),
            ("required_kv", gib(250)),
            ("weights", gib(4910)),
        ],
        counts: &[("layers_requested", -1), ("layers_model", 81), ("layers_offload", 63)],
        verdict: "no-error",
        cause: "partial-offload",
        family: "reduce-work",
        command: "OLLAMA_CONTEXT_LENGTH",
    },
    Case {
        name: "a plan with all layers on the card",
        text: "msg=offload library=cuda layers.requested=-1 layers.model=33 layers.offload=33 layers.split=[] memory.available=[22.8 GiB] memory.gpu_overhead=\"0 B\" memory.required.full=\"6.5 GiB\" memory.required.partial=\"6.5 GiB\" memory.required.kv=\"1.0 GiB\" memory.required.allocations=\"[6.5 GiB]\" memory.weights.total=\"4.3 GiB\"",
        bytes: &[("available", gib(2280)), ("required_full", gib(650))],
        counts: &[("layers_offload", 33)],
        verdict: "no-error",
        cause: "info-success",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "ps of an older version: minutes are no context",
        text: "NAME           ID              SIZE     PROCESSOR          UNTIL\nqwen2.5:32b    9f13ba1299af    26 GB    9%/91% CPU/GPU    4 minutes from now",
        bytes: &[("size", 26_000_000_000)],
        counts: &[("cpu_percent", 9), ("gpu_percent", 91)],
        verdict: "no-error",
        cause: "partial-offload",
        family: "reduce-work",
        command: "OLLAMA_CONTEXT_LENGTH",
    },
    Case {
        name: "ps: all on the processor",
        text: "NAME            ID              SIZE     PROCESSOR    CONTEXT    UNTIL\nllama3.3:70b    a6eb4748fd29    46 GB    100% CPU     8192       Stopping...",
        bytes: &[("size", 46_000_000_000)],
        counts: &[("cpu_percent", 100), ("context", 8192)],
        verdict: "no-error",
        cause: "partial-offload",
        family: "reduce-work",
        command: "OLLAMA_CONTEXT_LENGTH=4096",
    },
    Case {
        name: "ps: all on the card",
        text: "NAME           ID              SIZE      PROCESSOR    CONTEXT    UNTIL\nllama3.1:8b    46e0c10c039e    5.3 GB    100% GPU     4096       4 minutes from now",
        bytes: &[("size", 5_300_000_000)],
        counts: &[("gpu_percent", 100), ("context", 4096)],
        verdict: "no-error",
        cause: "info-success",
        family: "nothing-to-fix",
        command: "",
    },
    Case {
        name: "the new engine, several layers short",
        text: "time=2025-11-06T18:15:54.738Z level=INFO source=ggml.go:498 msg=\"offloaded 30/49 layers to GPU\"\ntime=2025-11-06T18:15:54.738Z level=INFO source=device.go:240 msg=\"model weights\" device=CUDA0 size=\"10.7 GiB\"\ntime=2025-11-06T18:15:54.738Z level=INFO source=device.go:245 msg=\"model weights\" device=CPU size=\"7.2 GiB\"\ntime=2025-11-06T18:15:54.738Z level=INFO source=device.go:251 msg=\"kv cache\" device=CUDA0 size=\"1.2 GiB\"\ntime=2025-11-06T18:15:54.738Z level=INFO source=device.go:256 msg=\"kv cache\" device=CPU size=\"768.0 MiB\"\ntime=2025-11-06T18:15:54.738Z level=INFO source=device.go:272 msg=\"total memory\" size=\"21.1 GiB\"",
        bytes: &[
            ("model", gib(1070)),
            ("host_model", gib(720)),
            ("host_kv", 768 * MIB),
            ("total", gib(2110)),
        ],
        counts: &[("layers_offload", 30), ("layers_model", 49)],
        verdict: "no-error",
        cause: "partial-offload",
        family: "reduce-work",
        command: "",
    },
];

const DESKTOP: &[Case] = &[
    Case {
        name: "LM Studio's guard without a figure",
        text: "Failed to load model \"qwen3-30b\". Error: Model loading was stopped due to insufficient system resources. Continuing to load the model would likely overload your system and cause it to freeze. If you think this is incorrect, you can adjust the model loading guardrails in settings.",
        bytes: &[],
        counts: &[],
        verdict: "unknown",
        cause: "does-not-fit-planned",
        family: "reduce-work",
        command: "lms load MODEL --context-length",
    },
    Case {
        name: "LM Studio's engine crashed",
        text: "The model has crashed without additional information. (Exit code: 6)",
        bytes: &[],
        counts: &[("exit_code", 6)],
        verdict: "unknown",
        cause: "unknown-no-figures",
        family: "engine-setting",
        command: "lms load MODEL --gpu 0",
    },
    Case {
        name: "faster-whisper on the card",
        text: "RuntimeError: CUDA failed with error out of memory",
        bytes: &[],
        counts: &[],
        verdict: "gpu-memory",
        cause: "unknown-no-figures",
        family: "lower-precision",
        command: "int8_float16",
    },
    Case {
        name: "CTranslate2 in system memory",
        text: "RuntimeError: mkl_malloc: failed to allocate memory",
        bytes: &[],
        counts: &[],
        verdict: "host-memory",
        cause: "host-ram",
        family: "host-resource",
        command: "free -h",
    },
    Case {
        name: "a command line alone says nothing",
        text: "I start it with llama-server --model m.gguf --ctx-size 8192 --n-gpu-layers 33 and wonder whether that is the best way to do so.",
        bytes: &[],
        counts: &[("n_ctx", 8192), ("n_gpu_layers", 33)],
        verdict: "no-error",
        cause: "not-an-error",
        family: "ask-for-more",
        command: "",
    },
];
