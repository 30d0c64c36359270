// How long the page takes from the click on a link until it runs, in a fresh profile each time, and how fast it reads a long
// text: `./dev bench page`.

import { isRunning, start } from "./page.mjs";

const ROUNDS = 15;
const READINGS = 5;
const MEGABYTES = 50;
const ERROR = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.\n";

const site = await start();
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];

/** Prints the median and the range of each row. */
function print(rows, digits = 0) {
  for (const [name, [unit, values]] of Object.entries(rows)) {
    const said = [median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
    console.log(`${name.padEnd(44)} ${said[0].padStart(6)} ${unit} (median of ${values.length}; ${said[1]} to ${said[2]})`);
  }
}

async function opening() {
  const rows = { "opening: first paint": ["ms", []], "opening: program runs": ["ms", []] };
  for (let round = 0; round < ROUNDS; round++) {
    const page = await site.open({ path: "en/" });
    await isRunning(page);
    const times = await page.evaluate(() => [
      performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
      performance.getEntriesByName("vramfit:running")[0]?.startTime ?? NaN,
    ]);
    Object.values(rows).forEach(([, values], at) => values.push(times[at]));
    await page.finish();
  }
  print(rows);
}

/** In the page: puts a log together, to be handed over by `how`. */
async function prepare([how, megabytes, error]) {
  const lines = [];
  for (let step = 0; step < 20_000; step++) {
    lines.push(`2026-11-30 08:00:${String(step % 60).padStart(2, "0")},${100 + (step % 900)} INFO trainer: step ${step} loss ${2 + (step % 7) / 10} lr 1.99e-05 grad_norm 0.${100 + (step % 900)} tokens/s 18234\n`);
  }
  const unit = lines.join("");
  const times = Math.ceil((megabytes * 1e6) / unit.length);
  const text = unit.repeat(Math.floor(times * 0.75)) + error + unit.repeat(Math.ceil(times * 0.25));
  const transfer = new DataTransfer();
  if (how === "file") transfer.items.add(new File([text], "run.log"));
  else transfer.setData("text", text);
  await new Promise((done) => setTimeout(done, 500));
  Object.assign(window, { transfer, bytes: text.length });
}

/** In the page: hands it over, waits for the answer; tells how long that took and the longest task. */
async function read() {
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
  const begun = performance.now();
  document.querySelector("#paste").dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
  const handed = performance.now();
  await new Promise((done) => {
    const look = () => (document.querySelector("#answer:not([hidden]) .bar") ? done() : requestAnimationFrame(look));
    look();
  });
  const answered = performance.now();
  await new Promise((done) => setTimeout(done, 300));
  const later = tasks.filter((task) => task.startTime + task.duration > handed + 1 && task.startTime >= handed - 1);
  // The event's own task is the browser's: handing over the text.
  return [answered - begun, bytes / 1e3 / (answered - handed), handed - begun, Math.max(0, ...later.map((task) => task.duration))];
}

async function reading(how) {
  const names = ["to the answer", "read at", "the event itself", "longest task after it (0: below 50)", "read at, by the thread's own time"];
  const rows = Object.fromEntries(names.map((name, at) => [`${how}, ${MEGABYTES} MB: ${name}`, [at % 3 === 1 ? "MB/s" : "ms", []]]));
  for (let round = 0; round < READINGS; round++) {
    const page = await site.open({ path: "en/" });
    await page.evaluate(prepare, [how, MEGABYTES, ERROR]);
    // What other programs take of the processor does not count in this one.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    const worked = async () => (await devtools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "ThreadTime").value;
    const before = await worked();
    const measured = await page.evaluate(read);
    measured.push((await page.evaluate(() => bytes)) / 1e6 / ((await worked()) - before));
    Object.values(rows).forEach(([, values], at) => values.push(measured[at]));
    await page.finish();
  }
  print(rows);
}

await opening();
await reading("paste");
await reading("file");
await site.stop();
