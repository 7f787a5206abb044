// Pictures of the page that are kept and compared: small files, and what differs between two of them.

import { crc32, deflateSync } from 'node:zlib';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** Steps between the shades that are kept of each of red, green and blue. */
const STEP = 32;
/** How far apart colours may be that count as one, from 0 to 1: a little more than a step of all three. */
const THRESHOLD = 0.15;

/** A picture from a file's content, in fewer colours. */
export function read(content) {
  const picture = PNG.sync.read(content);
  picture.data = picture.data.map((part) => Math.min(255, Math.round(part / STEP) * STEP));
  return picture;
}

/** Where two pictures differ: { pixels, picture }, the picture as a file's content. */
export function difference(a, b) {
  const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)];
  const [one, other] = [a, b].map((it) => enlarged(it, width, height));
  const diff = new PNG({ width, height });
  const pixels = pixelmatch(one.data, other.data, diff.data, width, height, { threshold: THRESHOLD });
  return { pixels, picture: PNG.sync.write(diff) };
}

function enlarged(picture, width, height) {
  const result = new PNG({ width, height });
  result.data.fill(255);
  PNG.bitblt(picture, result, 0, 0, picture.width, picture.height, 0, 0);
  return result;
}

/** The smallest file of a picture in few colours: a byte to a pixel, which is its place in a palette. */
export function small({ width, height, data }) {
  const palette = new Map();
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, i = 0; y < height; y += 1) {
    for (let x = 1; x <= width; x += 1, i += 4) {
      const colour = data.readUIntBE(i, 3);
      if (!palette.has(colour)) palette.set(colour, palette.size);
      rows[y * (width + 1) + x] = palette.get(colour);
    }
  }
  if (palette.size > 256) throw new Error(`${palette.size} colours are too many for a palette`);
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    // Eight bits to a pixel, with a palette.
    chunk('IHDR', Buffer.concat([size, Buffer.from([8, 3, 0, 0, 0])])),
    chunk('PLTE', Buffer.from([...palette.keys()].flatMap((it) => [it >> 16, (it >> 8) & 255, it & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
