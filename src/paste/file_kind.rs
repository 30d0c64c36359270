//! What a file is, by its first bytes; its name says nothing.

use super::scan::Encoding;
use super::shape;

/// How much of a file is looked at.
pub const HEAD: usize = 16 * 1024;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Nothing.
    Empty,
    /// A text.
    Text(Encoding),
    /// Packed by gzip; what is in it shows when it is unpacked.
    Gzip,
    /// Packed in another way, by the name of the format.
    Packed(&'static str),
    /// A picture or a film.
    Picture,
    /// Something else that is no text.
    Binary,
}

/// How files begin: the first bytes, behind so many others.
const BEGINNINGS: [(usize, &[u8], FileKind); 16] = [
    (0, &[0x1f, 0x8b, 8], FileKind::Gzip),
    (0, b"PK\x03\x04", FileKind::Packed("zip")),
    (0, &[0x28, 0xb5, 0x2f, 0xfd], FileKind::Packed("zstd")),
    (0, b"\xfd7zXZ", FileKind::Packed("xz")),
    (0, b"BZh", FileKind::Packed("bzip2")),
    (0, b"7z\xbc\xaf", FileKind::Packed("7z")),
    (0, b"Rar!", FileKind::Packed("rar")),
    (257, b"ustar", FileKind::Packed("tar")),
    (0, b"\x89PNG", FileKind::Picture),
    (0, &[0xff, 0xd8, 0xff], FileKind::Picture),
    (0, b"GIF8", FileKind::Picture),
    (8, b"WEBP", FileKind::Picture),
    (4, b"ftyp", FileKind::Picture),
    (0, b"%PDF", FileKind::Binary),
    (0, &[0xff, 0xfe], FileKind::Text(Encoding::Utf16)),
    (0, &[0xfe, 0xff], FileKind::Text(Encoding::Utf16Big)),
];

impl FileKind {
    /// What a file is that begins so; `head` should be [`HEAD`] bytes of a longer one.
    pub fn of(head: &[u8]) -> FileKind {
        if head.is_empty() {
            return FileKind::Empty;
        }
        let begins =
            |(at, bytes, _): &&(usize, &[u8], FileKind)| head.get(*at..).is_some_and(|rest| rest.starts_with(bytes));
        if let Some((.., kind)) = BEGINNINGS.iter().find(begins) {
            return *kind;
        }
        let head = &head[..head.len().min(HEAD)];
        let half = |odd: usize| {
            let zeros = head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
            let other = head.iter().skip(1 - odd).step_by(2).all(|byte| *byte != 0);
            other && zeros > 4 && zeros * 20 >= head.len() * 9
        };
        if half(1) {
            return FileKind::Text(Encoding::Utf16);
        }
        if head.contains(&0) || shape::is_binary(&String::from_utf8_lossy(head)) {
            FileKind::Binary
        } else {
            FileKind::Text(Encoding::Utf8)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_what_they_begin_with() {
        let tar = [[b'x'; 257].as_slice(), b"ustar\x0000"].concat();
        let safetensors = b"\x10\x02\x00\x00\x00\x00\x00\x00{\"model.embed\":{\"dtype\":\"BF16\"}}";
        let cases: [(&[u8], FileKind); 16] = [
            (b"E\0r\0r\0o\0r\0:\0 \0", FileKind::Text(Encoding::Utf16)),
            (b"", FileKind::Empty),
            (b"torch.OutOfMemoryError", FileKind::Text(Encoding::Utf8)),
            ("\u{feff}époque 1\r\n".as_bytes(), FileKind::Text(Encoding::Utf8)),
            (b"\x1b[31mError\x1b[0m\n", FileKind::Text(Encoding::Utf8)),
            (b"{\"hidden_size\": 4096}", FileKind::Text(Encoding::Utf8)),
            (b"\xff\xfeT\0o\0", FileKind::Text(Encoding::Utf16)),
            (b"\xfe\xff\0T\0o", FileKind::Text(Encoding::Utf16Big)),
            (b"\x1f\x8b\x08\x00\x00", FileKind::Gzip),
            (b"PK\x03\x04\x14", FileKind::Packed("zip")),
            (&tar, FileKind::Packed("tar")),
            (b"\x89PNG\r\n\x1a\n", FileKind::Picture),
            (b"RIFF\x24\x60\x00\x00WEBPVP8 ", FileKind::Picture),
            (b"GGUF\x03\x00\x00\x00", FileKind::Binary),
            (safetensors, FileKind::Binary),
            (&[200, 201, 7, 8, 1, 2, 3], FileKind::Binary),
        ];
        for (head, kind) in cases {
            assert_eq!(FileKind::of(head), kind, "{head:?}");
        }
    }

    #[test]
    fn an_accent_in_an_old_encoding_makes_no_binary_of_a_log() {
        let line = b"RuntimeError: m\xe9moire insuffisante pour cette op\xe9ration sur la carte graphique, code 2\n";
        assert_eq!(FileKind::of(&line.repeat(20)), FileKind::Text(Encoding::Utf8));
        // A character that is cut at the end.
        assert_eq!(
            FileKind::of("e\u{301}é".repeat(9000).as_bytes()),
            FileKind::Text(Encoding::Utf8)
        );
    }
}
