// A screenshot of each panel in each language, theme and width, in screens/: `./dev screens`.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { start } from "./page.mjs";

const SCREENS = join(import.meta.dirname, "../../screens");

const ERROR = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.\n";
const LOG = "2026-11-30 08:00:00 INFO trainer: step 12 loss 2.31 tokens/s 18234\n".repeat(9000);
const FILES = [
  { name: "train.log", mimeType: "text/plain", buffer: Buffer.from(LOG + ERROR + LOG) },
  { name: "screenshot.png", mimeType: "image/png", buffer: Buffer.from("89504e470d0a1a0a", "hex") },
];

// A panel: its name, and how to come from the open page to it.
const example = (number) => (page) => page.locator(".examples button").nth(number).click();
const panels = {
  empty: async () => {},
  full: example(0),
  other: example(1),
  pieces: example(2),
  apple: example(3),
  cut: example(4),
  prose: (page) => page.locator("#paste").fill("My GPU is out of memory, what should I do?"),
  files: async (page) => {
    await page.locator("#choose").setInputFiles(FILES);
    await page.locator(".reading h3").last().waitFor();
    await page.locator(".files p").waitFor();
  },
  drop: async (page) => {
    const transfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["x"], "run.log"));
      return transfer;
    });
    await page.dispatchEvent("footer", "dragover", { dataTransfer: transfer });
  },
  formats: async (page) => {
    await page.locator(".formats > summary").click();
    await page.locator(".formats details summary").nth(1).click();
  },
};

// The calculator: what the link says, and how to come from there to what is shown.
const calculator = {
  start: ["#v=1", async () => {}],
  chat: ["#v=1&m=qwen3-32b&q=q4_k_m&c=16384&g=rtx-4090", async () => {}],
  training: ["#v=1&t=train&m=qwen3-8b&g=rtx-4090&tm=qlora", async () => {}],
  compared: ["#v=1&m=qwen3-32b&q=q4_k_m&g=rtx-4090&b.m=qwen3-32b&b.q=fp8&b.g=h100-80gb", async () => {}],
  picking: ["#v=1&m=qwen3-32b&g=rtx-4090", (page) => page.locator("[role=combobox]").first().fill("llama")],
  unfolded: [
    "#v=1&m=llama-3.1-8b&q=fp8&c=32768&u=4&g=l40s",
    async (page) => {
      await page.locator(".calculator details:not(.accuracy)").evaluateAll((all) => all.forEach((one) => (one.open = true)));
      await page.locator(".accuracy > summary").click();
      for (const drawn of [".reverse tbody tr", ".window td:not(.gap)", ".plot circle"]) await page.locator(drawn).first().waitFor();
    },
  ],
  spilled: [
    "#v=1&m=qwen3-30b-a3b&q=q4_k_m&e=ollama&c=32768&g=rtx-4070",
    (page) => page.locator(".inputs details[open], .inputs details:not([hidden])").evaluateAll((all) => all.forEach((one) => (one.open = true))),
  ],
};

await rm(SCREENS, { recursive: true, force: true });
await mkdir(SCREENS, { recursive: true });
const site = await start();

async function shoot([name, link, reach], { language, theme, width, ...more }) {
  const page = await site.open({ path: `${language}/${link}`, theme, width, ...more });
  if (link) await page.locator(".calculator h1:not(.coming)").waitFor();
  await reach(page);
  await page.screenshot({ path: join(SCREENS, `${name}-${language}-${theme}-${width}.png`), fullPage: true });
  await page.finish();
}

for (const language of ["en", "fr"]) {
  for (const theme of ["light", "dark"]) {
    for (const width of [360, 1280]) {
      const reading = Object.entries(panels).map(([panel, reach]) => [panel, "", reach]);
      const sizing = Object.entries(calculator).map(([panel, [link, reach]]) => [`calculator-${panel}`, link, reach]);
      for (const panel of [...reading, ...sizing]) await shoot(panel, { language, theme, width });
    }
  }
  // In the reader's own colours.
  const forced = { language, theme: "light", width: 1280, forcedColors: "active" };
  await shoot(["forced-full", "", panels.full], forced);
  for (const panel of ["chat", "picking"]) await shoot([`forced-calculator-${panel}`, ...calculator[panel]], forced);
}
await site.stop();
console.log(`screenshots in ${SCREENS}`);
