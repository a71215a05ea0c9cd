import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { domainDefaults } from '../../../../lambdas/core/domain/domain.ts';
import { forwardPath } from '../../../../lambdas/core/link/forwarding.ts';
import { type Link, linkDefaults } from '../../../../lambdas/core/link/link.ts';
import { type Decision, decide, type Visit } from '../../../../lambdas/core/visit/visit.ts';
import { runs } from '../../../support/run/proof.ts';

const now = Date.parse('2030-01-01T00:00:00Z');
const url = 'https://example.org/page?from=link';

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1';
const over = 'https://example.org/over';

const linkOf = (settings: Partial<Link> = {}): Link => ({
  ...linkDefaults,
  id: 'lnk_x',
  workspaceId: 'ws_x',
  domain: 'go.example.com',
  domainId: 'dom_x',
  shortCode: 'slug',
  url,
  creationMark: 'req_x#0',
  createdAt: '2029-01-01T00:00:00.000Z',
  updatedAt: '2029-01-01T00:00:00.000Z',
  ...settings,
});
const visitOf = (more: Partial<Visit> = {}): Visit => ({
  method: 'GET',
  visitor: 'person',
  isPrefetch: false,
  isPreview: false,
  isCode: false,
  acceptsPage: true,
  optsOut: false,
  mayPass: false,
  confirmation: 'none',
  query: 'utm=1',
  now,
  blocklist: { hosts: new Set(), asOf: now },
  domain: domainDefaults,
  domainAsOf: now,
  used: 1,
  sourceIp: '192.0.2.7',
  agent: { userAgent: iphone, brands: '', platform: '', mobile: '' },
  languages: 'de-AT,en;q=0.5',
  country: () => 'AT',
  ...more,
});
const refused = (why: string) => ({ kind: 'refused', why });
const redirected = (more: object = {}) => ({ kind: 'redirect', status: 302, location: url, counted: true, maxAge: 0, ...more });

const card = { description: 'Text' };
const locked = { passwordHash: '$argon2id$' };
const capped = { maxClicks: 2 };
const blocked = { blocklist: { hosts: new Set(['example.org']), asOf: now } };
const ruled = { rules: [{ if: { country: ['AT'] }, url: 'https://example.org/at' }] };
const early = { startsAt: '2030-01-01T00:00:00.001Z' };
const varied = {
  variants: [
    { id: 'a', url: 'https://example.org/a', weight: 1 },
    { id: 'b', url: 'https://example.org/b', weight: 0 },
  ],
};
const past = { expiresAt: '2029-12-31T23:59:59.999Z' };
const shows = { ...domainDefaults, publicQr: true };
const pixel = { metaPixelId: '1' };

test('Without a link, a visit gets the response for an unknown link.', () => {
  expect(decide(undefined, visitOf())).toEqual(refused('unknown'));
});

describe('The table of decisions', () => {
  test.for<[string, Partial<Link>, Partial<Visit>, object]>([
    ['disabled', { isActive: false }, {}, refused('unknown')],
    ['disabled before expired', { isActive: false, ...past }, {}, refused('unknown')],
    ['disabled by the operator', { disabledAt: '2029-12-31T00:00:00.000Z' }, {}, refused('unknown')],
    ['disabled by the operator before expired', { disabledAt: '2029-12-31T00:00:00.000Z', ...past }, {}, refused('unknown')],
    ['a blocked destination', {}, blocked, refused('unknown')],
    ['a blocked destination before expired', past, blocked, refused('unknown')],
    ['a blocked destination before a password', locked, blocked, refused('unknown')],
    ['a destination under a blocked host', { url: 'https://www.example.org/' }, blocked, refused('unknown')],
    [
      'a destination that looks like a blocked one',
      { url: 'https://notexample.org/' },
      blocked,
      redirected({ location: 'https://notexample.org/' }),
    ],
    ['expired', past, {}, refused('expired')],
    ['expired at this millisecond', { expiresAt: '2030-01-01T00:00:00.000Z' }, {}, refused('expired')],
    ['expiring in a millisecond', { expiresAt: '2030-01-01T00:00:00.001Z' }, {}, redirected()],
    ['expired before used up', { ...past, maxClicks: 1 }, {}, refused('expired')],
    ['used up', { maxClicks: 2 }, { used: 2 }, refused('used_up')],
    ['used beyond its cap', { maxClicks: 1 }, { used: 2 }, refused('used_up')],
    ['used up before a crawler', { ...card, maxClicks: 2 }, { visitor: 'crawler', used: 2 }, refused('used_up')],
    ['disabled before a cap that was not read', { isActive: false, ...capped }, { used: undefined }, refused('unknown')],
    ['expired before a cap that was not read', { ...past, ...capped }, { used: undefined }, refused('expired')],
    ['a cap that was not read', capped, { used: undefined }, { kind: 'unread' }],
    [
      'a cap that was not read, before a card',
      { ...card, ...capped },
      { visitor: 'crawler', used: undefined },
      { kind: 'unread' },
    ],
    ['a cap that was not read, before a password', { ...locked, ...capped }, { used: undefined }, { kind: 'unread' }],
    ['no cap to read', {}, { used: undefined }, redirected()],
    ['not started', early, {}, refused('not_yet')],
    ['disabled before not started', { ...early, isActive: false }, {}, refused('unknown')],
    ['a blocked destination before not started', early, blocked, refused('unknown')],
    ['not started before a cap that was not read', { ...early, ...capped }, { used: undefined }, refused('not_yet')],
    ['not started before a card', { ...early, ...card }, { visitor: 'crawler' }, refused('not_yet')],
    ['starting at this millisecond', { startsAt: '2030-01-01T00:00:00.000Z' }, {}, redirected()],
    ["expired, with the link's fallback", { ...past, expiredUrl: over }, {}, { kind: 'fallback', location: over }],
    ["used up, with the link's fallback", { maxClicks: 1, expiredUrl: over }, { used: 1 }, { kind: 'fallback', location: over }],
    [
      "the link's fallback before the domain's",
      { ...past, expiredUrl: over },
      { domain: { ...domainDefaults, expiredUrl: 'https://example.org/domain' } },
      { kind: 'fallback', location: over },
    ],
    ['a fallback to a blocked host', { ...past, url: 'https://example.com/', expiredUrl: over }, blocked, refused('unknown')],
    ['a fallback of a link that is open', { expiredUrl: over }, {}, redirected()],

    ['a rule that holds', ruled, {}, redirected({ location: 'https://example.org/at' })],
    ['a rule that does not hold', ruled, { country: () => undefined }, redirected()],
    ['a rule to a blocked host', { ...ruled, url: 'https://example.com/' }, blocked, refused('unknown')],
    [
      'a rule that does not hold, to a blocked host',
      { ...ruled, url: 'https://example.com/' },
      { ...blocked, country: () => 'DE' },
      redirected({ location: 'https://example.com/' }),
    ],
    [
      'a rule to a blocked host before another one',
      { url: 'https://example.com/', rules: [...ruled.rules, { if: { country: ['AT'] }, url: 'https://example.net/' }] },
      blocked,
      refused('unknown'),
    ],
    ['a rule before variants', { ...ruled, ...varied }, {}, redirected({ location: 'https://example.org/at' })],
    ['variants', varied, {}, redirected({ location: 'https://example.org/a', variant: 'a' })],
    ['a variant on a blocked host', { ...varied, url: 'https://example.com/' }, blocked, refused('unknown')],
    [
      'a rule with forwarded parameters',
      { ...ruled, forwardParameters: true },
      {},
      redirected({ location: 'https://example.org/at?utm=1' }),
    ],
    ['a rule of a cloaked link', { ...ruled, cloaked: true }, {}, redirected({ location: 'https://example.org/at' })],
    [
      'a rule to the destination of a cloaked link',
      { rules: [{ if: { country: ['AT'] }, url }], cloaked: true },
      {},
      { kind: 'frame', location: url, counted: true },
    ],
    [
      'a rule of a link with pixels',
      { ...ruled, ...pixel },
      {},
      { kind: 'pixels', location: 'https://example.org/at', counted: true },
    ],
    [
      'a permanent redirect with rules',
      { redirectType: 'PERMANENT_301', ...ruled },
      { country: () => 'DE' },
      redirected({ status: 301 }),
    ],
    [
      'a permanent redirect with variants',
      { redirectType: 'PERMANENT_301', ...varied },
      {},
      redirected({ status: 301, location: 'https://example.org/a', variant: 'a' }),
    ],

    ['a visit to be confirmed', { confirmVisit: true }, {}, { kind: 'confirm' }],
    ['a HEAD to be confirmed', { confirmVisit: true }, { method: 'HEAD' }, { kind: 'confirm' }],
    ['a bot that has to confirm', { confirmVisit: true }, { visitor: 'bot' }, { kind: 'confirm' }],
    ['a card before a confirmation', { ...card, confirmVisit: true }, { visitor: 'crawler' }, { kind: 'card' }],
    [
      'a password before a confirmation',
      { ...locked, confirmVisit: true },
      { confirmation: 'given' },
      refused('password_required'),
    ],
    ['a password and no confirmation', { ...locked, confirmVisit: true }, { mayPass: true }, { kind: 'confirm' }],
    [
      'an uncounted visit of a capped link before a confirmation',
      { ...capped, confirmVisit: true },
      { method: 'HEAD' },
      { kind: 'withheld' },
    ],
    ['used up before a confirmation', { ...capped, confirmVisit: true }, { used: 2 }, refused('used_up')],
    ['a confirmed GET', { confirmVisit: true }, { confirmation: 'given' }, redirected()],
    ['a confirmed HEAD', { confirmVisit: true }, { method: 'HEAD', confirmation: 'given' }, redirected({ counted: false })],
    ['a confirmed POST', { confirmVisit: true }, { method: 'POST', confirmation: 'given' }, redirected({ status: 303 })],
    [
      'a confirmed POST of a permanent redirect',
      { confirmVisit: true, redirectType: 'PERMANENT_301' },
      { method: 'POST', confirmation: 'given' },
      redirected({ status: 303 }),
    ],
    [
      'a confirmed GET of a permanent redirect',
      { confirmVisit: true, redirectType: 'PERMANENT_301' },
      { confirmation: 'given' },
      redirected({ status: 301 }),
    ],
    [
      'a confirmed POST of a cloaked link',
      { confirmVisit: true, cloaked: true },
      { method: 'POST', confirmation: 'given' },
      { kind: 'frame', location: url, counted: true },
    ],
    [
      "another site's confirmation",
      { confirmVisit: true },
      { method: 'POST', confirmation: 'cross_site' },
      refused('cross_site_confirmation'),
    ],
    ['a confirmation that nobody asked for', {}, { method: 'POST', confirmation: 'given' }, redirected({ counted: false })],
    ["another site's confirmation that nobody asked for", {}, { confirmation: 'cross_site' }, redirected()],

    ['a crawler, with a description', card, { visitor: 'crawler' }, { kind: 'card' }],
    ['a crawler, with an image', { image: 'https://example.org/i.png' }, { visitor: 'crawler' }, { kind: 'card' }],
    ['a crawler, with a description', { description: 'x' }, { visitor: 'crawler' }, { kind: 'card' }],
    ['a crawler, with an image', { image: 'https://example.org/x.png' }, { visitor: 'crawler' }, { kind: 'card' }],
    ['a crawler, with nothing to show', {}, { visitor: 'crawler' }, redirected({ counted: false })],
    ['a crawler before blocked bots', { ...card, blockBots: true }, { visitor: 'crawler' }, { kind: 'card' }],
    ['a crawler with nothing to show, if bots are blocked', { blockBots: true }, { visitor: 'crawler' }, refused('bots_refused')],
    ['a crawler before a cap', { ...card, ...capped }, { visitor: 'crawler' }, { kind: 'card' }],
    ['a crawler, with a password', { ...card, ...locked }, { visitor: 'crawler' }, refused('password_required')],
    [
      'a crawler, with a password and blocked bots',
      { ...card, ...locked, blockBots: true },
      { visitor: 'crawler' },
      refused('bots_refused'),
    ],

    ['a bot', {}, { visitor: 'bot' }, redirected({ counted: false })],
    ['a bot, if bots are blocked', { blockBots: true }, { visitor: 'bot' }, refused('bots_refused')],
    ['a blocked bot before a password', { blockBots: true, ...locked }, { visitor: 'bot' }, refused('bots_refused')],
    ['a person, if bots are blocked', { blockBots: true }, {}, redirected()],

    ['a preview', card, { isPreview: true }, { kind: 'preview' }],
    ['a preview of a link with a password', locked, { isPreview: true, mayPass: true }, refused('no_preview')],
    ['a preview before a password', locked, { isPreview: true }, refused('no_preview')],
    ['a preview of a capped link', capped, { isPreview: true }, refused('no_preview')],
    ['a preview of a cloaked link', { cloaked: true }, { isPreview: true }, refused('no_preview')],
    ['a preview of an expired link', past, { isPreview: true }, refused('expired')],
    ['a preview by a blocked bot', { blockBots: true }, { isPreview: true, visitor: 'bot' }, refused('bots_refused')],

    ['a code', {}, { isCode: true, domain: shows }, { kind: 'code' }],
    ['a code, if the domain shows none', {}, { isCode: true }, refused('unknown')],
    ['a code of a disabled link', { isActive: false }, { isCode: true, domain: shows }, refused('unknown')],
    ['a code of a link to a blocked destination', {}, { isCode: true, domain: shows, ...blocked }, refused('unknown')],
    ['a code before expired', past, { isCode: true, domain: shows }, { kind: 'code' }],
    ['a code before a cap', capped, { isCode: true, domain: shows, used: undefined }, { kind: 'code' }],
    ['a code before a password', locked, { isCode: true, domain: shows, method: 'HEAD' }, { kind: 'code' }],

    ['a password', locked, {}, refused('password_required')],
    ['a password that was given', locked, { mayPass: true }, redirected()],
    ['a password before a cap', { ...locked, ...capped }, { method: 'HEAD' }, refused('password_required')],

    ['HEAD', {}, { method: 'HEAD' }, redirected({ counted: false })],
    ['HEAD of a capped link', capped, { method: 'HEAD' }, { kind: 'withheld' }],
    ['a prefetch', {}, { isPrefetch: true }, redirected({ counted: false })],
    ['a prefetch of a capped link', capped, { isPrefetch: true }, refused('prefetch_refused')],
    ['HEAD before a prefetch of a capped link', capped, { method: 'HEAD', isPrefetch: true }, { kind: 'withheld' }],
    ['HEAD before a bot on a capped link', capped, { method: 'HEAD', visitor: 'bot' }, { kind: 'withheld' }],
    ['a prefetch before a bot on a capped link', capped, { isPrefetch: true, visitor: 'bot' }, refused('prefetch_refused')],
    ['a bot on a capped link', capped, { visitor: 'bot' }, refused('bots_refused')],
    ['a crawler on a capped link, with nothing to show', capped, { visitor: 'crawler' }, refused('bots_refused')],
    ['a person on a capped link', capped, {}, redirected()],

    ['a cloaked link', { cloaked: true }, {}, { kind: 'frame', location: url, counted: true }],
    [
      'a cloaked link, for a client that accepts no page',
      { cloaked: true },
      { acceptsPage: false },
      { kind: 'frame', location: url, counted: true },
    ],
    ['a cloaked link that refuses frames', { cloaked: true, unframeableUrl: url }, {}, redirected()],
    [
      'a cloaked link whose former destination refused frames',
      { cloaked: true, unframeableUrl: 'https://example.org/' },
      {},
      { kind: 'frame', location: url, counted: true },
    ],
    ['a cloaked link before pixels', { cloaked: true, ...pixel }, {}, { kind: 'frame', location: url, counted: true }],

    ['pixels', pixel, {}, { kind: 'pixels', location: url, counted: true }],
    ['a tag', { googleTagId: 'G-1' }, {}, { kind: 'pixels', location: url, counted: true }],
    ['pixels, for a client that accepts no page', pixel, { acceptsPage: false }, redirected()],
    ['pixels, for a visitor who opts out', pixel, { optsOut: true }, redirected()],
    ['pixels, for a bot', pixel, { visitor: 'bot' }, redirected({ counted: false })],

    ['a permanent redirect', { redirectType: 'PERMANENT_301' }, {}, redirected({ status: 301, maxAge: 58 })],
    [
      'a permanent redirect that does not count',
      { redirectType: 'PERMANENT_301' },
      { method: 'HEAD' },
      redirected({ status: 301, counted: false }),
    ],
    [
      'a permanent redirect with a password',
      { redirectType: 'PERMANENT_301', ...locked },
      { mayPass: true },
      redirected({ status: 301 }),
    ],
    ['a permanent redirect with a cap', { redirectType: 'PERMANENT_301', ...capped }, {}, redirected({ status: 301 })],
    [
      'a permanent redirect with a pixel',
      { redirectType: 'PERMANENT_301', ...pixel },
      { acceptsPage: false },
      redirected({ status: 301 }),
    ],
    [
      'a permanent redirect that expires in 10 seconds',
      { redirectType: 'PERMANENT_301', expiresAt: '2030-01-01T00:00:10.900Z' },
      {},
      redirected({ status: 301, maxAge: 10 }),
    ],
    [
      'a permanent redirect decided by a blocklist that is 20.1 seconds old',
      { redirectType: 'PERMANENT_301' },
      { blocklist: { hosts: new Set(), asOf: now - 20_100 } },
      redirected({ status: 301, maxAge: 38 }),
    ],
    [
      'a permanent redirect on a domain that was read 45.5 seconds ago',
      { redirectType: 'PERMANENT_301' },
      { domainAsOf: now - 45_500 },
      redirected({ status: 301, maxAge: 13 }),
    ],
    [
      'a permanent redirect decided by a blocklist that is too old',
      { redirectType: 'PERMANENT_301' },
      { blocklist: { hosts: new Set(), asOf: now - 90_000 } },
      redirected({ status: 301 }),
    ],
    ['forwarded parameters', { forwardParameters: true }, {}, redirected({ location: `${url}&utm=1` })],
    [
      'more parameters than can be forwarded, which are dropped',
      { forwardParameters: true },
      { query: `a=${'x'.repeat(8_200)}` },
      redirected(),
    ],
    [
      'more parameters than can be forwarded, before a frame',
      { forwardParameters: true, cloaked: true },
      { query: `a=${'x'.repeat(8_200)}` },
      { kind: 'frame', location: url, counted: true, variant: undefined },
    ],
    [
      'more parameters than can be forwarded, behind a path, which stays',
      { forwardParameters: true, forwardPath: true },
      { behind: 'a', query: `a=${'x'.repeat(8_200)}` },
      redirected({ location: forwardPath(url, 'a') }),
    ],
    [
      'the longest path',
      { forwardPath: true, url: 'https://example.org' },
      { behind: 'x'.repeat(8_172) },
      redirected({ location: `https://example.org/${'x'.repeat(8_172)}` }),
    ],
    [
      'a longer path',
      { forwardPath: true, url: 'https://example.org' },
      { behind: 'x'.repeat(8_173) },
      refused('address_too_long'),
    ],
    ['as many parameters that are not forwarded', {}, { query: `a=${'x'.repeat(8_200)}` }, redirected()],
  ])('The first row that matches decides: %s.', ([, settings, visit, decision]) => {
    expect(decide(linkOf(settings), visitOf(visit))).toEqual(decision);
  });
});

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2 });
const links = fc
  .record({
    isActive: fc.boolean(),
    disabledAt: orNull(fc.constant('2029-12-31T00:00:00.000Z')),
    title: orNull(fc.constant('Title')),
    redirectType: fc.constantFrom('PERMANENT_301' as const, 'TEMPORARY_302' as const),
    cloaked: fc.boolean(),
    forwardParameters: fc.boolean(),
    blockBots: fc.boolean(),
    passwordHash: orNull(fc.constant('$argon2id$')),
    expiresAt: orNull(fc.constantFrom('2029-12-31T00:00:00.000Z', '2030-02-01T00:00:00.000Z')),
    maxClicks: orNull(fc.integer({ min: 1, max: 3 })),
    metaPixelId: orNull(fc.constant('1')),
    unframeableUrl: orNull(fc.constant(url)),
  })
  .map(linkOf);
const visits = fc
  .record({
    method: fc.constantFrom('GET', 'HEAD'),
    visitor: fc.constantFrom('person' as const, 'bot' as const, 'crawler' as const),
    isPrefetch: fc.boolean(),
    isPreview: fc.boolean(),
    isCode: fc.boolean(),
    domain: fc.boolean().map((publicQr) => ({ ...domainDefaults, publicQr })),
    acceptsPage: fc.boolean(),
    optsOut: fc.boolean(),
    mayPass: fc.boolean(),
    used: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    blocklist: fc.record({
      hosts: fc.constantFrom(new Set<string>(), blocked.blocklist.hosts),
      asOf: fc.integer({ min: now - 90_000, max: now }),
    }),
    domainAsOf: fc.integer({ min: now - 90_000, max: now }),
  })
  .map(visitOf);
/** Asserts a property of any link and visit. */
const always = (holds: (decision: Decision, link: Link, visit: Visit) => void) =>
  fc.assert(
    fc.property(links, visits, (link, visit) => holds(decide(link, visit), link, visit)),
    { numRuns: runs(2_000) },
  );

describe('The fallbacks of a domain', () => {
  const [rootUrl, notFoundUrl, expiredUrl] = ['root', 'none', 'over'].map((path) => `https://acme.example/${path}`) as string[];
  const domain = { rootUrl, notFoundUrl, expiredUrl } as Visit['domain'];
  const to = (location: string | undefined) => ({ kind: 'fallback', location });
  const blocksThem = { blocklist: { hosts: new Set(['acme.example']), asOf: now } };

  test.for<[string, Partial<Link> | undefined, Partial<Visit>, object]>([
    ['no link', undefined, {}, to(notFoundUrl)],
    ['no link, by a program', undefined, { acceptsPage: false, method: 'HEAD' }, to(notFoundUrl)],
    ['no link, if the fallback is blocked', undefined, blocksThem, refused('unknown')],
    ['a disabled link', { isActive: false }, {}, refused('unknown')],
    ['a link that the operator has disabled', { disabledAt: '2029-12-31T00:00:00.000Z' }, {}, refused('unknown')],
    ['a blocked destination', {}, blocked, refused('unknown')],
    ['an expired link', past, {}, to(expiredUrl)],
    ['an expired link, if the fallback is blocked', past, blocksThem, refused('unknown')],
    ['an expired link to a blocked destination', past, blocked, refused('unknown')],
    ['a link that is used up', capped, { used: 2 }, to(expiredUrl)],
    ['a link that is used up, if the fallback is blocked', capped, { used: 2, ...blocksThem }, refused('unknown')],
    ['a cap that was not read', capped, { used: undefined }, { kind: 'unread' }],
    ['an open link', {}, blocksThem, redirected()],
  ])('The response to %s is that of the table.', ([, link, visit, expected]) => {
    expect(decide(link && linkOf(link), visitOf({ domain, ...visit }))).toEqual(expected);
  });
});

describe('Any link and any visit', () => {
  test('Only a GET by a person that is not a prefetch counts.', () => {
    always((decision, _, { method, visitor, isPrefetch }) => {
      if ('counted' in decision) expect(decision.counted).toBe(method === 'GET' && visitor === 'person' && !isPrefetch);
    });
  });

  test('A visit that does not count never learns the destination of a capped link.', () => {
    always((decision, { maxClicks }) => {
      if (maxClicks !== null && 'location' in decision) expect(decision).toMatchObject({ counted: true });
    });
  });

  test('No visit learns the destination of a link that is disabled, expired, used up or locked.', () => {
    always((decision, { isActive, expiresAt, maxClicks, passwordHash }, { mayPass, used }) => {
      const isOver = (expiresAt !== null && Date.parse(expiresAt) <= now) || (maxClicks !== null && (used ?? 3) >= maxClicks);
      if (!isActive || isOver || (passwordHash !== null && !mayPass)) expect('location' in decision).toBe(false);
    });
  });

  test('A link that the operator disabled, or whose destination is blocked, is answered like one that does not exist.', () => {
    always((decision, { disabledAt }, { blocklist }) => {
      if (disabledAt !== null || blocklist.hosts.size > 0) expect(decision).toEqual(refused('unknown'));
    });
  });

  test('Nothing is cached for longer than 60 seconds after the blocklist and the domain were read.', () => {
    always((decision, _, { blocklist, domainAsOf }) => {
      if (decision.kind === 'redirect' && decision.maxAge > 0)
        expect(now + decision.maxAge * 1_000).toBeLessThanOrEqual(Math.min(blocklist.asOf, domainAsOf) + 60_000);
    });
  });

  test('A blocked bot learns only what a card shows.', () => {
    always((decision, { blockBots }, { visitor }) => {
      if (blockBots && visitor !== 'person') expect(['refused', 'card', 'code', 'unread']).toContain(decision.kind);
    });
  });

  test('Only a 301 of a link without password, cap and pixels is cached.', () => {
    always((decision, { passwordHash, maxClicks, metaPixelId }) => {
      if (decision.kind !== 'redirect' || decision.maxAge === 0) return;
      expect([decision.status, passwordHash, maxClicks, metaPixelId]).toEqual([301, null, null, null]);
    });
  });
});
