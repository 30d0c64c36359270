// Files and long texts: dropped, chosen or pasted, they are read beside the box, and what can't be read is told.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertAccessible, isRunning, start } from "./page.mjs";

const ERROR = `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free. Of the allocated memory 20.10 GiB is allocated by PyTorch, and 1.31 GiB is reserved by PyTorch but unallocated.`;
const SMI = "index, name, memory.total [MiB], memory.used [MiB]\n0, NVIDIA A10G, 23028 MiB, 512 MiB\n";

/** A training log of about `size` bytes; its error stands three quarters of the way down. */
function log(size) {
  const lines = [];
  for (let step = 1, length = 0; length < size; step++) {
    const line = `2026-11-30 08:${String(step % 60).padStart(2, "0")}:00 INFO trainer: step ${step} loss ${2 + (step % 7) / 10} tokens/s 18234`;
    lines.push(line);
    length += line.length + 1;
  }
  lines.splice(Math.floor((lines.length * 3) / 4), 0, ERROR);
  return lines.join("\n");
}

const LANGUAGES = {
  en: { whole: /read to the end/, part: / of .* read/, pasted: "Pasted text", missing: "0.88 GiB", remove: "Remove", stop: "Stop", lines: /… [\d,]+ lines/ },
  fr: { whole: /lu jusqu’au bout/, part: / lus sur /, pasted: "Texte collé", missing: "0,88\u00a0Gio", remove: "Retirer", stop: "Arrêter", lines: /… [\d\u202f]+ lignes/ },
};

// What is wrong with a file: its bytes, and what is said in each language.
const REFUSED = [
  ["empty.log", Buffer.alloc(0), /empty/, /vide/],
  ["shot.png", Buffer.from("89504e470d0a1a0a0000000d", "hex"), /picture/, /image/],
  ["shot.log", Buffer.from("89504e470d0a1a0a0000000d", "hex"), /picture/, /image/],
  ["model.bin", Buffer.from([0, 1, 2, 3, 200, 201, 0, 0]), /not a text/, /pas un texte/],
  ["logs.zip", Buffer.from("PK\x03\x04\x14\0\0\0"), /packed as zip/, /archive zip/],
  ["wrong.gz", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 255, 255, 255, 255, 255]), /damaged/, /abîmé/],
  ["twice.gz", gzipSync(gzipSync(ERROR)), /packed as gzip/, /archive gzip/],
];

let site;
before(async () => (site = await start()));
after(() => site.stop());

const rows = (page) => page.locator(".files li");
const headline = (page) => page.locator(".headline");
const choose = (page, ...files) => page.locator("#choose").setInputFiles(files.map(([name, buffer]) => ({ name, mimeType: "", buffer: Buffer.from(buffer) })));

/** Pastes a text that is made in the page: the test's own clipboard is too slow for a long one. */
async function pasteLong(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.locator("#paste").focus();
  await page.keyboard.press("ControlOrMeta+V");
}

/** Drops files on an element, as the browser would report it. */
async function drop(page, selector, files) {
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent(selector, "dragover", { dataTransfer: transfer });
  await page.locator(".drop").waitFor({ state: "visible" });
  await page.dispatchEvent(selector, "drop", { dataTransfer: transfer });
}

for (const [code, says] of Object.entries(LANGUAGES)) {
  test(`${code}: a long paste becomes an attachment with excerpts, and asks for nothing`, async () => {
    const page = await site.open({ path: `${code}/` });
    await page.waitForLoadState("networkidle");
    const asked = page.requests.length;
    await page.locator("#paste").fill("before");
    await pasteLong(page, log(3_000_000));
    await headline(page).filter({ hasText: says.missing }).waitFor();
    assert.match(await rows(page).textContent(), new RegExp(`${says.pasted}.*2[.,]\\d`));
    assert.match(await rows(page).textContent(), says.whole);
    assert.equal(await page.locator("#paste").inputValue(), "before", "what was typed is lost");
    const reading = await page.locator(".reading").innerText();
    assert.match(reading, says.lines);
    assert.ok(reading.length < 5000, `${reading.length} characters are shown`);
    assert.equal(await page.locator(".lines mark").first().textContent(), "2.00 GiB");
    await assertAccessible(page);
    await page.getByRole("button", { name: `${says.remove} ${says.pasted}` }).click();
    assert.equal(await rows(page).count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.id), "paste");
    assert.equal(page.requests.length, asked);
    await page.finish();
  });

  test(`${code}: what is no text is told in a sentence, and nothing is lost`, async () => {
    const page = await site.open({ path: `${code}/` });
    await page.locator("#paste").fill(ERROR);
    await choose(page, ...REFUSED.map(([name, buffer]) => [name, buffer]));
    await page.waitForFunction((count) => document.querySelectorAll(".files li > p").length === count, REFUSED.length);
    for (const [at, [name, , en, fr]] of REFUSED.entries()) {
      const row = rows(page).nth(at);
      assert.equal(await row.locator("strong").textContent(), name);
      assert.match(await row.locator("p").textContent(), code === "fr" ? fr : en, name);
    }
    assert.ok((await headline(page).textContent()).includes(says.missing));
    assert.equal(await page.locator("#paste").inputValue(), ERROR);
    assert.doesNotMatch(await page.locator("#app").innerText(), /\[[a-z]+(-[a-z0-9]+)+\]|\{\s*\$/);
    await assertAccessible(page);
    await page.finish();
  });

  test(`${code}: what is read is a list that is only fetched when it is opened, and can be had later`, async () => {
    const page = await site.open({ path: `${code}/` });
    const names = () => page.requests.map((address) => address.split("/").pop()).filter((name) => name.startsWith("formats-"));
    assert.deepEqual(names(), []);
    await page.context().setOffline(true);
    await page.locator(".formats > summary").click();
    await page.locator(".formats [role=alert]").waitFor();
    await page.context().setOffline(false);
    await page.locator(".formats > summary").click();
    await page.locator(".formats > summary").focus();
    await page.keyboard.press("Enter");
    await page.locator(".formats h3").first().waitFor();
    assert.ok((await page.locator(".formats h3").allTextContents()).includes("pytorch"));
    await page.locator(".formats details summary", { hasText: "pytorch" }).first().click();
    await page.locator(".formats details[open] code", { hasText: "CUDA out of memory" }).first().waitFor();
    await assertAccessible(page);
    page.problems = page.problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem));
    assert.equal(new Set(names()).size, 1);
  });
}

test("files are dropped anywhere, several at once, read as one case and each named", async () => {
  const page = await site.open({ path: "en/" });
  const asked = page.requests.length;
  await drop(page, "footer", [["train.log", log(600_000)], ["smi.csv", SMI]]);
  await page.locator(".reading h3", { hasText: "smi.csv" }).waitFor();
  assert.deepEqual(await page.locator(".reading h3").allTextContents(), ["train.log", "smi.csv"]);
  assert.ok((await headline(page).textContent()).includes("0.88 GiB"));
  assert.ok(await page.locator(".drop").isHidden());
  // The second one's figures count for the same case: taken away, they are gone.
  assert.match(await page.locator(".reading").textContent(), /23028 MiB/);
  await page.getByRole("button", { name: "Remove smi.csv" }).click();
  assert.doesNotMatch(await page.locator(".reading").textContent(), /23028 MiB/);
  await page.getByRole("button", { name: "Start over" }).click();
  assert.equal(await rows(page).count(), 0);
  assert.equal(await page.locator(".examples button").count(), 5);
  assert.equal(page.requests.length, asked);
  await page.finish();
});

test("a file dropped on the calculator leads to its answer", async () => {
  const page = await site.open({ path: "en/#v=1&m=qwen3-8b&g=rtx-4090" });
  await drop(page, ".calculator", [["run.log", ERROR]]);
  await headline(page).filter({ hasText: "0.88 GiB" }).first().waitFor();
  assert.ok(await page.locator("#paste").isVisible());
  await page.finish();
});

test("gzip and PowerShell's texts are read; a broken gzip as far as it goes", async () => {
  const page = await site.open({ path: "en/" });
  const text = log(800_000);
  const packed = gzipSync(text);
  const utf16 = Buffer.from(`\ufeff${ERROR}\n`, "utf16le");
  await choose(page, ["run.log.gz", packed], ["powershell.txt", utf16]);
  await page.locator(".reading h3", { hasText: "powershell.txt" }).waitFor();
  assert.match(await rows(page).first().textContent(), /unpacked from/);
  assert.equal(await page.locator(".lines").nth(1).locator("mark").first().textContent(), "2.00 GiB");
  await page.getByRole("button", { name: "Start over" }).click();
  // On a slow machine the page reads behind what is unpacked: nothing that came before the break may be lost.
  const slow = await page.context().newCDPSession(page);
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 20 });
  await choose(page, ["cut.gz", packed.subarray(0, packed.length - 200)]);
  await rows(page).filter({ hasText: "breaks off" }).waitFor();
  await headline(page).filter({ hasText: "0.88 GiB" }).waitFor();
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.finish();
});

test("the file button is reached by the keyboard, and keeps its place on a phone", async () => {
  const page = await site.open({ path: "fr/", width: 320 });
  // Asked for well before the key: the browser must know by then that no dialog of its own is wanted.
  const chooser = page.waitForEvent("filechooser");
  for (let step = 0; step < 20 && (await page.evaluate(() => document.activeElement.id)) !== "choose"; step++) await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "choose");
  await page.keyboard.press("Space");
  await (await chooser).setFiles([{ name: "essai.log", mimeType: "text/plain", buffer: Buffer.from(ERROR) }]);
  await headline(page).filter({ hasText: "0,88" }).waitFor();
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)) <= 0);
  await assertAccessible(page);
  await page.finish();
});

test("typing goes on while a long text is read, and it can be stopped", async () => {
  const page = await site.open({ path: "en/" });
  // Long enough to be stopped: put together in the page, it need not travel there.
  await page.evaluate((unit) => {
    const transfer = new DataTransfer();
    transfer.setData("text", unit.repeat(400));
    document.querySelector("#paste").dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
  }, log(500_000) + "\n");
  await page.locator(".files progress").waitFor();
  await assertAccessible(page);
  await page.locator("#paste").focus();
  await page.keyboard.type("typed meanwhile");
  assert.equal(await page.locator("#paste").inputValue(), "typed meanwhile");
  await page.getByRole("button", { name: "Stop Pasted text" }).click();
  await rows(page).filter({ hasText: / of .* read/ }).waitFor();
  assert.ok((await headline(page).textContent()).includes("0.88 GiB"));
  assert.equal(await page.locator("#paste").inputValue(), "typed meanwhile");
  await page.finish();
});

test("what was done in the static page is taken over: files, a long text, the calculator", async () => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const prepare = (page) => page.route("**/*.wasm", async (route) => (await held, route.continue()));
  const page = await site.open({ path: "en/", running: false, prepare });
  await choose(page, ["early.log", ERROR]);
  await page.locator("#paste").evaluate((box, text) => (box.value = text), log(400_000));
  release();
  await isRunning(page);
  await rows(page).filter({ hasText: "early.log" }).filter({ hasText: /read to the end/ }).waitFor();
  assert.match(await rows(page).first().textContent(), /Pasted text/);
  assert.equal(await page.locator("#paste").inputValue(), "");
  await page.finish();
});

test("a long text that a program puts into the box is an attachment too, without a long task", async () => {
  const page = await site.open({ path: "en/" });
  const text = log(10_000_000);
  const longest = await page.evaluate(async (text) => {
    const box = document.querySelector("#paste");
    const tasks = [];
    const watch = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
    watch.observe({ type: "longtask" });
    await new Promise((done) => setTimeout(done, 500));
    tasks.length = 0;
    box.value = text;
    const begun = performance.now();
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    const ours = performance.now() - begun;
    await new Promise((done) => {
      const look = () => (document.querySelector("#answer:not([hidden]) .bar") ? done() : setTimeout(look, 50));
      look();
    });
    watch.disconnect();
    return { ours, empty: box.value === "", tasks: tasks.filter((task) => task.startTime > begun).map((task) => Math.round(task.duration)) };
  }, text);
  console.log(`# the event took ${longest.ours.toFixed(1)} ms; later tasks above 50 ms: ${longest.tasks.join(", ") || "none"}`);
  assert.ok(longest.empty, "the box still holds it");
  assert.match(await rows(page).textContent(), /Pasted text.*read to the end/);
  await page.finish();
});
