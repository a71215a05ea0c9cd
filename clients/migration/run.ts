import { foldTagName } from '../../lambdas/core/tag/tag.ts';
import { inParallel } from '../../lambdas/runtime/in-parallel.ts';
import { type LinksClient, ProblemError, type Schemas } from '../typescript/client.ts';
import { addAliases, renamesOf } from './aliases.ts';
import { createTags, type Link, lookUp } from './api.ts';
import { bodyOf, chunksOf, keyOf } from './chunks.ts';
import type { Pace } from './pace.ts';
import type { PlannedRow } from './planned.ts';
import {
  alreadyThere,
  concurrency,
  type Destination,
  type Ending,
  type Entry,
  type Found,
  type Ledger,
  ledgerOf,
  type OnProgress,
  reasonOf,
} from './results.ts';
import { asMade } from './template.ts';

// How an import is carried out. All state is in the service, so a later run needs nothing from an earlier one.
//
// 1. Create the tags that are missing.
// 2. Create the links with bulk requests, each link with everything that it has. No link exists without its settings.
// 3. Rows that were refused: send those with bad rules again without the rules, and look up the links that have the
// slugs of the others.
// 4. Give links their aliases, with updates.
//
// For example, a file has the rows A (slug `a`), B (slug `b`, alias `b2`) and C (no slug).
//
// - Run 1 creates A, B and C. It renames B to `b2`, and is killed before it renames it back.
// - Somebody adds a tag to A.
// - Run 2 sends A and B in a bulk request with a new Idempotency-Key. Both are refused, because their slugs are taken.
//   It looks them up: they lead to the same URLs, so they are `existing`. A stays as it is, with the added tag. B is
//   named `b2`, which is one of its aliases, so run 2 renames it to `b`.
// - Run 2 sends C with the Idempotency-Key of run 1, since nothing else tells C from a new link. The service sends run
//   1's response again, and creates nothing.
//
// If the response of run 1 is lost, the client retries the request with the same key. If it never gets a response, the
// report says that the links may exist, and run 2 finds them in the same way.

/** What all requests of an import have in common. */
export type Surroundings = Destination & {
  readonly client: LinksClient;
  /** Identifies the file's content, so that links without slugs are recognized if it is imported again. */
  readonly fingerprint: string;
  /** Identifies the run. */
  readonly runId: string;
  /** Whether to stop: requests in flight are finished, and no new ones started. */
  readonly isStopped: () => boolean;
  /** When bulk requests are sent; undefined sends them as they come, and the client waits if one is refused. */
  readonly pace?: Pace;
};

export type RunOptions = Surroundings & Later & { readonly rows: readonly PlannedRow[]; readonly onProgress: OnProgress };

type Later = {
  /** Reads a link as it is now. Clients whose responses may be stale need it. */
  readonly linkNow?: (link: Link) => Promise<Link>;
};

type Run = Surroundings & Later & Pick<Ledger, 'note' | 'settle'>;

/**
 * Carries out a plan. It can be stopped at any time and repeated: links that already exist are recognized and left as
 * they are, except for missing aliases. An error ends it early, and is in the result.
 */
export async function runImport(options: RunOptions): Promise<Ending> {
  const { client, rows, onProgress, isStopped } = options;
  const { results, entries, ...recording } = ledgerOf(rows, onProgress);
  const run: Run = { ...options, ...recording };
  try {
    await createTags(
      client,
      entries.flatMap(({ link }) => link.tags),
      isStopped,
    );
    for (const chunk of chunksOf(entries)) {
      if (isStopped()) break;
      await importChunk(run, chunk);
    }
  } catch (error) {
    // Stopping the import aborts waits, which is not a failure.
    return isStopped() ? { results } : { results, failure: error as Error };
  }
  return { results };
}

/** Creates the links of a chunk with all settings, and records the outcomes. */
export async function importChunk(run: Run, chunk: readonly Entry[]): Promise<void> {
  await inParallel(await createChunk(run, chunk), concurrency, (found) => finish(run, found));
}

/** Creates the links of a chunk, in halves if it is too large. Finds out the outcome of each entry, and records it. */
async function createChunk(run: Run, chunk: readonly Entry[]): Promise<Found<Link>[]> {
  if (chunk.length === 0) return [];
  const response = await send(run, chunk);
  if (!response) {
    const half = Math.ceil(chunk.length / 2);
    return [...(await createChunk(run, chunk.slice(0, half))), ...(await createChunk(run, chunk.slice(half)))];
  }
  const failures = new Map(response.failed.map((failure) => [failure.index, failure]));
  const links = response.links[Symbol.iterator]();
  const created = chunk
    .filter((_, index) => !failures.has(index))
    .map((entry): Found<Link> => ({ entry, link: links.next().value, outcome: 'created', reason: entry.leftOut }));
  // Recorded at once, so that the results are accurate even if the import ends here.
  for (const found of created) record(run, found);

  const refused = response.failed.map((failure) => ({ entry: chunk[failure.index] as Entry, failure }));
  const { rules = [], others = [] } = Object.groupBy(refused, ({ entry, failure }) =>
    entry.link.rules && isAboutRules(failure) ? 'rules' : 'others',
  );
  const existing = await inParallel(others, concurrency, async ({ entry, failure }) => {
    const found = await whyRefused(run, entry, failure);
    record(run, found);
    return found;
  });
  const withoutRules = rules.map(({ entry: { position, link }, failure }) => ({
    position,
    link: { ...link, rules: undefined },
    leftOut: `its rules were left out: ${failure.message}`,
  }));
  return [...created, ...existing, ...(await createChunk(run, withoutRules))];
}

/** Why a row is `not_reached` although its link may exist. */
const unanswered = 'the service has not answered the request, so the link may exist';

/** Sends a bulk request. Returns undefined if it is too large and has to be split. */
async function send(run: Run, chunk: readonly Entry[]): Promise<Schemas['BulkAnswer'] | undefined> {
  const params = { header: { 'Idempotency-Key': await keyOf(chunk, run) } };
  const answered = await run.pace?.turn();
  if (answered && run.isStopped()) {
    answered(undefined);
    throw new Error('the import ended before its turn');
  }
  let headers: Headers | undefined;
  try {
    const body = { domain: run.domain, templateId: run.template?.id, links: bodyOf(chunk) };
    const { data, response } = await run.client.POST('/api/v1/links/bulk', { params, body });
    headers = response.headers;
    return data;
  } catch (error) {
    if (chunk.length > 1 && isTooLarge(error)) return undefined;
    const isCertain = error instanceof ProblemError && error.status < 500 && !error.repeated;
    if (!isCertain) for (const entry of chunk) run.note({ entry, outcome: 'not_reached', reason: unanswered });
    throw error;
  } finally {
    answered?.(headers);
  }
}

/** Whether a bulk request is refused because of its size. `/links` has too many links or too many different hosts. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof ProblemError &&
  (['answer_too_large', 'request_too_large'].includes(error.code) || error.errors.some(({ path }) => path === '/links'));

/**
 * Whether a link is refused because of its rules. The messages of bulk requests start with the field's JSON Pointer.
 */
const isAboutRules = ({ message }: { readonly message: string }): boolean => /^\/rules[/ ]/.test(message);

/** The outcome of an entry that the service refuses: perhaps it exists already, so its slug or external id is taken. */
async function whyRefused(
  run: Run,
  entry: Entry,
  { code, message }: { readonly code: string; readonly message: string },
): Promise<Found<Link>> {
  const { client, domain } = run;
  const { slug, own: { externalId } = {} } = entry.link;
  const isTaken = ['slug_taken', 'external_id_taken'].includes(code);
  const address = slug === undefined ? { externalId: externalId ?? '' } : { domain, shortCode: slug };
  const link = isTaken ? await lookUp(client, address) : undefined;
  if (!link)
    return { entry, outcome: 'refused', reason: code === 'slug_taken' ? 'the slug is reserved by another link' : message };
  const found = alreadyThere(entry, link, run);
  return found.outcome === 'existing' ? { ...found, reason: reasonOf(entry.leftOut, differenceOf(run, entry, link)) } : found;
}

/** The fields in which an existing link differs from its row and the template, in words; empty if there are none. */
function differenceOf({ template }: Run, entry: Entry, link: Link): string {
  const { expiresAt } = entry.link;
  // The template's expiry differs at each reading.
  const wanted = template ? { ...entry, link: { ...asMade(entry.link, template), expiresAt } } : entry;
  const [{ customSlug: _, tagNames = [], ...fields } = {}] = bodyOf([wanted]) as [Schemas['ImportLink']];
  const has = new Set(link.tags.map(({ name }) => foldTagName(name)));
  const names = [
    ...Object.entries(fields).flatMap(([name, value]) => (isSame(link[name as keyof Link], value) ? [] : [name])),
    ...(tagNames.every((name) => has.has(foldTagName(name))) ? [] : ['tags']),
  ];
  return names.length > 0 ? `it stays as it was, and differs in: ${names.join(', ')}` : '';
}

/** Whether two values of JSON are equal, whatever the order of their members. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [members, others] = [Object.entries(one), Object.entries(other)];
  const hasSame = ([name, value]: [string, unknown]) =>
    Object.hasOwn(other, name) && isSame(value, (other as Record<string, unknown>)[name]);
  return Array.isArray(one) === Array.isArray(other) && members.length === others.length && members.every(hasSame);
}

/** Records the outcome of an entry before its link has its aliases. */
function record({ note }: Run, found: Found<Link>): void {
  note(lacksAliases(found) ? { ...found, reason: reasonOf(found.reason, 'its aliases are not set yet') } : found);
}

const lacksAliases = ({ entry, link }: Found<Link>): boolean => link !== undefined && renamesOf(link, entry.link).length > 0;

/** Gives a link its aliases, and records the final result of its row. */
async function finish({ client, isStopped, settle, linkNow = async (link) => link }: Run, found: Found<Link>): Promise<void> {
  const { entry, link, reason } = found;
  if (!link || !lacksAliases(found)) return settle(found);
  if (isStopped()) return;
  settle({ ...found, reason: reasonOf(reason, ...(await addAliases(client, await linkNow(link), entry.link))) });
}
