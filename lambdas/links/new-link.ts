import type { Domain } from '../core/domain/domain.ts';
import { parseDomainName } from '../core/host/host.ts';
import type { Creation } from '../core/link/creation.ts';
import type { TagsOfTemplate } from '../core/link/given-settings.ts';
import type { LinkSettings } from '../core/link/link.ts';
import type { SentTags } from '../core/link/link-tags.ts';
import { getOwnDomain } from '../store/domains/domains.ts';
import type { DestinationChecks } from '../store/hosts/destinations.ts';
import { createLink, type NewLink } from '../store/links/create.ts';
import { detailsOfNew, type LinkDetails } from '../store/links/details.ts';
import { type WithTagIds, withTagIds } from './given-tags.ts';
import { newSettings, type SentSettings } from './new-settings.ts';

/** A link to create, as a request has it. */
export type WantedLink = SentSettings &
  WithTagIds<SentTags> &
  SentTags &
  TagsOfTemplate &
  Pick<LinkSettings, 'url'> & { readonly customSlug?: string | undefined };

/** A link to create, and the domain that it will be on. */
type PreparedLink = { readonly domain: Domain; readonly link: NewLink };

/**
 * Checks whether a link can be created on a domain, hashes its password and asks about framing. The domain is read
 * first, so that links cannot form a loop (`destinationChecks`).
 *
 * @throws RequestError as `getOwnDomain`, `refuseDestinations` and `withTagIds` do, in this order
 */
export async function prepareLink(
  { refuseDestinations }: DestinationChecks,
  workspaceId: string,
  host: string,
  wanted: WantedLink,
): Promise<PreparedLink> {
  const domain = await getOwnDomain(workspaceId, parseDomainName(host));
  await refuseDestinations(wanted);
  return { domain, link: await newSettings(workspaceId, await withTagIds(workspaceId, wanted), { domain: domain.host }) };
}

/** Creates a link that was prepared. @throws RequestError, as `createLink` does */
export const makeLink = async ({ domain, link }: PreparedLink, creation: Creation): Promise<LinkDetails> =>
  detailsOfNew(await createLink(domain, link, creation), domain);
