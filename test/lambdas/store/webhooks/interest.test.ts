import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { needsClicks, type WebhookEvent } from '../../../../lambdas/core/webhook/webhook.ts';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import { asOther } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const url = 'https://hooks.example.com/';
const onClicks = { url, events: ['link.clicked'] as WebhookEvent[], active: true };
const onCreations = { ...onClicks, events: ['link.created'] as WebhookEvent[] };
const create = (workspaceId: string, settings: typeof onClicks) =>
  store.changeWebhooks(workspaceId, () => store.createWebhook(workspaceId, settings));
const change = (workspaceId: string, id: string, changes: Partial<typeof onClicks>) =>
  store.changeWebhooks(workspaceId, () => store.updateWebhook(workspaceId, id, changes));
const remove = (workspaceId: string, id: string) => store.changeWebhooks(workspaceId, () => store.deleteWebhook(workspaceId, id));

const wants = async (host: string) => (await store.getDomain(host))?.wantsClicks;

test("A domain's wantsClicks is true from the first webhook that needs clicks until the last one is gone.", async () => {
  const { workspaceId, domain } = await store.newWorkspace();
  const isWanted = () => wants(domain.host);
  expect(await isWanted()).toBe(false);
  const other = await create(workspaceId, onCreations);
  expect(await isWanted()).toBe(false);
  const first = await create(workspaceId, onClicks);
  expect(await isWanted()).toBe(true);
  await change(workspaceId, other.webhook.id, { events: ['link.cap_reached'] });
  await remove(workspaceId, first.webhook.id);
  expect(await isWanted()).toBe(true);
  await change(workspaceId, other.webhook.id, { active: false });
  expect(await isWanted()).toBe(false);
  await change(workspaceId, other.webhook.id, { active: true });
  expect(await isWanted()).toBe(true);
  await remove(workspaceId, other.webhook.id);
  expect(await isWanted()).toBe(false);
});

test('A domain of a workspace without webhooks for clicks has no copy of the interest, and costs no write.', async () => {
  const { workspaceId, domain } = await store.newWorkspace();
  const before = await store.getItem({ pk: `DOMAIN#${domain.host}`, sk: 'DOMAIN' });
  await create(workspaceId, onCreations);
  expect(await store.getItem({ pk: `DOMAIN#${domain.host}`, sk: 'DOMAIN' })).toEqual(before);
});

test('Domains of other workspaces, even one with a new owner, keep their copies.', async () => {
  const [own, other] = [await store.newWorkspace(), await store.newWorkspace()];
  const moved = own.domain.host;
  await overtaken(
    async () => {
      await store.deleteDomain(own.workspaceId, moved);
      await store.addDomain(other.workspaceId, moved, 'ACTIVE');
    },
    () => create(own.workspaceId, onClicks),
    { command: 'UpdateItem' },
  );
  expect([await wants(moved), await wants(other.domain.host)]).toEqual([false, false]);
});

test('A late copy of an interest does not undo a later change of it.', async () => {
  for (const isWanted of [true, false]) {
    const { workspaceId, domain } = await store.newWorkspace();
    const { webhook } = await create(workspaceId, { ...onClicks, active: isWanted });
    const set = (active: boolean) => change(workspaceId, webhook.id, { active });
    await overtaken(
      () => set(isWanted),
      () => set(!isWanted),
      { command: 'UpdateItem' },
    );
    expect(await wants(domain.host)).toBe(isWanted);
  }
});

test('A domain that is proven or added while a webhook is created has the interest, whichever is first.', async () => {
  for (const isAdded of [true, false]) {
    for (const isFirst of [true, false]) {
      const { workspaceId } = await store.newWorkspace();
      const host = `late-${isAdded}-${isFirst}.acme.example`;
      const claim = await store.claimDomain(workspaceId, host);
      const get = () => (isAdded ? store.addDomain(workspaceId, host, 'ACTIVE') : store.proveOwnership(workspaceId, claim));
      if (isFirst) await overtaken(get, () => create(workspaceId, onClicks));
      else await overtaken(() => create(workspaceId, onClicks), get);
      expect(await wants(host)).toBe(true);
    }
  }
});

test('If a function dies before it has copied the interest to the domains, a retry, another change or the daily check does it.', async () => {
  const { nextDomains } = await import('../../../../lambdas/store/domains/checks.ts');
  const repetitions: ((workspaceId: string, id: string) => Promise<unknown>)[] = [
    (workspaceId, id) => change(workspaceId, id, { active: true }),
    (workspaceId) => create(workspaceId, onCreations),
    (workspaceId) => remove(workspaceId, 'whk_0000000000000000').catch(() => {}),
    () => nextDomains({ startedAt: '', after: undefined, token: undefined }),
  ];
  for (const repeat of repetitions) {
    const { workspaceId, domain } = await store.newWorkspace();
    const { webhook } = await store.createWebhook(workspaceId, { ...onClicks, active: false });
    await store.updateWebhook(workspaceId, webhook.id, { active: true });
    expect(await wants(domain.host)).toBe(false);
    await repeat(workspaceId, webhook.id);
    expect(await wants(domain.host)).toBe(true);
  }
});

describe('A partial restoration, which leaves a domain ahead of its workspace', () => {
  type Deed = (workspaceId: string, id: string) => Promise<unknown>;
  const turn =
    (active: boolean): Deed =>
    (workspaceId, id) =>
      change(workspaceId, id, { active });
  const lost: readonly (readonly [what: string, active: boolean, lost: Deed, since: Deed])[] = [
    ['was turned off', true, turn(false), async () => {}],
    ['was turned on', false, turn(true), async () => {}],
    // The domain is no longer ahead, but still wrong.
    ['had another one beside it', true, (workspaceId) => create(workspaceId, onClicks), turn(false)],
  ];
  test.each(lost)("If the webhook %s, the daily check corrects the domain's interest.", async (_, active, lose, since) => {
    const { nextDomains } = await import('../../../../lambdas/store/domains/checks.ts');
    const { webhookKey, workspaceKey } = await import('../../../../lambdas/store/table/keys.ts');
    const { workspaceId, domain } = await store.newWorkspace();
    const { id } = (await create(workspaceId, { ...onClicks, active: false })).webhook;
    await change(workspaceId, id, { active });
    const keys = [workspaceKey(workspaceId), webhookKey(workspaceId, id)];
    const items = await store.getItems(keys);
    await lose(workspaceId, id);
    for (const [index, key] of keys.entries()) await store.putItem({ ...items[index], ...key });
    await since(workspaceId, id);
    await nextDomains({ startedAt: '', after: undefined, token: undefined });
    const { wantsClicks } = store.interestOf(await store.getItem(workspaceKey(workspaceId)));
    expect(await wants(domain.host)).toBe(wantsClicks);
    // From now on, changes are copied as usual.
    await change(workspaceId, id, { active: !wantsClicks });
    expect(await wants(domain.host)).toBe(!wantsClicks);
  });
});

/** A workspace with a domain and a webhook, which needs clicks if it is active. */
async function newWorld(active: boolean) {
  const { workspaceId } = await store.newWorkspace();
  const { webhook } = await create(workspaceId, { ...onClicks, active });
  return { workspaceId, id: webhook.id, active };
}
type World = Awaited<ReturnType<typeof newWorld>>;

let hosts = 0;
const actions: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'turns the webhook on or off': ({ workspaceId, id, active }) => change(workspaceId, id, { active: !active }),
  'turns it on and off': async ({ workspaceId, id, active }) => {
    await change(workspaceId, id, { active: !active });
    await change(workspaceId, id, { active });
  },
  'deletes the webhook': ({ workspaceId, id }) => remove(workspaceId, id),
  'creates another': ({ workspaceId }) => create(workspaceId, onClicks),
  'adds a domain': ({ workspaceId }) => store.addDomain(workspaceId, `more${++hosts}.acme.example`, 'ACTIVE'),
};

/** Runs the work, and `other` before its call of this number. Returns whether the work makes that many calls. */
async function interrupted(work: () => Promise<unknown>, number: number, other: () => Promise<unknown>): Promise<boolean> {
  const mine = new AsyncLocalStorage<true>();
  let calls = 0;
  const stop = intercept(async (_, input, next) => {
    if (mine.getStore() && calls++ === number) await asOther(other);
    return next(input);
  });
  try {
    await mine.run(true, work);
    return calls > number;
  } finally {
    stop();
  }
}

describe.each([true, false])('While the webhook is active: %s', (active) => {
  // Turning it on and off makes the calls of two other actions.
  test.each(Object.keys(actions).filter((one) => one !== 'turns it on and off'))(
    "If somebody %s, and somebody else does anything before any of the calls, each domain has the webhooks' interest.",
    async (one) => {
      for (const [other, act] of Object.entries(actions)) {
        for (let number = 0, isMore = true; isMore; number++) {
          const world = await newWorld(active);
          const { workspaceId } = world;
          // One of the two may find the webhook deleted.
          const attempt = (work: (typeof actions)[string] | undefined) => async () =>
            work?.(world).catch((error) => expect(error.code).toBe('not_found'));
          isMore = await interrupted(attempt(actions[one]), number, attempt(act));
          const needed = (await store.webhooksOf(workspaceId)).some(needsClicks);
          for (const { host } of await store.listDomains(workspaceId)) {
            expect([other, number, host, await wants(host)]).toEqual([other, number, host, needed]);
          }
        }
      }
    },
  );
});
