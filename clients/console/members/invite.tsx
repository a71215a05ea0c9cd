import { type FormEvent, useState } from 'react';
import type { Role } from '../../../lambdas/core/member/roles.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useAction } from '../parts/forms/action.tsx';
import { Field } from '../parts/forms/field.tsx';
import { ShownOnce } from '../parts/forms/shown-once.tsx';
import { Button } from '../parts/kit/button.tsx';
import { keyed } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { untilAnswered } from '../service/patience.ts';
import { refreshMembers } from './list.ts';
import { RoleField } from './role-field.tsx';

/** Invites a person, and shows the link to send to them. */
export function Invite({ roles, onClose }: { readonly roles: readonly Role[]; readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>(roles.find((one) => one === 'editor') ?? roles[0] ?? 'viewer');
  const [link, setLink] = useState<string>();
  const { isBusy, wrong, note, run } = useAction('members:write', ['email', 'role']);
  const invite = (event: FormEvent) => {
    event.preventDefault();
    void run(async (say) => {
      const body = { email: email.trim(), role };
      const { data } = await keyed('member', body, (key) => {
        const init = { params: { header: { 'Idempotency-Key': key } }, body };
        return untilAnswered(() => api.POST('/api/v1/members', init), say);
      });
      setLink(data.invitationUrl);
      refreshMembers();
    });
  };
  if (link !== undefined) {
    return (
      <ShownOnce
        title="The invitation"
        what="link"
        text={link}
        hint={`Send this link to ${email.trim()}: the service sends no mail. It works once, for 7 days.`}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <form className="stack wide-gap" noValidate onSubmit={invite}>
        <Field label="Email address" message={wrong.email} hint="The one that they sign in with.">
          {(described) => (
            <input
              {...described}
              type="email"
              value={email}
              autoComplete="off"
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <RoleField roles={roles} role={role} onChange={setRole} message={wrong.role} />
        {note}
        <p className="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isSubmit disabled={isBusy || email.trim() === ''}>
            {isBusy ? 'Inviting…' : 'Invite'}
          </Button>
        </p>
      </form>
    </Dialog>
  );
}
