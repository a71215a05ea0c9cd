import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '../../../lambdas/http/endpoint.ts';
import * as field from '../../../lambdas/http/fields.ts';
import { reply } from '../../../lambdas/http/reply.ts';
import { ask, expectProblem } from '../../support/http/api-event.ts';

beforeEach(() => {
  vi.stubEnv('PERMISSION', 'things:write');
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  expect(console.error).not.toHaveBeenCalled();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const thing = z.strictObject({
  name: z.optional(field.title),
  password: z.optional(field.password),
  count: z.optional(field.maxClicks),
  list: z.optional(field.tagIds),
  flag: z.optional(z.boolean()),
  inner: z.optional(z.strictObject({ name: z.optional(z.string()) })),
});
const handler = endpoint({ body: thing }, async ({ body }) => reply(200, body));

const object = 'must be an object';
const unknown = (path: string) => ({ path, code: 'unknown_field', message: 'is not a field of this request' });
const wrongType = (path: string, message: string) => ({ path, code: 'invalid_type', message });
const deep = (open: string, close: string, core = '') => `${open.repeat(200_000)}${core}${close.repeat(200_000)}`;

test('An optional body may be absent, and nothing else may replace it.', async () => {
  const optional = endpoint({ body: thing, isBodyOptional: true }, async ({ body }) => reply(200, body));
  for (const body of [undefined, ''])
    for (const type of ['application/json', 'text/plain', undefined])
      expect(await ask(optional, { body, headers: { 'content-type': type === undefined ? [] : [type] } })).toMatchObject({
        status: 200,
        body: {},
      });
  expectProblem(await ask(optional, { body: ' ' }), { status: 400, code: 'invalid_json' });
  expect(await ask(optional, { body: 'null' })).toMatchObject({ status: 422 });
  const needed = endpoint({ body: z.strictObject({ name: field.title }), isBodyOptional: true }, async () => reply(204));
  expect(await ask(needed, { body: '' })).toMatchObject({ status: 422, body: { errors: [{ path: '/name', code: 'required' }] } });
});

describe('A body that is not JSON', () => {
  test.for([
    ['no body', undefined],
    ['nothing', ''],
    ['spaces', ' \n'],
    ['half an object', '{"name":'],
    ['two objects', '{}{}'],
    ['an extra comma', '{"name":"a",}'],
    ['single quotes', "{'name':'a'}"],
    ['a comment', '{}//'],
    ['NaN', '{"count":NaN}'],
    ['a hexadecimal number', '{"count":0x10}'],
    ['a number with zeros before it', '{"count":01}'],
    ['a raw line break in a text', '{"name":"a\nb"}'],
    ['a raw NUL', '\0'],
    ['a NUL behind it', '{}\0'],
    ['two byte order marks', '\ufeff\ufeff{}'],
    ['a byte order mark within', '{\ufeff}'],
    ['only a byte order mark', '\ufeff'],
    ['a form', 'name=a'],
    ['200,000 brackets that are never closed', '['.repeat(200_000)],
  ] as const)('gets 400: %s.', async ([, body]) => {
    expectProblem(await ask(handler, { body }), { status: 400, code: 'invalid_json' });
  });

  test.for([
    ['two byte order marks', '\ufeff\ufeff{}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['half a surrogate pair, encoded as if it were a character', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le')],
    ['nothing', ''],
  ] as const)('gets 400 if the gateway sends it as binary: %s.', async ([, bytes]) => {
    const body = Buffer.from(bytes as string).toString('base64');
    expectProblem(await ask(handler, { body, isBase64Encoded: true }), { status: 400, code: 'invalid_json' });
  });
});

describe('A body that is not UTF-8', () => {
  const latin1 = Buffer.from('{"name":"Café"}', 'latin1');

  test.for([
    ['as text, in which the gateway has replaced them', { body: latin1.toString() }],
    ['as text, in the name of a field', { body: '{"n\ufffdme":"a"}' }],
    ['as binary', { body: latin1.toString('base64'), isBase64Encoded: true }],
    ['as UTF-16', { body: Buffer.from('\ufeff{"name":"a"}', 'utf16le').toString() }],
  ] as const)('gets 400, which says so: %s.', async ([, sent]) => {
    const response = await ask(handler, sent);
    expectProblem(response, { status: 400, code: 'invalid_json' });
    expect(response.body.detail).toContain('not UTF-8');
  });

  test('does not include U+FFFD that is escaped, or sent as binary.', async () => {
    expect((await ask(handler, { body: '{"name":"\\ufffd"}' })).body).toEqual({ name: '\ufffd' });
    const body = Buffer.from('{"name":"\ufffd"}').toString('base64');
    expect((await ask(handler, { body, isBase64Encoded: true })).body).toEqual({ name: '\ufffd' });
  });
});

describe('A body that is JSON, and breaks a rule', () => {
  test.for([
    ['null', 'null', [wrongType('', object)]],
    ['a number', '1', [wrongType('', object)]],
    ['a text', '"a"', [wrongType('', object)]],
    ['a list', '[]', [wrongType('', object)]],
    ['a list of lists, 200,000 deep', deep('[', ']'), [wrongType('', object)]],
    ['objects, 200,000 deep', deep('{"inner":', '}', '1'), [unknown('/inner/inner')]],
    ['lists, 200,000 deep, for a text', `{"name":${deep('[', ']')}}`, [wrongType('/name', 'must be a string')]],
    ['objects, 200,000 deep, for a text', `{"name":${deep('{"a":', '}', '1')}}`, [wrongType('/name', 'must be a string')]],
    ['lists, 200,000 deep, for a list of texts', `{"list":${deep('[', ']')}}`, [wrongType('/list/0', 'must be a string')]],
    ['lists, 200,000 deep, for a number', `{"count":${deep('[', ']')}}`, [wrongType('/count', 'must be a number')]],
    ['lists, 200,000 deep, for an object', `{"inner":${deep('[', ']')}}`, [wrongType('/inner', object)]],
    ['lists, 200,000 deep, for an unknown field', `{"x":${deep('[', ']')}}`, [unknown('/x')]],
    ['__proto__', '{"__proto__":{"name":"a"}}', [unknown('/__proto__')]],
    ['__proto__ with null', '{"__proto__":null}', [unknown('/__proto__')]],
    ['__proto__ within', '{"inner":{"__proto__":{"polluted":1}}}', [unknown('/inner/__proto__')]],
    ['__proto__ within __proto__', '{"__proto__":{"__proto__":{"polluted":1}}}', [unknown('/__proto__')]],
    ['constructor', '{"constructor":{"prototype":{"polluted":1}}}', [unknown('/constructor')]],
    [
      'the name of an inherited property',
      '{"toString":1,"hasOwnProperty":1}',
      [unknown('/toString'), unknown('/hasOwnProperty')],
    ],
    ['a field without a name', '{"":1}', [unknown('/')]],
    ['a name with slashes and tildes', '{"a/b~c":1}', [unknown('/a~1b~0c')]],
    ['a name that is half a surrogate pair', '{"\\udfff":1}', [unknown('/\ufffd')]],
    ['a name in other case', '{"Name":"a"}', [unknown('/Name')]],
    ['an unknown field twice', '{"x":1,"x":2}', [unknown('/x')]],
    [
      'an integer beyond 2^53',
      '{"count":9007199254740993}',
      [{ path: '/count', code: 'too_large', message: 'must be at most 9007199254740991' }],
    ],
    ['a number beyond the range of numbers', '{"count":1e400}', [wrongType('/count', 'must be a number')]],
    ['a number below the range of numbers', '{"count":-1e400}', [wrongType('/count', 'must be a number')]],
    ['minus zero', '{"count":-0}', [{ path: '/count', code: 'too_small', message: 'must be at least 1' }]],
    ['a fraction', '{"count":1.5}', [wrongType('/count', 'must be a whole number')]],
    ['a number next to zero', '{"count":1e-400}', [{ path: '/count', code: 'too_small', message: 'must be at least 1' }]],
    [
      'half a surrogate pair',
      '{"name":"\\ud800"}',
      [{ path: '/name', code: 'invalid_text', message: 'must be valid Unicode without NUL characters' }],
    ],
    [
      'NUL',
      '{"name":"a\\u0000"}',
      [{ path: '/name', code: 'invalid_text', message: 'must be valid Unicode without NUL characters' }],
    ],
    [
      'a text of 1 MB',
      JSON.stringify({ name: 'x'.repeat(1_000_000) }),
      [{ path: '/name', code: 'too_long', message: 'must have at most 256 characters' }],
    ],
    [
      'null for a field that cannot be null',
      '{"flag":null}',
      [{ path: '/flag', code: 'null_not_allowed', message: 'must not be null' }],
    ],
    ['null within a list', '{"list":["a",null]}', [{ path: '/list/1', code: 'null_not_allowed', message: 'must not be null' }]],
    [
      'a list of a million',
      `{"list":[${'1,'.repeat(1_000_000)}1]}`,
      [{ path: '/list', code: 'too_many', message: 'must have at most 20 entries' }],
    ],
    [
      'several things at once',
      '{"flag":1,"name":2,"x":3}',
      [wrongType('/name', 'must be a string'), wrongType('/flag', 'must be true or false'), unknown('/x')],
    ],
  ] as const)('gets 422 with the path of the error: %s.', async ([, body, errors]) => {
    expectProblem(await ask(handler, { body }), { status: 422, code: 'validation_failed', errors });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test.for([
    ['100,000 unknown fields', `{${Array.from({ length: 100_000 }, (_, index) => `"f${index}":1`).join()}}`, 20],
    ['an unknown field with a name of 1 MB', JSON.stringify({ ['/'.repeat(1_000_000)]: 1 }), 1],
    [
      'a thousand names of 1 kB that are all control characters',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => ['\u0001'.repeat(1000 + index), 1]))),
      20,
    ],
    ['a text of 1 MB for a number', JSON.stringify({ count: 'x'.repeat(1_000_000) }), 1],
    ['a text of 1 MB as a whole', JSON.stringify('x'.repeat(1_000_000)), 1],
  ] as const)('gets a small response: %s.', async ([, body, errors]) => {
    const response = await ask(handler, { body });
    expect(response).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(response.body.errors).toHaveLength(errors);
    expect(response.text.length).toBeLessThan(32_000);
  });
});

test.for([
  ['an empty object', '{}', {}],
  ['the last of two fields of the same name', '{"name":"a","name":"b"}', { name: 'b' }],
  ['an integer written as a fraction, with an exponent', '{"count":10.0e1}', { count: 100 }],
  ['the largest integer', '{"count":9007199254740991}', { count: 9007199254740991 }],
  ['escapes, and a whole surrogate pair', '{"n\\u0061me":"\\ud83d\\ude00\\n"}', { name: '😀\n' }],
  ['space around it', ' \r\n\t{} ', {}],
  ['a byte order mark before it, which is dropped', '\ufeff{"name":"a"}', { name: 'a' }],
  ['a byte order mark in a text, which stays', '{"name":"a\ufeffb"}', { name: 'a\ufeffb' }],
] as const)('JSON is read as its standard says: %s.', async ([, body, read]) => {
  expect(await ask(handler, { body })).toMatchObject({ status: 200 });
  expect((await ask(handler, { body })).body).toEqual(read);
  expect((await ask(handler, { body: Buffer.from(body).toString('base64'), isBase64Encoded: true })).body).toEqual(read);
});

test.for([1, true, ['top-secret'], { a: 'top-secret' }, '', 'top-secret'.repeat(20), 'top-secret\ud800'])(
  'A refused password is not quoted: %j.',
  async (password) => {
    const response = await ask(handler, { body: { password } });
    expect(response.body.errors).toMatchObject([{ path: '/password' }]);
    expect(response.text).not.toContain('top-secret');
  },
);

describe('The content type', () => {
  const types = 'application/json, application/merge-patch+json';
  const accepted = (value: string) => ({ 'Content-Type': value });

  test.for([
    ['POST', accepted('application/json')],
    ['POST', accepted('application/json; charset=utf-8')],
    ['POST', accepted('APPLICATION/JSON;CHARSET="utf-8"')],
    ['POST', accepted(' application/json ')],
    ['POST', { 'content-type': 'application/json' }],
    ['POST', { 'CONTENT-TYPE': 'application/json' }],
    ['POST', accepted('application/json;charset=UTF8')],
    ['POST', accepted('application/json; charset=us-ascii')],
    ['POST', accepted('application/json; profile="x"; charset=utf-8')],
    ['PATCH', accepted('application/json')],
    ['PATCH', accepted('application/merge-patch+json')],
    ['PATCH', accepted('Application/Merge-Patch+JSON; charset=utf-8')],
  ] as const)('A %s with %j is accepted.', async ([method, headers]) => {
    expect(await ask(handler, { method, headers, body: '{}' })).toMatchObject({ status: 200 });
  });

  test.for([
    ['POST', {}],
    ['PATCH', {}],
    ['POST', accepted('')],
    ['POST', accepted('text/plain')],
    ['POST', accepted('application/x-www-form-urlencoded')],
    ['POST', accepted('multipart/form-data; boundary=application/json')],
    ['POST', accepted('application/merge-patch+json')],
    ['POST', accepted('application/json-patch+json')],
    ['PATCH', accepted('application/json-patch+json')],
    ['POST', accepted('application/jsonp')],
    ['POST', accepted('text/plain; application/json')],
    ['POST', accepted('application/json, text/plain')],
    ['POST', accepted(';')],
    ['POST', accepted('constructor')],
  ] as const)('A %s with %j gets 415.', async ([method, headers]) => {
    const response = await ask(handler, { method, headers, body: '{}' });
    expectProblem(response, { status: 415, code: 'unsupported_media_type', headers: { 'Accept-Patch': types } });
    expect(response.body.detail).toContain('application/json');
    expect(response.body.detail.includes('merge-patch')).toBe(method === 'PATCH');
  });

  test.for([
    'iso-8859-1',
    'ISO-8859-1',
    '"windows-1252"',
    'utf-16',
    'UTF-16LE',
    'shift_jis',
    'utf-8; charset=iso-8859-1',
    '',
    'constructor',
  ])('A charset other than UTF-8 gets 415: %s.', async (charset) => {
    for (const method of ['POST', 'PATCH']) {
      const response = await ask(handler, { method, headers: accepted(`application/json; charset=${charset}`), body: '{}' });
      expectProblem(response, { status: 415, code: 'unsupported_media_type', headers: { 'Accept-Patch': types } });
      expect(response.body.detail).toContain('utf-8');
    }
  });

  test.for([
    ['the same one', { 'Content-Type': ['application/json', 'application/json'] }],
    ['another one', { 'Content-Type': ['text/plain', 'application/json'] }],
    ['a header in other case', { 'Content-Type': 'application/json', 'content-type': 'application/json' }],
  ] as const)('A content type that is sent twice is refused: %s.', async ([, headers]) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
    );
    expectProblem(await ask(handler, { headers: sent, body: '{}' }), { status: 400, code: 'bad_request' });
  });
});
