// What a module has in memory from the start, piece by piece, as the linker left it in the sections `linking` and `reloc.*`
// (`--emit-relocs`; https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md). build/split.mjs asks what of it only
// the rest of the program uses.

import { CODE_SECTION, CUSTOM_SECTION, Reader, sections } from "./module.mjs";

const DATA_SECTION = 11;
const SYMBOL_TABLE = 8;
const [DATA_SYMBOL, SECTION_SYMBOL] = [1, 3];
const UNDEFINED = 0x10;
const EXPLICIT_NAME = 0x40;
// The kinds of relocations: a function's place in the table, as four bytes of data; an address with what is added to it; and those
// that add something, too.
const TABLE_INDEX_CODE = 1;
const TABLE_INDEX = 2;
const ADDRESSES = [3, 4, 5, 14, 15, 16];
const ADDENDS = [...ADDRESSES, 8, 9, 11, 17, 21, 22, 23, 25];

/**
 * What is in memory from the start, piece by piece in order: where each stands, the pieces that it leads to, and the places in the
 * table of functions that it holds.
 */
export function dataPieces(module) {
  const custom = new Map();
  let segments = [];
  let content = 0;
  for (const { id, body, end } of sections(module)) {
    const reader = new Reader(module, body);
    if (id === CUSTOM_SECTION) custom.set(reader.text(), { reader, end });
    if (id === DATA_SECTION) [content, segments] = [body, readSegments(reader)];
  }
  if (!custom.has("linking")) throw new Error("the linker left no word of what lies where: --emit-relocs is missing");
  const symbols = readSymbols(custom.get("linking"), segments);
  const pieces = joined(symbols);
  // An address may be computed from a place before or behind what it belongs to.
  const outside = new Map();
  for (const { kind, symbol, addend } of readRelocations(custom.get("reloc.CODE"), symbols)) {
    if (!ADDRESSES.includes(kind)) continue;
    const address = symbol.start + addend;
    if (symbol.piece && at(pieces, address) !== symbol.piece) outside.set(address, [...(outside.get(address) ?? []), symbol.piece]);
  }
  for (const { kind, symbol, offset } of readRelocations(custom.get("reloc.DATA"), symbols)) {
    // Offsets count from where the section's content begins.
    const segment = segments.findLast((segment) => segment.content <= offset);
    const piece = at(pieces, segment.start + offset - segment.content);
    if (kind === TABLE_INDEX) piece?.calls.push(module.readUInt32LE(content + offset));
    else if (symbol.piece) piece?.uses.push(symbol.piece);
  }
  return { pieces, around: (address) => [at(pieces, address), ...(outside.get(address) ?? [])].filter(Boolean) };
}

/**
 * The places in the table of functions that the code itself holds, of the module as the linker wrote it: wasm-bindgen leaves the
 * table as it is, but not the code.
 */
export function functionPointers(linked) {
  const custom = new Map();
  let code = 0;
  for (const { id, body } of sections(linked)) {
    const reader = new Reader(linked, body);
    if (id === CUSTOM_SECTION) custom.set(reader.text(), { reader });
    if (id === CODE_SECTION) code = body;
  }
  const held = readRelocations(custom.get("reloc.CODE"), []).filter(({ kind }) => kind === TABLE_INDEX_CODE);
  return new Set(held.map(({ offset }) => new Reader(linked, code + offset).signed()));
}

/** The pieces that symbols name; symbols that overlap name one. */
function joined(symbols) {
  const pieces = [];
  for (const symbol of symbols.filter(({ size }) => size > 0).sort((one, other) => one.start - other.start)) {
    const end = symbol.start + symbol.size;
    const last = pieces.at(-1);
    if (last && symbol.start < last.end) last.end = Math.max(last.end, end);
    else pieces.push({ start: symbol.start, end, uses: [], calls: [] });
    symbol.piece = pieces.at(-1);
  }
  return pieces;
}

/** The piece that an address lies in. */
function at(pieces, address) {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  const piece = pieces[low - 1];
  return piece && address < piece.end ? piece : undefined;
}

function readSegments(reader) {
  const begin = reader.at;
  return Array.from(Array(reader.number()), () => {
    const flags = reader.number();
    if (flags !== 0) throw new Error(`a data segment of kind ${flags}`);
    // `i32.const`, the address, `end`.
    reader.at += 1;
    const start = reader.number();
    reader.at += 1;
    const size = reader.number();
    const content = reader.at - begin;
    reader.at += size;
    return { start, size, content };
  });
}

function readSymbols({ reader, end }, segments) {
  const symbols = [];
  reader.number();
  while (reader.at < end) {
    const kind = reader.bytes[reader.at++];
    const next = reader.number() + reader.at;
    if (kind === SYMBOL_TABLE) for (let left = reader.number(); left > 0; left -= 1) symbols.push(readSymbol(reader, segments));
    reader.at = next;
  }
  return symbols;
}

function readSymbol(reader, segments) {
  const kind = reader.bytes[reader.at++];
  const flags = reader.number();
  const symbol = { start: 0, size: 0 };
  if (kind === DATA_SYMBOL) {
    reader.text();
    if (flags & UNDEFINED) return symbol;
    const segment = reader.number();
    symbol.start = segments[segment].start + reader.number();
    symbol.size = reader.number();
  } else {
    reader.number();
    if (kind !== SECTION_SYMBOL && (!(flags & UNDEFINED) || flags & EXPLICIT_NAME)) reader.text();
  }
  return symbol;
}

function readRelocations({ reader }, symbols) {
  reader.number();
  const found = [];
  for (let left = reader.number(); left > 0; left -= 1) {
    const kind = reader.bytes[reader.at++];
    const offset = reader.number();
    const symbol = symbols[reader.number()] ?? {};
    const addend = ADDENDS.includes(kind) ? reader.signed() : 0;
    found.push({ kind, symbol, offset, addend });
  }
  return found;
}
