import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch, replyTagged } from '../../http/entity-tag.ts';
import { color, tagName } from '../../http/fields.ts';
import { showTag } from '../../http/shown/tag.ts';
import { getTag, updateTag } from '../../store/tags/tags.ts';

export const body = z.strictObject({ name: z.optional(tagName), color: z.optional(color) });

export const handler = endpoint({ body }, async ({ workspaceId, id, body, event }) => {
  const asRead = await readIfMatch(event, async () => orNotFound(await getTag(workspaceId, id), 'tag'), showTag);
  return replyTagged(event, 200, showTag(await updateTag(workspaceId, id, body, asRead)));
});
