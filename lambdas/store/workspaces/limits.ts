import {
  bulkChanges,
  bulkRequests,
  domainsPerWorkspace,
  keysPerWorkspace,
  metadataRequests,
  tagsPerWorkspace,
  templatesPerWorkspace,
  type WorkspaceLimits,
  webhooksPerWorkspace,
} from '../../core/limits.ts';
import { listDomains } from '../domains/domains.ts';
import { lookUpsLeft } from '../limits/framing-limit.ts';
import { slotsLeft } from '../limits/request-limits.ts';
import { number } from '../table/fields.ts';
import { framingLimitKey, limitKey, workspaceKey } from '../table/keys.ts';
import { getItems } from '../table/reads.ts';
import { toWorkspace, type Workspace } from './workspaces.ts';

/**
 * A workspace, and what is left of its limits; undefined if there is no such workspace. It only reads, so it uses up
 * none of them. One batch read and the list of the domains.
 *
 * @param now when the gateway received the request, in milliseconds since 1970.
 */
export async function limitsLeft(
  workspaceId: string,
  now: number,
): Promise<{ readonly workspace: Workspace; readonly limits: WorkspaceLimits } | undefined> {
  const [item, bulk, changes, metadata, framing] = await getItems([
    workspaceKey(workspaceId),
    limitKey(workspaceId, 'bulk'),
    limitKey(workspaceId, 'bulk-changes'),
    limitKey(workspaceId, 'metadata'),
    framingLimitKey(workspaceId),
  ]);
  if (!item) return undefined;
  const of = (limit: number, used: number) => ({ limit, remaining: Math.max(0, limit - used) });
  return {
    workspace: toWorkspace(item),
    limits: {
      bulkRequests: slotsLeft(bulk, now, bulkRequests),
      bulkChanges: slotsLeft(changes, now, bulkChanges),
      metadataRequests: slotsLeft(metadata, now, metadataRequests),
      framingLookUps: lookUpsLeft(framing, now),
      tags: of(tagsPerWorkspace, number(item, 'tagCount', 0)),
      templates: of(templatesPerWorkspace, number(item, 'templateCount', 0)),
      domains: of(domainsPerWorkspace, (await listDomains(workspaceId)).length),
      webhooks: of(webhooksPerWorkspace, number(item, 'webhookCount', 0)),
      keys: of(keysPerWorkspace, number(item, 'keyCount')),
    },
  };
}
