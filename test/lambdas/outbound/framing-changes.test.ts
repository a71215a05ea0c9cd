import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { framingChanges } from '../../../lambdas/outbound/framing-changes.ts';
import { withDeadline } from '../../../lambdas/runtime/deadline.ts';
import { runs } from '../../support/run/proof.ts';

/** Answers of destinations, with their delays in milliseconds. A destination without one never answers. */
type Said = { readonly allowed: boolean | undefined; readonly after: number };
const { asked, answers } = vi.hoisted(() => ({ asked: [] as string[], answers: new Map<string, Said>() }));
vi.mock('../../../lambdas/outbound/framing.ts', () => ({
  framingAllowed: (url: URL, page: URL, signal: AbortSignal) =>
    new Promise((done) => {
      asked.push(`${url} by ${page}`);
      signal.addEventListener('abort', () => done(undefined));
      const said = answers.get(url.href);
      if (said?.after === 0) done(said.allowed);
      else if (said) setTimeout(() => done(said.allowed), said.after);
    }),
}));

/** The change for a single link. */
const framingChange = async (url: string | undefined, pageOrigin: string) =>
  (await framingChanges([{ url, pageOrigin }], take))[0];

const taken: number[] = [];
let left = 0;
const take = async (wanted: number) => {
  taken.push(wanted);
  const granted = Math.min(wanted, left);
  left -= granted;
  return granted;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  for (const list of [asked, taken]) list.length = 0;
  answers.clear();
  left = 1_000;
});
afterEach(() => void vi.useRealTimers());

const page = 'https://go.example.com';

/** The result of the work, and its duration in milliseconds. */
async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const began = Date.now();
  let ms = 0;
  const done = work.then((result) => {
    ms = Date.now() - began;
    return result;
  });
  await vi.runAllTimersAsync();
  return { result: await done, ms };
}

test('A link that is not cloaked does not change, and no destination is requested.', async () => {
  expect(await timed(framingChange(undefined, page))).toEqual({ result: {}, ms: 0 });
  expect([asked, taken]).toEqual([[], []]);
});

test.for([
  [true, { unframeableUrl: null }],
  [false, { unframeableUrl: 'https://x.org/' }],
  [undefined, {}],
] as const)('If a destination responds with %s, its link changes by %j.', async ([allowed, change]) => {
  answers.set('https://x.org/', { allowed, after: 300 });
  expect((await timed(framingChange('https://x.org/', page))).result).toEqual(change);
});

test.for([
  ['http://x.org/', { unframeableUrl: 'http://x.org/' }],
  ['https://[2606:4700:4700::1111]/', { unframeableUrl: 'https://[2606:4700:4700::1111]/' }],
  ['https://x.org:8443/', {}],
  ['https://x.org:22/', {}],
  ['https://x.org:80/', {}],
] as const)('%s changes its link by %j without a request, a look-up or any time.', async ([url, change]) => {
  expect(await timed(framingChange(url, page))).toEqual({ result: change, ms: 0 });
  expect([asked, taken]).toEqual([[], []]);
});

test('The time depends only on the number of destinations, not on their responses.', async () => {
  const said = fc.record({
    allowed: fc.constantFrom(true, false, undefined),
    after: fc.oneof(fc.constant(0), fc.nat(3_000), fc.constant(Number.POSITIVE_INFINITY)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 130 }), async (several) => {
      answers.clear();
      left = 1_000;
      const links = several.map((_, index) => ({ url: `https://example.org/${index}`, pageOrigin: page }));
      several.forEach((one, index) => {
        if (one.after !== Number.POSITIVE_INFINITY) answers.set(links[index]?.url ?? '', one);
      });
      const { result, ms } = await timed(framingChanges(links, take));
      expect(ms).toBe(1_500 * Math.ceil(several.length / 50));
      const known = several.map(({ allowed, after }) => (after < 1_500 ? allowed : undefined));
      // The order of two timers in the same millisecond does not matter.
      fc.pre(several.every(({ after }) => after !== 1_500));
      expect(result.map(({ unframeableUrl }) => (unframeableUrl === undefined ? undefined : unframeableUrl === null))).toEqual(
        known,
      );
    }),
    { numRuns: runs(6) },
  );
});

test('Each of many links gets the change of its own destination, which is requested once per domain.', async () => {
  answers.set('https://a.org/', { allowed: false, after: 0 }).set('https://b.org/', { allowed: true, after: 0 });
  const links = Array.from({ length: 300 }, (_, index) => ({
    url: ['https://a.org/', 'https://b.org/', undefined, 'https://c.org/'][index % 4],
    pageOrigin: index % 8 < 4 ? page : 'https://go.example.net',
  }));
  const { result } = await timed(framingChanges(links, take));
  expect(result).toEqual(
    links.map(({ url }) => {
      if (url === 'https://a.org/') return { unframeableUrl: url };
      return url === 'https://b.org/' ? { unframeableUrl: null } : {};
    }),
  );
  expect([asked.length, new Set(asked).size, taken]).toEqual([6, 6, [6]]);
});

test.for([
  [1_000, 200, 6_000],
  [120, 120, 4_500],
  [0, 0, 0],
] as const)('Of 1,000 destinations with %i look-ups left, %i are requested, in %i ms.', async ([left_, count, time]) => {
  left = left_;
  const links = Array.from({ length: 1_000 }, (_, index) => ({ url: `https://example.org/${index}`, pageOrigin: page }));
  const { result, ms } = await timed(framingChanges(links, take));
  expect([asked.length, ms]).toEqual([count, time]);
  expect(result).toEqual(links.map(() => ({})));
});

test('Destinations that cannot be requested in time stay unknown.', async () => {
  const links = Array.from({ length: 50 }, (_, index) => ({ url: `https://example.org/${index}`, pageOrigin: page }));
  expect(await withDeadline(2_900, () => framingChanges(links, take))).toEqual(links.map(() => ({})));
  expect(asked).toEqual([]);
});
