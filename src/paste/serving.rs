//! What other servers print: Text Generation Inference, TensorRT and TensorRT-LLM, LMDeploy, ExLlamaV2, MLC-LLM.
//!
//! Sources: `server/text_generation_server/models/flash_causal_lm.py` of huggingface/text-generation-inference,
//! `cpp/tensorrt_llm` of NVIDIA/TensorRT-LLM, `lmdeploy/pytorch/engine` of InternLM/lmdeploy,
//! `exllamav2/model.py` of turboderp-org/exllamav2, `mlc_llm` of mlc-ai/mlc-llm, and public threads.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// TGI's line around the error of its warm-up.
pub const TGI_WARMUP: Group = Group {
    tool: "tgi",
    kind: Kind::Warmup,
    rows: rows![
        "tgi-prefill" Opens "TG-1" "Not enough memory to handle {prefill_tokens:int} prefill tokens", "1.0 and later",
            "RuntimeError: Not enough memory to handle 4096 prefill tokens. You need to decrease `--max-batch-prefill-tokens`";
        "tgi-prefill" Opens "TG-1" "Not enough memory to handle {_total:int} total tokens with {prefill_tokens:int} prefill tokens", "0.9",
            "Not enough memory to handle 16000 total tokens with 4096 prefill tokens. You need to decrease `--max-batch-total-tokens` or `--max-batch-prefill-tokens`";
        "tgi-warmup" Opens "TG-1" "Unable to warmup the Python model shards", "2.0 and later", "Unable to warmup the Python model shards: Generation(\"…\")";
    ],
};

/// TGI goes on without its graphs.
pub const TGI_HANDLED: Group = Group {
    tool: "tgi",
    kind: Kind::Handled,
    rows: rows![
        "tgi-graph" Lists "TG-1" "Decode cuda graph warmup failed", "2.0 and later", "Decode cuda graph warmup failed";
    ],
};

/// TGI's cache is too small for one request.
pub const TGI_KV: Group = Group {
    tool: "tgi",
    kind: Kind::KvTooSmall,
    rows: rows![
        "tgi-kv" Opens "TG-1" "Not enough memory to handle max_total_tokens={max_seq_len:int}", "1.0 and later",
            "Not enough memory to handle `max_total_tokens=32768`";
    ],
};

/// TGI's start-up lines. Its debug lines are among the few with decimal GB.
pub const TGI_START: Group = Group {
    tool: "tgi",
    kind: Kind::EngineStart,
    rows: rows![
        "tgi-blocks" Lists "TG-1" "KV-cache blocks: {gpu_blocks:int}, size: {block_size:int}", "2.0 and later", "KV-cache blocks: 133568, size: 1";
        "engine-kv-total" Lists "TG-1" "Inferred max batch total tokens: {kv_tokens:int}", "1.0 and later", "Inferred max batch total tokens: 133568";
        "engine-kv-total" Lists "TG-1" "Setting max batch total tokens to {kv_tokens:int}", "1.0 and later", "Setting max batch total tokens to 133568";
        "tgi-free" Lists "TG-1" "Free memory {free:dec} , (real: {free_real:dec}", "3.0 and later", "Free memory 22.51GB , (real: 23.80GB";
    ],
};

/// TensorRT and TensorRT-LLM could not allocate.
pub const TENSORRT_OOM: Group = Group {
    tool: "tensorrt",
    kind: Kind::EngineOom,
    rows: rows![
        "trt-llm-oom" Joins "TR-1" "CUDA runtime error in {_call:text}: out of memory", "all",
            "[TensorRT-LLM][ERROR] CUDA runtime error in ::cudaMalloc(ptr, n): out of memory (/src/tensorrt_llm/runtime/tllmBuffers.h:112)";
        "trt-request" Joins "TR-2" "Requested amount of GPU memory ({requested:size}) could not be allocated", "8 and later",
            "[TRT] [W] Requested amount of GPU memory (8589934592 bytes) could not be allocated. There may not be enough free memory for allocation to succeed.";
        "trt-oom" Joins "TR-2" "Error Code 2: OutOfMemory", "8 and later",
            "[TRT] [E] 2: [virtualMemoryBuffer.cpp::resizePhysical::145] Error Code 2: OutOfMemory (no further information)";
        "trt-size" Adds "TR-2" "Requested size was {requested:size}", "10 and later", "OutOfMemory (Requested size was 8589934592 bytes.)";
        "trt-oom" Joins "TR-2" "Error Code 1: Cuda Runtime (out of memory)", "8 and later",
            "[TRT] [E] 1: [defaultAllocator.cpp::allocate::20] Error Code 1: Cuda Runtime (out of memory)";
    ],
};

/// TensorRT-LLM's cache does not hold one sequence.
pub const TENSORRT_KV: Group = Group {
    tool: "tensorrt",
    kind: Kind::KvTooSmall,
    rows: rows![
        "trt-kv-small" Opens "TR-1" "must be large enough to process at least 1 sequence to completion", "0.5 and later",
            "[TensorRT-LLM][ERROR] maxTokensInPagedKvCache must be large enough to process at least 1 sequence to completion (i.e. must be larger than beam_width * tokensPerBlock * maxBlocksPerSeq)";
    ],
};

/// TensorRT tries a tactic and takes another one.
pub const TENSORRT_HANDLED: Group = Group {
    tool: "tensorrt",
    kind: Kind::Handled,
    rows: rows![
        "trt-tactic" Recovers "TR-2" "due to insufficient memory on requested size of {requested:bytes}", "8 and later",
            "[TRT] [W] Skipping tactic 3 due to insufficient memory on requested size of 4831838208 detected for tactic 0x00000000000003e8.";
    ],
};

/// Where the memory went at TensorRT-LLM's start.
pub const TENSORRT_START: Group = Group {
    tool: "tensorrt",
    kind: Kind::EngineStart,
    rows: rows![
        "engine-weights" Lists "TR-1" "Loaded engine size: {weights:size}", "all", "[TensorRT-LLM][INFO] Loaded engine size: 14244 MiB";
        "trt-card" Lists "TR-1" "Memory usage when calculating max tokens in paged kv cache: total: {total:size}, available: {free:size}", "0.10 and later",
            "Memory usage when calculating max tokens in paged kv cache: total: 79.10 GiB, available: 63.49 GiB";
        "trt-kv" Lists "TR-1" "Allocated {kv_cache:size} for max tokens in paged KV cache ({kv_tokens:int})", "0.10 and later",
            "[MemUsageChange] Allocated 57.14 GiB for max tokens in paged KV cache (468096).";
        "trt-context" Lists "TR-1" "Allocated {compute:size} for execution context memory", "0.10 and later",
            "[MemUsageChange] Allocated 1.26 GiB for execution context memory.";
        "trt-buffers" Lists "TR-1" "Allocated {buffers:size} GPU memory for", "0.10 and later",
            "[MemUsageChange] Allocated 3.01 GB GPU memory for decoder.";
        "trt-blocks" Lists "TR-1" "Number of blocks in KV cache primary pool: {gpu_blocks:int}", "0.10 and later",
            "Number of blocks in KV cache primary pool: 7314";
        "trt-now" Lists "TR-1" "now: CPU {_host:int}, GPU {used:mib} (MiB)", "all",
            "[MemUsageChange] Init cuBLAS/cuBLASLt: CPU +2, GPU +8, now: CPU 14601, GPU 14742 (MiB)";
    ],
};

/// LMDeploy has nothing left for its cache.
pub const LMDEPLOY_NONE: Group = Group {
    tool: "lmdeploy",
    kind: Kind::KvNone,
    rows: rows![
        "kv-none" Opens "LM-1" "No enough gpu memory for kv cache", "0.2 and later", "RuntimeError: No enough gpu memory for kv cache.";
        "kv-none" Opens "LM-1" "No enough gpu memory for state cache", "0.9 and later",
            "AssertionError: No enough gpu memory for state cache. Please reduce max_batch_size.";
    ],
};

/// LMDeploy ran out, without figures.
pub const LMDEPLOY_OOM: Group = Group {
    tool: "lmdeploy",
    kind: Kind::EngineOom,
    rows: rows![
        "lmdeploy-oom" Opens "LM-1" "CUDA runtime error: out of memory", "TurboMind",
            "[TM][ERROR] CUDA runtime error: out of memory /lmdeploy/src/turbomind/utils/allocator.h:231";
        "lmdeploy-runtime" Opens "LM-1" "No enough gpu memory for runtime", "0.2 and later", "RuntimeError: No enough gpu memory for runtime.";
        "lmdeploy-blocks" Opens "LM-1" "No enough free memory blocks", "0.2 and later", "MemoryError: No enough free memory blocks.";
        "lmdeploy-blocks" Opens "LM-1" "cache out of memory, no request can be admitted", "0.10 and later",
            "dp0 ID 3: cache out of memory, no request can be admitted; failing head-of-line request";
    ],
};

/// LMDeploy takes shorter pieces of prompts by itself.
pub const LMDEPLOY_HANDLED: Group = Group {
    tool: "lmdeploy",
    kind: Kind::Handled,
    rows: rows![
        "lmdeploy-prefill" Lists "LM-1" "No enough memory. Update max_prefill_token_num={max_prefill_token_num:int}", "0.2 and later",
            "No enough memory. Update max_prefill_token_num=2048";
    ],
};

/// ExLlamaV2 could not place the model.
pub const EXLLAMA_OOM: Group = Group {
    tool: "exllamav2",
    kind: Kind::EngineOom,
    rows: rows![
        "exllama-split" Opens "EX-1" "Insufficient VRAM for model and cache", "all", "RuntimeError: Insufficient VRAM for model and cache";
        "exllama-split" Opens "EX-1" "Insufficient VRAM in split for model and cache", "ExLlamaV3", "RuntimeError: Insufficient VRAM in split for model and cache";
        "exllama-split" Opens "EX-1" "Insufficient space in device allocation", "all", "AssertionError: Insufficient space in device allocation";
    ],
};

/// ExLlamaV2's converter goes on another card.
pub const EXLLAMA_HANDLED: Group = Group {
    tool: "exllamav2",
    kind: Kind::Handled,
    rows: rows![
        "exllama-moved" Lists "EX-1" "Out of memory ({_what:word}), moving to device {device:int}", "all", " !! Out of memory (H), moving to device 1";
    ],
};

/// MLC-LLM's check before it allocates anything.
pub const MLC: Group = Group {
    tool: "mlc-llm",
    kind: Kind::PlanRefused,
    rows: rows![
        "mlc-refused" Opens "ML-1" "Insufficient GPU memory error: The available single GPU memory is {available:size}, which is less than the sum of model weight size ({weights:size}) and temporary buffer size ({temporary:size})", "0.10 and later",
            "InternalError: Check failed: Insufficient GPU memory error: The available single GPU memory is 6963.200 MB, which is less than the sum of model weight size (7646.391 MB) and temporary buffer size (820.123 MB).";
        "mlc-refused-short" Opens "ML-1" "Insufficient GPU memory error", "0.10 and later", "InternalError: Insufficient GPU memory error";
    ],
};
