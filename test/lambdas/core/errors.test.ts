import { expect, test } from 'vitest';
import { fieldRefused, notFound, RuleError, unavailable } from '../../../lambdas/core/errors.ts';

test('A refused field is named by its pointer, with the code and the message of the rule.', () => {
  const error = fieldRefused('/url', new RuleError('destination_private', 'must not lead there'));
  expect(error).toMatchObject({
    code: 'validation_failed',
    message: '/url must not lead there.',
    fieldErrors: [{ path: '/url', code: 'destination_private', message: 'must not lead there' }],
    retryAfter: undefined,
  });
});

test('A not-found error names only the type of the missing thing.', () => {
  expect(notFound('link')).toMatchObject({ code: 'not_found', message: 'There is no such link.', fieldErrors: [] });
});

test('If the store is unavailable, the error says when to retry.', () => {
  expect(unavailable()).toMatchObject({ code: 'temporarily_unavailable', retryAfter: 1 });
});
