import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clicksOfLinks } from '../../clients/migration/export.ts';
import { linksClient } from '../../clients/typescript/client.ts';
import { nothingKnown, rowDimensions } from '../../lambdas/core/click/click.ts';
import { newClick } from '../../lambdas/core/click/new-click.ts';
import { adminOn, newDataFolder, runCommand, runHere } from '../support/service/commands.ts';
import { type Service, useService, type Workspace } from '../support/service/service.ts';

let service: Service;
let workspace: Workspace;
const folder = newDataFolder();
const { dataDir } = folder;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
  folder.pointAt(service);
  writeFileSync(join(dataDir, 'demo.json'), JSON.stringify({ baseUrl: service.baseUrl, apiKey: workspace.key }));
});
afterAll(() => folder.remove());

const run = (...args: string[]) => runHere('export', args, { DATA_DIR: dataDir });

/** Two links with clicks on two days: a hundred and fifty on the first one, one on the second. */
async function clickedLinks() {
  const { body } = await workspace.importLinks([{ url: 'https://example.org/1' }, { url: 'https://example.org/2' }]);
  const ids: string[] = body.links.map(({ id }: { id: string }) => id);
  const { recordClick } = await import('../../lambdas/store/clicks/clicks.ts');
  const known = {
    ...nothingKnown,
    country: 'DE',
    referrer: '=1+1.example',
    device: 'mobile',
    browser: 'safari',
    os: 'ios',
    language: 'de',
    source: 'link',
    variant: 'none',
  };
  const clicks = [];
  for (const [index, id] of ids.entries()) {
    for (let number = 0; number < (index === 0 ? 150 : 1); number++) {
      const at = Date.now() - number * 60_000 - (number >= 100 ? 24 * 60 * 60_000 : 0);
      const click = newClick({ id, workspaceId: workspace.id, domain: workspace.domain, clickEpoch: 0 }, at, known);
      await recordClick(click);
      clicks.push(click);
    }
  }
  const listed = async () => (await workspace.call('GET', '/clicks?limit=1000')).body.clicks.length;
  await expect.poll(listed, { timeout: 20_000 }).toBe(clicks.length);
  return { ids, clicks };
}

test('The export writes all clicks of a workspace, of a link or of a range, as CSV or JSON lines, each once, newest first.', async () => {
  const { ids, clicks } = await clickedLinks();
  const all = await runCommand('export', ['clicks'], { DATA_DIR: dataDir });
  expect([all.code, all.stderr]).toEqual([0, '151 clicks\n']);
  const [header, ...rows] = all.stdout.trimEnd().split('\r\n');
  expect(header).toBe(['id', 'at', 'linkId', ...rowDimensions, 'domain', 'isUnique'].join());
  expect(rows.map((row) => row.split(',')[0]).toSorted()).toEqual(clicks.map(({ id }) => id).toSorted());
  expect(rows[0]).toContain(",'=1+1.example,");

  const output = join(dataDir, 'clicks.jsonl');
  const ofLink = await run('clicks', '--link', ids[1] ?? '', '--format', 'jsonl', '--output', output);
  expect([ofLink.code, ofLink.stdout]).toEqual([0, '']);
  const shown = JSON.parse(readFileSync(output, 'utf8'));
  const { at = '', id } = clicks.at(-1) ?? {};
  expect(shown).toMatchObject({ id, at: `${at.slice(0, 19)}.000Z`, country: 'DE', domain: workspace.domain });
  expect(Object.keys(shown).toSorted()).toEqual(header?.split(',').toSorted());

  const day = clicks[0]?.at.slice(0, 10) ?? '';
  const ofDay = await run('clicks', '--day', day, '--format', 'jsonl');
  const lines = ofDay.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ id }) => id).toSorted()).toEqual(
    clicks
      .filter(({ at }) => at.startsWith(day))
      .map(({ id }) => id)
      .toSorted(),
  );
  const to = clicks[50]?.at.replace(/\.\d+Z$/, 'Z') ?? '';
  const ofRange = await run('clicks', '--to', to, '--domain', workspace.domain, '--format', 'jsonl');
  expect(ofRange.stderr).toBe(`${clicks.filter(({ at }) => at.slice(0, 19) < to.slice(0, 19)).length} clicks\n`);
});

test("The operator's export makes a key that may only read statistics, and revokes it.", async () => {
  const exported = await run('clicks', '--workspace', workspace.id);
  expect(exported.code).toBe(0);
  const { keys } = await adminOn(dataDir).json('keys', 'list', '--workspace', workspace.id);
  const [made] = keys.filter(({ name }: { name: string }) => name === 'export');
  expect(made).toMatchObject({ permissions: ['stats:read'], revokedAt: expect.any(String) });
});

const linesOf = (text: string) => text.trimEnd().split(/\r?\n/);

test('The export writes the links of a workspace or of a filter, oldest first, and the import reads its CSV.', async () => {
  const own = await service.newWorkspace();
  const runAs = (...args: string[]) => runHere('export', args, { DATA_DIR: dataDir, LINKS_API_KEY: own.key });
  const [red, blue] = [await own.newTag('Red'), await own.newTag('Blue')];
  const ids: string[] = [];
  for (const link of [
    { url: 'https://example.org/1', customSlug: 'one', tagIds: [red], title: '=1+1' },
    { url: 'https://example.org/2', customSlug: 'two', tagIds: [red, blue], isActive: false },
    { url: 'https://example.org/3', customSlug: 'three', tagIds: [blue], managedBy: `me@${own.domain}` },
  ]) {
    ids.push((await own.call('POST', '/links', { domain: own.domain, ...link })).body.link.id);
  }
  const slugs = async (...filter: string[]) => {
    const { code, stdout, stderr } = await runAs('links', '--format', 'jsonl', ...filter);
    const links = stdout === '' ? [] : linesOf(stdout).map((line) => JSON.parse(line));
    expect([code, stderr]).toEqual([0, `${links.length} links\n`]);
    return links.map(({ shortCode }) => shortCode).join(' ');
  };
  expect(await slugs()).toBe('one two three');
  expect(await slugs('--tag', red, blue)).toBe('one two three');
  expect(await slugs('--tag', red, blue, '--match', 'all')).toBe('two');
  expect(await slugs('--state', 'inactive', '--domain', own.domain)).toBe('two');
  expect(await slugs('--managed-by', `me@${own.domain}`)).toBe('three');
  expect(await slugs('--q', 'example.org/1', '--created-after', '2026-01-01', '--created-before', '2999-01-01T00:00Z')).toBe(
    'one',
  );
  expect(await slugs('--created-before', '2026-01-01')).toBe('');

  const output = join(dataDir, 'links.csv');
  expect(await runAs('links', '--output', output)).toMatchObject({ code: 0, stdout: '', stderr: '3 links\n' });
  const [header, first] = linesOf(readFileSync(output, 'utf8'));
  expect([header?.split(',')[3], first?.split(',')[3]]).toEqual(['title', "'=1+1"]);
  for (const id of ids) await own.call('DELETE', `/links/${id}`);
  const args = ['--from', 'csv', '--domain', own.domain, '--json', output];
  const imported = await runHere('import', args, { DATA_DIR: dataDir, LINKS_API_KEY: own.key });
  expect([imported.code, imported.stderr, JSON.parse(imported.stdout)]).toMatchObject([0, '', { created: 3, refused: 0 }]);
  const { links } = (await own.call('GET', '/links')).body;
  const at = (slug: string) => links.find(({ shortCode }: { shortCode: string }) => shortCode === slug);
  expect([at('one'), at('two'), at('three')]).toMatchObject([
    { shortCode: 'one', title: '=1+1', isActive: true, tags: [{ id: red }] },
    { shortCode: 'two', isActive: false, tags: [{ id: red }, { id: blue }] },
    { shortCode: 'three', managedBy: `me@${own.domain}`, tags: [{ id: blue }] },
  ]);
});

test.for([
  [['clicks', '--day', '2030-02-30'], 'It must be a day such as 2030-01-31.'],
  [['clicks', '--link', 'lnk_none'], 'There is no such link.'],
  [['clicks', '--link', 'lnk_none', '--domain', 'go.example.com'], 'cannot be used with option'],
  [['clicks', '--day', '2030-01-31', '--from', '2030-01-01'], 'cannot be used with option'],
  [['clicks', '--format', 'xml'], 'Allowed choices are csv, jsonl.'],
  [['links', '--created-after', 'soon'], 'It must be an ISO 8601'],
  [['links', '--state', 'asleep'], 'Allowed choices are active'],
  [['links', '--tag', 'tag_none'], 'names "tag_none", which does not exist in this workspace'],
  [['tags'], "unknown command 'tags'"],
] as const)('%j is refused with one line.', async ([args, message]) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(stderr).toContain(message);
});

test('An export of the clicks of many links continues without a link that is deleted meanwhile.', async () => {
  const other = await service.newWorkspace();
  const { body } = await other.importLinks([{ url: 'https://example.org/1' }, { url: 'https://example.org/2' }]);
  const [first, second] = body.links.map(({ id }: { id: string }) => id);
  const { recordClick } = await import('../../lambdas/store/clicks/clicks.ts');
  const link = { id: second, workspaceId: other.id, domain: other.domain, clickEpoch: 0 };
  await recordClick(newClick(link, Date.now(), nothingKnown));
  const listed = async () => (await other.call('GET', `/links/${second}/clicks`)).body.clicks.length;
  await expect.poll(listed, { timeout: 20_000 }).toBe(1);
  async function* ids() {
    await other.call('DELETE', `/links/${first}`);
    yield* [first, second];
  }
  const client = linksClient({ baseUrl: service.baseUrl, apiKey: other.key });
  const clicks = await Array.fromAsync(clicksOfLinks(client, ids()));
  expect(clicks.map(({ linkId }) => linkId)).toEqual([second]);
});
