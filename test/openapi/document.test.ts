import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { ErrorCode } from '../../lambdas/core/errors.ts';
import { problems } from '../../lambdas/http/problems.ts';
import { sourceOf } from '../../lib/bundles.ts';
import { routes, waysTo } from '../../lib/endpoints.ts';
import { openApiText } from '../../openapi/document.ts';
import { errorsOf } from '../support/http/openapi.ts';
import { anyCharacter } from '../support/run/any-character.ts';
import { runs } from '../support/run/proof.ts';

const text = readFileSync('openapi.json', 'utf8');
const document = JSON.parse(text);
const operations = Object.entries<Record<string, object>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

test('openapi.json matches the code; npm run openapi writes it again.', async () => {
  expect(text).toBe(await openApiText());
});

test('The document has every route, and nothing else.', () => {
  const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
  expect(operations.map(named).sort()).toEqual(routes.flatMap(waysTo).map(named).sort());
});

test('The linter of Redocly finds no problem in the document.', async () => {
  // `/links/by-external-id/{externalId}` and `/links/{id}/qr` differ, because no id of a link is `by-external-id`, and API
  // Gateway prefers what has no parameter. The linter compares paths without that.
  const config = await createConfig({ extends: ['recommended-strict'], rules: { 'no-ambiguous-paths': 'off' } });
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`)).toEqual([]);
});

type Content = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> };

type Response = { $ref?: string; content?: Record<string, Content>; links?: Record<string, Link | { $ref: string }> };
type Link = { operationId: string; parameters: Record<string, string> };
type Operation = {
  operationId: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response>;
};

const all = operations.map(({ path, method, operation }) => ({ path, method, ...(operation as Operation) }));

/** The target of a reference. */
// biome-ignore lint/suspicious/noExplicitAny: parts of the document have many shapes.
const at = ($ref: string): any =>
  $ref
    .slice(2)
    .split('/')
    .reduce((part, name) => part[name], document);

/** Every content of the document: of requests and of responses. */
const contents = [
  ...all.flatMap(({ requestBody, responses }) => [requestBody ?? {}, ...Object.values(responses)]),
  ...Object.values<object>(document.components.responses),
].flatMap((one) => Object.values((one as { content?: Record<string, Content> }).content ?? {}));

/** Every schema that a schema contains, itself included, through references too. */
function within(schema: unknown, seen = new Set<object>()): Set<object> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return seen;
  seen.add(schema);
  if ('$ref' in schema) within(at(schema.$ref as string), seen);
  for (const part of Object.values(schema)) within(part, seen);
  return seen;
}

const answers = [
  ...all.flatMap(({ responses }) => Object.values(responses)),
  ...Object.values<Response>(document.components.responses),
].flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema));
const partsOfAnswers = [...new Set(answers.flatMap((schema) => [...within(schema)]))] as Record<string, unknown>[];

test('Every error of an operation is the shared response of its status, and names the codes that it may have.', () => {
  const named = new Set<string>();
  for (const { operationId, responses } of all) {
    for (const [status, response] of Object.entries(responses).filter(([status]) => Number(status) >= 300)) {
      expect(response.$ref, `${operationId} ${status}`).toMatch(/^#\/components\/responses\//);
      if (status === '304') continue;
      const { description } = response as { description: string };
      const codes = [...description.matchAll(/\(`(\w+)`\)/g)].map(([, code]) => code ?? '');
      expect(codes.length).toBeGreaterThan(0);
      for (const code of codes) expect(problems[code as ErrorCode].status, `${operationId} ${code}`).toBe(Number(status));
      for (const code of codes) named.add(code);
    }
  }
  expect([...named].sort()).toEqual(Object.keys(problems).sort());
  const refs = all.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { $ref }]) => ($ref ? [[status, $ref] as const] : [])),
  );
  expect(new Set(refs.map(([status, $ref]) => `${status} ${$ref}`)).size).toBe(Object.keys(document.components.responses).length);
});

test('Problem documents and failed changes share one enum, which has every error code.', () => {
  const { schemas } = document.components;
  expect(schemas.ErrorCode.enum).toEqual(Object.keys(problems));
  for (const name of ['Problem', 'FailedChange'])
    expect(schemas[name].properties.code.$ref, name).toBe('#/components/schemas/ErrorCode');
});

test('Every response and request of JSON has a named schema.', () => {
  for (const { operationId, requestBody, responses } of all) {
    for (const { content = {} } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)]) {
      for (const [type, { schema }] of Object.entries(content))
        if (type.includes('json'))
          expect(schema, `${operationId} ${type}`).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\//) });
    }
  }
});

test('In responses, every object in a list has a named schema, and every object may get more properties.', () => {
  expect(partsOfAnswers.length).toBeGreaterThan(100);
  for (const part of partsOfAnswers) {
    expect(part.additionalProperties, JSON.stringify(part)).not.toBe(false);
    const items = part.items as { type?: string } | undefined;
    if (part.type === 'array') expect(items?.type, JSON.stringify(part)).not.toBe('object');
  }
});

test('Requests refuse properties that they do not know, and the fields of bulk updates are a component.', () => {
  const { schemas } = document.components;
  const requests = Object.entries<{ additionalProperties: unknown }>(schemas).filter(([name]) => name.endsWith('Request'));
  expect(requests.length).toBeGreaterThan(10);
  for (const [name, { additionalProperties }] of requests) expect(additionalProperties, name).toBe(false);
  expect(schemas.LinkSettings.additionalProperties).toBe(false);
  expect(schemas.BulkUpdateLinksRequest.properties.fields).toEqual({ $ref: '#/components/schemas/LinkSettings' });
});

test('No schema is write-only or read-only, which some generators read as never.', () => {
  expect(text).not.toMatch(/"(writeOnly|readOnly)":/);
});

test('Operations document only responses that are possible.', () => {
  for (const { operationId, method, requestBody, parameters, responses } of all) {
    const offered = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
    const statuses = Object.keys(responses);
    expect(statuses.includes('412'), operationId).toBe(offered.includes('If-Match'));
    expect(statuses.includes('304'), operationId).toBe(method === 'GET' && offered.includes('If-None-Match'));
    expect(statuses.includes('413'), operationId).toBe(requestBody !== undefined);
    expect(statuses.includes('415'), operationId).toBe(requestBody !== undefined);
    if (method === 'GET') expect(offered, operationId).not.toContain('If-Match');
  }
});

const linksOf = ({ responses }: Operation): [string, Link][] =>
  Object.values(responses).flatMap(({ links = {} }) =>
    Object.entries(links).map(([name, link]): [string, Link] => [name, '$ref' in link ? at(link.$ref) : link]),
  );

test('Every link leads to an operation with the values that its path needs, from a field that the response has.', () => {
  for (const operation of all) {
    for (const [name, { operationId, parameters }] of linksOf(operation)) {
      const target = all.find((one) => one.operationId === operationId);
      const known = target?.parameters.map((one) => `${one.in}.${one.name}`) ?? [];
      const needed = known.filter((one) => one.startsWith('path.'));
      expect(Object.keys(parameters), name).toEqual(expect.arrayContaining(needed));
      expect(known, name).toEqual(expect.arrayContaining(Object.keys(parameters)));
      const [, { content = {} } = {}] = Object.entries(operation.responses).find(([status]) => status < '300') ?? [];
      for (const expression of Object.values(parameters).filter((one) => one.startsWith('$response.body#'))) {
        const value = expression.slice('$response.body#/'.length).split('/');
        let schema: unknown = content['application/json']?.schema;
        for (const part of value) {
          const { $ref } = schema as { $ref?: string };
          const found = $ref ? at($ref) : schema;
          schema = part === '0' ? found.items : found.properties?.[part];
          expect(schema, `${operation.operationId} ${name} ${expression}`).toBeDefined();
        }
      }
    }
  }
});

test('Links lead to every operation with a path parameter.', () => {
  const reached = new Set(all.flatMap(linksOf).map(([, { operationId }]) => operationId));
  const unreached = all.filter(({ path, operationId }) => path.includes('{') && !reached.has(operationId));
  expect(unreached.map(({ operationId }) => operationId)).toEqual([]);
});

test('Every list with a cursor returns the next one, and links to the next page with the same filter.', () => {
  const lists = all.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));
  expect(lists.length).toBeGreaterThan(4);
  for (const list of lists) {
    const { $ref = '' } = (list.responses['200']?.content?.['application/json']?.schema ?? {}) as { $ref?: string };
    const page = at($ref);
    expect(page.required, list.operationId).toContain('nextCursor');
    const next = Object.fromEntries(linksOf(list)).nextPage;
    expect(next?.operationId).toBe(list.operationId);
    const places = list.parameters.filter((one) => one.in !== 'header').map((one) => `${one.in}.${one.name}`);
    expect(next?.parameters).toEqual({
      ...Object.fromEntries(places.map((index) => [index, `$request.${index}`])),
      'query.cursor': '$response.body#/nextCursor',
    });
  }
});

test('Each content has an example, and every example is valid.', () => {
  for (const { schema, example, examples = {} } of contents) {
    const all = [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)];
    expect(all.length).toBeGreaterThan(0);
    for (const one of all) expect(errorsOf(schema, one)).toBeUndefined();
  }
});

test('The service accepts the examples of fields.', async () => {
  const { body } = await import('../../lambdas/endpoints/links/update-link.ts');
  const { properties } = document.components.schemas.UpdateLinkRequest as { properties: Record<string, Field> };
  type Field = { examples?: unknown[]; anyOf?: Field[] };
  for (const [name, field] of Object.entries(properties)) {
    for (const value of field.examples ?? field.anyOf?.flatMap(({ examples = [] }) => examples) ?? []) {
      expect(z.safeParse(body, { [name]: value }).success, name).toBe(true);
    }
  }
});

test.for([
  ['update-link', 'UpdateLinkRequest'],
  ['create-tag', 'CreateTagRequest'],
])('The document allows every body that %s accepts.', async ([name, component]) => {
  const { body } = (await import(sourceOf(name as string))) as { body: z.core.$ZodObject };
  const schema = document.components.schemas[component as string];
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 2_100 }),
    fc.stringMatching(/^#[0-9A-Fa-f]{6}$/),
    fc.stringMatching(/^[\p{L}\p{N} _-]{1,70}$/u),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.integer({ min: 0, max: 2_100 }).map((length) => '😀'.repeat(length)),
    fc.constantFrom(
      '#AbCdEf',
      'G-AB12',
      '123',
      '2030-01-01T00:00:00Z',
      'PERMANENT_301',
      'https://bücher.example/ä?ü',
      'Ünïcode tag',
    ),
  );
  const values = fc.oneof(texts, fc.boolean(), fc.integer(), fc.constant(null), fc.array(texts, { maxLength: 22 }));
  const bodies = fc.record(Object.fromEntries(Object.keys(body._zod.def.shape).map((field) => [field, values])), {
    requiredKeys: [],
  });
  let taken = 0;
  fc.assert(
    fc.property(bodies, (one) => {
      // Each field by itself, because hardly any whole body would be accepted.
      for (const [field, value] of Object.entries(one)) {
        const alone = name === 'create-tag' ? { name: 'Tag', color: '#000000', [field]: value } : { [field]: value };
        if (!z.safeParse(body, alone).success) continue;
        taken++;
        expect(errorsOf(schema, alone), JSON.stringify(alone)).toBeUndefined();
      }
    }),
    { numRuns: runs(500) },
  );
  expect(taken).toBeGreaterThan(10);
});
