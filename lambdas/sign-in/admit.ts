import type { Identity, Place } from '../core/sign-in/claims.ts';
import { setting } from '../runtime/settings.ts';
import { followRules } from '../store/member-changes/rules.ts';
import { noteSignIn } from '../store/members/memberships.ts';
import { rememberPerson } from '../store/people/people.ts';
import { createSession, type SessionOptions } from '../store/sign-ins/sign-ins.ts';

/**
 * Begins a session for somebody whom the provider has confirmed. A retry begins another session of the same person.
 *
 * @param places of the person in workspaces, by the rules of the stage.
 * @param at when the gateway received the request, in milliseconds since 1970.
 * @param options of the session: see `createSession`.
 * @returns the session, and its secret for the person's cookie.
 * @throws RequestError `unauthorized` if the provider has signed the person out meanwhile
 */
export async function admit(
  identity: Identity,
  places: readonly Place[],
  at: number,
  options: SessionOptions & { readonly hours: number },
) {
  const person = await rememberPerson(identity, at, options.hours);
  for (const place of places) await followRules(person, place, at, Number(setting('HISTORY_DAYS')));
  await noteSignIn(person);
  return createSession(person.id, at, options);
}
