import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './harness.mjs';

test('the page opens without errors and has its panel', async () => {
  const page = await openPage();
  assert.equal(await page.locator('#panel').count(), 1);
});
