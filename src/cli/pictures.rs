//! The parts that `vramfit accuracy` knows of models that make images or videos, besides those of the estimate.
//!
//! | part | means |
//! |---|---|
//! | `total`, `smi` | the peak of a run with the CUDA context: what nvidia-smi shows |
//! | `reserved` | the peak that PyTorch's allocator holds: `max_memory_reserved()` |
//! | `allocated` | the peak of tensors: `max_memory_allocated()`, "peak memory" without more, what diffusers' pages require |
//! | `text`, `denoise`, `decode` | the peak of tensors in that stage alone |
//! | `loaded` | the weights of denoisers, text encoders and VAE: "memory after loading" |
//! | `loaded_decoder` | the same with the VAE's decoder only (stable-diffusion.cpp) |
//! | `denoiser`, `text_encoders`, `vae`, `vae_decoder` | the weights of one denoiser, of all text encoders, of the VAE, of its decoder |
//! | `encoder.ID` | the weights of one text encoder, an id of src/catalog/encoders.csv |

use crate::scenario::Scenario;
use crate::sizing::image_video::{Measure, loaded, peak, stage_peak};
use crate::sizing::{Span, Stage};

/// The part of a scenario; `None` for other models, and for other parts.
pub(super) fn computed(scenario: &Scenario, part: &str) -> Option<Span> {
    let measures = [
        ("total", Measure::Total),
        ("smi", Measure::Total),
        ("reserved", Measure::Reserved),
        ("allocated", Measure::Allocated),
    ];
    if let Some((_, measure)) = measures.iter().find(|(name, _)| *name == part) {
        return peak(scenario, *measure);
    }
    match Stage::ALL.iter().find(|stage| stage.id() == part) {
        Some(stage) => stage_peak(scenario, *stage),
        None => loaded(scenario, part),
    }
}
