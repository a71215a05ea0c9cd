import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inParallel } from '../../../lambdas/runtime/in-parallel.ts';

test('Each item is processed once, never more at a time than allowed, with results in the order of the items.', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat()),
      fc.integer({ min: 1, max: 5 }),
      fc.scheduler(),
      async (items, concurrency, scheduler) => {
        let underWay = 0;
        let most = 0;
        const done = inParallel(items, concurrency, async (item, place) => {
          most = Math.max(most, ++underWay);
          await scheduler.schedule(Promise.resolve());
          underWay--;
          return { item, place };
        });
        await scheduler.waitFor(done);
        expect(await done).toEqual(items.map((item, place) => ({ item, place })));
        expect(most).toBe(Math.min(concurrency, items.length));
      },
    ),
  ));

test('After the first error no further item is started, and the error is thrown once all running ones have ended.', () =>
  fc.assert(
    fc.asyncProperty(fc.nat(20), fc.integer({ min: 1, max: 5 }), fc.scheduler(), async (bad, concurrency, scheduler) => {
      let failed = false;
      let underWay = 0;
      const begunAfter: number[] = [];
      const done = inParallel([...Array(21).keys()], concurrency, async (item) => {
        if (failed) begunAfter.push(item);
        underWay++;
        await scheduler.schedule(Promise.resolve());
        underWay--;
        if (item !== bad) return;
        failed = true;
        throw new Error(`item ${bad}`);
      });
      const outcome = done.then(
        () => 'no error',
        (error: Error) => `${error.message}, ${underWay} under way`,
      );
      await scheduler.waitFor(outcome);
      expect(await outcome).toBe(`item ${bad}, 0 under way`);
      expect(begunAfter).toEqual([]);
    }),
  ));
