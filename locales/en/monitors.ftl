# GPU monitors, PyTorch's own table, and training logs.

says-smi-banner = nvidia-smi’s head: driver { $driver }, CUDA up to { $cuda }.
says-smi-banner-old = nvidia-smi’s head: driver { $driver }.
says-smi-memory = { $card_used } of { $card_total } is in use.
says-smi-unified = This GPU has no memory of its own: it shares the system’s.
says-smi-processes = The processes that use the cards.
says-smi-process = Process { $pid } ({ $process_name }) holds { $process }.
says-smi-process-unknown = Process { $pid } ({ $process_name }) uses the card. Windows does not tell how much it holds; that is normal.
says-smi-no-processes = No process is listed. In a container or for another user’s processes that says nothing.
says-smi-csv = nvidia-smi’s query: one line per card.
says-smi-csv-apps = nvidia-smi’s query: one line per process.
says-smi-csv-row = One card, in MiB where no unit stands.
says-smi-csv-app = Process { $pid } holds { $process }.
says-smi-query-name = The card: { $card }.
says-smi-query-used = { $card_used } of it is in use; { $free } is free.
says-smi-query-memory = { $card_used } of { $card_total } is in use, { $free } free; the driver keeps the rest.
says-smi-list = Card { $card_index }: { $card }.
says-smi-list-mig = A slice of the card above.
says-rocm-total = Card { $card_index } has { $card_total }.
says-rocm-used = { $card_used } of card { $card_index } is in use.
says-rocm-json = { $card_used } of { $card_total } is in use.
says-rocm-name = Card { $card_index }: { $card }.
says-rocm-table = rocm-smi’s table: shares of the memory only.
says-rocm-percent = Card { $card_index }: { $vram_percent }% of its memory is in use.
says-amd-memory = { says-smi-memory }
says-amd-metric = { says-smi-memory }
says-gpustat = Card { $card_index } ({ $card }): { $card_used } of { $card_total } is in use.
says-gpustat-process = { $process_name } holds { $process }.
says-rocm-csv = rocm-smi’s table of the cards’ memory.
says-rocm-pids = { says-smi-processes }
says-amd-processes = { says-smi-processes }
says-amd-process = { says-smi-process }
says-amd-monitor = amd-smi’s table of the cards’ memory.
says-nvitop-processes = { says-smi-processes }
says-nvitop-memory = { says-smi-memory }
says-summary-title = PyTorch’s own table for card { $device }.
says-summary-failures = Requests that failed: { $failures }; tried again after giving back the reserve: { $retries }. With `cudaMallocAsync` failures are not counted.
says-summary-allocated = Live tensors: { $allocated } now, { $peak_allocated } at the peak.
says-summary-requested = Asked for by the program: { $requested_live }.
says-summary-reserved = Held by PyTorch in all: { $reserved }.
says-summary-non-releasable = Reserve that cannot be given back: { $non_releasable }.
says-training-deepspeed = Live tensors: { $allocated }, at the peak { $max_allocated }; held in all: { $reserved }.
says-training-host = { $host } of RAM is in use.
says-training-estimate = By DeepSpeed’s estimate: { $per_gpu } per GPU and { $per_cpu } of RAM.
says-training-megatron = { says-training-deepspeed }
says-training-theory = Weights and optimiser states should take { $weights_optimizer }.
says-training-unsloth = The card: { $card } with { $card_total } for programs.
says-training-yolo = { $card }: { $free } of { $card_total } is free.
says-training-yolo-batch = A batch of { $batch } is expected to take { $planned } of { $total }.

headline-monitor-list = No error here: a list of processes.
headline-monitor-devices = { $count ->
    [one] No error here: what one card holds.
   *[other] No error here: what { $count } cards hold.
}
headline-monitor-processes = { $count ->
    [one] No error here: what one process holds.
   *[other] No error here: what { $count } processes hold.
}
headline-monitor-hidden = { $used } of { $total } is in use, though no process is listed: somebody whom this list cannot show holds the card.
headline-monitor-full = { $used } of { $total } is in use: little is left for a new job.
headline-monitor-idle = The card is nearly empty: { $used } of { $total } is in use.
headline-monitor-orphans = Processes whose parent is dead still hold { $held }.
headline-monitor-slice = The job sees one slice of a card; the slice’s memory is its limit.
headline-monitor-unified = This GPU shares the system’s memory, so the table has no figure for it.
headline-summary = PyTorch’s own table: live tensors hold { $allocated }, the allocator { $reserved } in all.
headline-training-log = No failure here: a training program’s memory figures.

because-monitor-no-error = The text is a table, without an error.
because-monitor-dead = nvidia-smi cannot read the name of a process that has ended; its children live on.
because-monitor-slice = The table lists MIG devices.
because-monitor-unified = `free -h` shows what is left.
because-monitor-hidden = In a container nvidia-smi cannot see process names, and other users’ processes can be hidden too.
because-monitor-idle = { $used } of { $total } explains no shortage; a job that failed has given its memory back.
because-monitor-share = The table shows the card’s memory nearly all in use.
because-holder = What is listed holds { $held }.
because-holder-vllm = vLLM holds { $held }: it takes about 90% of the card at start, on purpose.
because-holder-ollama = A loaded model holds { $held }; the server keeps it for some minutes after the last question.
because-holder-python = Python holds { $held }. PyTorch keeps freed memory for reuse, so part of that may be cache.
because-summary = Live tensors: { $allocated }; held in all: { $reserved }.

fix-end-children = End the children of process { $pid }: data-loading processes, usually.
fix-close-listed = Close what is listed and not needed; the counters tell how much each program holds.
fix-find-hidden = Find who holds the card.
why-find-hidden = Outside the container, or as root, the process has a name.
fix-nothing-monitor = Nothing is wrong in this table. If a job failed, paste its error too.
