//! What PyTorch prints when memory runs out: its own allocator (CUDA, HIP, XPU and others), the `cudaMallocAsync`
//! backend, Apple's Metal, and the driver's error outside any allocator.
//!
//! Sources: `c10/cuda/CUDACachingAllocator.cpp`, `c10/cuda/CUDAMallocAsyncAllocator.cpp`,
//! `c10/core/CachingDeviceAllocator.h`, `c10/xpu/XPUCachingAllocator.cpp`, `aten/src/ATen/mps/MPSAllocator.mm` of
//! pytorch/pytorch, and public threads.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// The caching allocator, in all its generations: one row per clause, since clauses came and went.
pub const CACHING: Group = Group {
    tool: "pytorch",
    kind: Kind::TorchOom,
    rows: rows![
        "torch-oom-cuda" Opens "" "CUDA out of memory. Tried to allocate {requested:size}", "1.0 and later",
            "RuntimeError: CUDA out of memory. Tried to allocate 2.87 GiB";
        "torch-oom-hip" Opens "PT-10" "HIP out of memory. Tried to allocate {requested:size}", "ROCm builds",
            "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 432.00 MiB.";
        "torch-oom-xpu" Opens "PT-11" "XPU out of memory. Tried to allocate {requested:size}", "Intel builds",
            "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 4.00 GiB.";
        "torch-oom-dpcpp" Opens "PT-11" "DPCPP out of memory. Tried to allocate {requested:size}", "Intel extension before 2.0",
            "RuntimeError: DPCPP out of memory. Tried to allocate 1.00 GiB";
        "torch-oom-npu" Opens "PT-3" "NPU out of memory. Tried to allocate {requested:size}", "Ascend builds",
            "RuntimeError: NPU out of memory. Tried to allocate 1.00 GiB";
        "torch-oom-musa" Opens "PT-3" "MUSA out of memory. Tried to allocate {requested:size}", "Moore Threads builds",
            "RuntimeError: MUSA out of memory. Tried to allocate 1.00 GiB";
        "torch-oom-any" Opens "PT-7" "Out of memory. Tried to allocate {requested:size}", "2.9 and later, other accelerators",
            "torch.OutOfMemoryError: Out of memory. Tried to allocate 2.00 GiB.";
        "torch-requested" Joins "" "Tried to allocate {requested:size}", "all", "Tried to allocate 2.00 GiB.";
        "torch-requested-absurd" Joins "" "Tried to allocate more than 1EB memory", "1.5 and later", "CUDA out of memory. Tried to allocate more than 1EB memory.";
        "torch-old-total" Joins "PT-3" "(GPU {device:int}; {total:size} total capacity", "1.0 to 2.0",
            "(GPU 0; 14.76 GiB total capacity;";
        "torch-old-total" Joins "PT-3" "(NPU {device:int}; {total:size} total capacity", "Ascend builds", "(NPU 0; 29.50 GiB total capacity;";
        "torch-old-total-loose" Joins "PT-3" "GPU {device:int}; {total:size} total capacity", "hand-copied",
            "GPU 0; 14.76 GiB total capacity;";
        "torch-old-allocated-free" Adds "PT-3" "{allocated:size} already allocated; {free:size} free", "1.0 to 2.0",
            "8.77 GiB already allocated; 19.75 MiB free;";
        "torch-old-allocated" Adds "PT-3" "{allocated:size} already allocated", "Intel extension", "990.00 MiB already allocated;";
        "torch-old-active" Adds "PT-3" "{active:size} current active", "Ascend builds", "8.77 GiB current active;";
        "torch-old-active-free" Adds "PT-3" "{active:size} current active; {free:size} free", "Ascend builds", "8.77 GiB current active; 1.21 GiB free;";
        "torch-old-cached" Adds "PT-2" "{cached:size} cached", "1.0 to 1.3", "32.43 MiB cached)";
        "torch-old-reserved" Adds "PT-3" "{reserved:size} reserved in total by PyTorch", "1.4 to 2.0",
            "13.71 GiB reserved in total by PyTorch)";
        "torch-hint-max-split" Adds "" "If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation", "1.10 to 2.0",
            "If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.";
        "torch-total-free-typo" Joins "PT-4" "GPU {device:int} has a total capacty of {total:size} of which {free:size} is free", "2.1",
            "GPU 0 has a total capacty of 6.00 GiB of which 0 bytes is free.";
        "torch-total-free" Joins "PT-5" "GPU {device:int} has a total capacity of {total:size} of which {free:size} is free", "2.2 and later",
            "GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.";
        "torch-total-free-any" Joins "PT-5" "GPU has a total capacity of {total:size} of which {free:size} is free", "2.3, the index as a control character",
            "GPU  has a total capacity of 44.34 GiB of which 160.81 MiB is free.";
        "torch-total-typo" Joins "PT-4" "GPU {device:int} has a total capacty of {total:size}", "2.1", "GPU 0 has a total capacty of 6.00 GiB";
        "torch-total" Joins "PT-5" "GPU {device:int} has a total capacity of {total:size}", "2.2 and later",
            "GPU 0 has a total capacity of 13.74 GiB.";
        "torch-process" Adds "" "Process {pid:int} has {process:size} memory in use", "2.1 and later, NVIDIA only",
            "Process 2635308 has 62.69 GiB memory in use.";
        "torch-this-process" Adds "" "Including non-PyTorch memory, this process has {this_process:size} memory in use", "2.1 and later, NVIDIA only",
            "Including non-PyTorch memory, this process has 16.54 GiB memory in use.";
        "torch-allowed" Adds "" "{allowed:size} allowed;", "1.8 and later, with a memory fraction", "17.69 GiB allowed;";
        "torch-allocated" Adds "" "Of the allocated memory {allocated:size} is allocated by PyTorch", "2.1 and later",
            "Of the allocated memory 20.10 GiB is allocated by PyTorch,";
        "torch-private-pools" Adds "" "with {private_pools:size} allocated in private pools (e.g., CUDA Graphs)", "2.3 and later",
            "with 46.00 MiB allocated in private pools (e.g., CUDA Graphs),";
        "torch-private-pools-hip" Adds "" "with {private_pools:size} allocated in private pools (e.g., HIP Graphs)", "ROCm builds",
            "with 46.00 MiB allocated in private pools (e.g., HIP Graphs),";
        "torch-reserved-unallocated" Adds "" "{reserved_unallocated:size} is reserved by PyTorch but unallocated", "2.1 and later",
            "and 1.31 GiB is reserved by PyTorch but unallocated.";
        "torch-hint-max-split-new" Adds "" "If reserved but unallocated memory is large try setting max_split_size_mb to avoid fragmentation", "2.1",
            "If reserved but unallocated memory is large try setting max_split_size_mb to avoid fragmentation.";
        "torch-hint-expandable" Adds "" "If reserved but unallocated memory is large try setting {hint:word}=expandable_segments:True to avoid fragmentation", "2.2 and later",
            "If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.";
        "torch-hint-empty-cache" Adds "" "Please use empty_cache to release all unoccupied cached memory", "Intel builds",
            "Please use `empty_cache` to release all unoccupied cached memory.";
        "torch-hint-see" Adds "" "See documentation for Memory Management", "1.10 and later",
            "See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF";
    ],
};

/// The `cudaMallocAsync` backend. On device 0 most versions cut the message off behind "device".
pub const ASYNC: Group = Group {
    tool: "pytorch",
    kind: Kind::AsyncOom,
    rows: rows![
        "async-oom" Opens "PT-8" "Allocation on device {device:int} would exceed allowed memory. (out of memory)", "1.11 and later",
            "Allocation on device 0 would exceed allowed memory. (out of memory)";
        "async-cut" Opens "PT-8" "Allocation on device$", "2.3 to 2.9, device 0", "torch.OutOfMemoryError: Allocation on device ";
        "async-allocated" Adds "PT-8" "Currently allocated : {allocated:size}", "1.11 and later", "Currently allocated     : 15.16 GiB";
        "async-requested" Adds "PT-8" "Requested : {requested:size}", "1.11 and later", "Requested               : 512.00 KiB";
        "async-limit" Adds "PT-8" "Device limit : {total:size}", "1.11 and later", "Device limit            : 15.99 GiB";
        "async-free" Adds "PT-8" "Free (according to CUDA): {free:size}", "1.11 and later", "Free (according to CUDA): 0 bytes";
        "async-allowed" Adds "PT-8" "PyTorch limit (set by user-supplied memory fraction) : {allowed:size}", "1.11 and later",
            "PyTorch limit (set by user-supplied memory fraction)\n                        : 17179869184.00 GiB";
    ],
};

/// Apple's Metal. Up to about 2.7 its GB are GiB.
pub const MPS: Group = Group {
    tool: "pytorch",
    kind: Kind::MpsOom,
    rows: rows![
        "mps-oom" Opens "PT-12" "MPS backend out of memory (MPS allocated: {mps_allocated:size}, other allocations: {other_allocations:size}", "1.12 and later",
            "MPS backend out of memory (MPS allocated: 7.43 GB, other allocations: 24.46 GB";
        "mps-max-allowed" Adds "PT-12" "max allowed: {max_allowed:size})", "1.12 and later", "max allowed: 32.00 GB)";
        "mps-requested-private" Adds "PT-12" "Tried to allocate {requested:size} on private pool", "1.12 and later",
            "Tried to allocate 129.21 MB on private pool.";
        "mps-requested-shared" Adds "PT-12" "Tried to allocate {requested:size} on shared pool", "1.12 and later",
            "Tried to allocate 256 bytes on shared pool.";
        "mps-hint-watermark" Adds "PT-12" "Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations", "1.12 and later",
            "Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause system failure).";
    ],
};

/// The driver's or the runtime's error, without figures.
pub const BARE: Group = Group {
    tool: "pytorch",
    kind: Kind::CudaBare,
    rows: rows![
        "bare-cuda" Opens "PT-9" "CUDA error: out of memory", "1.0 and later", "RuntimeError: CUDA error: out of memory";
        "bare-cuda" Opens "PT-9" "failed to initialize CUDA: out of memory", "llama.cpp", "ggml_cuda_init: failed to initialize CUDA: out of memory";
        "bare-driver" Opens "PT-9" "CUDA driver error: out of memory", "2.0 and later", "RuntimeError: CUDA driver error: out of memory";
        "bare-hip" Opens "PT-10" "HIP error: out of memory", "ROCm builds", "RuntimeError: HIP error: out of memory";
        "bare-hip-code" Opens "PT-10" "hipErrorOutOfMemory", "ROCm builds", "hipErrorOutOfMemory";
        "bare-oldest" Opens "PT-1" "cuda runtime error (2) : out of memory", "0.1 to 0.4",
            "RuntimeError: cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/generic/THCStorage.cu:58";
        "bare-oldest" Opens "PT-1" "cuda runtime err(2): out of memory", "hand-copied", "cuda runtime err(2): out of memory at /torch/libTHC/THCStorage.cu:66";
        "bare-async-note" Adds "PT-9" "kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect", "1.10 and later",
            "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.";
        "bare-blocking-note" Adds "PT-9" "For debugging consider passing CUDA_LAUNCH_BLOCKING=1", "1.10 and later",
            "For debugging consider passing CUDA_LAUNCH_BLOCKING=1";
        "bare-dsa-note" Adds "PT-9" "Compile with TORCH_USE_CUDA_DSA to enable device-side assertions", "2.0 and later",
            "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.";
        "bare-search-note" Adds "PT-9" "Search for cudaErrorMemoryAllocation' in", "2.8 and later",
            "Search for `cudaErrorMemoryAllocation' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.";
    ],
};

/// A limit on one buffer, whatever is free.
pub const BLOCK: Group = Group {
    tool: "pytorch",
    kind: Kind::BlockLimit,
    rows: rows![
        "block-xpu" Opens "PT-11" "Current platform can NOT allocate memory block with size larger than {limit:size}! Tried to allocate {requested:size} (GPU {device:int}; {total:size} total capacity; {allocated:size} already allocated; {reserved:size} reserved in total by PyTorch)", "Intel extension",
            "Current platform can NOT allocate memory block with size larger than 4GB! Tried to allocate 6.25 GiB (GPU  0; 15.11 GiB total capacity; 5.35 GiB already allocated; 5.79 GiB reserved in total by PyTorch)";
        "block-xpu-short" Opens "PT-11" "Current platform can NOT allocate memory block with size larger than {limit:size}! Tried to allocate {requested:size}", "Intel extension, cut off",
            "Current platform can NOT allocate memory block with size larger than 4GB! Tried to allocate 6.25 GiB";
        "block-mps" Opens "PT-12" "Invalid buffer size: {requested:size}", "1.12 and later", "RuntimeError: Invalid buffer size: 24.00 GiB";
    ],
};

/// Assertions in the allocator that stand for an out-of-memory: a query made for the message failed.
pub const ASSERTS: Group = Group {
    tool: "pytorch",
    kind: Kind::AllocatorAssert,
    rows: rows![
        "assert-nvml" Opens "PT-9" "NVML_SUCCESS == r INTERNAL ASSERT FAILED", "1.13 and later, Jetson and MIG",
            "RuntimeError: NVML_SUCCESS == r INTERNAL ASSERT FAILED at \"../c10/cuda/CUDACachingAllocator.cpp\":1131, please report a bug to PyTorch.";
        "assert-async" Opens "PT-8" "free_upper_bound + pytorch_used_bytes[device] <= device_total INTERNAL ASSERT FAILED", "2.0 and later",
            "free_upper_bound + pytorch_used_bytes[device] <= device_total INTERNAL ASSERT FAILED at \"..\\c10\\cuda\\CUDAMallocAsyncAllocator.cpp\":540, please report a bug to PyTorch.";
    ],
};
