//! What CUDA's libraries and the driver print when they get no memory: status codes and texts without figures.
//!
//! Sources: the libraries' status enumerations, `csrc/compat.cuh` of bitsandbytes, `src/misc/utils.cc` and
//! `src/include/alloc.h` of NCCL, and public threads.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// Status codes that say plainly that memory was refused.
pub const ALLOC_FAILED: Group = Group {
    tool: "cuda",
    kind: Kind::LibraryOom,
    rows: rows![
        "library-cublas-alloc" Joins "CU-1" "CUBLAS_STATUS_ALLOC_FAILED", "all",
            "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`";
        "library-cudnn-alloc" Joins "CU-3" "CUDNN_STATUS_ALLOC_FAILED", "all", "RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED";
        "library-cudnn-alloc" Joins "CU-3" "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED", "cuDNN 9",
            "RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED";
        "library-alloc" Joins "CU-4" "CUFFT_ALLOC_FAILED", "all", "RuntimeError: cuFFT error: CUFFT_ALLOC_FAILED";
        "library-alloc" Joins "CU-4" "CUSOLVER_STATUS_ALLOC_FAILED", "all", "RuntimeError: cusolver error: CUSOLVER_STATUS_ALLOC_FAILED, when calling `cusolverDnCreate(handle)`";
        "library-alloc" Joins "CU-4" "CUSPARSE_STATUS_ALLOC_FAILED", "all", "RuntimeError: CUDA error: CUSPARSE_STATUS_ALLOC_FAILED when calling `cusparseCreate(handle)`";
        "library-alloc" Joins "CU-4" "CURAND_STATUS_ALLOCATION_FAILED", "all", "RuntimeError: CURAND_STATUS_ALLOCATION_FAILED";
        "library-alloc" Joins "CU-4" "HIPBLAS_STATUS_ALLOC_FAILED", "ROCm", "RuntimeError: CUDA error: HIPBLAS_STATUS_ALLOC_FAILED when calling `hipblasCreate(handle)`";
    ],
};

/// Status codes that mostly, but not always, stand for a full card.
pub const FAILED: Group = Group {
    tool: "cuda",
    kind: Kind::LibraryFailed,
    rows: rows![
        "library-init" Joins "CU-2" "CUBLAS_STATUS_NOT_INITIALIZED", "all",
            "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`";
        "library-init" Joins "CU-3" "CUDNN_STATUS_NOT_INITIALIZED", "all", "RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED";
        "library-init" Joins "CU-2" "HIPBLAS_STATUS_NOT_INITIALIZED", "ROCm", "RuntimeError: CUDA error: HIPBLAS_STATUS_NOT_INITIALIZED";
        "library-resources" Joins "PT-11" "ERROR_OUT_OF_RESOURCES", "Intel's Level Zero",
            "Native API failed. Native API returns: -5 (PI_ERROR_OUT_OF_RESOURCES) -5 (PI_ERROR_OUT_OF_RESOURCES)";
        "library-resources" Joins "PT-11" "CL_OUT_OF_RESOURCES", "OpenCL", "Native API failed. Native API returns: -5 (CL_OUT_OF_RESOURCES)";
        "library-internal" Joins "CU-3" "CUDNN_STATUS_INTERNAL_ERROR", "all", "RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR";
        "library-internal" Joins "CU-2" "CUBLAS_STATUS_INTERNAL_ERROR", "all", "RuntimeError: CUDA error: CUBLAS_STATUS_INTERNAL_ERROR when calling `cublasCreate(handle)`";
        "library-internal" Joins "CU-4" "CUSOLVER_STATUS_INTERNAL_ERROR", "all", "RuntimeError: cusolver error: CUSOLVER_STATUS_INTERNAL_ERROR, when calling `cusolverDnCreate(handle)`";
        "library-internal" Joins "CU-4" "CUFFT_INTERNAL_ERROR", "all", "RuntimeError: cuFFT error: CUFFT_INTERNAL_ERROR";
        "library-not-supported" Joins "CU-3" "CUDNN_STATUS_NOT_SUPPORTED", "all", "RuntimeError: cuDNN error: CUDNN_STATUS_NOT_SUPPORTED.";
        "library-no-engine" Joins "CU-3" "unable to find an engine to execute this computation", "1.8 and later",
            "RuntimeError: GET was unable to find an engine to execute this computation";
        "library-dnn-support" Joins "TF-1" "DNN library is not found", "XLA and TensorFlow", "FAILED_PRECONDITION: DNN library is not found.";
        "library-dnn-support" Joins "JX-1" "DNN library initialization failed", "XLA", "FAILED_PRECONDITION: DNN library initialization failed. Look at the errors above for more details.";
        "library-dnn-support" Joins "TF-1" "Failed to get convolution algorithm. This is probably because cuDNN failed to initialize", "TensorFlow 1.13 and later",
            "UnknownError: Failed to get convolution algorithm. This is probably because cuDNN failed to initialize, so try looking to see if a warning log message was printed above.";
    ],
};

/// NCCL, per rank.
pub const NCCL: Group = Group {
    tool: "nccl",
    kind: Kind::NcclOom,
    rows: rows![
        "nccl-oom" Joins "CU-5" "NCCL WARN Cuda failure 2 'out of memory'", "2.18 and later", "node1:123:456 [0] init.cc:402 NCCL WARN Cuda failure 2 'out of memory'";
        "nccl-oom" Joins "CU-5" "Cuda failure 'out of memory'", "before 2.18", "node1:123:456 [0] include/alloc.h:48 NCCL WARN Cuda failure 'out of memory'";
        "nccl-oom" Joins "CU-5" "Cuda failure 2 'out of memory'", "2.18 and later", "Last error:\nCuda failure 2 'out of memory'";
        "nccl-calloc" Joins "CU-5" "Failed to CUDA calloc async {requested:bytes} bytes", "2.18 and later", "NCCL WARN Failed to CUDA calloc async 4 bytes";
        "nccl-calloc" Joins "CU-5" "Failed to CUDA calloc {requested:bytes} bytes", "2.19 and later", "NCCL WARN Failed to CUDA calloc 1048576 bytes";
        "nccl-unhandled" Adds "CU-5" "ncclUnhandledCudaError", "all", "ncclUnhandledCudaError: Call to CUDA function failed.";
        "nccl-unhandled" Adds "CU-5" "unhandled cuda error", "all", "RuntimeError: NCCL error in: ../torch/lib/c10d/ProcessGroupNCCL.cpp:784, unhandled cuda error, NCCL version 2.4.8";
    ],
};

/// The driver's text in programs other than PyTorch.
pub const DRIVER: Group = Group {
    tool: "cuda",
    kind: Kind::DriverOom,
    rows: rows![
        "driver-runtime" Joins "CU-6" "cudaErrorMemoryAllocation", "thrust, cub, CuPy, RAPIDS", "parallel_for failed: cudaErrorMemoryAllocation: out of memory";
        "driver-runtime" Joins "CU-6" "std::bad_alloc: cudaErrorMemoryAllocation: out of memory", "thrust",
            "what():  std::bad_alloc: cudaErrorMemoryAllocation: out of memory";
        "driver-driver" Joins "CU-7" "CUDA_ERROR_OUT_OF_MEMORY", "all", "cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY: out of memory";
        "driver-decoder" Joins "CU-7" "cuvidCreateDecoder({_arguments:text}) failed -> CUDA_ERROR_OUT_OF_MEMORY", "ffmpeg",
            "[h264_cuvid @ 0x55d0] ctx->cvdl->cuvidCreateDecoder(&ctx->cudecoder, &cuinfo) failed -> CUDA_ERROR_OUT_OF_MEMORY: out of memory";
        "driver-numba" Joins "NB-1" "Call to {call:word} results in CUDA_ERROR_OUT_OF_MEMORY", "Numba",
            "numba.cuda.cudadrv.driver.CudaAPIError: [2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY";
        "driver-numba" Joins "NB-1" "[CUresult.CUDA_ERROR_OUT_OF_MEMORY] Call to {call:word}", "Numba with NVIDIA's binding",
            "numba.cuda.cudadrv.driver.CudaAPIError: [CUresult.CUDA_ERROR_OUT_OF_MEMORY] Call to cuMemAlloc failed";
        "driver-rust" Joins "RS-1" "DriverError(CUDA_ERROR_OUT_OF_MEMORY", "candle, cudarc", "Error: DriverError(CUDA_ERROR_OUT_OF_MEMORY, \"out of memory\")";
        "driver-warp" Joins "CU-8" "Warp CUDA error 2: out of memory", "NVIDIA Warp", "Warp CUDA error 2: out of memory (in function wp_alloc_device, /warp/native/warp.cu:432)";
        "driver-bitsandbytes" Joins "CU-10" "Error out of memory at line {_line:int} in file", "bitsandbytes", "Error out of memory at line 380 in file /mmfs1/bitsandbytes/csrc/ops.cu";
        "driver-triton" Joins "CU-11" "Triton Error [CUDA]: out of memory", "Triton", "RuntimeError: Triton Error [CUDA]: out of memory";
        "driver-mxnet" Joins "MX-1" "pooled_storage_manager.h:{_line:int}: cudaMalloc failed: out of memory", "MXNet", "MXNetError: [21:13:03] src/storage/./pooled_storage_manager.h:157: cudaMalloc failed: out of memory";
        "driver-mxnet" Joins "MX-1" "cudaMalloc retry failed: out of memory", "MXNet", "MXNetError: [12:01:02] src/storage/./pooled_storage_manager.h:161: cudaMalloc retry failed: out of memory";
        "driver-onnx" Joins "OR-1" "CUDA failure 2: out of memory", "ONNX Runtime, CNTK", "CUDA failure 2: out of memory ; GPU=0 ; hostname=box ; expr=cudaMalloc((void**)&p, size);";
        "driver-xpu" Joins "PT-11" "OUT_OF_DEVICE_MEMORY", "Intel's Level Zero", "Native API failed. Native API returns: 39 (UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)";
        "driver-xpu" Joins "PT-11" "CL_MEM_OBJECT_ALLOCATION_FAILURE", "OpenCL", "Native API failed. Native API returns: -4 (CL_MEM_OBJECT_ALLOCATION_FAILURE)";
        "driver-jetson" Joins "CU-9" "NvMapMemAllocInternalTagged: {_code:int} error 12", "Jetson", "NvMapMemAllocInternalTagged: 1075072515 error 12";
        "driver-jetson" Adds "CU-9" "NvMapMemHandleAlloc: error", "Jetson", "NvMapMemHandleAlloc: error 0";
    ],
};

/// CUDA's and ROCm's errors that are no shortage, although some speak of memory.
pub const NOT_MEMORY: Group = Group {
    tool: "cuda",
    kind: Kind::NotMemory,
    rows: rows![
        "fault-index" Joins "DEV-2" "device-side assert triggered", "all", "RuntimeError: CUDA error: device-side assert triggered";
        "fault-index" Joins "DEV-2" "Assertion srcIndex < srcSelectDimSize failed", "all",
            "../aten/src/ATen/native/cuda/Indexing.cu:703: indexSelectLargeIndex: block: [0,0,0], thread: [0,0,0] Assertion `srcIndex < srcSelectDimSize` failed.";
        "fault-index" Joins "DEV-2" "Assertion t >= 0 && t < n_classes failed", "all", "Loss.cu:106: nll_loss_forward_reduce_cuda_kernel_2d: Assertion `t >= 0 && t < n_classes` failed.";
        "fault-index" Joins "DEV-2" "Assertion idx_dim >= 0 && idx_dim < index_size && index out of bounds failed", "all",
            "ScatterGatherKernel.cu:144: operator(): Assertion `idx_dim >= 0 && idx_dim < index_size && \"index out of bounds\"` failed.";
        "fault-index" Joins "DEV-2" "index out of bounds failed", "all", "IndexKernel.cu:92: operator(): Assertion `-sizes[i] <= index && index < sizes[i] && \"index out of bounds\"` failed.";
        "fault-illegal" Joins "DEV-2" "an illegal memory access was encountered", "all", "RuntimeError: CUDA error: an illegal memory access was encountered";
        "fault-illegal" Joins "DEV-2" "CUDA_ERROR_ILLEGAL_ADDRESS", "all", "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered";
        "fault-illegal" Joins "DEV-2" "misaligned address", "all", "RuntimeError: CUDA error: misaligned address";
        "fault-illegal" Joins "DEV-2" "Memory access fault by GPU node", "ROCm", "Memory access fault by GPU node-1 (Agent handle: 0x5581) on address 0x7f0. Reason: Page not present or supervisor privilege.";
        "fault-illegal" Joins "DEV-2" "unspecified launch failure", "all", "RuntimeError: CUDA error: unspecified launch failure";
        "fault-ecc" Joins "DEV-2" "uncorrectable ECC error", "all", "RuntimeError: CUDA error: uncorrectable ECC error encountered";
        "fault-ordinal" Joins "DEV-3" "invalid device ordinal", "all", "RuntimeError: CUDA error: invalid device ordinal";
        "fault-ordinal" Joins "DEV-3" "No CUDA GPUs are available", "all", "RuntimeError: No CUDA GPUs are available";
        "fault-build" Joins "DEV-3" "no kernel image is available for execution on the device", "all", "RuntimeError: CUDA error: no kernel image is available for execution on the device";
        "fault-build" Joins "DEV-3" "Torch not compiled with CUDA enabled", "all", "AssertionError: Torch not compiled with CUDA enabled";
        "fault-launch" Joins "KR-2" "CUDA error: invalid configuration argument", "all", "RuntimeError: CUDA error: invalid configuration argument";
        "fault-driver" Joins "DEV-3" "Driver/library version mismatch", "all", "Failed to initialize NVML: Driver/library version mismatch";
        "fault-driver" Joins "DEV-3" "failed to initialize CUDA: unknown error", "llama.cpp", "ggml_cuda_init: failed to initialize CUDA: unknown error";
        "fault-driver" Joins "DEV-3" "no CUDA-capable device is detected", "all", "ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected";
        "fault-driver" Joins "DEV-3" "CUDA driver version is insufficient for CUDA runtime version", "all", "CUDA error: CUDA driver version is insufficient for CUDA runtime version";
        "fault-driver" Joins "DEV-3" "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver", "all",
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.";
    ],
};
