// Trunk's post_build hook: turns what Trunk staged into the folder that is served. What it makes stands in README.md beside it.

import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readTexts, squeezeTexts } from "./ftl.mjs";
import { readAccuracy } from "./accuracy.mjs";
import { readFormats } from "./formats.mjs";
import { oneStylesheet } from "./css.mjs";
import { importedScript, shrinkScript, usedScript } from "./js.mjs";
import { shortenNames } from "./names.mjs";
import { pack } from "./pack.mjs";
import { shrinkWasm } from "./wasm.mjs";

const staging = process.env.TRUNK_STAGING_DIR;
const source = process.env.TRUNK_SOURCE_DIR;
const release = process.env.TRUNK_PROFILE === "release";
const ROOT_PAGE_LANGUAGE = "en";

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 12);
const integrity = (bytes) => "sha384-" + createHash("sha384").update(bytes).digest("base64");
const escapeHtml = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** Writes a file whose name tells its content: it can be cached for ever. */
async function publish(stem, extension, content) {
  const bytes = Buffer.from(content);
  const name = `${stem}-${hash(bytes)}.${extension}`;
  await writeFile(join(staging, name), bytes);
  return { name, integrity: integrity(bytes) };
}

/** The program: wasm-bindgen's script and the module, shrunk in a release. */
async function publishApp(page) {
  const marker = /<script data-app data-js="([^"]+)" data-wasm="([^"]+)"><\/script>/.exec(page);
  if (!marker) throw new Error("Trunk left no marker of the app: pattern_script in Trunk.toml has changed");
  const [tag, jsName, wasmName] = marker;
  const js = await readFile(join(staging, jsName), "utf8");
  const wasm = await readFile(join(staging, wasmName));
  await Promise.all([rm(join(staging, jsName)), rm(join(staging, wasmName))]);
  // Snippets would be asked for only once the script is there: one round more.
  if (/from\s*['"]\.\//.test(js)) throw new Error("the app's script imports files that no page preloads: " + jsName);
  if (!release) return { tag, js: await publish("app", "js", js), wasm: await publish("app", "wasm", wasm) };
  const used = usedScript(js);
  const { first, rest } = await shrinkWasm(wasm, used);
  const app = shortenNames(first, await shrinkScript(importedScript(used, [first, ...(rest ? [rest] : [])])));
  return {
    tag,
    js: await publish("app", "js", app.script),
    // Their type tells servers to compress them, though what they hold is a module taken apart.
    wasm: await publish("app", "wasm", pack(app.module)),
    rest: rest && (await publish("rest", "wasm", pack(rest))),
  };
}

// The texts of the opened calculator, fetched when it is (src/ui/texts.rs); and those that only the command line prints.
const REST_TEXTS = ["calculator.ftl", "link.ftl", "own.ftl", "sizing.ftl"];
const PRINTED_TEXTS = ["explain.ftl"];

/** Two files of texts per language, that of the first view and that of the rest; and the few texts that the static page needs. */
async function publishTexts() {
  const languages = {};
  for (const language of (await readdir(join(source, "locales"))).sort()) {
    const folder = join(source, "locales", language);
    const files = (await readdir(folder)).filter((file) => file.endsWith(".ftl")).sort();
    const joined = async (part) => (await Promise.all(part.map((file) => readFile(join(folder, file), "utf8")))).join("\n");
    const ftl = await joined(files.filter((file) => !REST_TEXTS.includes(file) && !PRINTED_TEXTS.includes(file)));
    const rest = await joined(REST_TEXTS);
    languages[language] = {
      file: await publish(language, "ftl", squeezeTexts(ftl)),
      rest: await publish(`${language}-rest`, "ftl", squeezeTexts(rest)),
      texts: readTexts(ftl),
    };
  }
  return languages;
}

/** `trunk serve` puts its reload script into the page; the policy wants it in a file, which Trunk does not fill in. */
async function moveReloadScript(page) {
  const inline = /<script>([\s\S]*?)<\/script>/g;
  const moved = [];
  const rest = page.replace(inline, (_, code) => (moved.push(code), ""));
  if (moved.length === 0) return page;
  const code = moved.join("\n").replace("'{{__TRUNK_ADDRESS__}}'", "location.host").replace("{{__TRUNK_WS_BASE__}}", "/");
  const { name } = await publish("reload", "js", code);
  return rest.replace("</body>", `<script src="{{root}}${name}"></script></body>`);
}

/** The head's tags: everything that the first view needs is asked for at once, before any script has run. */
function headTags({ app, boot, theme, oldBrowser, style, restStyle, formats, accuracy, languages }, root, language, ownFolder) {
  const plain = (attributes, file) => `<link ${attributes} href="${root}${file.name}">`;
  const link = (attributes, file) => plain(`${attributes} integrity="${file.integrity}"`, file);
  return [
    // Before the stylesheet, or it would wait for that.
    `<script src="${root}${theme.name}" integrity="${theme.integrity}"></script>`,
    link('rel="stylesheet"', style),
    // Without a rest of its own, the calculator is there at once.
    app.rest ? "" : link('rel="stylesheet"', restStyle),
    // Browsers check no hash on such a preload; the boot script gives it when it takes the module.
    plain('rel="preload" as="fetch" type="application/wasm" crossorigin', app.wasm),
    link('rel="modulepreload"', app.js),
    `<script type="module" src="${root}${boot.name}" integrity="${boot.integrity}"></script>`,
    `<script nomodule defer src="${root}${oldBrowser.name}" integrity="${oldBrowser.integrity}"></script>`,
    ownFolder && plain('rel="preload" as="fetch" crossorigin', languages[language].file),
    ownFolder && `<meta name="vramfit:folder" content="${language}">`,
    ...Object.entries(languages).flatMap(([code, { file, rest }]) => [
      `<meta name="vramfit:rest:${code}" content="${root}${rest.name}">`,
      `<meta name="vramfit:texts:${code}" content="${root}${file.name}">`,
      `<link rel="alternate" hreflang="${code}" href="${root}${code}/">`,
    ]),
    `<meta name="vramfit:formats" content="${root}${formats.name}">`,
    `<meta name="vramfit:accuracy" content="${root}${accuracy.name}">`,
    `<link rel="alternate" hreflang="x-default" href="${root}">`,
  ]
    .filter(Boolean)
    .join("\n    ");
}

async function writePage(page, files, language, ownFolder) {
  const root = ownFolder ? "../" : "./";
  const values = { ...files.languages[language].texts, lang: language, root };
  const html = page.replace(files.app.tag, headTags(files, root, language, ownFolder)).replace(/\{\{([\w-]+)\}\}/g, (_, id) => {
    if (!(id in values)) throw new Error(`index.html asks for ${id}, which locales/${language}/page.ftl lacks`);
    return escapeHtml(values[id]);
  });
  const folder = ownFolder ? join(staging, language) : staging;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.html"), html);
}

const staged = await readFile(join(staging, "index.html"), "utf8");
const app = await publishApp(staged);
const stylesheet = async (name) => oneStylesheet(join(source, "style", `${name}.css`));
const restStyle = await publish("rest", "css", await stylesheet("rest"));
// In one file with what it needs: a second one would be a round more.
const unpackCode = (await readFile(join(source, "build/unpack.js"), "utf8")).replaceAll(/^export /gm, "");
const bootCode = (await readFile(join(source, "build/boot.js"), "utf8"))
  .replace('import { unpack } from "./unpack.js";', () => unpackCode)
  .replace("APP_JS", JSON.stringify("./" + app.js.name))
  .replace("REST_STYLE_INTEGRITY", JSON.stringify(restStyle.integrity))
  .replace("REST_STYLE", JSON.stringify("./" + restStyle.name))
  .replace("APP_REST_INTEGRITY", JSON.stringify(app.rest?.integrity ?? ""))
  .replaceAll("APP_REST", JSON.stringify(app.rest ? "./" + app.rest.name : ""))
  .replace("APP_WASM_INTEGRITY", JSON.stringify(app.wasm.integrity))
  .replace("APP_WASM", JSON.stringify("./" + app.wasm.name));
const ownScript = async (name) => shrinkScript(await readFile(join(source, "build", name), "utf8"), { module: false });
const files = {
  app,
  boot: await publish("boot", "js", await shrinkScript(bootCode)),
  theme: await publish("theme", "js", await ownScript("theme.js")),
  oldBrowser: await publish("old-browser", "js", await ownScript("old-browser.js")),
  style: await publish("style", "css", await stylesheet("main")),
  restStyle,
  accuracy: await publish("accuracy", "txt", readAccuracy(await readFile(join(source, "docs/accuracy.svg"), "utf8"))),
  formats: await publish("formats", "txt", readFormats(await readFile(join(source, "docs/formats.md"), "utf8"))),
  languages: await publishTexts(),
};
const page = await moveReloadScript(staged);
await writePage(page, files, ROOT_PAGE_LANGUAGE, false);
for (const language of Object.keys(files.languages)) await writePage(page, files, language, true);
