import type { RequestError } from '../core/errors.ts';
import { urlsOf } from '../core/webhook/webhook.ts';
import { type TagsOfAll, updateLinks } from '../store/links/bulk-changes.ts';
import { type LinkEdits, updateLink } from '../store/links/changes.ts';
import type { FoundLink } from '../store/links/links.ts';
import { resumeUrls } from '../store/webhooks/status.ts';
import { newSettings, newSettingsOfEach, type SentSettings } from './new-settings.ts';

type Options = {
  /** Change the link only if its settings haven't changed since they were read. */
  readonly asRead: boolean;
  /** Whether to resume stopped webhooks to the link's own URLs. By default, if `webhookUrls` is among the settings. */
  readonly resumes?: boolean;
};

/**
 * Changes a link's settings and slugs, which were validated, and returns the changed link.
 *
 * @throws RequestError, as `updateLink` does
 */
export async function changeLink(
  found: FoundLink,
  sent: SentSettings & Pick<LinkEdits, 'customSlug' | 'tagPaths'>,
  { asRead, resumes = sent.webhookUrls !== undefined }: Options,
): Promise<FoundLink> {
  const { workspaceId, webhookUrls } = found.link;
  const settings = await newSettings(workspaceId, sent, found.link);
  // First, because after the update, a retry with the former entity tag would be refused.
  if (resumes) await resumeUrls(workspaceId, urlsOf(sent.webhookUrls === undefined ? webhookUrls : sent.webhookUrls));
  return updateLink(found, settings, { asRead });
}

/**
 * Gives links of a workspace the same settings, which were validated.
 *
 * @param tags undefined if the request leaves tags alone.
 * @returns the error for each link that was not changed, in the order of `links`.
 * @throws RequestError `tag_not_found`; then nothing is changed.
 */
export async function changeLinks(
  workspaceId: string,
  links: readonly FoundLink[],
  sent: SentSettings,
  tags: TagsOfAll | undefined,
): Promise<(RequestError | undefined)[]> {
  const settings = await newSettingsOfEach(
    workspaceId,
    sent,
    links.map(({ link }) => link),
  );
  const updates = links.map((found, index) => ({ found, changes: settings[index] ?? {} }));
  // First, because after the update, a retry would be refused if somebody has deleted one of the tags meanwhile.
  await resumeUrls(workspaceId, urlsOf(sent.webhookUrls));
  return updateLinks(workspaceId, updates, tags);
}
