import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { readIfMatch, replyTagged } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { color, tagName } from '../../http/fields.ts';
import { getTag, updateTag } from '../../store/tags/tags.ts';
import { tagView } from '../../views/tag.ts';

export const body = z.strictObject({ name: z.optional(tagName), color: z.optional(color) });

export const handler = endpoint({ body }, async ({ workspaceId, id, body, event }) => {
  const asRead = await readIfMatch(event, async () => orNotFound(await getTag(workspaceId, id), 'tag'), tagView);
  return replyTagged(event, 200, tagView(await updateTag(workspaceId, id, body, asRead)));
});
