import { createHash } from 'node:crypto';
import { randomBase62 } from '../base62.ts';

/** For how many hours a person may stay signed in, and for how many they do unless the stage says otherwise. */
export const sessionHours = { least: 1, usual: 12, most: 168 } as const;

/** A new session's secret, which only the person's cookie holds: 43 random base62 characters, 256 bits. */
export const newSessionSecret = (): string => randomBase62(43);

/** SHA-256 of a session's secret in base64url, by which the table finds it. It has 256 random bits, so it needs no salt. */
const fingerprintOfSession = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** The id of a session: `sgn_` and the fingerprint of its secret; undefined if the text cannot be such a secret. */
export const signInIdOf = (secret: string): string | undefined =>
  /^[0-9A-Za-z]{43}$/.test(secret) ? `sgn_${fingerprintOfSession(secret)}` : undefined;
