import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkIfMatch, isConditional, replyTagged } from '../../../lambdas/http/conditional.ts';
import { apiEvent } from '../../support/api-event.ts';

const failed = expect.objectContaining({ name: 'RequestError', code: 'precondition_failed' });
const body = { name: 'Launch' };
const etagOf = (one: unknown) => String(replyTagged(apiEvent(), 200, one).headers?.ETag);
const etag = etagOf(body);
const other = etagOf({ name: 'Other' });

const ifMatch = (...values: string[]) => apiEvent({ method: 'PATCH', headers: { 'if-match': values } });
const ifNoneMatch = (...values: string[]) => apiEvent({ method: 'GET', headers: { 'if-none-match': values } });

describe('an entity tag', () => {
  test('is strong, and goes on every answer', () => {
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(replyTagged(apiEvent(), 201, body, { Location: '/x' })).toMatchObject({
      statusCode: 201,
      body: JSON.stringify(body),
      headers: { ETag: etag, Location: '/x', 'Content-Type': 'application/json' },
    });
  });

  test('is the same for equal bodies, and another for every other body', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (one, two) => {
        const [a, b] = [JSON.parse(one), JSON.parse(two)];
        expect(etagOf(a)).toBe(etagOf(structuredClone(a)));
        expect(etagOf(a) === etagOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });
});

/** Fields, and whether they name the body: by strong comparison, and by weak. */
const fields: [string, { strong: boolean; weak: boolean }][] = [
  [etag, { strong: true, weak: true }],
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
  // What is no list of entity tags names nothing.
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
  test.for(fields)('%j holds only where it names the body, strongly', ([field, { strong }]) => {
    expect(isConditional(ifMatch(field))).toBe(true);
    const check = () => checkIfMatch(ifMatch(field), body);
    if (strong) check();
    else expect(check).toThrow(failed);
  });

  test.for(['*', ' * '])('%j holds for whatever there is, and a change under it is not bound to what was read', (field) => {
    expect(isConditional(ifMatch(field))).toBe(false);
    checkIfMatch(ifMatch(field), body);
  });

  test('need not be there', () => {
    expect(isConditional(apiEvent())).toBe(false);
    checkIfMatch(apiEvent(), body);
  });

  test('holds for a read too, and comes before If-None-Match', () => {
    const read = (...values: string[]) =>
      replyTagged(apiEvent({ method: 'GET', headers: { 'If-Match': values, 'If-None-Match': etag } }), 200, body);
    expect(() => read(other)).toThrow(failed);
    expect(read(etag).statusCode).toBe(304);
  });

  test('is not asked about the answer to a change, which has another entity tag by then', () => {
    expect(replyTagged(ifMatch(other), 200, body).statusCode).toBe(200);
  });
});

describe('If-None-Match', () => {
  test.for(fields)('%j spares a read its body where it names it, weakly', ([field, { weak }]) => {
    const { statusCode, body: sent, headers } = replyTagged(ifNoneMatch(field), 200, body);
    expect([statusCode, sent]).toEqual(weak ? [304, ''] : [200, JSON.stringify(body)]);
    expect(headers?.ETag).toBe(etag);
    expect(headers).toHaveProperty('Cache-Control', 'no-store');
  });

  test.for(['*', ' *'])('%j spares it whatever there is', (field) => {
    expect(replyTagged(ifNoneMatch(field), 200, body).statusCode).toBe(304);
  });

  test.for(['POST', 'PATCH', 'DELETE'])('says nothing to %s', (method) => {
    const event = apiEvent({ method, headers: { 'If-None-Match': etag } });
    expect(replyTagged(event, 200, body)).toMatchObject({ statusCode: 200, body: JSON.stringify(body) });
  });
});

test.for([
  ['If-Match', (values: string[]) => checkIfMatch(ifMatch(...values), body)],
  ['If-None-Match', (values: string[]) => replyTagged(ifNoneMatch(...values), 200, body)],
] as const)('%s that was sent more than once is refused as a bad request', ([, check]) => {
  expect(() => check([etag, other])).toThrow(expect.objectContaining({ code: 'bad_request' }));
});

test('a field of 8 kB, of whatever, is read at once', () => {
  const hostile = ['"', '",', 'W/', 'W/"', '"a" ', ' ', ','].map((part) => part.repeat(Math.floor(8_192 / part.length)));
  for (const field of hostile) expect(() => checkIfMatch(ifMatch(field), body)).toThrow(failed);
});
