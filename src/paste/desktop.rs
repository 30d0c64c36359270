//! What desktop programs and small engines print: LM Studio, KoboldCpp, faster-whisper on CTranslate2; and the
//! words that tell which engine was at work.
//!
//! Sources: `src/cuda/utils.h` and `src/cpu/allocator.cc` of OpenNMT/CTranslate2, `koboldcpp.py` of LostRuins/koboldcpp,
//! and public threads.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// LM Studio's guess that a model would overload the computer. Nothing was allocated; its GB is not documented.
pub const GUARD: Group = Group {
    tool: "lmstudio",
    kind: Kind::PlanRefused,
    rows: rows![
        "lmstudio-guard" Opens "LS-1" "Model loading was stopped due to insufficient system resources", "0.3 and later",
            "Failed to load model \"m\". Error: Model loading was stopped due to insufficient system resources.";
        "lmstudio-guard" Opens "LS-1" "Not enough resources to load the model with the current settings", "0.4 and later", "Not enough resources to load the model with the current settings";
        "lmstudio-estimate" Adds "LS-1" "this model requires approximately {estimate:dec} of memory", "0.3.31 and later",
            "Under the current settings, this model requires approximately 273.25 GB of memory,";
    ],
};

/// LM Studio's engine ended without a reason. The units of its JSON are not documented, so they stay numbers.
pub const CRASH: Group = Group {
    tool: "lmstudio",
    kind: Kind::Wrapper,
    rows: rows![
        "lmstudio-crash" Joins "LS-1" "The model has crashed without additional information", "0.3 and later",
            "The model has crashed without additional information. (Exit code: 18446744072635812000)";
        "lmstudio-crash" Joins "LS-1" "The model has crashed without additional information. (Exit code: {exit_code:int})", "0.3 and later",
            "The model has crashed without additional information. (Exit code: 6)";
        "lmstudio-crash" Joins "LS-1" "Error: Received load-error", "0.3 and later", "[error] [LMSInternal][Client=LM Studio][Endpoint=loadModel] Error in channel handler: Error: Received load-error";
        "lmstudio-exit" Joins "LS-1" "(Exit code: {exit_code:int}). Unknown error", "0.2 and later", "\"cause\": \"(Exit code: -1073740791). Unknown error. Try a different model and/or config.\"";
        "lmstudio-ram" Adds "LS-1" "ram_capacity: {ram_total:num} GB, ram_unused: {ram_free:num} GB", "0.2",
            "\"memory\": { \"ram_capacity\": \"31.75 GB\", \"ram_unused\": \"20.10 GB\" },";
        "lmstudio-vram" Adds "LS-1" "gpu_names: [{card:text}], vram_recommended_capacity: {vram_total:num} GB, vram_unused: {vram_free:num} GB", "0.2",
            "\"gpu_names\": [\"NVIDIA GeForce GTX 750 Ti\"], \"vram_recommended_capacity\": \"2.00 GB\", \"vram_unused\": \"1.64 GB\"";
    ],
};

/// KoboldCpp's notes before it loads. What it calls available is the card's whole memory.
pub const KOBOLD: Group = Group {
    tool: "koboldcpp",
    kind: Kind::OtherHolder,
    rows: rows![
        "kobold-others" Lists "KC-1" "significant amount of GPU VRAM ({used_by_others:size}) is currently used by another application", "1.80 and later",
            "Note: KoboldCpp has detected that a significant amount of GPU VRAM (5014.0 MB) is currently used by another application.";
        "kobold-close" Lists "KC-1" "you may wish to close that application and then restart KoboldCpp", "1.80 and later",
            "For best results, you may wish to close that application and then restart KoboldCpp.";
        "kobold-layers" Lists "KC-1" "Auto Recommended GPU Layers: {gpu_layers:int}", "1.70 and later", "Auto Recommended GPU Layers: 0";
        "kobold-card" Lists "KC-1" "Detected Available GPU Memory: {total:size}", "1.90 and later", "Detected Available GPU Memory: 8188 MB";
        "kobold-card" Lists "KC-1" "Detected Free GPU Memory: {total:size}", "1.75 to 1.90", "Detected Free GPU Memory: 12288 MB (Set GPU layers manually if incorrect)";
        "kobold-reserve" Lists "KC-1" "Autofit Reserve Space: {reserve:size}", "1.105 and later", "Autofit Reserve Space: 12918 MB";
        "kobold-ram" Lists "KC-1" "Detected Available RAM: {ram_available:size}", "1.90 and later", "Detected Available RAM: 34762 MB";
    ],
};

/// CTranslate2 ran out on the card; no figures.
pub const WHISPER: Group = Group {
    tool: "ctranslate2",
    kind: Kind::EngineOom,
    rows: rows![
        "ct2-oom" Opens "CT-1" "CUDA failed with error out of memory", "all", "RuntimeError: CUDA failed with error out of memory";
        "ct2-cublas" Opens "CT-1" "cuBLAS failed with status CUBLAS_STATUS_ALLOC_FAILED", "all", "RuntimeError: cuBLAS failed with status CUBLAS_STATUS_ALLOC_FAILED";
        "ct2-cublas" Opens "CT-1" "cuDNN failed with status CUDNN_STATUS_ALLOC_FAILED", "all", "RuntimeError: cuDNN failed with status CUDNN_STATUS_ALLOC_FAILED";
    ],
};

/// CTranslate2 ran out of system memory.
pub const WHISPER_HOST: Group = Group {
    tool: "ctranslate2",
    kind: Kind::EngineHost,
    rows: rows![
        "ct2-host" Opens "CT-1" "mkl_malloc: failed to allocate memory", "all", "RuntimeError: mkl_malloc: failed to allocate memory";
        "ct2-host" Opens "CT-1" "aligned_alloc: failed to allocate memory", "all", "RuntimeError: aligned_alloc: failed to allocate memory";
    ],
};

/// Words that tell which engine was at work.
pub const HINTS: Group = Group {
    tool: "",
    kind: Kind::Hints,
    rows: rows![
        "job-ollama" Hints "" "ollama", "", "ollama run qwen3:32b";
        "job-ollama" Hints "" "ollama_llama_server", "", "/usr/lib/ollama_llama_server runner --model m";
        "job-ollama" Hints "" "source=server.go:", "", "level=INFO source=server.go:622 msg=…";
        "job-ollama" Hints "" "source=sched.go:", "", "level=ERROR source=sched.go:457 msg=…";
        "job-ollama" Hints "" "llama runner", "", "msg=\"llama runner started in 6.54 seconds\"";
        "job-lmstudio" Hints "" "LM Studio", "", "LM Studio 0.3.31";
        "job-koboldcpp" Hints "" "koboldcpp", "", "Welcome to KoboldCpp";
        "job-ggml" Hints "" "ggml-cuda.cu", "", "/src/ggml-cuda.cu:291: CUDA error";
        "job-vllm" Hints "" "vllm serve", "", "vllm serve m";
        "load-vllm" Hints "" ", in load_model", "", "File \"/opt/vllm/v1/worker/gpu_worker.py\", line 3, in load_model";
        "load-vllm" Hints "" ", in load_weights", "", "File \"/opt/vllm/model_executor/models/qwen3.py\", line 3, in load_weights";
        "warmup-vllm-graphs" Hints "" ", in capture_model", "", "File \"/opt/vllm/v1/worker/gpu_worker.py\", line 3, in capture_model";
        "warmup-vllm-graphs" Hints "" ", in _capture_cudagraphs", "", "File \"/opt/vllm/v1/worker/gpu_model_runner.py\", line 3, in _capture_cudagraphs";
        "warmup-vllm-profile" Hints "" ", in profile_run", "", "File \"/opt/vllm/worker/model_runner.py\", line 3, in profile_run";
        "warmup-vllm-profile" Hints "" ", in determine_available_memory", "", "File \"/opt/vllm/v1/worker/gpu_worker.py\", line 3, in determine_available_memory";
        "warmup-vllm-profile" Hints "" ", in determine_num_available_blocks", "", "File \"/opt/vllm/worker/worker.py\", line 3, in determine_num_available_blocks";
        "warmup-vllm-sampler" Hints "" ", in _dummy_sampler_run", "", "File \"/opt/vllm/v1/worker/gpu_model_runner.py\", line 3, in _dummy_sampler_run";
        "warmup-sglang-graphs" Hints "" ", in init_cuda_graphs", "", "File \"/opt/sglang/srt/model_executor/model_runner.py\", line 3, in init_cuda_graphs";
    ],
};
