//! A tool's command as the paste shows it, with one setting changed and the others kept.

use super::Job;
use crate::paste::{Hit, Value};

/// The flag of a setting's row: what stands before its hole, where that is typed on a command line.
fn flag(hit: &Hit) -> Option<&'static str> {
    let text = hit.row.text.strip_prefix('~')?;
    let flag = text.split_once(" {")?.0;
    flag.starts_with('-').then_some(flag)
}

/// What stands in a setting's hole, where it is safe on a command line.
fn value(hit: &Hit) -> Option<String> {
    match &hit.figures.first()?.value {
        Value::Count(count) => Some(count.to_string()),
        Value::Number(share) => {
            let thousandths = share.times(1000)?.0;
            (0..1000).contains(&thousandths).then(|| format!("0.{thousandths:03}"))
        }
        Value::Word(word) => {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            word.bytes().all(plain).then(|| word.clone())
        }
        _ => None,
    }
}

/// `start`, then what the paste sets besides, then `change`. `changed` are the settings that the change replaces, by the ids
/// of their rows; the model stands in `start`. Of a setting that is told several times the last counts.
pub fn kept(job: &Job, start: &str, changed: &[&str], change: &str) -> String {
    let mut line = start.to_owned();
    let settings: Vec<&Hit> = job.evidence.hits.iter().filter(|hit| flag(hit).is_some()).collect();
    for (number, hit) in settings.iter().enumerate() {
        let name = |hit: &Hit| hit.figures.first().map(|figure| figure.name);
        let again = settings.iter().skip(number + 1).any(|later| name(later) == name(hit));
        let id = hit.row.id;
        if again || id == "setting-model" || !id.starts_with("setting-") || changed.contains(&id) {
            continue;
        }
        if let Some((flag, value)) = flag(hit).zip(value(hit)) {
            line = [&line, " ", flag, " ", &value].concat();
        }
    }
    [&line, " ", change].concat()
}
