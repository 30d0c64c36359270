//! Monitors of other makers and other tools: rocm-smi, amd-smi, gpustat, nvitop.
//!
//! Sources: `gpustat/core.py` (its MB are MiB), `nvitop/tui/library`, and public threads for AMD's tools.

use super::evidence::{Figure, Hit, Kind, Value};
use super::lines::{Token, following, line_at, tokens};
use super::template::{Group, Row};
use crate::rows;
use crate::units::Bytes;

/// AMD's monitors.
pub const AMD: Group = Group {
    tool: "rocm-smi",
    kind: Kind::Monitor,
    rows: rows![
        "rocm-total" Lists "AMD-1" "GPU[{card_index:int}] : VRAM Total Memory (B): {card_total:bytes}", "all", "GPU[0]\t\t: VRAM Total Memory (B): 17163091968";
        "rocm-used" Lists "AMD-1" "GPU[{card_index:int}] : VRAM Total Used Memory (B): {card_used:bytes}", "all", "GPU[0]\t\t: VRAM Total Used Memory (B): 11534336";
        "rocm-json" Lists "AMD-1" "VRAM Total Memory (B): {card_total:bytes}, VRAM Total Used Memory (B): {card_used:bytes}", "with --json",
            "{\"card0\": {\"VRAM Total Memory (B)\": \"17163091968\", \"VRAM Total Used Memory (B)\": \"11534336\"}}";
        "rocm-name" Lists "AMD-1" "GPU[{card_index:int}] : Card Series: {card:text}", "all", "GPU[0]\t\t: Card Series: \t\tAMD Radeon RX 7900 XTX";
        "rocm-table" Lists "AMD-1" "VRAM% GPU%", "all",
            "GPU  Temp   AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%\n0    45.0c  18.0W   800Mhz  96Mhz    0%   auto  250.0W   93%   0%";
        "rocm-percent" Lists "AMD-1" "GPU[{card_index:int}] : GPU memory use (%): {vram_percent:int}", "all", "GPU[0]\t\t: GPU memory use (%): 93";
        "amd-memory" Lists "AMD-2" "{card_used:mib}/{card_total:mib} MB |", "amd-smi 26 and later",
            "| 0000:03:00.0 AMD Radeon RX 7900 XTX | 0 %      40 °C   0           15/327 W |\n|   0       0     N/A             N/A | 3 %      0.0 %           1254/24560 MB |";
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
        "nvitop-memory" => line.of(text).contains(['|', '│']) && line.of(text).contains('%'),
        "rocm-table" => {
            table(text, hit, more);
            true
        }
        "gpustat" => {
            holders(text, hit, more);
            true
        }
        _ => true,
    }
}

/// The rows of rocm-smi's table: shares only, no bytes.
fn table(text: &str, hit: &Hit, more: &mut Vec<Hit>) {
    let Some(row) = row(&AMD, "rocm-percent") else { return };
    for line in following(text, hit.span.end, 64).take(32) {
        let words = tokens(text, line);
        let percent = |token: &Token| {
            token
                .text
                .strip_suffix('%')
                .and_then(|digits| digits.parse::<i64>().ok())
        };
        let figure = |name, token: &Token, value| Figure {
            name,
            value: Value::Count(value),
            span: token.span,
        };
        let index = words
            .first()
            .and_then(|first| Some((first, first.text.parse::<i64>().ok()?)));
        let shares: Vec<(&Token, i64)> = words
            .iter()
            .filter_map(|token| Some((token, percent(token)?)))
            .collect();
        let (Some((first, index)), [.., (vram, share), (load, value)]) = (index, shares.as_slice()) else {
            break;
        };
        more.push(Hit {
            row,
            span: line,
            figures: vec![
                figure("card_index", first, index),
                figure("vram_percent", vram, *share),
                figure("card_load", load, *value),
            ],
            ..hit.clone()
        });
    }
}

/// `alice(71220M) bob:python/4242(1024M)` behind gpustat's memory.
fn holders(text: &str, hit: &Hit, more: &mut Vec<Hit>) {
    let Some(row) = row(&GPUSTAT, "gpustat-process") else {
        return;
    };
    let gpu = hit.figures.iter().find(|figure| figure.name == "card_index");
    let words = tokens(text, line_at(text, hit.span.start));
    for token in words.into_iter().filter(|token| token.span.start >= hit.span.end) {
        let Some((name, mib)) = token.text.strip_suffix("M)").and_then(|rest| rest.rsplit_once('(')) else {
            continue;
        };
        let Ok(mib) = mib.parse() else { continue };
        let mut figures = vec![
            Figure {
                name: "process_name",
                value: Value::Word(name.to_owned()),
                span: token.span,
            },
            Figure {
                name: "process",
                value: Value::Bytes(Bytes::mib(mib)),
                span: token.span,
            },
        ];
        let pid = name.rsplit_once('/').and_then(|(_, pid)| pid.parse().ok());
        figures.extend(pid.map(|pid| Figure {
            name: "pid",
            value: Value::Count(pid),
            span: token.span,
        }));
        figures.extend(gpu.map(|gpu| Figure {
            name: "gpu",
            ..gpu.clone()
        }));
        more.push(Hit {
            row,
            span: token.span,
            figures,
            ..hit.clone()
        });
    }
}
