import createClient, {
  type Client,
  type ClientPathsWithMethod,
  createQuerySerializer,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import { finalResponse, type Surroundings } from './attempts.ts';
import type { components, paths } from './openapi.ts';
import { pathWith } from './path.ts';

export { PathParameterError } from './path.ts';
export { type ErrorCode, type FieldError, ProblemError } from './problem.ts';
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhooks.ts';

/** The schemas of openapi.json by their names, such as `Schemas['Link']`. */
export type Schemas = components['schemas'];

export type LinksClientOptions = Partial<Surroundings> & {
  /** The URL of the service, before `/api/v1`. The default is the environment variable `LINKS_URL`. */
  readonly baseUrl?: string | undefined;
  /** The default is the environment variable `LINKS_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Aborts requests and waits. A request may have its own signal as well. */
  readonly signal?: AbortSignal | undefined;
};

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Path<M extends Method> = ClientPathsWithMethod<Client<paths>, M>;

/** The body of a success; undefined if there is none. */
type Succeeded<P extends Path<M>, M extends Method, Init> = OrUndefined<
  NonNullable<FetchResponse<NonNullable<paths[P][M]>, Init, 'application/json'>['data']>
>;
type OrUndefined<T> = [T] extends [never] ? undefined : T;

/** A request that may get `304 Not Modified`, which has no data. */
type Conditional = { params: { header: { 'If-None-Match': string } } };

type Data<P extends Path<M>, M extends Method, Init> =
  | Succeeded<P, M, Init>
  | (M extends 'get' ? (Init extends Conditional ? undefined : never) : never);

type Call<M extends Method> = <P extends Path<M>, Init extends MaybeOptionalInit<paths[P], M>>(
  path: P,
  ...init: Partial<Init> extends Init ? [init?: Init] : [init: Init]
) => Promise<{ readonly data: Data<P, M, Init>; readonly response: Response }>;

/** The lists that come in pages, and their items. */
type Page<P extends Path<'get'>> = Succeeded<P, 'get', unknown>;
type ListPath = { [P in Path<'get'>]: Page<P> extends { nextCursor: string | null } ? P : never }[Path<'get'>];
type Item<P extends ListPath> = Page<P>[keyof Page<P>] extends infer Value
  ? Value extends readonly (infer One)[]
    ? One
    : never
  : never;

/**
 * Calls of the API by its paths in openapi.json, such as `client.GET('/api/v1/links/{id}', { params: { path: { id } }
 * })`. Each returns the data of a success and its response, for the ETag.
 *
 * @throws ProblemError for an error response or a redirect; PathParameterError; Error if there is no response; the
 * signal's reason if it is aborted.
 */
export type LinksClient = {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
  /**
   * All items of a list, whose pages are fetched as needed. Unless `limit` says otherwise, a page has 100 items, or
   * 1,000 of the lists of clicks, tags, templates, domains, webhooks, secrets and members.
   */
  readonly pages: <P extends ListPath, Init extends MaybeOptionalInit<paths[P], 'get'>>(
    path: P,
    ...init: Partial<Init> extends Init ? [init?: Init] : [init: Init]
  ) => AsyncGenerator<Item<P>, void, undefined>;
};

type TakesKey<P extends Path<'post'>> = paths[P]['post']['parameters'] extends { header?: { 'Idempotency-Key'?: string } }
  ? paths[P]['post']['parameters'] extends { header?: never }
    ? false
    : true
  : false;

/**
 * What happens if a POST is carried out twice. `keyed`: nothing, because it has an `Idempotency-Key`. `same`: the same
 * effect as once, although the second response may be an error. `again`: something is sent a second time.
 */
const posts: { readonly [P in Path<'post'>]: TakesKey<P> extends true ? 'keyed' : 'same' | 'again' } = {
  '/api/v1/links': 'keyed',
  '/api/v1/links/bulk': 'keyed',
  '/api/v1/links/bulk-delete': 'same',
  '/api/v1/links/{id}/history/{entryId}/revert': 'same',
  // The names of tags and templates are unique.
  '/api/v1/tags': 'same',
  '/api/v1/templates': 'same',
  '/api/v1/templates/{id}/history/{entryId}/revert': 'same',
  '/api/v1/domains': 'same',
  '/api/v1/domains/{domain}/verify': 'same',
  '/api/v1/webhooks': 'keyed',
  '/api/v1/webhook-secrets': 'keyed',
  '/api/v1/keys': 'keyed',
  '/api/v1/members': 'keyed',
  // A key is replaced only once.
  '/api/v1/keys/{id}/rotate': 'same',
  '/api/v1/webhooks/{id}/test': 'again',
  '/api/v1/webhook-deliveries/{id}/redeliver': 'again',
};

/** Lists that are read with the largest pages: for each page, the service reads the whole list, or many clicks. */
const largePages: readonly ListPath[] = [
  '/api/v1/clicks',
  '/api/v1/links/{id}/clicks',
  '/api/v1/tags',
  '/api/v1/templates',
  '/api/v1/domains',
  '/api/v1/webhooks',
  '/api/v1/webhook-secrets',
  '/api/v1/members',
];

/**
 * A client of the service. Unless `waits` says otherwise, it waits for rate limits and retries what is safe to repeat.
 * A POST that takes an `Idempotency-Key` has the same one in all attempts.
 *
 * @throws Error if there is no URL or no key.
 */
export function linksClient(options: LinksClientOptions = {}): LinksClient {
  const { baseUrl = process.env.LINKS_URL, apiKey = process.env.LINKS_API_KEY, signal } = options;
  if (!baseUrl) throw new Error('set LINKS_URL, or baseUrl, to the URL of the service');
  if (!apiKey) throw new Error('set LINKS_API_KEY, or apiKey, to an API key');
  const surroundings: Surroundings = {
    fetch: options.fetch ?? fetch,
    wait: options.wait ?? waitFor,
    onWait: options.onWait ?? (() => {}),
    waits: options.waits ?? true,
  };
  const client = createClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${apiKey}` },
    querySerializer: queryWith,
    pathSerializer: pathWith,
    // The service mistakes an unescaped U+FFFD for bytes that were not UTF-8.
    bodySerializer: (body) => JSON.stringify(body).replaceAll('\ufffd', '\\ufffd'),
  });
  client.use({
    onRequest: async ({ request, schemaPath }) => {
      const effect = request.method === 'POST' ? posts[schemaPath as Path<'post'>] : 'same';
      if (effect === 'keyed' && !request.headers.has('Idempotency-Key')) {
        request.headers.set('Idempotency-Key', crypto.randomUUID());
      }
      // Read before another request takes over the body.
      const mayRepeat = effect !== 'again' && !(await mayMeetAnother(request));
      const either = signal ? new Request(request, { signal: AbortSignal.any([signal, request.signal]) }) : request;
      return finalResponse(either, mayRepeat, surroundings);
    },
  });

  async function* pages(path: ListPath, init: { params?: { query?: object } } = {}) {
    const get = client.GET as (path: string, init: object) => Promise<{ data: Record<string, unknown> }>;
    const { params = {}, ...rest } = init;
    const usual = { limit: largePages.includes(path) ? 1_000 : 100 };
    let cursor: string | null | undefined;
    do {
      const query = { ...usual, ...params.query, ...(cursor && { cursor }) };
      const { data } = await get(path, { ...rest, params: { ...params, query } });
      const { nextCursor, ...list } = data;
      yield* Object.values(list).find(Array.isArray) ?? [];
      cursor = nextCursor as string | null;
    } while (cursor);
  }

  const { GET, POST, PUT, PATCH, DELETE } = client;
  return { GET, POST, PUT, PATCH, DELETE, pages } as unknown as LinksClient;
}

const withCommas = createQuerySerializer({ array: { style: 'form', explode: false } });

/**
 * A query, with commas between the values of a list. An empty list is sent, too, and the service refuses it: without it, a
 * filter would find everything.
 */
const queryWith: typeof withCommas = (query) =>
  withCommas(
    Object.fromEntries(
      Object.entries(query as object).map(([name, value]) => [name, Array.isArray(value) && value.length === 0 ? '' : value]),
    ),
  );

/**
 * Whether a retry could delete another link, or something of it: one that got the external id in the request after the
 * first attempt was carried out.
 */
async function mayMeetAnother(request: Request): Promise<boolean> {
  const { pathname } = new URL(request.url);
  if (request.headers.has('If-Match')) return false;
  if (/\/links\/bulk(-delete)?$/.test(pathname)) {
    const deletes = request.method === 'DELETE' || pathname.endsWith('-delete');
    return deletes && (await request.clone().text()).includes('"ext_');
  }
  return request.method === 'DELETE' && /\/links\/ext_/.test(pathname);
}

function waitFor(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1_000);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}
