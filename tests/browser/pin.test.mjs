// A pinned run A beside the current run B.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility, enter, frame, openPage } from './harness.mjs';

const panel = (page, name = 'slow-start') => page.locator(`[data-panel="${name}"]`);
const hero = (page, name) => panel(page, name).locator('.hero-number').first();
const against = (page, name) => panel(page, name).locator('.hero-against');
const button = (page, name, panelName) => panel(page, panelName).getByRole('button', { name, exact: true });

const type = (page, key, text, name) =>
  enter(panel(page, name).locator(`[data-key="${key}"] .field`), text);

/** What a chart's canvas looks like. */
const picture = (page, index = 0) =>
  panel(page).locator('.plots canvas').nth(index).evaluate((canvas) => canvas.toDataURL());

test('a pinned run is compared with, on the number, the readouts and the charts', async () => {
  const page = await openPage('?size=64KB&iw=46');
  assert.equal(await hero(page).textContent(), '79 ms');
  await button(page, 'Pin this run').click();
  await frame(page);
  assert.equal(await against(page).textContent(), 'the same as the pinned 79 ms');
  assert.match(
    await panel(page).locator('.pinning').textContent(),
    /A, pinned: Response size 64 KB, Initial window 46 segments/,
  );
  await type(page, 'iw', '10');
  const now = parseFloat(await hero(page).textContent());
  assert.equal(await against(page).textContent(), `+${now - 79} ms against the pinned 79 ms`);
  const readout = panel(page).locator('.readout', { hasText: 'Round trips by doubling' });
  assert.equal(await readout.locator('dd').first().textContent(), '3');
  assert.equal(await readout.locator('.was').textContent(), 'A: 1');
  // What is the same in both is not repeated.
  assert.equal(await panel(page).locator('.readout', { hasText: 'Buffer' }).locator('.was').count(), 0);
  // Both runs under the cursor: A is over by then.
  const plots = panel(page).locator('.plots');
  await plots.focus();
  await page.keyboard.press('Home');
  assert.match(await plots.getAttribute('aria-valuetext'), /· cwnd 10 .*· A cwnd 46/);
  await page.keyboard.press('End');
  assert.doesNotMatch(await plots.getAttribute('aria-valuetext'), /A cwnd/);
  const table = panel(page).locator('.charts details').first();
  await table.locator('summary').click();
  assert.match(await table.locator('thead').textContent(), /cwnd.*A in flight.*A cwnd/);
  const both = await picture(page);
  await button(page, 'Unpin A').click();
  await frame(page);
  assert.notEqual(await picture(page), both);
  assert.equal(await against(page).textContent(), '');
  assert.equal(await panel(page).locator('.was').count(), 0);
});

test('the pin is in the address, and a reload brings it back', async () => {
  const page = await openPage('?utm=kept');
  await button(page, 'Pin this run').click();
  await type(page, 'size', '64 KB');
  await page.waitForFunction(() => location.search.includes('size='));
  assert.equal(new URL(page.url()).searchParams.get('pin'), '');
  await button(page, 'Swap A and B').click();
  await page.waitForFunction(() => !location.search.includes('&size='));
  assert.equal(new URL(page.url()).searchParams.get('pin'), 'size=64KB');
  assert.equal(await hero(page).textContent(), '531 ms');
  const again = await openPage(new URL(page.url()).search);
  assert.match(await against(again).textContent(), /^\+3\d\d ms against the pinned 22\d ms$/);
  await button(again, 'Unpin A').click();
  await again.waitForFunction(() => !location.search.includes('pin='));
  assert.equal(new URL(again.url()).searchParams.get('utm'), 'kept');
});

test('a pin goes by the name of its panel', async () => {
  const page = await openPage('?bdp-pin=win%3D4MB');
  assert.match(await against(page, 'bdp').textContent(), /^−[\d.]+ Mbps against the pinned [\d.]+ Mbps$/);
  assert.equal(await against(page).textContent(), '');
  await button(page, 'Swap A and B', 'bdp').click();
  await page.waitForFunction(() => location.search.includes('bdp-win=4MB'));
  assert.equal(new URL(page.url()).searchParams.get('bdp-pin'), '');
});

test('a broken pin falls back and says so', async () => {
  const page = await openPage('?pin=rtt%3D900ms%26colour%3Dred');
  const notice = panel(page).locator('.notice');
  assert.match(await notice.textContent(), /Pinned run: rtt: '900ms' is not allowed; .* Using 300 ms\./);
  assert.match(await notice.textContent(), /Pinned run: 'colour=red' names no setting\./);
  assert.match(await against(page).textContent(), /against the pinned/);
  const none = await openPage('?pin=%25%25%25&size=64KB');
  assert.match(await panel(none).locator('.notice').textContent(), /Nothing is pinned\./);
  assert.equal(await against(none).textContent(), '');
  assert.match(await hero(none).textContent(), /^22\d ms$/);
});

test('by keyboard, the focus stays where the buttons are, and the sentence tells the difference', async () => {
  const page = await openPage('?size=64KB');
  await button(page, 'Pin this run').focus();
  await page.keyboard.press('Enter');
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  assert.equal(await focused(), 'Unpin A');
  await type(page, 'iw', '46');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-panel="slow-start"] > [role="status"]')].some((it) =>
      /−1\d\d ms against the pinned/.test(it.textContent),
    ),
  );
  await button(page, 'Unpin A').focus();
  await page.keyboard.press('Enter');
  assert.equal(await focused(), 'Pin this run');
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing with runs pinned, ${colorScheme}`, async () => {
    const page = await openPage('?size=16MB&hs=off&pin=size%3D1MB&bdp-pin=win%3D4MB', { colorScheme });
    await page.evaluate(() => document.querySelectorAll('details').forEach((it) => (it.open = true)));
    await checkAccessibility(page);
  });
}
