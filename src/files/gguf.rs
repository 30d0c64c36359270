//! GGUF: the header and the table of tensors, read in slices, whatever the size of the file.
//!
//! [`Reader::need`] says which bytes it wants next, [`Reader::take`] takes them. Lists of words are walked, not kept, and
//! what no estimate needs is leapt over, so the memory stays small and the work is bounded by the header's size.
//! Source: ggml's gguf.md (versions 1 to 3), ggml.h and ggml-common.h for the types (read November 2026).

use super::shape::{Feed, Heads, Latent, Layer, Mixer, Recurrent, Shape, States};
use crate::catalog::{Format, format, formats};
use crate::message::Message;
use crate::scenario::Tensors;
use crate::units::Bytes;

/// Weights and bytes of a block of each of ggml's types, by its number; 0 for numbers that are free or given up.
const TYPES: &str = "1/4 1/2 32/18 32/20 0 0 32/22 32/24 32/34 32/36 256/84 256/110 256/144 256/176 256/210 256/292 256/66 \
    256/74 256/98 256/50 32/18 256/110 256/82 256/136 1/1 1/2 1/4 1/8 1/8 256/56 1/2 32/18 32/18 32/18 256/54 256/66 32/18 \
    32/18 32/18 32/17 64/36 128/18 64/18";

/// How many types there are.
const TYPE_COUNT: usize = 43;

/// The catalog's ids of `general.file_type`, by its number.
const FILE_TYPES: &str = "f32 f16 q4_0 q4_1 - - - q8_0 q5_0 q5_1 q2_k q3_k_s q3_k_m q3_k_l q4_k_s q4_k_m q5_k_s q5_k_m q6_k \
    iq2_xxs iq2_xs q2_k_s iq3_xs iq3_xxs iq1_s iq4_nl iq3_s iq3_m iq2_s iq2_m iq4_xs iq1_m bf16 - - - - - mxfp4";

/// How every n-th layer sees all tokens where the file says no more than a window. Source: llama.cpp's
/// `set_swa_pattern` calls; Phi-3's window it leaves aside.
const PATTERNS: [(&str, i64); 10] = [
    ("gemma2", 2),
    ("gemma3", 6),
    ("gemma3n", 5),
    ("gemma4", 6),
    ("gpt-oss", 2),
    ("cohere2", 4),
    ("llama4", 4),
    ("exaone4", 4),
    ("olmo2", 4),
    ("smallthinker", 4),
];

/// The bytes asked for at once: every item that is read, and not leapt over, is far smaller.
const SLICE: u64 = 1 << 20;
/// The longest name.
const LONGEST_NAME: u64 = 65_535;
/// The longest text that is kept.
const LONGEST_TEXT: u64 = 256;
/// The longest list of numbers that is kept: one for each layer.
const LONGEST_LIST: u64 = 4096;
/// Words of a vocabulary, or of its merges.
const MOST_WORDS: u64 = 8_000_000;
/// The largest header.
const MOST_HEADER: u64 = 1 << 30;
const MOST_PAIRS: u64 = 65_536;
const MOST_TENSORS: u64 = 1_000_000;
/// Facts that are kept.
const MOST_FACTS: usize = 1024;

/// What the header tells: numbers by their name, lists with one for each layer.
type Fact = (String, Vec<i64>);

/// A file's header and tensors.
#[derive(Clone, Debug, PartialEq)]
pub struct Gguf {
    /// `general.architecture`.
    pub architecture: String,
    /// `general.name`.
    pub name: String,
    /// The shape; its parameters are those of the table of tensors, where that is whole.
    pub shape: Shape,
    /// Parameters in this file's tensors.
    pub params: i64,
    /// Of those, parameters of experts.
    pub experts: i64,
    /// What the tensors take.
    pub tensors: Tensors,
    /// Layers for predicting further tokens (MTP), which come after the others and are not loaded.
    pub extra_layers: i64,
    /// Bytes by type, the largest first: ggml's number and the bytes.
    pub types: Vec<(usize, Bytes)>,
    /// The format of most weights.
    pub format: &'static Format,
    /// This part and the number of parts, from 1.
    pub split: (i64, i64),
    /// Bytes that are missing at the file's end, where a download was broken off.
    pub missing: Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Start,
    Pairs,
    /// Words of a list that are still to be leapt over.
    Words(u64),
    Tensors,
    End,
}

/// Reads a file slice by slice.
#[derive(Debug)]
pub struct Reader {
    size: u64,
    at: u64,
    stage: Stage,
    big_endian: bool,
    version: u32,
    pairs: u64,
    tensors_left: u64,
    facts: Vec<Fact>,
    texts: Vec<(String, String)>,
    params: i64,
    experts: i64,
    tensors: Tensors,
    by_type: [i64; TYPE_COUNT],
    vocab: i64,
    has_layer_bias: bool,
    /// Where the last tensor's bytes end, from the beginning of all.
    data_end: u64,
}

/// Bytes from a place on, with what is read of them so far.
struct Slice<'a> {
    bytes: &'a [u8],
    at: usize,
    big_endian: bool,
}

impl Slice<'_> {
    fn number(&mut self, size: usize) -> Option<u64> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(size)?)?;
        self.at += size;
        let step = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        Some(if self.big_endian {
            bytes.iter().fold(0, step)
        } else {
            bytes.iter().rev().fold(0, step)
        })
    }

    fn text(&mut self, length: u64) -> Option<String> {
        let end = self.at.checked_add(usize::try_from(length).ok()?)?;
        let bytes = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// What became of one item.
enum Item {
    /// Read; so many bytes after it are to be leapt over.
    Read(u64),
    /// The slice ends within it.
    Cut,
}

impl Reader {
    /// A reader of a file of `size` bytes.
    pub fn new(size: u64) -> Reader {
        Reader {
            size,
            at: 0,
            stage: Stage::Start,
            big_endian: false,
            version: 0,
            pairs: 0,
            tensors_left: 0,
            facts: Vec::new(),
            texts: Vec::new(),
            params: 0,
            experts: 0,
            tensors: Tensors::default(),
            by_type: [0; TYPE_COUNT],
            vocab: 0,
            has_layer_bias: false,
            data_end: 0,
        }
    }

    /// Where the bytes begin and end that come next; `None` when nothing more is needed.
    pub fn need(&self) -> Option<(u64, u64)> {
        (self.stage != Stage::End).then(|| (self.at, self.size.min(self.at.saturating_add(SLICE))))
    }

    /// Takes the bytes asked for.
    ///
    /// # Errors
    /// `file-gguf-version` (`version`), `file-gguf-absurd` (`what`, `count`),
    /// `file-gguf-type` (`type`, `name`), `file-cut` (`at`), where the file ends within its header.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), Message> {
        let mut slice = Slice {
            bytes,
            at: 0,
            big_endian: self.big_endian,
        };
        let begun = self.at;
        while self.stage != Stage::End {
            let start = slice.at;
            match self.item(&mut slice)? {
                Item::Read(leap) => {
                    let end = (begun.saturating_add(slice.at as u64)).saturating_add(leap);
                    if end > self.size {
                        return Err(self.cut());
                    }
                    self.at = end;
                    if end > MOST_HEADER {
                        return Err(absurd("header", end));
                    }
                    // What is leapt over may end beyond the slice.
                    match usize::try_from(leap).ok().and_then(|leap| slice.at.checked_add(leap)) {
                        Some(at) if at <= bytes.len() => slice.at = at,
                        _ => return Ok(()),
                    }
                }
                Item::Cut => {
                    // Nothing came of a whole slice: there is nothing more to come.
                    if start == 0 {
                        return Err(self.cut());
                    }
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn cut(&self) -> Message {
        Message::new("file-cut").with("at", Bytes(i64::try_from(self.at).unwrap_or(i64::MAX)))
    }

    fn item(&mut self, slice: &mut Slice) -> Result<Item, Message> {
        let read = match self.stage {
            Stage::Start => self.start(slice)?,
            Stage::Pairs if self.pairs == 0 => {
                self.stage = Stage::Tensors;
                Some(0)
            }
            Stage::Pairs => self.pair(slice)?,
            Stage::Words(0) => {
                self.stage = Stage::Pairs;
                Some(0)
            }
            Stage::Words(left) => {
                self.stage = Stage::Words(left - 1);
                let read = self.length(slice);
                if read.is_none() {
                    self.stage = Stage::Words(left);
                }
                read
            }
            Stage::Tensors if self.tensors_left == 0 => {
                self.stage = Stage::End;
                Some(0)
            }
            Stage::Tensors => self.tensor(slice)?,
            Stage::End => None,
        };
        Ok(read.map_or(Item::Cut, Item::Read))
    }

    /// A count or a length: 32 bits in version 1, 64 since.
    fn length(&self, slice: &mut Slice) -> Option<u64> {
        slice.number(if self.version == 1 { 4 } else { 8 })
    }

    fn start(&mut self, slice: &mut Slice) -> Result<Option<u64>, Message> {
        let Some(version) = slice.number(4).and_then(|_| slice.number(4)) else {
            return Ok(None);
        };
        let mut version = version as u32;
        if version & 0xFFFF == 0 {
            self.big_endian = true;
            slice.big_endian = true;
            version = version.swap_bytes();
        }
        if !(1..=3).contains(&version) {
            return Err(Message::new("file-gguf-version").with("version", i64::from(version)));
        }
        self.version = version;
        let (Some(tensors), Some(pairs)) = (self.length(slice), self.length(slice)) else {
            return Ok(None);
        };
        // Each takes some bytes at least.
        if tensors > MOST_TENSORS.min(self.size / 24) {
            return Err(absurd("tensors", tensors));
        }
        if pairs > MOST_PAIRS.min(self.size / 9) {
            return Err(absurd("pairs", pairs));
        }
        (self.tensors_left, self.pairs) = (tensors, pairs);
        self.stage = Stage::Pairs;
        Ok(Some(0))
    }

    /// A name with its value.
    fn pair(&mut self, slice: &mut Slice) -> Result<Option<u64>, Message> {
        let start = slice.at;
        let read = self.pair_from(slice)?;
        if read.is_none() {
            slice.at = start;
        } else {
            self.pairs -= 1;
        }
        Ok(read)
    }

    /// The name of a pair or of a tensor; nothing where the slice ends in it.
    fn name(&self, slice: &mut Slice) -> Result<Option<String>, Message> {
        match self.length(slice) {
            Some(length) if length > LONGEST_NAME => Err(absurd("name", length)),
            Some(length) => Ok(slice.text(length)),
            None => Ok(None),
        }
    }

    fn pair_from(&mut self, slice: &mut Slice) -> Result<Option<u64>, Message> {
        let Some(name) = self.name(slice)? else { return Ok(None) };
        let Some(kind) = slice.number(4) else { return Ok(None) };
        if let Some(size) = scalar(kind) {
            let Some(value) = slice.number(size) else {
                return Ok(None);
            };
            self.keep(name, vec![signed(kind, value)]);
            return Ok(Some(0));
        }
        match kind {
            8 => {
                let Some(length) = self.length(slice) else {
                    return Ok(None);
                };
                if length > LONGEST_TEXT {
                    return Ok(Some(length));
                }
                let Some(text) = slice.text(length) else {
                    return Ok(None);
                };
                if name.starts_with("general.") && self.texts.len() < 64 {
                    self.texts.push((name, text));
                }
                Ok(Some(0))
            }
            9 => {
                let (Some(kind), Some(count)) = (slice.number(4), self.length(slice)) else {
                    return Ok(None);
                };
                self.list(slice, name, kind, count)
            }
            _ => Err(Message::new("file-gguf-type")
                .with("type", kind as i64)
                .with("name", shown(&name))),
        }
    }

    fn list(&mut self, slice: &mut Slice, name: String, kind: u64, count: u64) -> Result<Option<u64>, Message> {
        let Some(size) = scalar(kind) else {
            if kind != 8 || count > MOST_WORDS.min(self.size / 4) {
                return Err(absurd("list", count));
            }
            if name.ends_with(".tokens") {
                self.vocab = i64::try_from(count).unwrap_or(0);
            }
            self.stage = Stage::Words(count);
            return Ok(Some(0));
        };
        if count > self.size / size as u64 {
            return Err(absurd("list", count));
        }
        if count > LONGEST_LIST || name.starts_with("tokenizer.") {
            return Ok(Some(count.saturating_mul(size as u64)));
        }
        let mut values = Vec::new();
        for _ in 0..count {
            let Some(value) = slice.number(size) else {
                return Ok(None);
            };
            values.push(signed(kind, value));
        }
        self.keep(name, values);
        Ok(Some(0))
    }

    fn keep(&mut self, name: String, values: Vec<i64>) {
        if self.facts.len() < MOST_FACTS && name.len() < 128 && !name.starts_with("tokenizer.") {
            self.facts.push((name, values));
        }
    }

    fn tensor(&mut self, slice: &mut Slice) -> Result<Option<u64>, Message> {
        let start = slice.at;
        let read = self.tensor_from(slice)?;
        if read.is_none() {
            slice.at = start;
        } else {
            self.tensors_left -= 1;
        }
        Ok(read)
    }

    fn tensor_from(&mut self, slice: &mut Slice) -> Result<Option<u64>, Message> {
        let Some(name) = self.name(slice)? else { return Ok(None) };
        let Some(dimensions) = slice.number(4) else {
            return Ok(None);
        };
        if dimensions > 8 {
            return Err(absurd("dimensions", dimensions));
        }
        let mut elements = 1u64;
        for _ in 0..dimensions {
            let Some(width) = self.length(slice) else {
                return Ok(None);
            };
            elements = match elements.checked_mul(width) {
                Some(elements) if elements < 1 << 50 => elements,
                _ => return Err(absurd("elements", width)),
            };
        }
        let (Some(kind), Some(offset)) = (slice.number(4), slice.number(8)) else {
            return Ok(None);
        };
        let place = usize::try_from(kind).unwrap_or(usize::MAX);
        let Some((block, bytes)) = block(place).filter(|_| place < TYPE_COUNT) else {
            return Err(Message::new("file-gguf-type")
                .with("type", kind as i64)
                .with("name", shown(&name)));
        };
        let bytes = elements.div_ceil(block) * bytes;
        self.data_end = self.data_end.max(offset.saturating_add(bytes));
        let (elements, bytes) = (elements as i64, bytes as i64);
        self.params = self.params.saturating_add(elements);
        if name.contains("_exps.") {
            self.experts = self.experts.saturating_add(elements);
        }
        self.by_type[place] = self.by_type[place].saturating_add(bytes);
        self.has_layer_bias |= name.ends_with("attn_q.bias");
        let bytes = Bytes(bytes);
        let layer = name
            .strip_prefix("blk.")
            .and_then(|rest| rest.split('.').next()?.parse::<usize>().ok())
            .filter(|layer| *layer < LONGEST_LIST as usize);
        match (layer, name.as_str()) {
            (Some(layer), _) => {
                if self.tensors.layers.len() <= layer {
                    self.tensors.layers.resize(layer + 1, Bytes::ZERO);
                }
                self.tensors.layers[layer] += bytes;
            }
            (None, "token_embd.weight") => self.tensors.embed += bytes,
            (None, "output.weight") => self.tensors.head += bytes,
            _ => self.tensors.others += bytes,
        }
        Ok(Some(0))
    }

    /// What was read, once nothing more is needed.
    ///
    /// # Errors
    /// `file-gguf-other` (`kind`) where it is no language model; `file-cut` (`at`) where not all was read.
    pub fn finish(self) -> Result<Gguf, Message> {
        if self.stage != Stage::End {
            return Err(self.cut());
        }
        let text = |name: &str| {
            self.texts
                .iter()
                .find(|(key, _)| key == name)
                .map_or("", |(_, text)| text.as_str())
        };
        let architecture = text("general.architecture").to_owned();
        let facts = Facts {
            prefix: &architecture,
            facts: &self.facts,
        };
        let shape = shape(&facts, self.vocab, &self.tensors, self.has_layer_bias);
        // Only the first part of several tells the architecture.
        let later = facts.count("split.no") > 0;
        let shape = shape
            .filter(|_| ["", "model"].contains(&text("general.type")))
            .or(later.then(Shape::default));
        let Some(shape) = shape else {
            let kind = if architecture.is_empty() {
                text("general.type")
            } else {
                &architecture
            };
            return Err(Message::new("file-gguf-other").with("kind", shown(kind)));
        };
        let mut types: Vec<(usize, Bytes)> = self
            .by_type
            .iter()
            .enumerate()
            .filter(|(_, bytes)| **bytes > 0)
            .map(|(kind, bytes)| (kind, Bytes(*bytes)))
            .collect();
        types = crate::order::by_key(types, |(_, bytes)| -bytes.0);
        let alignment = match facts.count("general.alignment") {
            0 => 32,
            said => said.min(1 << 20) as u64,
        };
        let data = self.at.div_ceil(alignment).saturating_mul(alignment);
        let missing = data.saturating_add(self.data_end).saturating_sub(self.size);
        let file_type = facts
            .get("general.file_type")
            .and_then(|values| values.first().copied());
        let file_type = file_type.and_then(|number| FILE_TYPES.split(' ').nth(usize::try_from(number).ok()?));
        let format = file_type
            .and_then(format)
            .unwrap_or_else(|| nearest(self.tensors.all(), self.params));
        let one = |name: &str| facts.count(name);
        Ok(Gguf {
            name: text("general.name").chars().take(80).collect(),
            extra_layers: facts.count("nextn_predict_layers").min(64),
            shape,
            params: self.params,
            experts: self.experts,
            tensors: self.tensors,
            types,
            format,
            split: (one("split.no").saturating_add(1), one("split.count").max(1)),
            missing: Bytes(i64::try_from(missing).unwrap_or(i64::MAX)),
            architecture,
        })
    }
}

/// Weights and bytes of a block of a type.
fn block(kind: usize) -> Option<(u64, u64)> {
    let (block, bytes) = TYPES.split(' ').nth(kind)?.split_once('/')?;
    Some((block.parse().ok()?, bytes.parse().ok()?))
}

fn absurd(what: &'static str, count: u64) -> Message {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    Message::new("file-gguf-absurd").with("what", what).with("count", count)
}

/// A foreign name, shortened.
fn shown(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(40).collect()
}

/// Bytes of a value of the header's types that have a fixed size.
fn scalar(kind: u64) -> Option<usize> {
    Some(match kind {
        0 | 1 | 7 => 1,
        2 | 3 => 2,
        4..=6 => 4,
        10..=12 => 8,
        _ => return None,
    })
}

/// The whole number; floats, which no shape needs, are zero.
fn signed(kind: u64, value: u64) -> i64 {
    match kind {
        1 => i64::from(value as i8),
        3 => i64::from(value as i16),
        5 => i64::from(value as i32),
        6 | 12 => 0,
        11 => value as i64,
        _ => i64::try_from(value).unwrap_or(i64::MAX),
    }
}

/// The mixture of llama.cpp's whose bits for each weight are nearest.
fn nearest(bytes: Bytes, params: i64) -> &'static Format {
    let bits = bytes.share(800, params.max(1)).0;
    let gguf = |format: &&Format| format.family == crate::catalog::Family::Gguf || ["f32", "bf16"].contains(&format.id);
    let nearest = formats()
        .iter()
        .filter(gguf)
        .min_by_key(|format| (format.bare - bits).abs());
    nearest.unwrap_or(&formats()[0])
}

struct Facts<'a> {
    prefix: &'a str,
    facts: &'a [Fact],
}

impl<'a> Facts<'a> {
    /// The values under a name, or under it after the architecture's.
    fn get(&self, name: &str) -> Option<&'a [i64]> {
        let named = |key: &str| {
            let rest = key.strip_prefix(self.prefix).and_then(|rest| rest.strip_prefix('.'));
            key == name || rest == Some(name)
        };
        let found = self.facts.iter().find(|(key, _)| named(key));
        found.map(|(_, values)| values.as_slice())
    }

    /// The largest of the values: of a list with one for each layer some are zero.
    fn count(&self, name: &str) -> i64 {
        let most = self.get(name).and_then(|values| values.iter().copied().max());
        most.filter(|count| (0..=super::config::MOST).contains(count))
            .unwrap_or(0)
    }
}

/// The shape; `None` where the header is not that of a language model.
fn shape(facts: &Facts, words: i64, tensors: &Tensors, biased: bool) -> Option<Shape> {
    let one = |name: &str| facts.count(name);
    let or = |value: i64, other: i64| if value > 0 { value } else { other };
    let count = one("block_count") - one("nextn_predict_layers");
    let (hidden, heads) = (one("embedding_length"), one("attention.head_count"));
    if hidden == 0 || !(1..=super::config::MOST_LAYERS).contains(&count) || (heads == 0 && one("ssm.inner_size") == 0) {
        return None;
    }
    let kv = or(
        one("attention.head_count_kv"),
        if facts.get("attention.head_count_kv").is_some() {
            0
        } else {
            heads
        },
    );
    let key = or(one("attention.key_length"), hidden / heads.max(1));
    let value = or(one("attention.value_length"), key);
    let window_key = or(one("attention.key_length_swa"), key);
    let windowed = Heads {
        kv,
        key: window_key,
        value: or(
            one("attention.value_length_swa"),
            if one("attention.key_length_swa") > 0 {
                window_key
            } else {
                value
            },
        ),
    };
    let latent = latent(facts);
    let window = or(one("attention.sliding_window"), one("attention.chunk_size"));
    let mut shape = Shape {
        hidden,
        ffn: one("feed_forward_length"),
        heads,
        named: Heads { kv, key, value },
        full: Heads { kv, key, value },
        windowed,
        window,
        latent,
        states: states(facts, hidden),
        vocab: or(one("vocab_size"), words),
        tied: tensors.head == Bytes::ZERO && tensors.embed > Bytes::ZERO,
        context: one("context_length"),
        experts: one("expert_count"),
        per_token: one("expert_used_count"),
        expert_ffn: or(one("expert_feed_forward_length"), one("feed_forward_length")),
        shared_experts: one("expert_shared_count"),
        shared_ffn: 0,
        matrices: 3,
        qkv_bias: biased,
        norms: 2,
        layer_embedding: one("embedding_length_per_layer_input"),
        ..Shape::default()
    };
    if shape.experts == 0 {
        (shape.per_token, shape.expert_ffn, shape.shared_experts) = (0, 0, 0);
    }
    shape.shared_ffn = or(
        one("expert_shared_feed_forward_length"),
        shape.shared_experts.saturating_mul(shape.expert_ffn),
    );
    if shape.shared_ffn > 0 {
        shape.shared_experts = shape.shared_experts.max(1);
    }
    if latent.kv_rank > 0 {
        shape.named = Heads {
            kv: heads,
            key: or(latent.value, key),
            value: key,
        };
    }
    shape.layers = layers(facts, &mut shape, count as usize);
    Some(shape)
}

fn latent(facts: &Facts) -> Latent {
    let one = |name: &str| facts.count(name);
    let (kv_rank, rope) = (one("attention.kv_lora_rank"), one("rope.dimension_count"));
    // Newer files name the lengths before compression; older ones only have those.
    let long = |mla: &str, plain: &str| if one(mla) > 0 { one(mla) } else { one(plain) };
    let key = long("attention.key_length_mla", "attention.key_length");
    Latent {
        kv_rank,
        query_rank: one("attention.q_lora_rank"),
        rope: if kv_rank > 0 { rope } else { 0 },
        nope: (key - rope).max(0),
        value: long("attention.value_length_mla", "attention.value_length"),
        index_heads: one("attention.indexer.head_count"),
        index_dim: one("attention.indexer.key_length"),
        index_cached: facts.prefix == "deepseek32",
    }
}

fn states(facts: &Facts, hidden: i64) -> States {
    let one = |name: &str| facts.count(name);
    if one("shortconv.l_cache") > 0 {
        return States {
            kind: Recurrent::Convolution,
            kernel: one("shortconv.l_cache"),
            ..States::default()
        };
    }
    if one("kda.head_dim") > 0 {
        let heads = one("attention.head_count");
        return States {
            kind: Recurrent::Kimi,
            inner: heads.saturating_mul(one("kda.head_dim")),
            state: one("kda.head_dim"),
            groups: 0,
            heads,
            kernel: one("ssm.conv_kernel"),
        };
    }
    let delta = facts.prefix.starts_with("qwen3");
    let groups = one("ssm.group_count");
    States {
        kind: match () {
            () if delta => Recurrent::DeltaNet,
            () if groups > 0 => Recurrent::Mamba2,
            () => Recurrent::Mamba1,
        },
        inner: one("ssm.inner_size").min(hidden.saturating_mul(64)),
        state: one("ssm.state_size"),
        groups,
        heads: one("ssm.time_step_rank"),
        kernel: one("ssm.conv_kernel"),
    }
}

fn layers(facts: &Facts, shape: &mut Shape, count: usize) -> Vec<Layer> {
    let one = |name: &str| facts.count(name);
    let list = |name: &str| facts.get(name).filter(|values| values.len() > 1);
    let mut layers = vec![Layer::default(); count];
    let per_layer = list("attention.head_count_kv");
    let recurrent = shape.states.inner > 0 || shape.states.kind == Recurrent::Convolution;
    let every = one("full_attention_interval");
    let pattern = PATTERNS
        .iter()
        .find(|(name, _)| *name == facts.prefix)
        .map_or(0, |(_, step)| *step);
    let said = one("attention.sliding_window_pattern");
    let step = if list("attention.sliding_window_pattern").is_none() && said > 1 {
        said
    } else {
        pattern
    };
    // Some files list the heads of layers that see all, and of those with a window.
    let windows = list("attention.sliding_window_pattern").filter(|_| shape.window > 0);
    for (at, layer) in layers.iter_mut().enumerate() {
        let kv = per_layer.and_then(|heads| heads.get(at)).copied();
        let nth = |step: i64| (at as i64 + 1) % step.max(1) == 0;
        layer.mixer = match () {
            () if kv == Some(0) && recurrent => Mixer::State,
            () if kv == Some(0) => Mixer::Nothing,
            () if per_layer.is_none() && recurrent && shape.heads == 0 => Mixer::State,
            () if per_layer.is_none() && recurrent && !nth(or_four(every)) => Mixer::State,
            () if windows
                .and_then(|windows| windows.get(at))
                .is_some_and(|window| *window != 0) =>
            {
                Mixer::Window
            }
            () if windows.is_none() && shape.window > 0 && step > 1 && !nth(step) => Mixer::Window,
            () => Mixer::Full,
        };
        if let Some(kv) = kv.filter(|kv| (1..=super::config::MOST).contains(kv)) {
            match layer.mixer {
                Mixer::Window => shape.windowed.kv = kv,
                Mixer::Full => shape.full.kv = kv,
                _ => {}
            }
        }
        let dense = one("leading_dense_block_count");
        let step = one("interleave_moe_layer_step").max(1);
        let experts = shape.experts > 0 && at as i64 >= dense && (at as i64 + 1) % step == 0;
        layer.feed = if experts { Feed::Experts } else { Feed::Dense };
    }
    // Nemotron-H: each layer is one thing alone; those without a feed-forward width mix.
    if let (Some(widths), Some(_)) = (list("feed_forward_length"), per_layer) {
        let alone = widths.contains(&0);
        for (layer, width) in layers.iter_mut().zip(widths).filter(|_| alone) {
            match *width {
                0 => layer.feed = Feed::Nothing,
                _ if layer.mixer == Mixer::State => layer.mixer = Mixer::Nothing,
                _ => {}
            }
        }
    }
    let shared = one("attention.shared_kv_layers").min(count as i64) as usize;
    for layer in layers.iter_mut().skip(count - shared) {
        layer.mixer = Mixer::Shared;
    }
    layers
}

/// The default of models with gated delta nets.
fn or_four(every: i64) -> i64 {
    if every > 0 { every } else { 4 }
}
