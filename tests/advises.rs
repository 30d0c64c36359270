//! What is advised on pastes where another advice would do nothing: the fixes in order, and their commands.

use vramfit::advice::{Advice, Place, advise};
use vramfit::diagnosis::{Corrections, diagnose};
use vramfit::i18n::{Language, embedded};
use vramfit::paste;

fn advice(text: &str) -> Advice {
    let (corrections, evidence) = (Corrections::default(), paste::read(text));
    advise(&evidence, &diagnose(&evidence, &corrections), &corrections)
}

fn ids(advice: &Advice) -> Vec<&'static str> {
    advice.fixes.iter().map(|fix| fix.id).collect()
}

fn commands(advice: &Advice) -> String {
    let commands = advice.fixes.iter().flat_map(|fix| &fix.commands);
    commands.map(|command| command.text.clone() + "\n").collect()
}

const FULL: &str = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 136.00 MiB. GPU 0 has a total capacity of 23.64 GiB of which 98.06 MiB is free. Including non-PyTorch memory, this process has 23.53 GiB memory in use. Of the allocated memory 23.20 GiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated.\n";

#[test]
fn less_work_is_no_fix_for_weights_that_do_not_fit() {
    let text = [
        "model = AutoModelForCausalLM.from_pretrained(\"Qwen/Qwen2.5-14B-Instruct\", torch_dtype=torch.float16).to(\"cuda\")\nTraceback (most recent call last):\n  File \"/home/bob/run.py\", line 9, in <module>\n    main()\n  File \"/home/bob/.venv/lib/python3.11/site-packages/torch/nn/modules/module.py\", line 1326, in convert\n    return t.to(\n",
        FULL,
    ]
    .concat();
    let advice = advice(&text);
    assert_eq!(ids(&advice), ["fewer-bits", "offload", "smaller-model", "bigger-card"]);
    // The configuration is handed to the loading of this model.
    let command = &advice.fixes[0].commands[0].text;
    assert!(
        command
            .contains("from_pretrained(\n    \"Qwen/Qwen2.5-14B-Instruct\", quantization_config=BitsAndBytesConfig("),
        "{command}"
    );
}

#[test]
fn the_optimisers_states_do_not_hang_on_the_batch() {
    let text = [
        "  File \"/home/marie/lora/train.py\", line 88, in <module>\n    trainer.train()\n  File \"/venv/lib/python3.11/site-packages/torch/optim/adamw.py\", line 175, in _init_group\n    state[\"exp_avg_sq\"] = torch.zeros_like(\n",
        FULL,
    ]
    .concat();
    assert_eq!(
        ids(&advice(&text)),
        ["optimizer-8bit", "adapters", "offload", "bigger-card"]
    );
}

const LLAMA: &str = "$ ./llama-server -m Qwen3-32B-Q4_K_M.gguf -ngl 99 -c 32768 -ub 256\nggml_cuda_init: found 1 CUDA devices:\n  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes\nload_tensors: offloaded 65/65 layers to GPU\nload_tensors:        CUDA0 model buffer size = 18423.03 MiB\nllama_context: n_ctx         = 32768\nggml_backend_cuda_buffer_type_alloc_buffer: allocating 8192.00 MiB on device 0: cudaMalloc failed: out of memory\nalloc_tensor_range: failed to allocate CUDA0 buffer of size 8589934592\nllama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache\n";

#[test]
fn layers_are_solved_and_the_other_flags_kept() {
    let advice = advice(LLAMA);
    let layers = advice.fixes.iter().find(|fix| fix.id == "fewer-layers").unwrap();
    let command = &layers.commands[0].text;
    let (start, layers) = command.rsplit_once(" -ngl ").unwrap();
    assert_eq!(start, "llama-server -m Qwen3-32B-Q4_K_M.gguf -c 32768 -ub 256");
    let fits = |layers: i64| {
        let link = format!("v=1&e=llama.cpp&m=qwen3-32b&q=q4_k_m&c=32768&ub=256&g=rtx-4090&ngl={layers}");
        vramfit::sizing::fits(&vramfit::scenario::decode(&link).0.scenario)
    };
    let layers: i64 = layers.parse().unwrap();
    assert_eq!(fits(layers), Some(vramfit::sizing::Fits::Yes), "{layers}");
    assert_ne!(fits(layers + 1), Some(vramfit::sizing::Fits::Yes), "{layers}");
}

#[test]
fn an_old_build_is_not_sent_to_a_flag_that_it_lacks() {
    let text = "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 8192.00 MiB on device 0: cudaMalloc failed: out of memory\nllama_model_load: error loading model: unable to allocate CUDA0 buffer\nllama_load_model_from_file: failed to load model\n";
    assert!(!commands(&advice(text)).contains("--fit"));
}

#[test]
fn vllm_keeps_the_flags_of_its_command_line() {
    let text = "$ vllm serve Qwen/Qwen3-32B-AWQ --max-model-len 40960 --tensor-parallel-size 2 --max-num-seqs 16\nValueError: To serve at least one request with the models's max seq len (40960), (6.25 GiB KV cache is needed, which is larger than the available KV cache memory (3.11 GiB). Based on the available memory, the estimated maximum model length is 20352. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.\n";
    let advice = advice(text);
    assert_eq!(
        advice.fixes[0].commands[0].text,
        "vllm serve Qwen/Qwen3-32B-AWQ --tensor-parallel-size 2 --max-num-seqs 16 --max-model-len 20352"
    );
}

#[test]
fn unsloth_on_one_card_has_its_own_settings() {
    let text = "Unsloth: Will patch your computer to enable 2x faster free finetuning.\n==((====))==  Unsloth 2025.6.2: Fast Qwen3 patching. Transformers: 4.52.4.\n   \\\\   /|    Tesla T4. Num GPUs = 1. Max memory: 14.741 GB. Platform: Linux.\n  per_device_train_batch_size = 8\nOutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 0 has a total capacity of 14.74 GiB of which 508.12 MiB is free. Of the allocated memory 13.80 GiB is allocated by PyTorch, and 102.10 MiB is reserved by PyTorch but unallocated.\n";
    let advice = advice(text);
    let ids = ids(&advice);
    assert!(!ids.contains(&"adapters") && !ids.contains(&"offload"), "{ids:?}");
    assert!(commands(&advice).contains("use_gradient_checkpointing=\"unsloth\""));
    assert!(!commands(&advice).contains("TrainingArguments(gradient_checkpointing"));
}

#[test]
fn diffusers_quantises_by_its_own_configuration() {
    let text = [
        "  File \"/opt/venv/diffusers/models/transformers/transformer_flux.py\", line 3, in forward\n",
        FULL,
    ]
    .concat();
    let commands = commands(&advice(&text));
    assert!(commands.contains("quantization_config=quantization") && !commands.contains("pipe.to(torch.bfloat16)"));
}

#[test]
fn a_mac_has_no_other_memory() {
    let advice = advice(
        "RuntimeError: MPS backend out of memory (MPS allocated: 17.50 GB, other allocations: 340.06 MB, max allowed: 18.13 GB). Tried to allocate 512.00 MB on private pool.",
    );
    let ids = ids(&advice);
    assert!(!ids.contains(&"offload") && !ids.contains(&"bigger-card"), "{ids:?}");
}

#[test]
fn windows_gets_lines_of_its_own() {
    let webui = advice(
        "  File \"C:\\sd\\stable-diffusion-webui\\modules\\processing.py\", line 975, in process_images_inner\nOutOfMemoryError: CUDA out of memory. Tried to allocate 2.25 GiB (GPU 0; 8.00 GiB total capacity; 7.13 GiB already allocated; 0 bytes free; 7.25 GiB reserved in total by PyTorch)\n",
    );
    assert!(commands(&webui).contains("set COMMANDLINE_ARGS=--medvram"));
    let comfy = advice(
        "  File \"C:\\ComfyUI_windows_portable\\ComfyUI\\execution.py\", line 3, in execute\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.25 GiB. GPU 0 has a total capacity of 8.00 GiB of which 0 bytes is free. Of the allocated memory 7.13 GiB is allocated by PyTorch, and 102.10 MiB is reserved by PyTorch but unallocated.\n",
    );
    assert!(commands(&comfy).contains(".\\python_embeded\\python.exe -s ComfyUI\\main.py --lowvram"));
    let host = advice(
        "  File \"C:\\app\\run.py\", line 3, in f\nRuntimeError: [enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: not enough memory: you tried to allocate 1073741824 bytes.",
    );
    for advice in [&webui, &comfy, &host] {
        let text = commands(advice);
        assert!(
            !["free -h", "export ", "ps aux", "./"]
                .iter()
                .any(|unix| text.contains(unix)),
            "{text}"
        );
        let places = advice.fixes.iter().flat_map(|fix| &fix.commands);
        assert!(
            places.into_iter().all(|command| command.place != Place::Shell),
            "{text}"
        );
    }
}

#[test]
fn a_decoder_that_failed_decodes_in_tiles() {
    let text = "!!! Exception during processing !!! Allocation on device \nTraceback (most recent call last):\n  File \"C:\\ComfyUI_windows_portable\\ComfyUI\\execution.py\", line 327, in execute\n    output_data, output_ui, has_subgraph = get_output_data(obj, input_data_all)\n  File \"C:\\ComfyUI_windows_portable\\ComfyUI\\comfy\\ldm\\wan\\vae.py\", line 480, in decode\n    out = self.decoder(\ntorch.OutOfMemoryError: Allocation on device \n\nGot an OOM, unloading all loaded models.\nPrompt executed in 143.22 seconds\n";
    let advice = advice(text);
    assert_eq!(ids(&advice)[0], "tiled-vae");
    assert!(!commands(&advice).contains("--disable-cuda-malloc"));
}

#[test]
fn rocm_is_told_why_the_printed_advice_does_not_help() {
    let advice = advice(
        "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 3.38 GiB. GPU 0 has a total capacity of 23.98 GiB of which 2.10 GiB is free. Of the allocated memory 16.72 GiB is allocated by PyTorch, and 4.60 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_HIP_ALLOC_CONF=expandable_segments:True to avoid fragmentation.",
    );
    assert_eq!(advice.fixes[0].text.id, "fix-max-split-rocm");
}

#[test]
fn a_larger_card_is_larger() {
    let advice = advice(
        "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 15.90 GiB total capacity; 14.93 GiB already allocated; 17.75 MiB free; 15.04 GiB reserved in total by PyTorch)",
    );
    let fix = advice.fixes.iter().find(|fix| fix.id == "bigger-card").unwrap();
    let text = embedded(Language::ENGLISH).message(&fix.text);
    assert!(text.contains("16.89 GiB") && !text.contains("15.90"), "{text}");
}

#[test]
fn slurm_is_asked_what_the_step_had() {
    let advice = advice(
        "slurmstepd: error: Detected 1 oom_kill event in StepId=8821.batch. Some of the step tasks have been OOM Killed.",
    );
    assert!(commands(&advice).contains("sacct") && !commands(&advice).contains("32G"));
}

#[test]
fn shares_are_numbers_in_sentences() {
    let advice = advice(
        "ValueError: Free memory on device (9.29/23.64 GiB) on startup is less than desired GPU memory utilization (0.9, 21.28 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.",
    );
    let fix = advice.fixes.iter().find(|fix| fix.id == "lower-share").unwrap();
    assert!(embedded(Language::FRENCH).message(&fix.text).contains("0,39"));
    assert!(fix.commands[0].text.ends_with("--gpu-memory-utilization 0.39"));
}

/// A path that begins with a point leads from where the program runs; without it, from the root.
#[test]
fn a_relative_path_stays_one() {
    let rest = "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 8192.00 MiB on device 0: cudaMalloc failed: out of memory\n";
    for path in [
        "./models/Qwen3-32B-Q4_K_M.gguf",
        "../Qwen3-32B-Q4_K_M.gguf",
        "/models/Qwen3-32B-Q4_K_M.gguf",
    ] {
        let text = format!("$ llama-server -m {path} -ngl 99 -c 32768\n{rest}");
        let evidence = vramfit::paste::read(&text);
        let corrections = Default::default();
        let diagnosis = vramfit::diagnosis::diagnose(&evidence, &corrections);
        let advice = vramfit::advice::advise(&evidence, &diagnosis, &corrections);
        let mut lines = advice
            .fixes
            .iter()
            .flat_map(|fix| &fix.commands)
            .map(|command| &command.text);
        let line = lines.find(|line| line.contains("llama-server")).expect("a command");
        assert!(line.contains(&format!("-m {path} ")), "{line}");
    }
}

/// Models are published in FP8 and AWQ, not in every format that an engine could read.
#[test]
fn a_format_is_one_that_can_be_had() {
    let text = include_str!("advises/vllm-weights.txt");
    let evidence = vramfit::paste::read(text);
    let corrections = Default::default();
    let diagnosis = vramfit::diagnosis::diagnose(&evidence, &corrections);
    let advice = vramfit::advice::advise(&evidence, &diagnosis, &corrections);
    let texts = vramfit::i18n::embedded(vramfit::i18n::Language::ENGLISH);
    let said: Vec<String> = advice.fixes.iter().map(|fix| texts.message(&fix.text)).collect();
    assert!(said[0].contains("FP8") && !said[0].contains("MXFP8"), "{said:?}");
}
