import * as z from 'zod/mini';
import { type FieldError, orNotFound, RequestError } from '../../core/errors.ts';
import { type HistoryEntry, revertibleFields, undoing } from '../../core/history/history.ts';
import { destinationsOf, type Link, type LinkSettings, refuseContradiction } from '../../core/link/link.ts';
import { replyTagged } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { slug } from '../../http/fields.ts';
import { ownSettings } from '../../http/link-settings.ts';
import { showLink } from '../../http/shown/link.ts';
import { check } from '../../http/validation.ts';
import { newSettings } from '../../outbound/new-settings.ts';
import { backOff } from '../../runtime/deadline.ts';
import { setting } from '../../runtime/settings.ts';
import { findEntry } from '../../store/history/history.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { takeLookUps } from '../../store/limits/framing-limit.ts';
import { updateLink } from '../../store/links/changes.ts';
import { type FoundLink, getLink } from '../../store/links/links.ts';
import { liveTags } from '../../store/links/tagging.ts';
import { resumeUrls, urlsOf } from '../../store/webhooks/status.ts';

const settingsSchema = z.strictObject({ ...ownSettings, customSlug: z.optional(slug) });

const { refusalsOf, blockedNow } = destinationChecks();
const show = showLink(blockedNow);

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const origin = setting('SHORT_URL_ORIGIN');
  let found = orNotFound(await getLink(workspaceId, id), 'link');
  const entry = orNotFound(await findEntry(workspaceId, id, event.pathParameters?.entryId ?? ''), 'history entry');
  for (let attempt = 0; ; attempt++) {
    const { customSlug, ...settings } = await restored(entry, found);
    const [changes = {}] = await newSettings(settings, [found.link], origin, (wanted) => takeLookUps(workspaceId, wanted));
    try {
      const changed = await updateLink(found, { ...changes, customSlug }, { asRead: true });
      // Also if an earlier attempt has restored them, and died then.
      if (entry.changes.webhookUrls) await resumeUrls(workspaceId, urlsOf(changed.link.webhookUrls));
      return replyTagged(event, 200, await show(changed));
    } catch (error) {
      if (error instanceof RequestError && error.code in lostFields) throw fieldLost(error);
      // Somebody else has changed the link, or deleted a tag, since they were read. That decides what can be restored.
      if (!(error instanceof RequestError) || !['precondition_failed', 'tag_not_found'].includes(error.code)) throw error;
    }
    await backOff(attempt);
    found = orNotFound(await getLink(workspaceId, id), 'link');
  }
});

/**
 * The settings that undo an entry, checked like those of a PATCH.
 *
 * @throws RequestError `revert_refused`, which names the fields that cannot be restored
 */
async function restored({ changes }: HistoryEntry, { link }: FoundLink): Promise<z.output<typeof settingsSchema>> {
  if (!revertibleFields.some((field) => field in changes)) {
    throw new RequestError('revert_refused', 'The entry contains no change that can be reverted.');
  }
  const tagIds = [changes.tagIds?.from, changes.tagIds?.to].flatMap((ids) => (ids ?? []) as string[]);
  const live = await liveTags(link.workspaceId, tagIds);
  const { settings, changedSince } = undoing(changes, link, (tagId) => live.has(tagId));
  const { value = {}, errors = [] } = check(settingsSchema, settings);
  const fieldErrors = [
    ...changedSince.map((field) => ({ path: `/${field}`, code: 'changed_since', message: 'has been changed since' })),
    ...errors,
    ...lostTags((settings.tagIds ?? []) as string[], live),
    ...(await refusalsOf(destinationsOf(value))),
    ...contradictions(value, link),
  ];
  if (fieldErrors.length === 0) return value;
  const named = fieldErrors.map(({ path, message }) => `${path} ${message}`);
  throw new RequestError('revert_refused', `${named.slice(0, 3).join('; ')}.`, { fieldErrors });
}

/**
 * The fields that cannot be restored, by the code of the refusal: another link has the slug or the external id by now,
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

function contradictions(settings: Partial<LinkSettings>, link: Link): readonly FieldError[] {
  try {
    refuseContradiction(settings, link);
    return [];
  } catch (error) {
    if (error instanceof RequestError) return error.fieldErrors;
    throw error;
  }
}
