// The picture that other sites show beside a link to the page, taken from the built page:
//   node tests/browser/preview.mjs FILE

import { writeFile } from 'node:fs/promises';
import { DIST, launch, newPage, start } from './browser.mjs';
import { serve } from './server.mjs';
import { ARGS, pinTypeface } from './typeface.mjs';

const SIZE = { width: 1200, height: 630 };
const STYLE = `
  [data-embed] body { padding: 36px 48px 0; overflow: hidden; }
  .panel { padding: 0; border: 0; }
  .stage { display: block; }
  .panel > :not(.stage), .stage > :not(.hero, .charts), .charts .group > :not(.plots), figure:nth-of-type(2) { display: none; }
  .hero { margin-bottom: 12px; padding: 0; font-size: 30px; }
  .hero-number { font-size: 140px; line-height: 1; }
  .plots figure canvas { height: 190px !important; }
  .plots figure:last-of-type canvas { height: 130px !important; }
  .overlay { display: none; }`;

const [file] = process.argv.slice(2);
const server = await serve(DIST);
const browser = await launch(ARGS);
try {
  const { page, errors } = await newPage(browser, { viewport: SIZE });
  await pinTypeface(page, STYLE);
  await start(page, errors, `${server.url}?embed=1&panel=slow-start&theme=light&font=175`);
  // The charts follow their new size.
  await page.waitForTimeout(300);
  await writeFile(file, await page.screenshot());
  if (errors.length > 0) throw new Error(errors.join('\n'));
} finally {
  await browser.close();
  server.close();
}
