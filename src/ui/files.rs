//! Files that are dropped, chosen or pasted, and texts too long for the box: each is read in its turn, slice by slice, and
//! its kind is decided here, by its first bytes ([`Job::decide`]).

use super::promises::settled;
use crate::message::Message;
use crate::paste::{Encoding, FileKind, HEAD, Reading, Scan, WHOLE};
use crate::units::Bytes;
use js_sys::{Array, Date, Function, JsString, Reflect, Uint8Array};
use leptos::prelude::*;
use std::collections::VecDeque;
use std::sync::Arc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DataTransfer, File, FileList, MessageChannel, ReadableStreamDefaultReader, ReadableWritablePair};

/// How long the page's thread reads without a pause, in milliseconds.
const SLICE: f64 = 12.0;
/// How much is taken between two looks at the clock, in bytes or in units of a string.
const STEP: u32 = 64 * 1024;
/// The most that is read of one file.
const MOST: i64 = 2 << 30;

/// What is to be read.
pub enum Source {
    /// A file.
    File(File),
    /// A text that was pasted.
    Text(JsString),
}

/// How far the reading of an attachment is.
#[derive(Clone)]
pub enum Progress {
    /// Others come first.
    Waiting,
    /// It is being read.
    Underway,
    /// It is read as far as `read`, in bytes of its text.
    Read {
        /// What it says.
        reading: Arc<Reading>,
        /// How much was read.
        read: Bytes,
        /// Whether that is all of it.
        whole: bool,
        /// Why it is not.
        note: Option<Message>,
    },
    /// It can't be read, for this reason.
    Refused(Message),
}

/// A file or a long text, beside what is typed.
#[derive(Clone)]
pub struct Attachment {
    /// Its own number.
    pub number: usize,
    /// The file's name; nothing for a text that was pasted.
    pub name: String,
    /// Its size, packed if it is.
    pub size: Bytes,
    /// How far it is read.
    pub progress: Progress,
}

impl Attachment {
    /// What was read of it.
    pub fn reading(&self) -> Option<&Reading> {
        match &self.progress {
            Progress::Read { reading, .. } => Some(reading),
            _ => None,
        }
    }
}

/// The attachments' signals. Copied freely.
#[derive(Clone, Copy)]
pub struct Files {
    /// All, in the order in which they came.
    pub all: RwSignal<Vec<Attachment>>,
    /// How much is read of the one underway.
    pub read: RwSignal<Bytes>,
    /// Counts those that were read to an end.
    pub done: RwSignal<usize>,
    waiting: StoredValue<VecDeque<(usize, Source)>, LocalStorage>,
    came: StoredValue<usize>,
    stop: StoredValue<bool>,
}

impl Files {
    /// None yet.
    pub fn new() -> Files {
        Files {
            all: RwSignal::new(Vec::new()),
            read: RwSignal::new(Bytes::ZERO),
            done: RwSignal::new(0),
            waiting: StoredValue::new_local(VecDeque::new()),
            came: StoredValue::new(0),
            stop: StoredValue::new(false),
        }
    }

    /// Takes what was dropped or pasted, and says whether it did; a short text is the box's own to take.
    pub fn take_transfer(self, data: &DataTransfer) -> bool {
        let text = text_of(data);
        if text.length() as usize > WHOLE {
            self.take(Source::Text(text));
            return true;
        }
        let files = data.files().filter(|files| text.length() == 0 && files.length() > 0);
        files.map(|files| self.take_files(&files)).is_some()
    }

    /// Takes files.
    pub fn take_files(self, files: &FileList) {
        (0..files.length())
            .filter_map(|at| files.get(at))
            .for_each(|file| self.take(Source::File(file)));
    }

    /// Takes one more file or text.
    pub fn take(self, source: Source) {
        let number = self.came.get_value();
        self.came.set_value(number + 1);
        let (name, size) = match &source {
            Source::File(file) => (file.name(), file.size() as i64),
            Source::Text(text) => (String::new(), i64::from(text.length())),
        };
        let size = Bytes(size);
        let progress = Progress::Waiting;
        self.all.update(|all| {
            all.push(Attachment {
                number,
                name,
                size,
                progress,
            });
        });
        self.waiting.update_value(|waiting| waiting.push_back((number, source)));
        self.go_on();
    }

    /// Stops the one underway; what was read of it counts.
    pub fn stop(self) {
        self.stop.set_value(true);
    }

    /// Takes one away, whether it is read or not.
    pub fn remove(self, number: usize) {
        self.all.update(|all| all.retain(|one| one.number != number));
    }

    /// Takes all away.
    pub fn clear(self) {
        if self.all.with_untracked(|all| !all.is_empty()) {
            self.all.update(Vec::clear);
        }
    }

    fn is_underway(self, wanted: Option<usize>) -> bool {
        self.all.with_untracked(|all| {
            let underway = |one: &Attachment| matches!(one.progress, Progress::Underway);
            all.iter()
                .any(|one| underway(one) && wanted.is_none_or(|number| number == one.number))
        })
    }

    fn set(self, number: usize, progress: Progress) {
        self.all.update(|all| {
            if let Some(one) = all.iter_mut().find(|one| one.number == number) {
                one.progress = progress;
            }
        });
    }

    /// Begins with the next one, unless another is underway.
    fn go_on(self) {
        while !self.is_underway(None) {
            let next = self.waiting.try_update_value(VecDeque::pop_front).flatten();
            let Some((number, source)) = next else { return };
            self.stop.set_value(false);
            self.read.set(Bytes::ZERO);
            self.set(number, Progress::Underway);
            // One that was taken away meanwhile is passed over.
            if self.is_underway(Some(number)) {
                Job::begin(self, number, source);
            }
        }
    }
}

/// The text in what was dropped or pasted, left where it is.
fn text_of(data: &DataTransfer) -> JsString {
    let get = Reflect::get(data, &"getData".into()).unwrap_or_default();
    let text = get.unchecked_into::<Function>().call1(data, &"text".into());
    text.ok()
        .and_then(|text| text.dyn_into().ok())
        .unwrap_or_else(|| "".into())
}

/// What the stream has given and the scan has not yet taken.
enum Piece {
    Bytes(Uint8Array),
    Text(JsString),
}

/// The reading of one attachment.
struct Job {
    files: Files,
    number: usize,
    piece: Piece,
    /// How much of the piece is taken.
    at: u32,
    file: Option<File>,
    stream: Option<ReadableStreamDefaultReader>,
    is_unpacked: bool,
    /// Nothing until the kind of file is decided.
    scan: Option<Scan>,
    read: i64,
    /// How long it has worked since the last pause, in milliseconds.
    worked: f64,
}

impl Job {
    fn begin(files: Files, number: usize, source: Source) {
        let mut job = Box::new(Job {
            files,
            number,
            piece: Piece::Text("".into()),
            at: 0,
            file: None,
            stream: None,
            is_unpacked: false,
            scan: None,
            read: 0,
            worked: 0.0,
        });
        match source {
            Source::Text(text) => {
                job.piece = Piece::Text(text);
                job.scan = Some(Scan::new(Encoding::Utf8));
                // The paste itself is answered first.
                later(move || job.step());
            }
            Source::File(file) if file.size() > MOST as f64 => {
                let message = Message::new("file-large").with("size", Bytes(file.size() as i64));
                job.refuse(message.with("most", Bytes(MOST)));
            }
            Source::File(file) => {
                job.stream = open(&file, false);
                job.file = Some(file);
                job.more();
            }
        }
    }

    /// Waits for the next piece of the file.
    fn more(self: Box<Self>) {
        match self.stream.clone() {
            Some(stream) => settled(stream.read().unchecked_ref(), |piece| self.take(piece)),
            None => self.refuse(Message::new("file-unreadable")),
        }
    }

    /// Takes what the stream gave: a piece, its end, or a failure.
    fn take(mut self: Box<Self>, given: Option<JsValue>) {
        let Some(given) = given else {
            let note = Message::new(match (self.is_unpacked, self.read > 0) {
                (true, true) => "file-damaged",
                (true, false) => "file-damaged-whole",
                (false, _) => "file-unreadable",
            });
            return match self.read {
                0 => self.refuse(note),
                _ => self.end(false, Some(note)),
            };
        };
        let Ok(piece) = Reflect::get(&given, &"value".into())
            .unwrap_or_default()
            .dyn_into::<Uint8Array>()
        else {
            return match self.scan {
                Some(_) => self.end(true, None),
                None => self.refuse(Message::new("file-empty")),
            };
        };
        if self.scan.is_none() {
            let head = piece.subarray(0, HEAD as u32).to_vec();
            self.piece = Piece::Bytes(piece);
            return self.decide(FileKind::of(&head));
        }
        self.piece = Piece::Bytes(piece);
        self.at = 0;
        self.step();
    }

    /// Decides by what its first bytes tell of a file who reads it.
    fn decide(mut self: Box<Self>, kind: FileKind) {
        let id = match kind {
            FileKind::Text(encoding) => {
                self.scan = Some(Scan::new(encoding));
                return self.step();
            }
            FileKind::Gzip if !self.is_unpacked => {
                self.cancel();
                self.is_unpacked = true;
                self.stream = self.file.as_ref().and_then(|file| open(file, true));
                if self.stream.is_some() {
                    return self.more();
                }
                "file-no-gzip"
            }
            FileKind::Gzip => return self.refuse(Message::new("file-packed").with("format", "gzip")),
            FileKind::Packed(format) => return self.refuse(Message::new("file-packed").with("format", format)),
            FileKind::Picture => "file-picture",
            FileKind::Empty => "file-empty",
            FileKind::Binary => "file-binary",
        };
        self.refuse(Message::new(id));
    }

    /// Reads on until the piece is at its end or it is time for a pause.
    fn step(mut self: Box<Self>) {
        let begun = Date::now();
        loop {
            if !self.files.is_underway(Some(self.number)) {
                self.cancel();
                return self.files.go_on();
            }
            if self.files.stop.get_value() || self.read > MOST {
                return self.end(false, None);
            }
            let there = self.read_on();
            let worked = self.worked + Date::now() - begun;
            if !there {
                self.worked = worked;
                return match self.stream {
                    Some(_) => self.more(),
                    None => self.end(true, None),
                };
            }
            if worked > SLICE {
                self.worked = 0.0;
                self.files.read.set(Bytes(self.read));
                return later(move || self.step());
            }
        }
    }

    /// Hands the next bytes of the piece to the scan; whether there were any.
    fn read_on(&mut self) -> bool {
        let Some(scan) = &mut self.scan else { return false };
        let from = self.at;
        self.at = match &self.piece {
            Piece::Bytes(bytes) => {
                let to = (from + STEP).min(bytes.length());
                scan.push(&bytes.subarray(from, to).to_vec());
                to
            }
            Piece::Text(text) => {
                let mut to = (from + STEP).min(text.length());
                // Both halves of a character stay together.
                if to < text.length() && (0xdc00..0xe000).contains(&(text.char_code_at(to) as u32)) {
                    to += 1;
                }
                scan.push(String::from(text.slice(from, to)).as_bytes());
                to
            }
        };
        self.read += i64::from(self.at - from);
        self.at > from
    }

    fn cancel(&mut self) {
        if let Some(stream) = self.stream.take() {
            settled(stream.cancel().unchecked_ref(), |_| {});
        }
    }

    fn refuse(mut self: Box<Self>, why: Message) {
        self.cancel();
        self.files.set(self.number, Progress::Refused(why));
        self.files.go_on();
    }

    fn end(mut self: Box<Self>, whole: bool, note: Option<Message>) {
        self.cancel();
        if let Some(scan) = self.scan.take() {
            let progress = Progress::Read {
                reading: Arc::new(scan.finish()),
                read: Bytes(self.read),
                whole,
                note,
            };
            self.files.set(self.number, progress);
            self.files.done.update(|done| *done += 1);
        }
        self.files.go_on();
    }
}

/// The bytes of a file as they come, unpacked where asked for; nothing where the browser has no means to.
fn open(file: &File, unpack: bool) -> Option<ReadableStreamDefaultReader> {
    let mut stream = file.stream();
    if unpack {
        let kind: Function = Reflect::get(&window(), &"DecompressionStream".into())
            .ok()?
            .dyn_into()
            .ok()?;
        let both = Reflect::construct(&kind, &Array::of1(&"gzip".into())).ok()?;
        stream = stream.pipe_through(both.unchecked_ref::<ReadableWritablePair>());
    }
    Some(stream.get_reader().unchecked_into())
}

/// Calls `act` once the browser has done what waits: what the reader types, and drawing. Timers would wait longer, and in
/// a page out of sight for a second.
fn later(act: impl FnOnce() + 'static) {
    let Ok(channel) = MessageChannel::new() else { return };
    let act = Closure::once_into_js(act);
    channel.port1().set_onmessage(Some(act.unchecked_ref()));
    let _ = channel.port2().post_message(&JsValue::NULL);
}
