import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { visitsOf } from '../../../clients/smoke/visits.ts';
import { findPort } from '../../../local/net/ports.ts';
import { startFront } from '../../../tools/judge/front.ts';

test("Requests to the front's own name are sent to the REST API with the gateway's key, all others unchanged.", async () => {
  const seen: unknown[] = [];
  const emulator = createServer(({ url, headers }, response) => {
    seen.push([headers.host?.replace(/:\d+$/, ''), url, headers['x-api-key']]);
    response.writeHead(302, { Location: 'https://example.com' }).end();
  }).listen(0, '127.0.0.1');
  await once(emulator, 'listening');
  const { port } = emulator.address() as { port: number };
  const front = await startFront(await findPort(), `http://127.0.0.1:${port}/restapis/a/dev`, async () => 'key');
  try {
    await fetch(`${front.baseUrl}/api/v1/me?x=1`, { redirect: 'manual' });
    const visited = await visitsOf(front.baseUrl)('https://go.example.com/slug');
    expect([visited.status, visited.headers.location]).toEqual([302, 'https://example.com']);
    expect(seen).toEqual([
      ['127.0.0.1', '/restapis/a/dev/api/v1/me?x=1', 'key'],
      ['go.example.com', '/slug', undefined],
    ]);
  } finally {
    front.stop();
    emulator.close();
  }
});
