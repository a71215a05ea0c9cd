import { expect, test } from 'vitest';
import type { Conditions } from '../../../lambdas/core/link/rules.ts';
import { linkView } from '../../../lambdas/views/link.ts';
import { sampleLink as link } from '../../support/things/sample-link.ts';

const tag = { id: 'tag_a', name: 'a', color: '#112233', createdAt: '2030-01-01T00:00:00.000Z', linkCount: 1 };
const more = { clickCount: 5, lastClickedAt: '2030-01-01T12:00:00.000Z', tags: [tag], pending: false, state: 'active' } as const;
const origin = 'https://{domain}';

test('A link has exactly the documented fields in a response, in their order.', () => {
  expect(Object.entries(linkView({ ...more, link }, origin))).toStrictEqual(
    Object.entries({
      id: 'lnk_a',
      shortCode: 'Launch',
      domain: 'go.example.com',
      shortUrl: 'https://go.example.com/Launch',
      aliases: [],
      url: 'https://example.org/',
      title: null,
      description: null,
      image: null,
      notes: null,
      redirectType: 'TEMPORARY_302',
      isActive: true,
      isArchived: false,
      state: 'active',
      pendingVerification: false,
      cloaked: false,
      hasPassword: false,
      startsAt: null,
      expiresAt: null,
      expiredUrl: null,
      maxClicks: null,
      clickCount: 5,
      lastClickedAt: '2030-01-01T12:00:00.000Z',
      tags: [{ id: 'tag_a', name: 'a', color: '#112233' }],
      externalId: null,
      managedBy: null,
      forwardParameters: false,
      forwardPath: false,
      hideReferrer: false,
      blockBots: false,
      confirmVisit: false,
      rules: [],
      variants: [],
      metaPixelId: null,
      googleTagId: null,
      webhookUrls: null,
      createdAt: '2030-01-01T00:00:00.000Z',
      updatedAt: '2030-01-02T00:00:00.000Z',
    }),
  );
});

test('Every setting of a link is returned as it is.', () => {
  const settings = {
    title: 'T',
    description: 'D',
    image: 'https://example.org/i.png',
    notes: 'N',
    redirectType: 'PERMANENT_301',
    isActive: false,
    cloaked: true,
    startsAt: '2030-06-01T00:00:00.000Z',
    expiresAt: '2031-01-01T00:00:00.000Z',
    expiredUrl: 'https://example.org/over',
    maxClicks: 9,
    externalId: 'page:1',
    managedBy: 'team@go.example.com',
    forwardParameters: true,
    forwardPath: true,
    hideReferrer: true,
    blockBots: true,
    confirmVisit: true,
    rules: [{ if: { country: ['DE'], query: { a: '1' } }, url: 'https://example.org/de' }],
    variants: [
      { id: 'a', url: 'https://example.org/a', weight: 1 },
      { id: 'b', url: 'https://example.org/b', weight: 2 },
    ],
    metaPixelId: '1',
    googleTagId: 'G-1',
    webhookUrls: 'https://example.org/',
  } as const;
  expect(linkView({ ...more, link: { ...link, ...settings }, pending: true }, origin)).toMatchObject({
    ...settings,
    pendingVerification: true,
  });
});

test('The conditions of a rule are shown in a fixed order, in whatever order the table returns them.', () => {
  const rule = (conditions: Conditions) => ({ ...link, rules: [{ if: conditions, url: 'https://example.org/' }] });
  const shown = (conditions: Conditions) => JSON.stringify(linkView({ ...more, link: rule(conditions) }, origin).rules);
  const one = shown({ country: ['DE'], os: ['ios'], query: { a: '1', b: '2' } });
  expect(shown({ query: { b: '2', a: '1' }, os: ['ios'], country: ['DE'] })).toBe(one);
  expect(shown({ query: { b: '2', a: '1' }, os: ['ios'], country: ['AT'] })).not.toBe(one);
});

test('A response shows only whether the link has a password, and nothing about the workspace.', () => {
  const view = linkView(
    { ...more, link: { ...link, passwordHash: '$argon2id$secret', capGeneration: 3, clickEpoch: 4 } },
    origin,
  );
  expect(view.hasPassword).toBe(true);
  expect(JSON.stringify(view)).not.toMatch(/secret|argon2|dom_a|capGeneration|clickEpoch/);
});

test('A short URL has the port of the origin, as on a laptop.', () => {
  const { shortUrl } = linkView({ ...more, link: { ...link, domain: 'go.localhost' } }, 'http://{domain}:3000');
  expect(shortUrl).toBe('http://go.localhost:3000/Launch');
});
