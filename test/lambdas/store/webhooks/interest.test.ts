import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { needsClicks, type WebhookEvent } from '../../../../lambdas/domain/webhook.ts';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { runs } from '../../../support/proof.ts';
import { type Store, useStore } from '../../../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const url = 'https://hooks.example.com/';
const onClicks = { url, events: ['link.clicked'] as WebhookEvent[], active: true };
const onCreations = { ...onClicks, events: ['link.created'] as WebhookEvent[] };
const create = (workspaceId: string, settings: typeof onClicks) =>
  store.andMarkDomains(workspaceId, () => store.createWebhook(workspaceId, settings));
const change = (workspaceId: string, id: string, changes: Partial<typeof onClicks>) =>
  store.andMarkDomains(workspaceId, () => store.updateWebhook(workspaceId, id, changes));
const remove = (workspaceId: string, id: string) => store.andMarkDomains(workspaceId, () => store.deleteWebhook(workspaceId, id));

const wants = async (host: string) => (await store.getDomain(host))?.wantsClicks;

test('A domain says that clicks are wanted from the first webhook that needs them until the last one is gone.', async () => {
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

test('A domain of a workspace without webhooks for clicks has no mark, and costs no write.', async () => {
  const { workspaceId, domain } = await store.newWorkspace();
  const before = await store.getItem({ pk: `DOMAIN#${domain.host}`, sk: 'DOMAIN' });
  await create(workspaceId, onCreations);
  expect(await store.getItem({ pk: `DOMAIN#${domain.host}`, sk: 'DOMAIN' })).toEqual(before);
});

test('Domains of other workspaces keep their marks, also one that has just changed hands.', async () => {
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

test('A function that marks a domain late does not undo the mark of a later change, whichever way it went.', async () => {
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

test('A domain that is proven or added while a webhook is created has its mark, whichever is first.', async () => {
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

test('If a function dies before it has marked the domains, its repetition, another change or the daily check completes them.', async () => {
  const { nextDomains } = await import('../../../../lambdas/store/domain-checks.ts');
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

/** What somebody does: with the marks afterwards, or dying before them. */
const action = fc.record({
  what: fc.constantFrom('create', 'change', 'change', 'delete', 'add domain', 'move domain'),
  which: fc.nat(3),
  isActive: fc.boolean(),
  event: fc.constantFrom<WebhookEvent>('link.clicked', 'link.cap_reached', 'link.created'),
  dies: fc.boolean(),
});

test('However changes of webhooks and domains overlap and die, once one is completed after them, every domain says what the webhooks need.', async () => {
  let made = 0;
  const scheduled = new AsyncLocalStorage<fc.Scheduler>();
  // Each call of the actions waits for its turn, so that they overlap in every order.
  const stop = intercept(async (_, input, next) => {
    await scheduled.getStore()?.schedule(Promise.resolve());
    return next(input);
  });
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 5 }), fc.scheduler(), async (actions, scheduler) => {
        const { workspaceId } = await store.newWorkspace();
        const other = await store.newWorkspace();
        const { webhook } = await create(workspaceId, onClicks);
        await create(workspaceId, onCreations);
        const ids = (await store.webhooksOf(workspaceId)).map(({ id }) => id);
        const act = async ({ what, which, isActive, event, dies }: (typeof actions)[number]) => {
          const marked = <T>(work: () => Promise<T>) => (dies ? work() : store.andMarkDomains(workspaceId, work));
          const id = ids[which % ids.length] ?? '';
          if (what === 'create') await marked(() => store.createWebhook(workspaceId, { url, events: [event], active: isActive }));
          else if (what === 'change')
            await marked(() => store.updateWebhook(workspaceId, id, { events: [event], active: isActive }));
          else if (what === 'delete') await marked(() => store.deleteWebhook(workspaceId, id));
          else if (what === 'add domain') await store.addDomain(workspaceId, `more${++made}.acme.example`, 'ACTIVE');
          else {
            const host = `more${made}.acme.example`;
            await store.deleteDomain(workspaceId, host);
            await store.addDomain(other.workspaceId, host, 'ACTIVE');
          }
        };
        const work = scheduled.run(scheduler, () =>
          Promise.all(actions.map((one) => act(one).catch((error) => expect(error.code).toBe('not_found')))),
        );
        await scheduler.waitFor(work);
        if (actions.every(({ dies }) => dies)) await change(workspaceId, webhook.id, { url }).catch(() => {});
        else if (actions.some(({ dies }) => dies)) await remove(workspaceId, 'whk_0000000000000000').catch(() => {});
        for (const { workspaceId: owner } of [{ workspaceId }, other]) {
          const needed = (await store.webhooksOf(owner)).some(needsClicks);
          for (const { host } of await store.listDomains(owner)) expect([host, await wants(host)]).toEqual([host, needed]);
        }
      }),
      { numRuns: runs(40) },
    );
  } finally {
    stop();
  }
});
