//! The table of `torch.cuda.memory_summary()`, and what programs print of `torch.cuda.memory_allocated()`.
//!
//! Source: `torch/cuda/memory.py`. All units are binary, older `GB` included. Copies lose the bars between the cells.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// The rows whose first cells count: current and peak.
pub const SUMMARY: Group = Group {
    tool: "pytorch",
    kind: Kind::MemorySummary,
    rows: rows![
        "summary-title" Opens "TOOL-3" "PyTorch CUDA memory summary, device ID {device:int}", "1.4 and later", "|                  PyTorch CUDA memory summary, device ID 0                 |";
        "summary-failures" Adds "TOOL-3" "CUDA OOMs: {failures:int} | cudaMalloc retries: {retries:int}", "1.4 and later", "|            CUDA OOMs: 1            |        cudaMalloc retries: 2         |";
        "summary-allocated" Joins "TOOL-3" "Allocated memory {allocated:size} {peak_allocated:size}", "1.4 and later", "| Allocated memory      |  21130 MiB |  22876 MiB |   1324 GiB |   1303 GiB |";
        "summary-requested" Adds "TOOL-3" "Requested memory {requested_live:size} {_peak:size}", "2.0 and later", "| Requested memory      |  21001 MiB |  22700 MiB |   1310 GiB |   1290 GiB |";
        "summary-reserved" Joins "TOOL-3" "GPU reserved memory {reserved:size} {peak_reserved:size}", "1.4 and later", "| GPU reserved memory   |  23012 MiB |  23012 MiB |  23012 MiB |      0 B   |";
        "summary-non-releasable" Adds "TOOL-3" "Non-releasable memory {non_releasable:size} {_peak:size}", "1.4 and later", "| Non-releasable memory |   1881 MiB |   2210 MiB |    801 GiB |    799 GiB |";
    ],
};
