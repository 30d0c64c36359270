//! `config.json` of a Hugging Face repository: the architecture, and the number format of the weights.
//!
//! Names differ by model type, so each fact is looked for under all that are in use; what a type leaves to its class's
//! defaults stands in [`KINDS`]. Source: the configuration classes of transformers 5.24, and `config.json` files.

use super::shape::{Feed, Heads, Latent, Layer, Mixer, Recurrent, Shape, States};
use crate::catalog::{Format, format};
use crate::json::{Json, Value, parse};
use crate::message::Message;

/// The most layers that a file may tell of.
pub const MOST_LAYERS: i64 = 4096;

/// The most that any other count may be.
pub const MOST: i64 = 1 << 32;

/// What a model type means where its file says nothing: its class's defaults, and facts of its code under names of our
/// own: `norms` of a layer, `matrices` of a feed-forward layer, `qkv_bias`, `all_bias`, `out_gate` (attention with a gate),
/// `window_every` (every n-th layer sees all), `first_sees_all` (which of them), `all_windows` (a window in every layer),
/// `tied`, `recurrent` (which kind).
const KINDS: &[(&str, &str)] = &[
    (
        "qwen2 qwen2_vl qwen2_5_vl qwen2_moe qwen2_vl_text qwen2_5_vl_text qwen2_audio",
        r#"{"qkv_bias":1}"#,
    ),
    (
        "qwen3_next qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text qwen4_exp qwen4_exp_text",
        r#"{"out_gate":1,"full_attention_interval":4,"n_shared_experts":1,"linear_conv_kernel_dim":4}"#,
    ),
    ("gemma", r#"{"tied":1,"head_dim":256}"#),
    (
        "gemma2",
        r#"{"tied":1,"norms":4,"window_every":2,"sliding_window":4096,"head_dim":256}"#,
    ),
    (
        "gemma3 gemma3_text",
        r#"{"tied":1,"norms":4,"window_every":6,"sliding_window":1024,"head_dim":256,"num_attention_heads":8,
        "num_key_value_heads":4,"vocab_size":262208,"max_position_embeddings":131072}"#,
    ),
    (
        "gemma3n gemma3n_text",
        r#"{"tied":1,"norms":5,"window_every":5,"sliding_window":512,"head_dim":256,"num_attention_heads":8,
        "num_key_value_heads":2,"vocab_size":262400,"num_kv_shared_layers":15,"hidden_size":2048,
        "intermediate_size":16384,"num_hidden_layers":35,"hidden_size_per_layer_input":256,
        "max_position_embeddings":32768}"#,
    ),
    (
        "gemma4 gemma4_text gemma4_unified gemma4_unified_text",
        r#"{"tied":1,"norms":4,"window_every":6,"sliding_window":512,"head_dim":256,"global_head_dim":512,
        "num_attention_heads":8,"num_key_value_heads":4,"vocab_size":262144,"max_position_embeddings":131072}"#,
    ),
    ("cohere command_r", r#"{"tied":1,"norms":1}"#),
    (
        "cohere2 cohere2_vision",
        r#"{"tied":1,"norms":1,"window_every":4,"sliding_window":4096}"#,
    ),
    ("phi", r#"{"all_bias":1,"qkv_bias":1,"matrices":2}"#),
    ("phimoe", r#"{"norms":4,"qkv_bias":1}"#),
    (
        "falcon refinedwebmodel refinedweb",
        r#"{"tied":1,"matrices":2,"wide_ffn":4,"norms":3}"#,
    ),
    (
        "gpt2",
        r#"{"tied":1,"matrices":2,"wide_ffn":4,"norms":4,"qkv_bias":1,"all_bias":1}"#,
    ),
    (
        "gpt_bigcode",
        r#"{"tied":1,"matrices":2,"wide_ffn":4,"norms":4,"qkv_bias":1,"all_bias":1,"multi_query":true}"#,
    ),
    (
        "bloom",
        r#"{"tied":1,"matrices":2,"wide_ffn":4,"norms":4,"qkv_bias":1,"all_bias":1}"#,
    ),
    ("opt", r#"{"tied":1,"matrices":2,"norms":4,"qkv_bias":1,"all_bias":1}"#),
    ("mpt", r#"{"tied":1,"matrices":2,"wide_ffn":4}"#),
    ("gptj", r#"{"matrices":2,"wide_ffn":4,"all_bias":1}"#),
    ("gpt_neox", r#"{"matrices":2,"norms":4,"qkv_bias":1,"all_bias":1}"#),
    (
        "starcoder2",
        r#"{"tied":1,"matrices":2,"norms":4,"qkv_bias":1,"all_bias":1,"all_windows":1}"#,
    ),
    ("stablelm nemotron", r#"{"norms":4}"#),
    ("nemotron_h", r#"{"norms":1,"matrices":2,"recurrent":"mamba2"}"#),
    ("glm4", r#"{"norms":4,"qkv_bias":1}"#),
    ("glm chatglm glm4_moe", r#"{"qkv_bias":1}"#),
    ("seed_oss", r#"{"qkv_bias":1}"#),
    (
        "gpt_oss",
        r#"{"qkv_bias":1,"all_bias":1,"window_every":2,"sliding_window":128,"head_dim":64}"#,
    ),
    (
        "llama4 llama4_text",
        r#"{"window_every":4,"n_shared_experts":1,"interleave_moe_layer_step":1,"attention_chunk_size":8192}"#,
    ),
    ("mistral ministral", r#"{"all_windows":1}"#),
    ("exaone4 olmo3", r#"{"window_every":4}"#),
    (
        "muse_glimmer muse_glimmer_text muse_spark muse_spark_text",
        r#"{"window_every":4,"counted_from_last":1}"#,
    ),
    (
        "jamba",
        r#"{"recurrent":"mamba1","attn_layer_period":8,"attn_layer_offset":4,"expert_layer_period":2,"expert_layer_offset":1}"#,
    ),
    ("minimax minimax_text_01 minimax_m1", r#"{"recurrent":"lightning"}"#),
    (
        "granitemoehybrid bamba falcon_h1 zamba2 mamba2",
        r#"{"recurrent":"mamba2","tied":1}"#,
    ),
    ("kimi_linear glm5_next glm5_next_text", r#"{"recurrent":"kimi"}"#),
    ("lfm2 lfm2_moe lfm2_vl", r#"{"recurrent":"convolution","tied":1}"#),
    ("ernie4_5 ernie4_5_moe hunyuan_v1_moe hunyuan_v1_dense", r#"{"tied":1}"#),
    ("olmo2", r#"{"norms":4}"#),
    ("deepseek_v32", r#"{"index_cached":1}"#),
    (
        "deepseek_v4",
        r#"{"sliding_window":128,"q_lora_rank":1024,"head_dim":512,"index_n_heads":64,"index_head_dim":128}"#,
    ),
];

/// What a file says.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// `model_type`.
    pub kind: String,
    /// `_name_or_path`, where it names a repository.
    pub name: String,
    /// The shape.
    pub shape: Shape,
    /// The format of the weights.
    pub format: &'static Format,
    /// Whether it also sees or hears: those parameters are not counted.
    pub sees: bool,
}

/// Where facts are looked for, in this order.
struct Facts<'a> {
    places: [Option<Value<'a>>; 3],
}

impl<'a> Facts<'a> {
    fn get(&self, name: &str) -> Option<Value<'a>> {
        self.places.iter().flatten().find_map(|place| place.get(name))
    }

    /// The first of the names, between spaces, that has a value.
    fn any(&self, names: &str) -> Option<Value<'a>> {
        names.split(' ').find_map(|name| self.get(name))
    }

    /// A count under one of the names; of a list its first one; zero where there is none, or none that can be.
    fn count(&self, names: &str) -> i64 {
        let value = self.any(names);
        let first = value
            .filter(|value| value.is_list())
            .and_then(|list| list.items().next());
        first
            .or(value)
            .and_then(Value::whole)
            .filter(|count| (0..=MOST).contains(count))
            .unwrap_or(0)
    }

    fn flag(&self, names: &str) -> bool {
        self.any(names)
            .is_some_and(|value| value.flag().unwrap_or(value.whole() == Some(1)))
    }
}

/// Reads the text of a `config.json`.
///
/// # Errors
/// Those of [`parse`]; `file-config-other` where it describes no language model (`kind`, its own words); `file-config-absurd`
/// (`name`) where a count cannot be.
pub fn read(bytes: &[u8]) -> Result<Config, Message> {
    read_json(&parse(bytes)?)
}

/// Whether a JSON text looks like one.
pub fn is_config(root: Value) -> bool {
    let named = root.get("model_type").is_some() || root.get("architectures").is_some();
    named || (root.get("hidden_size").is_some() && root.get("num_hidden_layers").is_some())
}

/// Reads a parsed `config.json`.
pub fn read_json(json: &Json) -> Result<Config, Message> {
    let root = json.root();
    let nested = ["text_config", "llm_config", "language_config", "thinker_config"];
    let mut inner = nested.iter().find_map(|name| root.get(name)).unwrap_or(root);
    if let Some(deeper) = inner.get("text_config") {
        inner = deeper;
    }
    let kind_of = |value: Value| {
        value
            .get("model_type")
            .and_then(Value::text)
            .map(|kind| kind.to_ascii_lowercase())
    };
    let kind = kind_of(inner).or_else(|| kind_of(root)).unwrap_or_default();
    let defaults = KINDS
        .iter()
        .find(|(kinds, _)| kinds.split(' ').any(|one| one == kind))
        .and_then(|(_, facts)| parse(facts.as_bytes()).ok());
    let facts = Facts {
        places: [Some(inner), Some(root), defaults.as_ref().map(Json::root)],
    };
    let shape = shape(&facts)?;
    let name = root.get("_name_or_path").and_then(Value::text).unwrap_or_default();
    let name = if name.contains('/') && !name.starts_with(['/', '.']) {
        name.into_owned()
    } else {
        String::new()
    };
    let sees = [
        "vision_config",
        "vision_encoder",
        "visual",
        "audio_config",
        "vision_tower",
    ]
    .iter()
    .any(|name| root.get(name).is_some());
    Ok(Config {
        kind,
        name: name.chars().take(80).collect(),
        shape,
        format: number_format(&facts),
        sees,
    })
}

fn shape(facts: &Facts) -> Result<Shape, Message> {
    let absurd = |name: &'static str| Message::new("file-config-absurd").with("name", name);
    let hidden = facts.count("hidden_size n_embd d_model dim");
    let count = facts.count("num_hidden_layers n_layer n_layers num_layers");
    let vocab = facts.count("vocab_size padded_vocab_size");
    if hidden == 0 || count == 0 || vocab == 0 {
        let other = facts.any("model_type _class_name").and_then(Value::text);
        let kind: String = other.unwrap_or_default().chars().take(40).collect();
        return Err(Message::new("file-config-other").with("kind", kind));
    }
    if count > MOST_LAYERS {
        return Err(absurd("num_hidden_layers"));
    }
    let heads = facts.count("num_attention_heads n_head n_heads num_heads attention_heads");
    let grouped = facts.count("num_key_value_heads num_kv_heads n_head_kv multi_query_group_num num_attention_groups");
    let one_head = facts.flag("multi_query") && !facts.flag("new_decoder_architecture");
    let kv = if one_head {
        1
    } else if grouped > 0 {
        grouped
    } else {
        heads
    };
    let key = match facts.count("head_dim kv_channels attention_head_dim") {
        0 => hidden / heads.max(1),
        key => key,
    };
    let or = |value: i64, other: i64| if value > 0 { value } else { other };
    let full = Heads {
        kv: or(facts.count("num_global_key_value_heads"), kv),
        key: or(facts.count("global_head_dim"), key),
        value: or(facts.count("global_head_dim v_head_dim"), key),
    };
    let window_key = or(facts.count("swa_head_dim"), key);
    let mut windowed = Heads {
        kv: or(facts.count("swa_num_key_value_heads"), kv),
        key: window_key,
        value: or(facts.count("swa_v_head_dim"), or(facts.count("v_head_dim"), window_key)),
    };
    let latent = latent(facts);
    let kinds = layers(facts, count as usize);
    let compressed = |layer: &Layer| matches!(layer.mixer, Mixer::Compressed | Mixer::HeavilyCompressed);
    if kinds.iter().any(compressed) {
        windowed.value = 0;
    }
    let experts = facts.count("n_routed_experts moe_num_experts num_experts num_local_experts num_moe_experts");
    let experts = if experts > 1 && kinds.iter().any(|layer| layer.feed == Feed::Experts) {
        experts
    } else {
        0
    };
    let wide = facts.count("wide_ffn").saturating_mul(hidden);
    let mut ffn = or(
        facts.count("intermediate_size_mlp dense_intermediate_size intermediate_size ffn_hidden_size n_inner ffn_dim block_ff_dim"),
        wide,
    );
    if facts.flag("block_auto_adjust_ff_dim") {
        let step = facts.count("block_multiple_of").max(1);
        ffn = (ffn * 2 / 3 + step - 1) / step * step;
    }
    let own = facts.count("moe_intermediate_size expert_ffn_hidden_size expert_intermediate_size");
    let expert_ffn = or(own, facts.count("intermediate_size ffn_hidden_size"));
    let expert_ffn = if facts.count("dense_intermediate_size") > 0 {
        facts.count("intermediate_size")
    } else {
        expert_ffn
    };
    let shared_experts = facts.count("n_shared_experts num_shared_experts num_shared_expert moe_num_shared_experts");
    let shared = facts.count(
        "shared_expert_intermediate_size moe_shared_expert_intermediate_size shared_intermediate_size share_expert_dim",
    );
    let shared_experts = if shared > 0 {
        shared_experts.max(1)
    } else {
        shared_experts
    };
    let by_experts = |count: i64| if experts > 0 { count } else { 0 };
    let mut shape = Shape {
        hidden,
        ffn,
        heads,
        named: Heads { kv, key, value: key },
        full,
        windowed,
        window: facts.count("sliding_window sliding_window_size attention_chunk_size"),
        latent,
        states: states(facts, hidden),
        vocab,
        tied: facts
            .any("tie_word_embeddings tie_embedding tied")
            .is_some_and(|tied| tied.flag() == Some(true) || tied.whole() == Some(1)),
        context: facts
            .count("max_position_embeddings n_positions max_sequence_length seq_length max_seq_len model_max_length"),
        experts,
        per_token: by_experts(facts.count(
            "num_experts_per_tok num_experts_per_token moe_k moe_topk moe_top_k top_k_experts n_experts_per_tok",
        )),
        expert_ffn: by_experts(expert_ffn),
        expert_width: facts.count("moe_hidden_size moe_latent_size"),
        shared_experts: by_experts(shared_experts),
        shared_ffn: by_experts(or(shared, shared_experts.saturating_mul(expert_ffn))),
        matrices: or(facts.count("matrices"), 3),
        qkv_bias: facts.flag("qkv_bias attention_bias add_qkv_bias"),
        bias: facts.flag("all_bias") || facts.flag("use_bias bias"),
        gated: facts.flag("out_gate attn_output_gate"),
        norms: or(facts.count("norms"), 2),
        keys_as_values: facts.flag("attention_k_eq_v"),
        shared_twice: facts.flag("use_double_wide_mlp"),
        layer_embedding: facts.count("hidden_size_per_layer_input"),
        more: 0,
        layers: kinds,
    };
    if latent.kv_rank > 0 {
        // What the catalog calls a head of latent attention.
        shape.named.kv = heads;
        shape.named.key = or(latent.value, key);
    }
    // Gemma 4's experts stand beside a dense layer in every layer.
    if facts.flag("enable_moe_block") {
        (shape.shared_ffn, shape.shared_experts) = (ffn, 0);
    }
    // Tokens that are learnt by their place.
    shape.more = facts.count("n_positions").saturating_mul(hidden);
    Ok(shape)
}

fn latent(facts: &Facts) -> Latent {
    let kv_rank = facts.count("kv_lora_rank");
    let index_heads = if facts.get("index_topk").is_some() {
        facts.count("index_n_heads")
    } else {
        0
    };
    Latent {
        kv_rank,
        query_rank: facts.count("q_lora_rank"),
        rope: facts.count("qk_rope_head_dim"),
        nope: facts.count("qk_nope_head_dim"),
        value: facts.count("v_head_dim"),
        index_heads,
        index_dim: facts.count("index_head_dim"),
        index_cached: facts.flag("index_cached"),
    }
}

fn states(facts: &Facts, hidden: i64) -> States {
    let named = facts.get("recurrent").and_then(Value::text).unwrap_or_default();
    let nested = facts.get("linear_attn_config");
    let heads = |name: &str, outer: &str| {
        let inner = nested.and_then(|config| config.get(name)).and_then(Value::whole);
        inner
            .filter(|count| (0..=MOST).contains(count))
            .unwrap_or_else(|| facts.count(outer))
    };
    match named.as_ref() {
        "kimi" => {
            let (count, size) = (
                heads("num_heads", "linear_num_heads"),
                heads("head_dim", "linear_head_dim"),
            );
            States {
                kind: Recurrent::Kimi,
                inner: count.saturating_mul(size),
                state: size,
                groups: 0,
                heads: count,
                kernel: heads("short_conv_kernel_size", "linear_conv_kernel_dim"),
            }
        }
        "mamba1" => States {
            kind: Recurrent::Mamba1,
            inner: facts.count("mamba_expand expand").max(2).saturating_mul(hidden),
            state: facts.count("mamba_d_state state_size ssm_state_size"),
            groups: 0,
            heads: facts.count("mamba_dt_rank time_step_rank"),
            kernel: facts.count("mamba_d_conv conv_kernel"),
        },
        "mamba2" => {
            let count = facts.count("mamba_n_heads mamba_num_heads n_mamba_heads num_heads");
            let size = facts.count("mamba_d_head mamba_head_dim mamba_headdim head_dim");
            let inner = count.saturating_mul(size);
            States {
                kind: Recurrent::Mamba2,
                inner: if inner > 0 {
                    inner
                } else {
                    facts.count("mamba_expand expand").saturating_mul(hidden)
                },
                state: facts.count("mamba_d_state ssm_state_size state_size"),
                groups: facts.count("mamba_n_groups n_groups mamba_ngroups"),
                heads: count,
                kernel: facts.count("mamba_d_conv conv_kernel"),
            }
        }
        "lightning" => {
            let (count, size) = (facts.count("num_attention_heads"), facts.count("head_dim"));
            States {
                kind: Recurrent::Lightning,
                inner: count.saturating_mul(size),
                state: size,
                ..States::default()
            }
        }
        "convolution" => States {
            kind: Recurrent::Convolution,
            kernel: facts.count("conv_L_cache"),
            ..States::default()
        },
        _ => States {
            kind: Recurrent::DeltaNet,
            inner: facts
                .count("linear_num_value_heads")
                .saturating_mul(facts.count("linear_value_head_dim")),
            state: facts.count("linear_key_head_dim"),
            groups: facts.count("linear_num_key_heads"),
            heads: facts.count("linear_num_value_heads"),
            kernel: facts.count("linear_conv_kernel_dim"),
        },
    }
}

/// The layers, by whichever of the ways a model type tells them.
fn layers(facts: &Facts, count: usize) -> Vec<Layer> {
    let mut layers = vec![Layer::default(); count];
    mixers(facts, &mut layers);
    feeds(facts, &mut layers);
    let shared = facts.count("num_kv_shared_layers").min(count as i64) as usize;
    for layer in &mut layers[count - shared..] {
        layer.mixer = Mixer::Shared;
    }
    layers
}

/// Sets each layer that a list, or a text with a letter for each, speaks of.
fn set(layers: &mut [Layer], value: Value, mut one: impl FnMut(&mut Layer, &str)) {
    if let Some(text) = value.text() {
        let mut text = text.chars();
        for layer in layers {
            let mut letter = [0; 4];
            one(layer, text.next().map_or("", |found| found.encode_utf8(&mut letter)));
        }
        return;
    }
    for (layer, item) in layers.iter_mut().zip(value.items()) {
        let number = item.whole().map(|number| if number == 0 { "0" } else { "1" });
        let flag = item.flag().map(|flag| if flag { "1" } else { "0" });
        let text = item.text();
        one(layer, number.or(flag).or(text.as_deref()).unwrap_or(""));
    }
}

/// A layer by its name in `layer_types`, or by its letter in Nemotron-H's pattern.
fn by_name(layer: &mut Layer, name: &str) {
    let has = |word: &str| name.contains(word);
    layer.mixer = match () {
        () if has("heavily") => Mixer::HeavilyCompressed,
        () if has("compressed") => Mixer::Compressed,
        () if has("sliding") || has("chunked") || has("window") => Mixer::Window,
        () if has("linear") || has("mamba") || has("conv") || has("recurrent") || has("kda") || name == "M" => {
            Mixer::State
        }
        () if name == "mlp" || name == "moe" || name == "-" || name == "E" => Mixer::Nothing,
        () => Mixer::Full,
    };
}

fn mixers(facts: &Facts, layers: &mut [Layer]) {
    let count = layers.len();
    let window = facts.count("sliding_window sliding_window_size attention_chunk_size");
    if let Some(types) = facts.any("layers_block_type hybrid_override_pattern") {
        set(layers, types, by_name);
        // Each stands alone: a mixer or a feed-forward layer.
        if facts.flag("norms") {
            set(layers, types, |layer, name| {
                layer.feed = match name {
                    "moe" | "E" => Feed::Experts,
                    "mlp" | "-" => Feed::Dense,
                    _ => Feed::Nothing,
                };
            });
        }
    } else if let Some(types) = facts.get("layer_types") {
        set(layers, types, by_name);
    } else if let Some(pattern) = facts.get("hybrid_layer_pattern") {
        set(layers, pattern, |layer, one| {
            layer.mixer = if one == "1" { Mixer::Window } else { Mixer::Full }
        });
    } else if let Some(list) = facts.any("attn_type_list") {
        set(layers, list, |layer, one| {
            layer.mixer = if one == "1" { Mixer::Full } else { Mixer::State }
        });
    } else if let Some(ratios) = facts.get("compress_ratios") {
        for (layer, ratio) in layers.iter_mut().zip(ratios.items()) {
            layer.mixer = match ratio.whole() {
                Some(4) => Mixer::Compressed,
                Some(0) | None => Mixer::Window,
                Some(_) => Mixer::HeavilyCompressed,
            };
        }
    } else if let Some(list) = facts
        .get("linear_attn_config")
        .and_then(|config| config.get("full_attn_layers"))
    {
        layers.iter_mut().for_each(|layer| layer.mixer = Mixer::State);
        for at in list.items().filter_map(Value::whole) {
            if let Some(layer) = layers.get_mut((at - 1).max(0) as usize) {
                layer.mixer = Mixer::Full;
            }
        }
    } else if let Some(list) = facts.get("full_attn_idxs") {
        layers.iter_mut().for_each(|layer| layer.mixer = Mixer::State);
        for at in list.items().filter_map(Value::whole) {
            if let Some(layer) = layers.get_mut(at.max(0) as usize) {
                layer.mixer = Mixer::Full;
            }
        }
    } else if let Some(list) = facts.get("local_layer_ids") {
        for at in list.items().filter_map(Value::whole) {
            if let Some(layer) = layers.get_mut(at.max(0) as usize) {
                layer.mixer = Mixer::Window;
            }
        }
    } else if let Some(ropes) = facts
        .get("no_rope_layers")
        .filter(|list| window > 0 && !list.is_empty())
    {
        set(layers, ropes, |layer, one| {
            layer.mixer = if one == "1" { Mixer::Window } else { Mixer::Full }
        });
    } else if facts.count("full_attention_interval") > 0 {
        every(layers, facts.count("full_attention_interval"), false, Mixer::State);
    } else if facts.count("attn_layer_period") > 0 {
        let (period, offset) = (facts.count("attn_layer_period"), facts.count("attn_layer_offset"));
        for (at, layer) in layers.iter_mut().enumerate() {
            layer.mixer = if at as i64 % period == offset {
                Mixer::Full
            } else {
                Mixer::State
            };
        }
    } else if let Some(pattern) = facts
        .get("sliding_window_pattern")
        .and_then(Value::text)
        .filter(|text| !text.is_empty() && window > 0)
    {
        let letters = pattern.as_bytes();
        for (at, layer) in layers.iter_mut().enumerate() {
            let sees_all = letters[at % letters.len()] == b'G' || at + 1 == count;
            layer.mixer = if sees_all { Mixer::Full } else { Mixer::Window };
        }
    } else if window > 0 && facts.count("sliding_window_pattern window_every") > 0 {
        every(
            layers,
            facts.count("sliding_window_pattern window_every"),
            facts.flag("counted_from_last"),
            Mixer::Window,
        );
    } else if window > 0 && facts.flag("all_windows") && window < facts.count("max_position_embeddings") {
        layers.iter_mut().for_each(|layer| layer.mixer = Mixer::Window);
    }
}

/// Every n-th layer sees all, counted from the first one or from the last one; the others are `other`.
fn every(layers: &mut [Layer], step: i64, from_last: bool, other: Mixer) {
    let count = layers.len() as i64;
    for (at, layer) in layers.iter_mut().enumerate() {
        let place = if from_last { count - at as i64 } else { at as i64 + 1 };
        let sees_all = if from_last {
            (place - 1) % step == 0
        } else {
            place % step == 0
        };
        layer.mixer = if sees_all { Mixer::Full } else { other };
    }
}

fn feeds(facts: &Facts, layers: &mut [Layer]) {
    if facts.count("n_routed_experts moe_num_experts num_experts num_local_experts num_moe_experts") < 2 {
        return;
    }
    if layers.iter().any(|layer| layer.feed != Feed::Dense) {
        return;
    }
    let dense_first = facts.count("first_k_dense_replace num_dense_layers moe_layer_start_index");
    let step = facts
        .count("decoder_sparse_step interleave_moe_layer_step expert_layer_period moe_layer_interval")
        .max(1);
    let offset = if facts.get("expert_layer_offset").is_some() {
        facts.count("expert_layer_offset")
    } else {
        step - 1
    };
    for (at, layer) in layers.iter_mut().enumerate() {
        let at = at as i64;
        layer.feed = if at >= dense_first && at % step == offset {
            Feed::Experts
        } else {
            Feed::Dense
        };
    }
    let named = |layer: &mut Layer, name: &str| {
        layer.feed = if name == "dense" || name == "0" {
            Feed::Dense
        } else {
            Feed::Experts
        };
    };
    if let Some(types) = facts.get("mlp_layer_types") {
        set(layers, types, named);
    } else if let Some(list) = facts.get("moe_layer_freq").filter(|list| list.is_list()) {
        set(layers, list, named);
    } else if let Some(list) = facts.any("moe_layers_enum moe_layers").filter(|list| !list.is_object()) {
        layers.iter_mut().for_each(|layer| layer.feed = Feed::Dense);
        let text = list.text().unwrap_or_default();
        let written = text.split(',').filter_map(|number| number.trim().parse().ok());
        for at in written.chain(list.items().filter_map(Value::whole)) {
            if let Some(layer) = usize::try_from(at).ok().and_then(|at: usize| layers.get_mut(at)) {
                layer.feed = Feed::Experts;
            }
        }
    }
    if let Some(list) = facts.get("mlp_only_layers") {
        for at in list.items().filter_map(Value::whole) {
            if let Some(layer) = usize::try_from(at).ok().and_then(|at| layers.get_mut(at)) {
                layer.feed = Feed::Dense;
            }
        }
    }
}

/// The format of the weights: by `quantization_config`, else by `dtype`.
fn number_format(facts: &Facts) -> &'static Format {
    let dtype = facts.any("dtype torch_dtype").and_then(Value::text).unwrap_or_default();
    let plain = match dtype.as_ref() {
        "float32" => "f32",
        "float16" => "f16",
        _ => "bf16",
    };
    let id = facts
        .any("quantization_config compression_config quantization")
        .and_then(quantised)
        .unwrap_or(plain);
    format(id).unwrap_or(crate::scenario::Scenario::default().format)
}

fn quantised(config: Value) -> Option<&'static str> {
    let facts = Facts {
        places: [Some(config), None, None],
    };
    let group = config
        .get("config_groups")
        .and_then(|groups| groups.entries().next())
        .and_then(|(_, group)| group.get("weights"));
    let inner = Facts {
        places: [group, Some(config), None],
    };
    let bits = inner.count("num_bits bits w_bit weight_bits");
    let method = facts
        .any("quant_algo quant_method")
        .and_then(Value::text)
        .unwrap_or_default()
        .to_ascii_lowercase();
    let has = |word: &str| method.contains(word);
    let float = inner.get("type").is_some_and(|kind| kind.is("float"));
    let small_groups = inner.count("group_size q_group_size") == 32;
    Some(match () {
        () if has("mxfp4") => "mxfp4",
        () if has("nvfp4") || has("modelopt_fp4") || (float && bits == 4) => "nvfp4",
        () if has("fp8") || (float && bits == 8) || has("modelopt") => {
            match facts.any("weight_block_size").or(inner.get("block_structure")) {
                Some(_) => "fp8-block",
                None => "fp8",
            }
        }
        () if has("bitsandbytes") || has("bnb") => match () {
            () if facts.flag("load_in_8bit _load_in_8bit") => "int8",
            () if facts.flag("bnb_4bit_use_double_quant") => "nf4-dq",
            () => "nf4",
        },
        () if has("exl") => match bits {
            8.. => "exl-8",
            6.. => "exl-6",
            5.. => "exl-5",
            4.. => "exl-4",
            3.. => "exl-3",
            _ => "exl-2",
        },
        () if has("hqq") => "hqq",
        () if has("torchao") => "int4wo",
        () if has("awq") => "awq",
        () if has("compressed") && bits == 8 => "w8a8",
        () if has("compressed") || has("auto") || has("intel") => "w4a16",
        () if bits == 8 && has("gptq") => "gptq-int8",
        () if has("gptq") && small_groups => "gptq-g32",
        () if has("gptq") => "gptq",
        // MLX's own files only have bits and a group's size.
        () if method.is_empty() && bits > 0 => match bits {
            8.. => "mlx-8",
            6..=7 => "mlx-6",
            4..=5 => "mlx-4",
            _ => "mlx-3",
        },
        () => return None,
    })
}
