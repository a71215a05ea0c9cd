import { expect, test } from 'vitest';
import { linkView } from '../../../lambdas/views/link.ts';
import { sampleLink as link } from '../../support/sample-link.ts';

const tag = { id: 'tag_a', name: 'a', color: '#112233', createdAt: '2030-01-01T00:00:00.000Z', linkCount: 1 };
const more = { clickCount: 5, tags: [tag], pending: false };
const origin = 'https://{domain}';

test('A link has exactly the documented fields in a response, in their order.', () => {
  expect(Object.entries(linkView({ ...more, link }, origin))).toStrictEqual(
    Object.entries({
      id: 'lnk_a',
      shortCode: 'Launch',
      domain: 'go.example.com',
      shortUrl: 'https://go.example.com/Launch',
      url: 'https://example.org/',
      title: null,
      description: null,
      image: null,
      redirectType: 'TEMPORARY_302',
      isActive: true,
      pendingVerification: false,
      cloaked: false,
      hasPassword: false,
      expiresAt: null,
      maxClicks: null,
      clickCount: 5,
      tags: [{ id: 'tag_a', name: 'a', color: '#112233' }],
      forwardParameters: false,
      blockBots: false,
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
    redirectType: 'PERMANENT_301',
    isActive: false,
    cloaked: true,
    expiresAt: '2031-01-01T00:00:00.000Z',
    maxClicks: 9,
    forwardParameters: true,
    blockBots: true,
    metaPixelId: '1',
    googleTagId: 'G-1',
    webhookUrls: 'https://example.org/',
  } as const;
  expect(linkView({ ...more, link: { ...link, ...settings }, pending: true }, origin)).toMatchObject({
    ...settings,
    pendingVerification: true,
  });
});

test('A response reveals only that there is a password, and nothing of the workspace.', () => {
  const view = linkView({ ...more, link: { ...link, passwordHash: '$argon2id$secret', capEpoch: 3, clickEpoch: 4 } }, origin);
  expect(view.hasPassword).toBe(true);
  expect(JSON.stringify(view)).not.toMatch(/secret|argon2|dom_a|capEpoch|clickEpoch/);
});

test('A short URL has the port of a laptop if the origin has it.', () => {
  const { shortUrl } = linkView({ ...more, link: { ...link, domain: 'go.localhost' } }, 'http://{domain}:3000');
  expect(shortUrl).toBe('http://go.localhost:3000/Launch');
});
