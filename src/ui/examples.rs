//! Texts to try the page with, one of each kind.

/// An example: what its button says, and the text.
pub struct Example {
    /// The id of its name.
    pub name: &'static str,
    /// The text, as a terminal showed it.
    pub text: &'static str,
}

/// A card filled by the job itself; another process on it; memory in pieces; Apple's shared memory; a message cut off.
pub const EXAMPLES: [Example; 5] = [
    Example {
        name: "ui-example-full",
        text: FULL,
    },
    Example {
        name: "ui-example-other",
        text: OTHER,
    },
    Example {
        name: "ui-example-pieces",
        text: PIECES,
    },
    Example {
        name: "ui-example-apple",
        text: APPLE,
    },
    Example {
        name: "ui-example-cut",
        text: CUT,
    },
];

const FULL: &str = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.
Of the allocated memory 20.10 GiB is allocated by PyTorch, and 1.31 GiB
is reserved by PyTorch but unallocated.";

const OTHER: &str = "Traceback (most recent call last):
  File \"/opt/app/infer.py\", line 31, in <module>
    y = net(x.to(\"cuda\"))
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 148.00 MiB. GPU 0 has a total capacity of 79.25 GiB of which 11.19 MiB is free. Process 2635308 has 62.69 GiB memory in use. Including non-PyTorch memory, this process has 16.54 GiB memory in use. Of the allocated memory 15.94 GiB is allocated by PyTorch, and 205.65 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.";

const PIECES: &str = "Traceback (most recent call last):
  File \"/opt/app/train.py\", line 96, in main
    out = model(batch)
RuntimeError: CUDA out of memory. Tried to allocate 2.87 GiB (GPU 0; 14.76 GiB total capacity; 8.77 GiB already allocated; 19.75 MiB free; 13.71 GiB reserved in total by PyTorch)";

const APPLE: &str = "RuntimeError: MPS backend out of memory (MPS allocated: 7.43 GB, other allocations: 24.46 GB, max allowed: 32.00 GB). Tried to allocate 129.21 MB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause system failure).";

const CUT: &str = "Device: cuda:0 NVIDIA GeForce RTX 3090 : cudaMallocAsync
got prompt
!!! Exception during processing !!! Allocation on device 
Traceback (most recent call last):
  File \"/opt/comfy/nodes.py\", line 1429, in sample
    samples = common_ksampler(model, seed, steps)
torch.cuda.OutOfMemoryError: Allocation on device 

Got an OOM, unloading all loaded models.";
