import type { Domain } from './domain.ts';

export const redirectTypes = ['PERMANENT_301', 'TEMPORARY_302'] as const;
export type RedirectType = (typeof redirectTypes)[number];

/**
 * What an update may change. Null clears. The names are the API's, except those of the last two, which are internal.
 */
export type LinkSettings = {
  readonly url: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly redirectType: RedirectType;
  readonly isActive: boolean;
  readonly cloaked: boolean;
  readonly forwardParameters: boolean;
  readonly blockBots: boolean;
  readonly expiresAt: string | null;
  readonly maxClicks: number | null;
  readonly tagIds: readonly string[];
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
  readonly shortCode: string;
  /**
   * How often a link without a cap got one. It says which cap the item in `lambdas/store/caps.ts` counts for. Kept if
   * the cap is removed.
   */
  readonly capEpoch: number;
  /** How often its clicks were erased. A click says in which of these epochs it was made. */
  readonly clickEpoch: number;
  /** How often its settings were changed, to detect concurrent changes. */
  readonly revision: number;
  /** When the operator disabled the link. Its workspace can neither see nor undo it. */
  readonly disabledAt: string | null;
  /** Which request created the link, and which of its entries. */
  readonly creationMark: string;
  /**
   * The creation marks of up to 20 links deleted from this address in the last 48 hours, with the time in Unix seconds.
   */
  readonly formerMarks: Readonly<Record<string, number>>;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Default values. The table omits them. */
export const linkDefaults = {
  title: null,
  description: null,
  image: null,
  redirectType: 'TEMPORARY_302',
  isActive: true,
  cloaked: false,
  forwardParameters: false,
  blockBots: false,
  expiresAt: null,
  maxClicks: null,
  capEpoch: 0,
  clickEpoch: 0,
  revision: 0,
  disabledAt: null,
  formerMarks: {},
  tagIds: [],
  metaPixelId: null,
  googleTagId: null,
  webhookUrls: null,
  passwordHash: null,
  unframeableUrl: null,
} as const satisfies Partial<Link>;

/** A new link on a domain, with the id, slug and marks that its creation chose. */
export const newLink = (
  domain: Domain,
  createdAt: string,
  place: Pick<Link, 'id' | 'shortCode' | 'creationMark' | 'formerMarks'>,
  settings: Partial<LinkSettings> & Pick<LinkSettings, 'url'>,
): Link => ({
  ...linkDefaults,
  ...settings,
  ...place,
  workspaceId: domain.workspaceId,
  domain: domain.host,
  domainId: domain.domainId,
  capEpoch: settings.maxClicks == null ? 0 : 1,
  createdAt,
  updatedAt: createdAt,
});

/** A link is pending until its domain serves. Nothing in the link itself changes at that point. */
export const isPending = (link: Pick<Link, 'domainId'>, domain: Domain | undefined): boolean =>
  domain?.domainId !== link.domainId || domain.status !== 'ACTIVE';

/**
 * The destination to check for framing: that of a link which is cloaked after changes to `url` or `cloaked`. Undefined
 * otherwise.
 */
export function urlToBeFramed(link: Partial<Link>, { url, cloaked }: Partial<LinkSettings>): string | undefined {
  const changes = url !== undefined || cloaked !== undefined;
  return changes && (cloaked ?? link.cloaked) ? (url ?? link.url) : undefined;
}

/** The part of a link's address before the slug. @param origin with `{domain}` for the link's domain. */
export const originOf = ({ domain }: Pick<Link, 'domain'>, origin: string): string => origin.replace('{domain}', domain);

/** A link's address. @param origin with `{domain}` for the link's domain. */
export const shortUrlOf = (link: Link, origin: string): string => `${originOf(link, origin)}/${link.shortCode}`;
