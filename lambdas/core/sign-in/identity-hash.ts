import { createHash } from 'node:crypto';
import type { Identity } from './claims.ts';

/** SHA-256 in base64url. */
const hashOf = (...parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** By what a person is found again: a hash of who they are to their provider. The address plays no part. */
export const identityHash = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string => hashOf(issuer, subject);

/** By what the sessions are found that began with one of the provider's. @param sid as the provider's tokens have it */
export const providerSessionHash = (issuer: string, sid: string): string => hashOf('sid', issuer, sid);

/** By what a logout token is found again. @param jti as the token has it */
export const logoutHash = (issuer: string, jti: string): string => hashOf('jti', issuer, jti);
