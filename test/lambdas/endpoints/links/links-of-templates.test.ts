import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Key } from '../../../../lambdas/store/table/keys.ts';
import { type Attempt, type Fault, underFaults } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let workspaceId: string;
let host: string;
let tagId: string;
let goneId: string;
beforeAll(async () => {
  store = await useStore();
});
beforeEach(async () => {
  const workspace = await store.newWorkspace();
  workspaceId = workspace.workspaceId;
  host = workspace.domain.host;
  tagId = (await store.createTag(workspaceId, { name: 'Kept', color: '#123456' })).id;
  goneId = (await store.createTag(workspaceId, { name: 'Gone', color: '#123456' })).id;
});

const url = 'https://example.org/';
const receivedAt = Date.UTC(2030, 0, 1, 12);
const day = 24 * 60 * 60 * 1_000;

type More = { readonly headers?: Record<string, string>; readonly receivedAt?: number };
const create = (body: object, more: More = {}) =>
  callEndpoint('create-link', { workspaceId, body: { url, ...body }, receivedAt, ...more });
const bulk = (templateId: string, links: readonly object[], more: More = {}) =>
  callEndpoint('bulk-create-links', { workspaceId, body: { domain: host, templateId, links }, receivedAt, ...more });

const settings = {
  utmSource: 'mail',
  utmMedium: 'email',
  redirectType: 'PERMANENT_301',
  expiresAfterDays: 3,
  isActive: false,
  blockBots: true,
} as const;
const newTemplate = async (more: object = {}) =>
  (await store.createTemplate(workspaceId, { name: 'Mail', domain: host, tagIds: [goneId, tagId], ...settings, ...more })).id;

/** Each way to create links with a template, with one link. */
const ways = {
  'create-link': async (templateId: string, link: object, more: More = {}) => {
    const { status, body } = await create({ templateId, domain: host, ...link }, more);
    return status === 201 ? body.link : { status, ...body };
  },
  'bulk-create-links': async (templateId: string, link: object, more: More = {}) => {
    const { status, body } = await bulk(templateId, [{ url, ...link }], more);
    return status === 200 ? (body.links[0] ?? body.failed[0]) : { status, ...body };
  },
};
const idsOf = (link: { tags: { id: string }[] }) => link.tags.map(({ id }) => id);

describe.for(Object.entries(ways))('%s', ([, make]) => {
  test("A link gets the template's settings, and expires the template's days after the gateway received the request.", async () => {
    const link = await make(await newTemplate(), {});
    expect(link).toMatchObject({
      url: `${url}?utm_source=mail&utm_medium=email`,
      redirectType: 'PERMANENT_301',
      expiresAt: new Date(receivedAt + 3 * day).toISOString(),
      isActive: false,
      blockBots: true,
      cloaked: false,
    });
    expect(idsOf(link)).toEqual([goneId, tagId]);
    expect((await callEndpoint('get-link', { workspaceId, id: link.id })).body.link).toMatchObject({
      url: link.url,
      expiresAt: link.expiresAt,
      tags: link.tags,
    });
    expect((await store.getTag(workspaceId, tagId))?.linkCount).toBe(1);
  });

  test('Values of the request, including null, and parameters of its URL take priority.', async () => {
    const link = await make(await newTemplate(), {
      url: `${url}?utm_source=own`,
      utmMedium: null,
      expiresAt: null,
      isActive: true,
      redirectType: 'TEMPORARY_302',
      tagNames: ['Kept'],
    });
    expect(link).toMatchObject({
      url: `${url}?utm_source=own`,
      expiresAt: null,
      isActive: true,
      redirectType: 'TEMPORARY_302',
      blockBots: true,
    });
    expect(idsOf(link)).toEqual([tagId]);
    expect(idsOf(await make(await newTemplate({ name: 'Other' }), { tagIds: [] }))).toEqual([]);
  });

  test('Neither a change nor the deletion of the template changes its links.', async () => {
    const templateId = await newTemplate();
    const { id } = await make(templateId, {});
    const get = async () => (await callEndpoint('get-link', { workspaceId, id })).body.link;
    const before = await get();
    await store.updateTemplate(workspaceId, templateId, { utmSource: 'other', tagIds: [] });
    expect(await get()).toEqual(before);
    await store.deleteTemplate(workspaceId, templateId);
    expect(await get()).toEqual(before);
  });

  test('A tag that was deleted before the request is left out.', async () => {
    const templateId = await newTemplate();
    await store.deleteTag(workspaceId, goneId);
    expect(idsOf(await make(templateId, {}))).toEqual([tagId]);
    await store.deleteTag(workspaceId, tagId);
    expect(idsOf(await make(templateId, { maxClicks: 5, externalId: 'page:1' }))).toEqual([]);
    expect(idsOf(await make(templateId, {}))).toEqual([]);
  });

  test('A tag that is deleted between the read and the write is left out, and leaves no pair.', async () => {
    const templateId = await newTemplate();
    const link = await overtaken(
      () => store.deleteTag(workspaceId, goneId),
      () => make(templateId, {}),
      { command: 'TransactWriteItems' },
    );
    expect(idsOf(link)).toEqual([tagId]);
    expect(await store.countsOf(workspaceId, [goneId, tagId], [link.id])).toEqual([
      { count: undefined, pairs: 0, links: 0 },
      { count: 1, pairs: 1, links: 1 },
    ]);
  });

  test("A deleted tag of the request is still refused, and so is another workspace's template.", async () => {
    const templateId = await newTemplate();
    await store.deleteTag(workspaceId, goneId);
    expect(await make(templateId, { tagIds: [goneId] })).toMatchObject({ code: 'tag_not_found' });
    const other = await store.newWorkspace();
    const theirs = await store.createTemplate(other.workspaceId, { name: 'Theirs' });
    for (const id of [theirs.id, 'nonsense'])
      expect(await make(id, {})).toMatchObject({
        status: 422,
        code: 'template_not_found',
        errors: [{ path: '/templateId', code: 'template_not_found' }],
      });
  });

  test('A template that does not fit the link is refused like settings that do not.', async () => {
    const templateId = await newTemplate({ forwardPath: true });
    const late = new Date(receivedAt + 4 * day).toISOString();
    const refused = async (link: object) => JSON.stringify(await make(templateId, link));
    expect(await refused({ startsAt: late })).toContain('starts_too_late');
    expect(await refused({ customSlug: 'a/b/c/d/e' })).toContain('slug_too_deep');
    expect(await refused({ url: `${url}${'x'.repeat(7_970)}` })).toContain('destination_too_long');
  });

  test('A retry uses the template as it was when the request began, even if the first attempt died.', async () => {
    const templateId = await newTemplate();
    const headers = { 'Idempotency-Key': 'key' };
    const dies = ({ command }: Attempt): Fault | undefined => (command === 'TransactWriteItems' ? 'dead-before' : undefined);
    await underFaults(dies, () => make(templateId, {}, { headers }));
    const [record] = await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspaceId}`, skPrefix: 'REQUEST#' }));
    await store.updateItem(record as unknown as Key, { text: 'SET #leaseUntil = :past', values: { ':past': 1 } });
    await store.updateTemplate(workspaceId, templateId, { utmSource: 'later', tagIds: [], expiresAfterDays: 9, isActive: true });
    const later = { headers, receivedAt: receivedAt + 60_000 };
    const link = await make(templateId, {}, later);
    expect(link).toMatchObject({
      url: `${url}?utm_source=mail&utm_medium=email`,
      isActive: false,
      expiresAt: new Date(receivedAt + 3 * day).toISOString(),
    });
    expect(idsOf(link)).toEqual([goneId, tagId]);
    await store.deleteTemplate(workspaceId, templateId);
    expect(await make(templateId, {}, later)).toEqual(link);
  });
});

test("A link is on the request's domain, or else on the template's; without either, the request is refused.", async () => {
  const other = await store.addDomain(workspaceId, `other-${workspaceId.slice(3).toLowerCase()}.example.com`, 'ACTIVE');
  const templateId = await newTemplate();
  expect((await create({ templateId })).body.link.domain).toBe(host);
  expect((await create({ templateId, domain: other?.host })).body.link.domain).toBe(other?.host);
  await store.updateTemplate(workspaceId, templateId, { domain: null });
  const refused = await create({ templateId });
  expectProblem(refused, 422, 'validation_failed');
  expect(refused.body.errors).toMatchObject([{ path: '/domain', code: 'required' }]);
  expect((await create({})).body.errors).toMatchObject([{ path: '/domain', code: 'required', message: 'is required' }]);
  expect((await create({ title: 5 })).body.errors).toHaveLength(2);
});

test('A template whose domain was deleted creates links only on other domains.', async () => {
  const name = `gone-${workspaceId.slice(3).toLowerCase()}.example.com`;
  await store.addDomain(workspaceId, name, 'ACTIVE');
  const templateId = await newTemplate({ domain: name });
  await store.deleteDomain(workspaceId, name);
  expectProblem(await create({ templateId }), 422, 'domain_not_verified');
  expect((await create({ templateId, domain: host })).status).toBe(201);
});

test("In an import, each link's own values take priority, and the template gives the rest.", async () => {
  const { body } = await bulk(await newTemplate(), [
    { url: `${url}1` },
    { url: `${url}2`, utmSource: 'own', tagIds: [] },
    { url: `${url}3`, isActive: 5 },
    { url: `${url}4`, startsAt: '2040-01-01T00:00:00Z' },
  ]);
  expect(body.links.map((link: { url: string }) => link.url)).toEqual([
    `${url}1?utm_source=mail&utm_medium=email`,
    `${url}2?utm_source=own&utm_medium=email`,
  ]);
  expect(body.failed.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
    [2, 'invalid_type'],
    [3, 'starts_too_late'],
  ]);
});
