/** Why a link is in the operator's queue: its destination is on the list of harmful hosts. */
export const reportKinds = ['listed'] as const;

/** A report that a link may do harm. It says nothing about whose the link is. */
export type Report = {
  readonly id: string;
  readonly kind: (typeof reportKinds)[number];
  readonly domain: string;
  /** The link on the domain; null if it is about where the domain itself sends visitors. */
  readonly linkId: string | null;
  readonly slug: string | null;
  /** The destination when it was reported. */
  readonly url: string;
  /** The name on the list. */
  readonly reason: string;
  readonly createdAt: string;
  /** When the operator closed it. */
  readonly closedAt: string | null;
};

/** How many days a report is kept, from its creation. */
const reportDays = 90;

/** When a report may be thrown away, in seconds since 1970. @param createdAt in ISO 8601 */
export const endOfReport = (createdAt: string): number => Math.ceil(Date.parse(createdAt) / 1_000) + reportDays * 24 * 60 * 60;
