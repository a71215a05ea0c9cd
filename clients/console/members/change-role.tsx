import { useState } from 'react';
import { nameOf } from '../../../lambdas/core/member/profile.ts';
import type { Role } from '../../../lambdas/core/member/roles.ts';
import { undoneText } from '../parts/actions.ts';
import { useChange } from '../parts/kit/change.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
import { type Made, recording } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { type Say, untilAnswered } from '../service/patience.ts';
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
async function takeBackRole(made: Made, id: string, given: Role, say: Say): Promise<string> {
  const { formerOf, overtaken } = await import('../service/made.ts');
  const former = (await formerOf(made, id, 'role', say)) as Role;
  const now = await untilAnswered(() => all(api.pages('/api/v1/members')), say);
  // The history has a change a moment later.
  if (now.find((one) => one.id === id)?.role !== given) throw overtaken;
  await untilAnswered(() => giveRole(id, former), say);
  return undoneText;
}

/** Gives a member another role. */
export function ChangeRole({ member, roles, onClose }: ChangeRoleProps) {
  const { id, role: before } = member;
  const who = nameOf(member);
  const [role, setRole] = useState<Role>(before);
  const change = useChange('members:write', ['role']);
  const submit = async () => {
    const isDone = await change.run(async (say) => {
      if (role === before) return {};
      const record = recording();
      await untilAnswered(() => record.send(() => giveRole(id, role)), say);
      const undo = (tell: Say) => takeBackRole(record.made(), id, role, tell);
      return { text: `${who} is now ${role === 'viewer' ? 'a' : 'an'} ${role}.`, undo: mayUndo() ? undo : undefined };
    });
    if (isDone) onClose();
  };
  return (
    <FormDialog title={`The role of ${who}`} onClose={onClose} change={change} action="Save" onSubmit={submit}>
      <RoleField roles={roles} role={role} onChange={setRole} message={change.wrong.role} />
      <p className="small">API keys that they have created stay as they are.</p>
    </FormDialog>
  );
}
