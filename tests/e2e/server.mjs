// A plain file server for the built page, under a folder as on any web host; it writes down every request.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const DIST = join(import.meta.dirname, "../../dist");
const FOLDER = "/some/folder/";
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".ftl": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Serves dist/ on a free port. `base` is the page's address; `requests` the paths below it, as they come;
 * a path in `broken` is answered with 404.
 */
export async function serve() {
  const requests = [];
  const broken = new Set();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    requests.push(pathname.startsWith(FOLDER) ? pathname.slice(FOLDER.length) : pathname);
    const path = normalize(decodeURIComponent(pathname.slice(FOLDER.length)));
    const file = pathname.endsWith("/") ? join(path, "index.html") : path;
    const bytes = pathname.startsWith(FOLDER) && !path.startsWith("..") && !broken.has(path) && (await readFile(join(DIST, file)).catch(() => null));
    if (!bytes) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "max-age=60" });
    response.end(bytes);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    base: `http://127.0.0.1:${server.address().port}${FOLDER}`,
    requests,
    broken,
    close: () => (server.closeAllConnections(), new Promise((closed) => server.close(closed))),
  };
}
