import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, useService } from '../../support/service.ts';

let service: Service;
let host: string;
beforeAll(async () => {
  service = await useService();
  const workspace = await service.newWorkspace();
  host = workspace.domain;
  const links = [{ url: 'https://example.org/', customSlug: 'known' }];
  const { body } = await workspace.importLinks(links);
  await workspace.call('PATCH', `/links/${body.links[0].id}`, { forwardParameters: true });
});
afterAll(() => service.stop());

/** Sends bytes as they are, the domain of the test where `HOST` stands, and gives all that comes back until the connection ends. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () =>
      socket.end(bytes.replaceAll('HOST', host), 'latin1'),
    );
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text;
    });
    socket.on('close', () => resolve(answer)).on('error', (error) => (answer ? resolve(answer) : reject(error)));
  });
}

/** A request's lines. */
const request = (...lines: string[]) => [...lines, 'Connection: close', '', ''].join('\r\n');
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const headersOf = (answer: string) => answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n').slice(1);

test.for<[string, string, number[]]>([
  ['as it should be', request('GET /known HTTP/1.1', 'Host: HOST'), [302]],
  ['with a port behind the host', request('GET /known HTTP/1.1', 'Host: HOST:3000'), [302]],
  ['with the host in capitals and a dot behind it', request('GET /known HTTP/1.1', 'Host: GO1.EXAMPLE.COM.'), [302]],
  ['in absolute form', request('GET http://HOST/known HTTP/1.1', 'Host: other.example'), [302]],
  ['with its slug in escapes', request('GET /%6Bnown HTTP/1.1', 'Host: HOST'), [302]],
  ['without a host', request('GET /known HTTP/1.1'), [400]],
  ['with an empty host', request('GET /known HTTP/1.1', 'Host:'), [400]],
  ['with two hosts', request('GET /known HTTP/1.1', 'Host: HOST', 'Host: other.example'), [400]],
  ['with an unknown host', request('GET /known HTTP/1.1', 'Host: other.example'), [404]],
  ['with a host that is none', request('GET /known HTTP/1.1', 'Host: a b'), [400]],
  ['in absolute form to another host', request('GET http://other.example/known HTTP/1.1', 'Host: HOST'), [404]],
  ['to no path', request('GET known HTTP/1.1', 'Host: HOST'), [400]],
  ['to an asterisk', request('OPTIONS * HTTP/1.1', 'Host: HOST'), [400, 404, 405]],
  ['to a path of 8 kB', request(`GET /${'a'.repeat(8_192)} HTTP/1.1`, 'Host: HOST'), [404]],
  ['to a path of 20 kB', request(`GET /${'a'.repeat(20_000)} HTTP/1.1`, 'Host: HOST'), [400, 414, 431]],
  ['with 8 kB of parameters', request(`GET /known?${'a=b&'.repeat(2_040)} HTTP/1.1`, 'Host: HOST'), [302, 414]],
  ['with invalid UTF-8 in its path', request('GET /%ff%fe HTTP/1.1', 'Host: HOST'), [400]],
  ['with bytes of no encoding in its path', request('GET /\xff\xfe HTTP/1.1', 'Host: HOST'), [400, 404]],
  ['with a broken escape', request('GET /%zz HTTP/1.1', 'Host: HOST'), [400]],
  ['with a line break in its path', request('GET /known%0d%0aX-Made:%20yes HTTP/1.1', 'Host: HOST'), [404]],
  ['with a NUL in its path', request('GET /known%00 HTTP/1.1', 'Host: HOST'), [404]],
  ['with a line break in a parameter', request('GET /known?a=%0d%0aX-Made:%20yes HTTP/1.1', 'Host: HOST'), [302]],
  ['with a control character in a header', request('GET /known HTTP/1.1', 'Host: HOST', 'User-Agent: a\x01b'), [302, 400]],
  ['with a NUL in a header', request('GET /known HTTP/1.1', 'Host: HOST', 'Accept: a\0b'), [400]],
  ['with a bare line break in a header', request('GET /known HTTP/1.1', 'Host: HOST', 'X: a\nX-Made: yes'), [302, 400]],
  ['with a folded header', request('GET /known HTTP/1.1', 'Host: HOST', 'X: a', ' X-Made: yes'), [302, 400]],
  [
    'with bytes of no encoding in headers',
    request('GET /known HTTP/1.1', 'Host: HOST', 'User-Agent: \xff\xfe', 'Cookie: \xff=\xfe'),
    [302],
  ],
  [
    'with headers that come twice',
    request('GET /known HTTP/1.1', 'Host: HOST', 'Accept: text/html', 'Accept: */*', 'Cookie: a', 'Cookie: b'),
    [302],
  ],
  ['with another password twice', request('GET /known HTTP/1.1', 'Host: HOST', 'Link-Password: a', 'Link-Password: b'), [302]],
  ['with a method of its own', request('BREW /known HTTP/1.1', 'Host: HOST'), [400, 405]],
  ['with a body that it does not need', request('GET /known HTTP/1.1', 'Host: HOST', 'Content-Length: 3').concat('abc'), [302]],
])('a request %s is answered, never with 500 or a header that a visitor made', async ([, bytes, statuses]) => {
  const answer = await send(bytes);
  expect(statuses, answer.slice(0, 300)).toContain(statusOf(answer));
  for (const header of headersOf(answer)) {
    expect(header).toMatch(/^[\w-]+: [\x20-\x7e]*$/);
    expect(header).not.toMatch(/^x-made/i);
  }
});

test('a header that a visitor sends does not tell where a visitor is', async () => {
  const answer = await send(
    request(
      'GET /known HTTP/1.1',
      'Host: HOST',
      'X-Forwarded-Host: other.example',
      'X-Forwarded-For: 10.0.0.1',
      'Forwarded: host=other.example',
    ),
  );
  expect(statusOf(answer)).toBe(302);
});
