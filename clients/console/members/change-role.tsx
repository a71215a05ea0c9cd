import { type FormEvent, useState } from 'react';
import { nameOf } from '../../../lambdas/core/member/profile.ts';
import type { Role } from '../../../lambdas/core/member/roles.ts';
import { toastFailure } from '../parts/actions.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useAction } from '../parts/forms/action.tsx';
import { toast } from '../parts/toasts.tsx';
import { api } from '../service/client.ts';
import { untilAnswered } from '../service/patience.ts';
import { type Member, refreshMembers } from './list.ts';
import { RoleField } from './role-field.tsx';

type ChangeRoleProps = { readonly member: Member; readonly roles: readonly Role[]; readonly onClose: () => void };

async function giveRole(id: string, role: Role): Promise<void> {
  await api.PATCH('/api/v1/members/{id}', { params: { path: { id } }, body: { role } });
  refreshMembers();
}

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
      await untilAnswered(() => giveRole(id, role), say);
      const undo = () => void giveRole(id, before).catch(toastFailure);
      toast(`${who} is ${role} now.`, { tone: 'good', action: { label: 'Undo', run: undo } });
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
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={isBusy}>
            {isBusy ? 'Saving…' : 'Save'}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
