# A reader's own files: what was read of a model, and why a file could not be read.

# JSON
json-empty = The file is empty.
json-large = The JSON is larger than { $most }, which no model’s is. Choose its `config.json`.
json-many = The JSON has more than { $most } values, which no model’s has. Choose its `config.json`.
json-deep = Line { $line }: lists are nested more than { $most } deep. No tool writes such a file; get it again from its source.
json-cut = The JSON breaks off in line { $line }: its end is missing. Copy or download it again.
json-twice = Line { $line }: `{ $name }` is there twice in one object, so it is unclear which value counts. Remove one of them.
json-wrong = Line { $line } is not JSON from `{ $found }` on. Copy or download the file again as it is.

# Files
file-unknown = This is not a model’s file that can be read here. Choose a `config.json`, a GGUF or a safetensors file, its `model.safetensors.index.json`, or a ComfyUI workflow.
file-old-ggml = This file is in a format from before GGUF (August 2023), which llama.cpp no longer reads. Get the model as GGUF.
file-pickle = This is PyTorch’s own format or a ZIP archive, which is not opened here. Choose the model’s `config.json`, or its safetensors files.
file-json-other = This JSON describes no model: it is neither a `config.json` nor an index of safetensors files nor a ComfyUI workflow.
file-cut = The file ends after { $at }, in the middle of its header. Download it again.
file-broken = { $missing } is missing at the file’s end: the download broke off. The estimate is for the whole file.
file-no-link = The file stays on this machine. A link passes on the model of the list that is like it, or its main numbers.
file-none = No file of a model was chosen.
file-mixed = These files belong to different models. Choose those of one model only.
file-parts-missing = { $have ->
    [one] { $have } of { $of } files of this model was chosen: its weights are computed from the architecture. Choose all of them together to have them counted.
   *[other] { $have } of { $of } files of this model were chosen: its weights are computed from the architecture. Choose all of them together to have them counted.
}

# config.json
file-config-read = Read from `config.json`: { $name }, { $params } parameters in { $layers } layers, { $format }.
file-config-weights = Read from `config.json` and the weights’ files: { $name }, { $params } parameters in { $layers } layers, { $format }; the weights take { $bytes }.
file-config-sees = The model also sees or hears; that part is not counted, and takes some hundred megabytes to some gigabytes more.
file-config-other = This `config.json` is not a language model’s (`{ $kind }`): hidden size, layers or vocabulary are missing.
file-config-absurd = `{ $name }` is a number that no model has. Get the file again from its source.

# GGUF
file-gguf-read = Read from the GGUF file: { $name }, { $params } parameters in { $layers } layers, { $format }; its tensors take { $bytes }.
file-gguf-version = GGUF version { $version } is not known; 1 to 3 are. Reload the page, or convert the file.
file-gguf-absurd = The GGUF header names a count that cannot be ({ $what }: { $count }). The file is damaged; download it again.
file-gguf-type = The GGUF header has a type that is not known ({ $type }, at `{ $name }`). The file is damaged, or made by a newer or changed llama.cpp.
file-gguf-other = This GGUF file is not a language model (`{ $kind }`). Choose the model’s own file.

# Safetensors
file-safetensors-read = Read from the safetensors header: { $name }, { $params } parameters in { $layers } layers, { $format }; its tensors take { $bytes }.
file-safetensors-config = The header does not tell everything: experts, windows and the longest context are in `config.json`. Choose it together with this file.
file-safetensors-header = The header of this safetensors file would be { $bytes } long, in a file of { $size }. The file is damaged; download it again.
file-safetensors-tensor = The tensor `{ $name }` has a type, a shape or a place that cannot be. The file is damaged; download it again.
file-index-size = The index does not say how large all of it is. Choose the safetensors files instead.
file-index-alone = The files of this index take { $bytes } together. Choose the model’s `config.json` with it, to know its layers.
file-weights = { $part ->
    [denoiser] `{ $file }` holds the weights of an image or video model
    [vae] `{ $file }` holds the weights of a VAE
    [text] `{ $file }` holds the weights of a text encoder
    [lora] `{ $file }` is a LoRA
   *[other] `{ $file }` holds weights
}: { $bytes }. Its layers are not in it; choose a `config.json`, or a model from the list.

# ComfyUI
file-workflow-empty = This ComfyUI workflow loads no model. Choose one with a loader of a checkpoint or a diffusion model.
file-workflow-read = { $nodes ->
    [one] Read from the ComfyUI workflow, { $nodes } node: `{ $file }` ({ $format }).
   *[other] Read from the ComfyUI workflow, { $nodes } nodes: `{ $file }` ({ $format }).
}
file-workflow-model = No model of the list is called `{ $file }`. Pick the one that it was made from.
file-workflow-size = The workflow takes its size from an image. Type that image’s width and height.
