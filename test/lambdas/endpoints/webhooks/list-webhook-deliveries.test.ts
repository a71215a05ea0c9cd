import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { receiverKey, receiverPk } from '../../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { failedAttempt, makeDelivery } from '../../../support/things/made-deliveries.ts';

let store: Store;
let deliveries: typeof import('../../../../lambdas/store/webhooks/deliveries.ts');
beforeAll(async () => {
  store = await useStore();
  deliveries = await import('../../../../lambdas/store/webhooks/deliveries.ts');
});

const newWorkspaceId = () => `ws_${randomBase62(16)}`;
const list = async (workspaceId: string, query: Record<string, string> = {}) =>
  (await callEndpoint('list-webhook-deliveries', { workspaceId, query })).body;
const idsOf = (page: { deliveries: { id: string }[] }) => page.deliveries.map(({ id }) => id);

test("All deliveries of the workspace are listed, newest first, a page at a time, and nobody else's.", async () => {
  const [workspaceId, other] = [newWorkspaceId(), newWorkspaceId()];
  const made: string[] = [];
  for (let number = 0; number < 25; number++) {
    made.unshift((await makeDelivery(workspaceId)).id);
    await makeDelivery(other);
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { deliveries: { id: string }[]; nextCursor: string | null } = await list(workspaceId, {
      limit: '10',
      ...(cursor && { cursor }),
    });
    seen.push(...idsOf(page));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(made);
});

test('A full page reads only its own deliveries, even if more follow.', async () => {
  const workspaceId = newWorkspaceId();
  for (let number = 0; number < 3; number++) await makeDelivery(workspaceId);
  const readsOf = async (limit: string) => {
    const { commands } = await underFaults(
      () => undefined,
      () => list(workspaceId, { limit }),
    );
    return commands.filter((command) => command === 'BatchGetItem').length;
  };
  expect(await readsOf('2')).toBe(await readsOf('4'));
});

test('Deliveries can be filtered by link, webhook or state; those of a stopped URL are paused.', async () => {
  const workspaceId = newWorkspaceId();
  const linkId = `lnk_${randomBase62(28)}`;
  const ofLink = await makeDelivery(workspaceId, { linkId });
  const ofWebhook = await makeDelivery(workspaceId, { webhookId: 'whk_0123456789abcdef' });
  const failed = await makeDelivery(workspaceId, { url: 'https://failed.example.com/' });
  await deliveries.giveUp(failed, failedAttempt);
  const url = 'https://stopped.example.com/';
  const paused = await makeDelivery(workspaceId, { url });
  const pk = receiverPk(workspaceId, url);
  await store.putItem({
    ...receiverKey(pk),
    leaseNumber: 1,
    leaseUntil: 0,
    stopped: 'paused',
    stoppedAt: '2030-01-02T03:04:05.678Z',
  });
  expect(idsOf(await list(workspaceId, { linkId }))).toEqual([ofLink.id]);
  expect(idsOf(await list(workspaceId, { webhookId: 'whk_0123456789abcdef' }))).toEqual([ofWebhook.id]);
  expect(idsOf(await list(workspaceId, { state: 'failed' }))).toEqual([failed.id]);
  expect(idsOf(await list(workspaceId, { state: 'paused' }))).toEqual([paused.id]);
  expect(idsOf(await list(workspaceId, { state: 'pending' }))).toEqual([ofWebhook.id, ofLink.id]);
  expect((await list(workspaceId, { state: 'paused' })).deliveries[0]).toMatchObject({ state: 'paused', nextAttemptAt: null });
});

test("A delivery names its link's present address, or the one in its body if the link is gone, and otherwise none.", async () => {
  const { workspaceId, domain } = await store.newWorkspace();
  const wanted = { url: 'https://example.org/', customSlug: 'first' };
  const { link } = await store.createLink(domain, wanted, store.newLease());
  const body = (data: object) => JSON.stringify({ type: 'link.updated', timestamp: '2030-01-02T03:04:05.678Z', data });
  const linkId = link.id;
  await makeDelivery(workspaceId, { linkId, body: body({ link: { id: linkId, shortUrl: `https://${domain.host}/first` } }) });
  await makeDelivery(workspaceId, { linkId, body: body({ link: { id: linkId } }) });
  await makeDelivery(workspaceId, { linkId: null, body: body({}) });
  await store.updateLink({ link, clickCount: 0 }, { customSlug: 'second' });
  const urls = async () => (await list(workspaceId)).deliveries.map(({ shortUrl }: { shortUrl: string }) => shortUrl);
  expect(await urls()).toEqual([null, `https://${domain.host}/second`, `https://${domain.host}/second`]);
  const found = await store.getLink(workspaceId, linkId);
  if (found) await store.deleteLink(found);
  expect(await urls()).toEqual([null, null, `https://${domain.host}/first`]);
});

test.for<Record<string, string>>([{ state: 'nonsense' }, { limit: '0' }, { cursor: 'nonsense' }, { linkid: 'x' }])(
  'The query %o is refused by name.',
  async (query) => {
    const response = await callEndpoint('list-webhook-deliveries', { workspaceId: newWorkspaceId(), query });
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.detail).toContain(`"${Object.keys(query)[0]}"`);
  },
);
