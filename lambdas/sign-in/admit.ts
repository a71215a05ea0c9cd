import type { Identity } from '../core/sign-in/claims.ts';
import type { JoinRule } from '../core/sign-in/sign-in.ts';
import { joinWorkspace } from '../store/members/joining.ts';
import { noteSignIn } from '../store/members/memberships.ts';
import { rememberPerson } from '../store/people/people.ts';
import { createSession } from '../store/sign-ins/sign-ins.ts';

/**
 * Begins the session of somebody whom the provider has confirmed. Doing it again begins another session of the same person.
 *
 * @param rules that let the person into workspaces.
 * @param at when the gateway received the request, in milliseconds since 1970.
 * @param options of the session: see `createSession`.
 * @returns the session, and its secret for the person's cookie
 */
export async function admit(
  identity: Identity,
  rules: readonly JoinRule[],
  at: number,
  options: { readonly hours: number; readonly replaces: readonly string[] },
) {
  const person = await rememberPerson(identity, at, options.hours);
  for (const { workspaceId, role } of rules) await joinWorkspace(person, { workspaceId, role }, at);
  await noteSignIn(person);
  return createSession(person.id, at, options);
}
