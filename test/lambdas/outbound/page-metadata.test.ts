import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { afterEach, expect, test, vi } from 'vitest';
import { fetchMetadata } from '../../../lambdas/outbound/page-metadata.ts';
import type { Reach } from '../../../lambdas/outbound/public-request.ts';
import { useWebServer } from '../../support/http/web-server.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const site = await useWebServer();
const { port } = site;

/** Every name resolves to this test's server, which counts as public. */
const reach: Reach = {
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  isAllowed: (host) => !host.startsWith('private'),
  isOpen: () => true,
};
const at = `http://site.example:${port}`;
const fetchAt = (path = '/page', signal = AbortSignal.timeout(1_500)) => fetchMetadata(`${at}${path}`, signal, () => reach);
const sending = (body: Buffer | string, headers: Record<string, string> = { 'Content-Type': 'text/html; charset=utf-8' }) => {
  site.answer = (_, response) => response.writeHead(200, headers).end(body);
};
const nothing = { title: null, description: null, image: null };
const refusal = (code: string, says = '') => expect.objectContaining({ code, message: expect.stringContaining(says) });

test.for<[string, string, object]>([
  ['nothing', '', nothing],
  ['only a body', '<body>Hello', nothing],
  ['a title', '<title> A\n  title </title>', { ...nothing, title: 'A title' }],
  ['two titles', '<title></title><title>Second</title><title>Third</title>', { ...nothing, title: 'Second' }],
  ['a title in a drawing', '<svg><title>Icon</title></svg><title>Page</title>', { ...nothing, title: 'Page' }],
  ['entities', '<title>A &amp; B &#39;C&#39; &lt;b&gt;</title>', { ...nothing, title: "A & B 'C' <b>" }],
  [
    'both titles and descriptions',
    '<title>T</title><meta name=description content=D><meta property="og:title" content="OT"><meta property="og:description" content="OD">',
    { ...nothing, title: 'OT', description: 'OD' },
  ],
  ['an empty preview', '<meta property="og:title" content=" "><title>T</title>', { ...nothing, title: 'T' }],
  ['a preview by name', '<meta name="OG:Title" content="T">', { ...nothing, title: 'T' }],
  ['a description', '<META NAME="Description" CONTENT="D">', { ...nothing, description: 'D' }],
  ['an image', '<meta property=og:image content=https://img.example/a.png>', { ...nothing, image: 'https://img.example/a.png' }],
  ['an image over http', '<meta property=og:image content=http://img.example/a.png>', nothing],
  ['an image that is relative to a page over http', '<meta property=og:image content=/a.png>', nothing],
  ['a script as its image', '<meta property=og:image content="javascript:alert(1)">', nothing],
  ['data as its image', '<meta property=og:image content="data:image/png;base64,AAAA">', nothing],
  ['an image with a password', '<meta property=og:image content="https://me:secret@img.example/a.png">', nothing],
  ['an image of 3,000 characters', `<meta property=og:image content="https://img.example/${'x'.repeat(3_000)}">`, nothing],
  ['only a comment', '<!-- <title>Hidden</title> -->', nothing],
  ['markup in a script', '<script>"<title>Hidden</title>"</script>', nothing],
])('A page with %s has the expected metadata.', async ([, html, expected]) => {
  sending(html);
  expect(await fetchAt()).toEqual(expected);
});

test.for<[string, string]>([
  ['lists', '<ul>'.repeat(65_500) + '<li>'.repeat(65_500)],
  ['closing tags of other elements', '<b>'.repeat(87_000) + '</i>'.repeat(65_000)],
  ['drawings', '<svg>'.repeat(50_000) + '</i>'.repeat(65_000)],
  ['paragraphs in lists', '<ul><p>'.repeat(70_000)],
])('The parser stops at %s that are nested too deeply, and keeps what it has found.', async ([, html]) => {
  const opened = vi.spyOn(Parser.prototype, 'onopentagname');
  const closed = vi.spyOn(Parser.prototype, 'onclosetag');
  sending(`<title>Before</title>${html}<meta name=description content=After>`);
  expect(await fetchAt()).toEqual({ ...nothing, title: 'Before' });
  expect(opened.mock.calls.length + closed.mock.calls.length).toBeLessThan(600);
});

test('Closed elements do not stop the parser, however many there are.', async () => {
  sending(`${'<link><p><div><svg><path/></svg></div>'.repeat(1_000)}<title>After</title>`);
  expect(await fetchAt()).toEqual({ ...nothing, title: 'After' });
});

test('Texts are cut to the limits of a link, and lose control characters and those that reverse text.', async () => {
  sending(`<title>\u0000\u0007${'ä'.repeat(1_000)}\u202e</title><meta name=description content="${'😀'.repeat(3_000)}">`);
  const { title, description } = await fetchAt();
  expect(title).toBe('ä'.repeat(256));
  expect(description).toBe('😀'.repeat(1_024));
});

test.for<[string, Buffer | string, string]>([
  ['its header', Buffer.from('<title>Gr\xfc\xdfe</title>', 'latin1'), 'text/html; charset="ISO-8859-1"'],
  ['itself', Buffer.from('<meta charset=windows-1252><title>Gr\xfc\xdfe</title>', 'latin1'), 'text/html'],
  [
    'itself in the older form',
    Buffer.from('<meta http-equiv=Content-Type content="text/html; charset=iso-8859-1"><title>Gr\xfc\xdfe</title>', 'latin1'),
    'text/html',
  ],
  ['a byte order mark', Buffer.from('\ufeff<title>Grüße</title>', 'utf16le'), 'text/html; charset=utf-8'],
  ['nothing', '<title>Grüße</title>', 'text/html'],
  ['a header with an unknown one', '<title>Grüße</title>', 'text/html; charset=klingon'],
])('The encoding is recognised by %s.', async ([, body, type]) => {
  sending(body, { 'Content-Type': type });
  expect((await fetchAt()).title).toBe('Grüße');
});

test('Japanese in Shift_JIS is read.', async () => {
  const body = Buffer.concat([Buffer.from('<title>'), Buffer.from([0x93, 0xfa, 0x96, 0x7b]), Buffer.from('</title>')]);
  sending(body, { 'Content-Type': 'text/html; charset=Shift_JIS' });
  expect((await fetchAt()).title).toBe('日本');
});

test('Redirects are followed, each after the same check, and an image is relative to the final page.', async () => {
  site.answer = (request, response) => {
    if (request.url === '/page') response.writeHead(302, { Location: `http://other.example:${port}/there` }).end();
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>There</title>');
  };
  expect((await fetchAt()).title).toBe('There');
  for (const [location, why] of [
    [`http://private.example:${port}/`, 'not at a public address'],
    ['file:///etc/passwd', 'without http or https'],
    ['http://[', 'without http or https'],
    ['/page', 'more than 5 times'],
  ] as const) {
    site.answer = (_, response) => response.writeHead(302, { Location: location }).end();
    await expect(fetchAt()).rejects.toEqual(refusal('page_unreachable', why));
  }
});

test.for<[string, number, Record<string, string>, string, string]>([
  ['an error', 503, { 'Content-Type': 'text/html' }, 'page_unreachable', 'responds with 503'],
  ['an image', 200, { 'Content-Type': 'image/png' }, 'page_not_html', 'an HTML page'],
  ['no type', 200, {}, 'page_not_html', 'an HTML page'],
  ['a compressed page', 200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }, 'page_unreachable', 'compressed'],
])('%s is refused, and the message says why without anything of the body.', async ([, status, headers, code, why]) => {
  site.answer = (_, response) => response.writeHead(status, headers).end('secret');
  const error = await fetchAt().catch((thrown) => thrown);
  expect(error).toEqual(refusal(code, why));
  expect(error.message).not.toContain('secret');
});

test('A page that never ends is read as far as it arrived, one that never begins is refused, and neither takes longer than the signal.', async () => {
  site.answer = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.write('<title>Early</title>');
  };
  expect((await fetchAt('/', AbortSignal.timeout(200))).title).toBe('Early');
  site.answer = () => {};
  await expect(fetchAt('/', AbortSignal.timeout(200))).rejects.toEqual(refusal('page_unreachable', 'does not respond in time'));
});

test('Only the first 524,288 bytes are read.', async () => {
  sending(`${' '.repeat(524_288 - 20)}<title>In</title>${' '.repeat(20)}<meta name=description content=Out>`);
  expect(await fetchAt()).toEqual({ ...nothing, title: 'In' });
  sending(Buffer.alloc(20_000_000, ' '));
  expect(await fetchAt()).toEqual(nothing);
});

test('Any bytes give texts within their limits, and hostile markup of the largest size is read in time.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
      sending(Buffer.concat([Buffer.from('<title>'), Buffer.from(bytes)]));
      const { title, description, image } = await fetchAt();
      expect([...(title ?? '')].length).toBeLessThanOrEqual(256);
      expect([description, image]).toEqual([null, null]);
    }),
    { numRuns: 50 },
  );
  const parts = [
    '<',
    '<meta ',
    '<title>',
    '<meta charset',
    '<!--',
    '&amp',
    '<svg>',
    '<meta content="',
    "<a b='",
    '</',
    '<![CDATA[',
  ];
  for (const part of parts) {
    sending(part.repeat(Math.floor(524_288 / part.length)));
    expect(Object.keys(await fetchAt('/', AbortSignal.timeout(10_000)))).toEqual(['title', 'description', 'image']);
  }
});
