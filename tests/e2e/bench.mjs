// How long the page takes from the click on a link until it runs, in a fresh profile each time: `./dev bench page`.

import { isRunning, start } from "./page.mjs";

const ROUNDS = 15;
const site = await start();
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
const rows = { "first paint": [], "program runs": [] };
for (let round = 0; round < ROUNDS; round++) {
  const page = await site.open({ path: "en/" });
  await isRunning(page);
  const [paint, runs] = await page.evaluate(() => [
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
    performance.getEntriesByName("vramfit:running")[0]?.startTime ?? NaN,
  ]);
  rows["first paint"].push(paint);
  rows["program runs"].push(runs);
  await page.finish();
}
await site.stop();
for (const [name, times] of Object.entries(rows)) {
  console.log(`${name.padEnd(14)} ${median(times).toFixed(0)} ms (median of ${ROUNDS}; ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`);
}
