import { isAccessToken } from '../domain/access-token.ts';
import { RequestError } from '../domain/errors.ts';
import type { Link } from '../domain/link.ts';
import { isPassword } from '../domain/password.ts';
import { takeAttempt } from '../store/attempts.ts';
import type { ShortRequest } from './short-request.ts';

/** Longer than any password of 128 characters, however they are composed: it need not be looked at. */
const tooLong = 513;

/** What came of the password that a request has, if any; how long to wait is in seconds. */
export type PasswordCheck = 'none' | 'right' | 'wrong' | { readonly retryAfter: number };

/** Whether the visitor has given the link's password before, within the last 15 minutes. */
export const hasAccess = (link: Link, { accessTokens }: ShortRequest, now: number): boolean =>
  accessTokens.some((token) => isAccessToken(link, token, now));

/** Checks the password of a request against a protected link's, if the visitor has attempts left: only then anything is hashed. */
export async function checkPassword(link: Link, { password, sourceIp }: ShortRequest, now: number): Promise<PasswordCheck> {
  if (password === undefined || link.passwordHash === null) return 'none';
  if (password === '' || password.length >= tooLong) return 'wrong';
  const attempt = await takeAttempt(link, sourceIp, now);
  if ('retryAfter' in attempt) return attempt;
  let isRight: boolean | undefined;
  try {
    isRight = await isPassword(link.passwordHash, password);
    return isRight ? 'right' : 'wrong';
  } finally {
    // Unless it was wrong: a password that could not be checked was no guess.
    if (isRight !== false) await giveBack(attempt);
  }
}

/** If it cannot be given back just now, one who knows the password has one attempt less for a while. */
const giveBack = (attempt: { readonly giveBack: () => Promise<void> }): Promise<void> =>
  attempt.giveBack().catch((error) => {
    if (!(error instanceof RequestError)) throw error;
  });
