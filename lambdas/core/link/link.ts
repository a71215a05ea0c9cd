import type { Domain } from '../domain/domain.ts';
import { type FieldError, fieldsRefused } from '../errors.ts';
import { partsBeforePath, routingBytes } from '../limits.ts';
import type { Rule } from './rules.ts';
import type { Variant } from './variants.ts';

export const redirectTypes = ['PERMANENT_301', 'TEMPORARY_302'] as const;
export type RedirectType = (typeof redirectTypes)[number];

/**
 * The settings that an update may change. Null clears one. The names are the API's, except the last two, which are
 * internal.
 */
export type LinkSettings = {
  readonly url: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly image: string | null;
  /** The workspace's own notes. Visitors never see them. */
  readonly notes: string | null;
  readonly redirectType: RedirectType;
  readonly isActive: boolean;
  /** Whether lists omit it by default. Visitors notice nothing. */
  readonly isArchived: boolean;
  readonly cloaked: boolean;
  readonly forwardParameters: boolean;
  /** Whether `/{slug}/more/path` leads to `more/path` below the destination. */
  readonly forwardPath: boolean;
  /** Whether to hide from the destination which page visitors come from. */
  readonly hideReferrer: boolean;
  readonly blockBots: boolean;
  /** Whether a visit is counted and redirected only after the visitor has pressed a button. */
  readonly confirmVisit: boolean;
  /** The first rule that matches a visit decides where it leads. */
  readonly rules: readonly Rule[];
  /** Visitors for whom no rule matches are divided among these. */
  readonly variants: readonly Variant[];
  /** Before that, the link responds as if it didn't exist. */
  readonly startsAt: string | null;
  readonly expiresAt: string | null;
  /** Where visitors are sent once the link has expired or is used up; null for the domain's `expiredUrl`. */
  readonly expiredUrl: string | null;
  readonly maxClicks: number | null;
  readonly tagIds: readonly string[];
  /** The link's id in a system of its workspace. Unique in the workspace. */
  readonly externalId: string | null;
  /** What manages the link, as `owner@domain`. */
  readonly managedBy: string | null;
  readonly metaPixelId: string | null;
  readonly googleTagId: string | null;
  readonly webhookUrls: string | null;
  /** A PHC string. The password itself is never stored. */
  readonly passwordHash: string | null;
  /** The destination if it was found to refuse frames. As a URL, so that it doesn't apply to a later destination. */
  readonly unframeableUrl: string | null;
};

/** A link as stored in the table. */
export type Link = LinkSettings & {
  readonly id: string;
  readonly workspaceId: string;
  readonly domain: string;
  readonly domainId: string;
  /** The slug that is shown. */
  readonly shortCode: string;
  /** Other slugs that lead to the link, at most 10. */
  readonly aliases: readonly string[];
  /**
   * The generation of its cap: how often a link without a cap got one. It says which cap an item of
   * `lambdas/store/links/caps.ts` belongs to. Kept if the cap is removed.
   */
  readonly capGeneration: number;
  /** How often its clicks were erased. Each click records this as its epoch. */
  readonly clickEpoch: number;
  /** How often its settings were changed or its clicks erased, to detect concurrent changes. */
  readonly revision: number;
  /** When the operator disabled the link. Its workspace sees the state `disabled`, and cannot undo it. */
  readonly disabledAt: string | null;
  /**
   * The request that created the link, and the position in it. It is random, and only the link's workspace sees it, so
   * it is also the secret that decides which visitor gets which variant.
   */
  readonly creationMark: string;
  /**
   * The creation marks of up to 20 links deleted from this address in the last 48 hours, with the time in Unix seconds.
   */
  readonly formerMarks: Readonly<Record<string, number>>;
  /** The id of the deleted link that it restores; null if it restores none. */
  readonly restoredFrom: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The settings that are true or false. */
export const linkFlags = [
  'isActive',
  'isArchived',
  'cloaked',
  'forwardParameters',
  'forwardPath',
  'hideReferrer',
  'blockBots',
  'confirmVisit',
] as const satisfies readonly (keyof LinkSettings)[];
export type LinkFlag = (typeof linkFlags)[number];

/** Default values. The table omits them. */
export const linkDefaults = {
  aliases: [],
  title: null,
  description: null,
  image: null,
  notes: null,
  redirectType: 'TEMPORARY_302',
  isActive: true,
  isArchived: false,
  cloaked: false,
  forwardParameters: false,
  forwardPath: false,
  hideReferrer: false,
  blockBots: false,
  confirmVisit: false,
  rules: [],
  variants: [],
  startsAt: null,
  expiresAt: null,
  expiredUrl: null,
  maxClicks: null,
  capGeneration: 0,
  clickEpoch: 0,
  revision: 0,
  disabledAt: null,
  formerMarks: {},
  restoredFrom: null,
  tagIds: [],
  externalId: null,
  managedBy: null,
  metaPixelId: null,
  googleTagId: null,
  webhookUrls: null,
  passwordHash: null,
  unframeableUrl: null,
} as const satisfies Partial<Link>;

/** A new link on a domain. @param identity the id, slug and marks that its creation chose. */
export const newLink = (
  domain: Domain,
  createdAt: string,
  identity: Pick<Link, 'id' | 'shortCode' | 'creationMark' | 'formerMarks'>,
  settings: Partial<LinkSettings> & Pick<LinkSettings, 'url'>,
): Link => ({
  ...linkDefaults,
  ...settings,
  ...identity,
  workspaceId: domain.workspaceId,
  domain: domain.host,
  domainId: domain.domainId,
  capGeneration: settings.maxClicks == null ? 0 : 1,
  createdAt,
  updatedAt: createdAt,
});

/** A URL to which a link may send visitors, and the field that sets it, as a JSON Pointer (RFC 6901). */
export type Destination = { readonly path: string; readonly url: string };

/** All URLs in settings to which a link may send visitors. Each is checked like its destination. */
export function destinationsOf({ url, expiredUrl, rules = [], variants = [] }: Partial<LinkSettings>): Destination[] {
  const said = [
    ['/url', url],
    ['/expiredUrl', expiredUrl],
    ...rules.map(({ url }, index) => [`/rules/${index}/url`, url] as const),
    ...variants.map(({ url }, index) => [`/variants/${index}/url`, url] as const),
  ] as const;
  return said.flatMap(([path, url]) => (url == null ? [] : { path, url }));
}

/** Settings that must fit together. If a change sets one of them, the others must still be as they were read. */
export const dependentSettings = [
  ['startsAt', 'expiresAt'],
  ['rules', 'variants'],
] as const satisfies readonly (readonly (keyof LinkSettings)[])[];

/** Settings, and the slug to show. */
export type NewSettings = Partial<LinkSettings> & { readonly customSlug?: string | undefined };

/**
 * The error if changes contradict each other, or a link's settings; undefined if they don't.
 *
 * @param link undefined if it is new, or if only the changes are to be checked.
 */
export function contradictionIn(changes: NewSettings, link: Partial<Link> = {}): FieldError | undefined {
  const sets = (field: keyof NewSettings) => changes[field] !== undefined;
  const wrong = (field: keyof NewSettings, code: string, message: string) => ({ path: `/${field}`, code, message });
  const { startsAt, expiresAt, rules = [], variants = [], forwardPath } = { ...link, ...changes };
  if ((sets('startsAt') || sets('expiresAt')) && startsAt != null && expiresAt != null && startsAt >= expiresAt) {
    if (sets('startsAt')) return wrong('startsAt', 'starts_too_late', 'must be before "expiresAt"');
    return wrong('expiresAt', 'expires_too_early', 'must be after "startsAt"');
  }
  if ((sets('rules') || sets('variants')) && new TextEncoder().encode(JSON.stringify([rules, variants])).length > routingBytes) {
    return wrong(
      sets('rules') ? 'rules' : 'variants',
      'too_large',
      `must have at most ${routingBytes} bytes of JSON together with "${sets('rules') ? 'variants' : 'rules'}"`,
    );
  }
  const isDeep = (changes.customSlug ?? link.shortCode ?? '').split('/').length > partsBeforePath;
  if ((sets('forwardPath') || sets('customSlug')) && forwardPath && isDeep) {
    if (sets('customSlug'))
      return wrong('customSlug', 'slug_too_deep', `must have at most ${partsBeforePath} parts with "forwardPath"`);
    return wrong('forwardPath', 'slug_too_deep', `needs a slug of at most ${partsBeforePath} parts`);
  }
  return undefined;
}

/**
 * Refuses changes that contradict each other, or a link's settings.
 *
 * @param path of the changes in the request.
 * @throws RequestError `validation_failed`
 */
export function refuseContradiction(changes: NewSettings, link?: Partial<Link>, path = ''): void {
  const found = contradictionIn(changes, link);
  if (found) throw fieldsRefused([{ ...found, path: path + found.path }]);
}

/** A link is pending until its domain is active. Nothing in the link itself changes at that point. */
export const isPending = (link: Pick<Link, 'domainId'>, domain: Pick<Domain, 'domainId' | 'status'> | undefined): boolean =>
  domain?.domainId !== link.domainId || domain.status !== 'ACTIVE';

/**
 * The destination to check for framing, if changes set `url` or `cloaked` and the link is cloaked afterwards. Undefined
 * otherwise.
 */
export function urlToBeFramed(link: Partial<Link>, { url, cloaked }: Partial<LinkSettings>): string | undefined {
  const changes = url !== undefined || cloaked !== undefined;
  return changes && (cloaked ?? link.cloaked) ? (url ?? link.url) : undefined;
}

/** The part of a link's address before the slug. @param origin with `{domain}` for the link's domain. */
export const originOf = ({ domain }: Pick<Link, 'domain'>, origin: string): string => origin.replace('{domain}', domain);

/** Where visitors find a link. */
export type Address = Pick<Link, 'domain' | 'shortCode'>;

/** A link's address as a URL. @param origin with `{domain}` for the link's domain. */
export const shortUrlOf = (link: Address, origin: string): string => `${originOf(link, origin)}/${link.shortCode}`;
