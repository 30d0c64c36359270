// One stylesheet out of the files in style/.

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The file with every `@import "file";` replaced by that file, comments and needless white space left out. */
export async function oneStylesheet(path) {
  return squeeze(await inlined(path));
}

async function inlined(path) {
  const css = await readFile(path, "utf8");
  const parts = css.replace(/\/\*[\s\S]*?\*\//g, "").split(/@import\s+"([^"]+)"\s*;/);
  // Every other part is the name that an @import gave.
  const files = await Promise.all(parts.map((part, at) => (at % 2 ? inlined(join(dirname(path), part)) : part)));
  return files.join("");
}

function squeeze(css) {
  // Strings stay as they are.
  return css
    .split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/)
    .map((part, at) => (at % 2 ? part : part.replace(/\s+/g, " ").replace(/ ?([{};,]) ?/g, "$1").replaceAll(";}", "}")))
    .join("")
    .trim();
}
