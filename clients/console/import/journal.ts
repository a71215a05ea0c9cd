import { type LinksClient, ProblemError, type Schemas } from '../../typescript/client.ts';
import type { Place } from './kept.ts';

// The import has no state but the service's, so a reload carries it out again from its start. Its bulk requests go
// through this journal: those that have an answer get it from there, without a request. The one that was under way is sent
// again with the same Idempotency-Key, which makes nothing twice.
//
// History: part 3 is kept, sent and carried out. The page is reloaded before the answer. The import runs again: parts 1
// and 2 are answered from the journal, part 3 is sent again with its key, the service answers as before, part 4 follows.

/** For how long a key is remembered by the service, less an hour, because clocks differ. See docs/api/README.md. */
const keyLivesMs = 23 * 60 * 60_000;

/** Why links that nothing can tell from new ones are not sent again after that time. */
const unknownReason = 'it was sent a day ago without an answer, so the link may exist: look for it before you make it again';

type Body = { readonly links: readonly Schemas['ImportLink'][] };

/** The answer to a part of which nobody can find out what became of it. */
const unknownAnswer = ({ links }: Body): Schemas['BulkAnswer'] => ({
  created: 0,
  activeCount: 0,
  pendingCount: 0,
  links: [],
  failed: links.map(({ url }, index) => ({ index, url, customSlug: null, code: 'unknown', message: unknownReason })),
});

/** A link as it is now: what is kept says what it was when it was made, and somebody may have changed it since. */
export async function linkNow(client: LinksClient, link: Schemas['Link']): Promise<Schemas['Link']> {
  try {
    return (await client.GET('/api/v1/links/{id}', { params: { path: { id: link.id } } })).data.link;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return link;
    throw error;
  }
}

/** That a request must not be repeated, because the service may have forgotten its key by now. */
class TooOldError extends Error {}

/**
 * A client whose bulk requests are kept before they are sent, and again with their answers.
 *
 * @param clientWith a client that calls what it is given after each wait: a laptop may have slept for a day meanwhile.
 * @param now the browser's clock, in milliseconds since 1970.
 */
export function journaled(
  clientWith: (afterWait: () => void) => LinksClient,
  runId: string,
  place: Place,
  now: () => number = Date.now,
): LinksClient {
  /** The end of the life of the key of the request that is under way. */
  let until = Number.POSITIVE_INFINITY;
  const client = clientWith(() => {
    if (now() > until) throw new TooOldError();
  });
  const importLinks = async (init: { params: { header: { 'Idempotency-Key': string } }; body: Body }) => {
    const key = init.params.header['Idempotency-Key'];
    const kept = await place.getPart(runId, key);
    if (kept?.answer) return { data: kept.answer, response: new Response() };
    const sentAt = kept?.sentAt ?? now();
    // Slugs prevent duplicates without a key, too: links that exist are found by them.
    const needsKey = init.body.links.some(({ customSlug }) => !customSlug);
    const end = needsKey ? sentAt + keyLivesMs : Number.POSITIVE_INFINITY;
    const unknown = { data: unknownAnswer(init.body), response: new Response() };
    if (now() > end) return unknown;
    if (!kept) await place.putPart(runId, key, { sentAt });
    until = end;
    try {
      const answered = await client.POST('/api/v1/links/bulk', init as never);
      await place.putPart(runId, key, { sentAt, answer: answered.data });
      return answered;
    } catch (error) {
      if (error instanceof TooOldError) return unknown;
      throw error;
    } finally {
      until = Number.POSITIVE_INFINITY;
    }
  };
  const POST = (path: string, init: never) =>
    path === '/api/v1/links/bulk' ? importLinks(init) : client.POST(path as never, init);
  return { ...client, POST: POST as LinksClient['POST'] };
}
