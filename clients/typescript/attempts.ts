import { ProblemError } from './problem.ts';

/** What attempts at a request depend on. */
export type Surroundings = {
  readonly fetch: typeof fetch;
  /** Waits for this number of seconds. @throws if the wait is aborted. */
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<void>;
  /** Called before each wait, with its length in seconds and its reason. */
  readonly onWait: (seconds: number, reason: string) => void;
  /**
   * Whether to wait and retry. If not, the first response is final, for programs in which a person decides. With `for
   * failures`, only failures are retried, and 429 is final, for programs that pass limits on.
   */
  readonly waits: boolean | 'for failures';
};

/** How often a request may fail without a final response before the client gives up. */
const mostFailures = 6;

/** Errors of connections that were never made, so that the service cannot have carried out the request. */
const neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/**
 * Sends a request until there is a final response.
 *
 * If the surroundings do not wait, it is sent once. Otherwise, it is retried after 429 as often as necessary, because
 * the service has refused it, unless the surroundings wait for failures only. After 503, and without a response, the
 * service may have carried it out: it is retried only if that is safe, or if it was never sent.
 *
 * @param isRepeatable whether carrying it out twice has the effect of once.
 * @returns a response that is a success or `304 Not Modified`; its body has arrived.
 * @throws ProblemError for any other response, redirects included; Error if there is none; the signal's reason if it is
 * aborted.
 */
export async function finalResponse(
  request: Request,
  isRepeatable: boolean,
  { fetch, wait, onWait, waits }: Surroundings,
): Promise<Response> {
  const { url, method, headers, signal } = request;
  const body = request.body ? await request.text() : undefined;
  const { origin, pathname } = new URL(url);
  const limit = limitOf(pathname);
  const pause = async (seconds: number, reason: string) => {
    onWait(seconds, reason);
    await wait(seconds, signal);
  };
  let repeated = false;
  for (let failures = 0; ; ) {
    const response = await responseOrError(() =>
      fetch(url, { method, headers, signal, redirect: 'manual', ...(body && { body }) }),
    );
    if (response instanceof Error) {
      signal.throwIfAborted();
      const cause = response.cause as { code?: string; message?: string } | undefined;
      const isSent = !neverSent.includes(cause?.code ?? '');
      const mayRepeat = isRepeatable || !isSent;
      if (!waits || !mayRepeat || ++failures === mostFailures) {
        const unsure = waits && mayRepeat ? '' : '; the request may have been carried out';
        throw new Error(`${origin} does not respond: ${cause?.message || response.message}${unsure}`, { cause: response });
      }
      repeated ||= isSent;
      await pause(2 ** failures, 'the service does not respond');
      continue;
    }
    if (response.ok || response.status === 304) return response;
    const { status } = response;
    if (status >= 300 && status < 400) {
      // Another server must not get the key or the body, and after 301 to 303 a POST would become a GET.
      const target = response.headers.get('Location') ?? 'another address';
      throw new ProblemError(status, `${origin} redirects to ${target}, which the client does not follow`, repeated);
    }
    const retryAfter = status === 429 ? waitOf(response.headers, limit) : secondsOf(response.headers);
    const problem = new ProblemError(status, await response.text(), repeated, retryAfter);
    if (!waits || (waits === 'for failures' && status === 429)) throw problem;
    if (status === 429) {
      // Waiting for a limit is not a failure.
      await pause(retryAfter ?? 1, limit ? `the limit on ${limit}` : 'the request rate of the workspace');
      continue;
    }
    const isTransient = isRepeatable && (status === 503 || problem.code === 'idempotency_in_progress');
    if (!isTransient || ++failures === mostFailures) throw problem;
    repeated = true;
    await pause(retryAfter ?? 2 ** failures, 'the service is busy');
  }
}

/** The limit by the minute that a path has; undefined if it has only the request rate. */
function limitOf(pathname: string): string | undefined {
  if (/\/v1\/links\/bulk(-delete)?$/.test(pathname)) return 'bulk requests';
  return pathname.endsWith('/v1/metadata') ? 'requests for metadata' : undefined;
}

/** The gateway's `Retry-After` for every request that it refuses itself, in seconds. */
const minute = 60;

/**
 * The seconds to wait after a 429. The gateway always sends the `Retry-After` of bulk requests, but requests without a
 * limit of their own need to wait only a second.
 */
function waitOf(headers: Headers, limit: string | undefined): number | undefined {
  const seconds = secondsOf(headers);
  return limit || (seconds ?? 0) < minute ? seconds : 1;
}

/** A response whose body has arrived, since a connection may also break in the middle; or why there is none. */
async function responseOrError(send: () => Promise<Response>): Promise<Response | Error> {
  try {
    const response = await send();
    const { type, statusText, headers } = response;
    // Browsers hide where a redirect leads, and its status, which is never 0 otherwise.
    const status = type === 'opaqueredirect' ? 302 : response.status;
    // For these statuses, browsers have an empty body, but `Response` refuses any body.
    const hasNone = response.body === null || status === 204 || status === 304;
    return new Response(hasNone ? null : await response.arrayBuffer(), { status, statusText, headers });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * The seconds of `Retry-After`, which is a number or a date (RFC 9110, section 10.2.3): at least 1; undefined if it is
 * neither.
 */
function secondsOf(headers: Headers): number | undefined {
  const text = headers.get('Retry-After') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(1, seconds);
}
