// A stock Firefox, driven by WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/).

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';

/** A headless Firefox with one page: { open, evaluate, resize, screenshot, errors, close }. */
export async function launch() {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const firefox = spawn(process.env.FIREFOX ?? 'firefox-esr', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((done) => firefox.once('exit', done));
  const socket = new WebSocket(`${await listening(firefox)}/session`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));

  const waiting = new Map();
  const errors = [];
  socket.on('message', (data) => {
    const { id, type, method, params, result, error, message } = JSON.parse(data);
    if (method === 'log.entryAdded' && params.level === 'error') errors.push(params.text);
    if (method === 'network.responseCompleted' && params.response.status >= 400) {
      errors.push(`${params.response.url}: ${params.response.status}`);
    }
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (type === 'error') reject?.(new Error(`${error}: ${message}`));
    else resolve?.(result);
  });
  let last = 0;
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });

  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded', 'network.responseCompleted'] });
  const { context } = await send('browsingContext.create', { type: 'tab' });

  return {
    errors,
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    /** What an expression is in the page, once it is no promise; it must have a form in JSON. */
    async evaluate(expression) {
      const { result, exceptionDetails } = await send('script.evaluate', {
        expression: `(async () => JSON.stringify(await (${expression})))()`,
        target: { context },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value && JSON.parse(result.value);
    },
    resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
    async screenshot() {
      const { data } = await send('browsingContext.captureScreenshot', { context, origin: 'document' });
      return Buffer.from(data, 'base64');
    },
    async close() {
      socket.close();
      firefox.kill();
      await ended;
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** The address at which Firefox listens, which it says on stderr. */
function listening(firefox) {
  return new Promise((resolve, reject) => {
    let said = '';
    firefox.once('error', reject);
    firefox.once('exit', (code) => reject(new Error(`Firefox has ended with ${code}:\n${said}`)));
    firefox.stderr.on('data', (data) => {
      said += data;
      const address = said.match(/WebDriver BiDi listening on (ws:\S+)/);
      if (address) resolve(address[1]);
    });
  });
}
