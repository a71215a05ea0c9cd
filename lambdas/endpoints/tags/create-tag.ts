import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { color, tagName } from '../../http/fields.ts';
import { showTag } from '../../http/shown/tag.ts';
import { createTag } from '../../store/tags/tags.ts';

export const body = z.strictObject({ name: tagName, color });

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const tag = await createTag(workspaceId, body);
  // The path that the client used: on AWS it may start with the stage.
  return replyTagged(event, 201, showTag(tag), { Location: `${event.requestContext.path}/${tag.id}` });
});
