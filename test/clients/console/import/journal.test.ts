import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { journaled, linkNow } from '../../../../clients/console/import/journal.ts';
import type { KeptPart, Place } from '../../../../clients/console/import/kept.ts';
import { withTag } from '../../../../clients/console/import/planned.ts';
import { formats } from '../../../../clients/migration/formats.ts';
import { planOf } from '../../../../clients/migration/plan.ts';
import type { PlannedRow } from '../../../../clients/migration/planned.ts';
import { runImport } from '../../../../clients/migration/run.ts';
import { linksClient } from '../../../../clients/typescript/client.ts';
import { type Service, useService, type Workspace } from '../../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

/** Rows with and without slugs, which are sent in separate requests. */
const rows = (): PlannedRow[] =>
  planOf(
    [0, 1, 2, 3].map((n) => ({ line: n + 2, values: { url: `https://example.com/${n}`, slug: n < 2 ? `s${n}` : '' } })),
    formats.csv,
    undefined,
  );

/** The browser's storage, which survives a reload. */
const newPlace = () => {
  const parts = new Map<string, KeptPart>();
  const place: Pick<Place, 'getPart' | 'putPart'> = {
    getPart: async (runId, key) => parts.get(runId + key),
    putPart: async (runId, key, part) => void parts.set(runId + key, part),
  };
  return { place: place as Place, parts };
};

class Reloaded extends Error {}
const reload = () => {
  throw new Reloaded('the page is gone');
};

type Points = {
  readonly keep?: () => void;
  readonly send?: () => void;
  readonly answer?: () => void;
  readonly now?: () => number;
  /** Runs while the page waits before a retry; without it, nothing is retried. */
  readonly wait?: () => void;
  readonly rows?: readonly PlannedRow[];
};

/** A page that imports the rows, until something happens to it at one of the points. */
async function page(workspace: Workspace, runId: string, place: Place, points: Points = {}) {
  const { keep, send, answer, now = Date.now, wait } = points;
  let requests = 0;
  const clientWith = (afterWait: () => void) =>
    linksClient({
      baseUrl: service.baseUrl,
      apiKey: workspace.key,
      wait: async () => {
        wait?.();
        afterWait();
      },
      waits: wait !== undefined,
      fetch: async (url, init) => {
        const isBulk = String(url).endsWith('/bulk');
        if (isBulk) send?.();
        if (isBulk) requests++;
        const response = await fetch(url, init);
        if (isBulk) answer?.();
        return response;
      },
    });
  const kept: Place = {
    ...place,
    putPart: async (...part) => {
      keep?.();
      await place.putPart(...part);
    },
  };
  const client = journaled(clientWith, runId, kept, now);
  const { results, failure } = await runImport({
    client,
    linkNow: (link) => linkNow(client, link),
    domain: workspace.domain,
    rows: points.rows ?? rows(),
    fingerprint: 'the file',
    runId,
    isStopped: () => false,
    onProgress: () => {},
  });
  return { results, failure, requests };
}

/** Fails at the n-th call. */
const at = (n: number, fail = reload) => {
  let calls = 0;
  return () => {
    if (++calls === n) fail();
  };
};

test.for([
  ['before the first part is kept', { keep: at(1) }],
  ['before the first part is sent', { send: at(1) }],
  ['before the first answer arrives', { answer: at(1) }],
  ['before the first answer is kept', { keep: at(2) }],
  ['between the parts', { keep: at(3) }],
  ['before the second part is sent', { send: at(2) }],
  ['before the second answer arrives', { answer: at(2) }],
  ['before the second answer is kept', { keep: at(4) }],
] as const)('If the page is reloaded %s, the import continues where it was, and makes no link twice.', async ([, points]) => {
  const workspace = await service.newWorkspace();
  const [runId, { place, parts }] = [randomUUID(), newPlace()];
  const first = await page(workspace, runId, place, points);
  expect(first.failure?.message).toContain('the page is gone');
  const answered = [...parts.values()].filter(({ answer }) => answer).length;
  const second = await page(workspace, runId, place);
  expect(second.results.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created', 'created']);
  expect(second.requests).toBe(2 - answered);
  const { links } = (await workspace.call('GET', '/links')).body;
  expect(links.map(({ url }: { url: string }) => url).sort()).toEqual(rows().map(({ source }) => source.url));
  expect(second.results.map(({ shortUrl }) => shortUrl).sort()).toEqual(
    links.map(({ shortUrl }: { shortUrl: string }) => shortUrl).sort(),
  );
});

test('After a day without an answer, links without slugs are reported instead of made again.', async () => {
  const workspace = await service.newWorkspace();
  const [runId, { place }] = [randomUUID(), newPlace()];
  const yesterday = () => Date.now() - 24 * 60 * 60_000;
  await page(workspace, runId, place, { answer: at(2), now: yesterday });
  const second = await page(workspace, runId, place);
  expect(second.requests).toBe(0);
  expect(second.results.map(({ outcome, reason }) => [outcome, reason.slice(0, 19)])).toEqual([
    ['created', ''],
    ['created', ''],
    ['refused', 'it was sent a day a'],
    ['refused', 'it was sent a day a'],
  ]);
  expect((await workspace.call('GET', '/links')).body.links).toHaveLength(4);
});

test('If a laptop sleeps for a day between a lost answer and the retry, links without slugs are not made again.', async () => {
  const workspace = await service.newWorkspace();
  const { place } = newPlace();
  let slept = 0;
  const lost = () => {
    throw new TypeError('Failed to fetch');
  };
  const { results, requests } = await page(workspace, randomUUID(), place, {
    answer: at(2, lost),
    now: () => Date.now() + slept,
    wait: () => {
      slept = 24 * 60 * 60_000;
    },
  });
  expect(requests).toBe(2);
  expect(results.map(({ outcome, reason }) => [outcome, reason.slice(0, 19)])).toEqual([
    ['created', ''],
    ['created', ''],
    ['refused', 'it was sent a day a'],
    ['refused', 'it was sent a day a'],
  ]);
  expect((await workspace.call('GET', '/links')).body.links).toHaveLength(4);
});

test('After a reload, a link keeps the slug that somebody has chosen since it got its aliases.', async () => {
  const workspace = await service.newWorkspace();
  const [runId, { place }] = [randomUUID(), newPlace()];
  const planned = planOf([{ line: 2, values: { url: 'https://example.com/', slug: 'a' } }], formats.csv, undefined);
  const withAlias = planned.map((row) => ({ ...row, ...(row.link && { link: { ...row.link, aliases: ['b'] } }) }));
  await page(workspace, runId, place, { rows: withAlias });
  const link = async () => (await workspace.call('GET', '/links')).body.links[0];
  const { id, shortCode, aliases } = await link();
  expect([shortCode, aliases]).toEqual(['a', ['b']]);
  await workspace.call('PATCH', `/links/${id}`, { customSlug: 'chosen' });
  await page(workspace, runId, place, { rows: withAlias });
  expect((await link()).shortCode).toBe('chosen');
});

test('Each row gets the added tag once, unless it already has the most tags that a link may have.', () => {
  const tagged = (tags: string[]) => planOf([{ line: 1, values: { url: 'https://example.com/', tags } }], formats.csv, undefined);
  const many = Array.from({ length: 20 }, (_, n) => `t${n}`);
  expect(withTag(tagged(['a']), 'New')[0]?.link?.tags).toEqual(['a', 'New']);
  expect(withTag(tagged(['new']), 'New')[0]?.link?.tags).toEqual(['new']);
  expect(withTag(tagged(many), 'New')[0]).toMatchObject({
    link: { tags: many },
    notes: ['it has 20 tags already, and does not get "New"'],
  });
});
