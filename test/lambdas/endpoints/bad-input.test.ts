import { request } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { someOf } from '../../support/run/proof.ts';
import { type Answer, expectProblem, type Service, useService, type Workspace } from '../../support/service/service.ts';

let service: Service;
let workspace: Workspace;
let linkId: string;
let tagId: string;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
  linkId = (await workspace.importLinks([{ url: 'https://example.org/' }])).body.links[0].id;
  tagId = await workspace.newTag('There');
});

const utf8 = (...bytes: number[]) => new Uint8Array(bytes);

const deep = (open: string, close: string) => `${open.repeat(200_000)}${close.repeat(200_000)}`;

/** Bodies that no client should send, with the status of operations that read a body. */
const bodies: [string, string | Uint8Array, number][] = [
  ['nothing', '', 400],
  ['blanks', '  ', 400],
  ['unfinished JSON', '{"name":', 400],
  ['two documents', '{}{}', 400],
  ['two byte order marks', '\ufeff\ufeff{}', 400],
  ['invalid UTF-8', utf8(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d), 400],
  ['NUL bytes', utf8(0, 0, 0), 400],
  ['null', 'null', 422],
  ['a number', '1', 422],
  ['a string', '"x"', 422],
  ['a list', '[]', 422],
  ['200,000 nested lists', deep('[', ']'), 422],
  ['200,000 nested objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, 422],
  ['200,000 nested lists in a field', `{"name":${deep('[', ']')}}`, 422],
  ['__proto__', '{"__proto__":{"name":"x"}}', 422],
  ['constructor', '{"constructor":{"prototype":{}}}', 422],
  ['duplicate keys', '{"nope":1,"nope":2}', 422],
  ['a number beyond 2^53', '{"maxClicks":9007199254740993,"name":9007199254740993}', 422],
  ['a number beyond the largest one', '{"maxClicks":1e999,"name":1e999}', 422],
  ['a lone surrogate', '{"title":"\\ud800","name":"\\ud800"}', 422],
  ['NUL', '{"title":"a\\u0000","name":"a\\u0000"}', 422],
  ['a lone surrogate as a name', '{"\\udfff":1}', 422],
  ['100,000 unknown fields', `{${Array.from({ length: 100_000 }, (_, index) => `"f${index}":1`).join()}}`, 422],
  ['a field with a name of 1 MB', `{"${'x'.repeat(1_000_000)}":1}`, 422],
  ['a string of 5 MB', `{"title":"${'x'.repeat(5_000_000)}","name":"${'x'.repeat(5_000_000 / 10)}"}`, 422],
];

const writing: [string, string, () => string][] = [
  ['PATCH', 'update-link', () => `/links/${linkId}`],
  ['POST', 'create-tag', () => '/tags'],
  ['PATCH', 'update-tag', () => `/tags/${tagId}`],
  ['POST', 'create-template', () => '/templates'],
];

const sent = bodies.flatMap(([what, body, status]) =>
  someOf(writing, what).map(([method, name, path]) => [what, name, { method, path, body, status }] as const),
);
test.for(sent)(
  'A body of %s gets a problem document from %s, and changes nothing.',
  async ([, , { method, path, body, status }]) => {
    const before = [
      await workspace.call('GET', '/tags'),
      await workspace.call('GET', '/templates'),
      await workspace.call('PATCH', `/links/${linkId}`, {}),
    ];
    const answer = await workspace.call(method, path(), body);
    expectProblem(answer, status, status === 400 ? 'invalid_json' : 'validation_failed');
    expect(answer.text.length).toBeLessThan(10_000);
    const after = [
      await workspace.call('GET', '/tags'),
      await workspace.call('GET', '/templates'),
      await workspace.call('PATCH', `/links/${linkId}`, {}),
    ];
    expect(after.map((one) => one.body)).toEqual(before.map((one) => one.body));
  },
);

test.for([
  ['bulk-create-links', 'POST'],
  ['bulk-update-links', 'PATCH'],
  ['bulk-delete-links', 'DELETE'],
] as const)('Each of these bodies gets a problem document from %s.', async ([, method]) => {
  for (const [what, body, status] of someOf(bodies, method, 8)) {
    const { call } = await service.newWorkspace();
    const answer = await call(method, '/links/bulk', body);
    expect([what, answer.status]).toEqual([what, status]);
    expectProblem(answer, status, status === 400 ? 'invalid_json' : 'validation_failed');
    expect(answer.text.length).toBeLessThan(10_000);
  }
});

test('In an import, only links with such values fail, and the rest are created.', async () => {
  const { importLinks } = await service.newWorkspace();
  const good = { url: 'https://example.org/' };
  const links = JSON.stringify([good])
    .slice(1, -1)
    .concat(
      `,{"url":"https://example.org/\\ud800"},{"url":"https://example.org/\\u0000"},{"__proto__":{"url":"https://example.org/"}}`,
      `,${'['.repeat(1000)}${']'.repeat(1000)},{"url":"https://example.org/","title":"\\udc00"},9007199254740993`,
      `,{"url":"https://example.org/","customSlug":"\u212Aelvin"},{"url":"https://example.org/","customSlug":"a\\u0000"}`,
    );
  const { status, body } = await importLinks(JSON.parse(`[${links}]`));
  expect(status).toBe(200);
  expect(body.created).toBe(1);
  expect(body.failed.map(({ index }: { index: number }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

describe('malformed HTTP', () => {
  test.for([
    ['a line of nonsense', 'nonsense\r\n\r\n'],
    ['a request without a host', 'GET /api/v1/tags HTTP/1.1\r\n\r\n'],
    ['a length that is not a number', 'POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n'],
    ['two lengths', 'POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'length and chunks',
      'POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['a header of 20 kB', `GET /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a NUL in a header', 'GET /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nX: \0\r\n\r\n'],
    ['an unknown method', 'BREW /api/v1/tags HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ] as const)('Malformed HTTP gets 400, and the service still works: %s.', async ([, sent]) => {
    const answer = await sendBytes(sent);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/content-type: application\/problem\+json/i);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: 400, code: 'bad_request' });
    expect((await workspace.call('GET', '/tags')).status).toBe(200);
  });
});

test.for([
  ['..', 404],
  ['.', 404],
  ['%2e%2E', 404],
  ['..%2f', 404],
  ['../aliases', 404],
  ['', 422],
] as const)(
  'A path with a dot segment or an empty part is not normalised, and changes no link: aliases/%s.',
  async ([slug, status]) => {
    const line = `DELETE /api/v1/links/${linkId}/aliases/${slug} HTTP/1.1`;
    const answer = await sendBytes(
      `${line}\r\nHost: localhost\r\nAuthorization: Bearer ${workspace.key}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.split(' ', 2)[1]).toBe(String(status));
    expect((await workspace.call('GET', `/links/${linkId}`)).status).toBe(200);
  },
);

test('An import whose connection breaks does not count against the limit.', async () => {
  const { key, importLinks } = await service.newWorkspace();
  const head = `POST /api/v1/links/bulk HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  for (let times = 0; times < 4; times++) await sendBytes(`${head}Content-Length: 1000\r\n\r\n{"domain":`, 'break off');
  expect((await importLinks([{ url: 'https://example.org/' }])).status).toBe(200);
});

describe('Requests that the gateway refuses', () => {
  test.for([
    ['an unknown route', 'GET', '/api/v1/nothing'],
    ['another version', 'GET', '/api/v2/tags'],
    ['a method that the root does not have', 'PUT', '/'],
    ['a method that a route does not have', 'PUT', '/api/v1/tags'],
    ['a method that no route has', 'PUT', '/api/v1/links/bulk'],
    ['a method that only the route with an id has', 'GET', '/api/v1/links/bulk'],
    ['a slash too many', 'GET', '/api/v1//tags'],
    ['an encoded NUL', 'GET', '/api/v1/%00'],
    ['a broken escape', 'GET', '/api/v1/%ff%'],
  ] as const)('The gateway answers %s with a problem document.', async ([, method, path]) => {
    expectProblem(await service.send(method, path, { key: workspace.key }), 404, 'not_found');
    expectProblem(await service.send(method, path), 404, 'not_found');
  });

  test('A body of more than 6 MB gets a problem document.', async () => {
    const answer = await workspace.call('POST', '/tags', `{"name":"${'x'.repeat(6_400_000)}"}`);
    expectProblem(answer, 413, 'request_too_large');
  });
});

test.for([
  ['no type', undefined],
  ['text', 'text/plain'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['JSON with a prefix', 'xapplication/json'],
  ['merge-patch on POST', 'application/merge-patch+json'],
] as const)('A body of this type is refused with 415: %s.', async ([, type]) => {
  const answer = await sendRaw(
    'POST',
    '/api/v1/tags',
    type === undefined ? {} : { 'Content-Type': type },
    '{"name":"x","color":"#000000"}',
  );
  expect(answer.status).toBe(415);
  expect(JSON.parse(answer.text).code).toBe('unsupported_media_type');
});

test.for(['/tags', '/tags/tag_x'])('An unknown query parameter on %s is refused by name.', async (path) => {
  for (const query of ['tagId=tag_x', 'a=1&a=2', '%ff=%00', '__proto__=1', `${'x'.repeat(2000)}=1`]) {
    const answer = await workspace.call('GET', `${path}?${query}`);
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors[0].code).toBe('unknown_parameter');
  }
});

test('No request above caused an internal error.', () => {
  expect(service.logged().filter((line) => line.includes('unexpected error'))).toEqual([]);
});

/** Sends bytes as they are, and returns the whole response once the connection is closed. */
function sendBytes(bytes: string, breakOff?: 'break off'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    let read = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      read += chunk;
    });
    socket.on('close', () => resolve(read)).on('error', reject);
    socket.write(bytes, () => breakOff && socket.destroy());
  });
}

/** Sends exactly these headers: `fetch` would add a Content-Type. */
function sendRaw(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<Pick<Answer, 'status' | 'text'>> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${service.baseUrl}${path}`,
      { method, headers: { Authorization: `Bearer ${workspace.key}`, ...headers } },
      (response) => {
        let read = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          read += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: read }));
      },
    );
    sent.on('error', reject).end(body);
  });
}
