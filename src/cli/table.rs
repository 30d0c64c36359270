//! `vramfit table LINK`: every model on every card with the settings of a link, as comma-separated values: `yes`, `tight` or
//! `no`, and what is left by the middle of the range, in GiB. The link's own model does not count.

use std::fmt::Write;

use crate::catalog::{cards, models};
use crate::scenario::decode;
use crate::sizing::{Cell, table};
use crate::units::GIB;

/// Runs the command.
///
/// # Errors
/// Without a link, or for a task that is not sized.
pub fn run(args: &[String]) -> Result<String, String> {
    let [link] = args else {
        return Err("vramfit table 'v=1&q=q4_k_m&c=8192'".to_owned());
    };
    let rows = table(&decode(link).0.scenario);
    let mut text = String::from("model");
    cards().iter().for_each(|card| {
        text.push(',');
        text.push_str(card.id);
    });
    text.push('\n');
    for (model, row) in models().iter().zip(rows) {
        text.push_str(model.id);
        for cell in row {
            let Some(cell) = cell else {
                return Err("vramfit table: this task is not sized".to_owned());
            };
            write_cell(&mut text, &cell);
        }
        text.push('\n');
    }
    Ok(text)
}

/// `yes 12.3`.
fn write_cell(text: &mut String, cell: &Cell) {
    let gib = cell.head_room().as_f64() / GIB as f64;
    let _ = write!(text, ",{} {gib:.1}", cell.fits.id());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_model_and_a_cell_for_each_card() {
        let text = run(&["q=q4_k_m&c=8192&e=llama.cpp".to_owned()]).unwrap();
        let mut lines = text.lines();
        let heading: Vec<&str> = lines.next().unwrap().split(',').collect();
        let place = heading.iter().position(|id| *id == "rtx-4090").unwrap();
        let cell = |model: &str| {
            let row = text.lines().find(|line| line.split(',').next() == Some(model)).unwrap();
            row.split(',').nth(place).unwrap().to_owned()
        };
        assert!(cell("llama-3.1-8b").starts_with("yes 1"), "{}", cell("llama-3.1-8b"));
        assert!(cell("llama-3.3-70b").starts_with("no -"), "{}", cell("llama-3.3-70b"));
        assert_eq!(lines.count(), models().len());
        assert!(run(&[]).is_err() && run(&["t=image".to_owned()]).is_err());
    }
}
