import { expect, test } from 'vitest';
import { inParts } from '../../../../clients/console/service/many.ts';
import { ProblemError } from '../../../../clients/typescript/problem.ts';

const link = (n: number) => ({ id: `lnk_${n}` });
const idOf = ({ id }: { readonly id: string }) => id;
const links = (length: number) => Array.from({ length }, (_, n) => link(n));
const refused = (status: number, retryAfter?: number) => new ProblemError(status, '{}', false, retryAfter);
const noWait = async () => {};
const silent = { onProgress: () => {}, say: () => {}, wait: noWait };
const gone = (id: string) => ({ id, code: 'not_found', message: 'does not exist' });

test('Many links are changed 1,000 a request; refused links are named, and limits are waited for.', async () => {
  const sizes: number[] = [];
  const progress: number[] = [];
  const said = new Set<string>();
  let refusals = 8;
  const outcome = await inParts(
    links(2_500),
    idOf,
    async (ids) => {
      if (refusals-- > 0) throw refused(429, 1);
      sizes.push(ids.length);
      return { data: { failed: ids.includes('lnk_1500') ? [gone('lnk_1500')] : [] } };
    },
    { onProgress: (tried) => progress.push(tried), say: (text) => said.add(text), wait: noWait },
  );
  expect(sizes).toEqual([1_000, 1_000, 500]);
  expect(progress).toEqual([1_000, 2_000, 2_500]);
  expect(said).toContain('Too many requests. Next try in 1 s.');
  expect([outcome.done.length, outcome.failed]).toEqual([
    2_499,
    [{ item: link(1_500), code: 'not_found', message: 'does not exist' }],
  ]);
});

test('If the service stops answering, what was done before is reported.', async () => {
  let sent = 0;
  const send = async () => {
    if (++sent > 1) throw refused(503);
    return { data: { failed: [] } };
  };
  const outcome = await inParts(links(1_500), idOf, send, silent);
  expect(outcome.done.length).toBe(1_000);
  expect(outcome.error).toBeDefined();
});

test('A request whose answer is lost is sent again, and counts once.', async () => {
  let sent = 0;
  const send = async () => {
    if (++sent === 1) throw new TypeError('Failed to fetch');
    return { data: { failed: [] } };
  };
  const outcome = await inParts(links(3), idOf, send, silent);
  expect([sent, outcome.done.length, outcome.error]).toEqual([2, 3, undefined]);
});

test('A deletion whose answer is lost counts as done if the retry finds the links gone.', async () => {
  let sent = 0;
  const send = async (ids: string[]) => {
    if (++sent === 1) throw new TypeError('Failed to fetch');
    return { data: { failed: ids.map(gone) } };
  };
  const isDone = (code: string) => code === 'not_found' && sent > 1;
  const outcome = await inParts(links(3), idOf, send, { ...silent, isDone });
  expect([outcome.done.length, outcome.failed]).toEqual([3, []]);
});

test('Once somebody stops a change, no further request is sent, and what was done is reported.', async () => {
  let sent = 0;
  const send = async () => {
    sent++;
    return { data: { failed: [] } };
  };
  const outcome = await inParts(links(2_500), idOf, send, { ...silent, isStopped: () => sent === 2 });
  expect([sent, outcome.done.length, outcome.error]).toEqual([2, 2_000, undefined]);
});

/** A function for sending that records its links, and the most requests under way at once. */
const oneByOne = (fail?: unknown) => {
  let under = 0;
  const seen: string[][] = [];
  const most = { atOnce: 0 };
  const send = async (ids: string[]) => {
    most.atOnce = Math.max(most.atOnce, ++under);
    await Promise.resolve();
    under--;
    seen.push(ids);
    if (fail !== undefined && seen.length > 4) throw fail;
    return { data: { failed: [] } };
  };
  return { send, seen, most };
};

test('Links that need a request each get one, few at a time, and none after somebody stops the change.', async () => {
  const { send, seen, most } = oneByOne();
  const options = { ...silent, oneEach: { atATime: 4 } };
  const whole = await inParts(links(9), idOf, send, options);
  expect([most.atOnce, whole.done.length, whole.failed, whole.error]).toEqual([4, 9, [], undefined]);
  expect(seen.map(([id]) => id).toSorted()).toEqual(links(9).map(idOf));
  expect(seen.every(({ length }) => length === 1)).toBe(true);
  const stopped = await inParts(links(9), idOf, send, { ...options, isStopped: () => seen.length >= 13 });
  expect(stopped.done.length).toBeGreaterThanOrEqual(4);
  expect(stopped.done.length).toBeLessThan(9);
});

test('If requests for one link each begin to fail, no further one is sent, and what was done is reported.', async () => {
  const { send, seen } = oneByOne(refused(403));
  const outcome = await inParts(links(100), idOf, send, { ...silent, oneEach: { atATime: 4 } });
  expect(outcome.done.length).toBe(4);
  expect(outcome.error).toBeInstanceOf(ProblemError);
  expect(seen.length).toBeLessThanOrEqual(8);
});
