import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { bundleConsole } from '../../../lib/site/console.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';
import { type Service, useService } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

const get = (path: string, headers = {}) => fetch(`${service.baseUrl}${path}`, { headers, redirect: 'manual' });
/** The addresses of the page's first files. */
const filesOf = (html: string) => [...html.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]*)"/g)].map(([, path = '']) => path);

test.for(['', '/', '/ws_1', '/ws_1/', '/ws_1/links', '/ws_1/links/lnk_2x', '/ws_1/new', '/ws_1/links?q=a&state=expired'])(
  'The address /console%s returns the page without a key, and no cache or search engine keeps it.',
  async (path) => {
    const response = await get(`/console${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
  },
);

test.for([
  '/nothing',
  '/ws_1/nothing',
  '/ws_1/new/lnk_1',
  '/ws_1/links/nothing',
  '/ws_1/links/lnk_1/more',
  '/assets',
  '/assets/',
  '/assets/main.js',
  '/assets/files.json',
  '/assets/../files.json',
  '/assets/%2e%2e%2findex.cjs',
  '/index.cjs',
])('The console has no address /console%s.', async (path) => {
  const response = await get(`/console${path}`);
  expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
});

test('The root leads to the console.', async () => {
  const response = await get('/');
  expect([response.status, response.headers.get('location')]).toEqual([302, '/console']);
});

test('Each page has its own nonce, without which no script and no style works, and a policy that allows no other sources.', async () => {
  const nonces = new Set<string>();
  for (let n = 0; n < 3; n++) {
    const response = await get('/console');
    const policy = response.headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /script-src 'nonce-([\w-]{22})'/.exec(policy) ?? [];
    nonces.add(nonce);
    expect(policy).toBe(
      `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'nonce-${nonce}'; ` +
        `img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ` +
        `require-trusted-types-for 'script'; trusted-types 'none'`,
    );
    const page = await response.text();
    expect(page).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
    expect(page.match(/<(script|link rel="stylesheet")[^>]*>/g)?.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(true);
  }
  expect(nonces.size).toBe(3);
});

test('The page asks browsers not to translate it, in both ways that they know.', async () => {
  const page = await (await get('/console')).text();
  expect(page).toContain('<html lang="en" translate="no">');
  expect(page).toContain('<meta name="google" content="notranslate">');
});

test('Browsers cache the files of the page for a year, because new contents have new names.', async () => {
  const files = filesOf(await (await get('/console')).text());
  expect(files.map((path) => path.replace(/-[A-Z0-9]{8}\./, '-HASH.')).toSorted()).toEqual([
    '/console/assets/looks-HASH.css',
    '/console/assets/main-HASH.js',
  ]);
  for (const path of files) {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const again = await get(path, { 'If-None-Match': response.headers.get('etag') });
    expect([again.status, await again.text()]).toEqual([304, '']);
  }
});

test('The first screen loads at most 130 kB, compressed.', async () => {
  const sizes = new Map<string, number>();
  const weigh = async (path: string): Promise<void> => {
    if (sizes.has(path)) return;
    sizes.set(path, 0);
    const text = await (await get(path)).text();
    sizes.set(path, gzipSync(text).length);
    // Static imports of a script are loaded with it, dynamic ones are not.
    for (const [, name] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) await weigh(`/console/assets/${name}`);
  };
  for (const path of filesOf(await (await get('/console')).text())) await weigh(path);
  const names = [...sizes.keys()].join();
  expect(names).toMatch(/main-.*chunk-/);
  expect(names).not.toMatch(/panel-|new-link-/);
  expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(130 * 1_024);
});

describe('The bundle', () => {
  test('The build is reproducible, and does not contain its source maps.', () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    for (const folder of [one, other]) bundleConsole(folder);
    const names = readdirSync(join(one, 'console'));
    expect(readdirSync(join(other, 'console'))).toEqual(names);
    expect(readdirSync(join(inject('service').outdir, 'bundles/console'))).toEqual(names);
    expect(names.filter((name) => !/^\w[\w-]*-[A-Z0-9]{8}\.(css|js)$|^files\.json$/.test(name))).toEqual([]);
    expect(readdirSync(join(one, 'console-maps'))).toContainEqual(expect.stringMatching(/^main-[A-Z0-9]{8}\.js\.map$/));
  });
});
