import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { clicksOf, type Store, useStore } from '../../../support/store/store.ts';
import { startVisits } from '../../../support/things/visit.ts';

const url = 'https://example.org/page';
const password = 'open sesame';
let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

const call = (name: string, more: object) => callEndpoint(name, { workspaceId: workspace.workspaceId, ...more });
const at = (customSlug: string, more: object = {}) => ({ domain: workspace.domain.host, url, customSlug, ...more });

test('However a link was made, its slug with slashes and dots leads to it, in any case and with one slash at the end.', async () => {
  const { host: domain } = workspace.domain;
  await call('create-link', { body: at('docs/v1.2/Guide') });
  await call('bulk-create-links', { body: { domain, links: [{ url, customSlug: 'bulk/one' }] } });
  await call('put-link', { externalId: 'page', body: at('put/two.html') });
  const { body } = await call('create-link', { body: at('plain') });
  const renamed = await call('update-link', { id: body.link.id, body: { customSlug: 'renamed/three' } });
  expect(renamed.body.link).toMatchObject({ shortUrl: `https://${domain}/renamed/three`, aliases: ['plain'] });
  const visit = await startVisits();
  for (const slug of ['docs/v1.2/Guide', 'bulk/one', 'put/two.html', 'renamed/three', 'plain']) {
    for (const path of [`/${slug}`, `/${slug.toUpperCase()}/`, `/${slug}.q`])
      expect(await visit({ host: domain, path })).toMatchObject({ statusCode: 302, headers: { Location: url } });
    expect((await visit({ host: domain, path: `/${slug}+` })).statusCode).toBe(200);
  }
  expect(await clicksOf(body.link.id)).toBe(6);
  for (const path of ['/docs', '/docs/v1.2', '/docs/v1.2/guide/more', '/bulk//one'])
    expect((await visit({ host: domain, path })).statusCode).toBe(404);
  expect((await call('create-link', { body: at('DOCS/v1.2/guide') })).body.code).toBe('slug_taken');
});

test('A link with slashes in its slug asks for its password and a confirmation at its own address, and its cookie stays there.', async () => {
  const { host } = workspace.domain;
  await call('create-link', { body: at('locked/in.here', { password, confirmVisit: true }) });
  await call('create-link', { body: at('locked', { password }) });
  const visit = await startVisits();
  const form = (body: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(body).toString() });
  const path = '/locked/in.here';
  expect((await visit({ host, path })).statusCode).toBe(401);
  const entered = await visit({ host, path: `${path}/`, ...form({ password }) });
  expect([entered.statusCode, entered.headers.Location]).toEqual([303, `${path}/`]);
  expect(entered.cookies?.[0]).toContain(`; Path=${path};`);
  const cookies = [entered.cookies?.[0]?.split(';')[0] ?? ''];
  expect((await visit({ host, path, cookies })).statusCode).toBe(200);
  const confirmed = await visit({ host, path, cookies, ...form({ confirm: '1' }) });
  expect([confirmed.statusCode, confirmed.headers.Location]).toEqual([303, url]);
  expect((await visit({ host, path: '/locked', cookies })).statusCode).toBe(401);
});

test('The QR code of a link with slashes leads to it.', async () => {
  const { body } = await call('create-link', { body: at('codes/a.b') });
  expect((await call('get-link-qr', { id: body.link.id })).status).toBe(200);
  const visit = await startVisits();
  expect(await visit({ host: workspace.domain.host, path: '/CODES/A.B.Q' })).toMatchObject({ statusCode: 302 });
});
