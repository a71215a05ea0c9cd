import { beforeAll, expect, test } from 'vitest';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newHookedWorkspace } from '../../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('All webhooks of the workspace, and no others, are listed as get-webhook returns them, without secrets and their status.', async () => {
  const [own, other] = [await newHookedWorkspace(store), await newHookedWorkspace(store)];
  expect(await own.list({})).toMatchObject({ status: 200, body: { webhooks: [] } });
  const made = [await own.newWebhook(), await own.newWebhook(['link.clicked'])];
  await other.newWebhook();
  const { webhooks } = (await own.list({})).body;
  expect(webhooks).toHaveLength(2);
  expect(webhooks).toEqual(expect.arrayContaining(made.map(({ webhook: { status: _, ...listed } }) => listed)));
});
