//! Files that are dropped, chosen or pasted, and texts too long for the box: each is read in its turn, slice by slice, and
//! its kind is decided here, by its first bytes ([`Job::decide`]).

use super::State;
use super::promises::{call, made, property, settled};
use crate::files::{self, Piece as Model};
use crate::message::Message;
use crate::paste::{Encoding, FileKind, HEAD, Reading, Scan, WHOLE};
use crate::units::Bytes;
use js_sys::{Array, Date, JsString, Uint8Array};
use leptos::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DataTransfer, File, FileList, MessageChannel, ReadableStreamDefaultReader};

/// How long the page's thread reads without a pause, in milliseconds.
const SLICE: f64 = 12.0;
/// How much is taken between two looks at the clock, in bytes or in units of a string.
const STEP: u32 = 64 * 1024;
/// The most that is read of one file.
const MOST: usize = 2 << 30;

/// What is to be read.
#[derive(Clone)]
pub enum Source {
    /// A file.
    File(File),
    /// A text that was pasted.
    Text(JsString),
}

/// How far the reading of an attachment is.
pub enum Progress {
    /// Others come first.
    Waiting(Source),
    /// It is being read.
    Underway,
    /// It is to be read no further.
    Stopping,
    /// It is read as far as `read`, in bytes of its text.
    Read {
        /// What it says.
        reading: Reading,
        /// How much was read.
        read: Bytes,
        /// Whether that is all of it.
        whole: bool,
        /// Why it is not.
        note: Option<Message>,
    },
    /// It can't be read, for this reason.
    Refused(Message),
    /// It is a model's file, which is read once the calculator is there.
    Held(File),
    /// It is a model's file, and holds this.
    Model(Box<Model>),
    /// It is a model's file that can't be read, for this reason.
    NoModel(Message),
}

/// A file or a long text, beside what is typed.
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

    /// Whether it is the one that is being read.
    pub fn is_underway(&self) -> bool {
        matches!(self.progress, Progress::Underway | Progress::Stopping)
    }
}

/// The attachments' signals. Copied freely.
#[derive(Clone, Copy)]
pub struct Files {
    /// All, in the order in which they came.
    pub all: RwSignal<Vec<Attachment>, LocalStorage>,
    /// How many bytes are read of the one underway.
    pub read: RwSignal<usize>,
    /// How many came that are no model's files.
    pub others: RwSignal<usize>,
    /// Whether the part of the program that the calculator needs is there, which reads models' files too; nothing until that is
    /// known.
    pub there: RwSignal<Option<bool>>,
}

impl Files {
    /// None yet.
    pub fn new() -> Files {
        Files {
            all: RwSignal::new_local(Vec::new()),
            read: RwSignal::new(0),
            others: RwSignal::new(0),
            there: RwSignal::new(None),
        }
    }

    /// Takes one away, whether it is read or not.
    pub fn remove(self, number: usize) {
        self.change(&mut |all| all.retain(|one| one.number != number));
    }

    /// Takes all away.
    pub fn clear(self) {
        if self.look(&|all| !all.is_empty()) {
            self.change(&mut Vec::clear);
        }
    }

    /// Sets how far one is; one that was taken away meanwhile is passed over.
    pub fn set(self, number: usize, progress: Progress) {
        let mut progress = Some(progress);
        self.change(&mut |all| {
            if let Some(one) = all.iter_mut().find(|one| one.number == number) {
                one.progress = progress.take().unwrap_or(Progress::Stopping);
            }
        });
    }

    // Each closure that a signal takes compiles its code anew.
    #[inline(never)]
    fn change(self, change: &mut dyn FnMut(&mut Vec<Attachment>)) {
        self.all.update(|all| change(all));
    }

    #[inline(never)]
    fn look(self, look: &dyn Fn(&[Attachment]) -> bool) -> bool {
        self.all.with_untracked(|all| look(all))
    }
}

/// Takes what was dropped or pasted, and says whether it did; a short text is the box's own to take.
pub fn take_transfer(state: State, data: &DataTransfer) -> bool {
    let text = text_of(data);
    if text.length() as usize > WHOLE {
        take(state, Source::Text(text));
        return true;
    }
    let files = data.files().filter(|files| text.length() == 0 && files.length() > 0);
    files.map(|files| take_files(state, &files)).is_some()
}

/// Takes files.
pub fn take_files(state: State, files: &FileList) {
    let files = (0..files.length()).filter_map(|at| files.get(at));
    files.for_each(|file| take(state, Source::File(file)));
}

/// Reads what was held back, now that the calculator is there.
pub fn read_held(state: State) {
    state.files.change(&mut |all| {
        for one in all {
            if let Progress::Held(file) = &one.progress {
                one.progress = Progress::Waiting(Source::File(file.clone()));
            }
        }
    });
    go_on(state);
}

/// Counts the attachments that ever came.
static CAME: AtomicUsize = AtomicUsize::new(0);

/// Takes one more file or text.
pub fn take(state: State, source: Source) {
    let (name, size) = match &source {
        Source::File(file) => (file.name(), file.size() as i64),
        Source::Text(text) => (String::new(), i64::from(text.length())),
    };
    let mut one = Some(Attachment {
        number: CAME.fetch_add(1, Ordering::Relaxed),
        name,
        size: Bytes(size),
        progress: Progress::Waiting(source),
    });
    state.files.change(&mut |all| all.extend(one.take()));
    go_on(state);
}

/// Begins with the next one, unless another is underway.
fn go_on(state: State) {
    if state.files.look(&|all| all.iter().any(Attachment::is_underway)) {
        return;
    }
    let mut next = None;
    state.files.change(&mut |all| {
        let waits = |one: &&mut Attachment| matches!(one.progress, Progress::Waiting(_));
        if let Some(one) = all.iter_mut().find(waits)
            && let Progress::Waiting(source) = std::mem::replace(&mut one.progress, Progress::Underway)
        {
            next = Some((one.number, source));
        }
    });
    if let Some((number, source)) = next {
        state.files.read.set(0);
        Job::begin(state, number, source);
    }
}

/// The text in what was dropped or pasted, left where it is.
fn text_of(data: &DataTransfer) -> JsString {
    let text = call(data, "getData", &Array::of1(&"text".into()));
    text.and_then(|text| text.dyn_into().ok()).unwrap_or_else(|| "".into())
}

/// What the stream has given and the scan has not yet taken.
enum Piece {
    Bytes(Uint8Array),
    /// A text, and what turns it into bytes.
    Text(JsString, JsValue),
}

/// The reading of one attachment.
struct Job {
    state: State,
    number: usize,
    piece: Piece,
    /// How much of the piece is taken.
    at: u32,
    file: Option<File>,
    stream: Option<ReadableStreamDefaultReader>,
    is_unpacked: bool,
    /// Nothing until the kind of file is decided.
    scan: Option<Scan>,
    /// Once nothing more is handed to the scan: whether that was all, and why not.
    ended: Option<(bool, Option<Message>)>,
    read: usize,
    /// How long it has worked since the last pause, in milliseconds.
    worked: f64,
}

impl Job {
    fn begin(state: State, number: usize, source: Source) {
        let mut job = Box::new(Job {
            state,
            number,
            piece: Piece::Bytes(Uint8Array::new_with_length(0)),
            at: 0,
            file: None,
            stream: None,
            is_unpacked: false,
            scan: None,
            ended: None,
            read: 0,
            worked: 0.0,
        });
        match source {
            Source::Text(text) => {
                state.files.others.update(|count| *count += 1);
                job.piece = Piece::Text(text, made("TextEncoder", &Array::new()).unwrap_or_default());
                job.scan = Some(Scan::new(Encoding::Utf8));
                // The paste itself is answered first.
                later(move || job.step());
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
        let Ok(piece) = property(&given, "value").dyn_into::<Uint8Array>() else {
            return match self.scan {
                Some(_) => self.end(true, None),
                None => self.refuse(Message::new("file-empty")),
            };
        };
        if self.scan.is_none() {
            let head = piece.subarray(0, HEAD as u32).to_vec();
            self.piece = Piece::Bytes(piece);
            if let (false, Some(file)) = (self.is_unpacked, &self.file)
                && self.state.files.there.get_untracked() != Some(true)
            {
                // Nothing that is dropped may cause a request.
                if files::may_hold(&head, file.size() as u64) {
                    let held = Progress::Held(file.clone());
                    self.cancel();
                    return self.end_model(held);
                }
                return self.decide(FileKind::of(&head));
            }
            if let (false, Some(file)) = (self.is_unpacked, &self.file)
                && let Some(reading) = files::of_model(&head, file.size() as u64)
            {
                self.cancel();
                let meant = files::is_meant(&head);
                return match reading {
                    Ok(reading) => self.model(reading, meant),
                    Err(why) => self.end_model(Progress::NoModel(why)),
                };
            }
            return self.decide(FileKind::of(&head));
        }
        self.piece = Piece::Bytes(piece);
        self.at = 0;
        self.step();
    }

    /// Reads a model's file, slice by slice. JSON that is no model's after all is read as a text, unless it was `meant`.
    // A beginning of the program's rest (build/split.mjs), as is `of_model`.
    #[inline(never)]
    fn model(mut self: Box<Self>, mut reading: files::Reading, meant: bool) {
        let gone = |all: &[Attachment]| !all.iter().any(|one| one.number == self.number);
        if self.state.files.look(&gone) {
            return go_on(self.state);
        }
        let Some((from, to)) = reading.need() else {
            let progress = match reading.finish() {
                Ok(model) => Progress::Model(Box::new(model)),
                Err(why) => Progress::NoModel(why),
            };
            return self.end_model(progress);
        };
        let slice = self
            .file
            .as_ref()
            .map(|file| file.slice_with_f64_and_f64(from as f64, to as f64));
        let Some(Ok(slice)) = slice else {
            return self.end_model(Progress::NoModel(Message::new("file-unreadable")));
        };
        settled(slice.array_buffer().unchecked_ref(), move |bytes| {
            let Some(bytes) = bytes else {
                return self.end_model(Progress::NoModel(Message::new("file-unreadable")));
            };
            match reading.take(&Uint8Array::new(&bytes).to_vec()) {
                Ok(()) => self.model(reading, meant),
                Err(_) if !meant => {
                    self.stream = self.file.as_ref().and_then(|file| open(file, false));
                    self.scan = Some(Scan::new(Encoding::Utf8));
                    self.state.files.others.update(|count| *count += 1);
                    self.more();
                }
                Err(why) => self.end_model(Progress::NoModel(why)),
            }
        });
    }

    fn end_model(self: Box<Self>, progress: Progress) {
        self.state.files.set(self.number, progress);
        go_on(self.state);
    }

    /// Decides by what its first bytes tell of a file who reads it.
    fn decide(mut self: Box<Self>, kind: FileKind) {
        let size = self.file.as_ref().map_or(0.0, |file| file.size());
        let id = match kind {
            FileKind::Text(_) if size > MOST as f64 => {
                let message = Message::new("file-large").with("size", Bytes(size as i64));
                return self.refuse(message.with("most", Bytes(MOST as i64)));
            }
            FileKind::Text(encoding) => {
                self.state.files.others.update(|count| *count += 1);
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
            let is_here = |one: &Attachment| one.number == self.number;
            if !self.state.files.look(&|all| all.iter().any(is_here)) {
                self.cancel();
                return go_on(self.state);
            }
            let stops = |one: &Attachment| is_here(one) && matches!(one.progress, Progress::Stopping);
            let stops = self.read > MOST || self.state.files.look(&|all| all.iter().any(stops));
            let goes_on = match (&self.ended, stops) {
                (Some(_), _) => self.scan.as_mut().is_some_and(Scan::close),
                (None, true) => return self.end(false, None),
                (None, false) => self.read_on(),
            };
            let worked = self.worked + Date::now() - begun;
            if !goes_on {
                self.worked = worked;
                return match (self.ended.is_some(), &self.stream) {
                    (true, _) => self.tell(),
                    (false, Some(_)) => self.more(),
                    (false, None) => self.end(true, None),
                };
            }
            if worked > SLICE {
                self.worked = 0.0;
                self.state.files.read.set(self.read);
                return later(move || self.step());
            }
        }
    }

    /// Hands the next bytes of the piece to the scan; whether there were any.
    fn read_on(&mut self) -> bool {
        let from = self.at;
        let bytes = match &self.piece {
            Piece::Bytes(bytes) => {
                self.at = (from + STEP).min(bytes.length());
                Some(bytes.subarray(from, self.at))
            }
            Piece::Text(text, encoder) => {
                self.at = (from + STEP).min(text.length());
                // Both halves of a character stay together.
                let is_half = |at: u32| (0xdc00..0xe000).contains(&(text.char_code_at(at) as u32));
                self.at += u32::from(self.at < text.length() && is_half(self.at));
                let bytes = call(encoder, "encode", &Array::of1(&text.slice(from, self.at)));
                bytes.and_then(|bytes| bytes.dyn_into().ok())
            }
        };
        if let (Some(scan), Some(bytes)) = (&mut self.scan, bytes) {
            scan.push(&bytes.to_vec());
        }
        self.read += (self.at - from) as usize;
        self.at > from
    }

    fn cancel(&mut self) {
        if let Some(stream) = self.stream.take() {
            settled(stream.cancel().unchecked_ref(), |_| {});
        }
    }

    fn refuse(mut self: Box<Self>, why: Message) {
        self.cancel();
        self.state.files.others.update(|count| *count += 1);
        self.state.files.set(self.number, Progress::Refused(why));
        go_on(self.state);
    }

    /// Hands nothing more to the scan, which has yet to read what waits.
    fn end(mut self: Box<Self>, whole: bool, note: Option<Message>) {
        self.cancel();
        self.ended = Some((whole, note));
        self.step();
    }

    /// Tells what was read.
    fn tell(mut self: Box<Self>) {
        if let (Some(scan), Some((whole, note))) = (self.scan.take(), self.ended.take()) {
            let reading = scan.finish();
            let is_read = !reading.evidence.hits.is_empty();
            let progress = Progress::Read {
                reading,
                read: Bytes(self.read as i64),
                whole,
                note,
            };
            self.state.files.set(self.number, progress);
            if is_read {
                self.state.small_box.set(true);
            }
        }
        go_on(self.state);
    }
}

/// The bytes of a file as they come, unpacked where asked for; nothing where the browser has no means to.
fn open(file: &File, unpack: bool) -> Option<ReadableStreamDefaultReader> {
    let mut stream = file.stream();
    if unpack {
        let both = made("DecompressionStream", &Array::of1(&"gzip".into()))?;
        let packed = stream.get_reader().unchecked_into();
        let writer = call(&property(&both, "writable"), "getWriter", &Array::new())?;
        feed(packed, writer, Uint8Array::new_with_length(0), 0);
        stream = property(&both, "readable").unchecked_into();
    }
    Some(stream.get_reader().unchecked_into())
}

/// Hands a packed file to what unpacks it, from `at` in `piece` on, a little at a time and no faster than it is read: what
/// is unpacked and not yet read is lost when the rest turns out to be damaged or missing.
fn feed(packed: ReadableStreamDefaultReader, writer: JsValue, piece: Uint8Array, at: u32) {
    const PACKED_STEP: u32 = 4096;
    let write = |bytes: Uint8Array| call(&writer, "write", &Array::of1(&bytes));
    if at < piece.length() {
        let next = at + PACKED_STEP;
        let Some(written) = write(piece.subarray(at, next)) else {
            return;
        };
        return settled(written.unchecked_ref(), move |written| match written {
            Some(_) => feed(packed, writer, piece, next),
            None => settled(packed.cancel().unchecked_ref(), |_| {}),
        });
    }
    settled(packed.read().unchecked_ref(), move |given| {
        let Some(given) = given else {
            call(&writer, "abort", &Array::new());
            return;
        };
        if let Ok(piece) = property(&given, "value").dyn_into() {
            return feed(packed, writer, piece, 0);
        }
        // Taken once all before it is read, as closing is not.
        let last = call(&writer, "write", &Array::of1(&Uint8Array::new_with_length(0)));
        settled(last.unwrap_or_default().unchecked_ref(), move |_| {
            if let Some(closed) = call(&writer, "close", &Array::new()) {
                settled(closed.unchecked_ref(), |_| {});
            }
        });
    });
}

/// Calls `act` once the browser has done what waits: what the reader types, and drawing. Timers would wait longer, and in
/// a page out of sight for a second.
fn later(act: impl FnOnce() + 'static) {
    let Ok(channel) = MessageChannel::new() else { return };
    let act = Closure::once_into_js(act);
    channel.port1().set_onmessage(Some(act.unchecked_ref()));
    let _ = channel.port2().post_message(&JsValue::NULL);
}
