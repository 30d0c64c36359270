//! What ComfyUI reads from the computer's memory at each step where a denoiser does not fit whole.

use super::{Estimate, PartId, Stage};
use crate::scenario::{Scenario, Staging};
use crate::units::Bytes;

/// The most of the denoiser's weights that ComfyUI can leave out: the layers at work stay. Source: model_management.py keeps
/// at least a few hundred MB of a model loaded and streams the rest ("loaded partially").
const MOST_OUT: i64 = 90;

/// The most that ComfyUI's own mode leaves of the weights in the computer's memory to run all the same, by the high end;
/// `None` where all fits, where not even that helps, and for others.
pub fn streamed(scenario: &Scenario, estimate: &Estimate, usable: Bytes) -> Option<Bytes> {
    let lack = estimate.total.high - usable;
    if scenario.staging != Staging::Comfyui || estimate.fullest != Some(Stage::Denoise) || lack <= Bytes::ZERO {
        return None;
    }
    let weights = estimate.parts.iter().find(|part| part.id == PartId::Weights)?;
    let most = Bytes(weights.span.low.0 / 100 * MOST_OUT);
    (lack <= most).then_some(lack)
}
