// The browser, and a page in it that is ready to be looked at.

import { resolve } from 'node:path';
import { chromium } from 'playwright-core';

/** The folder of the built page. */
export const DIST = resolve(process.env.DIST ?? 'dist');

/** A headless Chromium that works as root and asks no host for anything, with these arguments more. */
export function launch(more = []) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

/**
 * A new page in a profile of its own, and the list that its errors are added to.
 * Options: viewport ({ width, height }), colorScheme ('light' or 'dark'),
 * reducedMotion ('reduce' or 'no-preference'), and any other of Playwright's context options.
 */
export async function newPage(browser, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'no-preference',
    ...options,
  });
  const page = await context.newPage();
  const errors = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => errors.push(`page: ${error.stack ?? error}`));
  page.on('requestfailed', (request) =>
    errors.push(`request: ${request.url()}: ${request.failure()?.errorText}`),
  );
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`response: ${response.url()}: ${response.status()}`);
  });
  // Trunk says so when the wasm has started.
  await page.addInitScript(() => {
    addEventListener('TrunkApplicationStarted', () => (window.hasStarted = true));
  });
  return { page, errors };
}

/** Goes to `url` and waits until its wasm has started. */
export async function start(page, errors, url) {
  await page.goto(url);
  try {
    // The panels after the first are built once that one is painted.
    const isBuilt = () =>
      window.hasStarted && !document.querySelector('.panel:not([hidden]) > .starting');
    await page.waitForFunction(isBuilt, null, { timeout: 20_000 });
  } catch (cause) {
    const seen = errors.length > 0 ? errors.join('\n') : 'no errors seen';
    throw new Error(`the page did not start: ${url}\n${seen}`, { cause });
  }
}
