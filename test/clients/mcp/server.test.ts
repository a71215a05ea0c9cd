import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { messageOf, ToolError } from '../../../clients/mcp/failures.ts';
import { mcpServer, type Session } from '../../../clients/mcp/server.ts';
import { ProblemError } from '../../../clients/typescript/client.ts';
import { permissions } from '../../../lambdas/core/key/permissions.ts';
import { useWebServer } from '../../support/http/web-server.ts';

const site = await useWebServer();

/** Calls a tool of a server whose API is the web server. */
async function call(name: string, args: Record<string, unknown>, more: Partial<Session> = {}) {
  const mistakes: unknown[] = [];
  const baseUrl = `http://127.0.0.1:${site.port}`;
  const onMistake = (error: unknown) => void mistakes.push(error);
  const server = mcpServer({ baseUrl, apiKey: 'lk_key', keyId: 'key_1', permissions, onMistake, ...more });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'tests', version: '1' });
  await Promise.all([server.connect(ours as never), client.connect(theirs)]);
  const { isError, content } = await client.callTool({ name, arguments: args });
  await client.close();
  return { isError, text: (content as { text: string }[])[0]?.text ?? '', mistakes };
}

const asked = { domain: 'go.example', url: 'https://example.com/' };

test('A creation whose answer is lost is retried with the same Idempotency-Key, and another call gets a new one.', async () => {
  let attempts = 0;
  site.answer = (request, response) => {
    if (attempts++ === 0) return void request.socket.destroy();
    response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"link":{"id":"lnk_1"}}');
  };
  expect(JSON.parse((await call('create_link', asked)).text)).toEqual({ link: { id: 'lnk_1' }, created: true });
  await call('create_link', asked);
  const keys = site.requests.map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size, keys[0] === keys[1]]).toEqual([3, 2, true]);
});

test('A call that the API does not answer ends at its deadline, and says whether it may have been carried out.', async () => {
  /** The deadline of a call passes once the API has its request. */
  const until = () => {
    const time = new AbortController();
    site.answer = () => time.abort(new DOMException('The time is up.', 'TimeoutError'));
    return { until: time.signal };
  };
  const read = await call('list_links', {}, until());
  expect([read.isError, read.text]).toEqual([true, 'The service did not answer in time. Call again later.']);
  const write = await call('create_link', asked, until());
  expect(write.text).toBe('The service did not answer in time. It may have been carried out: look before you call again.');
  expect([...read.mistakes, ...write.mistakes]).toEqual([]);
});

test('A throttled call is not retried, and says how long to wait.', async () => {
  site.answer = (_, response) => {
    response.writeHead(429, { 'Retry-After': '60' }).end('{"code":"rate_limited","detail":"Too many requests.","requestId":"r"}');
  };
  const wait = (seconds: number) => `Too many requests. (rate_limited, request r)\nWait ${seconds} seconds, then call again.`;
  // The gateway sends the Retry-After of bulk requests with every 429.
  expect((await call('list_links', {})).text).toBe(wait(1));
  expect((await call('create_links', { domain: 'go.example', links: [asked] })).text).toBe(wait(60));
  expect(site.requests).toHaveLength(2);
});

test('A value that clicks are filtered by may have commas and backslashes.', async () => {
  site.answer = (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"links":[]}');
  for (const tool of ['get_stats', 'get_top_links']) await call(tool, { utmCampaign: ['summer, 2030', 'a\\b'] });
  const queries = site.requests.map(({ url }) => new URL(url ?? '', 'http://api.example').searchParams.get('utmCampaign'));
  expect(queries).toEqual(Array(2).fill('summer\\, 2030,a\\\\b'));
});

test('The key is sent to no other server, even if the API redirects.', async () => {
  site.answer = (_, response) => response.writeHead(308, { Location: 'http://127.0.0.1:9/elsewhere' }).end();
  expect((await call('list_links', {})).text).toContain('which the client does not follow');
});

test('An answer that makes no sense is logged as a mistake, and the client gets no details.', async () => {
  site.answer = (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"nothing":1}');
  const { isError, text, mistakes } = await call('list_links', {});
  expect([isError, text]).toEqual([true, 'Something went wrong on our side.']);
  expect(mistakes).toEqual([expect.any(TypeError)]);
});

test('An argument with half a character is refused without a request, and raises no alarm.', async () => {
  const { text, mistakes } = await call('update_links', { filter: { q: '\ud800' }, expected: 0, fields: { title: 'A' } });
  expect([text, mistakes, site.requests]).toEqual(['An argument has half a character: send well-formed Unicode.', [], []]);
});

test.for<[number, string, string]>([
  [401, 'unauthorized', 'Ask the user for another API key'],
  [403, 'forbidden', 'Ask the user for an API key that has the permission'],
  [404, 'not_found', 'list_links shows the ids of links'],
  [409, 'slug_taken', 'Choose another customSlug'],
  [422, 'validation_failed', '/url must be a URL\nCorrect the arguments'],
  [500, 'internal_error', 'Tell the user, with the id of the request'],
  [503, 'temporarily_unavailable', 'Wait 7 seconds. It may have been carried out'],
])('The message of %i %s says what to do.', ([status, code, advice]) => {
  const errors = [{ path: '/url', code: 'x', message: 'must be a URL' }];
  const body = { code, detail: 'It failed.', requestId: 'r', ...(status === 422 && { errors }) };
  const message = messageOf(new ProblemError(status, JSON.stringify(body), false, 7), false);
  expect(message).toContain(`It failed. (${code}, request r)`);
  expect(message).toContain(advice);
});

test('Only a mistake in the server has no message.', () => {
  expect(messageOf(new ToolError('Say why.'), true)).toBe('Say why.');
  expect(messageOf(new TypeError('x is not a function'), true)).toBeUndefined();
});
