import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Click } from '../../../../lambdas/core/click/click.ts';
import { rowDimensions } from '../../../../lambdas/core/click/click.ts';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import { befalling, meanwhile } from '../../../support/clicks/befalling.ts';
import type { fakeBucket } from '../../../support/clicks/fake-bucket.ts';
import { type Log, useLog } from '../../../support/clicks/log.ts';
import { asOther } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { runs } from '../../../support/run/proof.ts';
import { clickOf, deliveryOf } from '../../../support/things/clicks.ts';
import {
  countsOf,
  expectStatistics,
  filters,
  type Known,
  passing,
  queryOf,
  statsRequests,
  visits,
  within,
} from '../../../support/things/statistics.ts';
import { countUniques } from '../../../support/things/unique.ts';

// All statistics against a list of all clicks in memory, while links and their tags change, clicks are erased, and rows
// are sealed and merged.

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let log: Log;
beforeAll(async () => {
  await import('../../../../lambdas/outbound/click-files.ts');
  log = await useLog(bucket);
  countUniques();
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const linkCount = 4;
const tagCount = 3;
const someTags = fc.subarray(Array.from({ length: tagCount }, (_, tag) => tag));

const step = fc.oneof(
  { weight: 7, arbitrary: fc.record({ do: fc.constant('visit' as const), link: fc.nat(linkCount - 1), visits }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tag' as const), link: fc.nat(linkCount - 1), tags: someTags }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'delete' as const,
        'erase' as const,
        'again' as const,
        'seal' as const,
        'seal' as const,
        'merge' as const,
      ),
      link: fc.nat(linkCount - 1),
      /** The call of sealing or merging before which a query runs. */
      asked: fc.nat(25),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A link with its expected state. */
type OneLink = { link: Link; isDeleted: boolean; tags: readonly number[]; clicks: Click[] };

/** Link, epoch, day and visitor, which determine whether a click is unique. */
const dayOf = ({ linkId, epoch, at, visitor }: Click) => `${linkId} ${epoch} ${at.slice(0, 10)} ${visitor}`;
const bySecond = (one: Click, other: Click) =>
  `${one.at.slice(0, 19)} ${one.id}` < `${other.at.slice(0, 19)} ${other.id}` ? -1 : 1;

/** Which clicks are unique: sealing decides it for good, and until then the known clicks do. */
function uniqueness() {
  const decided = new Map<string, boolean>();
  /** Visitors of a day whose hashes are still in files. */
  let known = new Set<string>();
  const decide = (clicks: readonly Click[]) => {
    const open = clicks.filter(({ id, visitor }) => !decided.has(id) && visitor !== undefined).sort(bySecond);
    const met = new Set(known);
    const first = new Set(open.flatMap((click) => (met.size < met.add(dayOf(click)).size ? [click.id] : [])));
    return (click: Click) => decided.get(click.id) ?? first.has(click.id);
  };
  return {
    decide,
    seal: (clicks: readonly Click[]) => {
      const isFirst = decide(clicks);
      // The hashes of clicks that were sealed before may be gone.
      const fresh = clicks.filter(({ id }) => !decided.has(id)).map((click) => [click, isFirst(click)] as const);
      for (const [click, first] of fresh) {
        decided.set(click.id, first);
        if (click.visitor !== undefined) known.add(dayOf(click));
      }
    },
    /** Merging removes hashes. */
    merge: () => {
      known = new Set();
    },
  };
}

async function arrange() {
  const workspace = await log.newWorkspace();
  const { workspaceId } = workspace;
  const second = await log.addDomain(workspaceId, `second.${workspace.domain.host}`, 'ACTIVE');
  if (!second || !('domainId' in second)) throw new Error('no second domain');
  const domains = [workspace.domain, second];
  const tags = await Promise.all(
    Array.from({ length: tagCount }, (_, tag) => log.createTag(workspaceId, { name: `Tag ${tag}`, color: '#123456' })),
  );
  const links: OneLink[] = [];
  for (let made = 0; made < linkCount; made++) {
    const domain = domains[made % domains.length] ?? workspace.domain;
    const { link } = await log.createLink(domain, { url: 'https://example.org/' }, log.newLease());
    links.push({ link, isDeleted: false, tags: [], clicks: [] });
  }
  const idsOf = (some: readonly number[]) => some.map((tag) => tags[tag]?.id ?? '');
  const unique = uniqueness();
  const allClicks = () => links.flatMap(({ clicks }) => clicks);
  /** Batches that may be delivered again, because they are not merged yet. */
  let batches: (() => Promise<void>)[] = [];

  /** The clicks of some links, with whether each is unique by now. */
  const knownOf = (some: readonly OneLink[]): Known[] => {
    const isUnique = unique.decide(allClicks());
    return some.flatMap(({ clicks }) => clicks.map((click) => ({ ...click, isUnique: isUnique(click) })));
  };

  /** Runs a query while rows move. No click is counted meanwhile, so its total is known. */
  const moving = async (asked: number, work: () => Promise<unknown>) => {
    const range = { from: '2020-01-01T00:00:00Z', to: new Date(1_000 * Math.ceil(Date.now() / 1_000)).toISOString() };
    const before = countsOf(knownOf(links));
    const question = async () => {
      const { body } = await asOther(() => callEndpoint('get-stats', { workspaceId, query: { ...range, interval: 'month' } }));
      expect({ clicks: body.total, uniqueClicks: body.uniqueClicks }).toEqual(before);
    };
    const { error } = await befalling(bucket, meanwhile(asked, question), work);
    if (error) throw error;
  };

  async function take(one: Step): Promise<void> {
    const known = links[one.link];
    if (!known) return;
    const { id } = known.link;
    if (one.do === 'seal') {
      await moving(one.asked, () => log.seal(workspaceId));
      unique.seal(allClicks());
    } else if (one.do === 'merge') {
      await take({ ...one, do: 'seal' });
      bucket.age(workspaceId, 40 * log.dayMs);
      for (const month of ['03', '04'].map((month) => `${new Date().getUTCFullYear() - 1}-${month}`)) {
        await moving(one.asked, () => log.tendMonth(workspaceId, month));
      }
      unique.merge();
      batches = [];
    } else if (one.do === 'again') {
      for (const deliver of batches.slice(-3)) await deliver();
    } else if (known.isDeleted) return;
    else if (one.do === 'visit') {
      const clicks = one.visits
        .slice(0, 12)
        .map(({ at, person, visitor }) => clickOf(known.link, at, { ...visitor, visitor: person }));
      const deliver = await deliveryOf(clicks);
      await deliver();
      known.clicks.push(...clicks);
      batches.push(deliver);
    } else if (one.do === 'tag') {
      await callEndpoint('update-link', { workspaceId, id, body: { tagIds: idsOf(one.tags) } });
      known.tags = one.tags;
    } else if (one.do === 'erase') {
      await callEndpoint('delete-clicks', { workspaceId, id });
      known.link = (await log.findLink(workspaceId, id)) ?? known.link;
      known.clicks.splice(0);
    } else {
      await callEndpoint('delete-link', { workspaceId, id });
      known.isDeleted = true;
    }
  }
  return { workspaceId, domains, links, idsOf, take, knownOf };
}

/** A listed click without its id, which merging removes. */
const said = (click: Record<string, unknown>) =>
  ['at', 'linkId', 'domain', 'isUnique', ...rowDimensions].map((field) => String(click[field])).join('\n');

const questions = fc.record({
  request: statsRequests,
  filter: filters,
  tags: someTags.filter((tags) => tags.length > 0),
  match: fc.constantFrom('any' as const, 'all' as const),
  link: fc.nat(linkCount - 1),
  domain: fc.option(fc.nat(1), { nil: undefined }),
  limit: fc.integer({ min: 1, max: linkCount }),
});

test('Whatever is visited, tagged, deleted, erased, sealed and merged, all statistics count the existing clicks, and all sums agree.', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 18 }),
      fc.array(questions, { minLength: 3, maxLength: 5 }),
      async (steps, asked) => {
        const { workspaceId, domains, links, idsOf, take, knownOf } = await arrange();
        for (const one of steps) await take(one);
        for (const { request, filter, tags, match, link, domain, limit } of asked) {
          const { query, ...range } = request;
          const host = domain === undefined ? undefined : domains[domain]?.host;
          const byTags = { tagIds: idsOf(tags).join(), match };
          const isTagged = (known: OneLink) =>
            !known.isDeleted &&
            (match === 'any' ? tags.some((tag) => known.tags.includes(tag)) : tags.every((tag) => known.tags.includes(tag)));
          for (const scope of [{}, byTags]) {
            const fits = (known: OneLink) =>
              (host === undefined || known.link.domain === host) && (scope === byTags ? isTagged(known) : true);
            const chosen = links.filter(fits);
            const inScope = { ...scope, ...(host && { domain: host }) };
            for (const passed of [{}, filter]) {
              const more = { ...inScope, ...queryOf(passed) };
              const clicks = passing(knownOf(chosen), passed);
              const answer = await callEndpoint('get-stats', { workspaceId, query: { ...query, ...more } });
              expectStatistics(answer as never, clicks, range);

              if (passed === filter) {
                const { from, to } = query;
                const listed = await callEndpoint('list-all-clicks', {
                  workspaceId,
                  query: { from, to, ...more, limit: '1000' },
                });
                expect([listed.status, listed.body.nextCursor]).toEqual([200, null]);
                expect(listed.body.clicks.map(said).sort()).toEqual(
                  within(clicks, range)
                    .map((click) => said({ ...click, at: `${click.at.slice(0, 19)}.000Z`, domain: click.host }))
                    .sort(),
                );
              }

              const of = (linkId: string, from: number, to: number) =>
                countsOf(
                  within(
                    clicks.filter((click) => click.linkId === linkId),
                    { from, to },
                  ),
                );
              const ranked = chosen
                .map(({ link, isDeleted }) => ({
                  id: link.id,
                  shortUrl: isDeleted ? null : `https://${link.domain}/${link.shortCode}`,
                  title: null,
                  ...of(link.id, range.from, range.to),
                  previous: of(link.id, 2 * range.from - range.to, range.from),
                }))
                .filter(({ clicks }) => clicks > 0)
                .sort((a, b) => b.clicks - a.clicks || (a.id < b.id ? -1 : 1));
              const pages = [];
              let cursor: string | null = null;
              do {
                const asked: Record<string, string> = { from: query.from, to: query.to, ...more, limit: String(limit) };
                const page: Awaited<ReturnType<typeof callEndpoint>> = await callEndpoint('get-top-links', {
                  workspaceId,
                  query: { ...asked, ...(cursor && { cursor }) },
                });
                expect([page.status, page.body.from, page.body.to]).toEqual([200, query.from, query.to]);
                pages.push(page.body.links);
                cursor = page.body.nextCursor;
              } while (cursor);
              expect(pages.flat()).toEqual(ranked);
              expect(pages.length).toBe(Math.max(1, Math.ceil(ranked.length / limit)));
            }
          }
          const one = links[link];
          if (!one || one.isDeleted) continue;
          const own = knownOf([one]);
          for (const passed of [{}, filter]) {
            const asked = { ...query, ...queryOf(passed) };
            const answer = await callEndpoint('get-link-stats', { workspaceId, id: one.link.id, query: asked });
            expectStatistics(answer as never, passing(own, passed), range);
          }
          const ever = { from: Date.UTC(2020, 0), to: Date.UTC(2040, 0) };
          const { body } = await callEndpoint('get-link', { workspaceId, id: one.link.id });
          const whole = await callEndpoint('get-link-stats', {
            workspaceId,
            id: one.link.id,
            query: { from: '2020-01-01T00:00:00Z', to: '2040-01-01T00:00:00Z', groupBy: rowDimensions.join() },
          });
          expectStatistics(whole as never, own, { ...ever, groupBy: rowDimensions });
          expect(whole.body.total).toBe(body.link.clickCount);
        }
      },
    ),
    { numRuns: runs(2) },
  );
});
