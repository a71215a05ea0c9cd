import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { mcpServer } from '../../../clients/mcp/server.ts';
import { permissions } from '../../../lambdas/core/key/permissions.ts';
import { useWebServer } from '../../support/http/web-server.ts';

// Schemas that hosts of models accept, and arguments of clients that send each of them as a string.

// biome-ignore lint/suspicious/noExplicitAny: schemas of every shape.
type Any = any;
const { tools } = JSON.parse(readFileSync('clients/mcp/tools.json', 'utf8')) as { tools: Any[] };
const inputOf = (name: string): Any => tools.find((tool) => tool.name === name).inputSchema;

/** A schema and all schemas in it, with their places. */
const parts = (schema: Any, place: string): [string, Any][] => [
  [place, schema],
  ...Object.entries<Any>(schema.properties ?? {}).flatMap(([name, one]) => parts(one, `${place}.${name}`)),
  ...(schema.items ? parts(schema.items, `${place}[]`) : []),
  ...(schema.anyOf ?? []).flatMap((one: Any, index: number) => parts(one, `${place}|${index}`)),
];

describe('The schemas of arguments', () => {
  const inputs = tools.flatMap(({ name, inputSchema }) => parts(inputSchema, name));

  test('have one type, or this type and null, for each argument of each tool and each part of it.', () => {
    expect(inputs.length).toBeGreaterThan(200);
    for (const [place, { type, anyOf, ...others }] of inputs) {
      if (!anyOf) expect([place, type]).toEqual([place, expect.stringMatching(/^(string|integer|boolean|array|object|null)$/)]);
      else expect([place, anyOf.length, anyOf[1], type, others]).toEqual([place, 2, { type: 'null' }, undefined, {}]);
    }
  });

  test("have nothing that makes other hosts refuse all requests: lists without items, choices that aren't strings, formats other than date-time, references.", () => {
    for (const [place, { type, items, enum: choices, format, properties, required = [], ...others }] of inputs) {
      expect([place, type === 'array']).toEqual([place, items !== undefined]);
      if (choices) expect([place, type, choices]).toEqual([place, 'string', choices.map(String)]);
      if (format) expect([place, type, format]).toEqual([place, 'string', 'date-time']);
      if (properties) expect([place, Object.keys(properties)]).toEqual([place, expect.arrayContaining(required)]);
      const known = ['anyOf', 'default', 'description', 'maxItems', 'maximum', 'minimum'];
      expect([place, Object.keys(others).filter((name) => !known.includes(name))]).toEqual([place, []]);
    }
  });

  test('allow null exactly where the API accepts null.', () => {
    const { schemas } = JSON.parse(readFileSync('openapi.json', 'utf8')).components;
    const nullable = ({ properties }: Any): string[] =>
      Object.entries<Any>(properties)
        .filter(([, { anyOf }]) => anyOf?.some((one: Any) => one.type === 'null'))
        .map(([name]) => name)
        .toSorted();
    expect(nullable(schemas.UpdateLinkRequest)).toEqual(expect.arrayContaining(['maxClicks', 'password']));
    expect(nullable(inputOf('create_link'))).toEqual(nullable(schemas.CreateLinkRequest));
    expect(nullable(inputOf('update_link'))).toEqual(nullable(schemas.UpdateLinkRequest));
    expect(nullable(inputOf('update_links').properties.fields)).toEqual(nullable(schemas.LinkSettings));
    expect(nullable(inputOf('create_links').properties.links.items)).toEqual(nullable(schemas.ImportLink));
  });
});

const site = await useWebServer();

/** A call's requests to the API with their bodies, or, if there are none, the text for the model. */
async function askedBy(name: string, args: object): Promise<object[]> {
  const asked: object[] = [];
  site.answer = async (request, response) => {
    asked.push({ method: request.method, url: request.url, body: await text(request) });
    response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"code":"not_found","detail":"No."}');
  };
  const session = {
    baseUrl: `http://127.0.0.1:${site.port}`,
    apiKey: 'lk_key',
    keyId: 'key_1',
    permissions,
    onMistake: () => {},
  };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'tests', version: '1' });
  await Promise.all([mcpServer(session).connect(ours as never), client.connect(theirs)]);
  const { content } = await client.callTool({ name, arguments: args as Record<string, unknown> });
  await client.close();
  return asked.length > 0 ? asked : [{ refused: (content as { text: string }[])[0]?.text }];
}

const everyField = {
  ...{ isActive: false, cloaked: true, maxClicks: 100, expiresAt: null, startsAt: null, notes: null, tagNames: ['news'] },
  rules: [{ if: { os: ['ios'] }, url: 'https://example.com/ios' }],
  variants: [{ id: 'a', url: 'https://example.com/1', weight: 1 }],
};
const [domain, url] = ['go.example', 'https://example.com/'];

/** For each tool, a call with all kinds of its arguments that aren't strings. */
const calls: Readonly<Record<string, object>> = {
  list_links: { limit: 1, tagIds: ['tag_1'], tagNames: ['news', 'old'], q: '100' },
  list_ranked_links: { sort: 'lastClickedAt', limit: 1, tagNames: ['news', 'old'], q: '100' },
  get_link: { id: 'lnk_1' },
  create_link: { domain, url, ...everyField },
  update_link: { id: 'lnk_1', ...everyField, url },
  update_links: { ids: ['lnk_1'], expected: 1, fields: everyField },
  delete_links: { filter: { q: 'nothing', tagIds: ['tag_1'] }, expected: 3 },
  create_links: { domain, links: [{ url, ...everyField }] },
  list_tags: { limit: 10 },
  list_templates: {},
  create_tag: { name: 'Sale', color: '#112233' },
  get_stats: { tagIds: ['tag_1'], groupBy: ['device'] },
  get_top_links: { from: '2026-01-01T00:00:00Z', limit: 5, tagNames: ['news'] },
  list_domains: { limit: 10 },
  list_history: { mine: true, limit: 5 },
  revert_change: { id: 'lnk_1', entryId: 'his_1' },
  get_qr_code: { id: 'lnk_1', size: 256, margin: 2 },
};
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

describe('A client that sends other types than it means', () => {
  test('is tried with each tool.', () => {
    expect(Object.keys(calls).toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  test.for(Object.entries(calls))('can use %s, although it sends each argument as a string.', async ([name, args]) => {
    const usual = await askedBy(name, args);
    expect(usual).toEqual([expect.objectContaining({ method: expect.any(String) })]);
    const texts = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, textOf(value)]));
    expect(await askedBy(name, texts)).toEqual(usual);
  });

  test.for(Object.entries(calls))(
    'can use %s, although it sends null for each argument that it means to leave out.',
    async ([name, args]) => {
      const { properties } = inputOf(name);
      const left = Object.keys(properties).filter((key) => !(key in args) && !properties[key].anyOf);
      for (const nothing of [null, 'null']) {
        const nulls = Object.fromEntries(left.map((key) => [key, nothing]));
        expect(await askedBy(name, { ...nulls, ...args })).toEqual(await askedBy(name, args));
      }
    },
  );

  test('can send digits as a number for a string.', async () => {
    const given = { id: 'lnk_1', metaPixelId: 4_608_023_173, title: 2026 };
    expect(await askedBy('update_link', given)).toEqual(
      await askedBy('update_link', { ...given, metaPixelId: '4608023173', title: '2026' }),
    );
  });

  test('never widens a filter.', async () => {
    for (const q of ['null', '"null"']) {
      const given = { filter: { q }, expected: 3 };
      const [{ url: asked }] = (await askedBy('delete_links', given)) as [{ url: string }];
      expect(new URL(asked, 'http://x').searchParams.get('q')).toBe(q);
    }
    for (const filter of [{ q: null }, '{"q":null}', { tagIds: 'null' }, { tagIds: null, q: 'x' }]) {
      const given = { filter, expected: 3 };
      expect(await askedBy('delete_links', given)).toEqual([{ refused: expect.stringMatching(/filter\/(q|tagIds)/) }]);
    }
    expect(await askedBy('delete_links', { filter: null, expected: 3 })).toEqual([
      { refused: 'Send either ids, or filter with expected.' },
    ]);
  });

  test.for(['false', '100', '["a"]', '{"a":1}', '"quoted"', 'Null', 'null ', 'nothing', ''])(
    'sends this string unchanged: %j.',
    async (title) => {
      const [{ body }] = (await askedBy('update_link', { id: 'lnk_1', title })) as [{ body: string }];
      expect(JSON.parse(body)).toEqual({ title });
    },
  );
});

test.for([
  ['update_link', { id: 'lnk_1', password: 'null' }],
  ['update_links', { ids: ['lnk_1'], fields: { password: 'null' } }],
  ['update_links', { ids: '["lnk_1"]', fields: '{"password":"null"}' }],
  ['create_link', { domain, url, password: 'null' }],
  ['create_links', { domain, links: [{ url, password: 'null' }] }],
] as const)('In %s, %j neither sets the password "null" nor removes it.', async ([name, args]) => {
  const refused = expect.stringContaining('password must not be the text "null". To remove the password, send null');
  expect(await askedBy(name, args)).toEqual([{ refused }]);
});

test.for([
  ['list_links', { limit: 'many' }, /limit/],
  ['list_links', { limit: '1.5' }, /limit/],
  ['list_links', { tagIds: 'tag_1' }, /tagIds/],
  ['list_links', { constructor: '1' }, /There is no argument constructor/],
  ['create_tag', { name: 'null', color: null }, /color/],
  ['create_link', { domain, url, isActive: 'maybe' }, /isActive/],
  ['create_link', { domain, url, isActive: '1' }, /isActive/],
  ['update_link', { id: 'lnk_1', password: 1234 }, /password/],
  ['update_link', { id: 'lnk_1', metaPixelId: 1e20 }, /metaPixelId/],
  ['create_links', { domain, links: '{"url":"https://example.com/"}' }, /links/],
  ['update_links', { ids: '["lnk_1"', fields: {} }, /ids/],
  ['update_links', { ids: ['lnk_1'], fields: '[]' }, /fields/],
  ['update_links', { ids: ['lnk_1'], fields: { maxClicks: 'x' } }, /maxClicks/],
] as const)('%s refuses %j, and names the argument.', async ([name, args, message]) => {
  expect(await askedBy(name, args)).toEqual([{ refused: expect.stringMatching(message) }]);
});
