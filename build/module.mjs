// The binary format of WebAssembly, as far as the build takes modules apart and puts them together again.

export const CUSTOM_SECTION = 0;
export const IMPORT_SECTION = 2;
export const EXPORT_SECTION = 7;
export const CODE_SECTION = 10;

/** Reads the module's numbers, little-endian in groups of seven bits. */
export class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }
  number() {
    let result = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      result += (byte & 127) * 2 ** shift;
      if (byte < 128) return result;
    }
  }
  /** A number that may be negative: the highest of its bits is its sign. */
  signed() {
    const from = this.at;
    const value = this.number();
    const bits = 7 * (this.at - from);
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }
  /** Passes over what an import or an export is: its kind, and an import's type. */
  skip(isImport) {
    const kind = this.bytes[this.at++];
    if (!isImport) return void this.number();
    const limits = () => {
      const flags = this.bytes[this.at++];
      this.number();
      if (flags & 1) this.number();
    };
    if (kind === 0) this.number();
    else if (kind === 1) (this.at += 1), limits();
    else if (kind === 2) limits();
    else if (kind === 3) this.at += 2;
    else throw new Error(`an import of kind ${kind}`);
  }
  text() {
    const length = this.number();
    this.at += length;
    return this.bytes.toString("utf8", this.at - length, this.at);
  }
}

export function leb(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) | 128);
  return Buffer.from([...bytes, number]);
}

export function* sections(module) {
  const reader = new Reader(module, 8);
  while (reader.at < module.length) {
    const start = reader.at;
    const id = module[reader.at++];
    const size = reader.number();
    const body = reader.at;
    reader.at += size;
    yield { id, start, body, end: reader.at };
  }
}

/** A section as it stands in a module. */
export const section = (id, content) => Buffer.concat([Buffer.from([id]), leb(content.length), content]);

/** A name or another string, with its length before it. */
export function text(string) {
  const bytes = Buffer.from(string);
  return Buffer.concat([leb(bytes.length), bytes]);
}
