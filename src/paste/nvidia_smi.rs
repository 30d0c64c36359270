//! nvidia-smi in all its forms: the table of every driver generation with MIG and Windows' variants, the CSV query,
//! `-q` and `-L`. A row finds the cell or the header; what stands around it on other lines is read here.
//!
//! Layouts as in public threads, from driver 352 to 610.

use super::evidence::{Figure, Hit, Kind, Value};
use super::lines::{MOST_LINES, Token, before, fields, following, line_at, tokens};
use super::template::{Group, Row};
use crate::rows;
use crate::units::Bytes;

/// All forms. A total here is the board's, larger than what CUDA sees.
pub const SMI: Group = Group {
    tool: "nvidia-smi",
    kind: Kind::Monitor,
    rows: rows![
        "smi-banner" Opens "SMI-1" "NVIDIA-SMI {_smi:word} Driver Version: {driver:word} CUDA Version: {cuda:word}", "410 to 600",
            "| NVIDIA-SMI 531.41                 Driver Version: 531.41       CUDA Version: 12.1     |";
        "smi-banner" Opens "SMI-1" "NVIDIA-SMI {_smi:word} KMD Version: {driver:word} CUDA UMD Version: {cuda:word}", "610 and later",
            "| NVIDIA-SMI 610.12                 KMD Version: 610.12          CUDA UMD Version: 13.2  |";
        "smi-banner-old" Opens "SMI-1" "NVIDIA-SMI {_smi:word} Driver Version: {driver:word}", "before 410",
            "| NVIDIA-SMI 384.145                Driver Version: 384.145                   |";
        "smi-memory" Lists "SMI-1" "{card_used:mib}MiB / {card_total:mib}MiB", "all",
            "|   0  Tesla V100-SXM2...  On   | 00000000:06:00.0 Off |                    0 |\n| N/A   66C    P0   253W / 300W |   9000MiB / 16152MiB |     98%   E. Process |";
        "smi-unified" Lists "SMI-1" "{_frame:word} Not Supported |", "GB10, Jetson",
            "|   0  NVIDIA GB10                    On  |   0000000F:01:00.0 Off |                  N/A |\n| N/A   41C    P8              4W /  N/A  | Not Supported          |      0%      Default |";
        "smi-processes" Lists "SMI-1" "PID Type Process name", "all",
            "|  GPU       PID  Type  Process name                               Usage      |\n|    0     31794    C   python                                      5371MiB |";
        "smi-process" Lists "SMI-1" "{_memory:num}MiB |$", "all", "|    0   N/A  N/A      3020      C   python                                    22000MiB |";
        "smi-process-unknown" Lists "SMI-1" "{_name:word} N/A |$", "Windows", "|    0   N/A  N/A      3020    C+G   ...2txyewy\\StartMenuExperienceHost.exe    N/A      |";
        "smi-no-processes" Adds "SMI-1" "No running processes found", "all", "|  No running processes found                                                 |";
        "smi-csv" Lists "SMI-2" "memory.total {_unit:word}", "all", "index, name, memory.total [MiB], memory.used [MiB]\n0, NVIDIA A10G, 23028 MiB, 512 MiB";
        "smi-csv" Lists "SMI-2" "memory.used {_unit:word}", "all", "index, memory.used [MiB], utilization.gpu [%]\n0, 512 MiB, 3 %";
        "smi-csv" Lists "SMI-2" "memory.free {_unit:word}", "all", "index, memory.free [MiB]\n0, 22200 MiB";
        "smi-csv-apps" Lists "SMI-2" "used_gpu_memory {_unit:word}", "all", "pid, process_name, used_gpu_memory [MiB]\n4242, python, 9000 MiB";
        "smi-csv-apps" Lists "SMI-2" "process_name, used_memory {_unit:word}", "all", "pid, process_name, used_memory [MiB]\n4242, python, 9000 MiB";
        "smi-csv-row" Lists "SMI-2" "{_index:int}, NVIDIA {_name:text}, {_first:int}", "noheader", "0, NVIDIA T4, 15360 MiB, 3 MiB";
        "smi-csv-row" Lists "SMI-2" "{_index:int}, Tesla {_name:text}, {_first:int}", "noheader", "0, Tesla T4, 15109 MiB, 3 MiB";
        "smi-csv-row" Lists "SMI-2" "{_index:int}, GeForce {_name:text}, {_first:int}", "noheader", "0, GeForce GTX 1080, 8119, 512";
        "smi-csv-app" Lists "SMI-2" "{pid:int}, [Not Found], {process:mib} MiB", "noheader, containers", "4242, [Not Found], 9000 MiB";
        "smi-query-name" Lists "SMI-3" "Product Name : {card:text}", "all", "    Product Name                          : NVIDIA A100-SXM4-80GB";
        "smi-query-memory" Lists "SMI-3" "FB Memory Usage Total : {card_total:mib} MiB Reserved : {driver_reserved:mib} MiB Used : {card_used:mib} MiB Free : {free:mib} MiB", "510 and later",
            "    FB Memory Usage\n        Total                             : 81920 MiB\n        Reserved                          : 551 MiB\n        Used                              : 61234 MiB\n        Free                              : 20134 MiB";
        "smi-query-memory" Lists "SMI-3" "FB Memory Usage Total : {card_total:mib} MiB Used : {card_used:mib} MiB Free : {free:mib} MiB", "before 510",
            "    FB Memory Usage\n        Total                       : 16280 MiB\n        Used                        : 10 MiB\n        Free                        : 16270 MiB";
        "smi-query-used" Lists "SMI-3" "Used : {card_used:mib} MiB Free : {free:mib} MiB BAR1 Memory Usage", "cut off",
            "        Used                              : 19147 MiB\n        Free                              : 5121 MiB\n    BAR1 Memory Usage";
        "smi-process-unknown" Lists "SMI-3" "Process ID : {pid:int} Type : {_type:word} Name : {process_name:text} Used GPU Memory : Not available", "Windows",
            "        Process ID                        : 1300\n            Type                          : C+G\n            Name                          : C:\\Windows\\explorer.exe\n            Used GPU Memory               : Not available in WDDM driver model";
        "smi-query-name" Lists "SMI-3" "<product_name>{card:text}</product_name>", "-x", "\t\t<product_name>NVIDIA GeForce GTX 1650</product_name>";
        "smi-query-memory" Lists "SMI-3" "<fb_memory_usage> <total>{card_total:mib} MiB</total> <used>{card_used:mib} MiB</used> <free>{free:mib} MiB</free>", "-x, before 510",
            "\t\t<fb_memory_usage>\n\t\t\t<total>4096 MiB</total>\n\t\t\t<used>745 MiB</used>\n\t\t\t<free>3351 MiB</free>";
        "smi-query-memory" Lists "SMI-3" "<fb_memory_usage> <total>{card_total:mib} MiB</total> <reserved>{driver_reserved:mib} MiB</reserved> <used>{card_used:mib} MiB</used> <free>{free:mib} MiB</free>", "-x, 510 and later",
            "\t\t<fb_memory_usage>\n\t\t\t<total>24564 MiB</total>\n\t\t\t<reserved>364 MiB</reserved>\n\t\t\t<used>745 MiB</used>\n\t\t\t<free>23454 MiB</free>";
        "smi-process" Lists "SMI-3" "<pid>{pid:int}</pid> <type>{_type:word}</type> <process_name>{process_name:text}</process_name> <used_memory>{process:mib} MiB</used_memory>", "-x",
            "\t\t\t\t<pid>9396</pid>\n\t\t\t\t<type>C</type>\n\t\t\t\t<process_name>python</process_name>\n\t\t\t\t<used_memory>745 MiB</used_memory>";
        "smi-process" Lists "SMI-3" "Process ID : {pid:int} Type : {_type:word} Name : {process_name:text} Used GPU Memory : {process:mib} MiB", "all",
            "        Process ID                        : 4242\n            Type                          : C\n            Name                          : python\n            Used GPU Memory               : 61200 MiB";
        "smi-list" Lists "SMI-4" "GPU {card_index:int}: {card:text} (UUID: GPU-", "all", "GPU 0: NVIDIA A100-PCIE-40GB (UUID: GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77)";
        "smi-list-mig" Lists "SMI-4" "MIG {_profile:word} Device {card_index:int}: (UUID: MIG-", "with MIG", "  MIG 3g.20gb     Device  0: (UUID: MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f)";
    ],
};

/// The row of this id.
fn row(id: &str) -> Option<Row> {
    SMI.rows.find(id)
}

/// The row of a process, with the memory that it holds or without.
pub(super) fn process_row(known: bool) -> Option<Row> {
    row(if known { "smi-process" } else { "smi-process-unknown" })
}

/// Whether all of these are among the figures: a line whose message would lack one is told by its header's.
pub(super) fn has(figures: &[Figure], names: &[&str]) -> bool {
    let there = |name: &&str| figures.iter().any(|figure| figure.name == *name);
    names.iter().all(there)
}

/// Reads what stands around a hit on its own and on other lines; `false` where it is none of nvidia-smi's.
/// The lines of a list that follow are added to `more`.
pub fn complete(text: &str, hit: &mut Hit, more: &mut Vec<Hit>) -> bool {
    match hit.row.id {
        "smi-memory" => device(text, hit),
        "smi-unified" => device_names(text, hit),
        "smi-process" | "smi-process-unknown" if hit.figures.is_empty() => process(text, hit),
        "smi-processes" => {
            let mut misses = 0;
            for line in following(text, hit.span.end, MOST_LINES) {
                let mut next = Hit {
                    span: line,
                    figures: Vec::new(),
                    ..hit.clone()
                };
                match process(text, &mut next) {
                    true => more.push(next),
                    // The header's second line comes first; a sentence or another table ends the list.
                    false if more.is_empty() && misses < 2 => misses += 1,
                    false => break,
                }
            }
            true
        }
        "smi-csv" | "smi-csv-apps" => header(text, hit, more),
        "smi-csv-row" => bare(text, hit),
        "smi-list-mig" => {
            // The device stands behind the profile, which is the slice's name.
            let line = line_at(text, hit.span.start);
            let profile = tokens(text, line)
                .get(1)
                .copied()
                .filter(|token| token.text.contains('g'));
            hit.figures.extend(profile.map(|token| Figure {
                name: "card",
                value: Value::Word(format!("MIG {}", token.text)),
                span: token.span,
            }));
            true
        }
        _ => true,
    }
}

fn word(name: &'static str, token: Token, value: String) -> Figure {
    Figure {
        name,
        value: Value::Word(value),
        span: token.span,
    }
}

fn count(name: &'static str, token: Token) -> Option<Figure> {
    Some(Figure {
        name,
        value: Value::Count(token.text.parse().ok()?),
        span: token.span,
    })
}

/// The whole number that a cell begins with, where nothing but its unit follows.
fn amount(token: Token, unit: &str) -> Option<i64> {
    let digits = token.text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = token.text.split_at(digits);
    let plain = rest.is_empty() || (rest.ends_with(unit) && !rest.starts_with(['.', ',']));
    number.parse().ok().filter(|_| plain)
}

/// `9000MiB`, `9000 MiB`, `9000`: integers as nvidia-smi prints them.
fn mib(name: &'static str, token: Token) -> Option<Figure> {
    let value = Value::Bytes(Bytes::mib(amount(token, "MiB")?));
    Some(Figure {
        name,
        value,
        span: token.span,
    })
}

/// A PCI address such as `00000000:3B:00.0`.
fn is_bus_id(word: &str) -> bool {
    let hex = |part: &str, length: std::ops::RangeInclusive<usize>| {
        length.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let mut parts = word.split([':', '.']);
    let four = [parts.next(), parts.next(), parts.next(), parts.next()];
    let [Some(domain), Some(bus), Some(device), Some(function)] = four else {
        return false;
    };
    parts.next().is_none() && hex(domain, 4..=8) && hex(bus, 2..=2) && hex(device, 2..=2) && hex(function, 1..=1)
}

/// The words of the name column that are no part of a name: persistence and driver model.
const MODES: [&str; 7] = ["On", "Off", "WDDM", "TCC", "MCDM", "N/A", "ERR!"];

/// The index and name that `words` begin with, into figures; `false` where no index stands there.
fn named<'a>(words: &mut dyn Iterator<Item = Token<'a>>, hit: &mut Hit) -> bool {
    let Some(index) = words.next().and_then(|token| count("card_index", token)) else {
        return false;
    };
    hit.figures.push(index);
    let mut name: Vec<Token> = words.collect();
    while name.last().is_some_and(|token| MODES.contains(&token.text)) {
        name.pop();
    }
    if let (Some(first), Some(last)) = (name.first(), name.last()) {
        let joined = name.iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
        let span = first.span.and(last.span);
        hit.figures.push(Figure {
            name: "card",
            value: Value::Word(joined),
            span,
        });
    }
    true
}

/// A card's memory cell: its load stands behind it, its name on the line before, in the article's short form on the same.
pub(super) fn device(text: &str, hit: &mut Hit) -> bool {
    let line = line_at(text, hit.span.start);
    let cell = tokens(text, line);
    let (mut left, right): (Vec<Token>, Vec<Token>) = (
        cell.iter()
            .filter(|token| token.span.end <= hit.span.start)
            .copied()
            .collect(),
        cell.iter()
            .filter(|token| token.span.start >= hit.span.end)
            .copied()
            .collect(),
    );
    if let Some(load) = right.iter().find_map(|token| {
        let value = token.text.strip_suffix('%')?.parse().ok()?;
        Some(Figure {
            name: "card_load",
            value: Value::Count(value),
            span: token.span,
        })
    }) {
        hit.figures.push(load);
    }
    let framed = line.of(text).contains(['|', '│']);
    let numbers = left.iter().filter(|token| token.text.parse::<i64>().is_ok()).count();
    if left.len() == 4 && numbers == 4 {
        // A slice of MIG: GPU, instance, compute instance, device.
        hit.figures.extend(count("card_index", left[0]));
        hit.figures.push(word("card", left[1], format!("MIG {}", left[1].text)));
        return true;
    }
    if left.len() > 2 && numbers > 0 && left[1].text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        // `| 0  NVIDIA GeForce RTX 4090  ...  | 21540MiB / 24564MiB |`, all on one line.
        if let Some(bus) = left.iter().position(|token| is_bus_id(token.text)) {
            left.truncate(bus);
        }
        let reads = |token: &Token| token.text.ends_with('C') && token.text.as_bytes()[0].is_ascii_digit();
        if left[0].text.parse::<i64>().is_ok() && !left.iter().any(reads) {
            return named(&mut left.into_iter(), hit);
        }
    }
    let named = device_names(text, hit);
    // A second cell without anything before it is the slice's BAR1, no memory.
    let alone = left.is_empty() && !right.iter().any(|token| token.text.ends_with('%'));
    named || (framed && !alone)
}

/// amd-smi's card: its index begins the line of its memory, its name stands behind the PCI address on the line above.
pub(super) fn named_above(text: &str, hit: &mut Hit) {
    let words = tokens(text, line_at(text, hit.span.start));
    hit.figures
        .extend(words.first().and_then(|first| count("card_index", *first)));
    let Some(line) = before(text, hit.span.start, 1).next() else {
        return;
    };
    let words = tokens(text, line);
    let Some(bus) = words.iter().position(|token| is_bus_id(token.text)) else {
        return;
    };
    let name = words[bus + 1..]
        .iter()
        .take_while(|token| token.text != "N/A" && token.text.parse::<i64>().is_err());
    let name: Vec<&Token> = name.collect();
    if let (Some(first), Some(last)) = (name.first(), name.last()) {
        let joined = name.iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
        hit.figures.push(Figure {
            name: "card",
            value: Value::Word(joined),
            span: first.span.and(last.span),
        });
    }
}

/// The name of a card from the line with its PCI address, up to three lines before its memory.
fn device_names(text: &str, hit: &mut Hit) -> bool {
    for line in before(text, hit.span.start, 3) {
        if line.of(text).contains("MiB /") {
            return false;
        }
        let words = tokens(text, line);
        if let Some(bus) = words.iter().position(|token| is_bus_id(token.text)) {
            return named(&mut words[..bus].iter().copied(), hit);
        }
    }
    false
}

/// `0  N/A  N/A  3020  C+G  ...name.exe  N/A`: GPU, instances since 450, pid, type, name, memory.
fn process(text: &str, hit: &mut Hit) -> bool {
    let line = line_at(text, hit.span.start);
    let words = tokens(text, line);
    let is_type = |token: &Token| matches!(token.text, "C" | "G" | "C+G" | "G+C" | "M" | "M+C");
    let Some(kind) = words
        .iter()
        .position(is_type)
        .filter(|at| (2..=4).contains(at) && words.len() > at + 2)
    else {
        return false;
    };
    let (Some(gpu), Some(pid)) = (count("gpu", words[0]), count("pid", words[kind - 1])) else {
        return false;
    };
    let last = words[words.len() - 1];
    let name = words[kind + 1..words.len() - 1]
        .iter()
        .map(|token| token.text)
        .collect::<Vec<_>>()
        .join(" ");
    let bytes = mib("process", last);
    if bytes.is_none() && !matches!(last.text, "N/A" | "[N/A]") {
        return false;
    }
    hit.row = process_row(bytes.is_some()).unwrap_or(hit.row);
    hit.figures = vec![gpu, pid, word("process_name", words[kind + 1], name)];
    hit.figures.extend(bytes);
    hit.span = words[0].span.and(last.span);
    true
}

/// The columns of the CSV query that are read, by the beginning of their names.
const COLUMNS: [(&str, &str); 10] = [
    ("index", "card_index"),
    ("gpu_name", "card"),
    ("name", "card"),
    ("memory.total", "card_total"),
    ("memory.used", "card_used"),
    ("memory.free", "free"),
    ("utilization.gpu", "card_load"),
    ("pid", "pid"),
    ("process_name", "process_name"),
    ("used_", "process"),
];

/// A field into the figure of its column; `None` for `[N/A]` and the like.
fn figure(column: &'static str, field: Token) -> Option<Figure> {
    match column {
        "card_index" | "pid" => count(column, field),
        "card_load" => {
            let value = Value::Count(amount(field, "%")?);
            Some(Figure {
                name: column,
                value,
                span: field.span,
            })
        }
        "card_total" | "card_used" | "free" | "process" => mib(column, field),
        "card" | "process_name" => Some(word(column, field, field.text.to_owned())),
        _ => None,
    }
}

/// A header of the CSV query, and the lines under it.
fn header(text: &str, hit: &mut Hit, more: &mut Vec<Hit>) -> bool {
    let line = line_at(text, hit.span.start);
    let columns: Vec<&'static str> = fields(text, line)
        .iter()
        .map(|field| {
            let known = COLUMNS.iter().find(|(name, _)| field.text.starts_with(name));
            known.map_or("", |(_, column)| *column)
        })
        .collect();
    // A sentence or a command may speak of `memory.used`; only a table has lines under it.
    if line.of(text).contains("--query") {
        return false;
    }
    let apps = columns.iter().any(|column| matches!(*column, "pid" | "process_name"));
    let name = columns
        .iter()
        .position(|column| matches!(*column, "card" | "process_name"));
    for line in following(text, hit.span.end, 200) {
        let fields = fields(text, line);
        let Some(extra) = fields.len().checked_sub(columns.len()) else {
            break;
        };
        let mut figures = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            // A name may hold commas: the columns behind it are counted from the right.
            let at = if name.is_some_and(|name| at > name) {
                at + extra
            } else {
                at
            };
            figures.extend(fields.get(at).and_then(|field| figure(column, *field)));
        }
        if !figures.iter().any(|figure| !matches!(figure.value, Value::Word(_))) {
            break;
        }
        let id = match apps {
            false => "smi-csv-row",
            true if has(&figures, &["pid", "process"]) => "smi-csv-app",
            // Windows names the programs, but not what each holds.
            true if has(&figures, &["pid", "process_name"]) => "smi-process-unknown",
            true => hit.row.id,
        };
        more.push(Hit {
            row: row(id).unwrap_or(hit.row),
            span: line,
            figures,
            ..hit.clone()
        });
    }
    hit.span = line;
    !more.is_empty()
}

/// A line of the CSV query without its header: the largest amount is the card's, the first other one is in use.
fn bare(text: &str, hit: &mut Hit) -> bool {
    let line = line_at(text, hit.span.start);
    let fields = fields(text, line);
    let Some(named) = fields
        .iter()
        .position(|field| amount(*field, "MiB").is_none() && amount(*field, "%").is_none())
    else {
        return false;
    };
    let amounts: Vec<Figure> = fields[named + 1..]
        .iter()
        .filter_map(|field| mib("card_used", *field))
        .collect();
    let bytes = |figure: &Figure| match figure.value {
        Value::Bytes(bytes) => bytes,
        _ => Bytes::ZERO,
    };
    let Some(total) = amounts
        .iter()
        .map(bytes)
        .max()
        .filter(|total| *total >= Bytes::mib(1024))
    else {
        return false;
    };
    hit.figures.extend(
        fields
            .first()
            .filter(|_| named > 0)
            .and_then(|field| count("card_index", *field)),
    );
    hit.figures
        .push(word("card", fields[named], fields[named].text.to_owned()));
    let place = amounts.iter().position(|figure| bytes(figure) == total).unwrap_or(0);
    let mut amounts = amounts;
    let mut whole = amounts.remove(place);
    whole.name = "card_total";
    hit.figures.push(whole);
    hit.figures.extend(amounts.into_iter().next());
    hit.span = line;
    true
}
