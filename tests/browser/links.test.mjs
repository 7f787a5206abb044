// Links that lead into a state: all of it goes along into a frame, out of one, and is a control too.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DIST } from './browser.mjs';
import { address, openEmpty, openPage } from './harness.mjs';
import { serve } from './server.mjs';

let host;
const pages = {};

before(async () => {
  host = await serve(DIST, '/', { pages });
});

after(() => host?.close());

const panel = (page, name = 'slow-start') => page.locator(`[data-panel="${name}"]`);
const against = (page, name) => panel(page, name).locator('.hero-against');
const pressed = (page) => panel(page).locator('.views [aria-pressed="true"]').textContent();
const title = (page, name) => panel(page, name).locator('.guess-title').textContent();
const parameters = (link) => Object.fromEntries(new URL(link).searchParams);

/** A page of another site with this content. */
async function openHost(content) {
  const { page } = await openEmpty();
  pages['host.html'] = `<!doctype html><html lang="en"><title>Host</title>
    <link rel="icon" href="data:,"><body>${content}</body></html>`;
  await page.goto(new URL('host.html', host.url).href);
  return page;
}

/** The addresses of the frame and of the element that the dialog offers for a panel. */
async function offered(page, name) {
  await panel(page, name).getByRole('button', { name: 'Embed this' }).click();
  const codes = page.getByRole('dialog').locator('textarea');
  const [element, frame] = [await codes.first().inputValue(), await codes.last().inputValue()];
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  return page.evaluate(([element, frame]) => {
    const parsed = new DOMParser().parseFromString(element + frame, 'text/html');
    return {
      frame: parsed.querySelector('iframe').src,
      state: parsed.querySelector('slow-start-panel').getAttribute('state'),
    };
  }, [element, frame]);
}

test('the view and the pin go into a frame, and out of it', async () => {
  const page = await openPage('?size=64KB&pin=size%3D64KB%26iw%3D46&view=ladder&bdp-pin=win%3D4MB');
  const { frame, state } = await offered(page);
  const { embed, panel: _, controls, ...rest } = parameters(frame);
  assert.deepEqual(rest, { size: '64KB', pin: 'size=64KB&iw=46', view: 'ladder' });
  assert.deepEqual(Object.fromEntries(new URLSearchParams(state)), rest);

  const framed = await openPage(new URL(frame).search);
  assert.equal(await pressed(framed), 'Ladder');
  assert.match(await against(framed).textContent(), /against the pinned 79 ms$/);
  const link = framed.getByRole('link', { name: 'Open the whole page' });
  assert.deepEqual(parameters(await link.getAttribute('href')), rest);
  // The link follows what is done in the frame.
  await panel(framed).getByRole('button', { name: 'Sequence' }).click();
  await panel(framed).getByRole('button', { name: 'Unpin A' }).click();
  await framed.waitForFunction(() => !document.querySelector('.tools a').href.includes('pin='));
  assert.deepEqual(parameters(await link.getAttribute('href')), { size: '64KB', view: 'sequence' });
});

test('a panel with a prefix drops it in a frame and takes it again outside', async () => {
  const page = await openPage('?bdp-win=1MB&bdp-pin=win%3D4MB&pin=size%3D64KB');
  const { frame } = await offered(page, 'bdp');
  assert.equal(parameters(frame).pin, 'win=4MB');
  const framed = await openPage(new URL(frame).search);
  assert.match(await against(framed, 'bdp').textContent(), /against the pinned/);
  const link = framed.getByRole('link', { name: 'Open the whole page' });
  assert.deepEqual(parameters(await link.getAttribute('href')), { 'bdp-win': '1MB', 'bdp-pin': 'win=4MB' });
});

test('a host sets the view and the pin with the rest', async () => {
  const page = await openHost(`<script src="${address('embed.js')}"></script>
    <slow-start-panel state="size=64KB"></slow-start-panel>
    <script>
      window.changes = []; window.remarks = [];
      addEventListener('explorable-change', (e) => changes.push(e.detail));
      addEventListener('explorable-remarks', (e) => remarks.push(...e.detail.remarks));
    </script>`);
  await page.waitForFunction(() => changes.length === 1);
  const frame = await (await page.$('iframe')).contentFrame();
  await page.evaluate(() =>
    document.querySelector('slow-start-panel').setAttribute('state', 'size=1MB&view=ladder&pin=size%3D64KB'),
  );
  await page.waitForFunction(() => changes.length > 1 && changes.at(-1).query === '');
  assert.equal(await pressed(frame), 'Ladder');
  assert.match(await against(frame).textContent(), /^\+\d+ ms against the pinned 22\d ms$/);
  assert.deepEqual(await page.evaluate(() => remarks), []);
});

test('a sandboxed frame, which cannot touch its address, links to its state too', async () => {
  const open = await serve(DIST, '/open/', { headers: { 'access-control-allow-origin': '*' } });
  try {
    const page = await openHost(`<iframe title="Panel" width="900" height="900" sandbox="allow-scripts"
      src="${open.url}?embed=1&size=64KB"></iframe>`);
    const frame = await (await page.$('iframe')).contentFrame();
    await panel(frame).getByRole('button', { name: 'Ladder' }).click();
    await panel(frame).getByRole('button', { name: 'Pin this run' }).click();
    await frame.waitForFunction(() => document.querySelector('.tools a').href.includes('pin='));
    const link = frame.getByRole('link', { name: 'Open the whole page' });
    assert.deepEqual(parameters(await link.getAttribute('href')), {
      size: '64KB',
      view: 'ladder',
      pin: 'size=64KB',
    });
  } finally {
    open.close();
  }
});

test('a link opens at an exercise, in a frame too, and is left with it', async () => {
  const page = await openPage('?exercise=2');
  const asked = page.locator('.guess:not([hidden]) .guess-title');
  await asked.first().waitFor();
  assert.match(await asked.first().textContent(), /^Exercise 2 of \d+$/);
  assert.equal(await page.getByLabel('Guess first').isChecked(), true);
  // The list of exercises is the control: another one stands in the address at once.
  await page.locator('.exercises button').first().click();
  assert.equal(new URL(page.url()).searchParams.get('exercise'), '1');
  assert.match(await title(page), /^Exercise 1 of/);
  const { frame } = await offered(page);
  assert.equal(parameters(frame).exercise, '1');
  const framed = await openPage(new URL(frame).search);
  // There it is the only one.
  const question = (page) => panel(page).locator('.guess-question').textContent();
  assert.equal(await question(framed), await question(page));
  assert.equal(await title(framed), '');
  // What is set by hand is no exercise any more.
  await panel(page).locator('[data-key="iw"] .field').fill('46');
  await panel(page).locator('[data-key="iw"] .field').press('Enter');
  await page.waitForFunction(() => !location.search.includes('exercise='));
});

test('an exercise that is not there is named', async () => {
  for (const number of ['0', '99', 'first']) {
    const page = await openPage(`?exercise=${number}`);
    const notice = await page.locator('[data-teaching] .notice').textContent();
    assert.match(notice, new RegExp(`^exercise: '${number}' is not allowed; use one of 1, 2, .*\\.$`));
  }
});

test('exercises from elsewhere open at the one that is named', async () => {
  const page = await openPage();
  const file = await page.evaluate(async () => {
    const exercises = { title: 'Mine', exercises: [] };
    for (const size of ['14KB', '64KB']) {
      exercises.exercises.push({
        panel: 'slow-start',
        settings: `size=${size}`,
        question: `How long do ${size} take?`,
        quantity: 'response_ms',
        explanation: 'So long.',
      });
    }
    return `data:application/json,${encodeURIComponent(JSON.stringify(exercises))}`;
  });
  const own = await openPage(`?exercise=2&exercises=${encodeURIComponent(file)}`);
  await own.locator('.guess-title').filter({ hasText: 'Exercise 2 of 2' }).waitFor();
  assert.match(await own.locator('.guess-question').first().textContent(), /64KB/);
});

test('whatever the address can set is a control in sight, or one click away', async () => {
  const page = await openPage('?theme=dark&font=125&teach=1&view=ladder');
  for (const more of await page.locator('details.more, details.assumptions').all()) {
    await more.evaluate((it) => (it.open = true));
  }
  for (const label of ['Theme', 'Text size', 'Guess first', 'Open a file of exercises']) {
    assert.equal(await page.getByLabel(label).isVisible(), true, label);
  }
  assert.ok((await page.locator('.exercises button').count()) > 1);
  for (const name of ['slow-start', 'bdp']) {
    await panel(page, name).getByRole('button', { name: 'Embed this' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    assert.equal(await panel(page, name).getByRole('button', { name: 'Pin this run' }).isVisible(), true);
  }
  // Of every key that a panel reads there is a control; the program lists the keys.
  const controls = await page.locator('[data-panel] [data-key]').evaluateAll((all) =>
    all.filter((it) => it.checkVisibility()).map((it) => it.dataset.key),
  );
  assert.equal(controls.length, await page.locator('[data-panel] [data-key]').count());
});
