import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.ts';
import type { Permission } from './permissions.ts';

/** An API key as the table has it: never the key itself. */
export type ApiKey = {
  /** `key_` and the fingerprint. */
  readonly id: string;
  /** The key's first characters, by which its owner recognises it. */
  readonly prefix: string;
  readonly name: string | null;
  readonly workspaceId: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: string;
  /** From then on it is refused; absent where it does not expire. */
  readonly expiresAt?: string;
  /** When it was used, written down at most once a minute; absent where it never was. */
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
  /** The id of the key in whose place it was made. */
  readonly replaces?: string;
  /** The id of the key that was made in its place. */
  readonly replacedBy?: string;
  /** How often it was updated, by which a rotation knows that it copies what is still there. */
  readonly revision?: number;
  /** What the usage plan knows the workspace by. Not a secret of the caller's. */
  readonly gatewayKey: string;
};

const secretLength = 30;
const pattern = /^lk_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

function checksum(secret: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(secret));
  return toBase62(sum, 6);
}

/** A new key: `lk_`, 30 random base62 characters (178 bits), and 6 of a checksum over them. */
export function newApiKey(): string {
  const secret = randomBase62(secretLength);
  return `lk_${secret}${checksum(secret)}`;
}

/** True where the text has a key's shape and its checksum is right, so that a mistyped or made-up key costs no read. */
export function looksLikeApiKey(text: string): boolean {
  const [, secret, sum] = pattern.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** SHA-256 of a key in base64url: what the table is asked for. With 178 random bits in a key it needs neither salt nor stretching. */
export const fingerprintOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

export const apiKeyId = (fingerprint: string): string => `key_${fingerprint}`;

/** The fingerprint that an API key's id carries; undefined where the text is no such id. */
export const fingerprintInId = (id: string): string | undefined => /^key_([0-9A-Za-z_-]{43})$/.exec(id)?.[1];
