//! The command line: `vramfit explain` reads a paste, `vramfit size` sizes a job.

use std::io::{IsTerminal, Read, Write};
use std::process::ExitCode;
use vramfit::cli;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let surroundings = cli::Surroundings {
        terminal: std::io::stdout().is_terminal(),
        no_color: std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
        language: ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty())),
    };
    let answer = cli::run(&arguments, &surroundings, &mut read_input);
    let (text, code) = match &answer {
        Ok(text) => (text, 0),
        Err(text) => (text, 2),
    };
    // A closed pipe (`| head`) is no error of ours.
    let _ = if code == 0 {
        std::io::stdout().write_all(text.as_bytes())
    } else {
        std::io::stderr().write_all(text.as_bytes())
    };
    ExitCode::from(code)
}

/// Reads a file, or standard input for `-`; bytes that are no UTF-8 are replaced, not refused.
fn read_input(name: &str) -> Result<String, std::io::Error> {
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(name)?;
    }
    // What PowerShell writes with `>`.
    if let [0xff, 0xfe, rest @ ..] = bytes.as_slice() {
        let units: Vec<u16> = rest
            .chunks_exact(2)
            .map(|two| u16::from_le_bytes([two[0], two[1]]))
            .collect();
        return Ok(String::from_utf16_lossy(&units));
    }
    // The same, taken for a text of one byte a character.
    bytes.retain(|byte| *byte != 0);
    // A log may be large: no second copy of what is UTF-8 already.
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}
