// Readings of a real socket, and commands for a real path.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkAccessibility, openPage } from './harness.mjs';

const LINE =
  'ESTAB 0 0 192.0.2.10:443 198.51.100.7:50512\n' +
  '\t cubic wscale:0,0 rto:214 rtt:214/6 minrtt:18 mss:1448 cwnd:310 bytes_acked:9000000 delivery_rate 23.4Mbps\n';

async function paste(page, text) {
  await page.getByLabel('What ss -ti, nstat -az or curl -w printed').fill(text);
  await page.getByRole('button', { name: 'Read it' }).click();
  return page.locator('.readings');
}

test('a pasted socket is explained, and sets the panel', async () => {
  const page = await openPage();
  const result = await paste(page, LINE);
  const text = await result.textContent();
  assert.match(text, /196 ms/, 'the standing queue is rtt - minrtt');
  assert.match(text, /slow start/, 'ssthresh is absent');
  assert.match(text, /65,535/, 'no window scaling');
  assert.match(text, /Link rate: delivery_rate is 23\.4 Mbps/);
  assert.match(text, /All other settings stay as they are/);
  assert.doesNotMatch(text, /no reading tells/);
  await result.getByRole('button', { name: /^Set the panel/ }).click();
  const panel = page.locator('[data-panel="slow-start"]');
  assert.equal(await panel.locator('[data-key="rtt"] .field').inputValue(), '18 ms');
  assert.equal(await panel.locator('[data-key="rate"] .field').inputValue(), '23.4 Mbps');
});

test('what is not understood is named with its line', async () => {
  const page = await openPage();
  const result = await paste(page, `${LINE}\nwhat is this\n`);
  assert.match(await result.textContent(), /line 4.*what is this/);
  const empty = await paste(page, '');
  assert.ok((await empty.textContent()).length > 10, 'an empty field is answered too');
});

test('a real sample is read without remainder', async () => {
  const sample = await readFile(new URL('../readings/ss-ti.txt', import.meta.url), 'utf8');
  const page = await openPage();
  const result = await paste(page, sample);
  assert.ok((await result.locator('table').count()) >= 2);
  assert.doesNotMatch(await result.textContent(), /Not understood/);
});

test('the commands follow the settings of the panel', async () => {
  const page = await openPage('?rtt=20ms&iw=46');
  await page.getByText('The commands for the settings of the panel').click();
  const commands = page.locator('[data-tool="commands"]');
  // A details element tells of its opening a moment later.
  await commands.locator('textarea').first().waitFor();
  const all = async () =>
    (await commands.locator('textarea').evaluateAll((them) => them.map((it) => it.value))).join('\n');
  assert.match(await all(), /initcwnd 46/);
  assert.match(await all(), /delay 20000us/);
  await page.locator('[data-panel="slow-start"] [data-key="rtt"] .field').fill('100 ms');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-tool="commands"] textarea')].some((it) =>
      it.value.includes('delay 100000us'),
    ),
  );
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing with both open, ${colorScheme}`, async () => {
    const page = await openPage('', { colorScheme });
    await paste(page, LINE);
    await page.getByText('The commands for the settings of the panel').click();
    await checkAccessibility(page);
  });
}
