import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ApiEvent, callerOf, header } from '../../../lambdas/http/api-event.ts';
import { apiEvent } from '../../support/http/api-event.ts';

describe('a header', () => {
  test('A header is found in any case of its name.', () => {
    fc.assert(
      fc.property(fc.mixedCase(fc.constant('idempotency-key')), fc.mixedCase(fc.constant('idempotency-key')), (sent, asked) => {
        expect(header(apiEvent({ headers: { [sent]: 'a', Accept: 'b' } }), asked)).toBe('a');
      }),
    );
  });

  test.for([
    ['no headers', null],
    ['other headers', { Accept: ['a'] }],
    ['the header without a value', { 'X-Test': [] }],
    ['the header with an empty list of values', { 'X-Test': undefined }],
    ['the name of an inherited property', { Accept: ['a'] }],
  ] as const)('A header is absent if the request has %s.', ([, multiValueHeaders]) => {
    const event = { ...apiEvent(), multiValueHeaders } as unknown as ApiEvent;
    expect(header(event, 'X-Test')).toBeUndefined();
    expect(header(event, 'constructor')).toBeUndefined();
  });

  test('An empty header is present.', () => {
    expect(header(apiEvent({ headers: { 'X-Test': '' } }), 'X-Test')).toBe('');
  });

  test.for([
    ['in one list', { 'X-Test': ['a', 'a'] }],
    ['under names that differ in case', { 'X-Test': ['a'], 'x-test': ['a'] }],
  ])('A header that is sent twice is refused: %s.', ([, headers]) => {
    const sent = headers as Record<string, string[]>;
    expect(() => header(apiEvent({ headers: sent }), 'X-Test')).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });
});

describe('the caller', () => {
  const withAuthorizer = (authorizer: unknown) => {
    const event = apiEvent();
    return { ...event, requestContext: { ...event.requestContext, authorizer } } as ApiEvent;
  };

  test('The caller is the one that the authorizer names.', () => {
    const event = withAuthorizer({ workspaceId: 'ws_a', permissions: 'links:write tags:read', principalId: 'key_a' });
    expect(callerOf(event)).toEqual({
      workspaceId: 'ws_a',
      permissions: ['links:write', 'tags:read'],
      keyId: 'key_a',
      keyName: null,
    });
  });

  test.for([undefined, null, {}, { workspaceId: 'ws_a' }, { permissions: 'links:write' }, { workspaceId: 1, permissions: '' }])(
    'An internal error is thrown if the authorizer says %j.',
    (authorizer) => {
      expect(() => callerOf(withAuthorizer(authorizer))).toThrow('the authorizer did not name a workspace');
    },
  );
});
