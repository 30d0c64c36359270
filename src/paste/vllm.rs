//! What vLLM prints: its KV cache is too small, the card is not free at start, a warm-up fails; and at a healthy start
//! where the memory went. Its old `GB` are GiB.
//!
//! Sources: `vllm/v1/core/kv_cache_utils.py`, `vllm/v1/worker/gpu_worker.py`, `vllm/worker/worker.py` of
//! vllm-project/vllm, and public threads.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// The weights fit, one request of the maximum length does not. The bracket before the first figure is never closed.
pub const KV_TOO_SMALL: Group = Group {
    tool: "vllm",
    kind: Kind::KvTooSmall,
    rows: rows![
        "vllm-kv-tokens" Opens "VL-1" "max seq len ({max_seq_len:int}) is larger than the maximum number of tokens that can be stored in KV cache ({kv_tokens:int})", "0.2 to 0.10",
            "ValueError: The model's max seq len (4096) is larger than the maximum number of tokens that can be stored in KV cache (3664).";
        "vllm-kv-needed" Opens "VL-2" "max seq len ({max_seq_len:int}), ({kv_needed:size} KV cache is needed", "0.8 and later",
            "ValueError: To serve at least one request with the models's max seq len (1048576), (24.00 GiB KV cache is needed,";
        "vllm-kv-needed" Opens "VL-2" "max seq len ({max_seq_len:int}), {kv_needed:size} KV cache is needed", "0.10 and later",
            "ValueError: To serve at least one request with the model's max seq len (40960), 6.0 GiB KV cache is needed,";
        "vllm-kv-available" Joins "VL-2" "larger than the available KV cache memory ({kv_available:size}", "0.8 and later",
            "which is larger than the available KV cache memory (9.97 GiB).";
        "vllm-kv-estimate" Joins "VL-2" "the estimated maximum model length is {estimated_max_len:int}", "0.9 and later",
            "Based on the available memory, the estimated maximum model length is 99712.";
    ],
};

/// Weights and the measured peak leave nothing for the cache.
pub const KV_NONE: Group = Group {
    tool: "vllm",
    kind: Kind::KvNone,
    rows: rows![
        "kv-none" Opens "VL-3" "No available memory for the cache blocks", "all",
            "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.";
    ],
};

/// Less is free at start than vLLM wants. The unit stands behind the second number only.
pub const STARTUP_FREE: Group = Group {
    tool: "vllm",
    kind: Kind::StartupFree,
    rows: rows![
        "vllm-startup-free" Opens "VL-4" "Free memory on device ({free:gib}/{total:size}) on startup is less than", "0.8 and later",
            "ValueError: Free memory on device (31.44/47.38 GiB) on startup is less than desired";
        "vllm-startup-free" Opens "VL-4" "Free memory on device {_kind:word}:{device:int} ({free:gib}/{total:size}) on startup is less than", "0.15 and later",
            "ValueError: Free memory on device cuda:1 (19.77/22.05 GiB) on startup is less than desired";
        "vllm-desired" Joins "VL-4" "desired GPU memory utilization ({gpu_memory_utilization:num}, {desired:size})", "0.8 and later",
            "desired GPU memory utilization (0.95, 45.01 GiB).";
    ],
};

/// The CPU backend's wording of the same, about the computer's memory.
pub const STARTUP_HOST: Group = Group {
    tool: "vllm",
    kind: Kind::StartupHost,
    rows: rows![
        "vllm-startup-host" Opens "VL-4" "Available memory on node {node:int} ({free:gib}/{total:size}) on startup is less than", "CPU backend",
            "ValueError: Available memory on node 0 (11.20/62.70 GiB) on startup is less than desired";
        "vllm-desired" Joins "VL-4" "desired CPU memory utilization ({gpu_memory_utilization:num}, {desired:size})", "CPU backend",
            "desired CPU memory utilization (0.9, 56.43 GiB).";
    ],
};

/// Free memory grew while vLLM measured what the model needs.
pub const PROFILING: Group = Group {
    tool: "vllm",
    kind: Kind::ProfilingRace,
    rows: rows![
        "vllm-profiling" Opens "VL-5" "Initial free memory {initial_free:size}, current free memory {current_free:size}", "0.8 and later",
            "AssertionError: Error in memory profiling. Initial free memory 19.5 GiB, current free memory 23.1 GiB.";
        "vllm-profiling" Opens "VL-5" "Initial free memory {initial_free:bytes}, current free memory {current_free:bytes}", "before 0.8",
            "AssertionError: Error in memory profiling. Initial free memory 20937965568, current free memory 24803409920.";
    ],
};

/// The line around the error of a warm-up.
pub const WARMUP: Group = Group {
    tool: "vllm",
    kind: Kind::Warmup,
    rows: rows![
        "vllm-warmup-sampler" Opens "VL-6" "out of memory occurred when warming up sampler with {dummy_requests:int} dummy requests", "0.8 and later",
            "RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests.";
        "vllm-warmup-pooler" Opens "VL-6" "out of memory occurred when warming up pooler ({_task:word}) with {dummy_requests:int} dummy requests", "0.9 and later",
            "RuntimeError: CUDA out of memory occurred when warming up pooler (embed) with 256 dummy requests.";
    ],
};

/// The last lines of a failed start, which only say that it failed.
pub const WRAPPER: Group = Group {
    tool: "vllm",
    kind: Kind::Wrapper,
    rows: rows![
        "engine-failed" Opens "VL-6" "Engine core initialization failed", "0.8 and later",
            "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}";
        "engine-failed" Opens "VL-6" "Engine process failed to start", "0.6 to 0.8",
            "RuntimeError: Engine process failed to start. See stack trace for the root cause.";
    ],
};

/// The cache is full at work: requests wait and are computed again.
pub const PRESSURE: Group = Group {
    tool: "vllm",
    kind: Kind::Handled,
    rows: rows![
        "vllm-preempted" Lists "VL-7" "is preempted by PreemptionMode.{_mode:word} mode because there is not enough KV cache space", "0.4 to 0.10",
            "Sequence group 17 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space.";
    ],
};

/// Where the memory went at a healthy start.
pub const START: Group = Group {
    tool: "vllm",
    kind: Kind::EngineStart,
    rows: rows![
        "engine-weights" Lists "VL-7" "Loading model weights took {weights:size}", "before 0.7", "Loading model weights took 14.9888 GB";
        "engine-weights" Lists "VL-7" "Model loading took {weights:size}", "0.7 and later",
            "Model loading took 15.27 GiB memory and 12.456789 seconds";
        "vllm-budget" Lists "VL-7" "total_gpu_memory ({total:size}) x gpu_memory_utilization ({gpu_memory_utilization:num}) = {budget:size}", "0.6 to 0.10",
            "the current vLLM instance can use total_gpu_memory (79.19GiB) x gpu_memory_utilization (0.90) = 71.27GiB";
        "engine-weights" Lists "VL-7" "model weights take {weights:size}", "0.6 to 0.10", "model weights take 12.55GiB;";
        "vllm-non-torch" Lists "VL-7" "non_torch_memory takes {non_torch:size}", "0.6 to 0.10", "non_torch_memory takes 0.16GiB;";
        "vllm-activations" Lists "VL-7" "PyTorch activation peak memory takes {activation_peak:size}", "0.6 to 0.10",
            "PyTorch activation peak memory takes 2.38GiB;";
        "engine-kv" Lists "VL-7" "the rest of the memory reserved for KV Cache is {kv_cache:size}", "0.6 to 0.10",
            "the rest of the memory reserved for KV Cache is 56.18GiB.";
        "vllm-blocks" Lists "VL-7" "GPU blocks: {gpu_blocks:int}, # CPU blocks: {cpu_blocks:int}", "before 0.7", "# GPU blocks: 229, # CPU blocks: 512";
        "vllm-blocks" Lists "VL-7" "# {_device:word} blocks: {gpu_blocks:int}, # CPU blocks: {cpu_blocks:int}", "0.7 to 0.10",
            "# cuda blocks: 7191, # CPU blocks: 512";
        "engine-kv" Lists "VL-7" "Available KV cache memory: {kv_cache:size}", "0.9 and later", "Available KV cache memory: 52.87 GiB";
        "engine-kv-tokens" Lists "VL-7" "KV cache size: {kv_tokens:int} tokens", "0.8 and later", "GPU KV cache size: 1,732,832 tokens";
        "vllm-concurrency" Lists "VL-7" "Maximum concurrency for {concurrency_tokens:int} tokens per request: {concurrency:num}x", "0.6 and later",
            "Maximum concurrency for 40,960 tokens per request: 42.31x";
        "vllm-graph-estimate" Lists "VL-7" "Estimated CUDA graph memory: {graph_estimated:size} total", "0.16 and later",
            "Estimated CUDA graph memory: 0.55 GiB total";
        "engine-graph" Lists "VL-7" "CUDA graph pool memory: {graph:size} (actual)", "0.16 and later",
            "CUDA graph pool memory: 0.51 GiB (actual), 0.55 GiB (estimated)";
        "vllm-graph-estimate" Lists "VL-7" ", {graph_estimated:size} (estimated)", "0.16 and later", ", 0.55 GiB (estimated), difference: 0.04 GiB";
        "engine-graph" Lists "VL-7" "Graph capturing finished in {_seconds:num} secs, took {graph:size}", "0.6 and later",
            "Graph capturing finished in 21 secs, took 0.52 GiB";
        "vllm-utilization-shift" Lists "VL-7" "--gpu-memory-utilization={gpu_memory_utilization:num} is equivalent to --gpu-memory-utilization={without_graphs:num}", "0.21 and later",
            "The current --gpu-memory-utilization=0.9200 is equivalent to --gpu-memory-utilization=0.8977 without CUDA graph memory profiling.";
        "vllm-free-start" Lists "VL-7" "Free memory on device ({free:gib}/{total:size}) on startup. Desired GPU memory utilization is ({gpu_memory_utilization:num}, {budget:size})", "0.10 and later",
            "Free memory on device (78.62/79.19 GiB) on startup. Desired GPU memory utilization is (0.9, 71.27 GiB).";
        "vllm-free-start" Lists "VL-7" "Free memory on device {_kind:word}:{device:int} ({free:gib}/{total:size}) on startup. Desired GPU memory utilization is ({gpu_memory_utilization:num}, {budget:size})", "0.15 and later",
            "Free memory on device cuda:0 (78.62/79.19 GiB) on startup. Desired GPU memory utilization is (0.9, 71.27 GiB).";
        "engine-weights" Lists "VL-7" "Actual usage is {weights:size} for weight", "0.10 and later", "Actual usage is 15.27 GiB for weight,";
        "vllm-activations" Lists "VL-7" "{activation_peak:size} for peak activation", "0.10 and later", "1.12 GiB for peak activation,";
        "vllm-non-torch" Lists "VL-7" "{non_torch:size} for non-torch memory", "0.10 and later", "0.10 GiB for non-torch memory,";
        "engine-graph" Lists "VL-7" "{graph:size} for CUDAGraph memory", "0.10 and later", "and 0.51 GiB for CUDAGraph memory.";
        "vllm-kv-flag" Lists "VL-7" "--kv-cache-memory={_kv:bytes} ({kv_to_budget:size}) to fit into requested memory", "0.10 and later",
            "Replace gpu_memory_utilization config with `--kv-cache-memory=58250000000` (54.25 GiB) to fit into requested memory,";
        "vllm-kv-flag-full" Lists "VL-7" "--kv-cache-memory={_kv:bytes} ({kv_to_card:size}) to fully utilize gpu memory", "0.10 and later",
            "or `--kv-cache-memory=66140000000` (61.60 GiB) to fully utilize gpu memory.";
        "engine-kv" Lists "VL-7" "Current kv cache memory in use is {kv_cache:size}", "0.10 and later", "Current kv cache memory in use is 54.25 GiB.";
        "vllm-blocks-forced" Lists "VL-7" "Overriding num_gpu_blocks={_measured:int} with num_gpu_blocks_override={gpu_blocks:int}", "all",
            "Overriding num_gpu_blocks=7191 with num_gpu_blocks_override=512";
        "vllm-sleep" Lists "VL-7" "Sleep mode freed {freed:size} memory, {in_use:size} memory is still in use", "0.7 and later",
            "Sleep mode freed 66.12 GiB memory, 2.31 GiB memory is still in use.";
    ],
};
