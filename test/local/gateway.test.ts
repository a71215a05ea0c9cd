import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commonLogTime } from '../../local/gateway/incoming-request.ts';
import { eventIn, startFixture, synthFixture } from '../support/laptop/local-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'local-test-'));
let service: Awaited<ReturnType<typeof startFixture>>;
beforeAll(async () => {
  service = await startFixture(synthFixture(folder, { binaryMediaTypes: ['image/*', 'application/x-own'] }));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const behave = (behaviour: object, path = '/behave') => service.send(path, { method: 'POST', body: JSON.stringify(behaviour) });
const echoed = async (path: string, init?: Parameters<typeof service.send>[1]) => {
  const response = await service.send(path, init);
  expect(response.status).toBe(200);
  return eventIn(response);
};

/** Sends these bytes, and returns all that comes back until the server closes the connection. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(service.port, '127.0.0.1', () => socket.end(bytes));
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    socket.on('close', () => resolve(answer)).on('error', (error) => (answer ? resolve(answer) : reject(error)));
  });
}

describe('Routes', () => {
  it.each([
    ['a fixed path', 'GET', '/open', '/open', null],
    ['a path with a slash at the end', 'GET', '/open/', '/open', null],
    ['any method if the template says ANY', 'PURGE', '/open', '/open', null],
    ['a fixed segment before a parameter', 'GET', '/things/fixed', '/things/fixed', null],
    ['several parameters', 'GET', '/open/1/parts/2', '/open/{id}/parts/{part}', { id: '1', part: '2' }],
    ['decoded parameters', 'GET', '/open/a%20%C3%A9%2Fb/parts/+', '/open/{id}/parts/{part}', { id: 'a é/b', part: '+' }],
    [
      'malformed escapes, which stay as they are',
      'GET',
      '/open/%E0%A4%A/parts/100%',
      '/open/{id}/parts/{part}',
      { id: '%E0%A4%A', part: '100%' },
    ],
    ['a parameter that looks like a template', 'GET', '/open/{id}/parts/x', '/open/{id}/parts/{part}', { id: '{id}', part: 'x' }],
    ['a greedy parameter', 'GET', '/files/a/b//c', '/files/{path+}', { path: 'a/b//c' }],
  ])('A request finds its function by %s.', async (_, method, path, resource, pathParameters) => {
    const event = await echoed(path, { method });
    expect(event).toMatchObject({ resource, pathParameters, httpMethod: method, path: new URL(`http://x${path}`).pathname });
  });

  it.each([
    ['an unknown path', 'GET', '/nowhere'],
    ['the root without a method', 'GET', '/'],
    ['a path that only leads to others', 'GET', '/files'],
    ['an empty parameter', 'GET', '/open//parts/x'],
    ['a method that the path does not have', 'POST', '/things/1'],
    ['a method that only a less specific path has', 'DELETE', '/things/fixed'],
    ['a path in another case', 'GET', '/OPEN'],
  ])('A request for %s fails with a missing authentication token, as on AWS.', async (_, method, path) => {
    const response = await service.send(path, { method, token: 'Token allow' });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'Missing Authentication Token' });
  });

  it('The response to a HEAD request for an unknown path has the status and no body.', async () => {
    const response = await service.send('/nowhere', { method: 'HEAD' });
    expect(response.status).toBe(403);
    expect(await response.text()).toBe('');
  });
});

describe('The event of a function', () => {
  it('The event is that of the Lambda proxy integration of a REST API.', async () => {
    const event = await echoed('/open?a=1&a=2&b=%C3%A9+%zz&__proto__=x', {
      method: 'POST',
      headers: { 'X-One': 'eins', 'User-Agent': 'test' },
      body: '{"a":"é"}',
    });
    expect(event).toMatchObject({
      resource: '/open',
      path: '/open',
      httpMethod: 'POST',
      headers: { 'X-Forwarded-Proto': 'http', 'X-Forwarded-For': '127.0.0.1' },
      multiValueHeaders: { 'X-Forwarded-For': ['127.0.0.1'] },
      pathParameters: null,
      stageVariables: { flavour: 'mild' },
      body: '{"a":"é"}',
      isBase64Encoded: false,
    });
    expect(Object.entries(event.queryStringParameters ?? {})).toEqual([
      ['a', '2'],
      ['b', 'é %zz'],
      ['__proto__', 'x'],
    ]);
    expect(event.multiValueQueryStringParameters?.a).toEqual(['1', '2']);
    expect(event.requestContext).toMatchObject({
      domainName: '127.0.0.1',
      accountId: '000000000000',
      httpMethod: 'POST',
      path: '/open',
      resourcePath: '/open',
      protocol: 'HTTP/1.1',
      stage: 'try',
      identity: { sourceIp: '127.0.0.1', userAgent: 'test' },
    });
    expect(event.requestContext.requestTime).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
    // The same moment, to the millisecond.
    expect(commonLogTime(event.requestContext.requestTimeEpoch)).toBe(event.requestContext.requestTime);
    expect(event.requestContext).not.toHaveProperty('authorizer');
  });

  it.each([
    ['a length', 'Content-Length: 5\r\n\r\nhello', 'hello'],
    ['chunks instead of a length', 'Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n', 'hello'],
    ['neither, so that it has no body', '\r\n', null],
  ])('The event has the whole body of a request with %s.', async (_, sent, body) => {
    const answer = await raw(`POST /open HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${sent}`);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').event.body).toBe(body);
  });

  it('The event has every value of a repeated header in one list, and the last one in the other.', async () => {
    const answer = await raw('GET /open HTTP/1.1\r\nHost: localhost\r\nX-Many: 1\r\nx-many: 2\r\nConnection: close\r\n\r\n');
    const { event } = JSON.parse(answer.split('\r\n\r\n')[1] ?? '');
    expect(event.headers['X-Many']).toBe('2');
    expect(event.multiValueHeaders['X-Many']).toEqual(['1', '2']);
  });

  it('The event lacks the headers that a REST API keeps from functions.', async () => {
    const dropped = ['Content-MD5', 'Max-Forwards', 'Proxy-Authenticate', 'Server', 'TE', 'WWW-Authenticate'];
    const passed = ['Accept', 'Age', 'Authorization', 'Content-Encoding', 'Date', 'Pragma', 'Range', 'Referer', 'Via', 'Warn'];
    const lines = [...dropped, ...passed].map((name) => `${name}: x\r\n`).join('');
    const answer = await raw(`GET /open HTTP/1.1\r\nHost: localhost\r\n${lines}Connection: close\r\n\r\n`);
    const { event } = JSON.parse(answer.split('\r\n\r\n')[1] ?? '');
    for (const headers of [event.headers, event.multiValueHeaders]) {
      for (const name of [...dropped, 'Connection']) expect(headers, name).not.toHaveProperty([name]);
      for (const name of passed) expect(headers, name).toHaveProperty([name]);
    }
  });

  it('The event has null for what is missing.', async () => {
    expect(await echoed('/open')).toMatchObject({
      body: null,
      isBase64Encoded: false,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
    });
  });

  it('The event has invalid UTF-8 replaced, and bodies of a binary media type in base64.', async () => {
    const body = new Uint8Array([0x61, 0xff, 0x62]);
    expect(await echoed('/open', { method: 'PUT', body })).toMatchObject({ body: 'a\ufffdb', isBase64Encoded: false });
    const headers = { 'Content-Type': 'image/png; a=b' };
    expect(await echoed('/open', { method: 'PUT', body, headers })).toMatchObject({ body: 'Yf9i', isBase64Encoded: true });
  });

  it('The event has the request id that the response has.', async () => {
    const response = await service.send('/open');
    const event = await eventIn(response);
    expect(response.headers.get('x-amzn-requestid')).toBe(event.requestContext.requestId);
  });

  it('A client can choose the request id.', async () => {
    const response = await service.send('/open', { headers: { 'X-Amzn-RequestId': 'mine-1' } });
    expect((await eventIn(response)).requestContext.requestId).toBe('mine-1');
    expect(response.headers.get('x-amzn-requestid')).toBe('mine-1');
  });
});

describe("A function's response", () => {
  it('The client gets the response with its status, headers, repeated headers and body.', async () => {
    const response = await behave({
      answer: {
        statusCode: 201,
        headers: { 'X-Number': 5, 'X-Both': 'b', 'Content-Length': '3', 'Transfer-Encoding': 'chunked' },
        multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'], 'x-both': ['a'] },
        body: 'gemäß',
      },
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-number')).toBe('5');
    expect(response.headers.get('x-both')).toBe('a, b');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe('gemäß');
  });

  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html#api-gateway-known-issues-rest-apis
  it.each([
    ...['Accept', 'Accept-Charset', 'Accept-Encoding', 'Age', 'Pragma', 'Range', 'Referer', 'Warn'].map((name) => [name, name]),
    ...['Authorization', 'Connection', 'Content-MD5', 'Date', 'Max-Forwards', 'Server', 'User-Agent', 'WWW-Authenticate'].map(
      (name) => [name, `x-amzn-Remapped-${name}`],
    ),
    ...['Expect', 'Host', 'Proxy-Authenticate', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Via'].map((name) => [
      name,
      undefined,
    ]),
  ])('The header %s of a function reaches the client as %s.', async (name = '', reaches) => {
    for (const cased of [name, name.toLowerCase()]) {
      const { headers } = await behave({ answer: { statusCode: 200, headers: { [cased]: 'said by the function' }, body: '{}' } });
      const under = [...headers].filter(([, value]) => value === 'said by the function').map(([header]) => header);
      expect(under).toEqual(reaches ? [reaches.toLowerCase()] : []);
    }
  });

  it('A response with 204 has no body.', async () => {
    const response = await behave({ answer: { statusCode: 204, body: 'dropped' } });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(response.headers.has('content-length')).toBe(false);
  });

  it('A response is decoded from base64 if the client accepts a binary media type.', async () => {
    const init = { method: 'POST', body: JSON.stringify({ answer: { statusCode: 200, body: 'Yf9i', isBase64Encoded: true } }) };
    const binary = await service.send('/behave', { ...init, headers: { Accept: 'application/x-own' } });
    expect([...new Uint8Array(await binary.arrayBuffer())]).toEqual([0x61, 0xff, 0x62]);
    expect(await (await service.send('/behave', init)).text()).toBe('Yf9i');
  });

  it('A response may be as large as Lambda allows.', async () => {
    const response = await behave({ does: 'answer a lot', answer: 6 * 1024 * 1024 - 1_000 });
    expect((await response.text()).length).toBe(6 * 1024 * 1024 - 998);
  });

  it.each([
    ['null', { answer: null }],
    ['a bare string', { answer: 'text' }],
    ['a list', { answer: [] }],
    ['without a status', { answer: { body: 'x' } }],
    ['an invalid status', { answer: { statusCode: 'fine' } }],
    ['an informational status', { answer: { statusCode: 101 } }],
    ['a body that is not a string', { answer: { statusCode: 200, body: {} } }],
    ['headers that are not an object', { answer: { statusCode: 200, headers: 'x' } }],
    ['a header that is an object', { answer: { statusCode: 200, headers: { 'X-A': {} } } }],
    ['a header with a line break', { answer: { statusCode: 200, headers: { 'X-A': 'a\r\nX-B: b' } } }],
    ['an invalid header name', { answer: { statusCode: 200, headers: { 'X A': 'a' } } }],
    ['more than Lambda allows', { does: 'answer a lot', answer: 6 * 1024 * 1024 + 101 }],
    ['something other than JSON', { does: 'circle' }],
    ['an error', { does: 'throw' }],
    ['missing because its process ended', { does: 'exit' }],
    ['missing because its time is over', { does: 'wait' }],
  ])("An integration fails if the function's response is %s.", async (_, behaviour) => {
    const response = await behave(behaviour);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ own: 'Internal server error' });
  });

  it('An integration times out if it takes longer than the method allows.', async () => {
    const response = await behave({ does: 'wait' }, '/impatient');
    expect(response.status).toBe(504);
    expect(await response.json()).toEqual({ own: 'Endpoint request timed out' });
  });
});

describe("The gateway's own responses", () => {
  it("The gateway's own responses have the status, headers and variables of the template.", async () => {
    const response = await service.send('/things?x=1');
    const id = response.headers.get('x-amzn-requestid');
    expect(response.status).toBe(418);
    expect(response.headers.get('content-type')).toBe('text/x-own');
    expect(response.headers.get('x-request')).toBe(id);
    expect(await response.text()).toBe(`UNAUTHORIZED ${id}, /things.`);
  });

  it("The gateway's own responses fall back to the default of their class, then to that of AWS.", async () => {
    expect(await (await behave({ does: 'throw' })).json()).toHaveProperty('own');
    expect(await (await service.send('/nowhere')).json()).toHaveProperty('message');
  });
});

describe('The limits of a request', () => {
  const size = (bytes: number) => ({ method: 'POST', body: 'x'.repeat(bytes) });

  it('A body of just under 6 MiB reaches the function.', async () => {
    const response = await service.send('/behave', {
      method: 'POST',
      body: JSON.stringify({ does: 'count', filling: 'x'.repeat(6 * 1024 * 1024 - 10_000) }),
    });
    expect(response.status).toBe(200);
  });

  it.each([
    ['an event over 6 MiB, although the body is smaller', { method: 'POST', body: '"'.repeat(4 * 1024 * 1024) }],
    ['a body over 10 MiB', size(10 * 1024 * 1024 + 1)],
    ['a body of 60 MiB', size(60 * 1024 * 1024)],
  ])('A request with %s is refused as too large.', async (_, init) => {
    const response = await service.send('/open', init);
    expect(response.status).toBe(413);
  });

  it('A body without a length is refused once it is over 10 MiB, and the connection stays usable.', async () => {
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    const answer = await raw(
      `POST /open HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(12)}0\r\n\r\n` +
        'GET /open HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('HTTP/1.1 200 OK');
  });

  it('A refused upload is answered although most of it was never sent.', async () => {
    const answer = await raw('POST /open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\nxxx');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('The host of the API', () => {
  it.each(['localhost', 'LocalHost:1', '127.0.0.1:99'])('The host %s is the API.', async (host) => {
    expect(await raw(`GET /open HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(['example.com', 'localhost.example.com', '127.0.0.1.example.com', '[::1]'])(
    'The host %j is the HTTP API.',
    async (host) => {
      const answer = await raw(`GET /open HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answer).toContain('"version":"2.0"');
    },
  );
});

describe('Unusual HTTP', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['no host', 'GET /open HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['HTTP/1.0 with a host', 'GET /open HTTP/1.0\r\nHost: localhost\r\n\r\n', /^HTTP\/1\.1 200 /],
    ['the absolute form', 'GET http://localhost/open HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 200 /],
    [
      'the absolute form of another host',
      'GET http://other/open HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      /"version":"2.0".*"domainName":"other"/s,
    ],
    [
      'an absolute form without a path',
      'GET http://localhost HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 403 /,
    ],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 403 /],
    ['CONNECT', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', /^$/],
    [
      'an upgrade',
      'GET /open HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      /^HTTP\/1\.1 200 /,
    ],
    [
      'an unknown expectation',
      'GET /open HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 417 /,
    ],
    ['endless headers', `GET /open HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}`, /^HTTP\/1\.1 400 /],
    ['an endless path', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, /^HTTP\/1\.1 400 /],
    [
      'two lengths',
      'POST /open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'a malformed chunk',
      'POST /open HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      /^(HTTP\/1\.1 400 .*)?$/s,
    ],
    [
      'a client that disconnects within the body',
      'POST /open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nxxx',
      /^(HTTP\/1\.1 400 .*)?$/s,
    ],
    ['a slashed query', 'GET /open?/../?&=&%&a=?b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 200 /],
    ['dots in the path', 'GET /open/../../x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 403 /],
  ])('A request with %s is answered or disconnected, and the next one is served.', async (_, bytes, expected) => {
    expect(await raw(bytes)).toMatch(expected);
    expect((await service.send('/open')).status).toBe(200);
  });

  it('A client that expects 100-continue gets it.', async () => {
    const answer = await raw(
      'POST /open HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  it('A client that disconnects while its function runs does not affect others.', async () => {
    const controller = new AbortController();
    const gone = service.send('/behave', { method: 'POST', body: '{"does":"wait"}', signal: controller.signal });
    controller.abort();
    await expect(gone).rejects.toThrow();
    expect((await service.send('/open')).status).toBe(200);
  });

  it('Requests on one connection are answered in order.', async () => {
    const one = (path: string, close = false) =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${close ? 'Connection: close\r\n' : ''}\r\n`;
    const answer = await raw(one('/open') + one('/nowhere') + one('/open', true));
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual(['200', '403', '200']);
  });
});
