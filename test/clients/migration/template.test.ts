import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { readerOf, templatesOf } from '../../../clients/migration/api.ts';
import { batchesOf } from '../../../clients/migration/batches.ts';
import { runDry } from '../../../clients/migration/dry-run.ts';
import { formats } from '../../../clients/migration/formats.ts';
import { planOf } from '../../../clients/migration/plan.ts';
import { rowsOf } from '../../../clients/migration/read.ts';
import type { Result } from '../../../clients/migration/results.ts';
import { runImport } from '../../../clients/migration/run.ts';
import { asMade, leadsTo, templateCalled } from '../../../clients/migration/template.ts';
import { linksClient } from '../../../clients/typescript/client.ts';
import { permissions } from '../../../lambdas/core/key/permissions.ts';
import { liftedImports } from '../../../lambdas/core/limits.ts';
import { utmParameters, withUtm } from '../../../lambdas/core/link/utm.ts';
import { runs } from '../../support/run/proof.ts';
import { type Service, useService, type Workspace } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

const newTemplate = async ({ call }: Workspace, more: object): Promise<string> =>
  (await call('POST', '/templates', { name: 'Campaign', ...more })).body.id;

/** How a run ends after so many requests: it is stopped, the network fails, or it also loses the last response. */
type End = { readonly after: number; readonly way: 'stopped' | 'network fails' | 'response is lost' };

/** Imports a file in a run of its own, with a lifted limit. */
async function importFile(workspace: Workspace, text: string, end?: End, called = 'campaign') {
  const { id, domain } = workspace;
  const { liftImports } = await import('../../../lambdas/operator/lifted-imports.ts');
  const until = Date.now() + 3_600_000;
  await liftImports(id, { perMinute: liftedImports.perMinute, until, gatewayKey: `lifted ${randomUUID()}` });
  const { key } = await service.createApiKey({ ...workspace, ...(await service.getWorkspace(id)) }, { name: null, permissions });
  let requests = 0;
  const fetching: typeof fetch = async (url, init) => {
    const isOver = ++requests > (end?.after ?? Number.POSITIVE_INFINITY) && end?.way !== 'stopped';
    if (!isOver || (end?.way === 'response is lost' && requests === end.after + 1)) {
      const response = await fetch(url, init);
      expect(response.status).not.toBe(429);
      if (!isOver) return response;
    }
    throw new Error('the network is gone');
  };
  const reading = linksClient({ baseUrl: service.baseUrl, apiKey: key });
  const client = linksClient({ baseUrl: service.baseUrl, apiKey: key, fetch: fetching, wait: async () => {} });
  const template = await templateCalled(called, () => templatesOf(reading));
  const rows = planOf(rowsOf(Buffer.from(text), formats.csv), formats.csv, undefined, { template });
  const isStopped = () => end?.way === 'stopped' && requests >= end.after;
  return runImport({
    client,
    domain,
    template,
    rows,
    fingerprint: 'file',
    runId: randomUUID(),
    isStopped,
    onProgress: () => {},
  });
}

const listed = async ({ call }: Workspace) => (await call('GET', '/links?limit=100&archived=any')).body.links;

test("Links of a file get the template's settings where their rows have none, as if each had been created with it.", async () => {
  const workspace = await service.newWorkspace();
  const tagIds = [await workspace.newTag('Spring')];
  const settings = { utmSource: 'mail', redirectType: 'PERMANENT_301', blockBots: true, expiresAfterDays: 3 };
  const templateId = await newTemplate(workspace, { ...settings, tagIds });
  const columns = 'url,slug,tags,redirect_type,expires_at,block_bots';
  const url = 'https://example.org/';
  const cells = ['bare,,,,', 'own,News,302,2999-01-01T00:00:00.000Z,false'];
  const { results, failure } = await importFile(workspace, `${columns}\n${cells.map((row) => `${url},${row}\n`).join('')}`);
  expect([failure, results.map(({ outcome, reason }) => [outcome, reason])]).toEqual([
    undefined,
    [
      ['created', ''],
      ['created', ''],
    ],
  ]);
  const all = await listed(workspace);
  const at = (slug: string) => all.find(({ shortCode }: { shortCode: string }) => shortCode === slug);
  const body = { domain: workspace.domain, url, templateId };
  const { url: merged, tags, redirectType, blockBots } = (await workspace.call('POST', '/links', body)).body.link;
  expect(at('bare')).toMatchObject({ url: merged, tags, redirectType, blockBots });
  expect(Math.abs(Date.parse(at('bare').expiresAt) - Date.now() - 3 * 86_400_000)).toBeLessThan(600_000);
  expect(at('own')).toMatchObject({
    url: merged,
    tags: [{ name: 'News' }],
    redirectType: 'TEMPORARY_302',
    blockBots: false,
    expiresAt: '2999-01-01T00:00:00.000Z',
  });
  const again = await importFile(workspace, `${columns}\n${cells.map((row) => `${url},${row}\n`).join('')}`);
  expect(again.results.map(({ outcome, reason }) => [outcome, reason])).toEqual(Array(2).fill(['existing', '']));
});

test('Wherever and however often an import ends while its template changes, each row has one link, made with one version of the template.', async () => {
  const end = fc.record({
    after: fc.integer({ min: 0, max: 3 }),
    way: fc.constantFrom<End['way'][]>('stopped', 'network fails', 'response is lost'),
  });
  const step = fc.oneof({ weight: 2, arbitrary: end }, { weight: 1, arbitrary: fc.constant('change' as const) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const workspace = await service.newWorkspace();
      const campaigns = ['c0'];
      const templateId = await newTemplate(workspace, { utmCampaign: 'c0', expiresAfterDays: 1 });
      const kinds = [',', 'slug,', ',news', '-t,news'];
      const lines = Array.from({ length: 8 }, (_, index) => {
        const [slug, tag] = (kinds[index % 4] as string).split(',');
        return `https://example.org/${index}?a=1#b,${slug && `${slug}${index}`},${tag}`;
      });
      const file = `url,slug,tags\n${lines.join('\n')}\n`;
      for (const one of steps) {
        if (one !== 'change') await importFile(workspace, file, one);
        else {
          const utmCampaign = `c${campaigns.length}`;
          campaigns.push(utmCampaign);
          const body = { utmCampaign, expiresAfterDays: campaigns.length, utmSource: campaigns.length % 2 ? 'mail' : null };
          await workspace.call('PATCH', `/templates/${templateId}`, body);
        }
      }
      const { results, failure } = await importFile(workspace, file);
      expect(failure).toBeUndefined();
      expect(results.filter(({ outcome }) => !['created', 'existing'].includes(outcome))).toEqual([]);
      const links: { url: string }[] = await listed(workspace);
      const without = ({ url }: { url: string }) => withUtm(url, { utmCampaign: null, utmSource: null });
      expect(links.map(without).sort()).toEqual(lines.map((line) => line.split(',')[0] as string).sort());
      for (const { url } of links) expect(campaigns).toContain(new URL(url).searchParams.get('utm_campaign'));
    }),
    {
      numRuns: runs(6),
      examples: [[[{ after: 3, way: 'response is lost' }, 'change', { after: 2, way: 'stopped' }, 'change']]],
    },
  );
});

test('A link of an earlier version of the template is reported as existing, with its differences.', async () => {
  const workspace = await service.newWorkspace();
  const templateId = await newTemplate(workspace, { utmCampaign: 'spring', expiresAfterDays: 1 });
  const file = 'url,slug\nhttps://example.org/1,one\n';
  await importFile(workspace, file);
  await workspace.call('PATCH', `/templates/${templateId}`, { utmCampaign: 'autumn', expiresAfterDays: 2, blockBots: true });
  const { results } = await importFile(workspace, file);
  const reason = 'it stays as it was, and differs in: url, blockBots';
  expect(results).toMatchObject([{ outcome: 'existing', reason }]);
  expect((await listed(workspace)).map(({ url }: { url: string }) => url)).toEqual(['https://example.org/1?utm_campaign=spring']);
});

test('A row without a slug that is imported again with another template gets another link.', async () => {
  const workspace = await service.newWorkspace();
  await newTemplate(workspace, { utmSource: 'mail' });
  await newTemplate(workspace, { name: 'Other', utmSource: 'social' });
  for (const name of ['campaign', 'campaign', 'other']) {
    const { results, failure } = await importFile(workspace, 'url\nhttps://example.org/\n', undefined, name);
    expect([failure, results[0]?.outcome]).toEqual([undefined, 'created']);
  }
  const urls = (await listed(workspace)).map(({ url }: { url: string }) => url);
  expect(urls.sort()).toEqual(['mail', 'social'].map((source) => `https://example.org/?utm_source=${source}`));
});

test("A link to another page, or with other parameters than the template's, is not taken for the link of a row.", async () => {
  const workspace = await service.newWorkspace();
  await newTemplate(workspace, { utmCampaign: 'spring' });
  const urls = ['https://example.org/2', 'https://example.org/1?a=1', 'https://example.org/1?utm_campaign=own'];
  for (const [index, url] of urls.entries())
    await workspace.call('POST', '/links', { domain: workspace.domain, url, customSlug: `s${index}` });
  const wanted = ['https://example.org/1', 'https://example.org/1', 'https://example.org/1?utm_campaign=mine'];
  const file = `url,slug\n${wanted.map((url, index) => `${url},s${index}\n`).join('')}`;
  const { results } = await importFile(workspace, file);
  expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual(
    urls.map((url) => ['refused', `slug is taken by a link to ${url}`]),
  );
});

test('Whatever a template has, a link that was made with it is recognised by the URL of its row.', () => {
  const value = fc.option(fc.string({ minLength: 1, maxLength: 10, unit: 'grapheme' }), { nil: undefined });
  const utm = fc.record(Object.fromEntries(Object.keys(utmParameters).map((field) => [field, value])));
  const query = fc.constantFrom('', '?', '?a=1', '?a&&b=%20+', '?utm_source=own', '?utm_campaign=&a', '?a=1#?b', '#c');
  fc.assert(
    fc.property(query, utm, (end, given) => {
      const { href: url } = new URL(`https://example.org/${end}`);
      const link = { url, slug: 'a', title: undefined, redirectType: undefined, tags: [], expiresAt: undefined };
      const made = asMade(link, { id: 'template', given });
      expect(leadsTo(url, made)).toBe(true);
      expect(leadsTo('https://example.org/other', made)).toBe(false);
    }),
  );
});

test('A row that only the template makes invalid is refused, and a dry run says so, too.', async () => {
  const workspace = await service.newWorkspace();
  await newTemplate(workspace, { utmCampaign: 'x'.repeat(200) });
  const file = `url,slug\nhttps://example.org/${'a'.repeat(7_850)},long\nhttps://example.org/1,fine\n`;
  const { results } = await importFile(workspace, file);
  const refused = { outcome: 'refused', reason: expect.stringContaining('url must have at most') };
  expect(results).toMatchObject([refused, { outcome: 'created' }]);

  const client = linksClient({ baseUrl: service.baseUrl, apiKey: workspace.key });
  const reader = readerOf(client);
  const template = await templateCalled('Campaign', reader.templates);
  const rows = planOf(rowsOf(Buffer.from(file), formats.csv), formats.csv, undefined, { template });
  const foreseen: Result[] = [];
  await runDry({
    reader,
    domain: workspace.domain,
    template,
    batches: batchesOf(rows),
    isStopped: () => false,
    onProgress: () => {},
    onResults: (more) => void foreseen.push(...more),
  });
  expect(foreseen).toMatchObject([refused, { outcome: 'existing' }]);
});

test('An import with a template that does not exist, or is deleted meanwhile, creates nothing.', async () => {
  const workspace = await service.newWorkspace();
  await expect(importFile(workspace, 'url\nhttps://example.org/1\n')).rejects.toThrow(
    'the workspace has no template with the name or id campaign',
  );
  const id = await newTemplate(workspace, {});
  const reading = linksClient({ baseUrl: service.baseUrl, apiKey: workspace.key });
  const template = await templateCalled(id, () => templatesOf(reading));
  await workspace.call('DELETE', `/templates/${id}`);
  const rows = planOf(rowsOf(Buffer.from('url\nhttps://example.org/1\n'), formats.csv), formats.csv, undefined, { template });
  const run = { client: reading, domain: workspace.domain, fingerprint: 'file', runId: 'run', isStopped: () => false };
  const { results, failure } = await runImport({ ...run, template, rows, onProgress: () => {} });
  expect([failure?.message, results[0]?.outcome]).toEqual([
    expect.stringContaining('The template does not exist'),
    'not_reached',
  ]);
  expect(await listed(workspace)).toEqual([]);
});
