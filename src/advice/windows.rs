//! Commands for Windows, where the text shows it: PowerShell in the place of a Unix shell's lines.

use super::{Command, Fix, Job, Place};

/// The beginnings of lines that Windows has another line for; nothing where it has none.
const LINES: [(&str, &str); 11] = [
    (
        "free -h",
        "Get-CimInstance Win32_OperatingSystem | Select-Object FreePhysicalMemory, FreeVirtualMemory",
    ),
    (
        "ps aux --sort=-rss",
        "Get-Process | Sort-Object WorkingSet64 -Descending | Select-Object -First 10",
    ),
    ("ps aux | grep", "Get-Process python*, ollama*"),
    ("./webui.sh ", "# in webui-user.bat:\nset COMMANDLINE_ARGS="),
    (
        "journalctl -u ollama",
        "Get-Content \"$env:LOCALAPPDATA\\Ollama\\server.log\" -Tail 200",
    ),
    (
        "curl -fsSL https://ollama.com/install.sh",
        "winget upgrade Ollama.Ollama",
    ),
    ("ps -o ", ""),
    ("sudo ", ""),
    ("ulimit ", ""),
    ("df ", ""),
    ("kill ", "Stop-Process -Id "),
];

/// Whether what follows these beginnings stays in the line.
const KEEPS_REST: [&str; 2] = ["./webui.sh ", "kill "];

/// A line in PowerShell; nothing where Windows has none.
fn line(job: &Job, line: &str) -> String {
    if let Some((start, other)) = LINES.iter().find(|(start, _)| line.starts_with(start)) {
        let rest = line.strip_prefix(start).filter(|_| KEEPS_REST.contains(start));
        return [other, rest.unwrap_or_default()].concat();
    }
    if let Some(rest) = line.strip_prefix("python main.py") {
        if job.evidence.hints_at("comfyui-portable") {
            return [".\\python_embeded\\python.exe -s ComfyUI\\main.py", rest].concat();
        }
        return line.to_owned();
    }
    if let Some(body) = line.strip_prefix("curl http://localhost:11434/api/generate -d ") {
        return [
            "Invoke-RestMethod http://localhost:11434/api/generate -Method Post -Body ",
            body,
        ]
        .concat();
    }
    let (sets, plain) = match line.strip_prefix("export ") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    // `NAME=value NAME=value program`: each name is set on its own.
    let mut lines = Vec::new();
    let mut rest = plain;
    while let Some((name, behind)) = rest.split_once('=') {
        if name.is_empty()
            || !name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        {
            break;
        }
        let (value, after) = match sets {
            true => (behind, ""),
            false => behind.split_once(' ').unwrap_or((behind, "")),
        };
        lines.push(["$env:", name, " = \"", value, "\""].concat());
        rest = after;
    }
    if !rest.is_empty() {
        lines.push(rest.to_owned());
    }
    lines.join("\n")
}

/// Puts a fix's commands for a shell into PowerShell's words, where the job ran on Windows.
pub fn translate(job: &Job, fix: &mut Fix) {
    if !job.windows {
        return;
    }
    for command in fix.commands.iter_mut().filter(|command| command.place == Place::Shell) {
        let lines: Vec<String> = command.text.lines().map(|text| line(job, text)).collect();
        let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        *command = Command {
            place: Place::PowerShell,
            text: lines.join("\n"),
        };
    }
    fix.commands.retain(|command| !command.text.is_empty());
}
