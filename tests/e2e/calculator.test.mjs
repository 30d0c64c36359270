// The calculator: a model and a card give a verdict, levers are solved and applied, the link holds it all, a paste fills it in.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, start } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.stop());

// What each language says.
const WORDS = {
  en: {
    model: "Model", card: "Card", context: "Context in tokens", users: "Requests at once", format: "Number format", count: "How many",
    size: "Size a job", read: "Read an error", fits: /^It fits/, no: /^It does not fit/, apply: /Apply \(Longest context\)$/,
    more: "Engine, KV cache, memory in use", held: "Held by something else", unreadable: /can’t be read/, comma: "1,5 GiB", held15: "1.50 GiB",
    per: /256 KiB/, gigabyte: "GiB",
  },
  fr: {
    model: "Modèle", card: "Carte", context: "Contexte en tokens", users: "Requêtes simultanées", format: "Format des nombres", count: "Combien",
    size: "Dimensionner", read: "Lire une erreur", fits: /^Cela tient, /, no: /^Cela ne tient pas/, apply: /Appliquer \(Contexte le plus long\)$/,
    more: "Moteur, KV cache, mémoire occupée", held: "Occupée par autre chose", unreadable: /n’est pas un nombre lisible/, comma: "1,5 Gio", held15: "1,50 Gio",
    per: /256.Kio/, gigabyte: "Gio",
  },
};

const PASTE = `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.
Process 4711 has 9.80 GiB memory in use. Including non-PyTorch memory, this process has 12.70 GiB memory in use. Of the allocated memory 11.80 GiB is allocated by PyTorch, and 210.00 MiB is reserved by PyTorch but unallocated.`;

const headline = (page) => page.locator(".outcome h2");
const says = async (page, pattern) => {
  await page.waitForFunction(([text]) => new RegExp(text).test(document.querySelector(".outcome h2")?.textContent.trim() ?? ""), [pattern.source]);
};
const fragment = (page) => page.evaluate(() => location.hash.slice(1));
const pick = async (page, label, words) => {
  const box = page.getByRole("combobox", { name: label, exact: true });
  await box.fill(words);
  await page.keyboard.press("Enter");
};

for (const [language, words] of Object.entries(WORDS)) {
  test(`${language}: a model and a card are picked by keyboard, the longest context is applied, and it fits`, async () => {
    const page = await site.open({ path: `${language}/` });
    await page.getByText(words.size, { exact: true }).click();
    await pick(page, words.model, "qwen3 32b");
    assert.equal(await page.getByRole("combobox", { name: words.model, exact: true }).inputValue(), "Qwen3-32B");
    await pick(page, words.card, "4090");
    await page.getByLabel(words.format, { exact: true }).selectOption("q4_k_m");
    await page.getByLabel(words.context, { exact: true }).fill("32k");
    await says(page, words.no);
    await assertAccessible(page);
    assert.match(await page.locator(".outcome").textContent(), words.per);
    await page.getByRole("button", { name: words.apply }).first().click();
    await says(page, words.fits);
    assert.match(await fragment(page), /^v=1&m=qwen3-32b&q=q4_k_m&c=\d+&g=rtx-4090$/);
    // The field shows the applied value in the reader's numbers, and a step more does not fit any longer.
    const context = page.getByLabel(words.context, { exact: true });
    const applied = Number((await fragment(page)).match(/c=(\d+)/)[1]);
    assert.equal(await context.inputValue(), applied.toLocaleString(language));
    assert.deepEqual(page.requests.filter((address) => !address.startsWith(site.server.base) && !address.startsWith("data:")), []);
    await assertAccessible(page);
    await page.finish();
  });

  test(`${language}: point and comma are read, what can't be is said beside the field and kept`, async () => {
    const page = await site.open({ path: `${language}/#v=1&m=llama-3.1-8b&g=rtx-4090` });
    await page.getByText(words.more, { exact: true }).click();
    const held = page.getByLabel(words.held, { exact: true });
    await held.fill("1,5");
    await page.waitForFunction(() => location.hash.includes("held=1536mib"));
    assert.equal(await held.inputValue(), "1,5");
    await held.fill("1.5");
    assert.match(await fragment(page), /held=1536mib/);
    await held.press("ArrowUp");
    assert.equal((await held.inputValue()).replace("\u00a0", " "), language === "fr" ? "2,00 Gio" : "2.00 GiB");
    for (const bad of ["twelve", "-3", "NaN", "1e999"]) {
      await held.fill(bad);
      assert.equal(await held.getAttribute("aria-invalid"), "true", bad);
      const note = page.locator(`#${(await held.getAttribute("aria-describedby")).split(" ")[0]}`);
      assert.ok((await note.textContent()).includes(bad), bad);
      assert.equal(await held.inputValue(), bad);
    }
    await assertAccessible(page);
    await page.finish();
  });
}

test("a link opens with its result, back and forward go through the picks", async () => {
  const page = await site.open({ path: "en/#v=1&m=qwen3-32b&q=q4_k_m&c=8192&g=rtx-4090" });
  await page.locator(".calculator h1:not(.coming)").waitFor();
  await says(page, /^It fits|^Tight/);
  const first = await headline(page).textContent();
  await page.getByLabel("Number format", { exact: true }).selectOption("bf16");
  await says(page, /^It does not fit/);
  await pick(page, "Card", "h100 80");
  const withCard = await fragment(page);
  assert.match(withCard, /^v=1&m=qwen3-32b&g=h100/);
  await page.goBack();
  await says(page, /^It does not fit/);
  await page.goBack();
  assert.equal(await headline(page).textContent(), first);
  assert.equal(await page.getByLabel("Number format", { exact: true }).inputValue(), "q4_k_m");
  await page.goForward();
  await page.goForward();
  assert.equal(await fragment(page), withCard);
  await says(page, /^Tight|^It fits|^It does not fit/);
  await page.finish();
});

test("typing replaces the address once it rests, and leaves no steps behind", async () => {
  const page = await site.open({ path: "en/#v=1&m=qwen3-8b&g=rtx-4090" });
  const steps = await page.evaluate(() => history.length);
  const context = page.getByLabel("Context in tokens", { exact: true });
  await context.fill("1");
  await context.pressSequentially("6384");
  await page.waitForFunction(() => location.hash.includes("c=16384"));
  assert.equal(await page.evaluate(() => history.length), steps);
  await page.finish();
});

test("what a link says wrongly is named, unknown keys are kept, and the copied link reads back", async () => {
  const page = await site.open({ path: "en/#v=1&m=qwen3-8b&c=nonsense&g=rtx-4090&zz=9" });
  assert.match(await page.locator(".notes.notice").textContent(), /nonsense/);
  await page.getByLabel("Requests at once", { exact: true }).fill("3");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /\/en\/#v=1&m=qwen3-8b&u=3&g=rtx-4090&zz=9$/);
  const other = await site.open({ path: link.slice(site.server.base.length) });
  assert.equal(await other.getByLabel("Requests at once", { exact: true }).inputValue(), "3");
  assert.equal(await other.locator(".outcome h2").textContent(), await headline(page).textContent());
  await other.finish();
  await page.finish();
});

test("the pasted text fills in card and memory in use, says so, can be taken back, and never comes into the link", async () => {
  const page = await site.open({ path: "en/" });
  await page.locator("#paste").fill(PASTE);
  await page.getByRole("button", { name: "Size a job for it" }).click();
  assert.match(await page.locator("p.told").textContent(), /23\.65 GiB.*9\.80 GiB held/);
  await pick(page, "Model", "llama 3.1 8b");
  assert.match(await fragment(page), /^v=1&m=llama-3\.1-8b.*&g=\d+b?.*&held=/);
  assert.doesNotMatch(await fragment(page), /torch|process|4711/i);
  await page.locator("p.told button").click();
  assert.doesNotMatch(await fragment(page), /held|&g=/);
  await page.locator("p.told button").click();
  assert.match(await fragment(page), /held=/);
  // Corrected by hand, it stays corrected.
  await pick(page, "Card", "3090");
  await page.getByText("Read an error", { exact: true }).click();
  await page.locator("#paste").press("End");
  await page.locator("#paste").pressSequentially("\n");
  await page.getByText("Size a job", { exact: true }).click();
  assert.match(await fragment(page), /g=rtx-3090/);
  await page.finish();
});

test("two scenarios side by side, the second in the link too", async () => {
  const page = await site.open({ path: "en/#v=1&m=qwen3-32b&q=q4_k_m&g=rtx-4090" });
  await page.getByRole("button", { name: "Compare with a second" }).click();
  await page.getByLabel("Number format", { exact: true }).selectOption("fp8");
  assert.match(await fragment(page), /&b\.q=fp8$/);
  const verdicts = page.locator(".compared .fit");
  assert.match(await verdicts.nth(1).textContent(), /does not fit/);
  await assertAccessible(page);
  await page.reload();
  await page.locator(".compared").waitFor();
  assert.match(await page.locator(".compared .fit").nth(1).textContent(), /does not fit/);
  await page.getByRole("button", { name: "End the comparison" }).click();
  assert.doesNotMatch(await fragment(page), /b\./);
  assert.equal(await page.getByLabel("Number format", { exact: true }).inputValue(), "q4_k_m");
  await page.finish();
});

test("training is sized, and what runs on the card is listed and can be taken", async () => {
  const page = await site.open({ path: "en/#v=1&t=train&m=qwen3-8b&g=rtx-4090&tm=qlora" });
  await says(page, /^It fits|^Tight/);
  await page.getByLabel("Method", { exact: true }).selectOption("full");
  await says(page, /^It does not fit/);
  await page.getByText("Answer", { exact: true }).click();
  await page.getByText("What runs on this card?").click();
  const rows = page.locator(".reverse tbody tr");
  await rows.first().waitFor();
  assert.equal(await rows.count(), 15);
  await page.getByRole("button", { name: "Show more" }).click();
  assert.equal(await rows.count(), 30);
  await assertAccessible(page);
  const name = await rows.nth(3).getByRole("button").textContent();
  await rows.nth(3).getByRole("button").click();
  await says(page, /^It fits/);
  assert.equal(await page.getByRole("combobox", { name: "Model" }).inputValue(), name.trim());
  await page.finish();
});

test("typed parameters alone are a model, and a typed amount is a card", async () => {
  const page = await site.open({ path: "en/#v=1&q=q4_k_m" });
  await pick(page, "Model", "13B");
  await pick(page, "Card", "24 GB");
  await page.waitForFunction(() => /p=13b/.test(location.hash));
  assert.match(await fragment(page), /g=24000000000b/);
  await says(page, /^It fits|^Tight/);
  await page.finish();
});

test("a name that is not there is said and kept, and Escape brings the model back", async () => {
  const page = await site.open({ path: "en/#v=1&m=qwen3-8b" });
  const model = page.getByRole("combobox", { name: "Model", exact: true });
  await model.fill("no such thing");
  await model.press("Tab");
  assert.equal(await model.inputValue(), "no such thing");
  assert.equal(await model.getAttribute("aria-invalid"), "true");
  assert.match(await page.locator(`#${await model.getAttribute("aria-describedby")}`).textContent(), /no such thing/);
  await model.press("Escape");
  assert.equal(await model.inputValue(), "Qwen3-8B");
  await page.finish();
});

for (const [language, words] of Object.entries({
  en: { size: "Size a job", task: "Image or video", model: "Model", format: "Denoiser’s format", frames: "Frames", apply: /Apply \(Longest video, in frames\)$/, fits: /^It fits/, stage: /fullest stage, shown here: Denoising/, reverse: "What runs on this card?" },
  fr: { size: "Dimensionner", task: "Image ou vidéo", model: "Modèle", format: "Format du débruiteur", frames: "Images de la vidéo", apply: /Appliquer \(Vidéo la plus longue, en images\)$/, fits: /^Cela tient, /, stage: /étape la plus gourmande, montrée ici.: Débruitage/, reverse: "Quels modèles tournent sur cette carte" },
})) {
  test(`${language}: a video model is picked, its frames are solved and applied, and the fullest stage is named`, async () => {
    const page = await site.open({ path: `${language}/#v=1&g=rtx-5090` });
    await page.getByText(words.task, { exact: true }).click();
    await pick(page, words.model, "wan 2.2 t2v");
    assert.equal(await page.getByRole("combobox", { name: words.model, exact: true }).inputValue(), "Wan 2.2 T2V A14B");
    assert.match(await fragment(page), /^v=1&t=video&m=wan2\.2-t2v-a14b&g=rtx-5090&res=1280x720&fr=81&off=comfyui$/);
    await page.getByLabel(words.format, { exact: true }).selectOption("fp8");
    await page.getByRole("button", { name: words.apply }).first().click();
    await says(page, words.fits);
    assert.match(await page.locator(".outcome").textContent(), words.stage);
    const frames = page.getByLabel(words.frames, { exact: true });
    const applied = Number(await frames.inputValue());
    assert.equal(applied % 4, 1);
    await frames.press("ArrowUp");
    assert.equal(Number(await frames.inputValue()), applied + 4);
    await says(page, /^(?!It fits|Cela tient, )/);
    await page.locator(".reverse summary").click();
    await page.locator(".reverse tbody tr").first().waitFor();
    await assertAccessible(page);
    await page.finish();
  });
}

test("an image model goes when the task does, and comes with its link", async () => {
  const page = await site.open({ path: "en/#v=1&t=image&m=flux.1-dev&q=fp8&tq=fp8&off=comfyui&g=rtx-4090" });
  await says(page, /^It fits/);
  assert.ok(!(await page.getByLabel("Frames", { exact: true }).isVisible()));
  assert.ok(!(await page.getByText("Type the architecture", { exact: true }).isVisible()));
  await page.getByText("Offload, tiles, LoRA, ControlNet, memory in use", { exact: true }).click();
  await page.getByLabel("Offload", { exact: true }).selectOption("none");
  assert.match(await page.locator(".outcome").textContent(), /fullest stage, shown here: VAE decoding/);
  await page.getByText("Answer", { exact: true }).click();
  assert.doesNotMatch(await fragment(page), /flux/);
  await page.goBack();
  await says(page, /^It fits|^Tight/);
  assert.match(await fragment(page), /m=flux\.1-dev/);
  await page.finish();
});

test("the calculator fits a narrow screen in both languages", async () => {
  for (const language of ["en", "fr"]) {
    const page = await site.open({ path: `${language}/#v=1&m=qwen3-32b&q=q4_k_m&g=rtx-4090&b.q=fp8`, width: 320 });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok((await width()) <= 320, `${language}: ${await width()} px wide`);
    await page.evaluate(() => (location.hash = "#v=1&t=video&m=wan2.2-t2v-a14b&g=rtx-4090&res=1280x720&fr=81&off=comfyui"));
    await page.locator(".needs li:visible").first().waitFor();
    assert.ok((await width()) <= 320, `${language}: ${await width()} px wide`);
    await page.finish();
  }
});

test("colours forced by the system leave what is chosen readable", async () => {
  const page = await site.open({ path: "en/#v=1&m=qwen3-32b&q=q4_k_m&c=16384&g=rtx-4090", forcedColors: "active" });
  await page.getByRole("combobox", { name: "Card", exact: true }).fill("40");
  await page.keyboard.press("ArrowDown");
  // The browser's own plate behind the words would hide them.
  for (const chosen of ['.views label:has(:checked)', '[role="option"][aria-selected="true"]']) {
    const [adjust, ground, ink] = await page.locator(chosen).evaluate((it) => {
      const { forcedColorAdjust, backgroundColor, color } = getComputedStyle(it);
      return [forcedColorAdjust, backgroundColor, color];
    });
    assert.equal(adjust, "none", chosen);
    assert.notEqual(ground, ink, chosen);
  }
  await assertAccessible(page);
  await page.finish();
});
