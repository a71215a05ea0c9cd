import { isDeepStrictEqual } from 'node:util';
import { type Domain, domainDefaults } from '../domain/domain.ts';
import { type FieldError, RequestError } from '../errors.ts';
import type { ApiKey } from '../key/api-key.ts';
import { type Address, type Link, linkDefaults, linkFlags } from '../link/link.ts';
import type { Member } from '../member/member.ts';
import type { Tag } from '../tag/tag.ts';
import { type Template, templateDefaults, templateFields } from '../template/template.ts';
import { capitalised } from '../text.ts';
import type { Actor } from './author.ts';

/** The types of things that have a history. */
export const subjectTypes = ['link', 'tag', 'template', 'domain', 'key', 'member'] as const;
export type SubjectType = (typeof subjectTypes)[number];

export const actions = [
  'link.created',
  'link.updated',
  'link.deleted',
  'link.clicks_erased',
  'tag.updated',
  'tag.deleted',
  'template.updated',
  'template.deleted',
  'domain.updated',
  'domain.deleted',
  'key.created',
  'key.updated',
  'key.revoked',
  'member.invited',
  'member.joined',
  'member.updated',
  'member.removed',
] as const;
export type Action = (typeof actions)[number];

/** Fields by their names in the API, before and after. `null` means that the field was or is empty. */
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** An entry of the history, as it is stored. */
export type HistoryEntry = {
  /** Unique for its subject. */
  readonly id: string;
  readonly at: string;
  readonly actor: Actor;
  /** All changes of a request share it; null if it is unknown. */
  readonly requestId: string | null;
  readonly action: Action;
  readonly subject: { readonly type: SubjectType; readonly id: string };
  readonly changes: Changes;
  /** The address that the link had, if the entry is of a link. */
  readonly address?: Address | undefined;
  /** The id of the restored link or template, if the entry is a deletion that was undone. */
  readonly restoredAs?: string | undefined;
};

/** The values that the history compares. */
type Fields = Readonly<Record<string, unknown>>;

/** The fields of a link that a client sets and sees again, so that a change of them can be undone. */
const plainFields = [
  'url',
  'title',
  'description',
  'image',
  'notes',
  'redirectType',
  ...linkFlags,
  'rules',
  'variants',
  'startsAt',
  'expiresAt',
  'expiredUrl',
  'maxClicks',
  'tagIds',
  'externalId',
  'managedBy',
  'metaPixelId',
  'googleTagId',
  'webhookUrls',
] as const satisfies readonly (keyof Link)[];

const pick = <T extends object>(from: T, names: readonly (keyof T)[]): Fields =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? null]));

/** A link's fields, without those that only the operator sees or only the service sets. */
export const linkFields = (link: Link): Fields => ({
  ...pick(link, plainFields),
  customSlug: link.shortCode,
  aliases: link.aliases,
  password: link.passwordHash,
});
export const tagFields = (tag: Tag): Fields => pick(tag, ['name', 'color']);
export const templateHistoryFields = (template: Template): Fields => pick(template, ['name', ...templateFields]);
export const domainFields = (domain: Domain): Fields =>
  pick(domain, [
    'status',
    'rootUrl',
    'notFoundUrl',
    'expiredUrl',
    'publicQr',
    'allowIndexing',
    'accentColor',
    'logoUrl',
    'appleAppSiteAssociation',
    'assetLinks',
  ]);
const keyFieldNames = [
  'name',
  'permissions',
  'expiresAt',
  'revokedAt',
  'replacedBy',
] as const satisfies readonly (keyof ApiKey)[];
export const keyFields = (key: ApiKey): Fields => pick(key, keyFieldNames);

/** The changes of a new thing: every field that is not empty. */
const gainOf = (fields: Fields): Changes =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([field, value]) => [field, { from: null, to: value }]),
  );

export const keyGain = (key: ApiKey): Changes => gainOf(pick(key, [...keyFieldNames, 'replaces']));

/** Without fields that name a person, because the history outlives an erasure. */
export const memberFields = (member: Member): Fields => pick(member, ['role', 'state']);
export const memberGain = (member: Member): Changes => gainOf(memberFields(member));

/** Hides a password: the history only says that it changed. */
const secretly = (field: string, value: unknown): unknown => (field === 'password' && value !== null ? 'changed' : value);

/** The fields that differ. */
export const changesBetween = (before: Fields, after: Fields): Changes =>
  Object.fromEntries(
    Object.entries(after)
      .filter(([field, value]) => !isDeepStrictEqual(before[field], value))
      .map(([field, value]) => [field, { from: secretly(field, before[field]), to: secretly(field, value) }]),
  );

/** The changes of a deletion: every field that was not empty. */
const lossOf = (fields: Fields): Changes =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([field, value]) => [field, { from: secretly(field, value), to: null }]),
  );

/** The fields that differ from their defaults. A field without a default is compared with null. */
const unlike = (defaults: Fields, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([field, value]) => !isDeepStrictEqual(value, defaults[field] ?? null)));

/** The changes of a link's deletion: its address, and every field that differs from the default. */
export function linkLoss(link: Link): Changes {
  const { customSlug: shortCode, ...fields } = linkFields(link);
  return lossOf({ domain: link.domain, shortCode, ...unlike(linkDefaults, fields) });
}
/** A deleted link's address, from its deletion entry. */
export function lostAddress({ domain, shortCode }: Changes): Address | undefined {
  const [host, slug] = [domain?.from, shortCode?.from];
  return typeof host === 'string' && typeof slug === 'string' ? { domain: host, shortCode: slug } : undefined;
}

/** A deleted link, from its deletion entry, without its password. Undefined without an address. */
export function lostLink(changes: Changes) {
  const address = lostAddress(changes);
  if (!address) return undefined;
  const settings: Fields = Object.fromEntries(plainFields.flatMap((name) => (changes[name] ? [[name, changes[name].from]] : [])));
  const aliases = (changes.aliases?.from ?? []) as readonly string[];
  return { ...address, aliases, hadPassword: changes.password !== undefined, settings };
}
export const tagLoss = (tag: Tag): Changes => lossOf(tagFields(tag));
export const templateLoss = (template: Template): Changes =>
  lossOf(unlike({ ...templateDefaults }, templateHistoryFields(template)));
/** The lost fields, from a deletion entry. */
export const lostFields = (changes: Changes): Fields =>
  Object.fromEntries(Object.entries(changes).map(([field, { from }]) => [field, from]));
export const domainLoss = (domain: Domain): Changes => lossOf(unlike(domainDefaults, domainFields(domain)));

/** Whether two lists have the same ids in any order. Ids for which `counts` is false are ignored. */
const sameIds = (one: unknown, other: unknown, counts: (id: string) => boolean): boolean => {
  const [a, b] = [one, other].map((list) => (list as string[]).filter(counts).sort());
  return isDeepStrictEqual(a, b);
};

/** The fields whose changes can be undone. A restored slug becomes the one that is shown. */
export const revertibleFields = [...plainFields, 'customSlug'] as const;
type RevertibleField = (typeof revertibleFields)[number];

/**
 * The settings that undo an entry's changes of a link, as far as possible. Fields that already have their former value
 * are left out.
 *
 * @param changedAgain the fields that later entries changed. Even if a field has the entry's value again, somebody else
 *   may have set it on purpose.
 * @param live whether a tag still exists. Deleted tags are not treated as changes.
 * @returns the settings, and the fields that have changed since, which must not be overwritten. They include unrecorded
 *   changes that left another value.
 */
export function undoing(
  changes: Changes,
  link: Link,
  changedAgain: ReadonlySet<string>,
  live: (tagId: string) => boolean,
): { readonly settings: Fields; readonly changedSince: readonly RevertibleField[] } {
  const settings: Record<string, unknown> = {};
  const changedSince: RevertibleField[] = [];
  const fields = linkFields(link);
  for (const field of revertibleFields) {
    const change = changes[field];
    if (!change) continue;
    const now = fields[field];
    const is = (value: unknown) => (field === 'tagIds' ? sameIds(value, now, live) : isDeepStrictEqual(value, now));
    if (isDeepStrictEqual(change.from, now)) continue;
    if (is(change.to) && !changedAgain.has(field)) settings[field] = change.from;
    else changedSince.push(field);
  }
  return { settings, changedSince };
}

/** Why a change cannot be reverted. */
export function revertRefused(fieldErrors: readonly FieldError[]): RequestError {
  const named = fieldErrors.map(({ path, message }) => `${path} ${message}`.trim());
  return new RequestError('revert_refused', `${capitalised(named.slice(0, 3).join('; '))}.`, { fieldErrors });
}
