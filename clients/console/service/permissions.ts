const things: Readonly<Record<string, string>> = { stats: 'statistics', history: 'the history', keys: 'API keys' };
const whole: Readonly<Record<string, string>> = { 'stats:write': 'Erase clicks', 'members:write': 'Invite and manage members' };

/** What a permission allows, such as "Create and edit links" for `links:write`. */
export function permissionText(permission: string): string {
  const [thing = '', how] = permission.split(':');
  return whole[permission] ?? `${how === 'read' ? 'View' : 'Create and edit'} ${things[thing] ?? thing}`;
}

/** The text for somebody who lacks a permission. */
export function lackText(permission: string): string {
  const text = permissionText(permission);
  return `You need permission to ${text.charAt(0).toLowerCase()}${text.slice(1)} (${permission}). Ask an owner.`;
}
