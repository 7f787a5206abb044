// The views of the slow-start panel's packets, their time axis and their playback, as a reader uses them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility, frame, openPage } from './harness.mjs';

const panel = (page) => page.locator('[data-panel="slow-start"]');
const hero = (page) => panel(page).locator('.hero-number').first();
const plots = (page) => panel(page).locator('.plots');
const caption = (page) => panel(page).locator('.ladder .count');
const bar = (page) => panel(page).locator('.packet-bar p');
const button = (page, name) => panel(page).getByRole('button', { name, exact: true });
const spoken = (page) => plots(page).getAttribute('aria-valuetext');
const moment = async (page) => parseFloat((await spoken(page)).replaceAll(',', ''));
/** Waits until the address says that these packets are lost. */
const lostIs = (page, numbers) =>
  page.waitForFunction(
    (numbers) => new URLSearchParams(location.search).get('lose') === numbers,
    numbers,
  );
/** How many pixels of a canvas are not blank. */
const ink = (locator) =>
  locator.evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, value, i) => sum + (i % 4 === 3 && value > 0 ? 1 : 0), 0);
  });

test('a view is chosen by a button, stands in the address and comes back from it', async () => {
  const page = await openPage();
  assert.equal(await panel(page).locator('.ladder').isVisible(), false);
  assert.equal(await button(page, 'Window').getAttribute('aria-pressed'), 'true');
  await button(page, 'Ladder').click();
  assert.equal(await panel(page).locator('.ladder').isVisible(), true);
  assert.match(page.url(), /[?&]view=ladder/);
  assert.ok((await ink(panel(page).locator('.ladder canvas').first())) > 1000);
  await button(page, 'Sequence').click();
  assert.match(page.url(), /[?&]view=sequence/);
  assert.match(await panel(page).locator('figcaption').first().textContent(), /Segments by number/);
  const again = await openPage(new URL(page.url()).search);
  assert.equal(await button(again, 'Sequence').getAttribute('aria-pressed'), 'true');
  await button(again, 'Window').click();
  assert.doesNotMatch(again.url(), /view=/);
  assert.equal(await panel(again).locator('figure').count(), 3);
  const unknown = await openPage('?view=nothing');
  assert.equal(await button(unknown, 'Window').getAttribute('aria-pressed'), 'true');
});

test('the ladder says how much of it is aggregated, and shows single packets closer up', async () => {
  const few = await openPage('?view=ladder&size=14KB');
  assert.match(await caption(few).textContent(), /A line for each packet and each ACK/);
  const many = await openPage('?view=ladder&size=16MB&hs=off');
  const counts = (text) => text.match(/([\d,]+) of ([\d,]+) packets/).slice(1).map((n) => Number(n.replaceAll(',', '')));
  const [banded, all] = counts(await caption(many).textContent());
  assert.ok(banded > 5_000 && banded <= all, `${banded} of ${all}`);
  await plots(many).focus();
  await many.keyboard.press('Home');
  for (let i = 0; i < 6; i += 1) await many.keyboard.press('+');
  assert.match(await caption(many).textContent(), /A line for each packet/);
  await many.keyboard.press('0');
  assert.deepEqual(counts(await caption(many).textContent()), [banded, all]);
});

test('the time axis is zoomed by buttons, keys and wheel, for every chart and the log', async () => {
  const page = await openPage('?size=16MB');
  const visible = () => panel(page).locator('.moment').count();
  const all = await visible();
  assert.equal(await button(page, 'Show the whole time').isVisible(), false);
  await plots(page).focus();
  await page.keyboard.press('Home');
  await button(page, 'Zoom in').click();
  await button(page, 'Zoom in').click();
  assert.ok((await visible()) < all);
  assert.equal(await button(page, 'Show the whole time').isVisible(), true);
  await button(page, 'Later').click();
  await button(page, 'Earlier').click();
  await button(page, 'Show the whole time').click();
  assert.equal(await visible(), all);

  await plots(page).evaluate((it) => it.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await frame(page);
  const box = await plots(page).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  const before = await page.evaluate(() => scrollY);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  await frame(page);
  assert.equal(await page.evaluate(() => scrollY), before);
  assert.ok((await visible()) < all);
  // The cursor leads what is shown.
  await plots(page).focus();
  await page.keyboard.press('End');
  assert.equal(await panel(page).locator('.cursor').isVisible(), true);
  await page.keyboard.press('0');
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.mouse.wheel(0, 200);
  await page.waitForFunction((before) => scrollY !== before, before);
  assert.equal(await visible(), all);
});

test('a click loses a packet: the address and the number follow; undo takes it back', async () => {
  const page = await openPage('?view=ladder&size=14KB');
  const before = await hero(page).textContent();
  await plots(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Escape');
  const canvas = await panel(page).locator('.ladder canvas').first().boundingBox();
  // The last packet is on its way between the link and the receiver: somewhere in this row.
  const y = canvas.y + canvas.height * 0.6;
  let x = canvas.x + 56;
  for (; x < canvas.x + canvas.width; x += 4) {
    await page.mouse.move(x, y);
    if (/Packet 10:/.test(await bar(page).textContent())) break;
  }
  assert.match(await bar(page).textContent(), /Packet 10: .*arrives/);
  await page.mouse.click(x, y);
  await frame(page);
  assert.notEqual(await hero(page).textContent(), before);
  await page.waitForFunction(() => location.search.includes('lose=10'));
  assert.match(await panel(page).locator('.log').textContent(), /Segment 10 is lost/);
  assert.equal(await button(page, 'Undo the loss').getAttribute('aria-disabled'), 'false');
  await button(page, 'Undo the loss').click();
  await frame(page);
  assert.equal(await hero(page).textContent(), before);
  await page.waitForFunction(() => !location.search.includes('lose='));
  assert.equal(await button(page, 'Undo the loss').getAttribute('aria-disabled'), 'true');
});

test('a packet is lost by keyboard, delivered again, and Ctrl+Z undoes', async () => {
  const page = await openPage('?view=ladder&size=14KB&loss=40-percent');
  const before = await hero(page).textContent();
  await plots(page).focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < 9; i += 1) await page.keyboard.press('.');
  assert.match(await spoken(page), /packet 10:/);
  await page.keyboard.press(',');
  await page.keyboard.press('.');
  await page.keyboard.press('Enter');
  await frame(page);
  // Beside the one that was lost before.
  await lostIs(page, '5,10');
  assert.match(await bar(page).textContent(), /Packet 10: lost on purpose/);
  assert.notEqual(await hero(page).textContent(), before);
  await page.keyboard.press('Delete');
  await lostIs(page, '5');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await frame(page);
  assert.equal(await hero(page).textContent(), before);
  await page.waitForFunction(() => location.search.includes('loss=40-percent'));
});

test('what is not a first transmission cannot be lost, and the button says why', async () => {
  const page = await openPage('?view=ladder&size=14KB&loss=40-percent');
  await plots(page).focus();
  await page.keyboard.press('End');
  assert.match(await bar(page).textContent(), /sent again/);
  const lose = button(page, 'Lose this packet');
  assert.equal(await lose.getAttribute('aria-disabled'), 'true');
  assert.match(await lose.getAttribute('title'), /Only first transmissions/);
  const before = await hero(page).textContent();
  await page.keyboard.press('Enter');
  await frame(page);
  assert.equal(await hero(page).textContent(), before);
});

test('several packets are lost, one more or one fewer by each click', async () => {
  const page = await openPage('?view=ladder&size=64KB&lose=12,40');
  const field = panel(page).locator('[data-key="lose"] .field');
  assert.equal(await field.inputValue(), '12, 40');
  const log = panel(page).locator('.log');
  for (const number of [12, 40]) assert.match(await log.textContent(), new RegExp(`Segment ${number} is lost`));
  await plots(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('.');
  assert.match(await bar(page).textContent(), /^Packet 2:/);
  await page.keyboard.press('Enter');
  await lostIs(page, '2,12,40');
  for (let i = 0; i < 10; i += 1) await page.keyboard.press('.');
  assert.match(await bar(page).textContent(), /^Packet 12: lost on purpose/);
  await button(page, 'Deliver it after all').click();
  await lostIs(page, '2,40');
  await plots(page).focus();
  await page.keyboard.press('Control+z');
  await lostIs(page, '2,12,40');
  await button(page, 'Undo the loss').click();
  await lostIs(page, '12,40');
  assert.equal(await field.inputValue(), '12, 40');
  await field.fill('3,3 ,7');
  await field.press('Enter');
  await lostIs(page, '3,7');
  await field.fill('7,0');
  await field.press('Enter');
  assert.match(
    await panel(page).locator('[data-key="lose"] .error').textContent(),
    /'7,0' is not allowed; use none, or up to 8 of 1 to 46346, with commas between/,
  );
  await panel(page).locator('.export summary').click();
  const command = page.locator('#slow-start-command');
  await page.waitForFunction(() => document.querySelector('#slow-start-command').value);
  assert.match(await command.inputValue(), / --lose-segment 3,7$/);
});

test('by touch, a first tap points at a packet and a second one loses it', async () => {
  const page = await openPage('?view=ladder&size=14KB', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  const target = panel(page).locator('.ladder');
  await target.scrollIntoViewIfNeeded();
  const before = await hero(page).textContent();
  const canvas = await target.locator('canvas').first().boundingBox();
  const y = canvas.y + canvas.height * 0.6;
  let x = canvas.x + 60;
  for (; x < canvas.x + canvas.width - 90; x += 10) {
    await page.touchscreen.tap(x, y);
    if (/^Packet \d+:/.test(await bar(page).textContent())) break;
  }
  assert.equal(await hero(page).textContent(), before);
  await page.touchscreen.tap(x, y);
  await page.waitForFunction(() => location.search.includes('lose='));
  for (const name of ['Ladder', 'Zoom in', 'Next decision', 'Undo the loss']) {
    const box = await button(page, name).boundingBox();
    assert.ok(box.height >= 44 && box.width >= 44, name);
  }
});

test('playback by keyboard moves the cursor, pauses, and ends at the end', async () => {
  const page = await openPage('?view=ladder&size=64KB');
  assert.equal(await button(page, 'Play').isVisible(), true);
  await plots(page).focus();
  await page.keyboard.press('Space');
  await page.waitForFunction(
    () => parseFloat(document.querySelector('[data-panel] .plots').getAttribute('aria-valuetext')) > 5,
  );
  await page.keyboard.press('Space');
  assert.equal(await button(page, 'Play').isVisible(), true);
  const paused = await moment(page);
  await page.waitForTimeout(150);
  assert.equal(await moment(page), paused);
  assert.match(await spoken(page), /in the air: \d+ packets?, \d+ ACKs?; in the queue: \d+/);
  assert.ok((await ink(panel(page).locator('.ladder canvas').last())) > 20);
  await page.getByLabel('Speed').selectOption('4 ×');
  await button(page, 'Play').click();
  await page.waitForFunction(
    () => parseFloat(document.querySelector('[data-panel] .plots').getAttribute('aria-valuenow')) === 100,
  );
  await button(page, 'Play').waitFor();
});

test('decisions and losses are reached by keys and buttons', async () => {
  const page = await openPage('?size=64KB&loss=last-window');
  await plots(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('n');
  const next = await moment(page);
  assert.ok(next > 0);
  await page.keyboard.press('p');
  assert.equal(await moment(page), 0);
  await button(page, 'Next loss').click();
  const loss = panel(page).locator('.log li.loss.marked');
  assert.match(await loss.first().textContent(), /is lost/);
  await button(page, 'Previous decision').click();
  await button(page, 'Next decision').click();
  assert.match(await loss.first().textContent(), /is lost/);
});

test('with reduced motion there are steps with the same facts and nothing to play', async () => {
  const page = await openPage('?view=ladder&size=64KB', { reducedMotion: 'reduce' });
  assert.equal(await panel(page).locator('.play').isVisible(), false);
  assert.equal(await panel(page).locator('.speed').isVisible(), false);
  await plots(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  const stepped = await moment(page);
  assert.ok(stepped > 0);
  await page.waitForTimeout(150);
  assert.equal(await moment(page), stepped);
  assert.match(await spoken(page), /in the air: \d+/);
  await page.keyboard.press('.');
  assert.match(await spoken(page), /packet \d+/);
});

test('the packets are there as a table, and what it leaves out is counted', async () => {
  const page = await openPage('?view=ladder&size=14KB&loss=last-window');
  const table = panel(page).locator('details.packets');
  await table.locator('summary').click();
  await table.locator('tbody tr').first().waitFor();
  assert.equal(await table.locator('tbody tr').count(), 11);
  assert.match(await table.textContent(), /lost on purpose/);
  const long = await openPage('?view=ladder');
  await panel(long).locator('details.packets summary').click();
  await panel(long).locator('details.packets tbody tr').first().waitFor();
  assert.match(await panel(long).locator('details.packets .rest').textContent(), /and 6\d\d more/);
});

for (const colorScheme of ['light', 'dark']) {
  for (const view of ['ladder', 'sequence']) {
    test(`axe finds nothing in the ${view}, ${colorScheme}`, async () => {
      const page = await openPage(`?view=${view}&size=64KB&loss=last-window`, { colorScheme });
      await page.evaluate(() => document.querySelectorAll('details').forEach((it) => (it.open = true)));
      await checkAccessibility(page);
    });
  }
}

test('on a phone nothing overflows in any view', async () => {
  for (const view of ['window', 'ladder', 'sequence']) {
    const page = await openPage(`?view=${view}`, { viewport: { width: 360, height: 740 } });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0, view);
  }
});

test('on a phone the tools of the ladder take two rows, and every one is reached', async () => {
  const page = await openPage('?view=ladder&size=64KB', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  const tools = panel(page).locator('.time-tools');
  assert.ok((await tools.boundingBox()).height <= 2 * 44 + 20);
  await button(page, 'Zoom in').click();
  await button(page, 'Show the whole time').click();
  for (const tool of await tools.locator('button:visible, select:visible').all()) {
    await tool.scrollIntoViewIfNeeded();
    const { box, strip } = await tool.evaluate((it) => {
      const [box, strip] = [it, it.closest('.time-tools')].map((e) => e.getBoundingClientRect());
      return { box: box.toJSON(), strip: strip.toJSON() };
    });
    assert.ok(box.height >= 44 && box.width >= 44, await tool.textContent());
    assert.ok(box.left >= strip.left && box.right <= strip.right + 1, await tool.textContent());
  }
});

test('the next decision goes on where the log ends', async () => {
  const page = await openPage('?size=64MB&conns=8&buf=8');
  assert.match(await panel(page).locator('.log .rest').textContent(), /^and [\d,]+ more, which/);
  const last = panel(page).locator('.log li').last();
  await last.locator('button').focus();
  const at = await moment(page);
  await button(page, 'Next decision').click();
  assert.ok((await moment(page)) > at);
  assert.ok((await panel(page).locator('.moment').count()) <= 1_000);
});
