//! Memory figures in the logs of training programs: no failures, but they show what grew.
//!
//! Sources: `deepspeed/runtime/utils.py`, `megatron/training/utils.py`, `unsloth/models/_utils.py`,
//! `ultralytics/utils/autobatch.py`.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// DeepSpeed, Megatron, Unsloth, Ultralytics: all binary, whatever the label.
pub const LOGS: Group = Group {
    tool: "training",
    kind: Kind::TrainingLog,
    rows: rows![
        "training-deepspeed" Joins "DeepSpeed" "MA {allocated:gib} GB Max_MA {max_allocated:gib} GB CA {reserved:gib} GB Max_CA {max_reserved:gib} GB", "all",
            "MA 12.63 GB         Max_MA 14.02 GB         CA 18.43 GB         Max_CA 18 GB ";
        "training-host" Adds "DeepSpeed" "CPU Virtual Memory: used = {host:gib} GB, percent = {percent:num}%", "all", "CPU Virtual Memory:  used = 57.52 GB, percent = 11.4%";
        "training-estimate" Lists "DeepSpeed" "{per_cpu:gib}GB | {per_gpu:gib}GB | offload_param={_options:word}", "the estimator", "   70.00GB |   0.49GB | offload_param=cpu , offload_optimizer=cpu , zero_init=1";
        "training-megatron" Joins "Megatron" "memory (MB) | allocated: {allocated:mib} | max allocated: {max_allocated:mib} | reserved: {reserved:mib} | max reserved: {max_reserved:mib}", "all",
            "[Rank 0] (after 2 iterations) memory (MB) | allocated: 31142.10 | max allocated: 47630.65 | reserved: 51200.0 | max reserved: 51200.0";
        "training-theory" Joins "Megatron" "Theoretical memory footprints: weight and optimizer={weights_optimizer:mib} MB", "all", "Theoretical memory footprints: weight and optimizer=19204.81 MB";
        "training-unsloth" Joins "Unsloth" "GPU: {card:text}. Max memory: {card_total:gib} GB", "2024", "\\\\   /|    GPU: Tesla T4. Max memory: 14.748 GB. Platform = Linux.";
        "training-unsloth" Joins "Unsloth" "/| {card:text}. Num GPUs = {_cards:int}. Max memory: {card_total:gib} GB", "2025 and later",
            "   \\\\   /|    Tesla T4. Num GPUs = 1. Max memory: 14.563 GB. Platform: Linux.";
        "training-yolo" Joins "Ultralytics" "AutoBatch: CUDA:{card_index:int} ({card:text}) {card_total:gib}G total, {reserved:gib}G reserved, {allocated:gib}G allocated, {free:gib}G free", "all",
            "AutoBatch: CUDA:0 (NVIDIA GeForce RTX 3090) 23.69G total, 0.12G reserved, 0.05G allocated, 23.52G free";
        "training-yolo-batch" Joins "Ultralytics" "AutoBatch: Using batch-size {batch:int} for CUDA:{_index:int} {planned:gib}G/{total:gib}G", "all",
            "AutoBatch: Using batch-size 45 for CUDA:0 14.28G/23.69G (60%)";
    ],
};
