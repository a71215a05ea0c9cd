import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type LinksClient, linksClient, PathParameterError } from '../../../clients/typescript/client.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs } from '../../support/run/proof.ts';

type Sent = { readonly method: string; readonly url: string; readonly key: string | null; readonly body: string };

/** A client whose attempts get the given answers, and whose waits take no time. */
function clientWith(answers: readonly (Response | Error)[], last = () => new Response('{"tags":[]}')) {
  const waits: [number, string][] = [];
  const sent: Sent[] = [];
  const left = [...answers];
  const client = linksClient({
    baseUrl: 'http://api.example/',
    apiKey: 'lk_key',
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      expect(headers.get('Authorization')).toBe('Bearer lk_key');
      sent.push({ method: init?.method ?? '', url: String(url), key: headers.get('Idempotency-Key'), body: String(init?.body) });
      const answer = left.shift() ?? last();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    wait: async () => {},
    onWait: (seconds, reason) => void waits.push([seconds, reason]),
  });
  return { client, waits, sent };
}

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code, detail: `It is ${code}.`, requestId: 'req_1' }), { status, headers });

/** One call for each kind of retry. */
const calls = {
  read: (client: LinksClient) => client.GET('/api/v1/links/{id}', { params: { path: { id: 'a/b' } } }),
  keyed: (client: LinksClient) => client.POST('/api/v1/links', { body: { domain: 'go.example', url: 'https://example.com/' } }),
  replace: (client: LinksClient) =>
    client.PUT('/api/v1/links/by-external-id/{externalId}', {
      params: { path: { externalId: 'x' } },
      body: { domain: 'go.example', url: 'https://example.com/' },
    }),
  change: (client: LinksClient) =>
    client.PATCH('/api/v1/links/{id}', { params: { path: { id: 'l' } }, body: { title: 'A title' } }),
  remove: (client: LinksClient) => client.DELETE('/api/v1/links/{id}', { params: { path: { id: 'l' } } }),
  named: (client: LinksClient) => client.POST('/api/v1/tags', { body: { name: 'Tag', color: '#000000' } }),
  again: (client: LinksClient) => client.POST('/api/v1/webhooks/{id}/test', { params: { path: { id: 'w' } } }),
  'by an external id': (client: LinksClient) => client.DELETE('/api/v1/links/{id}/clicks', { params: { path: { id: 'ext_a' } } }),
  'by external ids': (client: LinksClient) => client.POST('/api/v1/links/bulk-delete', { body: { ids: ['l', 'ext_a'] } }),
  'by an external id, as it was known': (client: LinksClient) =>
    client.DELETE('/api/v1/links/{id}', { params: { path: { id: 'ext_a' }, header: { 'If-Match': '"x"' } } }),
} as const;

/** The calls that aren't idempotent. */
const unrepeatable: readonly string[] = ['again', 'by an external id', 'by external ids'];

/** Fates of an attempt: whether it may have been carried out, and what the client sees. */
const fates = {
  lost: { isUnsure: true, answer: () => new TypeError('fetch failed', { cause: new Error('other side closed') }) },
  cut: {
    isUnsure: true,
    answer: () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('terminated')) })),
  },
  busy: { isUnsure: true, answer: () => problem(503, 'temporarily_unavailable', { 'Retry-After': '1' }) },
  unreachable: {
    isUnsure: false,
    answer: () => new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
  },
  limited: { isUnsure: false, answer: () => problem(429, 'rate_limited', { 'Retry-After': '60' }) },
  refused: { isUnsure: false, answer: () => problem(404, 'not_found') },
} as const;

test('A request that may have been carried out is retried only if it is idempotent, and all attempts are identical.', async () => {
  const names = fc.array(fc.constantFrom(...(Object.keys(fates) as (keyof typeof fates)[])), { maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...(Object.keys(calls) as (keyof typeof calls)[])), names, async (name, happened) => {
      const { client, sent } = clientWith(
        happened.map((fate) => fates[fate].answer()),
        () => new Response('{}', { status: 200 }),
      );
      // The expected outcome, by the definition of the fates.
      let [failures, unsure, ended, attempts] = [0, false, 'done', 0];
      for (const fate of happened) {
        attempts++;
        if (fate === 'refused') ended = unsure ? 'refused, perhaps by its own effect' : 'refused';
        else if (fates[fate].isUnsure && unrepeatable.includes(name)) ended = 'unknown';
        else if (fate !== 'limited' && ++failures === 6) ended = 'gave up';
        unsure ||= fates[fate].isUnsure;
        if (ended !== 'done') break;
      }
      if (ended === 'done') attempts++;
      const said = await calls[name](client).then(
        () => 'done',
        (error) => {
          if (error.status === 404) return error.repeated ? 'refused, perhaps by its own effect' : 'refused';
          if (unrepeatable.includes(name) && (error.status === 503 || /may have been carried out$/.test(error.message)))
            return 'unknown';
          return 'gave up';
        },
      );
      expect([said, sent.length]).toEqual([ended, attempts]);
      expect(new Set(sent.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(sent[0]?.key === null).toBe(name !== 'keyed');
    }),
    { numRuns: runs(300) },
  );
});

describe('A path', () => {
  const removeAlias = (client: LinksClient, slug: string) =>
    client.DELETE('/api/v1/links/{id}/aliases/{slug}', { params: { path: { id: 'l', slug } } });

  test.for(['', '.', '..', '\ud800'])(
    'is never sent if a parameter is %j, because it would lead to something else.',
    async (value) => {
      const { client, sent } = clientWith([]);
      const expected = { name: 'PathParameterError', parameter: 'slug', message: expect.stringContaining('slug') };
      await expect(removeAlias(client, value)).rejects.toMatchObject(expected);
      await expect(removeAlias(client, value)).rejects.toBeInstanceOf(PathParameterError);
      expect(sent).toEqual([]);
    },
  );

  test('has as many parts as in openapi.json, whatever its parameters are, and each has its value.', async () => {
    const text = fc.oneof(
      fc.constantFrom('', '.', '..', '%2e%2E'),
      fc.string({ unit: anyCharacter, maxLength: 6 }),
      fc.string({ unit: fc.constantFrom(...'./%2e\\?#$&'), maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (slug) => {
        const { client, sent } = clientWith([]);
        await removeAlias(client, slug).catch((error) => expect(error).toBeInstanceOf(PathParameterError));
        for (const { url } of sent) {
          const { pathname, search, hash } = new URL(url);
          const parts = pathname.split('/');
          expect([parts.slice(0, -1).join('/'), decodeURIComponent(parts.at(-1) ?? '')]).toEqual([
            '/api/v1/links/l/aliases',
            slug,
          ]);
          expect(search + hash).toBe('');
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

test.for([301, 302, 303, 307, 308])('A redirect is refused, and gets neither the key nor the body: %i.', async (status) => {
  const headers = { Location: 'http://elsewhere.example/api/v1/links' };
  const seen: (string | undefined)[] = [];
  const client = linksClient({
    baseUrl: 'http://api.example',
    apiKey: 'lk_key',
    fetch: async (_, init) => {
      seen.push(init?.redirect);
      return new Response('<h1>Moved</h1>', { status, headers });
    },
  });
  const message = 'http://api.example redirects to http://elsewhere.example/api/v1/links, which the client does not follow';
  await expect(calls.keyed(client)).rejects.toMatchObject({ name: 'ProblemError', status, code: 'unknown', message });
  expect(seen).toEqual(['manual']);
});

test('A redirect is refused in browsers too, which hide its status and where it leads.', async () => {
  const opaque = { type: 'opaqueredirect', status: 0, statusText: '', headers: new Headers(), body: null };
  const { client, sent } = clientWith([opaque as unknown as Response]);
  await expect(calls.keyed(client)).rejects.toThrow('http://api.example redirects to another address');
  expect(sent).toHaveLength(1);
});

test('A response without content is one in browsers too, which give it an empty body.', async () => {
  for (const status of [204, 304]) {
    const empty = Object.assign(new Response(null, { headers: { ETag: '"x"' } }), {});
    Object.defineProperties(empty, {
      status: { value: status },
      ok: { value: status < 300 },
      body: { value: new ReadableStream() },
    });
    const { client } = clientWith([empty]);
    const { response } = await client.DELETE('/api/v1/links/{id}', { params: { path: { id: 'l' } } });
    expect([response.status, response.headers.get('ETag')]).toEqual([status, '"x"']);
  }
});

test('A client that does not wait sends each request once, and its error says when it may work again.', async () => {
  for (const [status, code] of [
    [429, 'rate_limited'],
    [503, 'temporarily_unavailable'],
  ] as const) {
    let sent = 0;
    const client = linksClient({
      baseUrl: 'http://api.example',
      apiKey: 'lk_key',
      waits: false,
      fetch: async () => {
        sent++;
        return problem(status, code, { 'Retry-After': '7' });
      },
    });
    await expect(client.GET('/api/v1/tags')).rejects.toMatchObject({ status, code, retryAfter: 7 });
    expect(sent).toBe(1);
  }
  let lost = 0;
  const cut = async () => {
    lost++;
    throw new TypeError('fetch failed');
  };
  const client = linksClient({ baseUrl: 'http://api.example', apiKey: 'lk_key', waits: false, fetch: cut });
  await expect(client.GET('/api/v1/tags')).rejects.toThrow('does not respond');
  expect(lost).toBe(1);
});

test('A client that waits only for failures retries them with the same Idempotency-Key, and fails at once if it is throttled.', async () => {
  const keys: (string | null)[] = [];
  const answers = [problem(503, 'temporarily_unavailable'), problem(429, 'rate_limited', { 'Retry-After': '60' })];
  const client = linksClient({
    baseUrl: 'http://api.example',
    apiKey: 'lk_key',
    waits: 'for failures',
    wait: async () => {},
    fetch: async (_, init) => {
      keys.push(new Headers(init?.headers).get('Idempotency-Key'));
      return answers.shift() ?? new Response('{}');
    },
  });
  await expect(calls.keyed(client)).rejects.toMatchObject({ status: 429, retryAfter: 1, repeated: true });
  expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([2, 1, 'string']);
});

test('A client that can be aborted sends every body.', async () => {
  for (const call of [calls['by external ids'], calls.keyed, calls.named]) {
    const bodies: unknown[] = [];
    const client = linksClient({
      baseUrl: 'http://api.example',
      apiKey: 'lk_key',
      signal: new AbortController().signal,
      fetch: async (_, init) => {
        bodies.push(JSON.parse(String(init?.body)));
        return new Response('{}');
      },
    });
    await call(client);
    expect(bodies).toEqual([expect.any(Object)]);
  }
});

test('A client escapes U+FFFD, which the service would take for invalid UTF-8.', async () => {
  let sent = '';
  const client = linksClient({
    baseUrl: 'http://api.example',
    apiKey: 'lk_key',
    fetch: async (_, init) => {
      sent = String(init?.body);
      return new Response('{}');
    },
  });
  const body = { domain: 'go.example', url: 'https://example.org/', title: 'Caf\ufffd \\ufffd' };
  await client.POST('/api/v1/links', { body });
  expect(sent).not.toContain('\ufffd');
  expect(JSON.parse(sent)).toEqual(body);
});

test('A real redirect is not followed, and the error says where it leads.', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(308, { Location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(calls.keyed(linksClient({ baseUrl, apiKey: 'lk_key' }))).rejects.toThrow(`${baseUrl} redirects to /elsewhere`);
  expect(requests).toEqual(['POST /api/v1/links']);
});

test("A POST keeps the caller's own Idempotency-Key, and each call without one gets a new one.", async () => {
  const { client, sent } = clientWith([new Error('reset')]);
  const body = { domain: 'go.example', url: 'https://example.com/' };
  await client.POST('/api/v1/links', { params: { header: { 'Idempotency-Key': 'mine' } }, body });
  await client.POST('/api/v1/links', { body });
  await client.POST('/api/v1/links', { body });
  const keys = sent.map(({ key }) => key);
  expect(keys.slice(0, 2)).toEqual(['mine', 'mine']);
  expect(new Set(keys).size).toBe(3);
});

test('A client waits for the time that the limit of bulk requests states, any number of times, and retries transient failures.', async () => {
  const limits = Array.from({ length: 20 }, () => problem(429, 'rate_limited', { 'Retry-After': '60' }));
  const { client, waits } = clientWith([
    ...limits,
    problem(503, 'temporarily_unavailable', { 'Retry-After': '1' }),
    new Error('reset'),
    problem(409, 'idempotency_in_progress', { 'Retry-After': '3' }),
  ]);
  await client.POST('/api/v1/links/bulk', { body: { domain: 'go.example', links: [] } });
  expect(waits).toEqual([
    ...limits.map(() => [60, 'the limit on bulk requests']),
    [1, 'the service is busy'],
    [4, 'the service does not respond'],
    [3, 'the service is busy'],
  ]);
});

test('A client waits for the time that the limit of requests for metadata states.', async () => {
  const { client, waits } = clientWith([problem(429, 'rate_limited', { 'Retry-After': '61' })]);
  await client.GET('/api/v1/metadata', { params: { query: { url: 'https://example.com/' } } });
  expect(waits).toEqual([[61, 'the limit on requests for metadata']]);
});

test('A client waits one second for the request rate, whatever Retry-After says, because that is for bulk requests.', async () => {
  const limited = () => problem(429, 'rate_limited', { 'Retry-After': '60' });
  const { client, waits } = clientWith([limited(), limited()]);
  await client.GET('/api/v1/tags');
  await client.PUT('/api/v1/links/by-external-id/{externalId}', {
    params: { path: { externalId: 'metadata' } },
    body: { domain: 'go.example', url: 'https://example.com/' },
  });
  expect(waits).toEqual([
    [1, 'the request rate of the workspace'],
    [1, 'the request rate of the workspace'],
  ]);
});

test('An error after a 429 names the wait of its own limit, so that programs that use it wait no longer.', async () => {
  const fetch = async () => problem(429, 'rate_limited', { 'Retry-After': '60' });
  const client = linksClient({ baseUrl: 'http://api.example', apiKey: 'lk_key', waits: false, fetch });
  await expect(client.GET('/api/v1/tags')).rejects.toMatchObject({ status: 429, retryAfter: 1 });
  const bulk = client.DELETE('/api/v1/links/bulk', { body: { ids: ['lnk'] } });
  await expect(bulk).rejects.toMatchObject({ status: 429, retryAfter: 60 });
});

test.for([
  ['7', 7],
  ['0', 1],
  ['Sat, 01 Jan 2050 00:01:30 GMT', 90],
  ['Sat, 01 Jan 2000 00:00:00 GMT', 1],
  ['soon', 1],
  [undefined, 1],
] as const)('A client never retries at once: Retry-After %s.', async ([header, seconds]) => {
  vi.useFakeTimers({ now: Date.UTC(2050, 0, 1), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { client, waits } = clientWith([problem(429, 'rate_limited', header === undefined ? {} : { 'Retry-After': header })]);
  await client.DELETE('/api/v1/links/bulk', { body: { ids: ['lnk'] } });
  expect(waits.map(([waited]) => waited)).toEqual([seconds]);
});

describe('An error', () => {
  test('has the status, the code, the detail, the fields and the request id of the problem document, but not the key.', async () => {
    const errors = [{ path: '/color', code: 'invalid_color', message: 'is no color' }];
    const document = { code: 'validation_failed', detail: 'The color is wrong.', requestId: 'req_1', errors };
    const { client } = clientWith([new Response(JSON.stringify(document), { status: 422 })]);
    const error = await calls.named(client).catch((one) => one);
    expect(error).toMatchObject({ name: 'ProblemError', status: 422, ...document, message: document.detail, repeated: false });
    expect(JSON.stringify({ ...error, stack: error.stack })).not.toContain('lk_key');
  });

  test.for(['<h1>Bad gateway</h1>', 'null', '[]', ''])('without a problem document has the code unknown: %j.', async (text) => {
    const { client } = clientWith([new Response(text, { status: 502 })]);
    await expect(calls.read(client)).rejects.toMatchObject({ status: 502, code: 'unknown', message: text, errors: [] });
  });

  test('names the service that does not respond, and the cause.', async () => {
    const { client } = clientWith(Array.from({ length: 10 }, () => new Error('refused')));
    await expect(calls.read(client)).rejects.toThrow('http://api.example does not respond: refused');
  });
});

test('Lists in a query are separated by commas, as openapi.json says.', async () => {
  const { client, sent } = clientWith([]);
  await client.GET('/api/v1/links', { params: { query: { tagIds: ['a', 'b'], match: undefined, q: 'ä&' } } });
  expect(Object.fromEntries(new URL(sent[0]?.url ?? '').searchParams)).toEqual({ tagIds: 'a,b', q: 'ä&' });
  type Parameter = { in: string; explode?: boolean; schema: { type?: string } };
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  };
  const parameters = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap((one) => one.parameters ?? []));
  const lists = parameters.filter((one) => one.in === 'query' && one.schema.type === 'array');
  expect(lists.length).toBeGreaterThan(1);
  expect(lists.filter(({ explode }) => explode !== false)).toEqual([]);
});

test('An empty list in a query is sent, so that the service refuses it: without it, a filter would find everything.', async () => {
  const { client, sent } = clientWith([]);
  await client.GET('/api/v1/links', { params: { query: { tagIds: [], q: 'a' } } });
  expect([...new URL(sent[0]?.url ?? '').searchParams]).toEqual([
    ['tagIds', ''],
    ['q', 'a'],
  ]);
});

test.for([
  ['LINKS_URL', { apiKey: 'lk_key' }],
  ['LINKS_API_KEY', { baseUrl: 'http://api.example' }],
] as const)('A client takes %s from the environment, and says so if it is missing.', async ([name, options]) => {
  vi.stubEnv('LINKS_URL', undefined).stubEnv('LINKS_API_KEY', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => linksClient(options)).toThrow(name);
  vi.stubEnv('LINKS_URL', 'http://other.example').stubEnv('LINKS_API_KEY', 'lk_other');
  const seen: unknown[] = [];
  const client = linksClient({
    fetch: async (url, init) => {
      seen.push(url, new Headers(init?.headers).get('Authorization'));
      return new Response('{"tags":[]}');
    },
  });
  await client.GET('/api/v1/tags');
  expect(seen).toEqual(['http://other.example/api/v1/tags', 'Bearer lk_other']);
});

test('pages requests the largest pages of costly lists, unless the caller chooses a size.', async () => {
  for (const [init, query] of [
    [{}, '?limit=1000&cursor=next'],
    [{ params: { query: { limit: 7 } } }, '?limit=7&cursor=next'],
  ] as const) {
    const { client, sent } = clientWith([
      Response.json({ tags: [1], nextCursor: 'next' }),
      Response.json({ tags: [2], nextCursor: null }),
    ]);
    expect(await Array.fromAsync(client.pages('/api/v1/tags', init))).toEqual([1, 2]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([query.replace(/[?&]cursor=next/, ''), query]);
  }
});

test('pages gives every item of a list once, also after empty pages, and fetches no page before it is needed.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 5 }), async (pages) => {
      const { client, sent } = clientWith(
        pages.map((links, index) =>
          Response.json({ links, nextCursor: index === pages.length - 1 ? null : `cursor ${index + 1}` }),
        ),
      );
      const items = client.pages('/api/v1/links', { params: { query: { domain: 'go.example' } } });
      const found: unknown[] = [];
      for (const [index, expected] of pages.entries()) {
        for (const item of expected) {
          expect((await items.next()).value).toBe(item);
          expect(sent).toHaveLength(index + 1);
          found.push(item);
        }
      }
      expect((await items.next()).done).toBe(true);
      expect(found).toEqual(pages.flat());
      const queries = sent.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
      expect(queries).toEqual(
        pages.map((_, index) => ({ limit: '100', domain: 'go.example', ...(index > 0 && { cursor: `cursor ${index}` }) })),
      );
    }),
    { numRuns: runs(50) },
  );
});

test('A request with If-None-Match gets no data, and no error, if nothing has changed.', async () => {
  const { client } = clientWith([new Response(null, { status: 304, headers: { ETag: '"x"' } })]);
  const params = { path: { id: 'l' }, header: { 'If-None-Match': '"x"' } };
  const { data, response } = await client.GET('/api/v1/links/{id}', { params });
  expect([data, response.status, response.headers.get('ETag')]).toEqual([undefined, 304, '"x"']);
});

test.for(['options', 'request'] as const)(
  'A signal of the %s ends a wait and a request at once, with its reason.',
  async (index) => {
    const never = (signal: AbortSignal | null | undefined) =>
      new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    for (const stopped of ['wait', 'request']) {
      const stopping = new AbortController();
      const { signal } = stopping;
      const client = linksClient({
        baseUrl: 'http://api.example',
        apiKey: 'lk_key',
        fetch: async (_, init) => {
          if (stopped === 'wait') return problem(429, 'rate_limited');
          queueMicrotask(() => stopping.abort(new Error('enough')));
          return never(init?.signal);
        },
        onWait: () => void queueMicrotask(() => stopping.abort(new Error('enough'))),
        ...(index === 'options' && { signal }),
      });
      await expect(client.GET('/api/v1/tags', index === 'request' ? { signal } : {})).rejects.toThrow('enough');
    }
  },
);
