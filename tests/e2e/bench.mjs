// How long the page takes from the click on a link until it runs, in a fresh profile each time, how fast it reads a long
// text, and what a keystroke in the calculator and its table of models and cards cost: `./dev bench page`.

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

// What other programs take of the processor does not count in these: the script's own time on its thread.
async function scripted(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => (await devtools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "ScriptDuration").value * 1000;
}

const JOBS = {
  answers: ["#v=1&m=qwen3-30b-a3b&q=q4_k_m&e=llama.cpp&g=rtx-4090", "#calc-context", (step) => 4000 + 37 * step],
  trains: ["#v=1&t=train&m=qwen3-8b&tm=qlora&g=rtx-4090", "#calc-sequence", (step) => 1000 + 37 * step],
  "makes a video": ["#v=1&t=video&m=wan2.2-t2v-a14b&q=fp8&g=rtx-4090&res=1280x720&fr=81&tq=fp8&off=comfyui", "#calc-frames", (step) => 41 + 4 * step],
};
const KEYS = 100;

async function typing() {
  for (const [name, [link, field, value]] of Object.entries(JOBS)) {
    const page = await site.open({ path: `en/${link}` });
    await page.locator(field).waitFor();
    const script = await scripted(page);
    const times = [];
    for (let step = 0; step < KEYS + 5; step++) {
      const before = await script();
      await page.locator(field).evaluate((it, value) => {
        it.value = value;
        it.dispatchEvent(new Event("input", { bubbles: true }));
        return new Promise((done) => setTimeout(done));
      }, String(value(step)));
      // The first ones are compiled as they run.
      if (step >= 5) times.push((await script()) - before);
    }
    print({ [`a keystroke, all levers, ${name}`]: ["ms", times] }, 1);
    await page.finish();
  }
}

/** In the page: goes through the whole table, a window at a time. */
async function through() {
  const region = document.querySelector(".window");
  for (let top = 0; top <= region.scrollHeight; top += 400) {
    region.scrollTop = top;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 80)));
  }
  region.scrollTop = 0;
  await new Promise((done) => setTimeout(done, 300));
}

async function table() {
  const times = [];
  for (let round = 0; round < READINGS; round++) {
    const page = await site.open({ path: "en/#v=1&m=qwen3-8b&q=q4_k_m&g=rtx-4090" });
    await page.locator(".matrix > summary").click();
    await page.locator("#calc-table-cards").fill("rtx 5090");
    await page.waitForFunction(() => document.querySelectorAll(".window thead button").length === 1);
    const script = await scripted(page);
    const begun = await script();
    await page.evaluate(through);
    const first = await script();
    // The second time all is known: what remains is the drawing.
    await page.evaluate(through);
    times.push(first - begun - ((await script()) - first));
    await page.finish();
  }
  print({ "all models on all cards, a context for each model": ["ms", times] }, 1);
}

await typing();
await table();
await opening();
await reading("paste");
await reading("file");
await site.stop();
