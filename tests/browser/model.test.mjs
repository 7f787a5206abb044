// What the model takes for granted, and what a real kernel did, as a reader uses them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility, frame, openPage } from './harness.mjs';

const panel = (page) => page.locator('[data-panel="slow-start"]');
const hero = (page) => panel(page).locator('.hero-number').first();
const control = (page, key) => panel(page).locator(`[data-key="${key}"]`);
const drawer = (page) => panel(page).locator('details.assumptions');
const kernel = (page) => page.locator('details[data-kernel]');

/** Opens the drawer and waits until every effect is told. */
async function openDrawer(page) {
  await drawer(page).locator('> summary').click();
  await told(page);
}

async function told(page) {
  await page.waitForFunction(() => {
    const list = document.querySelector('details.assumptions .list');
    const effects = [...list.querySelectorAll('.effect')];
    return !list.classList.contains('stale') && effects.every((it) => it.textContent);
  });
}

async function openKernel(page) {
  await kernel(page).locator('> summary').click();
  await page.waitForFunction(() =>
    /^\d+ rows/.test(document.querySelector('[data-kernel] .progress')?.textContent),
  );
}

/** Lets no pause that the page waits for end before `endPauses` is called in it. */
async function holdPauses(page) {
  await page.evaluate(() => {
    const { setTimeout, clearTimeout } = window;
    const held = new Map();
    window.setTimeout = (work, ms) => {
      if (ms < 100) return setTimeout(work, ms);
      held.set(-1 - held.size, work);
      return -held.size;
    };
    window.clearTimeout = (id) => (id < 0 ? held.set(id, () => {}) : clearTimeout(id));
    window.endPauses = () => {
      Object.assign(window, { setTimeout, clearTimeout });
      for (const work of held.values()) work();
    };
  });
}

const rows = (page) => kernel(page).locator('tbody tr:not([hidden])');

test('the preset is a control, and the address holds it with what differs from it', async () => {
  const page = await openPage();
  assert.equal(await hero(page).textContent(), '531 ms');
  await control(page, 'model').getByLabel('as Linux does it').check();
  await frame(page);
  assert.equal(await hero(page).textContent(), '532 ms');
  await drawer(page).locator('> summary').click();
  await control(page, 'pacing').getByLabel('spread over the round trip').check();
  await page.waitForFunction(() => location.search.includes('pacing='));
  const search = new URL(page.url()).searchParams;
  assert.deepEqual([...search], [['model', 'linux'], ['pacing', 'fq-like']]);
  const again = await openPage('?pacing=fq-like&model=linux');
  assert.equal(await control(again, 'model').locator(':checked').getAttribute('id'), 'slow-start-model-linux');
  assert.equal(await control(again, 'pacing').locator(':checked').getAttribute('id'), 'slow-start-pacing-fq-like');
});

test('on a phone the assumptions are folded into groups, which tell of what differs', async () => {
  const page = await openPage('?rto=srtt-plus-200ms', { viewport: { width: 360, height: 740 } });
  await drawer(page).locator('> summary').click();
  const groups = drawer(page).locator('.list > details');
  assert.equal(await groups.count(), 6);
  assert.equal(await drawer(page).locator('.control:visible').count(), 0);
  const marks = await groups.evaluateAll((all) =>
    all.map((it) => getComputedStyle(it.querySelector('summary'), '::after').content),
  );
  assert.deepEqual(marks.map((it) => it.includes('≠')), [false, false, true, false, false, false]);
  await groups.nth(2).locator('summary').click();
  assert.equal(await drawer(page).locator('.control:visible').count(), 5);
});

test('each assumption has its source and is marked where it is not the simple model’s', async () => {
  const page = await openPage();
  await drawer(page).locator('> summary').click();
  const entries = drawer(page).locator('.control');
  const count = await entries.count();
  assert.ok(count >= 20);
  for (let i = 0; i < count; i += 1) {
    assert.match(await entries.nth(i).locator('.source').textContent(), /\w/);
    assert.match(await entries.nth(i).locator('.help').textContent(), /\w.*\.$/);
    assert.equal(await entries.nth(i).locator('.mark').textContent(), '');
  }
  assert.match(await drawer(page).locator('> summary').textContent(), /all as in the simple model/);
  await control(page, 'model').getByLabel('as Linux does it').check();
  await frame(page);
  assert.equal(await control(page, 'clock').locator('.mark').textContent(), '≠ the simple model: “in slots of RTT/80”');
  assert.equal(await control(page, 'acks').locator('.mark').textContent(), '');
  assert.match(await drawer(page).locator('> summary').textContent(), /\d+ of \d+ differ/);
});

test('a reset goes to what the preset says', async () => {
  const page = await openPage('?model=linux&rto=max-200ms');
  await drawer(page).locator('> summary').click();
  const rto = control(page, 'rto');
  assert.equal(await rto.locator('.mark').textContent(), '');
  await rto.getByRole('button', { name: /Reset Retransmission timeout to srtt \+ max/ }).click();
  await frame(page);
  assert.equal(await rto.locator(':checked').getAttribute('id'), 'slow-start-rto-srtt-plus-200ms');
  assert.equal(await rto.locator('.reset').isVisible(), false);
  assert.match(await rto.locator('.mark').textContent(), /^≠/);
});

test('what the other way changes is worked out from the scenario', async () => {
  const page = await openPage('?size=14KB');
  await openDrawer(page);
  const effect = (key) => control(page, key).locator('.effect').textContent();
  assert.match(await effect('pacing'), /^With “none: as fast as the window allows”: 79 ms → \d+ ms/);
  assert.match(await effect('rec'), /no change in this scenario$/);
  const before = await effect('pacing');
  await panel(page).locator('[data-key="rtt"] .field').fill('20 ms');
  await panel(page).locator('[data-key="rtt"] .field').press('Enter');
  await page.waitForFunction(() => document.querySelector('.assumptions .stale'));
  await told(page);
  assert.notEqual(await effect('pacing'), before);
});

test('a slider can be dragged while the drawer is open', async () => {
  const page = await openPage();
  await openDrawer(page);
  await holdPauses(page);
  const effects = () => drawer(page).locator('.effect').allTextContents();
  const before = await effects();
  const shown = new Set();
  // Nothing but the number follows, however long the drag: no pause in it comes to its end.
  for (let position = 40; position < 70; position += 1) {
    await page.locator('#slow-start-rtt').fill(String(position));
    await frame(page);
    shown.add(await hero(page).textContent());
    assert.deepEqual(await effects(), before);
  }
  assert.ok(shown.size >= 25, `${shown.size} numbers`);
  await page.evaluate(() => window.endPauses());
  await told(page);
  assert.notDeepEqual(await effects(), before);
});

test('what is being typed stays, whatever else is shown meanwhile', async () => {
  const page = await openPage();
  const field = control(page, 'rtt').locator('.field');
  await field.fill('2');
  // As a host page does, by a message, while the focus is in the field.
  await page.locator('#slow-start-iw').evaluate((slider) => {
    slider.value = slider.max;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await frame(page);
  assert.equal(await field.inputValue(), '2');
  await field.press('End');
  await field.pressSequentially('0');
  await field.press('Enter');
  await frame(page);
  assert.equal(await field.inputValue(), '20 ms');
  assert.equal(await control(page, 'iw').locator('.field').inputValue(), '64');
});

test('rarely used controls are put away until they are set', async () => {
  const page = await openPage();
  assert.equal(await page.locator('#slow-start-spike').isVisible(), false);
  assert.equal(await page.locator('#slow-start-idle').isVisible(), true);
  await page.locator('[data-set="size=4MB&spike=200ms"]').click();
  assert.equal(await page.locator('#slow-start-spike').isVisible(), true);
  const asked = await openPage('?embed=1&controls=size,spike', { viewport: { width: 480, height: 360 } });
  assert.equal(await asked.locator('#slow-start-spike').isVisible(), true);
  assert.equal(await drawer(asked).isVisible(), false);
});

test('a delay spike ends slow start for good with HyStart, and not with HyStart++', async () => {
  const page = await openPage();
  const after = async (set) => {
    await page.locator(`[data-set="${set}"]`).last().click();
    const [number, unit] = (await hero(page).textContent()).split(' ');
    return parseFloat(number) * (unit === 's' ? 1000 : 1);
  };
  const calm = await after('size=4MB');
  const misled = await after('size=4MB&spike=200ms');
  assert.match(await panel(page).locator('.log').textContent(), /slow start ends at cwnd 89/);
  assert.ok(misled - calm > 1000, `${calm} ${misled}`);
  const recovered = await after('size=4MB&spike=200ms&exit=hystart-plus-plus');
  assert.ok(recovered - calm < 100, `${calm} ${recovered}`);
  assert.match(await panel(page).locator('.log').textContent(), /conservative slow start .* slow start goes on/);
  const [large, spiky] = [await after('size=16MB'), await after('size=16MB&spike=100ms')];
  assert.ok(spiky > 4 * large, `${large} ${spiky}`);
});

test('the buttons on a real kernel give what the text says', async () => {
  const page = await openPage();
  const after = async (set) => {
    await page.locator(`section:has(> #real-kernel) [data-set="${set}"]`).click();
    return hero(page).textContent();
  };
  for (const [set, number] of [
    ['model=linux', '532 ms'],
    ['size=14KB', '79 ms'],
    ['size=14KB&model=linux', '41 ms'],
    ['rtt=20ms&size=8KB&loss=last-window&model=linux', '258 ms'],
    ['rtt=20ms&size=8KB&loss=last-two&model=linux', '98 ms'],
    ['rate=1Mbps&size=64KB&iw=46', '597 ms'],
    ['rate=1Mbps&size=64KB&iw=46&model=linux&pacing=fq-like', '969 ms'],
    ['rate=1Mbps&size=64KB&iw=46&model=linux', '1.73 s'],
    ['size=16MB&hs=off', '1.85 s'],
    ['size=16MB&hs=off&model=linux', '1.85 s'],
  ]) {
    assert.equal(await after(set), number, set);
  }
  const dropped = panel(page).locator('.readout', { hasText: 'Packets dropped' }).locator('dd:not(.help)');
  assert.match(await dropped.textContent(), /^2,7\d\d$/);
});

test('the kernel’s figures stand beside both models, and the marks say where it matters', async () => {
  const page = await openPage();
  assert.equal(await kernel(page).locator('table').count(), 0);
  await openKernel(page);
  const all = await rows(page).count();
  assert.ok(all > 140);
  const cells = (row) => row.locator('td').allTextContents();
  const small = rows(page).filter({ hasText: '14 KB, 100 Mbps, 80 ms' }).first();
  assert.deepEqual(await cells(small), ['41 ms', '41 ms±0', '79 ms+38 ms']);
  assert.match(await small.locator('th').textContent(), /^≠/);
  const large = rows(page).filter({ hasText: '1 MB, 100 Mbps, 80 ms' }).first();
  assert.match(await large.locator('th').textContent(), /^1 MB/);
  await page.locator('#kernel-marked').check();
  const marked = await rows(page).count();
  assert.ok(marked > 0 && marked < all, `${marked} of ${all}`);
  await page.locator('#kernel-marked').uncheck();
  await page.locator('#kernel-group').selectOption('idle connections');
  await page.locator('#kernel-quantity').selectOption('cwnd_at_second');
  assert.ok((await rows(page).count()) >= 20);
  assert.match(await rows(page).first().textContent(), /again after/);
  await page.locator('#kernel-group').selectOption('HyStart on and off');
  await page.locator('#kernel-quantity').selectOption('queue_drops');
  await page.locator('#kernel-order').selectOption('difference');
  assert.match(await rows(page).filter({ hasText: 'no HyStart' }).first().textContent(), /2,7\d\d.*−2,/);
  const differences = (await rows(page).locator('td:last-child small').allTextContents()).map(parseFloat);
  assert.ok(differences.length >= 8 && differences.at(-1) === 0 || Number.isNaN(differences.at(-1)));
});

test('a row loads into the panel, as Linux does it', async () => {
  const page = await openPage();
  await openKernel(page);
  await page.locator('#kernel-group').selectOption('a slow link');
  const row = rows(page).filter({ hasText: 'IW 46, paced' }).first();
  const linux = await row.locator('td > span').first().textContent();
  await row.getByRole('button').click();
  assert.equal(await hero(page).textContent(), linux);
  await page.waitForFunction(() => location.search.includes('model=linux'));
  const search = new URL(page.url()).searchParams;
  assert.equal(search.get('pacing'), 'fq-like');
  assert.equal(search.get('iw'), '46');
  assert.equal(search.get('rate'), '1Mbps');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'slow-start');
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing with everything open, ${colorScheme}`, async () => {
    const page = await openPage('?model=linux&pacing=fq-like&loss=last-two', { colorScheme });
    await openDrawer(page);
    await openKernel(page);
    await panel(page).locator('details.more > summary').click();
    await checkAccessibility(page);
  });
}

test('on a phone nothing overflows with everything open', async () => {
  const page = await openPage('?model=linux', { viewport: { width: 320, height: 640 }, hasTouch: true });
  await openDrawer(page);
  await openKernel(page);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0);
});
