import { useState } from 'react';
import { emailOf, nameOf } from '../../../lambdas/core/member/profile.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { Entry } from '../parts/kit/entry.tsx';
import { Entries, ListHead } from '../parts/kit/list.tsx';
import { Status } from '../parts/kit/status.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Menu } from '../parts/menu.tsx';
import { untilAnswered } from '../service/patience.ts';
import { useMay } from '../service/queries.ts';
import { useSession } from '../service/session.ts';
import type { Me } from '../service/types.ts';
import { ChangeRole } from './change-role.tsx';
import { Invite } from './invite.tsx';
import { type Member, memberAt, useMembers } from './list.ts';
import { Remove } from './remove.tsx';
import { givableRoles, roleTexts, stateOf } from './words.ts';

type Open = { readonly what: 'invite' } | { readonly what: 'role' | 'remove' | 'leave'; readonly member: Member };

/** The members of the workspace, and invitations. */
export function MembersScreen({ me }: { readonly me: Me }) {
  const mayWrite = useMay('members:write');
  const members = useMembers();
  const { signedIn, workspaceId } = useSession();
  const own = signedIn?.workspaces.find(({ id }) => id === workspaceId)?.memberId;
  const [open, setOpen] = useState<Open>();
  const change = useChange('members:write');
  const close = () => setOpen(undefined);
  const roles = givableRoles(me.key.permissions);
  const approve = (member: Member) =>
    change.run(async (say) => {
      await untilAnswered(() => memberAt(member.id).patch({ state: 'active' }), say);
      return { text: `${emailOf(member)} is a member now.` };
    });
  return (
    <div className="screen">
      <ListHead
        title="Members"
        action={mayWrite && roles.length > 0 && 'Invite someone'}
        onAction={() => setOpen({ what: 'invite' })}
      />
      <Loaded query={members} what="The members" permission="members:read">
        {(list) => (
          <Entries none="No members yet. Invite people, and they sign in with their own accounts.">
            {list.map((member) => (
              <MemberEntry
                key={member.id}
                member={member}
                isOwn={member.id === own}
                isChangeable={mayWrite && member.id !== own && roles.includes(member.role)}
                isBusy={change.isBusy}
                onApprove={() => approve(member)}
                onOpen={setOpen}
              />
            ))}
          </Entries>
        )}
      </Loaded>
      {change.note}
      {open?.what === 'invite' && <Invite roles={roles} onClose={close} />}
      {open?.what === 'role' && <ChangeRole member={open.member} roles={roles} onClose={close} />}
      {open?.what === 'remove' && <Remove member={open.member} isOwn={false} onClose={close} />}
      {open?.what === 'leave' && <Remove member={open.member} isOwn onClose={close} />}
    </div>
  );
}

type MemberEntryProps = {
  readonly member: Member;
  readonly isOwn: boolean;
  readonly isChangeable: boolean;
  readonly isBusy: boolean;
  readonly onApprove: () => unknown;
  readonly onOpen: (open: Open) => void;
};

function MemberEntry({ member, isOwn, isChangeable, isBusy, onApprove, onOpen }: MemberEntryProps) {
  const { name, role, state } = member;
  const email = emailOf(member);
  return (
    <Entry
      className="tall"
      side={
        <>
          {isOwn && <span className="badge">You</span>}
          <Status {...stateOf(member)} />
          {isChangeable && state === 'pending' && (
            <Button disabled={isBusy} onClick={onApprove}>
              Approve
            </Button>
          )}
          {(isChangeable || isOwn) && (
            <Menu
              label={`Actions for ${email}`}
              button={<Icon name="more" />}
              items={
                isOwn
                  ? [{ label: 'Leave the workspace…', isBad: true, run: () => onOpen({ what: 'leave', member }) }]
                  : [
                      { label: 'Change the role…', run: () => onOpen({ what: 'role', member }) },
                      {
                        label: state === 'invited' ? 'Withdraw the invitation…' : 'Remove…',
                        isBad: true,
                        run: () => onOpen({ what: 'remove', member }),
                      },
                    ]
              }
            />
          )}
        </>
      }
    >
      <bdi className="cut">
        <strong>{nameOf(member)}</strong>
      </bdi>
      {name !== null && <bdi className="small cut">{email}</bdi>}
      <span className="small long">
        {role}: {roleTexts[role]}
      </span>
    </Entry>
  );
}
