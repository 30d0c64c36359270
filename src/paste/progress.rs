//! The last step counter before a failure: a job that ran for hundreds of steps did fit, so something grew.

/// How much of the text before the failure is looked at.
pub const LOOK: usize = 16 * 1024;

/// The words behind which a count of steps stands.
const WORDS: [&[u8]; 5] = [b"step", b"steps", b"iter", b"iteration", b"global_step"];

/// The last count of steps in the text before `at`: `512/1736 [` of a progress bar, `[511/1736]`, `step 1200`.
pub fn before(text: &str, at: usize) -> Option<i64> {
    let head = text.as_bytes().get(..at)?;
    let head = &head[head.len().saturating_sub(LOOK)..];
    let mut last = None;
    let mut start = 0;
    while start < head.len() {
        if !head[start].is_ascii_digit() {
            start += 1;
            continue;
        }
        let (count, end) = number(head, start);
        if is_fraction(head, end, count) || follows_word(&head[..start]) {
            last = Some(count);
        }
        start = end;
    }
    last
}

fn number(text: &[u8], start: usize) -> (i64, usize) {
    let length = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = text[start..start + length].iter().take(15);
    (
        digits.fold(0, |value, digit| value * 10 + i64::from(digit - b'0')),
        start + length,
    )
}

/// Whether `/1736 [` or `/1736]` follows, no smaller than the count.
fn is_fraction(text: &[u8], end: usize, count: i64) -> bool {
    if text.get(end) != Some(&b'/') || !text.get(end + 1).is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let (whole, end) = number(text, end + 1);
    let rest = &text[end..];
    count <= whole && (rest.starts_with(b" [") || rest.starts_with(b"]"))
}

/// Whether the text ends with a word such as `step` or `iter:`.
fn follows_word(text: &[u8]) -> bool {
    let marks = text
        .iter()
        .rev()
        .take(4)
        .take_while(|byte| matches!(byte, b' ' | b':' | b'=' | b'\'' | b'"'))
        .count();
    let text = &text[..text.len() - marks];
    let word = text
        .iter()
        .rev()
        .take(12)
        .take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'_')
        .count();
    let word = &text[text.len() - word..];
    marks > 0 && WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::before;

    #[test]
    fn counters_of_training_programs() {
        let cases = [
            (" 30%|###   | 512/1736 [01:20<03:11, 6.39it/s]", Some(512)),
            ("Epoch: [0][511/1736]\t Loss 0.58", Some(511)),
            ("{'loss': 1.2, 'step': 1200}", Some(1200)),
            ("iter 830: loss 2.6", Some(830)),
            ("step 12 then step 900: loss", Some(900)),
            ("  File \"train.py\", line 142", None),
            ("21540MiB / 24564MiB", None),
            ("2024/05/06", None),
        ];
        for (text, steps) in cases {
            assert_eq!(before(text, text.len()), steps, "{text}");
        }
    }
}
