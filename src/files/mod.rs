//! The reader's own files: what a model takes, read from its config.json, GGUF or safetensors file, or a ComfyUI workflow.
//!
//! [`sniff`] tells the kind by the first bytes, [`Reading`] reads one file in slices, [`together`] makes one model of all
//! files that were chosen together. Nothing here opens a file: whoever has it hands over the bytes that are asked for.

pub mod comfyui;
pub mod config;
pub mod gguf;
pub mod safetensors;
pub mod shape;

use std::sync::Arc;

use crate::catalog::{Engine, Family, image_models};
use crate::json::parse;
use crate::message::Message;
use crate::scenario::{KEYS, Own, Scenario, Task, Tensors, Typed};
use crate::units::Bytes;
use comfyui::Workflow;
use config::Config;
use gguf::Gguf;
use safetensors::{Index, Safetensors};

/// The bytes that [`sniff`] wants to see of a file.
pub const FIRST: usize = 512;

/// The largest JSON file that is read whole.
const MOST_JSON: u64 = 64 << 20;

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// GGUF.
    Gguf,
    /// The formats before GGUF, which nothing reads any more.
    OldGgml,
    /// Safetensors.
    Safetensors,
    /// JSON, of a model or of something else.
    Json,
    /// PyTorch's own files, which are programs: they are not read.
    Pickle,
}

/// The kind of a file, by its first [`FIRST`] bytes; `None` for what holds no model.
pub fn sniff(first: &[u8]) -> Option<Kind> {
    let begins = |mark: &[u8]| first.starts_with(mark);
    match () {
        () if begins(b"GGUF") => Some(Kind::Gguf),
        () if [b"lmgg", b"tjgg", b"fmgg", b"algg"]
            .iter()
            .any(|mark| begins(&mark[..])) =>
        {
            Some(Kind::OldGgml)
        }
        () if begins(b"PK\x03\x04") || begins(b"\x80\x02") || begins(b"\x80\x04") => Some(Kind::Pickle),
        () if first.get(8) == Some(&b'{') && first.get(5..8) == Some(&[0, 0, 0]) => Some(Kind::Safetensors),
        () => {
            let text = first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first);
            let letter = text.iter().find(|byte| !byte.is_ascii_whitespace());
            (letter == Some(&b'{')).then_some(Kind::Json)
        }
    }
}

/// A reader, if a file that begins so may be a model's; `None` for all else, ZIP archives and pickles among it.
#[inline(never)]
pub fn of_model(first: &[u8], size: u64) -> Option<Result<Reading, Message>> {
    let kind = sniff(first).filter(|kind| *kind != Kind::Pickle)?;
    // A JSON text that large is a log.
    (kind != Kind::Json || size <= MOST_JSON).then(|| Reading::new(first, size))
}

/// Whether what is wrong with a file that begins so is to be told: it has the names that only a model's JSON has, or is
/// none. Else it is a log in JSON.
pub fn is_meant(first: &[u8]) -> bool {
    let text = String::from_utf8_lossy(first);
    let names = [
        "\"model_type\"",
        "\"hidden_size\"",
        "\"weight_map\"",
        "\"class_type\"",
        "\"widgets_values\"",
    ];
    sniff(first) != Some(Kind::Json) || names.iter().any(|name| text.contains(name))
}

/// Whether a file that begins so is a model's, as far as that can be told without reading it.
pub fn may_hold(first: &[u8], size: u64) -> bool {
    match sniff(first) {
        None | Some(Kind::Pickle) => false,
        Some(Kind::Json) => size <= MOST_JSON && is_meant(first),
        Some(_) => true,
    }
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A GGUF file.
    Gguf(Box<Gguf>),
    /// A safetensors file.
    Safetensors(Box<Safetensors>),
    /// The index of several of them.
    Index(Index),
    /// `config.json`.
    Config(Box<Config>),
    /// A ComfyUI workflow.
    Workflow(Box<Workflow>),
}

enum State {
    Gguf(Box<gguf::Reader>),
    /// The length of the header, once it is known.
    Safetensors(Option<u64>),
    Json,
    Done(Piece),
}

/// Reads one file in slices: [`Reading::need`], [`Reading::take`], until nothing more is needed.
pub struct Reading {
    size: u64,
    state: State,
}

impl Reading {
    /// A reader for a file of `size` bytes that begins so.
    ///
    /// # Errors
    /// `file-old-ggml`, `file-pickle`, `file-unknown` for what can't be read; `json-large` (`most`).
    #[inline(never)]
    pub fn new(first: &[u8], size: u64) -> Result<Reading, Message> {
        let state = match sniff(first) {
            Some(Kind::Gguf) => State::Gguf(Box::new(gguf::Reader::new(size))),
            Some(Kind::Safetensors) => State::Safetensors(None),
            Some(Kind::Json) if size <= MOST_JSON => State::Json,
            Some(Kind::Json) => return Err(Message::new("json-large").with("most", Bytes(MOST_JSON as i64))),
            Some(Kind::OldGgml) => return Err(Message::new("file-old-ggml")),
            Some(Kind::Pickle) => return Err(Message::new("file-pickle")),
            None => return Err(Message::new("file-unknown")),
        };
        Ok(Reading { size, state })
    }

    /// Where the bytes begin and end that come next; `None` when nothing more is needed.
    pub fn need(&self) -> Option<(u64, u64)> {
        match &self.state {
            State::Gguf(reader) => reader.need(),
            State::Safetensors(None) => Some((0, 8.min(self.size))),
            State::Safetensors(Some(length)) => Some((8, length.saturating_add(8))),
            State::Json => Some((0, self.size)),
            State::Done(_) => None,
        }
    }

    /// Takes the bytes asked for.
    ///
    /// # Errors
    /// Those of the file's reader; `file-json-other` for JSON that describes no model.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), Message> {
        match &mut self.state {
            State::Gguf(reader) => reader.take(bytes)?,
            State::Safetensors(None) => {
                self.state = State::Safetensors(Some(safetensors::header_length(bytes, self.size)?));
            }
            State::Safetensors(Some(_)) => {
                let read = safetensors::read(bytes, self.size)?;
                self.state = State::Done(Piece::Safetensors(Box::new(read)));
            }
            State::Json => self.state = State::Done(of_json(bytes)?),
            State::Done(_) => {}
        }
        Ok(())
    }

    /// What the file holds.
    ///
    /// # Errors
    /// Those of the file's reader, and `file-cut` (`at`) if not all was taken that was asked for.
    pub fn finish(self) -> Result<Piece, Message> {
        match self.state {
            State::Gguf(reader) => Ok(Piece::Gguf(Box::new(reader.finish()?))),
            State::Done(piece) => Ok(piece),
            _ => Err(Message::new("file-cut").with("at", Bytes::ZERO)),
        }
    }
}

fn of_json(bytes: &[u8]) -> Result<Piece, Message> {
    let json = parse(bytes)?;
    let root = json.root();
    if safetensors::is_index(root) {
        return Ok(Piece::Index(safetensors::read_index(root)?));
    }
    if config::is_config(root) {
        return Ok(Piece::Config(Box::new(config::read_json(&json)?)));
    }
    if comfyui::is_workflow(root) {
        return Ok(Piece::Workflow(Box::new(comfyui::read(root)?)));
    }
    Err(Message::new("file-json-other"))
}

/// What files tell of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A language model.
    Model(Arc<Own>),
    /// A workflow that makes images or videos.
    Workflow(Workflow),
}

/// What was found in files, and what there is to say of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The model or the workflow.
    pub what: What,
    /// What was read, then what is missing or not counted.
    pub said: Vec<Message>,
}

/// The model that files chosen together make, each with its name: parts of one GGUF model, or a config.json with
/// safetensors files or their index.
///
/// # Errors
/// `file-none` without a file; `file-mixed` where several models were chosen; `file-weights` (`parts`, `bytes`) for weights that are
/// no language model's and tell no shape; `file-index-alone` (`bytes`) for an index without its config.json.
pub fn together(pieces: Vec<(String, Piece)>) -> Result<Found, Message> {
    let mut ggufs: Vec<(String, Gguf)> = Vec::new();
    let mut weights: Vec<(String, Safetensors)> = Vec::new();
    let (mut config, mut index) = (None, None);
    let alone = pieces.len() == 1;
    for (name, piece) in pieces {
        match piece {
            Piece::Gguf(one) => ggufs.push((name, *one)),
            Piece::Safetensors(one) => weights.push((name, *one)),
            Piece::Config(one) if config.is_none() => config = Some((name, *one)),
            Piece::Index(one) if index.is_none() => index = Some(one),
            Piece::Workflow(workflow) if alone => return Ok(of_workflow(*workflow)),
            _ => return Err(Message::new("file-mixed")),
        }
    }
    match (ggufs.is_empty(), config) {
        (false, None) if weights.is_empty() && index.is_none() => of_ggufs(ggufs),
        (false, _) => Err(Message::new("file-mixed")),
        (true, Some((name, config))) => Ok(of_config(name, config, weights, index)),
        (true, None) if !weights.is_empty() => of_weights(weights),
        (true, None) => Err(match index {
            Some(index) => Message::new("file-index-alone").with("bytes", index.bytes),
            None => Message::new("file-none"),
        }),
    }
}

/// What was read: the model's `name`, its `params` and `layers`, the `format` and the `bytes` of its weights.
fn read(id: &'static str, own: &Own) -> Message {
    let bytes = own.tensors.as_ref().map_or(Bytes::ZERO, Tensors::all);
    Message::new(id)
        .with("name", own.name.as_str())
        .with("params", own.model.params)
        .with("layers", own.model.layers)
        .with("format", own.format.name)
        .with("bytes", bytes)
}

fn broken(missing: Bytes, said: &mut Vec<Message>) {
    if missing > Bytes::ZERO {
        said.push(Message::new("file-broken").with("missing", missing));
    }
}

fn parts_missing(have: i64, of: i64) -> Message {
    Message::new("file-parts-missing").with("have", have).with("of", of)
}

fn of_ggufs(mut ggufs: Vec<(String, Gguf)>) -> Result<Found, Message> {
    ggufs = crate::order::by_key(ggufs, |(_, one)| one.split.0);
    let missing = ggufs.iter().map(|(_, one)| one.missing).sum();
    let have = ggufs.len() as i64;
    let mut all = ggufs.into_iter();
    let Some((file, mut first)) = all.next() else {
        return Err(Message::new("file-none"));
    };
    let of = first.split.1;
    for (place, (_, next)) in all.enumerate() {
        // Parts follow each other; two models do not.
        if next.split != (place as i64 + 2, of) {
            return Err(Message::new("file-mixed"));
        }
        first.params = first.params.saturating_add(next.params);
        first.experts = first.experts.saturating_add(next.experts);
        add(&mut first.tensors, &next.tensors);
    }
    let mut model = first.shape.model();
    let whole = have == of && first.params > 0;
    if whole {
        // The table of tensors is exact; the layers for predicting ahead are not loaded.
        let predicted = (first.tensors.layers.len() as i64 - model.layers).clamp(0, first.extra_layers);
        let (kept, all) = (first.tensors.layers.len() - predicted as usize, first.tensors.all());
        first.tensors.layers.truncate(kept);
        model.params = first.params;
        if predicted > 0 {
            model.params = Bytes(first.params).share(first.tensors.all().0, all.0).0;
        }
        let idle = Bytes(first.experts)
            .share(model.experts - model.experts_per_token, model.experts)
            .0;
        model.active = (model.params - idle).max(0);
        model.tied = first.tensors.head == Bytes::ZERO;
    }
    let own = Own {
        name: if first.name.is_empty() { file } else { first.name },
        model,
        format: first.format,
        tensors: whole.then_some(first.tensors),
    };
    let mut said = vec![read("file-gguf-read", &own)];
    if !whole {
        said.push(parts_missing(have, of));
    }
    broken(missing, &mut said);
    let what = What::Model(Arc::new(own));
    Ok(Found { what, said })
}

/// Adds another part's tensors.
fn add(sum: &mut Tensors, other: &Tensors) {
    sum.embed += other.embed;
    sum.head += other.head;
    sum.others += other.others;
    let more = other.layers.len().max(sum.layers.len());
    sum.layers.resize(more, Bytes::ZERO);
    for (sum, layer) in sum.layers.iter_mut().zip(&other.layers) {
        *sum += *layer;
    }
}

/// The number of files of a model, by the name of one: `model-00001-of-00004.safetensors`.
fn files_by_name(name: &str) -> i64 {
    let digits = name
        .rsplit_once("-of-")
        .map_or("", |(_, rest)| rest.split('.').next().unwrap_or(""));
    digits
        .parse()
        .ok()
        .filter(|count| (1..=10_000).contains(count))
        .unwrap_or(1)
}

/// All files' tensors, how many files there are, and how many there should be.
fn sum(weights: Vec<(String, Safetensors)>) -> Option<(Safetensors, i64, i64)> {
    let have = weights.len() as i64;
    let mut all = weights.into_iter();
    let (name, mut first) = all.next()?;
    for (_, next) in all {
        add(&mut first.tensors, &next.tensors);
        first.elements = first.elements.saturating_add(next.elements);
        first.missing += next.missing;
        for (component, bytes) in next.components {
            safetensors::add(&mut first.components, component, bytes);
        }
        first.shape.take_in(next.shape);
    }
    Some((first, have, files_by_name(&name)))
}

fn of_config(name: String, config: Config, weights: Vec<(String, Safetensors)>, index: Option<Index>) -> Found {
    let mut own = Own {
        name: if config.name.is_empty() { name } else { config.name },
        model: config.shape.model(),
        format: config.format,
        tensors: None,
    };
    let mut said = Vec::new();
    if let Some((sum, have, of)) = sum(weights) {
        let of = index.as_ref().map_or(of, |index| index.files);
        if have >= of {
            own.tensors = Some(sum.tensors);
        } else {
            said.push(parts_missing(have, of));
        }
        broken(sum.missing, &mut said);
    }
    if let (None, Some(index)) = (&own.tensors, &index) {
        own.tensors = Some(Tensors {
            others: index.bytes,
            ..Tensors::default()
        });
    }
    if config.sees && own.tensors.is_none() {
        said.push(Message::new("file-config-sees"));
    }
    let id = if own.tensors.is_some() {
        "file-config-weights"
    } else {
        "file-config-read"
    };
    said.insert(0, read(id, &own));
    let what = What::Model(Arc::new(own));
    Found { what, said }
}

fn of_weights(weights: Vec<(String, Safetensors)>) -> Result<Found, Message> {
    let name = weights.first().map(|(name, _)| name.clone()).unwrap_or_default();
    let Some((sum, have, of)) = sum(weights) else {
        return Err(Message::new("file-none"));
    };
    if sum.shape.layers.is_empty() {
        let parts: Vec<&str> = sum.components.iter().map(|(component, _)| *component).collect();
        let message = Message::new("file-weights").with("part", parts.first().copied().unwrap_or("other"));
        return Err(message.with("bytes", sum.tensors.all()).with("file", name));
    }
    let mut model = sum.shape.model();
    // Packed weights have fewer elements than the shape has parameters.
    if sum.packed {
        model.params = model.params.max(sum.elements);
    } else {
        model.params = sum.elements;
    }
    model.active = model.params;
    let mut own = Own {
        name,
        model,
        format: sum.format,
        tensors: Some(sum.tensors),
    };
    let mut said = vec![
        read("file-safetensors-read", &own),
        Message::new("file-safetensors-config"),
    ];
    if have < of {
        own.tensors = None;
        said.push(parts_missing(have, of));
    }
    broken(sum.missing, &mut said);
    let what = What::Model(Arc::new(own));
    Ok(Found { what, said })
}

/// The id of the catalog's model that a workflow's first denoiser is of.
fn model_of(workflow: &Workflow) -> Option<&'static str> {
    let file = &workflow.denoisers.first()?.file;
    comfyui::model_of(file, image_models().iter().map(|model| model.id))
}

fn of_workflow(workflow: Workflow) -> Found {
    let first = workflow.denoisers.first().cloned().unwrap_or_default();
    let known = model_of(&workflow).is_some();
    let read = Message::new("file-workflow-read")
        .with("nodes", workflow.nodes)
        .with("file", first.file.as_str());
    let mut said = vec![read.with("format", first.format)];
    if !known {
        said.push(Message::new("file-workflow-model").with("file", first.file));
    }
    if workflow.width == 0 {
        said.push(Message::new("file-workflow-size"));
    }
    let what = What::Workflow(workflow);
    Found { what, said }
}

/// Sets in the scenario what files tell; its cards and what is held of them stay.
pub fn choose(scenario: &mut Scenario, what: What) {
    (scenario.model, scenario.image_model, scenario.own) = (None, None, None);
    scenario.typed = Typed::default();
    match what {
        What::Model(own) => choose_model(scenario, own),
        What::Workflow(workflow) => choose_workflow(scenario, &workflow),
    }
}

/// A workflow: its model at the size that it was made for, unless the workflow has another.
fn choose_workflow(scenario: &mut Scenario, workflow: &Workflow) {
    let model = model_of(workflow).and_then(crate::catalog::image_model);
    let video = model.map_or(workflow.frames > 1, |model| model.video);
    let usual = Scenario::default();
    // What an earlier workflow set, and this one does not.
    (scenario.frames, scenario.batch, scenario.tile, scenario.swapped) = (1, 1, 0, 0);
    (scenario.prompts, scenario.text_place) = (usual.prompts, usual.text_place);
    scenario.task = if video { Task::Video } else { Task::Image };
    scenario.image_model = model;
    if let Some(model) = model {
        (scenario.width, scenario.height, scenario.frames) = (model.width, model.height, model.frames);
    }
    for pair in workflow.keys().split('&') {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        if let Some(known) = KEYS.iter().find(|known| known.key == key) {
            (known.set)(scenario, value);
        }
    }
}

/// A language model: with the format of its weights and an engine that reads it.
fn choose_model(scenario: &mut Scenario, own: Arc<Own>) {
    if matches!(scenario.task, Task::Image | Task::Video) {
        scenario.task = Task::Llm;
    }
    scenario.format = own.format;
    if own.format.family == Family::Gguf && scenario.engine == Engine::Any {
        scenario.engine = Engine::LlamaCpp;
    } else if !scenario.engine.reads(own.format.family) {
        scenario.engine = Engine::Any;
    }
    if own.model.context > 0 {
        scenario.context = scenario.context.min(own.model.context);
    }
    scenario.own = Some(own);
}
