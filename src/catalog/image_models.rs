//! The models that make images and videos: denoisers, the text encoders they listen to, and the VAEs that decode.

use std::sync::OnceLock;

use super::{lines, whole};

/// A model that makes images or videos.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageModel {
    /// The id of links: the repository's name in lower case, without the publisher.
    pub id: &'static str,
    /// The name as its publisher writes it.
    pub name: &'static str,
    /// Whether it makes videos.
    pub video: bool,
    /// Parameters of one denoiser (UNet or transformer).
    pub params: i64,
    /// Denoisers of that size, of which one works at a time (Wan 2.2's two experts).
    pub experts: i64,
    /// Percent of the denoiser in linear layers; the rest are convolutions, which most formats leave in 16-bit.
    pub linear: i64,
    /// Percent of the denoiser in layers named for a norm (AdaLN's modulation), which diffusers' layerwise casting skips.
    pub norm: i64,
    /// Blocks, those of two streams (image and text by themselves) first.
    pub blocks: i64,
    /// Further blocks in which image and text are one stream; zero where there is one kind.
    pub single_blocks: i64,
    /// Width of the residual stream; of a UNet, channels of its first level.
    pub hidden: i64,
    /// Width of the feed-forward layers.
    pub ffn: i64,
    /// Attention heads that see all tokens; zero where attention is linear.
    pub heads: i64,
    /// Text tokens that pass through the denoiser beside the image's; zero where text is only attended to.
    pub text_tokens: i64,
    /// Prompts computed in one go for each image: 2 where guidance needs a second one in the same batch.
    pub prompts: i64,
    /// Ids of its text encoders, in the order in which they run, joined by `+`.
    encoders: &'static str,
    /// What decodes its latents.
    pub vae: &'static Vae,
    /// Latent frames of one token.
    pub patch_frames: i64,
    /// Latent cells on each side of one token.
    pub patch_side: i64,
    /// Width it was made for, in pixels.
    pub width: i64,
    /// Height it was made for.
    pub height: i64,
    /// Frames it was made for; 1 for images.
    pub frames: i64,
}

/// A text encoder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encoder {
    /// The id of its row.
    pub id: &'static str,
    /// The name as its publisher writes it.
    pub name: &'static str,
    /// Parameters that encoding needs.
    pub params: i64,
    /// Those of the output head, which encoding does not need but diffusers loads.
    pub head: i64,
    /// Those of the embedding, within `params`.
    pub embed: i64,
    /// Those of layers that transformers never quantises (`wo` in T5), within `params`.
    pub kept: i64,
    /// Tokens that it encodes.
    pub tokens: i64,
    /// Width of its residual stream.
    pub hidden: i64,
    /// Parameters that stay in 16-bit in its usual FP8 file.
    pub fp8: i64,
}

/// A VAE, by what its decoder needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vae {
    /// The id of its row.
    pub id: &'static str,
    /// Parameters, encoder and decoder.
    pub params: i64,
    /// Those of the decoder; zero where they are not known.
    pub decoder: i64,
    /// Pixels for each latent cell, on each side.
    pub spatial: i64,
    /// Frames for each latent frame after the first; 1 for images.
    pub temporal: i64,
    /// Latent channels.
    pub channels: i64,
    /// Elements allocated at the fullest moment of decoding, for each pixel of the frames that are decoded at once.
    pub peak: i64,
    /// The same that PyTorch's allocator then holds, with blocks of smaller layers that larger ones cannot use.
    pub held: i64,
    /// Frames decoded at once; zero for all of them.
    pub step: i64,
    /// Side of a tile where decoding in tiles is asked for, in pixels.
    pub tile: i64,
}

impl ImageModel {
    /// Its text encoders, in the order in which they run.
    pub fn encoders(&self) -> impl Iterator<Item = &'static Encoder> + use<> {
        self.encoders.split('+').filter_map(encoder)
    }

    /// Latent frames of a video of `frames` frames.
    pub fn latent_frames(&self, frames: i64) -> i64 {
        let steps = self.vae.temporal.max(1);
        (frames.max(1) - 1).saturating_add(steps - 1) / steps + 1
    }
}

/// All models: images first, then videos, by publisher.
pub fn image_models() -> &'static [ImageModel] {
    static MODELS: OnceLock<Vec<ImageModel>> = OnceLock::new();
    MODELS.get_or_init(|| lines(include_str!("image_models.csv")).filter_map(model_row).collect())
}

/// The model of that id.
pub fn image_model(id: &str) -> Option<&'static ImageModel> {
    image_models().iter().find(|model| model.id == id)
}

/// The text encoder of that id.
pub fn encoder(id: &str) -> Option<&'static Encoder> {
    static ENCODERS: OnceLock<Vec<Encoder>> = OnceLock::new();
    let all = ENCODERS.get_or_init(|| lines(include_str!("encoders.csv")).filter_map(encoder_row).collect());
    all.iter().find(|encoder| encoder.id == id)
}

/// The VAE of that id.
pub fn vae(id: &str) -> Option<&'static Vae> {
    static VAES: OnceLock<Vec<Vae>> = OnceLock::new();
    let all = VAES.get_or_init(|| lines(include_str!("vaes.csv")).filter_map(vae_row).collect());
    all.iter().find(|vae| vae.id == id)
}

/// Two counts around a sign; the second is zero where there is only one.
fn pair(text: &str, sign: char) -> (i64, i64) {
    let (first, second) = text.split_once(sign).unwrap_or((text, ""));
    (whole(first), whole(second))
}

fn model_row(line: &'static str) -> Option<ImageModel> {
    let mut fields = line.split(',');
    let mut next = || fields.next();
    let (id, name, kind) = (next()?, next()?, next()?);
    let mut number = || next().map(whole);
    let (params, experts, linear, norm) = (number()?, number()?, number()?, number()?);
    let (blocks, single_blocks) = pair(next()?, '+');
    let mut number = || next().map(whole);
    let (hidden, ffn, heads, text_tokens, prompts) = (number()?, number()?, number()?, number()?, number()?);
    let (encoders, vae) = (next()?, vae(next()?)?);
    let (patch_frames, patch_side) = pair(next()?, 'x');
    let (width, height) = pair(next()?, 'x');
    Some(ImageModel {
        id,
        name,
        video: kind == "video",
        params,
        experts,
        linear,
        norm,
        blocks,
        single_blocks,
        hidden,
        ffn,
        heads,
        text_tokens,
        prompts,
        encoders,
        vae,
        patch_frames,
        patch_side,
        width,
        height,
        frames: next().map(whole)?,
    })
}

fn encoder_row(line: &'static str) -> Option<Encoder> {
    let mut fields = line.split(',');
    let (id, name) = (fields.next()?, fields.next()?);
    let mut number = || fields.next().map(whole);
    Some(Encoder {
        id,
        name,
        params: number()?,
        head: number()?,
        embed: number()?,
        kept: number()?,
        tokens: number()?,
        hidden: number()?,
        fp8: number()?,
    })
}

fn vae_row(line: &'static str) -> Option<Vae> {
    let mut fields = line.split(',');
    let id = fields.next()?;
    let mut number = || fields.next().map(whole);
    Some(Vae {
        id,
        params: number()?,
        decoder: number()?,
        spatial: number()?,
        temporal: number()?,
        channels: number()?,
        peak: number()?,
        held: number()?,
        step: number()?,
        tile: number()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every field of a table but its text columns is a whole number, a pair of them, or empty.
    fn check(table: &'static str, text_columns: &[usize]) -> usize {
        let columns = table.lines().next().unwrap_or("").split(',').count();
        let mut ids: Vec<&str> = Vec::new();
        for line in lines(table) {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields.len(), columns, "{line}");
            assert!(!ids.contains(&fields[0]), "{line}");
            ids.push(fields[0]);
            for (column, field) in fields.iter().enumerate().filter(|(at, _)| !text_columns.contains(at)) {
                let numbers = field.split(['x', '+']).all(|part| part.parse::<i64>().is_ok());
                assert!(field.is_empty() || numbers, "column {column} of {line}");
            }
        }
        ids.len()
    }

    #[test]
    fn every_row_reads_whole_under_an_id_of_its_own() {
        let rows = check(include_str!("image_models.csv"), &[0, 1, 2, 13, 14]);
        assert_eq!(image_models().len(), rows);
        assert!(rows >= 35);
        check(include_str!("encoders.csv"), &[0, 1]);
        check(include_str!("vaes.csv"), &[0]);
        for model in image_models() {
            assert_eq!(
                model.encoders().count(),
                model.encoders.split('+').count(),
                "{}",
                model.id
            );
            assert!(
                super::super::model(model.id).is_none(),
                "{} is a language model too",
                model.id
            );
            let (vae, side) = (model.vae, model.vae.spatial * model.patch_side);
            assert!(model.params > 0 && model.blocks > 0 && model.hidden > 0 && model.prompts > 0);
            assert!(model.width % side == 0 && model.height % side == 0, "{}", model.id);
            assert!(
                vae.params > 0 && vae.peak > 0 && vae.held >= vae.peak && vae.tile > 0,
                "{}",
                vae.id
            );
            assert_eq!((model.frames - 1) % vae.temporal, 0, "{}", model.id);
        }
    }

    #[test]
    fn every_row_names_its_source() {
        let sources = include_str!("image_models.sources.csv");
        let ids = |table: &'static str| lines(table).filter_map(|line| line.split(',').next());
        for (prefix, table) in [
            ("", include_str!("image_models.csv")),
            ("", include_str!("encoders.csv")),
            ("vae ", include_str!("vaes.csv")),
        ] {
            for id in ids(table) {
                let start = [prefix, id, ","].concat();
                assert!(sources.lines().any(|line| line.starts_with(&start)), "{start}");
            }
        }
    }

    #[test]
    fn a_row_holds_what_its_columns_say() {
        let flux = image_model("flux.1-dev").unwrap();
        assert_eq!((flux.blocks, flux.single_blocks, flux.hidden), (19, 38, 3072));
        let names: Vec<&str> = flux.encoders().map(|encoder| encoder.name).collect();
        assert_eq!(names, ["CLIP-L", "T5-XXL"]);
        assert_eq!((flux.vae.id, flux.patch_side), ("flux", 2));
        let wan = image_model("wan2.2-t2v-a14b").unwrap();
        assert_eq!((wan.video, wan.experts, wan.width, wan.frames), (true, 2, 1280, 81));
        assert_eq!([1, 2, 5, 81].map(|frames| wan.latent_frames(frames)), [1, 2, 2, 21]);
    }
}
