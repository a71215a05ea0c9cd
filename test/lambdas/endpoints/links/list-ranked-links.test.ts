import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { makeCursor, positionIn } from '../../../../lambdas/core/cursor.ts';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import type { fakeBucket } from '../../../support/clicks/fake-bucket.ts';
import { type Log, useLog } from '../../../support/clicks/log.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';
import { runs } from '../../../support/run/proof.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});
vi.mock('../../../../lambdas/core/limits.ts', async (original) => ({ ...(await original<object>()), rankedLinks: 12 }));

let log: Log;
beforeAll(async () => {
  await import('../../../../lambdas/outbound/click-files.ts');
  log = await useLog(bucket);
});

type Query = Readonly<Record<string, string>>;

/** This second of 3 March 2026. */
const at = (second: number) => Date.UTC(2026, 2, 3) + 1_000 * second;
const iso = (time: number) => new Date(time).toISOString();

let made = 0;

/** A workspace with links that were clicked at these seconds, and its ranked list. */
async function arrange(clicks: readonly (readonly number[])[], tagged: (index: number) => boolean = () => false) {
  const workspace = await log.newWorkspace();
  const { workspaceId, domain } = workspace;
  const { id: tagId } = await log.createTag(workspaceId, { name: 'Tagged', color: '#123456' });
  const links: Link[] = [];
  for (const index of clicks.keys()) {
    const settings = { url: 'https://example.org/', title: 'Title 0', tagIds: tagged(index) ? [tagId] : [] };
    const createdAt = iso(Date.UTC(2026, 0, 1) + made++);
    links.push((await log.createLink(domain, settings, { ...log.newLease(), createdAt })).link);
  }
  await countClicks(links.flatMap((link, index) => (clicks[index] ?? []).map((second) => clickOf(link, at(second)))));
  const list = (query: Query = {}) => callEndpoint('list-ranked-links', { workspaceId, query });
  return { workspaceId, host: domain.host, tagId, links, list };
}

const idsOf = ({ body }: { body: { links: { id: string }[] } }) => body.links.map(({ id }) => id);
const keptFiles = () => [...bucket.files.keys()].filter((key) => key.startsWith('rankings/'));

const seconds = fc.array(fc.nat(9), { maxLength: 5 });
/** An event of some link between two pages. */
const event = fc.record({ do: fc.constantFrom('click', 'delete', 'archive', 'change', 'erase', 'seal'), link: fc.nat(7) });

test('Whatever happens between the pages, links are listed once each, with their clicks in the range, in the order of a list of all clicks, and links without clicks last.', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(seconds, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('clicks', 'lastClickedAt'),
      fc.constantFrom('asc', 'desc'),
      fc.constantFrom('none', 'domain', 'tag', 'text', 'state', 'quiet'),
      fc.record({ from: fc.nat(4), length: fc.integer({ min: 1, max: 6 }) }),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.array(event, { maxLength: 3 })),
      async (clicks, sort, order, kind, range, limit, events) => {
        const isTagged = (index: number) => index % 2 === 0;
        const { workspaceId, host, tagId, links, list } = await arrange(clicks, isTagged);
        const [from, to] = [range.from, range.from + range.length];
        const filters: Record<typeof kind, Query> = {
          none: {},
          domain: { domain: host },
          tag: { tagIds: tagId },
          text: { q: 'title' },
          state: { state: 'active' },
          quiet: { notClickedSince: iso(at(5)) },
        };
        const query = { sort, order, from: iso(at(from)), to: iso(at(to)), limit: String(limit), ...filters[kind] };

        const inRange = (index: number) => (clicks[index] ?? []).filter((second) => from <= second && second < to);
        const measure = (index: number) => (sort === 'clicks' ? inRange(index).length : Math.max(...inRange(index)));
        const idAt = (index: number) => links[index]?.id ?? '';
        const all = [...links.keys()];
        const ranked = all
          .filter((index) => inRange(index).length > 0)
          .sort(
            (one, other) => (measure(one) - measure(other)) * (order === 'asc' ? 1 : -1) || (idAt(one) < idAt(other) ? -1 : 1),
          );
        const others = all.filter((index) => inRange(index).length === 0).reverse();
        const matching = (index: number) =>
          (kind !== 'tag' || isTagged(index)) && (kind !== 'quiet' || (clicks[index] ?? []).every((second) => second < 5));
        const expected = [...ranked, ...others].filter(matching).map(idAt);

        const titles = new Map(links.map(({ id }) => [id, 'Title 0']));
        /** Deleted or archived links, which are no longer listed. */
        const deleted = new Set<string>();
        /** Links that may start or stop matching. */
        const unsettled = new Set<string>();
        const happen = async ({ do: what, link }: typeof event extends fc.Arbitrary<infer E> ? E : never) => {
          const known = links[link % links.length];
          if (what === 'seal') return log.seal(workspaceId);
          if (!known || deleted.has(known.id)) return;
          const { id } = known;
          if (what === 'change') {
            titles.set(id, `Title ${made++}`);
            await callEndpoint('update-link', { workspaceId, id, body: { title: titles.get(id) } });
          } else if (what === 'archive') {
            deleted.add(id);
            await callEndpoint('update-link', { workspaceId, id, body: { isArchived: true } });
          } else if (what === 'delete') {
            deleted.add(id);
            await callEndpoint('delete-link', { workspaceId, id });
          } else {
            if (kind === 'quiet') unsettled.add(id);
            if (what === 'erase') await callEndpoint('delete-clicks', { workspaceId, id });
            else {
              const now = await log.findLink(workspaceId, id);
              if (now) await countClicks([1, 5, 9].map((second) => clickOf(now, at(second))));
            }
          }
        };

        /** The clicks in the range when the order was decided. */
        const rangeOf = (id: string) => {
          const found = inRange(links.findIndex((link) => link.id === id));
          return { clicks: found.length, lastClickedAt: found.length > 0 ? iso(at(Math.max(...found))) : null };
        };
        const shown: string[] = [];
        let cursor: string | null = null;
        for (let pages = 0; ; pages++) {
          expect(pages, 'a list ends').toBeLessThan(50);
          const page: Awaited<ReturnType<typeof list>> = await list({ ...query, ...(cursor && { cursor }) });
          expect(page.status).toBe(200);
          expect(page.body.links.length).toBeLessThanOrEqual(limit);
          for (const { id, title, inRange: counted } of page.body.links) {
            expect(deleted.has(id)).toBe(false);
            expect(counted).toEqual(rangeOf(id));
            expect(title).toBe(titles.get(id));
          }
          shown.push(...idsOf(page));
          cursor = page.body.nextCursor;
          if (!cursor) break;
          for (const one of events.next().value ?? []) await happen(one);
        }
        expect(new Set(shown).size).toBe(shown.length);
        const stays = (id: string) => !deleted.has(id) && !unsettled.has(id);
        expect(shown.filter(stays)).toEqual(expected.filter(stays));
        // Links that were shown before they were deleted had the right place.
        const before = shown.filter((id) => !unsettled.has(id));
        expect(expected.filter((id) => before.includes(id))).toEqual(before);
      },
    ),
    { numRuns: runs(6) },
  );
});

test('Without a range, all clicks count; a list that fits on one page keeps no ranking.', async () => {
  const { links, list } = await arrange([[1], [1, 2, 3], [], [1, 2]]);
  const before = keptFiles().length;
  const page = await list();
  expect(idsOf(page)).toEqual([1, 3, 0, 2].map((index) => links[index]?.id));
  const three = { clickCount: 3, lastClickedAt: iso(at(3)), inRange: { clicks: 3, lastClickedAt: iso(at(3)) } };
  expect(page.body).toMatchObject({ links: [three, {}, {}, { inRange: { clicks: 0, lastClickedAt: null } }], nextCursor: null });
  expect(keptFiles().length).toBe(before);
  expect(idsOf(await list({ sort: 'lastClickedAt', order: 'asc', from: iso(at(2)) }))).toEqual(
    [3, 1, 2, 0].map((index) => links[index]?.id),
  );
});

test("A ranking is stored in its workspace's folder, with only ids and counts; once it has expired, its cursors are refused.", async () => {
  const { workspaceId, links, list } = await arrange([[1], [1, 2], []]);
  const { nextCursor: cursor } = (await list({ limit: '1' })).body;
  const [key = '', ...more] = keptFiles().filter((one) => one.startsWith(`rankings/workspace=${workspaceId}/`));
  expect(more).toEqual([]);
  expect(bucket.files.get(key)?.content.toString()).toBe(`${links[1]?.id} 2 ${at(2)}\n${links[0]?.id} 1 ${at(1)}`);
  expect(idsOf(await list({ limit: '2', cursor }))).toEqual([links[0]?.id, links[2]?.id]);
  bucket.files.delete(key);
  const refused = await list({ limit: '1', cursor });
  expectProblem(refused, 422, 'validation_failed');
  expect(refused.body.errors).toMatchObject([{ code: 'invalid_cursor', message: expect.stringContaining('has expired') }]);
});

/** The ranked list of a workspace without parameters, as `askedPage` knows it. */
const scopeOf = (workspaceId: string) => [
  'ranked',
  workspaceId,
  undefined,
  'false',
  ...Array(8).fill(undefined),
  'desc',
  'clicks',
  Date.UTC(2000, 0),
  Date.UTC(9999, 11, 31),
];

test('A cursor of other parameters, another list or another workspace is refused, and so is a made-up one.', async () => {
  const { workspaceId, list } = await arrange([[1], [2]]);
  const { nextCursor: cursor } = (await list({ limit: '1' })).body;
  const plain = (await callEndpoint('list-links', { workspaceId, query: { limit: '1' } })).body.nextCursor;
  const scope = scopeOf(workspaceId);
  expect(positionIn(scope, cursor)).toMatch(/#1$/);
  const name = '0'.repeat(22);
  const tries: [typeof list, Query][] = [
    [list, { cursor: plain }],
    [list, { cursor, sort: 'lastClickedAt' }],
    [list, { cursor, order: 'asc' }],
    [list, { cursor, q: 'a' }],
    [list, { cursor, from: iso(at(0)) }],
    [(await arrange([])).list, { cursor }],
    ...['', name, `${name}#-1`, `${name}#1e3`, `../${name.slice(3)}#1`, `${name}#1#`, `${name}#1#x`, `${name}#1`].map(
      (position): [typeof list, Query] => [list, { cursor: makeCursor(scope, position) }],
    ),
  ];
  for (const [send, query] of tries) {
    const refused = await send(query);
    expectProblem(refused, 422, 'validation_failed');
    expect(refused.body.errors).toMatchObject([{ code: 'invalid_cursor' }]);
  }
  expect((await list({ cursor, limit: '7' })).status).toBe(200);
});

test('Any cursor, even one that is cut off, forged for a stored ranking or from an earlier version, gets a page with clicks or is refused by name.', async () => {
  const { workspaceId, links, list } = await arrange([[1], [1, 2], [3], []]);
  const { nextCursor } = (await list({ limit: '1' })).body;
  const scope = scopeOf(workspaceId);
  const [name = ''] = positionIn(scope, nextCursor)?.split('#') ?? [];
  const old = 'x'.repeat(name.length);
  const content = Buffer.from(links.map(({ id }) => id).join('\n'));
  bucket.files.set(`rankings/workspace=${workspaceId}/${old}`, { content, modifiedAt: Date.now() });
  const places = fc
    .tuple(
      fc.constantFrom(name, old, `${name}-counts`, `${old}-counts`, ''),
      fc.oneof(fc.maxSafeNat(), fc.nat(5), fc.constantFrom('', '-1', 'NaN')).map(String),
      fc.oneof(
        fc.constantFrom('', '#', `#9999-99-99T99:99:99.999Z#lnk_${'z'.repeat(28)}`, `#${links[1]?.createdAt}#${links[1]?.id}`),
        fc.string({ unit: anyCharacter, maxLength: 20 }),
      ),
    )
    .map(([of, looked, position]) => makeCursor(scope, `${of}#${looked}${position}`));
  const cut = fc.tuple(fc.nat(nextCursor.length - 1), fc.nat(3)).map(([at, left]) => nextCursor.slice(left, at));
  const cursors = fc.oneof(places, cut, fc.string({ unit: anyCharacter }));
  await fc.assert(
    fc.asyncProperty(cursors, fc.integer({ min: 1, max: 3 }), async (cursor, limit) => {
      const { status, body } = await list({ cursor, limit: String(limit) });
      if (status === 200) for (const { inRange } of body.links) expect(inRange.clicks).toBeGreaterThanOrEqual(0);
      else expect([status, body.errors]).toEqual([422, [expect.objectContaining({ code: 'invalid_cursor' })]]);
    }),
    { numRuns: runs(100), examples: [[makeCursor(scope, `${old}#0`), 1]] },
  );
});

test.for<[Query, string, string]>([
  [{ sort: 'title' }, 'sort', 'invalid_value'],
  [{ order: 'up' }, 'order', 'invalid_value'],
  [{ from: '2026-01-02T00:00Z', to: '2026-01-02T00:00Z' }, 'from', 'out_of_range'],
  [{ from: '2026-01-02T00:00:00.5Z' }, 'from', 'not_on_second'],
  [{ to: '1999-01-02T00:00Z' }, 'to', 'out_of_range'],
  [{ notClickedSince: 'yesterday' }, 'notClickedSince', 'invalid_timestamp'],
  [{ tagId: 'tag_0', tagIds: 'tag_0' }, 'tagId', 'not_together'],
  [{ country: 'DE' }, 'country', 'unknown_parameter'],
])('%j is refused, naming "%s" and the rule %s.', async ([query, parameter, code]) => {
  const { list } = await arrange([]);
  const response = await list(query);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toEqual([
    { path: '', code, message: expect.stringContaining(`the query parameter "${parameter}" `) },
  ]);
});

test("A tag that does not exist is refused; another workspace's domain has no links.", async () => {
  const { list } = await arrange([[1]]);
  expectProblem(await list({ tagIds: 'tag_0' }), 422, 'tag_not_found');
  expectProblem(await list({ tagNames: 'unknown' }), 422, 'tag_not_found');
  expect((await list({ domain: 'other.example.com' })).body).toEqual({ links: [], nextCursor: null });
});

test('More links with clicks than a ranking may have are refused; a shorter range or a tag helps.', async () => {
  const { tagId, list } = await arrange(
    Array.from({ length: 13 }, (_, index) => [index]),
    (index) => index > 0,
  );
  const refused = await list();
  expectProblem(refused, 422, 'too_much_to_read');
  expect(refused.body.errors).toMatchObject([
    { message: expect.stringContaining('"from"') },
    { message: expect.stringContaining('"tagIds"') },
  ]);
  expect((await list({ from: iso(at(1)) })).body.links).toHaveLength(13);
  expect((await list({ tagIds: tagId })).body.links).toHaveLength(12);
});

test('If the ranking cannot be kept or read, the request is refused as temporarily unavailable.', async () => {
  const { list } = await arrange([[1], [2]]);
  const { nextCursor: cursor } = (await list({ limit: '1' })).body;
  bucket.state.befall = async ([, key], execute) => {
    if (key.startsWith('rankings/')) throw new Error('injected fault');
    return execute();
  };
  try {
    expectProblem(await list({ limit: '1' }), 503, 'temporarily_unavailable');
    expectProblem(await list({ limit: '1', cursor }), 503, 'temporarily_unavailable');
  } finally {
    bucket.calm();
  }
  expect((await list({ limit: '1', cursor })).status).toBe(200);
});
