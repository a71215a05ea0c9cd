import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DomainSettings, DomainStatus } from '../../../lambdas/core/domain/domain.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { curl, pass, startVisits, type VisitOptions } from '../../support/things/visit.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const page = (path: string) => `https://www.acme.example.com/${path}`;
const all = { rootUrl: page('root'), notFoundUrl: page('none'), expiredUrl: page('over') };

/** A domain with these settings, and a new function for its visits. */
async function newDomain(settings: Partial<DomainSettings>, status: DomainStatus = 'ACTIVE') {
  const workspace = await store.newWorkspace();
  const { host } = workspace.domain;
  const change = (changes: Partial<DomainSettings>) => store.updateDomain(workspace.domain, changes, { isExact: false });
  await change(settings);
  if (status !== 'ACTIVE') await store.addDomain(workspace.workspaceId, host, status);
  const start = await startVisits();
  const open = (path: string, more: Partial<VisitOptions> = {}) => start({ host, path, ...more });
  return { workspace, host, change, open };
}

type Found = { readonly statusCode?: number | undefined; readonly headers: Record<string, string> };
const shown = ({ statusCode, headers }: Found) => [statusCode, headers.Location, headers['Cache-Control']];
const sentTo = (location: string) => [302, location, 'private, no-store'];
const notFound = [404, undefined, 'private, no-store'];

const ways: readonly [string, Partial<VisitOptions>][] = [
  ['a browser', {}],
  ['a program', { headers: curl }],
  ['a program that takes JSON', { headers: { accept: 'application/problem+json' } }],
  ['a crawler', { headers: { 'user-agent': 'Twitterbot/1.0' } }],
  ['a bot', { headers: { 'user-agent': 'Googlebot/2.1' } }],
  ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
  ['a HEAD', { method: 'HEAD' }],
  ['a form', { method: 'POST', body: 'password=x' }],
];

describe.for(ways)('The domain and %s', ([, asked]) => {
  test('A visitor of a path without a link is redirected to the fallback page, or gets 404 without one.', async () => {
    const [{ open }, without] = [await newDomain(all), await newDomain({})];
    for (const [path, location] of [
      ['/', all.rootUrl],
      ['/?a=1', all.rootUrl],
      ['/no-such-link', all.notFoundUrl],
      ['/no-such-link+', all.notFoundUrl],
      ['/no-such-link.q', all.notFoundUrl],
      ['/no-such-link?a=1', all.notFoundUrl],
      ['/wp-login.php', all.notFoundUrl],
      ['/a/b', all.notFoundUrl],
      ['//', all.notFoundUrl],
      [`/${'x'.repeat(65)}`, all.notFoundUrl],
    ] as const) {
      expect([path, ...shown(await open(path, asked))]).toEqual([path, ...sentTo(location)]);
      expect([path, ...shown(await without.open(path, asked))]).toEqual([path, ...notFound]);
    }
  });

  test.for<[string, LinkChanges]>([
    ['expired', { expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['used up', { maxClicks: 1 }],
  ])('A visitor of a link that is %s is redirected to its page, uncounted.', async ([, changes]) => {
    const { workspace, open, change } = await newDomain({ expiredUrl: all.expiredUrl });
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    const { link } = await store.updateLink(found, changes);
    if (changes.maxClicks) await store.claimVisit(link);
    const path = `/${link.shortCode}`;
    expect(shown(await open(path, asked))).toEqual(sentTo(all.expiredUrl));
    expect(await clicksOf(link.id)).toBe(0);
    expect((await store.usedOf(link)) ?? 0).toBe(changes.maxClicks ?? 0);
    await change({ expiredUrl: null });
    pass(60_000);
    expect((await open(path, asked)).statusCode).toBe(410);
  });
});

test("The service's own paths stay as they are.", async () => {
  const { open } = await newDomain(all);
  expect((await open('/robots.txt')).statusCode).toBe(200);
  expect((await open('/favicon.ico')).statusCode).toBe(204);
});

test('A link that is disabled, or leads to a blocked host, is not found, and does not redirect to a fallback.', async () => {
  const { workspace, open } = await newDomain(all);
  const [off, disabled, blocked] = await store.newLinks(workspace, 3);
  if (!off || !disabled || !blocked) throw new Error('no link');
  await store.updateLink(off, { isActive: false });
  await store.setDisabled(disabled.link, true);
  await store.updateLink(blocked, { url: 'https://fallbacks.blocked.example.com/' });
  await store.blockHost('fallbacks.blocked.example.com');
  for (const { link } of [off, disabled, blocked]) expect(shown(await open(`/${link.shortCode}`))).toEqual(notFound);
});

test('A pending domain and an unknown host have no fallback.', async () => {
  const { open } = await newDomain(all, 'PENDING_DNS');
  for (const path of ['/', '/no-such-link', '/a/b']) {
    expect(shown(await open(path))).toEqual(notFound);
    expect(shown(await open(path, { host: 'unknown.example.com' }))).toEqual(notFound);
  }
});

test('A fallback at a blocked host is not followed, from at most 60 seconds after the block.', async () => {
  const host = 'fallback.blocked.example.org';
  const blocked = `https://www.${host}/`;
  const { workspace, open } = await newDomain({ rootUrl: blocked, notFoundUrl: blocked, expiredUrl: blocked });
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, { expiresAt: '2020-01-01T00:00:00.000Z' });
  const paths = ['/', '/no-such-link', '/a/b', `/${link.shortCode}`];
  for (const path of paths) expect(shown(await open(path))).toEqual(sentTo(blocked));
  await store.blockHost(host);
  pass(60_000);
  for (const path of paths) expect(shown(await open(path))).toEqual(notFound);
});

test('A change of the settings takes effect within 60 seconds in a running function.', async () => {
  const { open, change } = await newDomain({});
  expect((await open('/')).statusCode).toBe(404);
  await change(all);
  pass(60_000);
  expect(shown(await open('/'))).toEqual(sentTo(all.rootUrl));
  await change({ rootUrl: null });
  pass(120_000);
  expect(shown(await open('/'))).toEqual(notFound);
});

test("A path that can't be a link costs one read of the domain a minute, and one of the blocked hosts if there is a fallback.", async () => {
  const readsOf = async (settings: Partial<DomainSettings>) => {
    const { open } = await newDomain(settings);
    const { accesses } = await underFaults(
      () => undefined,
      async () => {
        for (const path of ['/', '/a//b', '/', '/a//b']) await open(path);
      },
    );
    return accesses.map(({ leadingKey }) => leadingKey);
  };
  expect(await readsOf({})).toEqual(['DOMAIN#*']);
  expect(await readsOf(all)).toEqual(['DOMAIN#*', 'BLOCKLIST#*']);
});
