// Short names between the module and its script, in place of those that wasm-bindgen makes, each with a hash: 3 KB less.

import { EXPORT_SECTION, IMPORT_SECTION, Reader, leb, section, sections, text } from "./module.mjs";

// A name with a hash in it, or one that spells out a type.
const LONG = /^\w*_h?[0-9a-f]{16}(_\w*)?$/;

/** The module and the script with every hashed name and the import's module name made short, in both alike. */
export function shortenNames(module, script) {
  const short = new Map();
  const name = (long) => {
    if (!LONG.test(long) && !long.startsWith("./")) return long;
    if (!short.has(long)) short.set(long, `_${short.size.toString(36)}`);
    return short.get(long);
  };
  const out = [module.subarray(0, 8)];
  for (const { id, start, body, end } of sections(module)) {
    if (id !== IMPORT_SECTION && id !== EXPORT_SECTION) {
      out.push(module.subarray(start, end));
      continue;
    }
    const reader = new Reader(module, body);
    const count = reader.number();
    const entries = [leb(count)];
    for (let at = 0; at < count; at += 1) {
      if (id === IMPORT_SECTION) entries.push(text(name(reader.text())));
      entries.push(text(name(reader.text())));
      const from = reader.at;
      reader.skip(id === IMPORT_SECTION);
      entries.push(module.subarray(from, reader.at));
    }
    out.push(section(id, Buffer.concat(entries)));
  }
  // Longest first: a name may begin with another one.
  const longs = [...short.keys()].sort((one, other) => other.length - one.length);
  const shortened = longs.reduce((rest, long) => rest.replaceAll(long, short.get(long)), script);
  return { module: Buffer.concat(out), script: shortened };
}
