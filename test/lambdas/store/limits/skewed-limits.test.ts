import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import { useClocks } from '../../../support/store/clocks.ts';

// Each function has its own clock, which may be hours wrong.
const load = async () => ({
  ...(await import('../../../../lambdas/store/limits/framing-limit.ts')),
  ...(await import('../../../../lambdas/store/limits/password-guesses.ts')),
});
let clocks: Awaited<ReturnType<typeof useClocks<Awaited<ReturnType<typeof load>>>>>;
beforeAll(async () => {
  clocks = await useClocks(load);
});
afterAll(() => {
  clocks.stop();
  vi.restoreAllMocks();
});

const hour = 60 * 60_000;
const skews = [-25 * hour, -3 * hour, -hour, hour, 25 * hour];

test.for(skews)('A function whose clock is wrong by %i ms gets no look-up of an hour that is used up.', async (skew) => {
  const workspaceId = `ws_${skew}`;
  const [right, wrong] = [await clocks.start(), await clocks.start(skew)];
  expect(await right.run(() => right.modules.takeLookUps(workspaceId, 1_000))).toBe(1_000);
  expect(await wrong.run(() => wrong.modules.takeLookUps(workspaceId, 1))).toBe(0);
  expect(await right.run(() => right.modules.takeLookUps(workspaceId, 1))).toBe(0);
  clocks.wait(hour);
  expect(await wrong.run(() => wrong.modules.takeLookUps(workspaceId, 7))).toBe(7);
  clocks.stop();
});

test.for(skews)('A function whose clock is wrong by %i ms forgets none of the wrong guesses of a password.', async (skew) => {
  const link = { id: `lnk_${String(Math.abs(skew) + Number(skew < 0)).padStart(28, '0')}`, passwordHash: 'hash' } as Link;
  const [right, wrong] = [await clocks.start(), await clocks.start(skew)];
  // Its request has read the link, which has corrected its estimate of the table's time.
  await wrong.run(() => wrong.modules.takeOwnGuess({ ...link, passwordHash: 'another' }));
  const guess = (one: typeof right) => one.run(() => one.modules.takeOwnGuess(link));
  for (let wrongGuesses = 0; wrongGuesses < 10; wrongGuesses++) expect(await guess(right)).toHaveProperty('giveBack');
  expect(await guess(wrong)).toHaveProperty('retryAfter');
  expect(await guess(right)).toHaveProperty('retryAfter');
  clocks.wait(hour / 4);
  expect(await guess(wrong)).toHaveProperty('giveBack');
  clocks.stop();
});
