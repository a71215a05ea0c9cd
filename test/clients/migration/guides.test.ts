import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FormatName, formats } from '../../../clients/migration/formats.ts';
import { planOf } from '../../../clients/migration/plan.ts';
import { rowsOf } from '../../../clients/migration/read.ts';

// The guides of docs/import.md, run as they are against a stand-in for the other services, whose paths, pages and
// omissions follow their documentation and code.

const text = readFileSync(join(import.meta.dirname, '../../../docs/import.md'), 'utf8');
const hasTools = ['curl', 'jq'].every((name) => spawnSync(name, ['--version']).status === 0);
if (!hasTools) test.skip('The guides of docs/import.md are not run, because curl or jq is missing here.');

const many = 130;
const numbers = Array.from({ length: many }, (_, index) => index);
const target = (index: number) => `https://www.example.org/${index}?q="\\`;
const slug = (index: number) => `g/${index}.x`;
const address = (index: number) => `https://go.example.com/${slug(index)}`;
const isHidden = (index: number) => index % 10 === 0;

/** A page of the links that are not hidden, unless all are wanted. */
function pageOf<T>(links: readonly T[], wantsAll: boolean, from: number, size: number): T[] {
  return links.filter((_, index) => wantsAll || !isHidden(index)).slice(from, from + size);
}

const dub = numbers.map((index) => ({
  domain: 'go.example.com',
  key: slug(index),
  url: target(index),
  archived: isHidden(index),
}));
const kutt = numbers.map((index) => ({ address: slug(index), target: target(index), link: address(index), domain: null }));
const bitly = numbers.map((index) => ({ link: address(index), long_url: target(index), archived: isHidden(index) }));
const rules = [{ longUrl: 'https://www.example.org/ios', priority: 1, conditions: [{ type: 'device', matchValue: 'ios' }] }];
const shlink = numbers.map((index) => ({
  shortCode: slug(index),
  shortUrl: address(index),
  longUrl: target(index),
  domain: index % 2 === 0 ? null : 'go.example.com',
  // One on the default domain, and one on another.
  hasRedirectRules: index < 2,
}));
const brevr = numbers
  .slice(0, 12)
  .map((index) => ({ id: `id-${index}`, shortCode: slug(index), url: target(index), linkType: 'URL' }));

/** A service's answer; undefined for a path that it does not have. */
function answerTo({ pathname, searchParams: query, origin }: URL): unknown {
  const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
  switch (pathname) {
    case '/links': {
      const size = Math.min(100, number('pageSize', 100));
      return pageOf(dub, query.get('showArchived') === 'true', (number('page', 1) - 1) * size, size);
    }
    case '/api/v2/links':
      return { total: many, data: pageOf(kutt, true, number('skip', 0), Math.min(50, number('limit', 10))) };
    case '/v4/groups/G/bitlinks': {
      const [from, wants] = [number('search_after', 0), query.get('archived') ?? 'off'];
      const links = pageOf(bitly, wants === 'both', from, Math.min(100, number('size', 50)));
      const after = from + links.length;
      const next =
        after < many && links.length > 0 ? `${origin}${pathname}?size=100&archived=${wants}&search_after=${after}` : '';
      return { links, pagination: { next } };
    }
    case '/rest/v3/short-urls':
      return { shortUrls: { data: pageOf(shlink, true, 0, query.get('itemsPerPage') === '-1' ? many : 10) } };
    case '/api/v1/links':
      return { links: brevr.map(({ id }) => ({ id })) };
  }
  const [, code] = /^\/rest\/v3\/short-urls\/(.+)\/redirect-rules$/.exec(pathname) ?? [];
  const found = shlink.find(({ shortCode }) => shortCode === code);
  if (found) return (found.domain ?? null) === query.get('domain') ? { defaultLongUrl: '', redirectRules: rules } : undefined;
  const link = brevr.find(({ id }) => pathname === `/api/v1/links/${id}`);
  return link && { link };
}

let server: Server;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'links-guides-'));
  server = createServer(({ url, headers }, response) => {
    const answer = answerTo(new URL(url ?? '', `http://${headers.host}`));
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The commands of a guide, which call the stand-in. */
function commandsOf(name: string): string {
  const [, section = ''] = text.split(`\n## From ${name}\n`);
  const [guide = ''] = section.split('\n## ');
  const blocks = [...guide.matchAll(/^ *```sh no-run\n(.*?)^ *```/gms)].map(([, block = '']) => block);
  const { port } = server.address() as AddressInfo;
  return blocks.join('').replace(/https:\/\/[\w.-]+\//g, `http://127.0.0.1:${port}/`);
}

describe.runIf(hasTools)('The guide', () => {
  test.for<[string, FormatName]>([
    ['Dub', 'dub'],
    ['Kutt', 'kutt'],
    ['Shlink', 'shlink'],
    ['Bitly', 'bitly'],
    ['Brevr', 'brevr'],
  ])(
    'From %s fetches every link, also hidden ones and those of further pages, and the import reads all.',
    async ([name, from]) => {
      const { port } = server.address() as AddressInfo;
      const list = `curl -sSf http://127.0.0.1:${port}/api/v1/links > list-1.json\n`;
      const commands = name === 'Brevr' ? list + commandsOf(name) : commandsOf(name);
      await promisify(execFile)('sh', ['-e', '-c', commands], { cwd: folder, env: { ...process.env, GUID: 'G' } });
      const rows = rowsOf(readFileSync(join(folder, 'links.json')), formats[from]);
      const planned = planOf(rows, formats[from], 'go.example.com');
      expect(planned.map(({ reason }) => reason).filter((reason) => reason !== undefined)).toEqual([]);
      const wanted = from === 'brevr' ? numbers.slice(0, brevr.length) : numbers;
      const found = planned.map(({ link }) => [link?.slug, link?.url]).sort();
      expect(found).toEqual(wanted.map((index) => [slug(index), new URL(target(index)).href]).sort());
      if (from === 'shlink') expect(planned.filter(({ link }) => link?.rules)).toHaveLength(2);
    },
  );
});
