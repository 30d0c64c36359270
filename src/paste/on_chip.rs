//! Limits of the chip and of one buffer: shared memory and registers per block, WebGPU's and Metal's largest buffer.
//! More video memory helps with none of them.
//!
//! Sources: `python/triton/runtime/errors.py` of triton-lang/triton, wgpu's validation texts,
//! `mlx/backend/metal/allocator.cpp` of ml-explore/mlx.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// Triton, inductor, ptxas and the launcher.
pub const KERNELS: Group = Group {
    tool: "triton",
    kind: Kind::OnChip,
    rows: rows![
        "chip-inductor" Joins "KR-1" "No valid triton configs", "torch.compile", "InductorError: No valid triton configs.";
        "chip-shared" Joins "KR-1" "out of resource: shared memory, Required: {required:bytes}, Hardware limit: {limit:bytes}", "Triton 2 and later",
            "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 131072, Hardware limit: 101376. Reducing block sizes or `num_stages` may help.";
        "chip-shared" Joins "KR-1" "out of resource: tensor memory, Required: {required:bytes}, Hardware limit: {limit:bytes}", "Triton 3.2 and later",
            "triton.runtime.errors.OutOfResources: out of resource: tensor memory, Required: 640, Hardware limit: 512.";
        "chip-shared" Joins "KR-1" "out of resource: shared memory, Required: {required:bytes}, Hardware limitation: {limit:bytes}", "hand-copied",
            "out of resource: shared memory, Required: 163842, Hardware limitation: 101376.";
        "chip-registers" Joins "KR-1" "out of resource: registers, Required: {required_count:int}, Hardware limit: {limit_count:int}", "Triton 2 and later",
            "triton.runtime.errors.OutOfResources: out of resource: registers, Required: 131072, Hardware limit: 65536.";
        "chip-registers" Joins "KR-1" "out of resource: threads, Required: {required_count:int}, Hardware limit: {limit_count:int}", "Triton 2 and later",
            "triton.runtime.errors.OutOfResources: out of resource: threads, Required: 2048, Hardware limit: 1024.";
        "chip-launch" Joins "KR-2" "too many resources requested for launch", "all", "RuntimeError: CUDA error: too many resources requested for launch";
        "chip-ptxas" Joins "KR-1" "uses too much shared data (", "ptxas", "ptxas error   : Entry function 'fwd' uses too much shared data (0x1a000 bytes, 0x18c00 max)";
        "chip-vmem" Joins "JX-2" "Ran out of memory in memory space vmem. Used {used:size} of {limit:size} vmem. Exceeded vmem capacity by {exceeded:size}", "XLA on TPU",
            "RESOURCE_EXHAUSTED: Ran out of memory in memory space vmem. Used 18.29M of 16.00M vmem. Exceeded vmem capacity by 2.29M.";
        "chip-vmem-short" Joins "JX-2" "Ran out of memory in memory space vmem", "XLA on TPU", "Ran out of memory in memory space vmem while allocating on stack";
        "chip-hint" Adds "KR-1" "Reducing block sizes or num_stages may help", "Triton", "Reducing block sizes or `num_stages` may help.";
    ],
};

/// One buffer may not be that large.
pub const BUFFERS: Group = Group {
    tool: "webgpu",
    kind: Kind::BlockLimit,
    rows: rows![
        "buffer-wgpu" Opens "KR-2" "Buffer size {requested:bytes} is greater than the maximum buffer size ({limit:bytes})", "wgpu, burn",
            "Buffer size 541065216 is greater than the maximum buffer size (268435456)";
        "buffer-wgpu" Opens "KR-2" "Buffer size ({requested:bytes}) exceeds the max buffer size limit ({limit:bytes})", "Chromium",
            "Buffer size (541065216) exceeds the max buffer size limit (268435456).";
        "buffer-wgpu" Opens "KR-2" "range {requested:bytes} exceeds max_*_buffer_binding_size limit {limit:bytes}", "wgpu",
            "Buffer binding 0 range 311427072 exceeds `max_*_buffer_binding_size` limit 134217728";
        "buffer-mlx" Opens "MXL-1" "Attempting to allocate {requested:bytes} bytes which is greater than the maximum allowed buffer size of {limit:bytes} bytes", "MLX",
            "RuntimeError: [metal::malloc] Attempting to allocate 26843545600 bytes which is greater than the maximum allowed buffer size of 22613000192 bytes.";
        "buffer-mlx-count" Opens "MXL-1" "[metal::malloc] Resource limit ({limit_count:int}) exceeded", "MLX", "RuntimeError: [metal::malloc] Resource limit (499000) exceeded.";
    ],
};
