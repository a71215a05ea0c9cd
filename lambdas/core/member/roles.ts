import { type Permission, permissions } from '../key/permissions.ts';

/** The one that permits most comes first. */
export const roles = ['owner', 'editor', 'viewer'] as const;

export type Role = (typeof roles)[number];

/** The one of two roles that permits more. */
export const higherRole = (one: Role, other: Role): Role => (roles.indexOf(one) < roles.indexOf(other) ? one : other);

const reading = /* @__PURE__ */ permissions.filter((one) => one.endsWith(':read'));

/** What the members of each role may do. docs/operate.md has this table. */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  owner: permissions,
  editor: /* @__PURE__ */ permissions.filter((one) => reading.includes(one) || one === 'links:write' || one === 'tags:write'),
  viewer: reading,
};
