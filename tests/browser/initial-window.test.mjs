// The initial-window panel as a reader uses it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkAccessibility, enter, frame, openPage } from './harness.mjs';

const panel = (page) => page.locator('[data-panel="initial-window"]');
const hero = (page) => panel(page).locator('.hero-number').first();
const second = (page) => panel(page).locator('.hero-second');
const field = (page, key) => panel(page).locator(`[data-key="${key}"] .field`);
const map = (page) => panel(page).locator('.map');
const plot = (page) => map(page).locator('.plot');
const progress = (page) => map(page).locator('progress');
const reading = (page) => map(page).locator('.values');
const objects = (page) => panel(page).locator('.objects');
const slowStart = (page) => page.locator('[data-panel="slow-start"]');

const type = (page, key, text) => enter(field(page, key), text);

/** The cells of a row of the comparison, by the row's name; the last of that name. */
const row = (page, name) =>
  panel(page)
    .locator('.comparison tr', { has: page.locator(`th:text-is("${name}")`) })
    .last()
    .locator('td')
    .allTextContents();

/** Waits until the whole map is worked out. */
async function mapped(page) {
  await plot(page).scrollIntoViewIfNeeded();
  await page.waitForFunction(
    () => document.querySelector('.map:not(.stale) progress[data-done]')?.value === 1600,
  );
}

test('it opens with what a larger window saves one connection and costs four', async () => {
  const page = await openPage();
  assert.equal(await hero(page).textContent(), '91 ms');
  assert.match(await second(page).textContent(), /^0 ms\s*for the slowest of 4, 26% of packets sent again/);
  assert.deepEqual(await panel(page).locator('.comparison thead th').allTextContents(), [
    '3',
    '10 current',
    '32 proposed',
  ]);
  // The figures of `slowstart compare --size 45KB --rate 5Mbps --connections 4`; its tests have them too.
  assert.deepEqual(await row(page, 'Time'), ['320 ms', '208 ms', '117 ms']);
  assert.deepEqual(await row(page, 'Round trips of data'), ['4', '3', '1']);
  assert.deepEqual(await row(page, 'Slowest response'), ['428 ms', '350 ms', '350 ms']);
  assert.deepEqual(await row(page, 'Dropped by the queue'), ['0', '0', '46']);
  assert.deepEqual(await row(page, 'Retransmission rate'), ['0.0%', '0.0%', '26%']);
  const log = await panel(page).locator('.log li').allTextContents();
  assert.equal(log.length, 7);
  assert.match(log[0], /Window 32, 4 at once: the queue is full at 66 packets; .* 46 of 174 sent are dropped/);
});

test('a page with TLS takes what is set down for it', async () => {
  const csv = await readFile(new URL('../figures/initial-window.csv', import.meta.url), 'utf8');
  const rows = csv.split('\n').filter((line) => /^(article|linux),/.test(line));
  assert.ok(rows.length >= 8);
  const page = await openPage('?iw-conns=1&iw-rate=100Mbps&iw-size=68KB&iw-setup=tls13&iw-timed=syn-to-ack&iw-c=none');
  for (const line of rows) {
    const [preset, rtt, at10, at32] = line.split(',');
    await panel(page).locator(`#initial-window-model-${preset}`).check();
    await type(page, 'rtt', `${rtt} ms`);
    const expected = [at10, at32].map((ms) => `${Math.round(ms)} ms`);
    assert.deepEqual(await row(page, 'Time'), expected, line);
  }
});

test('the buttons give what the text says', async () => {
  const page = await openPage();
  const buttons = page.locator('[data-try="initial-window"]');
  const expected = [
    ['conns=1&rate=100Mbps&size=14KB', '27 ms'],
    ['conns=1&rate=100Mbps&size=16KB', '70 ms'],
    ['conns=1&rate=100Mbps&size=45KB', '123 ms'],
    ['conns=1&rate=100Mbps&size=68KB', '92 ms'],
    ['conns=1&rate=100Mbps&size=120KB', '130 ms'],
    ['conns=1&rate=100Mbps&size=256KB', '134 ms'],
    ['conns=1&rate=100Mbps&size=14KB&model=linux', '0 ms'],
    ['conns=1&rate=100Mbps&size=68KB&rtt=32ms', '37 ms'],
    ['conns=1&rate=100Mbps&size=68KB&rtt=85ms', '98 ms'],
    ['conns=1&rate=100Mbps&size=68KB&rtt=140ms', '161 ms'],
    ['conns=1&rate=100Mbps&size=68KB&rtt=280ms', '322 ms'],
    ['conns=1&rate=20Mbps&size=68KB', '92 ms'],
    ['conns=1&rate=5Mbps&size=68KB', '87 ms'],
    ['conns=1&rate=2Mbps&size=68KB', '26 ms'],
    ['conns=1&rate=1Mbps&size=68KB', '0 ms'],
    ['conns=1&rate=100Mbps&rwnd=16KB', '27 ms'],
    ['conns=1&rate=20Mbps&buf=20&model=linux', '−438 ms', /alone: 202 ms → 641 ms, 3 → 6 round trips/],
    ['conns=1&rate=20Mbps&buf=20&model=linux&pacing=fq-like', '134 ms', / 69 ms, 3 → 1 round trips/],
    ['conns=1', '91 ms'],
    ['conns=2', '91 ms', /33 ms\s*for the slowest of 2/],
    ['', '91 ms', /0 ms\s*for the slowest of 4, 26% of/],
    ['conns=8', '91 ms', /0 ms\s*for the slowest of 8, 55% of/],
    ['conns=16', '91 ms', /74 ms\s*for the slowest of 16, 73% of/],
    ['model=linux&conns=16', '92 ms', /−404 ms\s*for the slowest of 16, 50% of/],
    ['model=linux', '92 ms', /−700 ms\s*for the slowest of 4, 33% of/],
    ['model=linux&stagger=100ms', '92 ms', /182 ms\s*for the slowest of 4, 0\.0% of/],
    ['a=3&b=10&c=none&model=linux', '104 ms', /78 ms\s*for the slowest of 4, 0\.0% of/],
    ['a=3&b=10&c=none&model=linux&conns=6&rate=1Mbps', '75 ms', /0 ms\s*for the slowest of 6, 29% of/],
  ];
  assert.equal(await buttons.count(), expected.length);
  for (const [i, [set, number, words = /./]] of expected.entries()) {
    assert.equal(await buttons.nth(i).getAttribute('data-set'), set);
    await buttons.nth(i).click();
    assert.equal(await panel(page).locator('.notice').textContent(), '', set);
    assert.equal(await hero(page).textContent(), number, set);
    assert.match(await panel(page).locator('.hero').textContent(), words, set);
  }
  assert.deepEqual(await row(page, 'Retransmission rate'), ['21%', '29%']);
  await page.locator('[data-try="initial-window"][data-set="model=linux"]').click();
  assert.deepEqual((await row(page, 'Slowest response')).slice(1), ['350 ms', '1.05 s']);
  await page.locator('[data-try="initial-window"][data-set="model=linux&stagger=100ms"]').click();
  assert.equal((await row(page, 'Slowest response')).at(-1), '118 ms');
  await page.locator('[data-try="initial-window"][data-set="conns=8"]').click();
  assert.deepEqual(await row(page, 'Retransmission rate'), ['11%', '12%', '55%']);
});

test('the map fills only while it is in sight, and a new drag begins it anew', async () => {
  const page = await openPage('?iw-conns=16&iw-size=256KB');
  await page.waitForTimeout(400);
  assert.equal(await progress(page).evaluate((it) => it.value), 0);
  await plot(page).scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector('.map progress').value >= 40);
  assert.equal(await progress(page).getAttribute('data-done'), null);
  await type(page, 'conns', '1');
  assert.match(await map(page).getAttribute('class'), /stale/);
  await mapped(page);
  assert.match(await map(page).locator('.about').textContent(), /256 KB, one connection,/);
  // The path itself is no reason to work anything out again.
  await type(page, 'rtt', '20 ms');
  assert.doesNotMatch(await map(page).getAttribute('class'), /stale/);
});

test('the page answers while the map is worked out', async () => {
  const page = await openPage('?iw-conns=16&iw-size=256KB');
  await plot(page).scrollIntoViewIfNeeded();
  const done = () => progress(page).evaluate((it) => it.value);
  await page.waitForFunction(() => document.querySelector('.map progress').value > 0);
  const before = await hero(page).textContent();
  await type(page, 'rtt', '200 ms');
  assert.notEqual(await hero(page).textContent(), before);
  const then = await done();
  assert.ok(then < 1_600, `${then} cells`);
  // It goes on from there.
  await page.waitForFunction((then) => {
    const { value } = document.querySelector('.map progress');
    return value > then;
  }, then);
});

test('a cell is read by keyboard and loaded into the slow-start panel', async () => {
  const page = await openPage('?iw-conns=1');
  await mapped(page);
  await plot(page).focus();
  assert.match(await reading(page).textContent(), /^4\.92 Mbps, 77 ms: [\d.]+ ms saved \(\d+%\)\. From 10: .* From 32: /);
  await page.keyboard.press('Home');
  for (let i = 0; i < 8; i += 1) await page.keyboard.press('PageDown');
  assert.match(await reading(page).textContent(), /^1 Mbps, 5 ms: .* dropped\.$/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  assert.match(await reading(page).textContent(), /^1\.19 Mbps, 5\.55 ms: /);
  await page.keyboard.press('End');
  for (let i = 0; i < 8; i += 1) await page.keyboard.press('PageUp');
  assert.match(await reading(page).textContent(), /^1 Gbps, 300 ms: 461 ms saved \(61%\)\. From 10: 758 ms, none dropped\. From 32: 296 ms/);
  await page.keyboard.press('Enter');
  await frame(page);
  assert.equal(await slowStart(page).locator('.hero-number').first().textContent(), '296 ms');
  assert.equal(await slowStart(page).locator('[data-key="iw"] .field').inputValue(), '32');
  assert.equal(await slowStart(page).locator('[data-key="rtt"] .field').inputValue(), '300 ms');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'slow-start');
});

test('a click on a cell loads it, connections and all', async () => {
  const page = await openPage('?iw-model=linux');
  await mapped(page);
  const box = await plot(page).boundingBox();
  await page.mouse.move(box.x + 2, box.y + box.height - 2);
  assert.match(await reading(page).textContent(), /^1 Mbps, 5 ms: /);
  await page.mouse.click(box.x + 2, box.y + box.height - 2);
  await page.waitForFunction(() => /rate=1Mbps/.test(location.search));
  const query = new URL(page.url()).searchParams;
  assert.deepEqual(
    ['size', 'rtt', 'iw', 'conns', 'model'].map((key) => query.get(key)),
    ['45KB', '5ms', '32', '4', 'linux'],
  );
  assert.match(await slowStart(page).locator('.hero').textContent(), /connection 1 of 4/);
});

test('cells with drops are marked by shape, and a table has the map as text', async () => {
  const page = await openPage('?iw-model=linux');
  await mapped(page);
  const dots = await plot(page).locator('canvas').evaluate((canvas) => {
    const context = canvas.getContext('2d');
    const cell = [canvas.width / 40, canvas.height / 40];
    const at = (column, row) =>
      [...context.getImageData((column + 0.5) * cell[0], (row + 0.5) * cell[1], 1, 1).data].join();
    const beside = (column, row) =>
      [...context.getImageData((column + 0.15) * cell[0], (row + 0.2) * cell[1], 1, 1).data].join();
    // The lower left corner drops, the upper right one does not.
    return [at(0, 39) !== beside(0, 39), at(39, 0) !== beside(39, 0)];
  });
  assert.deepEqual(dots, [true, false]);
  await map(page).locator('details.table summary').click();
  const cells = await map(page).locator('td').allTextContents();
  assert.equal(cells.length, 1 + 49);
  assert.match(cells[1], /^−?[\d.]+%, −?[\d.]+ m?s, drops$/);
  assert.match(cells.at(-1), /^\d+%, \d+ ms$/);
  await map(page).getByRole('button', { name: 'Milliseconds' }).click();
  assert.match(await map(page).locator('.legend').textContent(), /600 ms or more slower/);
});

test('the curve has the steps of the current window, and a click sets the size', async () => {
  const page = await openPage('?iw-conns=1');
  const curve = panel(page).locator('.plots');
  await curve.focus();
  await page.keyboard.press('End');
  assert.match(await curve.getAttribute('aria-valuetext'), /^256 KB · current 5?\d+ ms · proposed/);
  await page.keyboard.press('Enter');
  await frame(page);
  assert.equal(await field(page, 'size').inputValue(), '256 KB');
});

test('every slider goes to both ends', async () => {
  const page = await openPage();
  await panel(page).locator('details.more > summary').click();
  const sliders = panel(page).locator('.controls input[type="range"]');
  const count = await sliders.count();
  assert.ok(count >= 11);
  for (let i = 0; i < count; i += 1) {
    const key = (await sliders.nth(i).getAttribute('id')).replace('initial-window-', '');
    const max = await sliders.nth(i).getAttribute('max');
    const before = await hero(page).textContent();
    for (const position of ['0', max]) {
      await sliders.nth(i).evaluate((input, position) => {
        input.value = position;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }, position);
      await frame(page);
      assert.match(await hero(page).textContent(), /^−?[\d.,]+ m?s$/, `${key} ${position}`);
      assert.equal(await panel(page).locator('.notice').textContent(), '');
    }
    const reset = panel(page).locator(`[data-key="${key}"] .reset`);
    if (await reset.isVisible()) await reset.click();
    await frame(page);
    assert.equal(await hero(page).textContent(), before, key);
  }
});

test('the list says which objects gain, names bad lines, and is saved', async () => {
  const page = await openPage();
  await objects(page).locator('summary').click();
  const cells = (name) =>
    objects(page).locator('tbody tr', { hasText: name }).locator('td').allTextContents();
  await objects(page).locator('tfoot').waitFor();
  assert.equal(await objects(page).locator('tbody tr').count(), 8);
  const script = await cells('app.js');
  assert.equal(script[0], '120 KB');
  assert.match(script[1], /^4 → 2/);
  assert.equal(script.at(-1), '85');
  assert.equal(await objects(page).locator('td.gains').count(), 6 * 3 + 3);
  await objects(page).locator('textarea').fill('page, 68KB\nno size\nempty, 0\nlogo, 3000');
  await objects(page).getByText('2 objects. 2 lines are left out:').waitFor();
  assert.deepEqual(await objects(page).locator('.bad li').allTextContents(), [
    'line 2: there is no comma between name and bytes',
    'line 3: nothing to send: 0 bytes',
  ]);
  await objects(page).locator('tfoot').waitFor();
  await objects(page).getByRole('button', { name: 'Remove' }).last().click();
  await objects(page).getByRole('button', { name: 'Add a path' }).click();
  await page.keyboard.type('85ms, fast');
  await page.keyboard.press('Enter');
  assert.match(await objects(page).locator('.path .error').last().textContent(), /'fast' is not allowed; use 1 Mbps to 10 Gbps/);
  await objects(page).locator('.path input').last().fill('200ms, 1Gbps');
  await page.keyboard.press('Enter');
  await objects(page).locator('th', { hasText: '200 ms, 1 Gbps' }).waitFor();
  await objects(page).locator('tfoot').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    objects(page).getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'initial-window-objects.csv');
  const csv = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  assert.equal(csv.length, 1 + 2 * 3);
  assert.match(csv[0], /^host,name,bytes,.*,window_for_one_round_trip$/);
  assert.match(csv[3], /^,page,69632,false,200,1000000000,10,32,3,2,/);
});

const open = (page, name, text) =>
  objects(page).locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

test('a HAR file is read, with its used connections; a broken one is refused', async () => {
  const page = await openPage('?iw-rtt=20ms');
  await objects(page).locator('summary').click();
  const entry = (url, bodySize, connection, content = {}) => ({
    request: { url },
    response: { bodySize, content },
    connection,
  });
  const har = {
    log: {
      entries: [
        entry('https://a.example/', 69632, '1'),
        entry('https://a.example/app.js?v=3', -1, '1', { size: 130000, compression: 30000 }),
        entry('https://b.example/cached', 0, '2'),
      ],
    },
  };
  await open(page, 'page.har', JSON.stringify(har));
  await objects(page).getByText('page.har: 2 objects. 1 line is left out:').waitFor();
  assert.match(await objects(page).locator('.bad').textContent(), /line 3: https:\/\/b\.example\/cached: nothing to send/);
  await objects(page).locator('tfoot').waitFor();
  const names = await objects(page).locator('tbody th').allTextContents();
  assert.deepEqual(names, ['a.example/', 'a.example/app.js used connection']);
  assert.equal(await objects(page).locator('textarea').inputValue(), '');
  await open(page, 'broken.har', '{"log": {}}');
  await objects(page).getByText('broken.har: this is not an HTTP archive: there is no list log.entries.').waitFor();
  assert.equal(await objects(page).locator('tbody tr').count(), 2);
  await open(page, 'list.csv', 'name,bytes\none,1000\n');
  await objects(page).getByText('list.csv: 1 object.').waitFor();
  assert.match(await objects(page).locator('textarea').inputValue(), /^name,bytes/);
});

test('the address, the pin, the command and teacher’s mode work as in other panels', async () => {
  const page = await openPage('?rtt=20ms');
  await type(page, 'b', '46');
  await page.waitForFunction(() => location.search.includes('iw-b=46'));
  assert.match(new URL(page.url()).search, /rtt=20ms/);
  await panel(page).getByRole('button', { name: 'Pin this run' }).click();
  await panel(page).locator('#initial-window-model-linux').check();
  // Before the change is shown, it would be written over what is typed.
  await frame(page);
  await type(page, 'size', '100 KB');
  assert.match(await panel(page).locator('.hero-against').textContent(), /^[+−][\d.]+ m?s against the pinned [\d.]+ ms$/);
  await panel(page).locator('.export > summary').click();
  await page.waitForFunction(() => document.querySelector('#initial-window-command').value);
  assert.equal(
    await page.locator('#initial-window-command').inputValue(),
    'slowstart compare --initial-window 3,10,46 --size 100KB --rate 5Mbps --connections 4 --model linux',
  );
  const taught = await openPage('?teach=1&iw-conns=1');
  assert.equal(await hero(taught).textContent(), '?');
  for (const part of ['.comparison', '.map', '.objects', '.log']) {
    assert.equal(await panel(taught).locator(part).isVisible(), false, part);
  }
  await panel(taught).locator('.guess .field').fill('100');
  await taught.keyboard.press('Enter');
  await frame(taught);
  assert.equal(await hero(taught).textContent(), '91 ms');
  assert.equal(await map(taught).isVisible(), true);
});

test('alone in a frame there is no first panel to load a path into', async () => {
  const page = await openPage('?embed=1&panel=initial-window&conns=1&size=68KB&rate=100Mbps', {
    viewport: { width: 800, height: 600 },
  });
  assert.equal(await hero(page).textContent(), '92 ms');
  await mapped(page);
  assert.equal(await map(page).locator('[data-load]').isVisible(), false);
  assert.doesNotMatch(await plot(page).getAttribute('aria-label'), /load/);
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing with everything open, ${colorScheme}`, async () => {
    const page = await openPage('?iw-model=linux', { colorScheme });
    await page.evaluate(() =>
      document.querySelectorAll('#initial-window details').forEach((it) => (it.open = true)),
    );
    await mapped(page);
    await objects(page).locator('textarea').fill('page, 68KB\nno size');
    await objects(page).locator('.bad li').waitFor();
    await objects(page).locator('tfoot').waitFor();
    await checkAccessibility(page);
  });
}

test('on a phone nothing overflows, and a second tap loads a cell', async () => {
  const page = await openPage('?iw-model=linux', {
    viewport: { width: 360, height: 640 },
    hasTouch: true,
  });
  await page.evaluate(() =>
    document.querySelectorAll('#initial-window details').forEach((it) => (it.open = true)),
  );
  await mapped(page);
  await objects(page).locator('tfoot').waitFor();
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0);
  await plot(page).tap({ position: { x: 100, y: 50 } });
  assert.equal(new URL(page.url()).searchParams.get('iw'), null);
  assert.match(await reading(page).textContent(), /Mbps, \d+ ms: /);
  await plot(page).tap({ position: { x: 100, y: 50 } });
  await page.waitForFunction(() => /[?&]iw=32/.test(location.search));
});
