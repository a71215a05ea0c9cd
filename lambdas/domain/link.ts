import type { Domain } from './domain.ts';

export const redirectTypes = ['PERMANENT_301', 'TEMPORARY_302'] as const;
export type RedirectType = (typeof redirectTypes)[number];

/** What an update of a link may change, under the names of the wire. Null clears. */
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
  /** A PHC string; the password itself is kept nowhere. */
  readonly passwordHash: string | null;
  /** The destination that was found to refuse frames, if it was. It names the one that was looked up, so that it says nothing of another. */
  readonly unframeableUrl: string | null;
};

/** A link as the table has it. */
export type Link = LinkSettings & {
  readonly id: string;
  readonly workspaceId: string;
  readonly domain: string;
  readonly domainId: string;
  readonly shortCode: string;
  /** How many visits its caps have let pass, from the clicks of before the first one on; kept if the cap is removed. Null if it never had one. */
  readonly capUsed: number | null;
  /** How often its settings were changed: says whether they still are as they were read. */
  readonly revision: number;
  /** When the operator disabled the link, which is not for its workspace to see or undo. */
  readonly disabledAt: string | null;
  /** Which request created the link, and as which of its entries. */
  readonly creationMark: string;
  /** The marks of links deleted from this address in the last 48 hours, each with when that was, in seconds. */
  readonly formerMarks: Readonly<Record<string, number>>;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** What a link has where nothing else was said. The table leaves these out. */
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
  capUsed: null,
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

/** A new link on a domain, with the id, slug and marks that its creation found. */
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
  capUsed: settings.maxClicks == null ? null : 0,
  createdAt,
  updatedAt: createdAt,
});

/** A link is pending until its domain serves: nothing of the link itself changes then. */
export const isPending = (link: Pick<Link, 'domainId'>, domain: Domain | undefined): boolean =>
  domain?.domainId !== link.domainId || domain.status !== 'ACTIVE';

/** Where a link is to lead that will be cloaked by these changes, and was not found out about yet; undefined for others. */
export function urlToBeFramed(link: Partial<Link>, { url, cloaked }: Partial<LinkSettings>): string | undefined {
  const changes = url !== undefined || cloaked !== undefined;
  return changes && (cloaked ?? link.cloaked) ? (url ?? link.url) : undefined;
}

/** What comes before the slug of a link's address. @param origin with `{domain}` for the link's domain. */
export const originOf = ({ domain }: Pick<Link, 'domain'>, origin: string): string => origin.replace('{domain}', domain);

/** A link's address. @param origin with `{domain}` for the link's domain. */
export const shortUrlOf = (link: Link, origin: string): string => `${originOf(link, origin)}/${link.shortCode}`;
