import type { Role } from '../../../lambdas/core/member/roles.ts';
import { Field } from '../parts/forms/field.tsx';
import { roleTexts } from './words.ts';

type RoleFieldProps = {
  readonly roles: readonly Role[];
  readonly role: Role;
  readonly onChange: (role: Role) => void;
  readonly message: string | undefined;
};

/** A choice of the roles that somebody may give. */
export const RoleField = ({ roles, role, onChange, message }: RoleFieldProps) => (
  <Field label="Role" message={message} hint={`Such a member ${roleTexts[role]}.`}>
    {(described) => (
      <select {...described} value={role} onChange={(event) => onChange(event.target.value as Role)}>
        {roles.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    )}
  </Field>
);
