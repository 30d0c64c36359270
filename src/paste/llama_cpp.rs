//! What llama.cpp and everything built on ggml print: a buffer that could not be allocated on the card or in system
//! memory, the pool that ran out at work, and the load lines that tell where the memory went.
//!
//! Its `MB` are MiB, but Metal's working set is decimal. Sources: `ggml/src/ggml-cuda/ggml-cuda.cu`, `ggml-alloc.c`,
//! `ggml-vulkan.cpp`, `ggml-metal`, `src/llama-model.cpp`, `llama-kv-cache.cpp`, `llama-context.cpp`, `common/fit.cpp`
//! of ggml-org/llama.cpp, and public threads.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// A buffer on the card. The stage (weights, KV cache, compute) is told by the lines around it.
pub const ALLOC: Group = Group {
    tool: "llama.cpp",
    kind: Kind::GgmlAlloc,
    rows: rows![
        "ggml-alloc" Opens "LC-1" "allocating {requested:size} on device {device:int}: cudaMalloc failed: out of memory", "2023 and later, CUDA and ROCm",
            "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 144817.04 MiB on device 0: cudaMalloc failed: out of memory";
        "ggml-cudamalloc" Joins "LC-1" "cudaMalloc failed: out of memory", "2023 and later",
            "Error: llama runner process has terminated: cudaMalloc failed: out of memory";
        "ggml-compute-buffer" Joins "LC-3" "ggml_gallocr_reserve_n: failed to allocate {buffer:word} buffer of size {requested:bytes}", "2024 and later",
            "ggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 1677721600";
        "ggml-compute-buffer" Joins "LC-3" "ggml_gallocr_reserve_n_impl: failed to allocate {buffer:word} buffer of size {requested:bytes}", "2025 and later",
            "ggml_gallocr_reserve_n_impl: failed to allocate Vulkan0 buffer of size 8753520640";
        "ggml-buffer" Joins "LC-1" "failed to allocate {buffer:word} buffer of size {requested:bytes}", "2024 and later",
            "alloc_tensor_range: failed to allocate CUDA0 buffer of size 151851674624";
        "ggml-weights-failed" Joins "LC-1" "error loading model: unable to allocate {buffer:word} buffer", "2024 and later",
            "llama_model_load: error loading model: unable to allocate CUDA0 buffer";
        "ggml-kv-failed" Joins "LC-2" "failed to allocate buffer for kv cache", "2024 and later",
            "llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache";
        "ggml-kv-failed" Joins "LC-2" "llama_kv_cache_init() failed for self-attention cache", "2023 to 2024",
            "llama_new_context_with_model: llama_kv_cache_init() failed for self-attention cache";
        "ggml-compute-failed" Joins "LC-3" "failed to allocate compute buffers", "2024 and later", "graph_reserve: failed to allocate compute buffers";
        "ggml-compute-failed" Joins "LC-3" "failed to allocate compute {_phase:word} buffers", "2025 and later",
            "llama_init_from_model: failed to initialize the context: failed to allocate compute pp buffers";
        "ggml-load-failed" Adds "" "failed to load model", "2024 and later", "llama_model_load_from_file_impl: failed to load model";
        "ggml-load-failed" Adds "" "Could not load text model", "KoboldCpp", "Error: Could not load text model: C:\\models\\27b.q4_k_m.gguf";
        "ggml-retried" Recovers "LC-3" "compute buffer allocation failed, retrying without pipeline parallelism", "2025 and later",
            "sched_reserve: compute buffer allocation failed, retrying without pipeline parallelism";
        "ggml-vulkan-alloc" Joins "LC-5" "Device memory allocation of size {requested:bytes} failed", "2024 and later, Vulkan",
            "ggml_vulkan: Device memory allocation of size 5368709120 failed.";
        "ggml-buffer-limit" Joins "LC-5" "Requested buffer size exceeds device memory allocation limit", "2024 and later, Vulkan",
            "ggml_vulkan: Requested buffer size exceeds device memory allocation limit: ErrorOutOfDeviceMemory";
        "ggml-buffer-limit" Joins "LC-5" "Requested buffer size exceeds device buffer size limit", "2025 and later, Vulkan",
            "ggml_vulkan: Requested buffer size exceeds device buffer size limit: ErrorOutOfDeviceMemory";
        "ggml-vulkan-oom" Joins "LC-5" "allocateMemory: ErrorOutOfDeviceMemory", "2024 and later, Vulkan",
            "ggml_vulkan: vk::Device::allocateMemory: ErrorOutOfDeviceMemory";
        "ggml-sycl-alloc" Joins "LC-5" "can't allocate {requested:size} of memory on device", "2024 and later, SYCL",
            "ggml_backend_sycl_buffer_type_alloc_buffer: can't allocate 4831838208 Bytes of memory on device";
        "ggml-metal-alloc" Joins "LC-6" "error: failed to allocate buffer, size = {requested:size}", "2024 and later, Metal",
            "ggml_metal_buffer_init: error: failed to allocate buffer, size = 21504.00 MiB";
    ],
};

/// The buffer that was reckoned for the graph is too small for it: a fault of the reckoning.
pub const BUFFER: Group = Group {
    tool: "llama.cpp",
    kind: Kind::BlockLimit,
    rows: rows![
        "ggml-buffer-small" Opens "LC-3" "not enough space in the buffer (needed {requested:bytes}, largest block available {limit:bytes})", "2023",
            "ggml_allocr_alloc: not enough space in the buffer (needed 290308608, largest block available 24674304)";
        "ggml-buffer-small" Opens "LC-3" "not enough space in the buffer to allocate {_name:text} (needed {requested:bytes}, available {limit:bytes})", "2024 and later",
            "ggml_tallocr_alloc: not enough space in the buffer to allocate blk.0 (needed 290308608, available 24674304)";
    ],
};

/// The pool at work, after a load that fitted. No sizes.
pub const POOL: Group = Group {
    tool: "llama.cpp",
    kind: Kind::GgmlPool,
    rows: rows![
        "ggml-pool" Opens "LC-4" "CUDA error: out of memory current device: {device:int}, in function {_function:word} at", "2023 and later",
            "CUDA error: out of memory\n  current device: 0, in function alloc at /src/ggml-cuda.cu:291";
        "ggml-pool" Opens "LC-4" "ROCm error: out of memory current device: {device:int}, in function {_function:word} at", "2024 and later",
            "ROCm error: out of memory\n  current device: 0, in function alloc at /src/ggml-cuda.cu:447";
        "ggml-pool-bare" Opens "LC-4" "ROCm error: out of memory", "2024 and later", "ROCm error: out of memory";
        "ggml-pool-bare" Opens "LC-4" "CUDA error 2 at {_path:text}: out of memory", "2023", "CUDA error 2 at /src/ggml-cuda.cu:7233: out of memory";
        "ggml-address-space" Joins "LC-4" "cuMemAddressReserve(", "2024 and later",
            "cuMemAddressReserve(&pool_addr, CUDA_POOL_VMM_MAX_SIZE, 0, 0, 0)";
        "ggml-pool-grows" Adds "LC-4" "cuMemCreate(", "2024 and later", "cuMemCreate(&handle, reserve_size, &prop, 0)";
    ],
};

/// Metal gave a command buffer back for lack of memory.
pub const METAL: Group = Group {
    tool: "llama.cpp",
    kind: Kind::GgmlMetal,
    rows: rows![
        "metal-failed" Joins "LC-6" "command buffer {_number:int} failed with status {_status:int}", "2023 and later",
            "ggml_metal_graph_compute: command buffer 0 failed with status 5";
        "metal-memory" Joins "LC-6" "kIOGPUCommandBufferCallbackErrorOutOfMemory", "2023 and later",
            "error: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)";
    ],
};

/// System memory ran out.
pub const HOST: Group = Group {
    tool: "llama.cpp",
    kind: Kind::EngineHost,
    rows: rows![
        "ggml-host-alloc" Opens "LC-7" "insufficient memory (attempted to allocate {requested:size})", "2023 and later",
            "ggml_aligned_malloc: insufficient memory (attempted to allocate 36000.00 MB)";
        "ggml-host-buffer" Joins "LC-7" "failed to allocate buffer of size {requested:bytes}", "2024 and later",
            "ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 37748736000";
        "ggml-host-buffer" Joins "LC-7" "failed to allocate CPU buffer of size {requested:bytes}", "2024 and later",
            "alloc_tensor_range: failed to allocate CPU buffer of size 37748736000";
        "ggml-host-buffer" Joins "LC-7" "ggml_gallocr_reserve_n: failed to allocate CPU buffer of size {requested:bytes}", "2024 and later",
            "ggml_gallocr_reserve_n: failed to allocate CPU buffer of size 37748736000";
        "ggml-host-vulkan" Joins "LC-5" "ErrorOutOfHostMemory", "2024 and later, Vulkan",
            "ggml_vulkan: vk::Device::allocateMemory: ErrorOutOfHostMemory";
    ],
};

/// Page-locked memory could not be had; the load goes on with ordinary memory.
pub const PINNED: Group = Group {
    tool: "llama.cpp",
    kind: Kind::Pinned,
    rows: rows![
        "ggml-pinned" Lists "LC-7" "failed to allocate {requested:size} of pinned memory", "2023 and later",
            "ggml_cuda_host_malloc: failed to allocate 1900,00 MiB of pinned memory: out of memory";
        "ggml-pinned-vulkan" Lists "LC-5" "ggml_vulkan: Failed to allocate pinned memory", "2024 and later", "ggml_vulkan: Failed to allocate pinned memory.";
    ],
};

/// The pool gives back what it cached and tries again.
pub const HANDLED: Group = Group {
    tool: "llama.cpp",
    kind: Kind::Handled,
    rows: rows![
        "ggml-pool-retried" Lists "LC-4" "alloc of {requested:size} failed, flushing {cached:size} of cached buffers and retrying", "2026 forks",
            "CUDA pool[0]: alloc of 512.00 MiB failed, flushing 1280.00 MiB of cached buffers and retrying";
    ],
};

/// Load lines: the cards, the buffers, the plan that fits them to the card. Buffers named CPU or …_Host are system memory.
pub const LOAD: Group = Group {
    tool: "llama.cpp",
    kind: Kind::EngineStart,
    rows: rows![
        "ggml-device" Lists "LC-8" "using device {buffer:word} ({card:text}) ({_address:text}) - {free_at_start:size} free", "2025 and later",
            "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3090) (0000:01:00.0) - 23871 MiB free";
        "ggml-device" Lists "LC-8" "using device {buffer:word} ({card:text}) - {free_at_start:size} free", "2024 and later",
            "llama_model_load_from_file: using device CUDA0 (NVIDIA GeForce RTX 3090) - 23871 MiB free";
        "ggml-device-info" Lists "LC-8" "- {buffer:word} : {card:text} ({card_total:mib} MiB, {free_at_start:mib} MiB free)", "2025 and later",
            "device_info:\n  - CUDA0   : NVIDIA GeForce RTX 3090 (24124 MiB, 23871 MiB free)";
        "ggml-device-total" Lists "LC-8" "Device {card_index:int}: {card:text}, compute capability {_version:num}, VMM: {_vmm:word}, VRAM: {card_total:size}", "2026",
            "  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes, VRAM: 24124 MiB";
        "ggml-device-name" Lists "LC-8" "Device {card_index:int}: {card:text}, compute capability {_version:num}", "2023 and later",
            "  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes";
        "ggml-layers" Lists "LC-8" "offloaded {layers_offload:int}/{layers_model:int} layers to GPU", "2023 and later",
            "load_tensors: offloaded 33/33 layers to GPU";
        "ggml-weights-host" Lists "LC-8" "CPU model buffer size = {host_model:size}", "2025 and later", "load_tensors:   CPU model buffer size =   682.03 MiB";
        "ggml-weights-host" Lists "LC-8" "CPU_{_kind:word} model buffer size = {host_model:size}", "2025 and later",
            "load_tensors:   CPU_Mapped model buffer size =   682.03 MiB";
        "ggml-weights-host" Lists "LC-8" "{_device:word}_Host model buffer size = {host_model:size}", "2025 and later",
            "load_tensors:    CUDA_Host model buffer size =   682.03 MiB";
        "ggml-weights" Lists "LC-8" "{buffer:word} model buffer size = {model:size}", "2025 and later", "load_tensors:        CUDA0 model buffer size =  4861.28 MiB";
        "ggml-weights-host" Lists "LC-8" "llm_load_tensors: CPU buffer size = {host_model:size}", "2024", "llm_load_tensors:        CPU buffer size =   417.66 MiB";
        "ggml-weights" Lists "LC-8" "llm_load_tensors: {buffer:word} buffer size = {model:size}", "2024", "llm_load_tensors:      CUDA0 buffer size =  4155.99 MiB";
        "ggml-kv-host" Lists "LC-8" "CPU KV buffer size = {host_kv:size}", "2024 and later", "llama_kv_cache:        CPU KV buffer size =   128.00 MiB";
        "ggml-kv-host" Lists "LC-8" "{_device:word}_Host KV buffer size = {host_kv:size}", "2024 and later", "llama_kv_cache_init:  CUDA_Host KV buffer size =   128.00 MiB";
        "ggml-kv" Lists "LC-8" "{buffer:word} KV buffer size = {kv_cache:size}", "2024 and later", "llama_kv_cache:      CUDA0 KV buffer size =  1024.00 MiB";
        "ggml-kv-total" Lists "LC-8" "size = {kv_total:size} ({kv_cells:int} cells, {_layers:int} layers", "2025 and later",
            "llama_kv_cache: size = 1024.00 MiB (  8192 cells,  32 layers,  1/1 seqs), K (f16):  512.00 MiB, V (f16):  512.00 MiB";
        "ggml-kv-self" Lists "LC-8" "KV self size = {kv_self:size}", "2023 to 2025",
            "llama_new_context_with_model: KV self size  =  400.00 MiB, K (f16):  200.00 MiB, V (f16):  200.00 MiB";
        "ggml-recurrent" Lists "LC-8" "{buffer:word} RS buffer size = {recurrent:size}", "2025 and later", "llama_memory_recurrent:      CUDA0 RS buffer size =   448.88 MiB";
        "ggml-compute-host" Lists "LC-8" "CPU compute buffer size = {host_compute:size}", "2024 and later", "llama_context:        CPU compute buffer size =    20.01 MiB";
        "ggml-compute-host" Lists "LC-8" "{_device:word}_Host compute buffer size = {host_compute:size}", "2024 and later",
            "llama_new_context_with_model:  ROCm_Host compute buffer size =    20.01 MiB";
        "ggml-compute" Lists "LC-8" "{buffer:word} compute buffer size = {compute:size}", "2024 and later", "sched_reserve:      CUDA0 compute buffer size =   493.00 MiB";
        "ggml-compute-one" Lists "LC-8" "compute buffer total size = {compute:size}", "2023", "llama_new_context_with_model: compute buffer total size = 153.41 MB";
        "ggml-compute-one" Lists "LC-8" "compute buffer size: {compute:size}", "stable-diffusion.cpp", "ggml_extend.hpp:1000 - vae compute buffer size: 2496.00 MB(VRAM)";
        "engine-weights" Lists "LC-8" "total params memory size = {weights:size}", "stable-diffusion.cpp", "total params memory size = 3134.00MB (VRAM 3134.00MB, RAM 0.00MB)";
        "ggml-output" Lists "LC-8" "output buffer size = {output:size}", "2024 and later", "llama_context:  CUDA_Host  output buffer size =     0.58 MiB";
        "ggml-vram-used" Lists "LC-8" "VRAM used: {vram_used:size}", "2023", "llm_load_tensors: VRAM used: 4807.06 MB";
        "ggml-mem-required" Lists "LC-8" "mem required = {mem_required:size}", "2023", "llm_load_tensors: mem required  = 5407.72 MB (+ 1026.00 MB per state)";
        "ggml-compute-one" Lists "LC-8" "VRAM scratch buffer: {compute:size}", "2023", "llama_new_context_with_model: VRAM scratch buffer: 148.00 MB";
        "ggml-context" Lists "LC-8" "n_ctx = {n_ctx:int}", "2023 and later", "llama_context: n_ctx         = 8192";
        "metal-working-set" Lists "LC-6" "recommendedMaxWorkingSetSize = {working_set:dec}", "2023 and later",
            "ggml_metal_init: recommendedMaxWorkingSetSize  = 22906.50 MB";
        "metal-allocated" Lists "LC-6" "buffer, size = {_buffer:size}, ({allocated:mib} / {working_set:mib})", "2023 to 2025",
            "ggml_backend_metal_buffer_type_alloc_buffer: allocated buffer, size =   400.00 MiB, ( 5655.70 /  5461.34)";
        "metal-warning" Lists "LC-6" "current allocated size is greater than the recommended max working set size", "2023 and later",
            "ggml_backend_metal_log_allocated_size: warning: current allocated size is greater than the recommended max working set size";
        "fit-projected" Lists "LC-8" "projected to use {projected:size} of device memory vs. {free_at_start:size} of free device memory", "2025-12 and later",
            "common_params_fit_impl: projected to use 17885 MiB of device memory vs. 21755 MiB of free device memory";
        "fit-projected-host" Lists "LC-8" "projected to use {projected_host:size} of host memory vs. {host_total:size} of total host memory", "2026",
            "common_params_fit_impl: projected to use 8042 MiB of host memory vs. 64119 MiB of total host memory";
        "fit-leaves" Lists "LC-8" "will leave {left:mib} >= {target:size} of free device memory", "2025-12 and later",
            "common_params_fit_impl: will leave 3870 >= 1576 MiB of free device memory, no changes needed";
        "fit-leaves" Lists "LC-8" "will leave at least {left:mib} >= {target:size} of free memory on all devices", "2025-12 and later",
            "common_params_fit_impl: will leave at least 3870 >= 1024 MiB of free memory on all devices, no changes needed";
        "fit-card" Lists "LC-8" "- {buffer:word} ({card:text}): {card_total:mib} total, {used:mib} used, {short_by:mib} deficit", "2025-12 and later",
            "llama_params_fit_impl:   - Vulkan0 (AMD Radeon RX 9070 XT)         :  16304 total,  24769 used,   9341 deficit";
        "fit-card-fits" Lists "LC-8" "- {buffer:word} ({card:text}): {card_total:mib} total, {used:mib} used, {left:mib} surplus", "2025-12 and later",
            "llama_params_fit_impl:   - CUDA0 (NVIDIA GeForce RTX 3090):  24124 total,  17885 used,   3870 surplus";
        "fit-reduce" Lists "LC-8" "cannot meet free memory target of {target:size}, need to reduce device memory by {reduce_by:size}", "2025-12 and later",
            "common_params_fit_impl: cannot meet free memory target of 1024 MiB, need to reduce device memory by 2843 MiB";
        "fit-reduce" Lists "LC-8" "cannot fulfill margin of {target:size}, need to reduce device memory by {reduce_by:size}", "2025-12",
            "llama_params_fit_impl: cannot fulfill margin of 1024 MiB, need to reduce device memory by 2843 MiB";
        "fit-reduce" Lists "LC-8" "of {target:size} on all devices, need to use {reduce_by:size} less in total", "2025-12 and later",
            "common_params_fit_impl: cannot meet free memory targets of 1024 MiB on all devices, need to use 2843 MiB less in total";
        "fit-context" Lists "LC-8" "context size reduced from {n_ctx_wanted:int} to {n_ctx:int}", "2025-12 and later",
            "common_params_fit_impl: context size reduced from 131072 to 40960 -> need 2843 MiB less memory in total";
        "fit-device" Lists "LC-8" "layers ({overflowing:int} overflowing), {used:size} used, {free:size} free", "2025-12 and later",
            "common_params_fit_impl:   - CUDA0 (NVIDIA GeForce RTX 3090): 49 layers (12 overflowing), 21871 MiB used, 1105 MiB free";
        "fit-failed" Lists "LC-8" "failed to fit params to free device memory", "2025-12 and later",
            "common_fit_params: failed to fit params to free device memory: n_gpu_layers already set by user to 99, abort";
        "fit-done" Lists "LC-8" "successfully fit params to free device memory", "2025-12 and later", "common_fit_params: successfully fit params to free device memory";
        "ggml-breakdown" Lists "LC-9" "memory breakdown [MiB] | total free self model context compute unaccounted | | - {buffer:word} ({card:text}) | {total:mib} = {free:mib} + ({self:mib} = {model:mib} + {context:mib} + {compute:mib}) + {unaccounted:mib}", "2025-10 and later",
            "| memory breakdown [MiB] | total   free    self   model   context   compute    unaccounted |\n|   - CUDA0 (RTX 5090)   | 32606 = 30330 + (21832 = 16386 +    4950 +     495) +      -19555 |";
        "ggml-breakdown" Lists "LC-9" "memory_breakdown_print: | - {buffer:word} ({card:text}) | {total:mib} = {free:mib} + ({self:mib} = {model:mib} + {context:mib} + {compute:mib}) + {unaccounted:mib}", "2025-10 and later",
            "llama_memory_breakdown_print: |   - CUDA0 (RTX 5090)   | 32606 = 30330 + (21832 = 16386 +    4950 +     495) +      -19555 |";
        "ggml-breakdown" Lists "LC-9" "print_memory_breakdown: - {buffer:word} ({card:text}): {total:mib} = {free:mib} + ({self:mib} = {model:mib} + {context:mib} + {compute:mib}) + {unaccounted:mib}", "2025-09",
            "llama_print_memory_breakdown:   - CUDA0 (RTX 4090):  24080 = 9436 + (14193 = 13169 +      38 +     985) +         451";
        "ggml-breakdown-host" Lists "LC-9" "- Host | {host:mib} = {_model:mib} + {_context:mib} + {_compute:mib}", "2025-10 and later",
            "llama_memory_breakdown_print: |   - Host               |                    958 =   682 +       0 +     276                |";
        "ggml-mtp" Lists "LC-8" "estimated memory usage of MTP context is {mtp_context:size}", "2026",
            "srv    load_model: [spec] estimated memory usage of MTP context is 581.77 MiB";
    ],
};
