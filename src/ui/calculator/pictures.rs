//! The inputs of a job that makes images or videos: formats of its parts, size, and what stays off the card.

use super::fields::{Input, List, Number};
use super::levers::{FORMAT, Names, by, count, few, format_options, list_of, named};
use super::solved::value_name;
use crate::catalog::{Family, Format, ImageModel, format, formats};
use crate::i18n::Texts;
use crate::scenario::{Scenario, Staging, Task, TextPlace};
use crate::sizing::Value;
use crate::ui::components::{Options, Step, by_one};

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
    let asked = match scenario.task {
        Task::Image | Task::Video => true,
        Task::Llm => scenario.image_model.is_some(),
        Task::Train => false,
    };
    asked && scenario.base().is_none()
}

/// Whether a model that makes images or videos is trained.
pub fn trains_pictures(scenario: &Scenario) -> bool {
    scenario.task == Task::Train && scenario.image_model.is_some()
}

/// Turns a scenario to such a job, in ComfyUI's way unless another one was chosen.
pub fn turn(scenario: &mut Scenario) {
    if !makes_pictures(scenario) {
        let video = scenario.image_model.is_some_and(|model| model.video);
        scenario.task = if video { Task::Video } else { Task::Image };
        (scenario.model, scenario.own, scenario.typed) = (None, None, Default::default());
        scenario.staging = Staging::Comfyui;
    }
}

/// Takes a model at the size that it was made for; where one is trained it is trained.
pub fn take(scenario: &mut Scenario, model: &'static ImageModel) {
    scenario.image_model = Some(model);
    if scenario.task == Task::Train {
        (scenario.model, scenario.own, scenario.typed) = (None, None, Default::default());
    } else {
        turn(scenario);
        scenario.task = if model.video { Task::Video } else { Task::Image };
    }
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

fn options(texts: &Texts, now: &'static Format) -> Options {
    let offered =
        |format: &Format| format.family == Family::Gguf || CHECKPOINTS.contains(&format.id) || format.id == now.id;
    format_options(texts, formats().iter().filter(|format| offered(format)))
}

const DENOISER: List = List {
    id: "calc-denoiser-format",
    options: |texts, s| options(texts, s.format),
    changes: |s| formats().iter().take_while(|format| format.id != s.format.id).count(),
    ..FORMAT
};

const TEXT: List = List {
    id: "calc-text-format",
    options: |texts, s| options(texts, s.text_format),
    changes: |s| {
        formats()
            .iter()
            .take_while(|format| format.id != s.text_format.id)
            .count()
    },
    get: |s| s.text_format.id,
    set: |s, id| s.text_format = format(id).unwrap_or(s.text_format),
};

const TILE: List = List {
    id: "calc-tile",
    options: |texts, _| named(texts, TILES),
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
    by(value, step, 16)
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
const fn side(id: &'static str, get: fn(&Scenario) -> i64, set: fn(&mut Scenario, i64)) -> Number {
    Number {
        step: by_16,
        most: 65_536,
        ..count(id, get, set)
    }
}

/// The number format of the VAE and of small text encoders.
const VAE: List = List {
    id: "calc-vae-format",
    options: |texts, _| {
        let offered = |format: &&Format| ["bf16", "f32"].contains(&format.id);
        format_options(texts, formats().iter().filter(offered))
    },
    changes: |_| 0,
    get: |s| s.vae_format.id,
    set: |s, id| s.vae_format = format(id).unwrap_or(s.vae_format),
};

/// The formats, asked first.
pub static FORMATS: [Input; 2] = [Input::list("q", DENOISER), Input::list("tq", TEXT)];

/// The size, asked of what is trained too.
pub static SIZE: [Input; 2] = [
    Input::number("res", side("calc-width", |s| s.width, |s, value| s.width = value)),
    Input::number("", side("calc-height", |s| s.height, |s, value| s.height = value)),
];

/// How many.
pub static COUNTS: [Input; 2] = [
    Input::number(
        "fr",
        Number {
            step: by_frames,
            most: 100_000,
            ..count("calc-frames", |s| s.frames, |s, value| s.frames = value)
        },
    )
    .only(|s| s.image_model.is_some_and(|model| model.video)),
    Input::number("bs", count("calc-images", |s| s.batch, |s, value| s.batch = value)),
];

/// Where the text encoders work, asked of what is trained too.
pub static PLACE: [Input; 1] = [Input::list(
    "te",
    list_of!("calc-text-place", text_place, TextPlace, PLACES),
)];

/// What is often set besides.
pub static DETAILS: [Input; 5] = [
    Input::list("off", list_of!("calc-offload", staging, Staging, OFFLOADS)),
    Input::number("bsw", few("calc-swapped", |s| s.swapped, |s, value| s.swapped = value))
        .only(|s| s.staging == Staging::Swap),
    Input::list("tile", TILE),
    Input::number(
        "cn",
        few(
            "calc-control-nets",
            |s| s.control_nets,
            |s, value| s.control_nets = value,
        ),
    ),
    Input::number(
        "ref",
        few("calc-references", |s| s.references, |s, value| s.references = value),
    ),
];

/// What is seldom set.
pub static ADVANCED: [Input; 2] = [
    Input::number(
        "cfg",
        Number {
            most: 2,
            usual: |s| s.image_model.map_or(0, |model| model.prompts),
            ..few("calc-prompts", |s| s.prompts, |s, value| s.prompts = value)
        },
    ),
    Input::list("vq", VAE),
];
