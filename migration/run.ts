import { type LinksClient, ProblemError, type Schemas } from '../clients/typescript/client.ts';
import { inParallel } from '../lambdas/runtime/in-parallel.ts';
import { type Link, lookUp } from './api.ts';
import { bodyOf, chunksOf, keyOf } from './chunks.ts';
import { complete, isAboutRules, isGuarded, makeTags, needsCompletion, settingsOf } from './completion.ts';
import type { PlannedRow } from './plan.ts';
import { type Ending, type Entry, type Found, inFlight, ledgerOf, thereAlready } from './results.ts';

export type RunOptions = {
  readonly client: LinksClient;
  readonly domain: string;
  readonly rows: readonly PlannedRow[];
  /** Identifies the file's content: if it is imported again, links without slugs are recognized by it. */
  readonly fingerprint: string;
  /** Identifies the run. */
  readonly runId: string;
  /** Called with the number of rows that are done. */
  readonly onProgress: (done: number) => void;
  /** Whether to stop: requests in flight are finished, and no new ones started. */
  readonly isStopped: () => boolean;
};

/** The reasons of a row whose link is not complete yet, and of one whose slug has no link although it is taken. */
const incomplete = 'its tags and settings are not set yet';
const reserved = 'the slug is reserved by another link';

/**
 * Carries out a plan: creates links with bulk requests, then sets tags and further settings with updates.
 * Links with a start or a cap are created one by one, with these, so that they are never open to everybody. It can be stopped at
 * any time and repeated: links that exist already are recognized, and completed if need be. An error ends it early, and
 * is in the result.
 */
export async function runImport(options: RunOptions): Promise<Ending> {
  const { client, rows, domain, onProgress, isStopped } = options;
  const { results, entries, note, settle } = ledgerOf(rows, onProgress);
  try {
    const tagIds = await makeTags(client, entries, isStopped);
    const guarded = entries.filter(({ link }) => isGuarded(link));
    const chunks = chunksOf(entries.filter(({ link }) => !isGuarded(link)));
    for (const create of [...chunks.map((chunk) => () => importAll(chunk)), () => createAll(guarded)]) {
      if (isStopped()) break;
      await inParallel(await create(), inFlight, async (found) => {
        const { link, entry } = found;
        if (!link) return settle(found);
        if (isStopped()) return;
        try {
          settle({ ...found, ...(await complete(client, link, entry.link, tagIds)) });
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          settle({ ...found, outcome: 'refused', reason: `it exists, but its tags and settings were not set: ${error.message}` });
        }
      });
    }
  } catch (error) {
    // Stopping the import aborts waits, which is not a failure.
    return isStopped() ? { results } : { results, failure: error as Error };
  }
  return { results };

  async function importLinks(links: Schemas['ImportLink'][], key: string) {
    const params = { header: { 'Idempotency-Key': key } };
    return (await client.POST('/api/v1/links/bulk', { params, body: { domain, links } })).data;
  }

  async function createLink(body: Schemas['CreateLinkRequest'], key: string): Promise<Link> {
    const params = { header: { 'Idempotency-Key': key } };
    return (await client.POST('/api/v1/links', { params, body })).data.link;
  }

  /** Creates links one by one, each at once with its settings, and looks up those that have taken slugs. */
  async function createAll(guarded: readonly Entry[]): Promise<Found<Link>[]> {
    const create = async (entry: Entry): Promise<Found<Link>> => {
      const { rules, ...others } = settingsOf(entry.link);
      const key = keyOf([entry], options);
      const withoutRules = { domain, ...(bodyOf([entry])[0] as Schemas['ImportLink']), ...others };
      try {
        const link = await createLink({ ...withoutRules, ...(rules && { rules }) }, key).catch((error) => {
          // An earlier run may have created it without its rules. In both cases, completion tries to set them.
          const isRefused = isAboutRules(error) || (error instanceof ProblemError && error.code === 'idempotency_key_reused');
          if (rules === undefined || !isRefused) throw error;
          return createLink(withoutRules, key);
        });
        return { entry, link, outcome: 'created', reason: '' };
      } catch (error) {
        if (!(error instanceof ProblemError) || ![409, 422].includes(error.status)) throw error;
        return foundAs(entry, error.code, error.message);
      }
    };
    const all: Found<Link>[] = [];
    await inParallel(guarded, inFlight, async (entry) => {
      if (isStopped()) return;
      const found = await create(entry);
      all.push(found);
      const lacksRules = found.link?.rules.length === 0 && entry.link.rules !== undefined;
      const isIncomplete = found.link && (lacksRules || entry.link.tags.length > 0 || entry.link.aliases !== undefined);
      // Recorded at once, so that the result is accurate even if the import ends here.
      note(isIncomplete ? { ...found, reason: incomplete } : found);
    });
    return all;
  }

  /** Imports a chunk, in halves if it is too large, and looks up the links that have taken slugs. */
  async function importAll(chunk: readonly Entry[]): Promise<Found<Link>[]> {
    const answer = await importLinks(bodyOf(chunk), keyOf(chunk, options)).catch((error) => {
      const isTooLarge = error instanceof ProblemError && ['answer_too_large', 'request_too_large'].includes(error.code);
      if (!isTooLarge || chunk.length === 1) throw error;
      return undefined;
    });
    if (!answer) {
      const half = Math.ceil(chunk.length / 2);
      return [...(await importAll(chunk.slice(0, half))), ...(await importAll(chunk.slice(half)))];
    }
    const failures = new Map(answer.failed.map((failure) => [failure.index, failure]));
    const created = answer.links[Symbol.iterator]();
    const all: Found<Link>[] = [];
    const refused: [Entry, { code: string; message: string }][] = [];
    const keep = (found: Found<Link>) => {
      all.push(found);
      // Recorded at once, so that the result is accurate even if the import ends here.
      // A new link has what only this service knows from the beginning.
      const { own, ...rest } = found.entry.link;
      const isIncomplete = found.link && needsCompletion(found.outcome === 'created' ? rest : { ...rest, own });
      note(isIncomplete ? { ...found, reason: incomplete } : found);
    };
    chunk.forEach((entry, index) => {
      const failure = failures.get(index);
      if (!failure) keep({ entry, link: created.next().value, outcome: 'created', reason: '' });
      else refused.push([entry, failure]);
    });
    await inParallel(refused, inFlight, async ([entry, { code, message }]) => keep(await foundAs(entry, code, message)));
    return all;
  }

  /** What has become of an entry that the service refuses: a link that is there already has taken its slug or external id. */
  async function foundAs(entry: Entry, code: string, message: string): Promise<Found<Link>> {
    const { slug, own: { externalId } = {} } = entry.link;
    const isTaken = ['slug_taken', 'external_id_taken'].includes(code);
    const address = slug === undefined ? { externalId: externalId ?? '' } : { domain, shortCode: slug };
    const link = isTaken ? await lookUp(client, address) : undefined;
    if (link) return thereAlready(entry, link);
    return { entry, outcome: 'refused', reason: code === 'slug_taken' ? reserved : message };
  }
}
