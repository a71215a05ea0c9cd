/**
 * Why a link is in the operator's queue: its destination is on the list of harmful hosts, or visitors have reported the
 * link.
 */
export const reportKinds = ['listed', 'visitor'] as const;

/** The reasons that visitors may give. */
export const reportReasons = ['phishing', 'malware', 'spam', 'illegal', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** What one visitor has reported. @property note in their own words; '' if they wrote nothing */
export type Statement = { readonly at: string; readonly reason: ReportReason; readonly note: string };

/** A report that a link may do harm. It names neither the link's workspace nor the visitors who reported it. */
export type Report = {
  readonly id: string;
  readonly kind: (typeof reportKinds)[number];
  readonly domain: string;
  /** The link on the domain; null if it is about where the domain itself sends visitors. */
  readonly linkId: string | null;
  readonly slug: string | null;
  /** The destination when it was reported. */
  readonly url: string;
  /** The name on the list; or the reasons that visitors gave, the most frequent first. */
  readonly reason: string;
  readonly createdAt: string;
  /** When the operator closed it. */
  readonly closedAt: string | null;
  /** The first statements of visitors on that day. */
  readonly statements: readonly Statement[];
};

/** How many days a report is kept, from its creation. */
const reportDays = 90;

/** When a report expires, in seconds since 1970. @param createdAt in ISO 8601 */
export const endOfReport = (createdAt: string): number => Math.ceil(Date.parse(createdAt) / 1_000) + reportDays * 24 * 60 * 60;

/** The reasons of statements, the most frequent first. */
export function reasonsOf(statements: readonly Statement[]): string {
  const groups = [...Map.groupBy(statements, ({ reason }) => reason)].sort(([, some], [, others]) => others.length - some.length);
  return groups.map(([reason]) => reason).join(', ');
}
