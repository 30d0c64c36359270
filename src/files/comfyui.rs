//! ComfyUI's workflows: which models in which format, how large an image, how many frames, what is loaded beside.
//!
//! Two forms: the graph that the editor saves (`nodes`, `links`), whose nodes have their values in a list, and the prompt
//! that the server takes (a node for each number, `class_type`, `inputs` by name). Nodes that are muted or bypassed do not count.
//! Source: ComfyUI's nodes.py and comfy_extras, ComfyUI-GGUF, ComfyUI-WanVideoWrapper (read November 2026).

use crate::catalog::formats;
use crate::json::Value;
use crate::message::Message;

/// The most nodes that are looked at.
const MOST_NODES: usize = 20_000;

/// The most that a width, a height or a number of frames may be.
const MOST: i64 = 65_536;

/// The names of a node's values in the editor's list, in their order, where the file does not say them: `-` for those that don't
/// matter, the last one for what `control_after_generate` puts behind a seed.
const WIDGETS: &[(&str, &str)] = &[
    ("CheckpointLoaderSimple", "ckpt_name"),
    ("UNETLoader", "unet_name weight_dtype"),
    ("UnetLoaderGGUF", "unet_name"),
    ("UnetLoaderGGUFAdvanced", "unet_name"),
    ("CLIPLoader", "clip_name type device"),
    ("CLIPLoaderGGUF", "clip_name"),
    ("DualCLIPLoader", "clip_name1 clip_name2 type device"),
    ("DualCLIPLoaderGGUF", "clip_name1 clip_name2"),
    ("TripleCLIPLoader", "clip_name1 clip_name2 clip_name3"),
    ("QuadrupleCLIPLoader", "clip_name1 clip_name2 clip_name3 clip_name4"),
    ("VAELoader", "vae_name"),
    ("LoraLoader", "lora_name"),
    ("LoraLoaderModelOnly", "lora_name"),
    ("ControlNetLoader", "control_net_name"),
    ("EmptyLatentImage", "width height batch_size"),
    ("EmptySD3LatentImage", "width height batch_size"),
    ("EmptyFlux2LatentImage", "width height batch_size"),
    ("EmptyHunyuanLatentVideo", "width height length batch_size"),
    ("EmptyMochiLatentVideo", "width height length batch_size"),
    ("EmptyLTXVLatentVideo", "width height length batch_size"),
    ("EmptyCosmosLatentVideo", "width height length batch_size"),
    ("WanImageToVideo", "width height length batch_size"),
    ("Wan22ImageToVideoLatent", "width height length batch_size"),
    ("HunyuanImageToVideo", "width height length batch_size"),
    ("LTXVImgToVideo", "width height length batch_size"),
    ("LatentUpscale", "- width height"),
    ("RepeatLatentBatch", "amount"),
    ("VAEDecodeTiled", "tile_size"),
    ("KSampler", "seed - steps cfg"),
    ("KSamplerAdvanced", "- seed - steps cfg"),
    ("CFGGuider", "cfg"),
    ("WanVideoModelLoader", "model base_precision quantization load_device"),
    ("WanVideoBlockSwap", "blocks_to_swap"),
    (
        "LoadWanVideoT5TextEncoder",
        "model_name precision load_device quantization",
    ),
    ("WanVideoVAELoader", "model_name precision"),
    ("WanVideoEmptyEmbeds", "width height num_frames"),
    ("WanVideoImageToVideoEncode", "width height num_frames"),
    ("WanVideoLoraSelect", "lora"),
];

/// What a node's kind loads, by words of its name, the first that is in it.
const ROLES: [(&str, Role); 12] = [
    ("lora", Role::Lora),
    ("controlnet", Role::ControlNet),
    ("vae", Role::Vae),
    ("clipvision", Role::Other),
    ("upscale", Role::Other),
    ("clip", Role::Text),
    ("textencoder", Role::Text),
    ("unet", Role::Denoiser),
    ("diffusion", Role::Denoiser),
    ("modelloader", Role::Denoiser),
    ("checkpoint", Role::Checkpoint),
    ("loadergguf", Role::Denoiser),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Denoiser,
    Checkpoint,
    Text,
    Vae,
    Lora,
    ControlNet,
    Other,
}

/// A file that a workflow loads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Its name, without folders.
    pub file: String,
    /// The number format: an id of the catalog.
    pub format: &'static str,
}

/// What a workflow says. What it does not say is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workflow {
    /// The denoisers, or checkpoints that hold one with all else.
    pub denoisers: Vec<Loaded>,
    /// Text encoders.
    pub texts: Vec<Loaded>,
    /// Whether the text encoders are on the CPU.
    pub text_on_cpu: bool,
    /// The VAEs.
    pub vaes: Vec<Loaded>,
    /// LoRA adapters.
    pub adapters: i64,
    /// ControlNets.
    pub control_nets: i64,
    /// Width in pixels, of the largest that is sampled.
    pub width: i64,
    /// Height.
    pub height: i64,
    /// Frames.
    pub frames: i64,
    /// Images or videos at once.
    pub batch: i64,
    /// Side of the tiles that are decoded; zero for none.
    pub tile: i64,
    /// Blocks in the computer's memory.
    pub swapped: i64,
    /// Whether guidance is off, so that each image is computed from one prompt.
    pub one_prompt: bool,
    /// Nodes that count.
    pub nodes: i64,
}

/// Whether a JSON text is a workflow, in either form.
pub fn is_workflow(root: Value) -> bool {
    let graph = root.get("nodes").is_some_and(Value::is_list) && root.get("links").is_some();
    graph || root.get("prompt").is_some_and(is_prompt) || is_prompt(root)
}

fn is_prompt(root: Value) -> bool {
    let mut nodes = root.entries().map(|(_, node)| node);
    nodes
        .next()
        .is_some_and(|node| node.get("class_type").is_some() && node.get("inputs").is_some())
}

/// Reads a workflow.
///
/// # Errors
/// `file-workflow-empty` where it loads no model.
pub fn read(root: Value) -> Result<Workflow, Message> {
    let mut workflow = Workflow::default();
    let prompt = root
        .get("prompt")
        .filter(|prompt| is_prompt(*prompt))
        .or(Some(root).filter(|root| is_prompt(*root)));
    match prompt {
        Some(prompt) => {
            for (_, node) in prompt.entries().take(MOST_NODES) {
                let kind = node.get("class_type").and_then(Value::text).unwrap_or_default();
                let inputs = node.get("inputs");
                let values = inputs.into_iter().flat_map(Value::entries);
                let values = values.filter_map(|(name, value)| Some((name.text()?, resolved(prompt, value)?)));
                workflow.node(&kind, values);
            }
        }
        None => {
            let parts = root
                .get("definitions")
                .and_then(|definitions| definitions.get("subgraphs"));
            let inner = parts
                .into_iter()
                .flat_map(Value::items)
                .filter_map(|part| part.get("nodes"));
            let all = root.get("nodes").into_iter().chain(inner).flat_map(Value::items);
            for node in all.take(MOST_NODES) {
                // 2 is muted, 4 is bypassed.
                if !matches!(node.get("mode").and_then(Value::whole), Some(2 | 4)) {
                    workflow.graph_node(node);
                }
            }
        }
    }
    if workflow.denoisers.is_empty() {
        return Err(Message::new("file-workflow-empty"));
    }
    Ok(workflow)
}

/// The value of a prompt's input; of one that another node gives, that node's own value.
fn resolved<'a>(prompt: Value<'a>, value: Value<'a>) -> Option<Value<'a>> {
    if !value.is_list() {
        return Some(value);
    }
    let from = value.items().next()?.text()?;
    let inputs = prompt.get(&from)?.get("inputs")?;
    let own = ["value", "Value", "int", "number"]
        .iter()
        .find_map(|name| inputs.get(name))?;
    (!own.is_list()).then_some(own)
}

impl Workflow {
    /// A node of the editor's graph: its values stand in a list, their names beside the node's inputs or in [`WIDGETS`].
    fn graph_node(&mut self, node: Value) {
        let kind = node.get("type").and_then(Value::text).unwrap_or_default();
        let Some(values) = node.get("widgets_values") else {
            return;
        };
        if values.is_object() {
            return self.node(
                &kind,
                values.entries().filter_map(|(name, value)| Some((name.text()?, value))),
            );
        }
        let known = WIDGETS.iter().find(|(name, _)| *name == kind).map(|(_, names)| *names);
        let mut names: Vec<std::borrow::Cow<str>> = Vec::new();
        match known {
            Some(known) => names.extend(known.split(' ').map(Into::into)),
            None => {
                for input in node.get("inputs").into_iter().flat_map(Value::items) {
                    let name = input
                        .get("widget")
                        .and_then(|widget| widget.get("name"))
                        .and_then(Value::text);
                    let Some(name) = name else { continue };
                    let seed = name.ends_with("seed");
                    names.push(name);
                    if seed {
                        names.push("-".into());
                    }
                }
            }
        }
        let names = names.into_iter().chain(std::iter::repeat("-".into()));
        self.node(&kind, names.zip(values.items()));
    }

    /// A node's values by name.
    fn node<'a>(&mut self, kind: &str, values: impl Iterator<Item = (std::borrow::Cow<'a, str>, Value<'a>)>) {
        self.nodes += 1;
        let lower = kind.to_ascii_lowercase();
        let loads = lower.contains("load") || lower.contains("select");
        let role = ROLES.iter().find(|(word, _)| loads && lower.contains(word));
        let role = role.map_or(Role::Other, |(_, role)| *role);
        let mut size = [0; 4];
        let (mut files, mut dtype, mut on_cpu): (Vec<String>, _, _) = (Vec::new(), String::new(), false);
        for (name, value) in values {
            let count = value.whole().filter(|count| (1..=MOST).contains(count)).unwrap_or(0);
            let text = value.text().unwrap_or_default();
            match name.as_ref() {
                "width" => size[0] = count,
                "height" => size[1] = count,
                "length" | "num_frames" | "frames" => size[2] = count,
                "batch_size" | "amount" => size[3] = count,
                "tile_size" | "tile_x" if lower.contains("tile") => self.tile = count.max(1),
                "blocks_to_swap" => self.swapped = self.swapped.max(count),
                "cfg" => self.one_prompt = value.scaled(2) == Some(100),
                "weight_dtype" | "quantization" if text != "default" && text != "disabled" => dtype = text.to_string(),
                "device" | "load_device" => on_cpu = text == "cpu" || text == "offload_device" && role == Role::Text,
                _ => {}
            }
            if is_file(&text) {
                let name = text.rsplit(['/', '\\']).next().unwrap_or("");
                files.push(name.chars().take(120).collect());
            } else if let Some(lora) = value.get("lora").and_then(Value::text) {
                // A list of adapters, each with a switch.
                if is_file(&lora) && value.get("on").and_then(Value::flag) != Some(false) {
                    files.push(lora.into_owned());
                }
            }
        }
        if lower.contains("vaedecode") && lower.contains("tiled") || lower.contains("tiledvaedecode") {
            self.tile = self.tile.max(1);
        }
        self.take_size(size);
        for file in files {
            let format = format_of(&file, &dtype);
            let loaded = Loaded { file, format };
            match role {
                Role::Denoiser | Role::Checkpoint => self.denoisers.push(loaded),
                Role::Text => {
                    self.texts.push(loaded);
                    self.text_on_cpu = on_cpu;
                }
                Role::Vae => self.vaes.push(loaded),
                Role::Lora => self.adapters += 1,
                Role::ControlNet => self.control_nets += 1,
                Role::Other => {}
            }
        }
    }

    fn take_size(&mut self, [width, height, frames, batch]: [i64; 4]) {
        if width.saturating_mul(height) > self.width.saturating_mul(self.height) {
            (self.width, self.height) = (width, height);
        }
        self.frames = self.frames.max(frames);
        self.batch = self.batch.max(batch);
    }

    /// The keys of a link that it comes to, without the model's.
    pub fn keys(&self) -> String {
        let mut keys = String::from("off=");
        keys.push_str(if self.swapped > 0 { "swap" } else { "comfyui" });
        let mut put = |key: &str, value: &str| {
            keys.extend(["&", key, "=", value]);
        };
        let first = |loaded: &[Loaded]| loaded.first().map_or("bf16", |one| one.format);
        put("q", first(&self.denoisers));
        // Of several encoders the large one counts: CLIP's stays in 16-bit.
        let large = self
            .texts
            .iter()
            .find(|one| !one.file.to_ascii_lowercase().starts_with("clip"));
        put("tq", large.map_or_else(|| first(&self.texts), |one| one.format));
        if self.text_on_cpu {
            put("te", "cpu");
        }
        if self.width > 0 && self.height > 0 {
            put("res", &[self.width.to_string(), self.height.to_string()].join("x"));
        }
        let counts = [
            ("fr", self.frames),
            ("bs", self.batch),
            ("tile", self.tile),
            ("bsw", self.swapped),
            ("lora", self.adapters),
            ("cn", self.control_nets),
            ("cfg", i64::from(self.one_prompt)),
        ];
        for (key, count) in counts {
            if count > 0 {
                put(key, &count.to_string());
            }
        }
        keys
    }
}

/// Beginnings or parts of files' names that are not their model's id, letters and digits alone.
const ALIASES: &[(&str, &str)] = &[
    ("wan22t2vhighnoise14b", "wan2.2-t2v-a14b"),
    ("wan22t2vlownoise14b", "wan2.2-t2v-a14b"),
    ("wan22i2vhighnoise14b", "wan2.2-i2v-a14b"),
    ("wan22i2vlownoise14b", "wan2.2-i2v-a14b"),
    ("wan22t2v", "wan2.2-t2v-a14b"),
    ("wan22i2v", "wan2.2-i2v-a14b"),
    ("wan22ti2v", "wan2.2-ti2v-5b"),
    ("wan21i2v", "wan2.1-i2v-14b"),
    ("wan21t2v13b", "wan2.1-t2v-1.3b"),
    ("wan2114bt2v", "wan2.1-t2v-14b"),
    ("wan2114bi2v", "wan2.1-i2v-14b"),
    ("hunyuanvideo15", "hunyuanvideo-1.5"),
    ("qwenimageedit", "qwen-image-edit-2509"),
    ("flux1devkontext", "flux.1-kontext-dev"),
    ("fluxkontext", "flux.1-kontext-dev"),
    ("flux2dev", "flux.2-dev"),
    ("flux2klein9b", "flux.2-klein-9b"),
    ("flux2klein4b", "flux.2-klein-4b"),
    ("fluxschnell", "flux.1-schnell"),
    ("fluxdev", "flux.1-dev"),
    ("fluxfill", "flux.1-dev"),
    ("flux1", "flux.1-dev"),
    ("sd35large", "stable-diffusion-3.5-large"),
    ("sd35medium", "stable-diffusion-3.5-medium"),
    ("sd3medium", "stable-diffusion-3-medium"),
    ("chroma", "chroma1-hd"),
    ("zimage", "z-image-turbo"),
    ("hidreami1", "hidream-i1-full"),
    ("ltxv13b", "ltx-video-13b"),
    ("ltxv2b", "ltx-video-2b"),
    ("ltx2", "ltx-2"),
    ("mochi", "mochi-1"),
    ("pixartsigma", "pixart-sigma-xl"),
    ("sana", "sana-1.6b"),
    ("v15pruned", "stable-diffusion-v1-5"),
    ("sd15", "stable-diffusion-v1-5"),
    ("v21768", "stable-diffusion-2-1"),
    ("sdxl", "stable-diffusion-xl"),
    ("pony", "stable-diffusion-xl"),
    ("illustrious", "stable-diffusion-xl"),
    ("noobai", "stable-diffusion-xl"),
];

/// Which of the models a file's name means: the longest id or alias in it; `XL` at the end of a word is one of
/// the many made from SDXL.
pub fn model_of(file: &str, ids: impl Iterator<Item = &'static str> + Clone) -> Option<&'static str> {
    let squash = |text: &str| -> String {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let name = squash(file);
    let by_id = ids.clone().map(|id| (squash(id), id));
    let by_alias = ALIASES.iter().map(|(part, id)| ((*part).to_owned(), *id));
    let longest = by_id.chain(by_alias).filter(|(part, _)| name.contains(part.as_str()));
    let longest = longest.max_by_key(|(part, _)| part.len()).map(|(_, id)| id);
    let made_from_sdxl = || {
        let words = file.split(|letter: char| !letter.is_ascii_alphabetic());
        let is_xl = |word: &str| word.ends_with("XL") || word == "xl";
        words.into_iter().any(is_xl).then_some("stable-diffusion-xl")
    };
    let found = longest.or_else(made_from_sdxl)?;
    ids.into_iter().find(|id| *id == found)
}

fn is_file(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let ends = |end: &str| lower.ends_with(end);
    text.len() < 400
        && [".safetensors", ".gguf", ".sft", ".ckpt", ".pt", ".pth", ".bin"]
            .into_iter()
            .any(ends)
}

/// The format of a file by what the node says, else by its name; as files of image models come, in 16-bit.
fn format_of(file: &str, dtype: &str) -> &'static str {
    let lower = [dtype, " ", file].concat().to_ascii_lowercase();
    let has = |word: &str| lower.contains(word);
    let gguf = lower.ends_with(".gguf");
    let of_name = || {
        let inner: String = lower
            .chars()
            .map(|letter| if letter == '-' || letter == '.' { ' ' } else { letter })
            .collect();
        let is_there = |id: &str| {
            inner
                .split([' '])
                .any(|word| word == id || word.ends_with(&["_", id].concat()))
        };
        // The longest that fits: q4_k_m before q4.
        let all = formats()
            .iter()
            .filter(|format| format.family == crate::catalog::Family::Gguf);
        all.filter(|format| is_there(format.id))
            .max_by_key(|format| format.id.len())
    };
    match () {
        () if gguf => of_name().map_or("q8_0", |format| format.id),
        () if has("nvfp4") || has("svdq") || has("nunchaku") => "nvfp4",
        () if has("nf4") => "nf4",
        () if has("fp8") || has("e4m3") || has("e5m2") => "fp8",
        () if has("int8") => "w8a8",
        () if has("fp32") => "f32",
        () if has("fp16") => "f16",
        () => "bf16",
    }
}
