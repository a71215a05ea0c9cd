import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Link, linkDefaults } from '../../../../lambdas/core/link/link.ts';
import { stateOf } from '../../../../lambdas/core/link/state.ts';
import { type Decision, decide, type Visit } from '../../../../lambdas/core/visit/visit.ts';
import { runs } from '../../../support/run/proof.ts';

// A second implementation of the table in docs/visitors.md, row by row: each row says which visits it decides, and
// what they get. `decide` must agree with it on 10,000 random links and visits.

const now = Date.parse('2030-01-01T00:00:00Z');
const iso = (offset: number) => new Date(now + offset).toISOString();

type Row = readonly [row: string, decides: (link: Link, visit: Visit) => boolean, gets: (link: Link, visit: Visit) => Decision];
const refused = (why: Extract<Decision, { kind: 'refused' }>['why']) => (): Decision => ({ kind: 'refused', why });

const isBlocked = (url: string, { blocklist }: Visit) =>
  [...blocklist.hosts].some((host) => `.${new URL(url).host}`.endsWith(`.${host}`));
const fallback = (url: string | null, why: 'unknown' | 'expired' | 'used_up', visit: Visit): Decision => {
  if (url === null) return { kind: 'refused', why };
  return isBlocked(url, visit) ? { kind: 'refused', why: 'unknown' } : { kind: 'fallback', location: url };
};
const isCounted = (link: Link, { method, visitor, isPrefetch }: Visit) =>
  visitor === 'person' && !isPrefetch && (method === 'GET' || (method === 'POST' && link.confirmVisit));
const hides = ({ passwordHash, maxClicks, cloaked }: Link) => passwordHash !== null || maxClicks !== null || cloaked;

/** The system and device that the visits below send. */
const told = new WeakMap<Visit['agent'], { readonly os: string | undefined; readonly device: string | undefined }>();
const holdsFor = (visit: Visit) => {
  const agent = told.get(visit.agent);
  const [first = ''] = visit.languages.toLowerCase().split(',');
  return ({ if: wanted }: Link['rules'][number]) => {
    if (wanted.country && !wanted.country.some((code) => code === visit.country())) return false;
    if (wanted.device && !wanted.device.some((device) => device === agent?.device)) return false;
    if (wanted.os && !wanted.os.some((os) => os === agent?.os)) return false;
    if (wanted.language && !wanted.language.some((range) => `${first}-`.startsWith(`${range}-`))) return false;
    if (wanted.after && visit.now < Date.parse(wanted.after)) return false;
    if (wanted.before && visit.now >= Date.parse(wanted.before)) return false;
    const sent = visit.query.split('&').map((pair) => pair.replaceAll('+', ' '));
    return Object.entries(wanted.query ?? {}).every(([name, value]) => sent.includes(`${name}=${value}`));
  };
};
/** The same draw of a variant, on a logarithmic scale: the highest of ln(weight) - ln(-ln(u)). */
const drawn = ({ creationMark, id, variants }: Link, { sourceIp, agent }: Visit) => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const visitor = sha256(JSON.stringify([creationMark, id, sourceIp, agent.userAgent]));
  const draw = (of: (typeof variants)[number]) => {
    const u = (Number(BigInt(`0x${sha256(`${visitor}/${of.id}`)}`) >> 208n) + 0.5) / 2 ** 48;
    return Math.log(of.weight) - Math.log(-Math.log(u));
  };
  return variants.toSorted((one, other) => draw(other) - draw(one))[0];
};
const target = (link: Link, visit: Visit): { readonly url: string; readonly variant: string | undefined } => {
  const rule = link.rules.find(holdsFor(visit));
  const variant = rule ? undefined : drawn(link, visit);
  return { url: rule?.url ?? variant?.url ?? link.url, variant: variant?.id };
};
const onwards = (link: Link, visit: Visit) => {
  const { url, variant } = target(link, visit);
  const there = visit.behind === undefined ? url : `${url.replace(/\/$/, '')}/${visit.behind}`;
  const location = link.forwardParameters ? `${there}?${visit.query}` : there;
  return { location, variant, counted: isCounted(link, visit) };
};

const rows: readonly Row[] = [
  [
    'a path behind the slug of a link that takes none',
    ({ forwardPath }, { behind }) => behind !== undefined && !forwardPath,
    (_, visit) => fallback(visit.domain.notFoundUrl, 'unknown', visit),
  ],
  [
    'a link that is disabled, or leads to a blocked host',
    (link, visit) => !link.isActive || link.disabledAt !== null || isBlocked(link.url, visit),
    refused('unknown'),
  ],
  ['an image of the code', (_, { isCode, domain }) => isCode && domain.publicQr, () => ({ kind: 'code' })],
  ['an image of the code that the domain does not show', (_, { isCode }) => isCode, refused('unknown')],
  ['before startsAt', ({ startsAt }) => startsAt !== null && now < Date.parse(startsAt), refused('not_yet')],
  [
    'expired',
    ({ expiresAt }) => expiresAt !== null && now >= Date.parse(expiresAt),
    (link, visit) => fallback(link.expiredUrl ?? visit.domain.expiredUrl, 'expired', visit),
  ],
  ['a cap that was not read', ({ maxClicks }, { used }) => maxClicks !== null && used === undefined, () => ({ kind: 'unread' })],
  [
    'used up',
    ({ maxClicks }, { used }) => maxClicks !== null && Number(used) >= maxClicks,
    (link, visit) => fallback(link.expiredUrl ?? visit.domain.expiredUrl, 'used_up', visit),
  ],
  [
    'a card for a crawler',
    ({ description, image, passwordHash }, { visitor }) =>
      visitor === 'crawler' && (description !== null || image !== null) && passwordHash === null,
    () => ({ kind: 'card' }),
  ],
  ['blockBots', ({ blockBots }, { visitor }) => blockBots && visitor !== 'person', refused('bots_refused')],
  ['a preview that is refused', (link, { isPreview }) => isPreview && hides(link), refused('no_preview')],
  ['a preview', (_, { isPreview }) => isPreview, () => ({ kind: 'preview' })],
  ['a password', ({ passwordHash }, { mayPass }) => passwordHash !== null && !mayPass, refused('password_required')],
  [
    'a HEAD of a capped link',
    ({ maxClicks }, { method }) => maxClicks !== null && method === 'HEAD',
    () => ({ kind: 'withheld' }),
  ],
  [
    'a prefetch of a capped link',
    ({ maxClicks }, { isPrefetch }) => maxClicks !== null && isPrefetch,
    refused('prefetch_refused'),
  ],
  ['a bot on a capped link', ({ maxClicks }, { visitor }) => maxClicks !== null && visitor !== 'person', refused('bots_refused')],
  [
    "another site's confirmation",
    ({ confirmVisit }, { confirmation }) => confirmVisit && confirmation === 'cross_site',
    refused('cross_site_confirmation'),
  ],
  [
    'no confirmation',
    ({ confirmVisit }, { confirmation }) => confirmVisit && confirmation === 'none',
    () => ({ kind: 'confirm' }),
  ],
  ['a choice on a blocked host', (link, visit) => isBlocked(target(link, visit).url, visit), refused('unknown')],
  [
    'a frame',
    (link, visit) => link.cloaked && target(link, visit).url === link.url && link.unframeableUrl !== link.url,
    (link, visit) => ({ kind: 'frame', ...onwards(link, visit) }),
  ],
  [
    'pixels',
    ({ metaPixelId }, { acceptsPage, visitor, optsOut }) =>
      metaPixelId !== null && acceptsPage && visitor === 'person' && !optsOut,
    (link, visit) => ({ kind: 'pixels', ...onwards(link, visit) }),
  ],
  [
    'a confirmed POST',
    ({ confirmVisit }, { method }) => confirmVisit && method === 'POST',
    (link, visit) => ({ kind: 'redirect', status: 303, maxAge: 0, ...onwards(link, visit) }),
  ],
  [
    'everything else',
    () => true,
    (link, visit) => {
      const status = link.redirectType === 'PERMANENT_301' ? 301 : 302;
      return { kind: 'redirect', status, maxAge: status === 301 ? maxAge(link, visit) : 0, ...onwards(link, visit) };
    },
  ],
];

const maxAge = (link: Link, visit: Visit): number => {
  const isAlwaysAlike = link.rules.length + link.variants.length === 0 && !link.confirmVisit;
  const isPlain = link.passwordHash === null && link.maxClicks === null && link.metaPixelId === null;
  if (!isAlwaysAlike || !isPlain || !isCounted(link, visit)) return 0;
  const end = Math.min(visit.blocklist.asOf + 59_000, visit.domainAsOf + 59_000, Date.parse(link.expiresAt ?? iso(1e9)));
  return Math.max(0, Math.min(58, Math.floor((end - now) / 1_000)));
};

const often = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const seldom = <T>(usual: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
const anyUrl = fc.constantFrom(
  'https://example.org/',
  'https://www.example.org/a',
  'https://example.com/',
  'https://example.net/b',
  'https://notexample.net/',
);
const subset = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const anyConditions = fc.record(
  {
    country: subset(['AT', 'DE', 'FR']),
    device: subset(['mobile', 'desktop'] as const),
    os: subset(['ios', 'android', 'windows', 'macos', 'linux', 'chromeos'] as const),
    language: subset(['de', 'de-at', 'fr', 'en-gb']),
    after: fc.constantFrom(iso(-1), iso(0), iso(1)),
    before: fc.constantFrom(iso(-1), iso(0), iso(1)),
    query: fc.constantFrom<Record<string, string>[]>({ a: '1' }, { a: '2' }, { a: '1', b: 'x y' }),
  },
  { requiredKeys: [] },
);
const anyVariants = fc.uniqueArray(
  fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), url: anyUrl, weight: fc.integer({ min: 1, max: 9 }) }),
  {
    minLength: 2,
    maxLength: 4,
    selector: ({ id }) => id,
  },
);
const anyLink = fc
  .record({
    url: anyUrl,
    isActive: seldom(true, fc.constant(false)),
    disabledAt: seldom<string | null>(null, fc.constant(iso(-1e6))),
    startsAt: seldom<string | null>(null, fc.constantFrom(iso(-1), iso(0), iso(1))),
    expiresAt: seldom<string | null>(null, fc.constantFrom(iso(-1), iso(0), iso(1), iso(9_999))),
    expiredUrl: often(anyUrl),
    title: often(fc.constant('Title')),
    description: often(fc.constant('Text')),
    image: often(anyUrl),
    redirectType: fc.constantFrom('PERMANENT_301' as const, 'TEMPORARY_302' as const),
    cloaked: seldom(false, fc.constant(true)),
    unframeableUrl: often(anyUrl),
    forwardParameters: fc.boolean(),
    forwardPath: fc.boolean(),
    blockBots: seldom(false, fc.constant(true)),
    passwordHash: seldom<string | null>(null, fc.constant('$argon2id$')),
    maxClicks: often(fc.integer({ min: 1, max: 3 })),
    confirmVisit: fc.boolean(),
    rules: fc.oneof(fc.constant([]), fc.array(fc.record({ if: anyConditions, url: anyUrl }), { maxLength: 4 })),
    variants: fc.oneof(fc.constant([]), anyVariants),
    metaPixelId: seldom<string | null>(null, fc.constant('1')),
  })
  .map(
    (settings): Link => ({
      ...linkDefaults,
      id: 'lnk_x',
      workspaceId: 'ws_x',
      domain: 'go.example.com',
      domainId: 'dom_x',
      shortCode: 'slug',
      creationMark: 'req_x#0',
      createdAt: iso(-1e9),
      updatedAt: iso(-1e9),
      ...settings,
    }),
  );

const agentOf = (userAgent: string, platform: string, os: string | undefined, device: string | undefined) => {
  const agent = { userAgent, platform, brands: '', mobile: '' };
  told.set(agent, { os, device });
  return agent;
};
const agents = [
  agentOf('Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)', '', 'ios', 'mobile'),
  agentOf('Mozilla/5.0 (Linux; Android 14)', '', 'android', 'mobile'),
  agentOf('Mozilla/5.0 (Windows NT 10.0)', '', 'windows', 'desktop'),
  agentOf('Mozilla/5.0 (Windows NT 10.0)', '"macOS"', 'macos', 'desktop'),
  agentOf('curl/8.5.0', '', undefined, undefined),
];
const anyVisit = fc.record({
  method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST'),
  behind: seldom<string | undefined>(undefined, fc.constantFrom('x', 'x/y/', '%3F')),
  visitor: fc.constantFrom('person', 'person', 'person', 'bot', 'crawler'),
  isPrefetch: seldom(false, fc.constant(true)),
  isPreview: seldom(false, fc.constant(true)),
  isCode: seldom(false, fc.constant(true)),
  acceptsPage: fc.boolean(),
  optsOut: fc.boolean(),
  mayPass: fc.boolean(),
  confirmation: fc.constantFrom('none', 'given', 'given', 'cross_site'),
  query: fc.constantFrom('a=1', 'a=2&b=3', 'b=x+y&a=1', 'c='),
  now: fc.constant(now),
  blocklist: fc.record({
    hosts: seldom<ReadonlySet<string>>(new Set(), fc.constantFrom(new Set(['example.net']), new Set(['example.org']))),
    asOf: fc.integer({ min: now - 70_000, max: now }),
  }),
  domain: fc.record({
    rootUrl: fc.constant(null),
    notFoundUrl: often(anyUrl),
    expiredUrl: often(anyUrl),
    publicQr: fc.boolean(),
  }),
  domainAsOf: fc.integer({ min: now - 70_000, max: now }),
  used: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 9 }),
  sourceIp: fc.ipV4(),
  agent: fc.constantFrom(...agents),
  languages: fc.constantFrom('', '*', 'de', 'de-AT,en', 'FR-fr,de;q=0.9', 'en-GB', 'den'),
  country: fc.constantFrom(
    () => undefined,
    () => 'AT',
    () => 'DE',
  ),
}) as fc.Arbitrary<Visit>;

test('Any visit of any link gets what the first matching row of the table says, and each row decides some.', () => {
  const decided = new Map(rows.map(([row]) => [row, 0]));
  fc.assert(
    fc.property(anyLink, anyVisit, (link, visit) => {
      const [row, , gets] = rows.find(([, decides]) => decides(link, visit)) as Row;
      decided.set(row, (decided.get(row) ?? 0) + 1);
      expect(decide(link, visit), row).toEqual(gets(link, visit));
    }),
    { numRuns: runs(10_000) },
  );
  for (const [row, count] of decided) expect(count, row).toBeGreaterThan(0);
});

/** The states of links by the rows that turn visitors away; all other rows are about active links. */
const turnedAway: Readonly<Record<string, (link: Link, visit: Visit) => string>> = {
  'a link that is disabled, or leads to a blocked host': (link, visit) => {
    if (link.disabledAt !== null) return 'disabled';
    return isBlocked(link.url, visit) ? 'blocked' : 'inactive';
  },
  'before startsAt': () => 'scheduled',
  expired: () => 'expired',
  'a cap that was not read': () => 'unread',
  'used up': () => 'used_up',
};

test('A link has the state of the row that turns its visitors away, and is active or pending if there is none.', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyLink, anyVisit, fc.boolean(), (link, visit, pending) => {
      // An image of the code ignores some states, and a path that the link does not forward ignores all.
      const [row] = rows.find(([, decides]) => decides(link, { ...visit, isCode: false, behind: undefined })) as Row;
      const { blocklist, used } = visit;
      const state = stateOf(link, { blocked: blocklist.hosts, now: visit.now, used, pending });
      seen.add(state);
      expect(state, row).toBe(turnedAway[row]?.(link, visit) ?? (pending ? 'pending' : 'active'));
    }),
    { numRuns: runs(10_000) },
  );
  expect(seen.size).toBe(9);
});

test('Without a link, every visit gets the fallback of the domain, or the refusal of an unknown link.', () => {
  fc.assert(
    fc.property(anyVisit, (visit) => {
      expect(decide(undefined, visit)).toEqual(fallback(visit.domain.notFoundUrl, 'unknown', visit));
    }),
  );
});
