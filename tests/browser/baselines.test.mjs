// How the panels look: against the pictures in tests/baselines/, which `cargo xtask baselines` makes anew.

import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { DIST, launch, newPage, start } from './browser.mjs';
import { difference, read, small } from './pictures.mjs';
import { serve } from './server.mjs';
import { ARGS, pinTypeface } from './typeface.mjs';

const PANELS = ['slow-start', 'bdp', 'initial-window'];

const VIEWS = [
  { name: '360', width: 360 },
  { name: '768', width: 768 },
  { name: '1280', width: 1280 },
  { name: 'projector', width: 1280, query: 'font=150' },
];
const THEMES = ['light', 'dark'];

const FOLDER = 'tests/baselines';
/** Where the pictures go that are not as they were. */
const FOUND = 'target/baselines';
/** Pixels that may differ: the machine's own way of drawing a curve, but no digit. */
const TOLERANCE = 60;
const BLESS = process.env.BLESS !== undefined;

const STYLE = `
  *, ::before, ::after { animation: none !important; transition: none !important; }
  section { content-visibility: visible !important; }
  .hero { position: static !important; }`;

let server;
let browser;

before(async () => {
  server = await serve(DIST);
  browser = await launch(ARGS);
  await rm(FOUND, { recursive: true, force: true });
  await mkdir(BLESS ? FOLDER : FOUND, { recursive: true });
});

after(async () => {
  await browser?.close();
  server?.close();
});

const accept = 'Look at both; if it is meant, `cargo xtask baselines` accepts it.';

for (const { name, width, query = '' } of VIEWS) {
  for (const colorScheme of THEMES) {
    test(`the panels look as before: ${name}, ${colorScheme}`, async () => {
      const { page, errors } = await newPage(browser, {
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      await pinTypeface(page, STYLE);
      await start(page, errors, `${server.url}?${query}`);
      // The map is only worked out while it is in sight.
      const map = page.locator('.map');
      await map.scrollIntoViewIfNeeded();
      await map.locator('progress[data-done]').waitFor({ state: 'attached' });
      await settled(page);
      const changed = [];
      for (const panel of PANELS) {
        const file = `${panel}-${name}-${colorScheme}.png`;
        const content = await page.locator(`[data-panel="${panel}"]`).screenshot();
        if (BLESS) await writeFile(`${FOLDER}/${file}`, small(read(content)));
        else changed.push(await compare(file, content));
      }
      await page.context().close();
      assert.deepEqual(errors, []);
      assert.equal(changed.filter(Boolean).join('\n'), '');
    });
  }
}

test('no picture is kept that nothing is compared with', async () => {
  const files = PANELS.flatMap((panel) =>
    VIEWS.flatMap(({ name }) => THEMES.map((theme) => `${panel}-${name}-${theme}.png`)),
  );
  const surplus = (await readdir(FOLDER)).filter((file) => !files.includes(file));
  if (BLESS) for (const file of surplus) await rm(`${FOLDER}/${file}`);
  else assert.deepEqual(surplus, []);
});

/** Waits until the typeface is there and nothing is laid out or painted any more. */
async function settled(page) {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const frame = () => new Promise(requestAnimationFrame);
    for (let same = 0, before = 0; same < 3; ) {
      await frame();
      const now = document.documentElement.scrollHeight;
      same = now === before ? same + 1 : 0;
      before = now;
    }
  });
}

/** What has changed, in words, with pictures of it in the folder FOUND; nothing where all is as before. */
async function compare(file, content) {
  const kept = await readFile(`${FOLDER}/${file}`).catch(() => null);
  if (!kept) return `${FOLDER}/${file} is missing: \`cargo xtask baselines\` makes it.`;
  const { pixels, picture } = difference(read(kept), read(content));
  if (pixels <= TOLERANCE) return null;
  const diff = file.replace('.png', '-diff.png');
  await writeFile(`${FOUND}/${file}`, content);
  await writeFile(`${FOUND}/${diff}`, picture);
  return `${file}: ${pixels} pixels differ, see ${FOUND}/${file} and ${diff}. ${accept}`;
}
