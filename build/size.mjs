// What the first view of the page costs the reader, file by file, as brotli; fails when it is over the budget.
// Usage: node build/size.mjs [DIST]

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

// What is asked for, and what there is: the check fails when the page grows beyond the latter. The readers of every tool came
// before the page was small enough for them; each step down lowers CEILING_BYTES until it is the goal.
const GOAL_BYTES = 190_000;
const CEILING_BYTES = 234_000;
// Where the source of the standard library can't be had, the page is built in one piece.
const CEILING_IN_ONE_BYTES = 350_000;

/** Bytes of brotli at its highest quality. */
export function brotliSize(bytes) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params }).length;
}

/** The files that a browser asks for on opening `page` (a path in `dist`), the page itself first. */
async function firstLoad(dist, page) {
  const html = await readFile(join(dist, page), "utf8");
  const files = [page];
  for (const [tag] of html.matchAll(/<(?:link|script)\b[^>]*>/g)) {
    const address = /\b(?:href|src)="([^"]+)"/.exec(tag)?.[1];
    const loads = tag.startsWith("<script") || /rel="(?:stylesheet|preload|modulepreload|manifest|icon)"/.test(tag);
    if (!address || !loads || tag.includes("nomodule") || address.startsWith("data:")) continue;
    files.push(join(page, "..", address));
  }
  return [...new Set(files)];
}

async function main(dist) {
  const languages = (await readdir(dist, { withFileTypes: true })).filter((entry) => entry.isDirectory() && /^[a-z]{2}$/.test(entry.name));
  const isSplit = (await readdir(dist)).some((file) => file.startsWith("rest-"));
  const ceiling = isSplit ? CEILING_BYTES : CEILING_IN_ONE_BYTES;
  let over = false;
  for (const { name } of languages) {
    let total = 0;
    let raw = 0;
    console.log(`First load of ${name}/:`);
    for (const file of await firstLoad(dist, join(name, "index.html"))) {
      const bytes = await readFile(join(dist, file));
      const size = brotliSize(bytes);
      total += size;
      raw += bytes.length;
      console.log(`${String(bytes.length).padStart(9)} ${String(size).padStart(8)}  ${file}`);
    }
    console.log(`${String(raw).padStart(9)} ${String(total).padStart(8)}  bytes, as they are and as brotli; ${GOAL_BYTES} is the goal, ${ceiling} the most allowed now\n`);
    over ||= total > ceiling;
  }
  console.log("Fetched when the reader asks for it:");
  const first = new Set((await Promise.all(languages.map(({ name }) => firstLoad(dist, join(name, "index.html"))))).flat());
  for (const file of (await readdir(dist)).filter((file) => /\.(wasm|json|ftl)$/.test(file) && !first.has(file)).sort()) {
    const bytes = await readFile(join(dist, file));
    console.log(`${String(bytes.length).padStart(9)} ${String(brotliSize(bytes)).padStart(8)}  ${file}`);
  }
  if (languages.length === 0) throw new Error(`${dist} has no page of any language`);
  if (over) {
    console.error("The first load has grown.");
    process.exitCode = 1;
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2] ?? "dist");
