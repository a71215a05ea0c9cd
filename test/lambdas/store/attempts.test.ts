import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Link } from '../../../lambdas/domain/link.ts';
import { type Attempt, type Fault, underFaults } from '../../support/faults.ts';
import { type Store, useStore } from '../../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const minute = 60_000;
const start = 1_900_000_000_000;
let made = 0;
const newLink = () => ({ id: `lnk_${String(++made).padStart(28, '0')}`, passwordHash: 'hash' }) as Link;
const isTaken = (attempt: Awaited<ReturnType<Store['takeAttempt']>>) => 'giveBack' in attempt;
const visitor = '192.0.2.1';
/** So many visitors. */
const others = (count: number) => Array.from({ length: count }, (_, index) => `198.51.100.${index}`);

describe('at once', () => {
  test('10 of 500 attempts of a visitor are taken', async () => {
    const link = newLink();
    const attempts = await Promise.all(Array.from({ length: 500 }, () => store.takeAttempt(link, visitor, start)));
    expect(attempts.filter(isTaken)).toHaveLength(10);
    for (const attempt of attempts) if ('retryAfter' in attempt) expect(attempt.retryAfter).toBe(900);
  });

  test('100 of 500 attempts of 100 visitors are taken, and none of them has used up what the others have', async () => {
    const link = newLink();
    const all = others(100).flatMap((address) => Array.from({ length: 5 }, () => address));
    const attempts = await Promise.all(all.map((address) => store.takeAttempt(link, address, start)));
    expect(attempts.filter(isTaken)).toHaveLength(100);
    expect(isTaken(await store.takeAttempt(newLink(), visitor, start))).toBe(true);
  });
});

test('one visitor leaves 90 attempts to the others', async () => {
  const link = newLink();
  await Promise.all(Array.from({ length: 50 }, () => store.takeAttempt(link, visitor, start)));
  const attempts = await Promise.all(others(100).map((address) => store.takeAttempt(link, address, start)));
  expect(attempts.filter(isTaken)).toHaveLength(90);
});

test('who is refused because of others has lost no attempt of his own by it', async () => {
  const link = newLink();
  await Promise.all(others(100).map((address) => store.takeAttempt(link, address, start)));
  for (let index = 0; index < 20; index++) expect(await store.takeAttempt(link, visitor, start)).toEqual({ retryAfter: 900 });
  const later = await Promise.all(Array.from({ length: 10 }, () => store.takeAttempt(link, visitor, start + 15 * minute)));
  expect(later.filter(isTaken)).toHaveLength(10);
});

test('after 15 minutes exactly as many more are taken', async () => {
  const link = newLink();
  const taken = async (now: number, addresses: readonly string[]) => {
    const attempts = await Promise.all(addresses.map((address) => store.takeAttempt(link, address, now)));
    return attempts.filter(isTaken).length;
  };
  const often = Array.from({ length: 20 }, () => visitor);
  for (const round of [0, 1]) expect(await taken(start + 15 * round * minute, often)).toBe(10);
  for (const round of [2, 3]) expect(await taken(start + 15 * round * minute, others(110))).toBe(100);
});

test.for([
  ['of the visitor', 0, 9, () => visitor],
  ['of all', 1, 99, (index: number) => others(100)[index] ?? ''],
] as const)('the last attempt %s is taken though its answer is lost, and is the last', async ([, lost, before, address]) => {
  const link = newLink();
  for (let index = 0; index < before; index++) await store.takeAttempt(link, address(index), start);
  const { result } = await underFaults(
    store.client,
    ({ index }) => (index === lost ? 'lost-after' : undefined),
    () => store.takeAttempt(link, address(before), start),
  );
  expect(isTaken(result)).toBe(true);
  expect(isTaken(await store.takeAttempt(link, address(before), start))).toBe(false);
});

test('in any 15 minutes at most 10 are wrong, and one is taken whenever fewer than 10 were', async () => {
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
        const attempt = await store.takeAttempt(link, visitor, now);
        expect(isTaken(attempt)).toBe(recent.length < 10);
        if ('retryAfter' in attempt) expect(attempt.retryAfter).toBe(Math.ceil(((recent[0] ?? 0) + 15 * minute - now) / 1_000));
        else if (right) await attempt.giveBack();
        else wrong.push(now);
      }
    }),
    { numRuns: 25 },
  );
});

test('whatever answers are lost, an attempt takes one mark of the visitor and one of all, and gives both back', async () => {
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
      const { result } = await underFaults(store.client, meeting(taking), () => store.takeAttempt(link, visitor, start));
      if (!('giveBack' in result)) throw new Error('refused');
      const more = async () =>
        (await Promise.all(Array.from({ length: 12 }, () => store.takeAttempt(link, visitor, start)))).filter(isTaken).length;
      expect(await more()).toBe(9);
      await underFaults(store.client, meeting(giving), () => result.giveBack());
      expect(await more()).toBe(1);
    }),
    { numRuns: 25 },
  );
});
