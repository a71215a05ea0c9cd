import fc from 'fast-check';
import type { Passage } from '../faults/proxy.ts';
import type { Doing } from './client.ts';

export const names = [['Alpha', 'ALPHA', 'alpha'], ['Straße', 'STRASSE'], ['Übung', 'übung'], ['10 days'], ['9 days']].flatMap(
  ([first = '', ...others]) => [first, ...others].map((name) => ({ name, folded: first })),
);
/** Few, so that they collide, also in different cases. */
const slugs = ['summer', 'SUMMER', 'Sale', 'sale', 'docs', 'jobs'];

const of = <K extends string>(kind: K) => fc.constant(kind);
const number = fc.nat(50);
/** Mostly few links, so that changes meet. */
const link = fc.oneof({ arbitrary: fc.nat(2), weight: 8 }, { arbitrary: fc.integer({ min: 40, max: 50 }), weight: 1 });
/** Few, so that links compete for them. */
export const externalIds = ['page:1', 'page:2', 'Page:1'];
const externalId = fc.constantFrom(...externalIds);
const limit = fc.integer({ min: 1, max: 5 });
const domain = fc.constantFrom(0, 0, 0, 1);
const name = fc.constantFrom(...names);
const slug = fc.constantFrom(...slugs);
const title = fc.constantFrom('One', 'Two', 'Three');
const condition = fc.constantFrom(undefined, undefined, 'current' as const, 'current' as const, 'stale' as const);
const url = fc.constantFrom('https://example.org/1', 'https://example.org/2', 'https://example.org/3');
const tags = fc.array(number, { maxLength: 3 });
const links = fc.array(fc.oneof(link, number), { minLength: 1, maxLength: 4 });
/** Few, so that some links stay. */
const gone = fc.array(number, { minLength: 1, maxLength: 2 });

const createTag = fc.record({ kind: of('create-tag'), name });
const renameTag = fc.record({ kind: of('rename-tag'), tag: number, name });
const deleteTag = fc.record({ kind: of('delete-tag'), tag: number });
const createLink = fc.record({
  kind: of('create-link'),
  domain,
  entry: fc.record({ url, customSlug: slug, title, externalId }, { requiredKeys: ['url'] }),
  tags,
  copies: fc.constantFrom(0, 0, 1, 2),
});
const putLink = fc.record({
  kind: of('put-link'),
  domain,
  externalId,
  entry: fc.record({ url, customSlug: slug, title }, { requiredKeys: ['url'] }),
  tags,
});
const identify = fc.record({
  kind: of('update-link'),
  link,
  fields: fc.record({ externalId: fc.option(externalId, { freq: 2 }), title }, { requiredKeys: ['externalId'] }),
  condition,
});
const repeatLink = fc.record({ kind: of('repeat-link'), earlier: number, isAltered: fc.boolean() });
const retag = fc.record({
  kind: of('update-link'),
  link,
  fields: fc.record({ title }, { requiredKeys: [] }),
  tags,
  condition,
});
const settings = fc.record({
  kind: of('update-link'),
  link,
  fields: fc.record(
    {
      title: fc.option(title, { freq: 1 }),
      url: fc.constantFrom('https://example.org/new', 'https://example.com/other'),
      maxClicks: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 1 }),
      isArchived: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  condition,
});
const rename = fc.record({
  kind: of('update-link'),
  link,
  fields: fc.record({ customSlug: slug, title }, { requiredKeys: ['customSlug'] }),
  condition,
});
const removeAlias = fc.record({ kind: of('remove-alias'), link, slug });
const deleteLink = fc.record({ kind: of('delete-link'), link: number, condition });
const getLink = fc.record({ kind: of('get-link'), link: number });
const lookUp = fc.record({ kind: of('look-up'), domain, slug });
const list = fc.record(
  {
    kind: of('list'),
    limit,
    tag: number,
    domain,
    q: fc.constantFrom('one', 'SALE', 'example.com', 'e'),
    archived: fc.constantFrom('true', 'any'),
    isRanked: fc.boolean(),
  },
  { requiredKeys: ['kind', 'limit'] },
);
const listTag = fc.record({ kind: of('list-tag'), tag: number, limit });
const entry = fc.record(
  {
    url: fc.oneof({ arbitrary: url, weight: 3 }, { arbitrary: fc.constant('ftp://example.org/'), weight: 1 }),
    customSlug: slug,
    title,
  },
  { requiredKeys: ['url'] },
);
const bulk = fc.record({
  kind: of('import'),
  entries: fc.array(entry, { minLength: 1, maxLength: 4 }),
  copies: fc.constantFrom(1, 1, 2),
});
const repeatImport = fc.record({ kind: of('repeat-import'), earlier: number });
const updateMany = fc.record(
  { kind: of('update-many'), links, fields: fc.record({ title }, { requiredKeys: [] }), tags },
  { requiredKeys: ['kind', 'links', 'fields'] },
);
const deleteMany = fc.record({ kind: of('delete-many'), links: gone });

const doing: fc.Arbitrary<Doing> = fc.oneof(
  { arbitrary: createTag, weight: 3 },
  { arbitrary: renameTag, weight: 2 },
  { arbitrary: deleteTag, weight: 2 },
  { arbitrary: createLink, weight: 6 },
  { arbitrary: putLink, weight: 4 },
  { arbitrary: identify, weight: 2 },
  { arbitrary: repeatLink, weight: 1 },
  { arbitrary: retag, weight: 5 },
  { arbitrary: settings, weight: 3 },
  { arbitrary: rename, weight: 4 },
  { arbitrary: removeAlias, weight: 2 },
  { arbitrary: deleteLink, weight: 2 },
  { arbitrary: getLink, weight: 1 },
  { arbitrary: lookUp, weight: 2 },
  { arbitrary: list, weight: 3 },
  { arbitrary: listTag, weight: 1 },
  { arbitrary: bulk, weight: 2 },
  { arbitrary: repeatImport, weight: 1 },
  { arbitrary: updateMany, weight: 3 },
  { arbitrary: deleteMany, weight: 1 },
);

const fault = fc.constantFrom<Passage>('throttle', 'lost-before', 'lost-after', 'lost-after', 'conflict');
/** Lets `count` calls pass first. Any request makes 1 to 10 store calls. */
const after = <T extends Passage>(count: number, then: readonly T[]) => [...Array<Passage>(count).fill('pass'), ...then];
const upTo8 = fc.nat(8);
const passages: fc.Arbitrary<readonly Passage[]> = fc.oneof(
  { arbitrary: fc.constant([]), weight: 40 },
  {
    arbitrary: fc
      .array(fc.tuple(upTo8, fault), { minLength: 1, maxLength: 4 })
      .map((several) => several.flatMap(([count, one]) => after(count, [one]))),
    weight: 60,
  },
  // More faults in a row than a call has attempts, so the client gets 503, whatever has been done by then.
  { arbitrary: fc.tuple(upTo8, fault).map(([count, one]) => after(count, Array<Passage>(6).fill(one))), weight: 25 },
  { arbitrary: upTo8.map((count) => after(count, ['slow'])), weight: 1 },
);

const alone = doing.map((one) => [one]);
const together = fc.array(doing, { minLength: 2, maxLength: 4 });
/** Several changes of one link and few tags. Only one of them can have read those in their earlier state. */
const few = fc.nat(2);
const crowd = fc
  .tuple(few, fc.array(retag, { minLength: 2, maxLength: 3 }), fc.array(few, { minLength: 1, maxLength: 2 }), fc.option(few))
  .map(([link, retags, tags, removed]): Doing[] => [
    ...retags.map((one, index) => (index === 0 ? { ...one, link, tags } : { ...one, link })),
    ...(removed === null ? [] : [{ kind: 'delete-tag' as const, tag: removed }]),
  ]);
/** Links that compete for few slugs, of which some are given up. */
const named = fc.array(fc.oneof(rename, rename, createLink, removeAlias, deleteLink, lookUp), { minLength: 2, maxLength: 4 });
/** Links that compete for few external ids, of which some are given up. */
const identified = fc.array(fc.oneof(putLink, putLink, identify, createLink, deleteLink), { minLength: 2, maxLength: 4 });
/** A list in the smallest pages, while links are created, changed and deleted. */
const beside = fc
  .tuple(
    fc.oneof({ arbitrary: fc.record({ kind: of('list'), limit }), weight: 3 }, { arbitrary: list, weight: 1 }),
    fc.array(fc.oneof(createLink, createLink, deleteLink, deleteMany, retag, rename), { minLength: 1, maxLength: 3 }),
  )
  .map(([one, others]): Doing[] => [{ ...one, limit: 1 }, ...others]);

/** What every run starts with: enough links for several pages, and for bulk changes. */
export const first: readonly Doing[] = [
  { kind: 'import', entries: ['1', '2', '3', '3'].map((path) => ({ url: `https://example.org/${path}` })), copies: 1 },
  ...names.slice(0, 4).map((name) => ({ kind: 'create-tag' as const, name })),
];

/** What every run does then. Few random changes are of caps and external ids, so these are not left to chance. */
export const second: readonly Doing[] = [
  { kind: 'update-link', link: 0, fields: { maxClicks: 5, externalId: 'page:1' }, condition: undefined },
  { kind: 'update-link', link: 1, fields: { maxClicks: 3, title: 'Capped', externalId: 'page:2' }, condition: undefined },
];

/** What a client does concurrently, and what happens to the store calls meanwhile. */
export const steps: readonly fc.Arbitrary<[Doing[], readonly Passage[]]>[] = [
  alone,
  together,
  crowd,
  named,
  identified,
  beside,
].map((doings) => fc.tuple(doings as fc.Arbitrary<Doing[]>, passages));
