import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Route, routes, waysTo } from '../../../lib/endpoints.ts';
import { startReceiver, type WebhookReceiver } from '../../support/http/receiver.ts';
import { patience } from '../../support/run/patience.ts';
import { type Answer, expectProblem, type Service, useService, type Workspace } from '../../support/service/service.ts';

// A request that names things of another workspace, in its path, query, body or headers, learns and changes nothing.
// The requests are made from openapi.json, so that a new operation is tried, and a new kind of name fails a test.

/** Names that no workspace has, by kind. */
const nobodys = {
  link: `lnk_${'0'.repeat(28)}`,
  slug: 'nobodys-slug',
  externalId: 'nobodys-page',
  manager: 'nobody@example.com',
  tag: 'tag_0123456789abcdef',
  template: 'tpl_0123456789abcdef',
  domain: 'nobodys.example.com',
  entry: '0'.repeat(16),
  key: `key_${'0'.repeat(43)}`,
  webhook: 'whk_0123456789abcdef',
  delivery: 'dlv_0123456789abcdefghijkl',
  secret: 'whs_0123456789abcdef',
  member: 'mbr_0123456789abcdef',
};
type Names = Readonly<typeof nobodys>;
type Kind = keyof Names;

const url = 'https://example.org/';
let service: Service;
let receiver: WebhookReceiver;
let owner: Workspace;
let theirs: Names;
let stranger: Workspace;
let strangers: Names;
let before: unknown;
beforeAll(async () => {
  service = await useService();
  receiver = await startReceiver(() => 204);
  [owner, stranger] = [await service.newWorkspace(), await service.newWorkspace()];
  [theirs, strangers] = await Promise.all([makeEverything(owner), makeEverything(stranger)]);
  before = await everythingOf(owner);
});
afterAll(() => receiver.stop());

/** Makes two things of each kind, so that lists have two pages. @returns the names of one of each */
async function makeEverything({ call, domain, newTag }: Workspace): Promise<Names> {
  const make = async (path: string, body?: object) => (await call('POST', path, body)).body;
  const tag = await newTag('Mine');
  await newTag('Also mine');
  const template = await make('/templates', { name: 'Mine', tagIds: [tag], domain });
  await make('/templates', { name: 'Also mine' });
  await make('/domains', { domain: `also-${domain}` });
  const manager = 'mine@example.com';
  const settings = { domain, url, tagIds: [tag], managedBy: manager };
  const externalId = `page-${randomUUID()}`;
  const { link } = await make('/links', { ...settings, externalId });
  const { link: other } = await make('/links', settings);
  // Its first slug becomes an alias.
  await call('PATCH', `/links/${link.id}`, { customSlug: `new-${link.shortCode}` });
  await call('PATCH', `/links/${link.id}`, { title: 'Mine' });
  for (let visit = 0; visit < 2; visit++) await service.visit(domain, link.shortCode);
  await service.visit(domain, other.shortCode);
  const webhook = await make('/webhooks', { url: receiver.url, events: ['link.clicked'] });
  await make('/webhooks', { url: receiver.url, events: ['link.clicked'], active: false });
  const delivery = await make(`/webhooks/${webhook.id}/test`);
  await make(`/webhooks/${webhook.id}/test`);
  const secret = await make('/webhook-secrets', { webhookId: webhook.id });
  await make('/keys', { permissions: ['links:read'] });
  const member = await make('/members', { email: 'ada@example.com', role: 'viewer' });
  await make('/members', { email: 'bob@example.com', role: 'owner' });
  return await vi.waitFor(
    async () => {
      expect((await call('GET', '/webhook-deliveries?state=succeeded')).body.deliveries).toHaveLength(2);
      expect((await call('GET', `/links/${link.id}`)).body.link.clickCount).toBe(2);
      // A ranking has two links, and so two pages.
      expect((await call('GET', '/stats')).body.total).toBe(3);
      const { entries } = (await call('GET', `/links/${link.id}/history`)).body;
      expect(entries).toHaveLength(3);
      // The history is written late, and must be complete before the tests read it.
      const whole = (await call('GET', '/history')).body.entries as { readonly action: string }[];
      expect(whole.filter(({ action }) => action === 'member.invited')).toHaveLength(2);
      const ids = { link: link.id, tag, template: template.id, entry: entries[0].id, key: entries[0].actor.id };
      const hooks = { webhook: webhook.id, delivery: delivery.id, secret: secret.id, member: member.id };
      return { ...ids, ...hooks, slug: link.shortCode, externalId, manager, domain };
    },
    { timeout: patience, interval: 100 },
  );
}

const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
const componentAt = (ref: string) =>
  ref
    .slice(2)
    .split('/')
    .reduce((part, name) => part[name], document);
type Operation = Pick<Route, 'name' | 'method' | 'path'> & {
  readonly parameters?: readonly ({ readonly in: string; readonly name: string } | { readonly $ref: string })[];
  readonly requestBody?: unknown;
};
const operations: readonly Operation[] = routes.flatMap((route) =>
  waysTo(route).map((way) => ({ name: route.name, ...way, ...document.paths[way.path][way.method.toLowerCase()] })),
);

/** The parameters of an operation in this part of the request. */
const parametersIn = (place: string, { parameters = [] }: Operation): string[] =>
  parameters.map((one) => ('$ref' in one ? componentAt(one.$ref) : one)).flatMap((one) => (one.in === place ? [one.name] : []));

/** The names of all fields in a part of the document. */
function fieldsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('$ref' in part) return fieldsIn(componentAt(String(part.$ref)));
  const own = 'properties' in part ? Object.keys(part.properties as object) : [];
  return [...own, ...Object.values(part).flatMap(fieldsIn)];
}

/** The kind of thing that `{id}` names in a path below these. */
const kindsOfIds: Readonly<Record<string, Kind>> = {
  links: 'link',
  tags: 'tag',
  templates: 'template',
  webhooks: 'webhook',
  'webhook-deliveries': 'delivery',
  'webhook-secrets': 'secret',
  keys: 'key',
  members: 'member',
};

/** The kind of thing that a parameter or field names; null if it names nothing of a workspace. */
const kindsOf: Readonly<Record<string, Kind | null>> = {
  domain: 'domain',
  slug: 'slug',
  shortCode: 'slug',
  externalId: 'externalId',
  managedBy: 'manager',
  entryId: 'entry',
  linkId: 'link',
  ids: 'link',
  tagId: 'tag',
  tagIds: 'tag',
  templateId: 'template',
  webhookId: 'webhook',
  actor: 'key',
  // A variant of a link, and its accounts at trackers.
  id: null,
  metaPixelId: null,
  googleTagId: null,
};

/** The kinds of things that the parameters of a path name. @throws Error about a parameter that the tables above lack */
const kindsIn = (path: string): Kind[] =>
  [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, below = '', parameter = '']) => {
    const kind = parameter === 'id' ? kindsOfIds[below] : kindsOf[parameter];
    if (!kind) throw new Error(`what does {${parameter}} in ${path} name?`);
    return kind;
  });
const fill = (path: string, names: readonly string[]): string => {
  const left = [...names];
  return path.replace(/\{\w+\}/g, () => left.shift() ?? '');
};

/** A query for each parameter that names something, except where two name it together. */
const queriesOf = (operation: Operation, names: Names): string[] =>
  operation.name === 'lookup-link'
    ? [
        `domain=${names.domain}&slug=${names.slug}`,
        `domain=${names.domain}&shortCode=${names.slug}`,
        `externalId=${names.externalId}`,
      ]
    : parametersIn('query', operation).flatMap((parameter) => {
        const kind = kindsOf[parameter];
        return kind ? [`${parameter}=${names[kind]}`] : [];
      });

/** Bodies that name something, or that would change the thing in the path. */
const bodies: Readonly<Record<string, (names: Names, own: Names) => readonly object[]>> = {
  'create-link': ({ tag, template, domain }, own) => [
    { domain: own.domain, url, templateId: template },
    { domain: own.domain, url, tagIds: [tag] },
    { domain, url },
  ],
  'update-link': ({ tag }) => [{ title: 'Theirs' }, { tagIds: [tag] }],
  'put-link': ({ tag, domain }, own) => [
    { domain: own.domain, url, tagIds: [tag] },
    { domain, url },
  ],
  'bulk-create-links': ({ tag, template, domain }, own) => [
    { domain: own.domain, templateId: template, links: [{ url }] },
    { domain: own.domain, links: [{ url, tagIds: [tag] }] },
    { domain, links: [{ url }] },
  ],
  'bulk-update-links': ({ link, tag }) => [
    { ids: [link], fields: { title: 'Theirs' } },
    { ids: [link], fields: { tagIds: [tag] } },
    { ids: [link], fields: { addTagIds: [tag] } },
    { ids: [link], fields: { removeTagIds: [tag] } },
  ],
  'bulk-delete-links': ({ link }) => [{ ids: [link] }],
  'update-tag': () => [{ name: 'Theirs' }],
  'create-template': ({ tag, domain }) => [
    { name: 'Own', tagIds: [tag] },
    { name: 'Own', domain },
  ],
  'update-template': ({ tag, domain }) => [{ name: 'Theirs' }, { tagIds: [tag] }, { domain }],
  'update-domain': () => [{ rootUrl: url }],
  'update-webhook': () => [{ active: false }],
  'create-webhook-secret': ({ webhook }) => [{ webhookId: webhook }],
  'update-key': () => [{ name: 'Theirs' }],
  'rotate-key': () => [{}],
  'update-member': () => [{ role: 'viewer' }],
};

/** The requests of an operation that name something. */
function requestsFor(operation: Operation, names: Names, own: Names): { path: string; body?: object | undefined }[] {
  const kinds = kindsIn(operation.path);
  const sent: readonly (object | undefined)[] = bodies[operation.name]?.(names, own) ?? (kinds.length ? [undefined] : []);
  // Of several names in a path, the first may also be the caller's own.
  const mixed = kinds.length > 1 ? [kinds.map((kind, index) => (index ? names : own)[kind])] : [];
  return [kinds.map((kind) => names[kind]), ...mixed]
    .map((values) => fill(operation.path, values))
    .flatMap((path) => [
      ...sent.map((body) => ({ path, body })),
      ...queriesOf(operation, names).map((query) => ({ path: `${path}?${query}` })),
    ]);
}

/** A response with kinds instead of names. */
const withoutNames = ({ status, text }: Answer, names: Names): string =>
  Object.entries(names).reduce(
    (left, [kind, name]) => left.replaceAll(name, kind),
    `${status} ${text.replace(/"(requestId|readAt)":"[^"]*"/g, '')}`,
  );

test.for(operations.filter((operation) => requestsFor(operation, nobodys, nobodys).length))(
  "$method $path answers another workspace's names like unknown names.",
  async (operation) => {
    const answersFor = async (names: Names) => {
      const fresh = await service.newWorkspace();
      const [{ key }, own] =
        kindsIn(operation.path).length > 1 ? [stranger, strangers] : [fresh, { ...nobodys, domain: fresh.domain }];
      const answers = requestsFor(operation, names, own).map(async ({ path, body }) =>
        withoutNames(await service.send(operation.method, path, { key, body }), names),
      );
      return Promise.all(answers);
    };
    const answers = await answersFor(theirs);
    expect(answers).toEqual(await answersFor(nobodys));
    expect(answers.filter((answer) => !/^(200|404|422) /.test(answer))).toEqual([]);
  },
);

const notNames = ['nonsense', '%00', '%ff', '__proto__', 'x'.repeat(2_000)];
test.for(operations.filter(({ path }) => kindsIn(path).length && !path.includes('{externalId}')))(
  '$method $path answers invalid names like unknown names.',
  async ({ name, method, path }) => {
    const names = kindsIn(path).map((kind) => nobodys[kind]);
    const [body] = bodies[name]?.(nobodys, nobodys) ?? [];
    const send = (filled: readonly string[]) => service.send(method, fill(path, filled), { key: stranger.key, body });
    const expected = withoutNames(await send(names), nobodys);
    for (const not of [...notNames, names[0]?.slice(0, -1) ?? '']) {
      expect(withoutNames(await send([not, ...names.slice(1)]), nobodys)).toBe(expected);
      expect(withoutNames(await send([...names.slice(0, -1), not]), nobodys)).toBe(expected);
    }
  },
);

test.for(operations)('The requests above try everything that $method $path can name.', (operation) => {
  const tried = JSON.stringify(requestsFor(operation, nobodys, nobodys));
  // These name the caller's own new things.
  const given = operation.name === 'create-domain' ? ['domain'] : ['externalId', 'managedBy'];
  const fields = fieldsIn(operation.requestBody).filter((field) => !given.includes(field));
  for (const field of [...parametersIn('query', operation), ...fields]) {
    if (field in kindsOf ? kindsOf[field] : /(^i|I)ds?$/.test(field)) expect(tried).toMatch(new RegExp(`\\b${field}\\b`));
  }
});

test("A workspace that uses another's external id, manager and slug gets a link of its own.", async () => {
  const { call, domain } = await service.newWorkspace();
  const link = { domain, url, externalId: theirs.externalId, managedBy: theirs.manager, customSlug: theirs.slug };
  const created = await call('POST', '/links', link);
  expect([created.status, created.body.link.externalId]).toEqual([201, theirs.externalId]);
  const put = await call('PUT', `/links/by-external-id/${theirs.externalId}`, { domain, url, customSlug: theirs.slug });
  expect([put.status, put.body.link.id]).toEqual([200, created.body.link.id]);
  expect((await call('POST', '/tags', { name: 'Mine', color: '#123456' })).status).toBe(201);
});

const repeatable = operations.filter((operation) => parametersIn('header', operation).includes('Idempotency-Key'));
test.for(repeatable)("$method $path treats another workspace's idempotency key as new.", async ({ name, method, path }) => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const idOf = async ({ key, domain }: Workspace, names: Names) => {
    const sent: Readonly<Record<string, object>> = {
      'create-link': { domain, url },
      'bulk-create-links': { domain, links: [{ url }] },
      'create-webhook': { url: receiver.url, events: ['link.clicked'] },
      'create-webhook-secret': { webhookId: names.webhook },
      'create-key': {},
      'create-member': { email: 'new@example.com', role: 'viewer' },
    };
    const { status, body: made } = await service.send(method, path, { key, body: sent[name], headers });
    expect(status).toBeLessThan(300);
    return made.id ?? made.link?.id ?? made.links[0].id;
  };
  const own = await service.newWorkspace();
  const hook = (await own.call('POST', '/webhooks', { url: receiver.url, events: ['link.clicked'] })).body;
  expect(await idOf(own, { ...theirs, webhook: hook.id })).not.toBe(await idOf(stranger, strangers));
});

const day = new Date().toISOString().slice(0, 10);

/** A path with its parameters and its required query. */
const pathOf = ({ name, path }: Operation, names: Names, query = '') => {
  const filled = fill(
    path,
    kindsIn(path).map((kind) => names[kind]),
  );
  return `${filled}?${name === 'get-top-links' ? `day=${day}&` : ''}${query}`;
};

const lists = operations.filter((operation) => parametersIn('query', operation).includes('cursor'));
test.for(lists)('A cursor of $path is refused by the same list of another workspace and by all other lists.', async (list) => {
  const first = await service.send('GET', pathOf(list, theirs, 'limit=1'), { key: owner.key });
  const cursor: string = first.body.nextCursor;
  expect(cursor).toEqual(expect.any(String));
  expect((await service.send('GET', pathOf(list, theirs, `cursor=${cursor}`), { key: owner.key })).status).toBe(200);
  const foreign = [
    ...lists.map((other) => [stranger.key, pathOf(other, strangers)] as const),
    ...lists.filter((other) => other !== list).map((other) => [owner.key, pathOf(other, theirs)] as const),
  ];
  for (const [key, path] of foreign) {
    const refused = await service.send('GET', `${path}cursor=${cursor}`, { key });
    expectProblem(refused, 422, 'validation_failed');
    expect(refused.body.errors).toMatchObject([{ code: 'invalid_cursor' }]);
  }
});

/** The responses of all GETs, except times of reading and of a key's last use, which these requests change. */
async function everythingOf({ key }: Workspace) {
  const elsewhere = ['get-metadata', 'lookup-link'];
  const whens = new Set(['readAt', 'lastUsedAt']);
  const shown = operations.filter(({ name, method }) => method === 'GET' && !elsewhere.includes(name));
  const answers = shown.map(async (operation) => {
    const { status, body } = await service.send('GET', pathOf(operation, theirs).replace(/\?$/, ''), { key });
    return [operation.name, status, JSON.parse(JSON.stringify(body), (field, value) => (whens.has(field) ? null : value))];
  });
  return Promise.all(answers);
}

test('The requests above have changed nothing in the other workspace.', async () => {
  expect(await everythingOf(owner)).toEqual(before);
});
