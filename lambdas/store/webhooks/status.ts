import type { Link } from '../../core/link/link.ts';
import { type Backlog, usualWaitMs } from '../../core/webhook/backlog.ts';
import type { WebhookStatus } from '../../core/webhook/delivery.ts';
import { urlsOf } from '../../core/webhook/webhook.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { tableTime } from '../table/clock.ts';
import { maybeText } from '../table/fields.ts';
import { dueUntil, queuedAt, type ReceiverPk, receiverKey, receiverPk, toKey, workspaceKey } from '../table/keys.ts';
import { getItems, query } from '../table/reads.ts';
import { keptSeconds } from './deliveries.ts';
import { type Receiver, resume, toReceiver } from './receivers.ts';

/** The status of a receiver. A URL that nothing was sent to yet is `ok`. */
const toStatus = (url: string, { failingSince, error, redirectsTo, stopped, stoppedAt }: Receiver): WebhookStatus => {
  if (stopped !== null) return { url, state: stopped, since: stoppedAt, error, redirectsTo };
  if (failingSince !== null) return { url, state: 'failing', since: failingSince, error, redirectsTo };
  return { url, state: 'ok', since: null, error: null, redirectsTo: null };
};

/** The status of each of a link's URLs. One batch read; none if it has no URLs. */
export async function statusOfUrls({
  workspaceId,
  webhookUrls,
}: Pick<Link, 'workspaceId' | 'webhookUrls'>): Promise<WebhookStatus[]> {
  const urls = urlsOf(webhookUrls);
  if (urls.length === 0) return [];
  const pks = urls.map((url) => receiverPk(workspaceId, url));
  const [workspace, ...receivers] = await getItems([workspaceKey(workspaceId), ...pks.map(receiverKey)]);
  const until = workspace && maybeText(workspace, 'linkSecretUntil');
  const isSigned = until !== undefined && Date.parse(until) > tableTime();
  return urls.map((url, index) => {
    if (!isSigned) return { url, state: 'no_secret', since: null, error: null, redirectsTo: null };
    return toStatus(url, toReceiver(pks[index] as (typeof pks)[number], receivers[index]));
  });
}

/** The status of a webhook's URL, and its backlog. One read, and a query for one item. */
export async function statusOfUrl(workspaceId: string, url: string): Promise<WebhookStatus & { readonly backlog: Backlog }> {
  const pk = receiverPk(workspaceId, url);
  const [item] = await getItems([receiverKey(pk)]);
  return { ...toStatus(url, toReceiver(pk, item)), backlog: await backlogOf(pk) };
}

/** The backlog of a receiver, without entries that have outlived their deliveries. */
async function backlogOf(pk: ReceiverPk): Promise<Backlog> {
  const now = tableTime();
  const [since, until] = [now - keptSeconds * 1_000, now - usualWaitMs].map((at) => new Date(at).toISOString());
  for await (const item of query(dueUntil(pk, `${until}`, since), { limit: 1 }))
    return { oldestDueAt: queuedAt(toKey(item).sk).at };
  return null;
}

/**
 * Resumes those of these URLs that are stopped, because somebody has set them again. One batch read; none if there are
 * no URLs.
 */
export async function resumeUrls(workspaceId: string, urls: Iterable<string>): Promise<void> {
  const pks = [...new Set(urls)].map((url) => receiverPk(workspaceId, url));
  if (pks.length === 0) return;
  const items = await getItems(pks.map(receiverKey));
  const stopped = pks.filter((pk, index) => toReceiver(pk, items[index]).stopped !== null);
  await inParallel(stopped, 10, resume);
}
