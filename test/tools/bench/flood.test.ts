import { describe, expect, test } from 'vitest';
import { agenda } from '../../../tools/bench/simulations/agenda.ts';
import { simulateFlood } from '../../../tools/bench/simulations/flood.ts';
import { failuresOf, floodRuns } from '../../../tools/bench/simulations/flood-runs.ts';
import { onDemandTable } from '../../../tools/bench/simulations/on-demand-table.ts';
import { chooser, lehmer, poisson } from '../../../tools/bench/simulations/random.ts';

/** The first seconds of a simulation. `npx node tools/bench/flood.ts` prints the first 21 minutes. */
const start = (name: keyof typeof floodRuns, seconds: number, untilCounted = 0) =>
  simulateFlood({ ...floodRuns[name], seconds }, lehmer(), untilCounted);

test('On prepared tables, 10,000 visits a second of a million links get no 503 after the first second, hardly wait, lose no click, and are counted within seconds.', () => {
  const result = start('prepared', 15);
  expect(result.visits).toBeGreaterThan(149_000);
  expect(failuresOf(result)).toEqual([]);
  expect(result.waiting).toBe(0);
  expect(result.late.longest).toBeLessThan(5);
});

test('On new tables, 10,000 visits a second lose no click: those that the table throttles wait in the queue, and all are counted minutes later. Visitors do not wait; before, retries used up all executions.', () => {
  const [is, was] = [start('… Links prepared', 8, 600), start('new tables, as it was', 8)];
  expect(is.recorded).toBe(is.visits - is.unavailable.atFirst);
  expect(is.waiting).toBeGreaterThan(40_000);
  expect([is.lost, is.counted]).toEqual([0, is.recorded]);
  expect(is.countedAfter).toBeLessThan(300);
  expect(failuresOf(is)).toEqual([]);
  const whole = start('new tables', 8, 600);
  expect([whole.lost, whole.counted]).toEqual([0, whole.recorded]);
  expect(was.unavailable.later).toBeGreaterThan(20_000);
  expect(was.waited.p99).toBeGreaterThan(300);
  expect(failuresOf(was)).toContain('503');
});

test('A simulation has the same result each time, and each of its visits has an outcome.', () => {
  const [one, other] = [start('… by Zipf', 3), start('… by Zipf', 3)];
  expect(one).toEqual(other);
  const { visits, unavailable, recorded, lost, counted } = one;
  expect(recorded + lost + unavailable.atFirst + unavailable.later).toBe(visits);
  expect(counted).toBeLessThanOrEqual(recorded);
});

describe('The parts of simulations', () => {
  test('A table serves what AWS allows a partition and a table each second, and doubles that after throttling for long enough.', () => {
    let now = 0;
    let splits = 0;
    const warm = { read: 12_000, write: 4_000 };
    const table = onDemandTable(
      { warm, doublesAfterMs: 60_000 },
      () => now,
      () => splits++,
    );
    const random = lehmer();
    const takenIn = (seconds: number) => {
      const before = table.used.write;
      for (const end = now + seconds * 1_000; now < end; now++) {
        for (let writes = 0; writes < 50; writes++) table.take('write', random(), 1);
      }
      return Math.round((table.used.write - before) / seconds / 1_000);
    };
    // It has saved up a second.
    expect([takenIn(1), takenIn(30), splits, table.partitions()]).toEqual([8, 4, 0, 4]);
    expect([takenIn(30), splits, takenIn(10)]).toEqual([4, 1, 8]);
    expect([takenIn(300), takenIn(10)]).toEqual([expect.any(Number), 40]);
    expect(table.partitions()).toBe(64);
  });

  test('Events happen at their time, also those that another event adds.', () => {
    const time = agenda(lehmer());
    const happened: number[] = [];
    const again = () => {
      happened.push(time.now());
      if (happened.length < 4) time.after(happened.length === 2 ? 0 : 5, again);
    };
    time.after(3, again);
    time.runUntil(20, () => {});
    expect(happened).toEqual([3, 8, 8, 13]);
    expect(() => time.after(10_000, again)).toThrow('too far ahead');
  });

  test("Links are chosen evenly or by Zipf's law, and visits come at the requested rate.", () => {
    const random = lehmer();
    const timesOf = (popularity: 'uniform' | 'Zipf') => {
      const choose = chooser(100, popularity, random);
      const times = new Array<number>(100).fill(0);
      for (let visit = 0; visit < 100_000; visit++) {
        const link = choose();
        times[link] = (times[link] as number) + 1;
      }
      return times;
    };
    for (const times of timesOf('uniform')) expect(Math.abs(times - 1_000)).toBeLessThan(200);
    const [first = 0, second = 0, , fourth = 0] = timesOf('Zipf');
    expect([first / second, first / fourth].map(Math.round)).toEqual([2, 4]);
    const visits = Array.from({ length: 10_000 }, () => poisson(10, random));
    expect(Math.abs(visits.reduce((sum, count) => sum + count, 0) - 100_000)).toBeLessThan(1_500);
  });
});
