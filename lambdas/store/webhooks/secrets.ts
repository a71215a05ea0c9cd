import { notFound, RequestError, workspaceGone } from '../../core/errors.ts';
import { isWebhookId, newSecretId } from '../../core/ids.ts';
import { rotatedSecrets, type SecretDates, unexpiredSecrets, type WebhookSecret } from '../../core/webhook/webhook-secret.ts';
import { newWebhookSecret } from '../../core/webhook/webhook-signature.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { commit, type Writes } from '../table/commit.ts';
import { all, type Expression, isAbsent, isAtRevision, isPresent, plus, set } from '../table/expressions.ts';
import { maps, maybeText, number, text } from '../table/fields.ts';
import { secretsIn, secretsKey, toKey, webhookOfSecrets, workspaceKey } from '../table/keys.ts';
import { getItem, query } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleting, putting, updating, type Write } from '../table/writes.ts';

/**
 * The secrets of a webhook, or of the `webhookUrls` of a workspace's links, are one item: a list, newest first, and a
 * revision. A webhook's item is made and deleted with the webhook. Each change is a transaction, so that its token
 * makes it idempotent: retried after a lost response, it creates no second secret.
 *
 * Expired secrets are ignored, and removed with the item's next change.
 */
const toSecrets = (item: Item | undefined): WebhookSecret[] =>
  item
    ? maps(item, 'secrets').map((one) => ({
        id: text(one, 'id'),
        secret: text(one, 'secret'),
        createdAt: text(one, 'createdAt'),
        expiresAt: maybeText(one, 'expiresAt') ?? null,
      }))
    : [];

/** Secrets as the item stores them: without dates that are null. */
const stored = (secrets: readonly WebhookSecret[]) =>
  secrets.map(({ expiresAt, ...secret }) => (expiresAt === null ? secret : { ...secret, expiresAt }));

/**
 * The secrets that are valid at that time, newest first. Each delivery is signed with all of them. One strongly
 * consistent read.
 *
 * @param webhookId null for the `webhookUrls` of links.
 * @param now in milliseconds since 1970.
 */
export async function validSecrets(workspaceId: string, webhookId: string | null, now: number): Promise<string[]> {
  const secrets = toSecrets(await getItem(secretsKey(workspaceId, webhookId)));
  return unexpiredSecrets(secrets, now).map(({ secret }) => secret);
}

/**
 * The secret with that id, for a retry of the request that created it.
 *
 * @throws RequestError `secret_ended`
 */
export async function secretAgain(workspaceId: string, webhookId: string | null, id: string): Promise<string> {
  const secrets = toSecrets(await getItem(secretsKey(workspaceId, webhookId)));
  const found = unexpiredSecrets(secrets, tableTime()).find((secret) => secret.id === id);
  if (found) return found.secret;
  throw new RequestError(
    'secret_ended',
    'An earlier attempt of this request created a secret, which has ended since: create another with POST /api/v1/webhook-secrets.',
  );
}

/**
 * The valid secrets of a workspace, without their values: those for links' URLs first, then by webhook, newest first.
 */
export async function listSecrets(workspaceId: string): Promise<SecretDates[]> {
  const items = await Array.fromAsync(query(secretsIn(workspaceId)));
  return items.flatMap((item) =>
    unexpiredSecrets(toSecrets(item), tableTime()).map(({ secret, ...dates }) => ({
      ...dates,
      webhookId: webhookOfSecrets(toKey(item)),
    })),
  );
}

/** The first secret of a new webhook. */
export const firstSecret = (createdAt: string): WebhookSecret => ({
  id: newSecretId(),
  secret: newWebhookSecret(),
  createdAt,
  expiresAt: null,
});

/** The write that gives a new webhook its first secret. */
export const puttingSecret = (workspaceId: string, webhookId: string, secret: WebhookSecret): Write =>
  putting({ ...secretsKey(workspaceId, webhookId), secrets: stored([secret]), revision: 0 }, isAbsent);

/** The write that deletes all secrets of a webhook. */
export const deletingSecrets = (workspaceId: string, webhookId: string): Write => deleting(secretsKey(workspaceId, webhookId));

/**
 * Creates a secret. The others of the same webhook stay valid for at most 24 hours.
 *
 * @param webhookId null for the `webhookUrls` of links.
 * @param recording the write that records the request, as `executeInTransaction` gives it; undefined if nothing is
 *   recorded.
 * @throws RequestError `webhook_not_found`, `secret_limit_reached`; `unauthorized` if the workspace is gone;
 *   ConditionFailed if the request is recorded already
 */
export async function rotateSecret(
  workspaceId: string,
  webhookId: string | null,
  recording?: (made: WebhookSecret) => Write,
): Promise<WebhookSecret> {
  // Texts that aren't ids are not looked up: they may be too long for a key.
  if (webhookId !== null && !isWebhookId(webhookId)) throw webhookNotFound();
  return retrying(async () => {
    const item = await getItem(secretsKey(workspaceId, webhookId));
    if (!item && webhookId !== null) throw webhookNotFound();
    const fresh = { id: newSecretId(), secret: newWebhookSecret() };
    // The response has just shown the table's time, by which all functions agree on when a secret ends.
    const secrets = rotatedSecrets(toSecrets(item), fresh, tableTime());
    const { failed, items } = await commit({
      ...replacingSecrets(workspaceId, webhookId, secrets, item),
      record: recording?.(secrets[0]),
    });
    if (!failed) return secrets[0];
    if (items.record) throw failed;
    if (items.workspace) throw workspaceGone();
    // Another request has changed the secrets, or deleted the webhook.
    return overtaken;
  });
}

const webhookNotFound = () => new RequestError('webhook_not_found', 'The workspace has no such webhook.');

/**
 * The write that replaces secrets if they are as they were read. Only the item for links' URLs may be new. For those, a
 * second write updates the workspace, which must exist.
 */
function replacingSecrets(
  workspaceId: string,
  webhookId: string | null,
  secrets: readonly WebhookSecret[],
  asRead: Item | undefined,
): Writes {
  const isAsRead: Expression = asRead ? all(isPresent, isAtRevision(number(asRead, 'revision'))) : isAbsent;
  const update = set({ secrets: stored(secrets), revision: plus(1) });
  return {
    secrets: updating(secretsKey(workspaceId, webhookId), update, isAsRead),
    workspace: webhookId === null ? settingLinkSecretUntil(workspaceId, secrets) : undefined,
  };
}

/**
 * The write that records on the workspace's item until when there is a secret for the `webhookUrls` of links. So
 * functions that only show links need no access to secrets.
 */
function settingLinkSecretUntil(workspaceId: string, secrets: readonly WebhookSecret[]): Write {
  const ends = secrets.map(({ expiresAt }) => expiresAt ?? forever).sort();
  return updating(workspaceKey(workspaceId), set({ linkSecretUntil: ends.at(-1) ?? null }), isPresent);
}

const forever = '9999-12-31T23:59:59.999Z';

/**
 * Ends a secret at once.
 *
 * @throws RequestError `not_found` if the workspace has no such secret, or if it has expired
 */
export function endSecret(workspaceId: string, id: string): Promise<void> {
  return retrying(async () => {
    const items = await Array.fromAsync(query(secretsIn(workspaceId)));
    const valid = (item: Item) => unexpiredSecrets(toSecrets(item), tableTime());
    const item = items.find((one) => valid(one).some((secret) => secret.id === id));
    if (!item) throw notFound('secret');
    const left = valid(item).filter((secret) => secret.id !== id);
    const webhookId = webhookOfSecrets(toKey(item));
    // If it fails, another request has changed the secrets, or deleted their webhook.
    return (await commit(replacingSecrets(workspaceId, webhookId, left, item))).failed ? overtaken : undefined;
  });
}
