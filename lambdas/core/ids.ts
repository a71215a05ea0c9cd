import { randomUUID } from 'node:crypto';
import { randomBase62 } from './base62.ts';

export const newWorkspaceId = (): string => `ws_${randomBase62(16)}`;
export const newTagId = (): string => `tag_${randomBase62(16)}`;
export const newTemplateId = (): string => `tpl_${randomBase62(16)}`;
/** New for each proof of ownership, so that a domain that changes hands starts without links. */
export const newDomainId = (): string => `dom_${randomBase62(16)}`;
/** The secret in a domain's TXT record, so that nobody can guess another workspace's record. */
export const newClaimToken = (): string => randomBase62(32);
/** An `IdempotencyToken` of ACM, which takes up to 32 letters and digits. */
export const newCertificateAttempt = (): string => randomBase62(32);
/** Identifies a request that creates links, in the creation marks of its links. */
export const newRequestId = (): string => `req_${randomBase62(16)}`;
/** Identifies an entry of the history that does not come from the stream. */
export const newEntryId = (): string => randomBase62(16);
export const newMemberId = (): string => `mbr_${randomBase62(16)}`;
/** Random, so that a person who was erased and signs in again gets a new id. */
export const newPersonId = (): string => `per_${randomBase62(16)}`;
export const newWebhookId = (): string => `whk_${randomBase62(16)}`;
/** Identifies a secret in lists. It says nothing about the secret. */
export const newSecretId = (): string => `whs_${randomBase62(16)}`;
export const newClickId = (): string => randomBase62(22);
/** Identifies a visit of a link with a cap, so that a retry recognises its claim if the response was lost. */
export const newVisitId = (): string => randomBase62(11);
/** Identifies a change of a link, so that a retry recognises it if the response was lost. */
export const newChangeToken = (): string => randomBase62(7);
/** The secret from which a request's generated slugs derive. */
export const newSalt = (): string => randomBase62(32);
/** A `ClientRequestToken` of DynamoDB: 1 to 36 characters. */
export const newRequestToken = (): string => randomUUID();

export const isTagId = (text: string): boolean => /^tag_[0-9A-Za-z]{16}$/.test(text);

export const isTemplateId = (text: string): boolean => /^tpl_[0-9A-Za-z]{16}$/.test(text);

export const isMemberId = (text: string): boolean => /^mbr_[0-9A-Za-z]{16}$/.test(text);

export const isPersonId = (text: string): boolean => /^per_[0-9A-Za-z]{16}$/.test(text);

export const isWebhookId = (text: string): boolean => /^whk_[0-9A-Za-z]{16}$/.test(text);
