import { notFound, preconditionFailed, RequestError } from '../../core/errors.ts';
import { isWebhookId, newWebhookId } from '../../core/ids.ts';
import { webhooksPerWorkspace } from '../../core/limits.ts';
import { sorted } from '../../core/list-order.ts';
import { needsClicks, type Webhook, type WebhookSettings, webhookEvents, webhookOrder } from '../../core/webhook/webhook.ts';
import type { WebhookSecret } from '../../core/webhook/webhook-secret.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { commit } from '../table/commit.ts';
import { all, any, isAbsent, isAtRevision, isPresent, lacks, plus, set } from '../table/expressions.ts';
import { flag, knownOf, number, text } from '../table/fields.ts';
import { type Key, webhookKey, webhooksIn, workspaceKey } from '../table/keys.ts';
import { getItem, query } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleting, putting, updating, type Write } from '../table/writes.ts';
import { workspaceUpdate } from './interest.ts';
import { deletingSecrets, firstSecret, puttingSecret } from './secrets.ts';
import { resumeUrls } from './status.ts';

const toWebhook = (item: Item): Webhook => ({
  id: text(item, 'id'),
  url: text(item, 'url'),
  events: knownOf(item, 'events', webhookEvents),
  active: flag(item, 'active'),
  createdAt: text(item, 'createdAt'),
  revision: number(item, 'revision', 0),
});

const webhookItem = (workspaceId: string, webhook: Webhook): Key & Item => ({
  ...webhookKey(workspaceId, webhook.id),
  ...webhook,
});

/** The workspace's webhooks, oldest first. One strongly consistent query. */
export async function webhooksOf(workspaceId: string): Promise<Webhook[]> {
  const items = await Array.fromAsync(query(webhooksIn(workspaceId)));
  return sorted(items.map(toWebhook), webhookOrder);
}

/** The workspace's webhook with that id; undefined if it has none. Texts that aren't ids are not looked up. */
export async function getWebhook(workspaceId: string, id: string): Promise<Webhook | undefined> {
  const item = isWebhookId(id) ? await getItem(webhookKey(workspaceId, id)) : undefined;
  return item && toWebhook(item);
}

/** A webhook that was created, and its first secret. */
export type NewWebhook = { readonly webhook: Webhook; readonly secret: WebhookSecret };

/**
 * Creates a webhook with its first secret. The workspace's counter limits the number of webhooks, however many requests
 * arrive at once.
 *
 * @param recording the write that records the request, as `executeInTransaction` gives it; undefined if nothing is
 *   recorded.
 * @throws RequestError `webhook_limit_reached`; ConditionFailed if the request is recorded already
 */
export async function createWebhook(
  workspaceId: string,
  settings: WebhookSettings,
  recording?: (made: NewWebhook) => Write,
): Promise<NewWebhook> {
  const createdAt = new Date(tableTime()).toISOString();
  const webhook: Webhook = { ...settings, id: newWebhookId(), createdAt, revision: 0 };
  const made = { webhook, secret: firstSecret(createdAt) };
  const { failed, items } = await commit({
    webhook: putting(webhookItem(workspaceId, webhook), isAbsent),
    secret: puttingSecret(workspaceId, webhook.id, made.secret),
    workspace: updating(
      workspaceKey(workspaceId),
      workspaceUpdate(webhook.id, { count: 1, needs: needsClicks(webhook) || undefined }),
      all(isPresent, any(lacks('webhookCount'), { text: '#webhookCount < :max', values: { ':max': webhooksPerWorkspace } })),
    ),
    record: recording?.(made),
  });
  if (!failed) return made;
  if (items.record) throw failed;
  throw new RequestError(
    'webhook_limit_reached',
    `A workspace may have at most ${webhooksPerWorkspace} webhooks: delete one first.`,
  );
}

export type WebhookChanges = Partial<WebhookSettings>;

/**
 * Changes a webhook, and returns the changed one. A change that sets its URL or activates it also resumes its URL. That
 * comes first, because a retry with `asRead` is refused once the change is made.
 *
 * @param asRead the webhook as it was read, to change it only if it is still the same.
 * @throws RequestError `not_found`, `precondition_failed`
 */
export function updateWebhook(workspaceId: string, id: string, changes: WebhookChanges, asRead?: Webhook): Promise<Webhook> {
  return retrying(async () => {
    const webhook = await readWebhook(workspaceId, id, asRead);
    if (Object.keys(changes).length === 0) return webhook;
    const changed: Webhook = { ...webhook, ...changes, revision: webhook.revision + 1 };
    const needs = needsClicks(changed);
    const isAsRead = all(isPresent, isAtRevision(webhook.revision));
    await resumeUrls(workspaceId, changes.url !== undefined || changes.active ? [changed.url] : []);
    const { failed } = await commit({
      webhook: updating(webhookKey(workspaceId, id), set({ ...changes, revision: plus(1) }), isAsRead),
      workspace:
        needs === needsClicks(webhook)
          ? undefined
          : updating(workspaceKey(workspaceId), workspaceUpdate(id, { needs }), isPresent),
    });
    return failed ? overtaken : changed;
  });
}

/** Reads a webhook to change it. @throws RequestError `not_found`, `precondition_failed` */
async function readWebhook(workspaceId: string, id: string, asRead: Webhook | undefined): Promise<Webhook> {
  const webhook = await getWebhook(workspaceId, id);
  if (!webhook) throw notFound('webhook');
  if (asRead && webhook.revision !== asRead.revision) throw preconditionFailed();
  return webhook;
}

/**
 * Deletes a webhook with its secrets.
 *
 * @param asRead the webhook as it was read, to delete it only if it is still the same.
 * @throws RequestError `not_found`, `precondition_failed`
 */
export function deleteWebhook(workspaceId: string, id: string, asRead?: Webhook): Promise<void> {
  return retrying(async () => {
    const webhook = await readWebhook(workspaceId, id, asRead);
    const { failed } = await commit({
      webhook: deleting(webhookKey(workspaceId, id), all(isPresent, isAtRevision(webhook.revision))),
      secrets: deletingSecrets(workspaceId, id),
      workspace: updating(
        workspaceKey(workspaceId),
        workspaceUpdate(id, { count: -1, needs: needsClicks(webhook) ? false : undefined }),
        isPresent,
      ),
    });
    return failed ? overtaken : undefined;
  });
}
