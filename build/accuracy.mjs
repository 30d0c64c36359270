// docs/accuracy.svg as the page reads it, which draws it anew in the reader's language and colours: a line for each kind of
// figure with its count and its median error, then its dots: measured, low, high and computed, in thousandths of the axes.

/** The numbers of the plot. */
export function readAccuracy(svg) {
  const [left, bottom, right, top] = /class="equal"[^>]* d="M(\S+) (\S+)L(\S+) (\S+)"/.exec(svg).slice(1).map(Number);
  const along = (x) => Math.round(((x - left) / (right - left)) * 1000);
  const up = (y) => Math.round(((bottom - y) / (bottom - top)) * 1000);
  const lines = [];
  for (const [, kind, dots] of svg.matchAll(/<g class="(\w+)">\n([\s\S]*?)<\/g>/g)) {
    const legend = new RegExp(`<g class="${kind}"><circle[^>]*></g><text[^>]*>[^<]*: (\\d+) rows, median error ([\\d.]+) %`).exec(svg);
    if (!legend) throw new Error(`docs/accuracy.svg has no line on ${kind} in its legend`);
    lines.push([kind, legend[1], legend[2]].join("\t"));
    for (const [, x, low, high, mid] of dots.matchAll(/d="M(\S+) (\S+)V(\S+)"\/><circle cx="\S+" cy="(\S+)"/g)) {
      lines.push([along(x), up(low), up(high), up(mid)].join(" "));
    }
  }
  if (lines.length === 0) throw new Error("docs/accuracy.svg has no dots");
  return lines.join("\n") + "\n";
}
