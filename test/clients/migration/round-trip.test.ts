import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Link } from '../../../clients/migration/api.ts';
import { formats } from '../../../clients/migration/formats.ts';
import { linksAsCsv } from '../../../clients/migration/own.ts';
import { planOf } from '../../../clients/migration/plan.ts';
import { rowsOf } from '../../../clients/migration/read.ts';
import { runImport } from '../../../clients/migration/run.ts';
import { linksClient } from '../../../clients/typescript/client.ts';
import { runs } from '../../support/run/proof.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';
import { type Service, useService, type Workspace } from '../../support/service/service.ts';
import { carried, type OwnLink, ownLinks } from '../../support/things/own-links.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

/** Creates links with all their settings. The first alias is the oldest slug. */
async function create({ call, importLinks, newTag, domain }: Workspace, links: readonly OwnLink[]) {
  for (const name of new Set(links.flatMap(({ tags }) => tags))) await newTag(name);
  const { body } = await importLinks(
    links.map(({ tags, aliases, shortCode, ...link }) => ({ ...link, customSlug: aliases[0] ?? shortCode, tagNames: tags })),
  );
  expect(body.failed).toEqual([]);
  for (const [index, { aliases, shortCode }] of links.entries()) {
    for (const customSlug of [...aliases.slice(1), ...(aliases.length > 0 ? [shortCode] : [])]) {
      expect((await call('PATCH', `/links/${body.links[index].id}`, { customSlug })).status).toBe(200);
    }
  }
  return domain;
}

/** All links of a workspace, and a client that counts its requests. */
function clientOf({ key }: Workspace) {
  let requests = 0;
  const client = linksClient({
    baseUrl: service.baseUrl,
    apiKey: key,
    fetch: (url, init) => {
      requests++;
      return fetch(url, init);
    },
    wait: async () => {},
  });
  const links = async () => {
    const all: Link[] = [];
    for await (const link of client.pages('/api/v1/links', { params: { query: { limit: 3, order: 'asc', archived: 'any' } } }))
      all.push(link);
    return all;
  };
  return { client, links, requests: () => requests };
}

const bySlug = (links: readonly (Link | OwnLink)[]) =>
  links
    .map(carried)
    .toSorted((one, other) => (String(Reflect.get(one, 'shortCode')) < String(Reflect.get(other, 'shortCode')) ? -1 : 1));

test('Links that are exported and imported into another workspace are the same, wherever the import stops and continues.', async () => {
  // Other servers decide whether a frame is allowed.
  const some = ownLinks(5).map((links) => links.map((link) => ({ ...link, cloaked: false })));
  await fc.assert(
    fc.asyncProperty(some, fc.integer({ min: 1, max: 20 }), async (links, stop) => {
      const [from, to] = [await service.newWorkspace(), await service.newWorkspace()];
      await create(from, links);
      const exported = await clientOf(from).links();
      expect(bySlug(exported)).toEqual(bySlug(links));

      const file = join(temporaryFolder(), 'links.csv');
      writeFileSync(file, linksAsCsv(exported));
      const rows = planOf(rowsOf(readFileSync(file), formats.csv), formats.csv, undefined);
      const { client, links: imported, requests } = clientOf(to);
      const run = (isStopped: () => boolean) =>
        runImport({ client, domain: to.domain, rows, fingerprint: 'file', runId: randomUUID(), isStopped, onProgress: () => {} });
      await run(() => requests() >= stop);
      const runTo = async (outcomes: readonly string[]) => {
        const { results, failure } = await run(() => false);
        expect(failure).toBeUndefined();
        for (const { outcome, reason } of results) expect([outcomes.includes(outcome), reason]).toEqual([true, '']);
        return imported();
      };
      // A minute has three bulk requests.
      const there = await runTo(['created', 'existing']);
      expect(bySlug(there)).toEqual(bySlug(exported));
      expect(await runTo(['existing'])).toEqual(there);
    }),
    { numRuns: runs(3), endOnFailure: true },
  );
});

test('A link is imported without an alias that another link has, and the row says so.', async () => {
  const workspace = await service.newWorkspace();
  const { call, domain } = workspace;
  await call('POST', '/links', { domain, url: 'https://example.org/other', customSlug: 'taken' });
  const file = join(temporaryFolder(), 'links.csv');
  writeFileSync(file, 'url,slug,aliases\nhttps://example.org/,own,first|TAKEN|last\n');
  const rows = planOf(rowsOf(readFileSync(file), formats.csv), formats.csv, undefined);
  const { client, links } = clientOf(workspace);
  const options = { client, domain, rows, fingerprint: 'file', isStopped: () => false, onProgress: () => {} };
  for (const outcome of ['created', 'existing']) {
    const { results } = await runImport({ ...options, runId: randomUUID() });
    expect(results).toMatchObject([{ outcome, reason: expect.stringMatching(/^its address \/TAKEN was left out: /) }]);
    expect((await links()).map(({ shortCode, aliases }) => [shortCode, aliases])).toEqual([
      ['taken', []],
      ['own', ['first', 'last']],
    ]);
  }
});

test('If a link shows the alias of its row as its slug, the next import makes it an alias again, but keeps a slug that somebody else set.', async () => {
  const workspace = await service.newWorkspace();
  const file = join(temporaryFolder(), 'links.csv');
  writeFileSync(file, 'url,slug,aliases\nhttps://example.org/1,one,one-a\nhttps://example.org/2,two,two-a\n');
  const rows = planOf(rowsOf(readFileSync(file), formats.csv), formats.csv, undefined);
  const { client, links } = clientOf(workspace);
  const options = { client, domain: workspace.domain, rows, fingerprint: 'file', isStopped: () => false, onProgress: () => {} };
  await runImport({ ...options, runId: randomUUID() });
  // They have the same time of creation, so their order in lists is arbitrary.
  const byUrl = async () => (await links()).toSorted((first, second) => (first.url < second.url ? -1 : 1));
  const [one, two] = await byUrl();
  await workspace.call('PATCH', `/links/${one?.id}`, { customSlug: 'one-a' });
  await workspace.call('PATCH', `/links/${two?.id}`, { customSlug: 'theirs' });
  await workspace.call('DELETE', `/links/${two?.id}/aliases/two-a`);
  const { results } = await runImport({ ...options, runId: randomUUID() });
  expect(results).toMatchObject([
    { outcome: 'existing', reason: '' },
    { outcome: 'existing', reason: '' },
  ]);
  expect((await byUrl()).map(({ shortCode, aliases }) => [shortCode, aliases.toSorted()])).toEqual([
    ['one', ['one-a']],
    ['theirs', ['two', 'two-a']],
  ]);
});

test('A row without a slug is found again by its external id, even with another Idempotency-Key.', async () => {
  const workspace = await service.newWorkspace();
  const file = join(temporaryFolder(), 'links.csv');
  writeFileSync(file, 'url,external_id\nhttps://example.org/,cms:1\n');
  const rows = planOf(rowsOf(readFileSync(file), formats.csv), formats.csv, undefined);
  const { client, links } = clientOf(workspace);
  const options = { client, domain: workspace.domain, rows, isStopped: () => false, onProgress: () => {} };
  for (const [fingerprint, outcome] of Object.entries({ one: 'created', other: 'existing' })) {
    expect((await runImport({ ...options, fingerprint, runId: randomUUID() })).results).toMatchObject([{ outcome, reason: '' }]);
    expect(await links()).toMatchObject([{ externalId: 'cms:1' }]);
  }
});
