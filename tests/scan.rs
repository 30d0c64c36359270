//! A text that comes in pieces is read as the whole text is, whatever the pieces.

use proptest::prelude::*;
use vramfit::paste::{self, Encoding, GROUPS, Reading, Scan, WHOLE};

const ERROR: &str = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free. Of the allocated memory 20.10 GiB is allocated by PyTorch, and 1.31 GiB is reserved by PyTorch but unallocated.\n";
const TABLE: &str = "|  GPU       PID  Type  Process name                               Usage      |\n|=============================================================================|\n";

/// About `size` bytes of a training log.
fn log(size: usize) -> String {
    let mut text = String::with_capacity(size + 200);
    let mut step = 0;
    while text.len() < size {
        step += 1;
        text.push_str(&format!(
            "2026-11-30 08:00:{:02} trainer: époque 3, step {step} loss 2.{:04} tokens/s 18234\n",
            step % 60,
            step * 31 % 10_000
        ));
    }
    text
}

fn in_pieces(bytes: &[u8], cuts: &[usize]) -> Reading {
    let mut scan = Scan::new(Encoding::Utf8);
    let mut from = 0;
    for to in cuts.iter().copied().chain([bytes.len()]) {
        let to = to.clamp(from, bytes.len());
        scan.push(&bytes[from..to]);
        from = to;
    }
    scan.finish()
}

/// Everything that does not depend on places.
fn content(evidence: &paste::Evidence) -> String {
    let mut all = String::new();
    for hit in &evidence.hits {
        let figures: Vec<_> = hit.figures.iter().map(|figure| (figure.name, &figure.value)).collect();
        all += &format!("{} {figures:?} {:?} {:?}\n", hit.row.id, hit.rank, hit.finding);
    }
    for finding in &evidence.findings {
        let figures: Vec<_> = finding
            .figures
            .iter()
            .map(|figure| (figure.name, &figure.value))
            .collect();
        let processes: Vec<_> = finding
            .processes
            .iter()
            .map(|one| (one.pid, &one.name, one.bytes, one.gpu))
            .collect();
        let cards: Vec<_> = finding
            .cards
            .iter()
            .map(|card| (card.index, &card.name, card.total, card.used))
            .collect();
        let rest = (
            &finding.rows,
            finding.times,
            finding.device,
            finding.rank,
            finding.recovered,
        );
        all += &format!("{:?} {figures:?} {processes:?} {cards:?} {rest:?}\n", finding.kind);
    }
    let cuts: Vec<_> = evidence.cuts.iter().map(|cut| (cut.row, cut.figure)).collect();
    all + &format!(
        "{} {cuts:?} {:?} {:?} {:?}",
        evidence.count, evidence.hints, evidence.shape, evidence.steps
    )
}

/// Asserts that the pieces say what the text says, and that what is shown stands in the text.
fn assert_as_whole(text: &str, reading: &Reading) {
    let whole = paste::read(text);
    let (pieces, whole_content) = (content(&reading.evidence), content(&whole));
    let differs = pieces
        .lines()
        .zip(whole_content.lines())
        .find(|(one, other)| one != other);
    assert!(pieces == whole_content, "{differs:?}");
    for (kept, hit) in reading.evidence.hits.iter().zip(&whole.hits) {
        let shown = kept.span.of(&reading.text);
        assert!(shown.is_empty() || shown == hit.span.of(text), "{shown:?}");
        for (kept, figure) in kept.figures.iter().zip(&hit.figures) {
            let shown = kept.span.of(&reading.text);
            assert!(shown.is_empty() || shown == figure.span.of(text), "{shown:?}");
        }
    }
}

#[test]
fn an_error_deep_in_a_log_is_kept_with_its_lines() {
    let (before, after) = (log(900_000), log(700_000));
    let text = [before.as_str(), ERROR, &after].concat();
    let reading = in_pieces(text.as_bytes(), &[]);
    assert_as_whole(&text, &reading);
    assert!(reading.text.len() < 2000, "{}", reading.text);
    assert_eq!(reading.evidence.findings.len(), 1);
    assert!(reading.text.contains(ERROR));
    let [first, last] = reading.skips.as_slice() else {
        panic!("{:?}", reading.skips)
    };
    let lines = |text: &str| text.lines().count();
    assert_eq!((first.at, first.lines), (0, lines(&before) - 1));
    assert_eq!((last.at, last.lines), (reading.text.len(), lines(&after) - 1));
    assert!(reading.evidence.steps.is_some_and(|step| step > 1000));
}

#[test]
fn a_short_text_is_kept_whole() {
    let text = log(100_000) + ERROR;
    let reading = in_pieces(text.as_bytes(), &[70_000, 100_010]);
    assert_eq!(reading.text, text);
    assert!(reading.skips.is_empty());
    assert_as_whole(&text, &reading);
}

#[test]
fn what_is_kept_of_a_log_of_errors_is_bounded_and_every_error_counts() {
    let many: String = (0..6000)
        .map(|step| ERROR.replace("2.00", &format!("{}.{:02}", step / 100 + 2, step % 100)))
        .collect();
    let reading = in_pieces(many.as_bytes(), &[1_000_003]);
    assert_eq!(reading.evidence.count, 6000);
    assert_eq!(reading.evidence.findings.len(), 1000);
    assert!(reading.text.len() < WHOLE);
    assert!(
        reading
            .evidence
            .hits
            .iter()
            .filter(|hit| hit.span.end > hit.span.start)
            .count()
            > 80
    );
    assert_as_whole(&many, &reading);
}

#[test]
fn a_table_far_longer_than_a_piece_is_read_to_its_end() {
    let rows: String = (0..700)
        .map(|pid| {
            format!(
                "|    0     {:>5}    C   python                                      {:>4}MiB |\n",
                pid + 1000,
                pid + 20
            )
        })
        .collect();
    let text = [&log(300_000), TABLE, &rows, &log(600_000)].concat();
    for size in [10_007, 262_144, 5_000_000] {
        let cuts: Vec<usize> = (0..text.len()).step_by(size).collect();
        let reading = in_pieces(text.as_bytes(), &cuts);
        assert_as_whole(&text, &reading);
        assert_eq!(reading.evidence.findings[0].processes.len(), 700);
    }
}

#[test]
fn powershells_files_are_read() {
    let text = format!("\u{feff}{}{ERROR}𝄞 {}", log(300_000), log(10_000));
    for (encoding, bytes) in [
        (
            Encoding::Utf16,
            text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
        ),
        (
            Encoding::Utf16Big,
            text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        ),
    ] {
        for size in [1001, 65_536] {
            let mut scan = Scan::new(encoding);
            bytes.chunks(size).for_each(|piece| scan.push(piece));
            assert_as_whole(&text, &scan.finish());
        }
    }
    let mut scan = Scan::new(Encoding::Utf16);
    scan.push(&[0x41, 0, 0x1e, 0xd8, 0x42]);
    assert_eq!(scan.finish().text, "A\u{fffd}");
}

/// A stretch of a text: ordinary lines, a tool's message, a line without end, blanks, bytes that are no characters.
fn stretch(kind: u8, size: usize, pick: prop::sample::Index) -> Vec<u8> {
    let samples: Vec<&'static str> = GROUPS
        .iter()
        .flat_map(|group| group.rows.all().map(|row| row.sample))
        .collect();
    let sample = samples[pick.index(samples.len())];
    match kind {
        0..4 => log(size).into_bytes(),
        4..10 => format!("{sample}\n").repeat(size % 40).into_bytes(),
        10 | 11 => {
            let prefix = match kind {
                10 => format!("[rank{}]: ", size % 100),
                _ => format!("app-{size} main "),
            };
            format!("{prefix}{}\n", sample.replace('\n', &format!("\n{prefix}"))).into_bytes()
        }
        12 => "é".repeat(size % 20_000).into_bytes(),
        13 => " ".repeat(size % 2000).into_bytes(),
        14 => (0..size % 2000).map(|at| (at * at * 31 + size) as u8).collect(),
        _ => format!(
            "{TABLE}{}",
            "|    0     12345    C   python    10MiB |\n".repeat(size % 900)
        )
        .into_bytes(),
    }
}

proptest! {
    #[test]
    fn any_pieces_are_read_as_the_whole(
        stretches in prop::collection::vec((0u8..16, 0usize..300_000, any::<prop::sample::Index>()), 1..14),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let bytes: Vec<u8> = stretches.iter().flat_map(|(kind, size, pick)| stretch(*kind, *size, *pick)).collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        let reading = in_pieces(&bytes, &cuts);
        let once = in_pieces(&bytes, &[]);
        prop_assert!(format!("{reading:?}") == format!("{once:?}"), "other pieces, another reading");
        assert_as_whole(&String::from_utf8_lossy(&bytes).replace('\0', ""), &reading);
    }
}

#[test]
fn several_texts_are_one_evidence() {
    let table = "index, name, memory.total [MiB], memory.used [MiB]\n0, NVIDIA A10G, 23028 MiB, 512 MiB\n";
    let mut both = paste::read(ERROR);
    both.join(&paste::read(table));
    assert_eq!((both.count, both.findings.len()), (2, 2));
    let table = both.hits.last().expect("the table's row");
    assert_eq!(table.finding, Some(1));
    assert_eq!(both.findings[1].cards[0].name.as_deref(), Some("NVIDIA A10G"));
}
