// Makes a script smaller without reading it as a language: only whole lines of comment and the indentation go.

// The classes of exports that build/snip.mjs has cut out of the module: each from its first line to its closing brace.
const UNUSED = [
  /^export class IntoUnderlying\w+ \{\n[\s\S]*?^\}\n/gm,
  /^if \(Symbol\.dispose\) IntoUnderlying.*\n/gm,
  /^const IntoUnderlying\w+ = [\s\S]*?;\n/gm,
];

/** For wasm-bindgen's output and our own boot scripts, which have no text over several lines. */
export function shrinkScript(js) {
  if (/`[^`]*\n/.test(js.replace(/`[^`\n]*`/g, ""))) return js;
  return (
    UNUSED.reduce((rest, pattern) => rest.replace(pattern, ""), js)
      .replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("//"))
      .join("\n") + "\n"
  );
}
