//! The reader's own files: what a model takes, read from its config.json, GGUF or safetensors file.

pub mod config;
pub mod shape;
