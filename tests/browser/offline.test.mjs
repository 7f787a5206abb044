// The page as one file, opened without any server, as teachers pass it around.

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { start } from './browser.mjs';
import { checkAccessibility, openEmpty } from './harness.mjs';

const FILE = pathToFileURL(resolve('target/offline/slow-start.html')).href;

/** The file, started, with the list of what it has asked for beside itself. */
async function openFile(query = '', options = {}) {
  const { page, errors } = await openEmpty(options);
  const requests = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:') && url !== FILE + query) requests.push(url);
  });
  await start(page, errors, FILE + query);
  return { page, requests };
}

const hero = (page) => page.locator('.hero-number').first();

test('it starts from its file and asks for nothing', async () => {
  const { page, requests } = await openFile();
  assert.equal(await hero(page).textContent(), '531 ms');
  assert.deepEqual(requests, []);
  await checkAccessibility(page);
});

test('its address is read, and follows what is set', async () => {
  const { page, requests } = await openFile('?size=64KB&iw=46&theme=dark&font=125');
  assert.equal(await hero(page).textContent(), '79 ms');
  assert.equal(await page.getByLabel('Theme').inputValue(), 'dark');
  await page.locator('#slow-start-iw').focus();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => location.search.includes('iw=1'));
  const search = new URLSearchParams(await page.evaluate(() => location.search));
  search.sort();
  assert.equal(String(search), 'font=125&iw=1&size=64KB&theme=dark');
  assert.deepEqual(requests, []);
});

test('it says how far its link leads', async () => {
  const { page } = await openFile('?size=64KB');
  await page.locator('#slow-start .export summary').click();
  await page.locator('#slow-start').getByText('the link works on this computer only').waitFor();
});

test('it copies the code of a frame beside it', async () => {
  const { page } = await openFile('', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Embed this' }).first().click();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.locator('textarea').count(), 1);
  assert.match(await dialog.locator('textarea').inputValue(), /^<iframe src="slow-start\.html\?embed=1&amp;/);
  await dialog.getByRole('button', { name: /^Copy/ }).click();
  await page.waitForFunction(() => document.querySelector('dialog .copied').textContent === 'Copied.');
});

test('in the strictest sandbox it needs no word from its host', async () => {
  const { page } = await openEmpty();
  await page.goto(FILE);
  await page.setContent(
    `<iframe title="Panel" sandbox="allow-scripts" src="${FILE}?embed=1&size=64KB&iw=46"></iframe>`,
  );
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  await frame.waitForSelector('.hero-number');
  assert.equal(await hero(frame).textContent(), '79 ms');
});
