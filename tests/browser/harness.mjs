// For the test files: one server and one browser for each, and a check after every test
// that the pages it opened logged no errors.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, afterEach, before } from 'node:test';
import { DIST, launch, newPage, start } from './browser.mjs';
import { serve } from './server.mjs';

let browser;
let server;
let opened = [];

before(async () => {
  server = await serve(DIST);
  browser = await launch();
});

afterEach(async () => {
  const pages = opened;
  opened = [];
  for (const { page } of pages) await page.context().close();
  // Printed as well: of a test that has failed already, Node does not show what is thrown here.
  for (const { errors } of pages) for (const error of errors) console.error(error);
  for (const { errors } of pages) assert.deepEqual(errors, [], 'the page had errors');
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** The address of the served page, or of a file beside it. */
export function address(relative = '') {
  return new URL(relative, server.url).href;
}

/**
 * The page, started, at `query` ('' or '?a=1&b=2', a hash may follow). Options: see newPage.
 * The page is closed after the test, which fails when the page had errors.
 */
export async function openPage(query = '', options = {}) {
  const { page, errors } = await openEmpty(options);
  await start(page, errors, address(query));
  return page;
}

/** An empty page for a test that goes elsewhere; looked after like one of `openPage`. */
export async function openEmpty(options = {}) {
  const it = await newPage(browser, options);
  opened.push(it);
  return it;
}

/**
 * What the page has logged as errors up to now. A test that provokes errors on purpose looks at
 * them here and then empties the list: errorsOf(page).length = 0.
 */
export function errorsOf(page) {
  return opened.find((it) => it.page === page).errors;
}

/** Waits until what was changed is shown. */
export function frame(page) {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** Types a value into a control's field and waits until it is shown. */
export async function enter(field, text) {
  await field.fill(text);
  await field.press('Enter');
  await frame(field.page());
}

const axeFile = createRequire(import.meta.url).resolve('axe-core');

/** Fails when axe finds breaches of WCAG 2.2 A or AA. `options` are axe's own, merged over that. */
export async function checkAccessibility(page, options = {}) {
  // What is far from sight is not laid out, and axe would judge it by where it is guessed to be.
  await page.addStyleTag({ content: 'section { content-visibility: visible !important; }' });
  await page.addScriptTag({ path: axeFile });
  const violations = await page.evaluate(async (options) => {
    const results = await window.axe.run(document, options);
    return results.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
    }));
  }, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    ...options,
  });
  assert.deepEqual(violations, [], 'axe found accessibility violations');
}
