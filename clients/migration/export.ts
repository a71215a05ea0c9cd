import { dayMs } from '../../lambdas/core/click/day.ts';
import { clicksAsCsv } from '../../lambdas/views/click.ts';
import type { LinksClient } from '../typescript/client.ts';
import type { paths } from '../typescript/openapi.ts';
import { linksAsCsv } from './own.ts';

/** Which links are exported, as lists of links take it. */
export type LinkFilter = Omit<NonNullable<paths['/api/v1/links']['get']['parameters']['query']>, 'cursor' | 'limit' | 'order'>;

/** CSV, or a JSON object per line. */
export type ExportFormat = 'csv' | 'jsonl';

const jsonLine = (value: object): string => `${JSON.stringify(value)}\n`;

/**
 * The text of an export of links, oldest first, link by link.
 *
 * @param onLink called for each link with the time of its creation.
 */
export async function* linksText(
  client: LinksClient,
  filter: LinkFilter,
  format: ExportFormat,
  onLink: (createdAt: string) => void,
): AsyncGenerator<string> {
  if (format === 'csv') yield linksAsCsv([]);
  for await (const link of client.pages('/api/v1/links', { params: { query: { ...filter, order: 'asc' } } })) {
    onLink(link.createdAt);
    yield format === 'csv' ? linksAsCsv([link], false) : jsonLine(link);
  }
}

/** The ids of links, newest first. */
export async function* linkIds(client: LinksClient, filter: LinkFilter): AsyncGenerator<string> {
  for await (const { id } of client.pages('/api/v1/links', { params: { query: filter } })) yield id;
}

type ClickOptions = {
  readonly format: ExportFormat;
  /** Only the clicks of this day in UTC, such as 2030-01-31. */
  readonly day?: string;
};

/**
 * The text of an export of the clicks of links, link by link, newest first.
 *
 * @param onClick called for each click with its time.
 */
export async function* clicksText(
  client: LinksClient,
  ids: Iterable<string> | AsyncIterable<string>,
  { format, day }: ClickOptions,
  onClick: (at: string) => void,
): AsyncGenerator<string> {
  const from = `${day}T00:00:00.000Z`;
  const within = day === undefined ? {} : { from, to: new Date(Date.parse(from) + dayMs).toISOString() };
  if (format === 'csv') yield clicksAsCsv([]);
  for await (const id of ids) {
    for await (const click of client.pages('/api/v1/links/{id}/clicks', { params: { path: { id }, query: within } })) {
      onClick(click.at);
      yield format === 'csv' ? clicksAsCsv([click], false) : jsonLine(click);
    }
  }
}
