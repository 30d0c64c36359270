//! Decoding latents to pixels, whole or in tiles.

use super::Span;
use super::components::element;
use super::denoiser::{Step, at_least};
use crate::catalog::Vae;
use crate::scenario::Scenario;

/// The side of the tiles, in pixels; zero where the image is decoded whole.
pub(super) fn tile(vae: &Vae, scenario: &Scenario) -> i64 {
    match scenario.tile {
        ..=0 => 0,
        1 => vae.tile,
        side => side,
    }
}

/// Frames that the decoder takes at once.
pub(super) fn frames_at_once(vae: &Vae, scenario: &Scenario) -> i64 {
    let frames = scenario.frames.max(1);
    if vae.step > 0 { frames.min(vae.step) } else { frames }
}

/// `batch · pixels · frames at once · elements · bytes`, pixels those of a tile where there are tiles; and the decoded
/// frames themselves, three channels, twice.
///
/// Elements for each pixel: at the last level of AutoencoderKL five tensors of 256 channels stand in memory (input, its
/// norm and activation, output, and the copy that the convolution makes), 1280; the allocator holds 2240 with blocks of
/// the smaller levels. In 32-bit convolutions of images mostly make no copy: 966 and 987 elements in SDXL, but 1273 with
/// offload (diffusers' pages). Other VAEs have their own (`src/catalog/vaes.csv`).
/// Sources: SD 1.5 at 512×512 peaks 0.63 GiB above its weights; FLUX.1-dev at 1024×1024 holds 4.4 to 4.7 GiB more than
/// loaded; ComfyUI reckons with 2178 elements.
pub(super) fn decoding(vae: &Vae, scenario: &Scenario) -> Step {
    let (width, height) = (scenario.width.max(1), scenario.height.max(1));
    let (wide, high) = match tile(vae, scenario) {
        0 => (width, height),
        side => (width.min(side), height.min(side)),
    };
    let size = element(scenario.vae_format);
    let batch = at_least(scenario.batch, 1);
    let pixels = batch * wide as f64 * high as f64 * frames_at_once(vae, scenario) as f64;
    let output = batch * width as f64 * height as f64 * at_least(scenario.frames, 1) * 3.0 * 2.0;
    let held = (vae.held - vae.peak).max(0) as f64;
    let bytes = (pixels * vae.peak as f64 + output) * size;
    Step {
        allocated: match vae.temporal == 1 && size > 2.0 {
            true => Span::of(0.72 * bytes, 0.8 * bytes, 1.05 * bytes),
            false => Span::about(bytes, 0.8, 1.25),
        },
        cached: Span::about(pixels * held * size, 0.3, 1.2),
    }
}
