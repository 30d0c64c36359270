// Makes a script smaller without reading it as a language: only whole lines of comment and the indentation go.

/** For wasm-bindgen's output and our own boot scripts, which have no text over several lines. */
export function shrinkScript(js) {
  if (/`[^`]*\n/.test(js.replace(/`[^`\n]*`/g, ""))) return js;
  return (
    js
      .replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("//"))
      .join("\n") + "\n"
  );
}
