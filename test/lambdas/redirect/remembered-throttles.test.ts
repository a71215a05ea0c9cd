import fc from 'fast-check';
import { expect, test } from 'vitest';
import { busyForMs, oneShortTry, throttleMemory } from '../../../lambdas/redirect/remembered-throttles.ts';
import { runs } from '../../support/run/proof.ts';

/** A moment at which both clocks show the same. */
const at = (time: number) => ({ wall: time, steady: time });

test('A click that is throttled gets one more short attempt, and each click of the next second one, whatever becomes of it.', () => {
  const throttles = throttleMemory();
  expect(throttles.tries(at(0))).toBeUndefined();
  expect(throttles.throttled(at(0))).toEqual(oneShortTry);
  expect(throttles.throttled(at(20))).toMatchObject({ attempts: 0 });
  expect(throttles.tries(at(1_019))).toEqual(oneShortTry);
  expect(throttles.throttled(at(1_019))).toMatchObject({ attempts: 0 });
  expect(throttles.tries(at(2_018))).toEqual(oneShortTry);
  expect(throttles.tries(at(2_019))).toBeUndefined();
});

test('However the table throttles, a click gets at most one attempt after the first refusal, and as many as usual a second after the last.', () => {
  const clicks = fc.array(fc.record({ gap: fc.nat({ max: 1_500 }), refusals: fc.nat({ max: 5 }) }), { maxLength: 50 });
  fc.assert(
    fc.property(clicks, (some) => {
      const throttles = throttleMemory();
      let [time, lastRefusal] = [0, Number.NEGATIVE_INFINITY];
      for (const { gap, refusals } of some) {
        time += gap;
        const isBusy = time - lastRefusal < busyForMs;
        expect(throttles.tries(at(time))).toEqual(isBusy ? oneShortTry : undefined);
        let left = isBusy ? 1 : 5;
        let refused = 0;
        while (left > 0 && refused < refusals) {
          refused++;
          lastRefusal = time;
          left = throttles.throttled(at(time)).attempts;
        }
        expect(refused).toBeLessThanOrEqual(isBusy ? 1 : 2);
      }
    }),
    { numRuns: runs(200) },
  );
});

test('A clock that is set back does not make a function expect a busy table for longer.', () => {
  const throttles = throttleMemory();
  throttles.throttled({ wall: 10_000, steady: 10 });
  expect(throttles.tries({ wall: 9_999, steady: 11 })).toBeUndefined();
  expect(throttles.tries({ wall: 10_001, steady: 11 })).toEqual(oneShortTry);
});
