//! Words around an error that tell what the job was and where it ran: files of the traceback, banners, prompts.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// The hints. Several rows may have one id.
pub const HINTS: Group = Group {
    tool: "",
    kind: Kind::Hints,
    rows: rows![
        "job-training" Hints "" "/train.py", "", "File \"/opt/app/train.py\", line 142, in <module>";
        "job-training" Hints "" "train.py\", line", "", "File \"train.py\", line 142, in <module>";
        "job-training" Hints "" "/train_{_name:word}.py, line", "", "File \"/opt/app/train_fsdp.py\", line 210, in <module>";
        "job-training" Hints "" "finetune.py, line", "", "File \"finetune.py\", line 231, in <module>";
        "job-training" Hints "" "/trainer.py", "", "File \"/opt/venv/lib/transformers/trainer.py\", line 3";
        "job-training" Hints "" "/finetune", "", "File \"/opt/app/finetune.py\", line 3";
        "job-training" Hints "" "torch/autograd/__init__.py", "", "File \"/opt/venv/torch/autograd/__init__.py\", line 267, in backward";
        "job-training" Hints "" "/torch/optim/", "", "File \"/opt/venv/torch/optim/adamw.py\", line 3";
        "job-training" Hints "" "train_network.py", "", "File \"train_network.py\", line 3";
        "job-training" Hints "" "trainer.train(", "", "trainer_stats = trainer.train()";
        "job-training" Hints "" "loss.backward(", "", "    loss.backward()";
        "job-training" Hints "" "Gradient Accumulation steps", "", "  Gradient Accumulation steps = 4";
        "job-training" Hints "" "iter time:", "", "iter 4 step 0: loss 2.6297, iter time: 827.80ms";
        "job-comfyui" Hints "" "/comfy/", "", "File \"/opt/comfy/execution.py\", line 317, in execute";
        "job-comfyui" Hints "" "comfyui", "", "File \"/opt/ComfyUI/execution.py\", line 317";
        "job-comfyui" Hints "" "Got an OOM, unloading all loaded models", "", "Got an OOM, unloading all loaded models.";
        "job-comfyui" Hints "" "This error means you ran out of memory on your GPU", "", "This error means you ran out of memory on your GPU.";
        "job-comfyui" Hints "" "Prompt executed in", "", "Prompt executed in 61.20 seconds";
        "job-comfyui" Hints "" "Node Type:", "", "- **Node Type:** SamplerNode";
        "job-webui" Hints "" "stable-diffusion-webui", "", "File \"/opt/stable-diffusion-webui/modules/call_queue.py\"";
        "job-webui" Hints "" "Launching Web UI with arguments", "", "Launching Web UI with arguments: --medvram --listen";
        "job-diffusers" Hints "" "/diffusers/", "", "File \"/opt/venv/diffusers/pipelines/flux/pipeline_flux.py\", line 3";
        "job-generate" Hints "" "/transformers/generation/", "", "File \"/opt/venv/transformers/generation/utils.py\", line 3, in generate";
        "job-transformers" Hints "" "AutoModelForCausalLM", "", "model = AutoModelForCausalLM.from_pretrained(m)";
        "job-vllm" Hints "" "/vllm/", "", "File \"/opt/venv/vllm/worker/worker.py\", line 3";
        "job-sglang" Hints "" "/sglang/srt/", "", "File \"/opt/sglang/srt/managers/scheduler.py\", line 3";
        "job-sglang" Hints "" "sglang.launch_server", "", "python -m sglang.launch_server --model-path m";
        "job-jax" Hints "" "/jax/", "", "File \"/opt/venv/jax/_src/api.py\", line 3";
        "job-jax" Hints "" "jaxlib", "", "jaxlib.xla_extension.XlaRuntimeError";
        "job-notebook" Hints "" "ipykernel", "", "File \"/tmp/ipykernel_31/1234.py\", line 3";
        "job-notebook" Hints "" "<ipython-input", "", "<ipython-input-3-abc> in <module>";
        "os-windows" Hints "" "..\\c10\\", "", "at \"..\\c10\\cuda\\CUDAMallocAsyncAllocator.cpp\":540";
        "os-windows" Hints "" "python_embeded", "", ".\\python_embeded\\python.exe -s ComfyUI\\main.py";
        "os-windows" Hints "" "WDDM", "", "|   0  NVIDIA GeForce RTX 4090      WDDM  |";
        "os-windows" Hints "" "CategoryInfo :", "", "    + CategoryInfo          : NotSpecified: (:) [], RemoteException";
        "os-windows" Hints "" "FullyQualifiedErrorId", "", "    + FullyQualifiedErrorId : NativeCommandError";
        "os-windows" Hints "" "At line:{_line:int} char:{_char:int}", "", "At line:1 char:1";
    ],
};
