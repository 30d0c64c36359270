//! Weights of the parts of a model that makes images or videos: denoiser, text encoders, VAE, each in its own format.

use super::Span;
use crate::catalog::{Encoder, Family, Format, ImageModel, Vae, Weights};
use crate::scenario::Scenario;

/// Text encoders below this many parameters are never quantised (CLIP).
const SMALL_ENCODER: i64 = 500_000_000;

/// Bits of the embedders and of the last layer come on top of a GGUF file's type: half a percent of the parameters
/// in 16-bit and 32-bit. Source: sizes of city96's FLUX.1-dev and Qwen-Image files, q2_k 2.71 to q8_0 8.54 bits.
const GGUF_EXTRA: f64 = 0.06;

/// Whether bitsandbytes makes the format. It quantises on the card and keeps T5's `wo` in 32-bit
/// (transformers: `_keep_in_fp32_modules`); others leave it in 16-bit.
pub(super) fn bitsandbytes(format: &Format) -> bool {
    ["int8", "nf4", "nf4-dq"].contains(&format.id)
}

/// Whether bitsandbytes' weights cannot leave the card (LLM.int8; 4-bit can).
pub(super) fn stays_on_card(format: &Format) -> bool {
    format.id == "int8"
}

/// Bytes of an element of intermediate results: 4 where the weights are in 32-bit, else 2.
pub(super) fn element(format: &Format) -> f64 {
    if format.bare > 1600 { 4.0 } else { 2.0 }
}

/// Bits for each weight of a GGUF file of an image model, least, likely and most: uploaders give every linear layer
/// the mixture's base type, and the `_m` mixtures some layers a finer one, more of them than in language models.
fn gguf_bits(format: &Format) -> [f64; 3] {
    let Weights::Mix(mix) = format.weights else {
        return [format.bare as f64 / 100.0; 3];
    };
    let (base, bare) = (mix.base.bits(256), format.bare as f64 / 100.0);
    if format.id.ends_with("_m") || format.id.ends_with("_l") {
        [base + GGUF_EXTRA, bare * 1.04, bare * 1.12]
    } else {
        [base, base + GGUF_EXTRA, base * 1.05 + GGUF_EXTRA]
    }
}

/// Bytes of `linear` parameters of linear layers and `others` of other layers.
///
/// 16-bit, 32-bit and FP8 hold for every parameter, all other formats for linear layers only.
fn quantised(linear: f64, others: f64, format: &Format) -> Span {
    let all = linear + others;
    match format.family {
        Family::Gguf => {
            let [low, mid, high] = gguf_bits(format).map(|bits| linear * bits / 8.0 + others * 2.0);
            Span::of(low, mid, high)
        }
        _ if format.bare >= 1600 => Span::about(all * format.bare as f64 / 800.0, 0.998, 1.005),
        _ if format.id == "fp8" => Span::about(all, 0.998, 1.02),
        _ => {
            let bits = match format.weights {
                Weights::Plain { linear, .. } | Weights::Experts { linear } | Weights::FeedForward { linear } => linear,
                Weights::Mix(_) => 16.0,
            };
            // Groups of 64 or of 128 weights share a scale: a quarter of a bit.
            let high = if bits < 6.0 { 1.07 } else { 1.03 };
            Span::about(linear * bits / 8.0 + others * 2.0, 0.97, high)
        }
    }
}

/// Percent of a model's parameters that the makers of its files leave in 16-bit, in GGUF and in FP8: layers that refine what
/// comes in (24 tensors of Z-Image-Turbo's files, 6973 MiB in q8_0), ComfyUI's mixed FP8 of FLUX.2-dev (33 813 MiB).
const KEPT: [(&str, i64, i64); 2] = [("z-image-turbo", 13, 0), ("flux.2-dev", 0, 10)];

/// Text encoders that ComfyUI's files have the first layers of, and their parameters: FLUX.2 reads the 30th of Mistral
/// Small's 40.
const CUT: [(&str, f64); 1] = [("mistral-small-3.2", 17_343_759_360.0)];

/// Bytes of one denoiser.
pub(super) fn denoiser(model: &ImageModel, format: &Format) -> Span {
    let params = model.params as f64;
    if format.family == Family::Diffusers {
        // Layerwise casting skips layers named for a norm, which AdaLN's modulation is.
        let norm = params * model.norm as f64 / 100.0;
        return Span::about(params + norm, 0.98, 1.03);
    }
    let kept = KEPT.iter().find(|(id, ..)| *id == model.id);
    let (in_gguf, in_fp8) = kept.map_or((0, 0), |(_, in_gguf, in_fp8)| (*in_gguf, *in_fp8));
    if format.id == "fp8" && in_fp8 > 0 {
        let mixed = params * (1.0 + in_fp8 as f64 / 100.0);
        return Span::of(params, mixed, mixed * 1.02);
    }
    let in_gguf = if format.family == Family::Gguf { in_gguf } else { 0 };
    let linear = params * (model.linear - in_gguf) as f64 / 100.0;
    quantised(linear, params - linear, format)
}

/// Bytes of a text encoder, with its output head if what runs it loads that.
pub(super) fn encoder(encoder: &Encoder, scenario: &Scenario, with_head: bool) -> Span {
    let head = if with_head { encoder.head as f64 } else { 0.0 };
    if encoder.params < SMALL_ENCODER {
        return quantised(0.0, encoder.params as f64 + head, scenario.vae_format);
    }
    let cut = CUT.iter().find(|(id, _)| !with_head && *id == encoder.id);
    let (format, params) = (
        scenario.text_format,
        cut.map_or(encoder.params as f64, |(_, params)| *params),
    );
    let (embed, kept) = (encoder.embed as f64, encoder.kept as f64);
    if format.family == Family::Gguf || format.bare >= 1600 {
        // ComfyUI's loader of GGUF files takes embeddings of 65 536 words and more out of their format.
        if format.family == Family::Gguf && !with_head && embed >= 65_536.0 * encoder.hidden as f64 {
            return quantised(params - embed, embed, format);
        }
        // transformers keeps T5's `wo` in 32-bit beside FP16, not beside bf16: 12.09 GiB of PixArt-Sigma in FP16.
        let raised = if format.id == "f16" && with_head {
            2.0 * kept
        } else {
            0.0
        };
        return quantised(params, head, format) + Span::exact(raised);
    }
    if format.family == Family::Diffusers || format.id == "fp8" {
        // Most files are FP8 as a whole; some keep what is not linear in 16-bit.
        let file = params + encoder.fp8 as f64;
        return Span::of(params * 0.998, file, params + embed + kept) + Span::exact(2.0 * head);
    }
    let linear = quantised(params - embed - kept, embed + head, format);
    // torchao quantises T5's `wo` too where it is told to after loading.
    linear
        + match bitsandbytes(format) {
            true => Span::exact(kept * 4.0),
            false => Span::of(quantised(kept, 0.0, format).low.as_f64(), kept * 2.0, kept * 2.0),
        }
}

/// Bytes of the VAE; of its decoder alone if `decoding`.
pub(super) fn vae(vae: &Vae, format: &Format, decoding: bool) -> Span {
    let params = if decoding && vae.decoder > 0 {
        vae.decoder
    } else {
        vae.params
    };
    quantised(0.0, params as f64, format)
}

/// Bytes of the largest linear layer of a transformer `hidden` wide with feed-forward layers of `ffn`.
/// Source: peaks of group offload less intermediate results, FLUX.1-dev 93 MB, LTX-Video 13B 132 MB.
pub(super) fn leaf(hidden: i64, ffn: i64, format: &Format) -> Span {
    let weights = hidden as f64 * (hidden as f64 + ffn as f64);
    Span::about(weights * element(format), 0.7, 1.5)
}
