//! Settings of the job that a text shows on command lines, in scripts and in the engines' logs: the model by its name, its
//! number format, context, cache, cards, batch. What they stand for is found in `diagnosis/job.rs`.
//!
//! Sources: the command-line references of vLLM, SGLang, TGI, llama.cpp, Ollama and KoboldCpp, and the arguments of
//! transformers, peft, TRL, Axolotl and LLaMA-Factory.

use super::evidence::{Hit, Kind, Span, Value};
use super::lines::begins_name;
use super::template::Group;
use crate::rows;

/// No messages of their own, and never a finding that matters.
pub const SETTINGS: Group = Group {
    tool: "",
    kind: Kind::Setting,
    rows: rows![
        "setting-model" Lists "" "vllm serve {model_name:word}", "vLLM", "vllm serve Qwen/Qwen3-32B";
        "setting-model" Lists "" "~--model {model_name:word}", "vLLM, llama.cpp, KoboldCpp", "llama-server --model /models/Qwen3-32B-Q4_K_M.gguf";
        "setting-model" Lists "" "~--model-path {model_name:word}", "SGLang", "python -m sglang.launch_server --model-path Qwen/Qwen3-32B";
        "setting-model" Lists "" "~--model-id {model_name:word}", "TGI", "text-generation-launcher --model-id mistralai/Mistral-7B-Instruct-v0.3";
        "setting-model" Lists "" "~model_name_or_path {model_name:word}", "training programs", "--model_name_or_path Qwen/Qwen3-8B";
        "setting-model" Lists "" "~base_model: {model_name:word}", "Axolotl", "base_model: NousResearch/Meta-Llama-3-8B";
        "setting-model" Lists "" "~model_name= {model_name:word}", "scripts", "model_name = \"unsloth/llama-3-8b-bnb-4bit\"";
        "setting-model" Lists "" "~model_id= {model_name:word}", "scripts", "model_id = \"mistralai/Mistral-7B-Instruct-v0.3\"";
        "setting-model" Lists "" "~from_pretrained( {model_name:word}", "transformers", "AutoModelForCausalLM.from_pretrained(\"Qwen/Qwen3-8B\")";
        "setting-model" Lists "" "~(model= {model_name:word}", "vLLM", "LLM(model=\"Qwen/Qwen3-8B\")";
        "setting-model" Lists "" "~with config: model= {model_name:word}", "vLLM", "Initializing a V1 LLM engine (v0.11.0) with config: model='Qwen/Qwen3-8B', speculative_config=None";
        "setting-model" Lists "" "~'model' {model_name:word}", "vLLM", "non-default args: {'model': 'Qwen/Qwen3-8B', 'max_model_len': 32768}";
        "setting-model" Lists "" "~'model_tag' {model_name:word}", "vLLM", "non-default args: {'model_tag': 'Qwen/Qwen3-8B', 'max_model_len': 32768}";
        "setting-model" Lists "" "~model_path= {model_name:word}", "SGLang", "server_args=ServerArgs(model_path='Qwen/Qwen3-8B', tokenizer_path='Qwen/Qwen3-8B')";
        "setting-model" Lists "" "Starting to load model {model_name:word}", "vLLM", "Starting to load model Qwen/Qwen3-32B...";
        "setting-model" Lists "" "general.name = {model_name:text}", "llama.cpp", "print_info: general.name     = Qwen3 32B";
        "setting-model" Lists "" "general.name str = {model_name:text}", "llama.cpp", "llama_model_loader: - kv   2:                               general.name str              = Qwen3 32B";
        "setting-model" Lists "" "{model_name:word}.gguf", "GGUF", "load_model: loading model '/models/Qwen3-32B-Q4_K_M.gguf'";
        "setting-model" Lists "" "models--{model_name:word}/", "Hugging Face", "/root/.cache/huggingface/hub/models--Qwen--Qwen3-32B/snapshots/abc";
        "setting-model" Lists "" "Failed to load model {model_name:word}. Error:", "LM Studio", "Failed to load model \"qwen/qwen3-32b\". Error: Model loading was stopped";
        "setting-ollama" Lists "" "ollama run {ollama_name:word}", "Ollama", "ollama run qwen3:32b";
        "setting-format" Lists "" "~--quantization {job_format:word}", "vLLM, SGLang", "vllm serve Qwen/Qwen3-32B --quantization fp8";
        "setting-format" Lists "" "~quantization= {job_format:word}", "vLLM", "dtype=torch.bfloat16, quantization=awq_marlin, enforce_eager=False";
        "setting-format" Lists "" "~'quantization' {job_format:word}", "vLLM", "{'model': 'm', 'quantization': 'fp8', 'max_num_seqs': 8}";
        "setting-format" Lists "" "~--quantize {job_format:word}", "TGI", "text-generation-launcher --model-id m --quantize awq";
        "setting-format" Lists "" "file type = {job_format:text}", "llama.cpp", "print_info: file type   = Q4_K - Medium";
        "setting-format" Lists "" "model ftype = {job_format:text}", "llama.cpp before 2025", "llm_load_print_meta: model ftype      = Q4_K - Medium";
        "setting-format" Lists "" "file_type={job_format:word}", "Ollama", "architecture=qwen3 file_type=Q4_K_M name=m";
        "setting-format" Lists "" "~load_in_4bit= {load_in_4bit:word}", "bitsandbytes", "BitsAndBytesConfig(load_in_4bit=True)";
        "setting-format" Lists "" "~load_in_8bit= {load_in_8bit:word}", "bitsandbytes", "BitsAndBytesConfig(load_in_8bit=True)";
        "setting-context" Lists "" "~--max-model-len {n_ctx:int}", "vLLM", "vllm serve m --max-model-len 32768";
        "setting-context" Lists "" "~max_model_len {n_ctx:tokens}", "vLLM", "non-default args: {'model': 'm', 'max_model_len': 32768}";
        "setting-context" Lists "" "~max_seq_len= {n_ctx:tokens}", "vLLM", "dtype=torch.bfloat16, max_seq_len=32768, download_dir=None";
        "setting-context" Lists "" "~--context-length {n_ctx:tokens}", "SGLang, LM Studio", "python -m sglang.launch_server --model-path m --context-length 32768";
        "setting-context" Lists "" "~--ctx-size {n_ctx:int}", "llama.cpp", "llama-server --model m.gguf --ctx-size 8192";
        "setting-context" Lists "" "~-c {n_ctx:tokens}", "llama.cpp", "llama-server -m m.gguf -c 8192";
        "setting-context" Lists "" "~--contextsize {n_ctx:tokens}", "KoboldCpp", "koboldcpp --model m.gguf --contextsize 8192";
        "setting-context" Lists "" "~num_ctx {n_ctx:tokens}", "Ollama", "/set parameter num_ctx 32768";
        "setting-context" Lists "" "~OLLAMA_CONTEXT_LENGTH {n_ctx:tokens}", "Ollama", "OLLAMA_CONTEXT_LENGTH=32768 ollama serve";
        "setting-cache" Lists "" "~--kv-cache-dtype {cache_type:word}", "vLLM, SGLang", "vllm serve m --kv-cache-dtype fp8";
        "setting-cache" Lists "" "~kv_cache_dtype {cache_type:word}", "vLLM", "kv_cache_dtype=fp8, device_config=cuda";
        "setting-cache" Lists "" "~--cache-type-k {cache_type_k:word}", "llama.cpp", "llama-server -m m.gguf --cache-type-k q8_0";
        "setting-cache" Lists "" "~--cache-type-v {cache_type_v:word}", "llama.cpp", "llama-server -m m.gguf --cache-type-v q8_0";
        "setting-cache" Lists "" "~-ctk {cache_type_k:word}", "llama.cpp", "llama-server -m m.gguf -ctk q8_0";
        "setting-cache" Lists "" "~-ctv {cache_type_v:word}", "llama.cpp", "llama-server -m m.gguf -ctv q8_0";
        "setting-cache" Lists "" "~OLLAMA_KV_CACHE_TYPE {cache_type:word}", "Ollama", "OLLAMA_KV_CACHE_TYPE=q8_0 ollama serve";
        "setting-cache" Lists "" "K ({cache_type_k:word}): {_k:size}, V ({cache_type_v:word}): {_v:size}", "llama.cpp", "KV self size  =  400.00 MiB, K (f16):  200.00 MiB, V (f16):  200.00 MiB";
        "setting-split" Lists "" "~--tensor-parallel-size {tensor_parallel:int}", "vLLM", "vllm serve m --tensor-parallel-size 2";
        "setting-split" Lists "" "~tensor_parallel_size {tensor_parallel:int}", "vLLM", "tensor_parallel_size=2, pipeline_parallel_size=1";
        "setting-split" Lists "" "~-tp {tensor_parallel:int}", "vLLM", "vllm serve m -tp 2";
        "setting-split" Lists "" "~--tp {tensor_parallel:int}", "SGLang", "python -m sglang.launch_server --model-path m --tp 8";
        "setting-split" Lists "" "~--tp-size {tensor_parallel:int}", "SGLang", "python -m sglang.launch_server --model-path m --tp-size 8";
        "setting-split" Lists "" "~--num-shard {tensor_parallel:int}", "TGI", "text-generation-launcher --model-id m --num-shard 2";
        "setting-users" Lists "" "~-np {users:int}", "llama.cpp", "llama-server -m m.gguf -np 4";
        "setting-users" Lists "" "~--parallel {users:int}", "llama.cpp", "llama-server -m m.gguf --parallel 4";
        "setting-ubatch" Lists "" "~-ub {ubatch:int}", "llama.cpp", "llama-server -m m.gguf -ub 2048";
        "setting-ubatch" Lists "" "~--ubatch-size {ubatch:int}", "llama.cpp", "llama-server -m m.gguf --ubatch-size 2048";
        "setting-ubatch" Lists "" "n_ubatch = {ubatch:int}", "llama.cpp", "llama_context: n_ubatch      = 512";
        "setting-tokens" Lists "" "~--max-num-batched-tokens {batched_tokens:int}", "vLLM", "vllm serve m --max-num-batched-tokens 2048";
        "setting-tokens" Lists "" "~max_num_batched_tokens {batched_tokens:int}", "vLLM", "{'max_num_batched_tokens': 8192, 'max_num_seqs': 1}";
        "setting-requests" Lists "" "~--max-num-seqs {max_requests:int}", "vLLM", "vllm serve m --max-num-seqs 64";
        "setting-offload" Lists "" "~--cpu-offload-gb {offload_gib:int}", "vLLM", "vllm serve m --cpu-offload-gb 8";
        "setting-experts" Lists "" "~--n-cpu-moe {cpu_experts:int}", "llama.cpp", "llama-server -m m.gguf --n-cpu-moe 20";
        "setting-experts" Lists "" "~-ncmoe {cpu_experts:int}", "llama.cpp", "llama-server -m m.gguf -ncmoe 20";
        "setting-layers" Lists "" "~--n-gpu-layers {n_gpu_layers:int}", "llama.cpp", "llama-server --model m.gguf --n-gpu-layers 33";
        "setting-layers" Lists "" "~-ngl {n_gpu_layers:int}", "llama.cpp", "llama-cli -m m.gguf -ngl 99";
        "setting-layers" Lists "" "~--gpulayers {n_gpu_layers:int}", "KoboldCpp", "koboldcpp --model m.gguf --gpulayers 33";
        "setting-layers-model" Lists "" "n_layer = {layers:int}", "llama.cpp", "print_info: n_layer          = 48";
        "setting-utilization" Lists "" "~--gpu-memory-utilization {gpu_memory_utilization:num}", "vLLM", "vllm serve m --gpu-memory-utilization 0.95";
        "setting-utilization" Lists "" "~gpu_memory_utilization {gpu_memory_utilization:num}", "vLLM", "LLM(model=m, gpu_memory_utilization=0.95)";
        "setting-utilization" Lists "" "~--mem-fraction-static {gpu_memory_utilization:num}", "SGLang", "python -m sglang.launch_server --model-path m --mem-fraction-static 0.85";
        "setting-batch" Lists "" "~per_device_train_batch_size {batch:int}", "transformers", "TrainingArguments(per_device_train_batch_size=8)";
        "setting-batch" Lists "" "micro_batch_size: {batch:int}", "Axolotl", "micro_batch_size: 2";
        "setting-batch" Lists "" "Batch size per device = {batch:int}", "Unsloth", "O^O/ \\_/ \\    Batch size per device = 2 | Gradient Accumulation steps = 4";
        "setting-accumulation" Lists "" "~gradient_accumulation_steps {accumulation:int}", "transformers", "TrainingArguments(gradient_accumulation_steps=4)";
        "setting-accumulation" Lists "" "Gradient Accumulation steps = {accumulation:int}", "transformers, Unsloth", "  Gradient Accumulation steps = 4";
        "setting-sequence" Lists "" "~max_seq_length {sequence:tokens}", "TRL, Unsloth", "FastLanguageModel.from_pretrained(m, max_seq_length=2048)";
        "setting-sequence" Lists "" "~cutoff_len {sequence:tokens}", "LLaMA-Factory", "cutoff_len: 4096";
        "setting-sequence" Lists "" "~sequence_len {sequence:tokens}", "Axolotl", "sequence_len: 4096";
        "setting-rank" Lists "" "~lora_rank {rank:int}", "LLaMA-Factory", "lora_rank: 16";
        "setting-rank" Lists "" "~lora_r {rank:int}", "Axolotl", "lora_r: 32";
        "setting-adapter" Lists "" "LoraConfig({_arguments:word}", "peft", "LoraConfig(r=16, lora_alpha=32)";
        "setting-adapter" Lists "" "get_peft_model({_model:word}", "peft", "model = get_peft_model(model, config)";
        "setting-adapter" Lists "" "~finetuning_type: {method:word}", "LLaMA-Factory", "finetuning_type: lora";
        "setting-adapter" Lists "" "adapter: {method:word}", "Axolotl", "adapter: qlora";
        "setting-optimizer" Lists "" "optim= {optimizer:word}", "transformers", "TrainingArguments(optim=\"adamw_8bit\")";
        "setting-optimizer" Lists "" "optim: {optimizer:word}", "LLaMA-Factory", "optim: paged_adamw_8bit";
        "setting-optimizer" Lists "" "--optim {optimizer:word}", "transformers", "--optim adamw_torch";
    ],
};

/// Whether a hit is a setting after all: a flag begins a word, and a model's name has letters and a digit. Marks that
/// close a word are taken off it.
pub fn is_setting(text: &str, hit: &mut Hit) -> bool {
    if hit.span.of(text).starts_with('-') && !begins_name(text, hit.span.start) {
        return false;
    }
    for figure in &mut hit.figures {
        if let Value::Word(word) = &mut figure.value {
            let whole = figure.span.of(text);
            // A point before a path is a part of it.
            let opened = whole.trim_start_matches(|sign| is_mark(sign) && sign != '.');
            let open = whole.len() - opened.len();
            let plain = opened.trim_end_matches(is_mark);
            let start = figure.span.start + open;
            figure.span = Span {
                start,
                end: start + plain.len(),
            };
            plain.clone_into(word);
        }
    }
    hit.figures
        .iter()
        .filter(|figure| figure.name == "model_name")
        .all(|figure| is_name(figure.span.of(text)))
}

/// A mark that closes a word of a script or a dictionary.
fn is_mark(sign: char) -> bool {
    matches!(
        sign,
        '\'' | '"' | '`' | ',' | ';' | ')' | ']' | '[' | '}' | '{' | '.' | '…' | '('
    )
}

/// Whether a word can be a model's name: `Qwen3-32B`, `phi-4`; not `True`, `33.2GiB`, a blob's hash.
fn is_name(word: &str) -> bool {
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let apart = word.contains(['-', '/', ':', ' ', '_', '.']);
    let number = word.starts_with(|sign: char| sign.is_ascii_digit());
    letters > 1 && word.bytes().any(|byte| byte.is_ascii_digit()) && apart && !number && !word.contains("sha256-")
}
