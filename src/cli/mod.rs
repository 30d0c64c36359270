//! The command line: its arguments, and the commands.

pub mod accuracy;
mod engines;
pub mod explain;
mod json;
mod own;
mod pictures;
pub mod plot;
pub mod size;
pub mod table;

use crate::i18n::{self, Language};

/// Where the command runs.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Whether it writes to a terminal.
    pub terminal: bool,
    /// Whether the reader asked for no colours (`NO_COLOR`).
    pub no_color: bool,
    /// The language of the environment, such as `fr_FR.UTF-8`.
    pub language: Option<String>,
}

/// How to read a file by its name, `-` for standard input.
pub type Reader<'a> = &'a mut dyn FnMut(&str) -> Result<String, std::io::Error>;

/// What the options of every command say.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to write JSON.
    pub json: bool,
    /// The language.
    pub language: Language,
    /// Whether to use colours.
    pub colors: bool,
    /// Files of a model.
    pub files: Vec<String>,
    /// Where `accuracy` writes its picture.
    pub picture: Option<String>,
    /// The arguments that are no options.
    pub rest: Vec<String>,
}

const USAGE: &str = "vramfit: reads GPU out-of-memory errors and sizes GPU jobs

usage:
  vramfit explain [--json] [--lang en|fr] [FILE|-]   what a pasted error or log says, why it failed, what fixes it
  vramfit size [--json] [--lang en|fr] [--file FILE]… 'v=1&m=…'
                                                     what a job needs, by the settings of a shared link; with files, of the
                                                     model in them: config.json, GGUF, safetensors and its index
  vramfit table 'v=1&q=…'                            every model on every card, with the settings of a link
  vramfit accuracy [--svg PICTURE] FILE              estimates against measured figures, and their plot
  vramfit help
";

/// Runs a command: what to print, or what to say of arguments that cannot be taken.
pub fn run(arguments: &[String], surroundings: &Surroundings, read: Reader) -> Result<String, String> {
    let Some((command, rest)) = arguments.split_first() else {
        return Err(USAGE.to_owned());
    };
    let options = parse(rest, surroundings)?;
    match command.as_str() {
        "explain" => explain::run(&options, read),
        "size" => {
            let texts = i18n::embedded(options.language);
            let json = options.json.then(|| "--json".to_owned());
            let arguments: Vec<String> = options.rest.iter().cloned().chain(json).collect();
            size::run(&arguments, &options.files, |message| texts.message(message))
                .map_err(|error| format!("{error}\n"))
        }
        "table" => table::run(&options.rest).map_err(|error| format!("{error}\n")),
        "accuracy" => accuracy::run(&options.rest, options.picture.as_deref()).map_err(|error| format!("{error}\n")),
        "help" | "--help" | "-h" => Ok(USAGE.to_owned()),
        "--version" | "-V" => Ok(format!("vramfit {}\n", env!("CARGO_PKG_VERSION"))),
        other => Err(format!("vramfit: there is no command `{other}`\n\n{USAGE}")),
    }
}

fn parse(arguments: &[String], surroundings: &Surroundings) -> Result<Options, String> {
    let by_environment = surroundings.language.as_deref().and_then(Language::from_tag);
    let mut options = Options {
        json: false,
        language: by_environment.unwrap_or(Language::ENGLISH),
        colors: surroundings.terminal && !surroundings.no_color,
        files: Vec::new(),
        picture: None,
        rest: Vec::new(),
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let tag = match argument.as_str() {
            "--json" => {
                options.json = true;
                continue;
            }
            "--file" => {
                let Some(name) = arguments.next() else {
                    return Err(format!("vramfit: --file needs the name of a file\n\n{USAGE}"));
                };
                options.files.push(name.clone());
                continue;
            }
            long if long.starts_with("--file=") => {
                options.files.push(long["--file=".len()..].to_owned());
                continue;
            }
            "--svg" => {
                options.picture = arguments.next().cloned();
                continue;
            }
            "--lang" => arguments.next().map(String::as_str).unwrap_or_default(),
            long if long.starts_with("--lang=") => &long["--lang=".len()..],
            unknown if unknown.starts_with("--") => {
                return Err(format!("vramfit: there is no option `{unknown}`\n\n{USAGE}"));
            }
            name => {
                options.rest.push(name.to_owned());
                continue;
            }
        };
        options.language =
            Language::from_tag(tag).ok_or_else(|| format!("vramfit: `{tag}` is none of the languages: en, fr\n"))?;
    }
    Ok(options)
}
