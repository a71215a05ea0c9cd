import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ClickPlace, ListedClick } from '../../../lambdas/click-log/listing.ts';
import type { ClickRow } from '../../../lambdas/core/click/row.ts';
import { withDeadline } from '../../../lambdas/runtime/deadline.ts';
import type { fakeBucket } from '../../support/clicks/fake-bucket.ts';
import { atEnd, type Log, nextMonth, oldMonth, useLog } from '../../support/clicks/log.ts';
import { runs } from '../../support/run/proof.ts';

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let log: Log;
let listing: typeof import('../../../lambdas/click-log/listing.ts');
beforeAll(async () => {
  await import('../../../lambdas/outbound/click-files.ts');
  log = await useLog(bucket);
  listing = await import('../../../lambdas/click-log/listing.ts');
});
beforeEach(() => bucket.calm());

const links = ['lnk_AAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'lnk_BBBBBBBBBBBBBBBBBBBBBBBBBBBB'] as const;
const days = (count: number) => count * 86_400;
const whole = { from: Date.parse(atEnd(-days(60))), to: Date.parse(atEnd(days(20))) };

/** All pages of a list. @param between runs after each page but the last */
async function pagesOf(
  workspaceId: string,
  limit: number,
  between: (page: number) => Promise<void> = async () => {},
  asked = whole,
) {
  const pages: (readonly ListedClick[])[] = [];
  let after: ClickPlace | undefined;
  do {
    const { clicks, next } = await listing.listClicks(workspaceId, asked, { limit, after });
    pages.push(clicks);
    after = next;
    if (next) await between(pages.length);
  } while (after);
  return pages;
}

/** The facts of a click, without its id. */
const factsOf = ({ at, linkId, slug, country }: ListedClick | ClickRow) =>
  [`${at.slice(0, 19)}.000Z`, linkId, country, slug].join(' ');

const seal = async (workspaceId: string) => {
  while ((await log.inTail(workspaceId)).length > 0) await log.seal(workspaceId);
};
const merge = async (workspaceId: string) => {
  await seal(workspaceId);
  bucket.age(workspaceId, 40 * log.dayMs);
  for (const month of [oldMonth, nextMonth]) await log.tendMonth(workspaceId, month);
};

/** Many clicks have the same second, and some are equal. */
const anyClick = fc.record({
  link: fc.nat(1),
  /** Even numbers, so that later clicks can have other seconds. */
  seconds: fc.constantFrom(-2, 0, -days(20), -days(20) + 2, days(1)),
  slug: fc.option(fc.constantFrom('one', 'two'), { nil: undefined, freq: 2 }),
  country: fc.constantFrom('DE', 'FR'),
  visitor: fc.option(fc.constantFrom('v1', 'v2'), { nil: undefined }),
});
const comingClick = fc.record({ link: fc.nat(1), seconds: fc.constantFrom(-2, 0, days(1)), isElsewhere: fc.boolean() });

const step = fc.record({
  does: fc.constantFrom('nothing', 'seal', 'merge'),
  comes: fc.array(comingClick, { maxLength: 3 }),
});

test('Pages have each click once, newest first, while others arrive, and while all are sealed and merged.', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyClick, { minLength: 1, maxLength: 30 }),
      fc.array(anyClick, { maxLength: 10 }),
      fc.constantFrom('nothing', 'seal', 'merge'),
      fc.integer({ min: 1, max: 12 }),
      fc.array(step, { maxLength: 8 }),
      async (first, second, start, limit, steps) => {
        const workspaceId = await log.newLog();
        const written = async (some: readonly Partial<ClickRow>[]) => {
          const clicks = some.map((fields) => log.newClick(fields));
          await log.writeTail(workspaceId, 'ShardA', clicks);
          return clicks;
        };
        const fieldsOf = ({ link, seconds, ...fields }: typeof anyClick extends fc.Arbitrary<infer T> ? T : never) => ({
          ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
          linkId: links[link] ?? links[0],
          at: atEnd(seconds),
        });
        const before = await written(first.map(fieldsOf));
        if (start === 'seal') await seal(workspaceId);
        if (start === 'merge') await merge(workspaceId);
        before.push(...(await written(second.map(fieldsOf))));

        // A later click with the second of a cursor may be taken for the cursor's click once merging has removed ids.
        const merges = start === 'merge' || steps.some(({ does }) => does === 'merge');
        const later: ClickRow[] = [];
        const pages = await pagesOf(workspaceId, limit, async (page) => {
          const { does = 'nothing', comes = [] } = steps[page - 1] ?? {};
          const come = comes.map(({ link, seconds, isElsewhere }) => ({
            linkId: links[link] ?? links[0],
            at: atEnd(merges || isElsewhere ? seconds + 1 : seconds),
            country: 'AT',
          }));
          if (come.length > 0) later.push(...(await written(come)));
          if (does === 'seal') await seal(workspaceId);
          if (does === 'merge') await merge(workspaceId);
        });

        const listed = pages.flat();
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
        const times = listed.map(({ at }) => at);
        expect(times).toEqual(times.toSorted().toReversed());
        const known = listed.filter(({ country }) => country !== 'AT').map(factsOf);
        expect(known.toSorted()).toEqual(before.map(factsOf).toSorted());
        const came = listed.filter(({ country }) => country === 'AT').map(factsOf);
        expect(new Set(came).size).toBe(came.length);
        expect(later.map(factsOf)).toEqual(expect.arrayContaining(came));
      },
    ),
    { numRuns: runs(8) },
  );
});

test("A listed click has its row's values, to the second; its id is null once it is merged.", async () => {
  const workspaceId = await log.newLog();
  const [first, second] = [
    log.newClick({ linkId: links[0], at: atEnd(-10).replace('.000Z', '.789Z'), visitor: 'v1', path: 'a/b', utmSource: 'news' }),
    log.newClick({ linkId: links[0], at: atEnd(-5), visitor: 'v1' }),
  ];
  await log.writeTail(workspaceId, 'ShardA', [first, second]);
  const shown = ({ epoch, visitor, shard, sequenceNumber, ...row }: ClickRow, isUnique: boolean) => ({
    ...row,
    at: `${row.at.slice(0, 19)}.000Z`,
    isUnique,
  });
  const expected = [shown(second, false), shown(first, true)];
  expect((await pagesOf(workspaceId, 10)).flat()).toEqual(expected);
  await seal(workspaceId);
  expect((await pagesOf(workspaceId, 10)).flat()).toEqual(expected);
  await merge(workspaceId);
  expect((await pagesOf(workspaceId, 10)).flat()).toEqual(expected.map((click) => ({ ...click, id: null })));
});

test('If the click of a cursor is erased, the next pages have all other clicks, each once.', async () => {
  const workspaceId = await log.newLog();
  const clicks = Array.from({ length: 20 }, (_, index) => log.newClick({ linkId: links[index % 2] ?? links[0], at: atEnd(-1) }));
  await log.writeTail(workspaceId, 'ShardA', clicks);
  const pages = await pagesOf(workspaceId, 3, async (page) => {
    if (page === 2) await log.noteErasure(workspaceId, links[1], 1);
  });
  const [kept, erased] = links.map((link) => pages.flat().filter(({ linkId }) => linkId === link));
  expect([kept?.length, new Set(kept?.map(({ id }) => id)).size]).toEqual([10, 10]);
  expect(erased).toHaveLength(6);
});

test('A list can be limited to some links, a domain, values or a range, and has no other clicks.', async () => {
  const workspaceId = await log.newLog();
  const clicks = [
    log.newClick({ linkId: links[0], at: atEnd(1), host: 'a.example', country: 'DE' }),
    log.newClick({ linkId: links[1], at: atEnd(2), host: 'a.example', country: 'FR' }),
    log.newClick({ linkId: links[1], at: atEnd(3), host: 'b.example', country: 'DE' }),
  ];
  await log.writeTail(workspaceId, 'ShardA', clicks);
  const listed = async (asked: object) =>
    (await pagesOf(workspaceId, 1, undefined, { ...whole, ...asked })).flat().map(({ at }) => at);
  expect(await listed({ linkIds: [links[1]] })).toEqual([atEnd(3), atEnd(2)]);
  expect(await listed({ linkIds: [] })).toEqual([]);
  expect(await listed({ host: 'a.example' })).toEqual([atEnd(2), atEnd(1)]);
  expect(await listed({ filter: { country: ['DE'] } })).toEqual([atEnd(3), atEnd(1)]);
  expect(await listed({ filter: { country: ['DE'] }, from: Date.parse(atEnd(2)), to: Date.parse(atEnd(3)) })).toEqual([]);
});

test('If time runs out, a page ends before it is full, and the next page continues.', async () => {
  const workspaceId = await log.newLog();
  const clicks = [log.newClick({ at: atEnd(days(1)) }), log.newClick({ at: atEnd(-days(40)) })];
  await log.writeTail(workspaceId, 'ShardA', clicks);
  const pages = await withDeadline(9_000, () => pagesOf(workspaceId, 10));
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat().map(({ id }) => id)).toEqual(clicks.map(({ id }) => id));
});

test('If the files of some months are too large for one query, they are queried month by month.', async () => {
  const workspaceId = await log.newLog();
  const clicks = [days(1), -days(1), -days(40)].map((seconds) => log.newClick({ at: atEnd(seconds) }));
  await log.writeTail(workspaceId, 'ShardA', clicks);
  await seal(workspaceId);
  bucket.state.befall = async ([name], execute) => {
    const answer = await execute();
    return name === 'filesUnder' ? (answer as { size: number }[]).map((file) => ({ ...file, size: 300_000_000 })) : answer;
  };
  expect((await pagesOf(workspaceId, 10)).flat().map(({ id }) => id)).toEqual(clicks.map(({ id }) => id));
});
