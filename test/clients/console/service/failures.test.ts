import { expect, test } from 'vitest';
import { failureOf, isUnsure, UnsureError, waitOf, wrongAt } from '../../../../clients/console/service/failures.ts';
import { ProblemError } from '../../../../clients/typescript/problem.ts';

const problem = (status: number, body: object = {}, retryAfter?: number) =>
  new ProblemError(status, JSON.stringify(body), false, retryAfter);

test.for([
  ['no network', new TypeError('Failed to fetch'), false, 'You are offline. This may be out of date.'],
  ['no answer', new TypeError('Failed to fetch'), true, 'The service did not answer.'],
  ['403', problem(403), true, 'You need permission to create and edit links (links:write). Ask an owner.'],
  ['429', problem(429, {}, 4), true, 'Too many requests. Try again in 4 s.'],
  [
    'a change of unknown outcome',
    new UnsureError(problem(503)),
    true,
    'The service did not answer, so this may or may not be saved. Try again: nothing is done twice.',
  ],
  ['503', problem(503), true, 'The service did not answer.'],
  [
    'a file of clicks that cannot be read',
    problem(503, { code: 'temporarily_unavailable' }),
    true,
    'The service cannot do this now. Try again in a minute. If that does not help, tell the operator the request id.',
  ],
  [
    'a request that only programs can send',
    problem(409, { code: 'domain_deletion_in_progress', detail: 'Finish that with DELETE /api/v1/domains/{domain}.' }),
    true,
    'This domain is being deleted. Open it under Domains to finish that, or to keep it.',
  ],
  ['422', problem(422, { detail: 'It is wrong.' }), true, 'It is wrong.'],
] as const)('A person is told what to do after %s.', ([, error, isOnline, text]) => {
  expect(failureOf(error, isOnline, 'links:write').text).toBe(text);
});

test('Errors are shown at their fields, in the words of the API.', () => {
  const errors = [
    { path: '/url', code: 'required', message: 'is wrong' },
    { path: '/tagIds/3', code: 'tag_not_found', message: 'is no tag' },
    { path: '/tagIds/4', code: 'tag_not_found', message: 'is none either' },
  ];
  const { fields, paths } = failureOf(problem(422, { code: 'validation_failed', errors }), true);
  expect([wrongAt(paths, 'tagIds/3'), wrongAt(paths, 'tagIds'), wrongAt(paths, 'tag')]).toEqual([
    'is no tag',
    'is no tag; is none either',
    undefined,
  ]);
  expect(fields).toEqual({ url: 'is wrong', tagIds: 'is no tag; is none either' });
  expect(failureOf(problem(409, { code: 'slug_taken' }), true).fields).toEqual({ customSlug: 'is taken. Choose another one' });
});

test('Only a request without a final answer may have been carried out.', () => {
  const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });
  expect(
    [new TypeError('x'), problem(500), problem(503), problem(409, { code: 'idempotency_in_progress' })].map(isUnsure),
  ).not.toContain(false);
  expect([aborted, problem(409), problem(412), problem(422), problem(429)].map(isUnsure)).not.toContain(true);
});

test('A refused request waits for the time that the client gives, or a second.', () => {
  expect([waitOf(problem(429, {}, 60)), waitOf(problem(429)), waitOf(problem(429, {}, 4))]).toEqual([60, 1, 4]);
});
