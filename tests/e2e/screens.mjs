// A screenshot of each panel in each language, theme and width, in screens/: `./dev screens`.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { start } from "./page.mjs";

const SCREENS = join(import.meta.dirname, "../../screens");
const PASTE = `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.
Process 4711 has 22.50 GiB memory in use. Of the allocated memory 19.80 GiB is allocated by PyTorch, and 2.10 GiB is reserved by PyTorch but unallocated.`;

// A panel: its name, and how to come from the open page to it.
const panels = {
  empty: async () => {},
  paste: (page) => page.locator("#paste").fill(PASTE),
};

await rm(SCREENS, { recursive: true, force: true });
await mkdir(SCREENS, { recursive: true });
const site = await start();
for (const language of ["en", "fr"]) {
  for (const theme of ["light", "dark"]) {
    for (const width of [360, 1280]) {
      for (const [panel, reach] of Object.entries(panels)) {
        const page = await site.open({ path: `${language}/`, theme, width });
        await reach(page);
        await page.screenshot({ path: join(SCREENS, `${panel}-${language}-${theme}-${width}.png`), fullPage: true });
        await page.finish();
      }
    }
  }
}
await site.stop();
console.log(`screenshots in ${SCREENS}`);
