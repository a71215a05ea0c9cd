import { type FormEvent, useState } from 'react';
import { nameOf } from '../../../lambdas/core/member/profile.ts';
import type { Role } from '../../../lambdas/core/member/roles.ts';
import { saying, toastFailure } from '../parts/actions.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useAction } from '../parts/forms/action.tsx';
import { Button } from '../parts/kit/button.tsx';
import { toast } from '../parts/toasts.tsx';
import { type Made, recording } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { untilAnswered } from '../service/patience.ts';
import { all, mayUndo } from '../service/queries.ts';
import { type Member, refreshMembers } from './list.ts';
import { RoleField } from './role-field.tsx';

type ChangeRoleProps = { readonly member: Member; readonly roles: readonly Role[]; readonly onClose: () => void };

async function giveRole(id: string, role: Role): Promise<{ readonly response: Response }> {
  const { response } = await api.PATCH('/api/v1/members/{id}', { params: { path: { id } }, body: { role } });
  refreshMembers();
  return { response };
}

/** Gives a member the role that they had before a change, unless somebody has changed it again since. */
const takeBackRole = (made: Made, id: string, given: Role) =>
  saying(async (say) => {
    const { formerOf, overtaken } = await import('../service/made.ts');
    const former = (await formerOf(made, id, 'role', say)) as Role;
    const now = await untilAnswered(() => all(api.pages('/api/v1/members')), say);
    // The history has a change a moment later.
    if (now.find((one) => one.id === id)?.role !== given) throw overtaken;
    await untilAnswered(() => giveRole(id, former), say);
    toast('The change is undone.', { tone: 'good' });
  }).catch(toastFailure);

/** Gives a member another role. */
export function ChangeRole({ member, roles, onClose }: ChangeRoleProps) {
  const { id, role: before } = member;
  const who = nameOf(member);
  const [role, setRole] = useState<Role>(before);
  const { isBusy, wrong, note, run } = useAction('members:write', ['role']);
  const change = (event: FormEvent) => {
    event.preventDefault();
    if (role === before) return onClose();
    void run(async (say) => {
      const record = recording();
      await untilAnswered(() => record.send(() => giveRole(id, role)), say);
      const action = mayUndo() && { label: 'Undo', run: () => void takeBackRole(record.made(), id, role) };
      toast(`${who} is ${role} now.`, { tone: 'good', ...(action && { action }) });
      onClose();
    });
  };
  return (
    <Dialog title={`The role of ${who}`} onClose={onClose}>
      <form className="stack wide-gap" noValidate onSubmit={change}>
        <RoleField roles={roles} role={role} onChange={setRole} message={wrong.role} />
        <p className="small">Keys that they have made stay as they are.</p>
        {note}
        <p className="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isSubmit disabled={isBusy}>
            {isBusy ? 'Saving…' : 'Save'}
          </Button>
        </p>
      </form>
    </Dialog>
  );
}
