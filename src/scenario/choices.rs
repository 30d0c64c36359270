//! Choices from a list, each with the id that links know it by.

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident = $id:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name { $($(#[$each])* $variant),+ }

        impl $name {
            /// All of them, the default first.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The id of links.
            pub fn id(self) -> &'static str {
                match self { $($name::$variant => $id),+ }
            }

            /// The one of that id.
            pub fn by_id(id: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|choice| choice.id() == id)
            }
        }
    };
}

choice! {
    /// What is done with a model.
    Task {
        /// A language model answers.
        #[default] Llm = "llm",
        /// A language model is trained.
        Train = "train",
        /// An image is made.
        Image = "image",
        /// A video is made.
        Video = "video",
    }
}

choice! {
    /// What is trained of a model.
    Method {
        /// All of it.
        #[default] Full = "full",
        /// Low-rank adapters beside frozen 16-bit weights.
        Lora = "lora",
        /// Low-rank adapters beside frozen 4-bit weights.
        Qlora = "qlora",
    }
}

choice! {
    /// The optimiser.
    Optimizer {
        /// AdamW: two 32-bit states for each parameter.
        #[default] AdamW = "adamw",
        /// AdamW with two 8-bit states.
        AdamW8bit = "adamw8bit",
        /// Adafactor: one row and one column for each matrix.
        Adafactor = "adafactor",
        /// SGD with momentum: one state.
        Sgd = "sgd",
        /// Lion: one state.
        Lion = "lion",
        /// Muon: one state of each matrix inside the layers; embedding and head have AdamW's two.
        Muon = "muon",
        /// GaLore: AdamW's states of gradients projected to a low rank.
        GaLore = "galore",
    }
}

choice! {
    /// The number formats of training.
    Precision {
        /// 16-bit weights and gradients beside 32-bit master weights and states.
        #[default] Mixed = "mixed",
        /// Everything in bf16.
        Bf16 = "bf16",
        /// Everything in 32-bit.
        Fp32 = "fp32",
        /// Mixed, with matrix products in FP8: a copy of the weights and the inputs of linear layers take a byte.
        Fp8 = "fp8",
    }
}

choice! {
    /// Whether activations are kept until the backward pass.
    Checkpointing {
        /// Only the input of each layer is kept; the rest is computed again.
        #[default] Full = "full",
        /// Every other matrix product and attention's result are kept, the rest of a layer is computed again.
        Selective = "selective",
        /// All are kept.
        None = "none",
    }
}

choice! {
    /// How the loss over the vocabulary is computed.
    Loss {
        /// All logits at once, in 32-bit.
        #[default] Plain = "plain",
        /// The logits stand as a whole in 16-bit, what is computed from them goes in pieces.
        Chunked = "chunked",
        /// Fused with the head (Liger, cut cross-entropy, linear cross-entropy): the logits never stand as a whole.
        Fused = "fused",
    }
}

choice! {
    /// What the cards share in training.
    Sharding {
        /// Nothing: each card holds all of it (data parallel).
        #[default] None = "none",
        /// Optimiser states and master weights (ZeRO 1).
        Zero1 = "zero1",
        /// Gradients too (ZeRO 2).
        Zero2 = "zero2",
        /// Weights too (ZeRO 3).
        Zero3 = "zero3",
        /// The same by PyTorch's FSDP: while gradients are accumulated each card holds all of them.
        Fsdp = "fsdp",
    }
}

choice! {
    /// Which layers LoRA adapts.
    Targets {
        /// All linear layers.
        #[default] All = "all",
        /// All of attention: queries, keys, values and the output.
        Attention = "attn",
        /// Queries and values.
        QueryValue = "qv",
        /// The feed-forward layers.
        FeedForward = "mlp",
        /// All linear layers and the head.
        Head = "head",
    }
}

choice! {
    /// What is learnt from.
    Objective {
        /// Texts to continue.
        #[default] Sft = "sft",
        /// Pairs of a better and a worse answer, against a frozen reference model (DPO).
        Dpo = "dpo",
    }
}

choice! {
    /// What training keeps in the computer's memory.
    Offload {
        /// Nothing.
        #[default] None = "none",
        /// Optimiser states and master weights (ZeRO's offload); a paged optimiser's states.
        Optimizer = "optimizer",
        /// Weights and gradients too.
        All = "all",
    }
}

choice! {
    /// What keeps the parts of an image model off the card while they do not work.
    Staging {
        /// Nothing: all of it stays on the card.
        #[default] None = "none",
        /// ComfyUI's own: text encoders, denoiser and VAE in turn.
        Comfyui = "comfyui",
        /// ComfyUI's `--lowvram`: text encoders on the CPU, the denoiser streamed.
        Lowvram = "lowvram",
        /// Block swap: as ComfyUI's own, with some of the denoiser's blocks in the computer's memory.
        Swap = "swap",
        /// diffusers' `enable_model_cpu_offload`: one model at a time.
        Model = "model",
        /// diffusers' `enable_sequential_cpu_offload`: one layer at a time.
        Sequential = "sequential",
        /// diffusers' group offload by leaves: one layer at a time, streamed.
        Group = "group",
    }
}

choice! {
    /// Where the text encoders work.
    TextPlace {
        /// On the card.
        #[default] Card = "card",
        /// On the CPU or elsewhere, or not at all since their output is cached.
        Cpu = "cpu",
    }
}
