import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { ManifestError, readManifest } from '../../../clients/links-as-code/read.ts';
import * as schema from '../../../clients/links-as-code/schema.ts';
import { settingDefaults } from '../../../clients/links-as-code/settings.ts';
import { body as createLink } from '../../../lambdas/endpoints/links/create-link.ts';
import { utmFields } from '../../../lambdas/http/links/utm.ts';
import { manifestSchemaText } from '../../../openapi/manifest.ts';
import { runs } from '../../support/run/proof.ts';

const head = 'owner: marketing\ndomain: Go.Example.COM\n';

/** The errors of a manifest, as `line:column: message`. */
function faultsOf(text: string): string[] {
  try {
    readManifest(text);
    return [];
  } catch (error) {
    if (error instanceof ManifestError) return error.message.split('\n');
    throw error;
  }
}

test('A manifest is read with its defaults, in the form in which the service stores it.', () => {
  const { domain, managedBy, links, tags } = readManifest(`${head}
defaults: { redirectType: PERMANENT_301, tags: [News], title: Sale }
tags: [{ name: News, color: '#ABCDEF' }]
links:
  - slug: Summer
    url: HTTPS://Example.org
    expiresAt: 2031-01-01T01:00+01:00
    rules: [{ url: 'https://example.org/de', if: { language: [DE, de], country: [de] } }]
  - { slug: winter, url: 'https://example.org/', title: null, tags: [] }
`);
  expect([domain, managedBy, tags]).toEqual(['go.example.com', 'marketing@go.example.com', [{ name: 'News', color: '#abcdef' }]]);
  expect(links.map(({ wanted }) => wanted)).toMatchObject([
    {
      slug: 'Summer',
      url: 'https://example.org/',
      title: 'Sale',
      redirectType: 'PERMANENT_301',
      expiresAt: '2031-01-01T00:00:00.000Z',
      rules: [{ url: 'https://example.org/de', if: { language: ['de'], country: ['DE'] } }],
      tags: ['News'],
      cloaked: false,
    },
    { title: null, tags: [], redirectType: 'PERMANENT_301' },
  ]);
  expect(links[0]?.wanted).not.toHaveProperty('isActive');
});

describe('Errors are named with their line and column', () => {
  const link = '- { slug: a, url: https://example.org/ }';
  const wrong: [string, string, string[]][] = [
    ['no owner', `domain: a.example\nlinks: []\n`, ['1:1: owner is required']],
    ['nothing at all', '', ['1:1: the manifest must be an object']],
    ['no links', head, ['1:1: links is required']],
    ['an unknown key', `${head}colour: red\nlinks: []\n`, ['3:1: colour is not a field of a manifest']],
    [
      'an unknown key of a link',
      `${head}links:\n  ${link.replace(' }', ', password: x }')}\n`,
      ['4:43: links[0].password is not a field of a manifest'],
    ],
    [
      'invisible characters in URLs',
      `${head}defaults: { expiredUrl: "https://example.org/\\u200b" }\nlinks:\n  - { slug: a, url: https://example.org/\u202e }\n`,
      [
        '3:25: defaults.expiredUrl must not have the invisible character U+200B',
        '5:21: links[0].url must not have the invisible character U+202E',
      ],
    ],
    ['a duplicate key', `${head}links: []\nowner: other\n`, ['4:1: the key appears twice']],
    [
      'a duplicate key of a link',
      `${head}links:\n  - slug: a\n    url: https://example.org/\n    slug: b\n`,
      ['6:5: the key appears twice'],
    ],
    ['bad syntax', `${head}links: [\n`, [expect.stringMatching(/^4:1: /) as unknown as string]],
    [
      'a bad owner',
      `owner: A\ndomain: a.example\nlinks: []\n`,
      ['1:8: owner must be 1 to 64 lower-case letters, digits and hyphens'],
    ],
    [
      'a number for a slug',
      `${head}links:\n  - slug: 2030\n    url: https://example.org/\n`,
      ['4:11: links[0].slug must be a string: put it in quotes'],
    ],
    [
      'a bad URL in a rule',
      `${head}links:\n  - slug: a\n    url: https://example.org/\n    rules:\n      - if: { os: [ios] }\n        url: nope\n`,
      ['8:14: links[0].rules[0].url must be an absolute URL, such as https://example.com/page'],
    ],
    ['a missing URL', `${head}links:\n  - slug: a\n`, ['4:5: links[0].url is required']],
    [
      'a slug twice',
      `${head}links:\n  ${link}\n  ${link.replace(' a', ' A')}\n`,
      ['5:13: the slug "A" appears twice: first in line 4'],
    ],
    [
      'a tag twice',
      `${head}tags: [{ name: News }, { name: news }]\nlinks: []\n`,
      ['3:32: the tag "news" appears twice: first in line 3'],
    ],
    [
      'a tag twice at a link',
      `${head}links:\n  ${link.replace(' }', ', tags: [x, X] }')}\n`,
      ['4:53: the tag "X" appears twice: first in line 4'],
    ],
    [
      'a tag twice in the defaults',
      `${head}defaults: { tags: [x, X] }\nlinks: []\n`,
      ['3:23: the tag "X" appears twice: first in line 3'],
    ],
    [
      'an external id twice',
      `${head}links:\n  - { slug: a, url: https://example.org/, externalId: x }\n  - { slug: b, url: https://example.org/, externalId: x }\n`,
      ['5:55: the externalId "x" appears twice: first in line 4'],
    ],
    [
      'a start after the end',
      `${head}defaults: { startsAt: 2032-01-01T00:00Z }\nlinks:\n  - slug: a\n    url: https://example.org/\n    expiresAt: 2031-01-01T00:00Z\n`,
      ['5:5: links[0].startsAt must be before "expiresAt"'],
    ],
    [
      'a slug of too many parts for forwarding paths',
      `${head}links:\n  - { slug: 1/2/3/4/5, url: https://example.org/, forwardPath: true }\n`,
      ['4:13: links[0].slug must have at most 4 parts with "forwardPath"'],
    ],
    [
      'a loop',
      `${head}links:\n  - slug: a\n    url: https://go.example.com/b\n`,
      ['5:10: links[0].url must not point to a short domain of this service'],
    ],
    [
      'a link that leaves the slug of another',
      `${head}links:\n  ${link}\n  - { slug: b, renamedFrom: A, url: https://example.org/ }\n`,
      ['5:29: renamedFrom "A" is the slug of the link in line 4, so no link can leave it'],
    ],
    [
      'two links that leave a slug',
      `${head}links:\n  - { slug: b, renamedFrom: a, url: https://example.org/ }\n  - { slug: c, renamedFrom: a, url: https://example.org/ }\n`,
      ['5:29: renamedFrom "a" appears twice: first in line 4'],
    ],
    [
      'an unknown YAML tag',
      `${head}links: !secret x\n`,
      [expect.stringMatching(/^3:8: Unresolved tag: !secret/) as unknown as string],
    ],
    [
      'two documents',
      `${head}links: []\n---\n${head}`,
      [expect.stringMatching(/^4:1: Source contains multiple documents/) as unknown as string],
    ],
  ];

  // YAML that has made other programs run code, change prototypes or misread values.
  const link1 = (more: string) => `${head}links:\n  - { slug: a, url: https://example.org/, ${more} }\n`;
  const slug = (written: string) => `${head}links:\n  - { slug: ${written}, url: https://example.org/ }\n`;
  const quoted = ['4:13: links[0].slug must be a string: put it in quotes'];
  const hostile: [string, string, string[]][] = [
    ['a function', link1('title: !!js/function "function () {}"'), ['4:50: Unresolved tag: tag:yaml.org,2002:js/function']],
    ['a regular expression', link1('title: !!js/regexp /a/'), ['4:50: Unresolved tag: tag:yaml.org,2002:js/regexp']],
    [
      'an object of Python',
      link1('title: !!python/object:os.system x'),
      ['4:50: Unresolved tag: tag:yaml.org,2002:python/object:os.system'],
    ],
    ['bytes', link1('title: !!binary aGk='), ['4:59: links[0].title must be a string']],
    ['a date', link1('title: !!timestamp 2001-01-01'), ['4:62: links[0].title must be a string']],
    [
      'a merge',
      `${head}defaults: &d { title: x }\nlinks:\n  - { <<: *d, slug: a, url: https://example.org/ }\n`,
      ['5:7: links[0].<< is not a field of a manifest'],
    ],
    ['a prototype', link1('__proto__: { title: x }'), ['4:43: links[0].__proto__ is not a field of a manifest']],
    ['a prototype in quotes', `${head}links: []\n"__proto__": { owner: x }\n`, ['4:1: __proto__ is not a field of a manifest']],
    ['a constructor', link1('constructor: x'), ['4:43: links[0].constructor is not a field of a manifest']],
    ['an inherited name', link1('toString: x'), ['4:43: links[0].toString is not a field of a manifest']],
    ['a number for a key', `${head}links: []\n1: x\n`, ['4:1: [1] is not a field of a manifest']],
    ['nothing for a key', `${head}links: []\n~: x\n`, ['4:1: ~ is not a field of a manifest']],
    ['a list for a key', `${head}links: []\n[a]: x\n`, ['4:1: With stringKeys, all keys must be strings']],
    ['an alias of itself', `${head}links: &a [*a]\n`, ['3:12: links[0] must be an object']],
    ['an unknown alias', `${head}links: *a\n`, ['1:1: Unresolved alias (the anchor must be set before the alias): a']],
    ['octal digits for a slug', slug('0o17'), quoted],
    ['zeros before a slug', slug('0017'), quoted],
    ['hexadecimal digits for a slug', slug('0x1f'), quoted],
    ['an exponent for a slug', slug('1e3'), quoted],
    ['a truth value for a slug', slug('true'), ['4:13: links[0].slug must be a string']],
    ['nothing for a slug', slug('~'), ['4:13: links[0].slug must not be null']],
    [
      'an older version of YAML, in which "no" is false,',
      `%YAML 1.1\n---\n${slug('no')}`,
      ['6:13: links[0].slug must be a string'],
    ],
    ['a NUL', `${head}links: []\0\n`, ['3:10: Unexpected scalar at node end']],
  ];
  test.for(hostile)('A manifest with %s is refused, and read as nothing else.', ([, text, faults]) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  test.for(['no', 'yes', 'on', '2020-01-01', '1_000', 'null-', '"123"', '!!str 123'])('A slug of %s is that text.', (written) => {
    expect(readManifest(slug(written)).links[0]?.wanted.slug).toBe(written.replace('!!str ', '').replaceAll('"', ''));
  });

  test.for<[string, string]>([
    ['lists in brackets', '['.repeat(20_000)],
    ['lists', '- '.repeat(20_000)],
    ['maps in braces', '{a: '.repeat(20_000)],
    ['lists in JSON', `{"links":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ])('A manifest of thousands of nested %s is refused.', ([, text]) => {
    expect(faultsOf(text)).toContainEqual(expect.stringMatching(/^1:\d+: it is nested too deeply$/));
  });

  test.for(wrong)('A manifest with %s is refused.', ([, text, faults]) => {
    expect(faultsOf(text)).toEqual(faults);
  });
});

test("A manifest has the API's fields of a link, and a default for each except slug, renamedFrom, url and isActive.", () => {
  const own = ['slug', 'renamedFrom', 'url', 'isActive'];
  expect(Object.keys(schema.link._zod.def.shape).sort()).toEqual([...Object.keys(settingDefaults), ...own].sort());
  const notShown = [
    'domain',
    'templateId',
    'customSlug',
    'password',
    'managedBy',
    'tagNames',
    'tagIds',
    ...Object.keys(utmFields),
  ];
  const api = Object.keys(createLink._zod.def.shape).filter((name) => !notShown.includes(name));
  expect(Object.keys(schema.link._zod.def.shape).sort()).toEqual([...api, 'slug', 'renamedFrom', 'tags'].sort());
});

test('The example is a valid manifest.', () => {
  expect(readManifest(readFileSync('examples/links.yaml', 'utf8')).links).toHaveLength(2);
});

test('An error in a value behind an anchor is found at the anchor.', () => {
  const text = `${head}defaults: { rules: &r [{ if: { os: [ios] }, url: nope }] }\nlinks:\n  - { slug: a, url: https://example.org/, rules: *r }\n`;
  expect(faultsOf(text)).toEqual([
    '3:50: defaults.rules[0].url must be an absolute URL, such as https://example.com/page',
    '3:50: links[0].rules[0].url must be an absolute URL, such as https://example.com/page',
  ]);
});

test('Thousands of links may have the same rules by an alias.', () => {
  const links = Array.from({ length: 3_000 }, (_, at) => `  - { slug: s${at}, url: https://example.org/, rules: *r }`);
  const defaults = 'defaults: { rules: &r [{ if: { os: [ios] }, url: https://example.org/ios }] }';
  expect(readManifest(`${head}${defaults}\nlinks:\n${links.join('\n')}\n`).links).toHaveLength(3_000);
});

test('A manifest whose aliases would fill the memory is refused.', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `  x${at + 1}: &x${at + 1} [${`*x${at}, `.repeat(9)}]`);
  expect(faultsOf(`${head}defaults:\n  x0: &x0 [a]\n${lines.join('\n')}\nlinks: []\n`)).toEqual([
    expect.stringMatching(/^1:1: Excessive alias count/),
  ]);
});

test('Any text is read, or refused with the place of each error.', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'owner',
      'domain',
      'links',
      'slug',
      'url',
      ': ',
      '- ',
      '\n',
      '\n  ',
      '{',
      '}',
      '[',
      ']',
      '&a ',
      '*a',
      '!!x ',
      "'",
      '"',
      '|',
      '#',
      '<<',
    ),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, hasHead) => {
      for (const fault of faultsOf((hasHead ? head : '') + pieces.join(''))) expect(fault).toMatch(/^[1-9]\d*:[1-9]\d*: ./s);
    }),
    { numRuns: runs(500) },
  );
});

test('A manifest may be written in JSON.', () => {
  const content = { owner: 'a', domain: 'a.example', links: [{ slug: 'a', url: 'https://example.org/' }] };
  expect(readManifest(JSON.stringify(content))).toMatchObject({ links: [{ wanted: { slug: 'a' } }] });
  expect(parse(stringify(content))).toEqual(content);
});

describe('The JSON Schema for editors', () => {
  const validate = () => addFormats.default(new Ajv.default({ strict: false })).compile(JSON.parse(manifestSchemaText()));

  test('It matches the code; npm run openapi updates it.', () => {
    expect(readFileSync('clients/links-as-code/links.schema.json', 'utf8')).toBe(manifestSchemaText());
  });

  test('It accepts what the command accepts, and names unknown keys.', () => {
    const content = {
      owner: 'a',
      domain: 'a.example',
      defaults: { tags: ['x'], cloaked: true },
      tags: [{ name: 'x' }],
      links: [{ slug: 'a', renamedFrom: 'b', url: 'https://example.org/', title: null, isActive: false, rules: [], tags: [] }],
    };
    const accepts = validate();
    expect([faultsOf(JSON.stringify(content)), accepts(content)]).toEqual([[], true]);
    for (const wrong of [
      { ...content, colour: 1 },
      { ...content, links: [{ ...content.links[0], password: 'x' }] },
    ]) {
      expect([faultsOf(JSON.stringify(wrong)).length, accepts(wrong)]).toEqual([1, false]);
    }
  });
});
