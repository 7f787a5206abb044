// Screenshots of the built page, for people to look at:
//   node tests/browser/shots.mjs [folder [query ...]]
// A query is what follows the page's address, for example '?rtt=100'.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DIST, launch, newPage, start } from './browser.mjs';
import { serve } from './server.mjs';

// The states worth a look when none are named.
const QUERIES = [''];

const SIZES = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1280, height: 800, scale: 2 },
];

const [folder = 'target/shots', ...named] = process.argv.slice(2);
const queries = named.length > 0 ? named : QUERIES;
await mkdir(folder, { recursive: true });

const server = await serve(DIST);
const browser = await launch();
let failed = false;
try {
  for (const query of queries) {
    for (const { width, height, scale = 1 } of SIZES) {
      for (const colorScheme of ['light', 'dark']) {
        const { page, errors } = await newPage(browser, {
          viewport: { width, height },
          deviceScaleFactor: scale,
          colorScheme,
        });
        await start(page, errors, server.url + query);
        const state = query.replace(/[^\w.=-]+/g, '_').replace(/^_/, '') || 'default';
        const size = scale === 1 ? width : `${width}@${scale}x`;
        const file = join(folder, `${state}-${size}-${colorScheme}.png`);
        await page.screenshot({ path: file, fullPage: true });
        console.log(file);
        for (const error of errors) {
          failed = true;
          console.error(`  ${error}`);
        }
        // What does not fit is easily overlooked in a picture.
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (overflow > 0) console.log(`  wider than the window by ${overflow} px`);
        await page.context().close();
      }
    }
  }
} finally {
  await browser.close();
  server.close();
}
if (failed) process.exit(1);
