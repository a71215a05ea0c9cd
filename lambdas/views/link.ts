import { type Link, shortUrlOf } from '../core/link/link.ts';
import { type Conditions, conditionNames, type Rule } from '../core/link/rules.ts';
import type { WebhookStatus } from '../core/webhook/delivery.ts';
import type { LinkDetails } from '../store/links/details.ts';

/**
 * A link as the API returns it, without the password's hash.
 *
 * @param origin of its short URL, with `{domain}` for the link's domain.
 */
export const linkView = (
  { link, clickCount, lastClickedAt, tags, pending, state, webhookStatus }: LinkDetails,
  origin: string,
) => ({
  id: link.id,
  shortCode: link.shortCode,
  domain: link.domain,
  shortUrl: shortUrlOf(link, origin),
  aliases: [...link.aliases],
  url: link.url,
  title: link.title,
  description: link.description,
  image: link.image,
  notes: link.notes,
  redirectType: link.redirectType,
  isActive: link.isActive,
  isArchived: link.isArchived,
  state,
  pendingVerification: pending,
  cloaked: link.cloaked,
  hasPassword: link.passwordHash !== null,
  startsAt: link.startsAt,
  expiresAt: link.expiresAt,
  expiredUrl: link.expiredUrl,
  maxClicks: link.maxClicks,
  clickCount,
  lastClickedAt: lastClickedAt ?? null,
  tags: tags.map(({ id, name, color }) => ({ id, name, color })),
  externalId: link.externalId,
  managedBy: link.managedBy,
  forwardParameters: link.forwardParameters,
  forwardPath: link.forwardPath,
  hideReferrer: link.hideReferrer,
  blockBots: link.blockBots,
  confirmVisit: link.confirmVisit,
  rules: link.rules.map(ruleView),
  variants: link.variants.map(({ id, url, weight }) => ({ id, url, weight })),
  metaPixelId: link.metaPixelId,
  googleTagId: link.googleTagId,
  webhookUrls: link.webhookUrls,
  ...statusOf(webhookStatus),
  ...originalOf(link),
  createdAt: link.createdAt,
  updatedAt: link.updatedAt,
});

/** A rule with its conditions and parameters in a fixed order, which entity tags need and the table does not keep. */
const ruleView = ({ if: conditions, url }: Rule) => ({ if: inOrder(conditions), url });

const inOrder = ({ query, ...rest }: Conditions): Conditions => ({
  ...Object.fromEntries(conditionNames.flatMap((name) => (name in rest ? [[name, rest[name as keyof typeof rest]]] : []))),
  ...(query && { query: Object.fromEntries(Object.entries(query).sort()) }),
});

/** The status of the link's `webhookUrls`; empty if it has none, and in lists. */
const statusOf = (statuses: readonly WebhookStatus[] = []): { webhookStatus?: WebhookStatus[] | undefined } =>
  statuses.length > 0 ? { webhookStatus: [...statuses] } : {};

/** The id of the deleted link that it restores. Absent for all other links. */
const originalOf = ({ restoredFrom }: Pick<Link, 'restoredFrom'>): { restoredFrom?: string | undefined } =>
  restoredFrom === null ? {} : { restoredFrom };

export type LinkView = ReturnType<typeof linkView>;

/** A page of links as the API returns it. */
export const linkPageView = (page: readonly LinkDetails[], nextCursor: string | null, origin: string) => ({
  links: page.map((details) => linkView(details, origin)),
  nextCursor,
});
