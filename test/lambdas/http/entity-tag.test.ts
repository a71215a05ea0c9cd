import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readIfMatch, replyTagged, type Shown } from '../../../lambdas/http/entity-tag.ts';
import { apiEvent } from '../../support/http/api-event.ts';

const failed = expect.objectContaining({ name: 'RequestError', code: 'precondition_failed' });
const body = { name: 'Launch', clickCount: 1 };
/** The body of a GET of a thing whose only setting is its name. */
const shown = { body, settings: { name: 'Launch' } };
const etagOf = (one: Shown) => String(replyTagged(apiEvent(), 200, one).headers?.ETag);
const etag = etagOf(shown);
const other = etagOf({ body: { name: 'Other', clickCount: 1 }, settings: { name: 'Other' } });
const clicked = etagOf({ ...shown, body: { ...body, clickCount: 2 } });

const ifMatch = (...values: string[]) => apiEvent({ method: 'PATCH', headers: { 'if-match': values } });
const ifNoneMatch = (...values: string[]) => apiEvent({ method: 'GET', headers: { 'if-none-match': values } });

describe('An entity tag', () => {
  test('The entity tag is strong, and on every response.', () => {
    expect(etag).toMatch(/^"[\w-]{22}\.[\w-]{22}"$/);
    expect(replyTagged(apiEvent(), 201, shown, { Location: '/x' })).toMatchObject({
      statusCode: 201,
      body: JSON.stringify(body),
      headers: { ETag: etag, Location: '/x', 'Content-Type': 'application/json' },
    });
  });

  test('Equal bodies have the same entity tag, and different bodies have different ones.', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), fc.json(), (one, two, settings) => {
        const [a, b] = [one, two].map((json) => ({ body: JSON.parse(json), settings: JSON.parse(settings) })) as [Shown, Shown];
        expect(etagOf(a)).toBe(etagOf(structuredClone(a)));
        expect(etagOf(a) === etagOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  test('If-Match names all versions with the same settings, and no version with other settings.', async () => {
    const settings = fc.constantFrom('a', 'b', 'c');
    await fc.assert(
      fc.asyncProperty(settings, fc.nat(3), settings, fc.nat(3), async (sent, sentCount, name, count) => {
        const show = (name: string, clickCount: number) => ({ body: { name, clickCount }, settings: { name } });
        const event = ifMatch(etagOf(show(sent, sentCount)));
        const asked = readIfMatch(
          event,
          async () => 'read',
          () => show(name, count),
        );
        if (sent === name) expect(await asked).toBe('read');
        else await expect(asked).rejects.toThrow(failed);
      }),
    );
  });
});

/** Values of a header, and whether they name the settings by strong comparison, and the body by weak. */
const fields: [string, { strong: boolean; weak: boolean }][] = [
  [etag, { strong: true, weak: true }],
  [clicked, { strong: true, weak: false }],
  [`W/${clicked}`, { strong: false, weak: false }],
  [`${etag.slice(0, 23)}"`, { strong: false, weak: false }],
  [`${etag.slice(0, 24)}"`, { strong: false, weak: false }],
  [`${etag.slice(0, -1)}x"`, { strong: false, weak: false }],
  [` ${etag} `, { strong: true, weak: true }],
  [`${other}, ${etag}`, { strong: true, weak: true }],
  [`${other},${etag},"x"`, { strong: true, weak: true }],
  [`, ,${etag},`, { strong: true, weak: true }],
  [`"", "a,b", "W/", "ü", ${etag}`, { strong: true, weak: true }],
  [`W/"x", ${etag}`, { strong: true, weak: true }],
  [`W/${etag}`, { strong: false, weak: true }],
  [`${other}, W/${etag}`, { strong: false, weak: true }],
  [other, { strong: false, weak: false }],
  [`W/${other}`, { strong: false, weak: false }],
  ['""', { strong: false, weak: false }],
  // A value that isn't a list of entity tags names no version.
  ['', { strong: false, weak: false }],
  [etag.slice(1, -1), { strong: false, weak: false }],
  [etag.slice(0, -1), { strong: false, weak: false }],
  [`'${etag.slice(1, -1)}'`, { strong: false, weak: false }],
  [`w/${etag}`, { strong: false, weak: false }],
  [`W/ ${etag}`, { strong: false, weak: false }],
  [`x${etag}`, { strong: false, weak: false }],
  [`${etag}; q=1`, { strong: false, weak: false }],
  [`"a b", ${etag}`, { strong: false, weak: false }],
  [`*, ${etag}`, { strong: false, weak: false }],
  ['**', { strong: false, weak: false }],
];

describe('If-Match', () => {
  /** The version that is read for a change, which has the GET's body. */
  const found = { id: 'one' };
  const read = vi.fn(async () => found);
  const ask = (event: ReturnType<typeof apiEvent>) =>
    readIfMatch(event, read, async (one) => (one === found ? shown : { body: one, settings: one }));
  beforeEach(() => void read.mockClear());

  test.for(fields)(
    'If-Match: %j lets a change pass only if it names the settings by strong comparison, and only for the version that was read.',
    async ([field, { strong }]) => {
      if (strong) expect(await ask(ifMatch(field))).toBe(found);
      else await expect(ask(ifMatch(field))).rejects.toThrow(failed);
    },
  );

  test.for([
    ['of *', ifMatch('*')],
    ['of * with spaces', ifMatch(' * ')],
    ['that is absent', apiEvent()],
  ] as const)('An If-Match %s reads nothing, and the change is for any version.', async ([, event]) => {
    expect(await ask(event)).toBeUndefined();
    expect(read).not.toHaveBeenCalled();
  });

  test('If-Match is also honoured for reads, and checked before If-None-Match.', () => {
    const read = (...values: string[]) =>
      replyTagged(apiEvent({ method: 'GET', headers: { 'If-Match': values, 'If-None-Match': etag } }), 200, shown);
    expect(() => read(other)).toThrow(failed);
    expect(read(etag).statusCode).toBe(304);
  });

  test('If-Match is not compared with the response to a change, which has a new entity tag.', () => {
    expect(replyTagged(ifMatch(other), 200, shown).statusCode).toBe(200);
  });
});

describe('If-None-Match', () => {
  test.for(fields)('If-None-Match: %j gets 304 only if it names the body by weak comparison.', ([field, { weak }]) => {
    const { statusCode, body: sent, headers } = replyTagged(ifNoneMatch(field), 200, shown);
    expect([statusCode, sent]).toEqual(weak ? [304, ''] : [200, JSON.stringify(body)]);
    expect(headers?.ETag).toBe(etag);
    expect(headers).toHaveProperty('Cache-Control', 'no-store');
  });

  test.for(['*', ' *'])('If-None-Match: %j gets 304 for any version.', (field) => {
    expect(replyTagged(ifNoneMatch(field), 200, shown).statusCode).toBe(304);
  });

  test.for(['POST', 'PATCH', 'DELETE'])('If-None-Match is ignored by %s.', (method) => {
    const event = apiEvent({ method, headers: { 'If-None-Match': etag } });
    expect(replyTagged(event, 200, shown)).toMatchObject({ statusCode: 200, body: JSON.stringify(body) });
  });
});

test.for([
  [
    'If-Match',
    (values: string[]) =>
      readIfMatch(
        ifMatch(...values),
        async () => body,
        () => shown,
      ),
  ],
  ['If-None-Match', async (values: string[]) => replyTagged(ifNoneMatch(...values), 200, shown)],
] as const)('An %s that is sent more than once is refused as a bad request.', async ([, check]) => {
  await expect(check([etag, other])).rejects.toThrow(expect.objectContaining({ code: 'bad_request' }));
});

test('A header of 8 kB is read without backtracking.', async () => {
  const hostile = ['"', '",', 'W/', 'W/"', '"a" ', ' ', ','].map((part) => part.repeat(Math.floor(8_192 / part.length)));
  for (const field of hostile) {
    await expect(
      readIfMatch(
        ifMatch(field),
        async () => body,
        () => shown,
      ),
    ).rejects.toThrow(failed);
  }
});
