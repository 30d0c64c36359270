//! What frameworks other than PyTorch print when memory runs out: JAX and XLA, TensorFlow, CuPy, RAPIDS, XGBoost,
//! Paddle, ONNX Runtime, MLX, wgpu, DeepSpeed's inference engine.
//!
//! Sources: `cupy/cuda/memory.pyx`, `cpp/include/rmm/detail/error.hpp`, `core/framework/bfc_arena.cc` of ONNX Runtime,
//! `mlx/backend/metal/allocator.cpp`, and public threads of each.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// JAX and XLA, on GPU and TPU. `G` and `M` are binary.
pub const XLA: Group = Group {
    tool: "jax",
    kind: Kind::FrameworkOom,
    rows: rows![
        "xla-oom" Joins "JX-1" "Out of memory while trying to allocate {requested:size}", "all",
            "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4770354232 bytes.";
        "xla-oom-device" Joins "JX-1" "Failed to allocate request for {rounded:size} ({requested:bytes}B) on device ordinal {device:int}", "2024",
            "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Failed to allocate request for 2.99GiB (3206250496B) on device ordinal 0";
        "xla-parameters" Adds "JX-1" "parameter allocation: {parameters:size}", "all", "             parameter allocation:  372.76MiB";
        "xla-constants" Adds "JX-1" "constant allocation: {constants:size}", "all", "              constant allocation:    48.5KiB";
        "xla-live-out" Adds "JX-1" "maybe_live_out allocation: {live_out:size}", "all", "        maybe_live_out allocation:    9.64GiB";
        "xla-temp" Adds "JX-1" "preallocated temp allocation: {temp:size}", "all", "     preallocated temp allocation:    4.44GiB";
        "xla-total" Adds "JX-1" "total allocation: {program_total:size}", "all", "                 total allocation:   14.44GiB";
        "xla-fragmentation" Adds "JX-1" "total fragmentation: {fragmentation:size}", "all", "              total fragmentation:  680.30MiB (4.60%)";
        "xla-largest" Adds "JX-1" "Buffer 1: Size: {largest_buffer:size}", "all", "Buffer 1:\n\t\tSize: 1.50GiB";
        "xla-rematerialization" Joins "JX-1" "Can't reduce memory use below {rounded:size} ({target:bytes} bytes) by rematerialization; only reduced to {reduced:size} ({program_total:bytes} bytes)", "all",
            "Can't reduce memory use below 11.67GiB (12530547097 bytes) by rematerialization; only reduced to 14.60GiB (15676630528 bytes), down from 14.62GiB (15698210816 bytes) originally";
        "xla-hbm" Joins "JX-2" "Ran out of memory in memory space hbm. Used {used:size} of {limit:size} hbm. Exceeded hbm capacity by {exceeded:size}", "TPU",
            "RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 20.54G of 15.48G hbm. Exceeded hbm capacity by 5.06G.";
        "xla-hbm-total" Adds "JX-2" "Total hbm usage >= {program_total:size}", "TPU", "Total hbm usage >= 21.07G:";
        "xla-hbm-parts" Adds "JX-2" "Total hbm usage >= {program_total:size}: reserved {hbm_reserved:size} program {program:size} arguments {arguments:size}", "TPU",
            "Total hbm usage >= 21.07G:\n    reserved        530.00M\n    program          20.54G\n    arguments            0B";
        "xla-hbm-total" Adds "JX-2" "Total hbm usage >= {program_total:size}: reserved {hbm_reserved:size} program {program:size} arguments unknown size", "TPU",
            "Total hbm usage >= 41.74G:\n    reserved        528.00M\n    program          41.22G\n    arguments       unknown size";
        "xla-hbm-runtime" Joins "JX-2" "Attempting to allocate {requested:size}. That was not possible. There are {free:size} free", "TPU",
            "RESOURCE_EXHAUSTED: Error loading program: Attempting to allocate 1.95G. That was not possible. There are 1.69G free.; (0x0x0_HBM0)";
        "xla-hbm-runtime" Joins "JX-2" "Attempting to reserve {requested:size} at the bottom of memory. That was not possible. There are {free:size} free", "TPU",
            "RESOURCE_EXHAUSTED: Attempting to reserve 13.24G at the bottom of memory. That was not possible. There are 12.41G free, 0B reserved, and 12.41G reservable.";
        "xla-hbm-cores" Joins "JX-2" "TPU TensorCore Hbm usage: {used:size}, SparseCore Hbm usage {sparse_core:size}, exceeding available bytes: {limit:size}", "TPU",
            "TPU TensorCore Hbm usage: 33.12G, SparseCore Hbm usage 0B, exceeding available bytes: 31.25G";
    ],
};

/// TensorFlow, whose allocator is also behind older JAX.
pub const TENSORFLOW: Group = Group {
    tool: "tensorflow",
    kind: Kind::FrameworkOom,
    rows: rows![
        "tf-shape" Joins "TF-1" "OOM when allocating tensor with shape[{shape:word}] and type {dtype:word} on {place:word} by allocator {allocator:word}", "1.5 and later",
            "ResourceExhaustedError: OOM when allocating tensor with shape[64,2016,9,9] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc";
        "tf-shape-short" Joins "TF-1" "OOM when allocating tensor with shape[{shape:word}]", "before 1.5", "ResourceExhaustedError: OOM when allocating tensor with shape[64,2016,9,9]";
        "tf-ran-out" Joins "TF-1" "ran out of memory trying to allocate {requested:size}", "all",
            "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.25GiB with freed_by_count=0.";
        "tf-ran-out-rounded" Joins "TF-1" "ran out of memory trying to allocate {rounded:size} (rounded to {requested:bytes})", "2.3 and later",
            "Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.05GiB (rounded to 3276800000)requested by op Conv2D";
        "tf-not-a-failure" Recovers "TF-1" "The caller indicates that this is not a failure", "1.5 and later",
            "The caller indicates that this is not a failure, but may mean that there could be performance gains if more memory were available.";
        "tf-in-use" Joins "TF-1" "Sum Total of in-use chunks: {in_use:size}", "all", "Sum Total of in-use chunks: 6.38GiB";
        "tf-region" Joins "TF-1" "total_region_allocated_bytes_: {region:bytes} memory_limit_: {limit:bytes} available bytes: {free:bytes}", "2.0 and later",
            "total_region_allocated_bytes_: 6849404928 memory_limit_: 6849404928 available bytes: 0 curr_region_allocation_bytes_: 13698809856";
        "tf-region" Joins "TF-1" "Total bytes in pool: {region:bytes} memory_limit_: {limit:bytes} available bytes: {free:bytes}", "2.12 and later",
            "Total bytes in pool: 6849404928 memory_limit_: 6849404928 available bytes: 0";
        "tf-stats" Joins "TF-1" "Limit: {limit:bytes} InUse: {in_use_exact:bytes} MaxInUse: {max_in_use:bytes}", "all",
            "Stats: \nLimit:                  6849404928\nInUse:                  6849150208\nMaxInUse:               6849404928";
        "tf-stats" Joins "TF-1" "Limit: {limit:bytes} InUse: {in_use_exact:bytes} MaxInUse: {max_in_use:bytes} NumAllocs: {_count:int} MaxAllocSize: {max_alloc_size:bytes}", "all",
            "Limit:                  6849404928\nInUse:                  6849150208\nMaxInUse:               6849404928\nNumAllocs:                    1254\nMaxAllocSize:           3656908800";
        "tf-copy" Joins "TF-1" "Dst tensor is not initialized", "all",
            "InternalError: Failed copying input tensor from CPU:0 to GPU:0 in order to run _EagerConst: Dst tensor is not initialized.";
    ],
};

/// TensorFlow's attempts at start, each for a little less.
pub const TENSORFLOW_START: Group = Group {
    tool: "tensorflow",
    kind: Kind::StartRetry,
    rows: rows![
        "tf-retry" Joins "TF-1" "failed to allocate {rounded:size} ({requested:bytes} bytes) from device: CUDA_ERROR_OUT_OF_MEMORY", "all",
            "failed to allocate 7.45G (7999999744 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory";
        "tf-free-memory" Hints "" "Allocation of {requested:bytes} exceeds 10% of free system memory", "2.0 and later", "Allocation of 1207959552 exceeds 10% of free system memory.";
    ],
};

/// The cards as TensorFlow finds them at its start.
pub const TENSORFLOW_DEVICES: Group = Group {
    tool: "tensorflow",
    kind: Kind::EngineStart,
    rows: rows![
        "tf-device" Lists "TF-1" "totalMemory: {total:size} freeMemory: {free:size}", "1.3 to 1.14", "pciBusID: 0000:01:00.0\ntotalMemory: 11.17GiB freeMemory: 11.10GiB";
        "tf-device" Lists "TF-1" "Total memory: {total:size} Free memory: {free:size}", "before 1.3", "pciBusID 0000:01:00.0\nTotal memory: 4.00GiB\nFree memory: 3.35GiB";
        "tf-created" Lists "TF-1" "device:GPU:{card_index:int} with {budget:mib} MB memory) -> physical GPU (device: {_device:int}, name: {card:text}, pci bus id", "1.4 to 2.5",
            "Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with 9633 MB memory) -> physical GPU (device: 0, name: GeForce RTX 2080 Ti, pci bus id: 0000:01:00.0, compute capability: 7.5)";
        "tf-created" Lists "TF-1" "device:GPU:{card_index:int} with {budget:mib} MB memory: -> device: {_device:int}, name: {card:text}, pci bus id", "2.6 and later",
            "Created device /job:localhost/replica:0/task:0/device:GPU:0 with 22284 MB memory:  -> device: 0, name: NVIDIA GeForce RTX 4090, pci bus id: 0000:01:00.0, compute capability: 8.9";
    ],
};

/// CuPy, RAPIDS and XGBoost.
pub const ARRAYS: Group = Group {
    tool: "rapids",
    kind: Kind::FrameworkOom,
    rows: rows![
        "cupy-oom" Opens "CP-1" "Out of memory allocating {requested:bytes} bytes", "CuPy before 5", "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 2,147,483,648 bytes";
        "cupy-so-far" Opens "CP-1" "Out of memory allocating {requested:bytes} bytes (allocated so far: {allocated:bytes} bytes", "CuPy 5 and later",
            "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 2,147,483,648 bytes (allocated so far: 6,442,450,944 bytes).";
        "cupy-limit" Opens "CP-1" "Out of memory allocating {requested:bytes} bytes (allocated so far: {allocated:bytes} bytes, limit set to: {limit:bytes} bytes", "CuPy 5 and later",
            "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 2,147,483,648 bytes (allocated so far: 6,442,450,944 bytes, limit set to: 8,000,000,000 bytes).";
        "cupy-old" Opens "CP-1" "out of memory to allocate {requested:bytes} bytes (total {allocated:bytes} bytes", "CuPy 2 to 6",
            "cupy.cuda.memory.OutOfMemoryError: out of memory to allocate 1073741824 bytes (total 12373894656 bytes)";
        "rmm-oom" Joins "RM-1" "RMM_ERROR_OUT_OF_MEMORY", "RMM before 0.14", "rmm.librmm_cffi.wrapper.RMMError: RMM_ERROR_OUT_OF_MEMORY";
        "rmm-failure" Joins "RM-1" "std::bad_alloc: RMM failure at", "RMM before 0.18", "MemoryError: std::bad_alloc: RMM failure at:/rmm/mr/device/pool_memory_resource.hpp:179: Maximum pool size exceeded";
        "rmm-oom" Joins "RM-1" "std::bad_alloc: out_of_memory: CUDA error", "RMM", "MemoryError: std::bad_alloc: out_of_memory: CUDA error at: /rmm/mr/device/cuda_memory_resource.hpp:70: cudaErrorMemoryAllocation out of memory";
        "rmm-oom" Joins "RM-1" "std::bad_alloc: CUDA error", "RMM before 21.12", "MemoryError: std::bad_alloc: CUDA error at: ../include/rmm/mr/device/cuda_memory_resource.hpp:68: cudaErrorMemoryAllocation out of memory";
        "rmm-failure" Joins "RM-1" "std::bad_alloc: out_of_memory", "RMM", "MemoryError: std::bad_alloc: out_of_memory: RMM failure at:/rmm/mr/device/pool_memory_resource.hpp:257: Maximum pool size exceeded";
        "rmm-requested" Joins "RM-1" "std::bad_alloc: out_of_memory: CUDA error (failed to allocate {requested:bytes} bytes)", "RMM 24.12 and later",
            "MemoryError: std::bad_alloc: out_of_memory: CUDA error (failed to allocate 8589934592 bytes) at: /rmm/mr/device/cuda_memory_resource.hpp:62: cudaErrorMemoryAllocation out of memory";
        "rmm-pool" Joins "RM-1" "Maximum pool size exceeded", "RMM", "MemoryError: std::bad_alloc: out_of_memory: RMM failure at:/rmm/mr/device/pool_memory_resource.hpp:257: Maximum pool size exceeded";
        "rmm-pool-requested" Joins "RM-1" "Maximum pool size exceeded (failed to allocate {requested:size})", "RMM 24.12 and later",
            "RMM failure at:/rmm/mr/device/pool_memory_resource.hpp:257: Maximum pool size exceeded (failed to allocate 2.000 GiB): request size exceeds";
        "rmm-pool-requested" Joins "RM-1" "Maximum allocation size exceeded (failed to allocate {requested:size})", "RMM 24.12 and later",
            "RMM failure at:/rmm/mr/device/pool_memory_resource.hpp:200: Maximum allocation size exceeded (failed to allocate 2.000 GiB)";
        "xgboost-oom" Joins "XG-1" "Memory allocation error on worker {_rank:int}", "XGBoost", "Memory allocation error on worker 0: std::bad_alloc: cudaErrorMemoryAllocation: out of memory";
        "xgboost-oom" Joins "XG-1" "Memory allocation error on worker {_rank:int}: std::bad_alloc: cudaErrorMemoryAllocation: out of memory", "XGBoost",
            "Memory allocation error on worker 0: std::bad_alloc: cudaErrorMemoryAllocation: out of memory";
        "xgboost-oom" Joins "XG-1" "Memory allocation error on worker {_rank:int}: bad allocation: cudaErrorMemoryAllocation: out of memory", "XGBoost on Windows",
            "Memory allocation error on worker 0: bad allocation: cudaErrorMemoryAllocation: out of memory";
        "xgboost-amounts" Adds "XG-1" "- Free memory: {free:size} - Requested memory: {requested:size}", "XGBoost 3", "- Free memory: 1.2GB\n- Requested memory: 4.5GB";
        "xgboost-amounts" Adds "XG-1" "- Free memory: {free:bytes} - Requested memory: {requested:bytes}", "XGBoost before 3", "- Free memory: 1288490188\n- Requested memory: 4831838208";
    ],
};

/// Paddle, whose GB are GiB.
pub const PADDLE: Group = Group {
    tool: "paddlepaddle",
    kind: Kind::FrameworkOom,
    rows: rows![
        "paddle-oom" Opens "PD-1" "Out of memory error on GPU {device:int}. Cannot allocate {requested:size} memory on GPU {_device:int}, {allocated:size} memory has been allocated and available memory is only {free:size}.", "2.2 and later",
            "Out of memory error on GPU 0. Cannot allocate 56.000000MB memory on GPU 0, 7.782776GB memory has been allocated and available memory is only 12.750000MB.";
        "paddle-oom" Opens "PD-1" "Out of memory error on GPU {device:int}. Cannot allocate {requested:size} memory on GPU {_device:int}, {allocated:size} memory has been allocated(actual using allocated memory {in_use:size}) and available memory is only {free:size}.", "2.6 and later",
            "Out of memory error on GPU 0. Cannot allocate 762.939697MB memory on GPU 0, 14.521484GB memory has been allocated(actual using allocated memory 13.000000GB) and available memory is only 500.562500MB.";
        "paddle-oom-short" Opens "PD-1" "Out of memory error on GPU {device:int}. Cannot allocate {requested:size} memory on GPU {_device:int}, available memory is only {free:size}", "before 2.2",
            "Out of memory error on GPU 0. Cannot allocate 1.250000GB memory on GPU 0, available memory is only 312.875000MB.";
        "paddle-oom-short" Opens "PD-1" "Out of memory error on GPU {device:int}. Cannot allocate {requested:size} GPU memory, available memory is {free:size}", "1.6",
            "Out of memory error on GPU 0. Cannot allocate 145.468994MB GPU memory, available memory is 72.312500MB.";
        "paddle-enforce" Opens "PD-1" "enforce allocating <= available failed, {requested:bytes} > {free:bytes}", "0.11 to 1.1",
            "paddle.fluid.core.EnforceNotMet: enforce allocating <= available failed, 10513462067 > 1369702144";
        "paddle-hint" Adds "PD-1" "Please check whether there is any other process using GPU {_device:int}", "all", "Please check whether there is any other process using GPU 0.";
    ],
};

/// ONNX Runtime, whose arena may also be the CPU's.
pub const ONNX: Group = Group {
    tool: "onnxruntime",
    kind: Kind::FrameworkOom,
    rows: rows![
        "onnx-arena" Joins "OR-1" "Failed to allocate memory for requested buffer of size {requested:bytes}", "all",
            "onnxruntime::BFCArena::AllocateRawInternal(size_t, bool, onnxruntime::Stream*) Failed to allocate memory for requested buffer of size 268435456";
        "onnx-limit" Joins "OR-1" "Available memory of {free:bytes} is smaller than requested bytes of {requested:bytes}", "with gpu_mem_limit",
            "Available memory of 1048576 is smaller than requested bytes of 268435456";
        "onnx-directml" Joins "OR-1" "8007000E", "DirectML", "8007000E Not enough memory resources are available to complete this operation.";
    ],
};

/// MLX on Apple's chips, wgpu, DeepSpeed's inference engine, and the web UI's own guard.
pub const OTHERS: Group = Group {
    tool: "other",
    kind: Kind::FrameworkOom,
    rows: rows![
        "mlx-malloc" Opens "MXL-1" "[malloc] Unable to allocate {requested:bytes} bytes", "MLX", "RuntimeError: [malloc] Unable to allocate 17179869184 bytes.";
        "mlx-malloc" Opens "MXL-1" "[malloc_or_wait] Unable to allocate {requested:bytes} bytes", "MLX before 0.22", "RuntimeError: [malloc_or_wait] Unable to allocate 17179869184 bytes.";
        "mlx-metal" Opens "MXL-1" "[METAL] Command buffer execution failed: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)", "MLX",
            "libc++abi: terminating due to uncaught exception of type std::runtime_error: [METAL] Command buffer execution failed: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)";
        "mlx-metal" Opens "LC-6" "Insufficient Memory (IOAF code 8)", "macOS before 11", "MTLCommandBufferErrorDomain Code=8 \"Insufficient Memory (IOAF code 8)\"";
        "theano-oom" Opens "" "Error allocating {requested:bytes} bytes of device memory (out of memory). Driver report {free:bytes} bytes free and {total:bytes} bytes total", "Theano",
            "Error allocating 103809024 bytes of device memory (out of memory). Driver report 41869312 bytes free and 1073414144 bytes total";
        "wgpu-oom" Opens "RS-1" "wgpu error: Out of Memory", "wgpu", "wgpu error: Out of Memory";
        "deepspeed-workspace" Opens "DS-1" "Workspace can't be allocated, not enough memory", "DeepSpeed inference", "RuntimeError: Workspace can't be allocated, not enough memory";
        "deepspeed-workspace" Opens "DS-1" "Insufficient memory to allocate KV-caches", "DeepSpeed inference v2", "ValueError: Insufficient memory to allocate KV-caches. Required: 1000, Available: 200";
        "deepspeed-workspace" Opens "DS-1" "Not enough memory in buffer. Allocation failed", "DeepSpeed", "AssertionError: Not enough memory in buffer. Allocation failed";
        "webui-guard" Opens "IMG-2" "Not enough memory, use lower resolution (max approx. {max_width:int}x{max_height:int}). Need: {requested:gib}GB free, Have:{free:gib}GB free", "AUTOMATIC1111",
            "RuntimeError: Not enough memory, use lower resolution (max approx. 640x640). Need: 4.0GB free, Have:2.5GB free";
    ],
};

/// A loader that would have to put parts of a quantised model into system memory.
pub const PLACEMENT: Group = Group {
    tool: "transformers",
    kind: Kind::PlacementRefused,
    rows: rows![
        "placement-refused" Joins "PT-14" "Some modules are dispatched on the CPU or the disk", "transformers 4.20 and later",
            "ValueError: Some modules are dispatched on the CPU or the disk. Make sure you have enough GPU RAM to fit the quantized model.";
        "placement-folder" Joins "PT-14" "device_map had weights offloaded to the disk. Please provide an offload_folder", "accelerate",
            "ValueError: The current `device_map` had weights offloaded to the disk. Please provide an `offload_folder` for them.";
    ],
};
