import { useState } from 'react';
import { emailOf, nameOf } from '../../../lambdas/core/member/profile.ts';
import { useAction } from '../parts/forms/action.tsx';
import { Icon } from '../parts/icons.tsx';
import { Button } from '../parts/kit/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Menu } from '../parts/menu.tsx';
import { toast } from '../parts/toasts.tsx';
import { api } from '../service/client.ts';
import { untilAnswered } from '../service/patience.ts';
import { useMay } from '../service/queries.ts';
import { useSession } from '../service/session.ts';
import type { Me } from '../service/types.ts';
import { ChangeRole } from './change-role.tsx';
import { Invite } from './invite.tsx';
import { type Member, refreshMembers, useMembers } from './list.ts';
import { Remove } from './remove.tsx';
import { givableRoles, roleTexts, stateOf } from './words.ts';

type Open = { readonly what: 'invite' } | { readonly what: 'role' | 'remove' | 'leave'; readonly member: Member };

/** Who may use the workspace, and who is invited. */
export function MembersScreen({ me }: { readonly me: Me }) {
  const mayWrite = useMay('members:write');
  const members = useMembers(true);
  const { signedIn, workspaceId } = useSession();
  const own = signedIn?.workspaces.find(({ id }) => id === workspaceId)?.memberId;
  const [open, setOpen] = useState<Open>();
  const { isBusy, note, run } = useAction('members:write');
  const close = () => setOpen(undefined);
  const roles = givableRoles(me.key.permissions);
  const approve = (member: Member) =>
    run(async (say) => {
      const init = { params: { path: { id: member.id } }, body: { state: 'active' as const } };
      await untilAnswered(() => api.PATCH('/api/v1/members/{id}', init), say);
      toast(`${emailOf(member)} is a member now.`, { tone: 'good' });
      refreshMembers();
    });
  return (
    <div className="screen">
      <div className="screen-head">
        <h1>Members</h1>
        {mayWrite && roles.length > 0 && <Button onClick={() => setOpen({ what: 'invite' })}>Invite a person</Button>}
      </div>
      <Loaded query={members} what="The members" permission="members:read">
        {(list) =>
          list.length === 0 ? (
            <p>Nobody signs in to this workspace yet: it is used with keys only.</p>
          ) : (
            <ul className="entries">
              {list.map((member) => {
                const { id, name, role, state } = member;
                const email = emailOf(member);
                const { icon, tone, word } = stateOf(member);
                const isOwn = id === own;
                const isChangeable = mayWrite && !isOwn && roles.includes(role);
                return (
                  <li key={id} className="entry tall">
                    <div className="entry-main">
                      <bdi className="cut">
                        <strong>{nameOf(member)}</strong>
                      </bdi>
                      {name !== null && <bdi className="small cut">{email}</bdi>}
                      <span className="small long">
                        {role}: {roleTexts[role]}
                      </span>
                    </div>
                    <div className="entry-side">
                      {isOwn && <span className="badge">You</span>}
                      <span className={`state-word ${tone}`}>
                        <Icon name={icon} /> {word}
                      </span>
                      {isChangeable && state === 'pending' && (
                        <Button disabled={isBusy} onClick={() => approve(member)}>
                          Approve
                        </Button>
                      )}
                      {(isChangeable || isOwn) && (
                        <Menu
                          label={`Actions for ${email}`}
                          button={<Icon name="more" />}
                          items={
                            isOwn
                              ? [{ label: 'Leave the workspace…', isBad: true, run: () => setOpen({ what: 'leave', member }) }]
                              : [
                                  { label: 'Change the role…', run: () => setOpen({ what: 'role', member }) },
                                  {
                                    label: state === 'invited' ? 'Take the invitation back…' : 'Remove…',
                                    isBad: true,
                                    run: () => setOpen({ what: 'remove', member }),
                                  },
                                ]
                          }
                        />
                      )}
                    </div>
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
      {note}
      {open?.what === 'invite' && <Invite roles={roles} onClose={close} />}
      {open?.what === 'role' && <ChangeRole member={open.member} roles={roles} onClose={close} />}
      {open?.what === 'remove' && <Remove member={open.member} isOwn={false} onClose={close} />}
      {open?.what === 'leave' && <Remove member={open.member} isOwn onClose={close} />}
    </div>
  );
}
