//! Training a language model, at first order: what each parameter holds, and what a batch leaves behind.

use super::{Job, Need, activations, optimizer, overhead};

pub(super) fn needs(job: &Job) -> Vec<Need> {
    vec![
        optimizer::need_weights(job),
        optimizer::need_gradients(job),
        optimizer::need_master(job),
        optimizer::need_states(job),
        activations::need_adapters(job),
        activations::need_training(job),
        activations::need_logits(job),
        overhead::need(job),
    ]
}
