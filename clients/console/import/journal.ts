import { type LinksClient, ProblemError, type Schemas } from '../../typescript/client.ts';
import type { Place } from './kept.ts';

// All state of the import is in the service, so after a reload it runs again from its start. Its bulk requests go
// through this journal: answered ones get their answer from there, without a request. The one that was under way is
// sent again with the same Idempotency-Key, which makes no duplicates.
//
// For example: part 3 is stored, sent and carried out. The page is reloaded before the answer. The import runs again:
// parts 1 and 2 are answered from the journal, part 3 is sent again with its key, the service answers as before, part 4
// follows.

/** How long the service remembers a key, less an hour, because clocks differ. See docs/api/README.md. */
const keyLivesMs = 23 * 60 * 60_000;

/** Why links without slugs are not sent again after that time. */
const unknownReason = 'it was sent a day ago without an answer, so the link may exist: look for it before you make it again';

type Body = { readonly links: readonly Schemas['ImportLink'][] };

/** The answer for a part whose outcome cannot be found out. */
const unknownAnswer = ({ links }: Body): Schemas['BulkAnswer'] => ({
  created: 0,
  activeCount: 0,
  pendingCount: 0,
  links: [],
  failed: links.map(({ url }, index) => ({ index, url, customSlug: null, code: 'unknown', message: unknownReason })),
});

/** A link as it is now: a stored answer has the link as it was created, and somebody may have changed it since. */
export async function linkNow(client: LinksClient, link: Schemas['Link']): Promise<Schemas['Link']> {
  try {
    return (await client.GET('/api/v1/links/{id}', { params: { path: { id: link.id } } })).data.link;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return link;
    throw error;
  }
}

/** A request must not be repeated, because the service may have forgotten its key by now. */
class TooOldError extends Error {}

/**
 * A client whose bulk requests are stored before they are sent, and again with their answers.
 *
 * @param clientWith makes a client that calls the given function after each wait: a laptop may have slept for a day.
 * @param now the browser's clock, in milliseconds since 1970.
 */
export function journaled(
  clientWith: (afterWait: () => void) => LinksClient,
  runId: string,
  place: Place,
  now: () => number = Date.now,
): LinksClient {
  /** When the key of the current request ends. */
  let until = Number.POSITIVE_INFINITY;
  const client = clientWith(() => {
    if (now() > until) throw new TooOldError();
  });
  const importLinks = async (init: { params: { header: { 'Idempotency-Key': string } }; body: Body }) => {
    const key = init.params.header['Idempotency-Key'];
    const kept = await place.getPart(runId, key);
    if (kept?.answer) return { data: kept.answer, response: new Response() };
    const sentAt = kept?.sentAt ?? now();
    // Links with slugs need no key: existing ones are found by their slugs.
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
