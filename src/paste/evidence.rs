//! What a text says: findings with their figures, each with its place in the text.

use super::template::Row;
use crate::message::{Arg, Message};
use crate::units::{Bytes, Decimal};

/// A place in the pasted text: byte offsets, the end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The words at this place.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// The smallest span that holds both.
    pub fn and(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// What stands in a hole of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An amount of memory.
    Bytes(Bytes),
    /// The driver's "no limit" or "unknown" (2^64 bytes and its neighbours): never shown as a size.
    Unlimited,
    /// A whole number: tokens, blocks, an index, a process id.
    Count(i64),
    /// A number with decimals: a share, a factor.
    Number(Decimal),
    /// A tool's own word: a backend, a device, a name.
    Word(String),
}

/// One figure of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The figure's name, of the list in docs/json.md (`requested`, `total`, `free`, …).
    pub name: &'static str,
    /// What it says.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
}

/// A process that holds memory on a card.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Process {
    /// The process id, as printed: in a container it may be the host's.
    pub pid: Option<i64>,
    /// Its name, where a monitor names it.
    pub name: Option<String>,
    /// What it holds; `None` where the monitor does not say.
    pub bytes: Option<Bytes>,
    /// Whether it is the failing job itself; `None` until the diagnosis or the reader says so.
    pub own: Option<bool>,
    /// The card that it runs on, where the text says.
    pub gpu: Option<i64>,
    /// Where it stands.
    pub span: Span,
}

/// A card as a monitor or a start-up line shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// Its index in that tool's numbering.
    pub index: Option<i64>,
    /// Its name, possibly cut off.
    pub name: Option<String>,
    /// Its capacity as that tool counts it.
    pub total: Option<Bytes>,
    /// Memory in use.
    pub used: Option<Bytes>,
    /// Load in percent.
    pub utilization: Option<i64>,
    /// Where it stands.
    pub span: Span,
}

/// One thing that the text reports: an error, a refusal, a monitor's table, a healthy start.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What kind of thing it is; the diagnosis goes by it.
    pub kind: Kind,
    /// The tool that printed it.
    pub tool: &'static str,
    /// The generation of its message, as docs/formats.md lists them (`PT-5`).
    pub format: &'static str,
    /// The device's index, in the tool's own numbering.
    pub device: Option<i64>,
    /// The rank of a distributed job, from the line's prefix.
    pub rank: Option<i64>,
    /// Every figure that belongs to it.
    pub figures: Vec<Figure>,
    /// Processes named in it.
    pub processes: Vec<Process>,
    /// Cards named in it.
    pub cards: Vec<Card>,
    /// From its first word to its last.
    pub span: Span,
    /// Whether the tool says that it went on.
    pub recovered: bool,
    /// The ids of the rows that were read, in order.
    pub rows: Vec<&'static str>,
    /// How often the same was printed (by retries, ranks, or a log that repeats its last error).
    pub times: usize,
}

impl Finding {
    /// The first figure of this name, if it is an amount of memory.
    pub fn bytes(&self, name: &str) -> Option<Bytes> {
        self.figures.iter().find_map(|figure| match figure.value {
            Value::Bytes(bytes) if figure.name == name => Some(bytes),
            _ => None,
        })
    }

    /// The first figure of this name, if it is a whole number.
    pub fn count(&self, name: &str) -> Option<i64> {
        self.figures.iter().find_map(|figure| match figure.value {
            Value::Count(count) if figure.name == name => Some(count),
            _ => None,
        })
    }

    /// The first figure of this name, if it is a number with decimals.
    pub fn number(&self, name: &str) -> Option<Decimal> {
        self.figures.iter().find_map(|figure| match figure.value {
            Value::Number(number) if figure.name == name => Some(number),
            _ => None,
        })
    }

    /// The first word of this name.
    pub fn word(&self, name: &str) -> Option<&str> {
        self.figures.iter().find_map(|figure| match &figure.value {
            Value::Word(word) if figure.name == name => Some(word.as_str()),
            _ => None,
        })
    }

    /// Whether a row of this id was read in it.
    pub fn has(&self, row: &str) -> bool {
        self.rows.contains(&row)
    }
}

/// One recognised stretch of the text, for the line-by-line reading.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The row that was recognised; what it says is the message `says-{row.id}`.
    pub row: Row,
    /// Where it stands.
    pub span: Span,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// The rank of the line's prefix.
    pub rank: Option<i64>,
    /// The finding that it belongs to, by its index in [`Evidence::findings`].
    pub finding: Option<usize>,
}

impl Hit {
    /// What it says: the message of its row, with its figures.
    pub fn says(&self) -> Message {
        let mut message = Message::new(self.row.says);
        for figure in &self.figures {
            let arg = match &figure.value {
                Value::Bytes(bytes) => Arg::Bytes(*bytes),
                // Indexes and process ids are names, not amounts: no thousands separators.
                Value::Count(count) if matches!(figure.name, "device" | "pid" | "rank" | "card_index" | "gpu") => {
                    Arg::Text(count.to_string())
                }
                Value::Count(count) => Arg::Count(*count),
                Value::Number(number) => {
                    Arg::Number(i64::try_from(number.mantissa).unwrap_or(i64::MAX), number.decimals)
                }
                Value::Word(word) => Arg::Text(word.clone()),
                Value::Unlimited => Arg::Text("∞".to_owned()),
            };
            message.args.push((figure.name, arg));
        }
        message
    }
}

/// A message that begins as a known one and is cut off before a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The row that it began as.
    pub row: &'static str,
    /// The figure that is missing.
    pub figure: &'static str,
    /// Where it breaks off.
    pub span: Span,
}

/// All that a text says.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Every recognised stretch, in the order of the text.
    pub hits: Vec<Hit>,
    /// What they amount to, in the order of the text; at most [`Evidence::MOST`].
    pub findings: Vec<Finding>,
    /// How many findings there were in all.
    pub count: usize,
    /// Messages that break off.
    pub cuts: Vec<Cut>,
    /// The ids of the hints about the job and the system, each once.
    pub hints: Vec<&'static str>,
    /// What kind of text it is, where nothing was recognised.
    pub shape: Shape,
    /// The last step counter before the first failure: how many steps had gone well.
    pub steps: Option<i64>,
}

impl Evidence {
    /// Whether the text holds this hint.
    pub fn hints_at(&self, hint: &str) -> bool {
        self.hints.contains(&hint)
    }

    /// The most findings that are kept; [`Evidence::count`] has the true number.
    pub const MOST: usize = 1000;

    /// Adds what another text says. Places stay those of each text.
    pub fn join(&mut self, other: &Evidence) {
        let known = self.findings.len();
        let room = Evidence::MOST.saturating_sub(known);
        self.findings.extend(other.findings.iter().take(room).cloned());
        self.hits.extend(other.hits.iter().map(|hit| Hit {
            finding: hit.finding.filter(|number| *number < room).map(|number| number + known),
            ..hit.clone()
        }));
        self.count += other.count;
        self.cuts.extend(other.cuts.iter().cloned());
        for hint in &other.hints {
            if !self.hints_at(hint) {
                self.hints.push(hint);
            }
        }
        self.steps = self.steps.or(other.steps);
        if self.shape == Shape::Empty {
            self.shape = other.shape;
        }
    }
}

/// What a text looks like as a whole, for the answer to a paste in which nothing was recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Nothing but white space.
    #[default]
    Empty,
    /// Bytes that are no text.
    Binary,
    /// A traceback of a program, without a word of memory.
    Traceback,
    /// The words "out of memory" or a class name, but no line of any tool.
    OnlyTheWords,
    /// A question or another prose text.
    Prose,
    /// Numbers without units.
    Numbers,
    /// Lines of a log.
    Log,
}

/// What a finding is about. The diagnosis has one rule set per kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// PyTorch's allocator could not serve a request (CUDA, HIP, XPU and others).
    TorchOom,
    /// PyTorch on the `cudaMallocAsync` backend could not; often without figures.
    AsyncOom,
    /// PyTorch on Apple's Metal could not.
    MpsOom,
    /// The driver said "out of memory" outside PyTorch's allocator; no figures.
    CudaBare,
    /// One buffer may not be that large, whatever is free.
    BlockLimit,
    /// An assertion of the allocator that stands for an out-of-memory.
    AllocatorAssert,
    // CUDA's libraries, the chip's own limits, other frameworks.
    /// A CUDA library had no memory for its handle, plan or workspace; no figures.
    LibraryOom,
    /// A CUDA library failed in a way that often, but not always, stands for a shortage.
    LibraryFailed,
    /// NCCL could not get its buffers, which lie outside every framework's pool.
    NcclOom,
    /// The driver's "out of memory" as programs other than PyTorch print it; no figures.
    DriverOom,
    /// A kernel wants more of the chip's own memory or registers than one block may have.
    OnChip,
    /// A framework other than PyTorch could not serve a request.
    FrameworkOom,
    /// TensorFlow asked for less and less at start: a failure only when nothing was left.
    StartRetry,
    /// A loader refused to put parts of the model into system memory; nothing was tried.
    PlacementRefused,
    // The host's resources, and errors that only sound like a shortage.
    /// The system ended the process, mostly for want of RAM.
    HostKilled,
    /// An allocation of system memory failed.
    HostAlloc,
    /// Windows' commit limit: RAM and paging file together.
    PagingFile,
    /// Page-locked system memory ran out.
    PinnedHost,
    /// Shared memory between processes (/dev/shm) ran out.
    SharedMemory,
    /// A disk is full.
    Disk,
    /// A CUDA error that is no shortage, whatever its words.
    NotMemory,
    // Tables and logs, no failures.
    /// What a GPU monitor shows.
    Monitor,
    /// PyTorch's table of its own memory.
    MemorySummary,
    /// Where an image program puts its models.
    ImageLoad,
    /// A training program's memory figures.
    TrainingLog,
    /// Hints about the job and the system; never a finding.
    Hints,
    // Inference engines
    /// The weights fit; the KV cache does not hold one request of the maximum length.
    KvTooSmall,
    /// Nothing is left for a KV cache.
    KvNone,
    /// Less is free on the card at start than the share that the engine wants.
    StartupFree,
    /// The same on the computer's memory (an engine's CPU backend).
    StartupHost,
    /// Free memory grew while the engine measured: another process let go.
    ProfilingRace,
    /// Says that a warm-up or a graph capture failed, around the error that made it fail.
    Warmup,
    /// Says that an engine's process ended, and that the reason stands elsewhere.
    Wrapper,
    /// An engine ran out on the card; with the request at most.
    EngineOom,
    /// A plan or an estimate says that it will not fit; nothing was tried.
    PlanRefused,
    /// A shortage that the engine handled by itself.
    Handled,
    /// Start-up lines of an engine: where the memory went.
    EngineStart,
    /// A setting that the text shows, on a command line or in a log; no message of its own.
    Setting,
    /// ggml could not allocate a buffer on the card.
    GgmlAlloc,
    /// ggml ran out at work, in its pool; no figures.
    GgmlPool,
    /// Metal could not run a command buffer for lack of memory.
    GgmlMetal,
    /// The computer's memory ran out in an engine.
    EngineHost,
    /// An engine refused a model since the computer's memory is too small for it.
    HostRefused,
    /// Page-locked host memory could not be had; the engine goes on without.
    Pinned,
    /// Ollama's plan: how many layers go to the card.
    LayerPlan,
    /// The table of `ollama ps`.
    OllamaPs,
    /// A tool's note that another program holds memory of the card.
    OtherHolder,
}

impl Kind {
    /// Whether a finding of this kind is a failure, rather than a table, a plan or a start-up line.
    pub fn is_failure(self) -> bool {
        !matches!(
            self,
            Kind::Hints
                | Kind::StartRetry
                | Kind::Monitor
                | Kind::MemorySummary
                | Kind::ImageLoad
                | Kind::TrainingLog
                | Kind::Handled
                | Kind::EngineStart
                | Kind::Setting
                | Kind::Pinned
                | Kind::LayerPlan
                | Kind::OllamaPs
                | Kind::OtherHolder
        )
    }

    /// Whether it only says that something failed, and the reason stands elsewhere in the text.
    pub fn is_wrapper(self) -> bool {
        matches!(self, Kind::Warmup | Kind::Wrapper)
    }
}
