import { createHash } from 'node:crypto';
import type { LinkView } from '../lambdas/domain/link.ts';
import { foldTagName } from '../lambdas/domain/tag.ts';
import { ApiError, type Client } from './api.ts';
import type { PlannedLink, PlannedRow } from './plan.ts';

/** What has become of a row. In a dry run a link that is not there would be created. */
export type Outcome = 'created' | 'would_create' | 'existing' | 'refused' | 'not_reached';

export type Result = {
  readonly row: PlannedRow;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly shortUrl: string;
};

export type RunOptions = {
  readonly client: Client;
  readonly domain: string;
  readonly rows: readonly PlannedRow[];
  readonly dryRun: boolean;
  /** Another one for every file: links without slugs are known by it where the file is brought again. */
  readonly fingerprint: string;
  /** Another one for every run. */
  readonly runId: string;
  /** Says how many rows are done. */
  readonly onProgress: (done: number) => void;
  /** True once it shall come to an end: what is under way is finished, and nothing begun. */
  readonly isStopped: () => boolean;
};

/** Links an import at most has: a limit of the service, and so many bytes of the 6 MB that a request may have. */
const mostLinks = 1_000;
const mostBytes = 4_000_000;

/** Look-ups and updates at a time. */
const inFlight = 4;

/** A row that is being worked on. */
type Entry = { readonly place: number; readonly link: PlannedLink };

/**
 * Carries a plan out: links by imports, then tags and expiry by updates. It may be stopped at any time, and done again: what is there
 * already is found to be, and left or completed.
 *
 * @returns what has become of each row, and what stood in the way of the rest, if anything did.
 */
export async function runImport(options: RunOptions): Promise<{ readonly results: Result[]; readonly failure?: Error }> {
  const { client, rows, dryRun, domain, onProgress, isStopped } = options;
  const results = rows.map(
    (row): Result => ({ row, outcome: row.link ? 'not_reached' : 'refused', reason: row.reason ?? '', shortUrl: '' }),
  );
  const entries = rows.flatMap(({ link }, place) => (link ? { place, link } : []));
  let done = rows.length - entries.length;
  const settle = ({ place }: Entry, outcome: Outcome, reason = '', shortUrl = '') => {
    results[place] = { row: rows[place] as PlannedRow, outcome, reason, shortUrl };
    onProgress(++done);
  };
  onProgress(done);

  try {
    const tagIds = await tagsFor(options, entries);
    for (const chunk of [...chunksOf(entries.filter(hasSlug)), ...chunksOf(entries.filter((entry) => !hasSlug(entry)))]) {
      if (isStopped()) break;
      const found = dryRun ? await lookUpAll(chunk) : await importAll(chunk);
      await inParallel(found, async ({ entry, link, outcome, reason }) => {
        if (isStopped()) return;
        try {
          if (link && !dryRun) await complete(client, link, entry.link, tagIds);
          settle(entry, outcome, reason, link?.shortUrl);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          settle(entry, 'refused', `created, but its tags and expiry were not set: ${error.message}`, link?.shortUrl);
        }
      });
    }
  } catch (error) {
    // Waiting is broken off where the import is stopped.
    return isStopped() ? { results } : { results, failure: error as Error };
  }
  return { results };

  /** What a dry run finds out: nothing is written. */
  async function lookUpAll(chunk: readonly Entry[]): Promise<Found[]> {
    const found: Found[] = [];
    await inParallel(chunk, async (entry) => {
      const link = entry.link.slug === undefined ? undefined : await client.lookUp(domain, entry.link.slug);
      found.push(link ? thereAlready(entry, link) : { entry, outcome: 'would_create', reason: '' });
    });
    return found;
  }

  /** Imports a chunk, in parts where the answer could be too large, and looks at what has the slugs that were taken. */
  async function importAll(chunk: readonly Entry[]): Promise<Found[]> {
    const links = chunk.map(({ link }) => ({
      url: link.url,
      redirectType: link.redirectType,
      ...(link.slug !== undefined && { customSlug: link.slug }),
      ...(link.title !== undefined && { title: link.title }),
    }));
    let answer: Awaited<ReturnType<Client['importLinks']>>;
    try {
      answer = await client.importLinks(domain, links, keyOf(options, links));
    } catch (error) {
      const isTooLarge = error instanceof ApiError && ['answer_too_large', 'request_too_large'].includes(error.code);
      if (!isTooLarge || chunk.length === 1) throw error;
      const half = Math.ceil(chunk.length / 2);
      return [...(await importAll(chunk.slice(0, half))), ...(await importAll(chunk.slice(half)))];
    }
    const failures = new Map(answer.failed.map((failure) => [failure.index, failure]));
    const created = answer.links[Symbol.iterator]();
    const found: Found[] = [];
    const taken: Entry[] = [];
    chunk.forEach((entry, index) => {
      const failure = failures.get(index);
      if (!failure) found.push({ entry, link: created.next().value, outcome: 'created', reason: '' });
      else if (failure.code === 'slug_taken') taken.push(entry);
      else found.push({ entry, outcome: 'refused', reason: failure.message });
    });
    await inParallel(taken, async (entry) => {
      const link = await client.lookUp(domain, entry.link.slug ?? '');
      found.push(link ? thereAlready(entry, link) : { entry, outcome: 'refused', reason: 'the slug was taken a moment ago' });
    });
    return found;
  }
}

type Found = { readonly entry: Entry; readonly link?: LinkView | undefined; readonly outcome: Outcome; readonly reason: string };

/** What has the slug of an entry: the same link, perhaps of an earlier run, or another. */
const thereAlready = (entry: Entry, link: LinkView): Found =>
  link.url === entry.link.url
    ? { entry, link, outcome: 'existing', reason: '' }
    : { entry, outcome: 'refused', reason: `slug is taken by a link to ${link.url}` };

/** Puts tags and expiry on a link where they are not there yet; tags that it has besides stay. */
async function complete(client: Client, link: LinkView, wanted: PlannedLink, tagIds: ReadonlyMap<string, string>): Promise<void> {
  const has = link.tags.map(({ id }) => id);
  const ids = wanted.tags.flatMap((name) => tagIds.get(foldTagName(name)) ?? []);
  const missing = ids.filter((id) => !has.includes(id));
  const changes = {
    ...(missing.length > 0 && { tagIds: [...has, ...missing].slice(0, 20) }),
    ...(wanted.expiresAt !== undefined && wanted.expiresAt !== link.expiresAt && { expiresAt: wanted.expiresAt }),
  };
  if (Object.keys(changes).length > 0) await client.updateLink(link.id, changes);
}

/** The ids of all tags that are wanted, by folded name; those that are not there are made, but for a dry run. */
async function tagsFor(
  { client, dryRun, isStopped }: RunOptions,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map(entries.flatMap(({ link }) => link.tags.map((name) => [foldTagName(name), name] as const)));
  if (wanted.size === 0) return new Map();
  const known = async () => new Map((await client.listTags()).map(({ id, name }) => [foldTagName(name), id]));
  const ids = await known();
  if (dryRun) return ids;
  for (const [folded, name] of wanted) {
    if (ids.has(folded) || isStopped()) continue;
    try {
      ids.set(folded, (await client.createTag(name, colorOf(folded))).id);
    } catch (error) {
      // Somebody else, or an earlier attempt of this very request, was faster.
      if (!(error instanceof ApiError) || error.code !== 'tag_name_taken') throw error;
      ids.set(folded, (await known()).get(folded) ?? '');
    }
  }
  return ids;
}

/** The same colour for the same name, whoever makes the tag. */
const colorOf = (name: string): string => `#${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;

const hasSlug = ({ link }: Entry): boolean => link.slug !== undefined;

/**
 * Of links with slugs another one for every run: that they are there is told by the slugs, and an answer of an earlier run would be out of date
 * where one was deleted since, or its host is no longer blocked. Of links without, known again as long as the file, the domain and the links are
 * the same: nothing else keeps them from being made twice.
 */
const keyOf = ({ fingerprint, runId, domain }: RunOptions, links: readonly { customSlug?: string }[]): string =>
  `import-${createHash('sha256')
    .update(JSON.stringify([links[0]?.customSlug === undefined ? fingerprint : runId, domain, links]))
    .digest('hex')}`;

function chunksOf(entries: readonly Entry[]): Entry[][] {
  const chunks: Entry[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const size = Buffer.byteLength(JSON.stringify(entry.link));
    if (bytes + size > mostBytes || chunks.at(-1)?.length === mostLinks) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(entry);
    bytes += size;
  }
  return chunks;
}

async function inParallel<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let place = next++; place < list.length; place = next++) await work(list[place] as T);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}
