import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../../clients/migration/chunks.ts';
import { ignoredColumns, settingColumns } from '../../../clients/migration/fields.ts';
import { type Format, type FormatName, formats } from '../../../clients/migration/formats.ts';
import { ownColumns } from '../../../clients/migration/own.ts';
import { planOf } from '../../../clients/migration/plan.ts';
import { rowsOf } from '../../../clients/migration/read.ts';
import { unguarded } from '../../../lambdas/core/csv.ts';
import { runs } from '../../support/run/proof.ts';

const folder = mkdtempSync(join(tmpdir(), 'links-migration-'));
let made = 0;
const fileOf = (text: string | Buffer) => {
  const file = join(folder, `${++made}`);
  writeFileSync(file, text);
  return file;
};
const plan = async (from: FormatName, file: string, domain?: string) =>
  planOf(rowsOf(readFileSync(file), formats[from]), formats[from], domain);
const planText = (text: string, from: FormatName = 'csv', domain?: string) => plan(from, fileOf(text), domain);
const links = async (...args: Parameters<typeof plan>) => (await plan(...args)).map(({ link, reason }) => link ?? reason);
const data = (name: string) => join(import.meta.dirname, '../../data/migration', name);

describe('The export of another service', () => {
  const launch = { url: 'https://example.com/launch', slug: 'launch', title: 'Launch', redirectType: 'TEMPORARY_302' };
  const shlink = { url: 'https://example.com/a', slug: 'abc12', title: 'A title', redirectType: 'TEMPORARY_302' };
  const ozh = { url: 'https://example.com/ozh', slug: 'ozh', redirectType: 'PERMANENT_301', tags: [], expiresAt: undefined };
  const newYear = '2031-01-01T00:00:00.000Z';

  test.for([
    [
      'csv',
      'generic.csv',
      [
        {
          url: 'https://example.com/a',
          slug: 'alpha',
          title: 'Alpha',
          redirectType: 'PERMANENT_301',
          tags: ['news', 'Summer-2030'],
          expiresAt: '2031-01-02T00:00:00.000Z',
        },
        {
          slug: 'beta',
          title: 'Beta, the "second"',
          redirectType: 'TEMPORARY_302',
          tags: [],
          expiresAt: '2031-01-01T10:00:00.000Z',
        },
        { slug: undefined, title: undefined, redirectType: 'TEMPORARY_302', tags: ['news'], expiresAt: undefined },
      ],
    ],
    [
      'dub',
      'dub.csv',
      [
        { ...launch, tags: ['news', 'press'], expiresAt: undefined },
        { slug: 'docs', title: undefined, tags: [] },
      ],
    ],
    [
      'dub',
      'dub-nulls.csv',
      [
        { ...launch, tags: ['news', 'press'], expiresAt: undefined },
        { slug: 'docs', title: undefined, tags: [], expiresAt: undefined },
        { slug: 'late', title: undefined, tags: ['a- b'], expiresAt: newYear },
        'it has no slug',
      ],
    ],
    ['dub', 'dub.json', [{ ...launch, tags: ['news'], expiresAt: newYear }]],
    [
      'bitly',
      'bitly.json',
      [
        { url: 'https://example.com/plain', slug: '3abcDEF', title: 'Plain', redirectType: 'PERMANENT_301', tags: ['news'] },
        { url: 'https://example.com/named', slug: 'named', title: undefined, tags: [] },
      ],
    ],
    ['shlink', 'shlink.csv', [{ ...shlink, tags: ['news', 'press'], expiresAt: undefined }]],
    ['shlink', 'shlink.json', [{ ...shlink, tags: ['news'], expiresAt: '2030-12-31T23:00:00.000Z' }]],
    ['yourls', 'yourls.csv', [{ ...ozh, title: 'Ozh' }]],
    ['yourls', 'yourls-plugin.csv', [{ ...ozh, title: undefined }]],
    ['yourls', 'yourls.json', [{ ...ozh, title: 'Ozh' }]],
    [
      'kutt',
      'kutt.json',
      [
        {
          url: 'https://example.com/k',
          slug: 'kuttly',
          title: undefined,
          own: { notes: 'A description' },
          redirectType: 'TEMPORARY_302',
          expiresAt: newYear,
        },
      ],
    ],
    [
      'brevr',
      'brevr.json',
      [
        {
          url: 'https://example.com/sale?utm_source=email',
          slug: 'summer-sale',
          title: 'Summer Sale',
          redirectType: 'TEMPORARY_302',
          tags: ['summer'],
          expiresAt: '2031-07-01T00:00:00.000Z',
          maxClicks: 8158,
          own: {
            description: 'Our biggest sale of the year',
            forwardParameters: true,
            blockBots: true,
            hideReferrer: true,
            metaPixelId: '123456789',
          },
        },
        { slug: 'off', redirectType: 'PERMANENT_301', own: { isActive: false } },
        'it is a link of the type MAILTO, not a URL',
        'it has a password there, but would be open to everybody here',
      ],
    ],
  ] as const)('The export %s, %s becomes the links that its service describes.', async ([from, name, expected]) => {
    expect(await links(from, data(name))).toMatchObject(expected);
  });

  test('A row of Brevr notes what is left out.', async () => {
    const [row] = await plan('brevr', data('brevr.json'));
    expect(row?.notes).toEqual(['"gtmContainerId" is not imported', 'its limit of 10000 visits becomes the 8158 that are left']);
  });

  test("The report keeps an export's facts about the past.", async () => {
    const [row] = await plan('shlink', data('shlink.csv'));
    expect(row?.source).toEqual({
      slug: 'abc12',
      url: 'https://example.com/a',
      createdAt: '2024-02-03T04:05:06+00:00',
      clicks: '33',
    });
  });
});

describe('A row', () => {
  test.for([
    ['url,slug\nnope,a', 'url must be an absolute URL, such as https://example.com/page'],
    ['url,slug\n,a', 'url must be an absolute URL, such as https://example.com/page'],
    ['url,slug\nhttp://10.0.0.1/,a', 'url must point to a public address'],
    ['url,slug\nhttps://x.org/\u200b,a', 'url must not have the invisible character U+200B'],
    ['url,slug,expired_url\nhttps://x.org/,a,https://x.org/\u202e', 'expiredUrl must not have the invisible character'],
    ['url,slug\nhttps://x.org,a b', 'slug must have 1 to 190 characters'],
    ['url,slug\nhttps://x.org,api', 'slug is reserved'],
    ['url,slug\nhttps://x.org,a//b', 'slug must have'],
    ['url,max_clicks,clicks\nhttps://x.org,5,-3', 'number of visits "-3" is not a whole number'],
    ['url,max_clicks,clicks\nhttps://x.org,5,1.5', 'number of visits "1.5" is not a whole number'],
    ['url,redirect_type\nhttps://x.org,303', 'redirect type "303" is neither 301 nor 302'],
    ['url,redirect_type\nhttps://x.org,1307', 'redirect type "1307" is neither 301 nor 302'],
    ['url,expires_at\nhttps://x.org,soon', 'expiry must be an ISO 8601'],
    ['url,expires_at\nhttps://x.org,2031-02-31', 'expiry must be an ISO 8601'],
  ] as const)('The row %j is refused with its reason.', async ([text, reason]) => {
    expect((await planText(text)).map((row) => row.reason)).toEqual([expect.stringContaining(reason)]);
  });

  test.for([
    ['2031-01-01 12:30:00', '2031-01-01T12:30:00.000Z'],
    ['2031-01-01T12:30:00', '2031-01-01T12:30:00.000Z'],
    ['2031-01-01T12:30:00Z', '2031-01-01T12:30:00.000Z'],
    ['2031-01-01T12:30:00+0200', '2031-01-01T10:30:00.000Z'],
    ['2031-01-01 12:30:00+02:00', '2031-01-01T10:30:00.000Z'],
    // PostgreSQL leaves out minutes that are 0, and others put a space before the offset.
    ['2031-01-01 12:30:00+00', '2031-01-01T12:30:00.000Z'],
    ['2031-01-01 12:30:00.5-03', '2031-01-01T15:30:00.500Z'],
    ['2031-01-01 12:30:00 +0200', '2031-01-01T10:30:00.000Z'],
  ] as const)('A row that expires at %s becomes a link that expires at %s.', async ([text, expiresAt]) => {
    const [row] = await planText(`url,expires_at\nhttps://x.org,${text}`);
    expect(row?.link?.expiresAt).toBe(expiresAt);
  });

  test.for([
    ['UTC', '2027-12-31', '2027-12-31T00:00:00.000Z', '2028-01-01T00:00:00.000Z'],
    ['Europe/Berlin', '2027-12-31', '2027-12-30T23:00:00.000Z', '2027-12-31T23:00:00.000Z'],
    // A day of 23 hours, and one of 25.
    ['Europe/Berlin', '2027-03-28', '2027-03-27T23:00:00.000Z', '2027-03-28T22:00:00.000Z'],
    ['America/New_York', '2027-11-07', '2027-11-07T04:00:00.000Z', '2027-11-08T05:00:00.000Z'],
    // Clocks go forward at midnight.
    ['America/Santiago', '2027-09-05', '2027-09-05T04:00:00.000Z', '2027-09-06T03:00:00.000Z'],
    ['UTC', '2028-02-28', '2028-02-28T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  ] as const)(
    'In %s, a link starts with the day %s if it starts on it, and ends with it if it expires on it.',
    ([timezone, day, startsAt, expiresAt]) => {
      const text = `url,starts_at,expires_at\nhttps://x.org,${day},\nhttps://x.org,,${day}`;
      const rows = planOf(rowsOf(Buffer.from(text), formats.csv), formats.csv, undefined, { timezone });
      expect(rows.map(({ link, notes }) => [link?.startsAt, link?.expiresAt, notes])).toEqual([
        [startsAt, undefined, []],
        [undefined, expiresAt, [`its expiry ${day} is the end of that day in ${timezone}`]],
      ]);
    },
  );

  test.for([
    ['2031-01-01 12:30:00', '2031-01-01T11:30:00.000Z'],
    ['2031-07-01T12:30', '2031-07-01T10:30:00.000Z'],
    ['2031-07-01T12:30Z', '2031-07-01T12:30:00.000Z'],
    ['2031-07-01 12:30+05:00', '2031-07-01T07:30:00.000Z'],
    ['2031-07-01 12:30+05', '2031-07-01T07:30:00.000Z'],
  ] as const)('The time %s is in the chosen zone, unless it names another one.', ([text, expiresAt]) => {
    const file = Buffer.from(`url,expires_at\nhttps://x.org,${text}`);
    const [row] = planOf(rowsOf(file, formats.csv), formats.csv, undefined, { timezone: 'Europe/Berlin' });
    expect([row?.link?.expiresAt, row?.notes]).toEqual([expiresAt, []]);
  });

  test('The last day of the year 9999 is refused as an expiry, because its end cannot be stored.', async () => {
    expect((await planText('url,expires_at\nhttps://x.org,9999-12-31'))[0]?.reason).toContain('expiry must be an ISO 8601');
  });

  test('Only a row with another number of columns than the first line is refused.', async () => {
    const rows = await planText('url,slug\nhttps://x.org/1\nhttps://x.org/2,b\nhttps://x.org/3,c,d\nhttps://x.org/4,e,');
    expect(rows.map(({ line, link, reason }) => [line, link?.slug ?? reason])).toEqual([
      [2, 'it has 1 columns, but the first line has 2'],
      [3, 'b'],
      [4, 'it has 3 columns, but the first line has 2'],
      // A delimiter at the end adds no column.
      [5, 'e'],
    ]);
  });

  test('A row is refused if its slug folds to that of a valid row before it.', async () => {
    const rows = await planText('url,slug\nnope,A\nhttps://x.org/1,a\nhttps://x.org/2,A\nhttps://x.org/3,b');
    expect(rows.map(({ link, reason }) => link?.slug ?? reason)).toEqual([
      expect.stringContaining('url'),
      'a',
      'an earlier row has the same slug',
      'b',
    ]);
  });

  test.for([
    ['307', 'TEMPORARY_302', '302'],
    ['308', 'PERMANENT_301', '301'],
    ['PERMANENT_308', 'PERMANENT_301', '301'],
  ] as const)(
    'A redirect with %s becomes one that never forwards a POST, and the row says so.',
    async ([text, redirectType, status]) => {
      const [row] = await planText(`url,redirect_type\nhttps://x.org,${text}`);
      expect(row?.link?.redirectType).toBe(redirectType);
      expect(row?.notes).toEqual([
        `its redirect ${text.slice(-3)} becomes ${status}, because a short link never passes a POST on`,
      ]);
    },
  );

  test('Columns for parameters are merged into the destination.', async () => {
    const [row] = await planText('url,utm_source,utm_term\nhttps://x.org/?utm_source=old&a=1,new one,');
    expect(row?.link?.url).toBe('https://x.org/?utm_source=new%20one&a=1');
  });

  test('A link forwards paths if the whole import says so, unless its slug has too many parts.', async () => {
    const rows = planOf(
      rowsOf(Buffer.from('url,slug\nhttps://x.org,a/b\nhttps://x.org,a/b/c/d/e'), formats.csv),
      formats.csv,
      undefined,
      {
        forwardPath: true,
      },
    );
    expect(rows.map(({ link, notes }) => [link?.own?.forwardPath, notes])).toEqual([
      [true, []],
      [undefined, ['it forwards no paths, because its slug has more than 4 parts']],
    ]);
  });

  test('A tag in another Unicode form is the same tag, and no note says that it differs.', async () => {
    const [row] = await planText('url,tags\nhttps://x.org,Cafe\u0301|a/e\u0301');
    expect([row?.link?.tags, row?.notes]).toEqual([['Caf\u00e9', 'a-\u00e9'], ['the tag "a/e\u0301" becomes "a-\u00e9"']]);
  });

  test('A row that the API would refuse is refused with its field and reason; if only its rules are wrong, they are left out.', async () => {
    const rows = await planText(
      [
        'url,notes,image,rules,starts_at,expires_at',
        `https://x.org,${'x'.repeat(200_000)},,,,`,
        'https://x.org,,i.png,,,',
        'https://x.org,,,"[{""if"":{},""url"":""https://x.org""}]",,',
        'https://x.org,,,"[{""if"":{""country"":[""DE""]},""url"":""https://x.org""}]",,',
        'https://x.org,,,,2031-01-02T00:00Z,2031-01-01T00:00Z',
      ].join('\n'),
    );
    expect(rows.map(({ link, reason, notes }) => [reason ?? link?.rules?.length ?? 0, ...notes])).toEqual([
      ['notes must have at most 1000 characters'],
      [expect.stringMatching(/^image must be an absolute URL/)],
      [0, 'its rules were left out: rules/0/if must have at least one condition'],
      // Only the service knows whether it has data of countries.
      [1],
      ['startsAt must be before "expiresAt"'],
    ]);
  });

  test('A row keeps as much as possible of its title and tags, and notes what was changed.', async () => {
    const many = Array.from({ length: 25 }, (_, index) => `t${index}`).join('|');
    const [row, tagged] = await planText(
      `url,title,tags\nhttps://x.org,${'x'.repeat(300)},a/b|***|News|news\nhttps://x.org,,${many}`,
    );
    expect(row?.link).toMatchObject({ title: 'x'.repeat(256), tags: ['a-b', 'news'] });
    expect(row?.notes).toEqual([
      'its title is cut to 256 characters',
      'the tag "a/b" becomes "a-b"',
      'the tag "***" has no letter or number, and is left out',
    ]);
    expect(tagged?.link?.tags).toHaveLength(20);
    expect(tagged?.notes).toEqual(['of 25 tags, only the first 20 are set']);
  });
});

describe('A row of another service', () => {
  const rowOf = async (from: FormatName, values: Record<string, unknown>, domain?: string) => {
    const list = from === 'kutt' ? { data: [values] } : from === 'bitly' ? { links: [values] } : [values];
    const [row] = await planText(JSON.stringify(list), from, domain);
    return row;
  };
  const dub = { domain: 'go.acme.example', key: 'a', url: 'https://x.org/' };
  const bitly = { link: 'https://bit.ly/3abc', long_url: 'https://x.org/' };
  const shlink = { shortCode: 'a', shortUrl: 'https://s.acme.example/a', longUrl: 'https://x.org/' };
  const kutt = { address: 'a', target: 'https://x.org/' };

  test.for([
    ['dub', { ...dub, password: 'secret' }, 'it has a password there, but would be open to everybody here'],
    ['dub', { ...dub, password: 'null' }, 'it has a password there, but would be open to everybody here'],
    ['dub', { ...dub, password: 'false' }, 'it has a password there, but would be open to everybody here'],
    ['dub', { ...dub, key: '_root' }, 'it is the root of its domain, which has no slug'],
    ['dub', { ...dub, key: '' }, 'it has no slug'],
    ['kutt', { ...kutt, password: true }, 'it has a password there, but would be open to everybody here'],
    ['kutt', { ...kutt, banned: true }, 'it is banned there'],
    ['kutt', { ...kutt, address: null }, 'it has no slug'],
    ['bitly', { ...bitly, link: null }, 'it has no slug'],
    ['bitly', { ...bitly, is_deleted: true }, 'it is deleted there'],
    ['shlink', { ...shlink, meta: { maxVisits: 3 }, visitsSummary: { total: 3 } }, 'it has reached its visit limit there'],
    ['shlink', { ...shlink, meta: { maxVisits: 'many' } }, 'visit limit "many" is not a whole number'],
    ['dub', { ...dub, expiredUrl: 'http://10.0.0.1/' }, expect.stringContaining('expiredUrl must point to a public address')],
    ['yourls', { url: 'https://x.org/', keyword: '' }, 'it has no slug'],
  ] as const)(
    'A row of %s, %j, is refused, and never becomes an open link or one with another slug.',
    async ([from, values, reason]) => {
      const row = await rowOf(from, values);
      expect([row?.link, row?.reason]).toEqual([undefined, reason]);
    },
  );

  test.for([
    ['dub', { ...dub, password: null, key: 'a' }],
    ['kutt', { ...kutt, password: false, banned: false }],
    ['bitly', { ...bitly, is_deleted: false, deeplinks: [] }],
    ['shlink', { ...shlink, meta: { maxVisits: null, validSince: '2020-01-01T00:00:00Z' } }],
    ['dub', { ...dub, ios: null, geo: null, rewrite: false }],
  ] as const)('A row of %s, %j, has nothing that prevents its import.', async ([from, values]) => {
    expect(await rowOf(from, values)).toMatchObject({ link: { url: 'https://x.org/' }, notes: [] });
  });

  test.for([
    ['dub', { ...dub, expiredUrl: 'https://x.org/late', rewrite: true, android: '', proxy: true }, ['rewrite', 'proxy']],
    ['bitly', { ...bitly, deeplinks: [{ app_uri_path: '/x' }] }, ['deeplinks']],
  ] as const)('A row of %s, %j, notes what is not imported.', async ([from, values, names]) => {
    expect((await rowOf(from, values))?.notes).toEqual(names.map((name) => `"${name}" is not imported`));
  });

  const condition = (type: string, matchValue: string | null, matchKey: string | null = null) => ({ type, matchKey, matchValue });
  const rule = (longUrl: string, ...conditions: object[]) => ({ longUrl, conditions });

  test.for<[string, FormatName, Record<string, unknown>, object]>([
    [
      "Dub's targets, systems first, and countries with the same URL together",
      'dub',
      {
        ...dub,
        geo: { DE: 'https://x.org/de', FR: 'https://x.org/fr', AT: 'https://x.org/de' },
        android: 'https://x.org/android',
        ios: 'https://x.org/ios',
        expiredUrl: 'https://x.org/late',
      },
      {
        expiredUrl: 'https://x.org/late',
        rules: [
          { if: { os: ['ios'] }, url: 'https://x.org/ios' },
          { if: { os: ['android'] }, url: 'https://x.org/android' },
          { if: { country: ['DE', 'AT'] }, url: 'https://x.org/de' },
          { if: { country: ['FR'] }, url: 'https://x.org/fr' },
        ],
      },
    ],
    [
      "Dub's countries as JSON in a cell",
      'dub',
      { ...dub, geo: '{"DE":"https://x.org/de"}' },
      { rules: [{ if: { country: ['DE'] }, url: 'https://x.org/de' }] },
    ],
    [
      "Shlink's rules, by priority",
      'shlink',
      {
        ...shlink,
        hasRedirectRules: true,
        redirectRules: {
          defaultLongUrl: 'https://x.org/',
          redirectRules: [
            {
              ...rule('https://x.org/2', condition('device', 'desktop'), condition('geolocation-country-code', 'AT')),
              priority: 2,
            },
            { ...rule('https://x.org/1', condition('device', 'android'), condition('language', 'en-US')), priority: 1 },
          ],
        },
      },
      {
        rules: [
          { if: { os: ['android'], language: ['en-us'] }, url: 'https://x.org/1' },
          { if: { device: ['desktop'], country: ['AT'] }, url: 'https://x.org/2' },
        ],
      },
    ],
    [
      "Shlink's parameters and dates",
      'shlink',
      {
        ...shlink,
        redirectRules: [
          rule('https://x.org/q', condition('query-param', 'bar', 'foo'), condition('valueless-query-param', null, 'x')),
          rule('https://x.org/b', condition('before-date', '2031-01-01T00:00:00+01:00')),
        ],
      },
      {
        rules: [
          { if: { query: { foo: 'bar', x: '' } }, url: 'https://x.org/q' },
          { if: { before: '2030-12-31T23:00:00.000Z' }, url: 'https://x.org/b' },
        ],
      },
    ],
    [
      "Shlink's start",
      'shlink',
      { ...shlink, meta: { validSince: '2999-01-01T00:00:00+00:00' } },
      { startsAt: '2999-01-01T00:00:00.000Z' },
    ],
  ])('A row brings %s.', async ([, from, values, expected]) => {
    expect(await rowOf(from, values)).toMatchObject({ link: expected, notes: [] });
  });

  test.for<[string, object, readonly string[], number]>([
    [
      'a limit of visits',
      { meta: { maxVisits: 10 }, visitsSummary: { total: 3 } },
      ['its limit of 10 visits becomes the 7 that are left'],
      7,
    ],
    [
      'a limit of visits without their number',
      { meta: { maxVisits: 10 } },
      ['its limit of 10 visits applies to new visits only, because the file does not say how many there were'],
      10,
    ],
    ['a limit that nobody has used', { meta: { maxVisits: 10 }, visitsCount: 0 }, [], 10],
  ])('A row of Shlink with %s becomes a link with a cap for what is left.', async ([, values, notes, maxClicks]) => {
    expect(await rowOf('shlink', { ...shlink, ...values })).toMatchObject({ link: { maxClicks }, notes });
  });

  test.for<[string, FormatName, Record<string, unknown>, string]>([
    ['an app', 'dub', { ...dub, ios: 'app://open' }, '"ios" is not imported: its URL must start with http:// or https://'],
    ['a country', 'dub', { ...dub, geo: { XX: 'https://x.org/x' } }, '"geo" of XX is not imported: it has an unknown country'],
    ['malformed targets', 'dub', { ...dub, geo: '{' }, '"geo" is not imported: it is malformed'],
    [
      'a condition that does not exist here',
      'shlink',
      { ...shlink, redirectRules: [rule('https://x.org/ip', condition('ip-address', '192.0.2.0/24'))] },
      'the rule to https://x.org/ip is not imported: conditions of the type "ip-address" are not supported',
    ],
    [
      'two languages at once',
      'shlink',
      { ...shlink, redirectRules: [rule('https://x.org/l', condition('language', 'de'), condition('language', 'fr'))] },
      'the rule to https://x.org/l is not imported: it has several conditions of the type "language"',
    ],
    [
      'rules that are not in the file',
      'shlink',
      { ...shlink, hasRedirectRules: true },
      '"redirectRules" is not imported: the file does not contain the rules',
    ],
  ])('A rule with %s is left out, and the row notes it.', async ([, from, values, note]) => {
    const row = await rowOf(from, values);
    expect([row?.link?.rules, row?.notes]).toEqual([undefined, [note]]);
  });

  test('A row of Bitly with several addresses is imported with its slug on the chosen domain, and notes the others.', async () => {
    const values = { ...bitly, custom_bitlinks: ['https://a.example/one', 'https://b.example/two', 'b.example/three'] };
    const row = await rowOf('bitly', values, 'b.example');
    expect([row?.link?.slug, row?.notes]).toEqual(['two', ['its address b.example/three is not imported']]);
    expect((await rowOf('bitly', values, 'bit.ly'))?.link?.slug).toBe('3abc');
    expect((await rowOf('bitly', values, 'c.example'))?.reason).toBe('it is on another domain, a.example');
    expect((await rowOf('bitly', values))?.notes).toEqual([
      'its address b.example/two is not imported',
      'its address b.example/three is not imported',
      'its address bit.ly/3abc is not imported',
    ]);
  });

  test.for<[string, FormatName, object, object]>([
    ["title that isn't text", 'csv', { title: { toString: 1 } }, { link: { title: undefined } }],
    ["description that isn't text", 'csv', { description: { toString: 1 } }, { reason: 'description must be text' }],
    ["switch that isn't text", 'csv', { cloaked: { toString: 1 } }, { reason: 'cloaked must be true or false' }],
    ["password that isn't text", 'csv', { has_password: { toString: 1 } }, { link: { url: 'https://example.com/' } }],
    ["further slug that isn't text", 'csv', { aliases: ['b', null] }, { reason: expect.stringMatching(/^aliases must have/) }],
    ['slug that is no text', 'dub', { key: { toString: 1 } }, { reason: 'it has no slug' }],
    ['rule of null', 'shlink', { redirectRules: [null] }, { notes: ['the rule to  is not imported: it has no conditions'] }],
    [
      'condition of null',
      'shlink',
      { redirectRules: [{ longUrl: 'https://x.org/', conditions: [null] }] },
      { notes: ['the rule to https://x.org/ is not imported: conditions of the type "" are not supported'] },
    ],
    ["priority that isn't a number", 'shlink', { redirectRules: [{ priority: { toString: 1 } }, {}] }, { link: { slug: 'a' } }],
  ])('Only its row is affected by a %s.', async ([, from, values, expected]) => {
    const whole = { csv: { url: 'https://example.com/', slug: 'a' }, dub, shlink } as Partial<Record<FormatName, object>>;
    expect(await rowOf(from, { ...whole[from], ...values })).toMatchObject(expected);
  });

  test('Only text is accepted as a title or a URL.', async () => {
    expect((await rowOf('dub', { ...dub, title: { text: 'x' } }))?.link?.title).toBeUndefined();
    expect((await rowOf('dub', { ...dub, title: 'false' }))?.link?.title).toBe('false');
    expect((await rowOf('dub', { ...dub, url: { href: 'https://x.org' } }))?.reason).toContain('url must be');
  });
});

describe('A column with the addresses of links', () => {
  const url = 'https://x.org/';
  test.for([
    ['short_url', 'https://go.example.com/Sale-1', 'Sale-1'],
    ['Short URL', 'go.example.com/a/b', 'a/b'],
    ['shortLink', 'HTTP://go.example.com/caf%65?x=1#y', 'cafe'],
    ['short_code', 'abc', 'abc'],
    ['Custom slug', '/abc/', 'abc'],
  ] as const)('is read if it is called %s: %s keeps its address.', async ([name, value, slug]) => {
    expect(await links('csv', fileOf(`url,${name}\n${url},${value}\n`))).toMatchObject([{ slug }]);
    expect(await links('csv', fileOf(JSON.stringify([{ url, [name]: value }])))).toMatchObject([{ slug }]);
  });

  test('is read in every format.', () => {
    for (const [from, format] of Object.entries(formats) as [FormatName, Format][]) {
      const [destination = ''] = format.columns.url;
      const list = [{ [destination]: url, short_url: 'https://go.example.com/kept', linkType: 'URL' }];
      const [row] = planOf(rowsOf(Buffer.from(JSON.stringify(list)), format), format, undefined);
      expect([from, row?.link?.slug, row?.reason]).toEqual([from, 'kept', undefined]);
    }
  });

  test.for([
    ['slug,short_url', ',nonsense here', 'its short URL "nonsense here" is not an address such as go.example.com/page'],
    ['slug,short_url', 'a,ftp://go.example.com/a', 'its short URL "ftp://go.example.com/a" is not an address such as'],
    ['slug,short_url', ',https://', 'its short URL "https://" is not an address such as'],
    ['slug,short_url', ',abc', 'it has no slug'],
    ['slug,short_url', ',https://go.example.com/', 'it has no slug'],
    ['slug,short_url', ',https://go.example.com/caf%C3%A9', 'slug must have'],
    ['slug,short_url', 'a,https://go.example.com/b', 'its slug "a" does not match its short URL'],
  ] as const)(
    'refuses a row whose address it cannot keep, instead of giving it another one: %s, %s',
    async ([names, cells, reason]) => {
      const [row] = await planText(`url,${names}\n${url},${cells}\n`);
      expect([row?.link, row?.reason]).toEqual([undefined, expect.stringContaining(reason)]);
    },
  );

  test.for(['alias', 'Link', 'Back-half', 'key', 'Tiny URL', 'custom_alias', 'path'])(
    'is an error if it is called %s, because nobody can tell whether the links should have these addresses.',
    async (name) => {
      const error = `the column "${name.toLowerCase()}" may have the addresses of the links: call it "slug" or "short_url"`;
      await expect(planText(`url,${name}\n${url},abc\n`)).rejects.toThrow(error);
      expect(() => rowsOf(Buffer.from(JSON.stringify([{ url, [name]: 'abc' }])), formats.csv)).toThrow('may have the addresses');
    },
  );

  test('is ignored beside a column that is read.', async () => {
    const file = fileOf(`url,slug,alias,short_domain\n${url},a,b,go.example.com\n`);
    expect(await links('csv', file)).toMatchObject([{ slug: 'a' }]);
    expect(ignoredColumns(rowsOf(readFileSync(file), formats.csv), formats.csv)).toEqual(['alias', 'short_domain']);
  });
});

describe('A text that another service shows only to its users', () => {
  test.for([
    ['kutt', { address: 'a', target: 'https://x.org/', description: 'For Jo' }],
    ['dub', { domain: 'go.acme.example', key: 'a', url: 'https://x.org/', comments: 'For Jo' }],
  ] as const)('%s: becomes a note, which no visitor sees.', ([from, values]) => {
    const [row] = planOf(
      rowsOf(Buffer.from(JSON.stringify(from === 'kutt' ? { data: [values] } : [values])), formats[from]),
      formats[from],
      undefined,
    );
    expect(row?.link).toMatchObject({ title: undefined, own: { notes: 'For Jo' } });
    expect(row?.link?.own).not.toHaveProperty('description');
    expect(row?.notes).toEqual([]);
  });

  test('A note that is too long is cut, and the row says so.', () => {
    const values = { address: 'a', target: 'https://x.org/', description: 'x'.repeat(2_040) };
    const [row] = planOf(rowsOf(Buffer.from(JSON.stringify([values])), formats.kutt), formats.kutt, undefined);
    expect([row?.link?.own?.notes, row?.notes]).toEqual(['x'.repeat(1_000), ['its note is cut to 1,000 characters']]);
  });
});

test('The columns that are ignored are named.', async () => {
  const dub = rowsOf(readFileSync(data('dub-nulls.csv')), formats.dub);
  expect(ignoredColumns(dub, formats.dub)).toEqual([]);
  expect(ignoredColumns(rowsOf(readFileSync(data('shlink.json')), formats.shlink), formats.shlink)).toEqual([]);
  expect(ignoredColumns(rowsOf(readFileSync(data('kutt.json')), formats.kutt), formats.kutt)).toEqual(['id', 'updated_at']);
});

describe('A file', () => {
  const text = 'url,slug,domain\nhttps://x.org/1,a,one.example\nhttps://x.org/2,b,TWO.example.\nhttps://x.org/3,c,';

  test('A file with links of several domains is refused unless one of them is chosen.', async () => {
    await expect(planText(text)).rejects.toThrow(
      'choose a domain with --source-domain: the file has links of one.example, two.example',
    );
  });

  test('A file with links of several domains gives the links of the chosen domain, and those that name none.', async () => {
    const rows = await planText(text, 'csv', 'two.example');
    expect(rows.map(({ link, reason }) => link?.slug ?? reason)).toEqual(['it is on another domain, one.example', 'b', 'c']);
  });
});

describe('A file', () => {
  test.for([
    ['without the column of URLs', 'slug,title\na,b', 'there is no column "url", only "slug", "title"'],
    ['with the same column twice', 'url,URL\nhttps://x.org,https://y.org', 'the column "url" appears twice'],
    ['that is not UTF-8', Buffer.from([0x75, 0x72, 0x6c, 0x0a, 0x61, 0x0a, 0xff]), 'line 3 of the file is not UTF-8'],
    ['in half of UTF-16', Buffer.from('\ufeffurl', 'utf16le').subarray(0, -1), 'line 1 of the file is not UTF-8'],
    ['in UTF-16 without its mark', Buffer.from('url', 'utf16le'), 'there is no column "url"'],
    ['whose header has an open quote', 'url,"slug\nhttps://x.org,a', 'the quotes of the first line, which names the columns'],
    ['without any content', '\n', 'the file is empty'],
    ['with broken JSON', '[{"url":', 'not JSON'],
    ['with JSON that has no list', '{"data": 5}', 'the file has no list of links where'],
    ['with a list of numbers', '[5]', 'entry 1 of the list is not an object'],
  ] as const)('A file %s is refused with a message that names the problem.', async ([, text, message]) => {
    await expect(plan('csv', fileOf(text))).rejects.toThrow(message);
  });

  test('A file of a service without the column of its slugs is refused, because each link would get another slug.', async () => {
    const text = 'Destination URL,Clicks\nhttps://x.org,1\n';
    await expect(plan('dub', fileOf(text))).rejects.toThrow('there is no column "key" or "short_url" or "short_link" or "link"');
  });

  test('Only rows whose quotes do not match are refused, in UTF-8 and UTF-16, and all others are read.', async () => {
    const text =
      'sep=;\r\nURL;Short URL;Title\r\nhttps://x.org/1;go.example.com/a;NULL\r\nhttps://x.org/2;go.example.com/b;"Open\r\n;;\r\nhttps://x.org/3;go.example.com/c;5" nails\r\n';
    for (const file of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    ]) {
      const rows = planOf(rowsOf(file, formats.csv), formats.csv, undefined);
      expect(rows.map(({ line, link, reason, source }) => [line, link?.slug ?? source.slug, link?.title ?? reason])).toEqual([
        [3, 'a', undefined],
        [4, 'b', 'its quotes do not match: one is missing, or one within a cell is not doubled'],
        [6, 'c', '5" nails'],
      ]);
    }
  });

  test('A password in a file is not ignored, because the link would be open to everybody.', async () => {
    const rows = await planText('url,password\nhttps://x.org/1,secret\nhttps://x.org/2,\n');
    expect(rows.map(({ reason }) => reason)).toEqual([
      'it has a password, which no import sets, and would be open to everybody',
      undefined,
    ]);
  });

  test('A file may begin with a byte order mark, end its lines with CRLF, and have empty lines.', async () => {
    expect(await links('csv', fileOf('\ufeffURL,Slug\r\n\r\nhttps://x.org/1,a\r\n\r\n'))).toMatchObject([{ slug: 'a' }]);
  });

  test('A generic file means the same however its cells are quoted.', async () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const titles = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((text) => text.trim() === text && !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(titles, { minLength: 1, maxLength: 5 }), async (list) => {
        const rows = await planText(`url,title\n${list.map((title) => `https://x.org,${quoted(title)}`).join('\n')}\n`);
        // The apostrophes that guard cells of an export are not part of them.
        expect(rows.map(({ link }) => link?.title ?? '')).toEqual(list.map(unguarded));
      }),
    );
  });
});

test('Whatever a file has, each of its rows is planned or refused, or the file is refused in one line.', () => {
  const words = [
    'https://example.org/',
    'a',
    '5',
    '-5',
    'true',
    'null',
    '{}',
    '[]',
    '[null]',
    '[5]',
    '[{"if":null}]',
    '{"DE":5}',
  ];
  const parts = ['toString', 'valueOf', '__proto__', 'name', 'longUrl', 'conditions', 'type', 'matchKey', 'priority', 'if'];
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...words, '', '\0', null, true, false, -1, 1.5, 1e21),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...parts), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const cell = fc.oneof(fc.constantFrom(...words, '"', '"a""b"', '"x\ny"', 'a"b', '\0', "'=1", '|'), fc.string({ maxLength: 4 }));
  const files = fc.constantFrom(...(Object.keys(formats) as FormatName[])).chain((from) => {
    const { columns, refusals = {}, rules, isOwn }: Format = formats[from];
    const all = [
      ...Object.values(columns).flat(),
      ...Object.keys(refusals),
      ...(rules?.columns ?? []),
      ...(isOwn ? ownColumns : []),
    ];
    // What makes a row whole, so that the rest of it is read, too.
    const whole = {
      [columns.url[0] ?? '']: 'https://x.org/',
      [columns.slug?.[0] ?? columns.shortUrl?.[0] ?? '']: 'https://bit.ly/a'.slice(columns.slug ? -1 : 0),
    };
    const further = fc.dictionary(fc.constantFrom(...all), json, { maxKeys: 4, noNullPrototype: true });
    const rows = fc.tuple(fc.subarray(all, { maxLength: 4 }), fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 3 }));
    const texts = fc.oneof(
      json.map((document) => JSON.stringify(document)),
      further.map((more) => JSON.stringify([{ ...whole, ...more }])),
      rows.map(([names, cells]) =>
        [[...Object.keys(whole), ...names], ...cells.map((row) => [...Object.values(whole), ...row])].join('\n'),
      ),
    );
    return texts.map((text) => ({ format: formats[from], text }));
  });
  const readOrRefused = (text: string, format: Format) => {
    try {
      return rowsOf(new TextEncoder().encode(text), format);
    } catch (error) {
      return (error as Error).message;
    }
  };
  fc.assert(
    fc.property(files, ({ format, text }): void => {
      const read = readOrRefused(text, format);
      if (typeof read === 'string') return void expect(read).toMatch(/^(the|line|there|entry) .*$/);
      for (const row of read) {
        const [{ link, reason } = {}] = planOf([row], format, undefined);
        expect(link === undefined ? reason : bodyOf([{ position: 0, link, leftOut: '' }])[0]).toBeTruthy();
      }
    }),
    { numRuns: runs(2_000) },
  );
});

test('The import reads every column that it lists for a CSV of your own, and needs only the first.', async () => {
  const [needed, ...others] = settingColumns();
  expect(await links('csv', fileOf(`${needed}\nhttps://example.com/`))).toMatchObject([{ url: 'https://example.com/' }]);
  expect(() => rowsOf(Buffer.from(`${others.join()}\nx`), formats.csv)).toThrow(`there is no column "${needed}"`);
  expect(others).toEqual(expect.arrayContaining(['slug', 'tags', 'expires_at', 'utm_source', 'notes', 'rules']));
  expect(ignoredColumns([{ values: Object.fromEntries(others.map((name) => [name, ''])) }], formats.csv)).toEqual([]);
  // These only say how a link was doing.
  for (const name of ['clicks', 'created_at', 'state', 'last_clicked_at']) expect(others).not.toContain(name);
});
