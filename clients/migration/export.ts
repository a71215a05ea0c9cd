import { clicksAsCsv } from '../../lambdas/views/click.ts';
import { type LinksClient, ProblemError, type Schemas } from '../typescript/client.ts';
import type { paths } from '../typescript/openapi.ts';
import { linksAsCsv } from './own.ts';

/** The links to export, by the filters of lists of links. Archived links are included by default. */
export type LinkFilter = Omit<NonNullable<paths['/api/v1/links']['get']['parameters']['query']>, 'cursor' | 'limit' | 'order'>;

/** CSV, or a JSON object per line. */
export type ExportFormat = 'csv' | 'jsonl';

const jsonLine = (value: object): string => `${JSON.stringify(value)}\n`;

const toExport = (filter: LinkFilter): LinkFilter => ({ archived: 'any', ...filter });

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
  for await (const link of client.pages('/api/v1/links', { params: { query: { ...toExport(filter), order: 'asc' } } })) {
    onLink(link.createdAt);
    yield format === 'csv' ? linksAsCsv([link], false) : jsonLine(link);
  }
}

/** The ids of links, newest first. */
export async function* linkIds(client: LinksClient, filter: LinkFilter): AsyncGenerator<string> {
  for await (const { id } of client.pages('/api/v1/links', { params: { query: toExport(filter) } })) yield id;
}

/** The clicks to export, by the filters of lists of clicks. */
export type ClickFilter = Omit<NonNullable<paths['/api/v1/clicks']['get']['parameters']['query']>, 'cursor' | 'limit'>;
/** The filters for the clicks of one link. */
type LinkClickFilter = Omit<ClickFilter, 'domain' | 'tagIds' | 'tagNames' | 'match'>;

/** A click as the API returns it. */
type Click = Schemas['Click'];

/** All clicks of the workspace, or those of a filter, newest first, including those of deleted links. */
export const clicksOf = (client: LinksClient, query: ClickFilter): AsyncIterable<Click> =>
  client.pages('/api/v1/clicks', { params: { query } });

/** The clicks of a link, newest first. */
export const clicksOfLink = (client: LinksClient, id: string, query: LinkClickFilter = {}): AsyncIterable<Click> =>
  client.pages('/api/v1/links/{id}/clicks', { params: { path: { id }, query } });

/** The clicks of listed links, link by link. A link that was deleted since is left out. */
export async function* clicksOfLinks(client: LinksClient, ids: AsyncIterable<string>): AsyncGenerator<Click> {
  for await (const id of ids) {
    try {
      yield* clicksOfLink(client, id);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'not_found') throw error;
    }
  }
}

/**
 * The text of an export of clicks.
 *
 * @param onClick called for each click.
 */
export async function* clicksText(
  clicks: AsyncIterable<Click>,
  format: ExportFormat,
  onClick: (click: Click) => void,
): AsyncGenerator<string> {
  if (format === 'csv') yield clicksAsCsv([]);
  for await (const click of clicks) {
    onClick(click);
    yield format === 'csv' ? clicksAsCsv([click], false) : jsonLine(click);
  }
}
