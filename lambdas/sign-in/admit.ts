import type { Identity } from '../core/sign-in/claims.ts';
import type { JoinRule } from '../core/sign-in/sign-in.ts';
import { joinWorkspace } from '../store/members/joining.ts';
import { noteSignIn } from '../store/members/memberships.ts';
import { rememberPerson } from '../store/people/people.ts';
import { createSession, type SessionOptions } from '../store/sign-ins/sign-ins.ts';

/**
 * Begins the session of somebody whom the provider has confirmed. Doing it again begins another session of the same person.
 *
 * @param rules that let the person into workspaces.
 * @param at when the gateway received the request, in milliseconds since 1970.
 * @param options of the session: see `createSession`.
 * @returns the session, and its secret for the person's cookie.
 * @throws RequestError `unauthorized` if the provider has signed the person out meanwhile
 */
export async function admit(
  identity: Identity,
  rules: readonly JoinRule[],
  at: number,
  options: SessionOptions & { readonly hours: number },
) {
  const person = await rememberPerson(identity, at, options.hours);
  for (const { workspaceId, role } of rules) await joinWorkspace(person, { workspaceId, role }, at);
  await noteSignIn(person);
  return createSession(person.id, at, options);
}
