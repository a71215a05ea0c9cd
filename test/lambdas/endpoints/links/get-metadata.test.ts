import { afterEach, beforeAll, expect, test } from 'vitest';
import { metadataRequests } from '../../../../lambdas/core/limits.ts';
import { callEndpoint, startEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { useWebServer } from '../../../support/http/web-server.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

const site = await useWebServer();
let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => {
  delete process.env.WEBHOOK_LOOPBACK;
});

const newCaller = async () => {
  const { workspaceId, domain } = await store.newWorkspace();
  const ask = (query: Record<string, string>) => callEndpoint('get-metadata', { workspaceId, query });
  return { workspaceId, domain, ask };
};

test('On a laptop, a page of the machine itself is read, and the response has exactly four fields.', async () => {
  process.env.WEBHOOK_LOOPBACK = 'allowed';
  site.answer = (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<title>Page</title><meta property="og:image" content="https://img.example/a.png"><p>The body stays there');
  const { ask } = await newCaller();
  const { status, body } = await ask({ url: `HTTP://LOCALHOST:${site.port}/page` });
  expect([status, body]).toEqual([
    200,
    { url: `http://localhost:${site.port}/page`, title: 'Page', description: null, image: 'https://img.example/a.png' },
  ]);
});

test('On a laptop, a page of the machine itself may not redirect to another address of a private network.', async () => {
  process.env.WEBHOOK_LOOPBACK = 'allowed';
  site.answer = (_, response) => response.writeHead(302, { Location: 'http://192.168.0.1/' }).end();
  const answer = await (await newCaller()).ask({ url: `http://localhost:${site.port}/` });
  expectProblem(answer, 422, 'validation_failed');
  expect(answer.body.errors).toMatchObject([
    { code: 'page_unreachable', message: expect.stringContaining('not at a public address') },
  ]);
});

test.for<[string, string | undefined, string]>([
  ['no URL', undefined, 'required'],
  ['a text', 'nope', 'destination_invalid'],
  ['a file', 'file:///etc/passwd', 'destination_scheme'],
  ['a password', 'https://me:secret@example.com/', 'destination_credentials'],
  ['a long URL', `https://example.com/${'x'.repeat(8_000)}`, 'destination_too_long'],
  ['this machine', 'http://localhost:3000/', 'destination_private'],
  ['a private address', 'http://10.0.0.1/', 'destination_private'],
  ['the metadata of the machine', 'http://169.254.169.254/latest/meta-data/', 'destination_private'],
  ['an address in IPv6', 'http://[::ffff:127.0.0.1]/', 'destination_private'],
])('A request with %s is refused before anything is fetched.', async ([, url, code]) => {
  const answer = await (await newCaller()).ask(url === undefined ? {} : { url });
  expectProblem(answer, 422, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ code, message: expect.stringContaining('"url"') }]);
});

test('A blocked host and a short domain of the service are refused, as they are for links.', async () => {
  const { workspaceId, domain } = await newCaller();
  await store.blockHost('blocked-page.example.com');
  const fresh = startEndpoint('get-metadata');
  for (const [url, code] of [
    ['https://www.blocked-page.example.com/', 'destination_blocked'],
    [`https://${domain.host}/slug`, 'destination_short_domain'],
  ] as const)
    expect((await fresh({ workspaceId, query: { url } })).body.errors).toMatchObject([{ code }]);
});

test('Of 40 requests at once, exactly 30 pass, whether they succeed or fail, and imports have a limit of their own.', async () => {
  const { ask, workspaceId } = await newCaller();
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask({ url: 'nope' })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 422)).toHaveLength(metadataRequests.quota);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  expect(answers[0]?.headers['RateLimit-Policy']).toBe('"metadata";q=30;w=60');
  const bulk = await callEndpoint('bulk-delete-links', { workspaceId, body: { ids: ['lnk_unknown'] } });
  expect(bulk.status).toBe(200);
});
