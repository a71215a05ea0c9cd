import { setting } from '../../runtime/settings.ts';
import { type BlockedNow, detailsOfOne } from '../../store/links/details.ts';
import type { FoundLink } from '../../store/links/links.ts';
import { type LinkView, linkView } from '../../views/link.ts';
import type { Shown } from '../entity-tag.ts';

/** The fields of a link that aren't settings: clicks, deliveries, its domain, time or the operator change them. */
export const changingFields = [
  'clickCount',
  'lastClickedAt',
  'pendingVerification',
  'state',
  'webhookStatus',
] as const satisfies readonly (keyof LinkView)[];

/** A link as responses about a single link show it. */
export const shownLink = (link: LinkView): Shown => {
  const settings = Object.entries(link).filter(([field]) => !(changingFields as readonly string[]).includes(field));
  return { body: { link }, settings: Object.fromEntries(settings) };
};

/** The same for a link from the store. Costs the reads of its details. @param blockedNow the function's cache */
export const showLink =
  (blockedNow: BlockedNow) =>
  async (found: FoundLink): Promise<Shown> =>
    shownLink(linkView(await detailsOfOne(found, blockedNow), setting('SHORT_URL_ORIGIN')));
