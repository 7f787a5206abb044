// The bandwidth-delay-product panel as a reader uses it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility, enter, frame, openPage } from './harness.mjs';

const panel = (page) => page.locator('[data-panel="bdp"]');
const hero = (page) => panel(page).locator('.hero-number').first();
const field = (page, key) => panel(page).locator(`[data-key="${key}"] .field`);
const readout = (page, label) =>
  panel(page).locator('.readout', { has: page.locator(`dt:text-is("${label}")`) }).locator('dd:not(.help)');

const type = (page, key, text) => enter(field(page, key), text);

test('one: goodput rises with the window, stops at one BDP, and falls past pipe and buffer', async () => {
  const page = await openPage();
  for (const [window, goodput] of [
    ['256 KB', '26.2 Mbps'],
    ['512 KB', '52.4 Mbps'],
    ['943 KB', '96.5 Mbps'],
    ['2 MB', '96.5 Mbps'],
  ]) {
    await type(page, 'win', window);
    assert.equal(await hero(page).textContent(), goodput, window);
  }
  await type(page, 'win', '4 MB');
  assert.ok(parseFloat(await hero(page).textContent()) < 60);
  assert.equal(await readout(page, 'Limited by').textContent(), 'buffer');
});

test('two: at one BDP the link one pays for changes nothing', async () => {
  const page = await openPage('?bdp-win=965308');
  for (const link of ['100 Mbps', '1 Gbps', '10 Gbps']) {
    await type(page, 'link', link);
    assert.equal(await hero(page).textContent(), '96.5 Mbps', link);
  }
});

test('three: my link rate and my idle ping ask for a window that makes it worse', async () => {
  const page = await openPage();
  await panel(page).getByLabel('my link rate × my idle ping').check();
  await frame(page);
  assert.equal(await hero(page).textContent(), '21.8 Mbps');
  assert.equal(await readout(page, 'Thrown away').textContent(), '78%');
  assert.match(await panel(page).locator('[data-key="win"] .note').textContent(), /9\.54 MB/);
  assert.match(await panel(page).locator('.log').textContent(), /9\.54 MB.*10\.4 times the BDP/);
});

test('measuring during the transfer gives back the window, and says why', async () => {
  const page = await openPage();
  await panel(page).getByLabel('measured throughput × RTT during the transfer').check();
  await frame(page);
  assert.equal(await readout(page, 'Window').textContent(), '256 KB');
  assert.match(await panel(page).locator('.log').textContent(), /Little/);
  // What goes before the run and what sums it up lead nowhere on its charts.
  assert.deepEqual(await panel(page).locator('.log .at').allTextContents(), [...Array(4).fill('before'), 'overall']);
  assert.equal(await panel(page).locator('.log li button').count(), 0);
});

test('a click on the sweep sets the window, by pointer and by keyboard', async () => {
  const page = await openPage('?bdp-rule=my-link-x-idle-ping');
  const sweep = panel(page).locator('.plots').first();
  await sweep.locator('canvas').first().click();
  await frame(page);
  assert.equal(await panel(page).getByLabel('by hand', { exact: true }).isChecked(), true);
  const set = await field(page, 'win').inputValue();
  assert.match(set, /^\d.* KB|MB$/);
  await sweep.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await frame(page);
  assert.equal(await field(page, 'win').inputValue(), '64 KB');
});

test('the buffer arithmetic follows the window, each line with its source', async () => {
  const page = await openPage('?bdp-rtt=180ms');
  const table = panel(page).locator('.tables details');
  await table.locator('summary').click();
  const text = await table.textContent();
  assert.match(text, /186\.\d Mbps/);
  assert.match(text, /tcp_wmem/);
  const before = await table.locator('td').nth(2).textContent();
  await type(page, 'win', '4 MB');
  assert.notEqual(await table.locator('td').nth(2).textContent(), before);
});

test('both panels keep their state in one address', async () => {
  const page = await openPage('?rtt=20ms');
  await type(page, 'win', '512 KB');
  await page.waitForFunction(() => location.search.includes('bdp-win=512KB'));
  assert.match(new URL(page.url()).search, /rtt=20ms/);
  assert.equal(await field(page, 'rtt').inputValue(), '80 ms');
});

test('every "try this" button of the panel works', async () => {
  const page = await openPage();
  const buttons = page.locator('[data-try="bdp"]');
  assert.ok((await buttons.count()) > 12);
  for (let i = 0; i < (await buttons.count()); i += 1) {
    const set = await buttons.nth(i).getAttribute('data-set');
    await buttons.nth(i).click();
    assert.equal(await panel(page).locator('.notice').textContent(), '', set);
    assert.match(await hero(page).textContent(), /^[\d.]+ Mbps$/, set);
  }
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing with the tables open, ${colorScheme}`, async () => {
    const page = await openPage('?bdp-rule=my-link-x-idle-ping', { colorScheme });
    await page.evaluate(() => document.querySelectorAll('details').forEach((it) => (it.open = true)));
    await checkAccessibility(page);
  });
}
