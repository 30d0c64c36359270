// What every journey starts with: the built page, open in Chromium, with a watch on all that must not happen.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { chromiumArguments, executablePath } from "../../build/chromium.mjs";
import { serve } from "./server.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The server and the browser, for all journeys of one file; close them when these are done. */
export async function start() {
  const [server, browser] = await Promise.all([serve(), chromium.launch({ executablePath, args: chromiumArguments })]);
  return {
    server,
    browser,
    open: (options) => open(server, browser, options),
    stop: async () => {
      await browser.close();
      await server.close();
    },
  };
}

/**
 * Opens the page and waits until the program runs. `path` is below the built folder ("fr/", "en/?lang=fr", "#v=1"); `language` and
 * `theme` are the browser's; `prepare` is called with the page before anything is asked for; with `running: false` nothing is
 * waited for. The page is Playwright's, with: `requests` (every address asked for), `problems` (whatever went wrong
 * in it), `finish()` (fails if anything did, then closes it).
 */
async function open(server, browser, { path = "", language = "en-GB", theme = "light", width = 1280, height = 900, running = true, prepare = () => {}, ...more } = {}) {
  const context = await browser.newContext({
    locale: language,
    colorScheme: theme,
    viewport: { width, height },
    permissions: ["clipboard-read", "clipboard-write"],
    ...more,
  });
  const page = await context.newPage();
  page.requests = [];
  page.problems = [];
  const problem = (what) => page.problems.push(what);
  context.on("request", (request) => {
    page.requests.push(request.url());
    if (!request.url().startsWith(server.base) && !/^(data|blob):/.test(request.url())) problem(`asked for ${request.url()}`);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problem(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problem(`exception: ${error.message}`));
  page.on("websocket", (socket) => problem(`opened ${socket.url()}`));
  await page.exposeFunction("reportViolation", (what) => problem(`policy: ${what}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => window.reportViolation(`${event.violatedDirective} ${event.blockedURI}`));
  });
  page.finish = async () => {
    assert.deepEqual(page.problems, []);
    await context.close();
  };
  await prepare(page);
  await page.goto(server.base + path, { waitUntil: running ? "load" : "commit" });
  if (running) await isRunning(page);
  return page;
}

/** Waits until the program has taken over the static page. */
export async function isRunning(page) {
  await page.locator("#app[data-running]").waitFor({ state: "attached" });
}

/** Fails with what axe-core finds wrong in the page. */
export async function assertAccessible(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run());
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`),
    [],
  );
}
