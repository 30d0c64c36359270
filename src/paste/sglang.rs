//! What SGLang prints: nothing is left for its KV pool, a graph capture fails, the pool is full at work; and at a
//! healthy start where the memory went. Its `GB` are GiB.
//!
//! Sources: `python/sglang/srt/model_executor/model_runner.py`, `cuda_graph_runner.py`, `managers/scheduler.py` of
//! sgl-project/sglang, and public threads.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// The weights fill the static share.
pub const KV_NONE: Group = Group {
    tool: "sglang",
    kind: Kind::KvNone,
    rows: rows![
        "sglang-kv-none" Opens "SG-1" "Not enough memory. Please try to increase --mem-fraction-static", "all",
            "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.";
        "sglang-fraction" Adds "SG-1" "Current value: {_path:word}mem_fraction_static={mem_fraction_static:num}", "0.4.7 and later",
            "Current value: self.server_args.mem_fraction_static=0.88";
        "sglang-fraction" Adds "SG-1" "Current value: mem_fraction_static={mem_fraction_static:num}", "0.4.7 and later",
            "Current value: mem_fraction_static=0.88";
    ],
};

/// The line around the error of a graph capture, which need not be about memory.
pub const WARMUP: Group = Group {
    tool: "sglang",
    kind: Kind::Warmup,
    rows: rows![
        "sglang-capture-failed" Opens "SG-1" "Capture cuda graph failed:", "all", "Exception: Capture cuda graph failed: CUDA out of memory.";
        "sglang-capture-failed" Opens "SG-1" "Capture CPU graph failed:", "all", "Exception: Capture CPU graph failed: out of memory.";
    ],
};

/// The cache's second level, in system memory, does not fit there. Its GB are decimal.
pub const HOST: Group = Group {
    tool: "sglang",
    kind: Kind::EngineHost,
    rows: rows![
        "sglang-host" Opens "SG-1" "Not enough host memory available. Requesting {requested:dec} but only have {available:dec} free", "0.4.6 and later, hierarchical cache",
            "ValueError: Not enough host memory available. Requesting 40.00 GB but only have 31.12 GB free. Please reduce the size of the hierarchical cache.";
    ],
};

/// The pool could not take a prompt.
pub const OOM: Group = Group {
    tool: "sglang",
    kind: Kind::EngineOom,
    rows: rows![
        "sglang-prefill-oom" Opens "SG-1" "Prefill out of memory.", "0.4 and later", "RuntimeError: Prefill out of memory. Try to lower your batch size.";
        "sglang-prefill-oom" Opens "SG-1" "Decode out of memory. Try", "0.4 and later", "RuntimeError: Decode out of memory. Try to lower your batch size.";
        "sglang-prefill-oom" Opens "SG-1" "alloc_req_slots runs out of memory", "0.4 and later",
            "RuntimeError: alloc_req_slots runs out of memory. Please set a smaller number for `--max-running-requests`.";
    ],
};

/// The pool is full at work: requests are put back and continue later.
pub const PRESSURE: Group = Group {
    tool: "sglang",
    kind: Kind::Handled,
    rows: rows![
        "sglang-retracted" Lists "SG-1" "decode out of memory happened. #retracted_reqs: {retracted:int}", "0.3 and later",
            "Decode out of memory happened. #retracted_reqs: 3, #new_token_ratio: 0.5821 -> 0.9121";
        "sglang-retracted" Lists "SG-1" "decode out of memory happened, #retracted_reqs: {retracted:int}", "before 0.3",
            "decode out of memory happened, #retracted_reqs: 1, #new_token_ratio: 0.5821 -> 0.9121";
        "sglang-retracted" Lists "SG-1" "KV cache pool is full. Retract requests. #retracted_reqs: {retracted:int}", "0.5 and later",
            "KV cache pool is full. Retract requests. #retracted_reqs: 2, #new_token_ratio: 0.58 -> 0.91";
    ],
};

/// Where the memory went at a healthy start.
pub const START: Group = Group {
    tool: "sglang",
    kind: Kind::EngineStart,
    rows: rows![
        "sglang-host-kv" Lists "SG-1" "Allocating {host_kv:dec} host memory for hierarchical KV cache", "0.4.6 and later", "Allocating 40.00 GB host memory for hierarchical KV cache.";
        "sglang-free-start" Lists "SG-1" "Load weight begin. avail mem={free_at_start:size}", "all", "Load weight begin. avail mem=23.18 GB";
        "sglang-weights" Lists "SG-1" "dtype={_dtype:word}, avail mem={free_after_weights:size}, mem usage={weights:size}", "0.4 and later",
            "Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.48 GB, mem usage=15.11 GB.";
        "sglang-weights" Lists "SG-1" "avail mem={free_after_weights:size}, mem usage={weights:size}", "0.5 and later",
            "Load weight end. elapsed=4.2 s, type=LlamaForCausalLM, avail mem=63.48 GB, mem usage=15.11 GB.";
        "sglang-weights" Lists "SG-1" "mem usage={weights:size}, avail mem={free_after_weights:size}", "0.5 and later",
            "Load weight end. elapsed=4.2 s, type=LlamaForCausalLM, mem usage=15.11 GB, avail mem=63.48 GB.";
        "sglang-free-weights" Lists "SG-1" "dtype={_dtype:word}, avail mem={free_after_weights:size}", "before 0.4",
            "Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.48 GB";
        "sglang-kv" Lists "SG-1" "#tokens: {kv_tokens:int}, K size: {k_size:size}, V size: {v_size:size}", "0.4 and later",
            "KV Cache is allocated. #tokens: 442750, K size: 27.02 GB, V size: 27.02 GB";
        "sglang-kv-one" Lists "SG-1" "#tokens: {kv_tokens:int}, KV size: {kv_cache:size}", "0.4 and later, MLA",
            "KV Cache is allocated. #tokens: 442750, KV size: 27.02 GB";
        "sglang-kv-one" Lists "SG-1" "#tokens: {kv_tokens:int}, Cache size: {kv_cache:size}", "0.5 and later",
            "KV Cache is allocated. #tokens: 442750, Cache size: 27.02 GB";
        "sglang-kv-sizes" Lists "SG-1" "K size: {k_size:size}, V size: {v_size:size}", "0.3 and later",
            "KV Cache is allocated. K size: 27.02 GB, V size: 27.02 GB.";
        "sglang-mamba" Lists "SG-1" "conv_state size: {conv_state:size}, ssm_state size: {ssm_state:size}", "0.5 and later",
            "Mamba Cache is allocated. max_mamba_cache_size: 96, conv_state size: 0.09GB, ssm_state size: 4.22GB";
        "sglang-free-pool" Lists "SG-1" "Memory pool end. avail mem={free_after_pool:size}", "all", "Memory pool end. avail mem=11.87 GB";
        "sglang-free-graph" Lists "SG-1" "graph begin. This can take up to several minutes. avail mem={free_before_graph:size}", "0.4 and later",
            "Capture cuda graph begin. This can take up to several minutes. avail mem=12.01 GB";
        "sglang-graph" Lists "SG-1" "mem usage={graph:size}. avail mem={free:size}", "0.4 and later",
            "Capture cuda graph end. Time elapsed: 6.53 s. mem usage=1.74 GB. avail mem=9.91 GB.";
        "sglang-graph-free" Lists "SG-1" "s. avail mem={free:size}", "0.3 to 0.4", "Capture cuda graph end. Time elapsed: 6.53 s. avail mem=9.91 GB";
        "engine-kv-total" Lists "SG-1" "max_total_num_tokens={kv_tokens:int}", "all",
            "max_total_num_tokens=442750, chunked_prefill_size=8192, max_prefill_tokens=16384,";
        "sglang-limits" Lists "SG-1" "max_running_requests={max_running_requests:int}, context_len={context_len:int}", "0.4 and later",
            "max_running_requests=2048, context_len=131072, available_gpu_mem=9.91 GB";
        "engine-free" Lists "SG-1" "available_gpu_mem={free:size}", "0.4.9 and later", "available_gpu_mem=9.91 GB";
    ],
};
