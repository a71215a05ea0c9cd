import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { readRequest } from '../../../lambdas/redirect/short-request.ts';

type Sent = {
  readonly host?: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly cookies?: string[];
  readonly form?: string;
};

/** The parsed request of a gateway's event. */
const read = ({ host = 'go.example.com', path = '/slug', method = 'GET', headers = {}, cookies, form }: Sent = {}) =>
  readRequest({
    rawPath: path,
    rawQueryString: '',
    headers,
    ...(cookies && { cookies }),
    ...(form !== undefined && { body: Buffer.from(form).toString('base64') }),
    isBase64Encoded: form !== undefined,
    requestContext: {
      domainName: host,
      requestId: 'id',
      timeEpoch: 1_900_000_000_000,
      http: { method, sourceIp: '192.0.2.1', userAgent: 'curl/8.10.1' },
    },
  } as unknown as APIGatewayProxyEventV2);

test.for([
  ['go.example.com', 'go.example.com'],
  ['Go.Example.COM', 'go.example.com'],
  ['go.example.com.', 'go.example.com'],
  ['go.example.com:3000', 'go.example.com'],
  ['go.example.com.:', 'go.example.com'],
] as const)('The host %s is looked up as %s.', ([host, canonical]) => {
  expect(read({ host }).host).toBe(canonical);
});

test.for([
  ['/a', 'a', false, 'link'],
  ['/Az09-_', 'Az09-_', false, 'link'],
  [`/${'a'.repeat(190)}`, 'a'.repeat(190), false, 'link'],
  ['/a+', 'a', true, 'link'],
  ['/a.q', 'a', false, 'qr'],
  ['/A.Q', 'A', false, 'qr'],
  [`/${'a'.repeat(190)}.q`, 'a'.repeat(190), false, 'qr'],
  ['/q', 'q', false, 'link'],
  ['/a.', 'a.', false, 'link'],
  ['/a.qr', 'a.qr', false, 'link'],
  ['/a/b.c/d', 'a/b.c/d', false, 'link'],
  ['/a/b+', 'a/b', true, 'link'],
  ['/a/b.q', 'a/b', false, 'qr'],
  ['/a/', 'a', false, 'link'],
  ['/a/b.q/', 'a/b', false, 'qr'],
])('The path %j has the slug %j, requests a preview: %j, and belongs to a %s.', ([path, slug, isPreview, source]) => {
  expect(read({ path: path as string })).toMatchObject({ slug, isPreview, source });
});

test.for([
  ['/a.svg', 'a', true],
  [`/${'a'.repeat(190)}.svg`, 'a'.repeat(190), true],
  ['/svg', 'svg', false],
  ['/a.q', 'a', false],
  ['/a/b.c.svg', 'a/b.c', true],
])('The path %j has the slug %j, requests the image of its code: %j, and belongs to a link.', ([path, slug, isCode]) => {
  expect(read({ path: path as string })).toMatchObject({ slug, isCode, isPreview: false });
});

test.for([
  '/a.svg+',
  '/a+.svg',
  '/.svg',
  '/a.SVG',
  `/${'a'.repeat(191)}`,
  `/${'a'.repeat(191)}.q`,
  '/a++',
  '/a.q+',
  '/a+.q',
  '/a.q.q',
  '/.q',
  '/a/.q',
  '/a//',
  '//a',
  '/a//b',
  '/a/./b',
  '/../a',
  '/a\\b',
  '/',
  '/.well-known/a',
  '/a\n',
  '/a.q\n',
  'a',
])("The path %j doesn't belong to a link.", (path) => {
  expect(read({ path }).slug).toBeUndefined();
});

test('Headers about the browser and its user are read as they were sent.', () => {
  const headers = {
    'sec-ch-ua': '"Chromium";v="130"',
    'sec-ch-ua-platform': '"macOS"',
    'sec-ch-ua-mobile': '?0',
    referer: 'https://example.org/',
    'accept-language': 'de',
  };
  expect(read({ headers })).toMatchObject({
    agent: { userAgent: 'curl/8.10.1', brands: '"Chromium";v="130"', platform: '"macOS"', mobile: '?0' },
    referrer: 'https://example.org/',
    languages: 'de',
  });
  expect(read()).toMatchObject({
    agent: { userAgent: 'curl/8.10.1', brands: '', platform: '', mobile: '' },
    referrer: undefined,
    languages: '',
  });
});

test.for<[Record<string, string>, boolean]>([
  [{ 'sec-purpose': 'prefetch' }, true],
  [{ 'sec-purpose': 'prefetch;prerender' }, true],
  [{ 'sec-purpose': 'prefetch;anonymous-client-ip' }, true],
  [{ purpose: 'prefetch' }, true],
  [{ 'x-purpose': 'preview' }, true],
  [{ 'x-moz': 'prefetch' }, true],
  [{ purpose: 'prerender' }, true],
  [{}, false],
  [{ 'sec-purpose': '' }, false],
  [{ referer: 'https://example.org/prefetch' }, false],
])('A request with %j is a prefetch: %j.', ([headers, isPrefetch]) => {
  expect(read({ headers }).isPrefetch).toBe(isPrefetch);
});

test.for([
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'page'],
  ['TEXT/HTML', 'page'],
  ['application/json, text/html', 'page'],
  ['application/json', 'problem'],
  ['application/problem+json;q=0.5', 'problem'],
  ['*/*', 'text'],
  ['text/plain', 'text'],
  ['', 'text'],
  ['application/jsonp', 'text'],
] as const)('A client that accepts %j gets a %s.', ([accept, format]) => {
  expect(read({ headers: { accept } }).format).toBe(format);
});

describe('a password', () => {
  const formType = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const header = { 'link-password': 'from the header' };

  test.for<[string, Sent, string | undefined]>([
    ['a form that is posted', { method: 'POST', headers: formType, form: 'password=a+b%26&other=1' }, 'a b&'],
    ['a header', { headers: header }, 'from the header'],
    ['a header of HEAD', { method: 'HEAD', headers: header }, 'from the header'],
    ['a form that is not posted', { headers: formType, form: 'password=a' }, undefined],
    ['another type of body', { method: 'POST', headers: { 'content-type': 'text/plain' }, form: 'password=a' }, undefined],
    ['a form beside a header', { method: 'POST', headers: { ...formType, ...header }, form: 'password=a' }, 'a'],
    ['a form that is too long', { method: 'POST', headers: formType, form: `password=a&x=${'x'.repeat(4_096)}` }, undefined],
    ['a form without a password', { method: 'POST', headers: formType, form: 'other=1' }, undefined],
    ['an empty password in a form', { method: 'POST', headers: formType, form: 'password=' }, ''],
    ['nothing', {}, undefined],
  ])('A password is read from a posted form or a header, and nowhere else: %s.', ([, sent, password]) => {
    expect(read(sent).password).toBe(password);
  });
});

test("Only the service's own cookies are read.", () => {
  const cookies = ['link-access=a', 'link-access2=b', 'other=link-access=c', 'link-access=', 'link-access=d=e'];
  expect(read({ cookies }).accessTokens).toEqual(['a', '', 'd=e']);
});

test.for<[Record<string, string>, boolean]>([
  // A browser sends the origin of the form's page.
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://go.example.com' }, false],
  // Without a referrer, by the page or a tool, the browser also hides the origin.
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, true],
  // Another name under the same domain may belong to another workspace.
  [{ 'sec-fetch-site': 'same-site', origin: 'https://other.example.com' }, true],
  [{ 'sec-fetch-site': '', origin: 'https://go.example.com' }, true],
  [{ 'sec-fetch-site': 'same-origin,cross-site' }, true],
  // An older browser, or one on plain http, sends only the origin.
  [{ origin: 'https://go.example.com' }, false],
  [{ origin: 'http://go.example.com:3000' }, false],
  [{ origin: 'https://GO.example.com' }, false],
  [{ origin: 'https://evil.example' }, true],
  [{ origin: 'https://go.example.com.evil.example' }, true],
  [{ origin: 'https://evil.example/go.example.com' }, true],
  [{ origin: 'null' }, true],
  [{ origin: '' }, true],
  // A program sends neither.
  [{}, false],
  [{ referer: 'https://evil.example/' }, false],
])('A request with %j comes from another site: %j.', ([headers, isCrossSite]) => {
  expect(read({ method: 'POST', headers }).isCrossSite).toBe(isCrossSite);
});
