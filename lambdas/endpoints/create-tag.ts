import * as z from 'zod/mini';
import { tagView } from '../domain/tag.ts';
import { endpoint } from '../http/endpoint.ts';
import { color, tagName } from '../http/fields.ts';
import { reply } from '../http/reply.ts';
import { createTag } from '../store/tags.ts';

const body = z.strictObject({ name: tagName, color });

export const handler = endpoint({ body }, async ({ workspaceId, body }) => {
  const tag = await createTag(workspaceId, body);
  return reply(201, tagView(tag), { Location: `/api/v1/tags/${tag.id}` });
});
