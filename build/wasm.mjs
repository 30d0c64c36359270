// Makes the module smaller: cuts out what is never reached, splits off what the first view does without, and has binaryen's
// wasm-opt optimise both.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { dataPieces, functionPointers } from "./data.mjs";
import { brotliSize } from "./size.mjs";
import { snip } from "./snip.mjs";
import { split } from "./split.mjs";

const TOOLS = join(import.meta.dirname, "../node_modules/binaryen/bin");
const CACHE = join(import.meta.dirname, "../target/wasm-opt");
// What the linker wrote, before wasm-bindgen made another module of it.
const LINKED = join(process.env.CARGO_TARGET_DIR ?? "target", "wasm32-unknown-unknown/release/vramfit-page.wasm");
const OWN = ["wasm.mjs", "snip.mjs", "split.mjs", "data.mjs", "module.mjs"].map((name) => join(import.meta.dirname, name));
// What the compiler already uses; more than that, browsers may refuse.
const FEATURES = ["bulk-memory", "nontrapping-float-to-int", "reference-types", "multivalue", "sign-ext", "mutable-globals"];

// `./dev build` sets it where functions keep their names apart, which the split goes by.
const SPLIT = Boolean(process.env.VRAMFIT_SPLIT);

/** A module without what its script does not ask for: that of the first view and that of the rest; no rest where the module can't be split. The same module is worked on only once. */
export async function shrinkWasm(module, script) {
  const hash = createHash("sha256").update(module).update(script).update(String(SPLIT));
  for (const file of OWN) hash.update(await readFile(file));
  const key = hash.digest("hex").slice(0, 32);
  const cached = ["first", "rest"].map((part) => join(CACHE, `${key}-${part}.wasm`));
  const known = await Promise.all(cached.map((file) => readFile(file).catch(() => null)));
  if (known.every(Boolean)) return { first: known[0], rest: known[1] };
  const { module: reached, cut } = snip(module, script);
  console.log(`never reached: ${cut.functions} functions, ${cut.bytes} bytes`);
  if (!SPLIT) return { first: await whole(reached) };
  const folder = await mkdtemp(join(tmpdir(), "wasm-"));
  const parts = split(await asText(folder, reached), dataPieces(module), functionPointers(await readFile(LINKED)));
  const rest = await optimised(folder, parts.second);
  const asked = WebAssembly.Module.imports(new WebAssembly.Module(rest)).map(({ name }) => name);
  const first = await optimised(folder, parts.exporting(new Set(asked)));
  await rm(folder, { recursive: true });
  console.log(`split: ${brotliSize(first)} bytes as brotli first, ${brotliSize(rest)} later; ${parts.functions} functions of the rest, ${parts.slots} called from outside, ${asked.length} called there`);
  await rm(CACHE, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  await Promise.all([writeFile(cached[0], first), writeFile(cached[1], rest)]);
  return { first, rest };
}

async function whole(module) {
  const folder = await mkdtemp(join(tmpdir(), "wasm-"));
  const first = await optimised(folder, await asText(folder, module));
  await rm(folder, { recursive: true });
  return first;
}

async function tool(name, ...args) {
  const features = FEATURES.map((feature) => `--enable-${feature}`);
  await promisify(execFile)(process.execPath, [join(TOOLS, name), ...features, ...args]);
}

/** The module as text; what stood behind the call of a trap is gone, and so is all that only it led to. */
async function asText(folder, module) {
  const [input, cleared, output] = ["in.wasm", "cleared.wasm", "in.wat"].map((name) => join(folder, name));
  await writeFile(input, module);
  const trapsOnly = ["--always-inline-max-function-size", "1", "--flexible-inline-max-function-size", "1", "--one-caller-inline-max-function-size", "1"];
  await tool("wasm-opt", "-g", ...trapsOnly, "--inlining", "--dce", "--vacuum", input, "-o", cleared);
  await tool("wasm-dis", cleared, "-o", output);
  return readFile(output, "utf8");
}

/** The module of a text, optimised for size; names and tool marks dropped. */
async function optimised(folder, wat) {
  const [text, input, output] = ["in.wat", "in.wasm", "out.wasm"].map((name) => join(folder, name));
  await writeFile(text, wat);
  await tool("wasm-as", "-g", text, "-o", input);
  await tool("wasm-opt", "-Oz", "--converge", "--strip-debug", "--strip-producers", "--strip-target-features", input, "-o", output);
  const module = await readFile(output);
  // A module that the browser's own engine refuses must not ship.
  new WebAssembly.Module(module);
  return module;
}
