import type { IncomingHttpHeaders } from 'node:http';
import http from 'node:http';
import https from 'node:https';

/** The response that a visitor gets. */
export type Visited = { readonly status: number; readonly headers: IncomingHttpHeaders };

type VisitOptions = {
  /** The fields of a form to send with POST. */
  readonly form?: Readonly<Record<string, string>>;
  readonly cookie?: string;
};

/**
 * Visits a short URL, and does not follow its redirect. Visits again if the service says that it is busy (503).
 *
 * @throws Error if there is no response within 30 seconds.
 */
export type Visit = (shortUrl: string, options?: VisitOptions) => Promise<Visited>;

const mostAttempts = 5;

/**
 * Visits of a service. A service on this machine gets all visits itself, because no DNS knows its domains.
 *
 * @param baseUrl the URL of the service's API.
 */
export function visitsOf(baseUrl: string): Visit {
  const service = new URL(baseUrl);
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(service.hostname);
  const once = (shortUrl: string, { form, cookie }: VisitOptions) =>
    new Promise<Visited>((resolve, reject) => {
      const url = new URL(shortUrl);
      const body = form && new URLSearchParams(form).toString();
      const { hostname, port, protocol } = isHere ? service : url;
      const { request } = protocol === 'http:' ? http : https;
      const outgoing = request(
        {
          hostname: hostname.replace(/^\[|\]$/g, ''),
          port,
          path: url.pathname + url.search,
          method: form ? 'POST' : 'GET',
          timeout: 30_000,
          headers: {
            Host: url.host,
            // A program that acts for a person, so that the visit is counted.
            'User-Agent': 'node (smoke test)',
            ...(cookie !== undefined && { Cookie: cookie }),
            ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
          },
        },
        (incoming) => {
          incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers }));
          incoming.on('error', reject);
          incoming.resume();
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${url.host} does not respond`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return async (shortUrl, options = {}) => {
    for (let attempts = 1; ; attempts++) {
      const visited = await once(shortUrl, options);
      if (visited.status !== 503 || attempts === mostAttempts) return visited;
    }
  };
}
