// axe finds nothing in any state of the page, in light and dark. The files beside this one look at the
// states that their own tests bring about; these are the ones left, and all panels at once.

import { test } from 'node:test';
import { address, checkAccessibility, openEmpty, openPage } from './harness.mjs';

const all = (page, selector, act) => page.locator(selector).evaluateAll(act);
const openDetails = (page) => all(page, 'details', (details) => details.forEach((it) => (it.open = true)));
/** Does something to each panel that has what it needs. */
const each = async (page, selector, act) => {
  for (const it of await page.locator(`[data-panel] ${selector}`).all()) await act(it);
};
const click = (it) => it.click();

/** A state: its name, the query that leads to it, what is done then, and options of the page. */
const STATES = [
  ['everything folded out', '?size=64KB&view=ladder', openDetails],
  ['broken addresses and their remarks', '?rate=90Gbps&loss=all&lose=0,1&pin=%25&bdp-win=much&theme=pink&font=900'],
  [
    'a bad number in every field',
    '',
    async (page) => {
      await openDetails(page);
      await all(page, '.control .field', (fields) => {
        for (const it of fields) {
          it.value = 'soon';
          it.dispatchEvent(new Event('change', { bubbles: true }));
        }
      });
    },
  ],
  ['all that can be pinned', '', (page) => each(page, '.pinning button:visible >> nth=0', click)],
  [
    'the cursor on every chart',
    '?view=sequence&size=64KB&loss=last-two',
    (page) => each(page, '.plots', async (it) => {
      await it.focus();
      await page.keyboard.press('PageUp');
    }),
  ],
  [
    'a packet pointed at, closer up',
    '?view=ladder&size=14KB&lose=3,7',
    async (page) => {
      await page.locator('[data-panel="slow-start"] .plots').focus();
      for (const key of ['+', 'Home', '.', '.', '.']) await page.keyboard.press(key);
    },
  ],
  ['an assumption taken otherwise', '?model=linux&pacing=fq-like', openDetails],
  ['several connections', '?conns=4&stagger=10ms&rwnd=64KB&setup=tls13&think=10ms&idle=1s', openDetails],
  ['a button of the text pressed', '', (page) => page.locator('[data-try]').first().click()],
  ['an exercise that is not there', '?exercise=99'],
  ['guesses on every panel', '?teach=1&size=64KB&bdp-win=1MB', openDetails],
  ['text of twice the size', '?font=200&view=ladder'],
  ['a phone', '?view=ladder&size=64KB', openDetails, { viewport: { width: 360, height: 740 } }],
  ['reduced motion', '?view=ladder', () => {}, { reducedMotion: 'reduce' }],
  ['paper', '?size=64KB&pin=size%3D14KB', (page) => page.emulateMedia({ media: 'print' })],
  ...['slow-start', 'bdp'].flatMap((panel) => [
    [`${panel} in a frame`, `?embed=1&panel=${panel}`, openDetails],
    [
      `the dialog of ${panel}`,
      '',
      (page) => page.locator(`[data-panel="${panel}"]`).getByRole('button', { name: 'Embed this' }).click(),
    ],
  ]),
];

for (const [name, query, act = () => {}, options = {}] of STATES) {
  test(`axe finds nothing: ${name}`, async () => {
    const page = await openPage(query, options);
    await act(page);
    await check(page);
  });
}

test('axe finds nothing: how the model works', async () => {
  const { page } = await openEmpty({ viewport: { width: 360, height: 740 } });
  await page.goto(address('model.html'));
  await check(page);
});

async function check(page) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await checkAccessibility(page);
  }
}
