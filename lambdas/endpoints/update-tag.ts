import * as z from 'zod/mini';
import { notFound } from '../domain/errors.ts';
import type { Tag } from '../domain/tag.ts';
import { checkIfMatch, isConditional, replyTagged } from '../http/conditional.ts';
import { endpoint } from '../http/endpoint.ts';
import { color, tagName } from '../http/fields.ts';
import { getTag, updateTag } from '../store/tags.ts';
import { tagView } from '../views/tag.ts';

export const body = z.strictObject({ name: z.optional(tagName), color: z.optional(color) });

export const handler = endpoint({ body }, async ({ workspaceId, id, body, event }) => {
  let asRead: Tag | undefined;
  if (isConditional(event)) {
    asRead = await getTag(workspaceId, id);
    if (!asRead) throw notFound('tag');
    checkIfMatch(event, tagView(asRead));
  }
  return replyTagged(event, 200, tagView(await updateTag(workspaceId, id, body, asRead)));
});
