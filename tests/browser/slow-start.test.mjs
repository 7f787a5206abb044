// The slow-start panel as a reader uses it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address, checkAccessibility, enter, frame, openPage } from './harness.mjs';

const panel = (page) => page.locator('[data-panel="slow-start"]');
const hero = (page) => panel(page).locator('.hero-number').first();
const slider = (page, key) => page.locator(`#slow-start-${key}`);
const field = (page, key) => panel(page).locator(`[data-key="${key}"] .field`);

/** Two frames: the panel recomputes in the next one after a change. */
async function slide(page, key, position) {
  await slider(page, key).evaluate((input, position) => {
    input.value = position;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, String(position));
  await frame(page);
}

const type = (page, key, text) => enter(field(page, key), text);

const heroText = async (page) => (await hero(page).textContent()).trim();

async function heroMs(page) {
  const [number, unit] = (await heroText(page)).split(' ');
  return parseFloat(number) * (unit === 's' ? 1000 : 1);
}

test('it loads with the response time of its start values and what that is made of', async () => {
  const page = await openPage();
  assert.equal(await heroText(page), '531 ms');
  const parts = await panel(page).locator('.hero-parts').textContent();
  assert.equal(parts, '88 ms link transmitting, 443 ms link idle');
});

test('one: from 100 Mbps on, the link rate changes nothing', async () => {
  const page = await openPage();
  const max = Number(await slider(page, 'rate').getAttribute('max'));
  await type(page, 'rate', '100 Mbps');
  const from = Number(await slider(page, 'rate').inputValue());
  for (let position = from; position <= max; position += 5) {
    await slide(page, 'rate', position);
    const ms = await heroMs(page);
    assert.ok(Math.abs(ms - 531) <= 1, `${await field(page, 'rate').inputValue()}: ${ms} ms`);
  }
  await slide(page, 'rate', max);
  assert.equal(await field(page, 'rate').inputValue(), '10 Gbps');
  assert.equal(await heroText(page), '531 ms');
});

test('two: the round-trip time moves the response time in proportion', async () => {
  const page = await openPage();
  const at = {};
  for (const rtt of [20, 40, 80, 160]) {
    await type(page, 'rtt', `${rtt} ms`);
    at[rtt] = await heroMs(page);
  }
  for (const rtt of [40, 160]) {
    const ratio = at[rtt] / at[80] / (rtt / 80);
    assert.ok(Math.abs(ratio - 1) < 0.05, JSON.stringify(at));
  }
  assert.ok(at[20] < at[40] && at[40] < at[80]);
});

test('three: 64 KB takes a third of the time from a window of 46', async () => {
  const page = await openPage();
  await type(page, 'size', '64 KB');
  await type(page, 'iw', '10');
  assert.ok(Math.abs((await heroMs(page)) - 226) <= 1);
  await type(page, 'iw', '46');
  assert.equal(await heroText(page), '79 ms');
});

test('every slider goes to both ends', async () => {
  const page = await openPage();
  await panel(page).locator('details.more > summary').click();
  const sliders = panel(page).locator('input[type="range"]');
  for (let i = 0; i < (await sliders.count()); i += 1) {
    const key = (await sliders.nth(i).getAttribute('id')).replace('slow-start-', '');
    const max = Number(await sliders.nth(i).getAttribute('max'));
    const before = await heroText(page);
    for (const position of [0, max]) {
      await slide(page, key, position);
      assert.match(await heroText(page), /^[\d.,]+ m?s$/);
    }
    await panel(page).locator(`[data-key="${key}"] .reset`).click();
    await frame(page);
    assert.equal(await heroText(page), before);
  }
});

test('a slider works by keyboard and says its value with the unit', async () => {
  const page = await openPage();
  const rtt = slider(page, 'rtt');
  await rtt.focus();
  assert.equal(await rtt.getAttribute('aria-valuetext'), '80 ms');
  await page.keyboard.press('ArrowRight');
  await frame(page);
  assert.notEqual(await rtt.getAttribute('aria-valuetext'), '80 ms');
  await page.keyboard.press('Home');
  await frame(page);
  assert.equal(await rtt.getAttribute('aria-valuetext'), '1 ms');
  await page.keyboard.press('End');
  await frame(page);
  assert.equal(await rtt.getAttribute('aria-valuetext'), '300 ms');
});

test('the charts are read by keyboard, and the log with them', async () => {
  const page = await openPage('?size=16MB');
  const plots = panel(page).locator('.plots');
  await plots.focus();
  await page.keyboard.press('Home');
  assert.match(await plots.getAttribute('aria-valuetext'), /^0 ms .*cwnd 10/);
  await page.keyboard.press('ArrowUp');
  const marked = panel(page).locator('.log li.marked');
  assert.match(await marked.first().textContent(), /ACK train ran 82 ms .* cwnd 1,965/);
  await page.keyboard.press('End');
  assert.match(await plots.getAttribute('aria-valuetext'), /^1,8[45]\d ms/);
  const row = panel(page).locator('.log li').first();
  await row.locator('button').focus();
  assert.match(await plots.getAttribute('aria-valuetext'), /^0 ms/);
});

test('the address holds the state, and a reload brings it back', async () => {
  const page = await openPage('?utm=kept');
  await type(page, 'size', '64KB');
  await panel(page).getByLabel('HyStart', { exact: true }).uncheck();
  await panel(page).getByLabel('one packet, last window').check();
  await page.waitForFunction(() => location.search.includes('loss='));
  const search = new URL(page.url()).searchParams;
  assert.equal(search.get('utm'), 'kept');
  assert.equal(search.get('size'), '64KB');
  assert.equal(search.get('hs'), 'off');
  assert.equal(search.get('loss'), 'last-window');
  const before = await heroText(page);
  const again = await openPage(new URL(page.url()).search);
  assert.equal(await heroText(again), before);
  assert.equal(await panel(again).getByLabel('HyStart', { exact: true }).isChecked(), false);
});

test('a bad address falls back to the nearest value and says so', async () => {
  const page = await openPage('?rate=90Gbps&rtt=soon&iw=46&size=64KB&loss=everything');
  const notice = await panel(page).locator('.notice').textContent();
  assert.match(notice, /rate: '90Gbps' is not allowed; use 1 Mbps to 10 Gbps\. Using 10 Gbps\./);
  assert.match(notice, /rtt: 'soon' .* Keeping 80 ms\./);
  assert.match(notice, /loss: 'everything' .* Keeping none\./);
  assert.equal(await heroText(page), '79 ms');
});

test('a bad number typed in is named with its range and changes nothing', async () => {
  const page = await openPage();
  await type(page, 'rtt', '900 ms');
  const error = panel(page).locator('[data-key="rtt"] .error');
  assert.match(await error.textContent(), /'900 ms' is not allowed; use 1 ms to 300 ms/);
  assert.equal(await heroText(page), '531 ms');
  await type(page, 'rtt', '20');
  assert.equal(await error.textContent(), '');
  assert.equal(await field(page, 'rtt').inputValue(), '20 ms');
});

test('every "try this" button sets the panel and says what came of it', async () => {
  const page = await openPage();
  const buttons = page.locator('[data-try="slow-start"]');
  assert.ok((await buttons.count()) > 20);
  for (let i = 0; i < (await buttons.count()); i += 1) {
    const button = buttons.nth(i);
    const set = await button.getAttribute('data-set');
    const compares = await button.evaluate(
      (it) =>
        !document.querySelector('[data-panel="slow-start"] .reset:not([hidden])') ||
        it.closest('.tries')?.querySelector('[aria-pressed="true"]'),
    );
    await button.click();
    const result = await button.evaluate((it) => {
      const row = it.closest('.tries');
      return (row ? row.querySelector('.result') : it.nextElementSibling).textContent;
    });
    // Beside what was shown before only where that came of the same row, or of nothing yet.
    assert.match(result, compares ? /^([\d.,]+ m?s →|still) [\d.,]+ m?s/ : /^[\d.,]+ m?s(; |see|$)/, set);
    assert.equal(await panel(page).locator('.notice').textContent(), '', set);
    for (const [key, value] of new URLSearchParams(set)) {
      const control = panel(page).locator(`[data-key="${key}"]`);
      assert.equal(await control.count(), 1, `${set}: ${key}`);
      const there = await control.evaluate((it) => {
        const checked = it.querySelector('input:checked');
        const typed = it.querySelector('.field');
        if (typed) return typed.value;
        return it.classList.contains('switch') ? (checked ? 'on' : 'off') : checked.id;
      });
      assert.ok(
        there.replaceAll(/[ ,]/g, '').endsWith(value) || sameTime(there, value),
        `${set}: ${key} is ${there}`,
      );
    }
  }
});

/** 1000ms and 1 s are the same time. */
function sameTime(a, b) {
  const ms = (text) => parseFloat(text) * (/[^m]s$/.test(text.replaceAll(' ', '')) ? 1000 : 1);
  return Math.abs(ms(a) - ms(b)) < 1e-9;
}

test('one spoken sentence follows once a change has settled', async () => {
  const page = await openPage();
  const max = Number(await slider(page, 'rtt').getAttribute('max'));
  for (let position = max - 8; position <= max; position += 1) await slide(page, 'rtt', position);
  const status = panel(page).locator('p[role="status"]').last();
  await page.waitForFunction(
    () => /response time/.test(document.querySelector('[data-panel] > p[role="status"]:last-child')?.textContent),
  );
  assert.match(await status.textContent(), /^response time [\d.]+ s: .*link idle\.$/);
});

test('on a phone nothing overflows, and the number stays in sight while a slider is dragged', async () => {
  const page = await openPage('', { viewport: { width: 360, height: 640 }, hasTouch: true });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0);
  const idle = slider(page, 'idle');
  await idle.scrollIntoViewIfNeeded();
  await page.evaluate(() => document.querySelector('#slow-start-iw').scrollIntoView({ block: 'center' }));
  const box = await hero(page).boundingBox();
  const handle = await slider(page, 'iw').boundingBox();
  assert.ok(box.y >= 0 && box.y + box.height < handle.y, `${box.y} ${handle.y}`);
});

test('in a frame the panel stands alone, with the controls that were asked for', async () => {
  const page = await openPage('?embed=1&controls=size,iw', { viewport: { width: 480, height: 260 } });
  assert.equal(await page.locator('h1').isVisible(), false);
  assert.equal(await hero(page).isVisible(), true);
  assert.equal(await slider(page, 'size').isVisible(), true);
  assert.equal(await slider(page, 'rate').isVisible(), false);
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing, ${colorScheme}`, async () => {
    const page = await openPage('?size=16MB&hs=off&idle=1s', { colorScheme });
    await checkAccessibility(page);
  });
}

test('without JavaScript there is a sentence instead of a panel', async () => {
  const page = await openPage();
  const context = await page.context().browser().newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(address());
  assert.match(await plain.locator('.starting').first().textContent(), /WebAssembly/);
  await context.close();
});

test('64 MB is recomputed and drawn while a slider is dragged', async () => {
  const page = await openPage('?size=64MB');
  const max = Number(await slider(page, 'rate').getAttribute('max'));
  // Many changes within one frame cost one run: the last one is shown.
  await slider(page, 'rate').evaluate((input, max) => {
    for (let position = 0; position <= max; position += 1) {
      input.value = String(position);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }, max);
  await frame(page);
  assert.equal(await field(page, 'rate').inputValue(), '10 Gbps');
  assert.match(await heroText(page), /^[\d.]+ (ms|s)$/);
});
