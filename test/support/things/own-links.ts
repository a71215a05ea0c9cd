import fc from 'fast-check';
import type { Link } from '../../../clients/migration/api.ts';
import { anyCharacter } from '../run/any-character.ts';

/** A text as the service keeps it: well-formed, without NUL. An empty one is not distinguished from none. */
const text = fc
  .oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom("'", '=', '-', ' ', '"', '\t', '\r', '\n', ';', ',', '|', 'a'),
      minLength: 1,
      maxLength: 12,
    }),
    fc.constantFrom('NULL', '\\N', '\\"x'),
  )
  .map((one) => one.replaceAll('\0', 'x').toWellFormed());

const url = fc
  .tuple(fc.stringMatching(/^[a-z0-9]{1,8}$/), fc.stringMatching(/^[a-z0-9;,|'=+@-]{0,12}$/))
  .map(([host, path]) => `https://${host}.example.org/${path}`);

const orNone = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 1 });
const time = (from: number, to: number) =>
  fc.integer({ min: Date.UTC(from), max: Date.UTC(to) }).map((at) => new Date(at).toISOString());

const rule = fc.record({
  if: fc.oneof(
    fc.record({ os: fc.constant(['ios']) }),
    fc.record({ device: fc.constant(['mobile', 'desktop']), language: fc.constant(['de-at']) }),
    fc.record({
      query: fc.dictionary(fc.stringMatching(/^[a-z;=]{1,5}$/), text, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
    }),
    fc.record({ after: time(2030, 2031), before: time(2032, 2033) }),
  ),
  url,
});

/** The fields of links that an export has. */
const fields = {
  url,
  title: orNone(text),
  description: orNone(text),
  image: orNone(url),
  notes: orNone(text),
  redirectType: fc.constantFrom('PERMANENT_301', 'TEMPORARY_302'),
  isActive: fc.boolean(),
  cloaked: fc.boolean(),
  forwardParameters: fc.boolean(),
  forwardPath: fc.boolean(),
  hideReferrer: fc.boolean(),
  isArchived: fc.boolean(),
  blockBots: fc.boolean(),
  confirmVisit: fc.boolean(),
  rules: fc.array(rule, { maxLength: 2 }),
  variants: fc.oneof(
    fc.constant([]),
    fc.uniqueArray(fc.record({ id: fc.stringMatching(/^[a-z0-9]{1,8}$/), url, weight: fc.integer({ min: 1, max: 100 }) }), {
      selector: ({ id }) => id,
      minLength: 2,
      maxLength: 3,
    }),
  ),
  startsAt: orNone(time(2001, 2040)),
  expiresAt: orNone(time(2041, 2090)),
  expiredUrl: orNone(url),
  maxClicks: orNone(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  managedBy: orNone(fc.stringMatching(/^[a-z0-9-]{1,8}$/).map((owner) => `${owner}@go.example.com`)),
  metaPixelId: orNone(fc.stringMatching(/^[0-9]{1,32}$/)),
  googleTagId: orNone(fc.stringMatching(/^G-[A-Z0-9]{1,32}$/)),
  webhookUrls: orNone(
    fc
      .uniqueArray(
        url.filter((one) => !one.includes(',')),
        { minLength: 1, maxLength: 3 },
      )
      .map((all) => all.join(',')),
  ),
  tags: fc.uniqueArray(fc.constantFrom('News', 'Ärger 2', '-dash', 'under_score', 'ẞ', '日本'), { maxLength: 4 }),
};

const ofLink = fc.record(fields);

/** Links of a workspace, of all kinds: each with slugs and an external id that no other has. */
export const ownLinks = (most: number) =>
  fc
    .array(fc.tuple(ofLink, fc.constantFrom('', '-', 'Up', '_'), fc.nat({ max: 2 }), fc.boolean()), {
      minLength: 1,
      maxLength: most,
    })
    .map((all) =>
      all.map(([link, prefix, aliases, hasExternalId], index) => ({
        ...link,
        shortCode: `${prefix}s${index}`,
        aliases: Array.from({ length: aliases }, (_, number) => `${prefix}a${index}-${number}`),
        externalId: hasExternalId ? `ext:${index}~x` : null,
      })),
    );

export type OwnLink = ReturnType<typeof ownLinks> extends fc.Arbitrary<(infer One)[]> ? One : never;

/** A link as the API shows it. */
export const shown = ({ tags, ...link }: OwnLink): Link =>
  ({
    ...link,
    id: 'lnk_x',
    domain: 'go.example.com',
    tags: tags.map((name) => ({ id: `tag_${name}`, name, color: '#000000' })),
    hasPassword: false,
    clickCount: 0,
    state: 'active',
    lastClickedAt: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }) as unknown as Link;

/** The exported fields of a link, in the same form for links of the generator and of the API. */
export const carried = (link: Link | OwnLink) => ({
  ...Object.fromEntries(
    [...Object.keys(fields), 'shortCode', 'aliases', 'externalId'].map((name) => [name, link[name as keyof typeof link]]),
  ),
  tags: link.tags.map((tag) => (typeof tag === 'string' ? tag : tag.name)),
});
