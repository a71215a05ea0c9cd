import { RequestError } from '../errors.ts';
import type { ApiKey } from '../key/api-key.ts';

/** The relevant fields of a key's member, from its item; undefined if it is gone. */
export type KeysMember = { readonly state?: unknown; readonly role?: unknown; readonly revokesKeys?: unknown } | undefined;

/**
 * Whether a key is valid, as far as that depends on its member. A key of a sign-in is valid while the member is active
 * and has the same role, and the sign-in exists. A key that a member made outlives its member, unless the member was
 * removed together with the keys: then it is about to be revoked.
 */
export const belongs = ({ signIn }: Pick<ApiKey, 'signIn'>, member: KeysMember, isSignedIn: boolean): boolean =>
  signIn ? isSignedIn && member?.state === 'active' && member.role === signIn.role : !member?.revokesKeys;

/** The error for a key whose member or sign-in is gone. */
export const belongsToNobody = ({ signIn }: Pick<ApiKey, 'signIn'>) =>
  new RequestError(
    'unauthorized',
    signIn
      ? 'The sign-in of the API key has ended, or the member has been removed or has another role: fetch another key.'
      : 'The member who made the API key has been removed.',
  );
