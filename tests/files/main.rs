//! The reader's own files: what is read of them, and that nothing in them can harm.

mod comfyui;
mod config;
mod gguf;
mod safetensors;
mod together;
mod writer;
