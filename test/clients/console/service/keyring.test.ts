import { expect, test } from 'vitest';
import { keyring } from '../../../../clients/console/service/keyring.ts';

/** A service that makes keys at the test's signal, and a clock. */
function withService() {
  let now = 0;
  let made = 0;
  const waiting: (() => void)[] = [];
  const make = async () => {
    const key = `k${++made}`;
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { key, freshUntil: now + 10 };
  };
  const keys = keyring(() => now);
  const ask = (times: number) => Promise.all(Array.from({ length: times }, () => keys.get(make)));
  /** Completes all keys that are being made. */
  const answer = () => {
    for (const one of waiting.splice(0)) one();
  };
  const answered = <T>(asked: Promise<T>) => {
    answer();
    return asked;
  };
  const passing = (time: number) => {
    now += time;
  };
  return { keys, make, ask, answered, passing, made: () => made };
}

test('However many requests need a key at once, one is made: at first, after it expires, and after it was refused.', async () => {
  const { keys, ask, answered, passing, made } = withService();
  expect(await answered(ask(9))).toEqual(Array(9).fill('k1'));
  expect(await ask(9)).toEqual(Array(9).fill('k1'));
  passing(10);
  expect(await answered(ask(9))).toEqual(Array(9).fill('k2'));
  for (let request = 0; request < 9; request++) keys.drop('k2');
  const asked = ask(9);
  // A late refusal of the former key does not affect the one that is being made.
  keys.drop('k2');
  expect(await answered(asked)).toEqual(Array(9).fill('k3'));
  keys.drop('k2');
  expect(await ask(9)).toEqual(Array(9).fill('k3'));
  keys.drop();
  expect(await answered(ask(1))).toEqual(['k4']);
  expect(made()).toBe(4);
});

test('If no key can be made, all waiting requests fail, and the next one tries again.', async () => {
  const { keys, make, answered } = withService();
  const failing = () => Promise.reject(new Error('busy'));
  const outcomes = await Promise.allSettled([keys.get(failing), keys.get(make), keys.get(make)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await answered(keys.get(make))).toBe('k1');
});
