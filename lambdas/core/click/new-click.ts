import { newClickId } from '../ids.ts';
import type { Link } from '../link/link.ts';
import type { Click, RowDimension, WebhookFields } from './click.ts';

/**
 * A new click of a link.
 *
 * @param now in milliseconds since 1970.
 * @param visitor what the click records about its visitor.
 */
export const newClick = (
  { id, workspaceId, domain, clickEpoch }: Pick<Link, 'id' | 'workspaceId' | 'domain' | 'clickEpoch'>,
  now: number,
  visitor: Readonly<Record<RowDimension, string>> & Pick<Click, 'visitor'>,
  forWebhooks: WebhookFields = {},
): Click => ({
  ...visitor,
  ...forWebhooks,
  id: newClickId(),
  linkId: id,
  workspaceId,
  host: domain,
  at: new Date(now).toISOString(),
  epoch: clickEpoch,
});
