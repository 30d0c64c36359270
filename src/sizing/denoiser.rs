//! What passes through a denoiser: tokens, and the intermediate results of one step.

use super::Span;
use super::components::{element, stays_on_card};
use crate::catalog::ImageModel;
use crate::scenario::Scenario;

/// A count from a link as a float, never below `least`.
pub(super) fn at_least(count: i64, least: i64) -> f64 {
    count.max(least) as f64
}

/// Tokens of one image or video: latent cells by patches, once more for each reference image, and the text's where it
/// passes through the same layers.
pub(super) fn tokens(model: &ImageModel, scenario: &Scenario) -> f64 {
    let pixels = model.vae.spatial.saturating_mul(model.patch_side).max(1);
    let cells = |side: i64| (side.max(1).saturating_add(pixels - 1) / pixels) as f64;
    let area = cells(scenario.width) * cells(scenario.height);
    let per_token = model.patch_frames.max(1);
    let frames = (model.latent_frames(scenario.frames).saturating_add(per_token - 1) / per_token) as f64;
    area * (frames + at_least(scenario.references, 0)) + model.text_tokens as f64
}

/// Sequences of tokens in one step: images of the batch, each with the prompts computed beside one another.
pub(super) fn sequences(model: &ImageModel, scenario: &Scenario) -> f64 {
    let prompts = if scenario.prompts > 0 {
        scenario.prompts
    } else {
        model.prompts
    };
    at_least(scenario.batch, 1) * at_least(prompts, 1)
}

/// Intermediate results of one step, allocated and held, in bytes.
pub(super) struct Step {
    /// What tensors take at the fullest moment.
    pub allocated: Span,
    /// What PyTorch's allocator holds beyond that.
    pub cached: Span,
}

/// Rows of the residual stream's width that stand in memory at the fullest moment of a layer `hidden` wide: the stream,
/// its norm in 32-bit, queries, keys, values, the output (8.5 in all), the inner row of the feed-forward layer and its
/// activation (`2·ffn/hidden`).
///
/// Source: peak less weights of one forward pass, 16.8 rows in FLUX.1-dev, 16.3 in LTX-Video 13B (both 16.5 here), 27 in
/// SDXL's UNet (24.5). Does not hold under a compiler, which fuses some.
fn rows(hidden: f64, ffn: f64) -> f64 {
    8.5 + 2.0 * ffn / hidden.max(1.0)
}

/// One step of a denoiser: `sequences · tokens · hidden · bytes · rows`, and without fused attention the scores of all
/// heads, twice (before and after softmax).
///
/// The allocator holds half as much again; twice as much where blocks of two streams and of one leave tensors of unlike
/// sizes (FLUX.1-dev at 1024×1024: 0.44 GiB allocated, 1.1 GiB held); a third in a UNet.
/// Sources: as above; ComfyUI's `memory_usage_factor`s, which are 1.0 to 2.2 times what is allocated; bitsandbytes'
/// `MatMul8bitLt`.
pub(super) fn step(model: &ImageModel, scenario: &Scenario) -> Step {
    let (tokens, count) = (tokens(model, scenario), sequences(model, scenario));
    let size = element(scenario.format);
    let streams = rows(model.hidden as f64, model.ffn as f64) * tokens * model.hidden as f64;
    let scores = if scenario.flash_attention {
        0.0
    } else {
        2.0 * model.heads as f64 * tokens * tokens
    };
    // LLM.int8 casts each input to half precision and to 8 bits beside it, the widest where both rows are joined, and keeps
    // the columns of weights that outliers meet in 16-bit: 7 % of HunyuanVideo's, how many is the model's.
    let (copies, columns) = match stays_on_card(scenario.format) {
        true => (3.0 * (model.hidden + model.ffn) as f64 * tokens, model.params as f64),
        false => (0.0, 0.0),
    };
    let bytes = count * (size * (streams + scores) + copies);
    let held = match () {
        () if model.single_blocks > 0 => 1.1,
        () if model.patch_side == 1 && model.linear < 100 => 0.3,
        () => 0.5,
    };
    Step {
        allocated: Span::about(bytes, 0.75, 1.35) + Span::of(0.0, 0.06 * columns, 0.15 * columns),
        cached: Span::about(count * size * streams * held, 0.2, 1.4),
    }
}

/// Encoding a text: its tokens through one layer of the encoder, of feed-forward layers four times as wide.
pub(super) fn encoding(tokens: i64, hidden: i64, scenario: &Scenario) -> Step {
    let width = hidden as f64;
    let prompts = at_least(scenario.prompts, 1);
    let bytes = prompts * tokens as f64 * width * element(scenario.text_format) * rows(width, 4.0 * width);
    Step {
        allocated: Span::about(bytes, 0.5, 2.0),
        cached: Span::about(bytes, 0.2, 2.0),
    }
}
