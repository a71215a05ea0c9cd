import { permissions } from '../../../lambdas/core/key/permissions.ts';
import { rolePermissions, roles } from '../../../lambdas/core/member/roles.ts';

/** The table of docs/operate.md: a row for each permission, with the roles that have it, from the least to the most. */
export function rolesTable(): string {
  const shown = [...roles].reverse();
  const rows = permissions.map(
    (one) => `| \`${one}\` | ${shown.map((role) => (rolePermissions[role].includes(one) ? 'yes' : '')).join(' | ')} |`,
  );
  return [`| permission | ${shown.map((role) => `\`${role}\``).join(' | ')} |`, '|---|---|---|---|', ...rows].join('\n');
}
