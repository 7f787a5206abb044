// The page in a frame of another page, and the dialog that offers the code for it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DIST } from './browser.mjs';
import { address, checkAccessibility, errorsOf, openEmpty, openPage } from './harness.mjs';
import { serve } from './server.mjs';

/** The response time of 64 KB by the start values. */
const HERO = '225 ms';

// The host's pages: another port is another origin.
let host;
const pages = {};

before(async () => {
  host = await serve(DIST, '/', { pages });
});

after(() => host?.close());

/** A host page with this content, in which the panels' messages and events are kept. */
async function openHost(content, { script = address('embed.js'), ...options } = {}) {
  const { page } = await openEmpty(options);
  pages['host.html'] = `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">
    <script>
      window.messages = []; window.changes = []; window.remarks = [];
      addEventListener('message', ({ data }) => messages.push(data));
      document.addEventListener('explorable-change', (e) => changes.push({ id: e.target.id, ...e.detail }));
      document.addEventListener('explorable-remarks', (e) => remarks.push(...e.detail.remarks));
    </script>
    ${script ? `<script async src="${script}"></script>` : ''}
    <body>${content}</body></html>`;
  await page.goto(new URL('host.html', host.url).href);
  return page;
}

/** Waits until `read`, run in the page, is what `check` accepts. */
async function eventually(page, read, check = (it) => it) {
  await page.waitForFunction(
    `(${check})((${read})())`,
    null,
    { timeout: 30_000 },
  );
  return page.evaluate(read);
}

const frameOf = async (page, selector = 'iframe') =>
  (await page.waitForSelector(selector)).contentFrame();
/** A frame that was removed while it loaded is no error of the page's. */
function forgetAborted(page) {
  const errors = errorsOf(page);
  errors.splice(0, errors.length, ...errors.filter((it) => !it.endsWith('ERR_ABORTED')));
}

const heroIn = (frame) => frame.locator('.hero-number').first();

test('a frame on another origin becomes as high as its content', async () => {
  const page = await openHost('<slow-start-panel state="size=64KB&amp;iw=46"></slow-start-panel>');
  await eventually(page, () => window.changes.length);
  const frame = await frameOf(page);
  const fits = async () => {
    const inner = await frame.evaluate(() => document.documentElement.getBoundingClientRect().height);
    const outer = (await (await page.$('iframe')).boundingBox()).height;
    return Math.abs(outer - Math.ceil(inner)) < 1;
  };
  await page.waitForTimeout(200);
  assert.ok(await fits());
  const scrolls = await frame.evaluate(
    () => document.documentElement.scrollHeight > document.documentElement.clientHeight,
  );
  assert.equal(scrolls, false);
  // It follows what happens inside, and in the window.
  const before = await page.$eval('iframe', (it) => it.offsetHeight);
  await frame.locator('.charts details summary').first().click();
  await eventually(page, () => document.querySelector('iframe').offsetHeight, `(it) => it > ${before + 100}`);
  assert.ok(await fits());
  await page.setViewportSize({ width: 400, height: 700 });
  await page.waitForTimeout(300);
  assert.ok(await fits());
  const amp = await page.evaluate(() => messages.filter((it) => it.sentinel === 'amp').at(-1));
  assert.deepEqual(Object.keys(amp).sort(), ['height', 'sentinel', 'type']);
  assert.equal(amp.type, 'embed-size');
  assert.equal(amp.height, await page.$eval('iframe', (it) => it.offsetHeight));
});

test('a link in the text of the host sets controls, and the host hears what came of it', async () => {
  const page = await openHost(`
    <button id="one" data-explorable-set="iw=46">46</button>
    <button id="two" data-explorable-set="iw=3" data-explorable-for="b">3</button>
    <button id="again" data-explorable-set="rtt=20ms" data-explorable-reset>again</button>
    <slow-start-panel id="a" state="size=64KB" height="300"></slow-start-panel>
    <slow-start-panel id="b" state="size=14KB" height="300"></slow-start-panel>`);
  await eventually(page, () => changes.length, '(it) => it === 2');
  const last = (id) => page.evaluate((id) => changes.filter((it) => it.id === id).at(-1), id);
  const { text, title, ...state } = await last('a');
  assert.deepEqual(state, { id: 'a', panel: 'slow-start', query: 'size=64KB', hero: HERO });
  assert.equal(await page.$eval('#a iframe', (it) => it.title), title);
  assert.match(text, new RegExp(`^response time ${HERO}: .* link idle\\.$`));
  await page.click('#one');
  await eventually(page, () => changes.length, '(it) => it === 3');
  assert.equal((await last('a')).hero, '79 ms');
  assert.equal((await last('a')).query, 'size=64KB&iw=46');
  await page.click('#two');
  await eventually(page, () => changes.length, '(it) => it === 4');
  assert.equal((await last('b')).query, 'size=14KB&iw=3');
  await page.click('#again');
  await eventually(page, () => changes.length, '(it) => it === 5');
  assert.equal((await last('a')).query, 'size=64KB&rtt=20ms');
  assert.deepEqual(await page.evaluate(() => remarks), []);
});

test('a change inside the frame is heard outside, once it has settled', async () => {
  // A page with two panels may well have the script twice.
  const again = `<script async src="${address('embed.js')}"></script>`;
  const page = await openHost(`${again}<slow-start-panel id="a" controls="iw"></slow-start-panel>`);
  await eventually(page, () => changes.length);
  const frame = await frameOf(page);
  await frame.locator('#slow-start-iw').focus();
  for (let i = 0; i < 5; i += 1) await page.keyboard.press('ArrowRight');
  await eventually(page, () => changes.length, '(it) => it === 2');
  await page.waitForTimeout(600);
  assert.deepEqual(await page.evaluate(() => changes.map((it) => it.query)), ['', 'iw=15']);
});

test('what cannot be set is answered with remarks', async () => {
  const page = await openHost('<slow-start-panel id="a"></slow-start-panel>');
  await eventually(page, () => changes.length);
  await page.evaluate(() => document.querySelector('#a').set('speed=9&rate=90Gbps&rtt=soon'));
  await eventually(page, () => remarks.length, '(it) => it === 3');
  const [key, range, text] = await page.evaluate(() => remarks);
  assert.match(key, /^speed: there is no such setting; there are size, rate, rtt, .*, and also view, pin\.$/);
  assert.match(range, /^rate: '90Gbps' is not allowed; .* Using 10 Gbps\.$/);
  assert.match(text, /^rtt: 'soon' is not allowed; .* Keeping 80 ms\.$/);
  await page.evaluate(() => document.querySelector('#a').setAttribute('theme', 'pink'));
  await eventually(page, () => remarks.at(-1), '(it) => /^theme: .pink. is not allowed/.test(it)');
});

test('mistakes in the address of an embedded panel are told in it and to its host', async () => {
  const page = await openHost(
    `<slow-start-panel state="panel=nonsense&amp;view=banana&amp;spede=2&amp;rtt=soon" controls="zzz,iw, rtt"
     theme="pink" font="900"></slow-start-panel>`,
  );
  await eventually(page, () => remarks.length, '(it) => it === 7');
  const all = (await page.evaluate(() => remarks)).join('\n');
  for (const remark of [
    /^theme: 'pink' is not allowed; use auto, light or dark\.$/m,
    /^font: '900' is not allowed; .* Using 300\.$/m,
    /^panel: 'nonsense' is not allowed; use slow-start, bdp, initial-window\. Using slow-start\.$/m,
    /^controls: 'zzz' is not allowed; use none, or some of size, rate, /m,
    /^view: 'banana' is not allowed; use \w+, /m,
    /^spede: there is no such setting; there are size, .*, controls, theme, font, /m,
    /^rtt: 'soon' is not allowed; .* Keeping 80 ms\.$/m,
  ]) assert.match(all, remark);
  const frame = await frameOf(page);
  assert.match(await frame.locator('#slow-start > .notice').textContent(), /'banana'/);
  const shown = await frame.locator('.control:visible').evaluateAll((all) => all.map((it) => it.dataset.key));
  assert.deepEqual(shown, ['rtt', 'iw']);
  // On the whole page other programs have keys of their own.
  const whole = await openPage('?utm_source=news&spede=2');
  assert.equal(await whole.locator('#slow-start > .notice').textContent(), '');
});

test('a panel can be set before it is in the page, and after it was out of it', async () => {
  const page = await openHost('');
  await page.waitForFunction(() => customElements.get('slow-start-panel'));
  await page.evaluate(() => {
    window.panel = document.createElement('slow-start-panel');
    panel.set('size=64KB');
    document.body.append(panel);
  });
  await eventually(page, () => changes.at(-1)?.query, "(it) => it === 'size=64KB'");
  await page.evaluate(() => {
    panel.remove();
    panel.set('iw=46');
    panel.setAttribute('state', 'size=14KB');
    document.body.append(panel);
  });
  await eventually(page, () => changes.at(-1).query, "(it) => it === 'size=14KB&iw=46'");
  forgetAborted(page);
});

test('what is to be guessed, the host is not told before', async () => {
  const page = await openHost(`
    <slow-start-panel id="a" state="teach=1&amp;size=256KB" controls="size,iw"></slow-start-panel>
    <slow-start-panel id="b" state="exercise=2" controls="none"></slow-start-panel>`);
  await eventually(page, () => new Set(changes.map((it) => it.id)).size, '(it) => it === 2');
  await page.waitForTimeout(700);
  assert.deepEqual([...new Set(await page.evaluate(() => changes.map((it) => it.hero)))], ['?']);
  const asked = await frameOf(page, '#b iframe');
  // One question, and nothing of the list it is from.
  assert.equal(await asked.getByText('exercises', { exact: false }).filter({ visible: true }).count(), 0);
  assert.equal(await asked.locator('.guess-title').textContent(), '');
  await asked.locator('.guess .field').fill('100');
  await asked.getByRole('button', { name: 'Check' }).click();
  await eventually(page, () => changes.at(-1), "(it) => it.id === 'b' && / ms$/.test(it.hero)");
  assert.equal(await asked.getByRole('button', { name: 'Next exercise' }).isVisible(), false);
  // Nor does the question take the focus from the host.
  assert.equal(await page.evaluate(() => document.activeElement.closest('#a')), null);
});

test('an exercise about another panel than the embedded one is refused', async () => {
  const page = await openPage('?embed=1&panel=bdp&exercise=1');
  const notice = page.locator('[data-teaching] .notice');
  assert.match(await notice.textContent(), /^exercise: '1' is not allowed; use one of \d+(, \d+)+\.$/);
  assert.equal(await notice.isVisible(), true);
});

test('the host sets the theme and the text size, at the start and later', async () => {
  const page = await openHost('<slow-start-panel id="a" theme="dark" font="150"></slow-start-panel>');
  await eventually(page, () => changes.length);
  const frame = await frameOf(page);
  const look = () =>
    frame.evaluate(() => [
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.documentElement).fontSize,
    ]);
  assert.deepEqual(await look(), ['rgb(20, 23, 26)', '24px']);
  await page.evaluate(() => {
    document.querySelector('#a').setAttribute('theme', 'light');
    document.querySelector('#a').removeAttribute('font');
  });
  await page.waitForTimeout(200);
  assert.deepEqual(await look(), ['rgb(255, 255, 255)', '16px']);
  await page.evaluate(() => document.querySelector('#a').setAttribute('state', 'size=64KB&iw=46'));
  await eventually(page, () => changes.at(-1).hero, "(it) => it === '79 ms'");
});

test('messages from another window than the expected one count for nothing', async () => {
  const page = await openHost(`
    <slow-start-panel id="a" state="size=64KB"></slow-start-panel>
    <iframe id="other" srcdoc="A stranger" title="A stranger"></iframe>`);
  await eventually(page, () => changes.length);
  const frame = await frameOf(page, '#a iframe');
  const stranger = await frameOf(page, '#other');
  const height = await page.$eval('#a iframe', (it) => it.offsetHeight);
  await stranger.evaluate(() => {
    const source = 'slow-start';
    // To the panel, as if it were the host; and to the host, as if it were the panel.
    parent.frames[0].postMessage({ source, type: 'set', query: 'iw=46', reset: false }, '*');
    parent.frames[1].postMessage({ source, type: 'set', query: 'iw=46', reset: false }, '*');
    parent.postMessage({ source, type: 'height', height: 9999 }, '*');
    parent.postMessage({ source, type: 'state', query: '', hero: '0 ms', text: '' }, '*');
  });
  await page.waitForTimeout(700);
  assert.equal(await heroIn(frame).textContent(), HERO);
  assert.equal(await page.$eval('#a iframe', (it) => it.offsetHeight), height);
  assert.equal(await page.evaluate(() => changes.length), 1);
  // Nor do messages that are not ours, or not whole.
  await page.evaluate(() => {
    const panel = document.querySelector('#a iframe').contentWindow;
    for (const message of [null, 'set', 7, {}, { source: 'slow-start' }, { type: 'set', query: 'iw=46' }]) {
      panel.postMessage(message, '*');
    }
    panel.postMessage({ source: 'slow-start', type: 'set' }, '*');
  });
  await eventually(page, () => remarks.at(-1), '(it) => /query is missing/.test(it)');
  assert.equal(await heroIn(frame).textContent(), HERO);
});

test('a frame with sandbox="allow-scripts" works where the server lets it load the page', async () => {
  const open = await serve(DIST, '/open/', { headers: { 'access-control-allow-origin': '*' } });
  try {
    const page = await openHost(
      `<button data-explorable-set="iw=46">46</button>
       <slow-start-panel id="a" state="size=64KB" sandbox="allow-scripts"></slow-start-panel>`,
      { script: new URL('embed.js', open.url).href },
    );
    await eventually(page, () => changes.length);
    const frame = await frameOf(page);
    assert.equal(await frame.evaluate(() => origin), 'null');
    await page.click('button');
    await eventually(page, () => changes.at(-1).hero, "(it) => it === '79 ms'");
    // What is set by hand goes on to work, whether or not the frame may touch its address.
    await frame.locator('#slow-start-iw').focus();
    await page.keyboard.press('Home');
    await eventually(page, () => changes.at(-1).query, "(it) => it === 'size=64KB&iw=1'");
    assert.equal(await page.$eval('iframe', (it) => it.offsetHeight > 480), true);
  } finally {
    open.close();
  }
});

test('480 by 260 holds the number and two sliders, with nothing to scroll', async () => {
  for (const query of ['controls=size,iw', 'controls=rate,rtt&iw=46', 'panel=bdp&controls=win,rtt&win=1MB']) {
    const page = await openPage(`?embed=1&${query}`, { viewport: { width: 480, height: 260 } });
    const size = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
    ]);
    assert.deepEqual(size, [480, 260]);
    assert.equal(await page.locator('.hero-number').first().isVisible(), true);
    assert.equal(await page.locator('.control:visible input[type="range"]').count(), 2);
    for (const slider of await page.locator('.control:visible input[type="range"]').all()) {
      const box = await slider.boundingBox();
      assert.ok(box.y + box.height <= 260);
    }
    await checkAccessibility(page);
  }
});

test('a low frame has the number, the controls, a chart where there is room, and the link', async () => {
  const two = { 'slow-start': 'size,rate', bdp: 'win,link', 'initial-window': 'a,b' };
  for (const [width, height, charts] of [[480, 260, 0], [640, 340, 1], [800, 420, 2]]) {
    for (const [panel, controls] of Object.entries(two)) {
      const page = await openPage(`?embed=1&panel=${panel}&controls=${controls}`, { viewport: { width, height } });
      const size = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.scrollHeight,
      ]);
      assert.deepEqual(size, [width, height], panel);
      assert.equal(await page.locator('.plots canvas:visible').count(), charts, `${panel}, ${height}`);
      assert.equal(await page.getByRole('link', { name: 'Open the whole page' }).isVisible(), true);
      assert.equal(await page.getByRole('button').filter({ visible: true }).count(), 0);
    }
  }
  const ladder = await openPage('?embed=1&view=ladder&controls=size', { viewport: { width: 640, height: 340 } });
  assert.equal(await ladder.locator('.ladder').isVisible(), true);
  assert.equal(await ladder.locator('figure:visible').count(), 0);
  await checkAccessibility(ladder);
});

test('a frame that grows shows the whole panel, however low it is at first', async () => {
  const page = await openHost('<slow-start-panel state="teach=1&amp;size=64KB" controls="none"></slow-start-panel>');
  await eventually(page, () => changes.length);
  const frame = await frameOf(page);
  await eventually(page, () => document.querySelector('iframe').offsetHeight, '(it) => it < 480');
  await frame.getByRole('button', { name: 'Show me' }).click();
  await eventually(page, () => document.querySelector('iframe').offsetHeight, '(it) => it > 900');
  assert.equal(await frame.locator('.readouts').isVisible(), true);
});

test('alone in a frame, a panel is what the page is called', async () => {
  const titles = new Set();
  for (const panel of ['slow-start', 'bdp', 'initial-window']) {
    const page = await openPage(`?embed=1&panel=${panel}`);
    titles.add(await page.title());
  }
  assert.equal(titles.size, 3);
});

test('no two elements have the same id', async () => {
  const page = await openPage('?teach=1');
  await page.getByRole('button', { name: 'Embed this' }).first().click();
  const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((it) => it.id));
  assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), []);
});

test('alone in a frame, a panel has its keys without a prefix and a link to the whole page', async () => {
  const page = await openPage('?embed=1&panel=slow-start&size=64KB&iw=46&theme=dark');
  const link = page.getByRole('link', { name: 'Open the whole page' });
  assert.equal(new URL(await link.getAttribute('href')).search, '?size=64KB&iw=46');
  const unknown = await openPage('?embed=1&panel=no-such-panel');
  assert.equal(await heroIn(unknown).isVisible(), true);
});

test('the dialog offers code that works', async () => {
  const page = await openPage('?size=64KB&iw=46');
  await page.getByRole('button', { name: 'Embed this' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Embed this panel' });
  assert.equal(await dialog.isVisible(), true);
  await checkAccessibility(page);
  const element = dialog.getByLabel('A script and an element', { exact: false }).first();
  const frame = dialog.getByLabel('A frame alone', { exact: false }).first();
  assert.equal(
    await element.inputValue(),
    `<script async src="${address('embed.js')}"></script>\n` +
      '<slow-start-panel panel="slow-start" state="size=64KB&amp;iw=46" controls="size,iw"></slow-start-panel>',
  );
  await dialog.getByLabel('480 × 260').check();
  await dialog.getByLabel('dark').check();
  await dialog.getByRole('checkbox', { name: 'Response size' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'Round-trip time' }).check();
  const codes = [await element.inputValue(), await frame.inputValue()];
  for (const code of codes) {
    const other = await openHost(code, { script: null });
    const panel = await frameOf(other);
    await panel.waitForSelector('.hero-number');
    assert.equal(await heroIn(panel).textContent(), '79 ms');
    const box = await other.$eval('iframe', (it) => [it.offsetWidth, it.offsetHeight]);
    assert.deepEqual(box, [480, 260]);
    const shown = panel.locator('.control:visible');
    assert.deepEqual(await shown.evaluateAll((all) => all.map((it) => it.dataset.key)), ['rtt', 'iw']);
    const background = await panel.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(background, 'rgb(20, 23, 26)');
  }
});

test('for a small frame the dialog proposes two controls, and leaves the choice', async () => {
  const page = await openPage();
  await page.locator('#bdp').getByRole('button', { name: 'Embed this' }).click();
  const dialog = page.getByRole('dialog');
  const code = () => dialog.locator('textarea').first().inputValue();
  assert.match(await code(), /<slow-start-panel panel="bdp"><\/slow-start-panel>/);
  await dialog.getByLabel('640 × 340').check();
  assert.match(await code(), /panel="bdp" controls="\w+,\w+" width="640" height="340"/);
  for (const box of await dialog.getByRole('checkbox').all()) await box.check();
  assert.match(await code(), /panel="bdp" width="640" height="340"/);
  forgetAborted(page);
});

test('the dialog says what height the controls need, and the code has it', async () => {
  const page = await openPage();
  await page.getByRole('button', { name: 'Embed this' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('480 × 260').check();
  assert.match(await dialog.locator('textarea').first().inputValue(), /width="480" height="260"/);
  await dialog.getByRole('checkbox', { name: 'Round-trip time' }).check();
  const said = dialog.locator('.room');
  await said.filter({ hasText: /^These controls need \d+ pixels of height; the code has that\.$/ }).waitFor();
  const height = (await said.textContent()).match(/\d+/)[0];
  for (const code of await dialog.locator('textarea').all()) {
    assert.match(await code.inputValue(), new RegExp(`width="480" height="${height}"`));
  }
  const fits = await openPage('?embed=1&controls=size,rate,rtt', { viewport: { width: 480, height: +height } });
  assert.equal(await fits.evaluate(() => document.documentElement.scrollHeight), +height);
  for (const box of await dialog.getByRole('checkbox').all()) await box.check();
  await said.filter({ hasText: /^There is not room for all of these controls/ }).waitFor();
  forgetAborted(page);
});

test('the dialog works by keyboard, and copies', async () => {
  const page = await openPage('', { permissions: ['clipboard-read', 'clipboard-write'] });
  const button = page.getByRole('button', { name: 'Embed this' }).first();
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const inside = () => page.evaluate(() => document.querySelector('dialog').contains(document.activeElement));
  assert.equal(await inside(), true);
  const copy = dialog.getByRole('button', { name: /^Copy: A script/ });
  await copy.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('dialog .copied').textContent === 'Copied.');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await dialog.locator('textarea').first().inputValue());
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  assert.equal(await button.evaluate((it) => it === document.activeElement), true);
});

test('where the clipboard is refused, the old way is tried, and then the reader’s own hands', async () => {
  const page = await openPage();
  await page.getByRole('button', { name: 'Embed this' }).first().click();
  const dialog = page.getByRole('dialog');
  for (const [works, said] of [[true, /^Copied/], [false, /selected: press Ctrl\+C/]]) {
    await page.evaluate((works) => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
      document.execCommand = () => works;
    }, works);
    await dialog.getByRole('button', { name: /^Copy: A frame/ }).click();
    await page.waitForFunction((said) => said.test(document.querySelector('dialog .copied').textContent), said);
  }
  const selected = await dialog.locator('textarea').last().evaluate(
    (it) => it === document.activeElement && it.selectionEnd - it.selectionStart === it.value.length,
  );
  assert.equal(selected, true);
});

test('the theme is a control: it repaints the charts and stays in the address', async () => {
  const page = await openPage();
  const painted = () => page.locator('.plots canvas').first().evaluate((it) => it.toDataURL());
  const light = await painted();
  await page.getByLabel('Theme').selectOption('dark');
  assert.equal(new URL(page.url()).searchParams.get('theme'), 'dark');
  const dark = await painted();
  assert.notEqual(dark, light);
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
    'rgb(20, 23, 26)',
  );
  await checkAccessibility(page);
  await page.getByLabel('Theme').selectOption('auto');
  assert.equal(await painted(), light);
  assert.equal(new URL(page.url()).search, '');
});

test('the text size is a control, in the address and within limits', async () => {
  const page = await openPage('?font=150');
  const size = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  assert.equal(await size(), '24px');
  assert.equal(await page.getByLabel('Text size').inputValue(), '150');
  await page.getByLabel('Text size').selectOption('200');
  assert.equal(await size(), '32px');
  assert.equal(new URL(page.url()).searchParams.get('font'), '200');
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0);
  const bad = await openPage('?font=900&theme=pink');
  const notice = await bad.locator('.appearance [role="status"]').textContent();
  assert.match(notice, /theme: 'pink' is not allowed; .* font: '900' is not allowed; .* Using 300\./);
  assert.equal(await bad.getByLabel('Text size').inputValue(), '300');
});

test('on paper there are the figure, the settings and the numbers', async () => {
  const page = await openPage('?theme=dark&size=64KB');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.hero-number').first().isVisible(), true);
  assert.equal(await page.locator('.plots canvas').first().isVisible(), true);
  assert.equal(await page.locator('#slow-start [data-key="size"] .field').inputValue(), '64 KB');
  assert.equal(await page.locator('#slow-start [data-key="size"] .field').isVisible(), true);
  for (const hidden of ['input[type="range"]', '.appearance', '.tools', '.reset-all']) {
    assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
  }
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
});

test('the page says which version it is', async () => {
  const page = await openPage();
  assert.match(await page.locator('footer').textContent(), /Version \d+\.\d+\.\d+\./);
});

test('the demo is an article with panels that its text sets', async () => {
  const { page } = await openEmpty();
  await page.goto(address('demo.html'));
  const time = page.locator('#time');
  await page.waitForFunction(() => /ms$/.test(document.querySelector('#time').textContent));
  assert.equal(await time.textContent(), '374 ms');
  await page.getByRole('button', { name: '46' }).click();
  await page.waitForFunction(() => document.querySelector('#time').textContent !== '374 ms');
  const second = await frameOf(page, '#second iframe');
  await page.getByRole('button', { name: 'after a second' }).click();
  await second.locator('.hero-second').filter({ hasText: /1(\.00)? s later/ }).waitFor();
  assert.equal(await second.locator('.hero-second .hero-number').textContent(), '375 ms');
  await checkAccessibility(page);
});
