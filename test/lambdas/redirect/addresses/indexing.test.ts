import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { DomainSettings } from '../../../../lambdas/core/domain/domain.ts';
import type { LinkChanges } from '../../../../lambdas/store/links/changes.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { curl, pass, startVisits, type VisitOptions } from '../../../support/things/visit.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const crawler = { 'user-agent': 'Twitterbot/1.0' };
const google = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' };
const over = { expiresAt: '2020-01-01T00:00:00.000Z' };

type Case = readonly [name: string, changes: LinkChanges, asked: Partial<VisitOptions>, status: number];

/** Responses that lead to the destination or replace it. */
const leadingOn: readonly Case[] = [
  ['a redirect', {}, { headers: google }, 302],
  ['a redirect for a HEAD', {}, { method: 'HEAD' }, 302],
  ['a permanent redirect', { redirectType: 'PERMANENT_301' }, {}, 301],
  ['a redirect after the button', { confirmVisit: true }, { method: 'POST', body: 'confirm=1' }, 303],
  ['a card', { description: 'Text' }, { headers: crawler }, 200],
  ['a frame', { cloaked: true }, {}, 200],
  ['a frame for a search engine', { cloaked: true }, { headers: google }, 200],
  ['a page of pixels', { metaPixelId: '1' }, {}, 200],
  ['the page of an expired link', { ...over, expiredUrl: 'https://example.org/over' }, {}, 302],
  ['the page of the domain', {}, { path: '/' }, 302],
  ['the page of an unknown link', {}, { path: '/no-such-link' }, 302],
];

/** Forms, errors, and pages about a link. */
const others: readonly Case[] = [
  ['the form of a password', { passwordHash: 'set' }, {}, 401],
  ['the button', { confirmVisit: true }, {}, 200],
  ['the button for a program', { confirmVisit: true }, { headers: curl }, 200],
  ['the way to a form', { confirmVisit: true }, { path: '.' }, 303],
  ['a form that nobody asked for', {}, { method: 'POST', body: 'password=x' }, 303],
  ['a preview', {}, { path: '+' }, 200],
  ['a QR code', {}, { path: '.svg' }, 200],
  ['a page of an error', over, {}, 410],
  ['a line of an error', over, { headers: curl }, 410],
  ['a problem document', over, { headers: { accept: 'application/json' } }, 410],
  ['a refused bot', { blockBots: true }, { headers: google }, 403],
  ['a capped link that a HEAD may not follow', { maxClicks: 5 }, { method: 'HEAD' }, 200],
  ['a wrong method', {}, { method: 'DELETE' }, 405],
  ['the form of reports', {}, { path: '/+report' }, 200],
];

async function newDomain(allowIndexing: boolean) {
  const workspace = await store.newWorkspace();
  const { host } = workspace.domain;
  const change = (changes: Partial<DomainSettings>) => store.updateDomain(workspace.domain, changes, { isExact: false });
  const page = (name: string) => `https://www.example.org/${name}`;
  await change({ rootUrl: page('root'), notFoundUrl: page('none'), publicQr: true, allowIndexing });
  const start = await startVisits();
  /** The X-Robots-Tag of a response, after a check of its status. */
  const told = async (changes: LinkChanges, { path = '', ...asked }: Partial<VisitOptions>, status: number) => {
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    const { link } = await store.updateLink(found, changes);
    const at = path.startsWith('/') ? path : `/${link.shortCode}${path}`;
    const { statusCode, headers, body = '' } = await start({ host, path: at, ...asked });
    expect(statusCode).toBe(status);
    expect(body).not.toContain('noindex');
    return headers['X-Robots-Tag'];
  };
  return { host, change, told };
}

test.for(leadingOn)(
  'Search engines are told not to list %s, unless the domain allows it.',
  async ([, changes, asked, status]) => {
    expect(await (await newDomain(false)).told(changes, asked, status)).toBe('noindex');
    expect(await (await newDomain(true)).told(changes, asked, status)).toBeUndefined();
  },
);

test.for(others)('Search engines are told not to list %s, whatever the domain allows.', async ([, changes, asked, status]) => {
  for (const allows of [false, true]) expect(await (await newDomain(allows)).told(changes, asked, status)).toBe('noindex');
});

test('A domain does not allow indexing by default, and a change takes effect within a minute.', async () => {
  const { host, change, told } = await newDomain(false);
  expect((await store.getDomain((await store.newWorkspace()).domain.host))?.allowIndexing).toBe(false);
  expect(await told({}, {}, 302)).toBe('noindex');
  await change({ allowIndexing: true });
  pass(60_000);
  expect(await told({}, {}, 302)).toBeUndefined();
  await change({ allowIndexing: false });
  pass(120_000);
  expect(await told({}, {}, 302)).toBe('noindex');
  expect((await store.getDomain(host))?.allowIndexing).toBe(false);
});
