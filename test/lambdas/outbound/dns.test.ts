import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lookUpOwnership, lookUpTarget } from '../../../lambdas/outbound/dns.ts';
import { useDns } from '../../support/http/dns.ts';

let dns: Awaited<ReturnType<typeof useDns>>;
beforeAll(async () => {
  dns = await useDns();
});
beforeEach(() => {
  process.env.DNS_SERVERS = dns.server;
});
afterAll(() => dns.stop());

const host = 'go.acme.example';
const target = 'links.localhost';
const proof = { TXT: ['other', 'links-verification=token'] };

test('A TXT record proves the ownership, whatever the case of the name.', async () => {
  dns.set({ [`_LINKS.${host}`]: proof });
  expect((await lookUpOwnership(host, 'token')).failure).toBeUndefined();
  expect((await lookUpOwnership(host, 'another')).failure).toMatchObject({ message: expect.stringContaining('found "other"') });
  expect((await lookUpOwnership(`x.${host}`, 'token')).failure).toMatchObject({
    message: expect.stringContaining('no such record'),
  });
});

test('A text of more than 255 characters is joined from its parts.', async () => {
  const token = 'x'.repeat(300);
  dns.set({ [`_links.${host}`]: { TXT: [`links-verification=${token}`] } });
  expect((await lookUpOwnership(host, token)).failure).toBeUndefined();
});

test.for([
  ['a CNAME', { [`_links.${host}`]: { CNAME: ['txt.elsewhere.example'] }, 'txt.elsewhere.example': proof }],
  [
    'two CNAMEs',
    {
      [`_links.${host}`]: { CNAME: ['one.elsewhere.example'] },
      'one.elsewhere.example': { CNAME: ['txt.elsewhere.example'] },
      'txt.elsewhere.example': proof,
    },
  ],
  ['its own name, which also has a CNAME,', { [`_links.${host}`]: { ...proof, CNAME: ['txt.elsewhere.example'] } }],
] as const)('A TXT record behind %s proves nothing, because it belongs to the owner of another name.', async ([, records]) => {
  dns.set(records);
  expect((await lookUpOwnership(host, 'token')).failure).toEqual({
    code: 'ownership_not_proven',
    message: expect.stringMatching(
      /^the name _links\.go\.acme\.example must have .* itself, not a CNAME; .*elsewhere\.example"$/,
    ),
  });
});

test('A TXT record proves nothing while the DNS does not answer whether a CNAME leads to it.', async () => {
  const name = `_links.${host}`;
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id = 0, questions = [] } = decode(message);
    const isText = questions[0]?.type === 'TXT';
    const answers = isText ? [{ name, type: 'TXT' as const, ttl: 0, data: 'links-verification=token' }] : [];
    socket.send(encode({ type: 'response', id, questions, answers, flags: isText ? 0 : 2 }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  process.env.DNS_SERVERS = `127.0.0.1:${socket.address().port}`;
  expect((await lookUpOwnership(host, 'token')).failure).toMatchObject({
    message: expect.stringMatching(/did not answer \(ESERVFAIL\)$/),
  });
  socket.close();
});

test.for([
  ['a CNAME', { [host]: { CNAME: [target] } }, undefined],
  [
    'the same addresses',
    { [host]: { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] }, [target]: { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] } },
    undefined,
  ],
  [
    'one of the same addresses',
    { [host]: { AAAA: ['2001:db8::1'] }, [target]: { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] } },
    undefined,
  ],
  [
    'another address in addition',
    { [host]: { A: ['192.0.2.1'], AAAA: ['2001:db8::9'] }, [target]: { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] } },
    'found "192.0.2.1", "2001:db8::9"',
  ],
  ['another CNAME', { [host]: { CNAME: ['elsewhere.example'] } }, 'found "elsewhere.example"'],
  ['other addresses', { [host]: { A: ['192.0.2.9'] }, [target]: { A: ['192.0.2.1'] } }, 'found "192.0.2.9"'],
  ['no records', {}, 'there is no such record'],
  ['a name without records', { [host]: {} }, 'there is no such record'],
] as const)('A domain with %s points here, or the message names what was found.', async ([, records, text]) => {
  dns.set(records);
  const { failure } = await lookUpTarget(host, target);
  if (text === undefined) expect(failure).toBeUndefined();
  else expect(failure).toMatchObject({ code: 'dns_not_pointed', message: expect.stringContaining(text) });
});

test('A failing DNS proves nothing, and the message names its error.', async () => {
  dns.set('no JSON');
  expect((await lookUpOwnership(host, 'token')).failure).toMatchObject({
    message: expect.stringMatching(/did not answer \(E\w+\)$/),
  });
  expect(dns.log.join()).toContain('dns.json');
});

test.for([
  ['is not an object', [], 'must be an object'],
  ['is null', 'null', 'must be an object'],
  ['has a name without an object', { [host]: 'links.localhost' }, `"${host}" must be an object`],
  ['has a text instead of a list', { [host]: { CNAME: target } }, `"${host}": "CNAME" must be a list of names`],
  ['has a list of something else', { [host]: { CNAME: [1] } }, `"${host}": "CNAME" must be a list of names`],
  ['has an unknown type', { [host]: { cname: [target] } }, `"${host}": "cname" must be one of A, AAAA, CNAME, TXT`],
  ['has an invalid address', { [host]: { A: ['here'] } }, `"${host}": "A" must be a list of IPv4 addresses`],
  ['has a label that is too long', { [host]: { CNAME: ['x'.repeat(64)] } }, `"${host}": "CNAME" must be a list of names`],
] as const)(
  'If a file of records %s, the DNS fails, logs the reason, and answers again once the file is fixed.',
  async ([, records, reason]) => {
    dns.log.length = 0;
    dns.set(records);
    expect((await lookUpTarget(host, target)).failure).toMatchObject({
      message: expect.stringMatching(/did not answer \(E\w+\)$/),
    });
    expect(dns.log[0]).toContain(`dns.json: ${reason}`);
    dns.set({ [host]: { CNAME: [target] } });
    expect((await lookUpTarget(host, target)).failure).toBeUndefined();
  },
);

test('A DNS that does not answer is given up within the time for a check.', async () => {
  const silent = createSocket('udp4');
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  process.env.DNS_SERVERS = `127.0.0.1:${silent.address().port}`;
  expect((await lookUpOwnership(host, 'token')).failure).toMatchObject({
    message: expect.stringMatching(/\((ETIMEOUT|ECANCELLED)\)$/),
  });
  silent.close();
}, 10_000);
