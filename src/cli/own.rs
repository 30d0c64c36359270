//! Reads the files of a model that `vramfit size --file` names.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Seek, SeekFrom};

use crate::files::{FIRST, Found, Piece, Reading, together};
use crate::message::Message;

/// The model in those files.
///
/// # Errors
/// What is wrong with a file, after its name; the system's own words where it can't be opened.
pub fn model(files: &[String], say: impl Fn(&Message) -> String) -> Result<Found, String> {
    let mut pieces = Vec::new();
    for path in files {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let piece = piece(path).map_err(|error| match error {
            Failure::System(error) => format!("vramfit: {path}: {error}"),
            Failure::Content(message) => format!("{path}: {}", say(&message)),
        })?;
        pieces.push((name.to_owned(), piece));
    }
    together(pieces).map_err(|message| say(&message))
}

enum Failure {
    System(Error),
    Content(Message),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::System(error)
    }
}

impl From<Message> for Failure {
    fn from(message: Message) -> Failure {
        Failure::Content(message)
    }
}

fn piece(path: &str) -> Result<Piece, Failure> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let first = slice(&mut file, 0, size.min(FIRST as u64))?;
    let mut reading = Reading::new(&first, size)?;
    while let Some((from, to)) = reading.need() {
        reading.take(&slice(&mut file, from, to)?)?;
    }
    Ok(reading.finish()?)
}

fn slice(file: &mut File, from: u64, to: u64) -> Result<Vec<u8>, Error> {
    file.seek(SeekFrom::Start(from))?;
    let length = usize::try_from(to.saturating_sub(from)).map_err(|_| Error::from(ErrorKind::OutOfMemory))?;
    let mut bytes = Vec::new();
    file.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
