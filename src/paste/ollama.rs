//! What Ollama prints: a model that the computer's memory is too small for, a runner that ended, the plan of layers of
//! each generation of its server log, and the table of `ollama ps`.
//!
//! The log counts in binary units, `ollama ps` in decimal ones. Sources: `llm/status.go`, `llm/llama_server.go`,
//! `llm/server.go`, `ml/device.go`, `server/sched.go`, `format/bytes.go`, `cmd/cmd.go` of ollama/ollama, and public threads.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// The computer's memory, swap included, is too small for the part that would not lie on the card.
pub const REFUSED: Group = Group {
    tool: "ollama",
    kind: Kind::HostRefused,
    rows: rows![
        "ollama-refused" Opens "OL-1" "model requires more system memory ({requested:size}) than is available ({available:size})", "0.1.30 and later",
            "Error: 500 Internal Server Error: model requires more system memory (4.1 GiB) than is available (3.1 GiB)";
        "ollama-too-large" Opens "OL-1" "model request too large for system requested={requested:size} available={available:size} total={total:size} free={free:size} swap={swap:size}", "0.1.38 and later",
            "msg=\"model request too large for system\" requested=\"21.6 GiB\" available=\"14.9 GiB\" total=\"15.6 GiB\" free=\"12.9 GiB\" swap=\"2.0 GiB\"";
        "ollama-too-large" Opens "OL-1" "model request too large for system requested={requested:size} available={available:bytes} total={total:size} free={free:size} swap={swap:size}", "0.1.38 and later",
            "msg=\"model request too large for system\" requested=\"21.6 GiB\" available=16000102400 total=\"15.6 GiB\" free=\"12.9 GiB\" swap=\"2.0 GiB\"";
    ],
};

/// The plan does not work out; nothing was loaded.
pub const LAYOUT: Group = Group {
    tool: "ollama",
    kind: Kind::PlanRefused,
    rows: rows![
        "ollama-layout-layers" Opens "OL-1" "memory layout cannot be allocated with num_gpu = {num_gpu:int}", "0.11 and later",
            "Error: 500 Internal Server Error: memory layout cannot be allocated with num_gpu = 99";
        "ollama-layout" Opens "OL-1" "memory layout cannot be allocated", "0.11 and later", "Error: memory layout cannot be allocated";
        "ollama-layout" Opens "OL-1" "insufficient memory - required allocations:", "0.11 and later", "panic: insufficient memory - required allocations: {InputWeights:…}";
        "ollama-mlx" Opens "OL-1" "model requires {requested:size} but only {available:size} are available", "2026, MLX runner",
            "Error: model requires 21.4 GiB but only 17.8 GiB are available (after 1.5 GiB overhead)";
        "ollama-mlx-overhead" Adds "OL-1" "(after {overhead:size} overhead)", "2026, MLX runner", "(after 1.5 GiB overhead)";
    ],
};

/// The operating system ended the runner.
pub const KILLED: Group = Group {
    tool: "ollama",
    kind: Kind::EngineHost,
    rows: rows![
        "runner-killed" Opens "OL-2" "llama runner process has terminated: signal: killed", "all", "Error: llama runner process has terminated: signal: killed";
        "runner-killed" Opens "OL-2" "llama-server process has terminated: signal: killed", "2026", "Error: llama-server process has terminated: signal: killed";
    ],
};

/// The runner ended; what stands behind the colon, or above, is the reason.
pub const ENDED: Group = Group {
    tool: "ollama",
    kind: Kind::Wrapper,
    rows: rows![
        "runner-ended" Opens "OL-2" "llama runner process has terminated:", "0.1.30 and later", "Error: llama runner process has terminated: exit status 2";
        "runner-ended" Opens "OL-2" "llama-server process has terminated:", "2026", "Error: llama-server process has terminated: exit status 0xc0000409";
        "runner-ended" Opens "OL-2" "llama-server process no longer running:", "2026", "llama-server process no longer running: exit status 1";
        "runner-ended" Opens "OL-2" "llama runner process no longer running:", "0.1.33 and later", "llama runner process no longer running: 1";
        "runner-ended" Opens "OL-2" "timed out waiting for llama", "all", "timed out waiting for llama runner to start - progress 0.00";
        "runner-ended" Opens "HOST-5" "Failed with result 'exit-code'", "systemd", "ollama.service: Failed with result 'exit-code'.";
        "runner-ended" Opens "OL-1" "you may not have enough available memory to run this model", "before 0.1.30",
            "Error: llama runner exited, you may not have enough available memory to run this model";
    ],
};

/// Attempts that Ollama repeats with less.
pub const HANDLED: Group = Group {
    tool: "ollama",
    kind: Kind::Handled,
    rows: rows![
        "ollama-retry-context" Recovers "OL-3" "load failed; reducing automatic context and retrying once", "2026",
            "msg=\"llama-server load failed; reducing automatic context and retrying once\" old_num_ctx=131072 new_num_ctx=32768";
        "ollama-retry-evict" Recovers "OL-3" "load failed; evicting all other models and retrying once", "2026",
            "msg=\"llama-server load failed; evicting all other models and retrying once\"";
        "ollama-runtime-oom" Lists "OL-3" "runtime OOM detected; expiring loaded models to clear memory before next request", "2026",
            "msg=\"runtime OOM detected; expiring loaded models to clear memory before next request\"";
    ],
};

/// The plan of layers: one line of fields per load.
pub const PLAN: Group = Group {
    tool: "ollama",
    kind: Kind::LayerPlan,
    rows: rows![
        "ollama-plan-old" Opens "OL-3" "{available:size} VRAM available, loading up to {layers_offload:int} GPU layers", "2023",
            "llama.go:239: 7311 MiB VRAM available, loading up to 26 GPU layers";
        "ollama-plan" Opens "OL-3" "msg=offload to {_library:word} layers.requested={layers_requested:int} layers.model={layers_model:int} layers.offload={layers_offload:int}", "2024",
            "msg=\"offload to cuda\" layers.requested=-1 layers.model=33 layers.offload=21";
        "ollama-plan" Opens "OL-3" "msg=offload library={_library:word} layers.requested={layers_requested:int} layers.model={layers_model:int} layers.offload={layers_offload:int}", "2025",
            "msg=offload library=cuda layers.requested=49 layers.model=49 layers.offload=48";
        "ollama-plan" Joins "OL-3" "layers.requested={layers_requested:int} layers.model={layers_model:int} layers.offload={layers_offload:int}", "2024 to 2025",
            "layers.requested=-1 layers.model=33 layers.offload=21";
        "ollama-available" Joins "OL-3" "memory.available=[{available:sizes}]", "2024 to 2025", "memory.available=\"[10.9 GiB 23.1 GiB]\"";
        "ollama-required-full" Joins "OL-3" "memory.required.full={required_full:size}", "2024 to 2025", "memory.required.full=\"11.0 GiB\"";
        "ollama-required-partial" Joins "OL-3" "memory.required.partial={required_partial:size}", "2024 to 2025", "memory.required.partial=\"8.5 GiB\"";
        "ollama-required-kv" Joins "OL-3" "memory.required.kv={required_kv:size}", "2024 to 2025", "memory.required.kv=\"608.0 MiB\"";
        "ollama-allocations" Joins "OL-3" "memory.required.allocations=[{required_allocations:sizes}]", "2024 to 2025",
            "memory.required.allocations=\"[8.5 GiB]\"";
        "ollama-weights" Joins "OL-3" "memory.weights.total={weights:size}", "2024 to 2025", "memory.weights.total=\"6.8 GiB\"";
        "ollama-graphs" Joins "OL-3" "memory.graph.full={graph_full:size} memory.graph.partial={graph_partial:size}", "2024 to 2025",
            "memory.graph.full=\"519.5 MiB\" memory.graph.partial=\"1.3 GiB\"";
        "ollama-projector" Joins "OL-3" "projector.weights={projector_weights:size}", "2025", "projector.weights=\"795.9 MiB\"";
        "ollama-projector-graph" Joins "OL-3" "projector.graph={projector_graph:size}", "2025", "projector.graph=\"1.0 GiB\"";
    ],
};

/// The lines of the new engine: one per device and part.
pub const LOAD: Group = Group {
    tool: "ollama",
    kind: Kind::LayerPlan,
    rows: rows![
        "ggml-layers" Lists "OL-3" "msg=offloaded {layers_offload:int}/{layers_model:int} layers to GPU", "2025-09 and later",
            "source=ggml.go:498 msg=\"offloaded 24/25 layers to GPU\"";
        "ggml-weights-host" Lists "OL-3" "msg=model weights device=CPU size={host_model:size}", "2025-09 and later", "msg=\"model weights\" device=CPU size=\"2.2 GiB\"";
        "ggml-weights" Lists "OL-3" "msg=model weights device={buffer:word} size={model:size}", "2025-09 and later",
            "msg=\"model weights\" device=CUDA0 size=\"10.7 GiB\"";
        "ggml-kv-host" Lists "OL-3" "msg=kv cache device=CPU size={host_kv:size}", "2025-09 and later", "msg=\"kv cache\" device=CPU size=\"204.0 MiB\"";
        "ggml-kv" Lists "OL-3" "msg=kv cache device={buffer:word} size={kv_cache:size}", "2025-09 and later", "msg=\"kv cache\" device=CUDA0 size=\"204.0 MiB\"";
        "ggml-compute-host" Lists "OL-3" "msg=compute graph device=CPU size={host_compute:size}", "2025-09 and later", "msg=\"compute graph\" device=CPU size=\"5.6 MiB\"";
        "ggml-compute" Lists "OL-3" "msg=compute graph device={buffer:word} size={compute:size}", "2025-09 and later",
            "msg=\"compute graph\" device=CUDA0 size=\"117.8 MiB\"";
        "ggml-weights-host" Lists "OL-3" "msg=model weights buffer=CPU size={host_model:size}", "2025", "msg=\"model weights\" buffer=CPU size=\"680.0 MiB\"";
        "ggml-weights" Lists "OL-3" "msg=model weights buffer={buffer:word} size={model:size}", "2025", "msg=\"model weights\" buffer=CUDA0 size=\"11.5 GiB\"";
        "ggml-compute-host" Lists "OL-3" "msg=compute graph backend=CPU buffer_type={_type:word} size={host_compute:size}", "2025",
            "msg=\"compute graph\" backend=CPU buffer_type=CPU size=\"8.3 MiB\"";
        "ggml-compute" Lists "OL-3" "msg=compute graph backend={buffer:word} buffer_type={_type:word} size={compute:size}", "2025",
            "msg=\"compute graph\" backend=CUDA0 buffer_type=CUDA0 size=\"1.3 GiB\"";
        "ollama-total" Lists "OL-3" "msg=total memory size={total:size}", "2025-09 and later", "msg=\"total memory\" size=\"13.2 GiB\"";
        "ollama-card" Lists "OL-3" "name={card:text} total={card_total:size} available={free_at_start:size}", "2024 and later",
            "msg=\"inference compute\" id=GPU-1 library=cuda variant=v12 compute=8.9 driver=12.4 name=\"NVIDIA GeForce RTX 4090\" total=\"23.6 GiB\" available=\"22.8 GiB\"";
        "ollama-card" Lists "OL-3" "type={_type:word} total={card_total:size} available={free_at_start:size}", "2025-09 and later",
            "msg=\"inference compute\" id=GPU-1 library=CUDA compute=8.9 name=CUDA0 pci_id=0000:01:00.0 type=discrete total=\"23.6 GiB\" available=\"22.8 GiB\"";
        "ollama-card-free" Lists "OL-3" "msg=gpu memory id={_id:word} library={_library:word} available={available:size} free={free_at_start:size}", "2025-09 and later",
            "msg=\"gpu memory\" id=GPU-1 library=CUDA available=\"22.3 GiB\" free=\"22.8 GiB\" minimum=\"457.0 MiB\" overhead=\"0 B\"";
        "ollama-host" Lists "OL-3" "msg=system memory total={host_total:size} free={host_free:size} free_swap={swap:size}", "2025-09 and later",
            "msg=\"system memory\" total=\"31.2 GiB\" free=\"25.8 GiB\" free_swap=\"8.0 GiB\"";
        "ollama-low-vram" Lists "OL-3" "entering low vram mode total vram={vram_total:size}", "2025-09 and later",
            "msg=\"entering low vram mode\" \"total vram\"=\"8.0 GiB\" threshold=\"20.0 GiB\"";
    ],
};

/// `ollama ps`: sizes are decimal, of two shares the first is the CPU's.
pub const PS: Group = Group {
    tool: "ollama",
    kind: Kind::OllamaPs,
    rows: rows![
        "ollama-ps-head" Lists "OL-4" "NAME ID SIZE PROCESSOR", "all", "NAME         ID              SIZE     PROCESSOR          CONTEXT    UNTIL";
        "ollama-ps-split-context" Lists "OL-4" "{model_name:word} {_id:word} {size:dec} {cpu_percent:int}%/{gpu_percent:int}% CPU/GPU {context:tokens}", "0.9 and later",
            "qwen3:32b    030ee887880f    27 GB    13%/87% CPU/GPU    16384      4 minutes from now";
        "ollama-ps-split" Lists "OL-4" "{model_name:word} {_id:word} {size:dec} {cpu_percent:int}%/{gpu_percent:int}% CPU/GPU", "all",
            "qwen2.5:32b    9f13ba1299af    26 GB    9%/91% CPU/GPU    4 minutes from now";
        "ollama-ps-gpu-context" Lists "OL-4" "{model_name:word} {_id:word} {size:dec} {gpu_percent:int}% GPU {context:tokens}", "0.9 and later",
            "deepseek-r1:14b    c333b7232bdb    3.2 GB    100% GPU     4096       Forever";
        "ollama-ps-gpu" Lists "OL-4" "{model_name:word} {_id:word} {size:dec} {gpu_percent:int}% GPU", "all",
            "llama3.1:8b    46e0c10c039e    6.7 GB    100% GPU     4 minutes from now";
        "ollama-ps-cpu-context" Lists "OL-4" "{model_name:word} {_id:word} {size:dec} {cpu_percent:int}% CPU {context:tokens}", "0.9 and later",
            "llama3.3:70b    a6eb4748fd29    46 GB    100% CPU     4096       Forever";
        "ollama-ps-cpu" Lists "OL-4" "{model_name:word} {_id:word} {size:dec} {cpu_percent:int}% CPU", "all",
            "llama3.3:70b    a6eb4748fd29    46 GB    100% CPU     4 minutes from now";
    ],
};
