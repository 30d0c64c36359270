//! The command line: `vramfit explain` and `vramfit size`.

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, args) = args
        .split_first()
        .map_or(("", &[][..]), |(command, args)| (command.as_str(), args));
    let answer = match command {
        "accuracy" => vramfit::cli::accuracy::run(args),
        _ => vramfit::cli::size::run(args, |message| format!("{message:?}")),
    };
    match answer {
        Ok(text) => print!("{text}"),
        Err(text) => {
            eprintln!("{text}");
            std::process::exit(2);
        }
    }
}
