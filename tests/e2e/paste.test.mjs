// Journeys through the paste panel, on the built page, in both languages.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, isRunning, start } from "./page.mjs";

const ARTICLE = `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.
Of the allocated memory 20.10 GiB is allocated by PyTorch, and 1.31 GiB
is reserved by PyTorch but unallocated.`;
const TENANT = `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 148.00 MiB. GPU 0 has a total capacity of 79.25 GiB of which 11.19 MiB is free. Process 2635308 has 62.69 GiB memory in use. Including non-PyTorch memory, this process has 16.54 GiB memory in use. Of the allocated memory 15.94 GiB is allocated by PyTorch, and 205.65 MiB is reserved by PyTorch but unallocated.`;
const EXAMPLES = 5;

const LANGUAGES = [
  { code: "en", missing: "0.88 GiB", decimal: "0.94 GB", says: /Live tensors hold 20\.10 GiB/ },
  { code: "fr", missing: "0,88\u00a0Gio", decimal: "0,94\u00a0Go", says: /20,10\u00a0Gio/ },
];

let site;
before(async () => (site = await start()));
after(() => site.stop());

/** Pastes as a person does: by the clipboard and the keyboard. */
async function paste(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.locator("#paste").focus();
  await page.keyboard.press("ControlOrMeta+V");
}

const headline = (page) => page.locator(".headline").textContent();
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const { code, missing, decimal, says } of LANGUAGES) {
  test(`${code}: a paste is answered at once, line by line, and asks for nothing`, async () => {
    const page = await site.open({ path: `${code}/` });
    const asked = page.requests.length;
    await paste(page, ARTICLE);
    assert.ok((await headline(page)).includes(missing), await headline(page));
    assert.deepEqual(await page.locator(".lines mark").allTextContents(), ["2.00 GiB", "0", "23.65 GiB", "1.12 GiB", "20.10 GiB", "1.31 GiB"]);
    assert.match(await page.locator(".lines").textContent(), says);
    assert.equal(await page.locator(".said").first().getAttribute("lang"), "en");
    // The box has made room, still holds the text, and the next paste goes there.
    assert.equal(await page.locator("#paste").inputValue(), ARTICLE);
    assert.ok(await page.locator("#paste").evaluate((box) => box === document.activeElement && box.clientHeight < 80));
    assert.ok(await page.locator(".bar").evaluate((bar) => bar.getBoundingClientRect().bottom < innerHeight), "the bar is below the fold");
    await page.waitForFunction((missing) => [...document.querySelectorAll("[role=status]")].some((said) => said.textContent.includes(missing)), missing);
    assert.equal(page.requests.length, asked);
    await page.finish();
  });

  test(`${code}: every text of the page has its words, and the units can be switched`, async () => {
    const page = await site.open({ path: `${code}/` });
    for (let number = 0; number < EXAMPLES; number++) {
      await page.locator(".examples button").nth(number).click();
      await page.locator(".steps > li").first().waitFor();
      assert.doesNotMatch(await page.locator("#app").innerText(), /\[[a-z]+(-[a-z0-9]+)+\]|\{\s*\$/, `example ${number} shows a message's id`);
      await page.locator(".tools button").nth(1).click();
    }
    await page.locator(".examples button").first().click();
    await page.locator(".switches fieldset").nth(1).locator("label").nth(1).click();
    assert.ok((await headline(page)).includes(decimal), await headline(page));
    assert.equal(await page.locator(".lines mark").first().textContent(), "2.00 GiB", "a tool's own words changed");
    await page.reload();
    await isRunning(page);
    await page.locator(".examples button").first().click();
    assert.ok((await headline(page)).includes(decimal), "the units were not kept");
    await page.finish();
  });

  for (const theme of ["light", "dark"]) {
    test(`${code}, ${theme}: each state is accessible and never scrolls sideways, down to 320 px`, async () => {
      for (const width of [1280, 320]) {
        const page = await site.open({ path: `${code}/`, theme, width });
        assert.ok((await sideways(page)) <= 0, `empty at ${width}`);
        for (let number = 0; number < EXAMPLES; number++) {
          await page.locator(".examples button").nth(number).click();
          await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
          assert.ok((await sideways(page)) <= 0, `example ${number} at ${width}`);
          await assertAccessible(page);
          await page.locator(".tools button").nth(1).click();
        }
        await page.finish();
      }
    });
  }
}

test("the language is switched in place: nothing typed or put right is lost, and only its texts are asked for", async () => {
  const page = await site.open({ path: "en/?x=1" });
  await paste(page, TENANT);
  await page.locator("#card").selectOption({ index: 1 });
  const card = await page.locator("#card").inputValue();
  const asked = page.requests.length;
  await page.locator(".switches label", { hasText: "FR" }).click();
  await page.waitForFunction(() => document.documentElement.lang === "fr");
  assert.match(await headline(page), /Mio/);
  assert.match(await page.title(), /mémoire/);
  assert.equal(await page.locator("#paste").inputValue(), TENANT);
  assert.equal(await page.locator("#card").inputValue(), card);
  assert.deepEqual(page.requests.slice(asked).map((address) => /\/(\w\w)-\w+\.ftl$/.exec(address)?.[1]), ["fr"]);
  assert.match(page.url(), /\/en\/\?x=1&lang=fr$/);
  await page.locator(".switches label", { hasText: "EN" }).click();
  await page.waitForFunction(() => document.documentElement.lang === "en");
  assert.equal(page.requests.length, asked + 1, "texts that are here were asked for again");
  await page.finish();
});

test("a chosen language stands above the page's folder after a reload", async () => {
  const page = await site.open({ path: "fr/" });
  await page.locator(".switches label", { hasText: "EN" }).click();
  await page.waitForFunction(() => document.documentElement.lang === "en");
  await page.reload();
  await isRunning(page);
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
  await page.goto(site.server.base);
  await isRunning(page);
  assert.equal(await page.locator("html").getAttribute("lang"), "en", "the choice was not saved");
  await page.finish();
});

test("a process that is the reader's own changes the answer, by keyboard, and the focus stays", async () => {
  const page = await site.open({ path: "en/" });
  await paste(page, TENANT);
  const before = await page.locator(".causes h3").first().textContent();
  const own = page.locator(".processes input");
  for (let step = 0; step < 30 && !(await own.evaluate((input) => input === document.activeElement)); step++) await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  assert.ok(await own.isChecked());
  assert.notEqual(await page.locator(".causes h3").first().textContent(), before);
  assert.ok(await own.evaluate((input) => input === document.activeElement));
  await page.finish();
});

test("a command is copied exactly; without a clipboard it is selected", async () => {
  const page = await site.open({ path: "en/" });
  await page.locator(".examples button").first().click();
  const command = page.locator(".command").last();
  await command.locator("button").click();
  await page.waitForFunction(() => [...document.querySelectorAll(".command button")].some((button) => button.textContent === "Copied"));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await command.locator("code").textContent());
  await page.evaluate(() => Object.defineProperty(window, "isSecureContext", { value: false }));
  await command.locator("button").click();
  assert.equal(await page.evaluate(() => String(getSelection())), await command.locator("code").textContent());
  await page.finish();
});

test("colours follow the system, then the choice, also after a reload", async () => {
  const page = await site.open({ path: "en/", theme: "dark" });
  const dark = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor === "rgb(18, 21, 24)");
  assert.ok(await dark());
  await page.locator(".foot label", { hasText: "Light" }).click();
  assert.ok(!(await dark()));
  await page.reload();
  await isRunning(page);
  assert.ok(!(await dark()));
  await page.finish();
});

test("where storage is refused, everything works as long as the page is open", async () => {
  const refuse = () => Object.defineProperty(window, "localStorage", { get: () => { throw new DOMException("refused", "SecurityError"); } });
  const page = await site.open({ path: "en/", prepare: (page) => page.addInitScript(refuse) });
  await page.locator(".foot label", { hasText: "Dark" }).click();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await page.locator(".switches label", { hasText: "FR" }).click();
  await page.waitForFunction(() => document.documentElement.lang === "fr");
  await page.finish();
});

test("a text in which nothing is recognised is answered and kept", async () => {
  const page = await site.open({ path: "en/" });
  const cases = [
    ["what should I do, my gpu is full?", /question|note/],
    ["12 2048 77 1.5", /words/],
    ["\u0000\u0001PK\u0003\u0004\u0000\u0000\u0014\u0000\ufffd\ufffd\u0000\u0000\ufffd\u0001", /not text/],
  ];
  for (const [text, expected] of cases) {
    await page.locator("#paste").fill(text);
    assert.match(await headline(page), expected);
    assert.equal(await page.locator("#paste").inputValue(), text);
    assert.ok(await page.locator("#paste").evaluate((box) => box.clientHeight > 80), "the box shrank though nothing was read");
  }
  await page.finish();
});

test("the skip link leads to the content and leaves the address alone", async () => {
  const page = await site.open({ path: "en/#v=1" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");
  assert.match(page.url(), /#v=1$/);
  await page.finish();
});

test("colours forced by the system leave every part of the bar visible", async () => {
  const page = await site.open({ path: "en/", forcedColors: "active" });
  await page.locator(".examples button").nth(1).click();
  await assertAccessible(page);
  const fills = await page.locator(".bar .part").evaluateAll((parts) => parts.map((part) => getComputedStyle(part).fill));
  assert.ok(fills.every((fill) => fill !== "none"), fills.join());
  await page.finish();
});
