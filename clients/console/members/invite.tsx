import { useState } from 'react';
import type { Role } from '../../../lambdas/core/member/roles.ts';
import { useChange } from '../parts/kit/change.tsx';
import { TextField } from '../parts/kit/field.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
import { ShownOnce } from '../parts/kit/shown-once.tsx';
import { keyed } from '../service/changes.ts';
import { api } from '../service/client.ts';
import type { Say } from '../service/patience.ts';
import { memberAt } from './list.ts';
import { RoleField } from './role-field.tsx';

/** Invites a person, and shows the link to send to them. */
export function Invite({ roles, onClose }: { readonly roles: readonly Role[]; readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>(roles.find((one) => one === 'editor') ?? roles[0] ?? 'viewer');
  const [link, setLink] = useState<string>();
  const change = useChange('members:write', ['email', 'role']);
  const invite = async (say: Say): Promise<undefined> => {
    const body = { email: email.trim(), role };
    const { data } = await keyed('member', body, say, (init) => api.POST('/api/v1/members', init));
    setLink(data.invitationUrl);
    memberAt(data.id).refresh();
  };
  if (link !== undefined) {
    return (
      <ShownOnce
        title="The invitation"
        what="link"
        text={link}
        hint={`Send this link to ${email.trim()} yourself: the service sends no email. It works once, for 7 days.`}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Invite someone"
      onClose={onClose}
      change={change}
      action="Invite"
      busy="Inviting…"
      isReady={email.trim() !== ''}
      run={invite}
    >
      <TextField
        label="Email address"
        message={change.wrong.email}
        hint="The one that they sign in with."
        type="email"
        value={email}
        onText={setEmail}
      />
      <RoleField roles={roles} role={role} onChange={setRole} message={change.wrong.role} />
    </FormDialog>
  );
}
