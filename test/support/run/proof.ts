import { hash } from 'node:crypto';
import { expect } from 'vitest';

/** How many times more runs `npm run proof` makes of a randomized test; 1 in `npm test`. */
const factor = Number(process.env.PROOF ?? 1);

/** The number of runs of a randomized test: `few` in `npm test`, many times that in `npm run proof`. */
export const runs = (few: number): number => Math.ceil(few * factor);

/** The size of a test: small in `npm test`, large in `npm run proof`. */
export const sized = <Size>(small: Size, large: Size): Size => (factor > 1 ? large : small);

/** A whole number below `end`. The commit's seed chooses it, another one for each name. */
const placeOf = (name: string, end: number, seed = process.env.SEED): number =>
  Number.parseInt(hash('sha1', `${seed} ${name}`).slice(0, 8), 16) % end;

/** All rows of a table; in `npm test`, only one, which the commit's seed chooses. @param name of the table */
export const someOf = <Row>(rows: readonly Row[], name: string, seed?: string): readonly Row[] =>
  sized(rows.slice(placeOf(name, rows.length, seed)).slice(0, 1), rows);

/** 0, 1, 2 …; in `npm test`, only each `step`th of these numbers, and the commit's seed chooses the test's first. */
export function* someNumbers(step: number): Generator<number> {
  const by = sized(step, 1);
  for (let number = placeOf(String(expect.getState().currentTestName), by); ; number += by) yield number;
}
