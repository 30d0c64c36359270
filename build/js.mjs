// Makes a script smaller.

import { minify } from "terser";

// The classes of exports that build/snip.mjs has cut out of the module: each from its first line to its closing brace.
const UNUSED = [
  /^export class IntoUnderlying\w+ \{\n[\s\S]*?^\}\n/gm,
  /^if \(Symbol\.dispose\) IntoUnderlying.*\n/gm,
  /^const IntoUnderlying\w+ = [\s\S]*?;\n/gm,
];

/** A script as terser writes it, without what is never reached. */
export async function shrinkScript(js, { module = true } = {}) {
  const used = UNUSED.reduce((rest, pattern) => rest.replace(pattern, ""), js);
  const { code } = await minify(used, { module, compress: { passes: 3 } });
  return code;
}
