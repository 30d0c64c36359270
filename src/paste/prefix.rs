//! What loggers, launchers and chats put before a message on its line, and the rank that they name.

/// A line's prefix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefix {
    /// How many bytes of the line it takes.
    pub length: usize,
    /// The rank of a distributed job.
    pub rank: Option<i64>,
}

/// One reader of a kind of prefix: the bytes it takes at the start of `line` (0 for none), and the rank it names.
type Reader = fn(&[u8]) -> (usize, Option<i64>);

const READERS: [Reader; 15] = [
    tag, colour, quote, sent, bracketed, process, level, date_time, syslog, glog, service, piped, numbered, frame,
    unstamped,
];

/// The prefix of a line; several kinds may follow each other.
pub fn of(line: &[u8]) -> Prefix {
    let mut prefix = Prefix::default();
    for _ in 0..8 {
        let rest = &line[prefix.length..];
        let Some((length, rank)) = READERS
            .iter()
            .map(|reader| reader(rest))
            .find(|(length, _)| *length > 0)
        else {
            break;
        };
        prefix.length += length;
        prefix.rank = prefix.rank.or(rank);
    }
    prefix
}

/// What launchers put before every line of a program's output.
const TAGS: [&[u8]; 8] = [
    b"wandb: ",
    b"stderr: ",
    b"stdout: ",
    b"stderr | ",
    b"stdout | ",
    b"ERROR: ",
    b"WARNING: ",
    b"INFO: ",
];

/// `stderr: `, `ERROR: `: the stream or the level alone.
fn tag(line: &[u8]) -> (usize, Option<i64>) {
    // `[1,0]<stderr>:` of mpirun.
    let stream = line
        .iter()
        .take(40)
        .position(|byte| *byte == b'>')
        .filter(|_| line[0] == b'[');
    if let Some(end) = stream
        && (line[..end].ends_with(b"]<stderr") || line[..end].ends_with(b"]<stdout"))
        && line.get(end + 1) == Some(&b':')
    {
        return (end + 2, None);
    }
    let tag = TAGS.iter().find(|tag| line.starts_with(tag));
    (tag.map_or(0, |tag| tag.len()), None)
}

/// The number at the start of `text`, and its length.
fn number(text: &[u8]) -> (usize, Option<i64>) {
    let length = text.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let value = text[..length]
        .iter()
        .fold(0i64, |value, digit| value * 10 + i64::from(digit - b'0'));
    (length, (length > 0).then_some(value))
}

/// One space after `length` bytes belongs to the prefix; a deeper indent is the line's own.
fn with_space(line: &[u8], length: usize) -> usize {
    if line.get(length) == Some(&b' ') {
        length + 1
    } else {
        length
    }
}

/// A colour code before the prefix, or behind it.
fn colour(line: &[u8]) -> (usize, Option<i64>) {
    let body = |rest: &[u8]| {
        rest.iter()
            .take(12)
            .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
            .count()
    };
    match line {
        [0x1b, b'[', rest @ ..] | [b'^', b'[', b'[', rest @ ..] => {
            let length = body(rest);
            let end = line.len() - rest.len() + length + 1;
            let blank = matches!(line.get(end..), Some([b' ', next, ..]) if *next != b' ');
            (
                if rest.get(length) == Some(&b'm') {
                    end + usize::from(blank)
                } else {
                    0
                },
                None,
            )
        }
        _ => (0, None),
    }
}

/// `E0501 10:00:00.123456 4242 worker.py:12] `.
fn glog(line: &[u8]) -> (usize, Option<i64>) {
    let [b'E' | b'W' | b'I' | b'F', rest @ ..] = &line[..line.len().min(100)] else {
        return (0, None);
    };
    let dated = rest.len() > 13 && digits_and(&rest[..4], b"") == 4 && rest[4] == b' ' && looks_dated(&rest[5..13]);
    match rest.windows(2).position(|two| two == b"] ") {
        Some(end) if dated && rest[..end].contains(&b':') => (end + 3, None),
        _ => (0, None),
    }
}

/// `  | 2024-11-28T07:42:15.533Z | `: columns around a stamp.
fn piped(line: &[u8]) -> (usize, Option<i64>) {
    let columns = line
        .iter()
        .take(8)
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'|'))
        .count();
    let stamp = stamp(&line[columns..]);
    if !line[..columns].contains(&b'|') || stamp == 0 {
        return (0, None);
    }
    let end = columns + stamp;
    let bar = line[end..].starts_with(b"| ");
    (end + if bar { 2 } else { 0 }, None)
}

/// `> `, `>>> `, `&gt; `: a quoted line of a chat or a mail, a prompt.
fn quote(line: &[u8]) -> (usize, Option<i64>) {
    let blanks = line.iter().take(4).take_while(|byte| **byte == b' ').count();
    let mut length = blanks;
    loop {
        let rest = &line[length..];
        length += match rest {
            [b'>', ..] => 1,
            _ if rest.starts_with(b"&gt;") => 4,
            _ => break,
        };
    }
    let length = if length > blanks { with_space(line, length) } else { 0 };
    (length, None)
}

/// `│ `: the frame of a rich log.
fn frame(line: &[u8]) -> (usize, Option<i64>) {
    if line.starts_with("│".as_bytes()) {
        (with_space(line, 3), None)
    } else {
        (0, None)
    }
}

/// The words that name a rank in a bracket or before a number.
const RANK_WORDS: [&[u8]; 9] = [
    b"rank",
    b"default",
    b"TP",
    b"DP",
    b"EP",
    b"PP",
    b"Rank ",
    b"rank ",
    b"Worker_TP",
];

/// The rank that `words` names: `rank0`, `rank=1`, `TP7`, `Worker_TP0`.
fn rank_in(words: &[u8]) -> Option<i64> {
    words
        .iter()
        .enumerate()
        .filter(|(at, _)| *at == 0 || !words[at - 1].is_ascii_alphanumeric())
        .find_map(|(at, _)| {
            RANK_WORDS.iter().find_map(|word| {
                let rest = words[at..].strip_prefix(*word)?;
                number(rest.strip_prefix(b"=").unwrap_or(rest)).1
            })
        })
}

/// `[rank0]: `, `[default0]:`, `[2025-03-08 12:29:21 TP0] `, `[ERROR] `, `[core.py:1132] `, `[host:0]:`.
fn bracketed(line: &[u8]) -> (usize, Option<i64>) {
    if line.first() != Some(&b'[') {
        return (0, None);
    }
    let Some(end) = line.iter().take(60).position(|byte| *byte == b']') else {
        return (0, None);
    };
    let inner = &line[1..end];
    let rank = rank_in(inner);
    let colon = line.get(end + 1) == Some(&b':');
    let known = rank.is_some()
        || colon
        || LEVELS.iter().any(|level| inner.eq_ignore_ascii_case(level))
        || inner.windows(4).any(|four| four == b".py:")
        || inner.starts_with(b"pod/")
        || is_uptime(inner)
        || looks_dated(inner);
    if !known
        || (!colon
            && line
                .get(end + 1)
                .is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'['))
    {
        return (0, None);
    }
    let mut end = end + 1 + usize::from(colon);
    // `[2026-05-01 10:00:00,123][__main__][ERROR] - `: a stamp, a logger, a level.
    if looks_dated(inner) {
        let alone = end;
        while let Some(b'[') = line.get(end)
            && let Some(length) = line[end..].iter().take(60).position(|byte| *byte == b']')
            && line[end + 1..end + length]
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(byte))
        {
            end += length + 1;
        }
        if end > alone && line[end..].starts_with(b" - ") {
            end += 2;
        }
    }
    (with_space(line, end), rank)
}

/// `  123.456789`: the kernel's seconds since start.
fn is_uptime(inner: &[u8]) -> bool {
    let inner = inner.trim_ascii_start();
    let whole = digits_and(inner, b"");
    whole > 0
        && inner.get(whole) == Some(&b'.')
        && inner.len() == whole + 7
        && digits_and(&inner[whole + 1..], b"") == 6
}

/// `(EngineCore_DP0 pid=6880) `, `(VllmWorker rank=1 pid=2978) `, `(Worker_TP0 pid=514) `.
fn process(line: &[u8]) -> (usize, Option<i64>) {
    if line.first() != Some(&b'(') {
        return (0, None);
    }
    let Some(end) = line.iter().take(80).position(|byte| *byte == b')') else {
        return (0, None);
    };
    let inner = &line[1..end];
    if !inner.windows(4).any(|four| four == b"pid=") {
        return (0, None);
    }
    (with_space(line, end + 1), rank_in(inner))
}

const LEVELS: [&[u8]; 10] = [
    b"ERROR",
    b"WARNING",
    b"INFO",
    b"DEBUG",
    b"CRITICAL",
    b"WARN",
    b"FATAL",
    b"TRACE",
    b"E",
    b"W",
];

/// `ERROR 04-19 10:05:27 `, `INFO 03-15 20:36:48 worker.py:267] `: a level followed by a date or a place in a file.
fn level(line: &[u8]) -> (usize, Option<i64>) {
    let Some(word) = LEVELS
        .iter()
        .find(|word| line.starts_with(word) && line.get(word.len()) == Some(&b' '))
    else {
        return (0, None);
    };
    let rest = &line[word.len() + 1..];
    if rest.starts_with(b"- ") {
        return (word.len() + 3, None);
    }
    let date = digits_and(rest, b"-:./, ");
    if date < 5 || !looks_dated(&rest[..date]) {
        return (0, None);
    }
    let mut length = word.len() + 1 + date;
    // `worker.py:267] ` of older vLLM.
    let place = &line[length..];
    if let Some(end) = place.iter().take(60).position(|byte| *byte == b']')
        && place[..end].windows(4).any(|four| four == b".py:")
    {
        length = with_space(line, length + end + 1);
    }
    (length, None)
}

/// How many leading bytes are digits or one of `also`.
fn digits_and(text: &[u8], also: &[u8]) -> usize {
    text.iter()
        .take(32)
        .take_while(|byte| byte.is_ascii_digit() || also.contains(byte))
        .count()
}

/// Whether the text holds a time such as `12:29:21` or a date such as `2025-03-08`.
fn looks_dated(text: &[u8]) -> bool {
    let shape = |pattern: &[u8]| {
        text.windows(pattern.len()).any(|window| {
            window.iter().zip(pattern).all(|(byte, want)| {
                if *want == b'0' {
                    byte.is_ascii_digit()
                } else {
                    byte == want
                }
            })
        })
    };
    shape(b"00:00:00") || shape(b"0000-00-00")
}

/// `2024-09-11 11:23:11,827 - root - ERROR - `, `2025-10-06T18:15:54.738Z stderr F `, `2020-09-23 13:19:24.277832: `,
/// `10:00:00.123 | ERROR    | app.worker:run:12 - `, `1714557600.123 `.
fn date_time(line: &[u8]) -> (usize, Option<i64>) {
    let stamp = stamp(line);
    if stamp == 0 {
        return (0, None);
    }
    let rest = &line[stamp..];
    let written = [b"stderr F ".as_slice(), b"stdout F ", b"stderr P ", b"stdout P "];
    let by = written
        .iter()
        .find(|word| rest.starts_with(word))
        .map_or_else(|| logger(rest), |word| word.len());
    let sent = if line.get(10) == Some(&b'T') && by == 0 {
        host_and_process(rest)
    } else {
        0
    };
    (stamp + by + sent, None)
}

/// How many bytes of a name of a host or program `text` begins with.
fn name(text: &[u8]) -> usize {
    text.iter()
        .take(64)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        .count()
}

/// `gpu01 ollama[123]: ` behind a stamp.
fn host_and_process(rest: &[u8]) -> usize {
    let host = name(rest);
    let program = host + 1 + name(rest.get(host + 1..).unwrap_or_default());
    if host == 0 || rest[host..].first() != Some(&b' ') || rest.get(program) != Some(&b'[') {
        return 0;
    }
    let end = program + 1 + number(&rest[program + 1..]).0;
    if program > host + 1 && end > program + 1 && rest[end..].starts_with(b"]: ") {
        end + 3
    } else {
        0
    }
}

/// `node-07 trainer-0[1]: `: the same without a stamp, where the first name looks like a machine's.
fn unstamped(line: &[u8]) -> (usize, Option<i64>) {
    let host = &line[..name(line)];
    let is_host = host.iter().any(|byte| !byte.is_ascii_alphabetic());
    (if is_host { host_and_process(line) } else { 0 }, None)
}

/// `<14>1 2026-05-01T10:00:00.123Z gpu01 app 4242 - - `: a message of RFC 5424.
fn sent(line: &[u8]) -> (usize, Option<i64>) {
    let head = &line[..line.len().min(300)];
    let priority = number(head.get(1..).unwrap_or_default()).0;
    if head.first() != Some(&b'<') || !(1..=3).contains(&priority) || !head[1 + priority..].starts_with(b">1 ") {
        return (0, None);
    }
    let mut end = priority + 4;
    let stamp = stamp(&head[end..]);
    end += stamp;
    // The host, the program, its process and the kind of message.
    for _ in 0..4 {
        end += head[end..].iter().take_while(|byte| **byte != b' ').count() + 1;
        if end >= head.len() {
            return (0, None);
        }
    }
    let data = match head[end] {
        b'-' => Some(1),
        b'[' => head[end..].windows(2).position(|two| two == b"] ").map(|at| at + 1),
        _ => None,
    };
    match data {
        Some(data) if stamp > 0 => (with_space(line, end + data), None),
        _ => (0, None),
    }
}

/// The length of the date and time, or the seconds since 1970, that a line begins with, and of one blank behind them.
fn stamp(line: &[u8]) -> usize {
    let head = &line[..line.len().min(48)];
    let seconds = head.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    if seconds == 10 && head.get(10) == Some(&b'.') {
        let end = 11 + digits_and(&head[11..], b"");
        return if end > 11 && head.get(end) == Some(&b' ') {
            end + 1
        } else {
            0
        };
    }
    let date = digits_and(head, b"-/");
    if date == 0 {
        return 0;
    }
    // A time alone, or behind a date.
    let (date, time) = match head.get(date) {
        Some(b'T' | b' ') if (8..=10).contains(&date) || date == 5 => (date, date + 1),
        Some(b':') if date == 2 => (0, 0),
        _ => return 0,
    };
    let clock = digits_and(&head[time..], b":.,");
    if !looks_dated(&head[time..time + clock]) {
        let day = date == 10 && looks_dated(&head[..date]);
        return if day && head.get(date) == Some(&b' ') {
            date + 1
        } else {
            0
        };
    }
    let mut end = time + clock;
    end += usize::from(head.get(end) == Some(&b'Z'));
    let zone = &head[end..];
    if let [b'+' | b'-', digit, ..] = zone
        && digit.is_ascii_digit()
    {
        end += 1 + digits_and(&zone[1..], b":");
    }
    with_space(line, end + usize::from(head.get(end) == Some(&b':')))
}

/// The length of `- name - LEVEL - ` or `| LEVEL    | place - ` behind a stamp.
fn logger(line: &[u8]) -> usize {
    let (&mark, head) = match line.split_first() {
        Some((mark @ (b'-' | b'|'), _)) => (mark, &line[..line.len().min(100)]),
        _ => return 0,
    };
    let level = |field: &[u8]| {
        LEVELS
            .iter()
            .any(|level| field.trim_ascii().eq_ignore_ascii_case(level))
    };
    let mut fields = head[1..].split(|byte| *byte == mark);
    let first = fields.next().unwrap_or_default();
    let mut end = 1 + first.len();
    let known = level(first) || {
        let second = fields.next().unwrap_or_default();
        end += 1 + second.len();
        mark == b'-' && level(second)
    };
    if !known || head.get(end) != Some(&mark) {
        return 0;
    }
    end += 1;
    // loguru's place in the program.
    if mark == b'|'
        && let Some(place) = head[end..].windows(3).position(|three| three == b" - ")
        && !head[end..end + place].trim_ascii().contains(&b' ')
    {
        end += place + 2;
    }
    with_space(line, end)
}

const MONTHS: [&[u8]; 12] = [
    b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec",
];

/// `Jul 24 16:07:58 host ollama[114917]: `.
fn syslog(line: &[u8]) -> (usize, Option<i64>) {
    if !MONTHS.iter().any(|month| line.starts_with(month))
        || !looks_dated(line.get(..20.min(line.len())).unwrap_or_default())
    {
        return (0, None);
    }
    let head = &line[..line.len().min(120)];
    match head.windows(3).position(|three| three == b"]: ") {
        Some(end) => (end + 3, None),
        None => (0, None),
    }
}

/// `llama-cpp    | `: docker compose.
fn service(line: &[u8]) -> (usize, Option<i64>) {
    let name = line
        .iter()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'@'))
        .count();
    let blanks = line[name..].iter().take(40).take_while(|byte| **byte == b' ').count();
    let behind = line.get(name + blanks + 2..).unwrap_or_default();
    // A row of a table has bars of its own, and begins with one where it is not its service's name.
    let message = !behind.contains(&b'|') || behind.starts_with(b"|") || stamp(behind) > 0;
    if name > 0 && blanks > 0 && line[name + blanks..].starts_with(b"| ") && message {
        (name + blanks + 2, None)
    } else {
        (0, None)
    }
}

/// `1129:[default0]:…` of grep -n, and `0: ` of srun -l.
fn numbered(line: &[u8]) -> (usize, Option<i64>) {
    let stamp = elapsed(line);
    if stamp > 0 {
        return (stamp, None);
    }
    let (length, value) = number(line);
    match (length, line.get(length), line.get(length + 1)) {
        (1..=6, Some(b':'), Some(b'[' | b'(' | b'|' | b'+' | b'a'..=b'z' | b'A'..=b'Z')) => (length + 1, None),
        (1..=6, Some(b':'), Some(b' ')) if line.get(length + 2) == Some(&b' ') => (length + 1, None),
        (1..=4, Some(b':'), Some(b' ')) => (length + 2, value),
        _ => (0, None),
    }
}

/// `1.06.520.084 E ` of llama.cpp, `45.3s\t12\t` of Kaggle, `  12 | ` of an editor: the length of it, 0 where it is none.
fn elapsed(line: &[u8]) -> usize {
    let blanks = line.iter().take(8).take_while(|byte| **byte == b' ').count();
    let length = blanks + digits_and(&line[blanks..], b".");
    let stamp = &line[blanks..length];
    let points = stamp.iter().filter(|byte| **byte == b'.').count();
    match (points, &line[length..]) {
        (3, [b' ', b'E' | b'W' | b'I' | b'D', b' ', ..]) if blanks == 0 => length + 3,
        (1, [b's', b'\t', rest @ ..]) => {
            let second = rest.iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
            if second > 0 && rest.get(second) == Some(&b'\t') {
                length + 3 + second
            } else {
                0
            }
        }
        // `cat -n`.
        (0, [b'\t', ..]) if length >= 6 && !stamp.is_empty() => length + 1,
        (0, [b' ', b'|', b' ', rest @ ..])
            if (1..=5).contains(&stamp.len()) && (!rest.contains(&b'|') || rest.starts_with(b"|")) =>
        {
            length + 3
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_of_public_logs() {
        let cases: [(&str, &str, Option<i64>); 43] = [
            ("gpu-node-07 trainer-0[1]: torch", "torch", None),
            ("GPU usage[0]: 12 MiB", "GPU usage[0]: 12 MiB", None),
            ("<14>1 2026-05-01T10:00:00.123Z gpu01 app 4242 - - torch", "torch", None),
            (
                "<165>1 2026-05-01T10:00:00Z gpu01 app - ID4 [a@1 b=\"c\"] torch",
                "torch",
                None,
            ),
            ("2026-05-01T10:00:00+02:00 gpu01 ollama[123]: torch", "torch", None),
            ("2026-05-01T10:00:00.123456789Z stderr F torch", "torch", None),
            ("2026-05-01T10:00:00.1234567Z 0, NVIDIA", "0, NVIDIA", None),
            ("2026-05-01T10:00:00+02:00 128.50 MiB free", "128.50 MiB free", None),
            ("2026-05-01 10:00:00,123 - my.module - ERROR - torch", "torch", None),
            ("[2026-05-01 10:00:00,123][__main__][ERROR] - torch", "torch", None),
            (
                "2026-05-01 10:00:00.123 | ERROR    | app.worker:run:12 - torch",
                "torch",
                None,
            ),
            ("\u{1b}[36m(RayWorkerWrapper pid=4242)\u{1b}[0m torch", "torch", None),
            ("[pod/vllm-0/vllm] torch", "torch", None),
            ("E0501 10:00:00.123456 4242 worker.py:12] torch", "torch", None),
            ("  | 2024-11-28T07:42:15.533Z | torch", "torch", None),
            ("10:00:00 torch", "torch", None),
            ("1714557600.123 torch", "torch", None),
            ("[  123.456789] torch", "torch", None),
            ("     1\ttorch", "torch", None),
            (
                "vllm-1  | |   0  NVIDIA | 1MiB / 2MiB |",
                "|   0  NVIDIA | 1MiB / 2MiB |",
                None,
            ),
            ("[rank0]: torch.OutOfMemoryError", "torch.OutOfMemoryError", Some(0)),
            ("[default3]:[rank3]: Traceback", "Traceback", Some(3)),
            ("1129:[default0]:Traceback", "Traceback", Some(0)),
            (
                "(VllmWorker rank=1 pid=2978) ERROR 03-19 07:27:53 [multiproc_executor.py:375] torch",
                "torch",
                Some(1),
            ),
            ("(EngineCore pid=316) ValueError", "ValueError", None),
            ("(Worker_TP0 pid=514) INFO", "INFO", Some(0)),
            ("ERROR 04-01 23:46:56 [engine.py:160] torch", "torch", None),
            ("INFO 03-15 20:36:48 worker.py:267] the current", "the current", None),
            ("[2025-03-08 12:29:21 TP7] Load weight", "Load weight", Some(7)),
            (
                "[2026-02-24T20:21:58Z] (EngineCore_DP0 pid=6940) ValueError",
                "ValueError",
                Some(0),
            ),
            ("Jul 24 16:07:58 host ollama[114917]: CUDA error", "CUDA error", None),
            ("llama-cpp    | CUDA error", "CUDA error", None),
            ("> quoted", "quoted", None),
            ("&gt;&gt; quoted", "quoted", None),
            (">>> print(x)", "print(x)", None),
            ("1.06.520.084 E ggml_gallocr", "ggml_gallocr", None),
            ("45.3s\t12\tRuntimeError", "RuntimeError", None),
            ("  12 | RuntimeError", "RuntimeError", None),
            ("|  0 | 12 |", "|  0 | 12 |", None),
            ("[rank0]:   File \"/opt", "  File \"/opt", Some(0)),
            ("2024-09-11 11:23:11,827 - root - ERROR - !!!", "!!!", None),
            ("[TensorRT-LLM][ERROR] CUDA", "[TensorRT-LLM][ERROR] CUDA", None),
            ("8 bytes", "8 bytes", None),
        ];
        for (line, rest, rank) in cases {
            let prefix = of(line.as_bytes());
            assert_eq!(&line[prefix.length..], rest, "{line}");
            assert_eq!(prefix.rank, rank, "{line}");
        }
    }
}
