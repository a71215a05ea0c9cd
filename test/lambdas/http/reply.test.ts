import { describe, expect, test } from 'vitest';
import { type ErrorCode, RequestError } from '../../../lambdas/core/errors.ts';
import { problems } from '../../../lambdas/http/problems.ts';
import { problem, reply } from '../../../lambdas/http/reply.ts';

const common = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
const codes = Object.keys(problems) as ErrorCode[];

describe('a response', () => {
  test('A response with a body is JSON, which must not be stored or sniffed.', () => {
    expect(reply(200, { a: 'é😀' })).toStrictEqual({
      statusCode: 200,
      headers: { ...common, 'Content-Type': 'application/json' },
      body: '{"a":"é😀"}',
    });
  });

  test('A response without a body has no content type.', () => {
    expect(reply(204)).toStrictEqual({ statusCode: 204, headers: common, body: '' });
  });

  test('A response may have further headers.', () => {
    expect(reply(201, null, { Location: '/x' })).toMatchObject({ headers: { ...common, Location: '/x' }, body: 'null' });
  });

  test('A response is well-formed JSON, whatever texts it has.', () => {
    const { body } = reply(200, ['\ud800', '\0', '\u2028', '"']);
    expect(body.isWellFormed()).toBe(true);
    expect(JSON.parse(body)).toEqual(['\ud800', '\0', '\u2028', '"']);
  });
});

describe('A problem document', () => {
  test.for(codes)('The problem document of %s has exactly the members of RFC 9457 and the API.', (code) => {
    const { statusCode, headers, body } = problem(new RequestError(code, 'What went wrong.'), 'request-1');
    const { status, title } = problems[code];
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({ ...common, 'Content-Type': 'application/problem+json' });
    expect(JSON.parse(body)).toStrictEqual({
      type: `urn:problem:links:${code}`,
      title,
      status,
      detail: 'What went wrong.',
      code,
      requestId: 'request-1',
    });
  });

  test('A problem document lists the errors of fields if there are any.', () => {
    const fieldErrors = [{ path: '/url', code: 'destination_private', message: 'must not lead there' }];
    const { body } = problem(new RequestError('validation_failed', '/url must not lead there.', { fieldErrors }), 'request-1');
    expect(JSON.parse(body).errors).toStrictEqual(fieldErrors);
  });

  test.for([
    ['Retry-After', new RequestError('rate_limited', 'x', { retryAfter: 60 }), '60'],
    ['Retry-After', new RequestError('temporarily_unavailable', 'x', { retryAfter: 0 }), '0'],
    ['WWW-Authenticate', new RequestError('unauthorized', 'x'), 'Bearer'],
    ['Accept-Patch', new RequestError('unsupported_media_type', 'x'), 'application/json, application/merge-patch+json'],
  ] as const)('A problem document has the header %s if its code requires it.', ([name, error, value]) => {
    expect(problem(error, 'request-1').headers?.[name]).toBe(value);
  });

  test('A problem document has no other headers.', () => {
    for (const code of codes.filter((one) => one !== 'unsupported_media_type' && one !== 'unauthorized')) {
      const { headers } = problem(new RequestError(code, 'x'), 'request-1');
      expect(headers).toStrictEqual({ ...common, 'Content-Type': 'application/problem+json' });
    }
  });
});
