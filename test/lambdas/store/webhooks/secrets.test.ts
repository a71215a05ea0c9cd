import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { secretsAtOnce } from '../../../../lambdas/core/limits.ts';
import { rotationMs } from '../../../../lambdas/core/webhook/webhook-secret.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => vi.restoreAllMocks());

const settings = { url: 'https://hooks.example.com/', events: ['link.created'], active: true } as const;

async function arrange() {
  const { workspaceId } = await store.newWorkspace();
  const { webhook, secret } = await store.createWebhook(workspaceId, settings);
  const valid = (webhookId: string | null, now = Date.now()) => store.validSecrets(workspaceId, webhookId, now);
  return { workspaceId, webhook, secret, valid };
}

test('A webhook has its own secret from the start, the URLs of links get theirs on request, and each is rotated separately.', async () => {
  const { workspaceId, webhook, secret, valid } = await arrange();
  expect(await valid(webhook.id)).toEqual([secret.secret]);
  expect(await valid(null)).toEqual([]);
  const ofLinks = await store.rotateSecret(workspaceId, null);
  const second = await store.rotateSecret(workspaceId, webhook.id);
  expect(new Set([secret.secret, ofLinks.secret, second.secret]).size).toBe(3);
  expect(await valid(webhook.id)).toEqual([second.secret, secret.secret]);
  expect(await valid(null)).toEqual([ofLinks.secret]);
});

test('After a rotation, the old secret is valid for 24 hours, and the new one without an end.', async () => {
  const { workspaceId, webhook, secret, valid } = await arrange();
  const fresh = await store.rotateSecret(workspaceId, webhook.id);
  const ends = Date.parse(fresh.createdAt) + rotationMs;
  expect(await valid(webhook.id, ends - 1)).toEqual([fresh.secret, secret.secret]);
  expect(await valid(webhook.id, ends)).toEqual([fresh.secret]);
  expect(await valid(webhook.id, ends + 1_000 * rotationMs)).toEqual([fresh.secret]);
});

test('However many rotations arrive at once, exactly those with room succeed, and each has its own secret.', async () => {
  const { workspaceId, webhook, secret, valid } = await arrange();
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => store.rotateSecret(workspaceId, webhook.id)));
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? result.value.secret : []));
  expect(made).toHaveLength(secretsAtOnce - 1);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'secret_limit_reached' });
  }
  expect((await valid(webhook.id)).toSorted()).toEqual([...made, secret.secret].sort());
  // A deleted secret makes room.
  const [{ id = '' } = {}] = await store.listSecrets(workspaceId);
  await store.endSecret(workspaceId, id);
  await store.rotateSecret(workspaceId, webhook.id);
});

test('A deleted secret is invalid at once, and the others stay as they are, even if others are rotated meanwhile.', async () => {
  const { workspaceId, webhook, secret, valid } = await arrange();
  const second = await store.rotateSecret(workspaceId, webhook.id);
  let third = '';
  await overtaken(
    async () => {
      third = (await store.rotateSecret(workspaceId, webhook.id)).secret;
    },
    () => store.endSecret(workspaceId, secret.id),
  );
  expect(await valid(webhook.id)).toEqual([third, second.secret]);
  await expect(store.endSecret(workspaceId, secret.id)).rejects.toMatchObject({ code: 'not_found' });
});

test("A workspace can neither list, find nor delete another's secrets.", async () => {
  const [own, other] = [await arrange(), await arrange()];
  expect((await store.listSecrets(own.workspaceId)).map(({ id }) => id)).toEqual([own.secret.id]);
  const again = store.secretAgain(own.workspaceId, other.webhook.id, other.secret.id);
  await expect(again).rejects.toMatchObject({ code: 'secret_ended' });
  await expect(store.endSecret(own.workspaceId, other.secret.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(store.rotateSecret(own.workspaceId, other.webhook.id)).rejects.toMatchObject({ code: 'webhook_not_found' });
  expect(await other.valid(other.webhook.id)).toEqual([other.secret.secret]);
});

test('The list has ids, webhooks and dates, and no secret.', async () => {
  const { workspaceId, webhook, secret } = await arrange();
  const ofLinks = await store.rotateSecret(workspaceId, null);
  const second = await store.rotateSecret(workspaceId, webhook.id);
  const listed = await store.listSecrets(workspaceId);
  const expiresAt = new Date(Date.parse(second.createdAt) + rotationMs).toISOString();
  expect(listed).toEqual([
    { id: ofLinks.id, webhookId: null, createdAt: ofLinks.createdAt, expiresAt: null },
    { id: second.id, webhookId: webhook.id, createdAt: second.createdAt, expiresAt: null },
    { id: secret.id, webhookId: webhook.id, createdAt: secret.createdAt, expiresAt },
  ]);
});

test('An expired secret cannot be listed, found or deleted, makes room, and leaves the table with the next rotation.', async () => {
  const { workspaceId, webhook, secret } = await arrange();
  for (let made = 1; made < secretsAtOnce; made++) await store.rotateSecret(workspaceId, webhook.id);
  const [newest] = await store.listSecrets(workspaceId);
  const later = Date.now() + rotationMs + 1_000;
  vi.spyOn(Date, 'now').mockImplementation(() => later);
  const clock = await import('../../../../lambdas/store/table/clock.ts');
  vi.spyOn(clock, 'tableTime').mockImplementation(() => later);
  expect((await store.listSecrets(workspaceId)).map(({ id }) => id)).toEqual([newest?.id]);
  await expect(store.secretAgain(workspaceId, webhook.id, secret.id)).rejects.toMatchObject({ code: 'secret_ended' });
  await expect(store.endSecret(workspaceId, secret.id)).rejects.toMatchObject({ code: 'not_found' });
  const fresh = await store.rotateSecret(workspaceId, webhook.id);
  const item = await store.getItem({ pk: `SECRET#${workspaceId}`, sk: `WEBHOOK#${webhook.id}` });
  expect(item?.secrets).toMatchObject([{ id: fresh.id }, { id: newest?.id }]);
});

test('A deleted webhook has no secrets, and a rotation that the deletion overtakes makes none.', async () => {
  const { workspaceId, webhook, valid } = await arrange();
  const late = overtaken(
    () => store.deleteWebhook(workspaceId, webhook.id),
    () => store.rotateSecret(workspaceId, webhook.id),
  );
  await expect(late).rejects.toMatchObject({ code: 'webhook_not_found' });
  expect(await valid(webhook.id)).toEqual([]);
  expect(await store.listSecrets(workspaceId)).toEqual([]);
});

test('A broken item of secrets is reported without its contents.', async () => {
  const { workspaceId, webhook, valid, secret } = await arrange();
  await store.updateItem(
    { pk: `SECRET#${workspaceId}`, sk: `WEBHOOK#${webhook.id}` },
    { text: 'SET #secrets[0].#createdAt = :broken', values: { ':broken': 7 } },
  );
  const error = await valid(webhook.id).catch((thrown: Error) => thrown);
  expect(String(error)).toMatch(/SECRET WEBHOOK secrets is broken: its attribute createdAt must be a text/);
  expect(String(error)).not.toContain(secret.secret);
});
