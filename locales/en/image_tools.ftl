# Where image programs put their models.

says-image-start = The card has { $total_vram } and the machine { $total_ram } of RAM. The program’s `MB` are MiB.
says-image-vram-state = How the program shares out the card: { $vram_state }.
says-image-device = The card: { $card }, with the allocator { $allocator }.
says-image-full = The whole model is on the card: { $loaded }, with room for { $usable }.
says-image-full-short = The whole model is on the card: { $loaded }.
says-image-part = { $loaded } of the model is on the card, { $offloaded } in system memory. That is slower, but no error.
says-image-part-short = Only part of the model fits into { $usable }; the rest is in system memory. That is slower, but no error.
says-image-staged = { $staged } of weights wait in system memory and come to the card as needed.
says-webui-footer = PyTorch uses { $active } and holds { $reserved }; in all { $card_used } of { $card_total } is in use on the card.
says-forge-unload = { $target } is wanted; { $free } is free.
says-forge-plan = The model needs { $model } and the work { $inference }, with { $free } free. Below zero, the rest of { $remaining } means that a part is swapped, not that it fails.
says-forge-swap = { $loaded } is on the card, { $offloaded } in system memory.
says-forge-shares = Weights may take { $weights_limit } of the card; { $inference } is kept for the work.
says-forge-all-weights = All of the card, { $weights_limit }, is given to weights: nothing is left for the work.
says-image-retried = Memory ran short here, and the program went on in a way that needs less. No failure.

headline-image-load = No failure here: the text says where the program put its models.
headline-image-part = No failure: part of the model is in system memory, which is slower.
headline-image-part-size = No failure: { $offloaded } of the model is in system memory, which is slower.

because-image-part = The program says so itself; weights come to the card while it works.

fix-image-part = Nothing is broken. If the speed is fine, leave it.
fix-image-part-bits = For more speed, take the model in FP8 or as GGUF, so that it fits as a whole.
