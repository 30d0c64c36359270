// What the calculator says beyond one job: settings of engines, where layers go, every model on every card, how sure it is.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, start } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.stop());

const WORDS = {
  en: {
    advanced: "Advanced", more: "Engine, KV cache, memory in use", share: "Share of the card", steps: "Tokens in one step", set: "1 set",
    article: /0\.92 \(vLLM from 0\.21 on; before, 0\.90, the article’s 90%\)/, layers: /^\d+ of 49 layers on the card: /, spills: /^It does not fit whole: about .*GiB goes to system memory/,
    table: "Every model on every card", models: "Models whose name has", cards: "Cards whose name has", count: /^(\d+) models on (\d+) cards$/, far: /^up to [\d,]+$/,
    sure: "How sure are these numbers?", exact: "Exact quantities", dots: "MB", source: /^From your paste: .*max_seq_len.*4096/, says: /^Your paste says: /, undo: "Undo",
  },
  fr: {
    advanced: "Avancé", more: "Moteur, KV cache, mémoire occupée", share: "Part de la carte", steps: "Tokens par étape", set: "1 en place",
    article: /0,92 \(vLLM depuis 0\.21.; avant, 0,90, les 90.% de l’article\)/, layers: /^\d+ des 49 couches sur la carte.: /, spills: /^Cela ne tient pas en entier.: environ .*Gio passent en mémoire système/,
    table: "Chaque modèle sur chaque carte", models: "Modèles dont le nom contient", cards: "Cartes dont le nom contient", count: /^Modèles.: (\d+).; cartes.: (\d+)$/, far: /^jusqu’à [\d\u202f]+$/,
    sure: "À quel point ces chiffres sont-ils sûrs", exact: "Grandeurs exactes", dots: "Mo", source: /^D’après votre texte.: .*max_seq_len.*4096/, says: /^Votre texte dit.: /, undo: "Annuler",
  },
};

const PASTE = "ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (14336). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.\n";
const fragment = (page) => page.evaluate(() => location.hash.slice(1));
const headline = (page, pattern) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector(".outcome h2")?.textContent.trim() ?? ""), pattern.source);
const narrow = async (page, width) => assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, "wider than the screen");
const open = (page, words) => page.locator("summary:visible", { hasText: words }).click();

for (const [language, words] of Object.entries(WORDS)) {
  test(`${language}: an engine's settings stand beside its defaults, and what is set is counted where it is folded`, async () => {
    const page = await site.open({ path: `${language}/#v=1&m=llama-3.1-8b&e=vllm&g=l40s`, width: 320 });
    await open(page, words.more);
    const share = page.getByLabel(words.share, { exact: true });
    assert.match(await page.locator(`#${(await share.getAttribute("aria-describedby")).split(" ")[1]}`).textContent(), words.article);
    await share.fill(language === "fr" ? "0,85" : "0.85");
    await page.waitForFunction(() => location.hash.includes("util=0.85"));
    await share.press("ArrowDown");
    await page.waitForFunction(() => location.hash.includes("util=0.84"));
    await open(page, words.advanced);
    await page.getByLabel(words.steps, { exact: true }).fill("8k");
    await page.waitForFunction(() => location.hash.includes("bt=8192"));
    assert.match(await page.locator("summary:visible", { hasText: words.advanced }).textContent(), new RegExp(words.set));
    await page.locator("code.option", { hasText: "--max-num-batched-tokens" }).waitFor();
    await assertAccessible(page);
    await narrow(page, 320);
    await page.finish();
  });

  test(`${language}: where layers go is a bar and a sentence, and the verdict says that the engine spills`, async () => {
    const page = await site.open({ path: `${language}/#v=1&m=qwen3-30b-a3b&q=q4_k_m&e=ollama&c=32768&g=rtx-4070` });
    await headline(page, words.spills);
    assert.match(await page.locator(".placed > p").first().textContent(), words.layers);
    assert.equal(await page.locator(".placed rect").count(), 2);
    await assertAccessible(page);
    await page.finish();
  });

  test(`${language}: every model stands on every card; what is in sight is drawn, and names are taken over`, async () => {
    const page = await site.open({ path: `${language}/#v=1&m=qwen3-8b&q=q4_k_m&g=rtx-4090` });
    await open(page, words.table);
    const status = page.locator(".matrix [role=status]");
    await page.locator(".window tbody th").first().waitFor();
    const [, models, cards] = words.count.exec(await status.textContent());
    assert.ok(models > 100 && cards > 80, `${models} models, ${cards} cards`);
    const drawn = await page.locator(".window td:not(.gap)").count();
    assert.ok(drawn > 50 && drawn < 600, `${drawn} cells are drawn`);
    await page.locator(".window .small", { hasText: words.far }).first().waitFor();
    await assertAccessible(page);
    // By keyboard to its end: other rows are drawn, and the table is as high as before.
    const height = () => page.locator(".window").evaluate((it) => it.scrollHeight);
    const before = await height();
    const first = await page.locator(".window tbody th").first().textContent();
    await page.locator(".window").focus();
    await page.keyboard.press("End");
    await page.waitForFunction((first) => document.querySelector(".window tbody th").textContent !== first, first);
    assert.equal(await height(), before);
    await page.getByLabel(words.models, { exact: true }).fill("qwen3 32b");
    await page.getByLabel(words.cards, { exact: true }).fill("5090");
    await page.waitForFunction(() => document.querySelectorAll(".window thead button").length === 1);
    const cell = page.locator(".window tbody tr:has(th)").first().locator("td:not(.gap)");
    assert.match(await cell.textContent(), /✓/);
    await page.locator(".window tbody button").first().click();
    await page.locator(".window thead button").click();
    assert.match(await fragment(page), /m=qwen3-32b&q=q4_k_m&g=rtx-5090/);
    await headline(page, language === "fr" ? /^Cela tient, / : /^It fits/);
    await page.finish();
  });

  test(`${language}: how sure the numbers are is fetched when it is opened, and can be had later`, async () => {
    const page = await site.open({ path: `${language}/#v=1&m=qwen3-8b&g=rtx-4090` });
    const asked = () => page.requests.filter((address) => address.includes("/accuracy-")).length;
    await page.locator(".calculator h1:not(.coming)").waitFor();
    assert.equal(asked(), 0);
    await page.context().setOffline(true);
    await open(page, words.sure);
    await page.locator(".accuracy [role=alert]").waitFor();
    await page.context().setOffline(false);
    page.problems.length = 0;
    await open(page, words.sure);
    await page.locator(".accuracy > summary").focus();
    await page.keyboard.press("Enter");
    await page.locator(".plot circle").first().waitFor();
    assert.ok((await page.locator(".plot circle").count()) > 200);
    assert.ok((await page.locator(".accuracy tbody th").allTextContents()).includes(words.exact));
    assert.ok((await page.locator(".plot text").allTextContents()).some((text) => text.includes(words.dots)));
    await assertAccessible(page);
    await page.finish();
  });

  test(`${language}: what a paste filled in says from which line, and what it says once it is corrected`, async () => {
    const page = await site.open({ path: `${language}/` });
    await page.locator("#paste").fill(PASTE);
    await page.locator("section.told button").click();
    const context = page.locator("#calc-context");
    await context.waitFor();
    const source = page.locator(".number:has(#calc-context) .source");
    assert.equal((await context.inputValue()).replace(/\D/g, ""), "32768");
    assert.match(await source.textContent(), new RegExp(words.source.source.replace("max_seq_len.*4096", "32768")));
    await context.fill("8192");
    await page.waitForFunction((text) => new RegExp(text).test(document.querySelector(".number:has(#calc-context) .source").textContent), words.says.source);
    await page.getByRole("button", { name: words.undo }).or(page.locator("p.told button")).first().click();
    await assertAccessible(page);
    await page.finish();
  });
}

test("on a phone the verdict stays at the foot while the inputs fill the screen", async () => {
  const page = await site.open({ path: "en/#v=1&m=qwen3-32b&q=q4_k_m&g=rtx-4090", width: 360, height: 640 });
  const peek = page.locator(".peek");
  await peek.waitFor();
  await page.locator("#calc-context").scrollIntoViewIfNeeded();
  const { y, height } = await peek.boundingBox();
  assert.ok(y + height <= 640 && y > 400, `at ${y}`);
  assert.equal(await peek.textContent(), await page.locator(".outcome h2").textContent());
  await page.finish();
});

test("the table is wider than a phone, the page is not; forced colours leave it readable", async () => {
  const page = await site.open({ path: "fr/#v=1&m=qwen3-8b&q=q4_k_m&g=rtx-4090", width: 320, forcedColors: "active" });
  await page.locator(".matrix > summary").click();
  await page.locator(".window tbody th").first().waitFor();
  await page.locator(".accuracy > summary").click();
  await page.locator(".plot circle").first().waitFor();
  await narrow(page, 320);
  await assertAccessible(page);
  await page.finish();
});
