import { expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { useStore } from '../../../support/store/store.ts';

test('Parameters are merged into the destination by every request that sets one, and are not stored.', async () => {
  const { workspaceId, domain } = await (await useStore()).newWorkspace();
  const call = (name: string, more: object) => callEndpoint(name, { workspaceId, ...more });
  const sent = { domain: domain.host, url: 'https://example.org/?utm_source=old&a=1#b', utmSource: 'new', utmMedium: 'mail' };
  const merged = 'https://example.org/?utm_source=new&a=1&utm_medium=mail#b';
  const { body } = await call('create-link', { body: sent });
  expect(body.link.url).toBe(merged);
  expect(JSON.stringify(body)).not.toContain('utmSource');
  expect((await call('put-link', { externalId: 'x', body: sent })).body.link.url).toBe(merged);
  expect((await call('put-link', { externalId: 'x', body: sent })).status).toBe(200);
  const { domain: host, ...entry } = sent;
  const long = { ...entry, utmTerm: 'ü'.repeat(256), url: `https://example.org/${'x'.repeat(6_800)}` };
  const imported = await call('bulk-create-links', { body: { domain: host, links: [entry, long] } });
  expect(imported.body.links).toMatchObject([{ url: merged }]);
  expect(imported.body.failed).toMatchObject([{ index: 1, code: 'destination_too_long' }]);
  const { id } = body.link;
  const changed = await call('update-link', { id, body: { url: merged, utmSource: null, utmMedium: null } });
  expect(changed.body.link.url).toBe('https://example.org/?a=1#b');
  const fields = { url: 'https://example.org/c', utmCampaign: 'all' };
  expect((await call('bulk-update-links', { body: { ids: [id], fields } })).body).toMatchObject({ updated: 1 });
  expect((await call('get-link', { id })).body.link.url).toBe('https://example.org/c?utm_campaign=all');
});

test('A parameter without a destination beside it is refused, and so is an empty one.', async () => {
  const store = await useStore();
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  const id = found?.link.id ?? '';
  const call = (name: string, more: object) => callEndpoint(name, { workspaceId: workspace.workspaceId, ...more });
  for (const [name, more, path] of [
    ['update-link', { id, body: { utmTerm: 'x' } }, '/utmTerm'],
    ['update-link', { id, body: { utmTerm: null } }, '/utmTerm'],
    ['bulk-update-links', { body: { ids: [id], fields: { utmTerm: 'x' } } }, '/fields/utmTerm'],
  ] as const) {
    const answer = await call(name, more);
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path, code: 'url_required' }]);
  }
  const empty = await call('update-link', { id, body: { url: 'https://example.org/', utmTerm: '' } });
  expect(empty.body.errors).toMatchObject([{ path: '/utmTerm', code: 'too_short' }]);
});
