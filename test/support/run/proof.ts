import { hash } from 'node:crypto';
import { expect } from 'vitest';

/** How many times more runs `npm run proof` makes of a randomized test; 1 in `npm test`. */
const factor = Number(process.env.PROOF ?? 1);

/** The number of runs of a randomized test: `few` in `npm test`, many times that in `npm run proof`. */
export const runs = (few: number): number => Math.ceil(few * factor);

/** The size of a test: small in `npm test`, large in `npm run proof`. */
export const sized = <Size>(small: Size, large: Size): Size => (factor > 1 ? large : small);

export const isProof = process.env.PROOF !== undefined;

/** A whole number below `end`. The commit's seed chooses it, another one for each name. */
const placeOf = (name: string, end: number, seed = process.env.SEED): number =>
  Number.parseInt(hash('sha1', `${seed} ${name}`).slice(0, 8), 16) % end;

/** All rows of a table; in `npm test`, at most `count` that follow each other, and the commit's seed chooses where. */
export const someOf = <Row>(rows: readonly Row[], name: string, count = 1, seed?: string): readonly Row[] => {
  const place = placeOf(name, rows.length, seed);
  return isProof ? rows : [...rows.slice(place), ...rows.slice(0, place)].slice(0, count);
};

/** 0, 1, 2 …; in `npm test`, only each `step`th of these numbers, and the commit's seed chooses the test's first. */
export function* someNumbers(step: number): Generator<number> {
  const by = isProof ? 1 : step;
  for (let number = placeOf(String(expect.getState().currentTestName), by); ; number += by) yield number;
}
