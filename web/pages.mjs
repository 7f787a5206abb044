// What the built page has beside itself, made by Trunk once it has built that (see Trunk.toml):
// docs/model.md as model.html, and in index.html where the preview picture is on the web.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { marked } from 'marked';

const { TRUNK_SOURCE_DIR: source, TRUNK_STAGING_DIR: built, SITE: site } = process.env;

const index = await readFile(join(built, 'index.html'), 'utf8');
const style = index.match(/<link rel="stylesheet"[^>]*>/)?.[0];
const looks = index.match(/<script>[^]*?<\/script>/)?.[0];
if (!style || !looks) throw new Error('index.html has no style sheet, or no script that reads the theme');

const text = await marked.parse(await readFile(join(source, 'docs/model.md'), 'utf8'));
const title = text.match(/<h1>(.*?)<\/h1>/)[1];
// A wide table is drawn aside on a narrow screen, by keyboard too.
const content = text
  .replace(/<h1>.*<\/h1>\n/, '')
  .replaceAll('<table>', '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>')
  .replaceAll('</table>', '</table></div>')
  .replaceAll('<th>', '<th scope="col">');
await writeFile(
  join(built, 'model.html'),
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${looks}
${style}
<style>
.wide { max-width: var(--wide) !important; overflow-x: auto; }
.wide table { min-width: 62rem; }
.wide :is(th, td) { text-align: left; vertical-align: top; font-weight: 400; }
.wide thead th { font-weight: 600; }
</style>
</head>
<body>
<header><h1>${title}</h1><p><a href="./">Back to the page</a></p></header>
<main><article>
${content}</article></main>
</body>
</html>
`,
);

// Most sites that show a preview take its whole address only.
if (site) {
  const here = site.replace(/\/*$/, '/');
  const meta = (property, content) => `<meta property="og:${property}" content="${content}">`;
  const picture = meta('image', 'preview.png');
  if (!index.includes(picture)) throw new Error(`index.html lacks ${picture}`);
  const whole = `${meta('url', here)}\n${meta('image', `${here}preview.png`)}`;
  await writeFile(join(built, 'index.html'), index.replace(picture, whole));
}
