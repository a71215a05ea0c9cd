import { type Permission, permissions } from '../key/permissions.ts';

/** From the most permissions to the fewest. */
export const roles = ['owner', 'editor', 'viewer'] as const;

export type Role = (typeof roles)[number];

/** The one of two roles with more permissions. */
export const higherRole = (one: Role, other: Role): Role => (roles.indexOf(one) < roles.indexOf(other) ? one : other);

const reading = /* @__PURE__ */ permissions.filter((one) => one.endsWith(':read'));

/** The permissions of each role. docs/operate.md has this table. */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  owner: permissions,
  editor: /* @__PURE__ */ permissions.filter((one) => reading.includes(one) || one === 'links:write' || one === 'tags:write'),
  viewer: reading,
};
