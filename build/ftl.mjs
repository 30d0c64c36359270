// The texts of a language as the build needs them: without what only translators read, and the plain ones for the static page.

/** The Fluent texts without comments, and without blank lines except those inside a text, where they are a paragraph. */
export function squeezeTexts(ftl) {
  const lines = ftl.replace(/\r\n?/g, "\n").split("\n");
  const kept = [];
  lines.forEach((line, at) => {
    if (line.startsWith("#")) return;
    if (line.trim() === "") {
      const next = lines.slice(at + 1).find((later) => later.trim() !== "");
      // Indented text goes on; an attribute, a variant or a closing brace starts anew.
      if (kept.length > 0 && next && /^ +[^ .[*}]/.test(next)) kept.push("");
      return;
    }
    kept.push(line.trimEnd());
  });
  return kept.join("\n") + "\n";
}

/** The texts that have no placeables, by id; lines that go on are joined by a space. */
export function readTexts(ftl) {
  const texts = {};
  let id = null;
  for (const line of ftl.replace(/\r\n?/g, "\n").split("\n")) {
    const start = /^([a-zA-Z][\w-]*) *=(.*)$/.exec(line);
    if (start) {
      id = start[1];
      texts[id] = start[2].trim();
    } else if (id && /^ +[^ .[*}]/.test(line)) {
      texts[id] = `${texts[id]} ${line.trim()}`.trim();
    } else if (line.trim() !== "") {
      id = null;
    }
  }
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "" && !text.includes("{")));
}
