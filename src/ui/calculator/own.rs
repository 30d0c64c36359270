//! A model from the reader's own files: it takes the catalog's place, and what was read of it is said.

use super::sizer::{How, Sizer};
use crate::files::{Piece, What, choose, together};
use crate::message::Message;
use crate::ui::attachments::{button, name_of};
use crate::ui::components::{El, el, follow, prose};
use crate::ui::files::{Attachment, Progress, read_held};
use leptos::prelude::*;

/// Numbers of files, and their names with what they hold.
type Models = (Vec<usize>, Vec<(String, Piece)>);

/// The files that hold a model; nothing while others are still read.
fn models(all: &[Attachment]) -> Option<Models> {
    let (mut numbers, mut pieces) = (Vec::new(), Vec::new());
    for one in all {
        match &one.progress {
            Progress::Waiting(_) | Progress::Underway => return None,
            Progress::Model(piece) => {
                numbers.push(one.number);
                pieces.push((one.name.clone(), (**piece).clone()));
            }
            _ => {}
        }
    }
    Some((numbers, pieces))
}

/// Fills the scenario in from each model's file, and brings the panel into sight that shows what came.
pub fn fill(sizer: Sizer) {
    let files = sizer.state.files;
    Effect::new(move |before: Option<Vec<usize>>| {
        let before = before.unwrap_or_default();
        match files.all.with(|all| models(all)) {
            Some((numbers, pieces)) if numbers != before => {
                untrack(|| take(sizer, pieces));
                numbers
            }
            _ => before,
        }
    });
    Effect::new(move |_| {
        if files.there.get() == Some(true) {
            untrack(|| read_held(sizer.state));
        }
    });
    Effect::new(move |before: Option<usize>| {
        let others = files.others.get();
        if before.is_some_and(|before| before != others) && sizer.shown.get_untracked() {
            sizer.show(false);
        }
        others
    });
}

/// Takes the model that the files make; where they are of several, the one that came last.
fn take(sizer: Sizer, mut pieces: Vec<(String, Piece)>) {
    let Some(last) = pieces.last().cloned() else {
        sizer.said.set(Vec::new());
        return sizer.edit(How::Picked, &|scenario| scenario.own = None);
    };
    let several = pieces.len() > 1;
    let all = together(std::mem::take(&mut pieces));
    let found = if several {
        all.or_else(|_| together(vec![last]))
    } else {
        all
    };
    sizer.show(true);
    match found {
        Ok(found) => {
            let mut said = found.said;
            if let What::Model(own) = &found.what
                && !own.fits_in_a_link()
            {
                said.push(Message::new("file-no-link"));
            }
            sizer.edit(How::Picked, &|scenario| choose(scenario, found.what.clone()));
            sizer.said.set(said);
        }
        Err(why) => sizer.said.set(vec![why]),
    }
}

/// The button that chooses a model's files, what was read of them, and the way to take them out again.
pub fn own(sizer: Sizer) -> El {
    let state = sizer.state;
    let files = state.files;
    let list = el("ul", "notes");
    let remove = el("button", "")
        .attr("type", "button")
        .says(state.label("calc-own-remove"));
    let (shown, shown_remove) = (list.clone(), remove.clone());
    follow(move || {
        let texts = sizer.texts();
        let mut rows: Vec<El> = sizer
            .said
            .with(|said| said.iter().map(|one| prose(el("li", ""), &texts, one)).collect());
        shown_remove.hide(rows.is_empty());
        files.all.with(|all| {
            for one in all {
                if let Progress::NoModel(why) = &one.progress {
                    let name = el("strong", "").attr("translate", "no").text(&name_of(&texts, one));
                    rows.push(prose(el("li", "").child(name).text(" "), &texts, why));
                }
            }
        });
        shown.fill(&rows);
        shown.hide(rows.is_empty());
    });
    let remove = remove.when("click", move |_| {
        let numbers = files.all.with_untracked(|all| models(all)).unwrap_or_default().0;
        numbers.into_iter().for_each(|number| files.remove(number));
    });
    el("div", "own")
        .child(button(state, "choose-model", "calc-own-choose"))
        .child(el("div", "").attr("role", "status").child(list))
        .child(remove)
}
