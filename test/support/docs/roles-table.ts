import { permissions } from '../../../lambdas/core/key/permissions.ts';
import { rolePermissions, roles } from '../../../lambdas/core/member/roles.ts';

/** The table of docs/operate.md: a row for each role, in ascending order, with its permissions beyond the one before. */
export function rolesTable(): string {
  const shown = [...roles].reverse();
  const rows = shown.map((role, index) => {
    const before = shown[index - 1];
    const known = before ? rolePermissions[before] : [];
    const more = permissions.filter((one) => rolePermissions[role].includes(one) && !known.includes(one));
    return `| \`${role}\` | ${before ? `as \`${before}\`, and ` : ''}${more.map((one) => `\`${one}\``).join(', ')} |`;
  });
  return ['| role | permissions |', '|---|---|', ...rows].join('\n');
}
