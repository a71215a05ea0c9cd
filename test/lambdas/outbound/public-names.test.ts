import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { postWebhook } from '../../../lambdas/outbound/post-webhook.ts';
import { useDns } from '../../support/http/dns.ts';

/** The DNS server of resolvers, as in the system's settings. */
let server = '';
vi.mock('node:dns/promises', async (original) => {
  const { Resolver, ...rest } = await original<typeof import('node:dns/promises')>();
  class Local extends Resolver {
    constructor(options: ConstructorParameters<typeof Resolver>[0]) {
      super(options);
      this.setServers([server]);
    }
  }
  return { ...rest, Resolver: Local };
});

const dns = await useDns();
beforeEach(() => {
  server = dns.server;
});
afterAll(() => dns.stop());

const post = (timeoutMs?: number) =>
  postWebhook({ url: 'https://hooks.example.com/', headers: {}, body: '{}' }, { ...(timeoutMs && { timeoutMs }) });

test.for([
  [{ A: ['10.0.0.1'] }, 'not_public'],
  [{ A: ['169.254.169.254'] }, 'not_public'],
  [{ A: ['127.0.0.1'] }, 'not_public'],
  [{ AAAA: ['::1'] }, 'not_public'],
  [{ AAAA: ['::ffff:127.0.0.1'] }, 'not_public'],
  [{ AAAA: ['64:ff9b::7f00:1'] }, 'not_public'],
  [{ A: ['8.8.8.8', '10.0.0.1'] }, 'not_public'],
  [{ A: ['8.8.8.8'], AAAA: ['fd00:ec2::254'] }, 'not_public'],
  [{ TXT: ['no address'] }, 'dns'],
  [{}, 'dns'],
] as const)('A webhook whose name has the records %j is not sent: %s.', async ([records, error]) => {
  dns.set({ 'hooks.example.com': records });
  expect(await post()).toEqual({ ms: expect.any(Number), error });
});

test('A webhook whose name is an alias of one with a private address is not sent.', async () => {
  dns.set({ 'hooks.example.com': { CNAME: ['inside.example.com'] }, 'inside.example.com': { A: ['10.0.0.1'] } });
  expect(await post()).toEqual({ ms: expect.any(Number), error: 'not_public' });
});

test('With the setting for laptops, a name that resolves to this machine is still refused.', async () => {
  process.env.WEBHOOK_LOOPBACK = 'allowed';
  onTestFinished(() => {
    delete process.env.WEBHOOK_LOOPBACK;
  });
  dns.set({ 'hooks.example.com': { A: ['127.0.0.1'], AAAA: ['::1'] } });
  expect(await post()).toEqual({ ms: expect.any(Number), error: 'not_public' });
});

test('A webhook is not sent to a name that does not exist, or whose DNS fails.', async () => {
  dns.set({});
  expect(await post()).toEqual({ ms: expect.any(Number), error: 'dns' });
  dns.set('broken');
  expect(await post()).toEqual({ ms: expect.any(Number), error: 'dns' });
});

test('An attempt ends in time if the DNS is silent.', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  server = `127.0.0.1:${silent.address().port}`;
  expect(await post(200)).toEqual({ ms: expect.any(Number), error: 'timeout' });
});
