import { workspaceGone } from '../../core/errors.ts';
import { callerOf, receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { limitsLeft } from '../../store/workspaces/limits.ts';
import { meView } from '../../views/me.ts';

export const handler = endpoint({}, async ({ workspaceId, event }) => {
  const found = await limitsLeft(workspaceId, receivedAt(event));
  if (!found) throw workspaceGone();
  const stage = {
    linksPerBulkRequest: Number(setting('MAX_LINKS_PER_IMPORT')),
    requestsPerSecond: Number(setting('REQUEST_RATE')),
    requestBurst: Number(setting('REQUEST_BURST')),
    clickDays: Number(setting('CLICK_DAYS')),
    historyDays: Number(setting('HISTORY_DAYS')),
  };
  return reply(200, meView(found.workspace, callerOf(event), found.limits, stage));
});
