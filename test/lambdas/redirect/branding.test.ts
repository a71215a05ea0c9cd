import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DomainSettings } from '../../../lambdas/core/domain/domain.ts';
import { languageFor, wordingIn } from '../../../lambdas/redirect/wording/languages.ts';
import { reportWordingIn } from '../../../lambdas/redirect/wording/reporting.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { curl, pass, startVisits, type VisitOptions } from '../../support/things/visit.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const logo = 'data:image/png;base64,iVBORw0KGgo=';
const branded = { accentColor: '#1877f2', logoUrl: 'https://www.example.com/logo.png' };

/** A domain with these settings, and a new function for its visits. */
async function newDomain(settings: Partial<DomainSettings>) {
  const workspace = await store.newWorkspace();
  const { host } = workspace.domain;
  const files = settings.logoUrl ? { logo } : {};
  await store.updateDomain(workspace.domain, settings, { files, isExact: false });
  const start = await startVisits();
  const open = (path: string, more: Partial<VisitOptions> = {}) => start({ host, path, ...more });
  return { workspace, host, open };
}

test('Pages of a domain have its logo, embedded, and its colour.', async () => {
  const { workspace, open, host } = await newDomain(branded);
  const [found] = await store.newLinks(workspace, 1);
  const path = `/${found?.link.shortCode}`;
  for (const [statusCode, { headers, body = '' }] of [
    [404, await open('/no-such-link')],
    [404, await open('/')],
    [404, await open('/.well-known/assetlinks.json')],
    [200, await open(`${path}+`)],
  ] as const) {
    expect(body).toContain(`<main>\n<img src="${logo}" alt="${host}"><h1>`);
    expect(body).toContain('background: #1877f2; color: #000000');
    expect(headers['Content-Security-Policy']).toMatch(/default-src 'none'.*; img-src data:$/);
    expect(statusCode).toBeGreaterThan(0);
  }
});

test('Pages of other domains, and responses for programs and crawlers, have neither logo nor colour.', async () => {
  const [{ open, workspace }, plain] = [await newDomain(branded), await newDomain({})];
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  await store.updateLink(found, { description: 'Text' });
  for (const { body = '', headers } of [
    await plain.open('/no-such-link'),
    await open('/no-such-link', { host: 'unknown.example.com' }),
    await open('/no-such-link', { headers: curl }),
    await open('/no-such-link', { headers: { accept: 'application/json' } }),
    await open(`/${found.link.shortCode}`, { headers: { 'user-agent': 'Twitterbot/1.0' } }),
  ]) {
    expect(`${body}${headers['Content-Security-Policy']}`).not.toMatch(/data:|1877f2/);
  }
});

test('Pages read the logo once a minute, and redirects and responses in text never.', async () => {
  const { workspace, open } = await newDomain(branded);
  const [found] = await store.newLinks(workspace, 1);
  const path = `/${found?.link.shortCode}`;
  const readsOf = async (...visits: readonly (() => Promise<unknown>)[]) => {
    const { accesses } = await underFaults(
      () => undefined,
      async () => {
        for (const visit of visits) await visit();
      },
    );
    return accesses.filter(({ action }) => action.includes('GetItem')).map(({ leadingKey }) => leadingKey);
  };
  expect(await readsOf(() => open(path))).toEqual(['DOMAIN#*', 'BLOCKLIST#*', 'LINK#*']);
  expect(await readsOf(() => open('/a~b', { headers: curl }))).toEqual([]);
  expect(
    await readsOf(
      () => open('/a~b'),
      () => open('/a~b'),
    ),
  ).toEqual(['DOMAIN#*']);
});

test('A page is shown without its logo if the logo cannot be read.', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { open } = await newDomain(branded);
  const stop = intercept(async (_, input, next) => {
    const { sk = '' } = (input as { Key?: Record<string, string> }).Key ?? {};
    if (sk === 'FILE#logo') throw Object.assign(new Error('injected'), { name: 'ThrottlingException' });
    return next(input);
  });
  const { statusCode, body = '' } = await open('/no-such-link');
  stop();
  expect([statusCode, body.includes('<img'), body.includes('#1877f2')]).toEqual([404, false, true]);
});

test('A new logo takes effect within 60 seconds in a running function.', async () => {
  const { workspace, open } = await newDomain(branded);
  await open('/a~b');
  const found = await store.getDomain(workspace.domain.host);
  if (!found) throw new Error('no domain');
  await store.updateDomain(
    found,
    { logoUrl: branded.logoUrl },
    { files: { logo: 'data:image/gif;base64,R0lGODlh' }, isExact: false },
  );
  pass(60_000);
  expect((await open('/a~b')).body).toContain('data:image/gif');
});

describe('Languages', () => {
  test.for([
    ['', 'en', 'Link not found'],
    ['*', 'en', 'Link not found'],
    ['it,nl;q=0.5', 'en', 'Link not found'],
    ['en-GB,de;q=0.9', 'en', 'Link not found'],
    ['de-AT', 'de', 'Link nicht gefunden'],
    ['it,fr-CA;q=0.5,de;q=0.4', 'fr', 'Lien introuvable'],
    ['es;q=0.1', 'es', 'Enlace no encontrado'],
    ['toString,constructor', 'en', 'Link not found'],
  ] as const)('A visitor who accepts %j gets a page in %s.', async ([header, language, title]) => {
    const { open } = await newDomain({});
    const { body, headers } = await open('/no-such-link', { headers: { 'accept-language': header } });
    expect(headers['Content-Language']).toBe(language);
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain(`<h1>${title}</h1>`);
  });

  test('Programs get English, whatever they accept.', async () => {
    const { open } = await newDomain({});
    for (const accept of ['*/*', 'application/json']) {
      const { body = '' } = await open('/no-such-link', { headers: { accept, 'accept-language': 'de' } });
      expect(body).toContain('Link not found');
    }
  });

  test('Each language has its own translation of each text.', () => {
    const languages = ['en', 'de', 'fr', 'es'].map(languageFor);
    const all = languages.map(wordingIn);
    expect(new Set(all).size).toBe(4);
    const textsIn = (texts: object): string[] =>
      Object.values(texts).flatMap((one) => (typeof one === 'object' ? textsIn(one) : typeof one === 'function' ? one(2) : one));
    const [first = [], ...others] = languages.map(reportWordingIn).map(textsIn);
    for (const texts of others) expect(texts.filter((one, index) => one === first[index])).toEqual([]);
    for (const name of Object.keys(all[0]?.refusals ?? {}) as (keyof (typeof all)[0]['refusals'])[]) {
      const sentences = all.map(({ refusals }) => refusals[name].join());
      expect(new Set(sentences).size, name).toBe(4);
      for (const sentence of sentences) expect(sentence).toMatch(/\S\.$/);
    }
  });
});
