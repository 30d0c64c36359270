# The calculator: its inputs, its result, the comparison, the reverse question, the link.

calc-title = What fits on your card?
calc-lead = Pick a model and a card: see what the job needs, part by part, and how far each setting can go.
calc-begin = Or begin with one of these:
calc-example-chat = Qwen3 32B in 4-bit on an RTX 4090
calc-example-users = Llama 3.1 8B for four users on an L40S
calc-example-qlora = QLoRA of Qwen3 8B on an RTX 4090
calc-example-wan = A Wan 2.2 video at 720p in FP8 on an RTX 4090

calc-task = Task
calc-task-llm = Answer
calc-task-train = Train
calc-task-pictures = Image or video
calc-model = Model
calc-model-placeholder = Words of its name, or 8B
calc-model-unknown = No model here is called “{ $seen }”. Try fewer words, or type its parameters, like 8B.
calc-model-any = any model of this size
calc-own-choose = Or a model’s own file
calc-own-remove = Take the file’s model out
calc-billions = { $count } B
calc-billion = B
calc-active = { $active } active
calc-format = Number format
calc-bits = { $bits } bits
calc-context = Context in tokens
calc-users = Requests at once
calc-card = Card
calc-card-placeholder = Name, or 24 GB
calc-card-unknown = No card here is called “{ $seen }”. Try fewer words, or type its memory, like 24 GB.
calc-card-amount = this much memory, as programs see it
calc-card-total = Programs see { $total } of its { $class }.
calc-card-usable = The job can have { $usable } of that.
calc-cards = How many

calc-more-settings = Engine, KV cache, memory in use
calc-more-training = Checkpointing, precision, sharing, rank, memory in use
calc-more-pictures = Offload, tiles, LoRA, ControlNet, memory in use
calc-engine = Engine
calc-engine-any = not chosen
calc-k-cache = Cached keys
calc-v-cache = Cached values
calc-held = Held by something else
calc-by-hand = Type the architecture
calc-by-hand-hint = For a model that is not listed, or one changed. The parameters alone are enough.
calc-params = Parameters
calc-layers = Layers
calc-kv-heads = KV heads
calc-head-size = Head size
calc-family-any = Plain floats
calc-family-gguf = GGUF (llama.cpp, Ollama)
calc-family-safetensors = Checkpoints (vLLM, SGLang, transformers)
calc-family-exl = ExLlama
calc-family-mlx = MLX
calc-family-diffusers = diffusers

calc-method = Method
calc-method-full = Full fine-tuning
calc-method-lora = LoRA
calc-method-qlora = QLoRA, 4-bit base
calc-optimizer = Optimiser
calc-optimizer-adamw = AdamW
calc-optimizer-adamw8bit = AdamW, 8-bit
calc-optimizer-adafactor = Adafactor
calc-optimizer-sgd = SGD with momentum
calc-optimizer-lion = Lion
calc-batch = Batch size
calc-sequence = Sequence in tokens
calc-checkpointing = Gradient checkpointing
calc-checkpointing-full = On: compute again
calc-checkpointing-none = Off: keep all
calc-precision = Precision
calc-precision-mixed = Mixed, 32-bit master copy
calc-precision-bf16 = All in bf16
calc-precision-fp32 = All in 32-bit
calc-loss = Loss
calc-loss-plain = All logits at once
calc-loss-chunked = In pieces, or fused
calc-sharding = Shared by the cards
calc-sharding-none = Nothing
calc-sharding-zero1 = Optimiser (ZeRO 1)
calc-sharding-zero2 = And gradients (ZeRO 2)
calc-sharding-zero3 = And weights (ZeRO 3, FSDP)
calc-rank = LoRA rank

calc-denoiser-format = Denoiser’s format
calc-text-format = Text encoders’ format
calc-width = Width in pixels
calc-height = Height in pixels
calc-frames = Frames
calc-images = Images at once
calc-offload = Offload
calc-offload-comfyui = ComfyUI, automatic
calc-offload-lowvram = ComfyUI, --lowvram
calc-offload-swap = Block swap
calc-offload-none = None: all on the card
calc-offload-model = diffusers, by model
calc-offload-sequential = diffusers, by layer
calc-offload-group = diffusers, groups of leaves
calc-swapped = Swapped blocks
calc-text-place = Text encoders run
calc-text-card = On the card
calc-text-cpu = On the CPU, or cached
calc-tile = VAE tiles, in pixels
calc-tile-none = No tiles
calc-tile-usual = The VAE’s own size
calc-loras = LoRA adapters
calc-control-nets = ControlNets
calc-references = Input images

calc-less = Less: { $field }
calc-more = More: { $field }
number-out-of-range = Type a number from { $least } to { $most }.

calc-none = Pick a model to see what it needs.
calc-need = It needs { $need }. Pick a card to see whether it fits.
calc-yes = It fits, with { $left } to spare.
calc-tight = Tight: it may fit, or lack up to { $lack }.
calc-no = It does not fit: at least { $lack } is missing.
calc-of = { $cards ->
    [one] { $need } of { $usable } on { $name }
   *[other] { $need } of { $usable } on each card of { $name }
}
calc-bar = The parts to scale, against what the card gives; the list below has the figures.
calc-bar-usable = { $usable } usable
calc-basis = { $basis ->
    [exact] exact
    [measured] measured
   *[rule-of-thumb] rule of thumb
}
calc-total = Total
calc-per-token = { $cards ->
    [one] The KV cache takes { $size } for each token of context: exact for this architecture.
   *[other] The KV cache takes { $size } on each card for each token of context: exact for this architecture.
}
calc-per-token-unsure = { $cards ->
    [one] The KV cache takes about { $size } for each token of context, as in models of this size.
   *[other] The KV cache takes about { $size } on each card for each token of context, as in models of this size.
}
calc-left = To spare
calc-stage = { $stage } { $need }
calc-fullest = The fullest stage, shown here: { $stage }. { $all }

calc-solved = What would fit, all else kept
calc-solved-high = Surely
calc-solved-mid = Likely
calc-nothing-fits = none
calc-apply = Apply
calc-applied = Set
calc-apply-what = ({ $lever })

calc-paste-taken = From your paste: { $what }.
calc-paste-offered = Your paste says: { $what }.
calc-paste-undo = Undo
calc-paste-take = Take it over

calc-compare = Compare with a second
calc-compare-end = End the comparison
calc-compared = Side by side
calc-sides = Which one to change
calc-first = First
calc-second = Second
calc-compare-what = Job
calc-compare-verdict = Verdict
calc-compare-bar = Memory

calc-reverse = What runs on this card?
calc-reverse-no-card = Pick a card first.
calc-reverse-count = { $count ->
    [one] { $count } of { $all } models surely fits with the settings above, in the finest format that does.
   *[other] { $count } of { $all } models surely fit with the settings above, each in the finest format that does.
}
calc-reverse-more = Show more
calc-reverse-take = Take { $name }

calc-copy-link = Copy link
calc-link-copied = Link copied
calc-link = The link, to copy by hand
