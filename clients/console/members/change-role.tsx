import { nameOf } from '../../../lambdas/core/member/profile.ts';
import type { Role } from '../../../lambdas/core/member/roles.ts';
import { useChange } from '../parts/kit/change.tsx';
import { useEdited } from '../parts/kit/conflict.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
import { type Member, memberAt } from './list.ts';
import { RoleField } from './role-field.tsx';

type ChangeRoleProps = { readonly member: Member; readonly roles: readonly Role[]; readonly onClose: () => void };

const labels = { role: 'Role' };
const valuesOf = ({ role }: Member) => ({ role });

/** Gives a member another role. */
export function ChangeRole({ member, roles, onClose }: ChangeRoleProps) {
  const who = nameOf(member);
  const calls = memberAt(member.id);
  const form = useEdited({ value: member, etag: '' }, { calls, valuesOf, labels, shown: (role) => role });
  const { role } = form.values;
  const change = useChange('members:write', ['role']);
  const changes = role === form.base.role ? {} : { role };
  const said = () => `${who} is now ${role === 'viewer' ? 'a' : 'an'} ${role}.`;
  return (
    <FormDialog
      title={`The role of ${who}`}
      onClose={onClose}
      change={change}
      edited={form}
      action="Save"
      run={(say) => form.save(changes, say, said)}
    >
      <RoleField roles={roles} role={role} onChange={(chosen) => form.edit({ role: chosen })} message={change.wrong.role} />
      <p className="small">API keys that they have created stay as they are.</p>
    </FormDialog>
  );
}
