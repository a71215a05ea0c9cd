import { expect, test } from 'vitest';
import { newMemberId, newWorkspaceId } from '../../../../lambdas/core/ids.ts';
import {
  invitationIn,
  invitationUrl,
  looksLikeInvitation,
  newInvitationSecret,
} from '../../../../lambdas/core/member/invitation.ts';

test('A secret leads to its member and its hash, and no two secrets of a member are the same.', () => {
  const [workspaceId, memberId] = [newWorkspaceId(), newMemberId()];
  const secrets = Array.from({ length: 100 }, () => newInvitationSecret(workspaceId, memberId));
  for (const secret of secrets) {
    expect(looksLikeInvitation(secret)).toBe(true);
    expect(invitationIn(secret)).toEqual({ workspaceId, memberId, hash: expect.stringMatching(/^[\w-]{43}$/) });
  }
  expect(new Set(secrets.map((secret) => invitationIn(secret)?.hash)).size).toBe(100);
});

test.for(['', 'inv_', `inv_${'a'.repeat(63)}`, `inv_${'a'.repeat(65)}`, `lk_${'a'.repeat(64)}`, `inv_${'-'.repeat(64)}`])(
  "%j isn't the secret of an invitation.",
  (text) => {
    expect(looksLikeInvitation(text)).toBe(false);
    expect(invitationIn(text)).toBeUndefined();
  },
);

test('The link of an invitation has the secret in its fragment, which browsers send to nobody.', () => {
  const secret = newInvitationSecret(newWorkspaceId(), newMemberId());
  const url = new URL(invitationUrl('https://links.example/prod', secret));
  expect([url.pathname, url.search, url.hash]).toEqual(['/prod/console', '', `#invitation=${secret}`]);
});
