//! What to change in llama.cpp and the programs around it: layers on the card, context, cache and batch, in the words of
//! the program that runs.

use super::{Fix, Job, Place, command_line, solved};
use crate::diagnosis::{Held, Stage, devices, ggml_at_work, is_ollama, stage};
use crate::message::Message;
use crate::paste::{Finding, Kind};
use crate::units::{Bytes, MIB};

/// What is left free beside the layers: the context's compute buffers and what grows later.
const MARGIN: Bytes = Bytes(1024 * MIB);

/// The program around ggml.
#[derive(Clone, Copy, PartialEq, Eq)]
enum App {
    LlamaCpp,
    Ollama,
    LmStudio,
    KoboldCpp,
}

/// The settings of each program that the fixes change.
struct Flags {
    app: App,
    /// What stands before and behind a number of layers; nothing where the program takes a share only.
    layers: Option<(&'static str, &'static str)>,
    layers_unknown: &'static str,
    context: (&'static str, &'static str),
    cache: Option<&'static str>,
    batch: Option<&'static str>,
}

const FLAGS: [Flags; 4] = [
    Flags {
        app: App::LlamaCpp,
        layers: Some(("llama-server -m MODEL.gguf -ngl ", "")),
        layers_unknown: "llama-server -m MODEL.gguf --fit on",
        context: ("llama-server -m MODEL.gguf -c ", ""),
        cache: Some("llama-server -m MODEL.gguf --flash-attn on --cache-type-k q8_0 --cache-type-v q8_0"),
        batch: Some("llama-server -m MODEL.gguf --flash-attn on -b 512 -ub 256"),
    },
    Flags {
        app: App::Ollama,
        layers: Some((
            "curl http://localhost:11434/api/generate -d '{\"model\": \"MODEL\", \"options\": {\"num_gpu\": ",
            "}}'",
        )),
        layers_unknown: "OLLAMA_GPU_OVERHEAD=1073741824 ollama serve",
        context: ("OLLAMA_CONTEXT_LENGTH=", " ollama serve"),
        cache: Some("OLLAMA_FLASH_ATTENTION=1 OLLAMA_KV_CACHE_TYPE=q8_0 ollama serve"),
        batch: Some(
            "curl http://localhost:11434/api/generate -d '{\"model\": \"MODEL\", \"options\": {\"num_batch\": 256}}'",
        ),
    },
    Flags {
        app: App::LmStudio,
        layers: None,
        layers_unknown: "lms load MODEL --gpu 0.5",
        context: ("lms load MODEL --context-length ", ""),
        cache: None,
        batch: None,
    },
    Flags {
        app: App::KoboldCpp,
        layers: Some(("koboldcpp --model MODEL.gguf --gpulayers ", "")),
        layers_unknown: "koboldcpp --model MODEL.gguf --gpulayers -1",
        context: ("koboldcpp --model MODEL.gguf --contextsize ", ""),
        cache: Some("koboldcpp --model MODEL.gguf --flashattention --quantkv 1"),
        batch: Some("koboldcpp --model MODEL.gguf --flashattention --blasbatchsize 256"),
    },
];

fn flags(job: &Job) -> &'static Flags {
    let hinted = |hint| job.evidence.hints_at(hint);
    let app = match () {
        () if is_ollama(job.evidence) => App::Ollama,
        () if hinted("job-lmstudio") => App::LmStudio,
        () if hinted("job-koboldcpp") => App::KoboldCpp,
        () => App::LlamaCpp,
    };
    FLAGS.iter().find(|flags| flags.app == app).unwrap_or(&FLAGS[0])
}

/// The fixes of ggml's programs for a cause; `None` where the cause is another tool's.
pub fn fixes(cause: &str, job: &Job) -> Option<Vec<Box<Fix>>> {
    let finding = job.finding?;
    let ggml = matches!(finding.kind, Kind::GgmlAlloc | Kind::GgmlPool)
        || (finding.kind == Kind::CudaBare && ggml_at_work(job.evidence));
    Some(match (cause, finding.kind) {
        ("card-full" | "request-too-large" | "estimate-too-optimistic" | "unknown-no-figures", _) if ggml => {
            by_stage(job, finding)
        }
        ("other-process", Kind::GgmlAlloc) => vec![close_app(job)],
        ("per-allocation-limit", Kind::GgmlAlloc) => match stage(finding) {
            Stage::KvCache => vec![shorter_context(job), smaller_cache(job), fewer_layers(job)],
            Stage::Weights => vec![fewer_layers(job), smaller_quant(job)],
            _ => vec![smaller_batch(job), shorter_context(job), fewer_layers(job)],
        },
        ("not-capacity", Kind::GgmlPool) => vec![
            Fix::new("address-space", "host-resource", Message::new("fix-address-space"))
                .command(Place::Shell, "ulimit -v unlimited"),
        ],
        ("card-full", Kind::GgmlMetal) => vec![shorter_context(job), smaller_quant(job), fewer_layers(job)],
        ("does-not-fit-planned", Kind::EngineStart) => {
            vec![fewer_layers(job), shorter_context(job), smaller_quant(job)]
        }
        ("partial-offload", Kind::LayerPlan | Kind::OllamaPs | Kind::EngineStart) => partial(job),
        _ => return None,
    })
}

fn by_stage(job: &Job, finding: &Finding) -> Vec<Box<Fix>> {
    match stage(finding) {
        Stage::Weights | Stage::Unknown => {
            let mut fixes = vec![fewer_layers(job)];
            if flags(job).app == App::LlamaCpp {
                fixes.push(experts_on_cpu(job));
            }
            fixes.push(smaller_quant(job));
            fixes
        }
        Stage::KvCache => vec![shorter_context(job), smaller_cache(job), fewer_layers(job)],
        Stage::Compute => vec![smaller_batch(job), shorter_context(job), fewer_layers(job)],
        Stage::Pool => vec![
            fewer_layers(job),
            shorter_context(job),
            smaller_cache(job),
            smaller_batch(job),
        ],
    }
}

/// The last number of this name in the text.
fn told(job: &Job, name: &str) -> Option<i64> {
    job.evidence.findings.iter().rev().find_map(|finding| {
        finding.figures.iter().rev().find_map(|figure| match figure.value {
            crate::paste::Value::Count(count) if figure.name == name => Some(count),
            _ => None,
        })
    })
}

/// How many layers fit: the share of the failed buffer of weights that fits into what was free, less a margin; layers
/// are about equal.
fn layers_that_fit(job: &Job) -> Option<i64> {
    let finding = job.finding?;
    let held = Held::of(job.evidence, None);
    // Over several cards the one that failed does not tell what the others hold.
    if devices(job.evidence) > 1 && stage(finding) == Stage::Weights {
        return None;
    }
    let all = told(job, "layers")
        .map(|layers| layers.saturating_add(1))
        .or(held.layers.map(|layers| layers.1))?;
    let on_card = told(job, "n_gpu_layers").map_or(all, |layers| layers.min(all));
    if stage(finding) == Stage::Weights {
        let (requested, free) = (finding.bytes("requested")?, held.free_at_start?);
        let fits = Bytes(on_card).share((free - MARGIN).floor_zero().0, requested.0).0;
        return Some(fits.min(on_card));
    }
    // At work or in a later buffer: a tenth fewer, one at least.
    let placed = held.layers.map_or(on_card, |layers| layers.0);
    (placed > 1).then(|| placed - (placed / 10).max(1))
}

/// As many layers as fit by the sizing, where the text tells the job; no more than its own figures leave room for.
fn layers(job: &Job) -> Option<i64> {
    let by_text = layers_that_fit(job);
    match (solved::layers(job), by_text) {
        (Some(solved), Some(by_text)) => Some(solved.min(by_text)),
        (solved, by_text) => solved.or(by_text),
    }
}

fn fewer_layers(job: &Job) -> Box<Fix> {
    let flags = flags(job);
    match layers(job).zip(flags.layers) {
        Some((layers, (before, behind))) => Fix::new(
            "fewer-layers",
            "engine-setting",
            Message::new("fix-layers").with("layers", layers),
        )
        .because(Message::new("why-layers"))
        .command(
            Place::Shell,
            &changed(job, &format!("{before}{layers}{behind}"), "setting-layers"),
        ),
        None => {
            let fix = Fix::new("fewer-layers", "engine-setting", Message::new("fix-fewer-layers"))
                .because(Message::new("why-layers"));
            // `--fit` is of December 2025.
            match flags.app == App::LlamaCpp && job.evidence.hints_at("old-llama") {
                true => match told(job, "n_gpu_layers").filter(|layers| (2..99).contains(layers)) {
                    Some(layers) => {
                        let line = ["llama-server -m MODEL.gguf -ngl ", &(layers / 2).to_string()].concat();
                        fix.command(Place::Shell, &changed(job, &line, "setting-layers"))
                    }
                    None => fix,
                },
                false => fix.command(Place::Shell, &changed(job, flags.layers_unknown, "setting-layers")),
            }
        }
    }
}

/// A program's command, with the other settings that the paste shows where it is llama.cpp's own.
fn changed(job: &Job, line: &str, setting: &str) -> String {
    match line.strip_prefix(LLAMA_SERVER) {
        Some(change) => command_line::kept(job, LLAMA_SERVER, &[setting], change.trim_start()),
        None => line.to_owned(),
    }
}

/// How a command of llama.cpp begins.
const LLAMA_SERVER: &str = "llama-server -m MODEL.gguf";

/// The context whose cache fits beside the weights, in steps of 256 tokens; half of the set one where the text does not
/// tell what is left.
fn context(job: &Job) -> Option<(i64, bool)> {
    let held = Held::on_device(job.evidence, job.finding.and_then(|finding| finding.device));
    let set = told(job, "context").or(held.context).filter(|tokens| *tokens >= 512)?;
    let solved = || {
        let finding = job.finding.filter(|finding| stage(finding) == Stage::KvCache)?;
        let left = (held.free_at_start? - held.sum() - MARGIN).floor_zero();
        let tokens = Bytes(set).share(left.0, finding.bytes("requested")?.0).0 / 256 * 256;
        (256..set).contains(&tokens).then_some(tokens)
    };
    Some(solved().map_or((set / 2, false), |tokens| (tokens, true)))
}

fn shorter_context(job: &Job) -> Box<Fix> {
    let flags = flags(job);
    let by_size = solved::context(job).map(|tokens| (tokens, true));
    let (tokens, solved) = context(job)
        .filter(|(_, solved)| *solved || by_size.is_none())
        .or(by_size)
        .unwrap_or((4096, false));
    Fix::new(
        "shorter-context",
        "reduce-work",
        Message::new("fix-context").with("tokens", tokens),
    )
    .because(Message::new("why-context"))
    .saving(None, solved.then_some(true))
    .command(
        Place::Shell,
        &changed(
            job,
            &format!("{}{tokens}{}", flags.context.0, flags.context.1),
            "setting-context",
        ),
    )
}

/// 8.5 bits a value instead of 16: a cache of 16 bits shrinks by 7.5/16.
fn smaller_cache(job: &Job) -> Box<Fix> {
    let finding = job.finding.filter(|finding| stage(finding) == Stage::KvCache);
    let saved = finding
        .and_then(|finding| finding.bytes("requested"))
        .map(|cache| cache.floor_zero().share(15, 32));
    let fix = Fix::new("smaller-cache", "lower-precision", Message::new("fix-cache-q8"))
        .saving(saved.map(|saved| (Bytes::ZERO, saved)), None);
    with_command(job, fix, flags(job).cache, "setting-cache")
}

fn smaller_batch(job: &Job) -> Box<Fix> {
    let fix =
        Fix::new("smaller-ubatch", "engine-setting", Message::new("fix-ubatch")).because(Message::new("why-ubatch"));
    with_command(job, fix, flags(job).batch, "setting-ubatch")
}

fn with_command(job: &Job, fix: Box<Fix>, command: Option<&str>, setting: &str) -> Box<Fix> {
    match command {
        Some(command) => fix.command(Place::Shell, &changed(job, command, setting)),
        None => fix,
    }
}

fn experts_on_cpu(job: &Job) -> Box<Fix> {
    let line = command_line::kept(
        job,
        LLAMA_SERVER,
        &["setting-layers", "setting-experts"],
        "-ngl 99 --cpu-moe",
    );
    Fix::new("experts-on-cpu", "offload", Message::new("fix-experts-on-cpu")).command(Place::Shell, &line)
}

fn smaller_quant(job: &Job) -> Box<Fix> {
    let text = match solved::format(job) {
        Some(format) => Message::new("fix-quant-solved").with("format", format.name),
        None => Message::new("fix-smaller-quant"),
    };
    Fix::new("smaller-quant", "lower-precision", text)
}

fn close_app(job: &Job) -> Box<Fix> {
    let held = job
        .evidence
        .findings
        .iter()
        .find_map(|finding| finding.bytes("used_by_others"))
        .unwrap_or_default();
    Fix::new(
        "close-app",
        "free-other",
        Message::new("fix-close-app").with("bytes", held),
    )
    .saving((held > Bytes::ZERO).then_some((Bytes::ZERO, held)), None)
    .command(Place::Shell, "nvidia-smi")
}

/// It runs, but part of it on the CPU.
fn partial(job: &Job) -> Vec<Box<Fix>> {
    let held = Held::of(job.evidence, None);
    let one_short = held
        .layers
        .is_some_and(|(offload, model)| model.saturating_sub(offload) <= 1);
    let mut fixes = Vec::new();
    if one_short {
        fixes.push(Fix::new(
            "nothing-needed",
            "nothing-to-fix",
            Message::new("fix-nothing-needed"),
        ));
    }
    fixes.push(shorter_context(job));
    fixes.push(smaller_cache(job));
    fixes.push(Fix::new(
        "close-desktop",
        "free-other",
        Message::new("fix-close-desktop"),
    ));
    fixes.push(smaller_quant(job));
    fixes
}
