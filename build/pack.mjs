// Takes a module apart for its way to the reader: its instructions in one stream, each kind of their operands in another.
// build/unpack.js, which the page runs, puts it together again.

import { CODE_SECTION, Reader, leb, sections } from "./module.mjs";
import {
  ADDRESS, ALIGNED, ALIGNMENTS, BRANCH, CALL, CONST, DECLARED, FIRST_ACCESS, FIRST_STORE, FRAME, GLOBAL, LOAD, LOCAL, LONG, ONE, OP, OTHER,
  PLACE, STORE, STREAMS, TERM, TYPE, TYPED, ZERO, unpack,
} from "./unpack.js";

// The instruction that adds.
const ADD = 106;
// A byte that no module begins with.
const MARK = Buffer.from([1]);
// Where the linker begins with what a module has in memory from the start: a constant from here on is an address.
const FIRST_ADDRESS = 1 << 20;

/** The module as streams, behind their lengths. */
export function pack(module) {
  const code = [...sections(module)].find(({ id }) => id === CODE_SECTION);
  const reader = new Reader(module, code.body);
  const functions = reader.number();
  // The section's id goes with what stands before it.
  const before = code.start + 1;
  const streams = Array.from(Array(STREAMS), () => []);
  streams[FRAME].push(module.subarray(0, before), module.subarray(code.end));
  for (let left = functions; left > 0; left -= 1) {
    reader.number();
    takeApart(reader, streams);
  }
  const parts = streams.map((pieces) => Buffer.concat(pieces));
  const head = [module.length, before, functions, code.end - code.body, ...parts.map((part) => part.length)];
  const packed = Buffer.concat([MARK, ...head.map(leb), ...parts]);
  if (Buffer.compare(Buffer.from(unpack(packed)), module) !== 0) throw new Error("the packed module does not come out as it was");
  return packed;
}

/** Reads a function's body into the streams. */
function takeApart(reader, streams) {
  const { bytes } = reader;
  const put = (stream, ...values) => streams[stream].push(Buffer.from(values));
  const raw = (stream, length) => streams[stream].push(bytes.subarray(reader.at, (reader.at += length)));
  const copy = (stream, count = 1) => {
    const from = reader.at;
    for (let left = count; left > 0; left -= 1) reader.number();
    streams[stream].push(bytes.subarray(from, reader.at));
  };
  const groups = reader.number();
  if (groups > 127) throw new Error(`${groups} groups of locals in one function`);
  put(DECLARED, groups);
  for (let group = 0; group < groups; group += 1) copy(DECLARED), raw(DECLARED, 1);
  for (let depth = 1; depth > 0; ) {
    const op = bytes[reader.at++];
    if (op >= 2 && op <= 4) {
      depth += 1;
      const bare = bytes[reader.at] === 64;
      put(OP, bare ? op : TYPED + op);
      if (bare) reader.at += 1;
      else copy(TYPE);
    } else if (ALIGNMENTS[op - FIRST_ACCESS] !== undefined) {
      if (bytes[reader.at] === +ALIGNMENTS[op - FIRST_ACCESS]) put(OP, op), (reader.at += 1);
      else put(OP, ALIGNED, op), raw(OTHER, 1);
      copy(op < FIRST_STORE ? LOAD : STORE);
    } else if (op === 65) {
      const ahead = new Reader(bytes, reader.at);
      const value = ahead.signed();
      if (value === 0 || value === 1) put(OP, value === 0 ? ZERO : ONE), (reader.at += 1);
      else if (value >= FIRST_ADDRESS) put(OP, PLACE), copy(ADDRESS);
      else put(OP, op), copy(bytes[ahead.at] === ADD ? TERM : CONST);
    } else {
      put(OP, op);
      if (op === 11) depth -= 1;
      else if (op === 12 || op === 13) copy(BRANCH);
      else if (op === 14) {
        if (bytes[reader.at] > 127) throw new Error("a table of more than 127 branches");
        copy(BRANCH, bytes[reader.at] + 2);
      } else if (op === 16) copy(CALL);
      else if (op === 17) copy(TYPE, 2);
      else if (op >= 32 && op <= 34) copy(LOCAL);
      else if (op === 35 || op === 36) copy(GLOBAL);
      else if (op === 66) copy(LONG);
      else if (op === 67 || op === 68) raw(OTHER, op === 67 ? 4 : 8);
      else if (op === 28) copy(OTHER, 2);
      else if (op === 0xfc) {
        const which = bytes[reader.at];
        copy(OTHER, which < 8 ? 1 : which < 15 && which % 2 === 0 ? 3 : 2);
      } else if ([37, 38, 63, 64, 0xd0, 0xd2].includes(op)) copy(OTHER);
    }
  }
}
