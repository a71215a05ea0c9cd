import { beforeAll, describe, expect, test, vi } from 'vitest';
import type * as z from 'zod/mini';
import * as fields from '../../../lambdas/http/fields.ts';
import * as routing from '../../../lambdas/http/routing.ts';
import { check } from '../../../lambdas/http/validation.ts';
import { ask, expectProblem, type Sent } from '../../support/http/api-event.ts';

const schemas: Record<string, z.core.$ZodType | undefined> = fields;
const url = 'https://example.org/';
/** A value as a title shows it. */
const shown = (value: unknown) => Array.from(JSON.stringify(value)).slice(0, 40).join('');
const tagIds = Array.from({ length: 20 }, (_, index) => `tag_${index}`);

describe('valid fields', () => {
  test.for(
    [
      ['destination', 'HTTPS://Example.org', url],
      ['slug', 'My-Slug_1', 'My-Slug_1'],
      ['title', '', ''],
      ['title', '😀'.repeat(256), '😀'.repeat(256)],
      ['description', ' two\nlines ', ' two\nlines '],
      ['description', 'é'.repeat(1024), 'é'.repeat(1024)],
      ['notes', ' two\nlines ', ' two\nlines '],
      ['notes', '😀'.repeat(1000), '😀'.repeat(1000)],
      ['image', 'http://Example.org/ä.png', 'http://example.org/%C3%A4.png'],
      ['image', url.padEnd(2048, 'a'), url.padEnd(2048, 'a')],
      ['redirectType', 'PERMANENT_301', 'PERMANENT_301'],
      ['redirectType', 'TEMPORARY_302', 'TEMPORARY_302'],
      ['password', ' ', ' '],
      ['password', '😀'.repeat(128), '😀'.repeat(128)],
      ['timestamp', '2030-01-01T00:00+01:00', '2029-12-31T23:00:00.000Z'],
      ['timestamp', '1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
      ['startsAt', '2030-01-01T00:00+01:00', '2029-12-31T23:00:00.000Z'],
      ['expiredUrl', 'HTTPS://Example.org', url],
      ['externalId', 'Page:4711._~-', 'Page:4711._~-'],
      ['maxClicks', 1, 1],
      ['maxClicks', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
      ['tagIds', [], []],
      ['tagIds', ['b', 'a', 'b', 'c', 'a'], ['b', 'a', 'c']],
      ['tagIds', tagIds, tagIds],
      ['metaPixelId', '0123456789', '0123456789'],
      ['metaPixelId', '1'.repeat(32), '1'.repeat(32)],
      ['googleTagId', 'G-ABC123', 'G-ABC123'],
      ['googleTagId', `G-${'A'.repeat(32)}`, `G-${'A'.repeat(32)}`],
      ['webhookUrls', 'https://a.example.org , https://b.example.org/x', 'https://a.example.org/,https://b.example.org/x'],
      ['tagName', ' E\u0301te\u0301 ', 'Été'],
      ['color', '#ABCDEF', '#abcdef'],
    ].map((row) => [row[0], shown(row[1]), shown(row[2]), ...row.slice(1)] as [string, string, string, unknown, unknown]),
  )('The %s %s is stored as %s.', ([name, , , sent, stored]) => {
    expect(check(schemas[name] as z.core.$ZodType, sent)).toEqual({ value: stored });
  });
});

/** A value of each field that has a URL, with that URL. */
const withUrl = {
  destination: (text: string) => text,
  expiredUrl: (text: string) => text,
  fallbackUrl: (text: string) => text,
  image: (text: string) => text,
  logoUrl: (text: string) => text,
  pageUrl: (text: string) => text,
  webhookUrl: (text: string) => text,
  webhookUrls: (text: string) => `https://hooks.example.org/,${text}`,
  rules: (text: string) => [{ if: { os: ['ios'] }, url: text }],
  variants: (text: string) => [
    { id: 'a', url, weight: 1 },
    { id: 'b', url: text, weight: 1 },
  ],
};

test.for(Object.entries(withUrl))(
  'The destination of a link has at most 8,000 characters, other URLs 2,048: %s.',
  ([name, sent]) => {
    const schema = { ...schemas, ...routing }[name] as z.core.$ZodType;
    const most = ['destination', 'pageUrl'].includes(name) ? 8_000 : 2_048;
    expect(check(schema, sent(url.padEnd(most, 'a'))).errors).toBeUndefined();
    expect(check(schema, sent(url.padEnd(most + 1, 'a'))).errors).toMatchObject([{ code: expect.stringMatching(/_too_long$/) }]);
  },
);

describe('invisible characters', () => {
  test.for(Object.entries(withUrl))('An invisible character in a URL is refused and named: %s.', ([name, sent]) => {
    const schema = { ...schemas, ...routing }[name] as z.core.$ZodType;
    expect(check(schema, sent(`${url}a`)).errors).toBeUndefined();
    for (const [character, code] of [
      ['\u200b', 'U+200B'],
      ['\u202e', 'U+202E'],
      ['\u200d', 'U+200D'],
      ['\ufffd', 'U+FFFD'],
    ] as const)
      expect(check(schema, sent(`${url}a${character}b`)).errors).toMatchObject([
        { code: expect.stringMatching(/_invalid$/), message: expect.stringContaining(code) },
      ]);
  });
});

const texts = [
  'title',
  'description',
  'image',
  'notes',
  'password',
  'startsAt',
  'expiresAt',
  'expiredUrl',
  'externalId',
  'managedBy',
  'metaPixelId',
  'googleTagId',
  'webhookUrls',
];
const flags = [
  'isActive',
  'isArchived',
  'cloaked',
  'forwardParameters',
  'forwardPath',
  'hideReferrer',
  'blockBots',
  'confirmVisit',
];
const clearable = [...texts, 'maxClicks'];
const required = ['url', 'redirectType', 'tagIds', 'rules', 'variants', ...flags];

const good: Record<string, unknown> = {
  url,
  title: 'a',
  description: 'a',
  image: url,
  notes: 'a',
  redirectType: 'PERMANENT_301',
  ...Object.fromEntries(flags.map((flag) => [flag, false])),
  password: 'a',
  startsAt: '2029-01-01T00:00:00Z',
  expiresAt: '2030-01-01T00:00:00Z',
  expiredUrl: url,
  rules: [{ if: { device: ['mobile'] }, url }],
  variants: [
    { id: 'a', url, weight: 1 },
    { id: 'b', url, weight: 1 },
  ],
  maxClicks: 1,
  tagIds: ['tag_a'],
  externalId: 'a',
  managedBy: 'a@go.example.com',
  metaPixelId: '1',
  googleTagId: 'G-1',
  webhookUrls: url,
};

/** One value of each type of JSON. */
const values: Record<string, unknown> = { text: 'x', number: 7.5, flag: true, list: [], object: {}, 'list of one': ['x'] };

describe('An update of a link', () => {
  let update: (sent: Sent) => ReturnType<typeof ask>;
  beforeAll(async () => {
    vi.stubEnv('PERMISSION', 'links:write');
    vi.stubEnv('TABLE_NAME', 'none');
    vi.stubEnv('SHORT_URL_ORIGIN', 'https://{domain}');
    vi.stubEnv('AWS_REGION', 'local-1');
    const { handler } = await import('../../../lambdas/endpoints/links/update-link.ts');
    // An invalid id is not looked up: an update that passes its checks gets 404 without a table.
    update = (sent) => ask(handler, { method: 'PATCH', id: 'none', permissions: 'links:write', ...sent });
    return () => vi.unstubAllEnvs();
  });

  const accepted = { status: 404, code: 'not_found' };
  const refused = (path: string, code: string) => ({
    status: 422,
    code: 'validation_failed',
    errors: [{ path, code, message: expect.stringMatching(/^[a-z"].*[^.]$/) }],
  });

  test('An update may have no fields.', async () => {
    expectProblem(await update({ body: {} }), accepted);
  });

  test.for(Object.keys(good))('An update may have only %s.', async (field) => {
    expectProblem(await update({ body: { [field]: good[field] } }), accepted);
  });

  test('An update may have all fields, also as a merge patch.', async () => {
    expectProblem(await update({ body: good, headers: { 'Content-Type': 'application/merge-patch+json' } }), accepted);
  });

  test.for(clearable)('An update may clear %s with null.', async (field) => {
    expectProblem(await update({ body: { [field]: null } }), accepted);
  });

  test.for(required)('An update may not clear %s with null.', async (field) => {
    expectProblem(await update({ body: { [field]: null } }), refused(`/${field}`, 'null_not_allowed'));
  });

  test.for(
    Object.keys(good).flatMap((field) => {
      const own = flags.includes(field)
        ? ['flag']
        : ['tagIds', 'rules', 'variants'].includes(field)
          ? ['list', 'list of one']
          : field === 'maxClicks'
            ? ['number']
            : ['text'];
      return Object.keys(values)
        .filter((type) => !own.includes(type))
        .map((type) => [field, type] as const);
    }),
  )('An update of %s with a value of another type is refused: %s.', async ([field, type]) => {
    const code = field === 'redirectType' ? 'invalid_value' : 'invalid_type';
    expectProblem(await update({ body: { [field]: values[type] } }), refused(`/${field}`, code));
  });

  test.for(
    [
      ['url', 'nonsense', '', 'destination_invalid'],
      ['url', '', '', 'destination_invalid'],
      ['url', 'https://example.org/\0', '', 'destination_invalid'],
      ['url', 'https://example.org/\ud800', '', 'destination_invalid'],
      ['url', 'https://example.org/a b', '', 'destination_invalid'],
      ['url', 'javascript:alert(1)', '', 'destination_scheme'],
      ['url', 'https://me:pw@example.org/', '', 'destination_credentials'],
      ['url', 'http://[::ffff:10.0.0.1]/', '', 'destination_private'],
      ['url', url.padEnd(8001, 'a'), '', 'destination_too_long'],
      ['title', '😀'.repeat(257), '', 'too_long'],
      ['title', 'a\0', '', 'invalid_text'],
      ['title', '\ud800', '', 'invalid_text'],
      ['description', 'a'.repeat(1025), '', 'too_long'],
      ['description', '\udfff', '', 'invalid_text'],
      ['notes', 'a'.repeat(1001), '', 'too_long'],
      ['notes', '\0', '', 'invalid_text'],
      ['image', '', '', 'image_invalid'],
      ['image', 'i.png', '', 'image_invalid'],
      ['image', 'data:image/png;base64,AAAA', '', 'image_scheme'],
      ['image', 'https://me@example.org/', '', 'image_credentials'],
      ['image', url.padEnd(2049, 'a'), '', 'image_too_long'],
      ['redirectType', '', '', 'invalid_value'],
      ['redirectType', 'permanent_301', '', 'invalid_value'],
      ['redirectType', 'constructor', '', 'invalid_value'],
      ['password', '', '', 'too_short'],
      ['password', 'a'.repeat(129), '', 'too_long'],
      ['password', 'a\0', '', 'invalid_text'],
      ['password', '\ud800', '', 'invalid_text'],
      ['expiresAt', '', '', 'invalid_timestamp'],
      ['expiresAt', '2030-01-01', '', 'invalid_timestamp'],
      ['expiresAt', '2030-01-01T00:00:00', '', 'invalid_timestamp'],
      ['expiresAt', '2030-02-29T00:00:00Z', '', 'invalid_timestamp'],
      ['startsAt', '2030-01-01', '', 'invalid_timestamp'],
      ['expiredUrl', 'javascript:alert(1)', '', 'destination_scheme'],
      ['expiredUrl', 'http://10.0.0.1/', '', 'destination_private'],
      ['rules', Array(21).fill({ if: { device: ['mobile'] }, url }), '', 'too_many'],
      ['rules', [{ if: {}, url }], '/0/if', 'too_few'],
      ['rules', [{ url }], '/0/if', 'required'],
      ['rules', [{ if: { device: ['mobile'] } }], '/0/url', 'required'],
      ['rules', [{ if: { device: ['mobile'] }, url, id: 'a' }], '/0/id', 'unknown_field'],
      ['rules', [{ if: { device: ['mobile'] }, url: 'http://10.0.0.1/' }], '/0/url', 'destination_private'],
      ['rules', [{ if: { os: ['ios'], city: ['Wien'] }, url }], '/0/if/city', 'unknown_field'],
      ['rules', [{ if: { device: [] }, url }], '/0/if/device', 'too_few'],
      ['rules', [{ if: { device: ['tablet'] }, url }], '/0/if/device/0', 'invalid_value'],
      ['rules', [{ if: { device: 'mobile' }, url }], '/0/if/device', 'invalid_type'],
      ['rules', [{ if: { device: null }, url }], '/0/if/device', 'null_not_allowed'],
      ['rules', [{ if: { os: ['symbian'] }, url }], '/0/if/os/0', 'invalid_value'],
      ['rules', [{ if: { os: ['ios'], country: ['AT'] }, url }], '/0/if/country', 'countries_unknown'],
      ['rules', [{ if: { country: ['XX'] }, url }], '/0/if/country/0', 'unknown_country'],
      ['rules', [{ if: { country: [] }, url }], '/0/if/country', 'too_few'],
      ['rules', [{ if: { language: ['*'] }, url }], '/0/if/language/0', 'unknown_language'],
      ['rules', [{ if: { language: [] }, url }], '/0/if/language', 'too_few'],
      ['rules', [{ if: { after: '2030-01-01' }, url }], '/0/if/after', 'invalid_timestamp'],
      ['rules', [{ if: { after: '2030-01-01T00:00Z', before: '2030-01-01T01:00+01:00' }, url }], '/0/if/before', 'out_of_range'],
      ['rules', [{ if: { query: {} }, url }], '/0/if/query', 'too_few'],
      ['rules', [{ if: { query: { a: ['1'] } }, url }], '/0/if/query/a', 'invalid_type'],
      ['rules', [{ if: { query: { a: 'x'.repeat(257) } }, url }], '/0/if/query/a', 'too_long'],
      ['rules', [{ if: { query: { '': 'x' } }, url }], '/0/if/query/', 'invalid_parameter'],
      // zod fails if it collects an error for each of so many values.
      ['rules', [{ if: { country: Array(500_000).fill(1) }, url }], '/0/if/country', 'too_many'],
      [
        'rules',
        [{ if: { query: Object.fromEntries(Array.from({ length: 250_000 }, (_, position) => [position, 1])) }, url }],
        '/0/if/query',
        'too_many',
      ],
      // An own property, as JSON.parse makes it.
      ['rules', [{ if: { query: JSON.parse('{"a":"1","__proto__":"x"}') }, url }], '/0/if/query/__proto__', 'invalid_parameter'],
      [
        'rules',
        [{ if: { query: Object.fromEntries(Array.from({ length: 11 }, (_, position) => [`p${position}`, ''])) }, url }],
        '/0/if/query',
        'too_many',
      ],
      ['variants', [{ id: 'a', url, weight: 1 }], '', 'too_few'],
      ['variants', Array.from({ length: 11 }, (_, position) => ({ id: `v${position}`, url, weight: 1 })), '', 'too_many'],
      // A list that is too long is not checked for duplicates.
      ['variants', Array(100_000).fill({ id: 'a', url, weight: 0 }), '', 'too_many'],
      ['variants', ['a', 'b'].map((id) => ({ id, url, weight: 0 })), '', 'no_weight'],
      ['variants', ['a', 'a'].map((id) => ({ id, url, weight: 1 })), '/1/id', 'duplicate'],
      ['variants', ['a', 'B'].map((id) => ({ id, url, weight: 1 })), '/1/id', 'invalid_format'],
      ['variants', ['a', 'none'].map((id) => ({ id, url, weight: 1 })), '/1/id', 'reserved'],
      ['variants', ['a', 'b'].map((id) => ({ id, url, weight: id === 'b' ? 1001 : 1 })), '/1/weight', 'too_large'],
      ['variants', ['a', 'b'].map((id) => ({ id, url, weight: id === 'b' ? 0.5 : 1 })), '/1/weight', 'invalid_type'],
      [
        'variants',
        ['a', 'b'].map((id) => ({ id, url: id === 'b' ? 'http://10.0.0.1/' : url, weight: 1 })),
        '/1/url',
        'destination_private',
      ],
      ['maxClicks', 0, '', 'too_small'],
      ['maxClicks', -1, '', 'too_small'],
      ['maxClicks', 2 ** 53, '', 'too_large'],
      ['maxClicks', '1', '', 'invalid_type'],
      ['tagIds', [...tagIds, 'tag_20'], '', 'too_many'],
      ['tagIds', ['tag_a', 1], '/1', 'invalid_type'],
      ['tagIds', ['tag_a', null], '/1', 'null_not_allowed'],
      ['metaPixelId', '', '', 'invalid_format'],
      ['metaPixelId', '12a', '', 'invalid_format'],
      ['metaPixelId', '١٢٣', '', 'invalid_format'],
      ['metaPixelId', '1\n', '', 'invalid_format'],
      ['metaPixelId', "1');alert('1", '', 'invalid_format'],
      ['externalId', '..', '', 'invalid_external_id'],
      ['managedBy', 'team', '', 'invalid_managed_by'],
      ['googleTagId', 'G-', '', 'invalid_format'],
      ['googleTagId', 'g-abc', '', 'invalid_format'],
      ['googleTagId', 'UA-12345-1', '', 'invalid_format'],
      ['googleTagId', 'G-ABC</script>', '', 'invalid_format'],
      ['webhookUrls', '', '', 'webhook_invalid'],
      ['webhookUrls', Array(6).fill(url).join(), '', 'too_many'],
      ['webhookUrls', 'http://example.org/', '', 'webhook_scheme'],
      ['webhookUrls', `${url},https://169.254.169.254/`, '', 'webhook_private'],
      ['passwordHash', '$argon2id$', '', 'unknown_field'],
      ['id', 'lnk_a', '', 'unknown_field'],
      ['workspaceId', 'ws_a', '', 'unknown_field'],
      ['shortCode', 'a', '', 'unknown_field'],
      ['clickCount', 0, '', 'unknown_field'],
      ['capGeneration', 0, '', 'unknown_field'],
      ['clickEpoch', 0, '', 'unknown_field'],
      ['tags', [], '', 'unknown_field'],
    ].map((row) => [row[0], shown(row[1]), ...row.slice(1)] as [string, string, unknown, string, string]),
  )('An update of %s to %s is refused.', async ([field, , value, within, code]) => {
    expectProblem(await update({ body: { [field]: value } }), refused(`/${field}${within}`, code));
  });

  test.for(texts.filter((field) => !['title', 'description', 'notes'].includes(field)))(
    'A refused value of %s is not quoted.',
    async (field) => {
      for (const value of ['top-secret\0', ['top-secret'], { x: 'top-secret' }, 'top-secret'.repeat(300)]) {
        const response = await update({ body: { [field]: value } });
        expect(response.status).toBe(422);
        expect(response.text).not.toContain('top-secret');
      }
    },
  );

  test('A refusal names every wrong field at once, in the order of the fields.', async () => {
    const { body } = await update({
      body: { x: 1, webhookUrls: 1, title: 1, url: 1, ...Object.fromEntries(flags.map((flag) => [flag, 1])) },
    });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      '/url',
      '/title',
      ...flags.map((flag) => `/${flag}`),
      '/webhookUrls',
      '/x',
    ]);
  });
});
