//! The inputs of a job that makes images or videos: formats of its parts, size, and what stays off the card.

use super::levers::{FORMAT, Lever, List, field, format_options, list};
use super::sizer::Sizer;
use super::solved::value_name;
use super::training::{Names, list_of, named};
use crate::catalog::{Family, Format, ImageModel, format, formats};
use crate::i18n::Texts;
use crate::scenario::{Scenario, Staging, Task, TextPlace};
use crate::sizing::Value;
use crate::ui::components::{El, Options, Step, by_one};

const OFFLOADS: Names = &[
    ("comfyui", "calc-offload-comfyui"),
    ("lowvram", "calc-offload-lowvram"),
    ("swap", "calc-offload-swap"),
    ("none", "calc-offload-none"),
    ("model", "calc-offload-model"),
    ("sequential", "calc-offload-sequential"),
    ("group", "calc-offload-group"),
];
const PLACES: Names = &[("card", "calc-text-card"), ("cpu", "calc-text-cpu")];
const TILES: Names = &[
    ("0", "calc-tile-none"),
    ("1", "calc-tile-usual"),
    ("256", "256"),
    ("512", "512"),
];

/// Formats of checkpoints that image models come in, besides GGUF.
const CHECKPOINTS: [&str; 9] = [
    "bf16", "fp8", "fp8-cast", "w8a8", "int8", "nf4", "nf4-dq", "nvfp4", "int4wo",
];

/// Whether the job makes images or videos.
pub fn makes_pictures(scenario: &Scenario) -> bool {
    let asked = scenario.image_model.is_some() || matches!(scenario.task, Task::Image | Task::Video);
    asked && scenario.base().is_none()
}

/// Turns a scenario to such a job, in ComfyUI's way unless another one was chosen.
pub fn turn(scenario: &mut Scenario) {
    if !makes_pictures(scenario) {
        scenario.task = Task::Image;
        (scenario.model, scenario.own, scenario.typed) = (None, None, Default::default());
        scenario.staging = Staging::Comfyui;
    }
}

/// Takes a model at the size that it was made for.
pub fn take(scenario: &mut Scenario, model: &'static ImageModel) {
    turn(scenario);
    scenario.image_model = Some(model);
    scenario.task = if model.video { Task::Video } else { Task::Image };
    (scenario.width, scenario.height, scenario.frames) = (model.width, model.height, model.frames);
}

/// Width, height and frames in words: `1280×720 × 81`.
pub fn size_name(texts: &Texts, scenario: &Scenario) -> String {
    let size = value_name(texts, Value::Size(scenario.width, scenario.height));
    match scenario.frames {
        ..=1 => size,
        frames => [&size, " × ", &texts.format.count(frames)].concat(),
    }
}

fn options(sizer: Sizer, chosen: fn(&Scenario) -> &'static Format) -> Options {
    let now = chosen(&sizer.scenario());
    let offered =
        |format: &Format| format.family == Family::Gguf || CHECKPOINTS.contains(&format.id) || format.id == now.id;
    format_options(&sizer.texts(), formats().iter().filter(|format| offered(format)))
}

static DENOISER: List = List {
    id: "calc-denoiser-format",
    options: |sizer| options(sizer, |s| s.format),
    changes: |s| formats().iter().take_while(|format| format.id != s.format.id).count(),
    ..FORMAT
};

static TEXT: List = List {
    id: "calc-text-format",
    options: |sizer| options(sizer, |s| s.text_format),
    changes: |s| {
        formats()
            .iter()
            .take_while(|format| format.id != s.text_format.id)
            .count()
    },
    get: |s| s.text_format.id,
    set: |s, id| s.text_format = format(id).unwrap_or(s.text_format),
};

static TILE: List = List {
    id: "calc-tile",
    options: |sizer| named(sizer, TILES),
    changes: |_| 0,
    get: |s| {
        TILES
            .iter()
            .find(|(id, _)| id.parse() == Ok(s.tile))
            .map_or("", |tile| tile.0)
    },
    set: |s, id| s.tile = id.parse().unwrap_or(s.tile),
};

fn by_16(value: i64, step: Step) -> i64 {
    match step {
        Step::Up => (value / 16).saturating_add(1).saturating_mul(16),
        Step::Down => (value.saturating_sub(1) / 16).saturating_mul(16),
        _ => by_one(value, step),
    }
}

/// One more than a multiple of four, as most video models want it.
fn by_frames(value: i64, step: Step) -> i64 {
    match step {
        Step::Up => (value.saturating_add(3) / 4).saturating_mul(4).saturating_add(1),
        Step::Down => (value.saturating_sub(2).max(0) / 4).saturating_mul(4).saturating_add(1),
        _ => by_one(value, step),
    }
}

/// A side in pixels.
const fn side(id: &'static str, get: fn(&Scenario) -> i64, set: fn(&mut Scenario, i64)) -> Lever {
    Lever {
        step: by_16,
        most: 65_536,
        ..Lever::count(id, get, set)
    }
}

/// How many of something that is mostly not there.
const fn few(id: &'static str, get: fn(&Scenario) -> i64, set: fn(&mut Scenario, i64)) -> Lever {
    Lever {
        least: 0,
        optional: true,
        most: 1000,
        ..Lever::count(id, get, set)
    }
}

/// What is asked first.
pub fn essentials(sizer: Sizer) -> [El; 6] {
    let frames = Lever {
        step: by_frames,
        most: 100_000,
        ..Lever::count("calc-frames", |s| s.frames, |s, value| s.frames = value)
    };
    let is_image = move || sizer.scenario().image_model.is_none_or(|model| !model.video);
    [
        list(sizer, &DENOISER),
        list(sizer, &TEXT),
        field(sizer, &side("calc-width", |s| s.width, |s, value| s.width = value)),
        field(sizer, &side("calc-height", |s| s.height, |s, value| s.height = value)),
        field(sizer, &frames).hidden_if(is_image),
        field(
            sizer,
            &Lever::count("calc-images", |s| s.batch, |s, value| s.batch = value),
        ),
    ]
}

/// The rest.
pub fn details(sizer: Sizer) -> [El; 7] {
    let swapped = few("calc-swapped", |s| s.swapped, |s, value| s.swapped = value);
    [
        list(sizer, &list_of!("calc-offload", staging, Staging, OFFLOADS)),
        field(sizer, &swapped).hidden_if(move || sizer.scenario().staging != Staging::Swap),
        list(sizer, &list_of!("calc-text-place", text_place, TextPlace, PLACES)),
        list(sizer, &TILE),
        field(sizer, &few("calc-loras", |s| s.adapters, |s, value| s.adapters = value)),
        field(
            sizer,
            &few(
                "calc-control-nets",
                |s| s.control_nets,
                |s, value| s.control_nets = value,
            ),
        ),
        field(
            sizer,
            &few("calc-references", |s| s.references, |s, value| s.references = value),
        ),
    ]
}
