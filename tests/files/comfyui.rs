//! ComfyUI's workflows in both forms.

use vramfit::files::comfyui::{Loaded, Workflow, is_workflow, model_of, read};
use vramfit::json::parse;

fn workflow(text: &str) -> Workflow {
    let json = parse(text.as_bytes()).unwrap();
    assert!(is_workflow(json.root()), "{text}");
    read(json.root()).unwrap()
}

fn loaded(file: &str, format: &'static str) -> Loaded {
    Loaded {
        file: file.to_owned(),
        format,
    }
}

/// Flux as the server takes it, with a LoRA and tiled decoding.
const FLUX: &str = r#"{
    "6": {"class_type": "CLIPTextEncode", "inputs": {"text": "a fox.safetensors", "clip": ["11", 0]}},
    "8": {"class_type": "VAEDecodeTiled", "inputs": {"samples": ["13", 0], "vae": ["10", 0], "tile_size": 512, "overlap": 64}},
    "10": {"class_type": "VAELoader", "inputs": {"vae_name": "ae.safetensors"}},
    "11": {"class_type": "DualCLIPLoader", "inputs": {"clip_name1": "clip_l.safetensors",
        "clip_name2": "t5xxl_fp8_e4m3fn.safetensors", "type": "flux", "device": "default"}},
    "12": {"class_type": "UNETLoader", "inputs": {"unet_name": "FLUX/flux1-dev.safetensors", "weight_dtype": "fp8_e4m3fn"}},
    "20": {"class_type": "PrimitiveInt", "inputs": {"value": 1216}},
    "27": {"class_type": "EmptySD3LatentImage", "inputs": {"width": ["20", 0], "height": 832, "batch_size": 4}},
    "31": {"class_type": "KSampler", "inputs": {"seed": 173805153958730, "steps": 20, "cfg": 1.0, "denoise": 1.0,
        "sampler_name": "euler", "scheduler": "simple", "model": ["40", 0], "latent_image": ["27", 0]}},
    "40": {"class_type": "LoraLoaderModelOnly", "inputs": {"lora_name": "style.safetensors", "strength_model": 1,
        "model": ["12", 0]}}
}"#;

#[test]
fn a_prompt_tells_models_formats_and_sizes() {
    let flux = workflow(FLUX);
    assert_eq!(flux.denoisers, [loaded("flux1-dev.safetensors", "fp8")]);
    let texts = [
        loaded("clip_l.safetensors", "bf16"),
        loaded("t5xxl_fp8_e4m3fn.safetensors", "fp8"),
    ];
    assert_eq!((flux.texts.as_slice(), flux.text_on_cpu), (&texts[..], false));
    assert_eq!((flux.width, flux.height, flux.frames, flux.batch), (1216, 832, 0, 4));
    assert_eq!(
        (flux.tile, flux.adapters, flux.control_nets, flux.one_prompt),
        (512, 1, 0, true)
    );
    assert_eq!(
        flux.keys(),
        "off=comfyui&q=fp8&tq=fp8&res=1216x832&bs=4&tile=512&lora=1&cfg=1"
    );
    let whole = format!(r#"{{"prompt": {FLUX}, "client_id": "x"}}"#);
    assert_eq!(workflow(&whole), flux);
}

/// Wan 2.2 as the editor saves it: one loader bypassed, one in a subgraph, values in lists.
const WAN: &str = r#"{"id": "0", "version": 0.4, "last_node_id": 90, "links": [[1, 37, 0, 54, 0, "MODEL"]], "nodes": [
    {"id": 37, "type": "UnetLoaderGGUF", "mode": 0, "widgets_values": ["wan2.2_t2v_high_noise_14B_Q4_K_S.gguf"]},
    {"id": 38, "type": "CLIPLoader", "mode": 0,
        "widgets_values": ["umt5_xxl_fp8_e4m3fn_scaled.safetensors", "wan", "cpu"]},
    {"id": 39, "type": "VAELoader", "mode": 0, "widgets_values": ["wan_2.1_vae.safetensors"]},
    {"id": 40, "type": "LoraLoaderModelOnly", "mode": 4, "widgets_values": ["lightx2v.safetensors", 1]},
    {"id": 41, "type": "LoraLoaderModelOnly", "mode": 2, "widgets_values": ["other.safetensors", 1]},
    {"id": 55, "type": "EmptyHunyuanLatentVideo", "mode": 0, "widgets_values": [832, 480, 81, 1]},
    {"id": 57, "type": "KSamplerAdvanced", "mode": 0, "widgets_values": ["enable", 5, "randomize", 20, 3.5, "euler"]},
    {"id": 60, "type": "Note", "mode": 0, "widgets_values": ["models/unet/other.gguf is not loaded here."]},
    {"id": 8, "type": "VAEDecode", "mode": 0},
    {"id": 61, "type": "VHS_VideoCombine", "mode": 0, "widgets_values": {"frame_rate": 16, "format": "video/h264-mp4"}}],
    "definitions": {"subgraphs": [{"id": "a", "nodes": [
    {"id": 1, "type": "UnetLoaderGGUF", "mode": 0, "widgets_values": ["wan2.2_t2v_low_noise_14B_Q4_K_S.gguf"]}]}]}}"#;

#[test]
fn a_graph_tells_the_same() {
    let wan = workflow(WAN);
    let files: Vec<(&str, &str)> = wan
        .denoisers
        .iter()
        .map(|one| (one.file.as_str(), one.format))
        .collect();
    assert_eq!(
        files,
        [
            ("wan2.2_t2v_high_noise_14B_Q4_K_S.gguf", "q4_k_s"),
            ("wan2.2_t2v_low_noise_14B_Q4_K_S.gguf", "q4_k_s")
        ]
    );
    assert_eq!((wan.texts[0].format, wan.text_on_cpu, wan.adapters), ("fp8", true, 0));
    assert_eq!(
        (wan.width, wan.height, wan.frames, wan.batch, wan.tile),
        (832, 480, 81, 1, 0)
    );
    assert!(!wan.one_prompt);
    assert_eq!(wan.keys(), "off=comfyui&q=q4_k_s&tq=fp8&te=cpu&res=832x480&fr=81&bs=1");
}

#[test]
fn names_beside_the_inputs_serve_for_other_nodes() {
    let text = r#"{"nodes": [
        {"type": "WanVideoModelLoader", "widgets_values":
            ["WanVideo/Wan2_1-T2V-14B_fp8_e4m3fn.safetensors", "fp16", "fp8_e4m3fn", "offload_device", "sdpa"]},
        {"type": "WanVideoBlockSwap", "widgets_values": [20, false, false]},
        {"type": "MadeUpVideoLatent", "inputs": [{"name": "model", "link": 3},
            {"name": "noise_seed", "widget": {"name": "noise_seed"}}, {"name": "width", "widget": {"name": "width"}},
            {"name": "height", "widget": {"name": "height"}}, {"name": "length", "widget": {"name": "length"}}],
            "widgets_values": [42, "fixed", 1280, 720, 49]},
        {"type": "Power Lora Loader (rgthree)", "widgets_values": [{"type": "header"},
            {"on": true, "lora": "a.safetensors", "strength": 1}, {"on": false, "lora": "b.safetensors"}, ""]}],
        "links": []}"#;
    let found = workflow(text);
    assert_eq!(
        (found.width, found.height, found.frames, found.swapped, found.adapters),
        (1280, 720, 49, 20, 1)
    );
    assert_eq!(found.denoisers[0].format, "fp8");
    assert!(found.keys().starts_with("off=swap&q=fp8"));
}

#[test]
fn files_mean_models() {
    let ids = [
        "stable-diffusion-v1-5",
        "stable-diffusion-xl",
        "flux.1-dev",
        "flux.1-schnell",
        "flux.1-kontext-dev",
        "qwen-image",
        "qwen-image-edit-2509",
        "wan2.1-t2v-14b",
        "wan2.1-t2v-1.3b",
        "wan2.2-t2v-a14b",
        "hunyuanvideo",
        "hunyuanvideo-1.5",
        "z-image-turbo",
    ];
    for (file, id) in [
        ("flux1-dev-fp8.safetensors", Some("flux.1-dev")),
        ("flux1-schnell-Q4_K_S.gguf", Some("flux.1-schnell")),
        ("flux1-dev-kontext_fp8_scaled.safetensors", Some("flux.1-kontext-dev")),
        ("flux1-kontext-dev.safetensors", Some("flux.1-kontext-dev")),
        ("sd_xl_base_1.0.safetensors", Some("stable-diffusion-xl")),
        ("juggernautXL_v9.safetensors", Some("stable-diffusion-xl")),
        ("v1-5-pruned-emaonly-fp16.safetensors", Some("stable-diffusion-v1-5")),
        ("qwen_image_fp8_e4m3fn.safetensors", Some("qwen-image")),
        (
            "qwen_image_edit_2509_fp8_e4m3fn.safetensors",
            Some("qwen-image-edit-2509"),
        ),
        ("wan2.1_t2v_1.3B_fp16.safetensors", Some("wan2.1-t2v-1.3b")),
        ("Wan2_1-T2V-14B_fp8_e4m3fn.safetensors", Some("wan2.1-t2v-14b")),
        (
            "wan2.2_t2v_high_noise_14B_fp8_scaled.safetensors",
            Some("wan2.2-t2v-a14b"),
        ),
        ("hunyuan_video_t2v_720p_bf16.safetensors", Some("hunyuanvideo")),
        ("hunyuanvideo1.5_720p_t2v_fp16.safetensors", Some("hunyuanvideo-1.5")),
        ("z_image_turbo_bf16.safetensors", Some("z-image-turbo")),
        ("dreamshaper_8.safetensors", None),
    ] {
        assert_eq!(model_of(file, ids.into_iter()), id, "{file}");
    }
}

#[test]
fn other_json_is_no_workflow() {
    for text in [
        "{}",
        "[]",
        r#"{"nodes": 3, "links": []}"#,
        r#"{"a": {"class_type": "KSampler"}}"#,
        r#"{"model_type": "llama"}"#,
    ] {
        let json = parse(text.as_bytes()).unwrap();
        assert!(!is_workflow(json.root()), "{text}");
    }
    let empty = parse(br#"{"nodes": [{"type": "Note", "widgets_values": ["x"]}], "links": []}"#).unwrap();
    assert_eq!(read(empty.root()).unwrap_err().id, "file-workflow-empty");
}
