import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CfnResource } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import type { Functions } from '../../../local/functions/functions.ts';
import { httpApi } from '../../../local/gateway/http/http-api.ts';
import { loadTemplate } from '../../../local/template/template.ts';
import { rawRequest } from '../../support/http/raw-request.ts';
import { startFixture, synthFixture } from '../../support/laptop/local-fixture.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'local-test-'));
let service: Awaited<ReturnType<typeof startFixture>>;
beforeAll(async () => {
  service = await startFixture(synthFixture(folder));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const raw = (lines: readonly string[], body = '', port = service.port) => rawRequest(port, lines, body);
const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);
const eventOf = async (lines: readonly string[], body?: string) => JSON.parse(bodyOf(await raw(lines, body))).event;
const answering = (result: unknown) => raw([`GET /?${encodeURIComponent(JSON.stringify(result))} HTTP/1.1`, 'Host: go.example']);

describe('The event of payload format 2.0', () => {
  test('The event has every field that AWS documents.', async () => {
    const event = await eventOf(
      [
        'POST /a/b?x=1&y=2&x=%203+%zz HTTP/1.1',
        'Host: go.example:3000',
        'User-Agent: curl/8',
        'X-Two: 1',
        'X-TWO: 2',
        'Cookie: a=1; b=2',
        'Cookie: c=3,4',
        'X-Forwarded-For: 10.0.0.1',
        'X-Forwarded-Proto: gopher',
        'Content-Type: application/json',
        'Content-Length: 4',
      ],
      Buffer.from('"ö"').toString('latin1'),
    );
    expect(event).toEqual({
      version: '2.0',
      routeKey: '$default',
      rawPath: '/a/b',
      rawQueryString: 'x=1&y=2&x=%203+%zz',
      cookies: ['a=1', 'b=2', 'c=3,4'],
      headers: {
        host: 'go.example:3000',
        'user-agent': 'curl/8',
        'x-two': '1,2',
        connection: 'close',
        'content-length': '4',
        'content-type': 'application/json',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-[\da-f]{8}-[\da-f]{24}$/),
        'x-forwarded-for': '10.0.0.1, 127.0.0.1',
        'x-forwarded-port': '3000',
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { x: '1, 3 %zz', y: '2' },
      requestContext: {
        accountId: expect.any(String),
        apiId: expect.any(String),
        domainName: 'go.example',
        domainPrefix: 'go',
        http: { method: 'POST', path: '/a/b', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'curl/8' },
        requestId: expect.any(String),
        routeKey: '$default',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      body: '"ö"',
      isBase64Encoded: false,
    });
  });

  test('The event leaves out empty values.', async () => {
    const event = await eventOf(['GET / HTTP/1.1', 'Host: go.example']);
    expect(['cookies', 'queryStringParameters', 'pathParameters', 'stageVariables', 'body'].filter((it) => it in event)).toEqual(
      [],
    );
    expect([event.rawQueryString, event.isBase64Encoded, event.headers['content-length']]).toEqual(['', false, '0']);
  });

  test('The event has the request id that the response has.', async () => {
    const answer = await raw(['GET / HTTP/1.1', 'Host: go.example']);
    expect(answer).toContain(`apigw-requestid: ${JSON.parse(bodyOf(answer)).event.requestContext.requestId}\r\n`);
  });

  // The first nine were captured on AWS: https://github.com/hotsock/voker/blob/main/vokerhttp/testdata/ingress-paths.json
  it.each([
    ['/capture/plain', '/capture/plain'],
    ['/capture/space%20value', '/capture/space value'],
    ['/capture/question%3Fvalue', '/capture/question'],
    ['/capture/hash%23value', '/capture/hash#value'],
    ['/capture/slash%2Fvalue', '/capture/slash/value'],
    ['/capture/unicode-%CE%BB-%E4%B8%96%E7%95%8C', '/capture/unicode-λ-世界'],
    ['/capture/literal%252Fvalue', '/capture/literal/value'],
    ['/capture/literal%253Fvalue', '/capture/literal?value'],
    ['/capture/literal%2525value', '/capture/literal%value'],
    ['/%68ello+', '/hello+'],
    ['/a%0d%0ab%00', '/a\r\nb\0'],
  ])('The path %s is decoded twice, as on AWS.', async (path, rawPath) => {
    const event = await eventOf([`GET ${path}?a=%253F HTTP/1.1`, 'Host: go.example']);
    expect([event.rawPath, event.requestContext.http.path, event.rawQueryString]).toEqual([rawPath, rawPath, 'a=%253F']);
  });

  it.each([
    ['text/plain', false],
    ['application/json; charset=utf-8', false],
    ['APPLICATION/XML', false],
    ['application/problem+json', true],
    ['application/json-seq', true],
    ['application/x-www-form-urlencoded', true],
    ['image/png', true],
    ['', true],
  ])('A body of the type %j is in base64: %s.', async (type, isBase64Encoded) => {
    const event = await eventOf(['POST / HTTP/1.1', 'Host: go.example', `Content-Type: ${type}`, 'Content-Length: 3'], 'a=1');
    expect([event.isBase64Encoded, event.body]).toEqual([isBase64Encoded, isBase64Encoded ? 'YT0x' : 'a=1']);
  });
});

describe('The domain name of a request', () => {
  it.each([
    ['Host: Go.Example', 'Go.Example'],
    ['Host: go.example.', 'go.example.'],
    ['Host: go.example:', 'go.example'],
    ['Host: go.example:443', 'go.example'],
    ['Host: 192.0.2.1:3000', '192.0.2.1'],
    ['Host: [2001:db8::1]:3000', '[2001:db8::1]'],
  ])('The domain name of %j loses its port and nothing else.', async (line, domainName) => {
    expect((await eventOf(['GET / HTTP/1.1', line])).requestContext.domainName).toBe(domainName);
  });

  test('The domain name is that of the request target if it has one.', async () => {
    const event = await eventOf(['GET http://go.example:1/a?b HTTP/1.1', 'Host: localhost']);
    expect([event.requestContext.domainName, event.rawPath, event.rawQueryString]).toEqual(['go.example', '/a', 'b']);
  });
});

describe('A strange request', () => {
  const host = 'Host: go.example';
  const get = 'GET /a HTTP/1.1';
  it.each<[string, readonly string[], number]>([
    ['no host', [get], 400],
    ['an empty host', [get, 'Host:'], 400],
    ['two hosts', [get, host, 'Host: localhost'], 400],
    ['the same host twice', [get, host, host], 400],
    ['a host with a space', [get, 'Host: a b'], 400],
    ['a host with a slash', [get, 'Host: go.example/x'], 400],
    ['a host with a user', [get, 'Host: me@go.example'], 400],
    ['a host with an invalid port', [get, 'Host: go.example:x'], 400],
    ['a host with bytes that are not ASCII', [get, 'Host: g\xf6.example'], 400],
    ['a target with a user', ['GET http://me:secret@go.example/a HTTP/1.1', host], 400],
    ['a target and two hosts', ['GET http://go.example/a HTTP/1.1', host, host], 400],
    ['a target of another scheme', ['GET ftp://go.example/a HTTP/1.1', host], 400],
    ['a target that is not a path', ['OPTIONS * HTTP/1.1', host], 400],
    ['an invalid escape', ['GET /100% HTTP/1.1', host], 400],
    ['an invalid escape after the first decoding', ['GET /capture/percent%25done HTTP/1.1', host], 400],
    ['escapes that are not UTF-8', ['GET /%ff%fe HTTP/1.1', host], 400],
    ['overlong UTF-8', ['GET /%c0%af HTTP/1.1', host], 400],
    ['a surrogate', ['GET /%ed%a0%80 HTTP/1.1', host], 400],
    ['bytes that are not escaped', ['GET /caf\xc3\xa9 HTTP/1.1', host], 400],
    ['a path with a line feed', ['GET /a\nX-Made: yes HTTP/1.1', host], 400],
    ['a path with a carriage return', ['GET /a\rX-Made: yes HTTP/1.1', host], 400],
    ['HTTP/0.9 as its version', ['GET /a', host], 400],
    ['HTTP/2 as its version', ['GET /a HTTP/2.0', host], 400],
    ['a header without a name', [get, host, ': x'], 400],
    ['a header with a zero', [get, host, 'X-A: a\0b'], 400],
    ['a header with a bell', [get, host, 'X-A: a\x07b'], 400],
    ['a header with a carriage return', [get, host, 'X-A: a\rX-Made: yes'], 400],
    ['a folded header', [get, host, 'X-A: a', ' X-Made: yes'], 400],
    ['a header name with a space', [get, host, 'X A: a'], 400],
    [
      'a head that is too long for AWS',
      [get, host, ...Array.from({ length: 10 }, (_, i) => `X-${i}: ${'x'.repeat(1_030)}`)],
      431,
    ],
    ['a path that is too long for AWS', [`GET /${'x'.repeat(10_240)} HTTP/1.1`, host], 431],
    ['a head that is too long for Node', [get, host, `X-A: ${'x'.repeat(20_000)}`], 400],
    ['more than one length', ['POST /a HTTP/1.1', host, 'Content-Length: 1', 'Content-Length: 2'], 400],
    ['a body that is too large', ['POST /a HTTP/1.1', host, 'Content-Length: 10485761'], 413],
  ])('A request with %s is refused with 4xx, and injects no header.', async (_, lines, status) => {
    const answer = await raw(lines);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).not.toMatch(/x-made/i);
  });

  it.each<[string, readonly string[]]>([
    ['a path of 8 kB', [`GET /${'x'.repeat(8_192)} HTTP/1.1`, host]],
    ['the same header a hundred times', [get, host, ...Array.from({ length: 100 }, () => 'Accept: text/html')]],
    ['header names that mean something in JavaScript', [get, host, '__proto__: 1', 'constructor: 2']],
    ['bytes that are not UTF-8 in a header', [get, host, 'X-A: \xff\xfe']],
    ['an unknown method', ['PURGE /a HTTP/1.1', host]],
    ['HTTP/1.0 as its version', ['GET /a HTTP/1.0', host]],
  ])('A request with %s reaches the function.', async (_, lines) => {
    expect((await eventOf(lines)).version).toBe('2.0');
  });
});

describe('What a function returns', () => {
  test("A response has the function's status, headers, cookies and body.", async () => {
    const answer = await answering({
      statusCode: 201,
      headers: { 'X-Own': 'yes', 'Content-Type': 'text/x-own' },
      cookies: ['a=1', 'b=2; Path=/'],
      body: 'YWJj',
      isBase64Encoded: true,
    });
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer).toContain('x-own: yes');
    expect(answer).toContain('set-cookie: a=1\r\nset-cookie: b=2; Path=/\r\n');
    expect(bodyOf(answer)).toBe('abc');
  });

  test('A result without a status is a body of JSON.', async () => {
    const answer = await answering({ any: 'thing' });
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect([answer.includes('content-type: application/json'), bodyOf(answer)]).toEqual([true, '{"any":"thing"}']);
  });

  test("A function's response cannot set headers of the connection, and has a default content type.", async () => {
    const answer = await answering({
      statusCode: 200,
      headers: { 'Content-Length': '99', 'Transfer-Encoding': 'chunked' },
      body: 'abc',
    });
    expect(answer).toMatch(/^content-length: 3\r$/im);
    expect(answer).toMatch(/^content-type: text\/plain; charset=utf-8\r$/im);
    expect(bodyOf(answer)).toBe('abc');
  });

  it.each([
    ['an error', { does: 'throw' }],
    ['missing because its process ended', { does: 'exit' }],
    ['more than Lambda allows', { does: 'answer a lot', answer: 6 * 1024 * 1024 + 101 }],
    ['an invalid status', { statusCode: 99 }],
    ['a status of null', { statusCode: null }],
    ['headers that are not an object', { statusCode: 200, headers: 'x' }],
    ['a header with several values', { statusCode: 200, headers: { 'X-A': ['a', 'b'] } }],
    ['a header that is an object', { statusCode: 200, headers: { 'X-A': {} } }],
    ['a cookie that is not a string', { statusCode: 200, cookies: [1] }],
    ['cookies that are not a list', { statusCode: 200, cookies: 'a=1' }],
    ['a cookie with a line break', { statusCode: 200, cookies: ['a=1\r\nX-Made: yes'] }],
    ['a body that is not a string', { statusCode: 200, body: 1 }],
    ['a header that cannot be sent', { statusCode: 200, headers: { location: 'a\r\nb: c' } }],
  ])("A function's response that is %s becomes a 500.", async (_, result) => {
    const answer = await answering(result);
    expect(answer).toMatch(/^HTTP\/1\.1 500 /);
    expect(bodyOf(answer)).toBe('{"message":"Internal Server Error"}');
  });
});

test('A HEAD request has the headers of its response and no body.', async () => {
  const answer = await raw([
    `HEAD /?${encodeURIComponent('{"statusCode":302,"headers":{"Location":"https://example.org"}}')} HTTP/1.1`,
    'Host: go.example',
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 302 /);
  expect([answer.includes('location: https://example.org'), bodyOf(answer)]).toEqual([true, '']);
});

/** The fixture's template with a property of one of its resources changed. */
const changed = (type: string, property: string, value: unknown) =>
  synthFixture(temporaryFolder(), {
    change: ({ api }) => {
      const resources = api.node.findAll().filter((it) => CfnResource.isCfnResource(it) && it.cfnResourceType === type);
      for (const resource of resources) (resource as CfnResource).addPropertyOverride(property, value);
    },
  });

test('An integration that takes longer than its limit fails with 503.', async () => {
  const hasty = await startFixture(changed('AWS::ApiGatewayV2::Integration', 'TimeoutInMillis', 100));
  onTestFinished(hasty.stop);
  const answer = await raw([`GET /?{"does":"wait"} HTTP/1.1`, 'Host: go.example'], '', hasty.port);
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(bodyOf(answer)).toBe('{"message":"Service Unavailable"}');
});

describe('An HTTP API that the host does not support', () => {
  const functions = { arnOf: (which: string) => which } as Functions;

  it.each([
    ['AWS::ApiGatewayV2::Api', 'ProtocolType', 'WEBSOCKET'],
    ['AWS::ApiGatewayV2::Stage', 'StageName', 'v1'],
    ['AWS::ApiGatewayV2::Stage', 'AutoDeploy', false],
    ['AWS::ApiGatewayV2::Route', 'RouteKey', 'GET /a'],
    ['AWS::ApiGatewayV2::Route', 'AuthorizationType', 'AWS_IAM'],
    ['AWS::ApiGatewayV2::Route', 'Target', 'integrations/other'],
    ['AWS::ApiGatewayV2::Integration', 'IntegrationType', 'HTTP_PROXY'],
    ['AWS::ApiGatewayV2::Integration', 'PayloadFormatVersion', '1.0'],
    ['AWS::ApiGatewayV2::Integration', 'RequestParameters', { 'append:header.x-own': 'yes' }],
  ])('The host stops at an %s with %s %j.', (type, property, value) => {
    expect(() => httpApi(loadTemplate(changed(type, property, value)), functions)).toThrow('the local host does not support');
  });
});
