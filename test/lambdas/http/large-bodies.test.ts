import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type * as z from 'zod/mini';
import type { ApiEvent } from '../../../lambdas/http/api-event.ts';
import { parseBody } from '../../../lambdas/http/parse-body.ts';
import { check } from '../../../lambdas/http/validation.ts';
import { sourceOf } from '../../../lib/bundles.ts';
import { routes } from '../../../lib/endpoints.ts';
import { apiEvent } from '../../support/http/api-event.ts';
import { someOf } from '../../support/run/proof.ts';

/** The largest body that a function gets: its event has at most 6 MiB, including other fields. */
const largest = 6_200_000;

type Schema = {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly maxItems?: number;
  readonly maxProperties?: number;
};
type Path = readonly (string | number)[];
/** A list, or an object with arbitrary names, in a body. */
type Collection = { readonly path: Path; readonly isList: boolean; readonly most: number | undefined };
type Body = {
  readonly name: string;
  readonly method: string;
  readonly schema: z.core.$ZodType;
  readonly collections: readonly Collection[];
};

const { schemas } = JSON.parse(readFileSync('openapi.json', 'utf8')).components as { schemas: Record<string, Schema> };

/** The files for apps are limited as a whole, in bytes. */
const isFileForApps = (component: string) => ['AppleAppSiteAssociation', 'AssetLinkStatement'].includes(component);

/** The collections in a schema of openapi.json, at any depth. */
function collectionsOf(schema: Schema, path: Path = []): Collection[] {
  const component = schema.$ref?.split('/').at(-1);
  if (component !== undefined) return isFileForApps(component) ? [] : collectionsOf(schemas[component] ?? {}, path);
  const { anyOf = [], items, properties = {}, additionalProperties: values, maxItems, maxProperties } = schema;
  return [
    ...anyOf.flatMap((one) => collectionsOf(one, path)),
    ...(items ? [{ path, isList: true, most: maxItems }, ...collectionsOf(items, [...path, 0])] : []),
    ...(typeof values === 'object' ? [{ path, isList: false, most: maxProperties }] : []),
    ...Object.entries(properties).flatMap(([name, one]) => collectionsOf(one, [...path, name])),
  ];
}

const bodies: Body[] = [];
beforeAll(async () => {
  vi.stubEnv('MAX_LINKS_PER_IMPORT', '1000').stubEnv('COUNTRIES', 'known');
  const capitalised = (name: string) => name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  for (const { name, method } of routes) {
    const { body, linkBody } = await import(sourceOf(name));
    if (!body) continue;
    const collections = collectionsOf(schemas[`${capitalised(name)}Request`] ?? {});
    // An import checks its links one by one.
    const own = linkBody ? collections.filter(({ path }) => path.length === 1) : collections;
    bodies.push({ name, method, schema: body, collections: own });
    if (linkBody)
      bodies.push({ name: 'link of an import', method, schema: linkBody, collections: collectionsOf(schemas.ImportLink ?? {}) });
  }
});
afterAll(() => void vi.unstubAllEnvs());

const pointer = (path: Path): string => path.map((part) => `/${part}`).join('');

/** A value that has another one at a path. */
const around = (path: Path, value: unknown): unknown =>
  path.reduceRight((inner, part) => (typeof part === 'number' ? [inner] : { [part]: inner }), value);

test('Each list of a body, and each object with arbitrary names, has a maximum.', () => {
  const all = bodies.flatMap(({ name, collections }) => collections.map((one) => ({ ...one, place: name + pointer(one.path) })));
  expect(all.length).toBeGreaterThan(40);
  // This list is a file for apps.
  expect(all.filter(({ most }) => most === undefined).map(({ place }) => place)).toEqual(['update-domain/assetLinks']);
});

test('A list or object with too many values is refused before any value is checked.', () => {
  for (const { name, schema, collections } of bodies) {
    for (const { path, isList, most } of collections) {
      if (most === undefined) continue;
      const values = Object.fromEntries(Array.from({ length: most + 1 }, (_, index) => [`${isList ? '' : 'p'}${index}`, 1]));
      let looks = 0;
      const watched = new Proxy(isList ? Object.values(values) : values, {
        get: (target, property, receiver) => {
          if (property in values) looks++;
          return Reflect.get(target, property, receiver);
        },
      });
      const { errors = [] } = check(schema, around(path, watched));
      const here = errors.filter((error) => error.path.startsWith(pointer(path)));
      expect([name, here.map((one) => [one.path, one.code]), looks]).toEqual([name, [[pointer(path), 'too_many']], 0]);
    }
  }
});

/** The least processor time, in milliseconds, of up to three runs of some work in this thread. */
function processorTime(work: () => void, isEnough = (_ms: number) => false): number {
  let least = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 3 && !isEnough(least); times++) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

describe('The largest body', () => {
  /** Much less than the seconds that an error for each value takes, even on a slow machine. */
  const most = (json: string) => 3 * processorTime(() => JSON.parse(json)) + 100;
  const refused = expect.objectContaining({ code: 'validation_failed' });

  /** Expects a body with this JSON at a path to be refused within this processor time, in milliseconds. */
  const expectRefusal = ({ name, method, schema }: Body, path: Path, json: string, ms: number) => {
    const { before } = parseBody(schema) as { before: (request: { event: ApiEvent }) => void };
    const event = apiEvent({ method, body: JSON.stringify(around(path, 'here')).replace('"here"', () => json) });
    const refuse = () => expect(() => before({ event })).toThrow(refused);
    expect(
      processorTime(refuse, (taken) => taken <= ms),
      name + pointer(path),
    ).toBeLessThanOrEqual(ms);
  };

  test('is refused soon after its JSON is parsed if it is, or has, a list of millions of entries.', () => {
    const list = `[${Array(largest / 2).fill(1)}]`;
    const ms = most(list);
    for (const body of bodies) {
      const lists = body.collections.filter(({ isList }) => isList).map(({ path }) => path);
      for (const path of someOf([[], ...lists], body.name)) expectRefusal(body, path, list, ms);
    }
  });

  test.for([
    ['unknown fields', [], `{${Array.from({ length: largest / 15 }, (_, index) => `"f${index}":1`)}}`],
    ['lists in lists', [], '['.repeat(largest / 2) + ']'.repeat(largest / 2)],
    ['at signs', ['managedBy'], `"${'@'.repeat(largest)}"`],
    ['commas', ['webhookUrls'], `"${','.repeat(largest)}"`],
  ] as const)('is refused soon after its JSON is parsed if it has hundreds of thousands of %s.', ([, path, json]) => {
    const body = bodies.find(({ name }) => name === 'update-link') as Body;
    expectRefusal(body, path, json, most(json));
  });

  test('is refused soon after its JSON is parsed if each of its links has as many wrong values as the limits allow.', () => {
    const { schema } = bodies.find(({ name }) => name === 'link of an import') as Body;
    const conditions = Object.fromEntries(['country', 'device', 'os', 'language'].map((name) => [name, Array(1_000).fill(1)]));
    const link = { url: 'https://example.org/', rules: Array(20).fill({ if: conditions, url: 'https://example.org/' }) };
    const links = Array(Math.floor(largest / JSON.stringify(link).length)).fill(link);
    const ms = most(JSON.stringify(links));
    const checkAll = () => {
      for (const one of links) check(schema, one, 1);
    };
    expect(processorTime(checkAll, (taken) => taken <= ms)).toBeLessThanOrEqual(ms);
    expect(check(schema, link, 1).errors).toEqual(check(schema, link).errors?.slice(0, 1));
  });
});
