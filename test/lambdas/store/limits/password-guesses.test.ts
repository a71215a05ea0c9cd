import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import { type Attempt, type Fault, underFaults } from '../../../support/faults/faults.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const minute = 60_000;
const start = 1_900_000_000_000;
let made = 0;
const newLink = () => ({ id: `lnk_${String(++made).padStart(28, '0')}`, passwordHash: 'hash' }) as Link;
const isTaken = (attempt: Awaited<ReturnType<Store['takeGuess']>>) => 'giveBack' in attempt;
const visitor = '192.0.2.1';
/** The addresses of this many visitors. */
const others = (count: number) => Array.from({ length: count }, (_, index) => `198.51.100.${index}`);

/** How many of these visitors' attempts pass, in turn. */
async function takenOf(link: Link, addresses: readonly string[], now = start): Promise<number> {
  let taken = 0;
  for (const address of addresses) if (isTaken(await store.takeGuess(link, address, now))) taken++;
  return taken;
}

describe('Guesses at the same time', () => {
  test('Of 100 guesses that a visitor makes at once, 10 are checked.', async () => {
    const link = newLink();
    const attempts = await Promise.all(Array.from({ length: 100 }, () => store.takeGuess(link, visitor, start)));
    expect(attempts.filter(isTaken)).toHaveLength(10);
    for (const attempt of attempts) if ('retryAfter' in attempt) expect(attempt.retryAfter).toBe(900);
  });

  test('Of 100 visitors who guess at once for the first time, 20 are checked, and another link is not affected.', async () => {
    const link = newLink();
    const attempts = await Promise.all(others(100).map((address) => store.takeGuess(link, address, start)));
    expect(attempts.filter(isTaken)).toHaveLength(20);
    for (const attempt of attempts) if ('retryAfter' in attempt) expect(attempt.retryAfter).toBe(180);
    expect(isTaken(await store.takeGuess(newLink(), visitor, start))).toBe(true);
  });
});

test("However often ten others have guessed, a visitor's first guesses are checked.", async () => {
  const link = newLink();
  const guesses = others(10).flatMap((address) => Array.from({ length: 20 }, () => address));
  expect(await takenOf(link, guesses)).toBe(100);
  for (const newcomer of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) expect(await takenOf(link, [newcomer, newcomer])).toBe(2);
});

test("A first guess waits only for other visitors' first guesses, and at most three minutes.", async () => {
  const link = newLink();
  expect(await takenOf(link, others(20))).toBe(20);
  expect(await store.takeGuess(link, visitor, start)).toEqual({ retryAfter: 180 });
  expect(await store.takeGuess(link, visitor, start + 2 * minute)).toEqual({ retryAfter: 60 });
  // The others make their second guess.
  expect(await takenOf(link, others(20))).toBe(20);
  expect(await takenOf(link, [visitor], start + 3 * minute)).toBe(1);
});

test("A visitor's nth guess competes only with other nth guesses, for 3n minutes and at most 15.", async () => {
  const link = newLink();
  for (let guess = 1; guess <= 6; guess++) expect(await takenOf(link, others(20))).toBe(20);
  // A later visitor, who guesses as soon as a place is free.
  const late = '203.0.113.1';
  for (let guess = 1; guess <= 5; guess++) {
    expect(await store.takeGuess(link, late, start + (guess - 1) * 3 * minute)).toEqual({ retryAfter: 180 });
    expect(await takenOf(link, [late], start + guess * 3 * minute)).toBe(1);
  }
  // The longest wait is fifteen minutes.
  expect(await takenOf(link, [late], start + 15 * minute)).toBe(1);
});

test('A visitor who is refused because of others loses none of their own ten attempts.', async () => {
  const link = newLink();
  await takenOf(link, others(20));
  for (let index = 0; index < 20; index++) expect(await store.takeGuess(link, visitor, start)).toEqual({ retryAfter: 180 });
  expect(await takenOf(link, Array(12).fill(visitor), start + 3 * minute)).toBe(10);
});

test('After 15 minutes a visitor has ten attempts again.', async () => {
  const link = newLink();
  const often = Array.from({ length: 20 }, () => visitor);
  for (const round of [0, 1]) expect(await takenOf(link, often, start + 15 * round * minute)).toBe(10);
});

test('A clock that is an hour ahead locks no visitor out.', async () => {
  const link = newLink();
  const ahead = start + 60 * minute;
  expect(await takenOf(link, Array(12).fill(visitor), ahead)).toBe(10);
  expect(await takenOf(link, others(30), ahead)).toBe(20 - 1);
  expect(await takenOf(link, Array(12).fill(visitor))).toBe(10);
  expect(await takenOf(link, ['203.0.113.1'])).toBe(1);
});

test('A clock that is five seconds ahead gives a visitor no extra attempt.', async () => {
  const link = newLink();
  expect(await takenOf(link, Array(5).fill(visitor), start + 5_000)).toBe(5);
  expect(await takenOf(link, Array(12).fill(visitor))).toBe(5);
});

test.for([
  ['that a visitor has', 0, 9, () => visitor],
  ['that all visitors share', 1, 19, (index: number) => others(20)[index] ?? ''],
] as const)(
  'The last attempt %s succeeds even if its response is lost, and the next one is refused.',
  async ([, lost, before, address]) => {
    const link = newLink();
    for (let index = 0; index < before; index++) await store.takeGuess(link, address(index), start);
    const { result } = await underFaults(
      ({ index }) => (index === lost ? 'lost-after' : undefined),
      () => store.takeGuess(link, address(before), start),
    );
    expect(isTaken(result)).toBe(true);
    expect(isTaken(await store.takeGuess(link, lost === 0 ? visitor : '203.0.113.1', start))).toBe(false);
  },
);

test('However many addresses guess, and however long, exactly the allowed number of guesses is checked.', async () => {
  const windowOf = (guess: number) => Math.min(15, 3 * guess) * minute;
  const step = fc.record({ gap: fc.oneof(fc.nat(20_000), fc.constantFrom(0, minute)), count: fc.integer({ min: 1, max: 40 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 10 }),
      fc.integer({ min: 1, max: 60 }),
      async (steps, addresses) => {
        const link = newLink();
        const taken: { at: number; address: string; guess: number }[] = [];
        let [now, next] = [start, 0];
        for (const { gap, count } of steps) {
          now += gap;
          for (let index = 0; index < count; index++) {
            const address = `198.51.100.${next++ % addresses}`;
            const own = taken.filter((one) => one.address === address && one.at > now - 15 * minute).length;
            const isRoom = (limit: number, guess: number) =>
              taken.filter((one) => one.guess === guess && one.at > now - windowOf(guess)).length < limit;
            const isLookedAt = isTaken(await store.takeGuess(link, address, now));
            expect(isLookedAt).toBe(own < 10 && isRoom(20, own + 1));
            if (isLookedAt) taken.push({ at: now, address, guess: own + 1 });
          }
        }
      },
    ),
    { numRuns: runs(2) },
  );
});

test('In any 15 minutes, a visitor has at most 10 wrong guesses, and another attempt after fewer than 10.', async () => {
  const step = fc.record({
    gap: fc.oneof(fc.nat(8 * minute), fc.constantFrom(0, 1, 15 * minute - 1, 15 * minute)),
    right: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
      const link = newLink();
      const wrong: number[] = [];
      let now = start;
      for (const { gap, right } of steps) {
        now += gap;
        const recent = wrong.filter((at) => at > now - 15 * minute);
        const attempt = await store.takeGuess(link, visitor, now);
        expect(isTaken(attempt)).toBe(recent.length < 10);
        if ('retryAfter' in attempt) expect(attempt.retryAfter).toBe(Math.ceil(((recent[0] ?? 0) + 15 * minute - now) / 1_000));
        else if (right) await attempt.giveBack();
        else wrong.push(now);
      }
    }),
    { numRuns: runs(2) },
  );
});

test('Whatever responses are lost, an attempt counts once, and returning it frees exactly one.', async () => {
  const faults = fc.array(fc.constantFrom<Fault | undefined>('lost-before', 'lost-after', 'throttle', 'conflict', undefined), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(faults, faults, async (taking, giving) => {
      const link = newLink();
      const meeting =
        (list: readonly (Fault | undefined)[]) =>
        ({ index }: Attempt) =>
          list[index];
      const { result } = await underFaults(meeting(taking), () => store.takeGuess(link, visitor, start));
      if (!('giveBack' in result)) throw new Error('refused');
      const more = async () =>
        (await Promise.all(Array.from({ length: 12 }, () => store.takeGuess(link, visitor, start)))).filter(isTaken).length;
      expect(await more()).toBe(9);
      await underFaults(meeting(giving), () => result.giveBack());
      expect(await more()).toBe(1);
    }),
    { numRuns: runs(2) },
  );
});
