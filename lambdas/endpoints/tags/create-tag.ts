import * as z from 'zod/mini';
import { replyTagged } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { color, tagName } from '../../http/fields.ts';
import { createTag } from '../../store/tags/tags.ts';
import { tagView } from '../../views/tag.ts';

export const body = z.strictObject({ name: tagName, color });

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const tag = await createTag(workspaceId, body);
  // The path that the client used: on AWS it may start with the stage.
  return replyTagged(event, 201, tagView(tag), { Location: `${event.requestContext.path}/${tag.id}` });
});
