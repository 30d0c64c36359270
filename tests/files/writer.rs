//! Writes GGUF and safetensors files, or what a test wants of them.

/// A GGUF file in the making.
pub struct Gguf {
    pub version: u32,
    pub big_endian: bool,
    pairs: Vec<u8>,
    pair_count: u64,
    tensors: Vec<u8>,
    tensor_count: u64,
    offset: u64,
}

impl Gguf {
    pub fn new() -> Gguf {
        Gguf::of(3, false)
    }

    pub fn of(version: u32, big_endian: bool) -> Gguf {
        Gguf {
            version,
            big_endian,
            pairs: Vec::new(),
            pair_count: 0,
            tensors: Vec::new(),
            tensor_count: 0,
            offset: 0,
        }
    }

    fn bytes(&self, value: u64, size: usize) -> Vec<u8> {
        if self.big_endian {
            value.to_be_bytes()[8 - size..].to_vec()
        } else {
            value.to_le_bytes()[..size].to_vec()
        }
    }

    fn length(&self, value: u64) -> Vec<u8> {
        self.bytes(value, if self.version == 1 { 4 } else { 8 })
    }

    fn text(&self, text: &str) -> Vec<u8> {
        [self.length(text.len() as u64), text.as_bytes().to_vec()].concat()
    }

    fn pair(&mut self, name: &str, kind: u64, value: Vec<u8>) {
        self.pairs = [
            std::mem::take(&mut self.pairs),
            self.text(name),
            self.bytes(kind, 4),
            value,
        ]
        .concat();
        self.pair_count += 1;
    }

    pub fn number(mut self, name: &str, value: u64) -> Gguf {
        let value = self.bytes(value, 4);
        self.pair(name, 4, value);
        self
    }

    pub fn numbers(mut self, name: &str, values: &[u64]) -> Gguf {
        let list = values.iter().flat_map(|value| self.bytes(*value, 4)).collect();
        let value = [self.bytes(4, 4), self.length(values.len() as u64), list].concat();
        self.pair(name, 9, value);
        self
    }

    pub fn flags(mut self, name: &str, values: &[u8]) -> Gguf {
        let value = [self.bytes(7, 4), self.length(values.len() as u64), values.to_vec()].concat();
        self.pair(name, 9, value);
        self
    }

    pub fn word(mut self, name: &str, text: &str) -> Gguf {
        let value = self.text(text);
        self.pair(name, 8, value);
        self
    }

    /// A vocabulary, with the list of numbers that comes beside it.
    pub fn vocabulary(mut self, words: usize) -> Gguf {
        let list: Vec<u8> = (0..words).flat_map(|at| self.text(&"token".repeat(at % 4))).collect();
        let value = [self.bytes(8, 4), self.length(words as u64), list].concat();
        self.pair("tokenizer.ggml.tokens", 9, value);
        let value = [self.bytes(6, 4), self.length(words as u64), vec![0; 4 * words]].concat();
        self.pair("tokenizer.ggml.scores", 9, value);
        self
    }

    /// A tensor of a type whose blocks have `block` weights in `bytes` bytes.
    pub fn tensor(mut self, name: &str, shape: &[u64], kind: u64, (block, bytes): (u64, u64)) -> Gguf {
        let widths: Vec<u8> = shape.iter().flat_map(|width| self.length(*width)).collect();
        self.tensors = [
            std::mem::take(&mut self.tensors),
            self.text(name),
            self.bytes(shape.len() as u64, 4),
            widths,
            self.bytes(kind, 4),
            self.bytes(self.offset, 8),
        ]
        .concat();
        self.tensor_count += 1;
        self.offset += (shape.iter().product::<u64>() / block * bytes).div_ceil(32) * 32;
        self
    }

    /// The header, and how long the whole file is.
    pub fn header(&self) -> (Vec<u8>, u64) {
        let header = [
            b"GGUF".to_vec(),
            self.bytes(u64::from(self.version), 4),
            self.length(self.tensor_count),
            self.length(self.pair_count),
            self.pairs.clone(),
            self.tensors.clone(),
        ]
        .concat();
        let size = (header.len() as u64).div_ceil(32) * 32 + self.offset;
        (header, size)
    }
}

/// The beginning of a safetensors file: its length and its header.
pub fn safetensors(header: &str) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat()
}
