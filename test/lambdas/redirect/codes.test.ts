import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { drawSvg, scan } from '../../support/store/scan.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { cheapHash } from '../../support/things/password.ts';
import { startVisits } from '../../support/things/visit.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A link with these settings on a domain that shows codes or doesn't, and a function for its visits. */
async function newLink(changes: LinkChanges = {}, publicQr = true) {
  const workspace = await store.newWorkspace();
  await store.updateDomain(workspace.domain, { publicQr }, { isExact: false });
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, { url: 'https://secret.example.org/', ...changes });
  const visit = await startVisits();
  const open = (path = `/${link.shortCode}.svg`, more: object = {}) => visit({ host: workspace.domain.host, path, ...more });
  return { link, open, text: `https://${workspace.domain.host}/${link.shortCode}.q`.toUpperCase() };
}

describe('The code of a link on its domain', () => {
  test.for<[string, LinkChanges]>([
    ['an open link', {}],
    ['a link with a password', { passwordHash: cheapHash('right') }],
    ['a capped link', { maxClicks: 1 }],
    ['an expired link', { expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['a link that refuses bots', { blockBots: true }],
  ])('Everybody gets the code of %s, uncounted and without its destination.', async ([, changes]) => {
    const { link, open, text } = await newLink(changes);
    for (const headers of [{}, { 'user-agent': 'Googlebot/2.1' }, { 'sec-purpose': 'prefetch' }]) {
      const response = await open(undefined, { headers });
      expect(response).toMatchObject({
        statusCode: 200,
        headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' },
      });
      expect(scan(drawSvg(response.body ?? '', 4))).toBe(text);
      expect(JSON.stringify(response)).not.toContain('secret');
    }
    expect(await clicksOf(link.id)).toBe(0);
    expect((await store.usedOf(link)) ?? 0).toBe(0);
  });

  test('The address in the code leads to the link, and the click says that it was scanned.', async () => {
    const { open, text } = await newLink();
    const { accesses, result } = await underFaults(
      () => undefined,
      () => open(new URL(text).pathname),
    );
    expect(result).toMatchObject({ statusCode: 302, headers: { Location: 'https://secret.example.org/' } });
    expect(accesses.map(({ leadingKey }) => leadingKey)).toContain('CLICK#*');
  });

  test('HEAD gets the headers without the code.', async () => {
    const { open } = await newLink();
    expect(await open(undefined, { method: 'HEAD' })).toMatchObject({
      statusCode: 200,
      headers: { 'Content-Type': 'image/svg+xml' },
      body: '',
    });
  });

  test.for<[string, LinkChanges, boolean]>([
    ['whose domain does not show codes', {}, false],
    ['that is off', { isActive: false }, true],
  ])('There is no code for a link %s.', async ([, changes, publicQr]) => {
    const { open } = await newLink(changes, publicQr);
    expect((await open()).statusCode).toBe(404);
  });

  test('There is no code for a link that the operator has disabled, or that does not exist.', async () => {
    const { link, open } = await newLink();
    expect((await open('/no-such-link.svg')).statusCode).toBe(404);
    await store.setDisabled(link, true);
    expect((await open()).statusCode).toBe(404);
  });

  test('There is no code for a link to a blocked host.', async () => {
    const { open } = await newLink({ url: 'https://blocked.example.net/' });
    await store.blockHost('blocked.example.net');
    expect((await open()).statusCode).toBe(404);
  });
});
