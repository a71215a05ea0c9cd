import { RequestError } from '../errors.ts';
import type { ApiKey } from '../key/api-key.ts';

/** What matters of a key's member, as its item has it; undefined if it is gone. */
export type KeysMember = { readonly state?: unknown; readonly role?: unknown; readonly revokesKeys?: unknown } | undefined;

/**
 * Whether a key stands, as far as that depends on its member. A key of a sign-in stands while the member is active and has
 * the same role, and the sign-in is there. A key that a member made stands without its member, unless that was removed with
 * the keys: such a key is about to be revoked.
 */
export const belongs = ({ signIn }: Pick<ApiKey, 'signIn'>, member: KeysMember, isSignedIn: boolean): boolean =>
  signIn ? isSignedIn && member?.state === 'active' && member.role === signIn.role : !member?.revokesKeys;

/** Why a key whose member or sign-in is gone is refused. */
export const belongsToNobody = ({ signIn }: Pick<ApiKey, 'signIn'>) =>
  new RequestError(
    'unauthorized',
    signIn
      ? 'The sign-in of the API key has ended, or the member has been removed or has another role: fetch another key.'
      : 'The member who made the API key has been removed.',
  );
