import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

async function arrange() {
  const { workspaceId, domain } = await store.newWorkspace();
  const create = (body: unknown) => callEndpoint('create-template', { workspaceId, body });
  return { workspaceId, domain, create };
}

const defaults = {
  domain: null,
  tagIds: [],
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  redirectType: 'TEMPORARY_302',
  expiresAfterDays: null,
  isActive: true,
  isArchived: false,
  cloaked: false,
  forwardParameters: false,
  forwardPath: false,
  hideReferrer: false,
  blockBots: false,
  confirmVisit: false,
};

test('A creation responds with 201, all settings and its location, and the template is found and listed so.', async () => {
  const { workspaceId, domain, create } = await arrange();
  const tag = await store.createTag(workspaceId, { name: 'Tag', color: '#123456' });
  const given = {
    domain: domain.host.toUpperCase(),
    tagIds: [tag.id, tag.id],
    utmSource: 'mail',
    expiresAfterDays: 3,
    cloaked: true,
  };
  const { status, body, headers } = await create({ name: '  Mail / autumn ', ...given });
  expect(status).toBe(201);
  const own = { id: expect.stringMatching(/^tpl_[0-9A-Za-z]{16}$/), name: 'Mail / autumn' };
  expect(body).toEqual({ ...defaults, ...given, domain: domain.host, tagIds: [tag.id], ...own, createdAt: expect.any(String) });
  expect(headers.Location).toBe(`/api/v1/templates/${body.id}`);
  expect(await callEndpoint('get-template', { workspaceId, id: body.id })).toMatchObject({
    status: 200,
    body,
    headers: { ETag: headers.ETag },
  });
  expect((await callEndpoint('list-templates', { workspaceId })).body).toEqual({ templates: [body], nextCursor: null });
});

test('A template may have only a name, and null means the same as an absent field.', async () => {
  const { create } = await arrange();
  expect((await create({ name: 'One' })).body).toMatchObject({ name: 'One', ...defaults });
  expect((await create({ name: 'Two', domain: null, utmTerm: null, expiresAfterDays: null })).body).toMatchObject(defaults);
});

test('A name that the workspace has already in any case is refused with 409.', async () => {
  const { create } = await arrange();
  await create({ name: 'Mail' });
  expectProblem(await create({ name: 'ＭＡＩＬ' }), 409, 'template_name_taken');
});

test.for([
  [{}, '/name', 'required'],
  [{ name: null }, '/name', 'null_not_allowed'],
  [{ name: ' ' }, '/name', 'too_short'],
  [{ name: 'x'.repeat(65) }, '/name', 'too_long'],
  [{ name: 'x', utmSource: '' }, '/utmSource', 'too_short'],
  [{ name: 'x', utmSource: 'x'.repeat(257) }, '/utmSource', 'too_long'],
  [{ name: 'x', expiresAfterDays: 0 }, '/expiresAfterDays', 'too_small'],
  [{ name: 'x', expiresAfterDays: 3_651 }, '/expiresAfterDays', 'too_large'],
  [{ name: 'x', expiresAfterDays: 1.5 }, '/expiresAfterDays', 'invalid_type'],
  [{ name: 'x', isActive: null }, '/isActive', 'null_not_allowed'],
  [{ name: 'x', tagIds: Array(21).fill('x') }, '/tagIds', 'too_many'],
  [{ name: 'x', password: 'x' }, '/password', 'unknown_field'],
  [{ name: 'x', rules: [] }, '/rules', 'unknown_field'],
  [{ name: 'x', variants: [] }, '/variants', 'unknown_field'],
  [{ name: 'x', webhookUrls: 'https://example.org/' }, '/webhookUrls', 'unknown_field'],
  [{ name: 'x', tagNames: ['x'] }, '/tagNames', 'unknown_field'],
  [{ name: 'x', url: 'https://example.org/' }, '/url', 'unknown_field'],
] as const)('The template %j is refused at %s as %s, and nothing is created.', async ([body, path, code]) => {
  const { workspaceId, create } = await arrange();
  const response = await create(body);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
  expect((await callEndpoint('list-templates', { workspaceId })).body).toEqual({ templates: [], nextCursor: null });
});

test("A tag or domain that is unknown, malformed or another workspace's is refused.", async () => {
  const [{ create }, other] = [await arrange(), await arrange()];
  const theirs = await store.createTag(other.workspaceId, { name: 'Theirs', color: '#123456' });
  for (const id of [theirs.id, 'tag_0123456789abcdef', 'nonsense'])
    expectProblem(await create({ name: 'x', tagIds: [id] }), 422, 'tag_not_found');
  for (const domain of [other.domain.host, 'nobodys.example.com', '', 'not a name'])
    expectProblem(await create({ name: 'x', domain }), 422, 'domain_not_verified');
});
