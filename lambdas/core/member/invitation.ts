import { createHash } from 'node:crypto';
import { randomBase62 } from '../base62.ts';

/**
 * The secret of an invitation: `inv_`, the random parts of the workspace's and the member's ids, so that no lookup item
 * is needed, and 32 random base62 characters (190 bits). The table has only its hash.
 */
export type InvitationSecret = { readonly workspaceId: string; readonly memberId: string; readonly hash: string };

const pattern = /^inv_([0-9A-Za-z]{16})([0-9A-Za-z]{16})[0-9A-Za-z]{32}$/;

/** @throws Error if an id has the wrong shape */
export function newInvitationSecret(workspaceId: string, memberId: string): string {
  const [workspace, member] = [/^ws_(\w{16})$/.exec(workspaceId)?.[1], /^mbr_(\w{16})$/.exec(memberId)?.[1]];
  if (workspace === undefined || member === undefined) throw new Error('an invitation needs the ids of a workspace and a member');
  return `inv_${workspace}${member}${randomBase62(32)}`;
}

export const looksLikeInvitation = (text: string): boolean => pattern.test(text);

/** The parts of a secret; undefined if the text isn't one. */
export function invitationIn(secret: string): InvitationSecret | undefined {
  const [, workspace, member] = pattern.exec(secret) ?? [];
  if (workspace === undefined) return undefined;
  return { workspaceId: `ws_${workspace}`, memberId: `mbr_${member}`, hash: invitationHash(secret) };
}

/** A secret has 190 random bits, so its hash needs neither salt nor stretching. */
export const invitationHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/**
 * The link of an invitation. The secret is in the fragment, which browsers never send.
 *
 * @param base the URL of the API, without a trailing slash.
 */
export const invitationUrl = (base: string, secret: string): string => `${base}/console#invitation=${secret}`;
