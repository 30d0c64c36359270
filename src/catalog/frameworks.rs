//! What trains a model, and what of its habits costs memory.

/// The program that trains a language model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framework {
    /// Hugging Face transformers with PEFT and TRL, and what is built on them (Axolotl, LLaMA-Factory).
    #[default]
    HuggingFace,
    /// LitGPT.
    LitGpt,
    /// torchtune.
    Torchtune,
    /// Unsloth.
    Unsloth,
}

/// One framework's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameworkFacts {
    /// The framework.
    pub framework: Framework,
    /// The id of links.
    pub id: &'static str,
    /// Bytes of each logit where the loss is computed at once: the 16-bit logits and their 32-bit copy, the
    /// log-probabilities, their gradient.
    pub logit_bytes: i64,
    /// Bytes of LoRA's weights and of their gradients.
    pub adapter_bytes: i64,
    /// Whether each adapted layer keeps an input of its own, cast to its adapter's format.
    pub casts_inputs: bool,
    /// Whether what stays unquantised beside a quantised base, and the residual stream with it, is raised to 32-bit.
    pub raises_rest: bool,
    /// Whether layers are fused by hand, so that less is kept.
    pub fused: bool,
    /// Whether a tied embedding gets a head of its own, 4-bit layers keep their inputs, and adapted queries and values
    /// are put back into one tensor.
    pub plain: bool,
    /// Whether FSDP's outermost unit, embedding and head, stays gathered until the backward pass ends (FSDP 1).
    pub keeps_outer: bool,
    /// Whether checkpoints are reentrant (transformers' default up to its version 4).
    pub reentrant: bool,
    /// Whether AdamW handles all parameters at once, with a temporary as large as they are (torch's foreach form).
    pub whole_step: bool,
}

/// | framework | source |
/// |---|---|
/// | hf | transformers' `ForCausalLMLoss`; PEFT: `autocast_adapter_dtype`, `_cast_input_dtype`, `prepare_model_for_kbit_training`; measured by fms-acceleration |
/// | litgpt | litgpt/finetune/{lora,full}.py, litgpt/lora.py; torch's foreach AdamW; bitsandbytes up to 0.43.1 (bitsandbytes#1270) |
/// | torchtune | recipes (logits freed before the backward pass, fused AdamW, FSDP 2), modules/peft/lora.py |
/// | unsloth | its kernels (fast_lora, cross-entropy in place) |
const FRAMEWORKS: [FrameworkFacts; 4] = [
    FrameworkFacts {
        casts_inputs: true,
        raises_rest: true,
        adapter_bytes: 4,
        reentrant: true,
        whole_step: true,
        ..row(Framework::HuggingFace, "hf", 14)
    },
    FrameworkFacts {
        plain: true,
        whole_step: true,
        ..row(Framework::LitGpt, "litgpt", 16)
    },
    FrameworkFacts {
        keeps_outer: false,
        ..row(Framework::Torchtune, "torchtune", 10)
    },
    FrameworkFacts {
        fused: true,
        adapter_bytes: 4,
        ..row(Framework::Unsloth, "unsloth", 4)
    },
];

const fn row(framework: Framework, id: &'static str, logit_bytes: i64) -> FrameworkFacts {
    FrameworkFacts {
        framework,
        id,
        logit_bytes,
        adapter_bytes: 2,
        casts_inputs: false,
        raises_rest: false,
        fused: false,
        plain: false,
        keeps_outer: true,
        reentrant: false,
        whole_step: false,
    }
}

impl Framework {
    /// All frameworks.
    pub fn all() -> impl Iterator<Item = Framework> {
        FRAMEWORKS.iter().map(|row| row.framework)
    }

    /// The framework of that id.
    pub fn by_id(id: &str) -> Option<Framework> {
        FRAMEWORKS.iter().find(|row| row.id == id).map(|row| row.framework)
    }

    /// Its row.
    pub fn facts(self) -> &'static FrameworkFacts {
        FRAMEWORKS
            .iter()
            .find(|row| row.framework == self)
            .unwrap_or(&FRAMEWORKS[0])
    }
}
