//! A model that makes images or videos: it encodes the text, removes noise step by step, and decodes what comes out.
//! Each stage has parts of the model and intermediate results on the card; the need is that of the fullest stage.

use super::denoiser::{Step, encoding, sequences, step, tokens};
use super::{Basis, Part, PartId, Span, components, picture_training, vae};
use crate::catalog::{Encoder, ImageModel};
use crate::message::{Arg, Message};
use crate::scenario::{Scenario, Staging, Task, TextPlace};
use crate::units::{GIB, MIB};

/// A stage of making an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Weights that bitsandbytes quantises on the card, before any of them can be offloaded.
    Loading,
    /// The text encoders read the prompt.
    Text,
    /// The denoiser works.
    Denoise,
    /// The VAE decodes.
    Decode,
}

impl Stage {
    /// All, in the order of time.
    pub const ALL: [Stage; 4] = [Stage::Loading, Stage::Text, Stage::Denoise, Stage::Decode];

    /// The id of the JSON.
    pub fn id(self) -> &'static str {
        match self {
            Stage::Loading => "loading",
            Stage::Text => "text",
            Stage::Denoise => "denoise",
            Stage::Decode => "decode",
        }
    }
}

/// What is counted of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Weights and intermediate results: `torch.cuda.max_memory_allocated()`.
    Allocated,
    /// With what PyTorch's allocator holds besides: `torch.cuda.max_memory_reserved()`.
    Reserved,
    /// With the CUDA context: what `nvidia-smi` shows.
    Total,
}

/// One part of a stage, without its formula.
type Piece = (PartId, Span, Basis);

/// A scenario that names a model of this kind.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    scenario: &'a Scenario,
    model: &'static ImageModel,
}

impl<'a> Job<'a> {
    pub fn new(scenario: &'a Scenario) -> Option<Job<'a>> {
        let model = scenario.image_model.filter(|_| scenario.base().is_none())?;
        Some(Job { scenario, model })
    }

    /// The job of training its denoiser, if that is the task.
    pub fn training(&self) -> Option<picture_training::Job<'a>> {
        (self.scenario.task == Task::Train).then(|| picture_training::Job::new(self.scenario, self.model))
    }

    /// The text encoders that work on the card.
    fn encoders(&self) -> impl Iterator<Item = &'static Encoder> + use<> {
        let elsewhere = self.scenario.text_place == TextPlace::Cpu || self.scenario.staging == Staging::Lowvram;
        self.model.encoders().filter(move |_| !elsewhere)
    }

    fn encoder(&self, encoder: &Encoder) -> Span {
        // ComfyUI loads no output heads.
        let with_head = !matches!(
            self.scenario.staging,
            Staging::Comfyui | Staging::Swap | Staging::Lowvram
        );
        components::encoder(encoder, self.scenario, with_head)
    }

    fn all_encoders(&self) -> Span {
        self.encoders()
            .fold(Span::default(), |sum, encoder| sum + self.encoder(encoder))
    }

    /// The text encoders that are on the card at once with diffusers' offload by model: each goes when the next one comes, but
    /// the last stays while the first ones read the second prompt, as guidance has it.
    /// Source: accelerate's `UserCpuOffloadHook`; 12.06 GiB of Stable Diffusion 3, its T5 and OpenCLIP-bigG.
    fn one_after_the_other(&self) -> Span {
        let encoders: Vec<Span> = self.encoders().map(|encoder| self.encoder(encoder)).collect();
        let largest = |some: &[Span]| some.iter().copied().fold(Span::default(), Span::most);
        match encoders.split_last() {
            Some((last, others)) if self.model.prompts > 1 && self.scenario.prompts != 1 => {
                (*last + largest(others)).most(largest(others))
            }
            _ => largest(&encoders),
        }
    }

    fn vae(&self) -> Span {
        components::vae(self.model.vae, self.scenario.vae_format, false)
    }

    /// The denoisers' weights on the card while one of them works.
    fn denoiser(&self) -> Span {
        let (scenario, model) = (self.scenario, self.model);
        let one = components::denoiser(model, scenario.format);
        let leaf = components::leaf(model.hidden, model.ffn, scenario.format);
        match scenario.staging {
            Staging::None => one.times(model.experts as f64),
            Staging::Comfyui | Staging::Model => one,
            Staging::Sequential | Staging::Group => leaf.least(one),
            // ComfyUI keeps at least 128 MiB of weights on the card.
            Staging::Lowvram => (leaf + Span::exact((128 * MIB) as f64)).least(one),
            Staging::Swap => {
                let blocks = model.blocks.saturating_add(model.single_blocks).max(1);
                let swapped = scenario.swapped.clamp(0, blocks) as f64;
                // The block that is swapped in has its place too.
                let kept = (blocks as f64 - swapped + swapped.min(1.0)) / blocks as f64;
                one.times(kept)
            }
        }
    }

    /// LoRA's matrices beside every linear layer of each block, `rank · 24 · hidden`. ComfyUI merges them into the
    /// weights. Source: files of FLUX.1-dev adapters of rank 16, 130 to 170 MB.
    fn adapters(&self) -> Span {
        let (scenario, model) = (self.scenario, self.model);
        let blocks = model.blocks.saturating_add(model.single_blocks) as f64;
        let each = scenario.rank.max(0) as f64 * blocks * 24.0 * model.hidden as f64 * 2.0;
        Span::about(each * scenario.adapters.max(0) as f64, 0.0, 2.0)
    }

    /// ControlNets: a copy of a UNet's first half, of a transformer's first blocks.
    /// Sources: 361 M of SD 1.5's 860 M, 1.25 B of SDXL's 2.57 B, 1.5 to 3.3 B of FLUX.1's 11.9 B.
    fn control_nets(&self) -> Span {
        let model = self.model;
        let share = if model.linear < 100 { 0.45 } else { 0.2 };
        let bytes = model.params as f64 * share * components::element(self.scenario.format);
        let count = self.scenario.control_nets.max(0) as f64;
        Span::about(bytes * count, 0.6, 1.4)
    }

    /// Weights on the card in a stage.
    fn weights(&self, stage: Stage) -> [Span; 3] {
        let none = Span::default();
        let scenario = self.scenario;
        let stays = |format, span| if components::stays_on_card(format) { span } else { none };
        match (scenario.staging, stage) {
            (Staging::None, _) => [self.denoiser(), self.all_encoders(), self.vae()],
            (Staging::Model, Stage::Loading) => {
                let loads = |format, span| if components::bitsandbytes(format) { span } else { none };
                // Files that are quantised already may be loaded in the computer's memory.
                let maybe = |span: Span| Span::of(0.0, span.mid.as_f64(), span.high.as_f64());
                [
                    maybe(loads(scenario.format, self.denoiser())),
                    maybe(loads(scenario.text_format, self.all_encoders())),
                    none,
                ]
            }
            (_, Stage::Loading) => [none; 3],
            (Staging::Model, Stage::Text) => {
                let largest = self.one_after_the_other();
                let encoders = stays(scenario.text_format, self.all_encoders());
                [stays(scenario.format, self.denoiser()), largest.most(encoders), none]
            }
            (Staging::Model, Stage::Denoise) => {
                let encoders = stays(scenario.text_format, self.all_encoders());
                [self.denoiser(), encoders, none]
            }
            (Staging::Model, Stage::Decode) => [
                stays(scenario.format, self.denoiser()),
                stays(scenario.text_format, self.all_encoders()),
                self.vae(),
            ],
            (Staging::Sequential | Staging::Group, Stage::Text) => {
                let embed = |encoder: &Encoder| {
                    let leaf = components::leaf(encoder.hidden, 3 * encoder.hidden, scenario.text_format);
                    let rows = encoder.embed as f64 * components::element(scenario.text_format);
                    leaf.most(Span::exact(rows))
                };
                [none, self.encoders().map(embed).fold(none, Span::most), none]
            }
            // The VAE's layers come and go too, where its offload was asked for.
            (Staging::Sequential | Staging::Group, Stage::Decode) => [
                none,
                none,
                Span::of(0.0, self.vae().mid.as_f64() * 0.1, self.vae().high.as_f64()),
            ],
            (_, Stage::Text) => [none, self.all_encoders(), none],
            (_, Stage::Denoise) => [self.denoiser(), none, none],
            (_, Stage::Decode) => [none, none, self.vae()],
        }
    }

    /// Intermediate results of a stage.
    fn step(&self, stage: Stage) -> Step {
        let scenario = self.scenario;
        match stage {
            Stage::Loading => Step {
                allocated: Span::default(),
                cached: Span::default(),
            },
            Stage::Text => {
                let widest = self
                    .encoders()
                    .max_by_key(|encoder| encoder.tokens.saturating_mul(encoder.hidden));
                let (tokens, hidden) = widest.map_or((0, 0), |encoder| (encoder.tokens, encoder.hidden));
                encoding(tokens, hidden, scenario)
            }
            Stage::Denoise => step(self.model, scenario),
            Stage::Decode => vae::decoding(self.model.vae, scenario),
        }
    }

    /// The parts of a stage.
    fn pieces(&self, stage: Stage) -> [Piece; 8] {
        let [denoiser, encoders, vae] = self.weights(stage);
        let Step { allocated, cached } = self.step(stage);
        // What is loaded beside the denoiser comes and goes with it.
        let beside = |span| {
            if stage == Stage::Denoise || self.scenario.staging == Staging::None {
                span
            } else {
                Span::default()
            }
        };
        [
            (PartId::Weights, denoiser, Basis::Exact),
            (PartId::TextEncoders, encoders, Basis::Exact),
            (PartId::Vae, vae, Basis::Exact),
            (PartId::Adapters, beside(self.adapters()), Basis::RuleOfThumb),
            (PartId::ControlNets, beside(self.control_nets()), Basis::RuleOfThumb),
            (PartId::Activations, allocated, Basis::Measured),
            (PartId::Cache, cached, Basis::Measured),
            (PartId::Overhead, context(), Basis::RuleOfThumb),
        ]
    }

    fn need(&self, stage: Stage, measure: Measure) -> Span {
        let counted = |id: PartId| match measure {
            Measure::Allocated => id != PartId::Cache && id != PartId::Overhead,
            Measure::Reserved => id != PartId::Overhead,
            Measure::Total => true,
        };
        let pieces = self.pieces(stage);
        let spans = pieces.iter().filter(|(id, ..)| counted(*id)).map(|(_, span, _)| *span);
        spans.fold(Span::default(), |sum, span| sum + span)
    }

    /// The need: at each end of the range that of the stage that is fullest there.
    pub fn peak(&self, measure: Measure) -> Span {
        let needs = Stage::ALL.map(|stage| self.need(stage, measure));
        needs.into_iter().fold(Span::default(), Span::most)
    }

    /// The stage that is fullest by the middle of the range.
    fn fullest(&self) -> Stage {
        let by_need = |stage: &Stage| self.need(*stage, Measure::Total).mid;
        // Of equals the later one.
        Stage::ALL.into_iter().max_by_key(by_need).unwrap_or(Stage::Denoise)
    }

    /// The parts of the fullest stage, with their formulas.
    pub fn parts(&self) -> (Stage, Vec<Part>) {
        let stage = self.fullest();
        let some = self.pieces(stage).into_iter().filter(|(_, span, _)| span.high.0 > 0);
        let part = |(id, span, basis)| Part {
            id,
            span,
            basis,
            formula: self.formula(stage, id, span),
        };
        (stage, some.map(part).collect())
    }

    /// The need of each stage, in the order of time; those that take nothing are left out.
    pub fn stages(&self) -> Vec<(Stage, Span)> {
        let needs = Stage::ALL.map(|stage| (stage, self.need(stage, Measure::Total)));
        let empty = context();
        needs.into_iter().filter(|(_, need)| *need != empty).collect()
    }

    fn formula(&self, stage: Stage, id: PartId, span: Span) -> Message {
        let (scenario, model) = (self.scenario, self.model);
        match id {
            PartId::Weights | PartId::Vae => {
                let (params, format) = match id {
                    PartId::Vae => (model.vae.params, scenario.vae_format),
                    _ => (model.params, scenario.format),
                };
                let on_card = match (id, scenario.staging) {
                    (PartId::Weights, Staging::None) => params.saturating_mul(model.experts),
                    (PartId::Weights, Staging::Comfyui | Staging::Model) | (PartId::Vae, _) => params,
                    _ => return Message::new("size-image-streamed").with("bytes", span.mid),
                };
                let bits = span.mid.as_f64() * 800.0 / (on_card as f64).max(1.0);
                Message::new("size-weights")
                    .with("params", on_card)
                    .with("bits", Arg::Number(bits.round() as i64, 2))
                    .with("format", format.name)
                    .with("cards", 1)
            }
            PartId::TextEncoders => {
                let names: Vec<&str> = self.encoders().map(|encoder| encoder.name).collect();
                Message::new("size-image-encoders")
                    .with("names", names.join(" + "))
                    .with("format", scenario.text_format.name)
            }
            PartId::Adapters => Message::new("size-image-adapters")
                .with("count", scenario.adapters)
                .with("rank", scenario.rank),
            PartId::ControlNets => Message::new("size-image-control-nets").with("count", scenario.control_nets),
            PartId::Activations if stage == Stage::Decode => Message::new(match vae::tile(model.vae, scenario) {
                0 => "size-image-decode",
                _ => "size-image-decode-tiled",
            })
            .with("width", scenario.width)
            .with("height", scenario.height)
            .with("frames", vae::frames_at_once(model.vae, scenario))
            .with("elements", model.vae.peak)
            .with("tile", vae::tile(model.vae, scenario)),
            PartId::Activations if stage == Stage::Denoise => Message::new("size-image-step")
                .with("tokens", tokens(model, scenario) as i64)
                .with("sequences", sequences(model, scenario) as i64)
                .with("hidden", model.hidden),
            PartId::Activations => Message::new("size-image-text"),
            PartId::Cache => Message::new("size-image-cache"),
            _ => Message::new("size-overhead-context")
                .with("low", span.low)
                .with("high", span.high),
        }
    }
}

/// The CUDA context with the kernels of convolutions and matrix products, and cuBLAS' workspaces.
fn context() -> Span {
    Span::of(GIB as f64 * 0.3, GIB as f64 * 0.45, GIB as f64 * 0.7)
}

/// The peak of a run, or of a training step, by one way of measuring; `None` if the scenario names no model of this kind.
pub fn peak(scenario: &Scenario, measure: Measure) -> Option<Span> {
    let job = Job::new(scenario)?;
    Some(match job.training() {
        Some(training) => training.peak(measure),
        None => job.peak(measure),
    })
}

/// Weights and intermediate results of one stage, without cache and context.
pub fn stage_peak(scenario: &Scenario, stage: Stage) -> Option<Span> {
    Some(Job::new(scenario)?.need(stage, Measure::Allocated))
}

/// Weights with what the allocator rounds up and loading leaves behind: up to 4 % (diffusers' quantised pipelines).
fn rounded(weights: Span) -> Span {
    let high = weights.high.as_f64().max(weights.mid.as_f64() * 1.04);
    Span::of(weights.low.as_f64(), weights.mid.as_f64(), high)
}

/// Weights by themselves, as a log counts what it loaded: one denoiser, all text encoders or the one of that id, the
/// VAE, its decoder, or all of it with the VAE whole or its decoder alone. `None` for another name.
pub fn loaded(scenario: &Scenario, part: &str) -> Option<Span> {
    let job = Job::new(scenario)?;
    let denoiser = || components::denoiser(job.model, scenario.format);
    let vae = |decoding| components::vae(job.model.vae, scenario.vae_format, decoding);
    let experts = job.model.experts as f64;
    match part {
        "loaded" if scenario.task == Task::Train => job.training().map(|training| training.loaded()),
        "denoiser" => Some(denoiser()),
        "text_encoders" => Some(job.all_encoders()),
        "vae" => Some(vae(false)),
        "vae_decoder" => Some(vae(true)),
        "loaded" => Some(rounded(denoiser().times(experts) + job.all_encoders() + vae(false))),
        "loaded_decoder" => Some(rounded(denoiser().times(experts) + job.all_encoders() + vae(true))),
        _ => {
            let id = part.strip_prefix("encoder.")?;
            let found = job.model.encoders().find(|encoder| encoder.id == id)?;
            Some(job.encoder(found))
        }
    }
}
