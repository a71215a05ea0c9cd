import * as z from 'zod/mini';
import { fieldsRefused } from '../../core/errors.ts';
import { refuseContradiction } from '../../core/link/link.ts';
import { refuseContraryTags } from '../../core/link/link-tags.ts';
import type { Utm } from '../../core/link/utm.ts';
import { endpoint } from '../../http/endpoint.ts';
import * as field from '../../http/fields.ts';
import { linkIds, namedLinks } from '../../http/link-ids.ts';
import { linkSettings } from '../../http/link-settings.ts';
import { mergeUtm, utmFields } from '../../http/links/utm.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { reply } from '../../http/reply.ts';
import { changeLinks } from '../../links/change-link.ts';
import { tagsGiven, withTagIds } from '../../links/given-tags.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';

/** Tags to add to the links, and to remove from them. */
const tagEdits = {
  addTagIds: z.optional(field.tagIds),
  addTagNames: z.optional(field.tagNames),
  removeTagIds: z.optional(field.tagIds),
  removeTagNames: z.optional(field.tagNames),
};

export const body = z.strictObject({ ids: linkIds, fields: z.strictObject({ ...linkSettings, ...utmFields, ...tagEdits }) });

const before = [rateLimit('bulk-changes')];

const { refuseDestinations } = destinationChecks();

export const handler = endpoint({ body, before }, async ({ workspaceId, body: { ids, fields: given } }) => {
  const fields = mergeUtm(given, '/fields');
  refuseContradiction(fields, undefined, '/fields');
  const { links, report } = await namedLinks(workspaceId, ids);
  await refuseDestinations(fields, { path: '/fields' });
  const { sent, tags } = await withTags(workspaceId, fields);
  const { done, failed } = report(await changeLinks(workspaceId, links, sent, tags));
  return reply(200, { updated: done, failed });
});

/**
 * The settings that all links get, and the changes of their tags, by ids.
 *
 * @throws RequestError `tag_not_found`; `validation_failed` if the fields for tags contradict each other
 */
async function withTags(workspaceId: string, fields: Omit<z.output<typeof body>['fields'], keyof Utm>) {
  const { addTagIds, addTagNames, removeTagIds, removeTagNames, ...others } = fields;
  const edits = Object.entries({ addTagIds, addTagNames, removeTagIds, removeTagNames }).filter(([, value]) => value);
  const { tagPaths, ...sent } = await withTagIds(workspaceId, others, '/fields');
  if (edits.length === 0) return { sent, tags: sent.tagIds && tagPaths && { tagIds: sent.tagIds, tagPaths } };
  if (tagPaths) {
    const error = { code: 'not_together', message: 'must not be sent together with "tagIds" or "tagNames"' };
    throw fieldsRefused(edits.map(([name]) => ({ path: `/fields/${name}`, ...error })));
  }
  const given = (tagIds: string[] | undefined, tagNames: string[] | undefined, verb: string) =>
    tagsGiven(workspaceId, { tagIds, tagNames }, { ids: `/fields/${verb}TagIds`, names: `/fields/${verb}TagNames` });
  const added = await given(addTagIds, addTagNames, 'add');
  const removed = await given(removeTagIds, removeTagNames, 'remove');
  refuseContraryTags(added, removed);
  const tags = { tagEdits: { added: added.tagIds, removed: removed.tagIds }, tagPaths: [...added.paths, ...removed.paths] };
  return { sent, tags };
}
