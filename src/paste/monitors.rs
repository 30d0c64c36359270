//! Monitors of other makers and other tools: rocm-smi, amd-smi, gpustat, nvitop.
//!
//! Sources: `gpustat/core.py` (its MB are MiB), `nvitop/tui/library`, and public threads for AMD's tools.

use super::clauses::printable;
use super::evidence::{Figure, Hit, Kind, Value};
use super::lines::{Token, fields, following, line_at, tokens};
use super::nvidia_smi;
use super::template::{Group, Row};
use crate::rows;
use crate::units::{Bytes, Decimal, MIB, Prefixes, unit_bytes};

/// AMD's monitors.
pub const AMD: Group = Group {
    tool: "rocm-smi",
    kind: Kind::Monitor,
    rows: rows![
        "rocm-total" Lists "AMD-1" "GPU[{card_index:int}] : VRAM Total Memory (B): {card_total:bytes}", "all", "GPU[0]\t\t: VRAM Total Memory (B): 17163091968";
        "rocm-used" Lists "AMD-1" "GPU[{card_index:int}] : VRAM Total Used Memory (B): {card_used:bytes}", "all", "GPU[0]\t\t: VRAM Total Used Memory (B): 11534336";
        "rocm-json" Lists "AMD-1" "VRAM Total Memory (B): {card_total:bytes}, VRAM Total Used Memory (B): {card_used:bytes}", "with --json",
            "{\"card0\": {\"VRAM Total Memory (B)\": \"17163091968\", \"VRAM Total Used Memory (B)\": \"11534336\"}}";
        "rocm-json" Lists "AMD-1" "GPU memory use: {card_used:bytes}, GPU memory available: {card_total:bytes}", "with --json, 5.6 and later",
            "\"GPU memory use\": \"17453056\",\n    \"GPU memory available\": \"17163091968\"";
        "rocm-name" Lists "AMD-1" "GPU[{card_index:int}] : Card Series: {card:text}", "all", "GPU[0]\t\t: Card Series: \t\tAMD Radeon RX 7900 XTX";
        "rocm-table" Lists "AMD-1" "VRAM% GPU%", "all",
            "GPU  Temp   AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%\n0    45.0c  18.0W   800Mhz  96Mhz    0%   auto  250.0W   93%   0%";
        "rocm-percent" Lists "AMD-1" "GPU[{card_index:int}] : GPU memory use (%): {vram_percent:int}", "all", "GPU[0]\t\t: GPU memory use (%): 93";
        "amd-memory" Lists "AMD-2" "{card_used:mib}/{card_total:mib} MB |", "amd-smi 26 and later",
            "| 0000:03:00.0 AMD Radeon RX 7900 XTX | 0 %      40 °C   0           15/327 W |\n|   0       0     N/A             N/A | 3 %      0.0 %           1254/24560 MB |";
        "rocm-csv" Lists "AMD-1" "VRAM Total Memory (B),VRAM Total Used Memory (B)", "with --csv",
            "device,VRAM Total Memory (B),VRAM Total Used Memory (B)\ncard0,17163091968,11534336";
        "rocm-pids" Lists "AMD-1" "PID PROCESS NAME GPU(s) VRAM USED", "with --showpids",
            "PID     PROCESS NAME    GPU(s)  VRAM USED       SDMA USED       CU OCCUPANCY\n1168514 pt_main_thread  1       177386942464    0               4";
        "amd-processes" Lists "AMD-2" "GPU PID Process Name GTT_MEM", "amd-smi 26 and later",
            "|  GPU        PID  Process Name          GTT_MEM  VRAM_MEM  MEM_USAGE     CU % |\n|    0    1101814  python3.12           348.6 MB   22.5 GB   22.9 GB  N/A     |";
        "amd-processes" Lists "AMD-2" "GPU NAME PID GTT_MEM CPU_MEM", "amd-smi monitor --process",
            "GPU                  NAME      PID   GTT_MEM   CPU_MEM  VRAM_MEM  MEM_USAGE     GFX     ENC\n  0                   N/A  2266127     0.0 B     0.0 B    2.8 GB      0.0 B    0 ns    0 ns";
        "amd-process" Lists "AMD-2" "NAME: {process_name:text} PID: {pid:int} MEMORY_USAGE: GTT_MEM: {_gtt:size} CPU_MEM: {_cpu:size} VRAM_MEM: {process:size}", "amd-smi process",
            "        NAME: python3\n        PID: 2266127\n        MEMORY_USAGE:\n            GTT_MEM: 0.0 B\n            CPU_MEM: 0.0 B\n            VRAM_MEM: 1.9 GB";
        "amd-monitor" Lists "AMD-2" "VRAM_USAGE", "amd-smi monitor",
            "GPU  POWER   GPU_T   GFX%   MEM%      VRAM_USAGE\n  0  305 W   49 °C   97 %    1 %    3.0/191.7 GB";
        "amd-metric" Lists "AMD-2" "TOTAL_VRAM: {card_total:mib} MB USED_VRAM: {card_used:mib} MB", "amd-smi metric", "        TOTAL_VRAM: 24560 MB\n        USED_VRAM: 1254 MB";
    ],
};

/// gpustat, in its four layouts.
pub const GPUSTAT: Group = Group {
    tool: "gpustat",
    kind: Kind::Monitor,
    rows: rows![
        "gpustat" Lists "TOOL-1" "[{card_index:int}] {card:text} | {_temperature:int}'C, {card_load:int} % | {card_used:mib} / {card_total:mib} MB", "before 1.0",
            "[0] Tesla P100-PCIE-16GB | 27'C,   0 % |   103 / 16384 MB |";
        "gpustat" Lists "TOOL-1" "[{card_index:int}] {card:text} | {_temperature:int}'C, {card_load:int} %, {_power:text}| {card_used:mib} / {card_total:mib} MB", "before 1.0, with power",
            "[0] Tesla P100-PCIE-16GB | 27'C,   0 %,   32 / 250 W |   103 / 16384 MB |";
        "gpustat" Lists "TOOL-1" "[{card_index:int}] {card:text} | {_temperature:int}°C, {card_load:int} % | {card_used:mib} / {card_total:mib} MB", "1.0 and later",
            "[0] NVIDIA A100-SXM4-80GB | 45°C,  97 % | 71234 / 81920 MB | alice(71220M)";
        "gpustat" Lists "TOOL-1" "[{card_index:int}] {card:text} | {_temperature:int}°C, {card_load:int} %, {_power:text}| {card_used:mib} / {card_total:mib} MB", "1.0 and later, with power",
            "[0] NVIDIA A100-SXM4-80GB | 45°C,  97 %,  310 / 400 W | 71234 / 81920 MB |";
        "gpustat-process" Lists "TOOL-1" "{card_used:mib} / {card_total:mib} MB | {process_name:word}({process:mib}M)", "all", "71234 / 81920 MB | alice(71220M)";
    ],
};

/// nvitop, whose box looks like nvidia-smi's but has GiB for large cards.
pub const NVITOP: Group = Group {
    tool: "nvitop",
    kind: Kind::Monitor,
    rows: rows![
        "nvitop-memory" Lists "TOOL-2" "{card_used:gib}GiB / {card_total:gib}GiB", "all", "│ 30%   45C    P8    20W / 450W │  22.89GiB / 23.99GiB │      0%      Default │";
        "nvitop-memory" Lists "TOOL-2" "{card_used:mib}MiB / {card_total:gib}GiB", "all", "│ 30%   45C    P8    20W / 450W │   1024MiB / 23.99GiB │      0%      Default │";
        "nvitop-memory" Lists "TOOL-2" "{card_used:bytes}B / {card_total:gib}GiB", "all", "│ MAX   20C    P8     9W / 250W │        0B / 22.38GiB │      0%      Default │";
        "nvitop-processes" Lists "TOOL-2" "GPU PID USER GPU-MEM", "all",
            "│ GPU     PID      USER  GPU-MEM %SM %GMBW  %CPU  %MEM      TIME  COMMAND │\n│   0   40221 C   alice 70.98GiB  98    61 101.2   1.2   3:02:11  python train.py │";
    ],
};

fn row(group: &Group, id: &str) -> Option<Row> {
    group.rows.find(id)
}

/// Reads what stands around a hit; `false` where it is none of these tools'.
pub fn complete(text: &str, hit: &mut Hit, more: &mut Vec<Hit>) -> bool {
    let line = line_at(text, hit.span.start);
    match hit.row.id {
        // A container's monitor prints `1.9GiB / 31GiB` too, without a frame or a load of a GPU.
        "nvitop-memory" => {
            let framed = line.of(text).contains(['|', '│']) && line.of(text).contains('%');
            framed && nvidia_smi::device(text, hit)
        }
        "rocm-table" => rows_under(text, hit, more, share),
        "rocm-csv" => {
            // The lines under a header of commas.
            let columns = fields(text, line);
            let columns: Vec<&str> = columns.iter().map(|field| field.text).collect();
            for line in following(text, hit.span.end, 64).take(32) {
                let fields = fields(text, line);
                if fields.len() < columns.len() {
                    break;
                }
                let figures = columns
                    .iter()
                    .zip(&fields)
                    .filter_map(|(column, field)| csv(column, field));
                let figures: Vec<Figure> = figures.collect();
                let told = nvidia_smi::has(&figures, &["card_used", "card_total"]).then(|| row(&AMD, "rocm-json"));
                push(more, hit, told.unwrap_or(Some(hit.row)), line, figures);
            }
            true
        }
        "rocm-pids" | "amd-processes" | "nvitop-processes" => {
            let read = match hit.row.id {
                "rocm-pids" => kfd_process,
                "amd-processes" => amd_process,
                _ => nvitop_process,
            };
            rows_under(text, hit, more, |words| {
                let figures = read(words)?;
                let told = nvidia_smi::has(&figures, &["pid", "process_name"]);
                let row = told.then(|| nvidia_smi::process_row(nvidia_smi::has(&figures, &["process"])));
                Some((row.unwrap_or(Some(hit.row))?, figures))
            })
        }
        "amd-memory" => {
            nvidia_smi::named_above(text, hit);
            true
        }
        "amd-monitor" => rows_under(text, hit, more, amd_usage),
        "gpustat" => {
            holders(text, hit, more);
            true
        }
        _ => true,
    }
}

/// A row under a table's header: which message it is, and its figures.
type Read = (Row, Vec<Figure>);

/// Reads the rows under a table's header until one is none; the header may have a second line. Always true, for the
/// header stands for itself.
fn rows_under(text: &str, hit: &Hit, more: &mut Vec<Hit>, read: impl Fn(&[Token]) -> Option<Read>) -> bool {
    let mut misses = 0;
    for line in following(text, hit.span.end, 400) {
        match read(&tokens(text, line)) {
            Some((row, figures)) => push(more, hit, Some(row), line, figures),
            None if more.is_empty() && misses < 1 => misses += 1,
            None => break,
        }
    }
    true
}

fn push(more: &mut Vec<Hit>, hit: &Hit, row: Option<Row>, span: super::Span, figures: Vec<Figure>) {
    if let Some(row) = row.filter(|_| !figures.is_empty()) {
        more.push(Hit {
            row,
            span,
            figures,
            ..hit.clone()
        });
    }
}

fn figure(name: &'static str, token: &Token, value: Value) -> Figure {
    Figure {
        name,
        value,
        span: token.span,
    }
}

fn count(name: &'static str, token: &Token) -> Option<Figure> {
    Some(figure(name, token, Value::Count(token.text.parse().ok()?)))
}

/// `12.5`, exactly, times `unit` bytes.
fn decimal(text: &str, unit: i64) -> Option<Bytes> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() + fraction.len() > 18 || !plain(whole) || !plain(fraction) {
        return None;
    }
    let mantissa = [whole, fraction].concat().parse().ok()?;
    let decimals = fraction.len() as u32;
    Decimal { mantissa, decimals }.times(unit)
}

/// `70.98GiB`, `1024MiB`, `0B`.
fn glued(text: &str) -> Option<Bytes> {
    let digits = text
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || *byte == b'.')
        .count();
    let (number, unit) = text.split_at(digits);
    decimal(number, unit_bytes(unit, Prefixes::Binary)?)
}

/// The sizes with a unit apart, `22.5 GB`, by the place of their number.
fn sizes(words: &[Token]) -> Vec<(usize, Bytes)> {
    let pairs = words.windows(2).enumerate();
    let size = |(at, pair): (usize, &[Token])| {
        let unit = unit_bytes(pair[1].text, Prefixes::Binary)?;
        Some((at, decimal(pair[0].text, unit)?))
    };
    pairs.filter_map(size).collect()
}

/// Words joined, as a figure.
fn name(words: &[Token]) -> Option<Figure> {
    let (first, last) = (words.first()?, words.last()?);
    let joined = words.iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
    Some(Figure {
        name: "process_name",
        value: Value::Word(joined),
        span: first.span.and(last.span),
    })
}

/// A row of rocm-smi's table: shares only, no bytes.
fn share(words: &[Token]) -> Option<Read> {
    let percent = |token: &Token| token.text.strip_suffix('%')?.parse::<i64>().ok();
    let mut figures = vec![count("card_index", words.first()?)?];
    let shares: Vec<(&Token, i64)> = words
        .iter()
        .filter_map(|token| Some((token, percent(token)?)))
        .collect();
    let [.., (vram, share), (load, value)] = shares.as_slice() else {
        return None;
    };
    figures.push(figure("vram_percent", vram, Value::Count(*share)));
    figures.push(figure("card_load", load, Value::Count(*value)));
    Some((row(&AMD, "rocm-percent")?, figures))
}

/// A field of rocm-smi's CSV by its column.
fn csv(column: &str, field: &Token) -> Option<Figure> {
    let bytes = |name| Some(figure(name, field, Value::Bytes(Bytes(field.text.parse().ok()?))));
    match column {
        "device" => {
            let index = field.text.trim_start_matches("card").parse().ok()?;
            Some(figure("card_index", field, Value::Count(index)))
        }
        "VRAM Total Memory (B)" => bytes("card_total"),
        "VRAM Total Used Memory (B)" => bytes("card_used"),
        "Card Series" => Some(figure("card", field, Value::Word(field.text.to_owned()))),
        _ => None,
    }
}

/// `1168514 pt_main_thread 1 177386942464 0 4`: PID, name, number of cards, VRAM in bytes, SDMA, CU.
fn kfd_process(words: &[Token]) -> Option<Vec<Figure>> {
    let [pid, named @ .., _cards, vram, _sdma, _occupancy] = words else {
        return None;
    };
    let bytes = Bytes(vram.text.parse().ok()?);
    let mut figures = vec![count("pid", pid)?, figure("process", vram, Value::Bytes(bytes))];
    figures.extend(name(named));
    Some(figures)
}

/// `0 1101814 python3.12 348.6 MB 22.5 GB 22.9 GB N/A`, or with the name before the PID: GTT, VRAM and all, the first two of
/// which are read. On a card that shares the system's memory nearly all of it is GTT.
fn amd_process(words: &[Token]) -> Option<Vec<Figure>> {
    let sizes = sizes(words);
    let (at, gtt) = *sizes.first()?;
    // Of four sizes the second is the CPU's.
    let (place, vram) = *sizes.get(if sizes.len() > 3 { 2 } else { 1 })?;
    let (held, place) = if gtt > vram { (gtt, at) } else { (vram, place) };
    let mut figures = vec![count("gpu", words.first()?)?];
    let middle = words.get(1..at)?;
    let (pid, named) = match (middle.first().and_then(|first| count("pid", first)), middle) {
        (Some(pid), [_, named @ ..]) => (pid, named),
        (_, [named @ .., last]) => (count("pid", last)?, named),
        _ => return None,
    };
    figures.push(pid);
    figures.push(figure("process", words.get(place)?, Value::Bytes(held)));
    figures.extend(name(named));
    Some(figures)
}

/// `0 40221 C alice 70.98GiB 98 61 101.2 1.2 3:02:11 python train.py`.
fn nvitop_process(words: &[Token]) -> Option<Vec<Figure>> {
    let [gpu, pid, kind, user, memory, rest @ ..] = words else {
        return None;
    };
    if !matches!(kind.text, "C" | "G" | "X" | "C+G") {
        return None;
    }
    let mut figures = vec![count("gpu", gpu)?, count("pid", pid)?];
    figures.extend(glued(memory.text).map(|bytes| figure("process", memory, Value::Bytes(bytes))));
    // Shares and a time stand before the command.
    let is_number = |token: &&Token| token.text.starts_with(|sign: char| sign.is_ascii_digit()) || token.text == "N/A";
    let command = rest.iter().take_while(is_number).count();
    let command = rest.get(command..).unwrap_or_default();
    // A narrow terminal leaves no room for it.
    figures.extend(name(command).or_else(|| name(std::slice::from_ref(user))));
    Some(figures)
}

/// `0 293 W 49 °C … 183.1/191.7 GB`.
fn amd_usage(words: &[Token]) -> Option<Read> {
    let mut figures = vec![count("card_index", words.first()?)?];
    let [.., usage, unit] = words else { return None };
    let unit = unit_bytes(unit.text, Prefixes::Binary).filter(|unit| *unit >= MIB)?;
    let (used, total) = usage.text.split_once('/')?;
    figures.push(figure("card_used", usage, Value::Bytes(decimal(used, unit)?)));
    figures.push(figure("card_total", usage, Value::Bytes(decimal(total, unit)?)));
    Some((row(&AMD, "amd-memory")?, figures))
}

/// `alice(71220M) bob:python/4242(1024M)` behind gpustat's memory.
fn holders(text: &str, hit: &Hit, more: &mut Vec<Hit>) {
    let gpu = hit.figures.iter().find(|figure| figure.name == "card_index");
    let words = tokens(text, line_at(text, hit.span.start));
    for token in words.into_iter().filter(|token| token.span.start >= hit.span.end) {
        let plain = printable(token.text);
        let Some((name, mib)) = plain.strip_suffix("M)").and_then(|rest| rest.rsplit_once('(')) else {
            continue;
        };
        let Ok(mib) = mib.parse() else { continue };
        let mut figures = vec![
            figure("process_name", &token, Value::Word(name.to_owned())),
            figure("process", &token, Value::Bytes(Bytes::mib(mib))),
        ];
        let pid = name.rsplit_once('/').and_then(|(_, pid)| pid.parse().ok());
        figures.extend(pid.map(|pid| figure("pid", &token, Value::Count(pid))));
        figures.extend(gpu.map(|gpu| Figure {
            name: "gpu",
            ..gpu.clone()
        }));
        push(more, hit, row(&GPUSTAT, "gpustat-process"), token.span, figures);
    }
}
