// The built page in a browser of another make: it starts, is right, and follows what is set.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { resolve } from 'node:path';
import { serve } from '../browser/server.mjs';
import { launch } from './firefox.mjs';

let server;
let firefox;

before(async () => {
  server = await serve(resolve(process.env.DIST ?? 'dist'));
  firefox = await launch();
});

afterEach(() => assert.deepEqual(firefox.errors.splice(0), [], 'the page had errors'));

after(async () => {
  await firefox?.close();
  server?.close();
});

/** The page at `query`, once every panel in sight has its number. */
async function open(query, { width = 1280, height = 800 } = {}) {
  await firefox.resize(width, height);
  await firefox.open(server.url + query);
  await eventually(`![...document.querySelectorAll('.starting')].some((it) => it.checkVisibility())`);
}

/** Waits until an expression is true in the page. */
async function eventually(expression) {
  const end = Date.now() + 10_000;
  while (!(await firefox.evaluate(expression))) {
    if (Date.now() > end) throw new Error(`still not so: ${expression}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const hero = () => firefox.evaluate(`document.querySelector('.hero-number').textContent`);
const act = (statements) => firefox.evaluate(`(() => { ${statements} })()`);
/** How many pixels of a canvas are not blank. */
const ink = (selector) =>
  firefox.evaluate(`(() => {
    const canvas = document.querySelector('${selector}');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, i) => i % 4 === 3 && value > 0).length;
  })()`);

test('the number is right, the charts are drawn, and a slider changes both', async () => {
  await open('');
  assert.equal(await hero(), '531 ms');
  assert.ok((await ink('.plots canvas')) > 1000);
  await act(`
    const slider = document.querySelector('#slow-start-rtt');
    slider.value = slider.max;
    slider.dispatchEvent(new Event('input', { bubbles: true }));`);
  await eventually(`document.querySelector('.hero-number').textContent === '1.99 s'`);
  await eventually(`location.search === '?rtt=300ms'`);
});

test('a link leads to the ladder, a pinned run and lost packets', async () => {
  await open('?view=ladder&size=64KB&lose=12,40&pin=size%3D14KB');
  assert.ok((await ink('.ladder canvas')) > 1000);
  assert.match(await firefox.evaluate(`document.querySelector('.hero-against').textContent`), /pinned 79 ms/);
  assert.match(await firefox.evaluate(`document.querySelector('.log').textContent`), /Segment 12 is lost.*Segment 40 is lost/s);
});

test('in a frame and on a phone nothing overflows', async () => {
  for (const [query, width, height] of [['', 360, 740], ['?embed=1&controls=size,iw', 480, 260]]) {
    await open(query, { width, height });
    assert.ok((await firefox.evaluate(`document.documentElement.scrollWidth - innerWidth`)) <= 0, query);
  }
});
