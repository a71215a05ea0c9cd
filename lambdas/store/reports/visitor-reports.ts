import { dayOfTime } from '../../core/click/day.ts';
import type { Domain } from '../../core/domain/domain.ts';
import { linkReports, type RateLimit, reportedLinksPerDay, reportsPerLink } from '../../core/limits.ts';
import { endOfReport, type Statement } from '../../core/report/report.ts';
import { reporterName } from '../../core/report/reporter.ts';
import type { Slot } from '../../core/slots.ts';
import { takeSlotAt } from '../limits/request-limits.ts';
import type { Item } from '../table/client.ts';
import {
  all,
  any,
  type Expression,
  failedCondition,
  hasRoomFor,
  ifConditionFails,
  isAbsent,
  isPresent,
} from '../table/expressions.ts';
import { textSet } from '../table/fields.ts';
import { indexed, reportedLinksKey, reporterKey, reportKey, reportsIndex } from '../table/keys.ts';
import { updateItem } from '../table/writes.ts';
import { positionOf, reportIdOf } from './report-ids.ts';

/*
 * Reports by visitors. All reports of a link on a day are one item, to which each adds a statement. Each report takes
 * three idempotent writes:
 *
 * 1. The visitor's address takes one of its slots (`takeReport`).
 * 2. The link takes one of the places for its domain's reported links of that day, however many visitors report it.
 * 3. The statement is added to the report, which is created if it is the first.
 *
 * The function that does this may update reports and nothing else: it cannot list, read as a whole, or delete them.
 */

/** A link that somebody reports, if there is one at the address. */
export type ReportedLink = {
  readonly domain: Pick<Domain, 'domainId' | 'host'>;
  /** As it was typed, without case. */
  readonly slug: string;
  readonly link: { readonly id: string; readonly shortCode: string; readonly url: string } | undefined;
};

/**
 * Takes one of the slots of an address. The limit is exact, however many reports arrive at once.
 *
 * @param token the same for a retry.
 * @param at when the gateway received the request, in milliseconds since 1970.
 */
export const takeReport = (
  domain: Pick<Domain, 'domainId'>,
  sourceIp: string,
  token: string,
  at: number,
  limit: RateLimit = linkReports,
): Promise<Slot> => takeSlotAt(reporterKey(reporterName(domain, sourceIp)), token, at, limit, false);

/** The result of filing a report. */
export type Filed = {
  /** The id of the report if it is new; undefined otherwise. */
  readonly newId: string | undefined;
  /** No more links of the domain can be reported on that day. */
  readonly isFull: boolean;
};

/**
 * Files a report by a visitor, once for each token.
 *
 * If there is no link, nothing is stored, but the calls and the result are the same, so that neither reveals a link
 * that visitors can't see.
 */
export async function fileVisitorReport(
  { domain, slug, link }: ReportedLink,
  statement: Omit<Statement, 'at'>,
  token: string,
  at: number,
): Promise<Filed> {
  const now = new Date(at).toISOString();
  const day = dayOfTime(now);
  const id = reportIdOf('visitor', link?.id ?? `${domain.domainId}/${slug}`, day);
  if (!(await takePlace(reportedLinksKey(domain.domainId, day), id, link !== undefined, at)))
    return { newId: undefined, isFull: true };
  const about = {
    id,
    kind: 'visitor',
    domain: domain.host,
    linkId: link?.id,
    slug: link?.shortCode,
    url: link?.url,
    createdAt: now,
  };
  const first: Item = {
    ...(link && about),
    ...indexed(reportsIndex('open'), positionOf({ id, createdAt: now })),
    ttl: endOfReport(now),
  };
  const names = Object.keys(first);
  const added: Expression = {
    text:
      `SET #statements = list_append(if_not_exists(#statements, :none), :mine)` +
      `${names.map((name) => `, #${name} = if_not_exists(#${name}, :${name})`).join('')} ADD #marks :marks`,
    values: {
      ':none': [],
      ':mine': [{ at: now, ...statement }],
      ':marks': new Set([token]),
      ...Object.fromEntries(names.map((name) => [`:${name}`, first[name]])),
    },
  };
  const isNew: Expression = { text: 'NOT contains(#marks, :mark)', values: { ':mark': token } };
  const hasRoom: Expression = { text: 'size(#marks) < :most', values: { ':most': reportsPerLink } };
  const mayAdd = link ? any(isAbsent, all(isNew, hasRoom)) : all(isPresent, isNew);
  const item = await ifConditionFails(updateItem(reportKey(id), added, mayAdd), ({ items: [there = {}] }) => there);
  // Also if an earlier attempt has added it, and its response was lost.
  const marks = textSet(item, 'marks');
  return { newId: marks.size === 1 && marks.has(token) ? id : undefined, isFull: false };
}

/** How long the places of a day are kept, in seconds. Clocks may differ by seconds. */
const keptSeconds = 2 * 24 * 60 * 60;

/**
 * Takes a place for a link among those of its domain and day, unless it has one. Takes none for a link that doesn't
 * exist.
 */
async function takePlace(key: ReturnType<typeof reportedLinksKey>, id: string, isThere: boolean, at: number): Promise<boolean> {
  const taken: Expression = {
    text: 'ADD #marks :marks SET #ttl = :ttl',
    values: { ':marks': new Set([id]), ':ttl': Math.ceil(at / 1_000) + keptSeconds },
  };
  const hasOne: Expression = { text: 'contains(#marks, :mark)', values: { ':mark': id } };
  const mayTake = isThere ? hasRoomFor('marks', id, reportedLinksPerDay) : hasOne;
  const failed = await failedCondition(updateItem(key, taken, mayTake));
  return !failed || textSet(failed.items[0] ?? {}, 'marks').size < reportedLinksPerDay;
}
