import * as z from 'zod/mini';
import { type FieldError, orNotFound, RequestError } from '../../core/errors.ts';
import { type Changes, lostLink, revertibleFields, revertRefused, undoing } from '../../core/history/history.ts';
import { contradictionIn, destinationsOf } from '../../core/link/link.ts';
import { urlsOf } from '../../core/webhook/webhook.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { slug } from '../../http/fields.ts';
import { ownSettings } from '../../http/link-settings.ts';
import { showLink } from '../../http/shown/link.ts';
import { check } from '../../http/validation.ts';
import { changeLink } from '../../links/change-link.ts';
import { newSettings } from '../../links/new-settings.ts';
import { getOwnDomain } from '../../store/domains/domains.ts';
import { type DeletionEntry, type FoundEntry, findEntry } from '../../store/history/history.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { newCreation } from '../../store/idempotency/requests.ts';
import { type FoundLink, getLink } from '../../store/links/links.ts';
import { getNamedLink } from '../../store/links/named-links.ts';
import { restoredLink, restoreLink } from '../../store/links/restoration.ts';
import { liveTags } from '../../store/links/tagging.ts';
import { overtaken, retrying } from '../../store/table/retrying.ts';
import { resumeUrls } from '../../store/webhooks/status.ts';

const settingsSchema = z.strictObject({ ...ownSettings, customSlug: z.optional(slug) });

const { refusalsOf, blockedNow } = destinationChecks();
const show = showLink(blockedNow);

export const handler = endpoint({}, async ({ workspaceId, id: name, event }) => {
  const entryId = event.pathParameters?.entryId ?? '';
  const there = await getNamedLink(workspaceId, name);
  const id = there?.link.id ?? name;
  const known = await findEntry(workspaceId, id, entryId);
  if (known?.entry.action === 'link.deleted') {
    // In a table that was restored to an earlier time, the link may exist again.
    if (there) return replyTagged(event, 200, await show(there));
    const { link, ...lost } = await restore(workspaceId, known.entry.changes, { subjectId: id, entryId });
    const shown = await show(link);
    const Location = event.requestContext.path.replace(/\/[^/]*\/history\/[^/]*\/revert$/, `/${link.link.id}`);
    return replyTagged(event, 201, shown, { Location }, { ...(shown.body as object), ...lost });
  }
  let read: readonly [FoundLink | undefined, FoundEntry | undefined] | undefined = [there, known];
  return retrying(async () => {
    const [link, entry] = read ?? [await getLink(workspaceId, id), await findEntry(workspaceId, id, entryId)];
    read = undefined;
    const [found, past] = [orNotFound(link, 'link'), orNotFound(entry, 'history entry')];
    const settings = await restored(past, found);
    // By the entry, not by `settings`: an earlier attempt may have restored the URLs, and then died.
    const resumes = past.entry.changes.webhookUrls !== undefined;
    try {
      return replyTagged(event, 200, await show(await changeLink(found, settings, { asRead: true, resumes })));
    } catch (error) {
      if (error instanceof RequestError && error.code in lostFields) throw fieldLost(error);
      // Somebody else has changed the link, or deleted a tag, since they were read. Decide again what can be restored.
      if (error instanceof RequestError && ['precondition_failed', 'tag_not_found'].includes(error.code)) return overtaken;
      throw error;
    }
  });
});

/**
 * The settings that undo an entry, checked like those of a PATCH.
 *
 * @throws RequestError `revert_refused`, which names the fields that cannot be restored
 */
async function restored(
  { entry, changedSince: changedAgain }: FoundEntry,
  { link }: FoundLink,
): Promise<z.output<typeof settingsSchema>> {
  const { changes } = entry;
  if (!revertibleFields.some((field) => field in changes)) {
    throw new RequestError('revert_refused', 'Nothing in this change can be undone.');
  }
  const tagIds = [changes.tagIds?.from, changes.tagIds?.to].flatMap((ids) => (ids ?? []) as string[]);
  const live = await liveTags(link.workspaceId, tagIds);
  const { settings, changedSince } = undoing(changes, link, changedAgain, (tagId) => live.has(tagId));
  const { value = {}, errors = [] } = check(settingsSchema, settings);
  const fieldErrors = [
    ...changedSince.map((field) => ({ path: `/${field}`, code: 'changed_since', message: 'has been changed since' })),
    ...errors,
    ...lostTags((settings.tagIds ?? []) as string[], live),
    ...(await refusalsOf(destinationsOf(value))),
    contradictionIn(value, link) ?? [],
  ].flat();
  if (fieldErrors.length === 0) return value;
  throw revertRefused(fieldErrors);
}

/**
 * Restores a deleted link, or returns the link that an earlier attempt has restored.
 *
 * @returns the link; the ids of its former tags that no longer exist; whether it had a password.
 * @throws RequestError `revert_refused`, `domain_not_verified`, `domain_deletion_in_progress`, `link_deleted`
 */
async function restore(workspaceId: string, changes: Changes, entry: DeletionEntry) {
  const lost = lostLink(changes);
  if (!lost)
    throw new RequestError(
      'revert_refused',
      'The history does not say which short URL the link had, so the link cannot be restored.',
    );
  const { shortCode, aliases, hadPassword, settings } = lost;
  const before = await restoredLink(workspaceId, entry);
  const link = before ?? (await restoreLink(...(await again())));
  await resumeUrls(workspaceId, urlsOf(link.link.webhookUrls));
  const tagIds = (settings.tagIds ?? []) as string[];
  const live = await liveTags(workspaceId, tagIds);
  return { link, lostTagIds: tagIds.filter((tagId) => !live.has(tagId)), lostPassword: hadPassword };

  /** The link to create, checked like the body of a creation. */
  async function again(): Promise<Parameters<typeof restoreLink>> {
    const domain = await getOwnDomain(workspaceId, lost?.domain);
    const { value = {}, errors = [] } = check(settingsSchema, { ...settings, customSlug: shortCode });
    const fieldErrors = [...errors, ...(await refusalsOf(destinationsOf(value))), contradictionIn(value) ?? []].flat();
    if (fieldErrors.length > 0) throw revertRefused(fieldErrors);
    const { customSlug: _, url = '', ...others } = value;
    const made = await newSettings(workspaceId, { url, ...others }, { domain: domain.host });
    return [domain, { ...made, shortCode, aliases, ...(hadPassword && { isActive: false }) }, entry, newCreation()];
  }
}

/**
 * The field that cannot be restored, by the code of the refusal: another link has the slug or the external id by now,
 * or there are too many aliases.
 */
const lostFields: Readonly<Record<string, string>> = {
  slug_taken: '/customSlug',
  alias_limit_reached: '/customSlug',
  external_id_taken: '/externalId',
};

const fieldLost = ({ code, message }: RequestError): RequestError =>
  new RequestError('revert_refused', message, { fieldErrors: [{ path: lostFields[code] ?? '', code, message }] });

const lostTags = (tagIds: readonly string[], live: ReadonlySet<string>): FieldError[] =>
  tagIds.flatMap((tagId, index) =>
    live.has(tagId) ? [] : [{ path: `/tagIds/${index}`, code: 'tag_not_found', message: 'no longer exists' }],
  );
