//! What libraries, frameworks, monitors and the system print: each text with the figures, verdict, first cause and family
//! of the first fix that must come of it.

use vramfit::advice::advise;
use vramfit::diagnosis::{Corrections, diagnose};
use vramfit::i18n::{Language, embedded};
use vramfit::paste::{self, Value};

/// A text and what must come of it. A figure is its name and bytes; `used` and `total` are a card's, `process` a process's.
struct Case {
    text: &'static str,
    figures: &'static [(&'static str, i64)],
    verdict: &'static str,
    cause: &'static str,
    family: &'static str,
}

const KIB: i64 = 1 << 10;
const MIB: i64 = 1 << 20;
const GIB: i64 = 1 << 30;

/// Every amount of a text by its name.
fn amounts(text: &str) -> Vec<(&'static str, i64)> {
    let mut amounts = Vec::new();
    for finding in &paste::read(text).findings {
        amounts.extend(finding.figures.iter().filter_map(|figure| match figure.value {
            Value::Bytes(bytes) => Some((figure.name, bytes.0)),
            _ => None,
        }));
        let processes = finding.processes.iter().filter_map(|process| process.bytes);
        amounts.extend(processes.map(|bytes| ("process", bytes.0)));
        for card in &finding.cards {
            amounts.extend(card.used.map(|used| ("used", used.0)));
            amounts.extend(card.total.map(|total| ("total", total.0)));
        }
    }
    amounts
}

fn complaints(case: &Case) -> Vec<String> {
    let mut complaints = Vec::new();
    let found = amounts(case.text);
    for figure in case.figures {
        if !found.contains(figure) {
            complaints.push(format!("no {figure:?} in {found:?}"));
        }
    }
    let surplus = found.iter().filter(|figure| !case.figures.contains(figure)).count();
    if surplus > 3.max(case.figures.len() / 2) {
        complaints.push(format!("{surplus} amounts too many: {found:?}"));
    }
    let corrections = Corrections::default();
    let evidence = paste::read(case.text);
    let diagnosis = diagnose(&evidence, &corrections);
    let advice = advise(&evidence, &diagnosis, &corrections);
    let cause = diagnosis.causes.first().map_or("", |cause| cause.id);
    let family = advice.fixes.first().map_or("nothing-to-fix", |fix| fix.family);
    let told = [
        (diagnosis.verdict.id(), case.verdict),
        (cause, case.cause),
        (family, case.family),
    ];
    for (is, wanted) in told {
        if is != wanted {
            complaints.push(format!("{is:?}, not {wanted:?}"));
        }
    }
    complaints
}

fn check(cases: &[Case]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let complaints = complaints(case);
            (!complaints.is_empty()).then(|| format!("{}\n    {}", case.text, complaints.join("\n    ")))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n\n"));
}

macro_rules! cases {
    ($($text:expr => [$($figure:expr),*], $verdict:literal, $cause:literal, $family:literal;)*) => {
        check(&[$(Case {
            text: $text,
            figures: &[$($figure),*],
            verdict: $verdict,
            cause: $cause,
            family: $family,
        }),*])
    };
}

#[test]
fn libraries_and_drivers() {
    cases! {
        "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"
            => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`"
            => [], "unknown", "unknown-no-figures", "ask-for-more";
        "RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED" => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        "RuntimeError: cuFFT error: CUFFT_ALLOC_FAILED" => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        // The index error came first; the library's error is its echo.
        "../aten/src/ATen/native/cuda/Indexing.cu:1146: indexSelectLargeIndex: block: [84,0,0], thread: [96,0,0] Assertion `srcIndex < srcSelectDimSize` failed.\nRuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"
            => [], "not-memory", "not-memory-index-error", "fix-code";
        "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`\nTime taken: 3.2sTorch active/reserved: 5934/7328 MiB, Sys VRAM: 8186/8192 MiB (99.93%)"
            => [("used", 8186 * MIB), ("total", 8192 * MIB), ("active", 5934 * MIB), ("reserved", 7328 * MIB)],
            "gpu-memory", "card-full", "reduce-work";
        "node7:3121:3467 [3] include/alloc.h:205 NCCL WARN Cuda failure 2 'out of memory'\ntorch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:275, unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5\nncclUnhandledCudaError: Call to CUDA function failed."
            => [], "gpu-memory", "card-full", "reduce-work";
        "NCCL WARN Failed to CUDA calloc async 136 bytes" => [("requested", 136)], "gpu-memory", "card-full", "reduce-work";
        "jaxlib.xla_extension.XlaRuntimeError: INTERNAL: NCCL operation ncclGroupEnd() failed: unhandled cuda error\nNCCL WARN Cuda failure 2 'out of memory'"
            => [], "gpu-memory", "preallocation", "allocator-setting";
        "terminate called after throwing an instance of 'thrust::system::system_error'\n  what():  parallel_for failed: cudaErrorMemoryAllocation: out of memory"
            => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        "Warp CUDA error 2: out of memory (in function wp_alloc_device_default, /builds/warp/native/warp.cu:432)"
            => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        "Error out of memory at line 380 in file /src/csrc/ops.cu" => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        "numba.cuda.cudadrv.driver.CudaAPIError: [2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"
            => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        "Error: DriverError(CUDA_ERROR_OUT_OF_MEMORY, \"out of memory\")" => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        "RuntimeError: Triton Error [CUDA]: out of memory" => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        "NvMapMemAllocInternalTagged: 1075072515 error 12\nNvMapMemHandleAlloc: error 0"
            => [], "gpu-memory", "unified-memory-shared", "free-other";
        // A table that was taken after the crash does not speak against it.
        "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`\n|   0  NVIDIA A10G                    On  | 00000000:00:1E.0 Off |                    0 |\n|  0%   26C    P8               9W / 300W |      4MiB / 23028MiB |      0%      Default |"
            => [("used", 4 * MIB), ("total", 23028 * MIB)], "gpu-memory", "unknown-no-figures", "ask-for-more";
    }
}

#[test]
fn errors_that_are_no_shortage() {
    cases! {
        "RuntimeError: CUDA error: an illegal memory access was encountered\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect."
            => [], "not-memory", "kernel-bug", "fix-code";
        "RuntimeError: CUDA error: device-side assert triggered" => [], "not-memory", "not-memory-index-error", "fix-code";
        "RuntimeError: CUDA error: misaligned address" => [], "not-memory", "kernel-bug", "fix-code";
        "RuntimeError: CUDA error: uncorrectable ECC error encountered" => [], "not-memory", "not-an-error-of-memory", "fix-code";
        "RuntimeError: CUDA error: invalid device ordinal" => [], "not-memory", "not-an-error-of-memory", "fix-code";
        "RuntimeError: CUDA error: no kernel image is available for execution on the device"
            => [], "not-memory", "not-an-error-of-memory", "fix-code";
        "Failed to initialize NVML: Driver/library version mismatch" => [], "not-memory", "not-an-error-of-memory", "fix-code";
        // Code that a traceback quotes is no message.
        "Traceback (most recent call last):\n  File \"/opt/app/run.py\", line 3, in main\n    if \"out of memory\" in str(e):\nValueError: bad value"
            => [], "not-memory", "not-an-error-of-memory", "fix-code";
    }
}

#[test]
fn limits_of_the_chip_and_of_buffers() {
    cases! {
        "torch._inductor.exc.InductorError: No valid triton configs. OutOfResources: out of resource: shared memory, Required: 166912, Hardware limit: 101376. Reducing block sizes or `num_stages` may help."
            => [("required", 166_912), ("limit", 101_376)], "other-limit", "on-chip-shared-memory", "on-chip-limit";
        "triton.runtime.errors.OutOfResources: out of resource: registers, Required: 131072, Hardware limit: 65536."
            => [], "other-limit", "on-chip-shared-memory", "on-chip-limit";
        "RuntimeError: CUDA error: too many resources requested for launch" => [], "other-limit", "on-chip-shared-memory", "on-chip-limit";
        "In Device::create_buffer\n    Buffer size 541065216 is greater than the maximum buffer size (268435456)"
            => [("requested", 541_065_216), ("limit", 268_435_456)], "other-limit", "per-allocation-limit", "reduce-work";
        "RuntimeError: [metal::malloc] Attempting to allocate 26843545600 bytes which is greater than the maximum allowed buffer size of 22613000192 bytes."
            => [("requested", 26_843_545_600), ("limit", 22_613_000_192)], "other-limit", "per-allocation-limit", "reduce-work";
        "RESOURCE_EXHAUSTED: Ran out of memory in memory space vmem. Used 18.50M of 16.00M vmem. Exceeded vmem capacity by 2.50M."
            => [("used", 18 * MIB + MIB / 2), ("limit", 16 * MIB), ("exceeded", 2 * MIB + MIB / 2)], "other-limit", "on-chip-shared-memory", "on-chip-limit";
    }
}

#[test]
fn frameworks() {
    cases! {
        "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 1.50GiB. [executable_name='jit_step']"
            => [("requested", GIB + GIB / 2)], "gpu-memory", "card-full", "reduce-work";
        "XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 34359738368 bytes.: while running replica 0 and partition 0 of a replicated computation (other replicas may have failed as well)."
            => [("requested", 32 * GIB)], "gpu-memory", "request-too-large", "reduce-work";
        "RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 20.50G of 15.50G hbm. Exceeded hbm capacity by 5.00G.\n\nTotal hbm usage >= 21.00G:\n    reserved        512.00M\n    program          20.50G\n    arguments            0B"
            => [("used", 20 * GIB + GIB / 2), ("limit", 15 * GIB + GIB / 2), ("exceeded", 5 * GIB), ("program_total", 21 * GIB), ("hbm_reserved", 512 * MIB)],
            "gpu-memory", "request-too-large", "reduce-work";
        "RESOURCE_EXHAUSTED: Error loading program: Attempting to allocate 1.75G. That was not possible. There are 1.50G free.; (0x0x0_HBM0)"
            => [("requested", GIB * 7 / 4), ("free", GIB * 3 / 2)], "gpu-memory", "card-full", "reduce-work";
        "Can't reduce memory use below 11.67GiB (12530547097 bytes) by rematerialization; only reduced to 14.60GiB (15676630528 bytes), down from 14.62GiB (15698210816 bytes) originally"
            => [("program_total", 15_676_630_528), ("target", 12_530_547_097)], "gpu-memory", "request-too-large", "reduce-work";
        "tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[256,512,224,224] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc [Op:Conv2D]"
            => [], "gpu-memory", "request-too-large", "reduce-work";
        "ResourceExhaustedError: OOM when allocating tensor with shape[8,512,512] and type half on /job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu"
            => [], "host-memory", "host-ram", "host-resource";
        "ResourceExhaustedError: OOM when allocating tensor with shape[8,512,512] and type float on /job:localhost/replica:0/ta\nsk:0/device:GPU:0 by allocator GPU_0_bfc"
            => [], "gpu-memory", "card-full", "reduce-work";
        "W tensorflow/core/common_runtime/bfc_allocator.cc:456] Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.05GiB (rounded to 3276800000)requested by op Conv2D\nSum Total of in-use chunks: 6.00GiB\ntotal_region_allocated_bytes_: 6849404928 memory_limit_: 6849404928 available bytes: 0 curr_region_allocation_bytes_: 13698809856\nStats: \nLimit:                      6849404928\nInUse:                      6442450944\nMaxInUse:                   6442450944"
            => [("requested", 3_276_800_000), ("limit", 6_849_404_928), ("in_use", 6 * GIB), ("in_use_exact", 6 * GIB), ("max_in_use", 6 * GIB), ("free", 0)],
            "gpu-memory", "card-full", "reduce-work";
        "W tensorflow/core/common_runtime/bfc_allocator.cc:290] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.25GiB with freed_by_count=0. The caller indicates that this is not a failure, but this may mean that there could be performance gains if more memory were available."
            => [("requested", 2 * GIB + GIB / 4)], "no-error", "recovered", "nothing-to-fix";
        "InternalError: Failed copying input tensor from /job:localhost/replica:0/task:0/device:CPU:0 to /job:localhost/replica:0/task:0/device:GPU:0 in order to run _EagerConst: Dst tensor is not initialized."
            => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        "failed to allocate 86.5M (90701824 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory"
            => [("requested", 90_701_824)], "gpu-memory", "other-process", "free-other";
        "failed to allocate 7.45G (8000000000 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\nfailed to allocate 6.71G (7200000000 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory"
            => [("requested", 8_000_000_000), ("requested", 7_200_000_000)], "no-error", "recovered", "allocator-setting";
        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 2,147,483,648 bytes (allocated so far: 6,442,450,944 bytes)."
            => [("requested", 2 * GIB), ("allocated", 6 * GIB)], "gpu-memory", "card-full", "reduce-work";
        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 2,147,483,648 bytes (allocated so far: 6,442,450,944 bytes, limit set to: 8,000,000,000 bytes)."
            => [("requested", 2 * GIB), ("allocated", 6 * GIB), ("limit", 8_000_000_000)], "gpu-memory", "memory-cap", "lift-cap";
        "MemoryError: std::bad_alloc: out_of_memory: CUDA error at: /opt/include/rmm/mr/device/cuda_memory_resource.hpp:70: cudaErrorMemoryAllocation out of memory"
            => [], "gpu-memory", "unknown-no-figures", "ask-for-more";
        "MemoryError: std::bad_alloc: out_of_memory: CUDA error (failed to allocate 4294967296 bytes) at: /opt/include/rmm/mr/device/cuda_memory_resource.hpp:62: cudaErrorMemoryAllocation out of memory"
            => [("requested", 4 * GIB)], "gpu-memory", "card-full", "reduce-work";
        "RMM failure at:/opt/include/rmm/mr/device/pool_memory_resource.hpp:257: Maximum pool size exceeded (failed to allocate 2.000 GiB): request size exceeds the limit"
            => [("requested", 2 * GIB)], "gpu-memory", "memory-cap", "lift-cap";
        "xgboost.core.XGBoostError: [12:01:02] Memory allocation error on worker 0: std::bad_alloc: cudaErrorMemoryAllocation: out of memory\n- Free memory: 1288490188\n- Requested memory: 4831838208"
            => [("free", 1_288_490_188), ("requested", 4_831_838_208)], "gpu-memory", "card-full", "reduce-work";
        "ResourceExhaustedError: \n\nOut of memory error on GPU 0. Cannot allocate 762.939697MB memory on GPU 0, 14.000000GB memory has been allocated(actual using allocated memory 13.000000GB) and available memory is only 500.562500MB."
            => [("requested", 800_000_256), ("allocated", 14 * GIB), ("in_use", 13 * GIB), ("free", 524_877_824)], "gpu-memory", "card-full", "reduce-work";
        "Out of memory error on GPU 1. Cannot allocate 2.000000GB memory on GPU 1, 0.000000B memory has been allocated and available memory is only 0.000000B."
            => [("requested", 2 * GIB), ("allocated", 0), ("free", 0)], "gpu-memory", "card-full", "reduce-work";
        "onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException: [ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Non-zero status code returned while running Conv node. Name:'Conv_12' Status Message: /onnxruntime_src/onnxruntime/core/framework/bfc_arena.cc:376 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool, onnxruntime::Stream*, bool, onnxruntime::WaitNotificationFn) Failed to allocate memory for requested buffer of size 1073741824"
            => [("requested", GIB)], "gpu-memory", "card-full", "reduce-work";
        "bfc_arena.cc:342 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool) Available memory of 1048576 is smaller than requested bytes of 268435456"
            => [("free", MIB), ("requested", 256 * MIB)], "gpu-memory", "memory-cap", "lift-cap";
        "libc++abi: terminating due to uncaught exception of type std::runtime_error: [METAL] Command buffer execution failed: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)"
            => [], "gpu-memory", "unified-memory-shared", "reduce-work";
        "RuntimeError: Not enough memory, use lower resolution (max approx. 640x640). Need: 4.0GB free, Have:2.5GB free"
            => [("requested", 4 * GIB), ("free", 5 * GIB / 2)], "gpu-memory", "request-too-large", "reduce-work";
        "ValueError: Some modules are dispatched on the CPU or the disk. Make sure you have enough GPU RAM to fit the quantized model."
            => [], "gpu-memory", "does-not-fit-planned", "free-other";
    }
}

#[test]
fn the_system_and_not_the_gpu() {
    cases! {
        "Killed" => [], "host-memory", "host-ram", "host-resource";
        "Process finished with exit code 137 (interrupted by signal 9: SIGKILL)" => [], "host-memory", "host-ram", "host-resource";
        "subprocess.CalledProcessError: Command '['python', 'train.py']' died with <Signals.SIGKILL: 9>."
            => [], "host-memory", "host-ram", "host-resource";
        "[12345.678901] Out of memory: Killed process 4242 (python3) total-vm:98566144kB, anon-rss:64512000kB, file-rss:1024kB, shmem-rss:0kB, UID:1000 pgtables:1 oom_score_adj:0"
            => [("anon_rss", 64_512_000 * KIB), ("total_vm", 98_566_144 * KIB), ("file_rss", 1024 * KIB), ("shmem_rss", 0)],
            "host-memory", "host-ram", "host-resource";
        "Out of memory: Kill process 4242 (python) score 951 or sacrifice child\nKilled process 4242 (python) total-vm:98566144kB, anon-rss:64512000kB, file-rss:1024kB"
            => [("anon_rss", 64_512_000 * KIB), ("total_vm", 98_566_144 * KIB), ("file_rss", 1024 * KIB)], "host-memory", "host-ram", "host-resource";
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=abc,mems_allowed=0,oom_memcg=/docker/abc,task=python,pid=77,uid=0\nMemory cgroup out of memory: Killed process 77 (python) total-vm:20000000kB, anon-rss:16000000kB, file-rss:100kB, shmem-rss:0kB"
            => [("anon_rss", 16_000_000 * KIB), ("total_vm", 20_000_000 * KIB), ("file_rss", 100 * KIB), ("shmem_rss", 0)],
            "host-memory", "host-ram", "host-resource";
        "    State:          Waiting\n      Reason:       CrashLoopBackOff\n    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137"
            => [], "host-memory", "host-ram", "host-resource";
        "slurmstepd: error: Detected 2 oom_kill events in StepId=99.0. Some of the step tasks have been OOM Killed.\nsrun: error: node07: task 0: Out Of Memory"
            => [], "host-memory", "host-ram", "host-resource";
        "llama.service: A process of this unit has been killed by the OOM killer.\nllama.service: Failed with result 'oom-kill'."
            => [], "host-memory", "host-ram", "host-resource";
        "OSError: [WinError 1455] 页面文件太小，无法完成操作。 Error loading \"C:\\app\\torch\\lib\\cufft64_11.dll\" or one of its dependencies."
            => [], "host-memory", "paging-file", "host-resource";
        "RuntimeError: DataLoader worker (pid 4242) is killed by signal: Killed. " => [], "host-memory", "host-ram", "host-resource";
        "RuntimeError: DataLoader worker (pid(s) 12345, 12346) exited unexpectedly" => [], "host-memory", "host-ram", "host-resource";
        "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm)."
            => [], "shared-memory", "shm", "host-resource";
        "RuntimeError: unable to write to file </torch_18692_1954506624>" => [], "shared-memory", "shm", "host-resource";
        "MemoryError" => [], "host-memory", "host-ram", "host-resource";
        "numpy.core._exceptions.MemoryError: Unable to allocate 273. GiB for an array with shape (191102976, 192) and data type float64"
            => [("requested", 273 * GIB)], "host-memory", "host-ram", "reduce-work";
        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 1.50 GiB for an array with shape (1000, 402653) and data type float32"
            => [("requested", 3 * GIB / 2)], "host-memory", "host-ram", "host-resource";
        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc" => [], "host-memory", "host-ram", "host-resource";
        "memory allocation of 4294967296 bytes failed" => [("requested", 4 * GIB)], "host-memory", "host-ram", "host-resource";
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory" => [], "host-memory", "host-ram", "host-resource";
        "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space" => [], "host-memory", "host-ram", "host-resource";
        "c++: fatal error: Killed signal terminated program cc1plus" => [], "host-memory", "host-ram", "host-resource";
        "OSError: [Errno 12] Cannot allocate memory" => [], "host-memory", "host-ram", "host-resource";
        "RuntimeError: unable to mmap 9976570304 bytes from file </opt/m.safetensors>: Cannot allocate memory (12)"
            => [("requested", 9_976_570_304)], "host-memory", "host-ram", "host-resource";
        "OSError: [Errno 28] No space left on device" => [], "other-limit", "disk", "host-resource";
        "RuntimeError: [enforce fail at inline_container.cc:337] . unexpected pos 1216 vs 1110" => [], "other-limit", "disk", "host-resource";
        "W could not allocate pinned host memory of size: 2304" => [("requested", 2304)], "host-memory", "pinned-host", "host-resource";
        "RuntimeError: [enforce fail at CPUAllocator.cpp:68] . DefaultCPUAllocator: can't allocate memory: you tried to allocate 4294967296 bytes. Error code 12 (Cannot allocate memory)"
            => [("requested", 4 * GIB)], "host-memory", "host-ram", "host-resource";
        // The card's error came first, and the launcher's signal is only what followed. Who holds the card, it does not say.
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.\nERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 1 (pid: 4)"
            => [("requested", 2 * GIB), ("total", 25_393_994_138), ("free", 1_202_590_843)], "gpu-memory", "card-full", "reduce-work";
    }
}

#[test]
fn monitors() {
    cases! {
        // The article's short form.
        "| 0  NVIDIA GeForce RTX 4090  ...  | 21540MiB / 24564MiB |  97%  Default |"
            => [("used", 21540 * MIB), ("total", 24564 * MIB)], "no-error", "other-process", "free-other";
        "+-----------------------------------------------------------------------------------------+\n| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |\n|-----------------------------------------+------------------------+----------------------+\n|   0  NVIDIA A100-SXM4-80GB          On  |   00000000:07:00.0 Off |                    0 |\n| N/A   34C    P0             66W /  400W |   73210MiB /  81920MiB |      0%      Default |\n|                                         |                        |             Disabled |\n+-----------------------------------------+------------------------+----------------------+\n| Processes:                                                                              |\n|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |\n|        ID   ID                                                               Usage      |\n|=========================================================================================|\n|    0   N/A  N/A   1234567      C   VLLM::EngineCore                            73196MiB |\n+-----------------------------------------------------------------------------------------+"
            => [("used", 73210 * MIB), ("total", 81920 * MIB), ("process", 73196 * MIB)], "no-error", "other-process", "free-other";
        // In a container the list is empty.
        "|   0  NVIDIA GeForce RTX 3090        Off |   00000000:01:00.0 Off |                  N/A |\n| 30%   45C    P8             20W /  350W |   18000MiB /  24576MiB |      0%      Default |\n| Processes:                                                                              |\n|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |\n|        ID   ID                                                               Usage      |\n|=========================================================================================|\n+-----------------------------------------------------------------------------------------+"
            => [("used", 18000 * MIB), ("total", 24576 * MIB)], "no-error", "other-process", "free-other";
        // Slices: the second line of each is its BAR1, no memory.
        "|   0  NVIDIA A100-PCIE-40GB      On  | 00000000:C1:00.0 Off |                   On |\n| N/A   30C    P0    35W / 250W |     24MiB / 40960MiB |     N/A      Default |\n|                               |                      |              Enabled |\n+-----------------------------------------------------------------------------+\n| MIG devices:                                                                |\n| GPU  GI  CI  MIG |         Memory-Usage |        Vol|         Shared        |\n|==================+======================+===========+=======================|\n|  0    3   0   0  |   5900MiB /  5952MiB | 14      0 |  1   0    0    0    0 |\n|                  |      0MiB /  8191MiB |           |                       |"
            => [("used", 5900 * MIB), ("total", 5952 * MIB), ("used", 24 * MIB), ("total", 40960 * MIB)], "no-error", "mig-slice", "bigger-card";
        "|   0  NVIDIA GB10                    On  |   0000000F:01:00.0 Off |                  N/A |\n| N/A   41C    P8              4W /  N/A  | Not Supported          |      0%      Default |"
            => [], "no-error", "unified-memory-shared", "free-other";
        "index, name, memory.used [MiB], memory.total [MiB]\n0, NVIDIA A10G, 512, 23028" => [("used", 512 * MIB), ("total", 23028 * MIB)], "no-error", "card-idle", "nothing-to-fix";
        "0, NVIDIA GeForce RTX 4090, 24564 MiB, 507 MiB, 0 %\n1, NVIDIA GeForce RTX 4090, 24564 MiB, 23871 MiB, 100 %"
            => [("total", 24564 * MIB), ("used", 507 * MIB), ("used", 23871 * MIB)], "no-error", "info-devices", "nothing-to-fix";
        "0, NVIDIA GeForce RTX 4090, 24564, 507, 0" => [("total", 24564 * MIB), ("used", 507 * MIB)], "no-error", "card-idle", "nothing-to-fix";
        "pid, process_name, used_gpu_memory [MiB]\n4242, python, 9000 MiB\n4243, /opt/app, inc/server, 500 MiB"
            => [("process", 9000 * MIB), ("process", 500 * MIB)], "no-error", "info-devices", "nothing-to-fix";
        "    Product Name                          : NVIDIA A100-SXM4-80GB\n    FB Memory Usage\n        Total                             : 81920 MiB\n        Reserved                          : 551 MiB\n        Used                              : 80234 MiB\n        Free                              : 1134 MiB\n    BAR1 Memory Usage\n        Total                             : 131072 MiB\n        Used                              : 1 MiB\n        Free                              : 131071 MiB"
            => [("total", 81920 * MIB), ("used", 80234 * MIB), ("free", 1134 * MIB), ("driver_reserved", 551 * MIB)], "no-error", "other-process", "free-other";
        "GPU 0: NVIDIA A100-PCIE-40GB (UUID: GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77)\n  MIG 3g.20gb     Device  0: (UUID: MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f)"
            => [], "no-error", "info-devices", "nothing-to-fix";
        "GPU[0]\t\t: VRAM Total Memory (B): 17163091968\nGPU[0]\t\t: VRAM Total Used Memory (B): 16963091968"
            => [("total", 17_163_091_968), ("used", 16_963_091_968)], "no-error", "other-process", "free-other";
        "{\"card0\": {\"VRAM Total Memory (B)\": \"17163091968\", \"VRAM Total Used Memory (B)\": \"11534336\"}}"
            => [("total", 17_163_091_968), ("used", 11_534_336)], "no-error", "card-idle", "nothing-to-fix";
        "GPU  Temp   AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%\n0    45.0c  18.0W   800Mhz  96Mhz    0%   auto  250.0W    3%   0%"
            => [], "no-error", "info-devices", "nothing-to-fix";
        "| 0000:03:00.0 AMD Radeon RX 7900 XTX | 0 %      40 °C   0           15/327 W |\n|   0       0     N/A             N/A | 3 %      0.0 %           1254/24560 MB |"
            => [("used", 1254 * MIB), ("total", 24560 * MIB)], "no-error", "card-idle", "nothing-to-fix";
        "box  Mon Aug 22 15:23:57 2022  515.65.01\n[0] NVIDIA A100-SXM4-80GB | 45°C,  97 %,  310 / 400 W | 71234 / 81920 MB | alice:python/4242(70000M) bob(1200M)"
            => [("used", 71234 * MIB), ("total", 81920 * MIB), ("process", 70000 * MIB), ("process", 1200 * MIB)], "no-error", "other-process", "free-other";
        "│   0  GeForce RTX 4090     │ 00000000:01:00.0 Off │\n│ 30%   45C    P8    20W / 450W │  22.50GiB / 23.75GiB │      0%      Default │"
            => [("used", 45 * GIB / 2), ("total", 95 * GIB / 4)], "no-error", "other-process", "free-other";
        // A container's memory is no card's.
        "CONTAINER   CPU %   MEM USAGE / LIMIT\nweb         0.07%   796MiB / 2048MiB" => [], "no-error", "not-an-error", "ask-for-more";
    }
}

#[test]
fn names_and_processes_of_tables() {
    let text = "|   0  GeForce RTX 208...  Off  | 00000000:3B:00.0 Off |                  N/A |\n| 41%   63C    P2   112W / 250W |  10871MiB / 11019MiB |     87%      Default |\n|    0     31794    C   Unknown Error                                 5371MiB |\n|    0   N/A  N/A      8124    C+G   C:\\Windows\\explorer.exe                   N/A      |\n";
    let evidence = paste::read(text);
    let finding = &evidence.findings[0];
    assert_eq!(finding.cards[0].name.as_deref(), Some("GeForce RTX 208..."));
    assert_eq!(finding.cards[0].index, Some(0));
    assert_eq!(finding.cards[0].utilization, Some(87));
    let processes: Vec<_> = finding
        .processes
        .iter()
        .map(|process| (process.pid, process.name.as_deref(), process.gpu))
        .collect();
    assert_eq!(
        processes,
        [
            (Some(31794), Some("Unknown Error"), Some(0)),
            (Some(8124), Some("C:\\Windows\\explorer.exe"), Some(0)),
        ]
    );
}

#[test]
fn image_programs_and_training() {
    cases! {
        "Total VRAM 12288 MB, total RAM 32690 MB\nSet vram state to: NORMAL_VRAM\nDevice: cuda:0 NVIDIA GeForce RTX 3060 : native\nloaded partially; 6401.50 MB usable, 6178.50 MB loaded, 5142.50 MB offloaded, 216.02 MB buffer reserved, lowvram patches: 12"
            => [("total_vram", 12288 * MIB), ("total_ram", 32690 * MIB), ("usable", 12803 * MIB / 2), ("loaded", 12357 * MIB / 2), ("offloaded", 10285 * MIB / 2)],
            "no-error", "partial-offload", "nothing-to-fix";
        "loaded completely 9.5367431640625e+25 159.5 True" => [("loaded", 319 * MIB / 2)], "no-error", "info-success", "nothing-to-fix";
        "[Memory Management] Target: KModel, Free GPU: 7187.00 MB, Model Require: 6246.50 MB, Previously Loaded: 0.00 MB, Inference Require: 1024.00 MB, Remaining: -83.50 MB, CPU Swap Loaded (blocked method): 1584.00 MB, GPU Loaded: 4662.50 MB"
            => [("free", 7187 * MIB), ("model", 12493 * MIB / 2), ("loaded_before", 0), ("inference", 1024 * MIB), ("remaining", -167 * MIB / 2), ("offloaded", 1584 * MIB), ("loaded", 9325 * MIB / 2)],
            "no-error", "partial-offload", "nothing-to-fix";
        "Warning: Ran out of memory when regular VAE decoding, retrying with tiled VAE decoding." => [], "no-error", "recovered", "nothing-to-fix";
        "MA 12.50 GB         Max_MA 14.00 GB         CA 18.50 GB         Max_CA 18 GB \nCPU Virtual Memory:  used = 57.50 GB, percent = 11.4%"
            => [("allocated", 25 * GIB / 2), ("max_allocated", 14 * GIB), ("reserved", 37 * GIB / 2), ("max_reserved", 18 * GIB), ("host", 115 * GIB / 2)],
            "no-error", "info-success", "nothing-to-fix";
        "   \\\\   /|    Tesla T4. Num GPUs = 1. Max memory: 14.500 GB. Platform: Linux." => [("total", 29 * GIB / 2)], "no-error", "info-success", "nothing-to-fix";
        // The asynchronous backend's message broke off; the table behind it has the figures.
        "Total VRAM 24576 MB, total RAM 49088 MB\ntorch.OutOfMemoryError: Allocation on device \n[INFO] Memory summary: |===========================================================================|\n|                  PyTorch CUDA memory summary, device ID 0                 |\n|            CUDA OOMs: 0            |        cudaMalloc retries: 0         |\n|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |\n| Allocated memory      |  21130 MiB |  22876 MiB |   1324 GiB |   1303 GiB |\n| GPU reserved memory   |  23012 MiB |  23012 MiB |  23012 MiB |      0 B   |\n"
            => [("allocated", 21130 * MIB), ("peak_allocated", 22876 * MIB), ("reserved", 23012 * MIB), ("peak_reserved", 23012 * MIB), ("total_vram", 24576 * MIB), ("total_ram", 49088 * MIB)],
            "gpu-memory", "card-full", "reduce-work";
    }
}

#[test]
fn a_late_failure_with_growing_memory_is_suspected_of_a_leak() {
    let text = "[Rank 0] (after 100 iterations) memory (MB) | allocated: 20000.0 | max allocated: 21000.0 | reserved: 22000.0 | max reserved: 22000.0\n[Rank 0] (after 200 iterations) memory (MB) | allocated: 21500.0 | max allocated: 22000.0 | reserved: 23000.0 | max reserved: 23000.0\n[Rank 0] (after 300 iterations) memory (MB) | allocated: 23000.0 | max allocated: 23500.0 | reserved: 24000.0 | max reserved: 24000.0\n 38%|###8      | 380/1000 [04:12<06:51,  1.51it/s]\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 12.00 MiB is free. Of the allocated memory 23.00 GiB is allocated by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated.\n";
    let evidence = paste::read(text);
    assert_eq!(evidence.steps, Some(380));
    let diagnosis = diagnose(&evidence, &Corrections::default());
    assert_eq!(diagnosis.causes[0].id, "card-full");
    let leak = diagnosis
        .causes
        .iter()
        .find(|cause| cause.id == "leak-suspected")
        .expect("the suspicion");
    assert_eq!(leak.because.len(), 2);
}

#[test]
fn a_monitors_processes_join_a_failure_without_any() {
    let text = "RuntimeError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 0; 10.76 GiB total capacity; 1.50 GiB already allocated; 19.75 MiB free; 1.60 GiB reserved in total by PyTorch)\n|    0   N/A  N/A      7653      C   python                                     8200MiB |\n";
    let corrections = Corrections::default();
    let evidence = paste::read(text);
    let diagnosis = diagnose(&evidence, &corrections);
    assert_eq!(diagnosis.causes[0].id, "other-process");
    let advice = advise(&evidence, &diagnosis, &corrections);
    assert!(
        advice.fixes[0].commands[0].text.contains("7653"),
        "{:?}",
        advice.fixes[0]
    );
}

/// A line's message is told in full or not at all: what a query did not ask for is not in its sentence.
#[test]
fn columns_that_a_query_left_out_are_not_told() {
    let texts: Vec<_> = Language::all().map(embedded).collect();
    for text in [
        "pid, used_gpu_memory [MiB]\n4242, [N/A]\n",
        "pid, used_gpu_memory [MiB]\n4242, 9000 MiB\n",
        "process_name, used_gpu_memory [MiB]\npython, 9000 MiB\n",
        "device,VRAM Total Memory (B),VRAM Total Used Memory (B)\ncard0,25753026560,N/A\n",
    ] {
        let evidence = paste::read(text);
        for hit in &evidence.hits {
            for texts in &texts {
                assert_eq!(texts.faults(&hit.says()), [""; 0], "{text:?}");
            }
        }
        assert!(!evidence.hits.is_empty(), "{text:?}");
    }
}
