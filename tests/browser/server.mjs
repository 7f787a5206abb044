// Serves the built page from a subfolder, as an article's host would.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const MIME = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  // Anything else, and the browser cannot compile while it downloads.
  '.wasm': 'application/wasm',
};

/**
 * The server of `folder`, at a free port: { url, close }. `headers` are sent with every file; `pages`
 * are served beside the files, as { 'name.html': 'content' }.
 */
export async function serve(folder, path = '/some/sub/folder/', { headers = {}, pages = {} } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    // Only what is below the subfolder exists, so that an absolute path in the page is a 404.
    const inside = pathname.startsWith(path) && normalize('/' + pathname.slice(path.length));
    try {
      const file = inside.endsWith('/') ? inside + 'index.html' : inside;
      const content = pages[file.slice(1)] ?? (await readFile(join(folder, file)));
      const type = MIME[extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, ...headers }).end(content);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${path}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
