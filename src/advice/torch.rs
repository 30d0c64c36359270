//! What to change in a PyTorch job: less work at once, fewer bits, parts in system memory, a larger card.

use super::{Fix, Job, Place, Program, bigger_card, solved};
use crate::message::{Arg, Message};
use crate::paste::Kind;
use crate::units::{Bytes, MIB};

/// The job's own memory fills the card.
pub fn full(job: &Job) -> Vec<Box<Fix>> {
    let spilled = job
        .amounts
        .total
        .is_some_and(|total| job.amounts.allocated.unwrap_or_default() > total);
    // A tiny request fails while weights are loaded or when nothing is left at all: less work would not help there. In
    // the days of the older messages it was a training's, mostly.
    let old = job.has("torch-old-allocated-free") && !matches!(job.program, Program::WebUi | Program::Diffusers);
    let tiny = job
        .amounts
        .requested
        .is_some_and(|requested| requested <= Bytes(32 * MIB) && !old);
    let mut fixes = match job.program {
        _ if job.loads() => vec![fewer_bits(job)],
        Program::Training if job.steps() => vec![optimizer()],
        // Of one sequence at a time there is no less.
        Program::Training if job.tells("bs") && job.scenario.batch == 1 => vec![checkpointing(job), optimizer()],
        Program::Training => vec![smaller_batch(job), checkpointing(job), optimizer()],
        _ if spilled || (tiny && job.program != Program::Vllm) || solved::fails(job) => {
            vec![fewer_bits(job), less_work(job)]
        }
        _ => vec![less_work(job), fewer_bits(job)],
    };
    // Unsloth's adapter is one already.
    if job.program == Program::Training && !unsloth(job) {
        fixes.push(adapters());
    } else if unsloth(job) && !fixes.iter().any(|fix| fix.id == "fewer-bits") {
        fixes.push(fewer_bits(job));
    }
    if let Some(tiles) = tiled_decoding(job) {
        fixes.insert(0, tiles);
    }
    fixes.extend(offload(job));
    if job.loads() {
        fixes.push(smaller_model());
    }
    if job.kind() != Some(Kind::MpsOom) {
        fixes.extend(bigger_card::fix(job));
    }
    fixes
}

fn unsloth(job: &Job) -> bool {
    job.program == Program::Training && job.evidence.hints_at("job-unsloth")
}

fn smaller_model() -> Box<Fix> {
    Fix::new("smaller-model", "lower-precision", Message::new("fix-smaller-model"))
}

/// Where the VAE decoded the picture: in pieces, which cost nothing but a little time.
fn tiled_decoding(job: &Job) -> Option<Box<Fix>> {
    if job.loads() || !job.evidence.hints_at("decode-vae") {
        return None;
    }
    let text = match job.program {
        Program::ComfyUi if job.evidence.hints_at("decode-tiles") => "fix-smaller-tiles-comfyui",
        Program::ComfyUi => "fix-tiled-vae-comfyui",
        Program::WebUi => "fix-tiled-vae-webui",
        Program::Diffusers => "fix-tiled-vae",
        _ => return None,
    };
    let fix = Fix::new("tiled-vae", "reduce-work", Message::new(text)).because(Message::new("why-tiled-vae"));
    Some(match job.program {
        Program::Diffusers => fix.command(Place::Python, "pipe.vae.enable_tiling()\npipe.vae.enable_slicing()"),
        _ => fix,
    })
}

/// One request is too large by itself.
pub fn too_large(job: &Job) -> Vec<Box<Fix>> {
    let amounts = &job.amounts;
    let mut fixes = Vec::new();
    let absurd = amounts
        .requested
        .zip(amounts.total)
        .is_some_and(|(requested, total)| requested > total * 16)
        || job.has("torch-requested-absurd");
    let shape = Fix::new("check-shape", "fix-code", Message::new("fix-check-shape"))
        .because(Message::new("fix-check-shape-why"))
        .command(
            Place::Python,
            "print(x.shape, x.dtype, x.numel() * x.element_size() / 2**30, \"GiB\")",
        );
    if absurd {
        fixes.push(shape.clone());
    }
    fixes.extend(tiled_decoding(job));
    if !job.loads() {
        fixes.push(if job.program == Program::Training {
            smaller_batch(job)
        } else {
            less_work(job)
        });
    }
    fixes.push(fewer_bits(job));
    if !absurd && amounts.requested > amounts.total {
        fixes.push(shape);
    }
    fixes
}

/// By what the work must be divided for the failed request alone to fit, as the next power of two; up to 64.
fn divisor(job: &Job) -> Option<i64> {
    let requested = job.amounts.requested?;
    let free = job.amounts.free?;
    [2i64, 4, 8, 16, 32, 64]
        .into_iter()
        .find(|parts| requested.share(1, *parts) <= free)
}

/// What dividing the work by `parts` frees: at least that share of the request, at most of all live tensors too.
fn divided(job: &Job, parts: i64) -> Option<(Bytes, Bytes)> {
    let requested = job.amounts.requested?;
    let share = |bytes: Bytes| bytes - bytes.share(1, parts);
    Some((
        share(requested),
        share(requested + job.amounts.allocated.unwrap_or_default()),
    ))
}

fn smaller_batch(job: &Job) -> Box<Fix> {
    let parts = divisor(job).unwrap_or(2);
    let saves = divided(job, parts);
    let id = "smaller-batch";
    // What the text tells stands in the command, divided.
    let (batch, steps) = match job.tells("bs") {
        true => {
            let (batch, steps) = (job.scenario.batch.max(1), job.scenario.accumulation.max(1));
            let less = (batch / parts).max(1);
            let more = (steps.saturating_mul(batch) / less).max(steps);
            (less.to_string(), more.to_string())
        }
        false => (format!("batch // {parts}"), format!("steps * {parts}")),
    };
    Fix::new(
        id,
        "reduce-work",
        Message::new("fix-smaller-batch").with("parts", parts),
    )
    .because(solved(job, parts))
    .saving(saves, saves.and_then(|_| divisor(job).map(|_| true)))
    .command(
        Place::Python,
        &format!(
            "TrainingArguments(\n    per_device_train_batch_size={batch},\n    gradient_accumulation_steps={steps},\n)"
        ),
    )
}

/// Less work at once, in the words of the program.
fn less_work(job: &Job) -> Box<Fix> {
    let parts = divisor(job).unwrap_or(2);
    let (id, text) = match job.program {
        Program::ComfyUi | Program::WebUi | Program::Diffusers => ("less-image", "fix-less-image"),
        Program::Vllm | Program::Generate => ("less-context", "fix-less-context"),
        _ => ("less-work", "fix-less-work"),
    };
    let saves = divided(job, parts);
    let fix = Fix::new(id, "reduce-work", Message::new(text).with("parts", parts))
        .because(solved(job, parts))
        .saving(saves, saves.and_then(|_| divisor(job).map(|_| true)));
    match job.program {
        Program::Diffusers if !job.evidence.hints_at("decode-vae") => {
            fix.command(Place::Python, "pipe.vae.enable_tiling()\npipe.vae.enable_slicing()")
        }
        Program::Generate => fix.command(
            Place::Python,
            "with torch.inference_mode():\n    model.generate(**inputs, max_new_tokens=256)",
        ),
        Program::Vllm => fix.command(Place::Shell, "vllm serve MODEL --max-num-seqs 64"),
        _ => fix,
    }
}

/// Why dividing by `parts` is enough, or that no division of the request alone is.
fn solved(job: &Job, parts: i64) -> Message {
    match (divisor(job), job.amounts.requested, job.amounts.free) {
        (Some(_), Some(requested), Some(free)) => Message::new("why-divided")
            .with("request", requested.share(1, parts))
            .with("free", free),
        (None, Some(requested), Some(free)) => {
            Message::new("why-not-divided").with("missing", (requested - free).floor_zero())
        }
        _ => Message::new("why-less-work"),
    }
}

fn fewer_bits(job: &Job) -> Box<Fix> {
    let half = job.amounts.allocated.unwrap_or_default().share(1, 2);
    let text = match job.program {
        Program::ComfyUi | Program::WebUi => "fix-fewer-bits-image",
        Program::Training => "fix-fewer-bits-training",
        _ => "fix-fewer-bits",
    };
    let fix = Fix::new("fewer-bits", "lower-precision", Message::new(text)).because(Message::new("why-fewer-bits"));
    let fix = if half > Bytes::ZERO {
        fix.saving(Some((Bytes::ZERO, half)), job.fits_between(Bytes::ZERO, half))
    } else {
        fix
    };
    match job.program {
        Program::ComfyUi | Program::WebUi => fix,
        // bitsandbytes does not run there.
        Program::Diffusers if job.kind() == Some(Kind::MpsOom) => {
            fix.command(Place::Python, "pipe = pipe.to(torch.float16)")
        }
        _ if job.kind() == Some(Kind::MpsOom) => fix.command(
            Place::Python,
            "model = AutoModelForCausalLM.from_pretrained(\"MODEL\", dtype=torch.float16)",
        ),
        Program::Diffusers => fix.command(Place::Python, DIFFUSERS_8BIT),
        _ if unsloth(job) => fix.command(
            Place::Python,
            "model, tokenizer = FastLanguageModel.from_pretrained(\"MODEL\", load_in_4bit=True)",
        ),
        _ => fix.command(
            Place::Python,
            match solved::format(job).is_some_and(|format| format.bare < 600) {
                true => IN_4BIT,
                false => IN_8BIT,
            },
        ),
    }
}

/// transformers' own loading, whole: a configuration by itself does nothing.
const IN_8BIT: &str = "from transformers import AutoModelForCausalLM, BitsAndBytesConfig\nmodel = AutoModelForCausalLM.from_pretrained(\n    \"MODEL\", quantization_config=BitsAndBytesConfig(load_in_8bit=True), device_map=\"auto\"\n)";
pub const IN_4BIT: &str = "from transformers import AutoModelForCausalLM, BitsAndBytesConfig\nmodel = AutoModelForCausalLM.from_pretrained(\n    \"MODEL\",\n    quantization_config=BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type=\"nf4\"),\n    device_map=\"auto\",\n)";

/// Of the parts named here those that the pipeline has are quantised: src/diffusers/quantizers/pipe_quant_config.py.
const DIFFUSERS_8BIT: &str = "from diffusers import DiffusionPipeline, PipelineQuantizationConfig\nquantization = PipelineQuantizationConfig(\n    quant_backend=\"bitsandbytes_8bit\",\n    quant_kwargs={\"load_in_8bit\": True},\n    components_to_quantize=[\"transformer\", \"unet\", \"text_encoder\", \"text_encoder_2\", \"text_encoder_3\"],\n)\npipe = DiffusionPipeline.from_pretrained(\"MODEL\", quantization_config=quantization, torch_dtype=torch.bfloat16)";

fn checkpointing(job: &Job) -> Box<Fix> {
    Fix::new("checkpointing", "reduce-work", Message::new("fix-checkpointing"))
        .because(Message::new("why-checkpointing"))
        .command(
            Place::Python,
            match unsloth(job) {
                true => "model = FastLanguageModel.get_peft_model(model, use_gradient_checkpointing=\"unsloth\")",
                false => "TrainingArguments(gradient_checkpointing=True)",
            },
        )
}

fn optimizer() -> Box<Fix> {
    Fix::new("optimizer-8bit", "lower-precision", Message::new("fix-optimizer-8bit"))
        .because(Message::new("why-optimizer-8bit"))
        .command(Place::Python, "TrainingArguments(optim=\"adamw_bnb_8bit\")")
}

fn adapters() -> Box<Fix> {
    Fix::new("adapters", "lower-precision", Message::new("fix-adapters")).because(Message::new("why-adapters"))
}

/// Part of the model elsewhere; nothing where the card's memory is the computer's own, or where the program cannot.
fn offload(job: &Job) -> Option<Box<Fix>> {
    if job.unified || unsloth(job) {
        return None;
    }
    let most = job.amounts.allocated.unwrap_or_default();
    let text = match job.program {
        Program::ComfyUi => "fix-offload-comfyui",
        Program::WebUi => "fix-offload-webui",
        Program::Training if job.one_card() => "fix-offload-training-one",
        Program::Training => "fix-offload-training",
        _ => "fix-offload",
    };
    let fix = Fix::new("offload", "offload", Message::new(text)).because(Message::new("why-offload"));
    let fix = if most > Bytes::ZERO {
        fix.saving(Some((Bytes::ZERO, most)), job.fits_between(Bytes::ZERO, most))
    } else {
        fix
    };
    Some(match job.program {
        Program::ComfyUi => fix.command(Place::Shell, "python main.py --lowvram"),
        Program::WebUi => fix.command(Place::Shell, "./webui.sh --medvram"),
        Program::Diffusers => fix.command(Place::Python, "pipe.enable_model_cpu_offload()"),
        Program::Training => fix,
        _ => fix.command(
            Place::Python,
            "model = AutoModelForCausalLM.from_pretrained(\"MODEL\", device_map=\"auto\")",
        ),
    })
}

/// A limit that somebody set refused the request.
pub fn cap(job: &Job) -> Vec<Box<Fix>> {
    let amounts = &job.amounts;
    let held = amounts.allocated.unwrap_or_default() + amounts.reserved;
    let mut fixes = Vec::new();
    if let (Some(total), Some(requested), Some(free)) = (amounts.total, amounts.requested, amounts.free) {
        // The least hundredth that lets the request through.
        let need = held + requested;
        let hundredths = (need.share(100, total.0.max(1)).0 + 1).clamp(1, 100);
        let room = (total.share(hundredths, 100) - amounts.allowed.unwrap_or_default()).floor_zero();
        let fraction = if hundredths == 100 {
            "1.0".to_owned()
        } else {
            format!("0.{hundredths:02}")
        };
        let share = Arg::Number(hundredths, 2);
        fixes.push(
            Fix::new(
                "raise-cap",
                "lift-cap",
                Message::new("fix-raise-cap").with("fraction", share),
            )
            .because(Message::new("why-raise-cap").with("need", need).with("free", free))
            .saving(Some((room, room)), Some(requested <= free))
            .command(
                Place::Python,
                &format!(
                    "torch.cuda.set_per_process_memory_fraction({fraction}, {})",
                    job.finding.and_then(|finding| finding.device).unwrap_or(0)
                ),
            ),
        );
    }
    fixes.push(less_work(job));
    fixes
}

/// Metal memory outside PyTorch's heap holds most of the limit.
pub fn metal_others(job: &Job) -> Vec<Box<Fix>> {
    let other = job.amounts.metal;
    vec![
        Fix::new("empty-cache-mps", "free-other", Message::new("fix-empty-cache-mps"))
            .because(Message::new("why-metal-others").with("others", other))
            .command(Place::Python, "import gc, torch\ngc.collect()\ntorch.mps.empty_cache()"),
        Fix::new("steady-shapes", "fix-code", Message::new("fix-steady-shapes-metal")),
        Fix::new("update-torch", "update-tool", Message::new("fix-update-torch"))
            .command(Place::Shell, "pip install --upgrade torch"),
    ]
}

/// One buffer may not be that large.
pub fn block(job: &Job) -> Vec<Box<Fix>> {
    let requested = job.amounts.requested.unwrap_or_default();
    let parts = job
        .finding
        .and_then(|finding| finding.bytes("limit"))
        .and_then(|limit| {
            [2i64, 4, 8, 16, 32, 64]
                .into_iter()
                .find(|parts| requested.share(1, *parts) <= limit)
        });
    let text = match parts {
        Some(parts) => Message::new("fix-split-block").with("parts", parts),
        None => Message::new("fix-split-block-unknown"),
    };
    let mut fixes = vec![Fix::new("split-block", "reduce-work", text).because(Message::new("why-split-block"))];
    if job.has("block-xpu") || job.has("block-xpu-short") {
        fixes.push(
            Fix::new("relaxed-blocks", "engine-setting", Message::new("fix-relaxed-blocks"))
                .command(Place::Shell, "export UR_L0_ENABLE_RELAXED_ALLOCATION_LIMITS=1"),
        );
    }
    fixes
}

/// A fault in the asynchronous allocator.
pub fn allocator_bug(job: &Job) -> Vec<Box<Fix>> {
    let mut fixes = Vec::new();
    if job.program == Program::ComfyUi {
        fixes.push(
            Fix::new(
                "native-allocator-comfyui",
                "engine-setting",
                Message::new("fix-native-allocator-comfyui"),
            )
            .command(Place::Shell, "python main.py --disable-cuda-malloc"),
        );
    }
    let line = "PYTORCH_CUDA_ALLOC_CONF=backend:native";
    let (place, line) = match job.windows {
        true => (
            Place::PowerShell,
            "$env:PYTORCH_CUDA_ALLOC_CONF = \"backend:native\"".to_owned(),
        ),
        false => (Place::Shell, format!("export {line}")),
    };
    fixes.push(
        Fix::new(
            "native-allocator",
            "allocator-setting",
            Message::new("fix-native-allocator"),
        )
        .command(place, &line),
    );
    fixes.push(
        Fix::new("update-torch", "update-tool", Message::new("fix-update-torch"))
            .command(Place::Shell, "pip install --upgrade torch"),
    );
    fixes
}

/// A shortage without figures: what to paste so that more can be said, and what helps in any case.
pub fn no_figures(job: &Job) -> Vec<Box<Fix>> {
    let mut fixes = Vec::new();
    if let Some(tiles) = tiled_decoding(job) {
        fixes.push(tiles);
    } else if job.kind() == Some(Kind::AsyncOom) {
        fixes.push(
            Fix::new("full-message", "ask-for-more", Message::new("fix-full-message")).command(
                if job.windows { Place::PowerShell } else { Place::Shell },
                if job.program == Program::ComfyUi {
                    "python main.py --disable-cuda-malloc"
                } else if job.windows {
                    "$env:PYTORCH_CUDA_ALLOC_CONF = \"backend:native\""
                } else {
                    "export PYTORCH_CUDA_ALLOC_CONF=backend:native"
                },
            ),
        );
    } else if job.kind() == Some(Kind::CudaBare) {
        fixes.push(
            Fix::new("launch-blocking", "ask-for-more", Message::new("fix-launch-blocking"))
                .because(Message::new("why-launch-blocking"))
                .command(
                    if job.windows { Place::PowerShell } else { Place::Shell },
                    if job.windows {
                        "$env:CUDA_LAUNCH_BLOCKING = 1"
                    } else {
                        "export CUDA_LAUNCH_BLOCKING=1"
                    },
                ),
        );
        fixes.push(show_card(job));
    } else {
        fixes.push(Fix::new("paste-more", "ask-for-more", Message::new("fix-paste-more")));
        fixes.push(show_card(job));
    }
    if job.kind().is_some() {
        if !job.loads() {
            fixes.push(less_work(job));
        }
        fixes.push(fewer_bits(job));
    }
    fixes
}

fn show_card(job: &Job) -> Box<Fix> {
    Fix::new("show-card", "ask-for-more", Message::new("fix-show-card")).command(Place::Shell, job.monitor())
}

/// The context or a library could not be created: something else holds the card, mostly.
pub fn context() -> Vec<Box<Fix>> {
    vec![Fix::new("restart", "free-other", Message::new("fix-restart"))]
}

/// The device is a slice of a card.
pub fn slice() -> Vec<Box<Fix>> {
    vec![
        Fix::new("bigger-slice", "bigger-card", Message::new("fix-bigger-slice"))
            .command(Place::Shell, "nvidia-smi -L"),
    ]
}
