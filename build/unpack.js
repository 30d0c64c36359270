// Puts a module together again that build/pack.mjs took apart: its instructions stand in one stream, each kind of their operands
// in another, and likes beside likes compress a tenth better. A module as it is passes through.

// The streams, in the order in which they stand in the file; the frame is all of the module but its code.
export const STREAMS = 15;
export const [FRAME, OP, LOCAL, CALL, LOAD, STORE, CONST, TERM, ADDRESS, LONG, BRANCH, TYPE, GLOBAL, DECLARED, OTHER] = Array(STREAMS).keys();
// How loads and stores, from the first one's opcode on, are aligned by nature.
export const [ALIGNMENTS, FIRST_ACCESS, FIRST_STORE] = ["23230011001122232301012", 40, 54];
// Instructions that no module has: a constant 0 or 1, an address, a block with a type, an access with an alignment of its own.
export const [ZERO, ONE, PLACE, TYPED, ALIGNED] = [0xe0, 0xe1, 0xe2, 0xf0, 0xf5];

// What follows an instruction, where it is not one number of one stream.
const [BLOCK, TYPED_BLOCK, END, TABLE, INDIRECT, ACCESS, NUMBER, FLOAT, TWO, BULK, BIT, PLACED, UNNATURAL] = Array.from(Array(13), (_, at) => at + STREAMS);
const follows = new Uint8Array(256);
for (const [what, ...ops] of [
  [BLOCK, 2, 3, 4], [TYPED_BLOCK, TYPED + 2, TYPED + 3, TYPED + 4], [END, 11], [BRANCH, 12, 13], [TABLE, 14], [CALL, 16], [INDIRECT, 17],
  [TWO, 28], [LOCAL, 32, 33, 34], [GLOBAL, 35, 36], [NUMBER, 65], [LONG, 66], [FLOAT, 67, 68], [BIT, ZERO, ONE], [PLACED, PLACE],
  [UNNATURAL, ALIGNED], [BULK, 0xfc], [OTHER, 37, 38, 63, 64, 0xd0, 0xd2], [ACCESS, ...Array.from(ALIGNMENTS, (_, at) => at + FIRST_ACCESS)],
]) for (const op of ops) follows[op] = what;

export function unpack(packed) {
  if (packed[0] === 0) return packed;
  let at = 1;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      value |= (packed[at] & 127) << shift;
      if (packed[at++] < 128) return value;
    }
  };
  const [size, before, functions, code] = [number(), number(), number(), number()];
  const places = Int32Array.from(Array(STREAMS), number).map((length) => (at += length) - length);
  // A body is written where it stands if its length takes three bytes, then moved.
  const out = new Uint8Array(size + 3);
  const frame = (from, to) => out.set(packed.subarray((at = places[FRAME]), (places[FRAME] += to - from)), from);
  let end = before;
  const write = (value) => {
    for (; value > 127; value >>>= 7) out[end++] = (value & 127) | 128;
    out[end++] = value;
  };
  frame(0, before);
  write(code);
  write(functions);
  for (let left = functions; left > 0; left -= 1) {
    const start = end + 3;
    const length = body(packed, places, out, start) - start;
    write(length);
    out.copyWithin(end, start, start + length);
    end += length;
  }
  frame(end, size);
  return out.subarray(0, size);
}

/** Writes a function's body to `out` from `end` on, and returns where it ends. Written to run fast from its first call on. */
function body(packed, places, out, end) {
  let from = places[DECLARED];
  let groups = (out[end++] = packed[from++]);
  for (; groups > 0; groups -= 1) {
    do out[end++] = packed[from++];
    while (packed[from - 1] > 127);
    out[end++] = packed[from++];
  }
  places[DECLARED] = from;
  let ops = places[OP];
  for (let depth = 1; depth > 0; ) {
    let op = packed[ops++];
    let stream = follows[op];
    let count = 1;
    out[end++] = op;
    if (stream === 0) continue;
    if (stream >= STREAMS) {
      const what = stream;
      stream = OTHER;
      if (what === ACCESS) {
        out[end++] = +ALIGNMENTS[op - FIRST_ACCESS];
        stream = op < FIRST_STORE ? LOAD : STORE;
      } else if (what === NUMBER) {
        // What is added has a stream of its own.
        stream = packed[ops] === 106 ? TERM : CONST;
      } else if (what === BLOCK) {
        out[end++] = 64;
        depth += 1;
        continue;
      } else if (what === END) {
        depth -= 1;
        continue;
      } else if (what === BIT) {
        out[end - 1] = 65;
        out[end++] = op - ZERO;
        continue;
      } else if (what === PLACED) {
        out[end - 1] = 65;
        stream = ADDRESS;
      } else if (what === TYPED_BLOCK) {
        out[end - 1] = op - TYPED;
        depth += 1;
        stream = TYPE;
      } else if (what === TABLE) {
        stream = BRANCH;
        count = packed[places[BRANCH]] + 2;
      } else if (what === INDIRECT) {
        stream = TYPE;
        count = 2;
      } else if (what === UNNATURAL) {
        out[end - 1] = op = packed[ops++];
        out[end++] = packed[places[OTHER]++];
        stream = op < FIRST_STORE ? LOAD : STORE;
      } else if (what === FLOAT) {
        for (let left = op === 67 ? 4 : 8; left > 0; left -= 1) out[end++] = packed[places[OTHER]++];
        continue;
      } else if (what === TWO) {
        count = 2;
      } else {
        const which = packed[places[OTHER]];
        count = which < 8 ? 1 : which < 15 && which % 2 === 0 ? 3 : 2;
      }
    }
    from = places[stream];
    for (; count > 0; count -= 1) {
      do out[end++] = packed[from++];
      while (packed[from - 1] > 127);
    }
    places[stream] = from;
  }
  places[OP] = ops;
  return end;
}
