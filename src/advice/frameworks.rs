//! What to change in frameworks other than PyTorch, and at the chip's own limits.

use super::{Fix, Job, Place, torch};
use crate::message::Message;
use crate::paste::Kind;

/// A framework's own lines: for fewer bits, and for its allocator.
struct Lines {
    tool: &'static str,
    precision: Option<&'static str>,
    allocator: Option<(&'static str, Place, &'static str)>,
}

const LINES: [Lines; 5] = [
    Lines {
        tool: "jax",
        precision: Some("params = jax.tree.map(lambda x: x.astype(jnp.bfloat16), params)"),
        allocator: Some((
            "fix-jax-fraction",
            Place::Shell,
            "export XLA_PYTHON_CLIENT_MEM_FRACTION=.95",
        )),
    },
    Lines {
        tool: "tensorflow",
        precision: Some("tf.keras.mixed_precision.set_global_policy(\"mixed_float16\")"),
        allocator: Some((
            "fix-tf-allocator",
            Place::Shell,
            "export TF_GPU_ALLOCATOR=cuda_malloc_async",
        )),
    },
    Lines {
        tool: "rapids",
        precision: None,
        allocator: Some((
            "fix-managed-memory",
            Place::Python,
            "import rmm\nrmm.reinitialize(managed_memory=True)",
        )),
    },
    Lines {
        tool: "paddlepaddle",
        precision: Some("with paddle.amp.auto_cast():\n    loss = model(batch)"),
        allocator: Some((
            "fix-paddle-allocator",
            Place::Shell,
            "export FLAGS_allocator_strategy=auto_growth",
        )),
    },
    Lines {
        tool: "onnxruntime",
        precision: None,
        allocator: Some((
            "fix-onnx-arena",
            Place::Python,
            "providers=[(\"CUDAExecutionProvider\", {\"arena_extend_strategy\": \"kSameAsRequested\"})]",
        )),
    },
];

/// Whether the failure is one of these frameworks' rather than PyTorch's.
fn lines(job: &Job) -> Option<&'static Lines> {
    let tool = job.finding?.tool;
    LINES.iter().find(|lines| lines.tool == tool)
}

/// Less at once, fewer bits, the framework's own settings; `None` for a failure of PyTorch.
pub fn full(job: &Job) -> Option<Vec<Box<Fix>>> {
    let finding = job.finding?;
    if finding.has("webui-guard") {
        let size = |name| finding.count(name).unwrap_or_default();
        let text = Message::new("fix-guard-resolution")
            .with("width", size("max_width").to_string())
            .with("height", size("max_height").to_string());
        return Some(vec![
            Fix::new("guard-resolution", "reduce-work", text),
            Fix::new("offload", "offload", Message::new("fix-guard-medvram"))
                .command(Place::Shell, "./webui.sh --medvram"),
        ]);
    }
    if finding.kind == Kind::NcclOom {
        let room = Fix::new("leave-room", "reduce-work", Message::new("fix-leave-room"));
        return Some(vec![room.command(Place::Shell, "export NCCL_BUFFSIZE=2097152")]);
    }
    let lines = lines(job)?;
    let parts = job
        .amounts
        .requested
        .zip(job.amounts.free)
        .and_then(|(requested, free)| {
            [2i64, 4, 8, 16, 32, 64]
                .into_iter()
                .find(|parts| requested.share(1, *parts) <= free)
        });
    let less = match parts {
        Some(parts) => Message::new("fix-framework-less").with("parts", parts),
        None => Message::new("fix-framework-less").with("parts", 2),
    };
    let mut fixes = vec![Fix::new("less-work", "reduce-work", less).because(Message::new("why-framework-less"))];
    let precision = Fix::new("fewer-bits", "lower-precision", Message::new("fix-framework-precision"));
    fixes.push(match lines.precision {
        Some(line) => precision.command(Place::Python, line),
        None => precision,
    });
    if let Some((text, place, line)) = lines.allocator {
        fixes.push(Fix::new("framework-allocator", "allocator-setting", Message::new(text)).command(place, line));
    }
    let needed = finding
        .bytes("program_total")
        .or(finding.bytes("used").filter(|_| finding.bytes("limit").is_some()));
    let larger = match needed {
        Some(needed) => Message::new("fix-framework-card-size").with("needed", needed),
        None => Message::new("fix-framework-card"),
    };
    fixes.push(Fix::new("larger-card", "bigger-card", larger));
    Some(fixes)
}

/// A pool's limit, raised to what was needed; `None` for PyTorch's.
pub fn cap(job: &Job) -> Option<Vec<Box<Fix>>> {
    let finding = job.finding?;
    let needed = finding.bytes("requested").unwrap_or_default() + finding.bytes("allocated").unwrap_or_default();
    let line = if finding.has("cupy-limit") {
        format!("cupy.get_default_memory_pool().set_limit(size={})", needed.0)
    } else if finding.has("onnx-limit") {
        format!(
            "providers=[(\"CUDAExecutionProvider\", {{\"gpu_mem_limit\": {}}})]",
            needed.0.saturating_mul(2)
        )
    } else if finding.has("rmm-pool") || finding.has("rmm-pool-requested") {
        "rmm.reinitialize(pool_allocator=True, maximum_pool_size=None)".to_owned()
    } else {
        return None;
    };
    let raise = Fix::new("raise-limit", "lift-cap", Message::new("fix-raise-limit")).command(Place::Python, &line);
    let mut fixes = vec![raise];
    fixes.extend(full(job).unwrap_or_default());
    Some(fixes)
}

/// A framework that takes most of the card at start.
pub fn preallocation(job: &Job) -> Vec<Box<Fix>> {
    let tensorflow = job.finding.is_some_and(|finding| finding.tool == "tensorflow");
    let line = match tensorflow {
        true => "export TF_FORCE_GPU_ALLOW_GROWTH=true",
        false => "export XLA_PYTHON_CLIENT_PREALLOCATE=false",
    };
    vec![
        Fix::new(
            "no-preallocation",
            "allocator-setting",
            Message::new("fix-no-preallocation"),
        )
        .because(Message::new("why-no-preallocation"))
        .command(Place::Shell, line),
    ]
}

/// Smaller blocks of a kernel; by what factor, where the figures tell.
pub fn on_chip(job: &Job) -> Vec<Box<Fix>> {
    let bytes = |name| job.finding.and_then(|finding| finding.bytes(name));
    let parts = bytes("required").zip(bytes("limit")).and_then(|(required, limit)| {
        [2i64, 4, 8, 16]
            .into_iter()
            .find(|parts| required.share(1, *parts) <= limit)
    });
    let text = match parts {
        Some(parts) => Message::new("fix-smaller-blocks-by").with("parts", parts),
        None => Message::new("fix-smaller-blocks"),
    };
    vec![
        Fix::new("smaller-blocks", "on-chip-limit", text)
            .because(Message::new("why-smaller-blocks"))
            .command(Place::Python, "kernel[grid](…, BLOCK_M=64, BLOCK_N=64, num_stages=2)"),
        Fix::new("update-kernels", "update-tool", Message::new("fix-update-kernels"))
            .command(Place::Shell, "pip install --upgrade torch triton"),
    ]
}

/// A loader that found too little free memory for the whole model.
pub fn placement(job: &Job) -> Vec<Box<Fix>> {
    let free = Fix::new("restart-kernel", "free-other", Message::new("fix-restart-kernel")).command(
        if job.notebook { Place::Python } else { Place::Shell },
        if job.notebook {
            "import gc, torch\ndel model\ngc.collect()\ntorch.cuda.empty_cache()"
        } else {
            "nvidia-smi"
        },
    );
    vec![
        free,
        Fix::new("four-bit", "lower-precision", Message::new("fix-four-bit")).command(
            Place::Python,
            torch::IN_4BIT,
        ),
        Fix::new("allow-offload", "offload", Message::new("fix-allow-offload")).command(
            Place::Python,
            "from transformers import AutoModelForCausalLM, BitsAndBytesConfig\nmodel = AutoModelForCausalLM.from_pretrained(\n    \"MODEL\",\n    quantization_config=BitsAndBytesConfig(load_in_8bit=True, llm_int8_enable_fp32_cpu_offload=True),\n    device_map=\"auto\",\n)",
        ),
    ]
}

/// Memory that grows from step to step.
pub fn leak() -> Vec<Box<Fix>> {
    vec![
        Fix::new("find-leak", "fix-code", Message::new("fix-find-leak"))
            .because(Message::new("why-find-leak"))
            .command(
                Place::Python,
                "total_loss += loss.item()\nwith torch.no_grad():\n    evaluate(model)",
            ),
    ]
}

/// The card's memory is the system's.
pub fn unified(job: &Job) -> Option<Vec<Box<Fix>>> {
    let finding = job.finding?;
    if finding.has("mlx-metal") || finding.has("mlx-malloc") {
        return Some(vec![
            Fix::new("less-work", "reduce-work", Message::new("fix-mlx-less"))
                .command(Place::Shell, "mlx_lm.generate --model MODEL --max-kv-size 4096"),
            Fix::new("fewer-bits", "lower-precision", Message::new("fix-mlx-bits"))
                .command(Place::Shell, "mlx_lm.convert --hf-path MODEL -q --q-bits 4"),
            Fix::new("close-programs", "free-other", Message::new("fix-close-programs-plain")),
        ]);
    }
    if finding.has("driver-jetson") || finding.has("smi-unified") {
        return Some(vec![
            Fix::new("close-programs", "free-other", Message::new("fix-close-programs-plain")).command(
                Place::Shell,
                "free -h\nsudo sh -c 'sync; echo 3 > /proc/sys/vm/drop_caches'",
            ),
        ]);
    }
    None
}
