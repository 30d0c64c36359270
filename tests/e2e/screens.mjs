// A screenshot of each panel in each language, theme and width, in screens/: `./dev screens`.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { start } from "./page.mjs";

const SCREENS = join(import.meta.dirname, "../../screens");

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
