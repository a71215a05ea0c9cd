import type { ApiKey } from '../key/api-key.ts';
import { checkHolds } from '../key/authority.ts';
import { type Role, rolePermissions } from './roles.ts';

/**
 * What a key may do to members. Nobody gives or takes what they lack: to invite, approve, promote, demote or remove
 * somebody, the caller needs every permission of the role that the member has, before and after. The rules for callers are
 * those for keys (`key/authority.ts`), with `members:write`.
 */

/** Refuses a caller that lacks a permission of one of the roles. @throws RequestError `forbidden` */
export function checkRoles(caller: ApiKey, ...roles: readonly Role[]): void {
  for (const role of roles)
    checkHolds(caller, rolePermissions[role], `so it cannot make or change a member with the role ${role}`);
}
