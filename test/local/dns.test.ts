import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useDns } from '../support/http/dns.ts';

let dns: Awaited<ReturnType<typeof useDns>>;
let resolver: Resolver;
beforeAll(async () => {
  dns = await useDns();
  resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([dns.server]);
});
afterAll(() => dns.stop());

test('Without a file, no name exists.', async () => {
  await expect(resolver.resolveTxt('go.acme.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('The file is read again for each question, and names match in any case.', async () => {
  dns.set({
    'Go.Acme.Example': { CNAME: ['links.localhost'], TXT: ['one', 'ä'.repeat(200)], A: ['192.0.2.1'], AAAA: ['2001:db8::1'] },
  });
  expect(await resolver.resolveCname('go.acme.example')).toEqual(['links.localhost']);
  expect(await resolver.resolve4('GO.acme.example')).toEqual(['192.0.2.1']);
  expect(await resolver.resolve6('go.acme.example')).toEqual(['2001:db8::1']);
  const texts = (await resolver.resolveTxt('go.acme.example')).map((parts) => parts.length);
  expect(texts.sort()).toEqual([1, 2]);
  // Other types get only the CNAME, as from a resolver.
  expect(await resolver.resolveMx('go.acme.example')).toEqual([]);
  dns.set({});
  await expect(resolver.resolveCname('go.acme.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('A CNAME is followed to the records of its target, as a resolver does, and never in circles.', async () => {
  dns.set({
    'go.acme.example': { CNAME: ['One.Acme.Example.'] },
    'one.acme.example': { CNAME: ['two.acme.example'] },
    'two.acme.example': { TXT: ['text'], A: ['192.0.2.1'] },
    'dead.acme.example': { CNAME: ['nowhere.acme.example'] },
    'round.acme.example': { CNAME: ['round.acme.example'] },
  });
  expect(await resolver.resolveTxt('go.acme.example')).toEqual([['text']]);
  expect(await resolver.resolve4('go.acme.example')).toEqual(['192.0.2.1']);
  expect(await resolver.resolveCname('go.acme.example')).toEqual(['One.Acme.Example']);
  for (const name of ['go', 'dead', 'round']) expect(await resolver.resolve6(`${name}.acme.example`)).toEqual([]);
  await expect(resolver.resolve6('two.acme.example')).rejects.toMatchObject({ code: 'ENODATA' });
});

test('An unreadable file or an impossible record fails the query, and the server keeps running.', async () => {
  for (const records of [
    '{',
    { 'go.acme.example': { A: ['no address'], TXT: [5] } },
    { 'go.acme.example': { A: 5, TXT: 5 } },
    { 'go.acme.example': null },
  ]) {
    dns.set(records);
    await expect(resolver.resolve4('go.acme.example')).rejects.toMatchObject({
      code: expect.stringMatching(/^E(SERVFAIL|NODATA|NOTFOUND)$/),
    });
    await expect(resolver.resolveTxt('go.acme.example')).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
  }
  dns.set({ 'go.acme.example': { A: ['192.0.2.1'] } });
  expect(await resolver.resolve4('go.acme.example')).toEqual(['192.0.2.1']);
});

test('Packets that are not questions are ignored, and only this machine can ask.', async () => {
  const [host, port] = dns.server.split(':');
  expect(host).toBe('127.0.0.1');
  const socket = createSocket('udp4');
  for (const bytes of [Buffer.alloc(0), Buffer.from('x'), Buffer.alloc(600, 0xff)]) {
    socket.send(bytes, Number(port), host);
  }
  await once(socket, 'listening').catch(() => {});
  dns.set({ 'go.acme.example': { A: ['192.0.2.1'] } });
  expect(await resolver.resolve4('go.acme.example')).toEqual(['192.0.2.1']);
  socket.close();
});
