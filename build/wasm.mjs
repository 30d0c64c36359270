// Makes the module smaller with binaryen's wasm-opt, judged by what the reader downloads: brotli.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliSize } from "./size.mjs";
import { snip } from "./snip.mjs";

const WASM_OPT = join(import.meta.dirname, "../node_modules/binaryen/bin/wasm-opt");
const SNIP = join(import.meta.dirname, "snip.mjs");
const CACHE = join(import.meta.dirname, "../target/wasm-opt");
// What the compiler already uses; more than that, browsers may refuse.
const FEATURES = ["bulk-memory", "nontrapping-float-to-int", "reference-types", "multivalue", "sign-ext", "mutable-globals"];
const LEVELS = ["-Oz", "-Os"];

/** The smallest module of all levels, its names and tool marks dropped. The same module is optimised only once. */
export async function shrinkWasm(module) {
  const key = createHash("sha256").update(module).update(await readFile(import.meta.filename)).update(await readFile(SNIP)).digest("hex").slice(0, 32);
  const cached = join(CACHE, `${key}.wasm`);
  const known = await readFile(cached).catch(() => null);
  if (known) return known;
  const { module: rest, cut } = snip(module);
  console.log(`never reached: ${cut.functions} functions, ${cut.bytes} bytes`);
  const candidates = await Promise.all(LEVELS.map((level) => optimised(rest, level)));
  const sizes = candidates.map(brotliSize);
  const best = candidates[sizes.indexOf(Math.min(...sizes))];
  // A module that the browser's own engine refuses must not ship.
  new WebAssembly.Module(best);
  console.log(`wasm-opt, as brotli: ${brotliSize(module)} before, ${LEVELS.map((level, at) => `${sizes[at]} with ${level}`).join(", ")}`);
  await rm(CACHE, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  await writeFile(cached, best);
  return best;
}

async function optimised(module, level) {
  const folder = await mkdtemp(join(tmpdir(), "wasm-opt-"));
  const input = join(folder, "in.wasm");
  const output = join(folder, "out.wasm");
  await writeFile(input, module);
  const features = FEATURES.map((feature) => `--enable-${feature}`);
  const strip = ["--strip-debug", "--strip-producers", "--strip-target-features"];
  await promisify(execFile)(process.execPath, [WASM_OPT, level, "--converge", ...features, ...strip, input, "-o", output]);
  const result = await readFile(output);
  await rm(folder, { recursive: true });
  return result;
}
