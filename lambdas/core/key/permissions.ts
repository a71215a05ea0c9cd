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
] as const;

export type Permission = (typeof permissions)[number];
