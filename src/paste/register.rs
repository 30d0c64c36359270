//! The register: every group of rows that is read. A new tool is one file and one line here.

use super::template::Group;
use super::{
    cuda_libraries, frameworks, hints, host, image_tools, memory_summary, monitors, nvidia_smi, on_chip, pytorch,
    training_logs,
};

/// All groups.
pub const GROUPS: &[&Group] = &[
    &pytorch::CACHING,
    &pytorch::ASYNC,
    &pytorch::MPS,
    &pytorch::BARE,
    &pytorch::BLOCK,
    &pytorch::ASSERTS,
    &cuda_libraries::ALLOC_FAILED,
    &cuda_libraries::FAILED,
    &cuda_libraries::NCCL,
    &cuda_libraries::DRIVER,
    &cuda_libraries::NOT_MEMORY,
    &on_chip::KERNELS,
    &on_chip::BUFFERS,
    &frameworks::XLA,
    &frameworks::TENSORFLOW,
    &frameworks::TENSORFLOW_START,
    &frameworks::ARRAYS,
    &frameworks::PADDLE,
    &frameworks::ONNX,
    &frameworks::OTHERS,
    &frameworks::PLACEMENT,
    &host::KILLED,
    &host::ALLOCATION,
    &host::PAGING,
    &host::PINNED,
    &host::SHM,
    &host::DISK,
    &nvidia_smi::SMI,
    &monitors::AMD,
    &monitors::GPUSTAT,
    &monitors::NVITOP,
    &memory_summary::SUMMARY,
    &image_tools::LOADS,
    &training_logs::LOGS,
    &hints::HINTS,
];
