import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import type { ClickPlace, Listed } from '../../click-log/listing.ts';
import type { ClickFilter } from '../../core/click/filter.ts';
import type { Range } from '../../core/click/statistics.ts';
import { clicksPerPage } from '../../core/limits.ts';
import { clicksAsCsv, clickView } from '../../views/click.ts';
import type { ApiEvent } from '../api-event.ts';
import { timestamp } from '../fields.ts';
import { askedPage, pageQuery } from '../list-pages.ts';
import { parameterRefused } from '../parse-query.ts';
import { reply, replyCsv } from '../reply.ts';
import { countsUniques, earliest, filterIn, filterQuery, latest } from '../stats-query.ts';

// Pages of both lists of clicks, as JSON or CSV.

/** The query parameters of a list of clicks. */
export const clickPageQuery = () => ({
  ...filterQuery(),
  from: z.optional(timestamp),
  to: z.optional(timestamp),
  ...pageQuery(clicksPerPage.most),
});
type ClickPageQuery = z.output<z.ZodMiniObject<ReturnType<typeof clickPageQuery>>>;

/** A requested page. */
type ClickPage = {
  readonly asked: Range & { readonly filter: ClickFilter };
  readonly limit: number;
  /** Where the previous page ended. */
  readonly after: ClickPlace | undefined;
  /** The response, in the format that the request prefers. */
  readonly reply: (listed: Listed) => APIGatewayProxyResult;
};

const secondMs = 1_000;

/**
 * Adds a query's defaults. By default, a list has all clicks that are kept.
 *
 * @param list identifies the list. A cursor is valid only for the same list, range and filters.
 * @throws RequestError `validation_failed`
 */
export function clickPageOf(list: readonly unknown[], query: ClickPageQuery, event: ApiEvent): ClickPage {
  const { limit = clicksPerPage.unlessAsked, cursor, from, to } = query;
  if (from !== undefined && to !== undefined && from >= to) throw parameterRefused('from', 'out_of_range', 'must be before "to"');
  const filter = filterIn(query);
  const asked = { from: secondOf(from, earliest), to: secondOf(to, latest), filter };
  const page = askedPage([...list, 'clicks', from, to, filter], { limit, cursor }, (text) => isPlace(text, asked));
  return {
    asked,
    limit,
    after: page.after === undefined ? undefined : placeAt(page.after),
    reply: ({ clicks, next }) => {
      const views = clicks.map((click) => clickView(click, countsUniques()));
      const nextCursor = page.nextCursor(next && positionAt(next));
      if (!prefersCsv(event)) return reply(200, { clicks: views, nextCursor });
      return replyCsv(clicksAsCsv(views), nextCursor === null ? {} : { Link: `<?${nextQuery(event, nextCursor)}>; rel="next"` });
    },
  };
}

/**
 * The first whole second that is not before a time, because clicks are on whole seconds. In milliseconds since 1970.
 */
const secondOf = (time: string | undefined, unlessSent: number): number =>
  Math.min(latest, Math.max(earliest, time === undefined ? unlessSent : secondMs * Math.ceil(Date.parse(time) / secondMs)));

const positionAt = ({ at, linkId, number, id }: ClickPlace): string => [at, linkId, number, id ?? ''].join('#');

const positionPattern = /^\d{1,15}#(lnk_[0-9A-Za-z]{28})?#\d{1,12}#([0-9A-Za-z]{22})?$/;

const isPlace = (position: string, { from, to }: Range): boolean => {
  const { at } = placeAt(position);
  return positionPattern.test(position) && from <= at && at <= to;
};

function placeAt(position: string): ClickPlace {
  const [at, linkId = '', number, id] = position.split('#');
  return { at: Number(at), linkId, number: Number(number), id: id || null };
}

/** This page's query with the next page's cursor. */
function nextQuery({ multiValueQueryStringParameters }: ApiEvent, cursor: string): string {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(multiValueQueryStringParameters ?? {})) query.set(name, values?.[0] ?? '');
  query.set('cursor', cursor);
  // Commas stay unescaped, because a gateway allows only some 10 kB of headers.
  return query.toString().replaceAll('%2C', ',');
}

/** Whether `Accept` names CSV before JSON. */
function prefersCsv({ multiValueHeaders }: ApiEvent): boolean {
  const accept = Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    /^accept$/i.test(name) ? (values ?? []) : [],
  );
  const [first] = /text\/csv|application\/json|\*\/\*/i.exec(accept.join()) ?? [];
  return first?.toLowerCase() === 'text/csv';
}
