// Cuts out of the module what the page links but never reaches: a trap takes the place of each such function. The journeys run on a
// module cut like this; a trap reached there fails them.

import { CODE_SECTION, CUSTOM_SECTION, EXPORT_SECTION, Reader, leb, section, sections } from "./module.mjs";

// By the names that functions have in the module's name section, without their hashes.
const NEVER_REACHED = [
  // Fluent's numbers: figures are printed, and plurals chosen, before Fluent sees them (src/i18n/texts.rs, plural.rs).
  /^<f64 as core::str::traits::FromStr>::from_str$/,
  /^<?core::num::(dec2flt|flt2dec|diy_float|bignum)::/,
  /^core::fmt::float::/,
  /^<f64 as core::fmt::(Display|Debug)>::fmt$/,
  /intl_pluralrules::rules::/,
  /::hash_one::<&\(intl_pluralrules::/,
  /fluent_langneg::/,
  // Literals and calls within Fluent's braces: no text has one (tests/texts/main.rs).
  /^<fluent_bundle::types::FluentValue>::try_number$/,
  /^<fluent_bundle::resolver::scope::Scope<.*>>::get_arguments$/,
  /^fluent_syntax::unicode::unescape::/,
  /^<fluent_syntax::parser::core::Parser<&str>>::(get_number_literal|skip_digits|skip_unicode_escape_sequence)$/,
  // Streams of server functions, of which there are none: Leptos brings them.
  /wasm_streams::/,
  // Callbacks over arrays of numbers: js-sys has one of each for every type.
  /^wasm_bindgen::convert::closures::_::invoke::<\w+, u32, js_sys::\w+Array, /,
];

/** The module with traps in place of what is never reached, without the exports that its script does not ask for, and what was cut. */
export function snip(module, script) {
  const out = [module.subarray(0, 8)];
  const names = functionNames(module);
  const cut = { functions: 0, bytes: 0 };
  for (const { id, start, body, end } of sections(module)) {
    if (id === EXPORT_SECTION) {
      out.push(section(EXPORT_SECTION, askedExports(module, body, script)));
      continue;
    }
    if (id !== CODE_SECTION) {
      // What the linker left for build/data.mjs holds no longer.
      const isStale = id === CUSTOM_SECTION && /^(linking|reloc\.)/.test(new Reader(module, body).text());
      if (!isStale) out.push(module.subarray(start, end));
      continue;
    }
    const code = new Reader(module, body);
    const count = code.number();
    const bodies = [leb(count)];
    const first = importedFunctions(module);
    for (let at = 0; at < count; at += 1) {
      const size = code.number();
      const name = (names.get(first + at) ?? "").replace(/\[\w+\]/g, "");
      // No locals, `unreachable`, `end`.
      const trap = NEVER_REACHED.some((pattern) => pattern.test(name));
      bodies.push(trap ? Buffer.from([3, 0, 0x00, 0x0b]) : Buffer.concat([leb(size), module.subarray(code.at, code.at + size)]));
      code.at += size;
      if (trap) {
        cut.functions += 1;
        cut.bytes += size;
      }
    }
    out.push(section(CODE_SECTION, Buffer.concat(bodies)));
  }
  return { module: Buffer.concat(out), cut };
}

/** The exports that a script asks for by name. */
function askedExports(module, body, script) {
  const asked = new Set(script.match(/(?<=\bwasm\.)\w+/g));
  const reader = new Reader(module, body);
  const kept = [];
  for (let left = reader.number(); left > 0; left -= 1) {
    const from = reader.at;
    const name = reader.text();
    reader.skip(false);
    if (asked.has(name)) kept.push(module.subarray(from, reader.at));
  }
  return Buffer.concat([leb(kept.length), ...kept]);
}

const importedFunctions = (module) =>
  WebAssembly.Module.imports(new WebAssembly.Module(module)).filter(({ kind }) => kind === "function").length;

/** The names of functions, by their index. */
function functionNames(module) {
  const names = new Map();
  for (const { id, body, end } of sections(module)) {
    const reader = new Reader(module, body);
    if (id !== CUSTOM_SECTION || reader.text() !== "name") continue;
    while (reader.at < end) {
      const kind = module[reader.at++];
      const next = reader.number() + reader.at;
      if (kind === 1) for (let count = reader.number(); count > 0; count -= 1) names.set(reader.number(), reader.text());
      reader.at = next;
    }
  }
  return names;
}
