// The built page as one file that needs no server and no network:
//   node web/inline.mjs FOLDER FILE
// Every file that index.html loads becomes a part of it; of a file it cannot place, it says so.

import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';

/** For other pages, or pages themselves, and so no part of the one file; nor is what leads to them. */
const LEFT_OUT = ['index.html', 'embed.js', 'demo.html', 'model.html', 'preview.png'];
const LEADING_OUT = /<p data-beside>.*<\/p>\n|<meta property="og:(?:url|image|image:alt)"[^>]*>\n/g;
const TYPES = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

const [folder, target] = process.argv.slice(2);
let page = await readFile(join(folder, 'index.html'), 'utf8');
// What is already there need not be fetched early.
page = page.replace(/<link rel="(?:modulepreload|preload)"[^>]*>/g, '');
page = page.replace('<html ', '<html data-single-file ').replace(LEADING_OUT, '');

for (const name of await readdir(folder)) {
  if (LEFT_OUT.includes(name)) continue;
  const content = await readFile(join(folder, name));
  const address = `./${name}`;
  const link = `<link rel="stylesheet" href="${address}"/>`;
  if (!page.includes(address)) throw new Error(`${name} is built, but index.html does not load it`);
  // A style sheet stays readable; `import` and `fetch` take anything else from an address that holds it.
  page = page.split(link).join(`<style>\n${content}</style>`);
  const type = TYPES[extname(name)];
  if (!type) throw new Error(`${name}: of what type is it?`);
  page = page.split(address).join(`data:${type};base64,${content.toString('base64')}`);
}
const left = page.match(/(?:src|href|from|fetch\()\s*=?\s*["']\.[^"']*/);
if (left) throw new Error(`not inlined: ${left[0]}`);

await mkdir(dirname(target), { recursive: true });
await writeFile(target, page);
console.log(`${target}: ${Buffer.byteLength(page)} bytes`);
