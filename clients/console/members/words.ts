import { type Role, rolePermissions, roles } from '../../../lambdas/core/member/roles.ts';
import type { StatusWords } from '../parts/kit/status-words.ts';
import { shortTime } from '../parts/time.ts';

/** What a role may do, in a sentence. */
export const roleTexts: Readonly<Record<Role, string>> = {
  owner: 'can do everything',
  editor: 'can view everything, and create and edit links and tags',
  viewer: 'can view everything',
};

/** The roles that somebody may give and take: those whose permissions they have. */
export const givableRoles = (own: readonly string[]): readonly Role[] =>
  roles.filter((role) => rolePermissions[role].every((permission) => own.includes(permission)));

type Shown = {
  readonly state: 'invited' | 'pending' | 'active';
  readonly lastSignedInAt: string | null;
  readonly createdAt: string;
};

/** A member's state, in words. */
export function stateOf({ state, lastSignedInAt, createdAt }: Shown, now?: number): StatusWords {
  switch (state) {
    case 'invited':
      return { icon: 'clock', tone: 'quiet', word: `Invited ${shortTime(createdAt, now)}` };
    case 'pending':
      return { icon: 'alert', tone: 'warning', word: 'Waiting for approval' };
    default:
      return { icon: 'check', tone: 'good', word: lastSignedInAt ? `Signed in ${shortTime(lastSignedInAt, now)}` : 'Active' };
  }
}
