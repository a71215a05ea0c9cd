import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findPort } from '../../../local/net/ports.ts';

test('Without a chosen port, the service takes one outside the range of outgoing connections.', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => findPort()));
  // Linux begins at 32768, and macOS and Windows at 49152.
  expect(ports.filter((port) => port < 1_024 || port >= 32_768)).toEqual([]);
});

test('A port that is in use is refused in one line.', async () => {
  const port = await findPort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await expect(findPort(port)).rejects.toThrow(`port ${port} is in use, choose another with --port`);
  server.close();
});
