//! Where image programs say that they put their models: ComfyUI, AUTOMATIC1111, Forge. Their MB and GB are binary.
//!
//! Sources: `comfy/model_management.py`, `modules/call_queue.py`, `backend/memory_management.py`.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// Start-up and load lines, and what was handled by a retry.
pub const LOADS: Group = Group {
    tool: "comfyui",
    kind: Kind::ImageLoad,
    rows: rows![
        "image-start" Joins "IMG-1" "Total VRAM {total_vram:mib} MB, total RAM {total_ram:mib} MB", "ComfyUI, Forge", "Total VRAM 24576 MB, total RAM 49088 MB";
        "image-vram-state" Adds "IMG-1" "Set vram state to: {vram_state:word}", "ComfyUI, Forge", "Set vram state to: NORMAL_VRAM";
        "image-device" Joins "IMG-1" "Device: cuda:{card_index:int} {card:text} : {allocator:word}", "ComfyUI, Forge", "Device: cuda:0 NVIDIA GeForce RTX 3090 : cudaMallocAsync";
        "image-full" Joins "IMG-1" "loaded completely; {usable:mib} MB usable, {loaded:mib} MB loaded, full load: {_full:word}", "ComfyUI since 2025",
            "loaded completely; 20489.12 MB usable, 9319.23 MB loaded, full load: True";
        "image-full-short" Joins "IMG-1" "loaded completely; {loaded:mib} MB loaded, full load: {_full:word}", "ComfyUI since 2025", "loaded completely; 9319.23 MB loaded, full load: True";
        "image-full-short" Joins "IMG-1" "loaded completely; {loaded:mib} MB, full load: {_full:word}", "ComfyUI since 2025", "loaded completely; 9319.23 MB, full load: True";
        "image-full" Joins "IMG-1" "loaded completely {usable:mib} {loaded:mib} {_full:word}", "ComfyUI before 2025", "loaded completely 20489.125 9319.23046875 True";
        "image-full-short" Joins "IMG-1" "loaded completely {_usable:word} {loaded:mib} {_full:word}", "ComfyUI before 2025, no limit", "loaded completely 9.5367431640625e+25 159.87335777282715 True";
        "image-part" Joins "IMG-1" "loaded partially; {usable:mib} MB usable, {loaded:mib} MB loaded, {offloaded:mib} MB offloaded", "ComfyUI since 2025",
            "loaded partially; 6401.23 MB usable, 6178.90 MB loaded, 5142.33 MB offloaded, 216.02 MB buffer reserved, lowvram patches: 12";
        "image-part-short" Joins "IMG-1" "loaded partially {usable:mib} {loaded:mib} {_patches:int}", "ComfyUI before 2025", "loaded partially 6401.2336 6178.908203125 12";
        "image-part-short" Joins "IMG-1" "loading in lowvram mode {usable:mib}", "ComfyUI 2023 and 2024", "loading in lowvram mode 6401.233";
        "image-staged" Joins "IMG-1" "prepared for dynamic VRAM loading. {staged:mib}MB Staged", "ComfyUI 2026", "Model Flux prepared for dynamic VRAM loading. 11350MB Staged. 0 patches attached.";
        "webui-footer" Joins "IMG-2" "Torch active/reserved: {active:mib}/{reserved:mib} MiB, Sys VRAM: {card_used:mib}/{card_total:mib} MiB ({percent:num}%)", "AUTOMATIC1111 before 1.6",
            "Torch active/reserved: 5934/7328 MiB, Sys VRAM: 8186/8192 MiB (99.93%)";
        "webui-footer" Joins "IMG-2" "A: {active:gib} GB, R: {reserved:gib} GB, Sys: {card_used:gib}/{card_total:gib} GB ({percent:num}%)", "AUTOMATIC1111 1.6 and later",
            "A: 5.79 GB, R: 7.16 GB, Sys: 8.0/8 GB (100.0%)";
        "forge-unload" Joins "IMG-3" "[Unload] Trying to free {target:mib} MB for {_device:word} with {_models:int} models keep loaded ... Current free memory is {free:mib} MB", "Forge",
            "[Unload] Trying to free 9315.42 MB for cuda:0 with 0 models keep loaded ... Current free memory is 7187.10 MB ... Unload model IntegratedAutoencoderKL Done.";
        "forge-plan" Joins "IMG-3" "[Memory Management] Target: {_class:word}, Free GPU: {free:mib} MB, Model Require: {model:mib} MB, Previously Loaded: {loaded_before:mib} MB, Inference Require: {inference:mib} MB, Remaining: {remaining:mib} MB", "Forge",
            "[Memory Management] Target: KModel, Free GPU: 7187.10 MB, Model Require: 6246.84 MB, Previously Loaded: 0.00 MB, Inference Require: 1024.00 MB, Remaining: -83.74 MB, CPU Swap Loaded (blocked method): 1584.00 MB, GPU Loaded: 4662.84 MB";
        "forge-plan" Joins "IMG-3" "Current Free Memory (MB) = {free:mib} [Memory Management] Model Memory (MB) = {model:mib} [Memory Management] Estimated Inference Memory (MB) = {inference:mib} [Memory Management] Estimated Remaining Memory (MB) = {remaining:mib}", "Forge, early 2024",
            "[Memory Management] Current Free Memory (MB) =  7981.99609375\n[Memory Management] Model Memory (MB) =  2144.3546981811523\n[Memory Management] Estimated Inference Memory (MB) =  1024.0\n[Memory Management] Estimated Remaining Memory (MB) =  4813.641395568848";
        "forge-plan" Joins "IMG-3" "Current Free GPU Memory (MB) = {free:mib} [Memory Management] Model Memory (MB) = {model:mib} [Memory Management] Minimal Inference Memory (MB) = {inference:mib} [Memory Management] Estimated Remaining GPU Memory (MB) = {remaining:mib}", "Forge, mid 2024",
            "[Memory Management] Current Free GPU Memory (MB) =  2944.6083984375\n[Memory Management] Model Memory (MB) =  319.11416244506836\n[Memory Management] Minimal Inference Memory (MB) =  1024.0\n[Memory Management] Estimated Remaining GPU Memory (MB) =  1601.4942359924316";
        "forge-shares" Joins "IMG-3" "GPU memory ({weights_limit:mib} MB) to load weights, and use {_percent:num}% GPU memory ({inference:mib} MB) to do matrix computation", "Forge",
            "[GPU Setting] You will use 91.66% GPU memory (11257.00 MB) to load weights, and use 8.34% GPU memory (1024.00 MB) to do matrix computation.";
        "forge-swap" Joins "IMG-3" "Swap Loaded ({_method:word} method): {offloaded:mib} MB, GPU Loaded: {loaded:mib} MB", "Forge",
            "CPU Swap Loaded (blocked method): 1584.00 MB, GPU Loaded: 4662.84 MB";
        "forge-all-weights" Joins "IMG-3" "You just set Forge to use 100% GPU memory ({weights_limit:mib} MB) to load model weights", "Forge",
            "[Low VRAM Warning] You just set Forge to use 100% GPU memory (8191.56 MB) to load model weights.";
        "image-retried" Recovers "IMG-3" "Ran out of memory when regular VAE decoding, retrying with tiled VAE decoding", "ComfyUI, Forge",
            "Warning: Ran out of memory when regular VAE decoding, retrying with tiled VAE decoding.";
        "image-retried" Recovers "IMG-3" "Ran out of memory when regular VAE encoding, retrying with tiled VAE encoding", "ComfyUI, Forge",
            "Warning: Ran out of memory when regular VAE encoding, retrying with tiled VAE encoding.";
        "image-retried" Recovers "IMG-3" "Patching LoRA weights out of memory. Retrying by offloading models", "Forge", "Patching LoRA weights out of memory. Retrying by offloading models.";
        "image-retried" Recovers "IMG-3" "out of memory error, emptying cache and trying again", "ComfyUI, Forge", "out of memory error, emptying cache and trying again";
        "image-retried" Recovers "IMG-3" "out of memory error, increasing steps and trying again", "ComfyUI, Forge", "out of memory error, increasing steps and trying again 2";
    ],
};
