import { beforeEach, expect, test, vi } from 'vitest';
import { withDeadline } from '../../../lambdas/deadline.ts';
import { framingChange, framingChanges } from '../../../lambdas/outbound/framing-changes.ts';

const { asked, answers } = vi.hoisted(() => ({ asked: [] as string[], answers: new Map<string, boolean>() }));
vi.mock('../../../lambdas/outbound/framing.ts', () => ({
  framingAllowed: async (url: string, page: string) => {
    asked.push(`${url} by ${page}`);
    return answers.get(url);
  },
}));
beforeEach(() => {
  asked.length = 0;
  answers.clear();
});

const page = 'https://go.example.com';

test('a link that shall not be framed is changed by nothing, and nobody is asked', async () => {
  expect(await framingChange(undefined, page)).toEqual({});
  expect(asked).toEqual([]);
});

test.for([
  [true, { unframeableUrl: null }],
  [false, { unframeableUrl: 'https://x.org/' }],
  [undefined, {}],
] as const)('a destination that answers %s changes a link by %j', async ([allowed, change]) => {
  if (allowed !== undefined) answers.set('https://x.org/', allowed);
  expect(await framingChange('https://x.org/', page)).toEqual(change);
});

test('of many links each has the change of its own destination, which is asked once for each domain', async () => {
  answers.set('https://a.org/', false).set('https://b.org/', true);
  const links = Array.from({ length: 300 }, (_, index) => ({
    url: ['https://a.org/', 'https://b.org/', undefined, 'https://c.org/'][index % 4],
    pageOrigin: index % 8 < 4 ? page : 'https://go.example.net',
  }));
  const changes = await framingChanges(links);
  expect(changes).toEqual(
    links.map(({ url }) => {
      if (url === 'https://a.org/') return { unframeableUrl: url };
      return url === 'https://b.org/' ? { unframeableUrl: null } : {};
    }),
  );
  expect(asked.length).toBe(6);
  expect(new Set(asked).size).toBe(6);
});

test('what cannot be asked in time stays unknown', async () => {
  const links = Array.from({ length: 50 }, (_, index) => ({ url: `https://example.org/${index}`, pageOrigin: page }));
  expect(await withDeadline(-1, () => framingChanges(links))).toEqual(links.map(() => ({})));
  expect(asked).toEqual([]);
});
