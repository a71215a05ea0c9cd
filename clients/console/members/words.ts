import { type Role, rolePermissions, roles } from '../../../lambdas/core/member/roles.ts';
import type { IconName } from '../parts/icon-paths.ts';
import { shortTime } from '../parts/time.ts';

/** What a role may do, in a sentence. */
export const roleTexts: Readonly<Record<Role, string>> = {
  owner: 'may do everything',
  editor: 'may read everything, and change links and tags',
  viewer: 'may read everything',
};

/** The roles that somebody may give and take: nobody needs more permissions than they have. */
export const givableRoles = (own: readonly string[]): readonly Role[] =>
  roles.filter((role) => rolePermissions[role].every((permission) => own.includes(permission)));

type Shown = {
  readonly state: 'invited' | 'pending' | 'active';
  readonly lastSignedInAt: string | null;
  readonly createdAt: string;
};
type Words = { readonly icon: IconName; readonly tone: 'good' | 'warning' | 'quiet'; readonly word: string };

/** How far somebody is with joining. */
export function stateOf({ state, lastSignedInAt, createdAt }: Shown, now?: number): Words {
  switch (state) {
    case 'invited':
      return { icon: 'clock', tone: 'quiet', word: `Invited ${shortTime(createdAt, now)}` };
    case 'pending':
      return { icon: 'alert', tone: 'warning', word: 'Waits for approval' };
    default:
      return { icon: 'check', tone: 'good', word: lastSignedInAt ? `Signed in ${shortTime(lastSignedInAt, now)}` : 'Active' };
  }
}
