import { crc32, deflateSync } from 'node:zlib';
import { pixelsPerModule, type QrModules, type QrStyle } from './qr-code.ts';

/**
 * A code as a PNG image (https://www.w3.org/TR/png-3/) of exactly the style's size. All modules have the same whole
 * number of pixels; the remaining pixels go to the margin.
 *
 * With two colours, a pixel takes one bit, so the largest image takes a few kilobytes and milliseconds. PNG libraries
 * would use four bytes per pixel.
 *
 * @throws RuleError `too_small`
 */
export function qrPng(modules: QrModules, style: QrStyle): Buffer {
  const { size, foreground, background } = style;
  const scale = pixelsPerModule(modules, style);
  const start = Math.floor((size - scale * modules.length) / 2);
  const moduleAt = (pixel: number) => Math.floor((pixel - start) / scale);
  const bytes = Math.ceil(size / 8);
  const rowOf = (row: readonly boolean[] = []) => {
    // The first byte is the filter: none.
    const line = Buffer.alloc(1 + bytes);
    for (let x = 0; x < size; x++) if (row[moduleAt(x)]) line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    return line;
  };
  const lines = modules.map(rowOf);
  const blank = rowOf();
  const pixels = Buffer.concat(Array.from({ length: size }, (_, y) => lines[moduleAt(y)] ?? blank));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // One bit for a pixel, which is an index into the palette.
  header.set([1, 3], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(`${background}${foreground}`.replaceAll('#', ''), 'hex')),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}
