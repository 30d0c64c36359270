// How the tests start Chromium. Run as a program it prints the webdriver.json for wasm-bindgen-test-runner.

/** The browser that ./dev has found, or Debian's. */
export const executablePath = process.env.CHROMIUM || "/usr/bin/chromium";

/** Quiet; and without its sandbox for root, where it refuses to start with one. */
export const chromiumArguments = [
  "--headless",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify({ "goog:chromeOptions": { binary: executablePath, args: chromiumArguments } }));
}
