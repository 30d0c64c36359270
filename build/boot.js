// Starts the program: fetches it beside the texts of the likely language, and says so in the page when it can't be had.
// The build puts the names in. This runs before any of the program does, so it must not need it.

import { unpack } from "./unpack.js";

/** A file of the program: fetched, checked, and put together again. */
async function fetched(file, integrity) {
  const response = await fetch(new URL(file, import.meta.url), { integrity });
  return unpack(new Uint8Array(await response.arrayBuffer()));
}

const texts = (tag) => document.head.querySelector(`meta[name="vramfit:texts:${tag.slice(0, 2).toLowerCase()}"]`)?.content;

// A hint only: the program itself decides, in the same order. A wrong guess costs one request.
function preloadTexts() {
  let saved = "";
  try {
    saved = localStorage.getItem("vramfit-language") ?? "";
  } catch {
    // Storage may be forbidden.
  }
  const folder = document.head.querySelector('meta[name="vramfit:folder"]')?.content ?? "";
  const asked = new URLSearchParams(location.search).get("lang") ?? "";
  const href = [asked, folder, saved, ...navigator.languages, "en"].map(texts).find(Boolean);
  if (!href || document.head.querySelector(`link[rel="preload"][href="${href}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous", href }));
}

try {
  preloadTexts();
  const module_or_path = fetched(APP_WASM, APP_WASM_INTEGRITY);
  const { default: start } = await import(APP_JS);
  const running = start({ module_or_path });
  // The rest of the program; src/ui/rest.rs asks for it when the calculator is first opened.
  if (APP_REST) {
    const style = () =>
      new Promise((onload, onerror) => {
        const href = new URL(REST_STYLE, import.meta.url);
        document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", integrity: REST_STYLE_INTEGRITY, href, onload, onerror }));
      });
    const program = async () => WebAssembly.instantiate(await fetched(APP_REST, APP_REST_INTEGRITY), { "~": await running });
    const bring = () => Promise.all([style(), program()]);
    let coming;
    globalThis.vramfitRest = () =>
      (coming ??= bring().catch((error) => {
        coming = null;
        throw error;
      }));
    // A shared link opens the calculator: no need to wait for the program to say so.
    if (location.hash.includes("=")) globalThis.vramfitRest().catch(() => {});
  }
  await running;
  performance.mark("vramfit:running");
} catch (error) {
  console.error(error);
  document.getElementById("boot-failed").hidden = false;
}
