import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '../base62.ts';
import type { Permission } from './permissions.ts';

/** The member and the sign-in that a key belongs to, and the role that the member had when it was made. */
export type SignInOfKey = { readonly id: string; readonly memberId: string; readonly role: string };

/** The gateway's keys for a workspace. Usage plans count its requests by them. Callers never see them. */
export type GatewayKeys = {
  readonly gatewayKey: string;
  /** The key of a plan that allows more imports, used instead until then. Absent if there never was one. */
  readonly lifted?: { readonly gatewayKey: string; readonly until: string };
};

/** The key under which the gateway counts a request. @param now in milliseconds since 1970 */
export const gatewayKeyAt = ({ gatewayKey, lifted }: GatewayKeys, now: number): string =>
  lifted && now < Date.parse(lifted.until) ? lifted.gatewayKey : gatewayKey;

/** An API key as stored in the table, which never holds the key itself. */
export type ApiKey = GatewayKeys & {
  /** `key_` and the fingerprint. */
  readonly id: string;
  /** The key's first characters, so that its owner recognises it. */
  readonly prefix: string;
  readonly name: string | null;
  readonly workspaceId: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: string;
  /** Who created it, as `authorText` writes it. */
  readonly createdBy: string;
  /** The key is refused from this time on. Absent if it does not expire. */
  readonly expiresAt?: string;
  /**
   * The latest expiry that other keys can give it: the expiry of its creator when it was created. Absent if the creator
   * had none, or was the operator.
   */
  readonly endsBy?: string;
  /** When it was last used, updated at most once a minute. Absent if it never was. */
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
  /** The id of the key that it replaces. */
  readonly replaces?: string;
  /** The id of the key that replaces it. */
  readonly replacedBy?: string;
  /** How often it was updated. Writes that depend on a key's permissions use it to detect concurrent changes. */
  readonly revision?: number;
  /** The member who made it, directly or through other keys. Absent if the operator did, or a key without a member. */
  readonly madeBy?: string;
  /**
   * Whose sign-in it belongs to. Such a key ends with the sign-in, or if the member's role changes. It is not listed.
   */
  readonly signIn?: SignInOfKey;
};

/** The member for whom a key acts, or who made it; undefined if there is none. */
export const memberOf = ({ signIn, madeBy }: Pick<ApiKey, 'signIn' | 'madeBy'>): string | undefined => signIn?.memberId ?? madeBy;

const secretLength = 30;
const pattern = /^lk_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

const checksum = (secret: string): string => toBase62(crc32(secret).toString(16), 6);

/** A new key: `lk_`, 30 random base62 characters (178 bits), and a checksum of 6 characters. */
export function newApiKey(): string {
  const secret = randomBase62(secretLength);
  return `lk_${secret}${checksum(secret)}`;
}

/** Whether the text has the shape and checksum of a key, so that mistyped and invented keys cost no read. */
export function looksLikeApiKey(text: string): boolean {
  const [, secret, sum] = pattern.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/**
 * SHA-256 of a key in base64url, for the lookup. A key has 178 random bits, so it needs neither salt nor stretching.
 */
export const fingerprintOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

export const apiKeyId = (fingerprint: string): string => `key_${fingerprint}`;

/** The fingerprint in an API key's id; undefined if the text isn't such an id. */
export const fingerprintInId = (id: string): string | undefined => /^key_([0-9A-Za-z_-]{43})$/.exec(id)?.[1];
