import { useState } from 'react';
import { nameOf } from '../../../lambdas/core/member/profile.ts';
import { Confirm } from '../parts/kit/confirm.tsx';
import { api } from '../service/client.ts';
import { deleteSurely, type Say } from '../service/patience.ts';
import { type Member, memberAt } from './list.ts';

type RemoveProps = {
  readonly member: Member;
  /** Whether it is the person at the page, who then leaves. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
};

/** Removes a member, withdraws an invitation, or leaves the workspace. */
export function Remove({ member, isOwn, onClose }: RemoveProps) {
  const { id, state } = member;
  const [keys, setKeys] = useState<'revoke' | 'keep'>('revoke');
  const who = nameOf(member);
  const isInvited = state === 'invited';
  const run = async (say: Say) => {
    const params = { query: { keys } };
    const send = () =>
      isOwn
        ? api.DELETE('/api/v1/members/me', { params })
        : api.DELETE('/api/v1/members/{id}', { params: { ...params, path: { id } } });
    await deleteSurely(send, say);
    if (isOwn) location.reload();
    memberAt(id).refresh();
    return {
      text: isOwn ? 'You have left the workspace.' : isInvited ? `${who}’s invitation is withdrawn.` : `${who} is removed.`,
    };
  };
  return (
    <Confirm
      title={isOwn ? 'Leave the workspace?' : isInvited ? `Withdraw ${who}’s invitation?` : `Remove ${who}?`}
      action={isOwn ? 'Leave' : isInvited ? 'Withdraw' : 'Remove'}
      keep={isOwn ? 'Stay' : 'Keep'}
      permission={isOwn ? undefined : 'members:write'}
      run={run}
      onClose={onClose}
    >
      {isInvited ? (
        <p>The invitation link will stop working. You can invite them again.</p>
      ) : (
        <>
          <p>
            {isOwn ? 'You lose' : 'They lose'} access within a minute. What {isOwn ? 'you have' : 'they have'} changed stays. To
            come back, {isOwn ? 'you' : 'they'} need a new invitation.
          </p>
          <fieldset className="plain stack">
            <legend className="label">API keys that {isOwn ? 'you have' : 'they have'} created</legend>
            {(
              [
                ['revoke', 'are revoked'],
                ['keep', 'keep working, for programs that need them'],
              ] as const
            ).map(([value, text]) => (
              <label key={value} className="check">
                <input type="radio" name="keys" checked={keys === value} onChange={() => setKeys(value)} />
                {text}
              </label>
            ))}
          </fieldset>
        </>
      )}
    </Confirm>
  );
}
