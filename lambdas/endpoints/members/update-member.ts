import * as z from 'zod/mini';
import type { Member } from '../../core/member/member.ts';
import { roles } from '../../core/member/roles.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch, replyTagged } from '../../http/entity-tag.ts';
import { keyCallerOf } from '../../http/keys/key-requests.ts';
import { showMember } from '../../http/shown/member.ts';
import { updateMember } from '../../store/member-changes/changes.ts';

export const body = z.strictObject({ role: z.optional(z.enum(roles)), state: z.optional(z.literal('active')) });

export const handler = endpoint({ body }, async ({ id, body, event }) => {
  const check = (member: Member) => readIfMatch(event, async () => member, showMember);
  return replyTagged(event, 200, showMember(await updateMember(id, body, keyCallerOf(event), check)));
});
