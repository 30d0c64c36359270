# What a job needs, part by part: names, formulas with the scenario’s numbers, and the lines of `vramfit size`.

size-part = { $part ->
    [weights] Weights
    [kv_cache] KV cache
    [kv_window] KV cache of sliding windows
    [state] Recurrent states
    [activations] Activations
    [compute] Compute buffer
    [master_weights] Master weights
    [gradients] Gradients
    [optimizer] Optimiser states
    [adapters] LoRA adapters
    [logits] Logits
    [text_encoders] Text encoders
    [vae] VAE
    [control_nets] ControlNets
    [cache] Allocator’s cache
    [draft] Draft model
    [graphs] CUDA graphs
    [temporary] Temporaries
   *[overhead] Overhead
}
size-lever = { $lever ->
    [context] Longest context
    [users] Most requests at once
    [format] Finest format
    [cache] Finest KV cache
    [gpu_layers] Layers on the card
    [cpu_experts] Fewest layers with experts on the CPU
    [ubatch] Largest micro-batch
    [tensor_parallel] Fewest cards for each layer
    [utilisation] Least share of the card, in percent
    [batch] Largest batch
    [sequence] Longest sequence
    [rank] Highest LoRA rank
    [cards] Fewest such cards
    [resolution] Largest image
    [frames] Longest video, in frames
    [text_format] Finest text encoders
   *[card] Smallest card
}
size-stage-name = { $stage ->
    [loading] Loading
    [text] Text encoding
    [denoise] Denoising
   *[decode] VAE decoding
}

# Formulas

size-weights = { $cards ->
    [one] { $params } parameters × { $bits } bits ÷ 8, in { $format }. The bits are the average over all tensors, scales included.
   *[other] { $params } parameters × { $bits } bits ÷ 8 ÷ { $cards } cards, in { $format }. The bits are the average over all tensors, scales included.
}
size-weights-bare = The simple rule says { $params } × { $bits } bits ÷ 8 = { $bytes }; a checkpoint takes { $file }. Quantised files keep some tensors, mostly the embedding and the output head, in more bits, and scales come on top.
size-kv-cache = { $users ->
    [one] { $per_token } for each token × { $tokens } tokens.
   *[other] { $per_token } for each token × { $tokens } tokens × { $users } requests.
}
size-kv-cache-unsure = { $users ->
    [one] About { $per_token } for each token × { $tokens } tokens, as in models of this size. Type layers, KV heads and head size to know it.
   *[other] About { $per_token } for each token × { $tokens } tokens × { $users } requests, as in models of this size. Type layers, KV heads and head size to know it.
}
size-kv-window = { $layers ->
    [one] { $layers } layer keeps only a window of { $window } tokens: { $cells } cells for all requests, { $bytes }.
   *[other] { $layers } layers keep only a window of { $window } tokens: { $cells } cells for all requests, { $bytes }.
}
size-state = { $users ->
    [one] { $layers } layers keep a state of fixed size, whatever the context: { $bytes }.
   *[other] { $layers } layers keep a state of fixed size for each of { $users } requests, whatever the context: { $bytes }.
}
size-activations-profile = What the engine measures at start: one step of { $tokens } tokens through a layer, or the choice among { $vocab } words for { $requests } requests, whichever is more.
size-activations-prompt = { $users ->
    [one] A prompt of { $tokens } tokens passing through one layer at a time, in 16-bit.
   *[other] { $users } prompts of { $tokens } tokens passing through one layer at a time, in 16-bit.
}
size-activations-checkpointed = With checkpointing: { $batch } × { $sequence } tokens × { $hidden } wide × { $layers } layers × { $each } bytes, and one layer while it is computed again.
size-activations-selective = With checkpointing by operation: half of the matrix products and attention’s result of { $batch } × { $sequence } tokens, { $hidden } wide, in { $layers } layers, and one layer while the rest of it is computed again.
size-activations-kept = Without checkpointing: all that the backward pass needs of { $batch } × { $sequence } tokens, { $hidden } wide, in { $layers } layers.
size-logits = { $loss ->
    [chunked] { $batch } × { $sequence } tokens × { $vocab } words × { $each } bytes: the logits in 16-bit, and what a loss in pieces makes of a part of them.
    [fused] { $batch } × { $sequence } tokens × { $vocab } words × { $each } bytes: a fused loss never holds more than a part of the logits.
   *[plain] { $batch } × { $sequence } tokens × { $vocab } words × { $each } bytes: the logits, their 32-bit copy, the log-probabilities and their gradient.
}
size-adapters = Rank { $rank } beside { $targets ->
    [attn] the layers of attention
    [qv] queries and values
    [mlp] the feed-forward layers
    [head] every linear layer and the head
   *[all] every linear layer
}: { $params } trained parameters × { $each } bytes on each card, their gradients and states included once they are there.
size-temporary = { $moment ->
    [loss] At the loss
    [backward] When the backward pass begins
    [gradients] When the backward pass ends
   *[step] In the optimiser’s step
}, and gone afterwards: { $bytes } for layers gathered from elsewhere, gradients on their way, dequantised weights, or the optimiser’s intermediate results.
size-moment = { $moment ->
    [loss] The peak is at the end of the forward pass, when the loss is computed: all kept activations and the logits are there.
    [backward] The peak is at the beginning of the backward pass, while its first layer is computed again.
    [gradients] The peak is at the end of the backward pass, when all gradients are there.
   *[step] The peak is in the optimiser’s step: all gradients are there, and what the step needs for itself.
}
size-compute-logits = The logits of { $ubatch } tokens over { $vocab } words, and a row of { $hidden }, in 32-bit: { $bytes }.
size-compute-feed-forward = { $ubatch } tokens through a feed-forward layer, { $width } wide from { $hidden }, in 32-bit: { $bytes }.
size-compute-mask = The attention mask of { $ubatch } tokens over a context of { $context }, and rows of { $hidden }: { $bytes }.
size-compute-scores = Scores of { $heads } heads, { $ubatch } tokens over a context of { $context }, and rows of { $hidden }; flash attention avoids them: { $bytes }.
size-gradients = { $cards ->
    [one] { $params } parameters × { $each } bytes.
   *[other] { $params } parameters × { $each } bytes ÷ { $cards } cards.
}
size-master-weights = { $cards ->
    [one] { $params } parameters × { $each } bytes, the 32-bit copy that the optimiser changes.
   *[other] { $params } parameters × { $each } bytes ÷ { $cards } cards, the 32-bit copy that the optimiser changes.
}
size-optimizer-name = { $optimizer ->
    [adamw8bit] { calc-optimizer-adamw8bit }
    [adafactor] { calc-optimizer-adafactor }
    [sgd] { calc-optimizer-sgd }
    [lion] { calc-optimizer-lion }
    [muon] { calc-optimizer-muon }
    [galore] { calc-optimizer-galore }
   *[adamw] { calc-optimizer-adamw }
}
size-optimizer = { $cards ->
    [one] { $params } parameters × { $each } bytes, by { size-optimizer-name }.
   *[other] { $params } parameters × { $each } bytes ÷ { $cards } cards, by { size-optimizer-name }.
}
size-overhead = { $low } to { $high } for the CUDA context, libraries and intermediate results.
size-overhead-context = { $low } to { $high } for the CUDA context, kernels and workspaces.
size-overhead-engine = { $low } to { $high } for what libraries hold outside PyTorch.
size-adapters-loaded = { $count ->
    [one] One adapter of rank { $rank }: { $params } parameters × 2 bytes.
   *[other] { $count } adapters of rank { $rank }: { $params } parameters each × 2 bytes.
}
size-draft = { $model } beside it: its weights, and its cache for as long a context.
size-draft-layer = A layer of the model’s own that drafts tokens, if it has one: as large as the others, with a cache of its own.
size-graphs = { $graphs ->
    [one] One recorded graph of { $layers } layers.
   *[other] { $graphs } recorded graphs of { $layers } layers.
}
size-overhead-training = { $low } to { $high } for the CUDA context, workspaces and the allocator’s rounding. What the allocator keeps in reserve comes on top in nvidia-smi.

# Images and videos

size-image-streamed = { $bytes } on the card at a time: the rest waits in system memory.
size-image-encoders = { $names }, in { $format }.
size-image-adapters = { $count ->
    [one] One adapter of rank { $rank } beside every linear layer. ComfyUI merges it into the weights.
   *[other] { $count } adapters of rank { $rank } beside every linear layer. ComfyUI merges them into the weights.
}
size-image-control-nets = { $count ->
    [one] One ControlNet: a fifth of the denoiser’s parameters, nearly half for a UNet.
   *[other] { $count } ControlNets: each a fifth of the denoiser’s parameters, nearly half for a UNet.
}
size-image-text = The prompt passing through the text encoder, one layer at a time.
size-image-step = { $sequences ->
    [one] { $tokens } tokens × { $hidden } wide, with what one layer makes of them.
   *[other] { $sequences } × { $tokens } tokens × { $hidden } wide, with what one layer makes of them.
}
size-image-decode = { $frames ->
    [one] { $width }×{ $height } pixels × { $elements } elements in the decoder’s widest layer.
   *[other] { $width }×{ $height } pixels × { $frames } frames decoded at once × { $elements } elements in the decoder’s widest layer.
}
size-image-decode-tiled = { $frames ->
    [one] Tiles of { $tile } pixels a side × { $elements } elements in the decoder’s widest layer, and the whole image.
   *[other] Tiles of { $tile } pixels a side × { $frames } frames decoded at once × { $elements } elements in the decoder’s widest layer, and all frames.
}
size-image-cache = Freed blocks that PyTorch keeps for reuse. Under pressure it gives some of them back.

# The command line

size-usage = Give one link, as the page makes it: `vramfit size 'v=1&m=qwen3-8b&q=q4_k_m&c=32768&g=rtx-4090'`
size-no-model = The link names no model that can be sized. Give one with m=, or its parameters with p=8b.
size-range = { $spread ->
    [none] { $mid }
   *[some] { $mid } ({ $low } to { $high })
}
size-line = { $name }: { size-range }
size-stage = { $fullest ->
    [yes] { size-stage-name }, the fullest stage: { size-range }
   *[no] { size-stage-name }: { size-range }
}
size-total = Total: { size-range }
size-verdict = { $fits ->
    [yes] Fits
    [tight] May fit
   *[no] Does not fit
} on { $count ->
    [one] one { $card }
   *[other] { $count } × { $card }
} with { $usable } to use.
size-placement = { $layers } of { $of } layers on the card, { $percent }% of weights and cache; { $host } in system memory
size-solved = { size-lever }: { $high } surely, { $mid } by the middle of the range
