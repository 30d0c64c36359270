// The page opens, works alone, and says so when it can't run.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, isRunning, start } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.stop());

for (const language of ["en", "fr"]) {
  test(`${language}/ opens with its own title and is accessible`, async () => {
    const page = await site.open({ path: `${language}/` });
    assert.equal(await page.locator("html").getAttribute("lang"), language);
    assert.match(await page.title(), language === "fr" ? /mémoire/ : /memory/);
    await assertAccessible(page);
    await page.finish();
  });

  test(`${language}/ asks for each of its files once, all named in the page itself`, async () => {
    const page = await site.open({ path: `${language}/` });
    const html = await (await page.context().request.get(page.url())).text();
    const asked = page.requests.filter((address) => !address.startsWith("data:") && address !== page.url());
    assert.deepEqual(asked, [...new Set(asked)], "a file was asked for twice");
    for (const address of asked) assert.ok(html.includes(`"../${address.split("/").pop()}"`), `${address} is not named in the page`);
    await page.finish();
  });
}

test("the bare address opens too, and preloads the texts of the browser's language", async () => {
  for (const [tag, language] of [["fr-CA", "fr"], ["en-US", "en"], ["ja-JP", "en"]]) {
    const page = await site.open({ language: tag });
    const texts = page.requests.filter((address) => address.endsWith(".ftl"));
    assert.equal(texts.length, 1);
    assert.match(texts[0], new RegExp(`/${language}-[0-9a-f]{12}\\.ftl$`));
    await page.finish();
  }
});

test("typing and pasting ask for nothing", async () => {
  const page = await site.open({ path: "en/" });
  await page.waitForLoadState("networkidle");
  const before = page.requests.length;
  const onServer = site.server.requests.length;
  await page.locator("#paste").click();
  await page.keyboard.type("torch.OutOfMemoryError: ");
  await page.evaluate(() => navigator.clipboard.writeText("CUDA out of memory."));
  await page.keyboard.press("ControlOrMeta+V");
  assert.equal(await page.locator("#paste").inputValue(), "torch.OutOfMemoryError: CUDA out of memory.");
  await page.waitForTimeout(300);
  assert.deepEqual(page.requests.slice(before), []);
  assert.deepEqual(site.server.requests.slice(onServer), []);
  await page.finish();
});

test("what was typed before the program runs is kept, with its selection and focus", async () => {
  // The module is held back until the text is there.
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const prepare = (page) => page.route("**/*.wasm", async (route) => (await held, route.continue()));
  const page = await site.open({ path: "en/", running: false, prepare });
  await page.locator("#paste").fill("Tried to allocate 2.00 GiB");
  await page.locator("#paste").evaluate((paste) => paste.setSelectionRange(3, 8));
  release();
  await isRunning(page);
  const state = await page.locator("#paste").evaluate((paste) => [paste.value, paste.selectionStart, paste.selectionEnd, document.activeElement === paste]);
  assert.deepEqual(state, ["Tried to allocate 2.00 GiB", 3, 8, true]);
  await page.finish();
});

for (const [what, pattern] of [["the module", /wasm$/], ["its script", /^app-.*js$/]]) {
  test(`without ${what} the page says that it could not be loaded, and keeps the text box`, async () => {
    await (await site.open({ path: "fr/" })).finish();
    const name = site.server.requests.find((path) => pattern.test(path));
    site.server.broken.add(name);
    const page = await site.open({ path: "fr/", running: false });
    await page.locator("#boot-failed").waitFor({ state: "visible" });
    assert.match(await page.locator("#boot-failed").textContent(), /WebAssembly/);
    assert.ok(await page.locator("#paste").isEditable());
    await page.context().close();
    site.server.broken.clear();
  });
}

test("without scripts the page says what it needs", async () => {
  const page = await site.open({ path: "fr/", running: false, javaScriptEnabled: false });
  assert.match(await page.locator("noscript").textContent(), /JavaScript/);
  await page.context().close();
});

/** Opens the page and holds its module back, so that only the static page is there until `release` is called. */
async function openStatic(options) {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const prepare = (page) => page.route("**/*.wasm", async (route) => (await held, route.continue()));
  const page = await site.open({ running: false, prepare, ...options });
  // Until it is drawn, with its styles.
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  return { page, release };
}

for (const language of ["en", "fr"]) {
  test(`${language}: nothing moves when the program takes the page over, on a phone or a desk`, async () => {
    for (const width of [320, 390, 1280]) {
      const { page, release } = await openStatic({ path: `${language}/`, width });
      const places = () =>
        page.evaluate(() => {
          const place = (selector) => {
            const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
            return `${selector}: ${[x, y, width, height].map(Math.round)}`;
          };
          return [".brand", ".views", ".views label", "h1", ".lead", "#paste", ".choose", ".privacy"].map(place);
        });
      const before = await places();
      release();
      await isRunning(page);
      await page.locator(".examples button").first().waitFor();
      assert.deepEqual(await places(), before, `at ${width}`);
      await page.finish();
    }
  });
}

test("what was chosen in the static page is taken over", async () => {
  const { page, release } = await openStatic({ path: "en/" });
  await page.getByText("Size a job", { exact: true }).click();
  release();
  await isRunning(page);
  await page.locator(".calculator h1:not(.coming)").waitFor();
  assert.ok(await page.getByRole("radio", { name: "Size a job" }).isChecked());
  await page.finish();
});

test("the calculator says that it is coming, that it could not be had, and comes when asked again", async () => {
  const page = await site.open({ path: "fr/" });
  let answer;
  await page.route("**/rest-*.wasm", async (route) => {
    const go = await new Promise((resolve) => (answer = resolve));
    await (go ? route.continue() : route.abort());
  });
  await page.getByText("Dimensionner", { exact: true }).click();
  await page.locator(".coming").waitFor();
  assert.match(await page.locator(".coming").textContent(), /Chargement/);
  await assertAccessible(page);
  await page.waitForFunction(() => getComputedStyle(document.querySelector(".coming")).visibility === "visible");
  answer(false);
  await page.getByRole("button", { name: "Réessayer" }).waitFor();
  assert.ok(await page.locator(".coming").isHidden());
  // The browser itself complains of what it could not fetch.
  page.problems.length = 0;
  answer = undefined;
  await page.getByRole("button", { name: "Réessayer" }).click();
  while (!answer) await page.waitForTimeout(10);
  answer(true);
  await page.locator(".calculator h1:not(.coming)").waitFor();
  assert.equal(await page.locator(".coming").count(), 0);
  await page.finish();
});

test("saved colours are there before the program is", async () => {
  const { page, release } = await openStatic({ path: "en/", theme: "light" });
  release();
  await isRunning(page);
  await page.locator(".foot label", { hasText: "Dark" }).click();
  await page.unrouteAll({ behavior: "wait" });
  await page.route("**/*.wasm", () => {});
  await page.reload({ waitUntil: "commit" });
  await page.locator("#paste").waitFor();
  // Once its style is there; the program can't be.
  await page.waitForFunction(() => getComputedStyle(document.documentElement).backgroundColor === "rgb(18, 21, 24)");
  assert.equal(await page.locator("#app[data-running]").count(), 0);
  await page.context().close();
});
