import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchesOf, importBatches } from '../../../clients/migration/batches.ts';
import { paceOf } from '../../../clients/migration/pace.ts';
import type { PlannedRow } from '../../../clients/migration/planned.ts';
import type { Result } from '../../../clients/migration/results.ts';
import { linksClient } from '../../../clients/typescript/client.ts';

const row = (line: number, kind: 'named' | 'unnamed' | 'refused' = 'named'): PlannedRow => {
  const url = `https://example.org/${line}`;
  const source = { slug: '', url, createdAt: '', clicks: '' };
  if (kind === 'refused') return { line, source, reason: 'no', notes: [] };
  const slug = kind === 'named' ? `slug-${line}` : undefined;
  const link = { url, slug, title: undefined, redirectType: 'TEMPORARY_302', tags: [], expiresAt: undefined } as const;
  return { line, source, link, notes: [] };
};

/**
 * A service in simulated time that accepts a quota of requests in any window, as the table does, and answers each after a
 * while.
 */
function simulated(quotaAt: (time: number) => number, seconds: () => number) {
  let now = 0;
  let [refused, most, underWay] = [0, 0, 0];
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake }));
  const taken: number[] = [];
  const keys: (string | null)[] = [];
  const answer: typeof fetch = async (_, init) => {
    const { links } = JSON.parse(String(init?.body)) as { links: { url: string; customSlug?: string }[] };
    const quota = quotaAt(now);
    const inWindow = taken.filter((at) => at > now - 60_000).length;
    const policy = { 'RateLimit-Policy': `"bulk";q=${quota};w=60` };
    if (inWindow >= quota) {
      refused++;
      return Response.json({ code: 'rate_limited' }, { status: 429, headers: { ...policy, 'Retry-After': '60' } });
    }
    taken.push(now);
    keys.push(new Headers(init?.headers).get('Idempotency-Key'));
    most = Math.max(most, ++underWay);
    await sleep(seconds() * 1_000);
    underWay--;
    const made = links.map(({ url, customSlug = 'made' }) => ({ url, shortCode: customSlug, aliases: [], shortUrl: url }));
    return Response.json({ failed: [], links: made }, { headers: policy });
  };
  /** Runs work, and advances the time whenever nothing else happens. */
  const until = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      sleepers.sort((one, other) => one.at - other.at);
      const next = sleepers.shift();
      if (next) {
        now = Math.max(now, next.at);
        next.wake();
      }
    }
    return ended;
  };
  return {
    answer,
    until,
    sleep,
    now: () => now,
    keys,
    said: () => ({ refused, most, sent: taken.length, seconds: now / 1_000 }),
  };
}

type Simulated = ReturnType<typeof simulated>;

async function importAll(
  rows: readonly PlannedRow[],
  { answer, until, sleep, now }: Simulated,
  isDone?: (row: PlannedRow) => boolean,
) {
  const wait = (seconds: number) => sleep(seconds * 1_000);
  const results: Result[] = [];
  const client = linksClient({ baseUrl: 'http://service', apiKey: 'key', fetch: answer, wait });
  const pace = paceOf({ wait, onWait: () => {}, now });
  const failure = await until(
    importBatches({
      client,
      pace,
      domain: 'go.example.com',
      fingerprint: 'file',
      runId: 'run',
      tags: [],
      batches: batchesOf(rows, isDone),
      isStopped: () => false,
      onProgress: () => {},
      onResults: (more) => void results.push(...more),
    }),
  );
  return { results, failure };
}

const thousands = (count: number) => Array.from({ length: count * 1_000 }, (_, index) => row(index));

describe('An import of many links', () => {
  test('With the usual limit, it sends one request at a time, three a minute, and none is refused.', async () => {
    const service = simulated(
      () => 3,
      () => 2,
    );
    expect((await importAll(thousands(7), service)).results).toHaveLength(7_000);
    expect(service.said()).toMatchObject({ refused: 0, most: 1, sent: 7 });
    expect(service.said().seconds).toBeLessThan(2 * 70);
  });

  test('With a limit of 30, it sends two at a time, and nearly 30 a minute.', async () => {
    const service = simulated(
      () => 30,
      () => 3,
    );
    await importAll(thousands(90), service);
    expect(service.said()).toMatchObject({ refused: 0, most: 2, sent: 90 });
    expect(service.said().seconds).toBeLessThan(3 * 66);
  });

  test('It follows a limit that is lifted and restored, and sends everything once.', async () => {
    const limits = fc.array(fc.constantFrom(1, 3, 10, 30, 50), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(limits, fc.integer({ min: 1, max: 20 }), async (quotas, seconds) => {
        const service = simulated(
          (time) => quotas[Math.floor(time / 45_000) % quotas.length] as number,
          () => seconds,
        );
        const { results, failure } = await importAll(thousands(12), service);
        expect(failure).toBeUndefined();
        expect(results.map(({ row: { line }, outcome }) => [line, outcome]).sort()).toEqual(
          thousands(12)
            .map(({ line }) => [line, 'created'])
            .sort(),
        );
        expect(service.said().sent).toBe(12);
        // With a constant limit, nothing is refused.
        if (new Set(quotas).size === 1) expect(service.said().refused).toBe(0);
      }),
      { numRuns: 10 },
    );
  });

  test('Rows without slugs are sent in the same requests with the same keys, whatever an earlier run has done.', async () => {
    const kinds = ['named', 'unnamed', 'refused'] as const;
    const rows = Array.from({ length: 5_000 }, (_, index) => row(index, kinds[index % 3]));
    const instant = () =>
      simulated(
        () => 50,
        () => 0,
      );
    const first = instant();
    expect((await importAll(rows, first)).results).toHaveLength(5_000);
    const isFirstHalf = ({ line }: PlannedRow) => line < 3_000;
    const second = instant();
    const { results } = await importAll(rows, second, isFirstHalf);
    const missing = rows.filter((one) => !isFirstHalf(one)).map(({ line }) => line);
    expect(
      results
        .map(({ row: { line } }) => line)
        .filter((line) => line >= 3_000)
        .sort(),
    ).toEqual(missing.sort());
    // One request of rows without slugs was done, and the other one is sent with the key that it had.
    expect([first.keys.length, second.keys.length]).toEqual([4, 2]);
    expect(first.keys).toContain(second.keys[1]);
  });
});
