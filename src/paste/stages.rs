//! Words of a traceback that tell at what moment a job failed, and of a banner that tell which build ran: what helps depends
//! on them.
//!
//! Sources: torch/nn/modules/module.py and torch/optim/adamw.py; transformers/modeling_utils.py; accelerate/utils/modeling.py;
//! ComfyUI's nodes.py and comfy/model_management.py; diffusers' pipelines; llama.cpp before January 2025.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// The moments and builds.
pub const STAGES: Group = Group {
    tool: "",
    kind: Kind::Hints,
    rows: rows![
        "load-weights" Hints "" "return t.to(", "", "    return t.to(";
        "load-weights" Hints "" "module.py, line {_line:int}, in convert", "", "File \"/opt/venv/torch/nn/modules/module.py\", line 1326, in convert";
        "load-weights" Hints "" "module.py, line {_line:int}, in _apply", "", "File \"/opt/venv/torch/nn/modules/module.py\", line 900, in _apply";
        "load-weights" Hints "" ", in from_pretrained", "", "File \"/opt/venv/transformers/modeling_utils.py\", line 3, in from_pretrained";
        "load-weights" Hints "" ", in load_state_dict", "", "File \"/opt/venv/torch/nn/modules/module.py\", line 3, in load_state_dict";
        "load-weights" Hints "" ", in load_file", "", "File \"/opt/venv/safetensors/torch.py\", line 3, in load_file";
        "load-weights" Hints "" ", in set_module_tensor_to_device", "", "File \"/opt/venv/accelerate/utils/modeling.py\", line 3, in set_module_tensor_to_device";
        "load-weights" Hints "" ", in load_models_gpu", "", "File \"/opt/comfy/model_management.py\", line 3, in load_models_gpu";
        "optimizer-step" Hints "" ", in _init_group", "", "File \"/opt/venv/torch/optim/adamw.py\", line 175, in _init_group";
        "optimizer-step" Hints "" ", in _multi_tensor_", "", "File \"/opt/venv/torch/optim/adamw.py\", line 3, in _multi_tensor_adamw";
        "optimizer-step" Hints "" ", in _single_tensor_", "", "File \"/opt/venv/torch/optim/adamw.py\", line 3, in _single_tensor_adamw";
        "optimizer-step" Hints "" ", in initialize_optimizer_states", "", "File \"/opt/venv/deepspeed/runtime/zero/stage_1_and_2.py\", line 3, in initialize_optimizer_states";
        "optimizer-step" Hints "" "exp_avg_sq", "", "    state[\"exp_avg_sq\"] = torch.zeros_like(";
        "decode-vae" Hints "" ", in decode", "", "File \"/opt/comfy/ldm/wan/vae.py\", line 480, in decode";
        "decode-vae" Hints "" "VAEDecode", "", "- **Node Type:** VAEDecode";
        "decode-vae" Hints "" "vae.decode(", "", "image = self.vae.decode(latents, return_dict=False)[0]";
        "decode-tiles" Hints "" "VAEDecodeTiled", "", "- **Node Type:** VAEDecodeTiled";
        "decode-tiles" Hints "" ", in decode_tiled", "", "File \"/opt/comfy/sd.py\", line 3, in decode_tiled_3d";
        "job-unsloth" Hints "" "Unsloth:", "", "Unsloth: Will patch your computer to enable 2x faster free finetuning.";
        "job-unsloth" Hints "" "==((====))==", "", "==((====))==  Unsloth 2025.6.2: Fast Qwen3 patching.";
        "job-unsloth" Hints "" "FastLanguageModel", "", "model, tokenizer = FastLanguageModel.from_pretrained(m)";
        "one-card" Hints "" "Num GPUs = 1.", "", "Tesla T4. Num GPUs = 1. Max memory: 14.741 GB.";
        "comfyui-portable" Hints "" "python_embeded", "", ".\\python_embeded\\python.exe -s ComfyUI\\main.py";
        "comfyui-portable" Hints "" "ComfyUI_windows_portable", "", "File \"C:\\ComfyUI_windows_portable\\ComfyUI\\execution.py\"";
        "old-llama" Hints "" "llama_load_model_from_file:", "", "llama_load_model_from_file: failed to load model";
        "old-llama" Hints "" "llm_load_tensors:", "", "llm_load_tensors: offloaded 33/33 layers to GPU";
        "old-llama" Hints "" "llama_new_context_with_model:", "", "llama_new_context_with_model: n_ctx = 8192";
    ],
};
