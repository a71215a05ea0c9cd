import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { rawRequest } from '../../support/http/raw-request.ts';
import { runs } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

let service: Service;
let host: string;
/** The number of lines that other files' tests have logged. */
let logged = 0;
const destination = 'https://destination.example.com/page?own=1#part';
const password = 'open sesame';

beforeAll(async () => {
  service = await useService();
  logged = service.logged().length;
  const { domain, call, importLinks } = await service.newWorkspace();
  host = domain;
  const settings = {
    plain: {},
    passing: { forwardParameters: true },
    locked: { password, forwardParameters: true },
    sealed: { password },
    framed: { title: '"><script>', cloaked: true, forwardParameters: true },
    fired: { metaPixelId: '1', googleTagId: 'G-1', forwardParameters: true },
    carded: { title: '</title>', description: 'line\nline', blockBots: true },
    capped: { maxClicks: 1_000_000 },
    scarce: { maxClicks: 3 },
  };
  const { body } = await importLinks(Object.keys(settings).map((customSlug) => ({ url: destination, customSlug })));
  for (const { id, shortCode } of body.links) {
    const { status, text } = await call('PATCH', `/links/${id}`, settings[shortCode as keyof typeof settings]);
    if (status !== 200) throw new Error(text);
  }
});

/** Sends lines as they are, and returns the response. */
async function send(lines: readonly string[], body = '') {
  const text = await rawRequest(Number(new URL(service.baseUrl).port), lines, body);
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field) => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
  });
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]), headers, body: rest.join('\r\n\r\n'), head };
}
type Answer = Awaited<ReturnType<typeof send>>;

/** All lines that the head of a response may have. */
const ours = new Set([
  'allow',
  'apigw-requestid',
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'location',
  'referrer-policy',
  'retry-after',
  'set-cookie',
  'transfer-encoding',
  'vary',
  'www-authenticate',
  'x-amzn-requestid',
  'x-content-type-options',
  'x-robots-tag',
  'content-language',
]);

/** Expects a response to be clean. `made` is a text that the visitor has put everywhere. */
function expectSound({ status, headers, head }: Answer): void {
  expect(status < 500 || status === 503, head).toBe(true);
  expect(
    headers.map(([name]) => name).filter((name) => !ours.has(name)),
    head,
  ).toEqual([]);
  const named = headers.map(([name]) => name).filter((name) => name !== 'set-cookie');
  expect(new Set(named).size, head).toBe(named.length);
  for (const [name, value] of headers) {
    // A location may have the visitor's query; headers may have only the origin of a frame's address.
    if (name === 'location')
      expect(value).toMatch(/^(https:\/\/destination\.example\.com\/page\?own=1[!-~]*#part|\/[\w-]+\+?(\?[!-~]*)?)$/);
    else expect(value, name).not.toMatch(/made/i);
  }
}

describe('a cookie', () => {
  const get = async (slug: string, cookies: readonly string[]) => {
    const lines = [`GET /${slug} HTTP/1.1`, `Host: ${host}`, 'User-Agent: curl/8.10.1'];
    const response = await send([...lines, ...cookies.map((cookie) => `Cookie: ${cookie}`)]);
    expectSound(response);
    expect(response.headers.filter(([name]) => name === 'set-cookie')).toEqual([]);
    return response.status;
  };

  /** The cookie of a visitor who knows the password. */
  async function accessTo(slug: string): Promise<string> {
    const body = new URLSearchParams({ password }).toString();
    const type = 'Content-Type: application/x-www-form-urlencoded';
    const { headers } = await send([`POST /${slug} HTTP/1.1`, `Host: ${host}`, type, `Content-Length: ${body.length}`], body);
    return headers.find(([name]) => name === 'set-cookie')?.[1].split(';')[0] ?? '';
  }

  test("Only a link's own cookie, as it was set, opens it, whatever other cookies are sent.", async () => {
    const [own, other] = [await accessTo('locked'), await accessTo('sealed')];
    const [name = '', token = ''] = own.split('=');
    const [until = '', signature = ''] = token.split('.');
    const hostile = fc.oneof(
      fc.constantFrom(
        ...[other, name, `${name}=`, `${name}==${token}`, `${name}="${token}"`, `${name}=${token}.`, `${name} =${token}`],
        ...[`${name.toUpperCase()}=${token}`, `x${own}`, `__Host-${own}`, `${name}=${encodeURIComponent('"')}${token}`],
        ...[`${name}=${Number(until) + 1}.${signature}`, `${name}=9999999999999.${signature}`, `${name}=${until}.`],
        ...[
          `${name}=${until}.${'A'.repeat(43)}`,
          `${name}=${until}.${'\xff'.repeat(43)}`,
          `${name}=0${token}`,
          `${name}=${until}`,
        ],
        ...[
          `${name}=${signature}.${until}`,
          '__proto__=1',
          'constructor',
          '$Version=1',
          `x=${'y'.repeat(6_000)}`,
          '=',
          ';',
          ';;',
          '\t',
        ],
      ),
      fc.string({
        unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x80 : code)),
        maxLength: 20,
      }),
    );
    // The gateway passes 10 kB of headers on.
    const lines = fc.array(hostile, { minLength: 1, maxLength: 4 }).filter((all) => all.join().length < 9_000);
    await fc.assert(
      fc.asyncProperty(lines, fc.boolean(), async (cookies, isOneLine) => {
        const sent = isOneLine ? [cookies.join('; ')] : cookies;
        expect(await get('locked', sent)).toBe(401);
        expect(await get('locked', [...sent, own])).toBe(302);
        expect(await get('plain', sent)).toBe(302);
      }),
      { numRuns: runs(60) },
    );
  });

  test('Whatever cookies a visitor sends, a cap allows the same number of visits.', async () => {
    const own = await accessTo('locked');
    const statuses: number[] = [];
    for (const cookie of ['', own, `${own}; ${own}`, 'visited=1', 'link-access=', own])
      statuses.push(await get('scarce', [cookie]));
    expect(statuses.sort()).toEqual([302, 302, 302, 410, 410, 410]);
  });

  test.for([
    [11_000, 431],
    [40_000, 400],
  ] as const)('A cookie of %i bytes is refused with %i, and causes no internal error.', async ([length, status]) => {
    const response = await send(['GET /plain HTTP/1.1', `Host: ${host}`, `Cookie: x=${'y'.repeat(length)}`]);
    expect(response.status).toBe(status);
  });
});

describe('A strange request', () => {
  const get = (target: string) => `GET ${target} HTTP/1.1`;
  const made = '%0d%0aX-Made:%20yes';
  const accept = 'Accept: text/html';

  test.for<[string, () => readonly string[], number]>([
    ['no host', () => [get('/plain')], 400],
    ['an unknown host', () => [get('/plain'), 'Host: made.example'], 404],
    ['an address as its host', () => [get('/plain'), 'Host: 192.0.2.1'], 404],
    ['a host with a port', () => [get('/plain'), `Host: ${host}:8080`], 302],
    ['a host in capitals with a dot', () => [get('/plain'), `Host: ${host.toUpperCase()}.`], 302],
    ['the whole address as its target', () => [get(`http://${host}/plain`), 'Host: made.example'], 302],
    ['a target on an unknown host', () => [get('http://made.example/plain'), `Host: ${host}`], 404],
    ['a line end in its path', () => [get(`/plain${made}`), `Host: ${host}`], 404],
    ['a line end in its path, twice escaped', () => [get('/plain%250d%250aX-Made:%2520yes'), `Host: ${host}`], 404],
    ['a zero in its path', () => [get('/plain%00'), `Host: ${host}`], 404],
    ['a slash in its slug', () => [get('/made%2Fplain'), `Host: ${host}`], 404],
    ['two slashes before its slug', () => [get('//plain'), `Host: ${host}`], 404],
    ['a path of 8 kB', () => [get(`/${'x'.repeat(8_192)}`), `Host: ${host}`], 404],
    ['a path that is not UTF-8', () => [get('/%ff%fe'), `Host: ${host}`], 400],
    ['a line end in its query', () => [get(`/passing?a=1${made}`), `Host: ${host}`], 302],
    ['a query of 8 kB', () => [get(`/passing?made=${'x'.repeat(8_192)}`), `Host: ${host}`], 302],
    ['a query that is not UTF-8', () => [get('/passing?made=%ff%fe'), `Host: ${host}`], 302],
    ['a query of bytes that should have been escaped', () => [get('/passing?made=\xff\xfe"<>'), `Host: ${host}`], 400],
    ['repeated headers', () => [get('/plain'), `Host: ${host}`, accept, accept, 'DNT: 1', 'DNT: 0', 'X-Made: a'], 302],
    ['a control character in a header', () => [get('/plain'), `Host: ${host}`, 'Accept: made\x01'], 400],
    ['bytes beyond ASCII in its headers', () => [get('/plain'), `Host: ${host}`, 'Accept: \xff', 'User-Agent: \xe4\xff'], 302],
    [
      'cookies of all kinds',
      () => [get('/locked'), `Host: ${host}`, accept, 'Cookie: link-access=made; =; ;; link-access=\xff'],
      401,
    ],
    ['a password of bytes beyond ASCII', () => [get('/locked'), `Host: ${host}`, 'Link-Password: \xff\xfemade'], 401],
    ['an unknown method', () => ['PURGE /plain HTTP/1.1', `Host: ${host}`], 405],
    ['an upgrade', () => [get('/plain'), `Host: ${host}`, 'Upgrade: made', 'Connection: Upgrade'], 302],
  ])('A strange request adds no header, and causes no internal error: %s.', async ([, lines, status]) => {
    const response = await send(lines());
    expectSound(response);
    expect(response.status, response.head).toBe(status);
  });

  test('The right password redirects to the same address, with its query.', async () => {
    const body = new URLSearchParams({ password }).toString();
    const lines = [
      `POST /locked?a=1${made}&b="//made.example HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ];
    const response = await send(lines, body);
    expectSound(response);
    expect(response.status).toBe(303);
    expect(response.head).toMatch(/\r\nlocation: \/locked\?a=1%0d%0aX-Made:%20yes&b=%22\/\/made\.example\r\n/i);
  });

  test('Any bytes at all add no header, and cause no internal error.', async () => {
    const slug = fc.constantFrom(
      'plain',
      'passing',
      'locked',
      'framed',
      'fired',
      'carded',
      'capped',
      'PLAIN+',
      'framed+',
      'none',
      '',
    );
    const bytes = (last: number) =>
      fc.string({ unit: fc.integer({ min: 0x21, max: last }).map((code) => String.fromCharCode(code)), maxLength: 12 });
    // The gateway refuses other bytes in a target.
    const piece = fc.oneof(
      bytes(0x7e),
      fc.constantFrom('made', '%0d%0aX-Made:%201', '%00', '%', '&', '=', '?', '#', '+', '"', '<'),
    );
    const text = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(''));
    const name = fc.constantFrom(
      'Accept',
      'User-Agent',
      'Cookie',
      'Link-Password',
      'Sec-Purpose',
      'Sec-GPC',
      'DNT',
      'Content-Type',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'Origin',
      'Referer',
      'Range',
      'If-None-Match',
    );
    const value = fc.oneof(
      text,
      bytes(0xff),
      fc.constantFrom('text/html', 'application/json', 'Twitterbot/1.0', 'Googlebot/2.1', 'prefetch', '1', 'link-access=1.made'),
    );
    const request = fc.record({
      method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT'),
      slug,
      path: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, text),
      query: text,
      headers: fc.array(fc.tuple(name, value), { maxLength: 5 }),
      body: text,
    });
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(request, async ({ method, slug, path, query, headers, body }) => {
        const lines = [
          `${method} /${slug}${path}?${query} HTTP/1.1`,
          `Host: ${host}`,
          ...headers.map(([field, sent]) => `${field}: ${sent}`),
          ...(method === 'POST' ? [`Content-Length: ${body.length}`] : []),
        ];
        const response = await send(lines, method === 'POST' ? body : '');
        expectSound(response);
        statuses.add(response.status);
      }),
      { numRuns: runs(200) },
    );
    expect([...statuses]).toEqual(expect.arrayContaining([200, 302, 401, 404, 405]));
    // No request caused an unexpected error.
    expect(
      service
        .logged()
        .slice(logged)
        .filter((line) => line.includes('unexpected error')),
    ).toEqual([]);
  });
});
