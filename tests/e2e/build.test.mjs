// What the built folder promises: names tell contents, the policy is strict, no script stands in a page.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { squeezeTexts } from "../../build/ftl.mjs";
import { importedScript, shrinkScript, usedScript } from "../../build/js.mjs";

const DIST = join(import.meta.dirname, "../../dist");
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "worker-src 'self'; manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";

const pages = ["index.html", "en/index.html", "fr/index.html"];
for (const path of pages) {
  test(`${path} has the policy, no script and no style of its own, and the right hashes`, async () => {
    const html = await readFile(join(DIST, path), "utf8");
    assert.ok(html.includes(`http-equiv="Content-Security-Policy" content="${POLICY}"`));
    assert.doesNotMatch(html, /<script>|<script [^>]*>[^<]|<style|\sstyle=|\son\w+=|\{\{/);
    const hashed = [...html.matchAll(/<(?:link|script)[^>]* integrity="sha384-([^"]+)"[^>]*>/g)];
    assert.equal(hashed.length, 5, "stylesheet, colours, script of the app, boot script, word for old browsers");
    for (const [tag, expected] of hashed) {
      const [, address] = /(?:href|src)="([^"]+)"/.exec(tag);
      const bytes = await readFile(join(DIST, path, "..", address));
      assert.equal(createHash("sha384").update(bytes).digest("base64"), expected, address);
    }
  });
}

test("every file but the pages is named after its content", async () => {
  for (const entry of await readdir(DIST, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory() || entry.name === "index.html") continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    const [, hash] = /-([0-9a-f]{12})\.\w+$/.exec(entry.name) ?? [];
    assert.equal(createHash("sha256").update(bytes).digest("hex").slice(0, 12), hash, entry.name);
  }
});

test("squeezing texts drops comments and blank lines, and keeps a paragraph inside a text", () => {
  const ftl = "# for translators\n\na = One\n\n## part\nb =\n    First\n\n    second\n\n    .title = T\n\nc = { $n ->\n    [one] x\n\n   *[other] y\n}\n";
  const squeezed = "a = One\nb =\n    First\n\n    second\n    .title = T\nc = { $n ->\n    [one] x\n   *[other] y\n}\n";
  assert.equal(squeezeTexts(ftl), squeezed);
});

test("a script made smaller does the same, without what is never reached", async () => {
  const unused = "export class IntoUnderlyingSink {\n    free() {\n    }\n}\n";
  assert.equal(await shrinkScript(usedScript(`${unused}// gone\nexport const a = '//x';\n`)), 'export const a="//x";');
});

test("of what a module could import, the script keeps what it does import", () => {
  const plain = "        a: function(arg0) {\n            return arg0;\n        },\n";
  const throwing = "        b: function() { return handleError(function (arg0) {\n            arg0.c();\n        }, arguments); },\n";
  const after = plain.replace("a:", "d:");
  // A module that imports the function `b` of `x`, without parameters.
  const module = Buffer.from([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 120, 1, 98, 0, 0]);
  assert.equal(importedScript(plain + throwing + after, [module]), throwing);
});
