//! Training a model that makes images or videos: its denoiser as a whole, or LoRA beside it, on latents of some resolution.

use super::denoiser::{at_least, tokens};
use super::optimizer::{adapter_state_bytes, usual_states, width_name};
use super::{Basis, Part, PartId, Span, components, image_video::Measure, vae};
use crate::catalog::{Encoder, ImageModel};
use crate::message::{Arg, Message};
use crate::scenario::{Checkpointing, Method, Offload, Optimizer, Precision, Scenario, Targets, TextPlace};
use crate::units::{Bytes, GIB};

/// A training scenario that names a model of this kind.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    scenario: &'a Scenario,
    model: &'static ImageModel,
}

/// One part, with its formula's message.
type Piece = (PartId, Span, Basis, fn(&Job, Span) -> Message);

/// Elements that a UNet keeps for each latent cell: each resolution's convolutions (six of its channels each) and
/// transformer blocks (34 of its channels each, a block computed again included), and a quarter more of all that. SDXL has
/// 70 blocks, most of them at a quarter of the sides; SD 1.5 and 2.1 have 16.
/// Source: 1.25 GB an image of SD 1.4 without checkpoints (ShivamShrirao's DreamBooth table, two images a step).
const SDXL_CELL: f64 = 300_000.0;
const SD_CELL: f64 = 150_000.0;

impl<'a> Job<'a> {
    pub fn new(scenario: &'a Scenario, model: &'static ImageModel) -> Job<'a> {
        Job { scenario, model }
    }

    /// Whether it is a UNet, whose layers differ by resolution.
    fn is_unet(&self) -> bool {
        self.model.patch_side == 1 && self.model.linear < 100
    }

    fn element(&self) -> f64 {
        if self.scenario.precision == Precision::Fp32 {
            4.0
        } else {
            2.0
        }
    }

    fn blocks(&self) -> f64 {
        at_least(self.model.blocks.saturating_add(self.model.single_blocks), 1)
    }

    /// The denoiser's weights: trained ones by the precision (mixed is autocast beside 32-bit weights, as accelerate does it),
    /// frozen ones in `q`, those of QLoRA in 4-bit where `q` is no such format. Of Wan 2.2's two experts one is trained at a time.
    fn weights(&self) -> Span {
        let (scenario, model) = (self.scenario, self.model);
        if scenario.offload == Offload::All {
            return Span::default();
        }
        let frozen = components::denoiser(model, scenario.format);
        let params = model.params as f64;
        match scenario.method {
            Method::Full => Span::about(params * self.trained_width(), 1.0, 1.02),
            Method::Qlora if scenario.format.bare >= 600 => {
                let linear = params * model.linear as f64 / 100.0;
                Span::about(linear * 4.127 / 8.0 + (params - linear) * 2.0, 1.0, 1.12)
            }
            _ => frozen,
        }
    }

    /// Text encoders and VAE beside it; none where their output is cached (`te=cpu`).
    fn encoders(&self) -> Span {
        if self.scenario.text_place == TextPlace::Cpu {
            return Span::default();
        }
        let one = |encoder: &Encoder| components::encoder(encoder, self.scenario, true);
        let encoders = self
            .model
            .encoders()
            .fold(Span::default(), |sum, encoder| sum + one(encoder));
        encoders + components::vae(self.model.vae, self.scenario.vae_format, false)
    }

    /// Parameters that are trained: all, or of LoRA `rank · 24 · hidden` in each block of a transformer (134 MB of FLUX.1-dev
    /// in rank 16), a third of them in attention alone, two thirds where text is attended to by a second one (LTX-Video:
    /// 917,504 a rank); in a UNet `rank` times its widths: 1.45 million a rank in SDXL, 0.2 in SD 1.5.
    /// Sources: files of adapters; kohya's LoRA of SDXL's linear layers, 46 MB of rank 16; finetrainers' logs.
    fn trained(&self) -> f64 {
        let (scenario, model) = (self.scenario, self.model);
        if scenario.method == Method::Full {
            return model.params as f64;
        }
        let rank = at_least(scenario.rank, 0);
        let whole = match () {
            () if !self.is_unet() => self.blocks() * 24.0 * model.hidden as f64,
            () if model.linear > 50 => 1.45e6,
            () => 0.2e6,
        };
        let attention = match model.text_tokens == 0 && !self.is_unet() {
            true => 0.66,
            false => 0.34,
        };
        let share = match scenario.targets {
            Targets::All | Targets::Head => 1.0,
            Targets::Attention => attention,
            Targets::QueryValue => attention / 2.0,
            Targets::FeedForward => 0.66,
        };
        rank * whole * share
    }

    /// Bytes of a trained weight of the denoiser, and of its gradient.
    fn trained_width(&self) -> f64 {
        if self.scenario.precision == Precision::Bf16 {
            2.0
        } else {
            4.0
        }
    }

    /// Bytes of each trained parameter beside a full denoiser's weights, all the time: states, and gradients where they are
    /// accumulated; of LoRA its weights and gradients too, in 32-bit but in pure bf16.
    fn each(&self) -> f64 {
        let (scenario, width) = (self.scenario, self.trained_width());
        let there = |state: f64| match scenario.offload {
            Offload::None => state,
            _ => 0.0,
        };
        if scenario.method == Method::Full {
            let kept = if scenario.accumulation > 1 { width } else { 0.0 };
            return kept + there(usual_states(scenario.optimizer, width));
        }
        2.0 * width + there(adapter_state_bytes(scenario, width))
    }

    /// Sequences of latents computed together: one for each image, without guidance.
    fn batch(&self) -> f64 {
        at_least(self.scenario.batch, 1)
    }

    /// Latent cells of an image, or of all frames.
    fn cells(&self) -> f64 {
        let spatial = self.model.vae.spatial.max(1);
        let side = |pixels: i64| (pixels.max(1).saturating_add(spatial - 1) / spatial) as f64;
        side(self.scenario.width) * side(self.scenario.height)
    }

    /// What the forward pass leaves for the backward pass, and what that needs beside it.
    ///
    /// Of a transformer, for one token and block `h` wide in 16-bit: 24h and 4·inner without checkpoints (two norms in
    /// 32-bit and what modulation makes of them 12h, queries to output 8h, inputs of linear layers 4h and 2·inner, the inner
    /// row before its activation); with checkpoints 2h of each block, and one block computed again with its gradients.
    ///
    /// Sources: FLUX.1-dev: 9 GB of QLoRA at 512×768 and 26 GB of LoRA in bf16 (Hugging Face's flux-qlora), 38.5 GB of rank 256
    /// in pure bf16 with T5 in 8 bits, 44.2 of rank 128 with T5 in 16-bit (kohya's sd-scripts#1374). UNets are rules of thumb.
    fn activations(&self) -> Span {
        let (scenario, model) = (self.scenario, self.model);
        let size = self.element();
        let kept = scenario.checkpointing == Checkpointing::None;
        if self.is_unet() {
            let cell = if model.linear > 50 { SDXL_CELL } else { SD_CELL };
            let share = match scenario.checkpointing {
                Checkpointing::None => 1.0,
                Checkpointing::Selective => 0.5,
                Checkpointing::Full => 0.15,
            };
            return Span::about(self.batch() * self.cells() * cell * size * share, 0.6, 1.6) + Span::exact(self.cast());
        }
        let tokens = self.batch() * tokens(model, scenario);
        let (hidden, ffn) = (model.hidden as f64, model.ffn as f64);
        let scores = match scenario.flash_attention {
            true => 0.0,
            false => 3.0 * model.heads as f64 * tokens / self.batch(),
        };
        let block = size * (12.0 * hidden + 2.0 * ffn + scores);
        let stored = match scenario.checkpointing {
            Checkpointing::None => block,
            Checkpointing::Selective => size * (6.0 * hidden + ffn),
            Checkpointing::Full => size * hidden,
        };
        let again = (block - stored).max(0.0) + size * (4.0 * hidden + 2.0 * ffn);
        let bytes = tokens * (self.blocks() * stored + again);
        if kept {
            Span::about(bytes, 0.75, 1.25)
        } else {
            Span::about(bytes, 0.8, 1.4)
        }
    }

    /// The 16-bit copies of a UNet's 32-bit weights that autocast makes, alive with the activations.
    /// Source: 1.6 GB that accumulated gradients of SD 1.4 add, of 3.4, where the optimiser's step was the peak before.
    fn cast(&self) -> f64 {
        let autocast = self.scenario.method == Method::Full && self.scenario.precision == Precision::Mixed;
        if autocast { 2.0 * self.model.params as f64 } else { 0.0 }
    }

    /// What the optimiser's step needs beyond the activations, which are gone by then: all gradients, as far as no earlier ones
    /// are kept, and the copy of all trained parameters that torch's AdamW makes, but the fused one.
    ///
    /// Source: finetrainers' table of CogVideoX with all parameters trained: 33.9 GiB (2B) are the step's, 38.3 with four
    /// videos at once the backward pass's, 52.8 and 66.6 of 5B with states in 8 bits.
    fn step(&self) -> Span {
        let scenario = self.scenario;
        if scenario.method != Method::Full {
            return Span::default();
        }
        let all = self.model.params as f64 * self.trained_width();
        let gradients = if scenario.accumulation > 1 { 0.0 } else { all };
        let copy = match scenario.optimizer == Optimizer::AdamW && scenario.offload == Offload::None {
            true => all,
            false => 0.0,
        };
        let activations = self.activations();
        let beyond = |wanted: f64, there: Bytes| (wanted - there.as_f64()).max(0.0);
        Span::of(
            beyond(gradients, activations.low),
            beyond(gradients + copy, activations.mid),
            beyond(gradients + copy, activations.high),
        )
    }

    /// What PyTorch's allocator holds beyond that, as in training a language model; and where nothing is cached ahead, the
    /// blocks of the VAE's encoder, which works before each step and is about as wide as its decoder, at most half as much more
    /// (17.6 GiB of LTX-Video's LoRA in finetrainers' log).
    fn cache(&self) -> Span {
        let moving = (self.activations() + self.step()).mid.as_f64();
        let encoding = match self.scenario.text_place {
            TextPlace::Cpu => 0.0,
            TextPlace::Card => {
                let step = vae::decoding(self.model.vae, self.scenario);
                step.allocated.mid.as_f64() + step.cached.mid.as_f64()
            }
        };
        Span::of(
            moving * 0.03,
            moving * 0.2 + encoding * 0.6,
            moving * 0.45 + 1.5 * encoding,
        )
    }

    /// The parts of a step at its fullest moment, the backward pass.
    fn pieces(&self) -> [Piece; 7] {
        let trained = self.trained() * self.each();
        let lora = self.scenario.method != Method::Full;
        [
            (PartId::Weights, self.weights(), Basis::Exact, formula_weights),
            (PartId::TextEncoders, self.encoders(), Basis::Exact, formula_encoders),
            match lora {
                true => (
                    PartId::Adapters,
                    Span::about(trained, 0.6, 1.3),
                    Basis::RuleOfThumb,
                    formula_adapters,
                ),
                false => (
                    PartId::Optimizer,
                    Span::about(trained, 1.0, 1.05),
                    Basis::Exact,
                    formula_states,
                ),
            },
            (
                PartId::Activations,
                self.activations(),
                Basis::RuleOfThumb,
                formula_activations,
            ),
            (PartId::Temporary, self.step(), Basis::RuleOfThumb, |_, span| {
                Message::new("size-temporary")
                    .with("moment", "step")
                    .with("bytes", span.mid)
            }),
            (PartId::Cache, self.cache(), Basis::RuleOfThumb, |_, _| {
                Message::new("size-image-cache")
            }),
            (PartId::Overhead, context(), Basis::RuleOfThumb, |_, span| {
                Message::new("size-overhead-context")
                    .with("low", span.low)
                    .with("high", span.high)
            }),
        ]
    }

    /// What is on the card before the first step: the denoiser, LoRA's weights, and what stays beside them.
    pub fn loaded(&self) -> Span {
        let adapters = match self.scenario.method {
            Method::Full => Span::default(),
            _ => Span::about(self.trained() * self.trained_width(), 0.6, 1.3),
        };
        self.weights() + self.encoders() + adapters
    }

    /// The peak of a step, by one way of measuring.
    pub fn peak(&self, measure: Measure) -> Span {
        let counted = |id: PartId| match measure {
            Measure::Allocated => id != PartId::Cache && id != PartId::Overhead,
            Measure::Reserved => id != PartId::Overhead,
            Measure::Total => true,
        };
        let spans = self.pieces().into_iter().filter(|(id, ..)| counted(*id));
        spans.fold(Span::default(), |sum, (_, span, ..)| sum + span)
    }

    /// Its parts, those that need nothing left out.
    pub fn parts(&self) -> Vec<Part> {
        let some = self.pieces().into_iter().filter(|(_, span, ..)| span.high.0 > 0);
        let part = |(id, span, basis, formula): Piece| Part {
            id,
            span,
            basis,
            formula: formula(self, span),
        };
        some.map(part).collect()
    }
}

/// The CUDA context with kernels and workspaces.
fn context() -> Span {
    Span::of(GIB as f64 * 0.3, GIB as f64 * 0.5, GIB as f64)
}

fn formula_weights(job: &Job, span: Span) -> Message {
    let bits = span.mid.as_f64() * 800.0 / (job.model.params as f64).max(1.0);
    let format = match (job.scenario.method, job.scenario.format) {
        (Method::Full, _) => width_name(job.trained_width()),
        (Method::Qlora, format) if format.bare >= 600 => "NF4",
        (_, format) => format.name,
    };
    Message::new("size-weights")
        .with("params", job.model.params)
        .with("bits", Arg::Number(bits.round() as i64, 2))
        .with("format", format)
        .with("cards", 1)
}

fn formula_encoders(job: &Job, _: Span) -> Message {
    let names: Vec<&str> = job.model.encoders().map(|encoder| encoder.name).collect();
    Message::new("size-image-encoders")
        .with("names", names.join(" + "))
        .with("format", job.scenario.text_format.name)
}

fn formula_adapters(job: &Job, _: Span) -> Message {
    Message::new("size-adapters")
        .with("rank", job.scenario.rank)
        .with("params", job.trained() as i64)
        .with("each", Arg::Number((job.each() * 10.0).round() as i64, 1))
        .with("targets", job.scenario.targets.id())
}

fn formula_states(job: &Job, _: Span) -> Message {
    Message::new("size-optimizer")
        .with("params", job.model.params)
        .with("each", Arg::Number((job.each() * 10.0).round() as i64, 1))
        .with("optimizer", job.scenario.optimizer.id())
        .with("cards", 1)
}

fn formula_activations(job: &Job, _: Span) -> Message {
    let (id, each) = match job.scenario.checkpointing {
        Checkpointing::Full => ("size-activations-checkpointed", Some(job.element() as i64)),
        Checkpointing::Selective => ("size-activations-selective", None),
        Checkpointing::None => ("size-activations-kept", None),
    };
    let message = Message::new(id);
    let message = match each {
        Some(each) => message.with("each", each),
        None => message,
    };
    message
        .with("batch", job.scenario.batch)
        .with("sequence", tokens(job.model, job.scenario) as i64)
        .with("hidden", job.model.hidden)
        .with("layers", job.model.blocks.saturating_add(job.model.single_blocks))
}
