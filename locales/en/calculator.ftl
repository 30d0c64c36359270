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
calc-other-card = Cards of another kind
calc-other-cards = How many of those

calc-more-settings = Engine, KV cache, memory in use
calc-more-training = Checkpointing, precision, sharing, rank, memory in use
calc-more-pictures = Offload, tiles, LoRA, ControlNet, memory in use
calc-advanced = Advanced
calc-set = { $count } set
calc-engine = Engine
calc-engine-any = not chosen
calc-k-cache = Cached keys
calc-v-cache = Cached values
calc-held = Held by something else
calc-version = Engine’s version
calc-newest = newest
calc-version-unreadable = “{ $seen }” is no version. Type numbers with points, like 0.19.1, or a build.
calc-utilisation = Share of the card
calc-tensor-parallel = Cards for each layer
calc-pipeline = Cards in a row
calc-gpu-layers = Layers on the card
calc-cpu-experts = Layers whose experts are in system memory
calc-step-tokens = Tokens in one step
calc-sequences = Requests it is ready for
calc-eager = Without CUDA graphs
calc-sees = Image encoder loaded
calc-pool = KV cache pool, from a log
calc-ubatch = Micro-batch in tokens
calc-flash-attention = Flash attention
calc-unified = One cache for all requests
calc-cache-on-host = KV cache in system memory
calc-draft = Draft model
calc-draft-placeholder = None; words of its name
calc-draft-tokens = Tokens drafted ahead
calc-default = Default: { $value } ({ $engine })
calc-default-from = Default: { $value } ({ $engine } from { $since } on; before, { $other })
calc-default-until = Default: { $value } ({ $engine } before { $since }; from there on, { $other })
calc-default-share-from = Default: { $value } ({ $engine } from { $since } on; before, { $other }, the article’s 90%)
calc-default-share-until = Default: { $value }, the article’s 90% ({ $engine } before { $since }; from there on, { $other })
calc-source = From your paste: { $text }
calc-source-other = Your paste says: { $text }
calc-by-hand = Type the architecture
calc-by-hand-hint = For a model that is not listed, or one changed. The parameters alone are enough.
calc-params = Parameters
calc-layers = Layers
calc-kv-heads = KV heads
calc-head-size = Head size
calc-heads = Query heads
calc-hidden = Hidden size
calc-ffn = Feed-forward size
calc-vocabulary = Vocabulary
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
calc-optimizer-muon = Muon
calc-optimizer-galore = GaLore
calc-batch = Batch size
calc-sequence = Sequence in tokens
calc-checkpointing = Gradient checkpointing
calc-checkpointing-full = On: compute again
calc-checkpointing-selective = By operation
calc-checkpointing-none = Off: keep all
calc-precision = Precision
calc-precision-mixed = Mixed, 32-bit master copy
calc-precision-bf16 = All in bf16
calc-precision-fp32 = All in 32-bit
calc-precision-fp8 = Mixed, products in FP8
calc-loss = Loss
calc-loss-plain = All logits at once
calc-loss-chunked = In pieces
calc-loss-fused = Fused with the head
calc-sharding = Shared by the cards
calc-sharding-none = Nothing
calc-sharding-zero1 = Optimiser (ZeRO 1)
calc-sharding-zero2 = And gradients (ZeRO 2)
calc-sharding-zero3 = And weights (ZeRO 3)
calc-sharding-fsdp = All of it (FSDP)
calc-accumulation = Gradient accumulation
calc-aside = In system memory
calc-aside-none = Nothing
calc-aside-optimizer = Optimiser, or its pages
calc-aside-all = Weights and optimiser
calc-aside-activations = Activations offloaded
calc-targets = Layers with LoRA
calc-targets-all = All linear layers
calc-targets-attn = Attention
calc-targets-qv = Queries and values
calc-targets-mlp = Feed-forward
calc-targets-head = All, and the head
calc-framework = Framework
calc-framework-hf = transformers, PEFT, TRL
calc-framework-litgpt = LitGPT
calc-framework-torchtune = torchtune
calc-framework-unsloth = Unsloth
calc-compiled = torch.compile
calc-step-in-backward = Optimiser applied in the backward pass
calc-objective = Objective
calc-objective-sft = Texts (SFT)
calc-objective-dpo = Preferences (DPO)
calc-on = On
calc-off = Off
calc-rank = LoRA rank
calc-base-format = Format of the frozen base
calc-dropout = LoRA dropout
calc-trains-embedding = Embedding and head trained whole
calc-raises-rest = The rest raised to 32-bit

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
calc-vae-format = VAE’s format
calc-prompts = Prompts in one batch (guidance)

calc-less = Less: { $field }
calc-more = More: { $field }
number-out-of-range = Type a number from { $least } to { $most }.

calc-none = Pick a model to see what it needs.
calc-need = It needs { $need }. Pick a card to see whether it fits.
calc-yes = It fits, with { $left } to spare.
calc-tight = Tight: it may fit, or lack up to { $lack }.
calc-no = It does not fit: at least { $lack } is missing.
calc-yes-asked = It fits if all layers are asked for ({ $option }); by itself the engine keeps { $host } in system memory.
calc-spills = It does not fit whole: about { $host } goes to system memory.
calc-streams = It runs, but slower: up to { $host } of the weights are read from system memory at each step.
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
calc-beyond-model = This model is made for { $most } tokens of context. Beyond that, engines refuse, cut the text or answer worse, unless its positions are stretched (RoPE scaling, YaRN).
calc-beyond-cards = Tensor and pipeline parallel ask for { $asked } cards; there { $cards ->
    [one] is { $cards }
   *[other] are { $cards }
}.
calc-uneven-heads = The engine refuses to split { $heads } attention heads over { $cards } cards.
calc-pool-holds = What is left of the engine’s share is KV cache: about { $tokens } tokens in all, { $times } requests of this length at once.
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

calc-placed = Where its layers go
calc-placed-bar = Weights and KV cache to scale: on the card first, then in system memory; the sentence below has the figures.
calc-placed-layers = { $layers } of { $of } layers on the card: { $cards } there, { $host } in system memory.
calc-placed-whole = All layers, the output head counted as one; the embedding stays in system memory.
calc-placed-part = So { $percent } of weights and KV cache are on the GPU, as “ollama ps” counts. Each word waits for the rest: { $nearly ->
    [yes] expect it slower.
   *[no] expect it several times slower.
}

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

calc-table = Every model on every card
calc-table-lead = What is left of each card with the settings above, by the middle of the range, and where it surely fits the longest context or size. A click on a name takes it over.
calc-table-models = Models whose name has
calc-table-cards = Cards whose name has
calc-table-count = { $models } models on { $cards } cards
calc-table-yes = fits,
calc-table-tight = tight,
calc-table-no = does not fit,
calc-table-longest = up to { $value }

calc-accuracy = How sure are these numbers?
calc-accuracy-lead = Each dot is a figure from a public log, document or paper: measured along, computed here up, its whisker the range that the calculator states. On the line both agree.
calc-accuracy-fits = So a job fits when the high end of its range does, it does not when even the low end is too much, and it is tight in between.
calc-accuracy-basis = “Exact” follows from architecture and format; “measured” agrees with logs; “rule of thumb” depends on versions and settings that nobody stated: there, leave room.
calc-accuracy-plot = Computed against measured memory, { $count } figures on a scale of powers of ten. They lie along the diagonal; the table has the median error of each kind.
calc-accuracy-kind = Kind
calc-accuracy-rows = Figures
calc-accuracy-median = Median error
calc-accuracy-exact = Exact quantities
calc-accuracy-engine = Engine totals and overheads
calc-accuracy-training = Training
calc-accuracy-picture = Image and video
calc-accuracy-measured = measured
calc-accuracy-computed = computed
