import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { limitsByName } from './support/docs/limits-table.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const limits = new Set(limitsByName.values());

/** The sources that must read their limits from lambdas/core/limits.ts. */
const sources = globSync('{lambdas,lib,openapi,migration,manifest,clients}/**/*.{ts,tsx}', {
  exclude: ['**/dist/**', '**/node_modules/**', 'lambdas/core/limits.ts', 'clients/typescript/openapi.ts'],
});

/** What limits are about: words of their names, such as links, slug and password. */
const subjects = [...new Set([...limitsByName.keys()].flatMap((name) => name.match(/^[a-z]+/) ?? []))].filter(
  (word) => !['most', 'bytes'].includes(word),
);

/**
 * What comes before a number that is a bound: of a repetition in a regular expression, of the start of a text or list, of
 * a length, in a schema, of a constant with the name of such a thing, or in a sentence.
 */
const bounds = [
  String.raw`\{[01],`,
  String.raw`\.slice\(0, `,
  String.raw`\b(?:length|size|byteLength\(\w+\)) [<>]=? `,
  String.raw`\b(?:maxLength|maximum|max|lte|lt)\(`,
  String.raw`\b(?:maxLength|maxItems|maxProperties|maximum): `,
  String.raw`\bconst \w*(?:${subjects.join('|')})\w*(?<!Ms) = `,
  String.raw`\b(?:at most|up to|newest|1 to) `,
];
const bounded = new RegExp(`(?:${bounds.join('|')})(\\d[\\d_,]*)`, 'gi');

/** Smaller numbers are also many other things. */
const distinctive = 20;

/** The places of a source where the number of a limit is a bound. */
const limitsIn = (text: string): string[] =>
  [...text.matchAll(bounded)].flatMap(([place, written = '']) => {
    const number = Number(written.replace(/[_,]/g, ''));
    return number >= distinctive && limits.has(number) ? [place] : [];
  });

/** Bounds that have the number of a limit by chance, and what they bound. */
const others: readonly (readonly [file: string, place: string, what: string])[] = [
  ['clients/links-as-code/read.ts', 'const mostAliases = 10_000', 'aliases of YAML in a manifest'],
  ['clients/migration/pace.ts', 'at most 1,000', 'links that DynamoDB creates in a second'],
  ['lambdas/core/report/reporter.ts', '.slice(0, 32', 'digits of a hash'],
  ['lambdas/core/visit/password-guesses.ts', '.slice(0, 32', 'digits of a hash'],
  ['lambdas/core/visitor/visitor-hash.ts', '.slice(0, 32', 'digits of a hash'],
  ['lambdas/core/webhook/delivery.ts', '.slice(0, 32', 'digits of a hash'],
  ['lambdas/core/link/location.ts', '.slice(0, 32', 'digits of a hash'],
  ['lambdas/store/table/keys.ts', '.slice(0, 32', 'digits of a hash'],
  ['clients/smoke/steps.ts', 'const importedLinks = 30', 'links that are imported as a trial'],
  ['clients/typescript/problem.ts', '.slice(0, 200', 'characters of a response that is not a problem document'],
  ['lambdas/core/host/host.ts', 'length > 255', 'characters of a DNS name'],
  ['lambdas/core/ids.ts', 'up to 32', 'letters and digits of a token of ACM'],
  ['lambdas/core/link/link.ts', 'up to 20', 'marks that a tombstone keeps'],
  ['lambdas/core/tag/tag.ts', 'length > 1024', 'characters that are normalised, far more than a name has'],
  ['lambdas/core/tag/tag.ts', 'at most 1,024', 'bytes of a sort key of DynamoDB'],
  ['lambdas/store/links/import-transactions.ts', 'up to 100', 'writes of a transaction of DynamoDB'],
  ['lambdas/store/links/tagging.ts', 'const mostLinks = 50', 'of the largest links that fit into a transaction of DynamoDB'],
  ['lambdas/store/links/list.ts', 'at most 100', 'keys of a batch read of DynamoDB'],
  ['lambdas/store/links/list.ts', 'length < 100', 'keys of a batch read of DynamoDB'],
  ['lambdas/store/links/list.ts', 'const mostEntries = 10_000', 'entries that a page with a filter looks at'],
  ['lambdas/store/links/list.ts', 'const mostReads = 1_000', 'links that a page with a filter reads'],
  ['lambdas/operator/workspace-deletion.ts', 'length < 100', 'keys that are deleted together'],
  ['lambdas/operator/workspace-deletion.ts', 'up to 60', 'seconds for which the gateway remembers a key'],
  ['lambdas/store/hosts/destinations.ts', 'at most 50', 'seconds'],
  ['lambdas/operator/recount.ts', 'const linksPerRead = 1_000', 'links that are read at once'],
  ['lambdas/operator/recount.ts', 'up to 20', 'a sequence number of an example'],
  ['lambdas/outbound/certificates.ts', 'const certificatesPerCall = 1_000', 'certificates on a page of AWS'],
  ['lambdas/outbound/gateway-keys.ts', 'const keysPerCall = 500', 'gateway keys on a page of AWS'],
  ['lib/stages/settings.ts', 'const mostWebhooksASecond = 500', 'webhooks a second'],
  ['lib/stages/stages.ts', '{1,20', "characters of a stage's name"],
  ['lib/stages/stages.ts', '1 to 20', "characters of a stage's name"],
  ['openapi/fields.ts', 'up to 100,', 'days of a series'],
  ['openapi/operations.ts', 'at most 10,000', 'entries that a page with a filter looks at'],
];

test('No source except lambdas/core/limits.ts has the number of a limit as a bound.', () => {
  const found = sources.flatMap((file) => limitsIn(read(file)).map((place) => `${file}: ${place}`));
  expect(found.sort()).toEqual(others.map(([file, place]) => `${file}: ${place}`).sort());
});

test.for([
  'const isSlug = /^[A-Za-z0-9_-]{1,64}$/;',
  'const name = [...allowed].slice(0, 64);',
  'z.array(link).check(z.maxLength(1_000))',
  'const mostLinks = 1_000;',
  'if (links.length > 1000) throw tooMany();',
  "description: 'Imports up to 1,000 links.'",
  '/** At most 20 tags. */',
  'tagIds: { maxItems: 20 },',
])('The search for numbers finds that of %s', (line) => {
  expect(limitsIn(line)).toHaveLength(1);
});

describe('The documents', () => {
  const documents = [
    'README.md',
    'SECURITY.md',
    'openapi.json',
    'clients/typescript/README.md',
    ...globSync('docs/**/*.md'),
  ].filter((file) => !/decisions/.test(file));
  const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const numberIn = (text: string) => (words.includes(text) ? words.indexOf(text) : Number(text.replaceAll(',', '')));
  /** The maximums in documents, and the limits that they may mean. */
  const claims: readonly (readonly [pattern: RegExp, ...names: string[]])[] = [
    [/([\d,]+|\w+) (?:tag ids|tags)\b/, 'tagsPerLink', 'tagsPerWorkspace'],
    [/([\d,]+|\w+) webhooks\b(?! are sent)/, 'webhooksPerWorkspace'],
    [/([\d,]+|\w+) domains\b/, 'domainsPerWorkspace', 'managedDomainsPerWorkspace'],
    [/([\d,]+|\w+) different passwords\b/, 'passwordsPerImport'],
    [/[\d,]+ different passwords and ([\d,]+) different hosts\b/, 'hostsPerImport'],
    [/([\d,]+|\w+) imports\b/, 'bulkRequests.quota'],
    [/([\d,]+|\w+) (?:bulk )?updates and deletions\b/, 'bulkChanges.quota'],
    [/([\d,]+|\w+) https URLs\b/, 'webhooksPerLink'],
    [/([\d,]+|\w+) bytes of JSON\b/, 'routingBytes'],
  ];

  test.for(claims)('The limits of %s in documents are in lambdas/core/limits.ts.', ([pattern, ...names]) => {
    const allowed = names.map((name) => limitsByName.get(name));
    const all = new RegExp(String.raw`\b(?:at most|[uU]p to|more than|may have|may send|has|have)\s+${pattern.source}`, 'g');
    const said = documents.flatMap((file) =>
      [...read(file).matchAll(all)].map(([text, number = '']) => [file, text, numberIn(number)] as const),
    );
    const numbers = said.filter(([, , number]) => !Number.isNaN(number));
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers.filter(([, , number]) => !allowed.includes(number))).toEqual([]);
  });
});
