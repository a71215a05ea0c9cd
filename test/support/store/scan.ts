import jsqr from 'jsqr';
import { PNG } from 'pngjs';

/** Pixels of an image: four bytes each, red, green, blue and opacity. */
type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/** The text that an independent scanner reads from an image; undefined if it finds no code. */
export const scan = ({ data, width, height }: Pixels): string | undefined =>
  jsqr.default(Uint8ClampedArray.from(data), width, height)?.data;

export const readPng = (png: Buffer): Pixels => PNG.sync.read(png);

/** An image on a ground of a colour, `#rrggbb`, which is that many pixels wider on each side. */
export function onGround({ data, width, height }: Pixels, color: string, pixels: number): Pixels {
  const wide = width + 2 * pixels;
  const high = height + 2 * pixels;
  const ground = Buffer.alloc(4 * wide * high, Buffer.from(`${color.slice(1)}ff`, 'hex'));
  for (let row = 0; row < height; row++) {
    ground.set(data.subarray(4 * row * width, 4 * (row + 1) * width), 4 * ((row + pixels) * wide + pixels));
  }
  return { width: wide, height: high, data: ground };
}

/**
 * Draws an SVG that consists of a ground and of one path of rectangles, each module as a square of so many pixels.
 *
 * @throws Error if it has anything else.
 */
export function drawSvg(svg: string, pixels: number): Pixels {
  const [, side, ground, color, path] =
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" viewBox="0 0 (\d+) \1" shape-rendering="crispEdges"><rect width="\1" height="\1" fill="#(.{6})"\/><path fill="#(.{6})" d="([^"]*)"\/><\/svg>$/.exec(
      svg,
    ) ?? [];
  if (!side || !ground || !color || path === undefined) throw new Error(`an SVG of another form: ${svg.slice(0, 300)}`);
  const width = Number(side) * pixels;
  const data = Buffer.concat(Array.from({ length: width * width }, () => Buffer.from(`${ground}ff`, 'hex')));
  const rest = path.replace(/M(\d+) (\d+)h(\d+)v1h-\3z/g, (_, x: string, y: string, length: string) => {
    for (let row = Number(y) * pixels; row < (Number(y) + 1) * pixels; row++) {
      for (let column = Number(x) * pixels; column < (Number(x) + Number(length)) * pixels; column++) {
        data.write(`${color}ff`, 4 * (row * width + column), 'hex');
      }
    }
    return '';
  });
  if (rest !== '') throw new Error(`a path of another form: ${rest}`);
  return { width, height: width, data };
}
