//! Safetensors: the header of a file, and the index of a model in several files.
//!
//! A file is 8 bytes that say how long its header is, the header, which is JSON, and the tensors.
//! Source: the safetensors format's README (November 2026).

use super::shape::{Feed, Heads, Layer, Shape};
use crate::catalog::{Format, format};
use crate::json::{Value, hash, parse};
use crate::message::Message;
use crate::scenario::Tensors;
use crate::units::Bytes;

/// The longest header that the format allows.
const MOST_HEADER: u64 = 100_000_000;

/// What tensors belong to, by the beginnings of their names; the first that matches. Checkpoints of image models hold
/// all of them in one file.
const COMPONENTS: [(&str, &str); 22] = [
    ("model.diffusion_model.", "denoiser"),
    ("diffusion_model.", "denoiser"),
    ("transformer.", "denoiser"),
    ("unet.", "denoiser"),
    ("double_blocks.", "denoiser"),
    ("single_blocks.", "denoiser"),
    ("joint_blocks.", "denoiser"),
    ("transformer_blocks.", "denoiser"),
    ("single_transformer_blocks.", "denoiser"),
    ("blocks.", "denoiser"),
    ("down_blocks.", "denoiser"),
    ("input_blocks.", "denoiser"),
    ("first_stage_model.", "vae"),
    ("vae.", "vae"),
    ("decoder.", "vae"),
    ("cond_stage_model.", "text"),
    ("conditioner.", "text"),
    ("text_encoders.", "text"),
    ("text_model.", "text"),
    ("encoder.block.", "text"),
    ("model.layers.", "language"),
    ("lora_", "lora"),
];

/// Bits of each type of element; longer names first where one begins another.
const DTYPES: [(&str, i64); 20] = [
    ("F64", 64),
    ("F32", 32),
    ("F16", 16),
    ("BF16", 16),
    ("F8_E4M3", 8),
    ("F8_E5M2", 8),
    ("F8_E8M0", 8),
    ("F6_E2M3", 6),
    ("F6_E3M2", 6),
    ("F4", 4),
    ("I64", 64),
    ("U64", 64),
    ("I32", 32),
    ("U32", 32),
    ("I16", 16),
    ("U16", 16),
    ("I8", 8),
    ("U8", 8),
    ("BOOL", 8),
    ("C64", 64),
];

/// A file's header.
#[derive(Clone, Debug, PartialEq)]
pub struct Safetensors {
    /// Elements of all tensors; of packed ones fewer than there are weights.
    pub elements: i64,
    /// What the tensors take.
    pub tensors: Tensors,
    /// Bytes by component, the largest first: `denoiser`, `vae`, `text`, `language`, `lora`, `other`.
    pub components: Vec<(&'static str, Bytes)>,
    /// Bytes by type of element, the largest first.
    pub types: Vec<(&'static str, Bytes)>,
    /// The format of the weights, where the types tell it.
    pub format: &'static Format,
    /// Whether weights are packed, several in one element.
    pub packed: bool,
    /// What of the shape the tensors show; layers none where it is no language model.
    pub shape: Shape,
    /// Bytes that are missing at the file's end.
    pub missing: Bytes,
}

/// The length of the header, from the first 8 bytes of a file of `size` bytes.
///
/// # Errors
/// `file-cut` (`at`), `file-safetensors-header` (`bytes`, `size`) where the length cannot be.
pub fn header_length(bytes: &[u8], size: u64) -> Result<u64, Message> {
    let Some(Ok(first)) = bytes.get(..8).map(<[u8; 8]>::try_from) else {
        return Err(Message::new("file-cut").with("at", Bytes(bytes.len() as i64)));
    };
    let length = u64::from_le_bytes(first);
    if !(2..=MOST_HEADER).contains(&length) || length.saturating_add(8) > size {
        let bytes = |count: u64| Bytes(i64::try_from(count).unwrap_or(i64::MAX));
        let message = Message::new("file-safetensors-header").with("bytes", bytes(length));
        return Err(message.with("size", bytes(size)));
    }
    Ok(length)
}

/// Adds to the entry of that name, or makes it.
pub(super) fn add(list: &mut Vec<(&'static str, Bytes)>, name: &'static str, bytes: Bytes) {
    match list.iter_mut().find(|(known, _)| *known == name) {
        Some((_, sum)) => *sum += bytes,
        None => list.push((name, bytes)),
    }
}

/// The number after the last `layers.`, `h.`, or `blocks.` of a tensor's name: its layer.
fn layer_of(name: &str) -> Option<usize> {
    let rest = ["layers.", ".h.", "blocks."]
        .iter()
        .find_map(|mark| name.split_once(mark))?
        .1;
    rest.split('.')
        .next()?
        .parse()
        .ok()
        .filter(|layer| *layer < super::config::MOST_LAYERS as usize)
}

/// Reads the header of a file of `size` bytes.
///
/// # Errors
/// Those of [`parse`]; `file-safetensors-tensor` (`name`) where a tensor's type, shape or place cannot be.
pub fn read(header: &[u8], size: u64) -> Result<Safetensors, Message> {
    let json = parse(header)?;
    let root = json.root();
    let mut seen = Seen::default();
    let mut data_end = 0;
    for (name, tensor) in root.entries().filter(|(name, _)| !name.is("__metadata__")) {
        let name = name.text().unwrap_or_default();
        let wrong = || Message::new("file-safetensors-tensor").with("name", name.chars().take(60).collect::<String>());
        let dtype = tensor.get("dtype").and_then(Value::text).unwrap_or_default();
        let (kind, bits) = *DTYPES
            .iter()
            .find(|(kind, _)| dtype.starts_with(kind))
            .ok_or_else(wrong)?;
        let widths = tensor.get("shape").filter(|shape| shape.is_list()).ok_or_else(wrong)?;
        let mut shape = Vec::new();
        let mut elements = 1i64;
        for width in widths.items().take(9) {
            let width = width.whole().filter(|width| *width >= 0).ok_or_else(wrong)?;
            elements = elements
                .checked_mul(width)
                .filter(|elements| *elements < 1 << 50)
                .ok_or_else(wrong)?;
            shape.push(width);
        }
        let mut offsets = tensor
            .get("data_offsets")
            .ok_or_else(wrong)?
            .items()
            .filter_map(Value::whole);
        let (Some(from), Some(to)) = (offsets.next(), offsets.next()) else {
            return Err(wrong());
        };
        // Sub-byte types are packed.
        if from < 0 || to < from || to - from != (elements * bits + 7) / 8 {
            return Err(wrong());
        }
        data_end = data_end.max(to);
        seen.tensor(&name, kind, &shape, elements, Bytes(to - from));
    }
    let begin = header.len() as u64 + 8;
    let missing = begin.saturating_add(data_end as u64).saturating_sub(size);
    Ok(seen.finish(Bytes(i64::try_from(missing).unwrap_or(i64::MAX))))
}

/// What the tensors come to, one after the other.
#[derive(Default)]
struct Seen {
    elements: i64,
    tensors: Tensors,
    components: Vec<(&'static str, Bytes)>,
    types: Vec<(&'static str, Bytes)>,
    shape: Shape,
    /// Elements of a head, as norms of queries and keys show it.
    head: i64,
    query: i64,
    key: i64,
    latent: bool,
    packed: Option<&'static str>,
}

impl Seen {
    fn tensor(&mut self, name: &str, kind: &'static str, shape: &[i64], elements: i64, bytes: Bytes) {
        self.elements = self.elements.saturating_add(elements);
        add(&mut self.types, kind, bytes);
        let component = COMPONENTS
            .iter()
            .find(|(start, _)| name.starts_with(start))
            .map_or("other", |found| found.1);
        // A LoRA's matrices carry the names of what they change.
        let component = if name.contains("lora_") || name.contains(".lora.") {
            "lora"
        } else {
            component
        };
        add(&mut self.components, component, bytes);
        let rows = shape.first().copied().unwrap_or(0);
        let columns = shape.get(1).copied().unwrap_or(0);
        let ends = |end: &str| name.ends_with(end);
        match layer_of(name) {
            Some(layer) => {
                if self.tensors.layers.len() <= layer {
                    self.tensors.layers.resize(layer + 1, Bytes::ZERO);
                }
                self.tensors.layers[layer] += bytes;
            }
            None if ends("embed_tokens.weight") || ends("wte.weight") || ends("word_embeddings.weight") => {
                self.tensors.embed += bytes;
                (self.shape.vocab, self.shape.hidden) = (rows, columns);
            }
            None if name.contains("lm_head") => self.tensors.head += bytes,
            None => self.tensors.others += bytes,
        }
        // Packed formats keep the outputs in columns.
        let outputs = |packed: bool| if packed { columns } else { rows };
        let packed = ends(".qweight");
        if packed {
            let awq = columns < rows;
            self.packed = Some(if awq { "awq" } else { "gptq" });
        }
        let scale = if packed && columns < rows { 8 } else { 1 };
        if ends("q_proj.weight") || ends("q_proj.qweight") {
            self.query = outputs(packed) * scale;
        } else if ends("k_proj.weight") || ends("k_proj.qweight") {
            self.key = outputs(packed) * scale;
        } else if ends("q_norm.weight") {
            self.head = rows;
        } else if ends("kv_a_proj_with_mqa.weight") {
            self.latent = true;
            self.shape.latent.kv_rank = rows;
        } else if ends("gate_proj.weight") && !name.contains("expert") {
            self.shape.ffn = rows;
        } else if ends("weight_scale_inv") {
            self.packed = Some("fp8-block");
        } else if ends("quant_state.bitsandbytes__nf4") {
            self.packed = Some("nf4");
        } else if ends("weight_packed") {
            self.packed = Some("w4a16");
        } else if ends("_blocks") && kind == "U8" {
            self.packed = Some("mxfp4");
        } else if ends("weight_scale_2") {
            self.packed = Some("nvfp4");
        }
    }

    fn finish(mut self, missing: Bytes) -> Safetensors {
        let largest = |list: Vec<(&'static str, Bytes)>| crate::order::by_key(list, |(_, bytes)| -bytes.0);
        let types = largest(self.types);
        let most = types.first().map_or("", |(kind, _)| *kind);
        let plain = match most {
            "F32" => "f32",
            "F16" => "f16",
            "F8_E4M3" | "F8_E5M2" => "fp8",
            _ => "bf16",
        };
        let id = self.packed.unwrap_or(plain);
        let heads = Heads {
            kv: 1,
            key: self.key,
            value: self.key,
        };
        let head = match (self.head, self.query) {
            (head, _) if head > 0 && head <= 512 => head,
            (_, query) if query % 128 == 0 => 128,
            _ => 64,
        };
        let shape = &mut self.shape;
        shape.heads = self.query / head.max(1);
        shape.named = Heads {
            kv: (self.key / head.max(1)).max(1),
            key: head.min(self.key),
            value: head,
        };
        shape.full = if self.key % head.max(1) == 0 {
            shape.named
        } else {
            heads
        };
        shape.tied = self.tensors.head == Bytes::ZERO;
        shape.matrices = 3;
        shape.norms = 2;
        let known = shape.hidden > 0 && (self.key > 0 || self.latent);
        let layer = Layer {
            feed: Feed::Dense,
            ..Layer::default()
        };
        shape.layers = if known {
            vec![layer; self.tensors.layers.len()]
        } else {
            Vec::new()
        };
        Safetensors {
            elements: self.elements,
            tensors: self.tensors,
            components: largest(self.components),
            types,
            packed: self.packed.is_some(),
            format: format(id).unwrap_or(crate::scenario::Scenario::default().format),
            shape: self.shape,
            missing,
        }
    }
}

/// `model.safetensors.index.json`: the bytes of all files, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// `total_size`.
    pub bytes: Bytes,
    /// Parameters, where it says them.
    pub params: i64,
    /// Different files.
    pub files: i64,
}

/// Whether a JSON text is one.
pub fn is_index(root: Value) -> bool {
    root.get("weight_map").is_some_and(Value::is_object)
}

/// Reads a parsed index.
///
/// # Errors
/// `file-index-size` where it does not say how large all of it is.
pub fn read_index(root: Value) -> Result<Index, Message> {
    let metadata = root.get("metadata");
    let number = |name: &str| {
        let number = metadata.and_then(|metadata| metadata.get(name)).and_then(Value::whole);
        number.filter(|number| (1..1 << 50).contains(number)).unwrap_or(0)
    };
    let bytes = number("total_size");
    if bytes == 0 {
        return Err(Message::new("file-index-size"));
    }
    let files = root.get("weight_map").map(Value::entries).into_iter().flatten();
    let names = files.filter_map(|(_, file)| file.text().map(|name| hash(&name)));
    let mut names = crate::order::by_key(names.collect(), |name| *name);
    names.dedup();
    Ok(Index {
        bytes: Bytes(bytes),
        params: number("total_parameters"),
        files: names.len() as i64,
    })
}
