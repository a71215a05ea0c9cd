/**
 * Random numbers that are the same each time, from 0 to below 1. Mulberry32: enough for samples, and for nothing else.
 */
export function randomNumbers(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    /** A whole number from 0 to below `count`. */
    below,
    one: <T>(of: readonly T[]): T => of[below(of.length)] as T,
    /** One of them, by their shares. */
    weighted: <T extends readonly unknown[]>(of: readonly T[], shareOf: (one: T) => number): T => {
      let left = next() * of.reduce((sum, one) => sum + shareOf(one), 0);
      for (const one of of) {
        left -= shareOf(one);
        if (left < 0) return one;
      }
      return of.at(-1) as T;
    },
  };
}

export type RandomNumbers = ReturnType<typeof randomNumbers>;
