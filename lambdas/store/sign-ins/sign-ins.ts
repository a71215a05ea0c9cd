import { newSessionSecret, sessionHours, signInIdOf } from '../../core/sign-in/session.ts';
import { text } from '../table/fields.ts';
import { signInKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { deleteItem, putItem } from '../table/writes.ts';

/** A person's session: they have signed in, and not out. */
export type SignInSession = {
  /** `sgn_` and the SHA-256 of the secret in the person's cookie. */
  readonly id: string;
  readonly personId: string;
  /** Times in ISO 8601. */
  readonly createdAt: string;
  readonly endsAt: string;
};

/**
 * Begins a session.
 *
 * @param receivedAt when the gateway received the request, in milliseconds since 1970.
 * @param hours how long it lasts, unless the person signs out.
 * @returns the secret for the person's cookie, which is stored nowhere else.
 */
export async function createSession(
  personId: string,
  receivedAt: number,
  hours: number = sessionHours.usual,
): Promise<{ secret: string; session: SignInSession }> {
  const secret = newSessionSecret();
  const id = signInIdOf(secret) as string;
  const end = receivedAt + hours * 3_600_000;
  const session = { id, personId, createdAt: new Date(receivedAt).toISOString(), endsAt: new Date(end).toISOString() };
  // The secret is new, so a retry after a lost response writes the same again.
  await putItem({ ...signInKey(id), ...session, ttl: Math.ceil(end / 1_000) });
  return { secret, session };
}

/**
 * The session whose secret a cookie has; undefined if there is none, or if it has ended. A text that cannot be a secret
 * costs no read.
 */
export async function findSession(secret: string | undefined, receivedAt: number): Promise<SignInSession | undefined> {
  const id = secret === undefined ? undefined : signInIdOf(secret);
  const item = id && (await getItem(signInKey(id)));
  if (!item || Date.parse(text(item, 'endsAt')) <= receivedAt) return undefined;
  return {
    id: text(item, 'id'),
    personId: text(item, 'personId'),
    createdAt: text(item, 'createdAt'),
    endsAt: text(item, 'endsAt'),
  };
}

/** Ends a session, and with it the keys that it has made, within a minute. Ending it again changes nothing. */
export const endSession = (id: string): Promise<void> => deleteItem(signInKey(id));
