import { RequestError } from '../core/errors.ts';
import { passwordLength } from '../core/limits.ts';
import type { Link } from '../core/link/link.ts';
import { isPassword } from '../core/link/password.ts';
import { isAccessToken } from '../core/visit/access-token.ts';
import { takeGuess } from '../store/limits/password-guesses.ts';
import type { ShortRequest } from './short-request.ts';

/**
 * No password of `passwordLength` characters is this long, however they are composed. Such texts are wrong, unchecked.
 */
const tooLong = 4 * passwordLength + 1;

/** The result of checking a request's password, if it has one. `retryAfter` is in seconds. */
export type PasswordCheck = 'none' | 'right' | 'wrong' | { readonly retryAfter: number };

/** Whether the visitor has entered the link's password within the last 15 minutes. */
export const hasAccess = (link: Link, { accessTokens }: ShortRequest, now: number): boolean =>
  accessTokens.some((token) => isAccessToken(link, token, now));

/** Checks a request's password. Nothing is hashed unless the visitor has attempts left. */
export async function checkPassword(link: Link, { password, sourceIp, receivedAt }: ShortRequest): Promise<PasswordCheck> {
  if (password === undefined || link.passwordHash === null) return 'none';
  if (password === '' || password.length >= tooLong) return 'wrong';
  const attempt = await takeGuess(link, sourceIp, receivedAt);
  if ('retryAfter' in attempt) return attempt;
  let isRight: boolean | undefined;
  try {
    isRight = await isPassword(link.passwordHash, password);
    return isRight ? 'right' : 'wrong';
  } finally {
    // Also if the check has failed: only a wrong password uses up an attempt.
    if (isRight !== false) await giveBack(attempt);
  }
}

/** Returns an attempt. If the store is unavailable, the visitor has one attempt less for a while. */
const giveBack = (attempt: { readonly giveBack: () => Promise<void> }): Promise<void> =>
  attempt.giveBack().catch((error) => {
    if (!(error instanceof RequestError)) throw error;
  });
