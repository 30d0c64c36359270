//! A diagnosis into fixes, in order, each with what it saves, whether the job then fits, and the exact command.

mod bigger_card;
mod command_line;
mod engines;
mod fragmentation;
mod frameworks;
mod ggml;
mod host;
mod host_memory;
mod job;
mod ladder;
mod monitors;
mod other_process;
mod solved;
mod torch;
mod training;
mod windows;

pub use job::{Job, Program};

use crate::diagnosis::{Corrections, Diagnosis};
use crate::message::Message;
use crate::paste::Evidence;
use crate::units::Bytes;

/// Where a command goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A shell, before the program starts.
    Shell,
    /// PowerShell on Windows.
    PowerShell,
    /// A script of directives that a scheduler reads.
    BatchScript,
    /// A Python program or notebook.
    Python,
}

/// A line to copy as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Where it goes; the message is `place-{id}`.
    pub place: Place,
    /// The line or lines.
    pub text: String,
}

/// One fix.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// Its id.
    pub id: &'static str,
    /// Its family, of the list in docs/json.md.
    pub family: &'static str,
    /// What to do.
    pub text: Message,
    /// Why it helps here, with this job's figures.
    pub why: Option<Message>,
    /// What it frees, from at least to at most; `None` where the text does not tell.
    pub saves: Option<(Bytes, Bytes)>,
    /// Whether the request then fits: yes, no, or not known.
    pub fits_after: Option<bool>,
    /// The exact lines.
    pub commands: Vec<Command>,
}

/// A fix that does not help here, and why: the tool's printed hint, mostly.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Its id.
    pub id: &'static str,
    /// Why it does not apply.
    pub because: Message,
}

/// What to do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// The fixes, in the order in which to try them.
    pub fixes: Vec<Box<Fix>>,
    /// What need not be tried.
    pub refused: Vec<Refused>,
}

/// Advises on a diagnosis.
pub fn advise(evidence: &Evidence, diagnosis: &Diagnosis, corrections: &Corrections) -> Advice {
    ladder::of(evidence, diagnosis, corrections)
}

impl Fix {
    #[inline(never)]
    fn new(id: &'static str, family: &'static str, text: Message) -> Box<Fix> {
        Box::new(Fix {
            id,
            family,
            text,
            why: None,
            saves: None,
            fits_after: None,
            commands: Vec::new(),
        })
    }

    #[inline(never)]
    fn because(mut self: Box<Self>, why: Message) -> Box<Fix> {
        self.why = Some(why);
        self
    }

    #[inline(never)]
    fn saving(mut self: Box<Self>, saves: Option<(Bytes, Bytes)>, fits_after: Option<bool>) -> Box<Fix> {
        self.saves = saves;
        self.fits_after = fits_after;
        self
    }

    #[inline(never)]
    fn command(mut self: Box<Self>, place: Place, text: &str) -> Box<Fix> {
        self.commands.push(Command {
            place,
            text: text.to_owned(),
        });
        self
    }
}
