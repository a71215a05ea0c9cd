import { canonicalHost } from '../core/host/host.ts';
import { failureOf, type PublicResponse, type Reach, type RequestFailure, sendPublicly } from './public-request.ts';
import { webhookReach } from './reach.ts';

/** The result of an attempt. It succeeded if `status` is 200 to 299. */
export type WebhookResponse = {
  /** Absent if no complete headers of a response came in time. */
  readonly status?: number;
  /** How long the attempt took, in milliseconds. */
  readonly ms: number;
  /** Why there was no response, or `redirect` if there was one that leads elsewhere. */
  readonly error?: RequestFailure | 'invalid_url' | 'redirect';
  /** The beginning of the response, as one line of at most 1 kB in UTF-8. Absent if it is empty or compressed. */
  readonly response?: string;
  /** Where the response redirects to, at most 1 kB. Absent if it doesn't, or not to an address of http or https. */
  readonly redirectsTo?: string;
  /** The header `Retry-After` of a response of 429 or 503. */
  readonly retryAfter?: string;
};

/** The most time that an attempt takes, from the DNS to the end of the response, in milliseconds. */
const webhookAttemptMs = 15_000;

/** How much of a response is kept, and of the address that it redirects to, in bytes. */
const keptBytes = 1_024;

/**
 * Makes one attempt to deliver a webhook: POSTs the body to a public address, at port 80 or 443. Never throws.
 *
 * The attempt ends once 16 kB have been read, or when its time is over. If the headers were complete by then, their
 * status is the result, even if the body breaks off. Redirects are not followed. Credentials in the URL are not sent:
 * `parseWebhookUrls` refuses them.
 *
 * @param timeoutMs the most time that the attempt takes, in milliseconds; more than `webhookAttemptMs` has no effect.
 */
export async function postWebhook(
  { url, headers, body }: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string },
  { reach, timeoutMs = webhookAttemptMs }: { readonly reach?: Reach; readonly timeoutMs?: number } = {},
): Promise<WebhookResponse> {
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  const to = URL.parse(url);
  if (!to || !['http:', 'https:'].includes(to.protocol)) return { ms: took(), error: 'invalid_url' };
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), Math.min(timeoutMs, webhookAttemptMs));
  try {
    const request = { method: 'POST', headers: { ...headers, 'accept-encoding': 'identity' }, body } as const;
    const received = await sendPublicly(to, request, keptBytes, over.signal, reach ?? webhookReach(canonicalHost(to.hostname)));
    const { status, headers: answered } = received;
    const response = isPlain(received) ? asLine(received.body) : '';
    const isRedirect = [301, 302, 303, 307, 308].includes(status);
    const redirectsTo = isRedirect && target(answered.location?.[0] ?? '', to);
    const [retryAfter] = [429, 503].includes(status) ? (answered['retry-after'] ?? []) : [];
    return {
      status,
      ms: took(),
      ...(isRedirect && { error: 'redirect' }),
      ...(response && { response }),
      ...(redirectsTo && { redirectsTo }),
      ...(retryAfter !== undefined && { retryAfter }),
    };
  } catch (error) {
    return { ms: took(), error: failureOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The address in a header `Location`, in ASCII, cut with "…" if it is long. Credentials and the fragment may be
 * secrets, and are left out.
 *
 * @param location as Node decodes headers: each byte is a character.
 * @returns empty if it isn't an address of http or https.
 */
function target(location: string, from: URL): string {
  const to = URL.parse(Buffer.from(location, 'latin1').toString(), from.href);
  if (!location || !to || !['http:', 'https:'].includes(to.protocol)) return '';
  Object.assign(to, { username: '', password: '', hash: '' });
  return to.href.length <= keptBytes ? to.href : `${to.href.slice(0, keptBytes - 3)}…`;
}

/** Whether a body is neither compressed nor encoded otherwise. Chunks are already joined. */
const isPlain = ({ headers }: PublicResponse): boolean =>
  [...(headers['content-encoding'] ?? []), ...(headers['transfer-encoding'] ?? [])].every((coding) =>
    /^(identity|chunked)?$/i.test(coding),
  );

/**
 * A text as one line of at most `keptBytes` in UTF-8, without control characters and those that change the direction of
 * text, so that it can be shown in a terminal.
 */
function asLine(bytes: Buffer): string {
  const line = wholeCharacters(bytes)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  // Each byte that isn't UTF-8 has become a character of three bytes.
  return wholeCharacters(Buffer.from(line).subarray(0, keptBytes)).trim();
}

/** Decodes UTF-8, without the character that the end cuts off. */
const wholeCharacters = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });
