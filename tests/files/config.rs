//! `config.json`: every kind of model comes out as the catalog has it, parameters counted from the shapes.

use vramfit::catalog::{Keep, Model, model, models};
use vramfit::files::config::{Config, read};

fn config(text: &str) -> Config {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// The architecture of the file is the catalog's, parameters within `off` thousandths.
fn is(id: &str, text: &str, off: i64) {
    let expected = model(id).unwrap_or_else(|| panic!("no model {id}"));
    let found = config(text).shape.model();
    let shape = |model: &Model| {
        (
            (
                model.layers,
                model.hidden,
                model.heads,
                model.kv_heads,
                model.head_dim,
                model.vocab,
            ),
            (model.tied, model.context, model.groups),
            (
                model.experts,
                model.experts_per_token,
                model.expert_ffn,
                model.shared_experts,
            ),
        )
    };
    assert_eq!(shape(&found), shape(expected), "{id}");
    let difference = (found.params - expected.params).abs();
    assert!(
        difference * 1000 <= expected.params * off,
        "{id}: {} counted, {} expected, {:.2} ‰ off",
        found.params,
        expected.params,
        difference as f64 * 1000.0 / expected.params as f64,
    );
    // Published ones are rounded, and some leave embeddings out.
    if expected.experts > 0 && expected.active % 10_000_000 != 0 {
        let ratio = found.active as f64 / expected.active as f64;
        assert!(
            (0.85..1.18).contains(&ratio),
            "{id}: {} active, {} expected",
            found.active,
            expected.active
        );
    }
}

/// The words of `layer_types`: `a` but for every n-th, which is `b`.
fn types(count: usize, every: usize, most: &str, nth: &str) -> String {
    let word = |at: usize| if at.is_multiple_of(every) { nth } else { most };
    let words: Vec<String> = (1..=count).map(|at| format!("\"{}_attention\"", word(at))).collect();
    words.join(",")
}

#[test]
fn dense_models_of_the_catalog_count_to_their_parameters() {
    // What these types have beside the plain names.
    let kinds = [
        ("qwen2.5", "qwen2", ""),
        ("qwq", "qwen2", ""),
        ("deepseek-r1-distill-qwen", "qwen2", ""),
        ("qwen3-", "qwen3", ""),
        ("falcon3", "llama", ""),
        ("olmo-2", "olmo2", ""),
        ("granite-3.3", "granite", ""),
        ("phi-4", "phi3", ""),
        ("phi-3", "phi3", ""),
        ("seed-oss", "seed_oss", ""),
        ("command-r", "cohere", ""),
        ("phi-2", "phi", ""),
        ("smollm3", "smollm3", ""),
        ("", "llama", ""),
    ];
    let mut tried = 0;
    for row in models() {
        let plain = row.groups == Model::full_attention(row.layers, row.kv_heads, row.head_dim);
        let other_code = ["falcon-", "glm-4-"].iter().any(|start| row.id.starts_with(start));
        if !plain || row.experts > 0 || other_code {
            continue;
        }
        let kind = kinds
            .iter()
            .find(|(start, ..)| row.id.starts_with(start))
            .map_or("", |kind| kind.1);
        let text = format!(
            r#"{{"model_type":"{kind}","hidden_size":{},"num_hidden_layers":{},"intermediate_size":{},
            "num_attention_heads":{},"num_key_value_heads":{},"head_dim":{},"vocab_size":{},
            "tie_word_embeddings":{},"max_position_embeddings":{},"torch_dtype":"bfloat16"}}"#,
            row.hidden, row.layers, row.ffn, row.heads, row.kv_heads, row.head_dim, row.vocab, row.tied, row.context,
        );
        // Vision towers of some are part of the table's parameters.
        let off = if row.id.starts_with("mistral-small-3.2") { 20 } else { 1 };
        is(row.id, &text, off);
        tried += 1;
    }
    assert!(tried >= 60, "{tried}");
}

#[test]
fn older_code_has_other_names() {
    is(
        "falcon-7b",
        r#"{"model_type":"falcon","hidden_size":4544,"num_hidden_layers":32,"num_attention_heads":71,"multi_query":true,
        "new_decoder_architecture":false,"parallel_attn":true,"bias":false,"vocab_size":65024,
        "max_position_embeddings":2048,"torch_dtype":"bfloat16"}"#,
        1,
    );
    is(
        "falcon-40b",
        r#"{"model_type":"RefinedWeb","hidden_size":8192,"n_layer":60,"n_head":128,"n_head_kv":8,"multi_query":true,
        "new_decoder_architecture":true,"bias":false,"vocab_size":65024,"max_position_embeddings":2048}"#,
        2,
    );
    is(
        "glm-4-9b",
        r#"{"model_type":"chatglm","add_bias_linear":false,"add_qkv_bias":true,"ffn_hidden_size":13696,"hidden_size":4096,
        "kv_channels":128,"multi_query_attention":true,"multi_query_group_num":2,"num_attention_heads":32,
        "num_layers":40,"padded_vocab_size":151552,"seq_length":131072,"tie_word_embeddings":false,"vocab_size":151552}"#,
        1,
    );
    is(
        "glm-4-32b",
        r#"{"model_type":"glm4","hidden_size":6144,"intermediate_size":23040,"num_hidden_layers":61,"head_dim":128,
        "num_attention_heads":48,"num_key_value_heads":2,"attention_bias":false,"vocab_size":151552,
        "max_position_embeddings":32768,"tie_word_embeddings":false}"#,
        1,
    );
    let gpt2 =
        config(r#"{"model_type":"gpt2","n_embd":768,"n_head":12,"n_layer":12,"n_positions":1024,"vocab_size":50257}"#);
    let gpt2 = gpt2.shape.model();
    // 124,439,808 of openai-community/gpt2.
    assert!((gpt2.params - 124_439_808).abs() < 100_000, "{}", gpt2.params);
    assert_eq!((gpt2.tied, gpt2.context, gpt2.kv_heads), (true, 1024, 12));
}

#[test]
fn windows_in_their_patterns() {
    is(
        "gemma-2-9b",
        r#"{"model_type":"gemma2","hidden_size":3584,"intermediate_size":14336,"num_hidden_layers":42,"head_dim":256,
        "num_attention_heads":16,"num_key_value_heads":8,"sliding_window":4096,"vocab_size":256000,
        "max_position_embeddings":8192,"torch_dtype":"bfloat16"}"#,
        1,
    );
    // The text part of a file that leaves the class's defaults out.
    is(
        "gemma-3-4b",
        r#"{"model_type":"gemma3","architectures":["Gemma3ForConditionalGeneration"],"text_config":{"model_type":"gemma3_text",
        "hidden_size":2560,"intermediate_size":10240,"num_hidden_layers":34,"sliding_window":1024},
        "vision_config":{"hidden_size":1152},"torch_dtype":"bfloat16"}"#,
        1,
    );
    is(
        "gemma-3-1b",
        r#"{"model_type":"gemma3_text","hidden_size":1152,"intermediate_size":6912,"num_hidden_layers":26,"head_dim":256,
        "num_attention_heads":4,"num_key_value_heads":1,"sliding_window":512,"sliding_window_pattern":6,
        "vocab_size":262144,"max_position_embeddings":32768}"#,
        1,
    );
    is(
        "gemma-3-27b",
        r#"{"model_type":"gemma3","text_config":{"model_type":"gemma3_text","hidden_size":5376,"intermediate_size":21504,
        "num_hidden_layers":62,"head_dim":128,"num_attention_heads":32,"num_key_value_heads":16,"sliding_window":1024}}"#,
        1,
    );
    is(
        "gemma-4-31b",
        &format!(
            r#"{{"model_type":"gemma4","text_config":{{"model_type":"gemma4_text","attention_k_eq_v":true,"global_head_dim":512,
            "head_dim":256,"hidden_size":5376,"hidden_size_per_layer_input":0,"intermediate_size":21504,
            "layer_types":[{}],"max_position_embeddings":262144,"num_attention_heads":32,"num_experts":null,
            "num_global_key_value_heads":4,"num_hidden_layers":60,"num_key_value_heads":16,"num_kv_shared_layers":0,
            "sliding_window":1024,"tie_word_embeddings":true,"vocab_size":262144}},"vision_config":{{}}}}"#,
            types(60, 6, "sliding", "full")
        ),
        30,
    );
    is(
        "gemma-4-26b-a4b",
        r#"{"model_type":"gemma4","text_config":{"model_type":"gemma4_text","attention_k_eq_v":true,"enable_moe_block":true,
        "global_head_dim":512,"head_dim":256,"hidden_size":2816,"hidden_size_per_layer_input":0,"intermediate_size":2112,
        "max_position_embeddings":262144,"moe_intermediate_size":704,"num_attention_heads":16,"num_experts":128,
        "num_global_key_value_heads":2,"num_hidden_layers":30,"num_key_value_heads":8,"sliding_window":1024,
        "top_k_experts":8,"vocab_size":262144}}"#,
        40,
    );
    is(
        "gemma-4-e2b",
        &format!(
            r#"{{"model_type":"gemma4","text_config":{{"model_type":"gemma4_text","hidden_size":1536,"intermediate_size":6144,
            "use_double_wide_mlp":true,"num_hidden_layers":35,"num_attention_heads":8,"num_key_value_heads":1,"head_dim":256,
            "global_head_dim":512,"vocab_size":262144,"sliding_window":512,"hidden_size_per_layer_input":256,
            "num_kv_shared_layers":20,"layer_types":[{}],"max_position_embeddings":131072}}}}"#,
            types(35, 5, "sliding", "full")
        ),
        // The table's 5.1 billion have its ears and eyes with them.
        100,
    );
    is(
        "command-r7b",
        r#"{"model_type":"cohere2","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"head_dim":128,
        "num_attention_heads":32,"num_key_value_heads":8,"sliding_window":4096,"sliding_window_pattern":4,
        "vocab_size":256000,"max_position_embeddings":131072,"use_gated_activation":true}"#,
        1,
    );
    is(
        "exaone-4.0-32b",
        r#"{"model_type":"exaone4","hidden_size":5120,"intermediate_size":27392,"num_hidden_layers":64,"head_dim":128,
        "num_attention_heads":40,"num_key_value_heads":8,"sliding_window":4096,"sliding_window_pattern":"LLLG",
        "vocab_size":102400,"max_position_embeddings":131072,"tie_word_embeddings":false}"#,
        1,
    );
    is(
        "olmo-3-7b",
        &format!(
            r#"{{"model_type":"olmo3","hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,
            "num_attention_heads":32,"num_key_value_heads":32,"sliding_window":4096,"layer_types":[{}],
            "vocab_size":100278,"max_position_embeddings":65536,"tie_word_embeddings":false}}"#,
            types(32, 4, "sliding", "full")
        ),
        1,
    );
    is(
        "muse-glimmer-30b",
        r#"{"model_type":"muse_glimmer","text_config":{"model_type":"muse_glimmer_text","hidden_size":6656,"head_dim":128,
        "intermediate_size":19968,"num_hidden_layers":52,"num_attention_heads":32,"num_key_value_heads":2,
        "sliding_window":2048,"vocab_size":202048,"max_position_embeddings":131072,"tie_word_embeddings":false}}"#,
        // The table's 30 billion are its name's, with 2 billion of its eyes.
        125,
    );
    // Qwen2's window is off unless it says so.
    let off = config(
        r#"{"model_type":"qwen2","hidden_size":3584,"intermediate_size":18944,"num_hidden_layers":28,"num_attention_heads":28,
        "num_key_value_heads":4,"sliding_window":131072,"use_sliding_window":false,"vocab_size":152064}"#,
    );
    assert_eq!(off.shape.model().groups, Model::full_attention(28, 4, 128));
    // Mistral's first one has a window in every layer.
    let all = config(
        r#"{"model_type":"mistral","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"sliding_window":4096,"vocab_size":32000,"max_position_embeddings":32768}"#,
    );
    let groups = all.shape.model().groups;
    assert!(
        groups[0].layers == 32
            && matches!(
                groups[0].keep,
                Keep::Window {
                    window: 4096,
                    kv_heads: 8,
                    ..
                }
            )
    );
}

#[test]
fn chunks_and_shared_experts() {
    let scout = |experts: i64, step: i64, dense: i64| {
        format!(
            r#"{{"model_type":"llama4","text_config":{{"model_type":"llama4_text","hidden_size":5120,"head_dim":128,
            "intermediate_size":8192,"intermediate_size_mlp":{dense},"interleave_moe_layer_step":{step},
            "num_hidden_layers":48,"num_attention_heads":40,"num_key_value_heads":8,"num_local_experts":{experts},
            "num_experts_per_tok":1,"attention_chunk_size":8192,"no_rope_layers":[],"vocab_size":202048,
            "max_position_embeddings":{},"tie_word_embeddings":false}},"vision_config":{{}}}}"#,
            if experts == 16 { 10_485_760 } else { 1_048_576 }
        )
    };
    is("llama-4-scout", &scout(16, 1, 16384), 12);
    is("llama-4-maverick", &scout(128, 2, 16384), 5);
}

#[test]
fn mixtures_of_experts() {
    is(
        "mixtral-8x7b-v0.1",
        r#"{"model_type":"mixtral","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"num_local_experts":8,"num_experts_per_tok":2,"sliding_window":null,"vocab_size":32000,
        "max_position_embeddings":32768,"tie_word_embeddings":false}"#,
        1,
    );
    is(
        "qwen3-30b-a3b",
        r#"{"model_type":"qwen3_moe","hidden_size":2048,"intermediate_size":6144,"moe_intermediate_size":768,"head_dim":128,
        "num_hidden_layers":48,"num_attention_heads":32,"num_key_value_heads":4,"num_experts":128,"num_experts_per_tok":8,
        "decoder_sparse_step":1,"mlp_only_layers":[],"sliding_window":null,"vocab_size":151936,
        "max_position_embeddings":40960,"tie_word_embeddings":false}"#,
        1,
    );
    is(
        "gpt-oss-20b",
        &format!(
            r#"{{"model_type":"gpt_oss","hidden_size":2880,"intermediate_size":2880,"num_hidden_layers":24,"head_dim":64,
            "num_attention_heads":64,"num_key_value_heads":8,"num_local_experts":32,"num_experts_per_tok":4,
            "attention_bias":true,"sliding_window":128,"layer_types":[{}],"vocab_size":201088,
            "max_position_embeddings":131072,"tie_word_embeddings":false}}"#,
            types(24, 2, "sliding", "full")
        ),
        2,
    );
    is(
        "glm-4.5-air",
        r#"{"model_type":"glm4_moe","hidden_size":4096,"intermediate_size":10944,"moe_intermediate_size":1408,"head_dim":128,
        "num_hidden_layers":46,"num_attention_heads":96,"num_key_value_heads":8,"n_routed_experts":128,"n_shared_experts":1,
        "num_experts_per_tok":8,"first_k_dense_replace":1,"attention_bias":true,"vocab_size":151552,
        "max_position_embeddings":131072,"num_nextn_predict_layers":1,"tie_word_embeddings":false}"#,
        5,
    );
    is(
        "minimax-m2",
        r#"{"model_type":"minimax_m2","hidden_size":3072,"intermediate_size":1536,"num_hidden_layers":62,"head_dim":128,
        "num_attention_heads":48,"num_key_value_heads":8,"num_local_experts":256,"num_experts_per_tok":8,
        "vocab_size":200064,"max_position_embeddings":196608,"tie_word_embeddings":false}"#,
        2,
    );
    is(
        "phi-3.5-moe",
        r#"{"model_type":"phimoe","hidden_size":4096,"intermediate_size":6400,"num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"num_local_experts":16,"num_experts_per_tok":2,"attention_bias":true,"vocab_size":32064,
        "sliding_window":131072,"max_position_embeddings":131072,"tie_word_embeddings":false}"#,
        2,
    );
    is(
        "olmoe-1b-7b",
        r#"{"model_type":"olmoe","hidden_size":2048,"intermediate_size":1024,"num_hidden_layers":16,"num_attention_heads":16,
        "num_key_value_heads":16,"num_experts":64,"num_experts_per_tok":8,"vocab_size":50304,
        "max_position_embeddings":4096,"tie_word_embeddings":false}"#,
        2,
    );
    is(
        "hunyuan-a13b",
        r#"{"model_type":"hunyuan_v1_moe","hidden_size":4096,"intermediate_size":3072,"moe_intermediate_size":[3072,3072],
        "num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"attention_head_dim":128,"num_experts":64,
        "moe_topk":[8,8],"num_shared_expert":[1,1],"vocab_size":128167,"max_position_embeddings":262144,
        "tie_word_embeddings":true}"#,
        5,
    );
    is(
        "ernie-4.5-21b-a3b",
        r#"{"model_type":"ernie4_5_moe","hidden_size":2560,"intermediate_size":12288,"moe_intermediate_size":1536,
        "num_hidden_layers":28,"num_attention_heads":20,"num_key_value_heads":4,"moe_num_experts":64,"moe_k":6,
        "moe_num_shared_experts":2,"moe_layer_start_index":1,"moe_layer_interval":1,"vocab_size":103424,"use_bias":false,
        "max_position_embeddings":131072,"tie_word_embeddings":true}"#,
        15,
    );
    is(
        "hy3",
        r#"{"model_type":"hy_v3","hidden_size":4096,"intermediate_size":13312,"moe_intermediate_size":1536,"head_dim":128,
        "num_hidden_layers":80,"num_attention_heads":64,"num_key_value_heads":8,"num_experts":192,"num_experts_per_tok":8,
        "num_shared_experts":1,"first_k_dense_replace":1,"vocab_size":120832,"max_position_embeddings":262144,
        "tie_word_embeddings":false}"#,
        15,
    );
    is(
        "mimo-v2-flash",
        &format!(
            r#"{{"model_type":"mimo_v2_flash","hidden_size":4096,"intermediate_size":16384,"moe_intermediate_size":2048,
            "num_hidden_layers":48,"num_attention_heads":64,"swa_num_attention_heads":64,"num_key_value_heads":4,
            "swa_num_key_value_heads":8,"head_dim":192,"v_head_dim":128,"swa_head_dim":192,"swa_v_head_dim":128,
            "sliding_window_size":128,"hybrid_layer_pattern":[{}],"moe_layer_freq":[0,{}1],"n_routed_experts":256,
            "n_shared_experts":null,"num_experts_per_tok":8,"vocab_size":152576,"max_position_embeddings":262144,
            "tie_word_embeddings":false}}"#,
            (0..48)
                .map(|at| if at == 0 || at % 6 == 5 { "0" } else { "1" })
                .collect::<Vec<_>>()
                .join(","),
            "1,".repeat(46)
        ),
        10,
    );
    is(
        "inkling",
        r#"{"model_type":"inkling","text_config":{"hidden_size":6144,"num_hidden_layers":66,"num_attention_heads":64,
        "num_key_value_heads":8,"head_dim":128,"swa_num_key_value_heads":16,"swa_head_dim":128,"sliding_window_size":512,
        "local_layer_ids":[0,1,2,3,4,6,7,8,9,10,12,13,14,15,16,18,19,20,21,22,24,25,26,27,28,30,31,32,33,34,36,37,38,39,40,
        42,43,44,45,46,48,49,50,51,52,54,55,56,57,58,60,61,62,63,64],
        "intermediate_size":24576,"moe_intermediate_size":3072,"n_routed_experts":256,"num_experts_per_tok":6,
        "n_shared_experts":2,"first_k_dense_replace":2,"vocab_size":201024,"max_position_embeddings":1048576,
        "tie_word_embeddings":false}}"#,
        30,
    );
}

#[test]
fn latent_attention() {
    is(
        "deepseek-v3",
        r#"{"model_type":"deepseek_v3","hidden_size":7168,"intermediate_size":18432,"moe_intermediate_size":2048,
        "num_hidden_layers":61,"num_attention_heads":128,"num_key_value_heads":128,"kv_lora_rank":512,"q_lora_rank":1536,
        "qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"n_routed_experts":256,"n_shared_experts":1,
        "num_experts_per_tok":8,"first_k_dense_replace":3,"moe_layer_freq":1,"vocab_size":129280,
        "max_position_embeddings":163840,"num_nextn_predict_layers":1,"tie_word_embeddings":false,
        "quantization_config":{"quant_method":"fp8","weight_block_size":[128,128]}}"#,
        1,
    );
    is(
        "deepseek-v2-lite",
        r#"{"model_type":"deepseek_v2","hidden_size":2048,"intermediate_size":10944,"moe_intermediate_size":1408,
        "num_hidden_layers":27,"num_attention_heads":16,"num_key_value_heads":16,"kv_lora_rank":512,"q_lora_rank":null,
        "qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"n_routed_experts":64,"n_shared_experts":2,
        "num_experts_per_tok":6,"first_k_dense_replace":1,"moe_layer_freq":1,"vocab_size":102400,
        "max_position_embeddings":163840,"tie_word_embeddings":false}"#,
        1,
    );
    is(
        "deepseek-v3.2-exp",
        r#"{"model_type":"deepseek_v32","hidden_size":7168,"intermediate_size":18432,"moe_intermediate_size":2048,
        "num_hidden_layers":61,"num_attention_heads":128,"num_key_value_heads":128,"kv_lora_rank":512,"q_lora_rank":1536,
        "qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"n_routed_experts":256,"n_shared_experts":1,
        "num_experts_per_tok":8,"first_k_dense_replace":3,"index_n_heads":64,"index_head_dim":128,"index_topk":2048,
        "vocab_size":129280,"max_position_embeddings":163840,"tie_word_embeddings":false}"#,
        5,
    );
    is(
        "kimi-k2",
        r#"{"model_type":"kimi_k2","hidden_size":7168,"intermediate_size":18432,"moe_intermediate_size":2048,
        "num_hidden_layers":61,"num_attention_heads":64,"num_key_value_heads":64,"kv_lora_rank":512,"q_lora_rank":1536,
        "qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"n_routed_experts":384,"n_shared_experts":1,
        "num_experts_per_tok":8,"first_k_dense_replace":1,"vocab_size":163840,"max_position_embeddings":131072,
        "tie_word_embeddings":false}"#,
        1,
    );
    is(
        "glm-4.7-flash",
        r#"{"model_type":"glm4_moe_lite","hidden_size":2048,"intermediate_size":10240,"moe_intermediate_size":1536,
        "num_hidden_layers":47,"num_attention_heads":20,"num_key_value_heads":20,"kv_lora_rank":512,"q_lora_rank":768,
        "qk_nope_head_dim":192,"qk_rope_head_dim":64,"v_head_dim":256,"n_routed_experts":64,"n_shared_experts":1,
        "num_experts_per_tok":4,"first_k_dense_replace":1,"vocab_size":154880,"max_position_embeddings":202752,
        "tie_word_embeddings":false}"#,
        25,
    );
    is(
        "mistral-small-4-119b",
        r#"{"model_type":"mistral4","hidden_size":4096,"intermediate_size":12288,"moe_intermediate_size":2048,
        "num_hidden_layers":36,"num_attention_heads":32,"num_key_value_heads":32,"kv_lora_rank":256,"q_lora_rank":1024,
        "qk_nope_head_dim":64,"qk_rope_head_dim":64,"v_head_dim":128,"n_routed_experts":128,"n_shared_experts":1,
        "num_experts_per_tok":4,"first_k_dense_replace":0,"vocab_size":131072,"max_position_embeddings":1048576,
        "tie_word_embeddings":false}"#,
        20,
    );
    let ratios: Vec<&str> = (0..43)
        .map(|at| if at < 2 || at % 2 == 1 { "128" } else { "4" })
        .collect();
    is(
        "deepseek-v4-flash",
        &format!(
            r#"{{"model_type":"deepseek_v4","hidden_size":4096,"moe_intermediate_size":2048,"num_hidden_layers":43,
            "num_attention_heads":64,"num_key_value_heads":1,"head_dim":512,"q_lora_rank":1024,"num_experts_per_tok":6,
            "n_routed_experts":256,"n_shared_experts":1,"sliding_window":128,"compress_ratios":[{}],"index_n_heads":64,
            "index_head_dim":128,"index_topk":512,"vocab_size":129280,"max_position_embeddings":1048576,
            "tie_word_embeddings":false}}"#,
            // Two layers of the second kind first, then by turns.
            ratios
                .iter()
                .enumerate()
                .map(|(at, _)| if at < 2 || at % 2 == 0 && at < 43 { "128" } else { "4" })
                .collect::<Vec<_>>()
                .join(",")
        ),
        40,
    );
}

#[test]
fn recurrent_layers() {
    is(
        "qwen3-next-80b-a3b",
        r#"{"model_type":"qwen3_next","hidden_size":2048,"intermediate_size":5120,"moe_intermediate_size":512,
        "shared_expert_intermediate_size":512,"num_hidden_layers":48,"num_attention_heads":16,"num_key_value_heads":2,
        "head_dim":256,"full_attention_interval":4,"linear_conv_kernel_dim":4,"linear_key_head_dim":128,
        "linear_value_head_dim":128,"linear_num_key_heads":16,"linear_num_value_heads":32,"num_experts":512,
        "num_experts_per_tok":10,"decoder_sparse_step":1,"mlp_only_layers":[],"vocab_size":151936,
        "max_position_embeddings":262144,"tie_word_embeddings":false}"#,
        2,
    );
    is(
        "qwen3.6-27b",
        &format!(
            r#"{{"model_type":"qwen3_5","text_config":{{"model_type":"qwen3_5_text","hidden_size":5120,"intermediate_size":17408,
            "num_hidden_layers":64,"num_attention_heads":24,"num_key_value_heads":4,"head_dim":256,"layer_types":[{}],
            "linear_conv_kernel_dim":4,"linear_key_head_dim":128,"linear_value_head_dim":128,"linear_num_key_heads":16,
            "linear_num_value_heads":48,"vocab_size":248320,"max_position_embeddings":262144}},"vision_config":{{}},
            "tie_word_embeddings":false}}"#,
            types(64, 4, "linear", "full")
        ),
        2,
    );
    is(
        "kimi-linear-48b-a3b",
        r#"{"model_type":"kimi_linear","hidden_size":2304,"intermediate_size":9216,"moe_intermediate_size":1024,
        "num_hidden_layers":27,"num_attention_heads":32,"num_key_value_heads":32,"kv_lora_rank":512,"q_lora_rank":null,
        "qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"num_experts":256,"num_experts_per_token":8,
        "num_shared_experts":1,"first_k_dense_replace":1,"moe_layer_freq":1,"linear_attn_config":{
        "full_attn_layers":[4,8,12,16,20,24,27],"head_dim":128,"kda_layers":[1,2,3,5,6,7,9,10,11,13,14,15,17,18,19,21,22,
        23,25,26],"num_heads":32,"short_conv_kernel_size":4},"vocab_size":163840,"model_max_length":1048576,
        "tie_word_embeddings":false}"#,
        40,
    );
    is(
        "nemotron-nano-9b-v2",
        r#"{"model_type":"nemotron_h","hidden_size":4480,"intermediate_size":15680,"num_hidden_layers":56,
        "num_attention_heads":40,"num_key_value_heads":8,"head_dim":128,"mamba_num_heads":128,"mamba_head_dim":80,
        "ssm_state_size":128,"n_groups":8,"conv_kernel":4,"expand":2,"time_step_limit":[0.0,Infinity],
        "hybrid_override_pattern":"M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-",
        "vocab_size":131072,"max_position_embeddings":131072,"tie_word_embeddings":false}"#,
        5,
    );
    is(
        "granite-4.0-h-tiny",
        &format!(
            r#"{{"model_type":"granitemoehybrid","hidden_size":1536,"intermediate_size":512,"shared_intermediate_size":1024,
            "num_hidden_layers":40,"num_attention_heads":12,"num_key_value_heads":4,"num_local_experts":64,
            "num_experts_per_tok":6,"mamba_d_conv":4,"mamba_d_head":64,"mamba_d_state":128,"mamba_n_groups":1,
            "mamba_n_heads":48,"mamba_expand":2,"layer_types":[{}],"vocab_size":100352,"max_position_embeddings":131072,
            "tie_word_embeddings":true}}"#,
            (0..40)
                .map(|at| if [5, 15, 25, 35].contains(&at) {
                    "\"attention\""
                } else {
                    "\"mamba\""
                })
                .collect::<Vec<_>>()
                .join(",")
        ),
        5,
    );
    is(
        "lfm2-1.2b",
        r#"{"model_type":"lfm2","hidden_size":2048,"block_auto_adjust_ff_dim":true,"block_ff_dim":12288,"block_multiple_of":256,
        "conv_L_cache":3,"full_attn_idxs":[2,5,8,10,12,14],"num_hidden_layers":16,"num_attention_heads":32,
        "num_key_value_heads":8,"vocab_size":65536,"max_position_embeddings":128000}"#,
        2,
    );
    is(
        "jamba-v0.1",
        r#"{"model_type":"jamba","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"num_experts":16,"num_experts_per_tok":2,"attn_layer_period":8,"attn_layer_offset":4,
        "expert_layer_period":2,"expert_layer_offset":1,"mamba_d_conv":4,"mamba_d_state":16,"mamba_dt_rank":256,
        "mamba_expand":2,"vocab_size":65536,"max_position_embeddings":262144,"tie_word_embeddings":false}"#,
        2,
    );
    is(
        "minimax-text-01",
        &format!(
            r#"{{"model_type":"minimax_text_01","hidden_size":6144,"intermediate_size":9216,"num_hidden_layers":80,
            "num_attention_heads":64,"num_key_value_heads":8,"head_dim":128,"attn_type_list":[{}],"num_local_experts":32,
            "num_experts_per_tok":2,"vocab_size":200064,"max_position_embeddings":4096000,"tie_word_embeddings":false}}"#,
            (1..=80)
                .map(|at| if at % 8 == 0 { "1" } else { "0" })
                .collect::<Vec<_>>()
                .join(",")
        ),
        10,
    );
}

#[test]
fn later_architectures() {
    // Names and numbers of transformers 5.24's configuration classes.
    is(
        "gemma-3n-e4b",
        &format!(
            r#"{{"model_type":"gemma3n","text_config":{{"model_type":"gemma3n_text","hidden_size":2048,"intermediate_size":[{}],
            "num_hidden_layers":35,"num_attention_heads":8,"num_key_value_heads":2,"head_dim":256,"sliding_window":512,
            "num_kv_shared_layers":15,"hidden_size_per_layer_input":256,"layer_types":[{}],"vocab_size":262400,
            "max_position_embeddings":32768}},"audio_config":{{}},"vision_config":{{}}}}"#,
            ["16384"; 35].join(","),
            types(35, 5, "sliding", "full")
        ),
        // Streams beside the residual one (AltUp, LAuReL), and 0.5 billion of its eyes and ears.
        130,
    );
    is(
        "glm-5",
        r#"{"model_type":"glm_moe_dsa","hidden_size":6144,"intermediate_size":12288,"moe_intermediate_size":2048,
        "num_hidden_layers":78,"num_attention_heads":64,"num_key_value_heads":64,"kv_lora_rank":512,"q_lora_rank":2048,
        "qk_nope_head_dim":192,"qk_rope_head_dim":64,"v_head_dim":256,"n_routed_experts":256,"n_shared_experts":1,
        "num_experts_per_tok":8,"first_k_dense_replace":3,"index_topk":2048,"index_n_heads":32,"index_head_dim":128,
        "vocab_size":154880,"max_position_embeddings":202752,"tie_word_embeddings":false}"#,
        10,
    );
    is(
        "step-3.7-flash",
        r#"{"model_type":"step3p7","text_config":{"model_type":"step3p7_text","hidden_size":4096,"intermediate_size":11264,
        "num_hidden_layers":45,"num_attention_heads":64,"num_attention_groups":8,"head_dim":128,"moe_num_experts":288,
        "moe_top_k":8,"moe_intermediate_size":1280,"share_expert_dim":1280,"moe_layers_enum":
        "3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44",
        "vocab_size":128815,"max_position_embeddings":262144,"tie_word_embeddings":false},"vision_config":{}}"#,
        20,
    );
    is(
        "minimax-m3",
        r#"{"model_type":"minimax_m3_vl","text_config":{"model_type":"minimax_m3_vl_text","hidden_size":6144,
        "intermediate_size":3072,"dense_intermediate_size":12288,"shared_intermediate_size":3072,"num_hidden_layers":60,
        "num_attention_heads":64,"num_key_value_heads":4,"head_dim":128,"num_local_experts":128,"num_experts_per_tok":4,
        "moe_layer_freq":[0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
        1,1,1,1,1,1,1,1,1,1],"vocab_size":200064,"max_position_embeddings":1048576,"tie_word_embeddings":false},
        "vision_config":{}}"#,
        20,
    );
    is(
        "laguna-xs.2",
        r#"{"model_type":"laguna","hidden_size":2048,"intermediate_size":8192,"moe_intermediate_size":512,
        "shared_expert_intermediate_size":512,"num_hidden_layers":40,"num_attention_heads":48,"num_key_value_heads":8,
        "head_dim":128,"num_experts":256,"num_experts_per_tok":8,"mlp_only_layers":[0],"vocab_size":100352,
        "max_position_embeddings":262144,"tie_word_embeddings":false}"#,
        40,
    );
    is(
        "mellum2-12b-a2.5b",
        r#"{"model_type":"mellum","hidden_size":2304,"intermediate_size":7168,"moe_intermediate_size":896,
        "num_hidden_layers":28,"num_attention_heads":32,"num_key_value_heads":4,"head_dim":128,"num_experts":64,
        "num_experts_per_tok":8,"vocab_size":98304,"max_position_embeddings":131072,"tie_word_embeddings":false}"#,
        25,
    );
    is(
        "qwen3.5-35b-a3b",
        r#"{"model_type":"qwen3_5_moe","text_config":{"model_type":"qwen3_5_moe_text","hidden_size":2048,
        "moe_intermediate_size":512,"shared_expert_intermediate_size":512,"num_hidden_layers":40,"num_attention_heads":16,
        "num_key_value_heads":2,"head_dim":256,"full_attention_interval":4,"linear_conv_kernel_dim":4,
        "linear_key_head_dim":128,"linear_value_head_dim":128,"linear_num_key_heads":16,"linear_num_value_heads":32,
        "num_experts":256,"num_experts_per_tok":8,"vocab_size":248320,"max_position_embeddings":262144},"vision_config":{},
        "tie_word_embeddings":false}"#,
        2,
    );
    is(
        "mistral-large-4-1t-a52b",
        r#"{"model_type":"mistral_large4","text_config":{"model_type":"mistral_large4_text","hidden_size":6144,
        "intermediate_size":24576,"moe_intermediate_size":6144,"num_hidden_layers":72,"num_attention_heads":64,
        "num_key_value_heads":64,"kv_lora_rank":512,"q_lora_rank":null,"qk_nope_head_dim":64,"qk_rope_head_dim":64,
        "v_head_dim":64,"n_routed_experts":128,"n_shared_experts":1,"num_experts_per_tok":4,"mlp_layer_types":["dense"],
        "index_topk":2048,"index_n_heads":32,"index_head_dim":128,"vocab_size":204800,"max_position_embeddings":1048576,
        "tie_word_embeddings":false}}"#,
        60,
    );
    is(
        "nemotron-3-nano-30b-a3b",
        r#"{"model_type":"nemotron_h","hidden_size":2688,"intermediate_size":1856,"moe_intermediate_size":1856,
        "moe_shared_expert_intermediate_size":3712,"n_routed_experts":128,"n_shared_experts":1,"num_experts_per_tok":6,
        "num_hidden_layers":52,"num_attention_heads":32,"num_key_value_heads":2,"head_dim":128,"mamba_num_heads":64,
        "mamba_head_dim":64,"ssm_state_size":128,"n_groups":8,"conv_kernel":4,
        "hybrid_override_pattern":"MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
        "vocab_size":131072,"max_position_embeddings":262144,"tie_word_embeddings":false}"#,
        5,
    );
    is(
        "lfm2-8b-a1b",
        r#"{"model_type":"lfm2_moe","hidden_size":2048,"intermediate_size":7168,"moe_intermediate_size":1792,
        "num_hidden_layers":24,"num_dense_layers":2,"num_experts":32,"num_experts_per_tok":4,"conv_L_cache":3,
        "num_attention_heads":32,"num_key_value_heads":8,"full_attn_idxs":[2,6,10,14,18,21],"vocab_size":65536,
        "max_position_embeddings":128000}"#,
        5,
    );
    is(
        "deepseek-v2",
        r#"{"model_type":"deepseek_v2","hidden_size":5120,"intermediate_size":12288,"moe_intermediate_size":1536,
        "num_hidden_layers":60,"num_attention_heads":128,"num_key_value_heads":128,"kv_lora_rank":512,"q_lora_rank":1536,
        "qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"n_routed_experts":160,"n_shared_experts":2,
        "num_experts_per_tok":6,"first_k_dense_replace":1,"moe_layer_freq":1,"vocab_size":102400,
        "max_position_embeddings":163840,"tie_word_embeddings":false}"#,
        1,
    );
}

#[test]
fn the_format_of_the_weights() {
    let format = |quantisation: &str| {
        let text = format!(
            r#"{{"model_type":"llama","hidden_size":64,"num_hidden_layers":2,"vocab_size":100,"num_attention_heads":2,
            "intermediate_size":128,{quantisation}}}"#
        );
        config(&text).format.id
    };
    for (quantisation, id) in [
        (r#""torch_dtype":"bfloat16""#, "bf16"),
        (r#""dtype":"float16""#, "f16"),
        (r#""torch_dtype":"float32""#, "f32"),
        (
            r#""quantization_config":{"quant_method":"gptq","bits":4,"group_size":128,"desc_act":false}"#,
            "gptq",
        ),
        (
            r#""quantization_config":{"quant_method":"gptq","bits":4,"group_size":32}"#,
            "gptq-g32",
        ),
        (
            r#""quantization_config":{"quant_method":"gptq","bits":8,"group_size":128}"#,
            "gptq-int8",
        ),
        (
            r#""quantization_config":{"quant_method":"awq","bits":4,"group_size":128,"version":"gemm"}"#,
            "awq",
        ),
        (
            r#""quantization_config":{"quant_method":"fp8","weight_block_size":[128,128],"fmt":"e4m3"}"#,
            "fp8-block",
        ),
        (
            r#""quantization_config":{"quant_method":"fp8","activation_scheme":"static"}"#,
            "fp8",
        ),
        (r#""quantization_config":{"quant_method":"fbgemm_fp8"}"#, "fp8"),
        (
            r#""quantization_config":{"quant_method":"bitsandbytes","load_in_4bit":true,"bnb_4bit_quant_type":"nf4","bnb_4bit_use_double_quant":true}"#,
            "nf4-dq",
        ),
        (
            r#""quantization_config":{"quant_method":"bitsandbytes","load_in_4bit":true,"bnb_4bit_use_double_quant":false}"#,
            "nf4",
        ),
        (
            r#""quantization_config":{"quant_method":"bitsandbytes","load_in_8bit":true}"#,
            "int8",
        ),
        (
            r#""quantization_config":{"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":8,"type":"float","strategy":"channel"}}}}"#,
            "fp8",
        ),
        (
            r#""quantization_config":{"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":4,"type":"float","group_size":16}}}}"#,
            "nvfp4",
        ),
        (
            r#""quantization_config":{"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":8,"type":"int"}}}}"#,
            "w8a8",
        ),
        (
            r#""quantization_config":{"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":4,"type":"int","group_size":128}}}}"#,
            "w4a16",
        ),
        (
            r#""quantization_config":{"quant_method":"mxfp4","modules_to_not_convert":["lm_head"]}"#,
            "mxfp4",
        ),
        (
            r#""quantization_config":{"quant_method":"modelopt","quant_algo":"NVFP4"}"#,
            "nvfp4",
        ),
        (r#""quantization_config":{"quant_method":"exl2","bits":4.0}"#, "exl-4"),
        (r#""quantization":{"group_size":64,"bits":4}"#, "mlx-4"),
        (r#""quantization_config":null"#, "bf16"),
    ] {
        assert_eq!(format(quantisation), id, "{quantisation}");
    }
}

#[test]
fn what_is_no_language_model_is_refused() {
    let refused = |text: &str| read(text.as_bytes()).err().map(|error| error.id);
    assert_eq!(
        refused(r#"{"_class_name":"FluxTransformer2DModel","num_layers":19}"#),
        Some("file-config-other")
    );
    assert_eq!(refused("{}"), Some("file-config-other"));
    assert_eq!(refused("[]"), Some("file-config-other"));
    let layers = r#"{"hidden_size":64,"num_hidden_layers":1000000000,"vocab_size":100,"num_attention_heads":2}"#;
    assert_eq!(refused(layers), Some("file-config-absurd"));
    // Absurd widths are as if they were not there.
    let wide = r#"{"hidden_size":99999999999999999999,"num_hidden_layers":2,"vocab_size":100}"#;
    assert_eq!(refused(wide), Some("file-config-other"));
}
