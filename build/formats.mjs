// docs/formats.md as the page reads it: a line for each tool's name, and one for each message, with tabs between its cells.

/** The tables of the page of formats, without what only Markdown needs. */
export function readFormats(markdown) {
  const lines = [];
  for (const line of markdown.split("\n")) {
    if (line.startsWith("## ")) lines.push(line.slice(3));
    const cells = /^\| (.*) \|$/.exec(line)?.[1].split(/(?<!\\) \| /);
    if (!cells || cells[0] === "format") continue;
    lines.push(cells.map((cell) => cell.replaceAll("\\|", "|").replace(/^`(.*)`$/, "$1").trim()).join("\t"));
  }
  return lines.join("\n") + "\n";
}
