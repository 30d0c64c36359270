//! Where a text is from, by what stands beside its messages: Windows' prompts and paths, the prefixes of engines' loggers.

use super::text::{is_escaped_break, path_mark};

/// How far into a line an engine's prefix may end.
const HEAD: usize = 200;

/// What has been seen.
#[derive(Debug, Default)]
pub struct Origin {
    /// A drive's path, or a program of Windows.
    windows: bool,
    /// A traceback through files on a drive.
    windows_file: bool,
    /// A traceback through files of another system: a container, WSL, another machine's log.
    other_file: bool,
    /// Wine, which has drives too.
    wine: bool,
    vllm: bool,
    sglang: bool,
}

impl Origin {
    /// Looks at a stretch of the text.
    pub fn see(&mut self, stretch: &str) {
        for line in stretch.as_bytes().split(|byte| *byte == b'\n') {
            self.see_line(line);
        }
    }

    fn see_line(&mut self, line: &[u8]) {
        let has = |line: &[u8], word: &[u8]| line.windows(word.len()).any(|window| window == word);
        let head = &line[..line.len().min(HEAD)];
        self.vllm |= is_vllm(head) || has(head, b"(EngineCore") || has(head, b"(VllmWorker");
        self.sglang |= is_sglang(head);
        self.other_file |= has(line, b"File \"/") || has(line, b"File \\\"/");
        self.wine |= has(line, b"drive_c") || has(line, b".wine") || has(line, b"wine64");
        // What is started there runs in another system.
        if [b"docker ".as_slice(), b"podman ", b"wsl"]
            .iter()
            .any(|word| has(line, word))
        {
            return;
        }
        let colons = line.iter().enumerate().filter(|(_, byte)| **byte == b':');
        for (at, _) in colons {
            match drive(line, at) {
                Some(Drive::Path) => self.windows = true,
                Some(Drive::File) => self.windows_file = true,
                Some(Drive::Wine) => self.wine = true,
                None => {}
            }
        }
        self.windows |= is_program(line, b".exe") || is_program(line, b".bat");
    }

    /// Adds what it amounts to.
    pub fn tell(&self, hints: &mut Vec<&'static str>) {
        let mut add = |hint: &'static str| {
            if !hints.contains(&hint) {
                hints.push(hint);
            }
        };
        if self.vllm {
            add("job-vllm");
        }
        if self.sglang {
            add("job-sglang");
        }
        if self.windows || self.windows_file {
            add("os-windows");
        }
        if self.wine || (self.other_file && !self.windows_file) {
            hints.retain(|hint| *hint != "os-windows");
        }
    }
}

/// What the letter before a colon is the drive of.
enum Drive {
    /// A path, or a prompt.
    Path,
    /// A file of a traceback.
    File,
    /// A path of Wine, whose `Z:` is the root of another system.
    Wine,
}

/// The drive before the colon at `at`, where a path follows: no sign such as `D:\`, no list in escaped text.
fn drive(line: &[u8], at: usize) -> Option<Drive> {
    let letter = line.get(at.checked_sub(1)?).filter(|byte| byte.is_ascii_alphabetic())?;
    let before = &line[..at - 1];
    if before
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    {
        return None;
    }
    let rest = &line[at + 1..];
    let mark = match rest.first()? {
        b'\\' => path_mark(rest),
        b'/' if rest.get(1) != Some(&b'/') => 1,
        _ => 0,
    };
    let in_traceback = before.ends_with(b"File \"") || before.ends_with(b"File \\\"");
    if in_traceback && mark > 0 {
        return Some(Drive::File);
    }
    // `C:\>`
    if mark == 0 && rest.starts_with(b"\\>") {
        return Some(Drive::Path);
    }
    if mark == 0 || rest[0] == b'/' || is_escaped_break(rest) {
        return None;
    }
    let path = &rest[mark..];
    let end = path
        .iter()
        .take(200)
        .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'>'));
    let length = end.count();
    let (path, behind) = path.split_at(length);
    let root = path.split(|byte| *byte == b'\\').next().unwrap_or_default();
    if letter.eq_ignore_ascii_case(&b'z') && UNIX.contains(&root) {
        return Some(Drive::Wine);
    }
    // A folder that a container sees.
    if path.windows(2).any(|two| two == b":/") {
        return None;
    }
    // `\n` and `\t` before a small letter may be escapes: then more of a path must follow.
    let escape = matches!(path.first(), Some(b'n' | b'r' | b't')) && mark == 1;
    let goes_on = path.iter().any(|byte| matches!(byte, b'\\' | b'.')) || behind.first() == Some(&b'>');
    (goes_on || (length >= 2 && !escape)).then_some(Drive::Path)
}

/// Folders at the root of other systems.
const UNIX: [&[u8]; 6] = [b"home", b"usr", b"opt", b"mnt", b"tmp", b"root"];

/// Whether a name of a program of this kind ends in the line: `webui-user.bat`, `python.exe`.
fn is_program(line: &[u8], kind: &[u8]) -> bool {
    let places = line
        .windows(kind.len())
        .enumerate()
        .filter(|(_, window)| *window == kind);
    let mut places = places.map(|(at, _)| {
        (
            at.checked_sub(1).and_then(|before| line.get(before)),
            line.get(at + kind.len()),
        )
    });
    places.any(|(before, behind)| {
        before.is_some_and(u8::is_ascii_alphanumeric)
            && !behind.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    })
}

/// Whether the digits of `shape` stand for any, and all else for itself.
fn matches(text: &[u8], shape: &[u8]) -> bool {
    let same = |(byte, want): (&u8, &u8)| {
        if *want == b'0' {
            byte.is_ascii_digit()
        } else {
            byte == want
        }
    };
    text.len() >= shape.len() && text.iter().zip(shape).all(same)
}

/// `INFO 11-30 10:00:00 [gpu_model_runner.py:1770] `, and older `INFO 03-15 20:36:48 worker.py:267] `: vLLM's
/// `vllm/logging_utils/formatter.py`.
fn is_vllm(head: &[u8]) -> bool {
    const TIME: &[u8] = b"00-00 00:00:00 ";
    let levels: [&[u8]; 4] = [b"INFO ", b"WARNING ", b"ERROR ", b"DEBUG "];
    (0..head.len()).any(|at| {
        let file = head.get(at + TIME.len()..).unwrap_or_default();
        let name = file.iter().take_while(|byte| !matches!(byte, b']' | b' ')).count();
        matches(&head[at..], TIME)
            && levels.iter().any(|level| head[..at].ends_with(level))
            && file.get(name) == Some(&b']')
            && file[..name].windows(4).any(|four| four == b".py:")
    })
}

/// `[2025-03-08 12:29:21 TP7] `, `[2025-03-08 12:29:21 DP0 TP1] `: SGLang's `python/sglang/srt/utils`.
fn is_sglang(head: &[u8]) -> bool {
    const TIME: &[u8] = b"[0000-00-00 00:00:00 ";
    (0..head.len()).any(|at| {
        let rank = head.get(at + TIME.len()..).unwrap_or_default();
        matches(&head[at..], TIME)
            && [b"TP0".as_slice(), b"DP0", b"PP0"]
                .iter()
                .any(|shape| matches(rank, shape))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints(text: &str) -> Vec<&'static str> {
        let (mut origin, mut hints) = (Origin::default(), Vec::new());
        origin.see(text);
        origin.tell(&mut hints);
        hints
    }

    #[test]
    fn prompts_and_paths_of_windows() {
        for text in [
            r"(base) PS D:\x> python run.py",
            r"PS C:\Users\moi> ollama ps",
            r"C:\>nvidia-smi",
            r"C:\AI>python gen.py",
            r"model: E:\models\flux.safetensors",
            r#"{"path":"F:\\models\\x.gguf"}"#,
            r#"  File "G:\app\new.py", line 3"#,
            r#"  File "D:/flux/gen.py", line 12, in <module>"#,
            "  File \"D:/flux/gen.py\", line 1\n  File \"/home/a/x.py\", line 2",
            "run_nvidia_gpu.bat",
            r".\llama-server.exe -m x.gguf",
        ] {
            assert_eq!(hints(text), ["os-windows"], "{text}");
        }
    }

    #[test]
    fn no_windows() {
        for text in [
            r"Mein Speicher ist voll :D:\ was tun",
            r"schade D:\",
            r"ID:\nnext line",
            r"e:\nnext line",
            "x.batch_size = 4",
            r"Z:\home\me\app\gen.py",
            "C:\\game\\x.exe\n/home/me/.wine/dosdevices",
            r"PS C:\app> docker run -v C:\models:/models vllm/vllm-openai",
            r"-v C:\models:/models",
            "PS C:\\app> type log.txt\n  File \"/app/train.py\", line 3, in <module>",
            "http://host/C:/x",
        ] {
            assert!(hints(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn engines_by_their_prefixes() {
        for text in [
            "INFO 11-20 09:12:01 [gpu_model_runner.py:1770] Starting",
            "(EngineCore_DP0 pid=2211) ValueError",
            "INFO 11-30 10:00:00 [__init__.py:239] x",
            "INFO 03-15 20:36:48 worker.py:267] x",
            "(APIServer pid=7) ERROR 11-20 09:12:44 [v1/engine/core.py:700] x",
        ] {
            assert_eq!(hints(text), ["job-vllm"], "{text}");
        }
        assert_eq!(hints("[2025-03-08 12:29:21 TP7] Load weight"), ["job-sglang"]);
        assert_eq!(hints("[2025-03-08 12:29:21 DP0 TP1] Load weight"), ["job-sglang"]);
        assert!(hints("INFO 11-20 09:12:01 starting main.py").is_empty());
        assert!(hints("[2025-03-08 12:29:21] INFO x").is_empty());
    }
}
