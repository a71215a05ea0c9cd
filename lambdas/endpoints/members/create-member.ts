import * as z from 'zod/mini';
import { RequestError } from '../../core/errors.ts';
import { invitationUrl } from '../../core/member/invitation.ts';
import { roles } from '../../core/member/roles.ts';
import { baseUrlOf } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { repeatableRequest } from '../../http/idempotency-key.ts';
import { keyCallerOf } from '../../http/keys/key-requests.ts';
import { memberEmail } from '../../http/members/member-requests.ts';
import { reply } from '../../http/reply.ts';
import { readCaller } from '../../store/api-keys/callers.ts';
import { executeInTransaction } from '../../store/idempotency/in-transaction.ts';
import { withRetryAdvice } from '../../store/idempotency/requests.ts';
import { type Invited, inviteMemberAs } from '../../store/member-changes/invitations.ts';
import { invitedView } from '../../views/member.ts';

export const body = z.strictObject({ email: memberEmail, role: z.enum(roles) });

/** The recorded result of an invitation, without its secret, of which the table has only the hash. */
const kept = ({ member }: Invited) => ({ id: member.id });

export const handler = endpoint({ body }, async ({ body, event }) => {
  const request = repeatableRequest(event, 'create-member');
  const caller = keyCallerOf(event);
  const outcome = await withRetryAdvice(request, () =>
    executeInTransaction(request, (recording) => inviteMemberAs(caller, body, recording), kept),
  );
  if ('before' in outcome) {
    // A caller that may no longer invite people must not learn of the earlier invitation either.
    await readCaller(caller, 'members:write');
    throw alreadyInvited(outcome.before.id);
  }
  const { member, secret } = outcome.made;
  return reply(201, invitedView(member, invitationUrl(baseUrlOf(event), secret)));
});

const alreadyInvited = (id: string) =>
  new RequestError(
    'member_already_invited',
    `An earlier attempt of this request made the invitation ${id}, whose link is shown only once. If nobody has seen it, remove it and invite again.`,
  );
