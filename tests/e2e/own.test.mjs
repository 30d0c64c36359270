// A model's own file, dropped or chosen: the calculator takes it, says what was read, and nothing is sent.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, start } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.stop());

const WORDS = {
  en: { size: "Size a job", model: "Model", config: /596 million|596,042,752|0.6/, gguf: /Read from the GGUF file: Tiny/, cut: /breaks off/, remove: "Take the file’s model out", log: /0.88 GiB/ },
  fr: { size: "Dimensionner", model: "Modèle", config: /596/, gguf: /Lu dans le fichier GGUF.: Tiny/, cut: /s’interrompt/, remove: "Retirer le modèle du fichier", log: /0,88/ },
};

const CONFIG = JSON.stringify({
  architectures: ["Qwen3ForCausalLM"], model_type: "qwen3", hidden_size: 1024, intermediate_size: 3072, num_hidden_layers: 28, head_dim: 128,
  num_attention_heads: 16, num_key_value_heads: 8, vocab_size: 151936, tie_word_embeddings: true, max_position_embeddings: 40960, torch_dtype: "bfloat16",
});
const ERROR = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.";

/** A small GGUF file: a number for each name, then one tensor for each layer, all in F16. */
function gguf() {
  const parts = [];
  const number = (value, size) => {
    const bytes = Buffer.alloc(size);
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value));
    else bytes.writeUInt32LE(value);
    parts.push(bytes);
  };
  const text = (words) => {
    number(words.length, 8);
    parts.push(Buffer.from(words));
  };
  const facts = { block_count: 4, context_length: 4096, embedding_length: 256, feed_forward_length: 512, "attention.head_count": 4 };
  const tensors = ["token_embd", "blk.0.ffn_up", "blk.1.ffn_up", "blk.2.ffn_up", "blk.3.ffn_up"];
  parts.push(Buffer.from("GGUF"));
  number(3, 4);
  number(tensors.length, 8);
  number(Object.keys(facts).length + 3, 8);
  for (const [name, value] of [["general.architecture", "llama"], ["general.name", "Tiny"]]) {
    text(name);
    number(8, 4);
    text(value);
  }
  text("general.file_type");
  number(4, 4);
  number(1, 4);
  for (const [name, value] of Object.entries(facts)) {
    text(`llama.${name}`);
    number(4, 4);
    number(value, 4);
  }
  const size = 256 * 1024 * 2;
  tensors.forEach((name, at) => {
    text(`${name}.weight`);
    number(2, 4);
    number(256, 8);
    number(1024, 8);
    number(1, 4);
    number(at * size, 8);
  });
  return Buffer.concat([...parts, Buffer.alloc(32 + tensors.length * size)]);
}

const chosen = (page, ...files) => page.locator("#choose-model").setInputFiles(files.map(([name, text]) => ({ name, mimeType: "", buffer: Buffer.from(text) })));
const model = (page, words) => page.getByRole("combobox", { name: words.model, exact: true });

/** Drops a file anywhere. */
async function drop(page, name, text) {
  const transfer = await page.evaluateHandle(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

for (const [language, words] of Object.entries(WORDS)) {
  test(`${language}: a config.json dropped anywhere leads to the calculator with its model, and nothing is asked for`, async () => {
    const page = await site.open({ path: `${language}/` });
    await page.waitForLoadState("networkidle");
    const asked = page.requests.length;
    await drop(page, "config.json", CONFIG);
    await page.locator(".told").filter({ hasText: "config.json" }).waitFor();
    assert.equal(page.requests.length, asked);
    await page.locator(".told button").last().click();
    await page.locator(".own li").first().waitFor({ state: "visible" });
    assert.match(await page.locator(".own li").first().textContent(), words.config);
    assert.equal(await model(page, words).inputValue(), "config.json");
    await page.locator(".outcome h2").filter({ hasText: /\d/ }).waitFor();
    // The link has the list's model of the same shape.
    assert.match(await page.evaluate(() => location.hash), /m=qwen3-0\.6b/);
    await assertAccessible(page);
    await page.getByText(words.remove, { exact: true }).click();
    assert.equal(await model(page, words).inputValue(), "");
    await page.finish();
  });

  test(`${language}: a GGUF file is counted tensor by tensor; a damaged file is told; a log opens the reader`, async () => {
    const page = await site.open({ path: `${language}/` });
    await page.getByText(words.size, { exact: true }).click();
    await chosen(page, ["tiny.gguf", gguf()]);
    await page.locator(".own li").filter({ hasText: words.gguf }).waitFor();
    assert.equal(await model(page, words).inputValue(), "Tiny");
    // Another file takes its place.
    await chosen(page, ["config.json", CONFIG]);
    await page.waitForFunction(() => document.querySelector("[role=combobox]").value === "config.json");
    await chosen(page, ["config.json", CONFIG.slice(0, 200)]);
    await page.locator(".own li").filter({ hasText: words.cut }).waitFor();
    assert.equal(await model(page, words).inputValue(), "config.json", "the model that was read is lost");
    await chosen(page, ["run.log", ERROR]);
    await page.locator(".headline").filter({ hasText: words.log }).waitFor();
    await page.finish();
  });
}

test("a log in JSON is read as a log", async () => {
  const page = await site.open({ path: "en/" });
  await drop(page, "log.json", JSON.stringify({ log: ERROR, stream: "stderr" }) + "\n");
  await page.locator(".headline").filter({ hasText: /0.88 GiB/ }).waitFor();
  await page.finish();
});
