import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { routes, waysTo } from '../../../lib/endpoints.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs, someOf } from '../../support/run/proof.ts';
import { type Service, useService, type Workspace } from '../../support/service/service.ts';

let service: Service;
let workspace: Workspace;
let known: Record<string, string>;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
  const { link } = (await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://example.org/' })).body;
  known = { link: link.id, tag: await workspace.newTag('Known'), domain: workspace.domain, slug: link.shortCode };
});

const names = fc.oneof(
  fc.constantFrom(
    ...[
      'limit',
      'cursor',
      'tagId',
      'domain',
      'q',
      'slug',
      '__proto__',
      'constructor',
      'url',
      'customSlug',
      'ids',
      'fields',
      'title',
    ],
    ...['from', 'to', 'interval', 'timezone', 'groupBy', 'day', 'match', 'country', 'referrer', 'variant'],
    ...['tagIds', 'name', 'color', 'expiresAt', 'maxClicks', 'password', 'id', 'workspaceId', 'revision', 'disabledAt', 'links'],
  ),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
);
const texts = fc
  .oneof(
    fc.string({ unit: anyCharacter, maxLength: 60 }),
    fc.constantFrom(
      '',
      '\0',
      '\ud800',
      '%',
      '50',
      'true',
      'null',
      '..',
      'x'.repeat(3_000),
      'https://example.org/',
      'lnk_0',
      'his_1',
      '2030-01-01',
      '2030-01-01T00:00Z',
      '2030-01-02T00:00Z',
      'country,os',
      'DE,AT',
      'Asia/Kathmandu',
      'text/csv',
    ),
    fc.constantFrom('link', 'tag', 'domain', 'slug').map((name) => ({ toString: () => known[name] ?? '' })),
  )
  .map(String);
const values = fc.oneof(
  texts,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, -1, 2 ** 60, 1.5, true),
  fc.array(texts, { maxLength: 3 }),
);
const headers = fc.dictionary(
  fc.constantFrom('If-Match', 'If-None-Match', 'Idempotency-Key', 'Accept', 'Content-Type'),
  fc.string({ unit: fc.constantFrom(...'abcW/"*,; =\u00e9'), maxLength: 20 }).map((text) => text.trim() || 'x'),
  { noNullPrototype: true },
);

/** How many parameters a path has at most. */
const mostParameters = 2;

const requests = fc.record({
  parameters: fc.array(texts, { minLength: mostParameters, maxLength: mostParameters }),
  query: fc.array(fc.tuple(names, texts), { maxLength: 4 }),
  body: fc.dictionary(names, values, { maxKeys: 6, noNullPrototype: true }),
  headers: fc.option(headers, { nil: {} }),
});

const parameter = /\{\w+\}/g;
const ways = routes.flatMap(waysTo);

test.for(ways)(
  'Any request to $method $path gets a documented response, and never an internal error.',
  async ({ method, path }) => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ parameters, query, body, headers }) => {
        const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
        const target = filled(path, parameters);
        const sent = method === 'GET' ? {} : { body };
        const { status } = await service.send(method, `${target}${search && `?${search}`}`, {
          key: workspace.key,
          headers,
          ...sent,
        });
        expect(status).toBeLessThan(500);
      }),
      { numRuns: runs(3) },
    );
    expect(service.logged().filter((line) => line.includes('unexpected error'))).toEqual([]);
  },
);

/** Names of things that do not exist. Each path gets any of them, or a name that is too long for a key. */
const wellFormed = [`lnk_${'0'.repeat(28)}`, 'ext_absent', 'his_1', 'tag_0000000000000000', 'absent'];
const tooLong = ['', 'lnk_', 'ext_', 'his_', 'his_D', 'key_', 'tag_'].map((prefix) => prefix + '1'.repeat(2_100));

test.for(ways.filter(({ path }) => path.includes('{')))(
  'Names that are too long for a key of the table cause no internal error in $method $path.',
  async ({ method, path }) => {
    const count = path.match(parameter)?.length ?? 0;
    const others = count === 1 ? [''] : [...wellFormed, ...tooLong];
    const names = tooLong.flatMap((long) => others.flatMap((other) => [[long, other], ...(count === 1 ? [] : [[other, long]])]));
    for (const parameters of someOf(names, `${method} ${path}`, 14)) {
      const sent = method === 'GET' ? {} : { body: {} };
      const { status } = await service.send(method, filled(path, parameters), { key: workspace.key, ...sent });
      expect([parameters.map((text) => text.slice(0, 9)), status < 500]).toEqual([expect.anything(), true]);
    }
  },
);

/** The path with these parameters. */
function filled(path: string, parameters: readonly string[]): string {
  const left = parameters.values();
  return path.replaceAll(parameter, () => {
    const text = left.next().value ?? '';
    // Clients resolve these segments even if they are encoded: https://url.spec.whatwg.org/#double-dot-path-segment
    return /^\.{0,2}$/.test(text) ? 'x' : encode(text);
  });
}

/** Encodes a text for a URL, so that it does not change the path. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E');
