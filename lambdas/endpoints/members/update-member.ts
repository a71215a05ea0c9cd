import * as z from 'zod/mini';
import { roles } from '../../core/member/roles.ts';
import { endpoint } from '../../http/endpoint.ts';
import { keyCallerOf } from '../../http/keys/key-requests.ts';
import { reply } from '../../http/reply.ts';
import { updateMember } from '../../store/member-changes/changes.ts';
import { memberView } from '../../views/member.ts';

export const body = z.strictObject({ role: z.optional(z.enum(roles)), state: z.optional(z.literal('active')) });

export const handler = endpoint({ body }, async ({ id, body, event }) =>
  reply(200, memberView(await updateMember(id, body, keyCallerOf(event)))),
);
