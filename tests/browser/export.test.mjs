// What a reader takes along: the trace, the charts, a link, a command.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkAccessibility, openPage } from './harness.mjs';

const panel = (page, name = 'slow-start') => page.locator(`[data-panel="${name}"]`);

async function open(page, name) {
  const menu = panel(page, name).locator('.export');
  await menu.locator('summary').click();
  return menu;
}

/** The name and the content of what a button saves. */
async function saved(page, menu, label) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    menu.getByRole('button', { name: label }).click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

test('the trace is saved as a table', async () => {
  const page = await openPage('?size=64KB&iw=46');
  const { name, content } = await saved(page, await open(page), 'Trace as CSV');
  assert.equal(name, 'slow-start-size-64KB-iw-46.csv');
  const lines = content.toString().trim().split('\n');
  assert.match(lines[0], /^[a-z_]+(,[a-z_]+)+$/);
  assert.ok(lines.length > 40);
  const columns = lines[0].split(',').length;
  assert.ok(lines.every((line) => line.split(',').length === columns));
});

test('the charts are saved as a picture, with what is set and the number', async () => {
  const page = await openPage('?size=64KB&pin=size%3D1MB');
  const { name, content } = await saved(page, await open(page), 'Charts as PNG');
  assert.equal(name, 'slow-start-size-64KB.png');
  assert.deepEqual([...content.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const [width, height] = [content.readUInt32BE(16), content.readUInt32BE(20)];
  const shown = await panel(page).locator('.plots canvas').first().evaluate((it) => it.clientWidth);
  assert.equal(width, 2 * (shown + 40));
  assert.ok(height > 1000, `${height}`);
  // It is not of one colour.
  const colours = await page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    return new Set(new Uint32Array(pixels.buffer)).size;
  }, content.toString('base64'));
  assert.ok(colours > 20, `${colours}`);
});

for (const [name, query, words] of [
  ['slow-start', '?size=64KB&pin=size%3D1MB', ['One response, packet by packet', 'A cwnd', 'cwnd', 'Response size 64 KB, Link rate 100 Mbps, Round-trip time 80 ms, Initial window 10 segments']],
  ['bdp', '?bdp-win=4MB', ['How large should the window be?', 'BDP', 'goodput', '100 ms']],
]) {
  test(`the charts of ${name} are saved as a drawing of the same`, async () => {
    const page = await openPage(query);
    const { content } = await saved(page, await open(page, name), 'Charts as SVG');
    const number = await panel(page, name).locator('.hero-number').first().textContent();
    const found = await page.evaluate((text) => {
      const svg = new DOMParser().parseFromString(text, 'image/svg+xml');
      return {
        error: svg.querySelector('parsererror')?.textContent,
        root: svg.documentElement.localName,
        title: svg.querySelector('title').textContent,
        words: [...svg.querySelectorAll('text')].map((it) => it.textContent),
        paths: svg.querySelectorAll('path').length,
      };
    }, content.toString());
    assert.equal(found.error, undefined);
    assert.equal(found.root, 'svg');
    assert.ok(found.title.includes(number), found.title);
    for (const word of [...words, number]) assert.ok(found.words.includes(word), `${word}: ${found.words}`);
    assert.ok(found.paths > 20);
    assert.ok(content.length < 400_000, `${content.length}`);
  });
}

test('the ladder is saved as a drawing of lines, as it is shown', async () => {
  const page = await openPage('?size=64KB&lose=12,40&view=ladder');
  await panel(page).locator('.plots').focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowUp');
  const { content } = await saved(page, await open(page), 'Charts as SVG');
  const svg = content.toString();
  assert.doesNotMatch(svg, /<image/);
  for (const words of ['Packets down to the receiver, ACKs back up', 'sender', 'receiver', 'data', 'lost', 'R']) {
    assert.match(svg, new RegExp(`>${words}</text>`));
  }
  assert.match(svg, /stroke-dasharray/);
  // The packets on their way at the cursor.
  assert.ok(svg.match(/<circle/g).length > 4);
  assert.ok(content.length < 400_000, `${content.length}`);
});

test('the link and the command are copied, and follow what is set', async () => {
  const page = await openPage('?size=64KB', { permissions: ['clipboard-read', 'clipboard-write'] });
  const menu = await open(page);
  const copied = menu.locator('.copied');
  await menu.getByRole('button', { name: 'Copy the command' }).click();
  await page.waitForFunction(() => document.querySelector('.export .copied').textContent === 'Copied.');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'slowstart run --size 64KB');
  const field = panel(page).locator('[data-key="iw"] .field');
  await field.fill('46');
  await field.press('Enter');
  const command = page.locator('#slow-start-command');
  await page.waitForFunction(() => document.querySelector('#slow-start-command').value.includes('46'));
  assert.equal(await command.inputValue(), 'slowstart run --size 64KB --initial-window 46');
  await menu.getByRole('button', { name: 'Copy the link' }).click();
  await copied.filter({ hasText: 'Copied.' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const url = new URL(link);
  assert.equal(url.searchParams.get('iw'), '46');
  const again = await openPage(url.search + url.hash);
  assert.equal(await panel(again).locator('.hero-number').first().textContent(), '79 ms');
});

test('where copying is refused, the text is selected', async () => {
  const page = await openPage();
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: () => Promise.reject(new Error('refused')) },
    });
    document.execCommand = () => false;
  });
  const menu = await open(page, 'bdp');
  await menu.getByRole('button', { name: 'Copy the command' }).click();
  await menu.locator('.copied').filter({ hasText: /selected: press Ctrl\+C/ }).waitFor();
  assert.equal(await page.evaluate(() => getSelection().toString() || document.activeElement.value), 'slowstart bdp');
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing with the menus open, ${colorScheme}`, async () => {
    const page = await openPage('', { colorScheme });
    for (const name of ['slow-start', 'bdp']) await open(page, name);
    await checkAccessibility(page);
  });
}
