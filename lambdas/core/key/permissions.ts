/** What an API key may be allowed to do. */
export const permissions = [
  'links:write',
  'links:read',
  'tags:write',
  'tags:read',
  'domains:write',
  'domains:read',
  'stats:write',
  'stats:read',
  'webhooks:write',
  'webhooks:read',
  'history:read',
  'keys:write',
  'keys:read',
  'members:write',
  'members:read',
] as const;

export type Permission = (typeof permissions)[number];

/** The default permissions of a new key: all except those on keys and members. */
export const defaultPermissions: readonly Permission[] = /* @__PURE__ */ permissions.filter(
  (one) => !one.startsWith('keys:') && !one.startsWith('members:'),
);
