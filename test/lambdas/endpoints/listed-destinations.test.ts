import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as Listed from '../../../lambdas/operator/listed-hosts.ts';
import { type EndpointCall, startEndpoint } from '../../support/http/invoke.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { marksOf } from '../../support/things/harmful-hosts.ts';

// Which URLs of a request are looked up on the list of harmful hosts, and in which spelling. All tests of a process
// share one list; this file has its own process, because it calls startEndpoint.

const good = 'https://good.example.com/';
const listedUrl = 'https://evil.example.com/';
const names = [
  'evil.example.com',
  'xn--bcher-kva.example.com',
  '8.8.4.4',
  '[2606:4700::1111]',
  'deep.a.b.example.com',
  'shared.example.com',
];

let store: Store;
let listed: typeof Listed;
beforeAll(async () => {
  store = await useStore();
  listed = await import('../../../lambdas/operator/listed-hosts.ts');
  Object.assign(process.env, { DOMAIN_TARGET: 'links.localhost', SERVED_NAMES: '*' });
  await listed.replaceList(marksOf(names), Date.now());
  await listed.excuseName('shared.example.com');
});
afterAll(() => listed.replaceList([], Date.now()));

type Settings = Readonly<Record<string, unknown>>;

/** Each field of a link that has a URL, and the path that names it. */
const fields: readonly (readonly [path: string, settings: (url: string) => Settings])[] = [
  ['/url', (url) => ({ url })],
  ['/expiredUrl', (expiredUrl) => ({ url: good, expiredUrl })],
  ['/rules/1/url', (url) => ({ url: good, rules: [rule('de', good), rule('fr', url)] })],
  ['/variants/1/url', (url) => ({ url: good, variants: [good, url].map((url, index) => ({ id: `v${index}`, url, weight: 1 })) })],
];
const rule = (language: string, url: string) => ({ if: { language: [language] }, url });

/** A request that sets the fields of a link, and the prefix of their paths in its errors. */
type Way = (settings: Settings, to: { domain: string; id: string }) => EndpointCall;
const ways: readonly (readonly [name: string, prefix: string, way: Way])[] = [
  ['create-link', '', (settings, { domain }) => ({ workspaceId: '', body: { domain, ...settings } })],
  ['update-link', '', (settings, { id }) => ({ workspaceId: '', id, body: settings })],
  ['put-link', '', (settings, { domain, id }) => ({ workspaceId: '', externalId: id, body: { domain, ...settings } })],
  ['bulk-update-links', '/fields', (fields, { id }) => ({ workspaceId: '', body: { ids: [id], fields } })],
];

/** A workspace with a link, and its endpoints. */
async function newPlace(settings: Settings = {}) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const domain = workspace.domain.host;
  const { link } = await store.createLink(workspace.domain, { url: good, ...settings } as never, store.newLease());
  const start = (name: string) => {
    const call = startEndpoint(name);
    return (given: EndpointCall) => call({ ...given, workspaceId });
  };
  return { workspaceId, domain, id: link.id, start };
}

const refusal = (path: string) => ({ path, code: 'destination_listed' });

describe.for(ways)('%s', ([name, prefix, way]) => {
  test('A listed host is refused in every field that has a URL, and the error names each of them.', async () => {
    const { domain, id, start } = await newPlace();
    const call = start(name);
    for (const [path, settings] of fields) {
      const { status, body } = await call(way(settings(listedUrl), { domain, id }));
      expect([status, body.errors]).toMatchObject([422, [refusal(prefix + path)]]);
    }
    const all = Object.assign({}, ...fields.slice(1, 3).map(([, settings]) => settings(listedUrl)), { url: listedUrl });
    const { body } = await call(way(all, { domain, id }));
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual(
      ['/url', '/expiredUrl', '/rules/1/url'].map((path) => prefix + path),
    );
  });

  test('Names that are not on the list, and excused ones, are accepted in every field.', async () => {
    const { domain, id, start } = await newPlace();
    const call = start(name);
    for (const [, settings] of fields)
      for (const url of ['https://notevil.example.com/', 'https://example.evil.com/', 'https://www.shared.example.com/']) {
        const { status } = await call(way({ rules: [], variants: [], ...settings(url) }, { domain, id }));
        expect(status).toBeLessThan(300);
      }
  });
});

test('An import leaves out the entries with a listed host in any field, and creates the others.', async () => {
  const { domain, start } = await newPlace();
  const links = [{ url: good }, ...fields.map(([, settings]) => settings(listedUrl))];
  const { status, body } = await start('bulk-create-links')({ workspaceId: '', body: { domain, links } });
  expect(status).toBe(200);
  expect(body.links).toHaveLength(1);
  expect(body.failed.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual(
    fields.map((_, index) => [index + 1, 'destination_listed']),
  );
});

test('The pages that a domain sends visitors to must not be listed, and the error names each of them; former ones may stay.', async () => {
  const { domain, start } = await newPlace();
  const update = (body: Settings) => start('update-domain')({ workspaceId: '', domain, body });
  const pages = ['rootUrl', 'notFoundUrl', 'expiredUrl'];
  const all = Object.fromEntries(pages.map((name) => [name, `${listedUrl}${name}`]));
  const { status, body } = await update(all);
  expect([status, body.errors]).toMatchObject([422, pages.map((name) => refusal(`/${name}`))]);
  await listed.excuseName('evil.example.com');
  expect((await update(all)).status).toBe(200);
  await listed.unexcuseName('evil.example.com');
  expect((await update({ ...all, publicQr: true })).status).toBe(200);
  expect((await update({ ...all, rootUrl: `${listedUrl}other` })).body.errors).toMatchObject([refusal('/rootUrl')]);
});

test.for([
  'https://EVIL.example.com/',
  'https://evil.example.com./',
  'https://a.b.evil.example.com/',
  'https://evil.example.com:8443/',
  'https://ｅｖｉｌ。example.com/',
  'https://ev%69l.example.com/',
  'https:\\\\evil.example.com/',
  'https://bücher.example.com/',
  'https://xn--bcher-kva.example.com/',
  'https://8.8.4.4/',
  'https://0x08080404/',
  'https://134743044:80/',
  'https://010.8.4.4/',
  'https://8.8.4.4./',
  'https://[2606:4700::1111]/',
  'https://[2606:4700:0:0::1111]:443/',
  'https://x.deep.a.b.example.com/',
  `https://${'x.'.repeat(60)}evil.example.com/`,
])('The spelling %s of a listed host is also refused.', async (url) => {
  const { domain, start } = await newPlace();
  const { status, body } = await start('create-link')({ workspaceId: '', body: { domain, url } });
  expect([status, body.errors]).toMatchObject([422, [refusal('/url')]]);
});

test.for([
  'https://evil.example.com.de/',
  'https://example/evil.example.com',
  'https://good.example.com/?to=https://evil.example.com/',
  'https://a.b.example.com/',
  'https://8.8.4.4.good.com/',
  'https://8.8.8.8/',
])('The URL %s, which only looks like one of a listed host, is accepted.', async (url) => {
  const { domain, start } = await newPlace();
  const { body } = await start('create-link')({ workspaceId: '', body: { domain, url } });
  expect(JSON.stringify(body)).not.toContain('destination_listed');
});

test('A link whose destination was listed later keeps it and can be changed, but gets no other listed destination.', async () => {
  const rules = [rule('de', `${listedUrl}de`), rule('fr', good)];
  const { domain, id, start } = await newPlace({ url: listedUrl, rules, externalId: 'listed' });
  const [patch, put] = [start('update-link'), start('put-link')];
  const patched = await patch({ workspaceId: '', id, body: { url: listedUrl, title: 'Changed', rules: [...rules].reverse() } });
  expect([patched.status, patched.body.link.title]).toEqual([200, 'Changed']);
  const again = { domain, url: listedUrl, rules, title: 'Again' };
  expect((await put({ workspaceId: '', externalId: 'listed', body: again })).body).toMatchObject({
    link: { id, title: 'Again' },
  });
  for (const url of [`${listedUrl}other`, 'https://www.evil.example.com/']) {
    expect((await patch({ workspaceId: '', id, body: { url } })).body.errors).toMatchObject([refusal('/url')]);
    const { body } = await put({ workspaceId: '', externalId: 'listed', body: { ...again, url } });
    expect(body.errors).toMatchObject([refusal('/url')]);
  }
});

test('The metadata of a listed page is not fetched.', async () => {
  const { start } = await newPlace();
  const { body } = await start('get-metadata')({ workspaceId: '', query: { url: listedUrl } });
  expect(JSON.stringify(body)).toContain('destination_listed');
});
