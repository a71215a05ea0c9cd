import { setTimeout as wait } from 'node:timers/promises';
import type { LinkView } from '../lambdas/views/link.ts';

/** What is known of a failed entry of an import. */
export type FailedEntry = { readonly index: number; readonly code: string; readonly message: string };

export type Tag = { readonly id: string; readonly name: string };

/** An answer that is no success, with its problem document. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

/** What of the world a client needs; tests give their own. */
export type World = {
  readonly fetch: typeof fetch;
  /** Waits so many seconds, and says why. @throws where the waiting is broken off. */
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

/** How often a request may fail, by no answer or one that says that it passes, before it is given up. */
const mostFailures = 6;

/** A client of the API that waits as it is told. Every request may be sent again: it reads, is idempotent or carries a key. */
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
        if (++failures === mostFailures) throw new Error(`${baseUrl} does not answer: ${answer.message}`);
        await world.pause(2 ** failures, 'the service does not answer');
        continue;
      }
      const text = await answer.text();
      if (answer.ok) return text === '' ? undefined : JSON.parse(text);
      const { code = 'unknown', detail = text.slice(0, 200) } = problemIn(text);
      const isLimited = answer.status === 429;
      const passes = isLimited || answer.status === 503 || code === 'idempotency_in_progress';
      // The limit is waited for as long as it takes; failures are not.
      if (!passes || (!isLimited && ++failures === mostFailures)) throw new ApiError(answer.status, code, detail);
      // The gateway tells everybody who sends too much the wait for bulk requests.
      if (isLimited && path !== bulkPath) {
        await world.pause(1, 'the request rate of the workspace');
        continue;
      }
      const seconds = secondsOf(answer.headers.get('Retry-After')) ?? 2 ** failures;
      await world.pause(seconds, isLimited ? 'the limit of 3 bulk requests a minute' : 'the service is busy');
    }
  };
  return {
    listTags: async (): Promise<Tag[]> => (await send('GET', '/tags')).tags,
    createTag: (name: string, color: string): Promise<Tag> => send('POST', '/tags', { name, color }),
    importLinks: (domain: string, links: readonly object[], key: string): Promise<{ failed: FailedEntry[]; links: LinkView[] }> =>
      send('POST', bulkPath, { domain, links }, { 'Idempotency-Key': key }),
    updateLink: async (id: string, changes: object): Promise<LinkView> => (await send('PATCH', `/links/${id}`, changes)).link,
    /** @throws Error where the workspace could not import to that domain. A key that may not read domains tells nothing. */
    checkDomain: async (domain: string): Promise<void> => {
      try {
        if ((await send('GET', `/domains/${domain}`)).status === 'PENDING_OWNERSHIP') throw unproven(domain);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') throw unproven(domain);
        if (!(error instanceof ApiError) || error.status !== 403) throw error;
      }
    },
    /** The link at an address; undefined where there is none. */
    lookUp: async (domain: string, slug: string): Promise<LinkView | undefined> => {
      try {
        return (await send('GET', `/links/lookup?${new URLSearchParams({ domain, slug })}`)).link;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') return undefined;
        throw error;
      }
    },
  };
}

export const unproven = (domain: string) =>
  new Error(`the workspace has no domain of that name whose ownership is proven: ${domain}`);

export type Client = ReturnType<typeof clientOf>;

/** A `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3): at least a second; undefined where it is neither. */
function secondsOf(text: string | null): number | undefined {
  const seconds = /^\d+$/.test(text ?? '') ? Number(text) : Math.ceil((Date.parse(text ?? '') - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(1, seconds);
}

function problemIn(text: string): { code?: string; detail?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
