import type { Role } from '../../../lambdas/core/member/roles.ts';
import { SelectField } from '../parts/kit/field.tsx';
import { roleTexts } from './words.ts';

type RoleFieldProps = {
  readonly roles: readonly Role[];
  readonly role: Role;
  readonly onChange: (role: Role) => void;
  readonly message: string | undefined;
};

/** A choice of the roles that somebody may give. */
export const RoleField = ({ roles, role, onChange, message }: RoleFieldProps) => (
  <SelectField
    label="Role"
    message={message}
    hint={`This member ${roleTexts[role]}.`}
    value={role}
    options={roles.map((one) => [one, one])}
    onChoose={onChange}
  />
);
