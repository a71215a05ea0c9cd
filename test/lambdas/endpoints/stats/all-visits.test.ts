import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Click, dimensions } from '../../../../lambdas/core/click/click.ts';
import { dayMs } from '../../../../lambdas/core/click/day.ts';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, makeClicks } from '../../../support/things/clicks.ts';
import { expectStatistics, expectUniques, filters, passing, statsRequests, visits } from '../../../support/things/statistics.ts';
import { countUniques, seeVisitors } from '../../../support/things/unique.ts';

// All statistics against brute force over all visits, while links and their tags change.

let store: Store;
beforeAll(async () => {
  store = await useStore();
  countUniques();
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const linkCount = 5;
const tagCount = 3;
const someTags = fc.subarray(Array.from({ length: tagCount }, (_, tag) => tag));

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('visit' as const), link: fc.nat(linkCount - 1), visits }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tag' as const), link: fc.nat(linkCount - 1), tags: someTags }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'erase' as const), link: fc.nat(linkCount - 1) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A link, and what was done to it. Its visitors are told apart by their device. */
type Known = {
  link: Link;
  isDeleted: boolean;
  tags: readonly number[];
  clicks: Click[];
  erased: Click[];
  /** The visitors of each day that were erased, and how often. */
  erasedVisitors: string[];
};

/** The days on which visitors were seen, one for each visitor and day. @param clicks of one link, without an erasure between */
const visitorDays = (clicks: readonly Click[]): string[] =>
  [...new Set(clicks.map(({ at, device }) => `${at.slice(0, 10)} ${device}`))].map((name) => name.slice(0, 10));

async function arrange() {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const second = await store.addDomain(workspaceId, `second.${workspace.domain.host}`, 'ACTIVE');
  if (!second || !('domainId' in second)) throw new Error('no second domain');
  const domains = [workspace.domain, second];
  const tags = await Promise.all(
    Array.from({ length: tagCount }, (_, tag) => store.createTag(workspaceId, { name: `Tag ${tag}`, color: '#123456' })),
  );
  const links: Known[] = [];
  for (let made = 0; made < linkCount; made++) {
    const domain = domains[made % domains.length] ?? workspace.domain;
    const { link } = await store.createLink(domain, { url: 'https://example.org/' }, store.newLease());
    links.push({ link, isDeleted: false, tags: [], clicks: [], erased: [], erasedVisitors: [] });
  }
  const idsOf = (some: readonly number[]) => some.map((tag) => tags[tag]?.id ?? '');

  async function take(one: Step): Promise<void> {
    const known = links[one.link];
    if (!known || known.isDeleted) return;
    const { id } = known.link;
    if (one.do === 'visit') {
      const clicks = one.visits.slice(0, 12).map(({ at, visitor }) => clickOf(known.link, at, visitor));
      await makeClicks(clicks);
      await seeVisitors(clicks.map(({ at, device }) => ({ link: known.link, at, visitor: device })));
      known.clicks.push(...clicks);
    } else if (one.do === 'tag') {
      await callEndpoint('update-link', { workspaceId, id, body: { tagIds: idsOf(one.tags) } });
      known.tags = one.tags;
    } else if (one.do === 'erase') {
      await callEndpoint('delete-clicks', { workspaceId, id });
      known.link = (await store.findLink(workspaceId, id)) ?? known.link;
      known.erasedVisitors.push(...visitorDays(known.clicks));
      known.erased.push(...known.clicks.splice(0));
    } else {
      await callEndpoint('delete-link', { workspaceId, id });
      known.isDeleted = true;
    }
  }
  return { workspaceId, domains, links, idsOf, take };
}

const iso = (instant: number) => new Date(instant).toISOString();

const questions = fc.record({
  request: statsRequests(dimensions),
  filter: filters,
  tags: someTags.filter((tags) => tags.length > 0),
  match: fc.constantFrom('any' as const, 'all' as const),
  link: fc.nat(linkCount - 1),
  domain: fc.option(fc.nat(1), { nil: undefined }),
  limit: fc.integer({ min: 1, max: linkCount }),
});

test('Whatever is visited, tagged, deleted and erased, all statistics equal a count of all visits.', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 20 }),
      fc.array(questions, { minLength: 3, maxLength: 6 }),
      async (steps, asked) => {
        const { workspaceId, domains, links, idsOf, take } = await arrange();
        for (const one of steps) await take(one);
        for (const { request, filter, tags, match, link, domain, limit } of asked) {
          const { query, ...range } = request;
          const check = (
            answer: Awaited<ReturnType<typeof callEndpoint>>,
            of: readonly Known[],
            withErased: boolean,
            groupBy = range.groupBy,
          ) => {
            const counted = of.flatMap(({ clicks, erased }) => [...clicks, ...(withErased ? erased : [])]);
            expectStatistics(answer as never, counted, { ...range, groupBy });
            const seen = of.flatMap(({ clicks, erasedVisitors }) => [
              ...visitorDays(clicks),
              ...(withErased ? erasedVisitors : []),
            ]);
            expectUniques(answer as never, seen, range);
          };
          const isTagged = (known: Known) =>
            !known.isDeleted &&
            (match === 'any' ? tags.some((tag) => known.tags.includes(tag)) : tags.every((tag) => known.tags.includes(tag)));
          const byTags = { tagIds: idsOf(tags).join(), match };

          const stats = (more: object) => callEndpoint('get-stats', { workspaceId, query: { ...query, ...more } });
          check(await stats(byTags), links.filter(isTagged), false);
          check(await stats({}), links, true);
          for (const { host } of domains) {
            const onHost = links.filter(({ link }) => link.domain === host);
            check(await stats({ domain: host }), onHost, true);
            check(await stats({ domain: host, ...byTags }), onHost.filter(isTagged), false);
          }

          const one = links[link];
          if (one && !one.isDeleted) {
            const ask = (more: object) =>
              callEndpoint('get-link-stats', { workspaceId, id: one.link.id, query: { ...query, ...more } });
            check(await ask({}), [one], false);
            const filtered = await ask(filter);
            expectStatistics(filtered, passing(one.clicks, filter), range, 'the range');
            expectUniques(filtered, undefined, range);
          }

          const host = domain === undefined ? undefined : domains[domain]?.host;
          for (const filteredBy of [{}, byTags]) {
            const fits = (known: Known) =>
              (host === undefined || (!known.isDeleted && known.link.domain === host)) &&
              (filteredBy === byTags ? isTagged(known) : true);
            const [from, to] = [range.from - (range.from % dayMs), range.to + ((dayMs - (range.to % dayMs)) % dayMs)];
            const ranked = links
              .filter(fits)
              .map(({ link, isDeleted, clicks }) => ({
                id: link.id,
                shortUrl: isDeleted ? null : `https://${link.domain}/${link.shortCode}`,
                clicks: clicks.filter(({ at }) => at >= iso(from) && at < iso(to)).length,
                uniqueClicks: visitorDays(clicks).filter((day) => day >= iso(from).slice(0, 10) && day < iso(to).slice(0, 10))
                  .length,
              }))
              .filter(({ clicks }) => clicks > 0)
              .sort((a, b) => b.clicks - a.clicks || (a.id < b.id ? -1 : 1));
            const { from: first, to: end } = query;
            const asked = { from: first, to: end, ...filteredBy, ...(host && { domain: host }), limit: String(limit) };
            const { status, body } = await callEndpoint('get-top-links', { workspaceId, query: asked });
            expect([status, body.exact, body.groupsFrom, body.groupsTo]).toEqual([200, true, iso(from), iso(to)]);
            expect(body.links).toEqual(ranked.slice(0, limit));
          }
        }
      },
    ),
    { numRuns: runs(3) },
  );
});
