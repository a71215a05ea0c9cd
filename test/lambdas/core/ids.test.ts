import { describe, expect, test } from 'vitest';
import {
  isTagId,
  newDomainId,
  newRequestId,
  newRequestToken,
  newSalt,
  newTagId,
  newWorkspaceId,
} from '../../../lambdas/core/ids.ts';

describe('A new id', () => {
  test.for([
    ['workspace id', newWorkspaceId, /^ws_[0-9A-Za-z]{16}$/],
    ['tag id', newTagId, /^tag_[0-9A-Za-z]{16}$/],
    ['domain id', newDomainId, /^dom_[0-9A-Za-z]{16}$/],
    ['request id', newRequestId, /^req_[0-9A-Za-z]{16}$/],
    ['salt', newSalt, /^[0-9A-Za-z]{32}$/],
    // DynamoDB takes request tokens of at most 36 characters.
    ['request token', newRequestToken, /^[0-9a-f-]{36}$/],
  ] as const)('A new %s has its format, and differs each time.', ([, make, shape]) => {
    const made = Array.from({ length: 500 }, make);
    expect(made.filter((id) => !shape.test(id))).toEqual([]);
    expect(new Set(made).size).toBe(500);
  });

  test('isTagId accepts the id of a tag, and nothing else.', () => {
    const id = newTagId();
    expect(isTagId(id)).toBe(true);
    for (const other of [
      '',
      id.slice(1),
      id.slice(0, -1),
      `${id}a`,
      `${id}\n`,
      id.toUpperCase(),
      newWorkspaceId(),
      `${id.slice(0, -1)}#`,
    ]) {
      expect(isTagId(other)).toBe(false);
    }
  });
});
