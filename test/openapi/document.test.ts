import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { routes, waysTo } from '../../lib/endpoints.ts';
import { openApiText } from '../../openapi/document.ts';
import { errorsOf } from '../support/openapi.ts';
import { runs } from '../support/proof.ts';

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

/** Every content of the document: of requests and of responses. */
const contents = operations.flatMap(({ operation }) => {
  const { requestBody, responses } = operation as { requestBody?: object; responses: Record<string, object> };
  return [requestBody ?? {}, ...Object.values(responses)].flatMap((one) =>
    Object.values((one as { content?: Record<string, Content> }).content ?? {}),
  );
});

test('Each content has an example, and every example is valid.', () => {
  for (const { schema, example, examples = {} } of contents) {
    const all = [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)];
    expect(all.length).toBeGreaterThan(0);
    for (const one of all) expect(errorsOf(schema, one)).toBeUndefined();
  }
});

test('The service accepts the examples of fields.', async () => {
  const { body } = await import('../../lambdas/endpoints/update-link.ts');
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
  const { body } = (await import(`../../lambdas/endpoints/${name}.ts`)) as { body: z.core.$ZodObject };
  const schema = document.components.schemas[component as string];
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2_100 }),
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
