import { setting } from '../../runtime/settings.ts';
import { type BlockedNow, detailsOfOne } from '../../store/links/details.ts';
import type { FoundLink } from '../../store/links/links.ts';
import { type LinkView, linkView } from '../../views/link.ts';
import type { Shown } from '../conditional.ts';

/** A link as responses about a single link show it. What clicks, deliveries, its domain, time or the operator change isn't a setting. */
export const shownLink = (link: LinkView): Shown => {
  const { clickCount, pendingVerification, state, webhookStatus, ...settings } = link;
  return { body: { link }, settings };
};

/** The same for a link as it was read. Costs the reads of its details. @param blockedNow the function's cache */
export const showLink =
  (blockedNow: BlockedNow) =>
  async (found: FoundLink): Promise<Shown> =>
    shownLink(linkView(await detailsOfOne(found, blockedNow), setting('SHORT_URL_ORIGIN')));
