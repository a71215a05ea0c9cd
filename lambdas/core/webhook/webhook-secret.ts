import { RequestError } from '../errors.ts';
import { secretsAtOnce } from '../limits.ts';
import { byCodeUnits, type ListOrder } from '../list-order.ts';

/** A signing secret: of one webhook, or of the `webhookUrls` of all links of a workspace. */
export type WebhookSecret = {
  readonly id: string;
  /** `whsec_` and base64, as Standard Webhooks requires. Only the response that creates it shows it. */
  readonly secret: string;
  readonly createdAt: string;
  /** When it ends; null until there is a newer one. */
  readonly expiresAt: string | null;
};

/** A secret without its value. */
export type SecretDates = Omit<WebhookSecret, 'secret'> & {
  /** Null for the secrets of links' `webhookUrls`. */
  readonly webhookId: string | null;
};

/** Those for links' `webhookUrls` first, then by webhook; newest first. */
export const secretOrder: ListOrder<SecretDates> = {
  positionOf: ({ webhookId, createdAt, id }) => `${webhookId ?? ''} ${createdAt} ${id}`,
  compare: (one, other) => {
    const [[webhook = '', ...rest], [otherWebhook = '', ...otherRest]] = [one.split(' '), other.split(' ')];
    return byCodeUnits(webhook, otherWebhook) || byCodeUnits(otherRest.join(' '), rest.join(' '));
  },
};

/** How long a secret stays valid at most after it was replaced, in milliseconds. */
export const rotationMs = 24 * 60 * 60 * 1_000;

/** The secrets that haven't expired, in the same order. @param now in milliseconds since 1970 */
export const unexpiredSecrets = <T extends Pick<WebhookSecret, 'expiresAt'>>(secrets: readonly T[], now: number): T[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now);

/**
 * The secrets of a webhook after a rotation, newest first, without expired ones. The others stay valid for at most 24
 * hours, and not longer than before.
 *
 * @param now in milliseconds since 1970. It may be earlier than the creation of the newest secret, because functions'
 *   clocks differ, and estimates of the table's time can move back. The new secret is always dated later.
 * @throws RequestError `secret_limit_reached`
 */
export function rotatedSecrets(
  before: readonly WebhookSecret[],
  fresh: Pick<WebhookSecret, 'id' | 'secret'>,
  now: number,
): [WebhookSecret, ...WebhookSecret[]] {
  const valid = unexpiredSecrets(before, now);
  if (valid.length >= secretsAtOnce) {
    throw new RequestError(
      'secret_limit_reached',
      `At most ${secretsAtOnce} secrets can be valid at once: end one with DELETE /api/v1/webhook-secrets/{id}.`,
    );
  }
  const createdAt = Math.max(now, ...before.map((one) => Date.parse(one.createdAt) + 1));
  const latest = createdAt + rotationMs;
  const older = valid.map((one) => ({
    ...one,
    expiresAt: new Date(one.expiresAt === null ? latest : Math.min(latest, Date.parse(one.expiresAt))).toISOString(),
  }));
  return [{ ...fresh, createdAt: new Date(createdAt).toISOString(), expiresAt: null }, ...older];
}

/**
 * How long a sender caches secrets, in milliseconds, so that a workspace with many receivers doesn't overload the item
 * with its secrets.
 */
export const rememberedMs = 1_000;
