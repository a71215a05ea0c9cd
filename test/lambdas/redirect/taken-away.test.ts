import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { cheapHash } from '../../support/things/password.ts';
import { curl, pass, startVisits, type VisitOptions } from '../../support/things/visit.ts';

// Visits of links that the operator has disabled, or whose destinations are blocked.

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});
afterEach(() => {
  vi.restoreAllMocks();
});

let made = 0;

/** A link to its own host, and a new function for its visits. */
async function newLink(changes: LinkChanges = {}) {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const host = `destination${++made}.example.com`;
  const { link } = await store.updateLink(found, { url: `https://www.${host}/page`, ...changes });
  const visit = await startVisits();
  const open = ({ path = '', ...options }: Partial<VisitOptions> = {}) =>
    visit({ host: workspace.domain.host, path: `/${link.shortCode}${path}`, ...options });
  const clicks = () => clicksOf(link.id);
  return { link, host, open, clicks };
}
type NewLink = Awaited<ReturnType<typeof newLink>>;

const ways: Record<string, (made: NewLink) => Promise<unknown>> = {
  'is disabled': ({ link }) => store.setDisabled(link, true),
  'leads to a blocked host': ({ link }) => store.blockHost(new URL(link.url).hostname),
  'leads under a blocked host': ({ host }) => store.blockHost(host),
};

describe.for(Object.entries(ways))('a link that %s', ([, takeAway]) => {
  test.for<[string, LinkChanges, Partial<VisitOptions>]>([
    ['a browser', {}, {}],
    ['a program', {}, { headers: curl }],
    ['a program that takes JSON', {}, { headers: { accept: 'application/json' } }],
    ['a HEAD', {}, { method: 'HEAD' }],
    ['a form', {}, { method: 'POST', body: 'password=x' }],
    ['a crawler of a link with a card', { description: 'Text' }, { headers: { 'user-agent': 'Twitterbot/1.0' } }],
    ['a bot', {}, { headers: { 'user-agent': 'Googlebot/2.1' } }],
    ['a prefetch', { maxClicks: 5 }, { headers: { 'sec-purpose': 'prefetch' } }],
    ['a request for a preview', {}, { path: '+' }],
    ['a visitor who passes parameters on', { forwardParameters: true }, { path: '?a=1' }],
    ['a visitor of a capped link', { maxClicks: 5 }, {}],
    ['a HEAD of a capped link', { maxClicks: 5 }, { method: 'HEAD' }],
    ['a visitor of a cloaked link', { cloaked: true }, {}],
    ['a visitor of a link with pixels', { metaPixelId: '1' }, {}],
    ['a visitor of a permanent link', { redirectType: 'PERMANENT_301' }, {}],
    ['a visitor of an expired link', { expiresAt: '2020-01-01T00:00:00.000Z' }, {}],
    ['a visitor of a link with a password', { passwordHash: 'set below' }, {}],
    ['the right password', { passwordHash: 'set below' }, { method: 'POST', body: 'password=right' }],
    ['the right password in a header', { passwordHash: 'set below' }, { headers: { 'link-password': 'right' } }],
    ['a wrong password', { passwordHash: 'set below' }, { headers: { 'link-password': 'wrong' } }],
  ])('The response to %s is that of an unknown link, and nothing is counted.', async ([, changes, asked]) => {
    const made = await newLink({ ...changes, ...(changes.passwordHash && { passwordHash: cheapHash('right') }) });
    await takeAway(made);
    const response = await made.open(asked);
    const unknown = await (await startVisits())({ host: workspace.domain.host, ...asked, path: '/no-such-link' });
    const withoutId = ({ body = '', headers, ...rest }: typeof response) => ({
      ...rest,
      headers: { ...headers, 'Content-Security-Policy': '' },
      // The link to the form for reports has the visited address.
      body: body.replace(/visit-\d+|nonce="[^"]*"|\?address=[^"]*/g, ''),
    });
    expect(response.statusCode).toBe(404);
    expect(withoutId(response)).toEqual(withoutId(unknown));
    expect(JSON.stringify(response)).not.toContain(made.host);
    expect(await made.clicks()).toBe(0);
    expect((await store.usedOf(made.link)) ?? 0).toBe(0);
  });
});

test('A cookie of a password opens no link that was disabled or blocked since.', async () => {
  const made = await newLink({ passwordHash: cheapHash('right') });
  const { cookies = [] } = await made.open({ method: 'POST', body: 'password=right' });
  const given = { cookies: cookies.map((cookie) => cookie.split(';')[0] ?? '') };
  expect((await made.open(given)).statusCode).toBe(302);
  await store.setDisabled(made.link, true);
  expect((await made.open(given)).statusCode).toBe(404);
});

test('A link is disabled within a second in a running function, and enabled at once.', async () => {
  const { link, open } = await newLink();
  expect((await open()).statusCode).toBe(302);
  await store.setDisabled(link, true);
  pass(1_000);
  expect((await open()).statusCode).toBe(404);
  await store.setDisabled(link, false);
  expect((await open()).statusCode).toBe(302);
});

test('A block, and its end, take effect within 60 seconds in a running function.', async () => {
  const { host, open } = await newLink();
  expect((await open()).statusCode).toBe(302);
  await store.blockHost(host);
  pass(60_000);
  expect((await open()).statusCode).toBe(404);
  await store.unblockHost(host);
  pass(120_000);
  expect((await open()).statusCode).toBe(302);
});

test('A browser caches an open 301 for no longer than those 60 seconds.', async () => {
  const { host, open } = await newLink({ redirectType: 'PERMANENT_301' });
  await open();
  await store.blockHost(host);
  pass(45_000);
  const { statusCode, headers } = await open();
  expect([statusCode, headers['Cache-Control']]).toEqual([301, expect.stringMatching(/^private, max-age=1[0-5]$/)]);
});

test('One read of the list serves the visits of all hosts for 50 seconds.', async () => {
  const [other, { open }] = [await store.newWorkspace(), await newLink()];
  const visit = await startVisits();
  const commandsOf = async (work: () => Promise<unknown>) => {
    const { commands } = await underFaults(
      () => undefined,
      () => work(),
    );
    return commands.length;
  };
  const unknownAt = (host: string) => visit({ host, path: '/no-such-link' });
  expect(await commandsOf(() => unknownAt(workspace.domain.host))).toBeLessThanOrEqual(3);
  expect(await commandsOf(() => unknownAt(other.domain.host))).toBe(2);
  await open();
  pass(1_000);
  expect(await commandsOf(open)).toBe(2);
});

test('If the list cannot be read, a running function applies the last known one, and a new one answers with 503.', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { host, open } = await newLink();
  await store.blockHost(host);
  const other = await newLink();
  const isList = (input: { Key?: Record<string, string> }) => input.Key?.pk?.startsWith('BLOCKLIST#');
  expect((await open()).statusCode).toBe(404);
  const stop = intercept(async (_, input, next) => {
    if (isList(input as never)) throw Object.assign(new Error('injected'), { name: 'ThrottlingException' });
    return next(input);
  });
  pass(55_000);
  expect((await open()).statusCode).toBe(404);
  expect(await other.open()).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
  stop();
  expect((await other.open()).statusCode).toBe(302);
});

describe('The preview of a link with a blocked host among its URLs', () => {
  const evil = 'https://www.evil-preview.example/page';
  const good = 'https://good-preview.example/page';

  test.for<[string, LinkChanges]>([
    ['a rule', { rules: [{ if: { os: ['ios'] }, url: evil }] }],
    [
      'a variant',
      {
        variants: [
          { id: 'a', url: evil, weight: 1 },
          { id: 'b', url: good, weight: 1 },
        ],
      },
    ],
    ['the page for visitors who come too late', { expiredUrl: evil }],
  ])('It does not name the host of %s, in any format.', async ([, changes]) => {
    const { link, open } = await newLink(changes);
    const preview = async (accept: string) => (await open({ path: '+', headers: { ...curl, accept } })).body ?? '';
    expect(JSON.parse(await preview('application/json')).hosts).toContain('www.evil-preview.example');
    await store.blockHost('evil-preview.example');
    pass(60_001);
    for (const accept of ['text/html', '*/*', 'application/json']) {
      const body = await preview(accept);
      expect(body).not.toContain('evil-preview');
      expect(body).toContain(new URL(link.url).hostname);
    }
    const { host, hosts } = JSON.parse(await preview('application/json'));
    expect([host, hosts]).toEqual([
      new URL(link.url).hostname,
      [new URL(link.url).hostname, ...('variants' in changes ? [new URL(good).hostname] : [])],
    ]);
    await store.unblockHost('evil-preview.example');
  });
});
