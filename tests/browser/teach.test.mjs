// Teacher's mode: a guess before the number, and exercises.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address, checkAccessibility, enter, errorsOf, frame, openPage } from './harness.mjs';

const panel = (page, name = 'slow-start') => page.locator(`[data-panel="${name}"]`);
const hero = (page, name) => panel(page, name).locator('.hero-number').first();
const guess = (page, name) => panel(page, name).locator('.guess');
const teaching = (page) => page.locator('[data-teaching]');

const type = (page, key, text, name) =>
  enter(panel(page, name).locator(`[data-key="${key}"] .field`), text);

async function answer(page, text, name) {
  await guess(page, name).locator('.field').fill(text);
  await guess(page, name).locator('.field').press('Enter');
  await frame(page);
}

/** Whether nothing in the panel's sight gives the number away. */
async function isVeiled(page, name) {
  assert.equal(await hero(page, name).textContent(), '?');
  for (const part of ['.readouts', '.log', '.plots canvas', '.values']) {
    assert.equal(await panel(page, name).locator(part).first().isVisible(), false, part);
  }
}

test('a change is guessed before its number is shown', async () => {
  const page = await openPage('?teach=1');
  assert.equal(await hero(page).textContent(), '531 ms');
  await type(page, 'size', '64 KB');
  await isVeiled(page);
  assert.match(await guess(page).textContent(), /What will the response time be\?Set: Response size 64 KB\./);
  await answer(page, 'soon');
  assert.match(await guess(page).locator('.error').textContent(), /'soon' is not allowed; use a number in ms/);
  await isVeiled(page);
  await answer(page, '0.45 s');
  const truth = parseFloat(await hero(page).textContent());
  assert.ok(truth > 220 && truth < 230);
  const verdict = guess(page).locator('.verdict');
  assert.match(
    await verdict.textContent(),
    new RegExp(`^You guessed 450 ms; it is ${truth} ms\\. That is ${450 - truth} ms too high, (1\\.99|2\\.00) times`),
  );
  assert.equal(await panel(page).locator('.plots canvas').first().isVisible(), true);
  const row = teaching(page).locator('tbody tr');
  assert.match(await row.textContent(), new RegExp(`Response time: Response size 64 KB450 ms${truth} ms\\+`));
  assert.match(await teaching(page).locator('caption').textContent(), /^1 guess, 0 within a quarter/);
  // Back to what is known: there is nothing to guess.
  await type(page, 'size', '1 MB');
  await isVeiled(page);
  await type(page, 'size', '64 KB');
  assert.equal(await hero(page).textContent(), `${truth} ms`);
});

test('"show me" shows it, and counts as no guess', async () => {
  const page = await openPage('?teach=1&size=64KB');
  await isVeiled(page);
  await guess(page).getByRole('button', { name: 'Show me' }).click();
  await frame(page);
  assert.match(await guess(page).locator('.verdict').textContent(), /^The response time is 22\d ms\.$/);
  assert.equal(await teaching(page).locator('table').isVisible(), false);
});

test('nothing else gives the number away', async () => {
  const page = await openPage('?teach=1');
  const tried = page.locator('[data-try="slow-start"]').first();
  await tried.click();
  await isVeiled(page);
  const row = tried.locator('xpath=..');
  assert.match(await row.locator('.result').textContent(), /^guess first, in the panel:/);
  assert.doesNotMatch(await row.locator('.result').textContent(), /\d/);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-panel="slow-start"] > [role="status"]')].some((it) =>
      it.textContent.includes('response time: make your guess first.'),
    ),
  );
});

test('beside a button stands what was guessed, once it is known', async () => {
  const page = await openPage('?teach=1');
  const row = page.locator('.tries').first();
  const [one, two] = [row.locator('.try').nth(0), row.locator('.try').nth(1)];
  await one.click();
  assert.equal(await row.locator('.to-panel').textContent(), 'go to it');
  await answer(page, '900');
  await row.getByText('see why').waitFor();
  const number = await hero(page).textContent();
  assert.equal(await row.locator('.result').textContent(), `${number}see why`);
  assert.equal(await one.locator('small').textContent(), number);
  // What is set by hand meanwhile is not the button's.
  await two.click();
  await type(page, 'size', '64 KB');
  await answer(page, '900');
  await page.waitForFunction(() => document.querySelector('.tries .result').textContent === '');
});

test('before the guess nothing is saved, and no run is pinned', async () => {
  const page = await openPage('?teach=1&size=64KB');
  await panel(page).locator('.export summary').click();
  page.on('download', () => assert.fail('something was saved'));
  const csv = panel(page).getByRole('button', { name: 'Trace as CSV' });
  for (const button of [csv, panel(page).getByRole('button', { name: 'Pin this run' })]) {
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    const why = page.locator(`#${await button.getAttribute('aria-describedby')}`);
    assert.equal(await why.textContent(), 'make your guess first');
    await button.click({ force: true });
    assert.ok(await guess(page).locator('.field').evaluate((it) => it === document.activeElement));
  }
  assert.equal(new URL(page.url()).searchParams.has('pin'), false);
  await guess(page).getByRole('button', { name: 'Show me' }).click();
  await frame(page);
  assert.equal(await csv.getAttribute('aria-disabled'), 'false');
  await panel(page).getByRole('button', { name: 'Pin this run' }).click();
  assert.equal(new URL(page.url()).searchParams.get('pin'), 'size=64KB');
});

test('the mode is a control too, and in the address', async () => {
  const page = await openPage('?size=64KB');
  assert.equal(await teaching(page).isVisible(), false);
  await page.getByLabel('Guess first').check();
  assert.equal(new URL(page.url()).searchParams.get('teach'), '1');
  assert.equal(await teaching(page).isVisible(), true);
  // What has been seen cannot be guessed.
  assert.match(await hero(page).textContent(), /^22\d ms$/);
  await type(page, 'iw', '46');
  await isVeiled(page);
  await page.getByLabel('Guess first').uncheck();
  assert.equal(await hero(page).textContent(), '79 ms');
  assert.equal(new URL(page.url()).searchParams.has('teach'), false);
});

test('every exercise can be asked, guessed and explained, by keyboard', async () => {
  const page = await openPage('?teach=1');
  const buttons = teaching(page).locator('.exercises button');
  const count = await buttons.count();
  assert.ok(count >= 8);
  await buttons.first().focus();
  await page.keyboard.press('Enter');
  for (let i = 0; i < count; i += 1) {
    const asked = page.locator('.guess:visible form:visible');
    await asked.waitFor();
    const field = asked.locator('.field');
    assert.ok(await field.evaluate((it) => it === document.activeElement));
    const name = await asked.evaluate((it) => it.closest('[data-panel]').dataset.panel);
    await isVeiled(page, name);
    assert.match(await guess(page, name).textContent(), new RegExp(`^Exercise ${i + 1} of ${count}`));
    await page.keyboard.type('100');
    await page.keyboard.press('Enter');
    await frame(page);
    assert.match(await guess(page, name).locator('.verdict').textContent(), /^(You guessed 100|100 )/);
    const outcome = await guess(page, name).locator('.outcome').textContent();
    assert.ok(outcome.length > 150, outcome);
    const next = guess(page, name).getByRole('button', { name: 'Next exercise' });
    if (i + 1 === count) assert.equal(await next.isVisible(), false);
    else await next.click();
  }
  assert.equal(await teaching(page).locator('tbody tr').count(), count);
});

test('setting something else gives the exercise up', async () => {
  const page = await openPage('?teach=1');
  await teaching(page).locator('.exercises button').first().click();
  assert.match(await guess(page).textContent(), /^Exercise 1/);
  await type(page, 'rtt', '20 ms');
  assert.match(await guess(page).textContent(), /^What will the response time be/);
});

const OTHERS = JSON.stringify({
  title: 'From the teacher',
  exercises: [
    { question: 'How long?', panel: 'bdp', settings: 'win=1MB', quantity: 'rtt_ms', explanation: 'So long.' },
  ],
});

const pick = (page, text) =>
  teaching(page).locator('input[type="file"]').setInputFiles({
    name: 'mine.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });

test('a teacher’s own file replaces the exercises; a broken one is refused with reasons', async () => {
  const page = await openPage('?teach=1');
  await pick(page, OTHERS);
  await page.getByRole('heading', { name: 'From the teacher' }).waitFor();
  assert.equal(await teaching(page).locator('.exercises button').count(), 1);
  await pick(page, OTHERS.replace('1MB', '1GB').replace('rtt_ms', 'speed'));
  const notice = teaching(page).locator('.notice');
  await notice.getByText('mine.json could not be used').waitFor();
  assert.match(
    await notice.textContent(),
    /Exercise 1, settings: window: '1GB' is not allowed; use 64 KB to 16 MB\..*Exercise 1, quantity: 'speed' is not allowed; use goodput_mbps/,
  );
  await page.getByRole('heading', { name: 'From the teacher' }).waitFor();
  await checkAccessibility(page);
});

test('exercises come from another address, and what is wrong with it is said', async () => {
  const page = await openPage();
  await page.context().route('**/theirs.json', (route) =>
    route.fulfill({ contentType: 'application/json', body: OTHERS }),
  );
  await page.goto(address(`?exercises=${encodeURIComponent(address('theirs.json'))}`));
  await page.getByRole('heading', { name: 'From the teacher' }).waitFor();
  assert.equal(await page.getByLabel('Guess first').isChecked(), true);
  await page.goto(address('?exercises=nowhere.json'));
  await teaching(page).getByText('nowhere.json could not be used').waitFor();
  assert.match(await teaching(page).locator('.notice').textContent(), /The server answers 404\./);
  assert.ok((await teaching(page).locator('.exercises button').count()) >= 8);
  errorsOf(page).length = 0;
});

test('on a phone nothing overflows, and the number leads to the question', async () => {
  const page = await openPage('?teach=1&size=64KB', { viewport: { width: 360, height: 640 }, hasTouch: true });
  await panel(page).getByRole('button', { name: 'Guess', exact: true }).click();
  assert.ok(await guess(page).locator('.field').evaluate((it) => it === document.activeElement));
  await answer(page, '300');
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0);
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing while it asks and once it has told, ${colorScheme}`, async () => {
    const page = await openPage('?teach=1&size=64KB&bdp-win=4MB', { colorScheme });
    await answer(page, '300');
    await checkAccessibility(page);
  });
}
