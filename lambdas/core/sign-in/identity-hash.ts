import { createHash } from 'node:crypto';
import type { Identity } from './claims.ts';

/** By what a person is found again: SHA-256 in base64url of who they are to their provider. The address plays no part. */
export const identityHash = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');
