//! Number formats of weights, and what files in them really take.

use std::sync::OnceLock;

use super::lines;

/// What writes and reads a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Plain floats, which every engine reads.
    Any,
    /// llama.cpp's files.
    Gguf,
    /// Checkpoints for vLLM, SGLang and transformers.
    Safetensors,
    /// ExLlama's files.
    Exl,
    /// MLX's files.
    Mlx,
    /// What diffusers makes of 16-bit weights while it runs; no language model's.
    Diffusers,
}

/// A number format of weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// The id of links.
    pub id: &'static str,
    /// The name as its makers write it.
    pub name: &'static str,
    /// What reads it.
    pub family: Family,
    /// Hundredths of a bit for each parameter by the bare rule, parameters × bytes: what a large model comes to.
    pub bare: i64,
    /// What a file in it takes, tensor by tensor.
    pub weights: Weights,
}

/// What the tensors of a file take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weights {
    /// The same bits, scales included, for every linear layer; others for the embedding and the head.
    Plain {
        /// Bits for each weight of a linear layer.
        linear: f64,
        /// Bits for each weight of the embedding.
        embed: f64,
        /// Bits for each weight of the output head.
        head: f64,
    },
    /// `linear` bits in the experts only, all else in 16-bit; in a dense model in all linear layers.
    Experts {
        /// Bits for each weight of an expert.
        linear: f64,
    },
    /// `linear` bits in the experts only, in a dense model in its feed-forward layers; all else in 16-bit. What NVIDIA's
    /// Gemma 4 is in: ModelOpt's exclude list of the 31B names the head and all of attention, that of the 26B the dense
    /// feed-forward layers and routers too (18.8 GB).
    FeedForward {
        /// Bits for each weight of a feed-forward layer.
        linear: f64,
    },
    /// llama.cpp's mixture of types.
    Mix(Mix),
}

/// Which type llama.cpp gives each kind of tensor.
/// Source of the rows: `llama_tensor_get_type_impl` in llama.cpp's src/llama-quant.cpp (read at 007dbbf3), with an
/// importance matrix. Against llama.cpp's own table of Llama 3.1 8B and 70B files all come within 0.9 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mix {
    /// The type of all that has none of its own.
    pub base: &'static GgufType,
    /// The output head, or the embedding where it serves as head.
    pub output: &'static GgufType,
    /// The embedding beside a head of its own.
    pub embed: &'static GgufType,
    /// Query, key, value and output projections of attention.
    pub attention: [Cell; 4],
    /// Gate and up projections.
    pub up: Cell,
    /// Down projections.
    pub down: Cell,
}

/// A type, and a finer one for a share of the layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The type of most layers.
    pub most: &'static GgufType,
    /// The type of the others.
    pub some: &'static GgufType,
    /// Which layers the others are.
    pub share: Share,
}

/// Which layers a mixture treats otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// No layer.
    None,
    /// The first and last eighth, and every third layer between.
    MoreBits,
    /// The first eighth.
    Eighth,
    /// The first sixteenth.
    Sixteenth,
    /// All but the first and the last eighth.
    Middle,
    /// The first two layers.
    Two,
    /// The first four layers.
    Four,
    /// All layers, if four or more query heads share one value head.
    Grouped,
}

/// One of ggml's types.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GgufType {
    /// Its name in lower case.
    pub id: &'static str,
    /// Weights of one block: rows whose length is no multiple of it take `fallback`.
    pub block: i64,
    /// Bytes of one block.
    pub bytes: i64,
    /// The type taken where a row's length does not divide by `block`.
    pub fallback: &'static str,
}

impl GgufType {
    /// Bits for each weight in rows of `row` elements.
    pub fn bits(&'static self, row: i64) -> f64 {
        let mut kind = self;
        for _ in 0..2 {
            if row % kind.block != 0 {
                kind = gguf_type(kind.fallback);
            }
        }
        8.0 * kind.bytes as f64 / kind.block as f64
    }
}

const fn gguf(id: &'static str, block: i64, bytes: i64, fallback: &'static str) -> GgufType {
    GgufType {
        id,
        block,
        bytes,
        fallback,
    }
}

/// ggml's types: block layouts of ggml-common.h, fallbacks of llama.cpp's `tensor_type_fallback`.
pub static GGUF_TYPES: [GgufType; 25] = [
    gguf("f16", 1, 2, ""),
    gguf("f32", 1, 4, ""),
    gguf("q4_0", 32, 18, "f16"),
    gguf("q4_1", 32, 20, "f16"),
    gguf("q5_0", 32, 22, "f16"),
    gguf("q5_1", 32, 24, "f16"),
    gguf("q8_0", 32, 34, "f16"),
    gguf("iq4_nl", 32, 18, "f16"),
    gguf("mxfp4", 32, 17, "f16"),
    gguf("q2_k", 256, 84, "q4_0"),
    gguf("q3_k", 256, 110, "q4_0"),
    gguf("q4_k", 256, 144, "q5_0"),
    gguf("q5_k", 256, 176, "q5_1"),
    gguf("q6_k", 256, 210, "q8_0"),
    gguf("iq1_s", 256, 50, "iq4_nl"),
    gguf("iq1_m", 256, 56, "iq4_nl"),
    gguf("iq2_xxs", 256, 66, "iq4_nl"),
    gguf("iq2_xs", 256, 74, "iq4_nl"),
    gguf("iq2_s", 256, 82, "iq4_nl"),
    gguf("iq3_xxs", 256, 98, "iq4_nl"),
    gguf("iq3_s", 256, 110, "iq4_nl"),
    gguf("iq4_xs", 256, 136, "iq4_nl"),
    gguf("tq1_0", 256, 54, "q4_0"),
    gguf("tq2_0", 256, 66, "q4_0"),
    gguf("bf16", 1, 2, ""),
];

/// The type of that name; f16 where there is none.
pub(crate) fn gguf_type(id: &str) -> &'static GgufType {
    GGUF_TYPES.iter().find(|kind| kind.id == id).unwrap_or(&GGUF_TYPES[0])
}

/// All formats: floats and checkpoints in the order of their table, then llama.cpp's mixtures, finest first.
pub fn formats() -> &'static [Format] {
    static FORMATS: OnceLock<Vec<Format>> = OnceLock::new();
    FORMATS.get_or_init(|| {
        let plain = lines(include_str!("formats.csv")).filter_map(plain);
        plain.chain(lines(include_str!("mixes.csv")).filter_map(mix)).collect()
    })
}

/// The format of that id.
pub fn format(id: &str) -> Option<&'static Format> {
    formats().iter().find(|format| format.id == id)
}

fn plain(line: &'static str) -> Option<Format> {
    let mut fields = line.split(',');
    let (id, name, kind) = (fields.next()?, fields.next()?, fields.next()?);
    let bare = fields.next()?.parse().ok()?;
    // In hundred-thousandths of a bit: whole numbers need no reader of floats in the page.
    let mut bits = || fields.next()?.parse::<i64>().ok().map(|bits| bits as f64 / 100_000.0);
    let (linear, embed, head) = (bits()?, bits()?, bits()?);
    let weights = match kind {
        "experts" => Weights::Experts { linear },
        "mlp" => Weights::FeedForward { linear },
        _ => Weights::Plain { linear, embed, head },
    };
    let family = match kind {
        "any" | "experts" => Family::Any,
        "exl" => Family::Exl,
        "mlx" => Family::Mlx,
        "diffusers" => Family::Diffusers,
        _ => Family::Safetensors,
    };
    Some(Format {
        id,
        name,
        family,
        bare,
        weights,
    })
}

fn mix(line: &'static str) -> Option<Format> {
    let mut fields = line.split(',');
    let id = fields.next()?;
    let bare = fields.next()?.parse().ok()?;
    let base = gguf_type(fields.next()?);
    let or_base = |field: &'static str| if field.is_empty() { base } else { gguf_type(field) };
    let (output, embed) = (or_base(fields.next()?), or_base(fields.next()?));
    let mut cell = || fields.next().map(|field| cell(field, base));
    let attention = [cell()?, cell()?, cell()?, cell()?];
    let weights = Weights::Mix(Mix {
        base,
        output,
        embed,
        attention,
        up: cell()?,
        down: cell()?,
    });
    Some(Format {
        id,
        name: id,
        family: Family::Gguf,
        bare,
        weights,
    })
}

/// `q4_k|q5_k:e`: the type of most layers (nothing: the mixture's base), that of some, which ones.
fn cell(field: &'static str, base: &'static GgufType) -> Cell {
    let (most, some) = field.split_once('|').unwrap_or((field, ""));
    let most = if most.is_empty() { base } else { gguf_type(most) };
    let Some((some, share)) = some.split_once(':') else {
        return Cell {
            most,
            some: most,
            share: Share::None,
        };
    };
    let share = match share {
        "m" => Share::MoreBits,
        "e" => Share::Eighth,
        "s" => Share::Sixteenth,
        "x" => Share::Middle,
        "2" => Share::Two,
        "4" => Share::Four,
        _ => Share::Grouped,
    };
    Cell {
        most,
        some: gguf_type(some),
        share,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_reads_under_an_id_of_its_own() {
        let rows = lines(include_str!("formats.csv")).count() + lines(include_str!("mixes.csv")).count();
        assert_eq!(formats().len(), rows);
        for format in formats() {
            assert_eq!(
                formats().iter().filter(|other| other.id == format.id).count(),
                1,
                "{}",
                format.id
            );
            assert!(format.bare >= 100 && format.bare <= 3200, "{}", format.id);
        }
        for line in lines(include_str!("mixes.csv")) {
            for word in line.split([',', '|', ':']).skip(2).filter(|word| word.len() > 1) {
                assert!(GGUF_TYPES.iter().any(|kind| kind.id == word), "{word} in {line}");
            }
        }
    }

    #[test]
    fn types_that_do_not_divide_fall_back_as_llama_cpp_does() {
        assert_eq!(gguf_type("q4_k").bits(4096), 4.5);
        assert_eq!(gguf_type("q4_k").bits(2880), 5.5);
        assert_eq!(gguf_type("q6_k").bits(576), 8.5);
        assert_eq!(gguf_type("iq2_xs").bits(896), 4.5);
        assert_eq!(gguf_type("q4_k").bits(100), 16.0);
    }

    #[test]
    fn a_mixture_reads_its_finer_layers() {
        let Some(Format {
            weights: Weights::Mix(mix),
            ..
        }) = format("q3_k_m")
        else {
            panic!("no mixture")
        };
        assert_eq!(
            (mix.down.most.id, mix.down.some.id, mix.down.share),
            ("q4_k", "q5_k", Share::Sixteenth)
        );
        assert_eq!((mix.base.id, mix.output.id, mix.embed.id), ("q3_k", "q6_k", "q3_k"));
    }
}
