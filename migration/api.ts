import { setTimeout as wait } from 'node:timers/promises';
import type { ClickView } from '../lambdas/views/click.ts';
import type { LinkView } from '../lambdas/views/link.ts';

/** A failed entry of a bulk request. */
export type FailedEntry = { readonly index: number; readonly code: string; readonly message: string };

/** A page of a list. `nextCursor` is null if it is the last one. */
type Page = { readonly nextCursor: string | null };

export type Tag = { readonly id: string; readonly name: string };

/** The parts of a problem document that the client uses. `errors` has the invalid fields, by their JSON Pointers. */
type Problem = { readonly code?: string; readonly detail?: string; readonly errors?: readonly { readonly path: string }[] };

/** An error response of the API: its status, and the code, detail and invalid fields of its problem document. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly paths: readonly string[];

  constructor(status: number, { code = 'unknown', detail = '', errors = [] }: Problem) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.paths = errors.map(({ path }) => path);
  }
}

/** What a client needs from outside. Tests pass their own. */
export type World = {
  readonly fetch: typeof fetch;
  /** Waits that many seconds, and reports why. @throws if the wait is aborted. */
  readonly pause: (seconds: number, reason: string) => Promise<void>;
};

export const realWorld = (onPause: (seconds: number, reason: string) => void, signal: AbortSignal): World => ({
  fetch,
  pause: async (seconds, reason) => {
    onPause(seconds, reason);
    await wait(seconds * 1_000, undefined, { signal });
  },
});

const bulkPath = '/links/bulk';

/** How often a request may fail with a transient error or without a response, before the client gives up. */
const mostFailures = 6;

/**
 * A client of the API that keeps within its rate limits and retries transient errors. Every request is safe to repeat:
 * it reads, sets what it names, has an `Idempotency-Key`, or creates a tag, whose name is unique.
 */
export function clientOf(baseUrl: string, apiKey: string, world: World) {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    for (let failures = 0; ; ) {
      const answer = await world
        .fetch(`${baseUrl}/api/v1${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${apiKey}`,
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        .catch((error: Error) => error);
      if (answer instanceof Error) {
        if (++failures === mostFailures) throw new Error(`${baseUrl} does not respond: ${answer.message}`);
        await world.pause(2 ** failures, 'the service does not respond');
        continue;
      }
      const text = await answer.text();
      if (answer.ok) return text === '' ? undefined : JSON.parse(text);
      const problem = { detail: text.slice(0, 200), ...problemIn(text) };
      const { code } = problem;
      const isLimited = answer.status === 429;
      const isTransient = isLimited || answer.status === 503 || code === 'idempotency_in_progress';
      // Waiting for a rate limit does not count as a failure.
      if (!isTransient || (!isLimited && ++failures === mostFailures)) throw new ApiError(answer.status, problem);
      // For every 429, the gateway sends the Retry-After of bulk requests. Other requests need to wait only a second.
      if (isLimited && path !== bulkPath) {
        await world.pause(1, 'the request rate of the workspace');
        continue;
      }
      const seconds = secondsOf(answer.headers.get('Retry-After')) ?? 2 ** failures;
      await world.pause(seconds, isLimited ? 'the limit of 3 bulk requests a minute' : 'the service is busy');
    }
  };
  const find = async (path: string): Promise<LinkView | undefined> => {
    try {
      return (await send('GET', path)).link;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return undefined;
      throw error;
    }
  };
  return {
    listTags: async (): Promise<Tag[]> => (await send('GET', '/tags')).tags,
    createTag: (name: string, color: string): Promise<Tag> => send('POST', '/tags', { name, color }),
    importLinks: (domain: string, links: readonly object[], key: string): Promise<{ failed: FailedEntry[]; links: LinkView[] }> =>
      send('POST', bulkPath, { domain, links }, { 'Idempotency-Key': key }),
    createLink: async (link: object, key: string): Promise<LinkView> =>
      (await send('POST', '/links', link, { 'Idempotency-Key': key })).link,
    updateLink: async (id: string, changes: object): Promise<LinkView> => (await send('PATCH', `/links/${id}`, changes)).link,
    /** @throws Error if the workspace cannot import to that domain. A key that may not read domains cannot tell. */
    checkDomain: async (domain: string): Promise<void> => {
      try {
        if ((await send('GET', `/domains/${domain}`)).status === 'PENDING_OWNERSHIP') throw unproven(domain);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') throw unproven(domain);
        if (!(error instanceof ApiError) || error.status !== 403) throw error;
      }
    },
    /** A page of the workspace's links, newest first. @param cursor of the page; undefined for the first one */
    listLinks: (cursor?: string): Promise<Page & { readonly links: LinkView[] }> =>
      send('GET', `/links?${new URLSearchParams({ limit: '100', ...(cursor !== undefined && { cursor }) })}`),
    /** A page of a link's clicks, newest first. @param query `from`, `to` and `cursor` */
    listClicks: (id: string, query: Record<string, string>): Promise<Page & { readonly clicks: ClickView[] }> =>
      send('GET', `/links/${encodeURIComponent(id)}/clicks?${new URLSearchParams({ limit: '100', ...query })}`),
    /** The link with that id, whatever its slug is by now; undefined if there is none. */
    getLink: (id: string) => find(`/links/${id}`),
    /** The link to which that slug leads; undefined if there is none. */
    lookUp: (domain: string, slug: string) => find(`/links/lookup?${new URLSearchParams({ domain, slug })}`),
  };
}

export const unproven = (domain: string) => new Error(`the workspace has not proven that it owns the domain ${domain}`);

export type Client = ReturnType<typeof clientOf>;

/**
 * The seconds of a `Retry-After`, which is a number or a date (RFC 9110, section 10.2.3): at least 1; undefined if it
 * is neither.
 */
function secondsOf(text: string | null): number | undefined {
  const seconds = /^\d+$/.test(text ?? '') ? Number(text) : Math.ceil((Date.parse(text ?? '') - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(1, seconds);
}

function problemIn(text: string): Problem {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
