//! What is read: each tool's messages with their versions and a sample. The list is a file of its own, fetched when the
//! reader opens it; no sample is part of the program.

use super::State;
use super::components::{El, Fetched, el, fetched};
use crate::i18n::Texts;
use crate::message::Message;

/// The panel, folded until it is asked for.
pub fn formats(state: State) -> El {
    let panel = Fetched {
        class: "formats",
        title: "formats-title",
        file: "vramfit:formats",
        drawn: tools,
    };
    fetched(state, panel, &[])
}

/// The tools, each with its messages. The file has a line for a tool's name, and one for each message: its format, the
/// versions that print it and a sample, with tabs between.
fn tools(texts: &Texts, text: &str) -> Vec<El> {
    let count = |id, lines: usize| Message::new(id).with("count", i64::try_from(lines).unwrap_or_default());
    let messages = text.lines().filter(|line| line.contains('\t')).count();
    let mut shown = vec![el("p", "").text(&texts.message(&count("formats-lead", messages)))];
    let mut lines = text.lines().peekable();
    while let Some(tool) = lines.next() {
        let mut body = el("tbody", "");
        let mut rows = 0;
        while let Some(line) = lines.next_if(|line| line.contains('\t')) {
            let mut cells = line.split('\t');
            let mut cell = || cells.next().unwrap_or_default();
            let row = el("tr", "")
                .child(el("td", "").text(cell()))
                .child(el("td", "").text(cell()));
            let sample = el("code", "").attr("lang", "en").text(cell());
            body = body.child(row.child(el("td", "").child(sample)));
            rows += 1;
        }
        let heading = |id| el("th", "").attr("scope", "col").text(&texts.text(id));
        let headings = ["formats-format", "formats-versions", "formats-sample"].map(heading);
        let head = el("thead", "").child(el("tr", "").all(&headings));
        let name = el("h3", "").attr("translate", "no").text(tool);
        let count = el("span", "sureness").text(&texts.message(&count("formats-count", rows)));
        let table = el("table", "").child(head).child(body);
        let wide = el("div", "wide")
            .attr("tabindex", "0")
            .attr("role", "region")
            .attr("aria-label", tool);
        let tool = el("details", "").child(el("summary", "").child(name).child(count));
        shown.push(tool.child(wide.child(table)));
    }
    shown
}
