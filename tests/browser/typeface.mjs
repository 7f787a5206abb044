// One typeface, drawn in one way, whatever the machine has: for pictures that are kept.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const FILE = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

/** What Chromium must be launched with. */
export const ARGS = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];

/** Gives the page this typeface, also on its canvases, and the rules of `style`, before it is loaded. */
export async function pinTypeface(page, style = '') {
  const font = (await readFile(createRequire(import.meta.url).resolve(FILE))).toString('base64');
  await page.addInitScript(pin, { font, style: `* { font-family: Pinned !important; } ${style}` });
}

/** Run in the page. */
function pin({ font, style }) {
  const bytes = Uint8Array.from(atob(font), (it) => it.charCodeAt(0));
  document.fonts.add(new FontFace('Pinned', bytes, { weight: '100 900' }));
  // No style sheet reaches what is written on a canvas.
  const { set, ...rest } = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, 'font');
  Object.defineProperty(CanvasRenderingContext2D.prototype, 'font', {
    ...rest,
    set(font) {
      set.call(this, font.replace(/(\d+(?:\.\d+)?px) .*/, '$1 Pinned'));
    },
  });
  addEventListener('DOMContentLoaded', () => {
    document.head.append(Object.assign(document.createElement('style'), { textContent: style }));
  });
}
