import { createHash } from 'node:crypto';
import type { Identity } from './claims.ts';

/** SHA-256 in base64url. */
const hashOf = (...parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** Identifies a person by their provider's id for them. The email address is not part of it. */
export const identityHash = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string => hashOf(issuer, subject);

/** Identifies a session of the provider. @param sid from the provider's tokens */
export const providerSessionHash = (issuer: string, sid: string): string => hashOf('sid', issuer, sid);

/** Identifies a logout token. @param jti from the token */
export const logoutHash = (issuer: string, jti: string): string => hashOf('jti', issuer, jti);
