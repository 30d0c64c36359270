// Makes a script smaller.

import { minify } from "terser";

// The classes of Leptos' streams of server functions, of which there are none, and a second way to start: each from its first line
// to its closing brace.
const UNUSED = [
  /^export class IntoUnderlying\w+ \{\n[\s\S]*?^\}\n/gm,
  /^if \(Symbol\.dispose\) IntoUnderlying.*\n/gm,
  /^const IntoUnderlying\w+ = [\s\S]*?;\n/gm,
  /^function initSync\([\s\S]*?^\}\n/gm,
  /(?<=^export \{ )initSync, /gm,
];
// What the module may import: a function each, by the name that it imports it by; one that may throw stands in a call.
const GLUE = /^ {8}(\w+): function\([^\n]*\{\n[\s\S]*?^ {8}\}(?:, arguments\); \})?,\n/gm;

/** wasm-bindgen's script without what is never reached. */
export const usedScript = (js) => UNUSED.reduce((rest, pattern) => rest.replace(pattern, ""), js);

/** wasm-bindgen's script without the functions that none of the modules import. */
export function importedScript(js, modules) {
  const imported = new Set(modules.flatMap((module) => WebAssembly.Module.imports(new WebAssembly.Module(module)).map(({ name }) => name)));
  return js.replace(GLUE, (glue, name) => (imported.has(name) ? glue : ""));
}

/** A script as terser writes it. */
export async function shrinkScript(js, { module = true } = {}) {
  const { code } = await minify(js, { module, compress: { passes: 3 } });
  return code;
}
