import { createHash } from 'node:crypto';
import { randomBase62 } from '../base62.ts';

/** How many hours people stay signed in: the limits of the stage's setting, and its default. */
export const sessionHours = { least: 1, usual: 12, most: 168 } as const;

/**
 * A new session's secret, which only the person's cookie holds: the 16 random characters of the person's id, so that
 * all sessions of a person are in one partition, and 43 random base62 characters, 256 bits.
 */
export const newSessionSecret = (personId: string): string => `${personId.slice('per_'.length)}${randomBase62(43)}`;

/** SHA-256 of a session's secret in base64url, for the lookup. The secret has 256 random bits, so it needs no salt. */
const fingerprintOfSession = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/**
 * The id of a session: `sgn_`, the random characters of the person's id, and the fingerprint of its secret; undefined
 * if the text cannot be such a secret.
 */
export function signInIdOf(secret: string): string | undefined {
  const [, person] = /^([0-9A-Za-z]{16})[0-9A-Za-z]{43}$/.exec(secret) ?? [];
  return person && `sgn_${person}${fingerprintOfSession(secret)}`;
}

/** The id of a session's person; undefined if no session can have that id. */
export function personOfSignIn(id: string): string | undefined {
  const [, person] = /^sgn_([0-9A-Za-z]{16})[\w-]{43}$/.exec(id) ?? [];
  return person && `per_${person}`;
}
