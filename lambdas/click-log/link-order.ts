import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBase62 } from '../core/base62.ts';
import { rankingFolder } from '../core/click/files.ts';
import { RequestError, tooMuchToRead, unavailable } from '../core/errors.ts';
import { rankedLinks } from '../core/limits.ts';
import { getFile, putNewFile } from '../outbound/click-files.ts';
import { isDenial } from '../runtime/denials.ts';
import { type Asked, askClicks } from './asking.ts';

/**
 * The order of links by their clicks. While somebody pages through it, clicks arrive and are erased. So an order is
 * computed once and kept as a file for the following pages. The bucket deletes it after a day or two.
 */

/** What links are sorted by: how many clicks they have in the range, or the time of the last one in it. */
export const linkSorts = ['clicks', 'lastClickedAt'] as const;
export type LinkSort = (typeof linkSorts)[number];

/** How many clicks a link has in a range, and the time of the last one, in milliseconds since 1970. */
export type InRange = { readonly clicks: number; readonly last: number };

/** Links in their order, by their ids. */
export type LinkOrder = ReadonlyMap<string, InRange>;

const measures: Readonly<Record<LinkSort, string>> = { clicks: 'count(*)', lastClickedAt: 'max(clicked_at)' };

/**
 * All links with clicks in a range, in their order, and among equals by their ids. It includes deleted links.
 *
 * @throws RequestError as `askClicks`, or `too_much_to_read` if there are more than `rankedLinks`
 */
export async function askOrder(workspaceId: string, asked: Asked, sort: LinkSort, order: 'asc' | 'desc'): Promise<LinkOrder> {
  const query = `SELECT link_id, count(*) AS clicks, epoch_ms(max(clicked_at)) AS last FROM clicks GROUP BY link_id
    ORDER BY ${measures[sort]} ${order === 'asc' ? 'ASC' : 'DESC'}, link_id LIMIT $most::BIGINT`;
  const rows = await askClicks(workspaceId, asked, (ask) => ask(query, { most: rankedLinks + 1 }));
  if (rows.length > rankedLinks)
    throw tooMuchToRead(`${rankedLinks.toLocaleString('en-US')} links with clicks`, ['from', 'tagIds']);
  return new Map(rows.map(({ link_id, clicks, last }) => [String(link_id), { clicks: Number(clicks), last: Number(last) }]));
}

const nameLength = 22;

/** A regular expression for the name of a kept order. */
export const orderName = `[0-9A-Za-z]{${nameLength}}`;

/** Earlier versions kept orders without counts, and without the suffix. */
const keyOf = (workspaceId: string, name: string) => `${rankingFolder}workspace=${workspaceId}/${name}-counts`;

/** Keeps an order, a link in each line. @returns its name @throws RequestError `temporarily_unavailable` */
export const keepOrder = (workspaceId: string, links: LinkOrder): Promise<string> =>
  withFile(async (path) => {
    const name = randomBase62(nameLength);
    const lines = [...links].map(([id, { clicks, last }]) => [id, clicks, last].join(' '));
    await writeFile(path, lines.join('\n'));
    // No other file has this name. So if it exists, an earlier attempt has written it, and its response was lost.
    await putNewFile(keyOf(workspaceId, name), path);
    return name;
  });

/** An order that was kept; undefined if it has expired. @throws RequestError `temporarily_unavailable` */
export const keptOrder = (workspaceId: string, name: string): Promise<LinkOrder | undefined> =>
  withFile(async (path) => {
    try {
      await getFile(keyOf(workspaceId, name), path);
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw error;
    }
    const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
    return new Map(
      lines.map((line) => {
        const [id = '', clicks, last] = line.split(' ');
        return [id, { clicks: Number(clicks), last: Number(last) }];
      }),
    );
  });

/** Does some work with the path for a local file, and deletes the file. */
async function withFile<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'order-'));
  try {
    return await work(join(folder, 'ids'));
  } catch (error) {
    if (error instanceof RequestError || isDenial(error)) throw error;
    console.warn({
      message: 'an order of links could not be saved or read',
      name: (error as Error).name,
      reason: (error as Error).message,
    });
    throw unavailable();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
